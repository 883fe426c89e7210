"""A hunt looked back on: ticks walked literally, exact values, luck apart from skill."""

import random
from functools import partial
from typing import Any

import pytest

from asking import ask_scan
from reference.scan import Optimum, Spot, Tile, pulse, ticks_to_spot, walk_ticks

Hunt = tuple[dict[str, Any], list[Tile], int]


review = partial(ask_scan, "review")


def hunt(seed: int, most: int) -> Hunt:
    """A hunt of a player who scans anywhere: the position at its end, the tiles, the spot."""
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
def test_ticks_are_the_plan_s_and_what_was_given_away_less_the_luck(seed: int) -> None:
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
def test_of_few_spots_every_value_is_the_exact_one(seed: int) -> None:
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


def test_spots_ruled_out_by_hand_stay_out_and_those_of_the_arrow_come_back() -> None:
    spots = [[0, 0], [2, 0], [30, 0], [60, 0]]
    seen = [{"at": [1, 0], "pulse": 3}]
    position = {"range": 5, "spots": spots, "observations": seen, "ruled_out": [1, 3]}
    row = review(position)["scans"][0]
    assert (row["before"], row["after"]) == (3, 1)  # 1 was the arrow's to show, 3 was out before


def test_a_practice_begins_where_it_began_and_ignored_rows_are_no_scans() -> None:
    hidden = ask_scan("practice", {"region": 362}, seed=3)
    spots = ask_scan("write", {"region": 362})
    lines = [line.split(",") for line in spots["text"].split("\n") if line]
    x, y = int(lines[0][0]), int(lines[0][1])
    seen = [{"at": [x, y], "pulse": 1, "ignored": True}, {"at": [x, y], "pulse": 3}]
    position = {"region": 362, "observations": seen, "practice": hidden}
    found = review(position, spot=0)
    assert found["start"] == hidden["start"]
    assert len(found["scans"]) == 1
