"""Random grids without bias, minimal puzzles, nearest matches."""

import itertools
import random
from array import array
from collections import Counter

import msgspec
import numpy as np
import pytest

from asking import ask_grids as ask
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.engine.minlex import minlex
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.position import NINE, conflict, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.kernel.call import kernel
from reference.sudoku import board, line_orders
from reference.sudoku_boards import scrambled

SAMPLE = 30_000


def second_rows(grids: bytes, count: int) -> Counter[bytes]:
    forms, orders = minlex(grids, count)
    assert min(orders) >= 1
    return Counter(forms[81 * i + 9 : 81 * i + 18] for i in range(count))


def long_chain(grids: bytes, count: int, moves: int) -> bytes:
    with kernel().frame() as frame:
        board, state = frame.put(grids), frame.put(array("Q", [11, 12]))
        for i in range(count):
            frame.call("sudoku_shape_mix", state, 3, 3, board + 81 * i, moves)
        return frame.get(board, "B", 81 * count).tobytes()


def test_random_grids_have_the_second_rows_of_a_long_chain() -> None:
    """The biased filling alone gives 25.4 % of 456…, a chi-square in the hundreds."""
    grids = random_boards.grids(SAMPLE, random.Random(5))
    mine = second_rows(grids, SAMPLE)
    chain = second_rows(long_chain(grids[: 81 * 8000], 8000, 400), 8000)
    pure = sum(n for row, n in mine.items() if row[:3] == b"\4\5\6") / SAMPLE
    assert abs(pure - 0.197) < 0.008
    rows = [row for row in mine if mine[row] + chain[row] > 40]
    total, other = sum(mine[r] for r in rows), sum(chain[r] for r in rows)
    chi = 0.0
    for row in rows:
        both = mine[row] + chain[row]
        for seen, size in ((mine[row], total), (chain[row], other)):
            expected = both * size / (total + other)
            chi += (seen - expected) ** 2 / expected
    assert chi < 35  # 11 or so degrees of freedom


def test_minimal_puzzles_lose_their_solution_with_any_given() -> None:
    grids = random_boards.grids(20, random.Random(7))
    puzzles, clues = random_boards.minimal(grids, 20, random.Random(8))
    for i in range(20):
        puzzle = puzzles[81 * i : 81 * i + 81]
        assert 81 - puzzle.count(0) == clues[i]
        found, counts = solve_nine(puzzle, 1)
        assert counts == [1]
        assert found[:81] == grids[81 * i : 81 * i + 81]
        fewer = b"".join(puzzle[:k] + b"\0" + puzzle[k + 1 :] for k in range(81) if puzzle[k])
        assert set(solve_nine(fewer, clues[i])[1]) == {2}


@pytest.mark.parametrize("clues", [24, 30, 50, 81])
def test_puzzles_of_a_given_size(clues: int) -> None:
    found = ask("puzzle", clues=clues, seed=4)
    assert found["clues"] == 81 - found["puzzle"].count(".") == clues
    assert ask("solve", found["puzzle"])["solution"] == found["solution"]


MIRRORS = {
    "half-turn": lambda r, c: (8 - r, 8 - c),
    "quarter-turn": lambda r, c: (c, 8 - r),
    "horizontal": lambda r, c: (8 - r, c),
    "vertical": lambda r, c: (r, 8 - c),
    "diagonal": lambda r, c: (c, r),
    "antidiagonal": lambda r, c: (8 - c, 8 - r),
}


@pytest.mark.parametrize("symmetry", list(MIRRORS))
def test_symmetric_patterns(symmetry: str) -> None:
    found = ask("puzzle", symmetry=symmetry, seed=2)
    given = [c != "." for c in found["puzzle"]]
    for r, c in itertools.product(range(9), repeat=2):
        q, d = MIRRORS[symmetry](r, c)
        assert given[9 * r + c] == given[9 * q + d]
    assert ask("solve", found["puzzle"])["solutions"] == "1"


def test_puzzles_of_other_shapes() -> None:
    for box in ((2, 2), (2, 3), (3, 4)):
        found = ask("puzzle", box=box, seed=1)
        assert found["minimal"] is True
        assert ask("solve", found["puzzle"], box=box)["solution"] == found["solution"]


@pytest.mark.parametrize("changed", [0, 1, 3])
def test_nearest_finds_the_disguise_behind_a_few_changed_givens(changed: int) -> None:
    rng = random.Random(changed)
    puzzle, clues = random_boards.minimal(random_boards.grids(1, rng), 1, rng)
    other = bytearray(scrambled(puzzle, rng))
    gone = rng.sample([i for i in range(81) if other[i]], changed)
    for i in gone:
        other[i] = 0
    found = ask("nearest", write_cells(puzzle), write_cells(bytes(other)))
    assert found["exact"] is True
    assert found["agree"] == found["of"] == clues[0] - changed
    moved = apply(msgspec.convert(found["witness"], Transform), puzzle)
    agree = sum(1 for x, y in zip(moved, other, strict=True) if x and x == y)
    assert agree == found["agree"]
    assert found["differs"] == sorted(i for i in range(81) if moved[i] != other[i])


def test_nearest_of_a_few_givens_is_the_best_of_all_transforms() -> None:
    rng = random.Random(12)
    for _ in range(4):
        texts = []
        for _ in range(2):
            cells = ["."] * 81
            for at in rng.sample(range(81), 4):
                cells[at] = rng.choice("123")
            texts.append("".join(cells))
        if any(conflict(read_cells(t, NINE), NINE) for t in texts):
            continue
        a, b = board(texts[0]), board(texts[1])
        orders, best = line_orders(), 0
        for source in (a, a.T):
            for rows in orders:
                moved = source[rows][:, orders].transpose(1, 0, 2)
                for digits in itertools.permutations((1, 2, 3)):
                    label = np.array([0, *digits], np.uint8)
                    agree = ((label[moved] == b) & (b > 0)).sum((1, 2))
                    best = max(best, int(agree.max()))
        found = ask("nearest", *texts)
        assert (found["agree"], found["exact"]) == (best, True)
