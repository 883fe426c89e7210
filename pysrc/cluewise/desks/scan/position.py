"""The scan desk's position: spots, range, levels, observations, current tile, walls.

Coordinates are tiles: x east, y north, then the level (floor). `check` tests everything that the
structs do not.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from cluewise.core.desk import NotebookDisplay
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
MOST_STAIRS = 16
MOST_STAIRS_TICKS = 100
LONGEST_NAME = 40
MEERKATS = 5  # what the familiar adds to the range


def _limits(**of: int) -> msgspec.Meta:
    """Return limits for the schema, which checks links in the page; `check` has the sentences."""
    return msgspec.Meta(extra_json_schema=of)


Place = Annotated[tuple[int, ...], _limits(minItems=2, maxItems=3)]


class Observation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pulse that was seen: at a tile, or somewhere in an area."""

    pulse: Literal[1, 2, 3]
    """1 single, 2 double, 3 triple."""
    at: Place | None = None
    """The tile, [x, y] or [x, y, level]; null with an area."""
    area: tuple[int, int, int, int] | None = None
    """[x0, y0, x1, y1], inclusive, when you know only roughly where; null with `at`."""
    different_level: bool | None = None
    """Whether “different level” showed; null: no one looked. Counts only with `levels: use`."""
    ignored: bool = False
    """Whether the row is ignored for now."""
    towards: tuple[int, int] | None = None
    """Where you were running to when you saw it, [x, y]; null if you walked to the tile."""
    in_passing: bool = False
    """Seen while running: no scan was made. Needs `towards`."""


