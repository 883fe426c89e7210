"""A route problem in the kernel's memory: walks, ranked actions of a state, limited searches.

A state is a set of spots, an integer with bit j for the j-th remaining spot, and a tile. Values are
totals of ticks over the spots of the set, so they are integers.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.ground import LoadedGround, load_ground, usable_teleports
from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    ScanModel,
    along,
    complement_y,
    steps_between,
    ticks_between,
)
from cluewise.desks.scan.steps import Terrain
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

Policy = Literal["bits", "rate", "lookahead", "search"]

MOST_SPOTS = SCAN.SCAN_ROUTE_SPOTS
MOST_ROOM = 2  # tiles; the same limit as in the kernel
POLICIES: dict[Policy, int] = {"bits": 0, "rate": 1, "lookahead": 2, "search": 3}
NEVER = SCAN.SCAN_NEVER
NOWHERE = SCAN.SCAN_NOWHERE  # x of no action
WALLS_EFFORT, GROUND_EFFORT = 1, 3  # of a grid of walls; of a ground, which is smaller
_FIELDS = 2 << 20  # u16 for the fields of an exact solution
_ACTION = struct.Struct(SCAN.ScanAction_FORMAT)
_TELEPORT = struct.Struct(SCAN.ScanTeleport_FORMAT)
_STAIRS = struct.Struct(SCAN.ScanStairs_FORMAT)
LONGEST_PATH = 1 << 20  # tiles of a walk on terrain
_UNREACHED = 0xFFFF  # in a field of steps
_LEVEL = 16  # bits that a tile's level is shifted by in the kernel

Tile = tuple[int, ...]  # x, y; where stairs lead to other levels, the level too


@dataclass(frozen=True, slots=True)
class Action:
    """A walk to `tile`, with the answer `at` a tile of the path, or at `tile` by a scan."""

    tile: Tile
    at: Tile
    cost: int
    parts: tuple[int, ...]

    @property
    def is_passing(self) -> bool:
        """Whether a pulse seen in passing gives the answer, without the ticks of a scan."""
        return self.at != self.tile


class Planner:
    """The remaining spots of a scene, with the kernel's memory for route searches.

    The kernel's plan holds up to 64 spots. With more (`is_wide`) it is loaded for each state of at
    most 64; for larger states `decision_tree.py` looks one scan ahead.
    """

    def __init__(
        self, frame: Frame, scene: ScanModel, *, stop: int = 0, on_the_way: bool = False,
        table_bits: int = 8,
    ) -> None:  # fmt: skip
        self.frame, self.scene, self.stop = frame, scene, stop
        self.spots = [scene.spots[i] for i in scene.remaining]
        self.everything = (1 << len(self.spots)) - 1
        self.is_wide = len(self.spots) > MOST_SPOTS
        self.on_the_way, self.with_levels = on_the_way, scene.with_levels
        self._ground: LoadedGround | None = None
        self._path = 0
        self._field = 0
        self._fields_to: dict[tuple[Tile, int], array[int]] = {}
        self._floor_walks: dict[tuple[Tile, Tile, int], int | None] = {}
        self.on_foot = True  # whether no spot needs a teleport to be reached
        self.walk: dict[Tile, array[int]] = {}
        self._set, self._elsewhere = frame.reserve(8), frame.reserve(8)
        self._out = frame.reserve(32 * _ACTION.size)
        self._ticks, self._centres = frame.reserve(4 * MOST_SPOTS), frame.reserve(12 * MOST_SPOTS)
        self.address = frame.reserve(frame.call("scan_plan_bytes"))
        self._search = frame.reserve(frame.call("scan_search_bytes"))
        self._table_bits = table_bits
        self._table = frame.reserve(SCAN.SCAN_KNOWN_ENTRY << table_bits)
        self._exact = frame.reserve(frame.call("scan_exact_bytes"))
        self._fields = frame.reserve(2 * _FIELDS)
        self._places = frame.reserve(_TELEPORT.size * SCAN.SCAN_TELEPORTS)
        self.used = usable_teleports(scene)
        self.teleports = bool(self.used)
        self.stairs = bool(scene.stairs)
        self._steps = frame.reserve(_STAIRS.size * SCAN.SCAN_STAIRS)
        self._levels = frame.reserve(4 * MOST_SPOTS)
        self._loaded: list[int] = []
        if self.spots:
            self._load_spots(self.everything if not self.is_wide else 1)

    def _load_spots(self, spots: int) -> None:
        """Set up the kernel's plan for a set of spots."""
        self._loaded = bit_indices(spots)
        centres, elsewhere = array("i"), 0
        for i, j in enumerate(self._loaded):
            x, y, level = self.spots[j]
            centres.extend((x, y, complement_y(y)))
            elsewhere |= (level != self.scene.floor) << i
        self.frame.write(self._centres, centres)
        self.frame.write(self._elsewhere, array("Q", [elsewhere]))
        self._start_plan(self.address)
        self._load_stairs()
        if self._ground is not None:
            self.frame.call("scan_ground", self.address, self._ground.address)
        self._load_teleports()
        self.clear_table()

    def _load_stairs(self) -> None:
        """Load the scene's stairs, if it has any, into the kernel's plan."""
        if not self.stairs:
            return
        used = self.scene.stairs
        self.frame.write(self._steps, b"".join(_STAIRS.pack(*s.at, *s.to, s.ticks) for s in used))
        self.frame.write(self._levels, array("i", [self.spots[j][2] for j in self._loaded]))
        self.frame.call("scan_stairs", self.address, self._steps, len(used), self._levels)

    def _load_teleports(self) -> None:
        """Load the teleports, or none, into the kernel's plan; after the ground."""
        used = self.used if self.teleports else ()
        places = (_TELEPORT.pack(*pack_tile(self.landing(i)), t.ticks) for i, t in enumerate(used))
        self.frame.write(self._places, b"".join(places))
        self.frame.call("scan_teleports", self.address, self._places, len(used))

    def use_teleports(self, on: bool) -> None:
        """Switch teleports on or off; a change invalidates the caches."""
        if on == self.teleports:
            return
        self.teleports = on
        self.walk.clear()
        self._load_teleports()
        self.clear_table()

    def _start_plan(self, address: int) -> None:
        self.frame.call(
            "scan_plan", address, self._centres, len(self._loaded), self.scene.reach,
            3 if self.with_levels else 2, self._elsewhere, int(self.on_the_way), self.stop,
        )  # fmt: skip

    def _write_set(self, spots: int) -> None:
        """Write a set of up to 64 spots for the kernel, in the plan's numbers."""
        if self.is_wide:
            if spots & ~sum(1 << j for j in self._loaded):
                self._load_spots(spots)
            spots = sum(1 << i for i, j in enumerate(self._loaded) if spots >> j & 1)
        self.frame.write(self._set, array("Q", [spots]))

    def _read_nth_action(self, data: memoryview, i: int) -> Action:
        """Return the i-th action that the kernel wrote, with this planner's numbers of spots."""
        action = _unpack(data, i, self.stairs)
        if not self.is_wide:
            return action
        parts = tuple(sum(1 << self._loaded[k] for k in bit_indices(part)) for part in action.parts)
        return Action(action.tile, action.at, action.cost, parts)

    def clear_table(self) -> None:
        """Empty the transposition table."""
        self.frame.call("scan_search", self._search, self.address, self._table, self._table_bits)

    def use_passing_pulses(self, on: bool) -> None:
        """Switch pulses seen while walking on or off; a change invalidates the table."""
        if on == self.on_the_way:
            return
        self.on_the_way = on
        self.frame.call("scan_on_the_way", self.address, int(on))
        self.clear_table()

    @property
    def walls_effort(self) -> int:
        """The greatest allowance with walls, where each state costs a search of the whole map."""
        return GROUND_EFFORT if self.scene.has_ground else WALLS_EFFORT

    @property
    def walled(self) -> bool:
        """Whether the plan has walls."""
        return self._ground is not None

    def terrain_at(self, tile: Tile) -> Terrain | None:
        """Return the terrain of a tile's floor; None without walls."""
        return None if self._ground is None else self._ground.terrain[(*tile, 0)[2]]

    def use_levels(self, on: bool) -> None:
        """Switch between six answers and three; a change invalidates the table."""
        if on == self.with_levels:
            return
        self.with_levels = on
        self._load_spots(self.everything if not self.is_wide else 1)

    def load_walls(self, start: Tile, *stops: Tile) -> Iterator[Progress]:
        """Load the position's walls in a window with the start and the stops.

        Yields after the distances to each spot. Raises `BadPosition` for a start or stop on a wall.
        """
        if self.scene.position.walls is None or not self.spots:
            return
        for tile in (start, *stops):
            given = self.scene.walls_at(tile)
            if given is None or not walls.is_wall(given, (tile[0], tile[1])):
                continue
            message = f"You stand on a wall at {tile[0]}, {tile[1]}; stand on a free tile."
            if walls.is_outside(given, (tile[0], tile[1])):
                message = (
                    f"{tile[0]}, {tile[1]} lies outside the terrain. Start inside it, or cut it "
                    "out of the collision files with your place as `here`."
                )
            raise BadPosition(message, "$.position.here")
        if self.is_wide:
            raise TooLarge(
                f"Ways round walls are computed for up to {MOST_SPOTS} spots; "
                f"{len(self.spots)} are left. Remove the walls or rule spots out."
            )
        ends = [end for one in self.scene.stairs for end in (one.at, one.to)]
        places = [*(t.at for t in self.used), *ends]
        self._ground = load_ground(self.frame, self.scene, start, *stops, *places)
        if self._ground is None:
            return
        yield from self._measure_ground(start)
        if self.scene.has_ground and (beyond := self._unreached(start)):
            self._exclude(beyond)
            if self.spots:
                yield from self._measure_ground(start)
        if numbers := self._unreached(start):
            raise BadPosition(
                f"Spot {numbers[0] + 1} cannot be reached from {start[0]}, {start[1]}: "
                "the walls close it off. Rule it out or open the walls.",
                "$.position.walls",
            )

    def _measure_ground(self, start: Tile) -> Iterator[Progress]:
        """Load the ground into the kernel's plan and compute the distances to each spot."""
        assert self._ground is not None
        self.frame.call("scan_teleports", self.address, self._places, 0)  # those of the open plane
        self.frame.call("scan_ground", self.address, self._ground.address)
        for j in range(len(self.spots)):
            self.frame.call("scan_ground_spot", self.address, j)
            yield Progress(j + 1, len(self.spots), "measuring the ways round the walls")
        self.on_foot = not self._unreached(start)
        self._load_teleports()

    def _exclude(self, beyond: list[int]) -> None:
        """Exclude some spots, given by their numbers, without a change of the start."""
        position = msgspec.structs.replace(self.scene.position, here=self.scene.start)
        beyond = [*self.scene.beyond, *beyond]
        scene = replace(self.scene, position=position, beyond=tuple(beyond))
        self.scene, self.spots = scene, [scene.spots[i] for i in scene.remaining]
        self.everything, ground = (1 << len(self.spots)) - 1, self._ground
        if self.spots:
            self._ground = None  # not yet of these spots
            self._load_spots(self.everything)
            self._ground = ground

    def _unreached(self, start: Tile) -> list[int]:
        """Return the numbers of the spots that cannot be reached from a tile."""
        if not self.spots:
            return []
        self.frame.call("scan_reach", self.address, *pack_tile(start), self._set)
        reached = self.frame.get(self._set, "Q", 1)[0]
        given = self.scene.walls_on(self.scene.floor)
        if given is not None and given.ground is not None and not self.stairs:
            levels = {level for _, _, level in self.scene.spots}
            for j, (_, _, level) in enumerate(self.spots):
                if len(levels) > 1 and level != given.ground.level:
                    reached &= ~(1 << j)
        return [n for j, n in enumerate(self.scene.remaining) if not reached >> j & 1]

    def room(self, tile: Tile, spots: int) -> int:
        """Return the distance, up to 2, within which all standable tiles have the same answers for
        a set of spots."""
        if self.walled:
            self._write_set(spots)
            return self.frame.call("scan_room", self.address, self._set, *pack_tile(tile))
        return max(0, min(MOST_ROOM, *self._edge_distances(tile, spots)))

    def _edge_distances(self, tile: Tile, spots: int) -> Iterator[int]:
        """On open ground, the distances to the edges between different answers."""
        scene, level = self.scene, (*tile, self.scene.floor)[2]
        yield MOST_ROOM
        for j in bit_indices(spots):
            x, y, on = self.spots[j]
            away = steps_between(tile, (x, y))
            sides = [(away, scene.reach), (away, 2 * scene.reach)]
            if self.with_levels and on == level:
                other = steps_between(tile, (x, complement_y(y)))
                sides.append((other, scene.reach + COMPLEMENT_EXTRA))
            for far, edge in sides:
                yield edge - far if far <= edge else far - edge - 1

    def ticks_from(self, tile: Tile) -> array[int]:
        """Return the ticks from a tile to within one tile of each spot."""
        if tile not in self.walk and self.is_wide:
            starts = [(tile, 0)]
            if self.teleports:
                starts += [(t.at[:2], t.ticks) for t in self.used]
            self.walk[tile] = array(
                "i",
                (min(n + (steps_between(at, s) >> 1) for at, n in starts) for s in self.spots),
            )
        elif tile not in self.walk:
            self.frame.call("scan_ticks", self.address, *pack_tile(tile), self._ticks)
            self.walk[tile] = self.frame.get(self._ticks, "i", len(self.spots))
        return self.walk[tile]

    def walk_ticks(self, tile: Tile, to: Tile) -> int:
        """Return the ticks from one tile to another; `NEVER` if there is no path."""
        return self.frame.call("scan_walk", self.address, *pack_tile(tile), *pack_tile(to))

    def walk_path(self, here: Tile, to: Tile, within: int = 0) -> list[Tile]:
        """Return the tiles of the game's path on terrain to the nearest tile within 0 or 1 of a
        place, both ends included; empty without a path.
        """
        assert self._ground is not None
        x0, y0, width, height = self._ground.window
        room = min(width * height, LONGEST_PATH)
        out = self._path = self._path or self.frame.reserve(4 * room)
        (x, y), (u, v) = pack_tile(here), pack_tile(to[: len(here)])
        count = self.frame.call("scan_path", self.address, x, y, u, v, within, out, room)
        return [
            (x0 + (place & 0xFFFF), y0 + (place >> 16), *here[2:])
            for place in self.frame.get(out, "i", count)
        ]

    def steps_to(self, to: Tile, within: int) -> Callable[[Tile], int]:
        """Return the distance function in steps on terrain to within 0 or 1 of a place.

        Its arguments are tiles of the place's floor; `NEVER` without a path.
        """
        assert self._ground is not None
        x0, y0, width, height = self._ground.window
        if (to, within) not in self._fields_to:
            room = width * height
            out = self._field = self._field or self.frame.reserve(2 * room)
            self.frame.call("scan_steps_to", self.address, *pack_tile(to), within, out, room)
            self._fields_to[to, within] = self.frame.get(out, "H", room)
        field = self._fields_to[to, within]

        def steps(tile: Tile) -> int:
            x, y = tile[0] - x0, tile[1] - y0
            inside = 0 <= x < width and 0 <= y < height
            found = field[y * width + x] if inside else _UNREACHED
            return NEVER if found == _UNREACHED else found

        return steps

    def floor_walk(self, here: Tile, to: Tile, within: int) -> int | None:
        """Return the ticks on one floor to within 0 or 1 of a place; None without a path."""
        if here[2:] != to[2:]:
            return None
        if not self.walled:
            return (steps_between(here, to) + 1 - within) >> 1
        key = here, to, within
        if key not in self._floor_walks:
            path = self.walk_path(here, to, within)
            self._floor_walks[key] = len(path) >> 1 if path else None
        return self._floor_walks[key]

    def run_places(self, here: Tile, tile: Tile) -> list[Tile]:
        """Return the tiles of a run by tick, the first of them its start."""
        if not self.walled:
            return [along(here, tile, tick) for tick in range(ticks_between(here, tile) + 1)]
        path = self.walk_path(here, tile)
        return [*path[:-1:2], path[-1]] if path else []

    def landing(self, by: int) -> Tile:
        """Return the landing of a teleport; without a level, on the position's floor."""
        return self.scene.tile(self.used[by].at)

    def teleport_between(self, tile: Tile, to: Tile) -> int | None:
        """Return the teleport of a shortest path between two tiles; None on foot."""
        if not self.teleports:
            return None
        by = self.frame.call("scan_way", self.address, *pack_tile(tile), *pack_tile(to))
        return by - 1 if by else None

    def teleport_to_dig(self, tile: Tile, j: int) -> int | None:
        """Return the teleport of a shortest path to within a tile of a spot; None on foot."""
        if not self.teleports:
            return None
        self._write_set(1 << j)
        by = self.frame.call("scan_dig", self.address, *pack_tile(tile), self._loaded.index(j))
        return by - 1 if by else None

    def straight_total(self, tile: Tile, spots: int) -> int:
        """Return the total of the direct walks from a tile to each spot of a set."""
        ticks = self.ticks_from(tile)
        return sum(ticks[j] for j in bit_indices(spots))

    def actions(self, spots: int, tile: Tile, policy: Policy, room: int) -> list[Action]:
        """Return the best actions of a state of up to 64 spots, best first."""
        self._write_set(spots)
        count = self.frame.call(
            "scan_actions", self.address, self._set, *pack_tile(tile), POLICIES[policy], room,
            self._out,
        )  # fmt: skip
        data = memoryview(self.frame.get(self._out, "B", count * _ACTION.size))
        return [self._read_nth_action(data, i) for i in range(count)]

    def discrepancies(self, rank: int) -> int:
        """Return the discrepancies that an action of this rank costs."""
        return self.frame.call("scan_price", rank)

    def search(
        self, spots: int, tile: Tile, allowance: int, pace: SliceTimer, *, every: bool
    ) -> Job[tuple[int, Action | None]]:
        """Search a state of up to 64 spots; return the least total found and its first action.

        Limited-discrepancy search with that allowance. The action is None if no reachable tile
        distinguishes the spots. With `every`, all first actions are tried: the total is at most
        that of any action of `actions` followed by searches with the rest of the allowance.
        """
        frame = self.frame
        self._write_set(spots)
        frame.call(
            "scan_search_start", self._search, self._set, *pack_tile(tile), allowance, int(every),
            NEVER,
        )  # fmt: skip
        while True:
            states = pace.rows(1 << 20)
            finished = frame.call("scan_search_run", self._search, states)
            pace.took()
            if finished:
                break
            yield Progress(0, None, "searching routes")
        total = frame.call("scan_search_value", self._search, self._out)
        action = self._read_nth_action(memoryview(frame.get(self._out, "B", _ACTION.size)), 0)
        return total, None if action.at[0] == NOWHERE else action

    def solve_exactly(self, spots: int, tile: Tile, known: int) -> tuple[int, Action | None] | None:
        """Return the least total of a state of a few spots, and its first action.

        `known`: an upper bound; the action is None if no total is below it. Returns None if the
        exact search does not apply: more spots, fields that do not fit, walls, stairs, pulses in
        passing.
        """
        if spots.bit_count() > SCAN.SCAN_EXACT or self.walled or self.on_the_way or self.stairs:
            return None
        self._write_set(spots)
        x, y = tile
        try:
            total = self.frame.call(
                "scan_exact", exact=self._exact, plan=self.address, set=self._set, x=x, y=y,
                upper=known, pool=self._fields, room=_FIELDS, out=self._out,
            )  # fmt: skip
        except TooLarge:
            return None
        action = self._read_nth_action(memoryview(self.frame.get(self._out, "B", _ACTION.size)), 0)
        return total, None if action.at[0] == NOWHERE else action

    def start_run_search(self, state: int, table: int, bits: int, reaction: int) -> None:
        """Set up the kernel's search over runs in the caller's buffers."""
        self.frame.call("scan_listen", state, self.address, self._search, table, bits, reaction)

    def read_action(self, address: int) -> Action:
        """Return an action that the kernel wrote."""
        return _unpack(memoryview(self.frame.get(address, "B", _ACTION.size)), 0, self.stairs)

    def answers(self, tile: Tile, spots: int, *, with_levels: bool | None = None) -> dict[str, int]:
        """Return the partition of a set by the answers at a tile: `{"1": …, "3": …}`."""
        cells: dict[str, int] = {}
        levels = self.with_levels if with_levels is None else with_levels
        for j in bit_indices(spots):
            name = self.scene.answer(tile, self.spots[j], with_levels=levels)
            cells[name] = cells.get(name, 0) | 1 << j
        return dict(sorted(cells.items()))


def pack_tile(tile: Tile) -> tuple[int, int]:
    """Return a tile for a kernel call, with the level in the upper bits of y."""
    return tile[0], tile[1] if len(tile) < 3 else tile[1] + (tile[2] << _LEVEL)


def _unpack(data: memoryview, i: int, with_level: bool) -> Action:
    """ScanAction: score f64, cost i32, x y to_x to_y i16, level i32, 4 parts u64 (see scan.h)."""
    _score, cost, x, y, to_x, to_y, level, *parts = _ACTION.unpack_from(data, i * _ACTION.size)
    on = (level,) if with_level else ()
    return Action((to_x, to_y, *on), (x, y, *on), cost, tuple(parts))
