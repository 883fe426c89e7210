"""Surge, dive and escape on a walk over open ground: a greedy schedule and its ticks.

Movement: you run two tiles a tick. Surge moves you ten tiles in the direction you face (one of
eight), dive to any tile within ten, escape seven tiles backwards without turning you. None of them
ends the tick: abilities, then two tiles of running fit into one. A charge is ready again 34 ticks
after its use (17 with the perk Mobile); two surges or escapes are at least two ticks from each
other. You face the direction of the last tile run, or the one of eight nearest to a dive's; at the
start of a walk it is unknown. To escape forwards you first run one tile back, nothing else in that
tick: eight tiles in two ticks, where a run takes four.

A walk of a tiles on one axis and b < a on the other is b diagonal and a - b straight tiles in any
order. A run goes diagonally first, which decides the direction at its end. Greedy: charges are used
as soon as they carry far enough; the quickest of at most twelve orders is returned.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

from cluewise.desks.scan.scene import Tile

Ability = Literal["dive", "surge", "escape", "teleport", "stairs"]
Ready = tuple[int, ...]

FAR = 10  # tiles of a surge or of the longest dive
BACK = 7  # tiles of an escape
COOLDOWN, MOBILE = 34, 17  # ticks
SPACING = 2  # ticks between two surges or escapes
WORTH = 6  # least number of tiles left for a dive
LONG = 5  # least number of tiles left at which an escape can be quicker than two ticks of running


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities of a player: `Abilities(surges=1, dive=True, mobile=False)`."""

    surges: int
    dive: bool
    mobile: bool
    escapes: int = 0

    @property
    def any(self) -> bool:
        """Whether there is any ability."""
        return self.dive or self.surges > 0 or self.escapes > 0

    @property
    def cooldown(self) -> int:
        """Ticks from a use until the charge is ready again."""
        return MOBILE if self.mobile else COOLDOWN

    @property
    def full(self) -> Ready:
        """Every charge ready: ticks until it is, the dive's first, the surges', the escapes'."""
        return (0,) * (self.dive + self.surges + self.escapes)


