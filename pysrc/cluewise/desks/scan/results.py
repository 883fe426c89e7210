"""What the scan desk answers and what it can be asked: one struct per verb and direction."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cluewise.core.desk import doc
from cluewise.core.results import Written
from cluewise.desks.scan.engine.planner import Policy
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.regions import Landing
from cluewise.desks.scan.steps import Ground
from cluewise.desks.scan.walls import FloorWalls, WallGrid


class ClassesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `classes`."""

    list: Annotated[bool, doc("List every class with its rectangles.")] = False
    drawing: Annotated[bool, doc("Send the page's arrays next to the result.")] = False


class ScanClass(msgspec.Struct, frozen=True):
    """One class: connected tiles on which every remaining spot gives one pulse."""

    bits: float
    """Information of a scan there, in bits."""
    counts: list[int]
    """Spots that give single, double, triple; with levels the same for “different level” after."""
    profile: list[int]
    """The pulse that each remaining spot gives there, 1, 2 or 3, in the order of their numbers."""
    tiles: int
    """Its tiles."""
    rects: list[list[int]]
    """Its tiles as inclusive rectangles [x0, y0, x1, y1]."""
    label: list[int]
    """A tile inside, [x, y], in the middle of the best place for a number."""
    best: bool
    """Whether it ties exactly for the most information."""
    outline: list[list[list[int]]]
    """Rings of tile corners [x, y]: the outer one first, then holes."""


# A field called `list` hides the type in its class.
Numbers = list[int]
Listed = list[ScanClass]
Chances = list[float]


class Classes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The map of classes."""

    window: Numbers | None
    """[xmin, xmax, ymin, ymax] of the map: the box of the remaining spots grown by twice the range
    and one tile; null where the position has no spot at all."""
    remaining: int
    """Spots that fit every clue."""
    profiles: int
    """Different profiles on the map."""
    classes: int
    """Classes, the one outside all squares counted."""
    max_bits: float
    """The most information a scan can give, in bits."""
    best: int
    """Classes that tie exactly for it."""
    list: Listed | None = None
    """Every class, by bits descending, then lowest y, then lowest x of its first tile; null unless
    asked for."""
    chances: Chances | None = None
    """With `misread`, how likely each remaining spot is, by their numbers; else null."""
    left: Numbers | None = None
    """The remaining spots' numbers from 0; null unless drawing."""


OnTheWay = Annotated[
    bool,
    doc(
        "Count on the pulses seen while walking as well: at every second tick, "
        "after stairs and teleports of its last part. With `listen` they count already."
    ),
]
Listen = Annotated[
    bool,
    doc(
        "Plan over runs: one watches the pulse while running and scans only where "
        "nothing is heard. The display is renewed every two ticks, at even or odd ticks of the "
        "run. Abilities are used on walks to scans only; of more than 64 spots one scans."
    ),
]
Reaction = Annotated[
    int,
    doc(
        "With `listen`: ticks from a change on the display until it is reported, at "
        "most. Answers that can be reported alike count as one.",
        ge=0,
        le=4,
    ),
]
Digs = Annotated[
    bool,
    doc(
        "Plan digs that may find nothing as well: such a dig costs a stop and rules "
        "its spots out. Nothing is then heard on the way."
    ),
]
Effort = Annotated[int, doc("The search's allowance of departures (3 is quick).", ge=0, le=9)]
Stop = Annotated[int, doc("Ticks that one scan costs.", ge=0, le=10)]

Surge = Annotated[
    int,
    doc(
        "Charges of Surge: marked on the ways where they pay, 0 without it. Open "
        "plane only, and not with pulses on the way.",
        ge=0,
        le=2,
    ),
]
Dive = Annotated[bool, doc("Dive is marked as Surge is.")]
Escape = Annotated[
    int,
    doc(
        "Charges of Escape, marked as Surge is: one turns for a tile, and it leads on.", ge=0, le=2
    ),
]
Mobile = Annotated[bool, doc("Charges are ready again after 17 ticks, not 34.")]


class NextOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `next`."""

    policy: Annotated[
        Policy,
        doc(
            "bits: most information. rate: fewest ticks per bit. lookahead: one step. "
            "search: several steps."
        ),
    ] = "search"
    stop: Stop = 1
    top: Annotated[int, doc("How many options to list.", ge=1, le=30)] = 5
    on_the_way: OnTheWay = False
    listen: Listen = False
    reaction: Reaction = 1
    surge: Surge = 0
    dive: Dive = False
    escape: Escape = 0
    mobile: Mobile = False
    digs: Digs = False
    effort: Effort = 3


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may be heard on a run, and what it leaves."""

    at: list[int]
    """Where one goes on, [x, y]."""
    ticks: int
    """Ticks from the start of the run until one is there, at the last tick of `seen`; the scan
    where nothing is heard included."""
    pulse: int
    """The pulse, 1, 2 or 3; the lowest of `pulses`."""
    silent: bool
    """Whether nothing was heard up to there; then one scans, unless a single spot is left."""
    leaves: int
    """Spots left then."""
    rows: list[Observation]
    """What is sure then, for the log: pulses at tiles passed, the last one last."""
    seen: list[int] | None = None
    """Ticks of the run at which it may be reported, [first, last], the reaction included; null
    where nothing is heard."""
    pulses: list[int] | None = None
    """The pulses that may be reported, where there are several; else null."""


