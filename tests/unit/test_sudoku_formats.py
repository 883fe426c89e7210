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
