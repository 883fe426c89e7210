"""The scan desk's position: spots, range, levels, what was seen, where one stands, walls.

Coordinates are tiles: x east, y north, then the level (floor). `check` is the whole legality.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cluewise.core.notebook import NotebookDisplay
from cluewise.core.seal import unseal
from cluewise.desks.scan import walls
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadPosition

LOWEST, HIGHEST = -2000, 15000  # the map's edges on both axes; the game's lie well inside
LEVELS = 3  # the highest level
MOST_SPOTS = 256
MOST_CLUES = 500
MOST_RANGE = 500
MOST_SLACK = 2  # tiles
MOST_MISREAD = 20  # of a hundred
MOST_TELEPORTS = 64
MOST_TELEPORT_TICKS = 100
MOST_STAIRS = 8
MOST_STAIRS_TICKS = 100
LONGEST_NAME = 40
MEERKATS = 5  # what the familiar adds to the range


class Observation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pulse that was seen: at a tile, or somewhere in an area."""

    pulse: Literal[1, 2, 3]
    """1 single, 2 double, 3 triple."""
    at: tuple[int, ...] | None = None
    """The tile, [x, y] or [x, y, level]; null with an area."""
    area: tuple[int, int, int, int] | None = None
    """[x0, y0, x1, y1], inclusive, when you know only roughly where; null with `at`."""
    different_level: bool | None = None
    """Whether “different level” showed; null: no one looked. Counts only with `levels: use`."""
    ignored: bool = False
    """Left out of account for now."""
    towards: tuple[int, int] | None = None
    """Where one was running to when this was seen, [x, y]; null where one went to the tile."""
    in_passing: bool = False
    """Seen while running: no scan was made. Needs `towards`."""


