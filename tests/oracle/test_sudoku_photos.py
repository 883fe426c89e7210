"""Photos of printed sudokus, drawn with what tuned nothing; and pictures in which none stands."""

import random

import pytest
from PIL import Image

from cluewise.core.work import finish
from cluewise.desks.sudoku.ocr.read import read
from cluewise.pictures.files import LONGER
from cluewise.pictures.image import Image as Pixels
from wasm_build.ocr.board_photos import no_boards, numbers
from wasm_build.ocr.digit_cells import HELD_BACK, faces
from wasm_build.ocr.measure_pictures import printed, tally
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
    found = tally(printed(faces(FONTS, HELD_BACK), 1, 90))
    assert found.silent == []
    assert len(found.missed) <= 3, found.missed
