"""Run plans, which watch the pulse while walking: replayed, never slower than scan plans."""

import random

import msgspec
import pytest

from asking import ask_scan as ask
from cluewise.core.work import SliceTimer, finish
from cluewise.desks.scan.engine.best_plan import QUICK, search_effort
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.runs import RunSearch, make_run
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import by_id
from cluewise.desks.scan.scene import ScanModel
from cluewise.kernel import kernel
from reference.scan import Spot
from reference.scan_walker import replay
from reference.scan_walks import Plane, entry_key, layout, listener, run, watched_from

SIDES, REACHES = [12, 40, 90], [0, 2, 5, 11]  # tiles


@pytest.mark.parametrize("seed", range(80))
def test_run_plans_take_their_stated_ticks_and_never_more_than_scan_plans(seed: int) -> None:
    spots, reach, stop, start = layout(seed, SIDES, REACHES)
    position = {"range": reach, "spots": spots, "here": start}
    scan_plan = ask("route", position, stop=stop)
    heard = ask("route", position, stop=stop, listen=True, reaction=seed % 5)
    replay(Plane(), position, heard, stop=stop, reaction=seed % 5)
    assert heard["expected_ticks"] <= scan_plan["expected_ticks"]
    assert heard["baseline_ticks"] == scan_plan["baseline_ticks"]


@pytest.mark.sampled(of="scan, whole regions")
@pytest.mark.parametrize("region", [349, 352, 356, 362, 364, 370])
def test_run_plans_of_whole_regions_take_their_stated_ticks(region: int) -> None:
    found = by_id()[region]
    own = {"spots": found.spots, "range": found.range}
    for stop in (1, 3):
        heard = ask("route", {"region": region}, stop=stop, listen=True)
        replay(Plane(), own, heard, stop=stop)
        scan_plan = ask("route", {"region": region}, stop=stop)
        assert heard["expected_ticks"] <= scan_plan["expected_ticks"]
    assert (
        heard["expected_ticks"] < scan_plan["expected_ticks"]
    )  # where stops are dear it always pays


@pytest.mark.parametrize("seed", range(40))
def test_in_every_state_of_a_plan_runs_never_take_longer_than_scans(seed: int) -> None:
    spots, reach, stop, start = layout(seed, SIDES, REACHES)
    route = ask("route", {"range": reach, "spots": spots, "here": start}, stop=stop, listen=True)
    stack = [(route["tree"], start, frozenset(range(len(spots))))]
    hear = listener(reach, 0, False)
    while stack:
        node, here, left = stack.pop()
        if "tile" not in node or len(left) < 2:
            continue
        out = sorted({*range(len(spots))} - left)
        state = {"range": reach, "spots": spots, "here": here, "ruled_out": out}
        heard = ask("route", state, stop=stop, listen=True)["expected_ticks"]
        assert heard <= ask("route", state, stop=stop)["expected_ticks"]
        tile = (node["tile"][0], node["tile"][1])
        for heard in node.get("heard", []):
            parts = run(spots, set(left), hear, here, tile, stop)
            group = next(part.spots for part in parts if part.key == entry_key(heard))
            stack.append((heard["then"], (heard["at"][0], heard["at"][1]), group))
        for name, child in node.get("answers", {}).items():
            same = frozenset(s for s in left if hear(tile, spots[s])[0] == int(name))
            stack.append((child, tile, same))


@pytest.mark.parametrize("seed", range(40))
def test_total_of_every_state_is_at_most_that_of_the_scan_search(seed: int) -> None:
    spots, reach, stop, start = layout(300 + seed, SIDES, REACHES)
    at = {"range": reach, "spots": spots, "here": start}
    scene = ScanModel.of(msgspec.convert(at, Position))
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=stop, on_the_way=False, table_bits=17)
        listener = RunSearch(planner, 1)
        allowance, pace = search_effort(planner, QUICK), SliceTimer(first=16)

        def total_of(left: int, here: Tile) -> int:
            total, step = finish(listener.first(left, here, QUICK, pace))
            assert total <= finish(planner.search(left, here, allowance, pace, every=False))[0]
            if step is not None:  # the kernel's total is one of the answers that the step has here
                after = (
                    h.ticks * h.spots.bit_count()
                    + (
                        total_of(h.spots, h.at)
                        if h.is_open
                        else planner.straight_total(h.at, h.spots)
                    )
                    for h in step.outcomes
                )
                assert sum(after) <= total
            return total

        if len(spots) > 1:
            total_of(planner.everything, start)


