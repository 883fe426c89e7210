"""Explanations of forced cells: every step follows, and the number of counts is minimal."""

from collections import Counter
from itertools import islice
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.bench import (
    FORCED,
    FORCED_LARGE,
    ROWS,
    forced,
    large,
    position_of,
    states,
)
from cluewise.desks.mines.cell_names import cells_text
from cluewise.desks.mines.engine.board import UNKNOWN, state_of_clues
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.engine.techniques import (
    Count,
    parity,
    rounded_certificate,
    total_of,
    unit_propagation_conflicts,
)
from cluewise.desks.mines.position import Group, Position, Rectangle, clue_names, graph
from cluewise.desks.mines.results import Explained, ExplainOptions, SolveOptions
from cluewise.desks.mines.verbs.explain import explain, reasoning
from cluewise.desks.mines.verbs.solve import solve
from reference.mines_boards import layouts, lock_named, lock_of, locks, random_position
from reference.mines_steps import Layouts, fewest, mislabelled, random_board, unproved

CASES = vectors("mines_cases")


def check_explanations(position: Position) -> int:
    """Check the explanation of every cell by enumeration; return the number of forced cells."""
    layouts = Layouts(position)
    truth = layouts.holding(layouts.clue(name) for name in layouts.names())
    if not len(truth):
        return 0
    opened = {r.cell for r in position.revealed} | set(position.flags)
    explained_cells = 0
    for cell in range(graph(position).cells):
        if cell in opened:
            continue
        found = finish(explain(position, ExplainOptions(cell)))
        values = {int(x) >> layouts.bit[cell] & 1 for x in truth}
        verdict = "open" if len(values) == 2 else "mine" if values == {1} else "safe"
        assert found.verdict == verdict
        if verdict == "open":
            continue
        explained_cells += 1
        assert unproved(layouts, found) == []
        last = found.steps[-1].gives
        assert cell in last.cells
        assert (last.min, last.max) == ((len(last.cells),) * 2 if verdict == "mine" else (0, 0))
        named = {s for step in found.steps for s in step.from_ if isinstance(s, str)}
        assert named == set(found.clues)
        if found.steps[-1].stage == "contradiction":  # needs every clue it lists
            for name in found.clues:
                fewer = layouts.holding(layouts.clue(n) for n in found.clues if n != name)
                assert len({int(x) >> layouts.bit[cell] & 1 for x in fewer}) == 2
    return explained_cells


@pytest.mark.parametrize("case", CASES["explain"]["cases"], ids=lambda c: c["what"])
def test_cells_decided_only_by_the_capped_closure_are_explained(
    case: dict[str, object],
) -> None:
    position = msgspec.convert(case["position"], Position)
    found = finish(explain(position, ExplainOptions(int(str(case["cell"])))))
    assert found.verdict != "open"
    assert found.steps


@pytest.mark.parametrize("block", range(6))
def test_every_forced_cell_of_random_boards_has_a_valid_explanation(
    block: int,
) -> None:
    seeds = range(block * 14, block * 14 + 14)
    boards = [one for seed in seeds for one in (random_board(seed), random_position(seed, 12))]
    assert sum(map(check_explanations, boards)) > 20


@pytest.mark.long
@pytest.mark.parametrize("block", range(30))
def test_every_forced_cell_of_3000_random_boards_has_a_valid_explanation(block: int) -> None:
    for seed in range(1000 + block * 100, 1100 + block * 100):
        check_explanations(random_board(seed))


@pytest.mark.parametrize(("sets", "cell", "verdict", "text"), CASES["SIDES"])
def test_sum_of_disjoint_sets_is_described_as_two_sides(
    sets: list[tuple[tuple[int, ...], int]], cell: int, verdict: str, text: str
) -> None:
    groups = tuple(Group(tuple(cells), count) for cells, count in sets)
    position = Position(neighbours=((),) * 8, groups=groups)
    assert layouts(position)
    answer = finish(explain(position, ExplainOptions(cell)))
    assert (answer.verdict, answer.steps[-1].text) == (verdict, text)
    assert answer.technique == "sum"
    assert text.endswith(f"{answer.steps[-1].says}.")


