"""Answers that are rare: what nothing is left of, what only one way leads to, what is told on."""

from __future__ import annotations

import random
import re
from io import StringIO
from typing import Any

from rich.console import Console

from cluewise import service
from cluewise.cli.desks import rack
from cluewise.core.work import finish
from cluewise.desks.code.position import Clue, Rules
from cluewise.desks.code.verbs.equivalent_states import same_state
from cluewise.desks.mines.generator.board_shapes import template
from cluewise.desks.mines.generator.local_search import Candidate, PuzzleSearch
from cluewise.desks.mines.results import GenerateOptions
from cluewise.desks.rack.results import WinRates


def printed(shown: Any) -> str:
    console = Console(width=200, file=StringIO())
    console.print(shown)
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO


def test_win_rates_are_a_table_a_way_and_a_sentence_on_single_choices() -> None:
    given = {"mission": 1, "players": 2, "games": 2, "deals": 16, "held_out": 1.0}
    options = {**given, "ways": ["likeliest", "win"]}
    asked = {"desk": "rack", "want": "games", "position": {}, "options": options}
    found = finish(service.outcome(service.parse_request(asked))).result
    assert isinstance(found, WinRates)
    told = printed(rack.games(None, found))  # type: ignore[arg-type]  # not looked at
    assert "Mission 1, 2 players, 2 games, the same deals in every way." in told
    for row in found.rows:
        assert f"{row.way} {row.won} {row.rate:.2%}" in re.sub(r"[^\w.%]+", " ", told)
    assert found.decisions.choices > 0
    assert "choices by 16 playouts" in told


def test_sets_too_large_to_compare_have_no_answer_and_small_ones_have_one() -> None:
    none = finish(same_state(Rules(pegs=12, colours=20), [], [Clue("0" * 12, 0, 0)]))
    assert none is None
    found = finish(same_state(Rules(pegs=4, colours=6), [Clue("0011", 0, 0)], [Clue("0012", 0, 0)]))
    assert found is not None
    assert found.same is False


def test_a_draft_that_is_all_mines_or_all_start_is_left_as_it_is() -> None:
    rng = random.Random(3)
    maker = PuzzleSearch(template("colours", 3, rng), GenerateOptions(board="colours", size=3), rng)
    everything = frozenset(range(maker.board.cells))
    nothing: frozenset[int] = frozenset()
    full = Candidate(everything - {0}, nothing, frozenset({0}))
    for _ in range(40):
        other = maker.changed(full)
        assert len(other.mines) == len(full.mines)
        assert 0 not in other.mines
        shaken = maker._shake(full, [])
        assert (len(shaken.mines), shaken.start) == (len(full.mines), full.start)
