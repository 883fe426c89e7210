"""Answers at the edges of every desk: what is refused, what is empty, what is only said."""

import json
import re
from concurrent.futures import BrokenExecutor, Executor
from typing import Any

import pytest

from asking import ask, vectors
from cluewise import __version__, bench, links
from cluewise.core.benchmark import Benchmark
from cluewise.core.version import version_string
from cluewise.core.work import Crew, finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.relations import excluded_least
from cluewise.desks.code.position import Rules
from cluewise.desks.code.verbs.equivalent import same_state
from cluewise.desks.scan.walls import Walls, nearest_free
from cluewise.desks.sudoku.engine.minlex import carried_boards
from cluewise.desks.sudoku.engine.near_duplicates import one_grid_pairs
from cluewise.desks.sudoku.position import NINE, read_cells
from cluewise.errors import BadInput, CluewiseError
from cluewise.parallel.pool import run_tasks
from commands import Command, table_of

CASES = vectors("cases")["odd_corners"]

SMALL = {"rules": {"pegs": 2, "colours": 3}}
THREE = {"range": 5, "spots": [[0, 0], [9, 9], [20, 4]], "here": [0, 5]}


@pytest.mark.parametrize(("changed", "words"), CASES["advice says how certain it is"])
def test_advice_says_how_certain_it_is(changed: dict[str, Any], words: str) -> None:
    assert words in table_of("code", "advise", SMALL, changed=changed)


def test_a_strategy_that_is_not_proved_says_its_bound() -> None:
    said = "Not proved to be best; no strategy takes less than 17."
    assert said in table_of("code", "strategy", SMALL, changed={"proved": False, "bound": 17})
    assert "Not proved" not in table_of("code", "strategy", SMALL, changed={"proved": True})


def test_the_fewest_scans_are_proved_or_the_best_known() -> None:
    known = table_of("scan", "fewest", THREE, changed={"proved": False, "at_least": 2})
    assert "is the best known; a total under 2 is proved impossible." in known
    proved = table_of("scan", "fewest", THREE, changed={"proved": True})
    assert proved.endswith("proved to be the fewest.")


def test_a_route_with_a_bound_says_how_far_above_the_best_it_may_be() -> None:
    most = (
        "On open ground, of the routes that stop for every pulse and dig only when sure, none "
        "takes less"
    )
    for bound, said in (
        (5.0, f"{most} than 5.0: this one is at most 20.0 % above the best."),
        (6.0, f"{most}: that is proved."),
    ):
        changed = {"expected_ticks": 6.0, "lower_bound": bound}
        assert said in table_of("scan", "route", THREE, changed=changed)


def test_win_rates_are_a_table_a_way_and_a_sentence_on_single_choices() -> None:
    given = {"mission": 1, "players": 2, "games": 2, "deals": 16, "held_out": 1.0}
    options = {**given, "ways": ["likeliest", "win"]}
    shown = table_of("rack", "games", {}, **options)
    assert "Mission 1, 2 players, 2 games, the same deals in every way." in shown
    for row in ask("rack", "games", {}, **options)["rows"]:
        assert f"{row['way']} {row['won']} {row['rate']:.2%}" in re.sub(r"[^\w.%]+", " ", shown)
    assert "choices by 16 playouts" in shown


def test_sets_too_large_to_compare_have_no_answer_and_small_ones_have_one() -> None:
    none = finish(same_state(Rules(pegs=12, colours=20), [], [Clue("0" * 12, 0, 0)]))
    assert none is None
    found = finish(same_state(Rules(pegs=4, colours=6), [Clue("0011", 0, 0)], [Clue("0012", 0, 0)]))
    assert found is not None
    assert found.same is False


def test_the_version_and_links_as_json(command: Command, tmp_path: Any) -> None:
    status, out, err = command("--version")
    assert (status, out, err) == (0, f"{version_string()}\n", "")
    assert re.fullmatch(re.escape(__version__) + r" \([0-9a-f]{8}\)\n", out)
    file = tmp_path / "p.json"
    file.write_text('{"desk": "code"}')
    plain, made = command("link", str(file)).out.strip(), command("link", str(file), "--json").out
    assert json.loads(made) == {"link": plain}
    file.write_text("[1]")
    status, out, err = command("link", str(file))
    assert (status, out) == (2, "")
    assert "A position is a JSON object." in err


def test_a_scan_position_is_made_of_a_region_alone(command: Command) -> None:
    status, out, err = command("scan", "import", "--region", "364")
    assert (status, json.loads(out)["region"], err) == (0, 364, "")


def test_excluded_colours_are_named_by_the_least_of_them() -> None:
    assert excluded_least(Rules(), "0123", 0) == "0123"
    mask = sum(1 << "_012345".index(c) for c in "135")
    assert excluded_least(Rules(), "0153", mask) == "0111"
    assert excluded_least(Rules(repeat=False), "0532", mask) == "0132"


GAME = "RGBY ++-\nRRGG -\n"
BOARD = "1#\n##\ntotal 1\n"
SPOTS = "range 14\n2990, 3390\n2995, 3401\n"
STANDS = "?1 ?2 ?3\n? ? ?\n"


@pytest.mark.parametrize(
    ("desk", "text"),
    [("code", GAME), ("mines", BOARD), ("scan", SPOTS), ("rack", STANDS)],
)
def test_a_text_is_the_position_of_its_link(desk: str, text: str) -> None:
    position = links.position_of(desk, text)
    assert position.desk == desk
    assert links.position_of(desk, links.encode(position)) == position


INKALA = read_cells(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", NINE
)


PAIR = {"range": 6, "spots": [[100, 100], [130, 100]]}


@pytest.mark.parametrize(
    ("desk", "want", "position", "says"),
    [
        ("scan", "classes", {**PAIR, "walls": {"painted": [[1, 1, 1, 1, 1]] * 4097}}, "At most"),
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
