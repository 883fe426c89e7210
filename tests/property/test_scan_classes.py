"""Classes and terrain against a flood fill on random layouts, and plans replayed on terrain."""

import base64
import random
import zlib
from functools import partial
from typing import Any

import msgspec
import pytest

from asking import ask_scan
from cluewise.core.work import finish
from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.classes import TEXT_ASPECT, partition
from cluewise.desks.scan.engine.planner import NEVER, Planner
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadInput
from cluewise.kernel import kernel
from reference import scan as slow
from reference.scan_walker import replay
from reference.scan_walks import STEPS, SlowGround, pack
from selection import sample

LAYOUTS = 300


def layout(seed: int) -> tuple[dict[str, Any], set[tuple[int, int]]]:
    """Return a random position and its wall tiles."""
    r = random.Random(seed)
    reach = r.choice([0, 1, 2, 3, 5, 8])
    count = r.choice([1, 2, 3, 5, 8, 13, 66, 130]) if reach else r.choice([1, 2, 5, 70])
    side = r.choice([1, 4, 12, 25])
    spots = [[r.randint(0, side), r.randint(0, side), r.choice([0, 0, 1])] for _ in range(count)]
    if count > 2 and r.random() < 0.3:
        spots[0] = spots[1]
    if r.random() < 0.15:  # a spot near the complement of another
        spots[0] = [spots[0][0], spots[0][1] + r.choice([-3, 0, 12]), 0]
    position: dict[str, Any] = {"range": reach, "spots": spots}
    if r.random() < 0.3:
        position |= {"levels": "use", "floor": r.choice([0, 1])}
    tiles: set[tuple[int, int]] = set()
    kind = r.choice(["none", "none", "noise", "rects", "both"])
    grow = 2 * reach + 1
    given: dict[str, Any] = {}
    if kind in ("noise", "both"):
        at, size = (-grow - 2, -grow + 1), (side + grow + 5, side + 2 * grow)
        share = r.choice([0.03, 0.3])
        rows = [sum((r.random() < share) << i for i in range(size[0])) for _ in range(size[1])]
        grid = walls.pack(rows, at, size)
        given["grid"] = {"at": at, "size": size, "packed": grid.packed}
        tiles |= {
            (at[0] + x, at[1] + y) for y, b in enumerate(rows) for x in range(size[0]) if b >> x & 1
        }
    if kind in ("rects", "both"):
        given["painted"] = []
        for _ in range(4):
            x, y = r.randint(-4, side), r.randint(-4, side)
            stroke = [x, y, x + r.randint(0, 6), y + r.randint(0, 3), r.choice([1, 1, 0])]
            given["painted"].append(stroke)
            cells = {(a, b) for a in range(x, stroke[2] + 1) for b in range(y, stroke[3] + 1)}
            tiles = tiles | cells if stroke[4] else tiles - cells
    if given:
        position["walls"] = given
    return position, tiles


run = partial(ask_scan, "classes", list=True)


