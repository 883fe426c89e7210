"""Practice: the hidden spot answers as it would in the game, and the tally is a walk's."""

from __future__ import annotations

from typing import Any

import pytest

from cluewise import service
from cluewise.desks.scan.position import ScanPosition, hidden_spot
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput
from reference import scan as slow
from reference.scan_walk import Walker, listener

FALADOR = by_id()[364]


def run(want: str, position: dict[str, Any], **options: Any) -> Any:
    return service.run({"desk": "scan", "want": want, "position": position, "options": options})


def practising(seed: int) -> tuple[dict[str, Any], int]:
    position: dict[str, Any] = {"region": 364, "here": [2990, 3390]}
    position["practice"] = run("practice", position, seed=seed)
    number = hidden_spot(service.convert(position, ScanPosition, BadInput))
    assert number is not None
    return position, number


def test_any_spot_may_be_hidden_and_the_seed_decides() -> None:
    numbers = [practising(seed)[1] for seed in range(60)]
    assert numbers == [practising(seed)[1] for seed in range(60)]
    assert len(set(numbers)) > 12


@pytest.mark.parametrize("seed", range(6))
def test_a_walk_is_told_its_pulses_ticks_and_the_route_s(seed: int) -> None:
    position, number = practising(seed)
    spot, at, ticks = FALADOR.spots[number], (2990, 3390), 0
    seen: list[Any] = []
    for tile in [(2995, 3380), (3010, 3360), (spot[0] + 3, spot[1] - 2)]:
        heard = run("listen", position | {"observations": seen}, tile=tile)
        ticks += slow.walk_ticks(at, tile) + 1
        at = tile
        assert heard["pulse"] == slow.pulse(tile, spot, 22)
        assert heard["scans"] == len(seen) + 1
        if heard["pulse"] == 3:
            break
        assert (heard["spot"], heard["ticks"], heard["route_ticks"]) == (None, ticks, None)
        seen.append({"at": [*tile, 0], "pulse": heard["pulse"]})
    assert heard["spot"] == number
    assert heard["ticks"] == ticks + slow.ticks_to_spot(at, spot)
    route = run("route", {"region": 364, "here": [2990, 3390]})
    walker = Walker(list(FALADOR.spots), list(range(18)), listener(22, 0, False), False)
    assert heard["route_ticks"] == walker.walk(route["tree"], (2990, 3390), number)[0]
    assert heard["route_mean"] == route["expected_ticks"]


def test_nothing_can_be_heard_where_nothing_is_hidden() -> None:
    with pytest.raises(BadInput, match="practice"):
        run("listen", {"region": 364})
