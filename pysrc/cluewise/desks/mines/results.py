"""What the mines desk is asked and what it answers; the page's types follow from these."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cluewise.desks.mines.position import Position
from cluewise.desks.mines.rated import Rated


class SolveOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to take as given."""

    ignore_flags: Annotated[bool, Meta(description="treat flagged cells as unknown")] = False


class Solved(msgspec.Struct, frozen=True):
    """Newly forced cells and the chance of a mine per cell (null where nothing is asked).

    All layouts count the same. `exact` false: `solutions` and `probability` are estimates,
    `error` is the largest standard error of a probability and `solutions_error` the relative one
    of the count. Where not even an estimate can be had, `solutions`, every undecided cell's
    `probability` and both errors are null. `safe` and `mines` are complete all the same.
    """

    solutions: str | None
    exact: bool
    safe: list[int]
    mines: list[int]
    probability: list[float | None]
    error: float | None = None
    solutions_error: float | None = None


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue under which the rest can hold: a count, or null for no flag."""

    clue: str
    value: int | None
    remaining: str | None
    distance: int


class Doubt(msgspec.Struct, frozen=True):
    """Whether the clues contradict, and which; `redundant` ones follow from all the others.

    `smallest`: all sets of least size that cannot hold together, a hundred of them at most;
    `proved` false if the search was cut short. While the clues contradict, `redundant` is [],
    since everything would follow.
    """

    contradiction: bool
    smallest: list[list[str]]
    proved: bool
    repairs: list[Repair]
    redundant: list[str]


class DoubtOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far to look."""

    redundant: Annotated[bool, Meta(description="also look for clues that say nothing new")] = True


class RateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the closure is to be run."""

    inexact_rounds: Annotated[
        int, Meta(ge=0, le=20, description="inexact rounds in a row before the closure stops")
    ] = 1
    cap: Annotated[
        Literal["auto", "on", "off"],
        Meta(
            description="leave out sets of more than 9 cells with a minimum above 3: always, "
            "never, or where there would be too many inequalities"
        ),
    ] = "auto"


class ExplainOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cell."""

    cell: Annotated[int, Meta(ge=0, description="the cell to explain, counted from 0")]


class Inequality(msgspec.Struct, frozen=True):
    """From `min` to `max` mines among `cells`."""

    cells: list[int]
    min: int
    max: int


class Deduction(msgspec.Struct, frozen=True):
    """One step: what it is made from (clue names, or indices of earlier steps) and gives."""

    stage: Literal["exact", "inexact", "contradiction"]
    from_: list[str | int] = msgspec.field(name="from")
    gives: Inequality
    text: str


class Explained(msgspec.Struct, frozen=True):
    """Why a cell is safe or a mine: the clues that alone force it, and the way there.

    `open`: both are possible, so there is nothing to explain.
    """

    verdict: Literal["safe", "mine", "open"]
    clues: list[str]
    steps: list[Deduction]


class HintOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much to give away."""

    degree: Annotated[
        int,
        Meta(ge=1, le=4, description="1 is there a move, 2 where, 3 which clues, 4 what and why"),
    ] = 1


class Hint(msgspec.Struct, frozen=True):
    """A hint by degrees: what is beyond the degree asked for is null.

    `move`: some cell is decided, so nobody needs to guess. `cells` are decided all alike by the
    same clues. `contradiction`: the way there supposes the opposite. `wrong_flag`: a flag is wrong,
    so there is no hint until it is taken back.
    """

    degree: int
    move: bool
    cells: list[int] | None = None
    clues: list[str] | None = None
    verdict: Literal["safe", "mine"] | None = None
    steps: list[Deduction] | None = None
    contradiction: bool | None = None
    uses_total: bool | None = None
    wrong_flag: bool = False


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class Checked(msgspec.Struct, frozen=True):
    """Is a flag wrong? `yes`, `no`, or `unsure` where they may all be right, but need not be."""

    wrong: Literal["yes", "no", "unsure"]


class GenerateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What kind of puzzle; what is left out is chosen to suit the board."""

    board: Annotated[
        Literal["combination-lock", "corner-bite", "holey", "colours", "hex", "triangle", "torus"],
        Meta(description="the kind of board"),
    ] = "combination-lock"
    like: Annotated[
        Position | None, Meta(description="a position whose graph and counted sets to use")
    ] = None
    size: Annotated[int | None, Meta(description="cells along an edge")] = None
    mines: Annotated[int | None, Meta(description="how many mines")] = None
    difficulty: Annotated[
        str | None, Meta(description="band of the smooth score, such as 5..12")
    ] = None
    seed: Annotated[int, Meta(description="the same seed gives the same puzzle")] = 0
    seconds: Annotated[
        float | None, Meta(description="stop after that time with the best so far")
    ] = None
    sealed: Annotated[bool, Meta(description="hide the mines from a casual look")] = False


class ReadOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text to make a position of."""

    text: Annotated[str, Meta(description="a .puz file, JSON, or a board typed as text")]


class Written(msgspec.Struct, frozen=True):
    """A file's text."""

    text: str


class Example(msgspec.Struct, frozen=True):
    """A bundled puzzle: its title, how hard it is, and the position with a sealed solution."""

    title: str
    level: Literal["easy", "medium", "hard", "fiendish"]
    kind: str
    cells: int
    mines: int
    rating: Rated
    position: Position


class Examples(msgspec.Struct, frozen=True):
    """The bundled puzzles, from easy to fiendish."""

    puzzles: list[Example]
