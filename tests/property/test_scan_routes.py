"""Routes: every tree is replayed for every spot, and the stated means are checked."""

import math
import random
from itertools import product
from operator import itemgetter
from typing import Any

import pytest

from asking import ask_scan as run
from cluewise.core.work import finish
from cluewise.desks.scan.engine import decision_tree as wide
from cluewise.desks.scan.engine.planner import Action, Planner
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import by_id, regions
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadInput
from cluewise.kernel import kernel
from reference import scan as slow
from reference.scan_walker import replay
from reference.scan_walks import Plane, distances

IDS = [r.id for r in regions()]


def check_replay(position: dict[str, Any], result: Any, *, on_the_way: bool = False) -> None:
    """Replay the tree for every spot and check its figures."""
    if "region" in position:
        region = by_id()[position["region"]]
        position = {"spots": region.spots, "range": region.range}
    walkers = replay(Plane(), position, result, stop=1)
    assert on_the_way or not any(walker.seen_passing for walker in walkers)


@pytest.mark.parametrize("region", IDS)
def test_replayed_baseline_takes_its_stated_ticks(region: int) -> None:
    position = {"region": region}
    result = run("route", position, policy="bits")
    check_replay(position, result)
    assert run("route", position)["baseline_ticks"] == result["expected_ticks"]


@pytest.mark.parametrize("seed", range(76))
def test_replayed_routes_of_random_layouts_take_their_stated_ticks(seed: int) -> None:
    r = random.Random(seed)
    counts = [1, 2, 3, 6, 12, 30, 64] if seed < 60 else [65, 66, 90, 129, 200, 256]
    count, side = r.choice(counts), r.choice([3, 20, 90] if seed < 60 else [150])
    spots = [[r.randint(0, side), r.randint(0, side), r.choice([0, 1])] for _ in range(count)]
    if r.random() < 0.2:
        spots[0] = list(spots[-1])
    position: dict[str, Any] = {"range": r.choice([0, 1, 4, 11, 25]), "spots": spots}
    if r.random() < 0.5:
        position |= {"levels": "use", "floor": r.choice([0, 1])}
        if r.random() < 0.5 and count < 9:  # a complement comes into play
            spots[-1] = [spots[-1][0], spots[-1][1] + 6400, 0]
    on_the_way, policy = (
        r.random() < 0.4,
        r.choice(["search", "search", "lookahead", "rate", "bits"]),
    )
    start = [r.randint(-20, side + 20), r.randint(-20, side + 20)]
    effort = 2 if count < 30 else 1
    result = run(
        "route", position, start=start, policy=policy, on_the_way=on_the_way, effort=effort
    )
    assert result["start"] == start
    check_replay(position, result, on_the_way=on_the_way)


@pytest.mark.parametrize("seed", range(10))
def test_route_with_a_time_limit_is_at_least_as_good_as_with_any_effort(seed: int) -> None:
    r = random.Random(seed)
    count = r.choice([2, 5, 11])
    spots = [[r.randint(0, 70), r.randint(0, 70), r.choice([0, 1])] for _ in range(count)]
    levels: dict[str, Any] = {"levels": "use"} if seed % 2 else {}
    position = {"range": r.choice([3, 8]), "spots": spots, **levels}
    plain = [run("route", position, effort=effort) for effort in range(10)]
    longer = run("route", position, effort=0, seconds=600.0)
    check_replay(position, longer)
    assert longer["expected_ticks"] <= min(p["expected_ticks"] for p in plain)