@dataclass(frozen=True, slots=True)
class AbilityUse:
    """The use of an ability `tick` ticks after a walk's start; or of a teleport or stairs."""

    ability: Ability
    tick: int
    at: Tile
    to: Tile
    name: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A path: its ticks, its uses, and the ticks from its end until each charge is ready."""

    ticks: int
    uses: tuple[AbilityUse, ...]
    ready: Ready

    def after(self, ticks: int) -> Ready:
        """Return the charges that many ticks later."""
        return tuple(max(0, r - ticks) for r in self.ready)


def shortest_path(here: Tile, to: Tile, kit: Abilities, ready: Ready) -> Path:
    """Return the quickest walk found to a tile; `ready`: ticks until each charge is ready."""
    dx, dy = to[0] - here[0], to[1] - here[1]
    tried = [
        _Walk(here, dx, dy, kit, ready).schedule(run, dive, turns)
        for turns in (["", "d", "s"] if kit.escapes else [""])
        for run, dive in product("ds", repeat=2)
    ]
    return min(tried, key=lambda w: (w.ticks, len(w.uses)))


def adjacent_tile(here: Tile, spot: tuple[int, ...]) -> Tile:
    """Return the first tile of the straight walk that is within one tile of a spot."""
    x, y = (s - max(-1, min(1, s - h)) for s, h in zip(spot[:2], here[:2], strict=True))
    return x, y


def faced_after(dx: int, dy: int) -> Tile:
    """Return the one of eight directions that you face after a dive: at most 22.5 degrees off.

    >>> faced_after(10, -4), faced_after(10, 5), faced_after(0, -3)
    ((1, 0), (1, 1), (0, -1))
    """
    long, short = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    straight = 169 * short < 70 * long  # 70/169: the tangent, between all fractions of a dive
    x, y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    if not straight:
        return x, y
    return (x, 0) if abs(dx) > abs(dy) else (0, y)


class Charges:
    """The charges of a walk by tick, and their uses."""

    def __init__(self, here: Tile, kit: Abilities, ready: Ready) -> None:
        self.at, self.kit, self.ready, self.tick = here, kit, list(ready), 0
        self.uses: list[AbilityUse] = []

    def ready_for(self, ability: Ability, tick: int) -> int | None:
        """Return the first charge of an ability that is ready at a tick; None without one."""
        kit = self.kit
        begin, count = {
            "dive": (0, int(kit.dive)),
            "surge": (int(kit.dive), kit.surges),
            "escape": (kit.dive + kit.surges, kit.escapes),
        }[ability]
        return next((i for i in range(begin, begin + count) if self.ready[i] <= tick), None)

    def spend(self, ability: Ability, charge: int, to: Tile) -> None:
        """Use a charge now; later surges and escapes keep their spacing, also on the next path."""
        self.uses.append(AbilityUse(ability, self.tick, self.at, to))
        self.at = to
        if ability != "dive":
            waits = self.tick + SPACING
            self.ready[self.kit.dive :] = [max(r, waits) for r in self.ready[self.kit.dive :]]
        self.ready[charge] = self.tick + self.kit.cooldown

    def path(self) -> Path:
        """Return the path so far."""
        ready = tuple(max(0, r - self.tick) for r in self.ready)
        return Path(self.tick, tuple(self.uses), ready)


class _Walk(Charges):
    """One walk on open ground. `d`: the diagonal direction, `s`: the straight one."""

    def __init__(self, here: Tile, dx: int, dy: int, kit: Abilities, ready: Ready) -> None:
        super().__init__(here, kit, ready)
        a, b = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
        sign = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
        straight = (sign[0], 0) if abs(dx) >= abs(dy) else (0, sign[1])
        self.step = {"d": sign, "s": straight}
        self.left = {"d": b, "s": a - b}
        self.faced, self.run = "", ""  # the direction faced; the tiles run since the last use
        self.turned = ""  # the direction of the escape that was turned for

    def schedule(self, first: str, dives: str, turns: str) -> Path:
        """Return the walk, given the directions to run first, dive along first, escape along."""
        while self._tiles():
            while self._escape() or self._surge() or self._dive(dives):
                pass
            if not self._turn(turns):
                self._run(first)
            self.tick += 1
        return self.path()

    def _tiles(self) -> int:
        return self.left["d"] + self.left["s"]

    def _turn(self, direction: str) -> bool:
        """Run one tile back for an escape in the next tick, if all its tiles are on the path."""
        long = direction and self.left[direction] >= BACK - 1 and self._tiles() >= LONG
        if not long or self.ready_for("escape", self.tick + 1) is None:
            return False
        self._go(direction, -1)
        self.turned, self.faced, self.run = direction, "", ""
        return True

    def _escape(self) -> bool:
        """Escape in the direction that was turned for."""
        direction, self.turned = self.turned, ""
        if not direction:
            return False
        return self._use("escape", {direction: BACK})

    def _surge(self) -> bool:
        """Surge, if all its tiles are on the path."""
        faced = self.faced
        if not (faced and self.left[faced] >= FAR and "sd" not in self.run):
            return False
        return self._use("surge", {faced: FAR})

    def _dive(self, first: str) -> bool:
        if self._tiles() < WORTH:
            return False
        other = "s" if first == "d" else "d"
        one = min(FAR, self.left[first])
        two = min(FAR - one, self.left[other])
        tiles = {first: one, other: two}
        if not self._use("dive", tiles):
            return False
        short, long = tiles["d"], tiles["d"] + tiles["s"]
        self.faced = "s" if 169 * short < 70 * long else "d"
        return True

    def _use(self, ability: Ability, tiles: dict[str, int]) -> bool:
        charge, at = self.ready_for(ability, self.tick), self.at
        if charge is None:
            return False
        for direction, count in tiles.items():
            self._go(direction, count)
        to, self.at = self.at, at
        self.spend(ability, charge, to)
        self.run = ""
        return True

    def _run(self, first: str) -> None:
        """Run two tiles, or the last one."""
        for _ in range(min(2, self._tiles())):
            other = "s" if first == "d" else "d"
            direction = first if self.left[first] else other
            self._go(direction, 1)
            self.run += direction
            self.faced = direction

    def _go(self, direction: str, tiles: int) -> None:
        x, y = self.step[direction]
        self.at = (self.at[0] + x * tiles, self.at[1] + y * tiles)
        self.left[direction] -= tiles
