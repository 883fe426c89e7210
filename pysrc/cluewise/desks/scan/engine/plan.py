"""A route problem in the kernel's memory: actions of a state, and the search for the best.

Sets of spots are integers, bit j = the j-th remaining spot. Values are totals of ticks over the
spots of a set, so they are whole numbers.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.classes import window_of
from cluewise.desks.scan.results import Policy
from cluewise.desks.scan.scene import Scene, complement_y, on_other_level, pulse
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import Frame

MOST_SPOTS = 64
POLICIES: dict[Policy, int] = {"bits": 0, "rate": 1, "lookahead": 2, "search": 3}
NEVER = 1 << 28
MOST_GROUND = 24 << 20  # bytes of distance fields
_ACTION = struct.Struct("<di4h4x4Q")

Tile = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Action:
    """Somewhere to walk: the answer comes at `at` (on the way there, or at `tile`)."""

    tile: Tile
    at: Tile
    cost: int
    parts: tuple[int, ...]

    @property
    def news(self) -> bool:
        """Whether the answer comes before one has arrived, without the tick of a scan."""
        return self.at != self.tile


class Planner:
    """The remaining spots of a scene, ready for questions about routes.

    Raises `TooLarge` beyond 64 spots or for walls over too much ground.
    """

    def __init__(self, frame: Frame, scene: Scene, *, on_the_way: bool, table_bits: int) -> None:
        self.frame, self.scene = frame, scene
        self.spots = [scene.spots[i] for i in scene.remaining]
        self.everything = (1 << len(self.spots)) - 1
        if len(self.spots) > MOST_SPOTS:
            raise TooLarge(
                f"Routes are worked out for up to {MOST_SPOTS} spots; {len(self.spots)} are left."
            )
        self.walk: dict[Tile, array[int]] = {}
        self.walled = False
        self._set, self._out = frame.reserve(8), frame.reserve(32 * _ACTION.size)
        self._ticks = frame.reserve(4 * MOST_SPOTS)
        self.address = self._set_up(on_the_way)
        self._search = frame.reserve(frame.call("scan_search_bytes"))
        self._table_bits = table_bits
        self._table = frame.reserve(24 << table_bits)
        self.forget()

    def _set_up(self, on_the_way: bool) -> int:
        frame, scene = self.frame, self.scene
        centres = array("i")
        for x, y, _level in self.spots:
            centres.extend((x, y, complement_y(y)))
        elsewhere = sum(1 << j for j, s in enumerate(self.spots) if s[2] != scene.floor)
        plan = frame.reserve(frame.call("scan_plan_bytes"))
        frame.call(
            "scan_plan", plan, frame.put(centres), len(self.spots), scene.reach,
            3 if scene.with_levels else 2, frame.put(elsewhere.to_bytes(8, "little")),
            int(on_the_way),
        )  # fmt: skip
        return plan

    def forget(self) -> None:
        """Empty the table of known states."""
        self.frame.call("scan_search", self._search, self.address, self._table, self._table_bits)

    def listen_on_the_way(self, on: bool) -> None:
        """Count on pulses seen while walking, or not; what was known about states is void."""
        self.frame.call("scan_on_the_way", self.address, int(on))
        self.forget()

    def lay_walls(self, start: Tile) -> Iterator[Progress]:
        """Put the position's walls under the plan; each spot's distances are a slice of work."""
        given = self.scene.position.walls
        if given is None:
            return
        if walls.is_wall(given, start):
            raise BadPosition(
                f"You stand on a wall at {start[0]}, {start[1]}; stand on a free tile.",
                "$.position.here",
            )
        x0, y0, width, height = window_of(self.scene)
        x1, y1 = max(x0 + width, start[0] + 3), max(y0 + height, start[1] + 3)
        x0, y0 = min(x0, start[0] - 2), min(y0, start[1] - 2)
        width, height = x1 - x0, y1 - y0
        if 2 * width * height * len(self.spots) > MOST_GROUND:
            raise TooLarge(
                f"Walking round walls is worked out for {MOST_GROUND >> 21} million tiles times "
                f"spots; this is {width} × {height} tiles for {len(self.spots)} spots."
            )
        rows = walls.window_rows(given, (x0, y0, width, height))
        if not any(rows):
            return
        bits = self.frame.put(walls.window_words(rows, width))
        tiles = width * height
        fields = [self.frame.reserve(2 * tiles * len(self.spots)), self.frame.reserve(2 * tiles)]
        queue = self.frame.reserve(4 * tiles)
        ground = self.frame.put(array("i", [x0, y0, width, height, bits, *fields, queue]))
        self.frame.call("scan_ground", self.address, ground)
        self.walled = True
        for j in range(len(self.spots)):
            self.frame.call("scan_ground_spot", self.address, j)
            yield Progress(j + 1, len(self.spots), "measuring the ways round the walls")
        self._refuse_unreachable(start)

    def _refuse_unreachable(self, start: Tile) -> None:
        self.frame.call("scan_reach", self.address, *start, self._set)
        reached = self.frame.get(self._set, "Q", 1)[0]
        for j, number in enumerate(self.scene.remaining):
            if not reached >> j & 1:
                raise BadPosition(
                    f"Spot {number + 1} cannot be reached from {start[0]}, {start[1]}: "
                    "the walls close it off. Rule it out or open the walls.",
                    "$.position.walls",
                )

    def ticks_from(self, tile: Tile) -> array[int]:
        """Ticks from a tile to within one tile of each spot."""
        if tile not in self.walk:
            self.frame.call("scan_ticks", self.address, *tile, self._ticks)
            self.walk[tile] = self.frame.get(self._ticks, "i", len(self.spots))
        return self.walk[tile]

    def straight(self, tile: Tile, spots: int) -> int:
        """The total of walking from a tile straight to each spot of a set."""
        ticks = self.ticks_from(tile)
        return sum(ticks[j] for j in members(spots))

    def actions(self, spots: int, tile: Tile, policy: Policy, room: int) -> list[Action]:
        """The best actions of a state, best first."""
        self.frame.write(self._set, array("Q", [spots]))
        count = self.frame.call(
            "scan_actions", self.address, self._set, *tile, POLICIES[policy], room, self._out
        )
        data = memoryview(self.frame.get(self._out, "B", count * _ACTION.size))
        return [_unpack(data, i) for i in range(count)]

    def search(self, spots: int, tile: Tile, allowance: int, pace: Pace) -> Job[tuple[int, Action]]:
        """The total of the best route found from a state, and its first action."""
        frame = self.frame
        frame.write(self._set, array("Q", [spots]))
        frame.call("scan_search_start", self._search, self._set, *tile, allowance, NEVER)
        while True:
            states = pace.rows(1 << 20)
            finished = frame.call("scan_search_run", self._search, states)
            pace.took()
            if finished:
                break
            yield Progress(0, None, "searching routes")
        total = frame.call("scan_search_value", self._search, self._out)
        return total, _unpack(memoryview(frame.get(self._out, "B", _ACTION.size)), 0)

    def answers(self, tile: Tile, spots: int) -> dict[str, int]:
        """What each answer at a tile leaves of a set, by the rule itself: `{"1": …, "3": …}`."""
        left: dict[str, int] = {}
        for j in members(spots):
            spot = self.spots[j]
            name = str(pulse(tile, spot, self.scene.reach))
            if self.scene.with_levels:
                place = (*tile, self.scene.floor)
                name += "d" if on_other_level(place, spot, self.scene.reach) else ""
            left[name] = left.get(name, 0) | 1 << j
        return dict(sorted(left.items()))


def _unpack(data: memoryview, i: int) -> Action:
    """ScanAction: score f64, cost i32, x y to_x to_y i16, 4 parts u64 (see scan.h)."""
    _score, cost, x, y, to_x, to_y, *parts = _ACTION.unpack_from(data, i * _ACTION.size)
    return Action((to_x, to_y), (x, y), cost, tuple(parts))


def members(spots: int) -> Iterator[int]:
    """The numbers of the bits of a set, ascending."""
    while spots:
        low = spots & -spots
        yield low.bit_length() - 1
        spots ^= low
