"""Options and results of the desk's verbs; the page's types are generated from these."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from cluewise.core.desk import doc
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.rating import Rated, Technique

InexactRounds = Annotated[
    int, doc("inexact rounds in a row before it stops; -1 is no limit", ge=-1, le=20)
]


class SolveOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which facts of the position to use."""

    ignore_flags: Annotated[bool, doc("treat flagged cells as unknown")] = False


class Solved(msgspec.Struct, frozen=True):
    """All forced cells and the probability of a mine in every other closed cell.

    All layouts are equally likely. `exact` false: `solutions` and `probability` are estimates.
    Without an estimate `solutions`, the probabilities of undecided cells and both errors are null.
    `safe` and `mines` are complete in every case.
    """

    solutions: str | None
    """Number of layouts that satisfy all clues, decimal; null if neither counted nor estimated."""
    exact: bool
    """Whether `solutions` and `probability` are exact."""
    safe: list[int]
    """Undecided cells that are safe in every layout."""
    mines: list[int]
    """Unflagged cells that are mines in every layout."""
    probability: list[float | None]
    """Share of layouts in which each cell is a mine; null for open, flagged and unknown cells."""
    error: float | None = None
    """The largest standard error of a probability; null if they are exact or missing."""
    solutions_error: float | None = None
    """The relative standard error of `solutions`; null if it is exact or missing."""
    low: list[float | None] | None = None
    """Proved lower bound of each probability; null if they are exact."""
    high: list[float | None] | None = None
    """Proved upper bound of each probability; null if they are exact."""


class Repair(msgspec.Struct, frozen=True):
    """A change of one clue that removes the contradiction: another count, or a flag removed."""

    clue: str
    """The clue to change, by name."""
    value: int | None
    """The other count; null: the flag is removed."""
    remaining: str | None
    """Number of layouts with the change, decimal; null if not counted."""
    distance: int
    """Difference of the two counts; 1 for a flag."""


class Doubt(msgspec.Struct, frozen=True):
    """Minimal conflicts of the clues with repairs, and redundant clues.

    If the clues contradict, `redundant` is [], since a contradiction implies every clue.
    """

    contradiction: bool
    """Whether the clues contradict."""
    smallest: list[list[str]]
    """All conflicts of least size, at most 100."""
    proved: bool
    """Whether it is proved that no smaller conflict exists; false if the search was cut short."""
    repairs: list[Repair]
    """Changes of one clue that remove the contradiction, nearest first."""
    redundant: list[str]
    """Clues that are implied by all the others."""


class DoubtOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to search for."""

    redundant: Annotated[bool, doc("also find redundant clues")] = True


class RateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the closure, and additional results."""

    inexact_rounds: InexactRounds = 1
    cap: Annotated[
        Literal["auto", "on", "off"],
        doc(
            "leave out sets of more than 9 cells with a minimum above 3: always, "
            "never, or if there would be too many inequalities"
        ),
    ] = "auto"
    score: Annotated[
        Literal["smooth", "published"],
        doc("published: also on the scale of the boards published in 2018"),
    ] = "smooth"
    path: Annotated[bool, doc("also the solution path, each time by the easiest deduction")] = False
    wish: Annotated[str | None, doc("also compare that path with a wish: '3 sum, none deeper'")] = (
        None
    )


class AuthorOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the closure, and the stuck region to analyse."""

    region: Annotated[
        int | None, doc("a cell of a stuck region: list the changes that free it")
    ] = None
    inexact_rounds: InexactRounds = 1
    cap: Annotated[Literal["auto", "on", "off"], doc("as rate has it: leave out wide sets")] = (
        "auto"
    )


Change: TypeAlias = Literal["number", "open", "clear", "mine"]


class Freeing(msgspec.Struct, frozen=True):
    """A change of one cell, and its effect on a stuck region."""

    kind: Change
    """number: a `?` shows its number; open: open from the start; clear: its mine is removed;
    mine: a mine is added.
    """
    cell: int
    """The cell that is changed."""
    left: int
    """Number of cells of the region that stay closed; 0 if all are opened."""
    decided: int
    """Number of newly decided cells on the whole board."""
    no_guess: bool
    """Whether the whole board then needs no guess."""


class Authored(msgspec.Struct, frozen=True):
    """A board in the level editor: its rating as by `rate`, and where solving stops."""

    no_guess: bool
    """Whether complete reasoning opens every safe cell."""
    waves: int
    """Waves of complete reasoning that opened a cell."""
    wave: list[int | None]
    """The wave of each cell: 0 if it is known from the start, null if it stays closed."""
    stuck: list[list[int]]
    """The cells that stay closed, by region: cells joined by clues other than the total."""
    steps: list[int]
    """The closure's rounds per step, in order."""
    smooth: float | None
    """The smooth score of the steps; null if the closure stops or a guess is needed."""
    closure_solves: bool
    """Whether the closure alone opens every safe cell."""
    capped: bool
    """Whether sets of more than nine cells with a minimum above three were left out."""
    repairs: list[Freeing] | None
    """The changes of one cell that open the requested region, best first; if none does, the five
    that leave the fewest of its cells closed; null if no region was requested.
    """


class ExplainOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cell to explain."""

    cell: Annotated[int, doc("the cell to explain, counted from 0", ge=0)]


class ProofOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to prove: one cell, or that the whole level needs no guess."""

    cell: Annotated[int | None, doc("the cell to prove, counted from 0")] = None
    whole: Annotated[bool, doc("prove that the whole level needs no guess")] = False


class Inequality(msgspec.Struct, frozen=True):
    """From `min` to `max` mines among `cells`."""

    cells: list[int]
    """The counted cells."""
    min: int
    """Lower bound of the mines among them."""
    max: int
    """Upper bound of the mines among them."""


class Deduction(msgspec.Struct, frozen=True):
    """A step of a derivation: its premises and its conclusion."""

    stage: Literal["exact", "inexact", "contradiction"]
    """exact: from counts alone; inexact: from bounds; contradiction: the opposite is assumed."""
    from_: list[str | int] = msgspec.field(name="from")
    """Clue names, or indices of earlier steps."""
    gives: Inequality
    """The conclusion."""
    text: str
    """The step as a sentence."""
    technique: Technique = "one"
    """What kind of step it is: one clue, a subset, a cross of two sets, bounds, a sum or weighted
    sum of counts, parity, the opposite followed to a clash, or supposed and refuted by trying.
    """
    weights: list[int] | None = None
    """The coefficient of each of `from` in a sum, negative if subtracted; null for other kinds."""
    says: str = ""
    """The conclusion alone: `no mine in A1`."""


class Explained(msgspec.Struct, frozen=True):
    """Why a cell is safe or a mine: the clues that alone force it, and the derivation.

    `open`: both are possible, so there is nothing to explain.
    """

    verdict: Literal["safe", "mine", "open"]
    """The state of the cell in every layout; open: both are possible."""
    clues: list[str]
    """The clues that alone decide it."""
    steps: list[Deduction]
    """The steps from the clues to the cell."""
    technique: Technique | None = None
    """The kind of argument, in this order: one, subset, cross, chain, bounds, sum,
    weighted, parity, suppose, deeper; null where the cell is open.
    """
    smallest: bool = True
    """Whether it is proved that no fewer counts decide the cell."""


class Proof(msgspec.Struct, frozen=True):
    """A proof for a checker of pseudo-Boolean proofs; cell 0 is variable x1 (of wave 0)."""

    verdict: Literal["safe", "mine", "no guess"]
    """The proved statement about the cell or the level."""
    clues: list[str]
    """The clues in the order of the formula, two constraints each."""
    formula: str
    """The clues and the negated verdict, in OPB."""
    proof: str
    """Its refutation, in the VeriPB 3.0 format."""
    waves: int | None = None
    """Number of waves of deductions that open the level; null for a cell."""


class HintOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much to reveal."""

    degree: Annotated[
        int, doc("1 is there a move, 2 where, 3 which clues, 4 what and why", ge=1, le=4)
    ] = 1


class Hint(msgspec.Struct, frozen=True):
    """The easiest deduction; fields beyond the requested degree are null.

    All of `cells` have the same verdict by the same clues. With a wrong flag there is no hint until
    the flag is removed.
    """

    degree: int
    """The requested degree."""
    move: bool
    """Whether a cell is decided, so that no guess is needed."""
    cells: list[int] | None = None
    """The cells to look at; null below degree 2."""
    clues: list[str] | None = None
    """The clues that decide them; null below degree 3."""
    verdict: Literal["safe", "mine"] | None = None
    """The verdict on the cells; null below degree 4."""
    steps: list[Deduction] | None = None
    """The derivation; null below degree 4."""
    contradiction: bool | None = None
    """Whether the argument assumes the opposite; null below degree 3."""
    uses_total: bool | None = None
    """Whether the total is among the clues; null below degree 3."""
    technique: Technique | None = None
    """The kind of argument; null below degree 3."""
    wrong_flag: bool = False
    """Whether a flag is wrong."""
    length: int | None = None
    """Number of counts used in the argument, repeats included; null below degree 3."""
    widest: int | None = None
    """The cells of its widest set; null below degree 3, for bounds and harder arguments."""
    proved: bool = True
    """Whether no deduction is easier: of a lesser kind, or of that kind and shorter."""


class Checked(msgspec.Struct, frozen=True):
    """Whether a flag is wrong."""

    wrong: Literal["yes", "no", "unsure"]
    """yes, no, or unsure: the flags fit some layout, but are not forced."""


class GenerateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of puzzle; options left out are chosen to suit the board."""

    board: Annotated[
        Literal["combination-lock", "corner-bite", "holey", "colours", "hex", "triangle", "torus"],
        doc("the kind of board"),
    ] = "combination-lock"
    like: Annotated[Position | None, doc("a position whose graph and counted sets to use")] = None
    size: Annotated[int | None, doc("cells along an edge")] = None
    mines: Annotated[int | None, doc("how many mines")] = None
    difficulty: Annotated[str | None, doc("band of the smooth score, such as 5..12")] = None
    wish: Annotated[
        str | None, doc("the moves of its way by few clues, such as '3 sum, none deeper, rising'")
    ] = None
    model: Annotated[Position | None, doc("a puzzle whose kinds of moves are the wish")] = None
    compared: Annotated[Literal["easier", "same", "harder"], doc("slightly, than the model")] = (
        "same"
    )
    seed: Annotated[int, doc("the same seed gives the same puzzle")] = 0
    seconds: Annotated[float | None, doc("stop after that time with the best so far")] = None
    sealed: Annotated[bool, doc("hide the mines from a casual look")] = False
    empty: Annotated[bool, doc("the board alone, without a mine, to author")] = False


class ReadOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a board."""

    text: Annotated[str, doc("a .puz file, JSON, or a board typed as text")]


class WriteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Format and entries of the game's level list; omitted ones are kept."""

    id: Annotated[str | None, doc("the level's ID: letters and digits")] = None
    next: Annotated[str | None, doc("ID of the puzzle that follows; empty: none")] = None
    tile: Annotated[str | None, doc("text on its tile: three characters")] = None
    author: Annotated[str | None, doc("who made it")] = None
    format: Annotated[
        Literal["puz", "hexcells"],
        doc("puz, or hexcells for a board whose cells lie as in such a level"),
    ] = "puz"


class CampaignLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of a campaign and its entry in the list of levels."""

    puzzle: Position
    """The puzzle; its mines are known."""
    score: float | None = None
    """The smooth score of `rate`; null: no score."""
    steps: tuple[Annotated[int, Meta(ge=1)], ...] = ()
    """The rounds of each step by `rate`: the difficulty curve."""


class CampaignOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The levels in order."""

    levels: Annotated[
        tuple[CampaignLevel, ...],
        doc("the puzzles in order, each with its score and curve"),
    ] = ()


class Campaign(msgspec.Struct, frozen=True):
    """Several puzzles as one archive for the game, in which each level names the next."""

    archive: str
    """A .zip in base64: a .puz file per level, and `campaign.txt` with order and curves."""


class Example(msgspec.Struct, frozen=True):
    """A bundled puzzle with its rating."""

    title: str
    """Its name."""
    level: Literal["easy", "medium", "hard", "fiendish"]
    """easy, medium, hard or fiendish, by its smooth score."""
    kind: str
    """The kind of board."""
    cells: int
    """Number of cells."""
    mines: int
    """Number of mines."""
    rating: Rated
    """Its rating."""
    position: Position
    """The position with a sealed solution."""


class Examples(msgspec.Struct, frozen=True):
    """The bundled puzzles."""

    puzzles: list[Example]
    """The puzzles from easy to fiendish."""


class GuessOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule of the first click, and limits of the game-tree search."""

    first: Annotated[
        Literal["any", "safe", "zero"],
        doc(
            "on a board without open cells: any is no rule; safe: the first cell is "
            "no mine; zero: nor is any of its neighbours"
        ),
    ] = "any"
    seconds: Annotated[float, doc("time for exact values; later ones are bounds", ge=0, le=600)] = 2
    layouts: Annotated[int, doc("most layouts for a game-tree search", ge=1, le=200_000)] = 20_000


class GuessCandidate(msgspec.Struct, frozen=True):
    """A closed cell with the chance to win by opening it next."""

    cell: int
    """The cell."""
    safe: float
    """Probability that it is no mine; 1 under a rule of the first click."""
    win: float | None
    """Chance to win by opening it now with optimal play after it; null if not computed exactly."""
    low: float | None
    """Lower bound: the chance of opening the safest cell each time after it; null if no games were
    searched.
    """
    high: float
    """Upper bound of that chance."""
    exact: bool
    """Whether `win` is exact; `low` and `high` are then equal to it."""


class Guess(msgspec.Struct, frozen=True):
    """The cells to open if none is safe, best first.

    All layouts are equally likely; flags are assumed to be right. Certain mines are left out.
    """

    layouts: str | None
    """Number of layouts that satisfy all clues, decimal; null if not counted: then the chances
    `safe` are estimates.
    """
    exact: bool
    """Whether every candidate's `win` is exact."""
    win: float | None
    """The best chance to win; null if another candidate may be better."""
    safest: int | None
    """The cell that is least likely a mine; null without candidates."""
    options: list[GuessCandidate]
    """By `win` (by `high` if that is null), then by `safe`, both descending, then by cell."""


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of the game-tree search at each press."""

    seconds: Annotated[float, doc("time for the exact chances of one press", ge=0, le=600)] = 1
    layouts: Annotated[int, doc("most layouts for a game-tree search", ge=1, le=200_000)] = 2000


class ReviewedPress(msgspec.Struct, frozen=True):
    """A press: `before` + `decision` + `luck` = `after` if all are known."""

    cell: int
    """The cell that was opened."""
    mine: bool
    """Whether it was a mine. The review continues with that mine flagged."""
    risk: float | None
    """The probability that it was a mine, by the open cells; null if layouts were not counted."""
    kind: Literal["certain", "best", "risky", "mistake", "open"]
    """certain: the clues made it safe; best: no other cell wins more often; mistake: another one
    does; risky: another cell was safe, the loss is unknown; open: not decided.
    """
    before: float | None
    """The chance to win with the best press; null if not computed."""
    decision: float | None
    """The chance to win with this press less `before`; at most 0."""
    luck: float | None
    """Effect of the result: `after` less the chance to win with this press."""
    after: float | None
    """The best chance to win given the result; 0 after a mine."""
    best: int | None
    """A better cell after a mistake or a needless risk: a safe one, else the one that wins most."""


class Review(msgspec.Struct, frozen=True):
    """The review of a game: luck separated from mistakes."""

    presses: list[ReviewedPress]
    """The presses in order."""
    ended: Literal["won", "lost", "open"]
    """lost: a mine was opened; won: every safe cell was opened without one."""
    mistakes: int
    """Number of presses that were mistakes or needless risks."""
    decisions: float
    """Sum of all `decision` that are known."""
    luck: float
    """Sum of all `luck` that are known."""
    survival: float | None
    """The chance to open no mine with these presses: the product of 1 less `risk`; null if
    a risk is unknown.
    """


class PhotoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A screenshot."""

    pixels: Annotated[
        str, doc("red, green and blue bytes row by row, or zlib's of them, in base64")
    ] = ""
    width: Annotated[int, doc("pixels in a row")] = 0
    height: Annotated[int, doc("rows of pixels")] = 0


class UnreadCount(msgspec.Struct, frozen=True):
    """A line with a count that could not be read."""

    kind: str
    """row, column, line-q, line-r or line-s."""
    cells: tuple[int, ...]
    """The cells of the line."""


class UnplacedNumber(msgspec.Struct, frozen=True):
    """A number outside the tiles of which the line is not known; perhaps the total."""

    number: int
    """The number."""
    at: tuple[float, float]
    """x and y of its middle in the picture."""


class UncountedColour(msgspec.Struct, frozen=True):
    """Tiles of one colour without a count that could be read."""

    colour: str
    """The nearest of the nine names of colours."""
    cells: list[int]
    """The closed and open tiles that have it."""


class Photo(msgspec.Struct, frozen=True):
    """The board in a screenshot, and what needs checking.

    Places are in pixels of the picture, a pixel's centre at whole numbers.
    """

    position: Position
    """The board without its mines; a number that could not be read is a `?`, and doubtful."""
    tiles: Literal["square", "hex"]
    """The shape of its tiles."""
    doubtful: list[int]
    """Cells to check."""
    doubtful_groups: list[int]
    """Counts to check, as `group:INDEX` numbers them."""
    unread: list[UnreadCount]
    """Lines with a count that could not be read; they are in no group of the position."""
    unplaced: list[UnplacedNumber]
    """Numbers that belong to no line."""
    uncounted: list[UncountedColour]
    """Colours without a count; they are in no group of the position."""
    consistent: bool
    """Whether some layout of mines fits the board as read."""
    middles: list[tuple[float, float]]
    """Where every cell's middle is."""
    pitch: float
    """From one tile's middle to the next one's."""
