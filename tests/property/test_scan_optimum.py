"""The least plan of all: it is what the programme over all tiles says, or nothing is said."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cluewise import service
from cluewise.core.work import Progress, finish
from cluewise.desks.scan.engine.optimum import Least, can_prove, least_plan
from cluewise.desks.scan.engine.plan import Planner
from cluewise.desks.scan.engine.tree import Node, cost
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import Scene
from cluewise.errors import BadInput
from cluewise.kernel import Frame, kernel
from reference.scan import Spot, pulse, ticks_to_spot, walk_ticks
from reference.scan_time import Optimum
from sampling import sample

Layout = tuple[list[Spot], int, tuple[int, int]]


def layout(r: random.Random, count: int) -> Layout:
    """Some spots, a range, and a start that may lie outside of all squares."""
    side, high = r.choice([(14, 8), (30, 15), (40, 6)])
    spots: set[Spot] = set()
    while len(spots) < count:
        spots.add((r.randint(0, side), r.randint(0, high), 0))
    start = r.randint(-2, side + 2), r.randint(-2, high + 2)
    return sorted(spots), r.choice([2, 3, 5]), start


def planner_of(frame: Frame, spots: list[Spot], reach: int, stop: int, floor: int = 0) -> Planner:
    levels = any(level for _, _, level in spots)
    position = Position(
        range=reach, spots=tuple(spots), floor=floor, levels="use" if levels else "ignore"
    )
    return Planner(frame, Scene.of(position), stop=stop, on_the_way=False, table_bits=12)


def replayed(spots: list[Spot], reach: int, stop: int, tree: Node) -> int:
    """A plan's total, told spot by spot from the pulses it gives."""
    total = 0
    for spot in spots:
        node, here = tree, (tree.here[0], tree.here[1])
        while True:
            tile = node.at[0], node.at[1]
            total += walk_ticks(here, tile) + stop
            here, heard = tile, str(pulse(tile, spot, reach))
            if heard not in node.children:
                total += ticks_to_spot(here, spot)
                break
            node = node.children[heard]
    return total


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(60))
def test_it_is_what_the_programme_over_all_tiles_says(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, start = layout(r, r.choice([8, 9, 10, 11]))
    stop = r.choice([0, 1, 3, 6])
    least = Optimum(spots, reach, stop).total(_inside(spots, reach, start))
    start = _inside(spots, reach, start)
    for known in (least - 1, least, least + 1, least + r.randint(2, 40), 3 * least + 50):
        if known < 1:
            continue
        with kernel().frame() as frame:
            planner = planner_of(frame, spots, reach, stop)
            found = finish(least_plan(planner, start, known))
            assert found is not None
            assert found.total == min(known, least)
            assert (found.tree is None) == (known <= least)
            if found.tree is not None:
                assert cost(planner, found.tree, planner.everything, start).ticks == least
                assert replayed(spots, reach, stop, found.tree) == least


def _inside(spots: list[Spot], reach: int, start: tuple[int, int]) -> tuple[int, int]:
    """A start where the slow twin has values."""
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    x = min(max(start[0], min(xs) - 2 * reach), max(xs) + 2 * reach)
    return x, min(max(start[1], min(ys) - 2 * reach), max(ys) + 2 * reach)


@pytest.mark.parametrize("seed", range(16))
def test_with_six_answers_too(seed: int) -> None:
    r = random.Random(seed)
    plain, reach, start = layout(r, r.choice([8, 9, 10]))
    spots = [(x, y, r.choice([0, 0, 1])) for x, y, _ in plain[:-1]] + [(*plain[-1][:2], 1)]
    stop, floor, start = r.choice([0, 1, 3]), r.choice([0, 1]), _inside(plain, reach, start)
    least = Optimum(spots, reach, stop, floor).total(start)
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, stop, floor)
        assert planner.with_levels
        found = finish(least_plan(planner, start, 2 * least + 30))
        assert found is not None
        assert found.tree is not None
        assert found.total == cost(planner, found.tree, planner.everything, start).ticks == least


