"""Practice and review of hunts: ticks replayed, luck separated from loss."""

import math
import random
from functools import partial
from typing import Any

import pytest

from asking import ask_scan as run
from cluewise import service
from cluewise.desks.scan.position import Position, hidden_spot
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput
from reference import scan as slow
from reference.scan import Optimum, Spot, Tile, pulse, ticks_to_spot, walk_ticks
from reference.scan_walker import Walker
from reference.scan_walks import Plane, distances

FALADOR = by_id()[364]
OWN = {"spots": FALADOR.spots, "range": FALADOR.range}


def start_practice(seed: int) -> tuple[dict[str, Any], int]:
    position: dict[str, Any] = {"region": 364, "here": [2990, 3390]}
    position["practice"] = run("practice", position, seed=seed)
    number = hidden_spot(service.validate(position, Position, BadInput))
    assert number is not None
    return position, number


def test_hidden_spot_may_be_any_and_depends_on_the_seed() -> None:
    numbers = [start_practice(seed)[1] for seed in range(60)]
    assert numbers == [start_practice(seed)[1] for seed in range(60)]
    assert len(set(numbers)) > 12


@pytest.mark.parametrize("seed", range(6))
def test_practice_has_the_pulses_and_ticks_of_the_walk_and_of_the_route(seed: int) -> None:
    position, number = start_practice(seed)
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
    walker = Walker(Plane(), OWN, (2990, 3390), stop=1)
    assert heard["route_ticks"] == walker.follow(route["tree"], number, {*range(18)})[0]
    assert heard["route_mean"] == route["expected_ticks"]


def test_only_scans_that_were_made_are_counted() -> None:
    position, number = start_practice(0)
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


def test_practice_and_its_route_go_round_the_same_walls() -> None:
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


def test_hidden_spot_that_was_ruled_out_is_still_revealed() -> None:
    position, number = start_practice(3)
    shown = run("listen", position | {"ruled_out": [number]}, reveal=True)
    assert shown["spot"] == number
    assert shown["route_ticks"] > 0


def play(seed: int, stop: int) -> tuple[dict[str, Any], Any, Any, int]:
    """Play a practice by the run plan; return the final position, last answer, plan and spot."""
    position, number = start_practice(seed)
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
def test_hunt_along_a_run_plan_takes_its_ticks_in_practice_and_review(seed: int) -> None:
    position, heard, plan, number = play(seed, stop=3)
    walker = Walker(Plane(), OWN, (2990, 3390), stop=3)
    ticks, scans = walker.follow(plan["tree"], number, {*range(18)})
    shown = run("listen", position, tile=heard["at"], reveal=True, stop=3, listen=True)
    assert (shown["rows"], shown["pulse"]) == ([], heard["pulse"])
    assert (shown["ticks"], shown["scans"]) == (ticks, scans)
    assert shown["route_ticks"] == ticks
    assert shown["route_mean"] == plan["expected_ticks"]
    reviewed = run("review", position, spot=number, stop=3, listen=True)
    assert reviewed["ticks"] == ticks == reviewed["plan_ticks"]
    assert reviewed["plan_scans"] == scans
    assert reviewed["planned"] == pytest.approx(plan["expected_ticks"])
    assert reviewed["loss"] == pytest.approx(0, abs=1e-9)
    assert reviewed["ticks"] == pytest.approx(reviewed["planned"] - reviewed["luck"])
    bits = sum(row["got"] for row in reviewed["scans"])
    assert bits == pytest.approx(math.log2(18))


def test_run_with_changed_rows_is_reviewed_row_by_row() -> None:
    position, heard, _, number = next(
        found
        for found in (play(s, 3) for s in range(30))
        if any(row.get("in_passing") for row in found[0]["observations"][:-1])
    )
    whole = run("review", position, spot=number, stop=3, listen=True)
    first = position["observations"][0]
    cut = position | {"observations": [first, *position["observations"]]}
    twice = run("review", cut, spot=number, stop=3, listen=True)
    assert twice["ticks"] == pytest.approx(twice["planned"] + twice["loss"] - twice["luck"])
    assert twice["ticks"] >= whole["ticks"]
    assert heard["pulse"] in (1, 2, 3)


Hunt = tuple[dict[str, Any], list[Tile], int]


review = partial(run, "review")


