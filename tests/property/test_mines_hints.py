"""A hint is the easiest deduction of all, and says it as a person would."""

import pytest

from cluewise.core.work import finish
from cluewise.desks.mines.cell_names import cells_text
from cluewise.desks.mines.position import Group, Position, Rectangle, graph
from cluewise.desks.mines.results import ExplainOptions
from cluewise.desks.mines.verbs.explain import explain
from reference.mines_brute_force import layouts
from reference.mines_steps import random_board

PAIRS = ("one", "subset", "cross")


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
