"""Screenshots of sudoku programs, drawn with fonts that the digits' net has never seen."""

from pathlib import Path

import pytest

from wasm_build.ocr.digit_cells import HELD_BACK, TRAINING, faces
from wasm_build.ocr.measure_pictures import drawn, tally
from wasm_build.ocr.train_digits import FONTS, fetch_fonts


@pytest.mark.sampled(of="sudoku, pictures")
def test_drawn_screenshots_of_many_looks_are_read_or_what_is_wrong_is_marked() -> None:
    own: list[Path | None] = [None]  # Pillow's own face, which needs nothing to be fetched
    found = tally(drawn(own, 5, 12))
    assert (found.boards, found.silent) == (12, [])
    assert found.missed == []


@pytest.mark.long
def test_ninety_eight_of_a_hundred_drawn_screenshots_are_right_and_none_wrong_unmarked() -> None:
    assert not set(HELD_BACK) & set(TRAINING)
    fetch_fonts(HELD_BACK)
    found = tally(drawn(faces(FONTS, HELD_BACK), 31, 400))
    assert found.silent == []
    assert len(found.missed) <= 8, found.missed
