"""What lies just beyond each desk's limits is refused, with its place."""

from concurrent.futures import BrokenExecutor, Executor
from typing import Any

import pytest

from asking import ask
from cluewise import bench
from cluewise.core.benchmark import Benchmark
from cluewise.core.work import finish
from cluewise.desks.scan.walls import Walls, nearest_free
from cluewise.desks.sudoku.engine.one_grid_pairs import one_grid_pairs, places
from cluewise.desks.sudoku.position import NINE, read_cells
from cluewise.errors import BadInput, CluewiseError
from cluewise.parallel.pool import run_tasks

INKALA = read_cells(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", NINE
)


def own(*tokens: str) -> dict[str, Any]:
    """You hold 1 2 2 3, tokens on the second and third; Ann holds four hidden wires."""
    wires: list[dict[str, Any]] = [{"wire": wire} for wire in "1223"]
    for at, token in enumerate(tokens, 1):
        wires[at]["tokens"] = [token] if token else []
    return {
        "wires": {"blue": [1, 3]},
        "stands": [{"slots": wires}, {"slots": [{}, {}, {}, {}]}, {"slots": [{}, {}, {}, {}]}],
    }


def hers(slots: list[dict[str, Any]], *facts: dict[str, Any]) -> dict[str, Any]:
    table = own()
    table["stands"][1] = {"slots": slots, "facts": list(facts)}
    return table


def loose(many: int, token: str = "unsorted") -> dict[str, Any]:
    slots: list[dict[str, Any]] = [{"tokens": [token]} for _ in range(many)] + [{}]
    mine = [{"wire": str(n)} for n in range(1, 11)]
    rest: list[dict[str, Any]] = [{"slots": [{}] * 9}] * 2 + [{"slots": [{}] * (19 - many)}]
    return {"wires": {"blue": [1, 12]}, "stands": [{"slots": mine}, {"slots": slots}, *rest]}