def test_next_agrees_with_the_route_and_the_map() -> None:
    def asked(tile: tuple[int, int]) -> list[int]:
        return [slow.pulse(tile, spot, 22) for spot in by_id()[364].spots]

    answer = run("next", {"region": 364}, stop=3)
    first, tree = answer["options"][0], run("route", {"region": 364}, stop=3)["tree"]
    assert (first["tile"], first["walk_ticks"]) == (tree["tile"], tree["walk_ticks"])
    assert first["room"] == tree["room"] == 2  # of scans as good that with most room
    assert answer["options"] == sorted(answer["options"], key=itemgetter("expected_ticks"))
    for option in answer["options"]:
        (x, y), far = option["tile"], option["room"] + 1
        assert option["leaves"] == [asked((x, y)).count(pulse) for pulse in (1, 2, 3)]
        assert option["bits"] == pytest.approx(slow.bits(option["leaves"]))
        square = product(range(x - far, x + far + 1), range(y - far, y + far + 1))
        other = [max(abs(u - x), abs(v - y)) for u, v in square if asked((u, v)) != asked((x, y))]
        assert set(other) == {far} or (not other and far > 2)
        assert all(asked((a, b)) == asked((c, d)) == asked((x, y)) for a, b, c, d in option["area"])


def test_bits_policy_advises_the_maximum_of_the_map() -> None:
    for region in IDS[::5]:
        option = run("next", {"region": region}, policy="bits", top=1)["options"][0]
        assert option["bits"] == pytest.approx(run("classes", {"region": region})["max_bits"])


def test_single_remaining_spot_is_dug() -> None:
    position = {"range": 5, "spots": [[0, 0], [40, 0]], "ruled_out": [1], "here": [10, 3]}
    result = run("next", position)
    assert result["options"] == []
    assert result["dig"] == {"spot": 0, "walk_ticks": 5}
    assert run("route", position)["tree"] == {"spot": 0}


def layout(r: random.Random, count: int, side: int) -> list[list[int]]:
    return [[r.randint(0, side), r.randint(0, side), r.choice([0, 0, 1])] for _ in range(count)]


@pytest.mark.parametrize("seed", range(24))
def test_ranking_for_any_number_of_spots_equals_that_for_64(seed: int) -> None:
    r = random.Random(seed)
    levels: Any = r.choice(["ignore", "use"])
    count = r.choice([2, 7, 30, 64])
    spots = tuple((s[0], s[1], s[2]) for s in layout(r, count, 60))
    scene = ScanModel.of(Position(range=r.choice([0, 3, 8]), spots=spots, levels=levels))
    here = (r.choice(spots)[0], r.choice(spots)[1])  # elsewhere cells outside all squares differ

    def score(action: Action, policy: str) -> float:
        several = sum(p.bit_count() * math.log2(p.bit_count()) for p in action.parts if p)
        walk = max(abs(action.tile[0] - here[0]), abs(action.tile[1] - here[1])) + 1 >> 1
        bits = math.log2(count) - several / count
        if policy == "bits":
            return walk - 1e6 * bits
        if policy == "rate":
            return (walk + 1) / bits
        return (
            planner.straight_total(action.tile, planner.everything)
            + count * (walk + 1)
            + 4 * several
        )

    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=1, on_the_way=False, table_bits=8)
        for policy in ("bits", "rate", "lookahead"):
            known = planner.actions(planner.everything, here, policy, 9)
            tiles = finish(wide._ranked(planner, planner.everything, here, policy, 9))
            found = [wide._action(planner, planner.everything, here, tile) for tile in tiles]
            expected = [score(a, policy) for a in known]
            assert [score(a, policy) for a in found] == pytest.approx(expected)


def test_more_than_64_spots_are_answered_without_a_lower_bound() -> None:
    position: dict[str, Any] = {"range": 3, "spots": [[i, i] for i in range(65)]}
    assert run("classes", position)["remaining"] == 65
    assert run("next", position)["options"]
    assert "lower_bound" not in run("route", position, bound=True)


def test_spots_that_no_scan_distinguishes_stay_together() -> None:
    # Range 0: only standing on a spot informs, and both spots lie in walls.
    painted = [[10, 0, 10, 0, 1], [20, 0, 20, 0, 1]]
    position = {
        "range": 0,
        "spots": [[10, 0], [20, 0]],
        "walls": {"painted": painted},
        "here": [15, 0],
    }
    assert run("next", position)["options"] == []
    for listen in (False, True):
        result = run("route", position, listen=listen)
        assert (result["tree"], result["expected_scans"]) == ({"spots": [0, 1]}, 0)
        assert result["worst_ticks"] == result["expected_ticks"]


