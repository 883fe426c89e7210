"""Boards that nearly are one: the kernel against trying everything, planted edits found again."""

import os
import random
from collections.abc import Iterable

import pytest

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import minlex, near_duplicates, random_boards
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.position import NINE, Cells, conflict, read_cells, write_cells
from cluewise.desks.sudoku.transform import apply
from reference import sudoku_near as slow
from reference.sudoku_boards import scrambled as disguised

BOARDS = int(os.environ.get("CLUEWISE_BOARDS", "100000"))  # of the long test


def edited(cells: Cells, rng: random.Random, count: int) -> Cells:
    """The board with `count` cells given, taken away or given another symbol, still legal."""
    for _ in range(1000):
        board = bytearray(cells)
        for at in rng.sample(range(81), count):
            now = board[at]
            if now == 0 and rng.random() < 0.7:
                continue
            board[at] = rng.choice([d for d in range(10) if d != now])
        changed = sum(x != y for x, y in zip(board, cells, strict=True))
        if changed == count and not conflict(bytes(board), NINE):
            return bytes(board)
    raise AssertionError("no such edit was found")


def puzzles(count: int, seed: int) -> list[Cells]:
    """Random minimal puzzles, and every third with some givens more."""
    rng = random.Random(seed)
    data, _ = random_boards.minimal(random_boards.grids(count, rng), count, rng)
    found, _ = solve_nine(data, count)
    out = minlex.split(data)
    for i in range(0, count, 3):
        solution, board = found[162 * i : 162 * i + 81], bytearray(out[i])
        for at in rng.sample(range(81), rng.randrange(40)):
            board[at] = solution[at]
        out[i] = bytes(board)
    return out


def sparse(count: int, seed: int) -> list[Cells]:
    """Boards of a few givens: many symmetries, empty lines, equal lines."""
    rng, out = random.Random(seed), []
    for _ in range(count):
        board = bytearray(81)
        for at in rng.sample(range(81), rng.randrange(9)):
            board[at] = rng.randint(1, 4)
            if conflict(bytes(board), NINE):
                board[at] = 0
        out.append(bytes(board))
    return out


def planted(boards: list[Cells], seed: int) -> tuple[list[Cells], set[tuple[int, int]]]:
    """Boards, disguised copies of some with one or two edits behind them, and the pairs."""
    rng, out, told = random.Random(seed), list(boards), set[tuple[int, int]]()
    for i in rng.sample(range(len(boards)), max(1, len(boards) // 10)):
        told.add((i, len(out)))
        out.append(disguised(edited(boards[i], rng, rng.randint(1, 2)), rng))
    return out, told


def least(texts: Iterable[str]) -> list[str]:
    cells = [read_cells(text, NINE) for text in texts]
    whole = minlex.puzzle_forms(b"".join(cells), len(cells), "straight")[0]
    return [write_cells(piece) for piece in minlex.split(whole)]


def between(a: Cells, b: Cells) -> near_duplicates.Pair | None:
    found = finish(near_duplicates.near_pairs([a, b], 2))
    assert not found.unsettled
    return found.pairs[0] if found.pairs else None


def test_edits_between_two_boards_are_those_of_trying_every_transform() -> None:
    rng = random.Random(11)
    for k, a in enumerate([*puzzles(30, 1), *sparse(60, 2)]):
        b = disguised(edited(a, rng, k % 4), rng)
        truth = slow.edits(write_cells(a), write_cells(b), 2)
        found = between(a, b)
        assert truth <= k % 4
        assert (found.edits if found else 3) == truth
        if found:
            moved = apply(found.transform, a)
            assert sum(x != y for x, y in zip(moved, b, strict=True)) == truth


@pytest.mark.parametrize("most", [0, 1, 2])
def test_pairs_of_a_list_are_those_of_comparing_all(most: int) -> None:
    boards, told = planted([*puzzles(60, 3), *sparse(12, 4)], 6)
    texts = [write_cells(b) for b in boards]
    found = finish(near_duplicates.near_pairs(boards, most))
    assert not found.unsettled
    assert {p[:3] for p in found.pairs} == slow.near_pairs(texts, most, least)
    if most == 2:
        assert told <= {p[:2] for p in found.pairs}
    for p in found.pairs:
        moved = apply(p.transform, boards[p.first])
        assert sum(x != y for x, y in zip(moved, boards[p.second], strict=True)) == p.edits


@pytest.mark.long
def test_planted_edits_in_a_hundred_thousand_boards_are_all_found_and_none_is_false() -> None:
    boards, told = planted(puzzles(BOARDS * 91 // 100, 21), 22)
    assert len(boards) >= BOARDS
    found = finish(near_duplicates.near_pairs(boards, 2))
    assert not found.unsettled
    assert told <= {p[:2] for p in found.pairs}
    half = BOARDS // 2  # all of them puzzles, none planted
    alike = minlex.puzzle_forms(b"".join(boards[:half]), half, "straight")[0]
    assert len(set(minlex.split(alike))) == half
    assert not [p for p in found.pairs if p.edits == 0 and p[:2] not in told]


FAMILY = (
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    "123456789456789123789123456231564978564897312897231645312645897645978231978312564",
)


@pytest.mark.parametrize("text", FAMILY)
def test_puzzles_of_one_grid_are_compared_over_all_its_automorphisms(text: str) -> None:
    rng = random.Random(text)
    (grid,) = minlex.split(minlex.minlex(read_cells(text, NINE), 1)[0])
    kept = [set(rng.sample(range(81), 30)) for _ in range(12)]
    boards = [bytes(d if i in these else 0 for i, d in enumerate(grid)) for these in kept]
    masks, maps = list(map(near_duplicates.mask_of, boards)), minlex.minlex_map_bytes(grid)[1]
    automorphisms = minlex.minlex_maps(grid)[1]
    assert len(automorphisms) > 1
    for i, board in enumerate(boards):
        images = [apply(t, board) for t in automorphisms]
        for k, (apart, which) in enumerate(near_duplicates.mask_distances(masks[i], masks, maps)):
            counts = [sum((x > 0) != (y > 0) for x, y in zip(image, boards[k], strict=True))
                      for image in images]  # fmt: skip
            assert (apart, counts[which]) == (min(counts), min(counts))