@pytest.mark.parametrize("seed", range(20))
def test_next_begins_the_same_run_as_the_route(seed: int) -> None:
    spots, reach, stop, start = layout(100 + seed, SIDES, REACHES)
    position = {"range": reach, "spots": spots, "here": start}
    route = ask("route", position, stop=stop, listen=True)
    advice = ask("next", position, stop=stop, listen=True)
    if not advice["options"]:
        assert "tile" not in route["tree"]
        return
    first = advice["options"][0]
    assert first["tile"] == route["tree"]["tile"]
    assert first["expected_ticks"] == route["expected_ticks"]
    changes = advice.get("changes")
    assert (changes is not None) == ("heard" in route["tree"])
    if changes:
        assert sum(change["leaves"] for change in changes) == advice["remaining"]
        for change, heard in zip(changes, route["tree"]["heard"], strict=True):
            assert change == {key: heard[key] for key in change}
        assert advice.get("from") == route["tree"].get("from")


@pytest.mark.parametrize("seed", range(40))
def test_rows_of_an_answer_leave_its_spots(seed: int) -> None:
    spots, reach, stop, start = layout(200 + seed, SIDES, REACHES)
    position = {"range": reach, "spots": spots, "here": start}
    advice = ask("next", position, stop=stop, listen=True)
    parts = [] if not advice.get("changes") else advice["changes"]
    if parts:
        tile = tuple(advice["options"][0]["tile"])
        run_parts = run(spots, set(range(len(spots))), listener(reach, 0, False), start, tile, stop)
    for change in parts:
        group = {s for part in run_parts if part.key == entry_key(change) for s in part.spots}
        noted = msgspec.convert(position | {"observations": change["rows"]}, Position)
        assert group <= {*ScanModel.of(noted).fitting}
        assert change["leaves"] == len(group)


@pytest.mark.parametrize("seed", range(60))
def test_answers_of_a_run_equal_the_definition(seed: int) -> None:
    r = random.Random(seed)
    spots, reach, stop, start = layout(400 + seed, SIDES, REACHES)
    scene = ScanModel.of(msgspec.convert({"range": reach, "spots": spots}, Position))
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=stop)
        for reaction in range(5):
            tile = (start[0] + r.randint(-60, 60), start[1] + r.choice([0, 1, r.randint(-60, 60)]))
            if tile == start:
                continue
            leg = make_run(planner, planner.everything, start, tile, reaction)
            hear, left = listener(reach, 0, False), set(range(len(spots)))
            parts = run(spots, left, hear, start, tile, stop, reaction)
            heard: dict[object, int] = {
                (h.at, h.ticks, h.scanned, h.pulses, h.seen): h.spots for h in leg.outcomes
            }
            assert {part.key for part in parts} == {*heard}
            if leg.since is not None:
                assert leg.since == watched_from(spots, left, hear, [(x, y) for x, y in leg.places])
            for part in parts:
                assert all(heard[part.key] >> s & 1 for s in part.spots)


def test_run_plans_with_the_level_sign_take_their_stated_ticks() -> None:
    spots: list[Spot] = [(0, 0, 0), (25, 3, 1), (40, 30, 0), (5, 33, 1), (60, 8, 0), (22, 22, 1)]
    position = {"range": 6, "spots": spots, "here": (30, 15), "levels": "use"}
    heard = ask("route", position, stop=3, listen=True)
    replay(Plane(), position, heard, stop=3)
    assert heard["expected_ticks"] <= ask("route", position, stop=3)["expected_ticks"]


def test_above_64_spots_run_plans_equal_scan_plans() -> None:
    many = {"range": 5, "spots": [[7 * i, 3 * i] for i in range(70)]}
    heard, scan_plan = ask("route", many, listen=True), ask("route", many)
    assert heard["tree"] == scan_plan["tree"]
    assert heard["expected_ticks"] == scan_plan["expected_ticks"]


def test_more_time_never_lengthens_a_run_plan() -> None:
    position = {"region": 362}
    quick = ask("route", position, stop=3, listen=True)
    long = ask("route", position, stop=3, listen=True, seconds=3.0)
    assert long["expected_ticks"] <= quick["expected_ticks"]


def test_runs_never_lengthen_a_plan_of_very_many_scans() -> None:
    position = {"region": 36, "here": [3176, 3935]}
    plain, listening = (
        ask("route", position, stop=1, listen=on)["expected_ticks"] for on in (False, True)
    )
    assert listening <= plain
