"""The bound under routes: it holds against exact values, and is what its slow twin says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.scan.engine import bound
from cluewise.desks.scan.engine.bound import Part, Prover, lower_bound
from cluewise.desks.scan.engine.plan import Planner
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import Scene
from cluewise.kernel import Frame, kernel
from reference.scan import Spot, draw_apart
from reference.scan_time import Optimum, together

FAR_ABOVE = 60_000  # ticks


def layout(r: random.Random, count: int) -> tuple[list[Spot], int, tuple[int, int]]:
    side = r.choice([14, 30])
    spots: set[Spot] = set()
    while len(spots) < count:
        spots.add((r.randint(0, side), r.randint(0, side // 2), 0))
    start = r.choice(sorted(spots))[0], r.choice(sorted(spots))[1]
    return sorted(spots), r.choice([2, 4]), start


def planner_of(frame: Frame, spots: list[Spot], reach: int, stop: int) -> Planner:
    scene = Scene.of(Position(range=reach, spots=tuple(spots)))
    return Planner(frame, scene, stop=stop, on_the_way=False, table_bits=12)


def bound_of(planned: tuple[list[Spot], int, tuple[int, int]], stop: int, known: int) -> int:
    spots, reach, start = planned
    with kernel().frame() as frame:
        return finish(lower_bound(frame, planner_of(frame, spots, reach, stop), start, known))


@pytest.mark.parametrize("seed", range(16))
def test_no_bound_of_small_groups_exceeds_the_least_total(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    r = random.Random(seed)
    planned = spots, reach, start = layout(r, r.choice([8, 9, 10]))
    stop = r.choice([0, 1, 3, 6])
    least = Optimum(spots, reach, stop).total(start)
    straight = sum(stop + max(abs(x - start[0]), abs(y - start[1])) // 2 for x, y, _ in spots)
    monkeypatch.setattr(bound, "LARGE", 5)
    for known in (least + 1, least + r.randint(2, 60), 4 * least + 100):
        assert straight <= bound_of(planned, stop, known) <= least


def test_more_first_scans_than_are_looked_at_leave_what_the_groups_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planned = layout(random.Random(3), 10)
    least = Optimum(planned[0], planned[1], 3).total(planned[2])
    monkeypatch.setattr(bound, "LARGE", 5)
    whole = bound_of(planned, 3, least + 40)
    monkeypatch.setattr(bound, "_CELLS", 1)
    assert 0 < bound_of(planned, 3, least + 40) <= whole <= least


def test_without_memory_for_fields_the_bound_is_the_straight_walk_with_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planned = spots, _, start = layout(random.Random(3), 10)
    monkeypatch.setattr(bound, "_FIELDS", (1 << 28, 1 << 6))
    straight = sum(3 + max(abs(x - start[0]), abs(y - start[1])) // 2 for x, y, _ in spots)
    assert bound_of(planned, 3, FAR_ABOVE) == straight


@pytest.mark.parametrize("seed", range(10))
def test_up_to_thirteen_spots_the_bound_is_the_least_total(seed: int) -> None:
    r = random.Random(seed)
    planned = layout(r, r.choice([8, 9, 10]))
    stop = r.choice([0, 1, 3, 6])
    least = Optimum(planned[0], planned[1], stop).total(planned[2])
    assert bound_of(planned, stop, least + r.randint(0, 80)) == least


@pytest.mark.parametrize("seed", range(30))
def test_groups_that_agree_on_their_first_scans_take_what_the_slow_twin_says(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, start = layout(r, r.choice([5, 7, 8]))
    stop, cut = r.choice([0, 1, 3, 6]), r.randint(2, len(spots) - 2)
    order = r.sample(range(len(spots)), len(spots))
    groups = [sum(1 << j for j in chosen) for chosen in (order[:cut], order[cut:])]
    optimum = Optimum(spots, reach, stop)
    first, second = together(optimum, groups, start)
    with kernel().frame() as frame:
        prover = Prover(frame, planner_of(frame, spots, reach, stop), start, FAR_ABOVE)
        parts = [Part(group, 0) for group in groups]
        prover.begin(prover.first, prover.planner.everything)
        for part in parts:
            assert finish(prover.prove(parts, part, together=True))
            prover.add(prover.first, prover.planner.everything)
        apart = sum(part.least for part in parts)
        assert min(cell.least for cell in prover.cells()) == first
        found = min(finish(prover.together(parts)).values())
    assert apart <= first <= found <= second <= optimum.total(start)


@pytest.mark.parametrize("seed", range(10))
def test_with_levels_no_bound_exceeds_the_least_total(seed: int) -> None:
    r = random.Random(seed)
    side = r.choice([20, 30])
    spots: list[Spot] = draw_apart(
        lambda: (r.randint(0, side), r.randint(0, side // 2), r.choice([0, 0, 1])), 8
    )
    reach, start = r.choice([2, 4]), (r.choice(spots)[0], r.choice(spots)[1])
    stop, floor = r.choice([0, 1, 3]), r.choice([0, 1])
    asked: dict[str, Any] = {
        "desk": "scan",
        "want": "route",
        "position": {
            "range": reach,
            "spots": spots,
            "here": start,
            "levels": "use",
            "floor": floor,
        },
        "options": {"stop": stop, "bound": True},
    }
    found = service.run(asked)
    least = Optimum(spots, reach, stop, floor).total(start)
    assert 0 < 8 * found["lower_bound"] <= least + 1e-6 <= 8 * found["expected_ticks"] + 1


@pytest.mark.parametrize("seed", range(5, 8))
def test_walls_lengthen_ways_and_never_lower_the_bound(seed: int) -> None:
    """One stands west of a wall and all spots lie east of it: whoever goes round its end at 41 or
    -41 walks 36 tiles or more to there and 25 from there to within a tile, as no spot is above 15.
    """
    spots, reach, _ = layout(random.Random(seed), 9)
    position = {"range": reach, "spots": spots, "here": (-6, 5)}
    asked = {"desk": "scan", "want": "route", "options": {"bound": True}}
    plain, walled, beside = (
        service.run(asked | {"position": position | {"walls": {"painted": walls}}})
        for walls in ([], [[-3, -40, -3, 40, 1]], [[60, -40, 60, 40, 1]])
    )
    assert 0 < plain["lower_bound"] <= plain["expected_ticks"] < 30 <= walled["expected_ticks"]
    assert plain["lower_bound"] <= walled["lower_bound"] <= walled["expected_ticks"]
    assert beside["lower_bound"] == plain["lower_bound"]  # nobody goes round that one


def test_where_the_fields_do_not_fit_the_bound_is_the_straight_walk_with_a_stop() -> None:
    spots = [[1500 * i, 1500 * ((7 * i) % 10)] for i in range(9)]
    position = {"range": 30, "spots": spots, "here": [6000, 6000]}
    options = {"bound": True, "stop": 3}
    found = service.run({"desk": "scan", "want": "route", "position": position, "options": options})
    straight = sum(max(abs(x - 6000), abs(y - 6000)) // 2 for x, y in spots)
    assert found["lower_bound"] * 9 == pytest.approx(straight + 27)
