"""What stands in Python of the kernel's structs is what the C headers say."""

from __future__ import annotations

import struct

import pytest

from cluewise.desks.code.engine import tree
from cluewise.desks.scan.engine import plan, wide
from cluewise.kernel.layouts import CODE, SCAN

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


@pytest.mark.parametrize(
    ("form", "size", "fields", "spread"),
    [
        (tree._NODE, CODE.Node, CODE.Node_AT, {}),
        (plan._ACTION, SCAN.ScanAction, SCAN.ScanAction_AT, {"parts": 4}),
        (wide._CELL, SCAN.ScanCell, SCAN.ScanCell_AT, {}),
    ],
)
def test_a_format_reads_the_fields_where_the_header_has_them(
    form: struct.Struct, size: int, fields: dict[str, int], spread: dict[str, int]
) -> None:
    wanted = [
        at + 8 * i
        for name, at in fields.items()
        if name != "unused"
        for i in range(spread.get(name, 1))
    ]
    assert form.size == size
    assert places(form) == sorted(wanted)
