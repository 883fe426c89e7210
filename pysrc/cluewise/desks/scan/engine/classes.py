"""Classes of the map: connected tiles with the same pulse of every remaining spot.

The kernel labels a compressed grid (wasm_build/kernel/scan/scan.h): the sides of the squares round
the spots divide the window into columns and rows. This module holds its arrays, without a loop over
classes or tiles.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from cluewise.core.information import compare_entropy
from cluewise.core.work import Job, Progress
from cluewise.desks.scan import walls
from cluewise.desks.scan.scene import ScanModel, complement_y
from cluewise.desks.scan.steps import Window
from cluewise.kernel import Frame, kernel
from cluewise.kernel.call import in_order
from cluewise.kernel.layouts import SCAN

TEXT_ASPECT = (21, 10)  # a number such as 1.88, width to height


@dataclass
class ClassMap:
    """The classes of a scene, as arrays numbered by class, rectangle, ring, column or row.

    Coordinates are relative to the window's lowest corner.
    """

    window: Window
    remaining: int
    profiles: int
    columns: array[int]
    rows: array[int]
    labels: array[int]
    tiles: array[int]
    split: array[int]
    splits: list[tuple[int, ...]]
    boxes: array[int]
    rects: array[int]
    owners: array[int]
    vertices: array[int]
    ring_ends: array[int]
    ring_owners: array[int]

    @property
    def count(self) -> int:
        """The number of classes."""
        return len(self.tiles)

    @cached_property
    def split_bits(self) -> list[float]:
        """Bits of information per split, the same doubles as `core.information.entropy`.

        Triples leave one spot each, so their terms are 0.
        """
        n = self.remaining
        weight = [0.0, *(m * math.log2(m) for m in range(1, n + 1))]
        whole = math.log2(n)
        return [
            max(0.0, whole - math.fsum(map(weight.__getitem__, _several(split))) / n)
            for split in self.splits
        ]

    @cached_property
    def best_splits(self) -> list[bool]:
        """Whether each split ties exactly for the most information."""
        return [rank == 0 for rank in self.split_ranks]

    @cached_property
    def best(self) -> int:
        """The number of classes that tie exactly for the most information."""
        return sum(map(self.best_splits.__getitem__, self.split))

    @cached_property
    def max_bits(self) -> float:
        """The most information a tile can give."""
        return max(self.split_bits, default=0.0)

    def class_at(self, x: int, y: int) -> int | None:
        """Return the class of a tile; None on a wall or outside the window."""
        x0, y0, width, height = self.window
        if not (0 <= x - x0 < width and 0 <= y - y0 < height):
            return None
        column = bisect_right(self.columns, x - x0) - 1
        row = bisect_right(self.rows, y - y0) - 1
        label = self.labels[row * (len(self.columns) - 1) + column]
        return label if label >= 0 else None

    def in_order(self) -> list[int]:
        """Return class numbers by bits descending, then lowest y, lowest x of the first tile."""
        ranks = self.split_ranks
        return sorted(range(self.count), key=lambda c: (ranks[self.split[c]], c))

    @cached_property
    def split_ranks(self) -> list[int]:
        """The rank of each split by information, 0 the most; exact ties have one rank.

        As doubles the bits of {6, 2} and {4, 3, 3} may differ, although they are equal.
        """
        order = sorted(range(len(self.splits)), key=self.split_bits.__getitem__, reverse=True)
        ranks = [0] * len(order)
        for before, i in pairwise(order):
            near = self.split_bits[before] - self.split_bits[i] < 1e-9
            tie = near and not compare_entropy(groups(self.splits[before]), groups(self.splits[i]))
            ranks[i] = ranks[before] + (not tie)
        return ranks

    @cached_property
    def rects_by_class(self) -> list[list[list[int]]]:
        """Per class its rectangles `[x0, y0, x1, y1]` in map coordinates."""
        x0, y0, _, _ = self.window
        out: list[list[list[int]]] = [[] for _ in range(self.count)]
        for i, owner in enumerate(self.owners):
            a, b, c, d = self.rects[4 * i : 4 * i + 4]
            out[owner].append([a + x0, b + y0, c + x0, d + y0])
        return out

    def outlines(self) -> list[list[list[list[int]]]]:
        """Return for each class its rings of tile corners, the outer one first, on the map."""
        x0, y0, _, _ = self.window
        out: list[list[list[list[int]]]] = [[] for _ in range(self.count)]
        begin = 0
        for end, owner in zip(self.ring_ends, self.ring_owners, strict=True):
            flat = self.vertices[2 * begin : 2 * end]
            out[owner].append([[flat[i] + x0, flat[i + 1] + y0] for i in range(0, len(flat), 2)])
            begin = end
        return out

    def label_point(self, number: int) -> list[int]:
        """Return a tile inside the class, in the middle of its label box."""
        x, y, width, height = self.boxes[4 * number : 4 * number + 4]
        return [self.window[0] + x + (width - 1) // 2, self.window[1] + y + (height - 1) // 2]


def groups(split: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of the partition; each spot that a triple shows is a cell."""
    return (*_several(split), *([1] * sum(split[2::3])))


