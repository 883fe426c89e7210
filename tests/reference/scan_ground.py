"""Terrain tile by tile: bytes of steps, walks as searches over them, classes as floods."""

import base64
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any

Tile = tuple[int, int]

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))


def pack(rows: list[list[int]]) -> str:
    """Bytes of steps, lowest row first, as a position has them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(byte for row in rows for byte in row)) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class SlowGround:
    """`SlowGround((x, y), rows)`, and strokes over it."""

    def __init__(self, at: Tile, rows: list[list[int]]) -> None:
        self.at, self.size = at, (len(rows[0]), len(rows))
        self.exits = {
            (at[0] + x, at[1] + y): {k for k in range(8) if byte >> k & 1}
            for y, row in enumerate(rows)
            for x, byte in enumerate(row)
        }
        for tile, exits in self.exits.items():
            exits -= {k for k in exits if self.to(tile, k) not in self.exits}
        self.standable = {self.to(t, k) for t, exits in self.exits.items() for k in exits}

    @staticmethod
    def to(tile: Tile, k: int) -> Tile:
        return tile[0] + STEPS[k][0], tile[1] + STEPS[k][1]

    def paint(self, stroke: tuple[int, int, int, int, int]) -> None:
        x0, y0, x1, y1, kind = stroke
        area = {t for t in self.exits if x0 <= t[0] <= x1 and y0 <= t[1] <= y1}
        self.standable = self.standable - area if kind else self.standable | area
        for tile, exits in self.exits.items():
            for k in range(8):
                if kind and self.to(tile, k) in area:
                    exits.discard(k)
                both = {tile, self.to(tile, k)}
                if not kind and both & area and both <= self.standable:
                    exits.add(k)

    def steps_from(self, start: Tile) -> dict[Tile, int]:
        """The least number of steps to every tile that a walk reaches."""
        found, queue = {start: 0}, deque([start])
        while queue:
            tile = queue.popleft()
            for to in (self.to(tile, k) for k in self.exits.get(tile, ())):
                if to not in found:
                    found[to] = found[tile] + 1
                    queue.append(to)
        return found

    def to_dig(self, start: Tile, spot: Tile) -> int | None:
        """The least number of steps to within one tile of a spot."""
        found = self.steps_from(start)
        near = [n for t, n in found.items() if max(abs(t[0] - spot[0]), abs(t[1] - spot[1])) <= 1]
        return min(near, default=None)

    def classes(self, pulses: Any, window: tuple[int, int, int, int]) -> list[set[Tile]]:
        """Connected standable tiles of the window [x0, x1, y0, y1] with equal pulses."""
        x0, x1, y0, y1 = window
        left = {t for t in self.standable if x0 <= t[0] <= x1 and y0 <= t[1] <= y1}
        found = []
        while left:
            stack, one = [left.pop()], set[Tile]()
            while stack:
                tile = stack.pop()
                one.add(tile)
                for to in self._joined(tile):
                    if to in left and pulses(to) == pulses(tile):
                        left.discard(to)
                        stack.append(to)
            found.append(one)
        return found

    def _joined(self, tile: Tile) -> Iterator[Tile]:
        for k in range(4):
            to = self.to(tile, k)
            if k in self.exits[tile] or (k ^ 2) in self.exits.get(to, ()):
                yield to

    def walk_tree(
        self, tree: Any, start: Tile, spot: int, spots: Any, reach: int, stop: int
    ) -> Any:
        """The ticks that a tree promises for a spot, and those that a walker takes."""
        node, at, promised, walked = tree, start, 0, 0
        while "tile" in node:
            tile = (node["tile"][0], node["tile"][1])
            walked += (self.steps_from(at)[tile] + 1) // 2 + stop
            promised += node["walk_ticks"] + stop
            away = max(abs(tile[0] - spots[spot][0]), abs(tile[1] - spots[spot][1]))
            node, at = (
                node["answers"]["3" if away <= reach else "2" if away <= 2 * reach else "1"],
                tile,
            )
        if "dig" in node:
            assert spot in node["spots"]
            tile = (node["dig"][0], node["dig"][1])
            assert max(abs(tile[0] - spots[spot][0]), abs(tile[1] - spots[spot][1])) <= 1
            return promised + node["walk_ticks"], walked + (self.steps_from(at)[tile] + 1) // 2
        assert spot in (node.get("spots") or [node["spot"]])
        steps = self.to_dig(at, spots[spot])
        assert steps is not None
        return promised + (steps + 1) // 2, walked + (steps + 1) // 2