def test_largest_range_with_meerkats_is_answered() -> None:
    position = {"range": 500, "meerkats": True, "spots": [[0, 0], [2000, 900]]}
    assert run("classes", position)["remaining"] == 2
    assert len(run("next", position)["options"]) > 0


def test_walks_go_round_distant_walls() -> None:
    walls = {"painted": [[115, -900, 115, 1100, 1], [9000, 0, 9100, 90, 1]]}
    far = {"range": 6, "spots": [[130, 100]], "here": [90, 100], "walls": walls}
    assert run("next", far)["dig"]["walk_ticks"] > 950


@pytest.mark.parametrize("policy", ["search", "lookahead", "rate", "bits"])
@pytest.mark.parametrize("digs", [False, True])
@pytest.mark.parametrize(
    "spots", [[[100, 100], [106, 100]], [[104, 101], [109, 100], [100, 92]]], ids=["two", "three"]
)
def test_no_step_leads_into_a_pocket_without_a_way_out(
    spots: list[list[int]], digs: bool, policy: str
) -> None:
    walls = {"painted": [[103, 99, 105, 101, 1], [104, 100, 104, 100, 0]]}
    pocket = {"at": [104, 100], "ticks": 0}
    here = {"here": [100, 80], "walls": walls, "teleports": [pocket]}
    position = {"range": 2, "spots": spots, **here}
    result = run("route", position, policy=policy, digs=digs)
    options = run("next", position, policy=policy, digs=digs, top=30)["options"]
    assert max(result["expected_ticks"], result["baseline_ticks"]) < 20
    assert options
    assert all(option["expected_ticks"] < 20 for option in options)


