"""What stands in Python of the kernel's structs is what the C headers say."""

import struct

import pytest

from cluewise.desks.code.position import MOST_COLOURS
from cluewise.kernel.layouts import CODE, MINES, RACK, SCAN, SUDOKU

BYTES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "d": 8, "Q": 8}


def places(form: struct.Struct) -> list[int]:
    """Where each value of a format stands: `places(Struct("<di")) == [0, 8]`."""
    found, at, count = [], 0, ""
    for letter in form.format.removeprefix("<"):
        if letter.isdigit():
            count += letter
            continue
        for _ in range(int(count or 1)):
            if letter != "x":
                found.append(at)
            at += BYTES.get(letter, 1)
        count = ""
    return found


FORMATS = [
    (desk, name.removesuffix("_FORMAT"))
    for desk in (CODE, MINES, RACK, SCAN, SUDOKU)
    for name in vars(desk)
    if name.endswith("_FORMAT")
]


@pytest.mark.parametrize(("desk", "name"), FORMATS)
def test_a_format_reads_the_fields_where_the_header_has_them(desk: type, name: str) -> None:
    form, fields = struct.Struct(vars(desk)[f"{name}_FORMAT"]), vars(desk)[f"{name}_AT"]
    begins = {at for one, at in fields.items() if one not in ("unused", "spare")}
    assert form.size == vars(desk)[name]
    assert begins <= set(places(form))


def test_the_known_structs_have_a_format() -> None:
    assert {name for _, name in FORMATS} >= {"Node", "ScanAction", "ScanCell", "ScanSeed"}
    assert struct.unpack(CODE.Node_FORMAT, bytes(range(24)))[3:] == (0x1110, 0x12, 0x13)


def test_more_colours_than_the_kernel_knows_are_no_position() -> None:
    assert MOST_COLOURS == CODE.MAX_COLOURS
