"""What lies just beyond each desk's limits is refused, with its place."""

from concurrent.futures import BrokenExecutor, Executor
from typing import Any

import pytest

from asking import ask
from cluewise import bench
from cluewise.core.benchmark import Benchmark
from cluewise.core.executor import Crew
from cluewise.core.work import finish
from cluewise.desks.scan.walls import Walls, nearest_free
from cluewise.desks.sudoku.engine.minlex import carried_boards
from cluewise.desks.sudoku.engine.near_duplicates import one_grid_pairs
from cluewise.desks.sudoku.position import NINE, read_cells
from cluewise.errors import BadInput, CluewiseError
from cluewise.parallel.pool import run_tasks

INKALA = read_cells(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", NINE
)


SPOTS = {"range": 6, "spots": [[100, 100], [130, 100]]}


@pytest.mark.parametrize(
    ("desk", "want", "position", "says"),
    [
        ("scan", "classes", {**SPOTS, "walls": {"painted": [[1, 1, 1, 1, 1]] * 4097}}, "At most"),
        ("mines", "solve", {"board": {"kind": "square", "width": 5, "height": 5},
         "groups": [{"kind": "set", "cells": [0], "count": 0}] * 4000}, "350 is the limit"),
    ],
)  # fmt: skip
def test_more_parts_than_a_position_holds_are_refused(
    desk: str, want: str, position: dict[str, Any], says: str
) -> None:
    with pytest.raises(CluewiseError, match=says):
        ask(desk, want, position)


def test_a_bench_row_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match=r"The rack desk has no bench row 'rack\.luck'"):
        bench.rows("rack", ["rack.luck"])


def test_what_is_measured_is_named_on_the_side(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Benchmark("desk.nothing", "rows", lambda: lambda: 3)
    monkeypatch.setattr(bench, "rows", lambda desk: [row] if desk == "code" else [])
    bench.main(json=True)
    assert '"work":3' in capsys.readouterr().out
    found = bench.report(show=True)
    assert [one.name for one in found.rows] == ["desk.nothing"]
    assert "measuring desk.nothing" in capsys.readouterr().err


class _Dead(Executor):
    """Workers that die before they take anything up."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenExecutor("gone")

    def shutdown(self, *_: Any, **__: Any) -> None:
        return


class _Hopeless(Crew):
    """A crew of such workers."""

    workers = 2

    def open(self) -> Executor:
        return _Dead()


def test_workers_that_die_as_they_start_are_not_started_for_ever() -> None:
    with pytest.raises(BrokenExecutor, match="as soon as they start"):
        list(run_tasks(len, iter([("ab",), ("abc",)]), _Hopeless()))


def test_a_place_with_walls_all_round_stays_where_it_is() -> None:
    walls = Walls(painted=((0, 0, 20, 20, 1),))
    assert nearest_free(walls, (10, 10), within=5) == (10, 10)
    assert nearest_free(walls, (10, 10), within=11) == (-1, -1)


def test_one_grids_puzzles_are_only_compared_where_there_are_two() -> None:
    assert carried_boards([]) == []
    assert finish(one_grid_pairs([INKALA], 1, 2)) == ([], 0)
    blank = bytes(81)
    assert carried_boards([blank]) == [(2, b"", b"", b"")]
    assert finish(one_grid_pairs([blank, INKALA], 1, 2)) == ([], 0)
