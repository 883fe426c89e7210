"""What the desk's bench measures is what its rows say."""

from cluewise.core.work import finish
from cluewise.desks.mines.bench import FORCED, FORCED_LARGE, ROWS, forced, large
from cluewise.desks.mines.results import SolveOptions
from cluewise.desks.mines.verbs.solve import solve


def test_every_decided_cell_is_a_run_of_the_row() -> None:
    runs = {row.name: row.runs for row in ROWS if row.runs}
    assert len(forced()) == FORCED == runs["mines.least.p99"] == runs["mines.least.worst"]
    found = finish(solve(large(), SolveOptions()))
    assert len(found.safe) + len(found.mines) == FORCED_LARGE == runs["mines.explain.961.worst"]
