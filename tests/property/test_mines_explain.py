"""Whatever is decided is explained, on boards of every kind, and every step of it holds."""

import msgspec
import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.results import ExplainOptions
from cluewise.desks.mines.verbs.explain import explain
from reference.mines_boards import random_position
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
