"""Plans restricted to a family of states: optimal against the reference, no worse than the seed."""

import random

import pytest

from cluewise.core.work import finish
from cluewise.desks.scan.engine.decision_tree import Node, build, cost
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.restricted_dp import RestrictedDp, SeedState, improve_plan, seeds_of
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadInput
from cluewise.kernel import Frame, kernel
from reference.scan import (
    FAR,
    RestrictedOptimum,
    Spot,
    heuristic_cost,
    pulse,
    ticks_to_spot,
    walk_ticks,
)

FAR_ABOVE = 60_000  # ticks


def layout(r: random.Random, count: int) -> tuple[list[Spot], int, int, Tile]:
    """Return spots, range, stop cost, and a start among the spots."""
    side = r.choice([12, 24])
    spots: set[Spot] = set()
    while len(spots) < count:
        spots.add((r.randint(0, side), r.randint(0, side // 2), r.choice([0, 0, 1])))
    start = r.choice(sorted(spots))[0], r.choice(sorted(spots))[1]
    return sorted(spots), r.choice([2, 4]), r.choice([0, 1, 3, 6]), start


def planner_of(frame: Frame, spots: list[Spot], reach: int, stop: int, levels: bool) -> Planner:
    position = Position(range=reach, spots=tuple(spots), levels="use" if levels else "ignore")
    return Planner(frame, ScanModel.of(position), stop=stop, on_the_way=False, table_bits=12)


@pytest.mark.parametrize("seed", range(48))
def test_optimum_of_a_family_equals_the_reference(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, stop, start = layout(r, r.choice([2, 3, 5, 7, 9]))
    levels = r.random() < 0.3
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, stop, levels)
        family = RestrictedDp(frame, planner)
        seeds = [SeedState(planner.everything, start, r.choice([0, 1, 3]))]
        for _ in range(r.choice([0, 4])):
            some = r.getrandbits(len(spots))
            if some.bit_count() > 1:
                seeds.append(SeedState(some, start, r.choice([0, 2])))
        assert finish(family.find(seeds, FAR_ABOVE))
        slow = RestrictedOptimum(spots, reach, stop, planner.scene.floor if levels else None)
        slow.members = frozenset(family.members())
        assert {s.spots for s in seeds} <= slow.members
        least = slow.total((start[0], start[1]))
        total, tile = family.least(planner.everything, start)
        assert (total, tile is None) == ((least, False) if least < FAR else (total, True))
        if tile is None:
            return
        for name, left in planner.answers(tile, planner.everything).items():
            if not name.startswith("3") and left.bit_count() > 1:
                x, y = tile[0] - slow.corner[0], tile[1] - slow.corner[1]
                assert family.least(left, tile)[0] == slow.values(left)[y, x]
        assert finish(family.find(seeds, least + 1))
        assert family.least(planner.everything, start) == (total, tile)


def scan_score(
    spots: list[Spot], reach: int, stop: int, here: tuple[int, int], tile: tuple[int, int]
) -> float:
    left = [[s for s in spots if pulse(tile, s, reach) == answer] for answer in (1, 2)]
    total: float = len(spots) * (walk_ticks(here, tile) + stop)
    total += sum(ticks_to_spot(tile, s) for s in spots)
    return total + sum(heuristic_cost(some, reach, stop, tile) for some in left)


@pytest.mark.parametrize("seed", range(40))
def test_scans_are_ranked_by_walks_and_heuristic_cost_to_go(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, stop, start = layout(r, r.choice([2, 5, 12, 20]))
    here = start[0], start[1]
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, stop, levels=False)
        room = r.choice([1, 3, 32])
        first = planner.actions(planner.everything, here, "search", room)
        totals = [scan_score(spots, reach, stop, here, (a.at[0], a.at[1])) for a in first]
        assert totals == pytest.approx(sorted(totals))
        more = planner.actions(planner.everything, here, "search", 32)
        assert totals[0] + 1e-6 >= scan_score(
            spots, reach, stop, here, (more[0].at[0], more[0].at[1])
        )


def is_whole(planner: Planner, node: Node, spots: int, here: Tile) -> bool:
    """Return whether answers follow the rules, paths are connected and no branch is open."""
    return (
        (node.spots, node.here) == (spots, here)
        and {one.name: one.spots for one in node.outcomes} == planner.answers(node.at, spots)
        and all(
            one.then is not None and is_whole(planner, one.then, one.spots, node.at)
            for one in node.outcomes
            if one.is_open
        )
    )


@pytest.mark.parametrize("seed", range(40))
def test_improved_plan_is_complete_and_takes_no_more_ticks(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, stop, start = layout(r, r.choice([2, 4, 8, 12, 20]))
    start = start[0] + r.choice([0, 0, 60]), start[1]
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, stop, r.random() < 0.3)
        tree = finish(build(planner, planner.everything, start, "search", r.choice([0, 2])))
        assert tree is not None
        before = cost(planner, tree, planner.everything, start)
        better, after = finish(improve_plan(planner, tree, start, r.choice([0, 2])))
        assert after == cost(planner, better, planner.everything, start)
        assert is_whole(planner, better, planner.everything, start)
        assert after.ticks <= before.ticks
        assert cost(planner, tree, planner.everything, start) == before
        family = RestrictedDp(frame, planner)
        assert finish(family.find(seeds_of(better, 0), FAR_ABOVE))
        assert family.least(planner.everything, start)[0] <= after.ticks


def test_plan_is_unchanged_on_a_map_too_large_for_cost_fields() -> None:
    spots = [(0, 0, 0), (15_000, 15_000, 0), (9, 2, 0)]
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, 5, 1, levels=False)
        tree = finish(build(planner, planner.everything, (0, 0), "search", 1))
        assert tree is not None
        plan = tree, cost(planner, tree, planner.everything, (0, 0))
        assert finish(improve_plan(planner, tree, (0, 0))) == plan


def test_plan_is_unchanged_without_enough_memory() -> None:
    with kernel().frame() as frame, kernel().frame() as other:
        planner = planner_of(frame, [(0, 0, 0), (20, 3, 0), (9, 14, 0)], 5, 1, levels=False)
        tree = finish(build(planner, planner.everything, (0, 0), "search", 1))
        assert tree is not None
        other.reserve(kernel().free() - (1 << 20))
        plan = tree, cost(planner, tree, planner.everything, (0, 0))
        assert finish(improve_plan(planner, tree, (0, 0))) == plan


def test_invalid_seed_states_are_refused() -> None:
    with kernel().frame() as frame:
        planner = planner_of(frame, [(0, 0, 0), (20, 3, 0), (9, 14, 0)], 5, 1, levels=False)
        family = RestrictedDp(frame, planner)
        for seeds in (
            [SeedState(1, (0, 0), 0)],
            [SeedState(3, (0, 0), 0), SeedState(7, (0, 0), 0)],
        ):
            with pytest.raises(BadInput):
                finish(family.find(seeds, 100))
        with pytest.raises(BadInput):
            family.least(7, (0, 0))
