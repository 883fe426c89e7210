"""Terrain as steps in eight directions: classes, plans and reach against a walker tile by tile."""

import base64
import random
import zlib
from typing import Any

import msgspec
import pytest

from asking import ask_scan as ask
from cluewise.desks.scan.engine.planner import NEVER, Planner
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadInput
from cluewise.kernel import kernel
from reference.scan_walks import STEPS, SlowGround, TerrainWalker, pack
from sampling import sample

AT = (3000, 3000)


def ground_rows(rng: random.Random, width: int, height: int) -> list[list[int]]:
    """Tiles with walls between some of them, blocked ones that one can step off, one-way steps."""
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
    found = ask("classes", position, list=True)

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
def test_promised_ticks_are_walked_and_spots_out_of_reach_are_left_out(seed: int) -> None:
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
    route, advice = ask("route", position, **options), ask("next", position, **options)
    assert route.get("beyond", []) == advice.get("beyond", []) == beyond
    left = {*range(len(spots))} - {*beyond}
    walks = [
        TerrainWalker(slow, position, here, **options).follow(route["tree"], spot, left)
        for spot in sorted(left)
    ]
    if walks:
        costs, scans = zip(*walks, strict=True)
        assert route["expected_ticks"] == pytest.approx(sum(costs) / len(costs))
        assert route["worst_ticks"] == max(costs)
        assert route["expected_scans"] == pytest.approx(sum(scans) / len(scans))
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
def test_a_blocked_start_stands_for_the_nearest_standable_tile(seed: int) -> None:
    slow, position = game(seed)
    all_tiles = [(AT[0] + x, AT[1] + y) for x in range(24) for y in range(20)]
    x, y = random.Random(seed).choice([tile for tile in all_tiles if tile not in slow.standable])
    _, v, u = min((max(abs(u - x), abs(v - y)), v, u) for u, v in slow.standable)
    free, blocked = (ask("next", position | {"here": tile}) for tile in ((u, v), (x, y)))
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
def test_steps_to_a_place_are_those_of_a_search_from_each_tile(seed: int) -> None:
    slow, position = game(seed)
    scene = ScanModel.of(msgspec.convert(position, Position))
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        assert list(planner.lay_walls(scene.start))
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


def test_a_ground_is_cut_out_of_collision_files_across_their_edges() -> None:
    position = {"range": 3, "spots": [[SIDE - 1, SIDE + 1]]}
    files = [collision(x, y) for x in (0, 1) for y in (0, 1)]
    found = ask("walls", position, collision=files)
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
    far = ask("walls", position | {"here": [SIDE - 40, SIDE]}, collision=files)
    assert (found.get("grid"), far["ground"]["at"]) == (None, [SIDE - 42, SIDE + 1 - grow])


def test_each_floor_with_files_gets_a_ground_of_its_own() -> None:
    position = {"range": 3, "spots": [[600, 600, 1], [600, 600, 3]]}
    found = ask("walls", position, collision=[collision(0, 0, floor) for floor in (0, 1, 2)])
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
def test_a_collision_file_that_is_missing_or_wrong_is_named(files: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        ask("walls", {"range": 3, "spots": [[600, SIDE]]}, collision=files)
    assert said in str(caught.value)
    assert (caught.value.where or "").startswith("$.options.collision")
