"""The kernel's classes against a flood fill over tiles, on random layouts."""

import random
from functools import partial
from typing import Any

import pytest

from asking import ask_scan
from cluewise.desks.scan import walls
from reference import scan as slow

LAYOUTS = 300


def layout(seed: int) -> tuple[dict[str, Any], set[tuple[int, int]]]:
    """A random position and its wall tiles; every kind of oddity turns up among 300 seeds."""
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
def test_classes_agree_with_a_flood_fill_over_tiles(block: int) -> None:
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
    """Tiles inside the rings; holes turn the other way and subtract."""
    total = 0
    for ring in rings:
        for (x, y), (u, v) in zip(ring, ring[1:] + ring[:1], strict=True):
            total += x * v - u * y
    return abs(total) // 2


def test_a_position_without_spots_has_no_classes() -> None:
    result = run({"range": 3, "spots": []})
    assert (result["window"], result["classes"], result["best"]) == (None, 0, 0)


def test_a_label_box_is_the_largest_of_its_aspect() -> None:
    from cluewise.core.work import finish
    from cluewise.desks.scan.engine.classes import TEXT_ASPECT, partition
    from cluewise.desks.scan.position import Position
    from cluewise.desks.scan.scene import ScanModel

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
