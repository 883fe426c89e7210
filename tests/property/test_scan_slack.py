"""Hunts by somebody who stands a tile or two from the advised tile: they come to an end."""

import random
from typing import Any

import pytest

from asking import ask_scan
from cluewise.desks.scan.regions import by_id
from reference.scan import pulse

MOST = 20  # scans of a hunt in the regions below


def advised(region: int, slack: int, rows: list[Any], here: Any, **options: Any) -> Any:
    position = {"region": region, "slack": slack, "observations": rows}
    position |= {} if here is None else {"here": here}
    return ask_scan("next", position, stop=3, **options)


@pytest.mark.parametrize("listen", [False, True])
@pytest.mark.parametrize("region", [349, 356, 362, 364, 370])
@pytest.mark.parametrize("slack", [1, 2])
def test_a_hunt_with_slack_finds_its_spot(region: int, slack: int, listen: bool) -> None:
    found = by_id()[region]
    for seed in range(2):
        r, rows, here = random.Random(seed), list[Any](), None
        goal = r.randrange(len(found.spots))
        spot = found.spots[goal]
        for _ in range(MOST):
            advice = advised(region, slack, rows, here, listen=listen)
            if "dig" in advice:
                assert advice["dig"]["spot"] == goal
                break
            tile = advice["options"][0]["tile"]
            # By ear one stands where the run ends, else up to `slack` tiles from the advised tile.
            x, y = tile if listen else (v + r.randint(-slack, slack) for v in tile)
            scan = [{"pulse": pulse((x, y), spot, found.range), "at": [*tile, 0]}]
            heard = [change["rows"] for change in advice.get("changes", [])] if listen else []
            ways = heard or [scan]
            came = next(
                way
                for way in ways
                if way is scan
                or all(pulse(w["at"][:2], spot, found.range) == w["pulse"] for w in way)
            )
            rows, here = rows + came, came[-1]["at"][:2]
            if came[-1]["pulse"] == 3:  # its arrow shows the spot
                break
        else:
            raise AssertionError(f"spot {goal} is not found")