GONE = {"known_elsewhere": ["3", "3", "3"]}
SPOTS = {"range": 6, "spots": [[100, 100], [130, 100]]}
# A tile with walls all round it, and a scan that somebody made there.
WALLED: dict[str, Any] = {
    **SPOTS,
    "walls": {"painted": [[114, 114, 118, 114, 1], [114, 118, 118, 118, 1], [114, 114, 114, 118, 1],
                          [118, 114, 118, 118, 1]]},
    "observations": [{"at": [116, 116], "pulse": 1}, {"at": [100, 100], "pulse": 3}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("desk", "want", "position", "options", "where", "words"),
    [
        ("rack", "cuts", own("x1", "x2"), {}, "stands[0].slots[2].tokens[0]",
         "Two tokens give different numbers for one value."),
        ("rack", "cuts", own("differs-from-next", ""), {}, "stands[0].slots[1].tokens",
         "A label between two known wires is wrong."),
        ("rack", "cuts", {**hers([{}], {"kind": "has", "value": "3"}), **GONE}, {},
         "stands[1].facts[0]", "No 3 is left that could be hidden here."),
        ("rack", "cuts", hers([{"wire": "1"}] * 2, {"kind": "has", "value": "3"}), {},
         "stands[1].facts", "A wire that should be hidden here is not."),
        ("rack", "cuts", loose(5), {}, "stands[1].slots",
         "At most 4 hidden unsorted wires fit one stand."),
        ("rack", "cuts", loose(17, "same-as-next"), {}, "stands[1]",
         "At most 15 labels between hidden wires fit one stand."),
        ("rack", "indicate", own(), {"stand": 5}, "options.stand", "There is no stand 5."),
        ("rack", "games", {}, {"ways": ["likeliest", "luck"]}, "options.ways[1]",
         "'luck' is no way; there are"),
        ("scan", "classes", {**SPOTS, "walls": {"grid": {"at": [99999, 0], "size": [1, 1],
         "packed": "AA"}}}, {}, "walls.grid.at", "The grid lies off the map."),
        ("scan", "classes", {**SPOTS, "walls": {"grid": {"at": [0, 0], "size": [9, 9],
         "packed": "YwAA"}}}, {}, "walls.grid.packed", "The grid's bits are not 9 × 9 tiles."),
        ("scan", "classes", {**SPOTS, "walls": {"painted": [[1, 1, 1, 1, 1]] * 4097}}, {},
         "walls.painted", "At most"),
        ("scan", "review", WALLED, {"spot": 0, "start": [90, 100]}, "observations",
         "116, 116 cannot be reached from 90, 100: walls are in the way."),
        ("sudoku", "puzzle", {}, {"clues": 82}, "options.clues", "A 9×9 board has only 81 cells."),
        ("sudoku", "puzzle", {"box": [2, 3]}, {"symmetry": "diagonal"}, "options.symmetry",
         "A board of boxes with 2 rows and 3 columns cannot have the symmetry diagonal."),
        ("code", "strategy", {"rules": {"pegs": 3, "colours": 4}},
         {"criterion": "optimal", "max_depth": 2}, "options.max_depth",
         "No strategy finds every code within 2 guesses."),
        ("code", "strategy", {"rules": {"pegs": 6, "colours": 6}}, {"criterion": "optimal"}, "",
         "Optimal strategies are worked out for up to"),
        ("mines", "solve", {"board": {"kind": "square", "width": 5, "height": 5},
         "groups": [{"kind": "set", "cells": [0], "count": 0}] * 4000}, {}, "groups",
         "groups; "),
    ],
)  # fmt: skip
def test_what_lies_beyond_a_limit_is_refused_with_its_place(
    desk: str, want: str, position: dict[str, Any], options: dict[str, Any], where: str, words: str
) -> None:
    with pytest.raises(CluewiseError) as refused:
        ask(desk, want, position, **options)
    assert refused.value.where.startswith(
        "$" + ("." + where if where.startswith("options") else "")
    )
    assert where in refused.value.where
    assert words in refused.value.message


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


class _Hopeless:
    """A crew of such workers."""

    workers = 2

    def open(self) -> Executor:
        return _Dead()

    def close(self, executor: Executor) -> None:
        executor.shutdown()

    def gone(self, executor: Executor) -> str:
        return ""


def test_workers_that_die_as_they_start_are_not_started_for_ever() -> None:
    with pytest.raises(BrokenExecutor, match="as soon as they start"):
        list(run_tasks(len, iter([("ab",), ("abc",)]), _Hopeless()))


def test_a_review_without_a_scan_is_the_plan_alone() -> None:
    found = ask("scan", "review", {"range": 6, "spots": [[100, 100]], "here": [90, 100]})
    assert (found["scans"], found["spot"], found["plan_ticks"]) == ([], 0, found["ticks"])


def test_a_tile_behind_walls_cannot_be_listened_at() -> None:
    shut = {"painted": WALLED["walls"]["painted"]}
    at = {**SPOTS, "here": [90, 100], "walls": shut}
    hidden = ask("scan", "practice", at, seed=1)
    playing = {**at, "practice": {"start": hidden["start"], "sealed": hidden["sealed"]}}
    with pytest.raises(CluewiseError, match="116, 116 cannot be reached from 90, 100"):
        ask("scan", "listen", playing, tile=[116, 116])


def test_a_place_with_walls_all_round_stays_where_it_is() -> None:
    walls = Walls(painted=((0, 0, 20, 20, 1),))
    assert nearest_free(walls, (10, 10), within=5) == (10, 10)
    assert nearest_free(walls, (10, 10), within=11) == (-1, -1)


def test_one_grids_puzzles_are_only_compared_where_there_are_two() -> None:
    assert places([]) == []
    pairs, left = finish(one_grid_pairs([INKALA], 1, 2))
    assert (pairs, left) == ([], 0)
    blank = bytes(81)
    assert places([blank]) == [None]
    assert finish(one_grid_pairs([blank, INKALA], 1, 2)) == ([], 0)