class Teleport(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A teleport, usable anywhere."""

    at: Place
    """Where it leads, [x, y] or [x, y, level]; without a level to the floor you stand on."""
    ticks: int = 5
    """Ticks from using it until you stand there."""
    name: str = ""
    """Its name."""


class Stairs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Stairs, a ladder, a trapdoor, or a shortcut on one floor, usable in both directions."""

    at: tuple[int, int, int]
    """One end, [x, y, level]."""
    to: tuple[int, int, int]
    """The other end, mostly on another level."""
    ticks: int = 2
    """Ticks from one end to the other."""
    name: str = ""
    """Their name."""


class Practice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hidden spot to be found: the start of the walk, and the sealed spot."""

    start: tuple[int, ...]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    sealed: str
    """The hidden spot, encoded so that it is not read by accident."""


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The state of a scan clue; `region`, or `range` and `spots`."""

    desk: Literal["scan"] = "scan"
    """The desk, for links."""
    v: Literal[1] = 1
    """The version."""
    region: int | None = None
    """A built-in region's id; null with spots of your own."""
    range: Annotated[int, _limits(minimum=0, maximum=MOST_RANGE)] | None = None
    """The clue's range in tiles, without meerkats; null with a region."""
    spots: Annotated[tuple[Place, ...], _limits(maxItems=MOST_SPOTS)] | None = None
    """Your own spots, each [x, y] or [x, y, level]; null with a region."""
    meerkats: bool = False
    """Adds 5 to the range."""
    levels: Literal["ignore", "use"] = "ignore"
    """`ignore`: three answers. `use`: six, each with or without “different level”."""
    floor: int | None = None
    """The level you stand on, unless a tile has one; null for the lowest level of the spots."""
    ruled_out: Annotated[tuple[int, ...], _limits(maxItems=MOST_CLUES)] = ()
    """Spots excluded by hand, numbers from 0."""
    observations: tuple[Observation, ...] = ()
    """Pulses, in order."""
    here: tuple[int, int] | None = None
    """The current tile, [x, y]; null for the place of the last pulse, or without pulses for the
    start of a practice, else the centre of the spots left."""
    walls: walls.Walls | None = None
    """Tiles that cannot be walked on; null for the open plane."""
    teleports: Annotated[tuple[Teleport, ...], _limits(maxItems=MOST_TELEPORTS)] = ()
    """Available teleports: a path may begin with one, from the start or any scan."""
    stairs: Annotated[tuple[Stairs, ...], _limits(maxItems=MOST_STAIRS)] = ()
    """With `levels: use` only these lead to other levels, and you dig on the spot's own level;
    without any, all paths count as paths on one floor. With `levels: ignore` only those count that
    join two tiles of the floor of all spots."""
    slack: int = 0
    """Tiles by which the place of a pulse may be off in every direction, 0 to 2."""
    misread: int = 0
    """Percent of pulses at which a single is misread as a double or the other way; 0: none."""
    practice: Practice | None = None
    """A hidden spot to be found; null otherwise."""


def spots_of(position: Position) -> tuple[tuple[int, int, int], ...]:
    """Return all spots of the region, ruled out or not, each `(x, y, level)`."""
    if position.region is not None:
        return by_id()[position.region].spots
    return tuple((s[0], s[1], s[2] if len(s) > 2 else 0) for s in position.spots or ())


def range_of(position: Position) -> int:
    """Return the effective range: the clue's, and 5 more with meerkats."""
    clue = by_id()[position.region].range if position.region is not None else position.range or 0
    return clue + (MEERKATS if position.meerkats else 0)


def floor_of(position: Position) -> int:
    """Return the current level: the position's, else the lowest that has a spot.

    >>> floor_of(Position(region=368)), floor_of(Position(region=356)), floor_of(Position())
    (1, 0, 0)
    """
    if position.floor is not None:
        return position.floor
    return min((level for _, _, level in spots_of(position)), default=0)


def hidden_spot(position: Position) -> int | None:
    """Return the number of the spot that a practice hides; None without a practice."""
    if position.practice is None:
        return None
    where = "$.practice.sealed"
    secret = unseal(position.practice.sealed, "scan", where)
    if not secret.isdecimal() or len(secret) > 3 or int(secret) >= len(spots_of(position)):
        raise BadPosition("The seal hides no spot of this region.", where)
    return int(secret)


def _require(holds: object, sentence: str, where: str) -> None:
    if not holds:
        raise BadPosition(sentence, where)


def check(position: Position) -> None:
    """Raise `BadPosition` with the JSON path of the first violated rule."""
    _check_spots(position)
    if position.floor is not None:
        _check_level(position.floor, "$.floor")
    count = len(spots_of(position))
    clues = len(position.ruled_out) + len(position.observations)
    _require(clues <= MOST_CLUES, f"At most {MOST_CLUES} observations and ruled-out spots.", "$")
    seen: set[int] = set()
    for i, spot in enumerate(position.ruled_out):
        missing = f"There is no spot {spot}: the region has {count}, counted from 0."
        _require(0 <= spot < count, missing, f"$.ruled_out[{i}]")
        _require(spot not in seen, f"Spot {spot} is ruled out twice.", f"$.ruled_out[{i}]")
        seen.add(spot)
    for i, observation in enumerate(position.observations):
        _check_observation(observation, f"$.observations[{i}]")
    if position.here is not None:
        _check_tile(position.here, "$.here")
    slack, misread = position.slack, position.misread
    _require(0 <= slack <= MOST_SLACK, f"The slack is 0 to {MOST_SLACK} tiles.", "$.slack")
    most = f"At most {MOST_MISREAD} of a hundred pulses are misread."
    _require(0 <= misread <= MOST_MISREAD, most, "$.misread")
    if position.practice is not None:
        _check_place(position.practice.start, "The start is", "$.practice.start")
        hidden_spot(position)
    if position.walls is not None:
        walls.check(position.walls, "$.walls")
    _check_teleports(position)
    _check_stairs(position)


def _check_stairs(position: Position) -> None:
    _require(len(position.stairs) <= MOST_STAIRS, f"At most {MOST_STAIRS} stairs.", "$.stairs")
    for i, stairs in enumerate(position.stairs):
        where = f"$.stairs[{i}]"
        for end, tile in (("at", stairs.at), ("to", stairs.to)):
            _check_tile(tile, f"{where}.{end}")
            here = position.walls and walls.on_floor(position.walls, tile[2])
            free = here is None or walls.landing_tile(here, (tile[0], tile[1])) is not None
            _require(free, "Stairs end in a wall; open it there.", f"{where}.{end}")
        _require(stairs.at != stairs.to, "Stairs lead to another tile.", f"{where}.to")
        _check_shortcut(stairs, MOST_STAIRS_TICKS, "Stairs take", "A name of stairs", where)


def _check_teleports(position: Position) -> None:
    count = len(position.teleports)
    _require(count <= MOST_TELEPORTS, f"At most {MOST_TELEPORTS} teleports.", "$.teleports")
    for i, teleport in enumerate(position.teleports):
        where = f"$.teleports[{i}]"
        _check_place(teleport.at, "A teleport leads to", f"{where}.at")
        _check_shortcut(
            teleport, MOST_TELEPORT_TICKS, "A teleport takes", "A teleport's name", where
        )
        given, level = position.walls, (*teleport.at, floor_of(position))[2]
        here = given and walls.on_floor(given, level)
        shut = (
            here and here.ground is None and walls.is_wall(here, (teleport.at[0], teleport.at[1]))
        )
        _require(not shut, "A teleport leads into a wall; open it there.", f"{where}.at")


def _check_shortcut(one: Teleport | Stairs, most: int, takes: str, name: str, where: str) -> None:
    _require(0 <= one.ticks <= most, f"{takes} 0 to {most} ticks.", f"{where}.ticks")
    letters = f"{name} has at most {LONGEST_NAME} letters."
    _require(len(one.name) <= LONGEST_NAME, letters, f"{where}.name")


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
    limits = f"The range is a number of tiles from 0 to {MOST_RANGE}."
    _require(0 <= (position.range or 0) <= MOST_RANGE, limits, "$.range")
    ranged = not position.spots or position.range is not None
    _require(ranged, "Spots of your own need the clue's range.", "$.range")
    _require(len(position.spots or ()) <= MOST_SPOTS, f"At most {MOST_SPOTS} spots.", "$.spots")
    for i, spot in enumerate(position.spots or ()):
        _check_place(spot, "A spot is", f"$.spots[{i}]")


def _check_observation(observation: Observation, where: str) -> None:
    at, area, towards = observation.at, observation.area, observation.towards
    _require((at is None) != (area is None), "An observation has either `at` or `area`.", where)
    if at is not None:
        _check_place(at, "The place is", f"{where}.at")
    if area is not None:
        x0, y0, x1, y1 = area
        _check_tile((x0, y0), f"{where}.area")
        _check_tile((x1, y1), f"{where}.area")
        order = "An area is [x0, y0, x1, y1], lowest corner first."
        _require(x0 <= x1 and y0 <= y1, order, f"{where}.area")
    if towards is not None:
        _check_tile(towards, f"{where}.towards")
    ran = towards is not None or observation.in_passing
    _require(at or not ran, "What was seen on a run was seen at a tile, `at`.", where)
    named = towards is not None or not observation.in_passing
    _require(named, "What was seen in passing says where one ran, `towards`.", where)


def _check_place(tile: tuple[int, ...], what: str, where: str) -> None:
    _require(2 <= len(tile) <= 3, f"{what} [x, y, level] or [x, y].", where)
    _check_tile(tile, where)


def _check_tile(tile: tuple[int, ...], where: str) -> None:
    for axis, value in zip("xy", tile, strict=False):
        off = f"{axis} = {value} is off the map, which goes from {LOWEST} to {HIGHEST}."
        _require(LOWEST <= value <= HIGHEST, off, where)
    if len(tile) > 2:
        _check_level(tile[2], where)


def _check_level(level: int, where: str) -> None:
    _require(0 <= level <= LEVELS, f"A level is a number from 0 to {LEVELS}, not {level}.", where)
