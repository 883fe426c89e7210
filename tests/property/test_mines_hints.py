"""A hint is the easiest deduction of all, and says it as a person would."""

import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.cell_names import cells_text
from cluewise.desks.mines.position import Group, Position, Rectangle, graph
from cluewise.desks.mines.results import ExplainOptions
from cluewise.desks.mines.verbs.explain import explain
from reference.mines_brute_force import layouts
from reference.mines_steps import random_board

CASES = vectors("mines_hints")

PAIRS = ("one", "subset", "cross")


SIDES = CASES["SIDES"]


@pytest.mark.parametrize(("sets", "cell", "verdict", "text"), SIDES)
def test_a_sum_of_sets_without_a_common_cell_is_said_as_one_side_against_the_other(
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
