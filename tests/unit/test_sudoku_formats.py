"""Other people's notations, in and out."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_grids as ask
from cluewise.desks.sudoku.formats.lzstring import LIMIT, compress, decompress
from cluewise.desks.sudoku.formats.text import read_text
from cluewise.desks.sudoku.formats.write import write_text
from cluewise.desks.sudoku.position import Shape
from cluewise.errors import BadNotation

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TEXTS = st.text(alphabet=st.characters(max_codepoint=0x3000), max_size=300)


@pytest.mark.parametrize(
    ("plain", "packed"),
    [
        ("Hello, world!", "BIUwNmD2A0AEDukBOYAmBCIA"),
        ("hello, i am a 猫", "BYUwNmD2A0AECWsCGBbZtDUzkA=="),
    ],
)
def test_packing_agrees_with_published_samples(plain: str, packed: str) -> None:
    assert compress(plain) == packed
    assert decompress(packed) == plain


@given(TEXTS)
@settings(deadline=None, max_examples=100)
def test_packing_comes_back(text: str) -> None:
    assert decompress(compress(text)) == text


@given(st.text(alphabet="ABCabc012+/=-_N4Ig", max_size=60))
@settings(deadline=None, max_examples=200)
def test_damaged_packing_is_refused_or_read_never_more(text: str) -> None:
    with suppress(BadNotation):
        assert len(decompress(text)) <= LIMIT


@pytest.mark.parametrize(
    "notation",
    ["string", "zeros", "grid", "sdk", "sdm", "sudokuwiki", "sudokuexchange", "f-puzzles",
     "sudokupad"],
)  # fmt: skip
def test_every_notation_comes_back(notation: Any) -> None:
    text = ask("export", PUZZLE, notation=notation)["text"]
    assert read_text(text).boards == [PUZZLE]


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
@pytest.mark.parametrize("notation", ["string", "grid", "f-puzzles"])
def test_other_sizes_come_back(box: tuple[int, int], notation: Any) -> None:
    shape = Shape(*box)
    board = "1" + "." * (shape.cells - 2) + "2"
    found = read_text(write_text([board], shape, notation), shape)
    assert (found.boards, found.shape) == ([board], shape)


def test_a_published_f_puzzles_link() -> None:
    link = (
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1"
        "kANwEMAbAK5x4ARlRoI3GADsEAFwzCmK1kQ5tVmug216VGrUbWG1ZyjwHCEAJglTZCpTAO7j+nZw/7atIkA="
    )
    found = read_text(link)
    assert found.format == "f-puzzles link"
    assert found.boards[0].count(".") == 79


def test_a_list_with_comments_and_bad_lines_is_read_line_by_line() -> None:
    text = f"# mine\n{PUZZLE} hard\n{PUZZLE[:-1]}\n{PUZZLE[:40]}z{PUZZLE[41:]}\n{PUZZLE}\n"
    found = read_text(text)
    assert found.boards == [PUZZLE, PUZZLE]
    assert [(p.line, p.column) for p in found.bad] == [(3, 81), (4, 41)]
    assert "row 5, column 5" in found.bad[1].why


def test_nothing_and_nonsense() -> None:
    with pytest.raises(BadNotation):
        read_text("  \n ")
    found = read_text("once upon a time")
    assert not found.boards
    assert found.bad
