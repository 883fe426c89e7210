"""Boards from pictures: what is read, what is doubtful, and errors."""

import hashlib
import json
import random
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter

from asking import ask_grids, vectors
from cluewise import service
from cluewise.cli.desks.sudoku import read_picture, sentences
from cluewise.core.work import finish
from cluewise.desks.sudoku.houses import clash
from cluewise.desks.sudoku.ocr.cells import CellReadings, Reader
from cluewise.desks.sudoku.ocr.decode import ConflictCheck, decode
from cluewise.desks.sudoku.ocr.read import (
    Read,
    Search,
    is_doubtful,
    may_be_shifted,
    symbols_fix_lattice,
)
from cluewise.desks.sudoku.position import NINE, Shape, conflict
from cluewise.errors import BadInput, BadOption
from cluewise.kernel.files import read
from cluewise.pictures.finder import Lattice
from cluewise.pictures.image import Array
from reference.sudoku_boards import drawn, options

CASES = vectors("sudoku_cases")

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
# Of wasm_build/ocr/train_digits.py; a new net has a new hash, which is to be changed by hand.
HASH = "7a51e4bf6be69eb3b669cf71ee40674c8e7f30d8680293a48e929315f9ea7c92"


def ask(picture: Image.Image, **more: object) -> Any:
    return ask_grids("photo", **options(picture, **more))


def puzzle(rows: int, cols: int) -> str:
    return str(ask_grids("puzzle", box=(rows, cols), seed=2)["puzzle"])


@pytest.mark.sampled(of="sudoku, pictures")
@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4)])
def test_a_drawn_board_of_every_size_is_read_with_its_boxes(rows: int, cols: int) -> None:
    text = puzzle(rows, cols)
    found = ask(drawn(text, rows, cols))
    assert (found["grid"], found["box"], found["repaired"]) == (text, [rows, cols], [])
    assert found["unique"]