def hunt(seed: int, most: int) -> Hunt:
    """Return a hunt with random scans: the final position, the tiles, the spot."""
    r = random.Random(seed)
    spots: list[Spot] = [(20, 15, 0), (40, 25, 0)]
    spots += [(r.randint(0, 60), r.randint(0, 40), 0) for _ in range(r.randint(0, most - 2))]
    spots, reach = [*dict.fromkeys(spots)], r.choice([4, 8])
    xs, ys = sorted(s[0] for s in spots), sorted(s[1] for s in spots)
    true, seen, tiles, left = r.randrange(len(spots)), [], [], set(range(len(spots)))
    while len(left) > 1:
        tile = (r.randint(xs[0] - 5, xs[-1] + 5), r.randint(ys[0] - 5, ys[-1] + 5))
        heard = pulse(tile, spots[true], reach)
        seen.append({"at": [*tile, 0], "pulse": heard})
        tiles.append(tile)
        left = {i for i in left if pulse(tile, spots[i], reach) == heard}
        if heard == 3:
            break
    out = sorted(left - {true})
    position = {"range": reach, "spots": spots, "observations": seen, "ruled_out": out}
    return position, tiles, true


@pytest.mark.parametrize("seed", range(40))
def test_ticks_are_the_planned_ticks_plus_loss_minus_luck(seed: int) -> None:
    position, tiles, true = hunt(seed, 14)
    start, stop = (30, 20), random.Random(seed).choice([0, 1, 3])
    found = review(position, start=start, stop=stop)
    ticks, here = 0, start
    for tile in tiles:
        ticks, here = ticks + walk_ticks(here, tile) + stop, tile
    assert found["ticks"] == ticks + ticks_to_spot(here, position["spots"][true])
    assert found["spot"] == true
    assert found["ticks"] == pytest.approx(found["planned"] + found["loss"] - found["luck"])
    assert [row["tile"] for row in found["scans"]] == [list(tile) for tile in tiles]
    for row in found["scans"]:
        assert row["loss"] >= 0
        assert row["loss"] == pytest.approx(row["expected_ticks"] - row["best_ticks"])
        assert row["after"] >= 1
    assert sum(row["loss"] for row in found["scans"]) == pytest.approx(found["loss"])
    assert sum(row["luck"] for row in found["scans"]) == pytest.approx(found["luck"])


@pytest.mark.parametrize("seed", range(100, 125))
def test_review_of_up_to_six_spots_is_exact(seed: int) -> None:
    position, tiles, true = hunt(seed, 6)
    spots, reach, stop = position["spots"], position["range"], 3
    found = review(position, start=(30, 20), stop=stop)
    exact = Optimum(spots, reach, stop)

    def least(among: list[int], tile: Tile) -> int:
        field = exact.values(sum(1 << i for i in among))
        return int(field[tile[1] - exact.corner[1], tile[0] - exact.corner[0]])

    left, here = list(range(len(spots))), (30, 20)
    for row, tile in zip(found["scans"], tiles, strict=True):
        assert row["best_ticks"] * len(left) == pytest.approx(least(left, here))
        parts = {h: [i for i in left if pulse(tile, spots[i], reach) == h] for h in (1, 2, 3)}
        own = len(left) * (walk_ticks(here, tile) + stop) + least(parts[1], tile)
        own += least(parts[2], tile) + sum(ticks_to_spot(tile, spots[i]) for i in parts[3])
        assert row["expected_ticks"] * len(left) == pytest.approx(own)
        left, here = parts[row["pulse"]], tile
    assert true in left


def test_last_scan_that_leaves_several_spots_is_rated_by_the_mean_over_them() -> None:
    """Two spots are left, one at each side: a way to the named one alone is luck."""
    seen = [{"at": [50, 0], "pulse": 1}]
    position = {"range": 2, "spots": [[30, 0], [70, 0]], "observations": seen}
    found = review(position, start=(46, 0), spot=1)
    plan = run("route", position, start=(50, 0))
    (row,) = found["scans"]
    assert row["expected_ticks"] == pytest.approx(2 + 1 + plan["expected_ticks"])
    assert row["luck"] == pytest.approx(row["expected_ticks"] - found["ticks"])
    assert found["ticks"] == 2 + 1 + 10 < row["expected_ticks"]


def test_spots_ruled_out_by_the_player_stay_out_and_those_by_the_arrow_return() -> None:
    spots = [[0, 0], [2, 0], [30, 0], [60, 0]]
    seen = [{"at": [1, 0], "pulse": 3}]
    position = {"range": 5, "spots": spots, "observations": seen, "ruled_out": [1, 3]}
    row = review(position)["scans"][0]
    assert (row["before"], row["after"]) == (3, 1)  # spot 1 is excluded by the arrow only


def test_review_of_a_practice_begins_at_its_start_and_skips_ignored_rows() -> None:
    hidden = run("practice", {"region": 362}, seed=3)
    spots = run("write", {"region": 362})
    lines = [line.split(",") for line in spots["text"].split("\n") if line]
    x, y = int(lines[0][0]), int(lines[0][1])
    seen = [{"at": [x, y], "pulse": 1, "ignored": True}, {"at": [x, y], "pulse": 3}]
    position = {"region": 362, "observations": seen, "practice": hidden}
    found = review(position, spot=0)
    assert found["start"] == hidden["start"]
    assert len(found["scans"]) == 1