def _several(split: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of the cells of singles and doubles."""
    return split[:2] if len(split) == 3 else (*split[:2], *split[3:5])


def window_of(scene: ScanModel) -> Window:
    """Return the bounding box of the remaining spots, grown by twice the range and one tile."""
    xs = [scene.spots[i][0] for i in scene.remaining]
    ys = [scene.spots[i][1] for i in scene.remaining]
    grow = 2 * scene.reach + 1
    x0, y0 = min(xs) - grow, min(ys) - grow
    return x0, y0, max(xs) + grow - x0 + 1, max(ys) + grow - y0 + 1


def partition(scene: ScanModel, *, shapes: bool = True) -> Job[ClassMap]:
    """Find the classes of a scene with at least one spot left; with `shapes` also their drawing.

    Raises `TooLarge` beyond 2 097 152 cells (walls of a million tiles and more).
    """
    with kernel().frame() as frame:
        work = ClassComputation(frame, scene)
        for note in work.label():
            yield Progress(0, None, note)
        measured = work.measure()
        yield Progress(0, None, "measuring the areas")
        drawn: dict[str, Any] = {"boxes": array("h"), "rects": array("h"), "owners": array("i")}
        drawn |= {"vertices": array("h"), "ring_ends": array("i"), "ring_owners": array("i")}
        if shapes:
            drawn = work.shapes()
        return ClassMap(
            window=work.window,
            remaining=len(scene.remaining),
            columns=frame.get(work.column_at, "h", work.columns + 1),
            rows=frame.get(work.row_at, "h", work.rows + 1),
            labels=frame.get(work.labels, "i", work.columns * work.rows),
            **measured,
            **drawn,
        )


def kernel_calls(frame: Frame, scene: ScanModel) -> list[tuple[Any, ...]]:
    """Return the kernel calls of `partition` on buffers of `frame`, for a benchmark."""
    work = ClassComputation(frame, scene, keep=True)
    for _ in work.label():
        pass
    work.measure()
    work.shapes()
    return work.calls


class ClassComputation:
    """One scene in the kernel's memory; `keep` retains scratch buffers and records the calls."""

    def __init__(
        self, frame: Frame, scene: ScanModel, *, keep: bool = False, window: Window | None = None
    ) -> None:
        self.frame, self.scene, self.window = frame, scene, window or window_of(scene)
        self.calls: list[tuple[Any, ...]] = []
        self.keep = keep
        _, _, self.width, self.height = self.window
        self.layers = 3 if scene.with_levels else 2
        self.columns = self.rows = self.count = 0
        self.column_at = self.row_at = self.labels = self.map = self.edges = 0
        self.rects = self.owners = self.rect_count = 0

    def _call(self, name: str, *arguments: int, **named: int) -> int:
        if self.keep:
            self.calls.append((name, *in_order(name, arguments, named)))
        return self.frame.call(name, *arguments, **named)

    def _scratch(self) -> AbstractContextManager[Frame]:
        return nullcontext(self.frame) if self.keep else kernel().frame()

    def cut(self) -> Iterator[str]:
        """Divide the window into columns and rows, and reserve their sets of spots."""
        frame, width, height = self.frame, self.width, self.height
        at = [frame.reserve(2 * (n + 1)) for n in (width, height, width, height)]
        self.column_at, self.row_at, column_of, row_of = at
        spots = [self.scene.spots[i] for i in self.scene.remaining]
        centres = array("i")
        x0, y0 = self.window[:2]
        for x, y, _level in spots:
            centres.extend((x - x0, y - y0, complement_y(y) - y0))
        self.map = frame.reserve(SCAN.ScanMap, zero=True)
        frame.set(
            self.map, SCAN.ScanMap_AT, spots=len(spots), range=self.scene.reach,
            layers=self.layers, width=width, height=height, centres=frame.put(centres),
            **self._walls(), elsewhere=self._elsewhere(spots), column_at=self.column_at,
            row_at=self.row_at, column_of=column_of, row_of=row_of,
        )  # fmt: skip
        self._call("scan_breaks", self.map, frame.reserve(max(width, height) + 64))
        yield "finding where pulses change"
        self.columns, self.rows = frame.get(self.map + SCAN.ScanMap_AT["columns"], "i", 2)
        set_bytes = 8 * self.layers * max(1, (len(spots) + 63) // 64)
        sets = [frame.reserve(n * set_bytes) for n in [self.columns] * 2 + [self.rows] * 2]
        self.labels = frame.reserve(4 * self.columns * self.rows)
        names = ("column_sets", "column_flips", "row_sets", "row_flips")
        frame.set(
            self.map, SCAN.ScanMap_AT, labels=self.labels, **dict(zip(names, sets, strict=True))
        )

    def set_up(self) -> None:
        """Fill the sets of spots of columns and rows; `label` includes it."""
        self._call("scan_sets", self.map)

    def label(self) -> Iterator[str]:
        """Find the classes; yields before each kernel call."""
        yield from self.cut()
        yield "joining tiles"
        with self._scratch() as scratch:
            parents = scratch.reserve(4 * self.columns * self.rows)
            self.edges = self.frame.reserve(8 * (2 * self.rows + 1) * (self.columns // 64 + 1))
            self.count = self._call("scan_label", self.map, parents, self.edges)

    def _walls(self) -> dict[str, int]:
        """Write the walls in the window and, on a ground, the closed steps between tiles."""
        given = self.scene.walls_on(self.scene.floor)
        if given is None:
            return {}
        rows = walls.window_rows(given, self.window)
        maps = {"walls": rows}
        if given.ground is not None:
            maps["closed"] = [
                row for part in walls.window_terrain(given, self.window).closed() for row in part
            ]
        return {
            name: self.frame.put(walls.window_words(rows, self.width))
            for name, rows in maps.items()
            if any(rows)
        }

    def _elsewhere(self, spots: list[tuple[int, int, int]]) -> int:
        bits = sum(1 << i for i, s in enumerate(spots) if s[2] != self.scene.floor)
        words = max(1, (len(spots) + 63) // 64)
        return self.frame.put(bits.to_bytes(8 * words, "little"))

    def measure(self) -> dict[str, Any]:
        """Return the counts, tiles, splits and number of profiles; find the rectangles."""
        count, guess = self.count, 2 * self.count + 64
        with self._scratch() as scratch:
            first, tiles, split = (scratch.reserve(4 * count) for _ in range(3))
            splits, found = scratch.reserve(12 * count), scratch.reserve(12)
            spots = len(self.scene.remaining)
            direct = (spots + 1) ** 2 if spots <= 64 and self.layers == 2 else 0
            size = 1 << max(2 * count + 2, direct).bit_length()
            rows, hashes = scratch.reserve(8 * self.columns), scratch.reserve(4 * size)
            while True:
                self.rects, self.owners = (
                    self.frame.reserve(8 * guess),
                    self.frame.reserve(4 * guess),
                )
                self._call(
                    "scan_measure", map=self.map, first_cell=first, tiles=tiles, split=split,
                    splits=splits, split_room=count, edges=self.edges, rects=self.rects,
                    owners=self.owners, room=guess, scratch=rows, hash=hashes, hash_size=size,
                    found=found,
                )  # fmt: skip
                made, profiles, self.rect_count = scratch.get(found, "i", 3)
                if self.rect_count <= guess:
                    break
                guess = self.rect_count
            flat = scratch.get(splits, "h", 6 * made).tolist()
            keep = 6 if self.layers == 3 else 3
            return {
                "profiles": profiles,
                "tiles": scratch.get(tiles, "i", count),
                "split": scratch.get(split, "i", count),
                "splits": [tuple(flat[i : i + keep]) for i in range(0, 6 * made, 6)],
            }

    def shapes(self) -> dict[str, array[int]]:
        """Return the rectangles with their classes, and the label box and rings of each class."""
        count = self.count
        with self._scratch() as scratch:
            seen, found = scratch.reserve(self.columns * self.rows), scratch.reserve(8)
            boxes = scratch.reserve(8 * count)
            room = scratch.reserve(4 * (3 * self.columns + 2 + 2 * count))
            wide, tall = TEXT_ASPECT
            corners, rings = 6 * count + 64, count + count // 8 + 64
            while True:
                vertices = scratch.reserve(4 * corners)
                ends, owners = scratch.reserve(4 * rings), scratch.reserve(4 * rings)
                self._call(
                    "scan_shapes", map=self.map, rects=self.rects, owners=self.owners,
                    count=self.rect_count, text_width=wide, text_height=tall, boxes=boxes,
                    vertices=vertices, vertex_room=corners, ring_ends=ends, ring_owners=owners,
                    ring_room=rings, seen=seen, scratch=room, found=found,
                )  # fmt: skip
                made_rings, made_corners = scratch.get(found, "i", 2)
                if made_rings <= rings and made_corners <= corners:
                    break
                rings, corners = made_rings, made_corners
            return {
                "boxes": scratch.get(boxes, "h", 4 * count),
                "rects": scratch.get(self.rects, "h", 4 * self.rect_count),
                "owners": scratch.get(self.owners, "i", self.rect_count),
                "vertices": scratch.get(vertices, "h", 2 * made_corners),
                "ring_ends": scratch.get(ends, "i", made_rings),
                "ring_owners": scratch.get(owners, "i", made_rings),
            }
