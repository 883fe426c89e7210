"""Open ground and terrain, with the steps of walks tile by tile."""

import base64
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any

from reference.scan import Tile


def sign(v: int) -> int:
    return (v > 0) - (v < 0)


class Plane:
    """Open ground, on every floor."""

    def ground(self, _level: int) -> "Plane":
        """The ground of a floor."""
        return self

    def path(self, start: Tile, ends: set[Tile]) -> list[Tile]:
        """The run to a tile: diagonally until one is level with it, then straight on."""
        (end,), found = ends, [start]
        while (at := found[-1]) != end:
            found.append((at[0] + sign(end[0] - at[0]), at[1] + sign(end[1] - at[1])))
        return found

    def around(self, here: Tile, spot: Any) -> set[Tile]:
        """Where a straight run comes to within one tile of a spot."""
        return {(spot[0] - sign(spot[0] - here[0]), spot[1] - sign(spot[1] - here[1]))}

    def leap(self, _here: Tile, _to: Tile) -> bool:
        """Whether a dive arrives."""
        return True

    def can_step(self, _tile: Tile, _step: Tile) -> bool:
        """Whether one may step to a neighbour."""
        return True


ORDER = (0, 2, 3, 1, 7, 6, 4, 5)  # W, E, S, N, SW, SE, NW, NE, as the game's search tries them
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))


def pack(rows: list[list[int]]) -> str:
    """Bytes of steps, lowest row first, as a position has them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(byte for row in rows for byte in row)) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class SlowGround(Plane):
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

    def around(self, here: Tile, spot: Any) -> set[Tile]:
        return {(spot[0] + u, spot[1] + v) for u in (-1, 0, 1) for v in (-1, 0, 1)}

    def can_step(self, tile: Tile, step: Tile) -> bool:
        return STEPS.index(step) in self.exits.get(tile, ())

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

    def path(self, start: Tile, ends: set[Tile]) -> list[Tile]:
        """The game's walk to the first of some tiles that its search comes to."""
        came, queue = dict[Tile, Tile | None]({start: None}), deque([start])
        while queue:
            tile: Tile | None = queue.popleft()
            assert tile is not None
            if tile in ends:
                found = []
                while tile is not None:
                    found.append(tile)
                    tile = came[tile]
                return found[::-1]
            for k in ORDER:
                to = self.to(tile, k)
                if k in self.exits.get(tile, ()) and to not in came:
                    came[to] = tile
                    queue.append(to)
        raise AssertionError(f"no walk leads from {start} to {ends}")

    def leap(self, here: Tile, to: Tile) -> bool:
        """Whether a dive arrives: diagonally while both axes are left, else along x, then y."""
        at = here
        while at != to:
            dx, dy = sign(to[0] - at[0]), sign(to[1] - at[1])
            ways = [(dx, dy)] * bool(dx and dy) + [(dx, 0)] * bool(dx) + [(0, dy)] * bool(dy)
            open_ = [way for way in ways if self.can_step(at, way)]
            if not open_:
                return False
            at = at[0] + open_[0][0], at[1] + open_[0][1]
        return True
