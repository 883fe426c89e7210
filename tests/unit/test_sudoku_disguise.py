"""Disguises and the sentence that tells a witness."""

import random
from collections import Counter

import msgspec
import pytest

from asking import ask_grids as ask
from cluewise.desks.sudoku.position import NINE, Shape, read_cells, write_cells
from cluewise.desks.sudoku.puzzles import MOST_SYMMETRIC
from cluewise.desks.sudoku.transform import Transform, apply, identity, steps
from cluewise.desks.sudoku.transform_text import describe_transform
from reference.sudoku_boards import play

PUZZLE = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


@pytest.mark.parametrize("steps_wanted", ["any", "fewest", "most"])
@pytest.mark.parametrize("seed", range(5))
def test_a_disguise_is_the_same_board_and_its_steps_lead_to_it(
    steps_wanted: str, seed: int
) -> None:
    found = ask("disguise", PUZZLE, seed=seed, steps=steps_wanted)
    assert found == ask("disguise", PUZZLE, seed=seed, steps=steps_wanted)
    t = msgspec.convert(found["transform"], Transform)
    cells = read_cells(PUZZLE, NINE)
    assert write_cells(apply(t, cells)) == found["grid"] != PUZZLE
    for step in steps(t, NINE):
        cells = play(step, cells, NINE)
    assert write_cells(cells) == found["grid"]
    same = ask("same", PUZZLE, found["grid"])
    assert len(same["steps"]) == len(found["steps"])
    assert same["summary"].replace(" with ", " ") == f"Yours is mine {found['summary']}."
    expected = {"fewest": {1}, "most": {18}, "any": set(range(19))}[steps_wanted]
    assert len(found["steps"]) in expected


def test_a_single_step_may_be_of_every_kind() -> None:
    kinds = Counter(
        ask("disguise", PUZZLE, seed=seed, steps="fewest")["steps"][0]["kind"]
        for seed in range(150)
    )
    assert set(kinds) == {
        "transpose", "relabel", "swap rows", "swap columns", "swap bands", "swap stacks",
    }  # fmt: skip


def test_a_symmetric_board_is_disguised_as_far_as_it_can_be() -> None:
    found = ask("disguise", MOST_SYMMETRIC, steps="most")
    assert found["grid"] != MOST_SYMMETRIC
    assert len(ask("same", MOST_SYMMETRIC, found["grid"])["steps"]) == len(found["steps"])


@pytest.mark.parametrize(("box", "most"), [((2, 2), 8), ((2, 3), 13), ((4, 4), 32)])
def test_boards_of_every_size_are_disguised(box: tuple[int, int], most: int) -> None:
    grid = ask("generate", box=box)["grid"]
    found = ask("disguise", grid, box=box, steps="most")
    assert len(found["steps"]) <= most
    assert found["shortest"] == (box != (4, 4))
    assert ask("same", grid, found["grid"], box=box)["same"]


STILL = tuple(range(9))


@pytest.mark.parametrize(
    ("t", "words"),
    [
        (identity(9), "as it stands"),
        (Transform(True, STILL, STILL, tuple(range(10))), "transposed"),
        (Transform(False, (2, 1, 0, 3, 4, 5, 6, 7, 8), STILL, (0, 4, 2, 3, 1, 5, 6, 7, 8, 9)),
         "rows 1 and 3 exchanged, 1↔4"),
        (Transform(False, (1, 2, 0, 3, 4, 5, 6, 7, 8), STILL, (0, 1, 5, 3, 4, 7, 6, 2, 8, 9)),
         "rows 1–3 moved, 2→5→7→2"),
        (Transform(False, STILL, (3, 4, 5, 0, 1, 2, 6, 8, 7), tuple(range(10))),
         "stacks 1 and 2 exchanged, columns 8 and 9 exchanged"),
    ],
)  # fmt: skip
def test_a_witness_is_one_sentence(t: Transform, words: str) -> None:
    assert describe_transform(t) == words


def test_symbols_that_a_board_does_not_use_are_not_told() -> None:
    t = Transform(False, STILL, STILL, (0, 4, 1, 3, 2, 5, 6, 7, 8, 9))
    assert describe_transform(t, NINE, bytes([1, 4, *[0] * 79])) == "1→4→2"
    assert describe_transform(t, NINE, bytes([2, *[0] * 80])) == "2→1"
    assert describe_transform(t, NINE, bytes([3, *[0] * 80])) == "as it stands"


def test_the_sentence_says_all_that_moved() -> None:
    rng = random.Random(3)
    for _ in range(40):
        seed = rng.randrange(1 << 20)
        found = ask("disguise", PUZZLE, seed=seed)
        kinds = {step["kind"] for step in found["steps"]}
        for kind, word in [("transpose", "transposed"), ("swap rows", "row"),
                           ("swap bands", "band"), ("swap stacks", "stack"),
                           ("swap columns", "column")]:  # fmt: skip
            assert (word in found["summary"]) == (kind in kinds), found
    assert describe_transform(identity(4), Shape(2, 2)) == "as it stands"