class Teleport(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place that one can be at soon, wherever one is."""

    at: tuple[int, ...]
    """Where it leads, [x, y] or [x, y, level]; without a level to the floor you stand on."""
    ticks: int = 5
    """Ticks from using it until one stands there."""
    name: str = ""
    """What a player calls it."""


class Stairs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Stairs, a ladder, a trapdoor: from a tile of one floor to one of another, either way."""

    at: tuple[int, int, int]
    """One end, [x, y, level]."""
    to: tuple[int, int, int]
    """The other end, on another level."""
    ticks: int = 2
    """Ticks from one end to the other."""
    name: str = ""
    """What a player calls them."""


class Practice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hidden spot to be found: where one starts, and the spot's seal."""

    start: tuple[int, ...]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    sealed: str
    """The hidden spot, not to be read by accident."""


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scan clue as far as it is known; `region`, or `range` and `spots`."""

    desk: Literal["scan"] = "scan"
    """The desk, for links."""
    v: Literal[1] = 1
    """The version."""
    region: int | None = None
    """A built-in region's id; null with spots of your own."""
    range: int | None = None
    """The clue's range in tiles, without meerkats; null with a region."""
    spots: tuple[tuple[int, ...], ...] | None = None
    """Your own spots, each [x, y] or [x, y, level]; null with a region."""
    meerkats: bool = False
    """Adds 5 to the range."""
    levels: Literal["ignore", "use"] = "ignore"
    """`ignore`: three answers. `use`: six, each with or without “different level”."""
    floor: int | None = None
    """The level one stands on, where no tile says it; null for the lowest level of the spots."""
    ruled_out: tuple[int, ...] = ()
    """Spots excluded by hand, numbers from 0."""
    observations: tuple[Observation, ...] = ()
    """What was seen, in order."""
    here: tuple[int, int] | None = None
    """Where one stands, [x, y]; null for the place of the last pulse, or without pulses for the
    start of a practice, else the centre of the spots left."""
    walls: walls.Walls | None = None
    """What cannot be walked on; null for the open plane."""
    teleports: tuple[Teleport, ...] = ()
    """Teleports that one has: ways may go by them, from the start or any scan."""
    stairs: tuple[Stairs, ...] = ()
    """With `levels: use` one is on another level only by these, and digs on the spot's own level;
    without any, ways are taken to be on one floor."""
    slack: int = 0
    """Tiles by which the place of a pulse may be off in every direction, 0 to 2."""
    misread: int = 0
    """Of a hundred pulses so many may be a single taken for a double or the other way; 0: none."""
    practice: Practice | None = None
    """A hidden spot to be found; null otherwise."""


def spots_of(position: Position) -> tuple[tuple[int, int, int], ...]:
    """All spots of the region, ruled out or not, each `(x, y, level)`."""
    if position.region is not None:
        return by_id()[position.region].spots
    return tuple((s[0], s[1], s[2] if len(s) > 2 else 0) for s in position.spots or ())


def range_of(position: Position) -> int:
    """The effective range: the clue's, and 5 more with meerkats."""
    clue = by_id()[position.region].range if position.region is not None else position.range or 0
    return clue + (MEERKATS if position.meerkats else 0)


def floor_of(position: Position) -> int:
    """The level one stands on: the position's, else the lowest that has a spot.

    >>> floor_of(Position(region=368)), floor_of(Position(region=356)), floor_of(Position())
    (1, 0, 0)
    """
    if position.floor is not None:
        return position.floor
    return min((level for _, _, level in spots_of(position)), default=0)


def hidden_spot(position: Position) -> int | None:
    """The number of the spot that a practice position hides; None if it is none."""
    if position.practice is None:
        return None
    where = "$.practice.sealed"
    secret = unseal(position.practice.sealed, "scan", where)
    if not secret.isdecimal() or len(secret) > 3 or int(secret) >= len(spots_of(position)):
        raise BadPosition("The seal hides no spot of this region.", where)
    return int(secret)


def check(position: Position) -> None:
    """Raise `BadPosition` with the JSON path of the first thing that cannot be."""
    _check_spots(position)
    if position.floor is not None:
        _check_level(position.floor, "$.floor")
    count = len(spots_of(position))
    if len(position.ruled_out) + len(position.observations) > MOST_CLUES:
        raise BadPosition(f"At most {MOST_CLUES} observations and ruled-out spots.", "$")
    seen: set[int] = set()
    for i, spot in enumerate(position.ruled_out):
        if not 0 <= spot < count:
            raise BadPosition(
                f"There is no spot {spot}: the region has {count}, counted from 0.",
                f"$.ruled_out[{i}]",
            )
        if spot in seen:
            raise BadPosition(f"Spot {spot} is ruled out twice.", f"$.ruled_out[{i}]")
        seen.add(spot)
    for i, observation in enumerate(position.observations):
        _check_observation(observation, f"$.observations[{i}]")
    if position.here is not None:
        _check_tile(position.here, "$.here")
    if not 0 <= position.slack <= MOST_SLACK:
        raise BadPosition(f"The slack is 0 to {MOST_SLACK} tiles.", "$.slack")
    if not 0 <= position.misread <= MOST_MISREAD:
        raise BadPosition(f"At most {MOST_MISREAD} of a hundred pulses are misread.", "$.misread")
    if position.practice is not None:
        if not 2 <= len(position.practice.start) <= 3:
            raise BadPosition("The start is [x, y, level] or [x, y].", "$.practice.start")
        _check_tile(position.practice.start, "$.practice.start")
        hidden_spot(position)
    if position.walls is not None:
        walls.check(position.walls, "$.walls")
    _check_teleports(position)
    _check_stairs(position)


def _check_stairs(position: Position) -> None:
    if len(position.stairs) > MOST_STAIRS:
        raise BadPosition(f"At most {MOST_STAIRS} stairs.", "$.stairs")
    for i, stairs in enumerate(position.stairs):
        where = f"$.stairs[{i}]"
        for end, tile in (("at", stairs.at), ("to", stairs.to)):
            _check_tile(tile, f"{where}.{end}")
            if position.walls is not None and walls.is_wall(position.walls, (tile[0], tile[1])):
                raise BadPosition("Stairs end in a wall; open it there.", f"{where}.{end}")
        if stairs.at[2] == stairs.to[2]:
            raise BadPosition("Stairs lead to another level.", f"{where}.to")
        if not 0 <= stairs.ticks <= MOST_STAIRS_TICKS:
            raise BadPosition(f"Stairs take 0 to {MOST_STAIRS_TICKS} ticks.", f"{where}.ticks")
        if len(stairs.name) > LONGEST_NAME:
            raise BadPosition(
                f"A name of stairs has at most {LONGEST_NAME} letters.", f"{where}.name"
            )


def _check_teleports(position: Position) -> None:
    if len(position.teleports) > MOST_TELEPORTS:
        raise BadPosition(f"At most {MOST_TELEPORTS} teleports.", "$.teleports")
    for i, teleport in enumerate(position.teleports):
        where = f"$.teleports[{i}]"
        if not 2 <= len(teleport.at) <= 3:
            raise BadPosition("A teleport leads to [x, y, level] or [x, y].", f"{where}.at")
        _check_tile(teleport.at, f"{where}.at")
        if not 0 <= teleport.ticks <= MOST_TELEPORT_TICKS:
            raise BadPosition(
                f"A teleport takes 0 to {MOST_TELEPORT_TICKS} ticks.", f"{where}.ticks"
            )
        if len(teleport.name) > LONGEST_NAME:
            raise BadPosition(
                f"A teleport's name has at most {LONGEST_NAME} letters.", f"{where}.name"
            )
        given, tile = position.walls, (teleport.at[0], teleport.at[1])
        if given is not None and given.ground is None and walls.is_wall(given, tile):
            raise BadPosition("A teleport leads into a wall; open it there.", f"{where}.at")


def _check_spots(position: Position) -> None:
    if position.region is not None:
        if position.spots is not None or position.range is not None:
            raise BadPosition("Give a region, or a range and spots, not both.", "$.region")
        if position.region not in by_id():
            names = ", ".join(str(i) for i in by_id())
            raise BadPosition(
                f"There is no region {position.region}; there are {names}.", "$.region"
            )
        return
    if position.range is not None and not 0 <= position.range <= MOST_RANGE:
        raise BadPosition(f"The range is a number of tiles from 0 to {MOST_RANGE}.", "$.range")
    if position.spots and position.range is None:
        raise BadPosition("Spots of your own need the clue's range.", "$.range")
    if len(position.spots or ()) > MOST_SPOTS:
        raise BadPosition(f"At most {MOST_SPOTS} spots.", "$.spots")
    for i, spot in enumerate(position.spots or ()):
        if not 2 <= len(spot) <= 3:
            raise BadPosition("A spot is [x, y, level] or [x, y].", f"$.spots[{i}]")
        _check_tile(spot, f"$.spots[{i}]")


def _check_observation(observation: Observation, where: str) -> None:
    if (observation.at is None) == (observation.area is None):
        raise BadPosition("An observation has either `at` or `area`.", where)
    if observation.at is not None:
        if not 2 <= len(observation.at) <= 3:
            raise BadPosition("The place is [x, y, level] or [x, y].", f"{where}.at")
        _check_tile(observation.at, f"{where}.at")
    if observation.area is not None:
        x0, y0, x1, y1 = observation.area
        _check_tile((x0, y0), f"{where}.area")
        _check_tile((x1, y1), f"{where}.area")
        if x0 > x1 or y0 > y1:
            raise BadPosition("An area is [x0, y0, x1, y1], lowest corner first.", f"{where}.area")
    if observation.towards is not None:
        _check_tile(observation.towards, f"{where}.towards")
    if (observation.towards is not None or observation.in_passing) and observation.at is None:
        raise BadPosition("What was seen on a run was seen at a tile, `at`.", where)
    if observation.in_passing and observation.towards is None:
        raise BadPosition("What was seen in passing says where one ran, `towards`.", where)


def _check_tile(tile: tuple[int, ...], where: str) -> None:
    for axis, value in zip("xy", tile, strict=False):
        if not LOWEST <= value <= HIGHEST:
            raise BadPosition(
                f"{axis} = {value} is off the map, which goes from {LOWEST} to {HIGHEST}.", where
            )
    if len(tile) > 2:
        _check_level(tile[2], where)


def _check_level(level: int, where: str) -> None:
    if not 0 <= level <= LEVELS:
        raise BadPosition(f"A level is a number from 0 to {LEVELS}, not {level}.", where)
