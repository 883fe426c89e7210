"""Paths to follow: teleports, stairs and abilities, each with its tick.

On foot the kernel returns the teleport of a shortest path; its stairs are found here by Dijkstra's
algorithm (1959) over the ends of stairs. With abilities every teleport's landing is tried, and the
walks between stairs are scheduled in order, each with the charges left by the previous ones. Cost:
O(teleports) paths, O(ends of stairs ^ 2) each.

On terrain, walks follow the game's paths, and charges are used greedily. A dive to a tile within
ten succeeds if this walk arrives: a diagonal step while both axes are left and the terrain has that
step, else along x, else along y. Surge tries ten tiles straight ahead, then nine and so on, and
ends at the first tile to which such a dive succeeds; escape the same backwards, from seven. Charges
are used as soon as they save enough; after each use the path is searched again. A dive goes to the
farthest tile of the path, or off the path to the tile with the fewest remaining steps, a surge that
is ready included; the quicker walk is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cluewise.desks.scan.engine.abilities import (
    BACK,
    FAR,
    LONG,
    WORTH,
    Abilities,
    Ability,
    AbilityUse,
    Charges,
    Path,
    Ready,
    adjacent_tile,
    faced_after,
    shortest_path,
)
from cluewise.desks.scan.engine.planner import NEVER, Planner, Tile
from cluewise.desks.scan.scene import steps_between
from cluewise.desks.scan.steps import DX, DY, Terrain

BARE = Abilities(0, False, False)
End = tuple[Tile, int]
"""A tile, and the distance from it at which a path ends: 1 to dig."""


@dataclass(frozen=True, slots=True)
class StairUse:
    """Stairs on a path: you are at `at` at `tick`, and at `to` `ticks` later."""

    tick: int
    at: Tile
    to: Tile
    name: str
    ticks: int


def path_to(
    planner: Planner, here: Tile, to: Tile, kit: Abilities = BARE, ready: Ready = ()
) -> Path:
    """Return the quickest path found to a tile; `ready`: ticks until each charge is ready."""
    if kit.any:
        return _with_abilities(planner, here, (to, 0), kit, ready)
    ticks = planner.walk_ticks(here, to)
    return _on_foot(planner, here, ticks, planner.teleport_between(here, to), (to, 0))


def path_to_dig(
    planner: Planner, here: Tile, j: int, kit: Abilities = BARE, ready: Ready = ()
) -> Path:
    """Return the quickest path found to within a tile of the planner's j-th spot."""
    end = planner.spots[j], 1
    if kit.any:
        return _with_abilities(planner, here, end, kit, ready)
    return _on_foot(
        planner, here, planner.ticks_from(here)[j], planner.teleport_to_dig(here, j), end
    )


def _on_foot(planner: Planner, here: Tile, ticks: int, by: int | None, end: End) -> Path:
    uses = [] if by is None else [_use(planner, here, by)]
    if planner.stairs:
        begin = here if by is None else uses[0].to
        spent = 0 if by is None else planner.used[by].ticks
        path = stairs_on_path(planner, begin, end, spent)
        uses += [AbilityUse("stairs", c.tick, c.at, c.to, c.name) for c in path]
    return Path(ticks, tuple(uses), ())


def _use(planner: Planner, here: Tile, by: int) -> AbilityUse:
    teleport = planner.used[by]
    return AbilityUse("teleport", 0, here, planner.landing(by), teleport.name)


def _with_abilities(planner: Planner, here: Tile, end: End, kit: Abilities, ready: Ready) -> Path:
    """Return the quickest of the walks from here and from each landing, some over stairs."""
    starts = [(Path(0, (), ready), here)]
    for by, teleport in enumerate(planner.used if planner.teleports else ()):
        spent = Path(teleport.ticks, (_use(planner, here, by),), ready)
        starts.append((replace(spent, ready=spent.after(spent.ticks)), planner.landing(by)))
    found = []
    for first, at in starts:
        if not planner.stairs or planner.floor_walk(at, *end) is not None:
            found.append(_walk_over_stairs(planner, first, at, (), end, kit))
        if planner.stairs and (path := stairs_on_path(planner, at, end)):
            found.append(_walk_over_stairs(planner, first, at, path, end, kit))
    return min(found, key=lambda one: one.ticks)


def _walk_over_stairs(
    planner: Planner, gone: Path, at: Tile, path: Sequence[StairUse], end: End, kit: Abilities
) -> Path:
    """Return a path extended over stairs to its end."""
    for stairs in path:
        gone = _append_walk(gone, _walk(planner, at, (stairs.at, 0), kit, gone.ready), at)
        use = AbilityUse("stairs", gone.ticks, stairs.at, stairs.to, stairs.name)
        gone = Path(gone.ticks + stairs.ticks, (*gone.uses, use), gone.after(stairs.ticks))
        at = stairs.to
    return _append_walk(gone, _walk(planner, at, end, kit, gone.ready), at)


