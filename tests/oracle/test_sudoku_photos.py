"""Photos of boards, and screenshots in fonts that the digits' net has never seen."""

import random
from pathlib import Path

import pytest
from PIL import Image

from cluewise.cli.pictures import LONGER
from cluewise.core.work import finish
from cluewise.desks.sudoku.ocr.read import read
from cluewise.pictures.image import Image as Pixels
from wasm_build.ocr.board_photos import Photos, no_boards, numbers
from wasm_build.ocr.board_shots import Shots
from wasm_build.ocr.digit_cells import HELD_BACK, TRAINING, faces
from wasm_build.ocr.measure_pictures import tally
from wasm_build.ocr.train_digits import FONTS, fetch_fonts


def found_in(picture: Image.Image) -> object:
    picture.thumbnail((LONGER, LONGER))
    return finish(read(Pixels(picture.convert("RGB").tobytes(), *picture.size)))


@pytest.mark.sampled(of="sudoku, pictures")
@pytest.mark.parametrize("seed", [7, 10, 16])
def test_a_page_of_numbers_is_no_board(seed: int) -> None:
    """Between the lines of 10 and 16 a small lattice fits, and a comb on those of 7."""
    assert found_in(numbers(random.Random(seed))) is None


@pytest.mark.long
def test_what_is_no_sudoku_is_no_board() -> None:
    assert [name for name, picture in no_boards() if found_in(picture) is not None] == []


@pytest.mark.long
def test_drawn_photos_of_paper_are_right_or_what_is_wrong_is_marked() -> None:
    fetch_fonts(HELD_BACK)
    found = tally(Photos(faces(FONTS, HELD_BACK), 1).cases(90))
    assert found.silent == []
    assert len(found.missed) <= 3, found.missed


@pytest.mark.sampled(of="sudoku, pictures")
def test_drawn_screenshots_of_many_looks_are_read_or_what_is_wrong_is_marked() -> None:
    own: list[Path | None] = [None]  # Pillow's own face, which needs nothing to be fetched
    found = tally(Shots(own, 5).cases(12))
    assert (found.boards, found.silent) == (12, [])
    assert found.missed == []


@pytest.mark.long
def test_ninety_eight_of_a_hundred_drawn_screenshots_are_right_and_none_wrong_unmarked() -> None:
    assert not set(HELD_BACK) & set(TRAINING)
    fetch_fonts(HELD_BACK)
    found = tally(Shots(faces(FONTS, HELD_BACK), 31).cases(400))
    assert found.silent == []
    assert len(found.missed) <= 8, found.missed
