"""The fewest scans, against totals that other programs proved and against a slow search."""

import random
from functools import partial

import pytest

from asking import ask_scan, vectors
from cluewise.errors import BadInput
from reference import scan as slow
from reference.scan_route_replay import distances

VECTORS = vectors("scan")
FEWEST = VECTORS["fewest_scans"]
SMALL = [str(i) for i in FEWEST["small"]]
LARGE = [i for i in FEWEST["totals"] if i not in SMALL]


fewest = partial(ask_scan, "fewest", seconds=60.0)


def agree(region: str, seconds: float = 60.0) -> None:
    expected, result = FEWEST["totals"][region], fewest({"region": int(region)}, seconds=seconds)
    assert result["proved"]
    assert (result["total"], result["spots"]) == (expected["total"], expected["spots"])
    assert result["at_least"] == result["total"] <= result["greedy_total"]


@pytest.mark.parametrize("region", SMALL)
def test_the_small_regions_need_the_scans_that_were_proved(region: str) -> None:
    agree(region)


@pytest.mark.long
@pytest.mark.parametrize("region", LARGE)
def test_every_other_region_needs_the_scans_that_were_proved(region: str) -> None:
    agree(region, 600.0)


@pytest.mark.parametrize("seed", range(50))
def test_a_slow_search_over_all_profiles_finds_the_same(seed: int) -> None:
    r = random.Random(seed)
    reach, side, floor = r.choice([1, 2, 3]), r.choice([4, 9, 14]), r.choice([0, 1])
    count, levels = r.randint(2, 7), seed % 2
    spots = [
        (r.randint(0, side), r.randint(0, side), levels * r.choice([0, 0, 1])) for _ in range(count)
    ]
    asked: dict[str, object] = {"levels": "use", "floor": floor} if levels else {}
    position = {"range": reach, "spots": spots} | asked
    find = partial(slow.fewest_scans, spots, reach, floor * levels, bool(levels))
    assert fewest(position)["total"] == find()
    for doubt in ({"slack": 1}, {"misread": 5}):
        try:
            total = find(slack=doubt.get("slack", 0), misread="misread" in doubt)
        except ValueError:  # some spots are never told apart for certain
            with pytest.raises(BadInput, match="No number of scans"):
                fewest(position | doubt)
            continue
        got = fewest(position | doubt)
        assert (got["total"], got["at_least"], got["proved"]) == (total, find(), total == find())


def test_without_time_the_bounds_are_honest() -> None:
    result = fewest({"region": 356}, seconds=0.0)
    assert not result["proved"]
    assert result["at_least"] <= FEWEST["totals"]["356"]["total"] <= result["total"]


def test_with_levels_six_answers_are_counted() -> None:
    assert fewest({"region": 365})["total"] == 38
    assert fewest({"region": 365, "levels": "use"})["total"] == 34


@pytest.mark.parametrize("seed", range(15))
def test_between_walls_only_tiles_one_can_walk_to_are_scanned_from(seed: int) -> None:
    r = random.Random(seed)
    spots = [(r.randint(0, 9), r.randint(0, 9), 0) for _ in range(5)]
    strokes = [[x, y, x + 2, y + 3, 1] for x, y in [(r.randint(-3, 9), r.randint(-3, 9))] * 2]
    strokes += [[2, -20, 3, 20, 1], [6, 0, 6, 40, 1]]
    walls = {(a, b) for x, y, u, v, _ in strokes for a in range(x, u + 1) for b in range(y, v + 1)}
    here = (-4, -4)
    position = {"range": 2, "spots": spots, "walls": {"painted": strokes}, "here": here}
    x0, x1, y0, y1 = slow.window(spots, 2)
    reached = distances([here], walls, (-30, -30, 60, 60))
    near = [{(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} for x, y, _ in spots]
    if not all(tiles & set(reached) for tiles in near):
        with pytest.raises(BadInput, match="cannot be reached"):
            fewest(position)
        return
    result = fewest(position)
    tiles = [t for t in reached if x0 <= t[0] <= x1 and y0 <= t[1] <= y1]
    assert result["proved"]
    assert result["total"] == slow.fewest_scans(spots, 2, tiles=tiles)


@pytest.mark.parametrize("seed", range(20))
def test_over_stairs_scans_are_made_on_every_floor_that_they_lead_to(seed: int) -> None:
    r = random.Random(seed)
    spots = [(r.randint(0, 12), r.randint(0, 12), r.choice([0, 1, 1, 2])) for _ in range(6)]
    spots += [(20, 3, 1), (3, 20, 0)]
    position = {"range": 2, "spots": spots, "levels": "use", "here": [-9, -9]}
    position["stairs"] = [{"at": [-6, -6, 0], "to": [-6, -6, 1], "ticks": 2}]
    if seed % 4:
        stroke = [4, -3, 4, 30, 1] if seed % 2 else [90, 90, 90, 90, 1]
        position["walls"] = {"floors": [{"level": 0, "painted": [stroke]}]}
    left, (x0, x1, y0, y1) = [spot for spot in spots if spot[2] < 2], slow.window(spots, 2)
    tiles = [(x, y, n) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1) for n in (0, 1)]
    tiles = [t for t in tiles if not (seed % 2 and t[2] == 0 and t[0] == 4 and -3 <= t[1] <= 30)]
    result = fewest(position | {"floor": 0})
    least = slow.fewest_scans(left, 2, 0, True, tiles)
    assert (result["spots"], result["proved"], result["total"]) == (len(left), True, least)
    assert (result["beyond"] or []) == [i for i, spot in enumerate(spots) if spot[2] == 2]


def test_nothing_is_proved_where_walls_hide_spots_from_every_scan() -> None:
    # Range 0: only standing on a spot informs, and both spots lie in walls.
    painted = [[10, 0, 10, 0, 1], [20, 0, 20, 0, 1]]
    position = {"range": 0, "spots": [[10, 0], [20, 0]], "here": [15, 0]}
    result = fewest(position | {"walls": {"painted": painted}})
    assert (result["proved"], result["at_least"]) == (False, 0)
