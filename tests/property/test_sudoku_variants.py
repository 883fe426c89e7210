"""The symmetries of variants, held against brute force on 4×4 and 6×6 boards and known orders."""

import random
from functools import cache
from itertools import combinations, permutations
from typing import Any

import msgspec
import pytest

from asking import ask, vectors
from cluewise.core.work import finish
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine import variant_minlex
from cluewise.desks.sudoku.engine.structures import Structure, chain, find
from cluewise.desks.sudoku.engine.variant_minlex import least_form
from cluewise.desks.sudoku.engine.variant_solver import implied_houses
from cluewise.desks.sudoku.engine.variants import (
    Board,
    cell_maps,
    renaming,
    structure,
    symmetry_group,
    witness,
)
from cluewise.desks.sudoku.position import Cells, Shape, write_cells
from cluewise.desks.sudoku.transform import apply, sources
from reference import sudoku_variants as twin

FOUR, SIX, NINE = Shape(2, 2), Shape(2, 3), Shape(3, 3)
X4 = ((0, 5, 10, 15), (3, 6, 9, 12))
X6 = (tuple(range(0, 36, 7)), tuple(range(5, 31, 5)))
GROUPS4 = tuple(
    tuple(r * 4 + c for r in (i, i + 2) for c in (j, j + 2)) for i in (0, 1) for j in (0, 1)
)
WINDOW4 = (5, 6, 9, 10)
CAGE = (0, 1, 4)
KNIGHT, KING = (1, 2), (1, 1)


def blank(shape: Shape, *rules: Constraint) -> Board:
    return Board(bytes(shape.cells), rules)


def renumbered(s: Structure, images: tuple[int, ...]) -> Structure:
    """A structure with point p called images[p]."""
    back = sorted(range(len(images)), key=images.__getitem__)
    links = [{images[q]: colour for q, colour in s.links[p].items()} for p in back]
    return Structure([s.colours[p] for p in back], links)


@pytest.mark.parametrize("seed", range(150))
def test_groups_and_maps_of_small_structures_equal_those_of_all_permutations(seed: int) -> None:
    rng = random.Random(seed)
    points, density = rng.randint(1, 6), rng.random()
    some = [
        Structure([rng.choice((1, 1, 2)) for _ in range(points)], [{} for _ in range(points)])
        for _ in range(2)
    ]
    for one in some:
        for p, q in combinations(range(points), 2):
            if rng.random() < density:
                colour = rng.choice((1, 1, 3))  # 3 is directed: its reverse is 4
                one.links[p][q], one.links[q][p] = colour, colour + colour // 3
    a, b = some
    every = list(permutations(range(points)))
    assert chain(a, points).order == sum(renumbered(a, way) == a for way in every)
    assert (find(a, b) is None) == all(renumbered(a, way) != b for way in every)
    c = renumbered(a, rng.choice(every))
    images = find(a, c)
    assert images is not None
    assert renumbered(a, tuple(images)) == c


