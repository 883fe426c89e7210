"""Options and results of the scan desk's verbs, one struct each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cluewise.core.desk import doc
from cluewise.core.results import Written
from cluewise.desks.scan.engine.abilities import Abilities
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


Stop = Annotated[int, doc("Ticks that one scan costs.", ge=0, le=10)]
Reaction = Annotated[
    int,
    doc(
        "With `listen`: the most ticks from a change on the display until you report it. "
        "Answers whose reports can be the same count as one.",
        ge=0,
        le=4,
    ),
]


class PlanOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What plans are made from: the options that `next` and `route` have in common."""

    policy: Annotated[
        Policy,
        doc(
            "bits: most information. rate: fewest ticks per bit. lookahead: one scan ahead. "
            "search: several scans ahead."
        ),
    ] = "search"
    stop: Stop = 1
    on_the_way: Annotated[
        bool,
        doc(
            "Also use the pulses seen while walking: at every second tick of the last run "
            "of a way, after stairs and teleports. `listen` already includes them."
        ),
    ] = False
    listen: Annotated[
        bool,
        doc(
            "Plan over runs: you watch the pulse while running and scan only if it does not "
            "change. The display is renewed every two ticks, at even or odd ticks of the run. "
            "Abilities are used on walks to scans only. With more than 64 spots plans only scan."
        ),
    ] = False
    reaction: Reaction = 1
    surge: Annotated[
        int,
        doc(
            "Charges of Surge: marked where they save ticks. Open plane only, and not with pulses "
            "on the way.",
            ge=0,
            le=2,
        ),
    ] = 0
    dive: Annotated[bool, doc("Mark Dive as Surge is marked.")] = False
    escape: Annotated[
        int,
        doc("Charges of Escape, marked as Surge is: you turn back for one tile first.", ge=0, le=2),
    ] = 0
    mobile: Annotated[bool, doc("Charges are ready again after 17 ticks, not 34.")] = False
    digs: Annotated[
        bool,
        doc(
            "Also plan digs that may find nothing: such a dig costs a stop and rules "
            "its spots out. Pulses on the way are then not used."
        ),
    ] = False
    effort: Annotated[
        int, doc("The allowance of discrepancies of the search (3 is quick).", ge=0, le=9)
    ] = 3

    @property
    def abilities(self) -> Abilities:
        """What the player can use on ways."""
        return Abilities(self.surge, self.dive, self.mobile, self.escape)

    @property
    def in_passing(self) -> bool:
        """Whether pulses seen on the way to a scan count; `listen` already includes them."""
        return self.on_the_way and not self.listen


class NextOptions(PlanOptions, frozen=True, forbid_unknown_fields=True):
    """The options of `next`."""

    top: Annotated[int, doc("How many options to list.", ge=1, le=30)] = 5


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A possible outcome of a run, and what it leaves."""

    at: list[int]
    """Where the plan continues, [x, y]."""
    ticks: int
    """Ticks from the start of the run until you are there, at the last tick of `seen`; a scan
    after a run without a change is included."""
    pulse: int
    """The pulse, 1, 2 or 3; the lowest of `pulses`."""
    silent: bool
    """Whether no change was seen up to there; then you scan, unless a single spot is left."""
    leaves: int
    """Spots left then."""
    rows: list[Observation]
    """What is certain then, for the log: pulses at tiles passed, in order."""
    seen: list[int] | None = None
    """Ticks of the run at which it may be reported, [first, last], the reaction included; null
    without a change."""
    pulses: list[int] | None = None
    """The pulses that may be reported, where there are several; else null."""


class AbilityUse(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ability, a teleport or stairs used on a way."""

    ability: Literal["dive", "surge", "escape", "teleport", "stairs"]
    """Its kind."""
    tick: int
    """Ticks from the start of the way."""
    at: list[int]
    """Where it is used, [x, y]; with stairs in the position [x, y, level]."""
    to: list[int]
    """Where it leads, likewise."""
    name: str = ""
    """The name of the teleport or stairs, if there is one."""


class NextOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tile to walk to and scan from."""

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
    """Tiles of its class, which give the same information."""
    leaves: list[int]
    """Spots that give single, double, triple there; with levels six counts."""
    core: bool
    """Whether every tile within the position's slack gives each spot the same pulse."""
    uses: list[AbilityUse] | None = None
    """Abilities, teleports and stairs on the walk, in order; you run two tiles a tick between them.
    Null if there are none."""
    room: int | None = None
    """Tiles (up to 2) by which you may be off: every tile so near, with walls every one on which
    you can stand, has the same answers."""
    area: list[list[int]] | None = None
    """The tiles of its class, as inclusive rectangles [x0, y0, x1, y1]: a scan anywhere in them
    gives the same information. Null off the map."""


class Dig(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to dig: at the one spot left, or where one dig serves several."""

    spot: int
    """Its number from 0; of several the likeliest."""
    walk_ticks: int
    """Ticks to within a tile of it; abilities that are used are counted."""
    uses: list[AbilityUse] | None = None
    """Abilities, teleports and stairs on the way; null if there are none."""
    spots: list[int] | None = None
    """The spots that the dig serves; null if a single spot is left."""
    at: list[int] | None = None
    """The tile to dig at where there are `spots`, [x, y]; with stairs [x, y, level]."""
    expected_ticks: float | None = None
    """With `spots`, mean ticks from here to the dig that finds the treasure."""


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where to walk next."""

    policy: Policy
    """The policy that ranks the options."""
    options: list[NextOption]
    """Best first. The first is the first step of `route` with the same options and has its cost
    (with abilities, its cost on foot). Empty if no scan excludes a spot."""
    from_tile: list[int]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    remaining: int
    """Spots that fit every clue."""
    dig: Dig | None = None
    """Set if one spot is left or can be reached, if one dig serves all spots left, and if a dig
    that may find nothing is the quickest step. Else null."""
    changes: list[Change] | None = None
    """With `listen`: the outcomes of the run to the first option, by time; null if you walk there
    to scan."""
    since: int | None = msgspec.field(default=None, name="from")
    """With `changes`, the tick of the run from which you watch, if the pulse at its start is
    unknown; else null."""
    path: list[list[int]] | None = None
    """With `changes` on terrain, the tile at the end of each tick of the run, first its start."""
    ability_ticks: float | None = None
    """With abilities, `expected_ticks` of `route` with abilities on all its ways; else null."""
    beyond: list[int] | None = None
    """Spots that cannot be reached from here and are left out of all ticks: on floors without
    stairs to them, or on a ground without a path to them. Null if there are none."""


class RouteOptions(PlanOptions, frozen=True, forbid_unknown_fields=True):
    """The options of `route`."""

    start: Annotated[
        tuple[int, int] | None,
        doc(
            "The start tile; default where you stand, else where the last pulse was "
            "seen, else the spots' centre."
        ),
    ] = None
    seconds: Annotated[float, doc("Continue the search for this time.", ge=0, le=600)] = 0.0
    bound: Annotated[
        bool, doc("Return the least mean of any route as `lower_bound`, if it is known.")
    ] = False


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """A route as a decision tree and its cost: means over the spots left by their chances."""

    expected_ticks: float
    """Ticks to within a tile of the spot, the mean over the spots left."""
    worst_ticks: int
    """The same for the slowest spot."""
    expected_scans: float
    """Scans made, the mean over the spots left."""
    tree: dict[str, Any]
    """{tile: [x, y], walk_ticks, answers: {“1”: …, “2”: …, “3”: {spot: i}}}: walk there, scan, and
    continue by the pulse (“1d” and so on for “different level”). A leaf is {spot: i}, or {spots:
    […]} where a triple's arrow shows which; an answer that no spot gives is left out. `room`: the
    tiles, up to 2, by which a scan may be off, as in `next`; left out if 0. With pulses on the
    way, `at` is the tile of the walk to `tile` at which the pulse decides. With `listen`, a run
    towards `tile` has `heard` instead of `answers`: [{at, ticks, pulse, silent, leaves, rows, seen,
    pulses, then}], as in `changes`, and `from`, the tick of the run from which you watch, if the
    pulse at its start is unknown. With abilities or teleports a way has `uses`: [{ability: “dive”,
    “surge”, “escape” (one tile back first) or “teleport”, tick: ticks from the start of the way,
    at: [x, y], to: [x, y], name: the teleport's}], and a leaf has `digs`: [{spot, walk_ticks,
    uses}]. With stairs every tile is [x, y, level], and `uses` contains them as “stairs”. A dig
    that serves several spots is a node {dig: [x, y], walk_ticks, spots: […]}; `else` is the node
    after it finds nothing, if other spots are left. With `slack` a spot may be below several
    answers."""
    policy: Policy
    """The policy that chose the steps."""
    start: list[int]
    """Where it starts, [x, y]; with stairs [x, y, level]."""
    remaining: int
    """Spots that fit every clue."""
    effort: int
    """The search's allowance; 0 for other policies."""
    baseline_ticks: float
    """The mean of always scanning for the most information, for comparison."""
    lower_bound: float | None = None
    """The proven least mean of all routes that stop for every pulse and dig only if the dig is
    certain (with `digs`: that stop for every pulse); if it equals `expected_ticks`, this is the
    best such route. Known for up to seven spots, and for all spots of a region on the open
    plane at a stop cost of 1, 3 or 6 ticks from the middle of the spots' bounding box, its
    south-west corner or the middle of its east side. Null elsewhere, unless asked for, with `slack`
    or `misread`, with abilities and over stairs."""
    on_foot_ticks: float | None = None
    """With abilities, the mean of the same scans without them; else null."""
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
    """What makes it unusable, each with the answers that lead there."""
    ticks: float | None
    """The mean over the spots covered, by a plain walking model; null without any."""
    told: float | None
    """The mean ticks that the pack states; null if it states none."""


class RatedPack(msgspec.Struct, frozen=True):
    """The scan trees of a pack."""

    trees: list[TreeRating]
    """In the pack's order; methods of other types are skipped."""


class FewestOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `fewest`."""

    stop: Stop = 1
    seconds: Annotated[
        float, doc("Stop after this time with the bounds proven so far.", ge=0, le=3600)
    ] = 60.0


class Fewest(msgspec.Struct, frozen=True):
    """The fewest scans, as a total over the spots left."""

    total: int
    """The least total if proven, else the best known; with `slack` or `misread` that of plans which
    end with one spot whatever is off or misread."""
    at_least: int
    """No plan has a smaller total."""
    spots: int
    """Spots left."""
    expected_scans: float
    """The total divided by the spots: scans on average."""
    stop_ticks: float
    """Ticks of those scans on average, without the walks."""
    proved: bool
    """Whether `total` is the least."""
    greedy_total: int
    """The total of always scanning for the most information."""
    beyond: list[int] | None = None
    """Spots that cannot be reached and are left out; null if there are none."""


class RegionRow(msgspec.Struct, frozen=True):
    """A region that a position can name."""

    id: int
    """The number for `region` in a position."""
    name: str
    """Its name, as in the clue."""
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
    """A change of one clue after which some spot fits."""

    clue: int
    """Its number: observations first, then ruled-out spots, from 0."""
    pulse: int | None
    """The changed pulse; null if a ruled-out spot is restored."""
    different_level: bool | None
    """The changed sign; null if no one looked."""
    remaining: int
    """Spots left then."""
    distance: int
    """The distance from the entered answer: 1 for each step of the pulse and for the sign."""


class Doubt(msgspec.Struct, frozen=True):
    """Whether some spot fits all clues, and the smallest contradictions if not."""

    contradiction: bool
    """Whether no spot fits all clues."""
    smallest: list[list[int]]
    """All sets of clues of least size that cannot hold together, at most 1000."""
    repairs: list[Repair]
    """Single changes that leave a spot, nearest first."""
    redundant: list[int]
    """Clues that follow from the others."""
    proved: bool
    """False if the search was cut short: a smaller set may exist."""


class PracticeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `practice`."""

    seed: Annotated[int, doc("The seed of the random choice of the spot.")] = 0


class Hidden(msgspec.Struct, frozen=True):
    """A hidden spot: put this into the position as `practice`."""

    start: list[int]
    """Where the walk starts, [x, y]; with stairs [x, y, level]."""
    sealed: str
    """The hidden spot, encoded so that it is not read by accident."""


class ListenOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `listen`."""

    tile: Annotated[
        tuple[int, int] | None,
        doc(
            "Where you scan now, on the position's floor; by default where you stand, "
            "with `reveal` none."
        ),
    ] = None
    reveal: Annotated[bool, doc("Give up and show the spot.")] = False
    stop: Stop = 1
    listen: Annotated[
        bool,
        doc(
            "Run to the tile, stop where a change is reported, and compare with the "
            "route over runs. Open plane only."
        ),
    ] = False
    reaction: Reaction = 1


class Heard(msgspec.Struct, frozen=True):
    """The pulse in a practice position, and the ticks and scans so far."""

    pulse: int | None
    """1, 2 or 3; null without a scan (`reveal` alone)."""
    different_level: bool | None
    """The sign; null without levels, without a scan or for a pulse seen on a run."""
    at: list[int] | None
    """Where it was seen, [x, y]: the tile, or where a run stopped; null without a scan."""
    rows: list[Observation]
    """The pulses, for the log; empty if its last row is at this place already."""
    spot: int | None
    """The hidden spot's number, shown by a triple or when revealed; else null."""
    ticks: int
    """Ticks of the walk along the observations and to this scan, round walls, with `stop` ticks a
    scan; once the spot is shown also to the spot."""
    scans: int
    """Scans made; pulses seen in passing do not count."""
    route_ticks: int | None
    """Ticks of the default route from the same start for this spot; null until it is shown."""
    route_mean: float | None
    """That route's mean over all spots; null until the spot is shown."""


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `review`."""

    start: Annotated[
        tuple[int, int] | None,
        doc("Where the walk began; default a practice's start, else the first scan."),
    ] = None
    spot: Annotated[
        int | None, doc("The spot that it was, from 0, if the clues leave several.")
    ] = None
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
    """Where the run led, [x, y]; null for a scan."""
    before: int
    """Spots left before it."""
    after: int
    """Spots left after it; 1 after a triple, whose arrow shows the spot."""
    bits: float
    """Its expected information, in bits."""
    got: float
    """The information of its answer, in bits."""
    expected_ticks: float
    """Mean ticks with this scan and the plan after it, over the spots left before it."""
    best: list[int]
    """Where the plan scans, [x, y]; this tile if nothing better is known."""
    best_ticks: float
    """Mean ticks with the plan, at most `expected_ticks`."""
    loss: float
    """Ticks lost: `expected_ticks` - `best_ticks`."""
    luck: float
    """Ticks that the pulse saved compared with the mean over all pulses; negative: bad luck."""


class Review(msgspec.Struct, frozen=True):
    """The review of a hunt: `ticks` = `planned` + `loss` - `luck`."""

    spot: int
    """The spot that it was, from 0."""
    start: list[int]
    """Where the walk began, [x, y]."""
    scans: list[ReviewedScan]
    """Every scan at a tile, in order; pulses seen somewhere in an area are not rated."""
    ticks: int
    """Ticks of the hunt: the walks, `stop` ticks a scan, and the way to the spot."""
    planned: float
    """Mean ticks of the plan before the first scan."""
    loss: float
    """Ticks lost by all scans."""
    luck: float
    """Ticks saved by all pulses."""
    plan_ticks: int
    """Ticks of that plan for this spot."""
    plan_scans: int
    """Scans of that plan for this spot."""


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
            "walls; without light pixels on a transparent background, all drawn pixels. "
            "Read by Pillow; the page sends a text instead."
        ),
    ] = None
    at: Annotated[tuple[int, int] | None, doc("The tile of the lowest row's first column.")] = None
    collision: Annotated[
        tuple[CollisionFile, ...] | None,
        doc("Collision files of the game's map, from which the terrain round the spots is read."),
    ] = None


class Grid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A walkability grid from a text or picture, or a ground from collision files."""

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
            "Lines of x, y and optionally the level, several spots separated by `;`, or "
            "JSON; a line `range 22` gives the range."
        ),
    ] = ""


class Pasted(msgspec.Struct, frozen=True, omit_defaults=True):
    """The spots in a text."""

    spots: list[list[int]]
    """Each [x, y, level]; equal ones once."""
    range: int | None = None
    """The clue's range, if the text gives it; else null."""


class WrittenMap(Written, frozen=True):
    """The spots as lines `x, y, level`, and the walls as a grid."""

    walls: str | None = None
    """The walls, painted ones included: rows of # and ., north first; null where there are none."""
    at: list[int] | None = None
    """The tile of the grid's lowest row and first column, [x, y]; null without walls."""
