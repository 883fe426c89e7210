"""Surge, dive and escape on terrain: walks along the game's paths, charges used by a rule.

A dive to a tile within ten works if this walk arrives: a step diagonally while both axes are left
and the terrain has that step, else along x, else along y. Surge tries ten tiles straight ahead,
nine and so on as such dives, and takes the first that arrives; escape the same backwards, from 7.
Charges are used as soon as they save enough; after each use the walk goes on by the path from where
it ended. A dive leads along the path, or to the tile from which, after a surge the way one then
faces where one is ready, the least of the way is left; the quicker walk counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cluewise.desks.scan.engine.abilities import (
    BACK,
    FAR,
    LONG,
    WORTH,
    Abilities,
    Ability,
    Charges,
    Path,
    Ready,
    faced_after,
)
from cluewise.desks.scan.engine.planner import NEVER
from cluewise.desks.scan.scene import Tile, steps_between
from cluewise.desks.scan.steps import DX, DY, Terrain


class Way(NamedTuple):
    """Terrain, and the way to one place on it."""

    terrain: Terrain
    paths: Callable[[Tile], list[Tile]]
    """From a tile the tiles of the walk to the end of the way, both included."""
    steps: Callable[[Tile], int]
    """From a tile the number of steps of that walk; `NEVER` without one."""


_DIRECTIONS = {step: k for k, step in enumerate(zip(DX, DY, strict=True))}


def shortest_walk(way: Way, here: Tile, kit: Abilities, ready: Ready) -> Path:
    """Return the quickest walk found to the end of a way; `NEVER` where none leads there."""
    if way.steps(here) >= NEVER:
        return Path(NEVER, (), ready)
    tried = [
        _Walk(way, here, kit, ready, aside=aside).walked(escapes=escapes, surges=surges)
        for escapes in ((False, True) if kit.escapes else (False,))
        for surges in ((True, False) if kit.surges else (False,))
        for aside in ((False, True) if kit.dive and surges else (False,))
    ]
    return min(tried, key=lambda walk: (walk.ticks, len(walk.uses)))


def leap(terrain: Terrain, here: Tile, to: Tile) -> bool:
    """Return whether a dive from a tile to another arrives."""
    x, y = here[:2]
    dx, dy = _sign(to[0] - x), _sign(to[1] - y)
    while (x, y) != to[:2]:
        left_x, left_y = dx if x != to[0] else 0, dy if y != to[1] else 0
        for step in ((left_x, left_y), (left_x, 0), (0, left_y)):
            if step in _DIRECTIONS and can_step(terrain, (x, y), step):
                x, y = x + step[0], y + step[1]
                break
        else:
            return False
    return True


def can_step(terrain: Terrain, tile: Tile, step: Tile) -> bool:
    """Return whether one may step from a tile to the neighbour in a direction."""
    x0, y0, width, height = terrain.window
    x, y = tile[0] - x0, tile[1] - y0
    inside = 0 <= x < width and 0 <= y < height
    return inside and bool(terrain.steps[_DIRECTIONS[step[0], step[1]]][y] >> x & 1)


class _Walk(Charges):
    def __init__(self, way: Way, here: Tile, kit: Abilities, ready: Ready, *, aside: bool) -> None:
        super().__init__(here, kit, ready)
        self.terrain, self.paths, self.steps = way
        self.aside = aside  # whether dives may lead off the path
        self.ahead = self.paths(here)[1:]  # the tiles still to run
        self.faced: Tile | None = None
        self.turned: Tile | None = None  # the way an escape leads that was turned for

    def walked(self, *, escapes: bool, surges: bool) -> Path:
        """The walk to its end."""
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
        """Where a surge or an escape ends; None where no tile of it arrives."""
        ends = ((at[0] + n * step[0], at[1] + n * step[1], *at[2:]) for n in range(most, 0, -1))
        return next((end for end in ends if leap(self.terrain, at, end)), None)

    def _saves(self, landing: Tile | None, least: int) -> list[Tile] | None:
        """The path on from a landing if it is at least so many steps shorter."""
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
        """To the tile farthest along the path that a dive reaches."""
        if len(self.ahead) < WORTH or self.ready_for("dive", self.tick) is None:
            return False
        tile = self._aside() if self.aside else None
        for one in self.ahead[: WORTH - 2 : -1] if tile is None else ():
            if steps_between(self.at, one) <= FAR and leap(self.terrain, self.at, one):
                tile = one
                break
        if tile is None:
            return False
        faced = faced_after(tile[0] - self.at[0], tile[1] - self.at[1])
        self._jump("dive", tile, self.paths(tile))
        self.faced = faced
        return True

    def _aside(self) -> Tile | None:
        """The tile within a dive from which, perhaps after a surge, the fewest steps are left."""
        surges, (x, y) = self.ready_for("surge", self.tick) is not None, self.at[:2]
        best, found = len(self.ahead) - WORTH + 1, None
        near = range(-FAR, FAR + 1)
        tiles = [(x + dx, y + dy, *self.at[2:]) for dx in near for dy in near if dx or dy]
        left = sorted((steps, tile) for tile in tiles if (steps := self.steps(tile)) < NEVER)
        for steps, tile in left:
            if steps - FAR * surges >= best:
                break
            if not leap(self.terrain, self.at, tile):
                continue
            if surges:
                landing = self._landing(tile, faced_after(tile[0] - x, tile[1] - y), FAR)
                steps = min(steps, self.steps(landing)) if landing is not None else steps
            if steps < best:
                best, found = steps, tile
        return found

    def _turn(self) -> bool:
        """One tile back, so that an escape in the next tick leads on, if that saves a tick."""
        if len(self.ahead) < LONG or self.ready_for("escape", self.tick + 1) is None:
            return False
        step = self.ahead[0][0] - self.at[0], self.ahead[0][1] - self.at[1]
        back = self.at[0] - step[0], self.at[1] - step[1], *self.at[2:]
        if not can_step(self.terrain, self.at, (-step[0], -step[1])):
            return False
        if self._saves(self._landing(back, step, BACK), LONG - 1) is None:
            return False
        self.at, self.turned, self.faced = back, step, None
        return True

    def _escape(self) -> bool:
        """Escape the way that was turned for; one then faces backwards."""
        step, self.turned = self.turned, None
        if step is None:
            return False
        landing = self._landing(self.at, step, BACK)
        assert landing is not None
        return self._jump("escape", landing, self.paths(landing))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