@pytest.mark.parametrize("seed", range(20))
def test_walks_between_walls_are_shortest_paths(seed: int) -> None:
    r = random.Random(seed)
    strokes = []
    for _ in range(6):
        x, y = r.randint(-30, 40), r.randint(-30, 40)
        long, other = r.choice([20, 45]), r.choice([0, 2])
        wide, high = (long, other) if r.random() < 0.5 else (other, long)
        strokes.append([x, y, x + wide, y + high, r.choice([1, 1, 1, 0])])
    tiles: set[tuple[int, int]] = set()
    for x, y, u, v, kind in strokes:
        cells = {(a, b) for a in range(x, u + 1) for b in range(y, v + 1)}
        tiles = tiles | cells if kind else tiles - cells
    spot, start = (r.randint(0, 10), r.randint(0, 10)), (r.randint(-5, 15), r.randint(-5, 15))
    position = {"range": 2, "spots": [spot], "here": start, "walls": {"painted": strokes}}
    near = [(spot[0] + i, spot[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    steps = distances([start], tiles, (-120, -120, 160, 160))
    known = [steps[t] for t in near if t in steps]
    if start in tiles or not known:
        with pytest.raises(BadInput, match=r"stand on a wall|cannot be reached"):
            run("next", position)
        return
    assert run("next", position)["dig"]["walk_ticks"] == (min(known) + 1) // 2


def some_position(seed: int, most: int = 90) -> dict[str, Any]:
    r = random.Random(seed)
    count, side = r.choice([2, 4, 9, 20, most]), r.choice([12, 60, 150])
    position: dict[str, Any] = {"range": r.choice([2, 7, 14]), "spots": layout(r, count, side)}
    if r.random() < 0.4:
        position |= {"levels": "use", "floor": r.choice([0, 1])}
    elif r.random() < 0.3 and count < 20:
        position["walls"] = {"painted": [[side // 2, -9, side // 2 + 1, side, 1]]}
    return position | {"here": [r.randint(-20, side + 20), r.randint(-20, side + 20)]}


@pytest.mark.parametrize("seed", range(60))
def test_next_and_route_agree_on_tile_and_expected_ticks(seed: int) -> None:
    r, position = random.Random(seed), some_position(seed)
    options: dict[str, Any] = {
        "policy": r.choice(["search", "search", "rate", "lookahead", "bits"]),
        "effort": r.choice([0, 1, 3]),
        "stop": r.choice([0, 1, 1, 3, 10]),
    }
    if "walls" not in position and r.random() < 0.3:
        options["on_the_way"] = True
    route = run("route", position, **options)
    for top in (1, 8):
        found = run("next", position, top=top, **options)
        if "dig" in found:  # one dig serves several spots
            assert found["dig"]["at"] == route["tree"]["dig"]
            assert found["dig"]["expected_ticks"] == route["expected_ticks"]
            continue
        assert found["options"][0]["tile"] == route["tree"]["tile"]
        assert found["options"][0]["expected_ticks"] == route["expected_ticks"]
        costs = [o["expected_ticks"] for o in found["options"]]
        if options["policy"] == "search" and "on_the_way" not in options:
            assert costs == sorted(costs)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [*range(12), 20, 51])
def test_pulses_on_the_way_never_lengthen_a_route(seed: int) -> None:
    r = random.Random(seed)
    count, side = r.choice([70, 20]), r.choice([60, 150])
    position = {"range": r.choice([2, 7, 14]), "spots": layout(r, count, side)}
    position["here"] = [r.randint(-20, side + 20), r.randint(-20, side + 20)]
    plain = run("route", position, effort=0)
    listening = run("route", position, effort=0, on_the_way=True)
    assert listening["expected_ticks"] <= plain["expected_ticks"]
    check_replay(position, listening, on_the_way=True)


@pytest.mark.parametrize("seed", range(40))
def test_level_sign_never_lengthens_a_route(seed: int) -> None:
    position = some_position(seed, 70) | {"levels": "ignore"}
    plain = run("route", position, effort=1)
    signed = run("route", position | {"levels": "use"}, effort=1)
    assert signed["expected_ticks"] <= plain["expected_ticks"]
    if "walls" not in position:
        shown = position | {"levels": "use"}
        check_replay(shown, signed)


@pytest.mark.sampled(of="scan, whole regions")
def test_classes_with_equal_information_are_ordered_by_their_first_tiles() -> None:
    # {6, 2} and {4, 3, 3} have equal information: 6^6 * 2^2 = 4^4 * 3^3 * 3^3.
    ties = 0
    for seed in range(400):
        r = random.Random(seed)
        spots = layout(r, 12, 14)
        position = {"range": 3, "levels": "use", "spots": spots}
        found = run("classes", position, list=True)["list"]
        rows = [
            (slow.exact_key(c["counts"]), *min((y, x) for x, y, _, _ in c["rects"])) for c in found
        ]
        assert rows == sorted(rows)
        kinds: dict[Any, set[tuple[int, ...]]] = {}
        for key, c in zip((row[0] for row in rows), found, strict=True):
            several = sorted(n for i, n in enumerate(c["counts"]) if i % 3 != 2 and n > 1)
            kinds.setdefault(key, set()).add(tuple(several))
        ties += any(len(kind) > 1 for kind in kinds.values())
    assert ties > 3


def test_equally_informative_tiles_are_ordered_from_the_south() -> None:
    # Two lone spots north and south of the start distinguish equally: the southern is first.
    spots = [[0, 3000 + 60 * i] for i in range(-35, 36) if i]
    found = run("next", {"range": 5, "spots": spots, "here": [0, 3000]}, policy="bits", top=4)
    tiles = [o["tile"] for o in found["options"]]
    assert [t[1] for t in tiles[:2]] == sorted(t[1] for t in tiles[:2])
    assert tiles[0][1] - 3000 == 3000 - tiles[1][1] < 0