def _walk(planner: Planner, at: Tile, end: End, kit: Abilities, ready: Ready) -> Path:
    """Return the walk on one level, with abilities."""
    to, within = end[0][: len(at)], end[1]
    terrain = planner.terrain_at(at)
    if terrain is None:
        return shortest_path(at, adjacent_tile(at, to) if within else to, kit, ready)
    goal = _Goal(
        terrain, lambda tile: planner.walk_path(tile, to, within), planner.steps_to(to, within)
    )
    return _shortest_walk(goal, at, kit, ready)


def _append_walk(gone: Path, rest: Path, at: Tile) -> Path:
    """Return a path extended by a walk on the level of its end."""
    level = at[2:]
    later = (
        replace(use, tick=use.tick + gone.ticks, at=use.at[:2] + level, to=use.to[:2] + level)
        for use in rest.uses
    )
    return Path(gone.ticks + rest.ticks, (*gone.uses, *later), rest.ready)


def stairs_on_path(planner: Planner, here: Tile, end: End, spent: int = 0) -> list[StairUse]:
    """Return the stairs of a shortest path from a tile at tick `spent`, as few as possible."""
    stairs = planner.scene.stairs
    edges = [(s.at, s.to, s) for s in stairs] + [(s.to, s.at, s) for s in stairs]
    todo: dict[Tile, tuple[int, int, list[StairUse]]] = {here: (spent, 0, [])}
    done: set[Tile] = set()
    best: tuple[int, int, list[StairUse]] | None = None
    while open_ := [(known[:2], tile) for tile, known in todo.items() if tile not in done]:
        _, tile = min(open_)
        done.add(tile)
        ticks, count, path = todo[tile]
        rest = planner.floor_walk(tile, *end)
        if rest is not None and (best is None or (ticks + rest, count) < best[:2]):
            best = ticks + rest, count, path
        for at, to, one in edges:
            walk = planner.floor_walk(tile, at, 0)
            if walk is None:
                continue
            found = ticks + walk + one.ticks, count + 1
            if to not in todo or found < todo[to][:2]:
                todo[to] = (*found, [*path, StairUse(ticks + walk, at, to, one.name, one.ticks)])
    return best[2] if best is not None else []


def uses_to_json(gone: Path) -> dict[str, Any]:
    """Return the uses of a path as the field `uses`, or no field if there are none."""
    uses = [
        {"ability": u.ability, "tick": u.tick, "at": list(u.at), "to": list(u.to)}
        | ({"name": u.name} if u.name else {})
        for u in gone.uses
    ]
    return {"uses": uses} if uses else {}


# ---- on terrain ---------------------------------------------------------------------------


class _Goal(NamedTuple):
    """The end of a walk on terrain."""

    terrain: Terrain
    paths: Callable[[Tile], list[Tile]]
    """Returns the tiles of the game's path from a tile, both ends included."""
    steps: Callable[[Tile], int]
    """Returns the number of steps of that path; `NEVER` without one."""


_DIRECTIONS = {step: k for k, step in enumerate(zip(DX, DY, strict=True))}


def _shortest_walk(goal: _Goal, here: Tile, kit: Abilities, ready: Ready) -> Path:
    """Return the quickest walk found to a goal; `NEVER` without a path."""
    if goal.steps(here) >= NEVER:
        return Path(NEVER, (), ready)
    tried = [
        _Walk(goal, here, kit, ready, off_path=off_path).schedule(escapes=escapes, surges=surges)
        for escapes in ((False, True) if kit.escapes else (False,))
        for surges in ((True, False) if kit.surges else (False,))
        for off_path in ((False, True) if kit.dive and surges else (False,))
    ]
    return min(tried, key=lambda walk: (walk.ticks, len(walk.uses)))


def _can_dive(terrain: Terrain, here: Tile, to: Tile) -> bool:
    """Return whether a dive from a tile to another arrives."""
    x, y = here[:2]
    dx, dy = _sign(to[0] - x), _sign(to[1] - y)
    while (x, y) != to[:2]:
        left_x, left_y = dx if x != to[0] else 0, dy if y != to[1] else 0
        for step in ((left_x, left_y), (left_x, 0), (0, left_y)):
            if step in _DIRECTIONS and _can_step(terrain, (x, y), step):
                x, y = x + step[0], y + step[1]
                break
        else:
            return False
    return True


def _can_step(terrain: Terrain, tile: Tile, step: Tile) -> bool:
    """Return whether the terrain has a step from a tile in a direction."""
    x0, y0, width, height = terrain.window
    x, y = tile[0] - x0, tile[1] - y0
    inside = 0 <= x < width and 0 <= y < height
    return inside and bool(terrain.steps[_DIRECTIONS[step[0], step[1]]][y] >> x & 1)


