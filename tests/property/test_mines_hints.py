"""A hint is the easiest deduction of all, and says it as a person would."""

from __future__ import annotations

import pytest

from cluewise.core.work import finish
from cluewise.desks.mines.bench import position_of, states
from cluewise.desks.mines.cell_names import cells_text
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.engine.pair_deductions import CROSS, SUBSET, cross_pair
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.position import Group, Position, Rectangle, graph
from cluewise.desks.mines.rating import TECHNIQUES
from cluewise.desks.mines.results import ExplainOptions, HintOptions
from cluewise.desks.mines.verbs.explain import explain
from cluewise.desks.mines.verbs.hint import hint
from cluewise.desks.mines.verbs.hint_easiest import effort
from reference.mines_boards import lock_of, published
from reference.mines_brute_force import layouts
from reference.mines_steps import random_board

PAIRS = ("one", "subset", "cross")


def compared(position: Position) -> str | None:
    """The kind of a position's hint, held against the reasons of all its forced cells."""
    values = finish(backbone(graph(position), state(position)))
    if values is None or not any(value >= 0 for value in values):
        return None
    answer = finish(hint(position, HintOptions(4)))
    forced = [cell for cell, value in enumerate(values) if value >= 0]
    every = {cell: effort(finish(explain(position, ExplainOptions(cell)))) for cell in forced}
    assert answer.technique is not None
    assert answer.cells
    if answer.technique in PAIRS:
        assert TECHNIQUES.index(answer.technique) == min(every.values())[0]
    else:
        assert min(every[cell] for cell in answer.cells) == min(every.values())
    for cell in answer.cells:
        assert state(position)[cell] == UNKNOWN
        assert values[cell] == int(answer.verdict == "mine")
    return answer.technique


@pytest.mark.parametrize("block", range(2))
def test_a_hint_is_the_easiest_of_all_deductions(block: int) -> None:
    seen = {compared(random_board(seed)) for seed in range(2000 + 15 * block, 2015 + 15 * block)}
    assert "one" in seen


def test_on_a_published_lock_every_hint_is_the_easiest_of_all_deductions() -> None:
    lock = next(b for b in published() if "6x6-with-score-25.5" in b["name"])
    puzzle = puzzle_of(lock_of(lock))
    seen = [compared(position_of(puzzle.board, cells)) for cells, _ in states(puzzle)]
    assert None not in seen
    assert set(seen) - set(PAIRS)


def test_two_counts_decide_the_parts_that_are_empty_or_full_in_every_layout() -> None:
    """All pairs of counts over five cells, each part against all layouts."""
    for first in range(1, 32):
        for second in range(1, 32):
            for a in range(first.bit_count() + 1):
                for b in range(second.bit_count() + 1):
                    _agree(first, a, second, b)


def _agree(first: int, a: int, second: int, b: int) -> None:
    fits = [
        m for m in range(32) if (m & first).bit_count() == a and (m & second).bit_count() == b
    ]  # fmt: skip
    if not fits or not first & second or first == second:
        return
    found = {one.cells for one in cross_pair((first, a), (second, b))}
    for part in (first & second, first & ~second, second & ~first):
        counts = {(m & part).bit_count() for m in fits}
        assert (part in found) is (part != 0 and counts in ({0}, {part.bit_count()}))
    kinds = {one.kind for one in cross_pair((first, a), (second, b))}
    inside = first & ~second == 0 or second & ~first == 0
    assert kinds <= {SUBSET if inside else CROSS}


SIDES = [
    # Two rows hold 3, two numbers inside hold 3: the rest is safe.
    ([((0, 1, 2, 3), 2), ((4, 5, 6), 1), ((0, 1, 4), 2), ((2, 5), 1)], 3, "safe",
     "Group 1 and group 2 hold together 3 mines. Group 3 and group 4 lie inside and hold together "
     "the same 3, so the rest is safe: no mine in cells 3 and 6."),
    # The same from the other side: two are left for two cells.
    ([((0, 1, 2, 3), 3), ((4, 5, 6), 2), ((0, 1, 4), 2), ((2, 5), 1)], 6, "mine",
     "Group 1 and group 2 hold together 5 mines. Group 3 and group 4 lie inside and hold together "
     "3 of them: 2 are left for the 2 cells besides, so only mines in cells 3 and 6."),
    # One cell of the numbers lies outside: it must be a mine for the sum to come out.
    ([((0, 1, 2, 3), 2), ((4, 5, 6), 1), ((0, 1, 4), 2), ((2, 5, 7), 2)], 3, "safe",
     "Group 3 and group 4 hold together 4 mines, at most 1 of them in the 1 cell outside group 1 "
     "and group 2. Group 1 and group 2 hold together no more than the other 3, so the rest is "
     "safe: no mine in cells 3 and 6."),
    ([((0, 1, 2, 3), 3), ((4, 5, 6), 2), ((0, 1, 4), 2), ((2, 5, 7), 1)], 6, "mine",
     "Group 1 and group 2 hold together 5 mines. Group 3 and group 4 hold together 3, so no more "
     "than 3 of them: 2 are left for the 2 cells besides, so only mines in cells 3 and 6."),
]  # fmt: skip


@pytest.mark.parametrize(("sets", "cell", "verdict", "text"), SIDES)
def test_a_sum_of_sets_without_a_common_cell_is_said_as_one_side_against_the_other(
    sets: list[tuple[tuple[int, ...], int]], cell: int, verdict: str, text: str
) -> None:
    groups = tuple(Group(cells, count) for cells, count in sets)
    position = Position(neighbours=((),) * 8, groups=groups)
    assert layouts(position)
    answer = finish(explain(position, ExplainOptions(cell)))
    assert (answer.verdict, answer.steps[-1].text) == (verdict, text)
    assert answer.technique == "sum"
    assert text.endswith(f"{answer.steps[-1].says}.")


@pytest.mark.sampled(of="mines, every layout")
def test_what_follows_from_a_step_is_said_alone_as_well() -> None:
    for seed in range(40):
        position = random_board(seed)
        cells = graph(position).cells
        known = {r.cell for r in position.revealed}
        for cell in range(cells):
            if cell not in known:
                for step in finish(explain(position, ExplainOptions(cell))).steps:
                    assert step.says
                    if step.technique in ("one", *PAIRS, "bounds"):
                        assert step.text.endswith(f": {step.says}.")


def test_many_cells_are_named_as_runs_along_rows_or_columns() -> None:
    square = Position(board=Rectangle("square", 6, 6))
    assert cells_text(square, range(9)) == "the 9 cells A1–F1 and A2–C2"
    assert cells_text(square, [0, 6, 12, 18, 24, 30, 1, 7, 13]) == "the 9 cells A1–A6 and B1–B3"
    chequered = [c for c in range(36) if (c + c // 6) % 2]
    assert cells_text(square, chequered) == "18 cells"
    columns = "the 18 cells A1–A6, C1–C6 and E1–E6"
    assert cells_text(square, range(0, 36, 2)) == columns
    plain = Position(neighbours=((),) * 12)
    assert cells_text(plain, [0, 1, 2, 4, 5, 6, 7, 8, 11]) == "the 9 cells 0–2, 4–8 and 11"
