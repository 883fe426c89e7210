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
    """What to take as given."""

    ignore_flags: Annotated[bool, doc("treat flagged cells as unknown")] = False


class Solved(msgspec.Struct, frozen=True):
    """Newly forced cells and the mine probability per cell (null for known cells).

    All layouts count the same. `exact` false: `solutions` and `probability` are estimates,
    `error` is the largest standard error of a probability and `solutions_error` the relative one
    of the count. Where not even an estimate can be had, `solutions`, every undecided cell's
    `probability` and both errors are null. `safe` and `mines` are complete all the same.
    """

    solutions: str | None
    """How many layouts fit, in decimal; null where they could not be counted or estimated."""
    exact: bool
    """Whether `solutions` and `probability` are exact."""
    safe: list[int]
    """Undecided cells that are safe in every layout."""
    mines: list[int]
    """Unflagged cells that are mines in every layout."""
    probability: list[float | None]
    """The share of layouts in which each cell is a mine; null where open, flagged or not known."""
    error: float | None = None
    """The largest standard error of a probability; null where they are exact or missing."""
    solutions_error: float | None = None
    """The relative standard error of `solutions`; null where it is exact or missing."""
    low: list[float | None] | None = None
    """A bound that holds: no chance is less; null where chances are exact."""
    high: list[float | None] | None = None
    """A bound that holds: no chance is greater; null where chances are exact."""


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue under which the rest can hold: a count, or null for no flag."""

    clue: str
    """The clue to change, by name."""
    value: int | None
    """The other count; null: without that flag."""
    remaining: str | None
    """How many layouts would fit then, in decimal; null where that was not counted."""
    distance: int
    """How far the new count is from the old one; 1 for a flag."""


class Doubt(msgspec.Struct, frozen=True):
    """Whether the clues contradict, and which; `redundant` ones follow from all the others.

    `smallest`: all sets of least size that cannot hold together, a hundred of them at most;
    `proved` false if the search was cut short. While the clues contradict, `redundant` is [],
    since everything would follow.
    """

    contradiction: bool
    """Whether the clues contradict."""
    smallest: list[list[str]]
    """All smallest sets of clues that cannot hold together."""
    proved: bool
    """Whether no smaller set exists, for certain."""
    repairs: list[Repair]
    """Changes to one clue that mend it, nearest first."""
    redundant: list[str]
    """Clues that follow from all the others."""


class DoubtOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far to look."""

    redundant: Annotated[bool, doc("also look for clues that say nothing new")] = True


class RateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the closure is to be run."""

    inexact_rounds: InexactRounds = 1
    cap: Annotated[
        Literal["auto", "on", "off"],
        doc(
            "leave out sets of more than 9 cells with a minimum above 3: always, "
            "never, or where there would be too many inequalities"
        ),
    ] = "auto"
    score: Annotated[
        Literal["smooth", "published"],
        doc("published: also on the scale of the boards published in 2018"),
    ] = "smooth"
    path: Annotated[bool, doc("also the whole way, each time by the easiest deduction")] = False
    wish: Annotated[
        str | None, doc("also what keeps that way from a wish: '3 sum, none deeper'")
    ] = None


class AuthorOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the closure is to be run, and which stuck region to look into."""

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
    """number: a `?` shows its number; open: open from the start; clear: its mine is taken away;
    mine: a mine is put there.
    """
    cell: int
    """Which cell is changed."""
    left: int
    """How many cells of the region stay closed; 0 where it is free."""
    decided: int
    """How many cells are decided that were not, on the whole board."""
    no_guess: bool
    """Whether the whole board then needs no guess."""


class Authored(msgspec.Struct, frozen=True):
    """A board in the level editor: its rating as by `rate`, and where solving stops."""

    no_guess: bool
    """Whether complete reasoning opens every safe cell."""
    waves: int
    """Waves of complete reasoning that opened a cell."""
    wave: list[int | None]
    """Every cell's wave: 0 is known from the start, null stays closed."""
    stuck: list[list[int]]
    """The cells that stay closed; those that clues other than the total join are one region."""
    steps: list[int]
    """The closure's rounds per step, in order."""
    smooth: float | None
    """The smooth score of the steps; null where the closure stops or a guess is needed."""
    closure_solves: bool
    """Whether the closure opens every safe cell by itself."""
    capped: bool
    """Whether sets of more than nine cells with a minimum above three were left out."""
    repairs: list[Freeing] | None
    """The changes of one cell that free the requested region, best first; if none does, the
    five that leave the fewest of its cells closed; null where none was asked about.
    """


class ExplainOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cell."""

    cell: Annotated[int, doc("the cell to explain, counted from 0", ge=0)]


class ProofOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to prove: one cell, or that the whole level needs no guess."""

    cell: Annotated[int | None, doc("the cell to prove, counted from 0")] = None
    whole: Annotated[bool, doc("prove that the whole level needs no guess")] = False


class Inequality(msgspec.Struct, frozen=True):
    """From `min` to `max` mines among `cells`."""

    cells: list[int]
    """The cells it is about."""
    min: int
    """At least so many of them are mines."""
    max: int
    """At most so many of them are mines."""


class Deduction(msgspec.Struct, frozen=True):
    """One step: its sources (clue names, or indices of earlier steps) and what follows."""

    stage: Literal["exact", "inexact", "contradiction"]
    """exact: from counts alone; inexact: from bounds; contradiction: the opposite was supposed."""
    from_: list[str | int] = msgspec.field(name="from")
    """Clue names, or indices of earlier steps."""
    gives: Inequality
    """What follows."""
    text: str
    """The step as a sentence."""
    technique: Technique = "one"
    """What kind of step it is: one clue, a subset, a cross of two sets, bounds, a sum or weighted
    sum of counts, parity, the opposite followed to a clash, or supposed and refuted by trying.
    """
    weights: list[int] | None = None
    """How often each of `from` enters a sum, negative where it is taken away; null elsewhere."""
    says: str = ""
    """What follows, alone: `no mine in A1`."""


class Explained(msgspec.Struct, frozen=True):
    """Why a cell is safe or a mine: the clues that alone force it, and the derivation.

    `open`: both are possible, so there is nothing to explain.
    """

    verdict: Literal["safe", "mine", "open"]
    """What the cell is in every layout; open: both are possible."""
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
    """What is proved of the cell, or of the level."""
    clues: list[str]
    """The clues in the order of the formula, two constraints each."""
    formula: str
    """The clues and the opposite of the verdict, in OPB."""
    proof: str
    """Its refutation, in the VeriPB 3.0 format."""
    waves: int | None = None
    """How many waves of deductions open the level; null for a cell."""


class HintOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much to give away."""

    degree: Annotated[
        int, doc("1 is there a move, 2 where, 3 which clues, 4 what and why", ge=1, le=4)
    ] = 1


class Hint(msgspec.Struct, frozen=True):
    """The easiest deduction by degrees: what is beyond the requested degree is null.

    `move`: some cell is decided, so no one needs to guess. `cells` are decided all alike by the
    same clues. `contradiction`: the way there supposes the opposite. `wrong_flag`: a flag is wrong,
    so there is no hint until it is taken back.
    """

    degree: int
    """The requested degree."""
    move: bool
    """Whether a cell is decided."""
    cells: list[int] | None = None
    """The cells to look at; null below degree 2."""
    clues: list[str] | None = None
    """The clues that decide them; null below degree 3."""
    verdict: Literal["safe", "mine"] | None = None
    """What the cells are; null below degree 4."""
    steps: list[Deduction] | None = None
    """Why; null below degree 4."""
    contradiction: bool | None = None
    """Whether the argument assumes the opposite; null below degree 3."""
    uses_total: bool | None = None
    """Whether the total is among the clues; null below degree 3."""
    technique: Technique | None = None
    """The kind of argument; null below degree 3."""
    wrong_flag: bool = False
    """Whether a flag is wrong, so that there is no going on."""
    length: int | None = None
    """How often a count is named in the argument, repeats included; null below degree 3."""
    widest: int | None = None
    """The cells of its widest set; null below degree 3, for bounds and harder arguments."""
    proved: bool = True
    """Whether no deduction is easier: of a lesser kind, or of that kind and shorter."""


class Checked(msgspec.Struct, frozen=True):
    """Is a flag wrong? `yes`, `no`, or `unsure` where they may all be right, but need not be."""

    wrong: Literal["yes", "no", "unsure"]
    """yes, no, or unsure."""


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
    """A text to make a position of."""

    text: Annotated[str, doc("a .puz file, JSON, or a board typed as text")]


class WriteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of the game's level list; those left out stay."""

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
    """How hard it is, as `rate` has it in `smooth`; null: no score."""
    steps: tuple[Annotated[int, Meta(ge=1)], ...] = ()
    """The rounds of its steps, as `rate` has them: its curve."""


class CampaignOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The levels, in their order."""

    levels: Annotated[
        tuple[CampaignLevel, ...],
        doc("the puzzles in their order, each with its score and its curve"),
    ] = ()


class Campaign(msgspec.Struct, frozen=True):
    """Several puzzles as one archive for the game: every level leads to the next."""

    archive: str
    """A .zip in base64: a .puz file a level, and `campaign.txt` with the order and every curve."""


class Example(msgspec.Struct, frozen=True):
    """A bundled puzzle: its title, how hard it is, and the position with a sealed solution."""

    title: str
    """Its name."""
    level: Literal["easy", "medium", "hard", "fiendish"]
    """easy, medium, hard or fiendish, by its smooth score."""
    kind: str
    """The kind of board."""
    cells: int
    """Cells in all."""
    mines: int
    """Mines in all."""
    rating: Rated
    """How hard it is."""
    position: Position
    """The puzzle, its solution sealed."""


class Examples(msgspec.Struct, frozen=True):
    """The bundled puzzles, from easy to fiendish."""

    puzzles: list[Example]
    """From easy to fiendish."""


class GuessOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule of the first click, and how far play is followed."""

    first: Annotated[
        Literal["any", "safe", "zero"],
        doc(
            "on a board without open cells: any is no rule; safe: the first cell is "
            "no mine; zero: nor is any of its neighbours"
        ),
    ] = "any"
    seconds: Annotated[
        float, doc("time for exact values; bounds for what is left", ge=0, le=600)
    ] = 2
    layouts: Annotated[int, doc("with more layouts play is not followed", ge=1, le=200_000)] = (
        20_000
    )


class GuessCandidate(msgspec.Struct, frozen=True):
    """A cell that may be opened, and the share of layouts that is won then."""

    cell: int
    """The cell."""
    safe: float
    """The chance that it is no mine; 1 under a rule of the first click."""
    win: float | None
    """The chance to win by opening it now and best play after; null where that is not settled."""
    low: float | None
    """What the play wins that opens the safest cell each time after; null where no play was
    followed.
    """
    high: float
    """No play that opens it now wins more."""
    exact: bool
    """Whether `win` is exact; `low` and `high` are then equal to it."""


class Guess(msgspec.Struct, frozen=True):
    """Which cell to open where none is safe: every candidate, best first.

    Layouts that fit count the same; flags are taken as given. A certain mine is no candidate.
    """

    layouts: str | None
    """How many layouts fit, in decimal; null where they could not be counted. The chances `safe`
    are then estimates.
    """
    exact: bool
    """Whether every candidate's `win` is exact."""
    win: float | None
    """The best chance to win; null where another candidate may still be better."""
    safest: int | None
    """The cell that is least likely a mine; null where there is no candidate."""
    options: list[GuessCandidate]
    """By `win` (by `high` where that is null), then by `safe`, both descending, then by cell."""


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far play is followed at each press."""

    seconds: Annotated[float, doc("time for the exact chances of one press", ge=0, le=600)] = 1
    layouts: Annotated[int, doc("with more layouts play is not followed", ge=1, le=200_000)] = 2000


class ReviewedPress(msgspec.Struct, frozen=True):
    """A press: `before` + `decision` + `luck` = `after`, where all are known."""

    cell: int
    """The cell that was opened."""
    mine: bool
    """Whether it was a mine. The review continues with that mine flagged."""
    risk: float | None
    """The probability that it was a mine, by the open cells; null if layouts were not counted."""
    kind: Literal["certain", "best", "risky", "mistake", "open"]
    """certain: the clues made it safe; best: no other cell wins more often; mistake: another one
    does; risky: another cell was safe, what this one cost is not known; open: not settled.
    """
    before: float | None
    """The chance to win with the best press; null where play could not be followed."""
    decision: float | None
    """The chance to win with this press less `before`; at most 0."""
    luck: float | None
    """What the result changed: `after` less the chance to win with this press."""
    after: float | None
    """The best chance to win once the result was seen; 0 after a mine."""
    best: int | None
    """A better cell after a mistake or a needless risk: a safe one, else the one that wins most."""


class Review(msgspec.Struct, frozen=True):
    """A game looked back on: luck separated from mistakes."""

    presses: list[ReviewedPress]
    """The presses in order."""
    ended: Literal["won", "lost", "open"]
    """lost: a mine was opened; won: every safe cell was opened without one."""
    mistakes: int
    """How many presses were mistakes or needless risks."""
    decisions: float
    """Sum of all `decision` that are known."""
    luck: float
    """Sum of all `luck` that are known."""
    survival: float | None
    """The chance to open no mine with these presses: the product of 1 less `risk`; null where a
    risk is unknown.
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