@cache
def closed(extra: tuple[tuple[int, ...], ...]) -> twin.Pairs:
    """Differing pairs of a 4×4 board with these houses and all that they imply."""
    names = [(i // 4, i % 4, i // 8 * 2 + i % 4 // 2) for i in range(16)]
    plain = [[i for i in range(16) if names[i][n] == k] for k in range(4) for n in range(3)]
    return twin.differing(2, 2, twin.houses_in_span([*plain, *extra], 4))


@pytest.mark.parametrize(
    ("shape", "rules", "pairs"),
    [
        (FOUR, [], twin.differing(2, 2)),
        (FOUR, ["diagonals"], closed(X4)),
        (FOUR, ["diagonal"], closed(X4[:1])),
        (FOUR, ["disjoint"], closed(GROUPS4)),
        (FOUR, ["antiknight"], twin.differing(2, 2, apart=(KNIGHT,))),
        (FOUR, ["antiking"], twin.differing(2, 2, apart=(KING,))),
        (FOUR, [Constraint("house", CAGE)], twin.differing(2, 2, (CAGE,))),
        (FOUR, [Constraint("killer", (0, 5, 10))], twin.differing(2, 2, ((0, 5, 10),))),
        (FOUR, ["windows"], closed((WINDOW4,))),
        (SIX, ["diagonals"], twin.differing(2, 3, X6)),
        (SIX, ["antiknight"], twin.differing(2, 3, apart=(KNIGHT,))),
        (SIX, ["antiking"], twin.differing(2, 3, apart=(KING,))),
        (SIX, [Constraint("house", (0, 7, 14))], twin.differing(2, 3, ((0, 7, 14),))),
    ],
)
def test_the_group_of_a_variant_has_every_cell_map_that_brute_force_finds(
    shape: Shape, rules: list[Any], pairs: twin.Pairs
) -> None:
    constraints = [one if isinstance(one, Constraint) else Constraint(one) for one in rules]
    expected = sum(1 for _ in twin.cell_maps(pairs, shape.cells))
    assert cell_maps(blank(shape, *constraints), shape) == expected


@pytest.mark.parametrize(
    ("kinds", "order"),
    [((), 3_359_232), (("diagonal",), 2592), (("antidiagonal",), 2592), (("diagonals",), 96),
     (("antiknight",), 8), (("disjoint",), 10_368)],
)  # fmt: skip
def test_nine_by_nine_variants_have_the_orders_that_two_other_programs_counted(
    kinds: tuple[Any, ...], order: int
) -> None:
    found = cell_maps(blank(NINE, *(Constraint(kind) for kind in kinds)), NINE)
    assert found == order


IMPLIED: list[Any] = vectors("sudoku_variants")["implied"]["boards"]


@pytest.mark.parametrize("case", IMPLIED, ids=[one["name"] for one in IMPLIED])
def test_implied_houses_and_the_group_are_those_of_an_independent_program(case: Any) -> None:
    shape = Shape(*case["box"])
    rules = msgspec.convert(case["constraints"], list[Constraint])
    found = finish(implied_houses(rules, shape))
    assert [list(cells) for cells in found] == case["implied"]
    assert cell_maps(blank(shape, *rules), shape) == case["count"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", vectors("sudoku_variants")["nauty"]["boards"])
def test_group_orders_of_rule_sets_and_boards_are_those_that_nauty_counted(case: Any) -> None:
    position = {"box": case["box"], "constraints": case["constraints"]}
    found = ask("sudoku", "automorphisms", position, of="constraints", limit=0)
    assert found["count"] == case["count"]
    found = ask("sudoku", "automorphisms", {**position, "grids": [case["grid"]]}, limit=0)
    assert found["count"] == case["grid_count"]


@pytest.mark.parametrize("extra", [(), (("diagonal", ()),), (("house", (0, 5, 10, 15)),)])
def test_implied_houses_are_houses_of_every_solution(extra: Any) -> None:
    rules = (Constraint("windows"), *(Constraint(kind, cells) for kind, cells in extra))
    grids, found = all_solutions(rules), finish(implied_houses(rules, FOUR))
    assert grids
    assert len(found) >= 3
    for cells in found:
        assert all(len({grid[cell] for cell in cells}) == 4 for grid in grids)


def test_disjoint_groups_have_symmetries_that_no_plain_sudoku_has() -> None:
    board = blank(NINE, Constraint("disjoint"))
    exchanged = [3 * (r % 3) + r // 3 for r in range(9)]
    cells = [exchanged[i // 9] * 9 + exchanged[i % 9] for i in range(81)]
    points = {frozenset(links) for links in structure(board, NINE, "any").links}
    assert {frozenset(cells[q] for q in links) for links in points} == points
    assert symmetry_group(board, NINE, "any").order == 10_368


@pytest.mark.parametrize("box", [range(9), [8, 7, 6, 5, 4, 3, 2, 1, 0]])
def test_regions_equal_to_the_boxes_change_nothing(box: Any) -> None:
    names = [box[i // 27 * 3 + i % 9 // 3] for i in range(81)]
    found = cell_maps(blank(NINE, Constraint("regions", tuple(names))), NINE)
    assert found == 3_359_232


RULES4 = msgspec.convert(vectors("sudoku_variants")["RULES"], list[tuple[Constraint, ...]])


def all_solutions(rules: tuple[Constraint, ...]) -> list[Cells]:
    pairs = twin.differing(2, 2)
    if any(one.kind == "regions" for one in rules):
        pairs = frozenset(
            frozenset((a, b))
            for a, b in combinations(range(16), 2)
            if a // 4 == b // 4 or a % 4 == b % 4 or rules[0].cells[a] == rules[0].cells[b]
        )
    return [g for g in twin.grids(pairs, 4) if twin.holds(g, rules, 2, 2)]


@pytest.mark.parametrize("rules", RULES4, ids=lambda r: "+".join(one.kind for one in r))
def test_same_and_least_form_agree_and_every_witness_keeps_the_constraints(
    rules: tuple[Constraint, ...],
) -> None:
    solutions = all_solutions(rules)
    some = random.Random(1).sample(solutions, min(len(solutions), 14))
    symbols = renaming(FOUR, blank(FOUR, *rules))
    forms = {g: finish(least_form(Board(g, rules), FOUR, "straight")) for g in some}
    for a in some:
        assert apply(forms[a].transform, a) == forms[a].cells
        assert forms[a].ties == symmetry_group(Board(a, rules), FOUR, symbols).order
        for b in some:
            t = witness(Board(a, rules), Board(b, rules), FOUR, symbols)
            assert (t is not None) == (forms[a].cells == forms[b].cells)
            if t:
                assert apply(t, a) == b
                assert all(twin.holds(apply(t, g), rules, 2, 2) for g in solutions)


@pytest.mark.parametrize("many", [0, 600])
def test_least_forms_of_an_x_sudoku_are_those_of_trying_all_its_maps(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variant_minlex, "_MANY", many)
    rules = (Constraint("diagonals"),)
    maps = list(twin.cell_maps(closed(X4), 16))
    rng = random.Random(2)
    for g in all_solutions(rules):
        puzzle = bytes(d if rng.random() < 0.5 else 0 for d in g)
        found = finish(least_form(Board(puzzle, rules), FOUR, "straight"))
        assert (found.cells, found.ties) == twin.least(puzzle, maps)


@pytest.mark.parametrize("many", [0, 600])
def test_pattern_first_takes_the_least_pattern_and_then_the_least_symbols(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variant_minlex, "_MANY", many)
    rules = (Constraint("diagonals"),)
    maps = list(twin.cell_maps(closed(X4), 16))
    rng = random.Random(3)
    for g in all_solutions(rules)[:30]:
        puzzle = bytes(d if rng.random() < 0.5 else 0 for d in g)
        marks = [bytes(puzzle[i] > 0 for i in way) for way in maps]
        ways = [way for way, mark in zip(maps, marks, strict=True) if mark == min(marks)]
        found = finish(least_form(Board(puzzle, rules), FOUR, "pattern-first"))
        assert found.cells == twin.least(puzzle, ways)[0]


def test_even_cells_let_symbols_be_renamed_within_their_parity_only() -> None:
    rules = (Constraint("even", (0,)),)
    maps = [m for m in twin.cell_maps(twin.differing(2, 2), 16) if m[0] == 0]
    keep = [n for n in twin.all_names(4) if all((n[d] - d) % 2 == 0 for d in range(5))]
    for g in all_solutions(rules)[:20]:
        found = finish(least_form(Board(g, rules), FOUR, "straight"))
        assert found.cells == twin.least_over_names(g, maps, keep)


def test_a_thermometer_may_turn_round_with_its_symbols() -> None:
    rules = (Constraint("thermometer", (0, 1)),)
    a = bytes((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    mirrored = bytes(5 - a[i // 4 * 4 + (1, 0, 2, 3)[i % 4]] for i in range(16))
    found = witness(Board(a, rules), Board(mirrored, rules), FOUR, "sizes")
    assert found is not None
    assert found.digits == (0, 4, 3, 2, 1)
    four = 4  # maps that keep it as it is; as many turn it round
    assert cell_maps(blank(FOUR, *rules), FOUR) == 2 * four


def test_cages_in_different_places_are_carried_from_one_board_to_the_other() -> None:
    a = Board(bytes(16), (Constraint("killer", (0, 1), 5),))
    b = Board(bytes(16), (Constraint("killer", (14, 10), 5),))
    other = Board(bytes(16), (Constraint("killer", (14, 10), 6),))
    found = witness(a, b, FOUR, "sizes")
    assert found is not None
    assert {sources(found)[14], sources(found)[10]} == {0, 1}
    assert witness(a, other, FOUR, "sizes") is None


def test_symbols_that_do_not_occur_are_not_counted_among_the_symmetries() -> None:
    rules = (Constraint("even", (0,)),)
    board = bytes((*bytes(79), 0, 1))
    ties = finish(least_form(Board(board, rules), NINE, "straight")).ties
    assert symmetry_group(Board(board, rules), NINE, "parity").order == ties == 1152


def test_a_carried_form_is_the_least_puzzle_among_the_maps_to_the_least_solution() -> None:
    maps = list(twin.cell_maps(closed(X4), 16))
    rng = random.Random(4)
    for g in all_solutions((Constraint("diagonals"),))[::5]:
        kept = rng.sample(range(16), 8)
        puzzle = bytes(d if i in kept else 0 for i, d in enumerate(g))
        found = ask("sudoku", "canon", {"box": [2, 2], "grids": [write_cells(puzzle)],
                                        "constraints": [{"kind": "diagonals"}]})  # fmt: skip
        if found["solution"] is None:
            assert found["no_carried"] == "It has several solutions, so it has no carried form."
            continue
        assert found["solution"] == write_cells(g)
        assert found["solution_carried"] == write_cells(twin.carried(puzzle, g, maps))