def test_from_far_away_the_walk_there_counts() -> None:
    """All spots are as far as the nearest corner of their box; the whole way is walked once."""
    spots: list[Spot] = [(200 + 9 * i, 200 + 9 * ((3 * i) % 8), 0) for i in range(8)]
    with kernel().frame() as frame:
        near = finish(least_plan(planner_of(frame, spots, 4, 1), (190, 190), 9_000))
        far = finish(least_plan(planner_of(frame, spots, 4, 1), (0, 0), 9_000))
    assert near is not None
    assert far is not None
    assert far.tree is not None
    assert far.total == replayed(spots, 4, 1, far.tree)
    assert near.total < far.total <= near.total + 8 * 95  # 190 tiles are 95 ticks


def test_without_room_or_work_nothing_is_said() -> None:
    spots, reach, start = layout(random.Random(5), 11)
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, 3)
        assert finish(least_plan(planner, start, 5_000)) is not None
        assert finish(least_plan(planner, start, 5_000, work=1)) is None
        assert finish(least_plan(planner, start, 5_000, rooms=(1 << 12,))) is None
        assert finish(least_plan(planner, start, 5_000, rooms=(1 << 40,))) is None


def test_whatever_the_room_what_is_said_is_true() -> None:
    """Where work breaks off for want of room, in whatever stage, it does so without an answer."""
    spots, reach, start = layout(random.Random(8), 11)
    start = _inside(spots, reach, start)
    least = Optimum(spots, reach, 3).total(start)
    said = []
    for room in sample(range(1 << 18, 1 << 22, 1 << 15)):
        with kernel().frame() as frame:
            job = least_plan(planner_of(frame, spots, reach, 3), start, 900, rooms=(room,))
            said.append(finish(job))
    assert None in said
    assert {found.total for found in said if found is not None} == {least}


def test_work_that_is_broken_off_leaves_the_kernel_as_it_was() -> None:
    spots, reach, start = layout(random.Random(2), 11)
    before = kernel().free()
    with kernel().frame() as frame:
        job = least_plan(planner_of(frame, spots, reach, 1), start, 5_000)
        next(job)
        job.close()
    assert kernel().free() == before


def test_what_it_is_not_made_for_is_refused() -> None:
    spots, reach, start = layout(random.Random(1), 8)
    with kernel().frame() as frame:
        planner = planner_of(frame, spots, reach, 1)
        assert can_prove(planner)
        planner.listen_on_the_way(True)
        assert not can_prove(planner)
        with pytest.raises(BadInput):
            finish(least_plan(planner, start, 500))


def ask(position: dict[str, Any], **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = service.run(
        {"desk": "scan", "want": "route", "position": position, "options": options}
    )
    return found


def test_a_route_with_its_bound_is_the_best_there_is() -> None:
    """Piscatoris from the middle, three ticks a stop: the plan made at once is not the best."""
    quick, best = ask({"region": 355}, stop=3), ask({"region": 355}, stop=3, bound=True)
    assert best["expected_ticks"] == best["lower_bound"] < quick["expected_ticks"]
    simple = ask({"region": 355}, stop=3, bound=True, policy="bits")
    assert simple["lower_bound"] == pytest.approx(best["lower_bound"])
    assert simple["expected_ticks"] == simple["baseline_ticks"] > best["expected_ticks"]


def test_what_cannot_be_proved_has_a_bound_of_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cluewise.desks.scan.verbs.route.least_plan", _nothing)
    found = ask({"region": 355}, stop=3, bound=True)
    assert 0.8 * found["expected_ticks"] < found["lower_bound"] < found["expected_ticks"]


def _nothing(*_asked: Any) -> Any:
    return None
    yield  # a job


def test_of_many_spots_a_bound_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the best of all is looked for, which may take long, a bound is shown already."""

    def looked_for(*_asked: Any) -> Any:
        yield Progress(0, None, "looking")
        return Least(1, None)

    monkeypatch.setattr("cluewise.desks.scan.verbs.route.least_plan", looked_for)
    asked = {"desk": "scan", "want": "route", "options": {"bound": True, "stop": 1}}
    steps = service.start({**asked, "position": {"region": 36}})
    seen: list[Any] = [step.best for step in steps if step.note == "looking"]
    assert seen
    assert all(best.lower_bound is not None for best in seen)
