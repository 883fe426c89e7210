"""Whatever is decided is explained, every step holds, and a hint is the easiest deduction."""

import msgspec
import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.cell_names import cells_text
from cluewise.desks.mines.position import Group, Position, Rectangle, graph
from cluewise.desks.mines.results import ExplainOptions
from cluewise.desks.mines.verbs.explain import explain
from reference.mines_boards import random_position
from reference.mines_brute_force import layouts
from reference.mines_steps import Layouts, random_board, unproved


def explained(position: Position) -> int:
    """How many cells were explained; every explanation is checked against all layouts."""
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
        if found.steps[-1].stage == "contradiction":  # which takes every clue that is named
            for name in found.clues:
                fewer = layouts.holding(layouts.clue(n) for n in found.clues if n != name)
                assert len({int(x) >> layouts.bit[cell] & 1 for x in fewer}) == 2
    return explained_cells


@pytest.mark.parametrize("case", vectors("mines-explain")["cases"], ids=lambda c: c["what"])
def test_boards_that_the_closure_decides_only_by_leaving_out_wide_sets_are_explained(
    case: dict[str, object],
) -> None:
    position = msgspec.convert(case["position"], Position)
    found = finish(explain(position, ExplainOptions(int(str(case["cell"])))))
    assert found.verdict != "open"
    assert found.steps


@pytest.mark.parametrize("block", range(6))
def test_every_forced_cell_of_random_boards_of_every_kind_is_explained_and_every_step_holds(
    block: int,
) -> None:
    seeds = range(block * 14, block * 14 + 14)
    boards = [one for seed in seeds for one in (random_board(seed), random_position(seed, 12))]
    assert sum(map(explained, boards)) > 20


@pytest.mark.long
@pytest.mark.parametrize("block", range(30))
def test_every_forced_cell_of_thousands_of_random_boards_is_explained(block: int) -> None:
    for seed in range(1000 + block * 100, 1100 + block * 100):
        explained(random_board(seed))


HINT_CASES = vectors("mines_hints")

PAIRS = ("one", "subset", "cross")


SIDES = HINT_CASES["SIDES"]


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
