"""Practice: the hidden spot answers as it would in the game, and the tally is a walk's."""

import math
from typing import Any

import pytest

from asking import ask_scan as run
from cluewise import service
from cluewise.desks.scan.position import Position, hidden_spot
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput
from reference import scan as slow
from reference.scan_route_replay import Runner, Walker, distances, listener

FALADOR = by_id()[364]


def practising(seed: int) -> tuple[dict[str, Any], int]:
    position: dict[str, Any] = {"region": 364, "here": [2990, 3390]}
    position["practice"] = run("practice", position, seed=seed)
    number = hidden_spot(service.validate(position, Position, BadInput))
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


def test_a_scan_that_nobody_made_is_not_counted() -> None:
    position, number = practising(0)
    spot, start = FALADOR.spots[number], (2990, 3390)
    given_up = run("listen", position, reveal=True)
    assert (given_up["scans"], given_up["pulse"]) == (0, None)
    assert given_up["ticks"] == slow.ticks_to_spot(start, spot)
    tile = (2995, 3300)
    seen = [{"at": [*tile, 0], "pulse": slow.pulse(tile, spot, 22)}]
    walked = run("listen", position | {"observations": seen, "here": [2901, 3300]}, reveal=True)
    assert walked["scans"] == 1
    assert walked["ticks"] == slow.walk_ticks(start, tile) + 1 + slow.ticks_to_spot(tile, spot)
    again = run("listen", position | {"observations": seen}, tile=tile)
    assert again["scans"] == 1


def test_practice_and_the_route_it_is_compared_with_go_round_the_same_walls() -> None:
    wall = {"painted": [[115, 60, 115, 140, 1]]}
    position: dict[str, Any] = {
        "range": 6,
        "spots": [[130, 100], [160, 100], [131, 70]],
        "here": [100, 100],
        "walls": wall,
    }
    position["practice"] = run("practice", position, seed=1)
    tiles = {(115, y) for y in range(60, 141)}
    number = hidden_spot(service.validate(position, Position, BadInput))
    assert number is not None
    spot, box = position["spots"][number], (80, 40, 200, 160)
    near = [(spot[0] + i, spot[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    first = distances([(100, 100)], tiles, box)
    seen = {"at": [140, 104, 0], "pulse": slow.pulse((140, 104), spot, 6)}
    tally = run("listen", position | {"observations": [seen]}, reveal=True)
    onward = min(distances([(140, 104)], tiles, box)[t] for t in near)
    assert tally["ticks"] == (first[140, 104] + 1) // 2 + 1 + (onward + 1) // 2
    route = run("route", {k: v for k, v in position.items() if k != "practice"})
    assert tally["route_mean"] == route["expected_ticks"]
    assert tally["route_ticks"] >= (min(first[t] for t in near) + 1) // 2


def test_a_hidden_spot_that_was_ruled_out_by_hand_is_still_shown() -> None:
    position, number = practising(3)
    shown = run("listen", position | {"ruled_out": [number]}, reveal=True)
    assert shown["spot"] == number
    assert shown["route_ticks"] > 0


def played(seed: int, stop: int) -> tuple[dict[str, Any], Any, Any, int]:
    """A practice played by the plan that listens: the position at its end, the last pulse, the
    plan, the spot."""
    position, number = practising(seed)
    plan = run("route", {"region": 364, "here": [2990, 3390]}, stop=stop, listen=True)
    node: Any = plan["tree"]
    seen: list[Any] = []
    heard: Any = None
    while "tile" in node:
        now = position | {"observations": seen}
        listens = "heard" in node
        heard = run("listen", now, tile=node["tile"], stop=stop, listen=listens)
        seen += heard["rows"]
        if listens:
            entry = next(h for h in node["heard"] if h["rows"] == heard["rows"])
            assert heard["at"] == entry["at"]
            node = entry["then"]
        else:
            node = node["answers"][str(heard["pulse"])]
        assert all("towards" in row for row in heard["rows"]) == listens
    return position | {"observations": seen}, heard, plan, number


@pytest.mark.parametrize("seed", range(5))
def test_a_hunt_by_ear_is_told_and_reviewed_as_the_plan_says(seed: int) -> None:
    position, heard, plan, number = played(seed, stop=3)
    runner = Runner(list(FALADOR.spots), list(range(18)), listener(22, 0, False), 3)
    ticks, scans = runner.walk(plan["tree"], (2990, 3390), number)
    shown = run("listen", position, tile=heard["at"], reveal=True, stop=3, listen=True)
    assert (shown["rows"], shown["pulse"]) == ([], heard["pulse"])
    assert (shown["ticks"], shown["scans"]) == (ticks, scans)
    assert shown["route_ticks"] == ticks
    assert shown["route_mean"] == plan["expected_ticks"]
    looked = run("review", position, spot=number, stop=3, listen=True)
    assert looked["ticks"] == ticks == looked["plan_ticks"]
    assert looked["plan_scans"] == scans
    assert looked["planned"] == pytest.approx(plan["expected_ticks"])
    assert looked["loss"] == pytest.approx(0, abs=1e-9)
    assert looked["ticks"] == pytest.approx(looked["planned"] - looked["luck"])
    bits = sum(row["got"] for row in looked["scans"])
    assert bits == pytest.approx(math.log2(18))


def test_a_run_whose_rows_were_changed_is_reviewed_row_by_row() -> None:
    position, heard, _, number = next(
        found
        for found in (played(s, 3) for s in range(30))
        if any(row.get("in_passing") for row in found[0]["observations"][:-1])
    )
    whole = run("review", position, spot=number, stop=3, listen=True)
    first = position["observations"][0]
    cut = position | {"observations": [first, *position["observations"]]}
    twice = run("review", cut, spot=number, stop=3, listen=True)
    assert twice["ticks"] == pytest.approx(twice["planned"] + twice["loss"] - twice["luck"])
    assert twice["ticks"] >= whole["ticks"]
    assert heard["pulse"] in (1, 2, 3)
