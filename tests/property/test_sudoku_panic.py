"""The test by position (PANIC) is no proof at 9×9: a family of 12⁶ grids passes it pair by pair."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, product

from cluewise.core.desk import NoOptions
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.position import NINE, Cells, Position, conflict, is_complete, write_cells
from cluewise.desks.sudoku.verbs.compare import compare

LATIN = [
    square
    for square in product(permutations(range(3)), repeat=3)
    if all(len({row[c] for row in square}) == 3 for c in range(3))
]
SORTED = [square for square in LATIN if [row[0] for row in square] == [0, 1, 2]]


def grid(bands: Sequence[tuple[tuple[int, ...], ...]], stacks: Sequence[object]) -> Cells:
    """Row i of box c in band b has minirow set bands[b][i][c]; columns of stacks likewise."""
    cells = bytearray(81)
    for r, c in product(range(9), repeat=2):
        row = bands[r // 3][r % 3][c // 3]
        col = stacks[c // 3][c % 3][r // 3]  # type: ignore[index]
        cells[9 * r + c] = 3 * row + col + 1
    return bytes(cells)


def reduced() -> list[Cells]:
    """The family up to the order of rows in bands and of columns in stacks: 2⁶ grids."""
    return [grid(six[:3], six[3:]) for six in product(SORTED, repeat=6)]


def test_the_family_has_twelve_to_the_sixth_grids_of_three_classes() -> None:
    assert (len(LATIN), len(SORTED)) == (12, 2)
    grids = reduced()
    least, orders = minlex.minlex(b"".join(grids), len(grids))
    assert all(is_complete(g) and not conflict(g, NINE) for g in grids)
    sizes = Counter(minlex.split(least))
    groups = dict(zip(minlex.split(least), orders, strict=True))
    assert sorted((groups[form], size) for form, size in sizes.items()) == [
        (72, 36), (108, 24), (648, 4),
    ]  # fmt: skip


def test_any_grid_of_the_family_is_one_of_these_with_rows_and_columns_in_another_order() -> None:
    rng = random.Random(1)
    known = set(minlex.split(minlex.minlex(b"".join(reduced()), 64)[0]))
    for _ in range(200):
        one = grid(rng.choices(LATIN, k=3), rng.choices(LATIN, k=3))
        assert minlex.minlex(one, 1)[0] in known


def test_all_pairs_pass_the_test_by_position_and_more_than_half_of_them_are_different() -> None:
    passed = differ = 0
    grids = [write_cells(g) for g in reduced()]
    for pair in combinations(grids, 2):
        found = finish(compare(Position(grids=pair), NoOptions()))
        assert found.rows_agree
        passed += found.atoms_agree
        differ += not found.same
    assert (passed, differ) == (2016, 1104)
