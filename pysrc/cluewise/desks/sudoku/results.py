"""Results and options of the desk's verbs; the page's types are generated from them.

`not_compared` names the constraints that an answer left out of account: it then holds for the
boards as plain sudoku only. Where it is missing, nothing was left out.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.write import Notation
from cluewise.desks.sudoku.transform import Step, Transform


def _says(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


class NoChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a verb that takes none."""


# -- canon ---------------------------------------------------------------------------------------


class GridForm(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="grid"):
    """The least string of a complete grid; `transform` takes the grid to it."""

    minlex: str
    automorphisms: int
    transform: Transform
    not_compared: list[str] = []


class PuzzleTransforms(msgspec.Struct, frozen=True):
    """What takes the puzzle to each of its three forms."""

    straight: Transform
    pattern_first: Transform
    solution_carried: Transform | None


class PuzzleForms(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="puzzle"):
    """A puzzle's forms in the three conventions in use; they differ, so say which.

    `solution_carried` is null unless the solution is unique; `no_carried` then says why it is.
    """

    straight: str
    pattern_first: str
    solution_carried: str | None
    automorphisms: int
    transforms: PuzzleTransforms
    solution: str | None
    no_carried: str = ""
    not_compared: list[str] = []


# -- same ----------------------------------------------------------------------------------------


class SameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `same`."""

    no_relabel: Annotated[bool, _says("Symbols keep their names: compare positions only.")] = False


class Because(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why two boards differ: one sentence, and what it speaks of (numbers, forms, counts)."""

    kind: Literal["givens", "symbols", "lines", "atoms", "table", "automorphisms", "forms", "names"]
    text: str
    first: int | str | None = None
    second: int | str | None = None
    first_lists: list[list[int]] | None = None
    second_lists: list[list[int]] | None = None
    row: int | None = None
    col: int | None = None


class Same(msgspec.Struct, frozen=True, omit_defaults=True):
    """One board in disguise, or two different ones.

    If `same`: `witness` takes the first board to the second, and so do `steps` in order; `ways`
    counts the transforms that serve, and `shortest` is false where they are too many to try all.
    If not: `because` is a reason that a reader can check. Where symbols had to keep their names,
    `same_renamed` says whether the boards would be the same with renaming. What does not apply is
    left out.
    """

    same: bool
    witness: Transform | None = None
    steps: list[Step] | None = None
    shortest: bool | None = None
    ways: int | None = None
    because: Because | None = None
    same_renamed: bool | None = None
    not_compared: list[str] = []


# -- automorphisms, table, compare ----------------------------------------------------------------


class AutomorphismOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `automorphisms`."""

    limit: Annotated[int, msgspec.Meta(ge=0, le=100_000, description="List at most that many.")] = (
        2000
    )


class Automorphisms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The transforms that take a board to itself; `all` is sorted and starts with the identity.

    `complete` is false where `count` passes the limit and `all` holds the first found only.
    """

    count: int
    generators: list[Transform]
    all: list[Transform]
    complete: bool
    not_compared: list[str] = []


class TableRow(msgspec.Struct, frozen=True):
    """One symbol's row of the table: its values by size, and its place in the normalisation."""

    symbol: str
    sum: int
    values: list[int]
    index: int


class Table(msgspec.Struct, frozen=True):
    """How often symbols share a minirow or minicolumn.

    `normalisation[i]` is the index that symbol i+1 gets when the rows are sorted; symbols in one
    entry of `ties` have equal sorted rows, so their order among themselves means nothing.
    """

    table: list[list[int]]
    rows: list[TableRow]
    normalisation: list[int]
    ties: list[list[str]]
    distinct: int
    text: str


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two boards by the table method, beside the exact answer.

    `rows_agree`: the multisets of sorted rows are equal (if not, the boards differ, proved);
    `atoms_agree`: after normalising, every row, column and box of one has its like in the other.
    """

    first: Table
    second: Table
    rows_agree: bool
    atoms_agree: bool
    same: bool
    text: str
    not_compared: list[str] = []


# -- solve, generate, puzzle ----------------------------------------------------------------------


class Solved(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many solutions, the first two, and the solution if there is just one."""

    solutions: Literal["0", "1", ">=2"]
    found: list[str]
    solution: str | None
    conflict: str | None
    not_compared: list[str] = []


class GenerateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `generate`."""

    seed: Annotated[int, _says("The same seed gives the same board.")] = 0


class Generated(msgspec.Struct, frozen=True):
    """A random complete grid."""

    grid: str


Symmetry = Literal[
    "none", "half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "antidiagonal"
]


class PuzzleOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `puzzle`."""

    clues: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1296)] | None, _says("Exactly that many givens.")
    ] = None
    minimal: Annotated[bool, _says("No given can be removed.")] = False
    symmetry: Annotated[Symmetry, _says("The pattern of givens has this symmetry.")] = "none"
    seed: Annotated[int, _says("The same seed gives the same puzzle.")] = 0


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A puzzle with one solution. `minimal` says whether it was proved that no given can go."""

    puzzle: str
    solution: str
    clues: int
    minimal: bool
    not_compared: list[str] = []


# -- nearest ---------------------------------------------------------------------------------------


class Nearest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The most givens that can be made to agree, of the smaller number of givens.

    `witness` takes the first board to where they agree. `exact` false: `agree` was reached, but
    up to `bound` might be possible.
    """

    agree: int
    of: int
    givens: tuple[int, int]
    witness: Transform
    exact: bool
    bound: int
    differs: list[int]
    not_compared: list[str] = []


# -- text and lists --------------------------------------------------------------------------------


class PasteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `paste`."""

    text: Annotated[str, _says("Boards, drawn grids, a list, a file's text or links.")] = ""
    same: Annotated[bool, _says("Two boards: answer `same` as well.")] = False
    into: Annotated[
        int, msgspec.Meta(ge=0, le=1, description="With --same: a single board takes this place.")
    ] = 1
    no_relabel: Annotated[bool, _says("With --same: symbols keep their names.")] = False


class BadLine(msgspec.Struct, frozen=True):
    """What could not be read, and where (line and column from 1)."""

    line: int
    column: int
    text: str


class Pasted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a text was recognised as, and its boards.

    `constraints[i]` are those that came with `grids[i]`; it is left out where there are none.
    `same` is there if it was asked for and there are two legal boards of at most 9×9 to compare:
    both of the text, or its only one and the one of the position that it does not replace.
    """

    format: str
    box: tuple[int, int]
    grids: list[str]
    problems: list[BadLine]
    same: Same | None = None
    constraints: list[list[Constraint]] = []


class ExportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `export`."""

    notation: Annotated[Notation, _says("The notation or site.")] = "string"


class Exported(msgspec.Struct, frozen=True, omit_defaults=True):
    """The boards as text; `left_out` names the constraints that the notation does not carry."""

    text: str
    left_out: list[str] = []


class GroupOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `group`."""

    lines: Annotated[list[str], _says("One board a line.")] = []
    before: Annotated[
        Annotated[int, msgspec.Meta(ge=0)], _says("Lines of the list before these.")
    ] = 0
    task: Annotated[Literal["group", "canon", "solve"], _says("What each line is asked.")] = "group"
    convention: Annotated[
        Literal["straight", "pattern-first", "solution-carried"],
        _says("Which least form `canon` gives of a puzzle."),
    ] = "straight"


class Grouped(msgspec.Struct):
    """One answer a line, in order; `problems` has the lines that got none."""

    classes: list[int | None]
    firsts: list[int]
    keys: list[str]
    answers: list[str]
    problems: list[BadLine]
