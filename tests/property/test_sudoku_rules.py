"""Every kind of constraint: solved, checked and written like a slow twin."""

import random
from typing import Any, get_args

import msgspec
import pytest

from asking import ask
from cluewise.core.work import finish
from cluewise.desks.sudoku.constraints import KINDS, Constraint, Kind, check
from cluewise.desks.sudoku.engine.normal_form import normal_form_of
from cluewise.desks.sudoku.engine.variant_solver import solve_variant
from cluewise.desks.sudoku.formats.constraints import (
    read_fpuzzles_constraints,
    write_fpuzzles_constraints,
)
from cluewise.desks.sudoku.formats.links import write_link
from cluewise.desks.sudoku.position import Cells, Shape, read_cells, write_cells
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadPosition
from reference import sudoku_variants as twin

FOUR = Shape(2, 2)
GRIDS = list(twin.grids(twin.differing(2, 2), 4))
MOVED = (0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 2, 3, 2, 3, 3, 3)
NAMED = [kind for kind in get_args(Kind) if kind != "other"]


def random_rule(kind: str, rng: random.Random) -> Constraint:
    """A constraint of the kind that some 4×4 grid obeys more often than not."""
    facts, grid = KINDS[kind], rng.choice(GRIDS)
    if kind == "regions":
        return Constraint("regions", MOVED)
    if not facts.fewest:
        return Constraint(kind, of=rng.choice(("ratio", "xv")) if facts.needs == "of" else "")  # type: ignore[arg-type]
    if kind in ("sandwich", "xsum", "skyscraper"):
        at = rng.randrange(4)
        line = list(rng.choice((range(4 * at, 4 * at + 4), range(at, 16, 4))))
        cells = line[:: rng.choice((1, -1))]
        number = {"value" if facts.needs == "value" else "sum": rng.randrange(1, 7)}
        return Constraint(kind, tuple(cells), **number)  # type: ignore[arg-type]
    most = {"pair": 2, "size": 4, "board": 5}[facts.most]
    cells = rng.sample(range(16), rng.randint(min(facts.fewest, most), most))
    if kind == "clone":
        cells = cells[: len(cells) // 2 * 2]
    if kind in ("ratio", "difference", "xv"):
        cells = sorted(rng.choice([(i, i + 1) for i in range(16) if i % 4 < 3]))
    symbols = [grid[i] for i in cells]
    more: dict[str, Any] = {}
    if kind in ("killer", "little"):
        more["sum"] = rng.choice((None, sum(symbols)))
    if kind == "xv":
        more["value"] = rng.choice((5, 10))
    if kind == "whispers":
        more["value"] = rng.choice((None, 1))
    if kind in ("quadruple", "candidates"):
        more["values"] = tuple(sorted(rng.sample(symbols, rng.randint(1, len(symbols)))))
    if kind == "arrow" and len(cells) > 3:
        more["head"] = rng.choice((1, 2))
    return Constraint(kind, tuple(cells), **more)  # type: ignore[arg-type]


def solutions(rules: list[Constraint]) -> list[Cells]:
    boards = GRIDS
    if any(one.kind == "regions" for one in rules):
        differing = frozenset(
            pair for pair in twin.differing(1, 4) | {frozenset((a, b)) for a in range(16)
                                                     for b in range(a) if MOVED[a] == MOVED[b]}
        )  # fmt: skip
        boards = list(twin.grids(differing, 4))
    return [grid for grid in boards if twin.holds(grid, rules, 2, 2)]


@pytest.mark.parametrize("kind", NAMED)
def test_a_kind_is_solved_and_checked_as_its_plain_test_says(kind: str) -> None:
    rng = random.Random(kind)
    for more in (0, 0, 0, 1, 1, 2, 2, 3):
        others = [rng.choice([k for k in NAMED if k not in ("regions", kind)]) for _ in range(more)]
        others += ["regions"] * (kind == "regionsum")
        rules = [random_rule(one, rng) for one in (kind, *others)]
        check(rules, 2, 2)
        expected = solutions(rules)
        found = finish(solve_variant(bytes(16), rules, FOUR, limit=400))
        assert found.number == len(expected), rules
        assert sorted(found.found) == sorted(expected)
        for grid in (*rng.sample(GRIDS, 20), *expected[:20]):
            assert (violation(grid, rules, FOUR) == "") == (grid in expected), rules


@pytest.mark.parametrize("kind", NAMED)
def test_a_puzzle_with_constraints_is_minimal_and_has_one_solution(kind: str) -> None:
    rng = random.Random(kind)
    for seed in range(3):
        rules = [random_rule(one, rng) for one in (kind, rng.choice(NAMED[2:]))]
        every = solutions(rules)
        position = {"box": [2, 2], "constraints": msgspec.to_builtins(rules)}
        if not every:
            with pytest.raises(BadPosition, match="No grid obeys these constraints"):
                ask("sudoku", "puzzle", position, seed=seed)
            continue
        assert read_cells(ask("sudoku", "generate", position, seed=seed)["grid"], FOUR) in every
        found = ask("sudoku", "puzzle", position, seed=seed)
        puzzle, grid = (read_cells(found[name], FOUR) for name in ("puzzle", "solution"))
        assert (fitting(puzzle, every), found["minimal"]) == ([grid], True)
        for at in [i for i, d in enumerate(puzzle) if d]:
            assert len(fitting(puzzle[:at] + bytes(1) + puzzle[at + 1 :], every)) > 1


def fitting(puzzle: Cells, grids: list[Cells]) -> list[Cells]:
    return [g for g in grids if all(d in (0, x) for d, x in zip(puzzle, g, strict=True))]


@pytest.mark.parametrize("kind", NAMED)
def test_equal_meanings_have_equal_solutions_and_a_change_of_meaning_shows(kind: str) -> None:
    rng = random.Random(kind)
    by_meaning: dict[str, list[Cells]] = {}
    for _ in range(12):
        rules = (random_rule(kind, rng),)
        found = normal_form_of(rules, FOUR)
        key = repr((sorted(found.relations.items()), sorted(found.groups, key=repr)))
        assert by_meaning.setdefault(key, solutions(list(rules))) == solutions(list(rules))


@pytest.mark.parametrize("kind", [k for k in NAMED if k != "candidates"])
def test_what_is_written_for_f_puzzles_is_read_again(kind: str) -> None:
    rng = random.Random(kind)
    for _ in range(6):
        rule = random_rule(kind, rng)
        written, regions = write_fpuzzles_constraints([rule], 4)
        grid = [[{"region": r} for r in regions[i : i + 4]] for i in range(0, len(regions), 4)]
        read = read_fpuzzles_constraints({"grid": grid, **written}, 4)
        if kind == "little" and rule.sum is None:
            assert read == []  # has no meaning
        elif kind == "diagonals":
            assert read == [rule]
        else:
            assert normal_form_of(tuple(read), FOUR) == normal_form_of((rule,), FOUR), (rule, read)


@pytest.mark.parametrize("site", ["f-puzzles", "SudokuPad"])
def test_a_pasted_link_is_read_and_solved_with_all_its_rules(site: str) -> None:
    rng = random.Random(site)
    counts = set()
    for _ in range(40):
        kinds = rng.sample([k for k in NAMED if k not in ("windows", "candidates")], 3)
        rules = [random_rule(kind, rng) for kind in kinds]
        pasted = ask("sudoku", "paste", text=write_link("." * 16, 4, site, rules))
        read = pasted.get("constraints", [[]])[0]
        assert not any(one["kind"] == "other" for one in read)
        position = {"box": [2, 2], "grids": pasted["grids"], "constraints": read}
        found = ask("sudoku", "solve", position)
        expected = [write_cells(grid) for grid in solutions(rules)]
        counts.add(found["solutions"])
        assert found["solutions"] == {0: "0", 1: "1"}.get(len(expected), ">=2"), rules
        assert set(found["found"]) <= set(expected)
        assert "not_compared" not in found
        limit = max(3, len(expected) - 1)
        listed = ask("sudoku", "solve", position, limit=limit)
        assert (len(listed["found"]), listed["complete"]) == (
            min(limit, len(expected)), len(expected) < limit,
        )  # fmt: skip
        assert set(listed["found"]) <= set(expected)
    assert counts == {"0", "1", ">=2"}
