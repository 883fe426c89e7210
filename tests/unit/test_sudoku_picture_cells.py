"""Cells of a picture: which are read by the net, and what they tell about one another."""

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluewise import service
from cluewise.desks.sudoku.ocr.cells import Reader, apply_baseline_offsets, compared
from cluewise.desks.sudoku.ocr.read import ENOUGH
from cluewise.errors import BadInput
from cluewise.pictures.image import Array
from reference.sudoku_boards import drawn, options

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def request(picture: Image.Image) -> dict[str, Any]:
    return {"desk": "sudoku", "want": "photo", "options": options(picture)}


NINE_OR_G = [1e-9] * 9 + [0.9, *[1e-9] * 6, 0.1]
DIGITS = [[float(v == k % 8 + 1) for v in range(17)] for k in range(16)]


@pytest.mark.parametrize(
    ("line", "low", "likely"),
    [
        ([0] * 16, 0, 9),  # on the line of the others
        ([0] * 16, 3, 16),  # three tenths of a digit's height below it
        ([0, 0, 3, 3] * 4, 3, 9),  # in a font whose digits hang as well
    ],
)
def test_the_height_of_a_symbol_distinguishes_g_if_digits_share_a_baseline(
    line: list[int], low: int, likely: int
) -> None:
    ends = np.array([(float(y), y + 10.0) for y in [*line, low]])
    found = apply_baseline_offsets(np.array([*DIGITS, NINE_OR_G]), ends)
    assert found[-1].sum() == pytest.approx(1)
    assert found.argmax(1).tolist() == [*(k % 8 + 1 for k in range(16)), likely]


def test_too_few_digits_give_no_baseline() -> None:
    few = np.array([*DIGITS[:7], NINE_OR_G])
    ends = np.array([(0.0, 10.0)] * 7 + [(3.0, 13.0)])
    assert (apply_baseline_offsets(few, ends) == few).all()


def read_cells(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Will hold the cells that the net was given, one call after the other."""
    given: list[int] = []
    real = Reader._read

    def noted(self: Reader, ink: Array, which: Array, out: Array) -> None:
        given.extend(which.tolist())
        real(self, ink, which, out)

    monkeypatch.setattr(Reader, "_read", noted)
    return given


def test_the_net_reads_no_cell_without_ink(monkeypatch: pytest.MonkeyPatch) -> None:
    given = read_cells(monkeypatch)
    assert service.run(request(drawn(PUZZLE, 3, 3)))["grid"] == PUZZLE
    assert sorted(given) == [i for i, symbol in enumerate(PUZZLE) if symbol != "."]


def test_a_page_of_text_is_given_up_before_the_net_has_read_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = read_cells(monkeypatch)
    page = Image.new("RGB", (900, 700), "white")
    for y in range(20, 680, 24):
        line = "It was the year 1984, and 27 of 365 days had gone by without any news at all. "
        ImageDraw.Draw(page).text((15, y), 2 * line[y % 60 :], "black", ImageFont.load_default(18))
    with pytest.raises(BadInput, match="No board was found"):
        service.run(request(page))
    assert 0 < len(given) < ENOUGH + 256  # the last lattice is read to its end


def test_a_symbol_unlike_all_clear_ones_of_a_kind_is_hardly_of_that_kind() -> None:
    strokes = {  # rows or columns of ink, from a pixel to another
        1: [(4, 20, 11, 13)],
        3: [(4, 7, 6, 18), (17, 20, 6, 18)],
        7: [(4, 7, 6, 18), (4, 20, 15, 18)],
    }
    ink = np.zeros((6, 24, 24), np.float32)
    for cell, kind in zip(ink, (1, 1, 3, 3, 7, 1), strict=True):
        for top, low, left, right in strokes[kind]:
            cell[top:low, left:right] = 1
    ink[5] = np.roll(ink[5], 1, axis=1)
    clear = np.eye(10)[[1, 1, 3, 3]]
    unclear = np.array([0.0, 0.7, *[0.0] * 5, 0.3, 0.0, 0.0])
    found = compared(ink, np.array([*clear, unclear, unclear]))
    few = np.array([clear[0], clear[2], *4 * [unclear]])
    assert (compared(ink, few) == few).all()
    assert (found[:4] == clear).all()
    assert found[4].argmax() == 7
    assert found[5] == pytest.approx(unclear)
