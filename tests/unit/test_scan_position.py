"""Scan positions: their remaining spots, contradictions, regions and start tiles."""

import json
import random
import re
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_scan as run
from cluewise import service
from cluewise.core.seal import seal
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import by_id, landings, regions
from cluewise.desks.scan.scene import ScanModel, could_pulse
from cluewise.desks.scan.walls import Walls, nearest_free
from cluewise.errors import BadInput
from reference import scan as slow


@settings(deadline=None, max_examples=200)
@given(
    st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.just(0)),
    st.integers(0, 4),
    st.sampled_from([1, 2, 3]),
)
def test_area_keeps_a_spot_if_any_of_its_tiles_can_give_the_answer(
    corner: tuple[int, int, int, int], spot: tuple[int, int, int], reach: int, answer: int
) -> None:
    x, y, wide, high = corner
    tiles = [(x + i, y + j) for i in range(wide + 1) for j in range(high + 1)]
    expected = any(slow.pulse(t, spot, reach) == answer for t in tiles)
    assert could_pulse((x, y, x + wide, y + high), spot, reach, answer) == expected


@settings(deadline=None, max_examples=150)
@given(
    st.integers(0, 2),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 30), st.integers(0, 1)), min_size=1),
    st.tuples(st.integers(0, 9), st.integers(0, 30), st.integers(0, 9), st.integers(0, 9)),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([None, True, False]),
    st.integers(0, 1),
    st.booleans(),
)
def test_remaining_spots_are_those_that_can_give_the_answer(
    reach: int, spots: list[Any], place: Any, answer: int, flag: bool | None, floor: int, far: bool
) -> None:
    x, y, wide, high = place
    y += 6400 if far else 0  # where complements lie
    seen = {"pulse": answer, "area": [x, y, x + wide, y + high], "different_level": flag}
    tiles = [(x + i, y + j) for i in range(wide + 1) for j in range(high + 1)]
    expected = [
        i
        for i, s in enumerate(spots)
        if any(
            slow.answer(t, s, reach, floor, True)[0] == answer
            and flag in (None, slow.answer(t, s, reach, floor, True)[1])
            for t in tiles
        )
    ]
    position = {"range": reach, "spots": spots, "levels": "use", "floor": floor}
    parsed = service.validate({**position, "observations": [seen]}, Position, BadInput)
    assert ScanModel.of(parsed).remaining == expected


def test_meerkats_add_five_to_the_range() -> None:
    plain = run("classes", {"range": 9, "spots": [[0, 0], [30, 4]]})
    assert run("classes", {"range": 4, "meerkats": True, "spots": [[0, 0], [30, 4]]}) == plain


@pytest.mark.parametrize("seed", range(30))
def test_doubt_finds_all_smallest_sets_and_single_repairs(seed: int) -> None:
    r = random.Random(seed)
    spots = [[r.randint(0, 12), r.randint(0, 12), 0] for _ in range(r.randint(1, 6))]
    seen: list[dict[str, Any]] = [
        {"at": [r.randint(0, 12), r.randint(0, 12), 0], "pulse": r.randint(1, 3)}
        for _ in range(r.randint(1, 6))
    ]
    gone = r.sample(range(len(spots)), r.randint(0, len(spots)))
    position = {"range": 3, "spots": spots, "observations": seen, "ruled_out": gone}
    result = run("doubt", position)
    excluded = [
        frozenset(i for i, s in enumerate(spots) if slow.pulse(o["at"], s, 3) != o["pulse"])
        for o in seen
    ] + [frozenset([i]) for i in gone]
    everything = frozenset(range(len(spots)))
    contradictory = frozenset().union(*excluded) == everything
    assert result["contradiction"] == contradictory
    expected = slow.smallest_covers(excluded, everything) if contradictory else []
    assert result["smallest"] == expected
    for i, clue in enumerate(excluded):
        others = frozenset().union(*(e for j, e in enumerate(excluded) if j != i))
        assert (i in result["redundant"]) == (clue <= others)
    for repair in result["repairs"]:
        changed = dict(position)
        if repair["pulse"] is None:
            changed["ruled_out"] = [
                g for j, g in enumerate(gone) if j + len(seen) != repair["clue"]
            ]
        else:
            clues = [dict(o) for o in seen]
            clues[repair["clue"]]["pulse"] = repair["pulse"]
            changed["observations"] = clues
        assert run("classes", changed)["remaining"] == repair["remaining"] > 0
    assert bool(result["repairs"]) <= contradictory


@pytest.mark.parametrize("region", [368, 371])
def test_region_on_one_floor_is_entered_on_that_floor(region: int) -> None:
    x, y, _ = by_id()[region].spots[3]
    seen = {"at": [x + 3, y], "pulse": 3, "different_level": False}
    position = {"region": region, "levels": "use", "observations": [seen]}
    scene = ScanModel.of(msgspec.convert(position, Position))
    assert scene.floor == 1
    assert 3 in scene.remaining
    assert ScanModel.of(msgspec.convert(position | {"floor": 0}, Position)).remaining == []


def test_without_a_current_tile_the_start_is_that_of_the_last_counted_pulse() -> None:
    seen = [
        {"at": [2950, 3330], "pulse": 2},
        {"area": [3000, 3350, 3011, 3361], "pulse": 2},
        {"at": [1, 1], "pulse": 1, "ignored": True},
    ]
    starts = []
    for count in (1, 2, 3):
        position = {"region": 364, "observations": seen[:count]}
        starts.append(ScanModel.of(msgspec.convert(position, Position)).start)
    assert starts == [(2950, 3330), (3005, 3355), (3005, 3355)]
    hidden = {"region": 364, "practice": {"start": [2990, 3390], "sealed": seal("5", "scan")}}
    assert ScanModel.of(msgspec.convert(hidden, Position)).start == (2990, 3390)


def test_landings_lie_in_their_regions_and_their_licence_is_shipped() -> None:
    rows = [(region, one) for region, found in landings().items() for one in found]
    assert len({(one.group, one.name, one.at) for _, one in rows}) == 194
    for number, one in rows:
        region = by_id()[number]
        grow = 2 * region.range + 1
        for axis in (0, 1):
            values = [spot[axis] for spot in region.spots]
            assert min(values) - grow <= one.at[axis] <= max(values) + grow
    licence = resources.files("cluewise.desks.scan").joinpath("teleports.LICENSE.md").read_text()
    assert "Copyright (c) 2024 Lukas Gail" in licence
    assert "The above copyright notice and this permission notice shall be included" in licence


PAGE = Path(__file__).parents[2] / "web" / "desks" / "scan" / "regions.js"


def test_page_has_the_same_regions() -> None:
    lines = re.findall(r"^  (\{.*\}),$", PAGE.read_text(), re.MULTILINE)
    kept = [json.loads(line) for line in lines]
    assert [(r["id"], r["name"], r["tier"], r["range"]) for r in kept] == [
        (r.id, r.name, r.tier, r.range) for r in regions()
    ]
    assert [[tuple(s) for s in r["spots"]] for r in kept] == [list(r.spots) for r in regions()]


def test_tile_without_a_free_tile_nearby_is_unchanged() -> None:
    walls = Walls(painted=((0, 0, 20, 20, 1),))
    assert nearest_free(walls, (10, 10), within=5) == (10, 10)
    assert nearest_free(walls, (10, 10), within=11) == (-1, -1)