class _Walk(Charges):
    """One walk on terrain, with a greedy schedule of abilities."""

    def __init__(
        self, goal: _Goal, here: Tile, kit: Abilities, ready: Ready, *, off_path: bool
    ) -> None:
        super().__init__(here, kit, ready)
        self.terrain, self.paths, self.steps = goal
        self.off_path = off_path  # whether dives may lead off the path
        self.ahead = self.paths(here)[1:]  # the tiles still to run
        self.faced: Tile | None = None
        self.turned: Tile | None = None  # the direction of the escape that was turned for

    def schedule(self, *, escapes: bool, surges: bool) -> Path:
        """Return the walk to its end."""
        while self.ahead:
            while self._escape() or (surges and self._surge()) or self._dive():
                pass
            if self.ahead and not (escapes and self._turn()):
                self._run()
            self.tick += 1
        return self.path()

    def _run(self) -> None:
        for tile in self.ahead[:2]:
            self.faced = tile[0] - self.at[0], tile[1] - self.at[1]
            self.at = tile
        del self.ahead[:2]

    def _landing(self, at: Tile, step: Tile, most: int) -> Tile | None:
        """Return the tile at which a surge or an escape ends; None if it is blocked."""
        ends = ((at[0] + n * step[0], at[1] + n * step[1], *at[2:]) for n in range(most, 0, -1))
        return next((end for end in ends if _can_dive(self.terrain, at, end)), None)

    def _saves(self, landing: Tile | None, least: int) -> list[Tile] | None:
        """Return the path from a landing if it is at least `least` steps shorter, else None."""
        if landing is None or self.steps(landing) > len(self.ahead) - least:
            return None
        return self.paths(landing)

    def _jump(self, ability: Ability, to: Tile, path: list[Tile]) -> bool:
        charge = self.ready_for(ability, self.tick)
        if charge is None:
            return False
        self.spend(ability, charge, to)
        self.ahead = path[1:]
        return True

    def _surge(self) -> bool:
        if self.faced is None or self.ready_for("surge", self.tick) is None:
            return False
        landing = self._landing(self.at, self.faced, FAR)
        path = self._saves(landing, WORTH)
        return path is not None and landing is not None and self._jump("surge", landing, path)

    def _dive(self) -> bool:
        """Dive to the farthest tile of the path within reach, or with `off_path` off the path."""
        if len(self.ahead) < WORTH or self.ready_for("dive", self.tick) is None:
            return False
        tile = self._best_dive() if self.off_path else None
        for one in self.ahead[: WORTH - 2 : -1] if tile is None else ():
            if steps_between(self.at, one) <= FAR and _can_dive(self.terrain, self.at, one):
                tile = one
                break
        if tile is None:
            return False
        faced = faced_after(tile[0] - self.at[0], tile[1] - self.at[1])
        self._jump("dive", tile, self.paths(tile))
        self.faced = faced
        return True

    def _best_dive(self) -> Tile | None:
        """Return the tile within a dive with the fewest steps left, a ready surge included."""
        surges, (x, y) = self.ready_for("surge", self.tick) is not None, self.at[:2]
        best, found = len(self.ahead) - WORTH + 1, None
        near = range(-FAR, FAR + 1)
        tiles = [(x + dx, y + dy, *self.at[2:]) for dx in near for dy in near if dx or dy]
        left = sorted((steps, tile) for tile in tiles if (steps := self.steps(tile)) < NEVER)
        for steps, tile in left:
            if steps - FAR * surges >= best:
                break
            if not _can_dive(self.terrain, self.at, tile):
                continue
            if surges:
                landing = self._landing(tile, faced_after(tile[0] - x, tile[1] - y), FAR)
                steps = min(steps, self.steps(landing)) if landing is not None else steps
            if steps < best:
                best, found = steps, tile
        return found

    def _turn(self) -> bool:
        """Run one tile back for an escape in the next tick, if that saves a tick."""
        if len(self.ahead) < LONG or self.ready_for("escape", self.tick + 1) is None:
            return False
        step = self.ahead[0][0] - self.at[0], self.ahead[0][1] - self.at[1]
        back = self.at[0] - step[0], self.at[1] - step[1], *self.at[2:]
        if not _can_step(self.terrain, self.at, (-step[0], -step[1])):
            return False
        if self._saves(self._landing(back, step, BACK), LONG - 1) is None:
            return False
        self.at, self.turned, self.faced = back, step, None
        return True

    def _escape(self) -> bool:
        """Escape in the direction that was turned for; you then face backwards."""
        step, self.turned = self.turned, None
        if step is None:
            return False
        landing = self._landing(self.at, step, BACK)
        assert landing is not None
        return self._jump("escape", landing, self.paths(landing))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
