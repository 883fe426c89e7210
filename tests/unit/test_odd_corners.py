"""Answers at the edges of every desk: what is refused, what is empty, what is only said."""

from __future__ import annotations

import json
import re
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from cluewise import __version__, links, service
from cluewise.cli.drive import request
from cluewise.core.version import version_string
from cluewise.core.work import finish
from cluewise.desks.code.position import Rules
from cluewise.desks.code.verbs.equivalent_guesses import excluded_least
from cluewise.desks.mines.engine.techniques import _wholes
from cluewise.errors import BadOption, BadPosition
from commands import Command


def shown(desk: str, verb: str, position: dict[str, Any], **options: Any) -> str:
    """The table that people get, its words apart by one blank."""
    asked = request(desk, verb, position, **options)
    console = Console(width=200, file=StringIO())
    tables = import_module(f"cluewise.cli.desks.{desk}").TABLES
    console.print(tables[verb](asked.position, finish(service.outcome(asked)).result))
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO


TWICE = [{"guess": "0011", "exact": 1, "partial": 1}, {"guess": "1100", "exact": 1, "partial": 1}]


@pytest.mark.parametrize(
    ("desk", "verb", "position", "options", "words"),
    [
        ("code", "doubt", {"clues": [*TWICE, TWICE[0]]}, {},
         "Each of these follows from the others: rows 1, 3."),
        ("code", "counts", {"rules": {"pegs": 2, "colours": 3}}, {"rounds": 1},
         "by round: 2. first guess different guesses after it 00 4 01 6"),
        ("code", "advise", {"rules": {"pegs": 2, "colours": 2}}, {}, "4 codes are still possible"),
        ("scan", "next", {}, {}, "No spots yet: name a region, or give a range and spots."),
        ("scan", "route", {}, {}, "No spots yet: name a region, or give a range and spots."),
    ],
)  # fmt: skip
def test_a_table_says_it_at_the_edge_too(
    desk: str, verb: str, position: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    assert words in shown(desk, verb, position, **options)


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


def test_a_link_holds_whole_numbers_only() -> None:
    assert links._plain({"a": [2.0, {"b": 3}]}) == {"a": [2, {"b": 3}]}
    with pytest.raises(BadPosition, match="A link holds whole numbers only, not"):
        links._plain([1.5])


def test_excluded_colours_are_named_by_the_least_of_them() -> None:
    assert excluded_least(Rules(), "0123", 0) == "0123"
    mask = sum(1 << "_012345".index(c) for c in "135")
    assert excluded_least(Rules(), "0153", mask) == "0111"
    assert excluded_least(Rules(repeat=False), "0532", mask) == "0132"


@pytest.mark.parametrize(
    ("rough", "whole"),
    [
        ({}, []),
        ({1: 0.5, 2: -1.0}, [{1: 1, 2: -2}]),
        ({1: 2.0, 2: 3.0}, [{1: 2, 2: 3}]),
        ({1: 59.0, 2: 60.0}, [{1: 59, 2: 60}]),
    ],
)
def test_weights_of_a_sum_are_whole_numbers(
    rough: dict[int, float], whole: list[dict[int, int]]
) -> None:
    assert _wholes(rough) == whole


def test_a_token_that_no_teammate_sees_is_not_weighed() -> None:
    alone = {"wires": {"blue": [1, 1]}, "stands": [{"slots": [{"wire": "1"}] * 4}]}
    asked = {"desk": "rack", "want": "indicate", "position": alone,
             "options": {"seen_by": "teammates"}}  # fmt: skip
    with pytest.raises(BadOption, match="There is no teammate with hidden wires") as refused:
        service.run(asked)
    assert refused.value.where == "$.options.seen_by"


def test_a_seat_beyond_the_table_is_refused() -> None:
    for want in ("mission", "deal"):
        with pytest.raises(BadOption, match="With 3 players, seats are 0 to 2") as refused:
            service.run({"desk": "rack", "want": want, "options": {"players": 3, "seat": 3}})
        assert refused.value.where == "$.options.seat"


GAME = "RGBY ++-\nRRGG -\n"
ONE_LINE = "0011 1A1B 2345 0A2B"
BOARD = "1#\n##\ntotal 1\n"
SPOTS = "range 14\n2990, 3390\n2995, 3401\n"
STANDS = "?1 ?2 ?3\n? ? ?\n"


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        ("code review FILE", GAME, "RRGG"),
        ("code counts FILE --rounds 1 --by-second RRGG", GAME, "second guess"),
        ("code equivalent FILE --other FILE", ONE_LINE, "Equivalent"),
        ("code remaining FILE", '[{"guess": "RGBY", "blackPegs": 4, "whitePegs": 0}]', "1 "),
        ("mines solve FILE", BOARD, "33"),
        ("scan next FILE", SPOTS, "2 spots left"),
        ("scan next FILE", SPOTS.split("\n", 1)[1], "The scan range is missing"),
        ("scan next FILE", "range 14\n", "no spots in this text"),
        ("rack shorthand FILE", "?1 ?y\n", "line 1, slot 2"),
        ("link FILE", GAME, "#/code/1/"),
        ("link FILE", SPOTS, "#/scan/1/"),
        ("link FILE --desk mines", BOARD, "#/mines/1/"),
        ("link FILE --desk code", BOARD, "Line 1"),
        ("link FILE", "what is this?", "no desk can read it"),
    ],
)
def test_a_text_file_works_wherever_a_position_does(
    command: Command, tmp_path: Any, line: str, text: str, says: str
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(text, encoding="utf-8")
    assert says in "".join(command(*line.replace("FILE", str(file)).split())[1:])


@pytest.mark.parametrize(
    ("desk", "text"),
    [("code", GAME), ("mines", BOARD), ("scan", SPOTS), ("rack", STANDS)],
)
def test_a_text_is_the_position_of_its_link(desk: str, text: str) -> None:
    position = links.position_of(desk, text)
    assert position.desk == desk
    assert links.position_of(desk, links.encode(position)) == position