@pytest.mark.parametrize("block", range(10))
def test_classes_equal_a_flood_fill_over_tiles(block: int) -> None:
    for seed in range(block * LAYOUTS // 10, (block + 1) * LAYOUTS // 10):
        compare(*layout(seed))


def compare(position: dict[str, Any], tiles: set[tuple[int, int]]) -> None:
    spots = [tuple(s) for s in position["spots"]]
    levels = position.get("levels") == "use"
    expected = slow.Classes(spots, position["range"], tiles, position.get("floor", 0), levels)
    result = run(position)
    assert result["window"] == list(expected.window)
    assert result["profiles"] == expected.profiles
    assert result["classes"] == len(expected.members)
    counts = [expected.counts(i)[: 6 if levels else 3] for i in range(len(expected.members))]
    keys = [slow.exact_key(c) for c in counts]
    assert result["best"] == sum(k == min(keys) for k in keys)
    seen = set()
    for listed in result["list"]:
        inside = {
            (x, y)
            for x0, y0, x1, y1 in listed["rects"]
            for y in range(y0, y1 + 1)
            for x in range(x0, x1 + 1)
        }
        number = expected.label[min(inside, key=lambda t: (t[1], t[0]))]
        seen.add(number)
        assert inside == set(expected.members[number])
        assert listed["tiles"] == len(inside)
        for x, y in (min(inside), max(inside)):
            assert listed["profile"] == [slow.pulse((x, y), s, position["range"]) for s in spots]
        assert tuple(listed["counts"]) == counts[number]
        assert listed["bits"] == pytest.approx(slow.bits(counts[number]), abs=1e-9)
        assert listed["best"] == (keys[number] == min(keys))
        assert tuple(listed["label"]) in inside
        assert area(listed["outline"]) == len(inside)
    assert len(seen) == len(result["list"])
    order = [(-c["bits"], *first_tile(c)) for c in result["list"]]
    rounded = [(round(b, 9), y, x) for b, y, x in order]
    assert rounded == sorted(rounded)


def first_tile(listed: Any) -> tuple[int, int]:
    return min((y0, x0) for x0, y0, _, _ in listed["rects"])


def area(rings: list[list[list[int]]]) -> int:
    """Return the tiles inside the rings; holes have the opposite orientation and subtract."""
    total = 0
    for ring in rings:
        for (x, y), (u, v) in zip(ring, ring[1:] + ring[:1], strict=True):
            total += x * v - u * y
    return abs(total) // 2


def test_position_without_spots_has_no_classes() -> None:
    result = run({"range": 3, "spots": []})
    assert (result["window"], result["classes"], result["best"]) == (None, 0, 0)


def test_label_box_is_the_largest_of_its_aspect() -> None:
    wide, high = TEXT_ASPECT
    for seed in range(40):
        r = random.Random(seed)
        spots = tuple((r.randint(0, 9), r.randint(0, 9), 0) for _ in range(3))
        scene = ScanModel.of(Position(range=2, spots=spots))
        cut, expected = finish(partition(scene)), slow.Classes(spots, 2)
        for number, members in enumerate(expected.members):
            x, y, width, height = cut.boxes[4 * number : 4 * number + 4]
            tiles = set(members)
            x, y = x + cut.window[0], y + cut.window[1]
            assert {(a, b) for a in range(x, x + width) for b in range(y, y + height)} <= tiles
            assert min(width * high, height * wide) == largest(tiles, wide, high)


def largest(tiles: set[tuple[int, int]], wide: int, high: int) -> int:
    best = 0
    for x, y in tiles:
        width = 10**6
        for height in range(1, 100):
            row = y + height - 1
            run_of = 0
            while run_of < width and (x + run_of, row) in tiles:
                run_of += 1
            width = run_of
            if not width:
                break
            best = max(best, min(width * high, height * wide))
    return best


AT = (3000, 3000)


def ground_rows(rng: random.Random, width: int, height: int) -> list[list[int]]:
    """Return random steps with walls, blocked tiles that can be left, and one-way steps."""
    blocked = {(x, y) for x in range(width) for y in range(height) if rng.random() < 0.15}
    rows = [[0] * width for _ in range(height)]
    for y in range(height):
        for x in range(width):
            for k, (dx, dy) in enumerate(STEPS):
                inside = 0 <= x + dx < width and 0 <= y + dy < height
                if inside and (x + dx, y + dy) not in blocked and rng.random() < 0.85:
                    rows[y][x] |= 1 << k
    return rows


def game(seed: int, width: int = 24, height: int = 20) -> tuple[SlowGround, dict[str, Any]]:
    rng = random.Random(seed)
    rows = ground_rows(rng, width, height)
    slow = SlowGround(AT, rows)
    strokes = []
    for _ in range(rng.randrange(3)):
        x, y = AT[0] + rng.randrange(width), AT[1] + rng.randrange(height)
        stroke = (x, y, x + rng.randrange(4), y + rng.randrange(3), rng.randrange(2))
        strokes.append(list(stroke))
        slow.paint(stroke)
    spots = [[AT[0] + rng.randrange(width), AT[1] + rng.randrange(height)] for _ in range(6)]
    ground = {"at": AT, "size": [width, height], "packed": pack(rows)}
    here = rng.choice(sorted(slow.standable))
    position = {"range": 2, "spots": spots, "here": here}
    return slow, position | {"walls": {"ground": ground, "painted": strokes}}


@pytest.mark.parametrize("seed", sample(range(40), 12))
def test_classes_are_connected_standable_tiles_with_one_answer(seed: int) -> None:
    slow, position = game(seed)
    found = ask_scan("classes", position, list=True)

    def pulses(tile: tuple[int, int]) -> list[int]:
        away = [max(abs(tile[0] - x), abs(tile[1] - y)) for x, y in position["spots"]]
        return [3 if d <= 2 else 2 if d <= 4 else 1 for d in away]

    expected = {frozenset(one) for one in slow.classes(pulses, found["window"])}
    got = {
        frozenset(
            (x, y) for a, b, c, d in one["rects"] for x in range(a, c + 1) for y in range(b, d + 1)
        )
        for one in found["list"]
    }
    assert got == expected
    assert found["classes"] == len(expected)


COMBINED: list[dict[str, Any]] = [
    {},
    {"listen": True},
    {"listen": True, "reaction": 0, "dive": True, "escape": 1},
    {"listen": True, "policy": "bits"},
    {"on_the_way": True},
    {"on_the_way": True, "surge": 1, "dive": True},
    {"surge": 2, "dive": True, "mobile": True},
    {"escape": 1},
]


@pytest.mark.parametrize("seed", sample(range(80), 24))
def test_plans_on_terrain_take_their_stated_ticks_and_exclude_unreachable_spots(seed: int) -> None:
    slow, position = game(seed)
    rng, options = random.Random(seed), COMBINED[seed % len(COMBINED)] | {"stop": 2}
    here, spots = position["here"], position["spots"]
    if seed % 3 == 0:
        landings = rng.sample(sorted(slow.standable), 2)
        position["teleports"] = [
            {"at": at, "ticks": 2, "name": name} for at, name in zip(landings, "ab", strict=True)
        ]
    starts = [here, *(one["at"] for one in position.get("teleports", ()))]
    reached = [[slow.to_dig(start, spot) is not None for start in starts] for spot in spots]
    beyond = [i for i, some in enumerate(reached) if not any(some)]
    route, advice = ask_scan("route", position, **options), ask_scan("next", position, **options)
    assert route.get("beyond", []) == advice.get("beyond", []) == beyond
    assert route["start"] == list(here)
    replay(slow, position, route, **options)
    if len(options) > 1 or len(starts) > 1:
        return
    assert all(o["room"] == route["tree"].get("room", 0) for o in advice["options"][:1])
    for option in advice["options"]:
        tile = (option["tile"][0], option["tile"][1])
        assert option["walk_ticks"] == (slow.steps_from(here)[tile] + 1) // 2
        boxes = option["area"]
        assert any(a <= tile[0] <= c and b <= tile[1] <= d for a, b, c, d in boxes)
        assert sum((c - a + 1) * (d - b + 1) for a, b, c, d in boxes) == option["tiles"]
        assert option["room"] == room(slow, position, tile, beyond)


@pytest.mark.parametrize("seed", sample(range(20), 5))
def test_blocked_start_is_replaced_by_the_nearest_standable_tile(seed: int) -> None:
    slow, position = game(seed)
    all_tiles = [(AT[0] + x, AT[1] + y) for x in range(24) for y in range(20)]
    x, y = random.Random(seed).choice([tile for tile in all_tiles if tile not in slow.standable])
    _, v, u = min((max(abs(u - x), abs(v - y)), v, u) for u, v in slow.standable)
    free, blocked = (ask_scan("next", position | {"here": tile}) for tile in ((u, v), (x, y)))
    assert blocked["options"] == free["options"]


def room(slow: SlowGround, position: Any, tile: tuple[int, int], beyond: list[int]) -> int:
    spots = [s for i, s in enumerate(position["spots"]) if i not in beyond]

    def answers(at: tuple[int, int]) -> list[int]:
        return [min(2, max(0, max(abs(at[0] - x), abs(at[1] - y)) - 1) // 2) for x, y in spots]

    for found in (2, 1):
        near = range(-found, found + 1)
        around = [(tile[0] + u, tile[1] + v) for u in near for v in near]
        if all(answers(t) == answers(tile) for t in around if t in slow.standable):
            return found
    return 0


@pytest.mark.parametrize("seed", sample(range(20), 5))
def test_distance_field_equals_a_search_from_each_tile(seed: int) -> None:
    slow, position = game(seed)
    scene = ScanModel.of(msgspec.convert(position, Position))
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        assert list(planner.load_walls(scene.start))
        for spot in planner.spots:
            steps = planner.steps_to(spot[:2], 1)
            for tile in sorted(slow.standable)[::7]:
                found = slow.to_dig(tile, spot[:2])
                assert steps(tile) == (NEVER if found is None else found)


SIDE = 1280


def collision(x: int, y: int, floor: int = 0, size: int = SIDE * SIDE) -> dict[str, str]:
    data = bytearray(size)
    data[: SIDE * 3] = bytes((x + 3 * y + i) % 251 for i in range(SIDE * 3))
    name = f"collision-{x}-{y}-{floor}.bin"
    return {"name": name, "data": base64.b64encode(zlib.compress(bytes(data))).decode()}


def test_terrain_is_cut_from_adjacent_collision_files() -> None:
    position = {"range": 3, "spots": [[SIDE - 1, SIDE + 1]]}
    files = [collision(x, y) for x in (0, 1) for y in (0, 1)]
    found = ask_scan("walls", position, collision=files)
    ground = found["ground"]
    grow = 2 * (3 + 5) + 1
    assert ground["at"] == [SIDE - 1 - grow, SIDE + 1 - grow]
    assert ground["size"] == [2 * grow + 1, 2 * grow + 1]
    data = zlib.decompress(base64.urlsafe_b64decode(ground["packed"] + "=="), -15)
    row = grow - 1  # y = 1280, the lowest row of the northern files
    line = data[row * (2 * grow + 1) :][: 2 * grow + 1]
    west = bytes((0 + 3 + i) % 251 for i in range(SIDE - 1 - grow, SIDE))
    east = bytes((1 + 3 + i) % 251 for i in range(grow))
    assert line == west + east
    far = ask_scan("walls", position | {"here": [SIDE - 40, SIDE]}, collision=files)
    assert (found.get("grid"), far["ground"]["at"]) == (None, [SIDE - 42, SIDE + 1 - grow])


def test_each_floor_with_files_has_its_own_terrain() -> None:
    position = {"range": 3, "spots": [[600, 600, 1], [600, 600, 3]]}
    found = ask_scan("walls", position, collision=[collision(0, 0, floor) for floor in (0, 1, 2)])
    assert (found["ground"]["level"], [one["level"] for one in found["floors"]]) == (1, [2])
    assert found["floors"][0]["ground"] == found["ground"] | {"level": 2}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([collision(0, 0)], "collision-0-1-0.bin"),
        ([collision(0, 0), collision(0, 1, size=99)], "collision-0-1-0.bin"),
        ([collision(0, 0), {"name": "collision-0-1-0.bin", "data": "AAAA"}], "collision-0-1-0.bin"),
    ],
)
def test_missing_or_invalid_collision_file_is_named(files: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        ask_scan("walls", {"range": 3, "spots": [[600, SIDE]]}, collision=files)
    assert said in str(caught.value)
    assert (caught.value.where or "").startswith("$.options.collision")
