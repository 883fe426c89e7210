"""The 26 scan regions of the game: `region(364)` is Falador, range 22, 18 spots.

Provenance of regions.json: region names, clue ranges and spot coordinates (x east, y north,
level) are facts about the game, written down for this project in a form of its own; 641 spots,
no duplicates. teleports.json has landings of teleports from a public project under the MIT licence
(teleports.LICENSE.md), cut down and reshaped. No collision data and no pictures are shipped.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

Spot = tuple[int, int, int]


class Region(msgspec.Struct, frozen=True):
    """A region a clue can name: its clue range and its dig spots, x east, y north, level."""

    id: int
    name: str
    tier: str
    range: int
    spots: tuple[Spot, ...]


class Landing(msgspec.Struct, frozen=True):
    """Where a teleport lands in the window of a region."""

    group: str
    """What it belongs to: “Lodestone network”, a spellbook, a piece of jewellery."""
    name: str
    """Its name in the game."""
    at: tuple[int, int, int]
    """The middle of the landing area, [x, y, level]."""
    ticks: int
    """Ticks of menu and animation, until you may run."""
    code: str
    """The key in its menu; empty without one."""
    anywhere: bool
    """Whether it works anywhere (an item or spell), not from a place of its own."""


class _Row(Landing, frozen=True):
    regions: tuple[int, ...]


class _Table(msgspec.Struct, frozen=True):
    rows: tuple[_Row, ...]


@cache
def landings() -> dict[int, tuple[Landing, ...]]:
    """The landings in each region's window, by the region's id."""
    data = resources.files("cluewise.desks.scan").joinpath("teleports.json").read_bytes()
    found: dict[int, list[Landing]] = {region.id: [] for region in regions()}
    for row in msgspec.json.decode(data, type=_Table).rows:
        landing = Landing(row.group, row.name, row.at, row.ticks, row.code, row.anywhere)
        for region in row.regions:
            found[region].append(landing)
    return {region: tuple(rows) for region, rows in found.items()}


@cache
def regions() -> tuple[Region, ...]:
    """All regions, by id."""
    data = resources.files("cluewise.desks.scan").joinpath("regions.json").read_bytes()
    return tuple(sorted(msgspec.json.decode(data, type=list[Region]), key=lambda r: r.id))


@cache
def by_id() -> dict[int, Region]:
    """The regions by their id."""
    return {region.id: region for region in regions()}