def test_a_small_g_and_a_nine_differ_by_their_descender() -> None:
    text = puzzle(4, 4)
    assert min(text.count("g"), text.count("9")) >= 3
    found = ask(drawn(text, 4, 4, small="g"))
    assert (found["grid"], found["seen"]) == (text, text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_board_on_its_side_is_read_upright(quarters: int) -> None:
    picture = drawn(PUZZLE, 3, 3).rotate(90 * quarters, expand=True)
    found = ask(picture)
    assert found["grid"] == PUZZLE
    assert found["turn"] == (4 - quarters) % 4


def test_light_symbols_on_a_dark_board_are_read() -> None:
    dark = drawn(PUZZLE, 3, 3).point(lambda v: 235 - v * 200 // 255)
    assert ask(dark)["grid"] == PUZZLE


def test_a_board_seen_from_the_side_and_blurred_is_read() -> None:
    flat = drawn(PUZZLE, 3, 3, cell=44, margin=30)
    w, h = flat.size
    seen = flat.transform(
        (w, h), Image.Transform.QUAD, (-30, -10, 10, h + 40, w + 20, h + 5, w + 50, -35),
        Image.Resampling.BICUBIC, fillcolor="grey",
    ).filter(ImageFilter.GaussianBlur(1.2))  # fmt: skip
    assert ask(seen)["grid"] == PUZZLE


def test_the_lattice_lies_where_the_lines_are() -> None:
    found = ask(drawn(PUZZLE, 3, 3, cell=30, margin=12))
    expected = [(12 + 30 * (i % 10), 12 + 30 * (i // 10)) for i in range(100)]
    apart = [max(abs(a - c), abs(b - d)) for (a, b), (c, d) in
             zip(found["points"], expected, strict=True)]  # fmt: skip
    assert max(apart) < 3


def test_symbols_of_another_colour_are_named_and_not_left_out() -> None:
    own = [i for i, c in enumerate(PUZZLE) if c == "."][:20]
    text = "".join(SOLVED[i] if i in own else c for i, c in enumerate(PUZZLE))
    found = ask(drawn(text, 3, 3, own=own))
    assert found["grid"] == text
    assert found["own"] == own
    assert ask(drawn(PUZZLE, 3, 3))["own"] == []


def test_a_board_without_a_solution_is_shown_as_it_stands() -> None:
    wrong = "6" + SOLVED[1:30] + "1" + SOLVED[31:60] + "6" + SOLVED[61:]
    found = ask(drawn(wrong, 3, 3))
    assert (found["grid"], found["seen"], found["solutions"]) == (wrong, wrong, "0")
    assert found["lattice_doubtful"]
    assert found["doubtful"] == list(range(81))


@pytest.mark.parametrize(
    ("n", "sure", "value", "doubtful"),
    [(4, -0.07, 0.9, True), (4, -0.01, 0.9, False), (9, -0.07, 0.9, False), (9, -0.01, 0.4, True)],
)
def test_a_small_lattice_that_reads_less_than_clearly_may_be_the_boxes_of_a_large_one(
    n: int, sure: float, value: float, doubtful: bool
) -> None:
    assert is_doubtful(reading(n, {}, sure, value)) is doubtful


def reading(n: int, raw: dict[int, int], sure: float, value: float, how: str = "frame") -> Read:
    """A reading of n×n cells whose symbols are `raw`, by cell."""
    rows = np.eye(n + 1)[[raw.get(i, 0) for i in range(n * n)]]
    nowhere = np.zeros((n + 1, n + 1, 2))
    return Read(Lattice(value, n, nowhere, how), nowhere, 0, CellReadings(rows, nowhere), sure)


FULL = {i: int(symbol) for i, symbol in enumerate(SOLVED)}


@pytest.mark.parametrize(
    ("raw", "sure", "how", "tells"),
    [
        (FULL, -0.01, "comb", True),
        (FULL, -0.1, "comb", False),  # read less than clearly
        (FULL | {0: 1}, -0.01, "comb", False),  # two of a symbol in a row
        ({i: v for i, v in FULL.items() if i > 8}, -0.01, "comb", False),  # an empty outermost row
        ({i: v for i, v in FULL.items() if i > 8}, -0.01, "frame", True),
    ],
)
def test_clear_symbols_without_a_clash_fix_a_faint_lattice(
    raw: dict[int, int], sure: float, how: str, tells: bool
) -> None:
    assert symbols_fix_lattice(reading(9, raw, sure, 0.02, how)) is tells


@pytest.mark.parametrize(
    ("raw", "sure", "beside"),
    [
        ({i: v for i, v in FULL.items() if i < 9}, -0.1, True),
        ({i: v for i, v in FULL.items() if i < 8}, -0.1, False),  # hardly any symbols
        (FULL, -0.5, False),  # cut through
    ],
)
def test_a_comb_is_moved_by_a_row_only_where_it_nearly_reads(
    raw: dict[int, int], sure: float, beside: bool
) -> None:
    one = reading(9, raw, sure, 0.7, "comb")
    blurred = one.seen.chances * exp(sure)
    assert may_be_shifted(one._replace(seen=one.seen._replace(chances=blurred))) is beside


def test_a_small_lattice_that_is_no_board_hides_no_larger_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = {0: 1, 5: 2, 10: 3, 15: 4}
    small, large = reading(4, few, -0.05, 0.5), reading(9, FULL, -0.16, 0.3)
    search, reader = Search.__new__(Search), Reader.__new__(Reader)
    reader.spent = 0
    search.kept, search.value, search.by_hand, search.reader = None, -1e9, False, reader
    search.looked = {}
    monkeypatch.setattr(search, "_read", lambda lattice: small if lattice.n == 4 else large)
    finish(search.look([large.lattice]))
    finish(search.look([small.lattice]))
    assert search.kept is large


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rows", "cols", "cell"), [(2, 3, 48), (3, 3, 34), (3, 4, 24)])
@pytest.mark.parametrize("dark", [False, True])
def test_a_board_of_faint_lines_is_read_next_to_an_empty_one(
    rows: int, cols: int, cell: int, *, dark: bool
) -> None:
    text = puzzle(rows, cols)
    one = drawn(text, rows, cols, cell, thin="#e0ded4")
    both = Image.new("RGB", (2 * one.width + 300, one.height + 200), "white")
    both.paste(one, (40, 60))
    both.paste(drawn("." * len(text), rows, cols, cell, thin="#e0ded4"), (40 + one.width, 60))
    if dark:  # the thin lines are a twentieth lighter than the ground
        both = both.point(lambda v: 235 - v * 205 // 255)
    assert ask(both)["grid"] == text


def test_a_board_of_twelve_without_a_frame_is_not_read_as_nine_rows_of_it() -> None:
    text = puzzle(3, 4)
    whole = drawn(text, 3, 4, margin=40)
    bare = Image.new("RGB", whole.size, "white")
    inner = (42, 42, whole.width - 42, whole.height - 42)
    bare.paste(whole.crop(inner), inner[:2])
    found = ask(bare)
    assert (found["grid"], found["box"]) == (text, [3, 4])


def test_what_the_rules_change_is_listed_and_deserves_a_look() -> None:
    wrong = PUZZLE[:1] + "4" + PUZZLE[2:]  # a given that is not there, against the first one
    found = ask(drawn(wrong, 3, 3))
    changed = [i for i in range(81) if found["grid"][i] != wrong[i]]
    assert found["repaired"] == changed
    assert set(changed) <= set(found["doubtful"])


def chances(text: str, unsure: dict[int, dict[int, float]]) -> Array:
    out = []
    for i, symbol in enumerate(text):
        row = [1e-9] * 10
        row[0 if symbol == "." else int(symbol)] = 1.0
        for value, chance in unsure.get(i, {}).items():
            row[value] = chance
        out.append([c / sum(row) for c in row])
    return np.array(out)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), NINE, Shape(4, 3), Shape(4, 4)])
def test_a_changed_board_breaks_a_rule_exactly_when_it_has_a_conflict(shape: Shape) -> None:
    rng, n = random.Random(3), shape.size
    broken = []
    for _ in range(60):
        raw = bytes(rng.choice([0] * 3 * n + [rng.randint(1, n)]) for _ in range(n * n))
        check = ConflictCheck(raw, shape)
        for _ in range(10):
            pair = clash(raw, (), *shape) or ()
            few = {*rng.sample(range(n * n), rng.randint(0, 5)), *pair[:2]}
            changes = [(i, rng.randint(0, n)) for i in few]
            cells = bytearray(raw)
            for i, value in changes:
                cells[i] = value
            broken.append(check.has_conflict(changes))
            assert broken[-1] == bool(conflict(bytes(cells), shape))
    assert 60 < sum(broken) < 540  # both answers, many times


def test_the_rules_choose_between_likely_readings_and_list_repairs() -> None:
    unsure = chances(PUZZLE, {0: {4: 0.3, 8: 0.7}})  # an 8 would stand twice in the row
    found = finish(decode(unsure, NINE))
    assert found.cells == bytes(0 if c == "." else int(c) for c in PUZZLE)
    assert (found.repaired, found.solutions) == ([0], 1)
    assert found.posterior[0] > 0.99


def test_two_readings_that_both_have_one_solution_share_the_posterior() -> None:
    unsure = chances(SOLVED, {5: {int(SOLVED[5]): 0.6, 0: 0.4}})  # a blank leaves one solution too
    found = finish(decode(unsure, NINE))
    assert found.posterior[5] == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize(("faint", "taken"), [(0.0001, False), (0.01, True)])
def test_a_given_is_not_invented_to_make_a_solution_the_only_one(faint: float, taken: bool) -> None:
    lacking = "." + PUZZLE[1:]  # has several solutions
    found = finish(decode(chances(lacking, {0: {4: faint}}), NINE))
    assert found.cells[0] == (4 if taken else 0)
    assert (found.solutions, found.repaired) == ((1, [0]) if taken else (2, []))


def test_where_no_likely_reading_has_one_solution_nothing_is_changed() -> None:
    clash = SOLVED[1] + SOLVED[1:]
    found = finish(decode(chances(clash, {}), NINE))
    assert (found.cells[0], found.solutions, found.repaired) == (int(SOLVED[1]), 0, [])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", ["blank", "noise", "letters", "stripes"])
def test_a_picture_without_a_board_is_refused(kind: str) -> None:
    picture = Image.new("RGB", (400, 300), "white")
    pen = ImageDraw.Draw(picture)
    if kind == "noise":
        picture = Image.effect_noise((400, 300), 60).convert("RGB")
    if kind == "letters":
        for y in range(10, 290, 16):
            pen.text((10, y), "the quick brown fox jumps over the lazy dog " * 2, "black")
    if kind == "stripes":
        for x in range(0, 400, 20):
            pen.line((x, 0, x, 300), "black", 2)
    with pytest.raises(BadInput, match="No board was found"):
        ask(picture)


@pytest.mark.parametrize(("change", "error"), CASES["bad options are named with their place"])
def test_bad_options_are_refused_with_their_place(change: dict[str, object], error: str) -> None:
    given = options(drawn(PUZZLE, 3, 3)) | change
    with pytest.raises(BadOption, match=error) as caught:
        service.run({"desk": "sudoku", "want": "photo", "options": given})
    assert caught.value.where.startswith("$.options")


def test_corners_that_a_person_has_set_are_where_the_board_is_read() -> None:
    both = Image.new("RGB", (660, 300), "white")
    both.paste(drawn(PUZZLE, 3, 3), (10, 0))
    both.paste(drawn(SOLVED, 3, 3), (340, 0))
    right = [354.0, 14.0, 620.0, 10.0, 624.0, 284.0, 350.0, 280.0]  # some pixels off
    assert ask(both, corners=right, size=9)["grid"] == SOLVED
    assert ask(both, corners=[x - 330 if i % 2 == 0 else x for i, x in enumerate(right)],
               size=9)["grid"] == PUZZLE  # fmt: skip


def test_corners_on_a_line_find_no_board() -> None:
    flat = [10.0, 10.0, 50.0, 10.0, 90.0, 10.0, 130.0, 10.0]
    with pytest.raises(BadInput, match="No board"):
        ask(drawn(PUZZLE, 3, 3), corners=flat)


def saved(folder: Path, name: str, picture: Image.Image, **how: Any) -> str:
    path = folder / name
    picture.save(path, **how)
    return str(path)


def test_a_file_is_read_as_its_camera_turned_it(tmp_path: Path) -> None:
    turned = drawn(PUZZLE, 3, 3).rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    found = read_picture(saved(tmp_path, "turned.jpg", turned, exif=exif, quality=90))
    assert (found.grid, found.turn) == (PUZZLE, 0)
    assert sentences(found) == []


def test_a_transparent_picture_lies_on_white(tmp_path: Path) -> None:
    grey = drawn(PUZZLE, 3, 3).convert("L")
    ink = Image.new("RGBA", grey.size, (0, 0, 0, 0))
    ink.putalpha(grey.point(lambda v: 255 - v))
    assert read_picture(saved(tmp_path, "clear.png", ink)).grid == PUZZLE


def test_files_that_are_no_pictures_are_refused_in_a_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("hello")
    whole = Path(saved(tmp_path, "whole.jpg", drawn(PUZZLE, 3, 3)))
    (tmp_path / "half.jpg").write_bytes(whole.read_bytes()[:9000])
    frames = [drawn(PUZZLE, 3, 3), drawn(SOLVED, 3, 3)]
    moving = saved(tmp_path, "moving.gif", frames[0], save_all=True, append_images=frames[1:])
    huge = saved(tmp_path, "huge.png", Image.new("1", (10_000, 5_000)))
    for name, error in [
        (str(text), "is not a picture"), (str(tmp_path / "half.jpg"), "only a part"),
        (moving, "is animated"), (huge, "50 million pixels"), (str(tmp_path), "Cannot read"),
        (str(tmp_path / "none.png"), "No such file"),
    ]:  # fmt: skip
        with pytest.raises(BadInput, match=error) as caught:
            read_picture(name)
        assert name in caught.value.message


def test_the_net_is_the_one_that_the_training_made() -> None:
    data = read("cluewise.desks.sudoku", "digits.bin")
    assert len(data) <= 60_000
    assert json.loads(data.partition(b"\n")[0])["classes"] == 17
    assert hashlib.sha256(data).hexdigest() == HASH


def test_doubtful_cells_of_a_picture_have_a_sentence_each(tmp_path: Path) -> None:
    drawn(PUZZLE, 3, 3).save(tmp_path / "one.png")
    found = read_picture(str(tmp_path / "one.png"))
    assert sentences(found) == []
    assert sentences(replace(found, lattice_doubtful=True, solutions=">=2")) == [
        "Look the whole board over: as read it has several solutions."
    ]
    seen = "." + found.grid[1:]
    lines = sentences(replace(found, repaired=[0], seen=seen, doubtful=[0]))
    assert lines == ["Repaired: row 1, column 1 looked like blank; the rules make it 4."]
    own = sentences(replace(found, own=[0, 6]))
    assert own == ["2 symbols have another colour: perhaps filled in by hand."]
    many = sentences(replace(found, doubtful=list(range(81)), likely=["12"] * 81))
    assert many[-1] == "Doubtful in all: 81 cells."
    assert many[0] == "Doubtful: row 1, column 1, 4 (or 1 or 2)."
