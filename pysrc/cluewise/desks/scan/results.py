"""What the scan desk answers and what it can be asked: one struct per verb and direction."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cluewise.desks.scan.engine.plan import Policy
from cluewise.desks.scan.walls import WallGrid


class ClassesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `classes`."""

    list: Annotated[bool, Meta(description="List every class with its rectangles.")] = False
    drawing: Annotated[bool, Meta(description="Send the page's arrays beside the result.")] = False


class ScanClass(msgspec.Struct, frozen=True):
    """One class; `counts` are single, double, triple (with levels again for "different level").

    `rects` are inclusive, `label` is a tile inside, `outline` rings of tile corners: the outer
    one first, then holes.
    """

    bits: float
    counts: list[int]
    tiles: int
    rects: list[list[int]]
    label: list[int]
    best: bool
    outline: list[list[list[int]]]


# A field called `list` hides the type in its class.
Numbers = list[int]
Classes = list[ScanClass]


class ClassesResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The map of classes; `best` of them tie exactly for `max_bits`.

    `window` is [xmin, xmax, ymin, ymax], null where the position has no spot at all.
    """

    window: Numbers | None
    remaining: int
    profiles: int
    classes: int
    max_bits: float
    best: int
    list: Classes | None = None
    left: Numbers | None = None


class NextOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `next`."""

    policy: Annotated[
        Policy,
        Meta(
            description="bits: most information. rate: fewest ticks per bit. lookahead: one step. "
            "search: several steps."
        ),
    ] = "search"
    top: Annotated[int, Meta(description="How many options to list.", ge=1, le=30)] = 5
    on_the_way: Annotated[
        bool, Meta(description="Count on the pulses seen while walking as well.")
    ] = False
    effort: Annotated[
        int, Meta(description="The search's allowance of departures (3 is quick).", ge=0, le=9)
    ] = 3


class NextOption(msgspec.Struct, frozen=True):
    """Somewhere to walk; ticks are means over the spots left, to within a tile of the spot.

    `leaves` are the counts of single, double, triple there (with levels six).
    """

    tile: list[int]
    bits: float
    walk_ticks: int
    expected_ticks: float
    tiles: int
    leaves: list[int]


class Dig(msgspec.Struct, frozen=True):
    """The one spot left, and the ticks of the walk to within a tile of it."""

    spot: int
    walk_ticks: int


class NextResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to walk next, best first; `from_tile` is where that starts."""

    policy: Policy
    options: list[NextOption]
    from_tile: list[int]
    remaining: int
    dig: Dig | None = None


class RouteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `route`."""

    start: Annotated[
        tuple[int, int] | None,
        Meta(description="The start tile; default where you stand, else the spots' centre."),
    ] = None
    policy: Annotated[Policy, Meta(description="As for `next`.")] = "search"
    seconds: Annotated[
        float, Meta(description="Think longer: search on for so long.", ge=0, le=600)
    ] = 0.0
    on_the_way: Annotated[
        bool, Meta(description="Count on the pulses seen while walking as well.")
    ] = False
    effort: Annotated[
        int, Meta(description="The search's allowance of departures (3 is quick).", ge=0, le=9)
    ] = 3
    bound: Annotated[
        bool, Meta(description="Prove a lower bound as well (not for pulses on the way).")
    ] = False


class RouteResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A route as a decision tree and its cost over the spots left, all equally likely.

    `tree` is `{"tile": [x, y], "answers": {"1": …, "2": …, "3": {"spot": i}}}`; a leaf is
    `{"spot": i}`, or `{"spots": [...]}` where a triple's arrow decides; an answer that no spot
    gives is left out. With levels the answers for "different level" are "1d", "2d", "3d". With
    pulses on the way, `at` is where the news comes on the walk to `tile`.
    """

    expected_ticks: float
    worst_ticks: int
    expected_scans: float
    tree: dict[str, Any]
    policy: Policy
    start: list[int]
    remaining: int
    effort: int
    baseline_ticks: float
    lower_bound: float | None = None


class FewestOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `fewest`."""

    seconds: Annotated[
        float, Meta(description="Stop after so long with what is proved.", ge=0, le=3600)
    ] = 60.0


class FewestResult(msgspec.Struct, frozen=True):
    """The least total of scans over all spots left: `total` if proved, else between the bounds."""

    total: int
    at_least: int
    spots: int
    expected_scans: float
    proved: bool
    greedy_total: int


class RegionRow(msgspec.Struct, frozen=True):
    """A region that a position can name."""

    id: int
    name: str
    tier: str
    range: int
    spots: int
    levels: list[int]


class RegionsResult(msgspec.Struct, frozen=True):
    """The built-in regions, by id."""

    regions: list[RegionRow]


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue that makes sense again.

    `clue` counts the observations, then the ruled-out spots; for those `pulse` is null and the
    repair is to take the spot back.
    """

    clue: int
    pulse: int | None
    different_level: bool | None
    remaining: int
    distance: int


class DoubtResult(msgspec.Struct, frozen=True):
    """Whether the clues can all hold, and what to doubt if not.

    `smallest` are all sets of least size that cannot hold together (at most 1000);
    `redundant` are clues that the others imply.
    """

    contradiction: bool
    smallest: list[list[int]]
    repairs: list[Repair]
    redundant: list[int]
    proved: bool


class PracticeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `practice`."""

    seed: Annotated[int, Meta(description="Which spot is hidden follows from this.")] = 0


class PracticeResult(msgspec.Struct, frozen=True):
    """A hidden spot: put this into the position as `practice`."""

    start: list[int]
    sealed: str


class ListenOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `listen`."""

    tile: Annotated[
        tuple[int, int] | None,
        Meta(description="Where you scan now; default where you stand, none with `reveal`."),
    ] = None
    reveal: Annotated[bool, Meta(description="Give up and show the spot.")] = False


class ListenResult(msgspec.Struct, frozen=True):
    """What is heard at a tile of a practice position, and the tally of the walk so far.

    `pulse` is null where no scan was asked for (`reveal` alone). `spot` is shown by a triple or
    when revealed, else null. `ticks` runs along the observations in order, then to the scan made
    now unless it is the last of them, round walls, a tick a scan; `scans` counts just those.
    `route_ticks` is what the default route takes for this spot and `route_mean` its mean, both
    only once the spot is shown.
    """

    pulse: int | None
    different_level: bool | None
    spot: int | None
    ticks: int
    scans: int
    route_ticks: int | None
    route_mean: float | None


class WallsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `walls`; give `text` or `png`."""

    text: Annotated[
        str | None,
        Meta(description="Rows of the grid, north first; # X x 1 are walls, . space 0 free."),
    ] = None
    png: Annotated[
        str | None, Meta(description="A PNG as base64; dark or transparent pixels are walls.")
    ] = None
    at: Annotated[
        tuple[int, int] | None, Meta(description="The tile of the lowest row's first column.")
    ] = None


class WallsResult(msgspec.Struct, frozen=True):
    """A grid for the position's `walls.grid`, its size, and how many tiles are walls."""

    grid: WallGrid
    size: list[int]
    blocked: int
    at: list[int]


class PasteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `paste`."""

    text: Annotated[str, Meta(description="Lines of x, y and perhaps the level.")] = ""


class PasteResult(msgspec.Struct, frozen=True):
    """The spots in a text, each [x, y, level]."""

    spots: list[list[int]]
