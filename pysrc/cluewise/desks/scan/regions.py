"""The 26 scan regions of the game: `region(364)` is Falador, range 22, 18 spots.

Provenance of regions.json: region names, clue ranges and spot coordinates (x east, y north,
level) are facts about the game, written down for this project in a form of its own; 641 spots,
no duplicates. Nothing else of the game is shipped: no collision data, no pictures.
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


@cache
def regions() -> tuple[Region, ...]:
    """All regions, by id."""
    data = resources.files("cluewise.desks.scan").joinpath("regions.json").read_bytes()
    return tuple(sorted(msgspec.json.decode(data, type=list[Region]), key=lambda r: r.id))


@cache
def by_id() -> dict[int, Region]:
    """The regions by their id."""
    return {region.id: region for region in regions()}