@pytest.mark.sampled(of="mines, every layout")
def test_every_step_also_has_its_conclusion_alone() -> None:
    for seed in range(40):
        position = random_board(seed)
        cells = graph(position).cells
        known = {r.cell for r in position.revealed}
        for cell in range(cells):
            if cell not in known:
                for step in finish(explain(position, ExplainOptions(cell))).steps:
                    assert step.says
                    if step.technique in ("one", "subset", "cross", "bounds"):
                        assert step.text.endswith(f": {step.says}.")


def test_long_lists_of_cells_are_written_as_runs() -> None:
    square = Position(board=Rectangle("square", 6, 6))
    assert cells_text(square, range(9)) == "the 9 cells A1–F1 and A2–C2"
    assert cells_text(square, [0, 6, 12, 18, 24, 30, 1, 7, 13]) == "the 9 cells A1–A6 and B1–B3"
    chequered = [c for c in range(36) if (c + c // 6) % 2]
    assert cells_text(square, chequered) == "18 cells"
    columns = "the 18 cells A1–A6, C1–C6 and E1–E6"
    assert cells_text(square, range(0, 36, 2)) == columns
    plain = Position(neighbours=((),) * 12)
    assert cells_text(plain, [0, 1, 2, 4, 5, 6, 7, 8, 11]) == "the 9 cells 0–2, 4–8 and 11"


def counts(answer: Explained) -> int:
    return sum(not name.startswith("flag:") for name in answer.clues)


def check_minimal_explanations(position: Position) -> Counter[str | None]:
    """Check that every explanation has the fewest counts; return the uses of each technique."""
    layouts = Layouts(position)
    known = {r.cell for r in position.revealed} | set(position.flags)
    used: Counter[str | None] = Counter()
    for cell in range(graph(position).cells):
        if cell in known:
            continue
        answer = finish(explain(position, ExplainOptions(cell)))
        if answer.verdict == "open":
            continue
        assert answer.smallest is True
        assert counts(answer) == fewest(layouts, cell, int(answer.verdict == "mine"))
        assert unproved(layouts, answer) == []
        assert mislabelled(layouts, answer) == []
        assert answer.technique == "chain" or answer.technique in {
            s.technique for s in answer.steps
        }
        used[answer.technique] += 1
    return used


@pytest.mark.sampled
@pytest.mark.parametrize("block", range(10))
def test_number_of_counts_is_minimal_by_exhaustive_search(block: int) -> None:
    used: Counter[str | None] = Counter()
    for seed in range(block * 30 + 1, block * 30 + 31):
        position = random_position(seed, 15)
        if layouts(position):
            used += check_minimal_explanations(position)
    for seed in range(500 + block * 5, 505 + block * 5):
        used += check_minimal_explanations(random_board(seed))
    assert sum(used.values()) > 20
    assert {"one", "subset", "cross"} <= set(used)


def test_published_cell_that_needed_a_supposition_is_explained_by_one_sum() -> None:
    """Ninth wave: three numbers hold all mines of three rows, so the rest of the rows is safe."""
    puzzle = puzzle_of(lock_of(lock_named("12x12-with-score-72.13")))
    cells, _ = next(islice(states(puzzle), 8, None))
    position = position_of(puzzle.board, cells)
    answer = finish(explain(position, ExplainOptions(80)))
    assert (answer.verdict, answer.technique, counts(answer)) == ("safe", "sum", 6)
    (step,) = answer.steps
    assert sorted(w for w in step.weights or () if w) == [-1, -1, -1, 1, 1, 1]
    assert step.text == (
        "Row 7, row 8 and row 9, without their flags, hold together 6 mines. The 2 at cell 90, the "
        "2 at cell 94 and the 6 at cell 99, without their flags, lie inside and hold together the "
        "same 6, so the rest is safe: no mine in cells 80, 84 and 104."
    )


def explain_lock(lock: dict[str, Any]) -> tuple[Counter[str | None], Counter[int]]:
    """Explain every forced cell of a lock; return uses of techniques and numbers of counts."""
    puzzle = puzzle_of(lock_of(lock))
    used: Counter[str | None] = Counter()
    sizes: Counter[int] = Counter()
    for cells, found in states(puzzle):
        position = position_of(puzzle.board, cells)
        board, names = graph(position), clue_names(position)
        for cell, mark in enumerate(cells):
            mass = found.mass(cell)
            if mark != UNKNOWN or mass not in (0, found.solutions):
                continue
            with reasoning(position, names) as reasons:
                answer = finish(reasons.of(cell, int(mass > 0)))
            assert answer.smallest is True
            with open_search(board, *state_of_clues(position, answer.clues)) as search:
                assert not finish(search.exists(cell, int(mass == 0)))
            used[answer.technique] += 1
            sizes[counts(answer)] += 1
    return used, sizes


def test_explanation_of_the_hardest_published_cell_is_proved_smallest() -> None:
    """With 10 000 branches the search stopped at 19 counts; 14 is the minimum."""
    puzzle = puzzle_of(lock_of(lock_named("10x10-with-score-48.63")))
    cells, _ = next(islice(states(puzzle), 5, None))
    answer = finish(explain(position_of(puzzle.board, cells), ExplainOptions(3)))
    assert (counts(answer), answer.smallest) == (14, True)


@pytest.mark.long
def test_numbers_of_counts_of_twenty_published_locks_are_the_proven_minima() -> None:
    """1404 cells; the numbers of cells with 1, 2, … 14 counts are from another program."""
    used: Counter[str | None] = Counter()
    sizes: Counter[int] = Counter()
    for lock in locks():
        if lock["twenty"]:
            kinds, counted = explain_lock(lock)
            used += kinds
            sizes += counted
    known = [328, 190, 281, 198, 162, 92, 56, 33, 31, 16, 8, 5, 1, 3]
    assert [sizes[i + 1] for i in range(len(known))] == known
    assert sum(sizes.values()) == sum(known) == 1404
    assert used["one"] == 328
    assert used["suppose"] + used["deeper"] == 0


def test_cell_without_a_sum_is_decided_by_parity() -> None:
    """a+b=1, b+c=1, a+c+d=2: the sum of all is 2a+2b+2c+d = 4."""
    groups = (Group((0, 1), 1), Group((1, 2), 1), Group((0, 2, 3), 2))
    position = Position(neighbours=((),) * 4, groups=groups)
    answer = finish(explain(position, ExplainOptions(3)))
    assert (answer.verdict, answer.technique) == ("safe", "parity")
    assert answer.steps[-1].text == (
        "Add up group 1, group 2 and group 3: every open cell but cell 3 is counted an even number "
        "of times, and the sum less its flags is even, so cell 3 is safe."
    )


def test_techniques_reject_cells_they_do_not_prove() -> None:
    two = {"a": Count(0b011, 1), "b": Count(0b110, 1)}
    assert rounded_certificate(two, {"a": 1.0, "b": -1.0}, 0, 1) is None
    assert total_of(two, {"a": 1, "b": -1}).per_cell == {0: 1, 2: -1}
    assert parity(two, 0) is None
    assert unit_propagation_conflicts(list(two.values()), 0, 1) is False
    assert unit_propagation_conflicts([Count(0b01, 0)], 0, 1) is True
    thirds = {"a": Count(0b111, 1), "b": Count(0b001, 1)}
    found = rounded_certificate(thirds, {"a": 0.333333, "b": -0.333333}, 1, 1)
    assert found is not None
    assert found.plain


def test_benchmark_row_has_one_run_per_forced_cell() -> None:
    runs = {row.name: row.runs for row in ROWS if row.runs}
    assert len(forced()) == FORCED == runs["mines.least.p99"] == runs["mines.least.worst"]
    found = finish(solve(large()[0], SolveOptions()))
    assert len(found.safe) + len(found.mines) == FORCED_LARGE == runs["mines.explain.961.worst"]
