"""How certain an answer is, in words: nothing is called proved or exact that is not."""

from __future__ import annotations

from io import StringIO
from types import ModuleType
from typing import Any

import msgspec
import pytest
from rich.console import Console

from cluewise import service
from cluewise.cli.desks import code, scan
from cluewise.cli.drive import request
from cluewise.core.work import finish

SMALL = {"rules": {"pegs": 2, "colours": 3}}
SPOTS = {"range": 5, "spots": [[0, 0], [9, 9], [20, 4]], "here": [0, 5]}


def shown(desk: ModuleType, verb: str, position: dict[str, Any], **changed: Any) -> str:
    """The table of the answer with these fields changed, its words apart by one blank."""
    asked = request(desk.__name__.rpartition(".")[2], verb, position)
    found: Any = finish(service.outcome(asked)).result
    result = msgspec.structs.replace(found, **changed)
    console = Console(width=200, file=StringIO())
    console.print(desk.TABLES[verb](asked.position, result))
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ties": 3}, "3 questions are exactly as good as the best."),
        ({"exact": False, "gap": 0.25, "sample": 1000},
         "Chosen with a sample of 1,000 codes, then counted on all: a better guess could tell "
         "about 0.25 bits more."),
        ({"exact": False, "gap": None, "error": 0.0},
         "Every code left was counted; a guess that was not compared may be better."),
        ({"exact": False, "gap": None, "error": 0.5, "sample": 1000, "bound": None},
         "Estimated from a sample of 1,000 codes: bits within ±0.5, 19 times in 20."),
    ],
)  # fmt: skip
def test_advice_says_how_certain_it_is(changed: dict[str, Any], words: str) -> None:
    assert words in shown(code, "advise", SMALL, **changed)


def test_a_strategy_that_is_not_proved_says_its_bound() -> None:
    said = "Not proved to be best; no strategy takes less than 17."
    assert said in shown(code, "strategy", SMALL, proved=False, bound=17)
    assert "Not proved" not in shown(code, "strategy", SMALL, proved=True)


def test_the_fewest_scans_are_proved_or_the_best_known() -> None:
    assert "is the best known; a total under 2 is proved impossible." in shown(
        scan, "fewest", SPOTS, proved=False, at_least=2
    )
    assert shown(scan, "fewest", SPOTS, proved=True).endswith("proved to be the fewest.")


def test_a_route_with_a_bound_says_how_far_above_the_best_it_may_be() -> None:
    bounded = shown(scan, "route", SPOTS, expected_ticks=6.0, lower_bound=5.0)
    assert (
        "On open ground, of the routes that stop for every pulse and dig only when sure, "
        "none takes less than 5.0: " in bounded
    )
    assert "this one is at most 20.0 % above the best." in bounded
    proved = shown(scan, "route", SPOTS, expected_ticks=6.0, lower_bound=6.0)
    assert "and dig only when sure, none takes less: that is proved." in proved
    assert "above the best" not in proved