class AbilityUse(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ability on a way, a teleport that it begins with, or stairs that it goes by."""

    ability: Literal["dive", "surge", "escape", "teleport", "stairs"]
    """Which."""
    tick: int
    """After so many ticks of the way."""
    at: list[int]
    """Where, [x, y]; with stairs in the position [x, y, level]."""
    to: list[int]
    """Where it leads, likewise."""
    name: str = ""
    """The name of the teleport or stairs, if there is one."""


class NextOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somewhere to walk."""

    tile: list[int]
    """The tile to scan from, [x, y]; with stairs [x, y, level]."""
    bits: float
    """Information of the scan there, in bits."""
    walk_ticks: int
    """Ticks of the walk there, two tiles a tick, rounded up; by a teleport where that is quicker
    and by stairs, their ticks included; with abilities, what it takes with them, all charges ready
    now."""
    expected_ticks: float
    """Ticks from here to within a tile of the spot, the mean over the spots left; this walk and
    every scan included, no abilities. With `misread` the mean by how likely each spot is, if later
    pulses are read right; with `slack` also over the tiles at which later scans may be made."""
    tiles: int
    """Tiles that ask the same question."""
    leaves: list[int]
    """Spots that give single, double, triple there; with levels six counts."""
    core: bool
    """Whether every tile within the position's slack gives each spot the same pulse."""
    uses: list[AbilityUse] | None = None
    """What is used on the walk, in order, between runs of two tiles a tick, a teleport first; null
    where nothing is."""
    room: int | None = None
    """Tiles (up to 2) by which you may be off: every tile so near, with walls every one on which
    you can stand, has the same answers."""
    area: list[list[int]] | None = None
    """The connected tiles round it with the same answers, as inclusive rectangles
    [x0, y0, x1, y1]; a scan anywhere in them asks the same. Null off the map."""


class Dig(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to dig: at the one spot left, or where one dig serves several."""

    spot: int
    """Its number from 0; of several the likeliest."""
    walk_ticks: int
    """Ticks to within a tile of it; with abilities, with them."""
    uses: list[AbilityUse] | None = None
    """What is used on the way; null where nothing is."""
    spots: list[int] | None = None
    """The spots that the dig serves, where it is not one spot that is left alone; else null."""
    at: list[int] | None = None
    """The tile to dig at where there are `spots`, [x, y]; with stairs [x, y, level]."""
    expected_ticks: float | None = None
    """With `spots`, ticks from here to the right dig, as of an option."""


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to walk next."""

    policy: Policy
    """What counts."""
    options: list[NextOption]
    """Best first; the first is where the route of the same options begins, and costs the same
    (with abilities, as much as that route on foot). Empty where nothing can be distinguished."""
    from_tile: list[int]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    remaining: int
    """Spots that fit every clue."""
    dig: Dig | None = None
    """Set where one spot is left, or one of those that can be reached; where one dig serves all
    spots left; and where a dig that may find nothing is the quickest. Else null."""
    changes: list[Change] | None = None
    """With `listen`: what may be heard on the way to the first option, in the order of the way;
    null where one walks there to scan."""
    since: int | None = msgspec.field(default=None, name="from")
    """With `changes`, the tick of the run from which one watches, where the pulse at its start is
    not known; else null."""
    path: list[list[int]] | None = None
    """With `changes` on terrain, the tile at the end of each tick of the run, first its start."""
    ability_ticks: float | None = None
    """With abilities, what the first option's route takes with them on all its ways, as
    `expected_ticks` of `route` says it; else null."""
    beyond: list[int] | None = None
    """The spots that cannot be reached from here, left out of all ticks: with stairs those on
    floors that none lead to, on a ground those that no steps lead to. Null if there are none."""


class RouteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `route`."""

    start: Annotated[
        tuple[int, int] | None,
        doc(
            "The start tile; default where you stand, else where the last pulse was "
            "seen, else the spots' centre."
        ),
    ] = None
    policy: Annotated[Policy, doc("As for `next`.")] = "search"
    stop: Stop = 1
    seconds: Annotated[float, doc("Think longer: search on for so long.", ge=0, le=600)] = 0.0
    on_the_way: OnTheWay = False
    listen: Listen = False
    reaction: Reaction = 1
    surge: Surge = 0
    dive: Dive = False
    escape: Escape = 0
    mobile: Mobile = False
    digs: Digs = False
    effort: Effort = 3
    bound: Annotated[
        bool, doc("State the least ticks of any route where they are known, as `lower_bound`.")
    ] = False


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """A route as a decision tree and its cost over the spots left, by how likely each is."""

    expected_ticks: float
    """Ticks to within a tile of the spot, the mean over the spots left."""
    worst_ticks: int
    """The same for the slowest spot."""
    expected_scans: float
    """Scans made, the mean over the spots left."""
    tree: dict[str, Any]
    """{tile: [x, y], walk_ticks, answers: {“1”: …, “2”: …, “3”: {spot: i}}}: walk there, scan, and
    go on by the pulse (“1d” and so on for “different level”). A leaf is {spot: i}, or {spots:
    […]} where a triple's arrow decides; an answer that no spot gives is left out. `room`: the
    tiles, up to 2, by which a scan may be off, as in `next`; left out where 0. With pulses on
    the way, `at` is where the news comes on the walk to `tile`. With `listen`, a run towards
    `tile` has `heard` for `answers`: [{at, ticks, pulse, silent, leaves, rows, seen, pulses,
    then}], as in `changes`, and `from`, the tick of the run from which one watches, where the
    pulse at its start is not known. With abilities or teleports a way on which some are used
    has `uses`: [{ability: “dive”, “surge”, “escape” (one tile back first) or “teleport”, tick:
    after so many ticks of it, at: [x, y], to: [x, y], name: the teleport's}], and a leaf has
    `digs`: [{spot, walk_ticks, uses}]. With stairs every tile is [x, y, level], and `uses` has
    them as “stairs”. Where one dig serves several spots a node is {dig: [x, y], walk_ticks,
    spots: […]}, with `else`, the node after a dig that finds nothing, where others are left.
    With `slack` several answers may have the same spot below them."""
    policy: Policy
    """What counted."""
    start: list[int]
    """Where it starts, [x, y]; with stairs [x, y, level]."""
    remaining: int
    """Spots that fit every clue."""
    effort: int
    """The search's allowance; 0 for other policies."""
    baseline_ticks: float
    """The mean of always going to the most information, for comparison."""
    lower_bound: float | None = None
    """The proven least mean of all routes that stop for every pulse and dig only where the dig
    finds the treasure (with `digs`: that stop for every pulse); where it is `expected_ticks`, this
    is the best such route. Known for up to seven spots, and for all spots of a region on the open
    plane at a stop cost of 1, 3 or 6 ticks from the middle of the spots' bounding box, its
    south-west corner or the middle of its east side. Null elsewhere, unless asked for, with `slack`
    or `misread`, with abilities and over stairs."""
    on_foot_ticks: float | None = None
    """With abilities, what the same scans take without them, as a mean; else null."""
    beyond: list[int] | None = None
    """As in `next`: spots that cannot be reached, left out of the tree and all its figures."""


class PackOptions(RouteOptions, frozen=True, forbid_unknown_fields=True):
    """The options of `pack`: those of `route`, and a name."""

    name: Annotated[str, doc("The name of pack and method.", max_length=80)] = "Cluewise"


class MethodPack(msgspec.Struct, frozen=True):
    """A route as a file for other tools."""

    pack: dict[str, Any]
    """The method pack, ready to save as JSON: one method of the type `scantree`, whose `tree` has
    `ordered_spots`, `assumed_range` and `root`; `expected_time` is the route's mean in ticks."""


class RateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `rate`."""

    pack: Annotated[str, doc("The JSON text of a method pack.")]


class TreeRating(msgspec.Struct, frozen=True):
    """A scan tree, replayed."""

    clue: int | None
    """The region's id; null where the tree names none."""
    name: str
    """The method's name."""
    spots: int
    """Its spots."""
    covered: int
    """Spots that a branch digs."""
    answers: int
    """Children of all nodes."""
    depth: int
    """The most scans in a row."""
    faults: list[str]
    """What would make it unusable, each with the answers that lead there."""
    ticks: float | None
    """The mean over the spots covered, by a plain walking model; null without any."""
    told: float | None
    """The ticks that the pack promises; null where it does not."""


class RatedPack(msgspec.Struct, frozen=True):
    """The scan trees of a pack."""

    trees: list[TreeRating]
    """In the pack's order; methods of other types are skipped."""


class FewestOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `fewest`."""

    stop: Stop = 1
    seconds: Annotated[float, doc("Stop after so long with what is proved.", ge=0, le=3600)] = 60.0


class Fewest(msgspec.Struct, frozen=True):
    """The fewest scans in all, added up over the spots left."""

    total: int
    """The least total if proved, else the best known; with `slack` or `misread` of plans that are
    certain whatever is off or misread."""
    at_least: int
    """No plan has a smaller total."""
    spots: int
    """Spots left."""
    expected_scans: float
    """The total by the spots: scans on average."""
    stop_ticks: float
    """Ticks that those scans cost, on average; walks come on top."""
    proved: bool
    """Whether `total` is the least."""
    greedy_total: int
    """The total of always scanning for the most information."""
    beyond: list[int] | None = None
    """Spots that cannot be reached: left out."""


class RegionRow(msgspec.Struct, frozen=True):
    """A region that a position can name."""

    id: int
    """What a position names."""
    name: str
    """As the clue says it."""
    tier: str
    """The clue's tier."""
    range: int
    """The clue's range in tiles, without meerkats."""
    spots: int
    """How many spots it has."""
    levels: list[int]
    """The levels its spots are on, ascending."""
    landings: list[Landing]
    """Where teleports land in its window."""


class Regions(msgspec.Struct, frozen=True):
    """The built-in regions."""

    regions: list[RegionRow]
    """By id."""


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue that makes sense again."""

    clue: int
    """Its number: observations first, then ruled-out spots, from 0."""
    pulse: int | None
    """The pulse it would have been; null where a ruled-out spot is taken back."""
    different_level: bool | None
    """The sign it would have had; null where no one looked."""
    remaining: int
    """Spots left then."""
    distance: int
    """How far that is from what was said: 1 is one pulse or the sign off."""


class Doubt(msgspec.Struct, frozen=True):
    """Whether the clues can all hold, and what to doubt if not."""

    contradiction: bool
    """Whether no spot fits all clues."""
    smallest: list[list[int]]
    """All sets of clues of least size that cannot hold together, at most 1000."""
    repairs: list[Repair]
    """Single changes that leave a spot, nearest first."""
    redundant: list[int]
    """Clues that the others imply."""
    proved: bool
    """False if the search was cut short: a smaller set may exist."""


class PracticeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `practice`."""

    seed: Annotated[int, doc("Which spot is hidden follows from this.")] = 0


class Hidden(msgspec.Struct, frozen=True):
    """A hidden spot: put this into the position as `practice`."""

    start: list[int]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    sealed: str
    """The spot, not to be read by accident."""


class ListenOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `listen`."""

    tile: Annotated[
        tuple[int, int] | None,
        doc(
            "Where you scan now, on the position's floor; default where you stand, "
            "none with `reveal`."
        ),
    ] = None
    reveal: Annotated[bool, doc("Give up and show the spot.")] = False
    stop: Stop = 1
    listen: Annotated[
        bool,
        doc(
            "Run to the tile, go on where a change is reported, and compare with the "
            "route that listens. Open plane only."
        ),
    ] = False
    reaction: Reaction = 1


class Heard(msgspec.Struct, frozen=True):
    """What is heard in a practice position, and the tally of the walk so far."""

    pulse: int | None
    """1, 2 or 3; null where no scan was asked for (`reveal` alone)."""
    different_level: bool | None
    """The sign; null without levels, without a scan or where the pulse was heard on a run."""
    at: list[int] | None
    """Where it was heard, [x, y]: the tile, or where a run stopped; null without a scan."""
    rows: list[Observation]
    """What was heard, for the log; empty where its last row is this very place."""
    spot: int | None
    """The hidden spot's number, shown by a triple or when revealed; else null."""
    ticks: int
    """Ticks along the observations in order, then to the scan made now unless it is the last of
    them, round walls, `stop` ticks a scan; once the spot is shown also to it."""
    scans: int
    """The scans that were made; pulses seen in passing are none."""
    route_ticks: int | None
    """What the default route from the same start takes for this spot; null until it is shown."""
    route_mean: float | None
    """That route's mean over all spots; null until the spot is shown."""


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `review`."""

    start: Annotated[
        tuple[int, int] | None,
        doc("Where the walk began; default a practice's start, else the first scan."),
    ] = None
    spot: Annotated[int | None, doc("The spot it was, from 0, where the clues leave several.")] = (
        None
    )
    stop: Stop = 1
    listen: Annotated[bool, doc("Compare with plans over runs. Open plane only.")] = False
    reaction: Reaction = 1


class ReviewedScan(msgspec.Struct, frozen=True):
    """One scan or run of a hunt; ticks are counted from before it to within a tile of the spot."""

    tile: list[int]
    """Where it was made, [x, y]."""
    pulse: int
    """1, 2 or 3."""
    walk_ticks: int
    """Ticks of the walk there."""
    towards: list[int] | None
    """Where one was running to, [x, y]; null for a scan one walked to."""
    before: int
    """Spots left before it."""
    after: int
    """Spots left after it; 1 after a triple, whose arrow shows the spot."""
    bits: float
    """What the scan could be expected to tell, in bits."""
    got: float
    """Its information, in bits."""
    expected_ticks: float
    """What this scan and the plan after it take, the mean over the spots left before it."""
    best: list[int]
    """Where the plan would have scanned, [x, y]; this tile where nothing better is known."""
    best_ticks: float
    """What the plan takes from there, never more than `expected_ticks`."""
    loss: float
    """Ticks given away: `expected_ticks` - `best_ticks`."""
    luck: float
    """Ticks that the pulse saved against the mean over all pulses; negative: bad luck."""


class Review(msgspec.Struct, frozen=True):
    """A hunt looked back on: `ticks` = `planned` + `loss` - `luck`."""

    spot: int
    """The spot that it was, from 0."""
    start: list[int]
    """Where the walk began, [x, y]."""
    scans: list[ReviewedScan]
    """Every scan at a tile, in order; pulses of drawn areas only narrow the spots."""
    ticks: int
    """What the hunt took: the walks, `stop` ticks a scan, and the way to the spot."""
    planned: float
    """What the plan promised before the first scan, the mean over the spots."""
    loss: float
    """What all scans gave away, ticks."""
    luck: float
    """What all pulses saved, ticks."""
    plan_ticks: int
    """What that plan takes for this very spot."""
    plan_scans: int
    """Scans it makes for this spot."""


class CollisionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the game's collision data: 1280 x 1280 tiles of one floor."""

    name: str
    """`collision-FX-FY-FLOOR.bin`: its tiles begin at x = 1280 FX, y = 1280 FY."""
    data: str
    """The file as base64: a zlib stream of 1 638 400 bytes, row by row from the lowest y; bit 0 to
    7 = one may step W, N, E, S, NW, NE, SE, SW."""


class WallsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `walls`; give `text`, `png` or `collision`."""

    text: Annotated[
        str | None,
        doc("Rows of the grid, north first; # X x 1 are walls, . space 0 free."),
    ] = None
    png: Annotated[
        str | None,
        doc(
            "A PNG or another picture as base64; dark or transparent pixels are "
            "walls; on a transparent ground with nothing light on it, those that are drawn. "
            "Read by Pillow; the page sends a text instead."
        ),
    ] = None
    at: Annotated[tuple[int, int] | None, doc("The tile of the lowest row's first column.")] = None
    collision: Annotated[
        tuple[CollisionFile, ...] | None,
        doc("Collision files of the game's map: grounds round the spots are cut out."),
    ] = None


class Grid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A walkability grid read from a text or picture, or a ground cut out of collision files."""

    grid: WallGrid | None
    """For the position's `walls.grid`; null with `ground`."""
    size: list[int]
    """[width, height] in tiles."""
    blocked: int
    """Tiles that are walls, or on which you cannot stand."""
    at: list[int]
    """The lowest corner, [x, y]."""
    ground: Ground | None = None
    """For the position's `walls.ground`; null without collision files."""
    floors: list[FloorWalls] | None = None
    """For `walls.floors`: the grounds of other floors that have files; null if there are none."""


class PasteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `paste`."""

    text: Annotated[
        str,
        doc(
            "Lines of x, y and perhaps the level, several spots separated by `;`, or "
            "JSON; a line `range 22` names the range."
        ),
    ] = ""


class Pasted(msgspec.Struct, frozen=True, omit_defaults=True):
    """The spots in a text."""

    spots: list[list[int]]
    """Each [x, y, level]; equal ones once."""
    range: int | None = None
    """The clue's range, where the text names it; else null."""


class WrittenMap(Written, frozen=True):
    """The spots as lines `x, y, level`, and the walls as a grid."""

    walls: str | None = None
    """The walls, painted ones included: rows of # and ., north first; null where there are none."""
    at: list[int] | None = None
    """The tile of the grid's lowest row and first column, [x, y]; null without walls."""
