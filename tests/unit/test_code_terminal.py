"""Every verb has a table for people, every benchmark row does its work, strategies print."""

from __future__ import annotations

from io import StringIO
from typing import Any

import msgspec
import pytest
from rich.console import Console

from cluewise import desks
from cluewise.cli.desks.code import TABLES
from cluewise.cli.drive import request
from cluewise.core.benchmark import Benchmark
from cluewise.core.work import finish
from cluewise.desks.code.bench import ROWS
from cluewise.desks.code.tree import Branch, steps_of, tree_text
from cluewise.service import outcome, run

MIDDLE = {"clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
BROKEN = {"clues": [{"guess": "0011", "exact": 4}, {"guess": "0012", "exact": 4}]}
SMALL = {"rules": {"pegs": 3, "colours": 3}}


def history(*rows: str) -> dict[str, Any]:
    """Three pegs and four colours, and rows such as `000 1A0B`."""
    clues = [{"guess": row[:3], "exact": int(row[4]), "partial": int(row[6])} for row in rows]
    return {"rules": {"pegs": 3, "colours": 4}, "clues": clues}


FOUR_LEFT = history("000 1A0B", "011 2A0B")
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("advise", MIDDLE, {"mine": "0123"}, "208 codes are still possible"),
    ("advise", {"rules": {"pegs": 8, "colours": 16}, "clues": [{"guess": "01234567", "exact": 1}]},
     {}, "sample of"),
    ("advise", {"clues": [*MIDDLE["clues"], {"guess": "0203", "exact": 4}]}, {},
     "The code is 0203; nothing is left to ask"),
    ("remaining", MIDDLE, {}, "and 198 more"),
    ("remaining", BROKEN, {}, "No code fits"),
    ("classes", MIDDLE, {}, "join"),
    ("classes", MIDDLE, {"limit": 0}, "over the limit"),
    ("doubt", BROKEN, {}, "rows 1, 2"),
    ("doubt", MIDDLE, {}, "can all hold"),
    ("counts", {}, {"rounds": 2, "by_second": "0000"}, "5, 291"),
    ("strategy", SMALL, {"criterion": "optimal", "tree": True}, "73 guesses over 27 codes"),
    ("equivalent", {"rules": {"colours": 7}}, {"guesses": ["1314", "5336"]}, "Equivalent"),
    ("equivalent", {}, {"guesses": ["0011", "0012"]}, "Not equivalent"),
    ("equivalent", {"clues": [{"guess": "0011", "exact": 0}]}, {"guesses": ["0002", "1112"]},
     "The same question: 1112 by colours that are ruled out"),
    ("equivalent", FOUR_LEFT, {"other": history("000 2A0B", "001 1A1B")}, "kind STAR"),
    ("equivalent", FOUR_LEFT, {"other": history("333 1A0B", "300 2A0B")}, "One state: a symmetry"),
    ("equivalent", FOUR_LEFT, {"other": history("011 2A0B", "000 1A0B")}, "the same codes (4)"),
    ("equivalent", FOUR_LEFT, {"other": history("012 0A0B")}, "4 and 1 codes are left"),
    ("equivalent", FOUR_LEFT, {"other": history("000 0A0B", "112 0A1B")},
     "no renaming makes"),
    ("states", {"rules": {"pegs": 2, "colours": 3}}, {"rounds": 1}, "39"),
    ("paste", {}, {"text": "0011 1A1B\nhm"}, "Line 2"),
    ("write", MIDDLE, {}, "0011 1A1B"),
    ("deal", {}, {}, "sealed: s1"),
    ("judge", run({"desk": "code", "want": "deal"})["position"], {"guess": "0011"}, "A"),
    ("review", MIDDLE, {"secret": "0122"}, "Luck"),
]  # fmt: skip


@pytest.mark.parametrize(("want", "position", "options", "says"), CASES)
def test_a_table_says_it_in_words(
    want: str, position: dict[str, Any], options: dict[str, Any], says: str
) -> None:
    asked = request("code", want, position, **options)
    console = Console(file=StringIO(), width=200)
    console.print(TABLES[want](asked.position, finish(outcome(asked)).result))
    printed = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert says in printed


def test_every_verb_has_a_table() -> None:
    assert set(TABLES) == {verb.name for verb in desks.load("code").verbs}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_benchmark_row_does_its_work(row: Benchmark) -> None:
    assert row.prepare()() > 0


def test_a_tree_prints_and_goes_to_json_and_back() -> None:
    options = {"criterion": "entropy", "tree": True}
    found = run({"desk": "code", "want": "strategy", "position": SMALL, "options": options})
    tree = msgspec.json.decode(msgspec.json.encode(found["tree"]), type=Branch)
    lines = list(tree_text(tree))
    assert lines[0] == f"{tree.guess} (27)"
    assert len(lines) == 1 + sum(line.startswith("  ") for line in lines)
    assert steps_of(tree) == found["histogram"]
