"""The chance to win against the best that a seat can do, on tables small enough to know it."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from cluewise import service
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position
from property.test_rack_win import tiny
from reference.rack import Table
from reference.rack_expectimax import Expectimax, TooManyNodes

TABLES = int(os.environ.get("CLUEWISE_TABLES", "60"))
CAUTION = (1.0, 1.0)  # of the seats' rule


def cuts(position: dict[str, Any], rank: str) -> list[dict[str, Any]]:
    options = {"rank": rank, "actions": ["dual", "solo", "reveal"]}
    asked = {"desk": "rack", "want": "cuts", "position": position, "options": options}
    return list(service.run(asked)["options"])


def choice_of(cut: dict[str, Any]) -> tuple[str, int, int, str]:
    if cut["action"] != "dual":
        return cut["action"], 0, 0, cut["value"]
    return "dual", cut["stand"], cut["slots"][0], cut["value"]


def regrets(position: dict[str, Any]) -> tuple[float, float] | None:
    """What the first cut of each order gives away; None where the table is too large."""
    worlds = Table(position, 0).weighted()
    if not 1 < len(worlds) <= 12 or rollout.refusal(msgspec.convert(position, Position)):
        return None
    best = Expectimax(position, worlds, 0, CAUTION)
    ranked = cuts(position, "win")
    try:
        values = {choice: best.value(choice) for choice in best.options()}
    except TooManyNodes:
        return None
    for cut in ranked:  # games by the rule are one way to go on: never better than the best
        if cut["win"]:
            assert cut["win"]["error"] == 0
            assert cut["win"]["chance"] <= values[choice_of(cut)] + 1e-9
    top = max(values.values())
    plain = cuts(position, "success")[0]
    return top - values[choice_of(ranked[0])], top - values[choice_of(plain)]


@pytest.mark.sampled(of="rack, brute force")
def test_the_order_by_games_gives_away_less_than_the_order_by_success() -> None:
    found = [r for seed in range(TABLES) if (r := regrets(tiny(seed))) is not None]
    by_games, by_success = (sum(column) / len(found) for column in zip(*found, strict=True))
    print(f"{len(found)} tables: {by_games:.4f} by games, {by_success:.4f} by success")
    assert len(found) >= TABLES / 8
    assert by_games <= by_success
    assert by_games < 0.05
