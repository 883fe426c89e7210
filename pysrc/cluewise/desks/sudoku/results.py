"""Results and options of the desk's verbs; the page's types are generated from them.

`not_compared` names the constraints that an answer does not take into account: it then holds for
the boards as plain sudoku only. If it is missing, nothing was left out.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from cluewise.core.desk import doc
from cluewise.core.results import BadLine
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.write import Notation
from cluewise.desks.sudoku.transform import Step, Transform

Convention = Literal["straight", "pattern-first", "solution-carried"]
Task = Literal["group", "canon", "solve", "annotate"]
By = Literal["class", "solution", "pattern", "symmetries"]


class _NotCompared(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    not_compared: list[str] = []
    """Constraints that this answer does not take into account, by name: it holds for the boards as
    plain sudoku only. Left out if there are none."""


class _Compared(_NotCompared, frozen=True, omit_defaults=True, kw_only=True):
    compared: list[str] = []
    """Constraints that this answer takes into account, by name; left out if there are none."""


class _WithMaps(_Compared, frozen=True, omit_defaults=True, kw_only=True):
    cell_maps: int = 0
    """Maps of cells that preserve these constraints, whatever the givens; left out without any."""


# -- canon ---------------------------------------------------------------------------------------


class GridForm(_Compared, frozen=True, omit_defaults=True, tag_field="kind", tag="grid"):
    """The least string of a complete grid; `transform` takes the grid to it."""

    minlex: str
    """The smallest string over all transforms, symbols renamed in order of appearance."""
    automorphisms: int
    """Transforms that take the grid to itself, the identity included."""
    transform: Transform
    """Takes the grid to its form."""


class PuzzleTransforms(msgspec.Struct, frozen=True):
    """The transforms of the puzzle to its three forms."""

    straight: Transform
    """Takes the puzzle to its straight form."""
    pattern_first: Transform
    """Takes it to its pattern-first form."""
    solution_carried: Transform | None
    """Takes it to its carried form; null if there is none."""


class PuzzleForms(_Compared, frozen=True, omit_defaults=True, tag_field="kind", tag="puzzle"):
    """A puzzle's forms in the three conventions in use, which differ.

    `solution_carried` is null unless the solution is unique; `no_carried` then has the reason.
    """

    straight: str
    """The smallest string, a blank before 1 before 2."""
    pattern_first: str
    """The smallest pattern of givens first, then the smallest symbols."""
    solution_carried: str | None
    """The puzzle under the transform of its solution to minlex form, the least over the solution's
    symmetries; null unless the solution is unique."""
    automorphisms: int
    """Transforms that take the puzzle to itself, the identity included."""
    transforms: PuzzleTransforms
    """The transform to each form."""
    solution: str | None
    """The solution if it is the only one."""
    no_carried: str = ""
    """Why there is no carried form; left out if there is one."""


# -- same ----------------------------------------------------------------------------------------


class SameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `same`."""

    no_relabel: Annotated[bool, doc("Symbols keep their names: compare positions only.")] = False


class Meetings(msgspec.Struct, frozen=True):
    """How many pairs of symbols share exactly `count` strips, on each of two boards.

    A strip is the part of a row or column inside one box; it is shared by the symbols it holds.
    """

    count: int
    """The largest number of shared strips for which the numbers of pairs differ."""
    first: int
    """Pairs of symbols that share exactly so many strips of the first board."""
    second: int
    """The same of the second board."""
    first_pairs: list[tuple[int, int]]
    """These pairs of the first board, symbols from 1, ascending."""
    second_pairs: list[tuple[int, int]]
    """The same of the second board."""


class Because(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why two boards differ: one sentence, and its numbers, forms and counts."""

    kind: Literal[
        "constraints",
        "givens",
        "symbols",
        "names",
        "lines",
        "atoms",
        "meetings",
        "table",
        "rectangles",
        "cycles",
        "bands",
        "refinement",
        "certificate",
        "automorphisms",
        "forms",
    ]
    """The invariant that differs, the simplest first: givens, symbols (names if they keep theirs),
    lines, atoms (minirows and minicolumns), meetings (pairs of symbols by shared strips), table,
    rectangles of two symbols, cycles of two parallel lines, bands, refinement, certificate
    (refinement after marks), automorphisms, forms. Constraints: no map that preserves them does."""
    text: str
    """One sentence that a reader can check."""
    first: int | str | None = None
    """The number or form of the first board in the sentence."""
    second: int | str | None = None
    """The same of the second board."""
    first_lists: list[list[int]] | None = None
    """The lists of numbers of the first board that the sentence compares."""
    second_lists: list[list[int]] | None = None
    """The same of the second board."""
    first_cells: list[list[int]] | None = None
    """For atoms, cycles and bands the cells of the first board: of lines, boxes, a band or a stack,
    row by row (of cycles one pair of lines); null if there are none."""
    second_cells: list[list[int]] | None = None
    """The same of the second board."""
    row: int | None = None
    """The row of the first difference of two forms, from 0."""
    col: int | None = None
    """The column of the first difference of two forms, from 0."""
    meetings: Meetings | None = None
    """How often pairs of symbols share a strip, for every kind; null if that is equal on both
    boards, if symbols keep their names, and with constraints."""


class Same(_WithMaps, frozen=True, omit_defaults=True):
    """Whether two boards are equivalent.

    If `same`: `witness` takes the first board to the second, and so do `steps` in order; `ways`
    counts the transforms that do, and `shortest` is false if they are too many to try all.
    If not: `because` is a reason that a reader can check. If symbols had to keep their names,
    `same_renamed` is the answer with renaming. Fields that do not apply are left out.
    """

    same: bool
    """Whether a transform takes the first board to the second."""
    witness: Transform | None = None
    """If the same: a transform that does."""
    steps: list[Step] | None = None
    """The same transform as swaps, a transposition and a relabelling, in order."""
    shortest: bool | None = None
    """Whether no transform has fewer steps; false if there are too many to try all."""
    ways: int | None = None
    """The number of transforms that take the first board to the second."""
    summary: str = ""
    """If the same: a sentence about the transform, to share."""
    key: str | None = None
    """If the same, without constraints and renamed freely on 9×9: the least form of both boards.
    Boards are the same exactly if their keys are equal."""
    because: Because | None = None
    """If not the same: a reason that a reader can check."""
    same_renamed: bool | None = None
    """If not the same while symbols keep their names: whether renaming would make them the same."""


# -- automorphisms, table, compare ----------------------------------------------------------------


class AutomorphismOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `automorphisms`."""

    limit: Annotated[int, doc("List at most that many.", ge=0, le=100_000)] = 2000
    of: Annotated[
        Literal["board", "constraints"],
        doc("Of the board, or of its constraints alone: maps of cells, whatever the givens."),
    ] = "board"


class Automorphisms(_WithMaps, frozen=True, omit_defaults=True):
    """The transforms that take a board to itself; `all` is sorted and starts with the identity.

    `complete` is false if `count` exceeds the limit, and `all` then has the first found only.
    """

    count: int
    """Transforms that take the board to itself, the identity included."""
    generators: list[Transform]
    """Generators of the group."""
    all: list[Transform]
    """All of them, sorted, the identity first; the first found if they exceed the limit."""
    complete: bool
    """Whether `all` holds all."""
    implied: list[list[int]] | None = None
    """Implied houses that are not stated: their cells, ascending. Only in the answer about the
    constraints themselves."""


class TableRow(msgspec.Struct, frozen=True):
    """One symbol's row of the table: its values by size, and its place in the normalisation."""

    symbol: str
    """The symbol."""
    sum: int
    """How often it shares a minirow or minicolumn, with all others together."""
    values: list[int]
    """How often with each other symbol, by size."""
    index: int
    """Its place in the normalisation, from 0."""


class Table(msgspec.Struct, frozen=True):
    """How often symbols share a minirow or minicolumn.

    `normalisation[i]` is the index that symbol i+1 gets when the rows are sorted; symbols in one
    entry of `ties` have equal sorted rows, so their relative order is arbitrary.
    """

    table: list[list[int]]
    """How often symbols i+1 and k+1 share a minirow or minicolumn."""
    rows: list[TableRow]
    """The rows by size, as they are sorted."""
    normalisation: list[int]
    """The place of symbol i+1 when the rows are sorted, from 0."""
    ties: list[list[str]]
    """Symbols whose sorted rows are equal: their relative order is arbitrary."""
    distinct: int
    """Different sorted rows."""
    text: str
    """A sentence about the ties."""


class Comparison(_NotCompared, frozen=True, omit_defaults=True):
    """Two boards by the table method, next to the exact answer.

    `rows_agree`: the multisets of sorted rows are equal (if not, the boards differ, proved);
    `atoms_agree`: after normalising, the multisets of rows, columns and boxes are equal.
    """

    first: Table
    """The first board's table."""
    second: Table
    """The second board's table."""
    rows_agree: bool
    """Whether the sorted rows are equal; if not, the boards differ, proved."""
    atoms_agree: bool
    """Whether after normalising the multisets of rows, columns and boxes are equal."""
    same: bool
    """The exact answer."""
    text: str
    """The answer of the table method, compared with the exact one."""


# -- solve, generate, puzzle ----------------------------------------------------------------------


class SolveOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `solve`."""

    limit: Annotated[int, doc("List at most that many solutions.", ge=2, le=10_000)] = 2


class Solved(_Compared, frozen=True, omit_defaults=True):
    """How many solutions, the first two, and the solution if there is just one.

    With a `limit` above 2 all solutions up to that many.
    """

    solutions: Literal["0", "1", ">=2"]
    """None, one or several."""
    found: list[str]
    """The first two solutions, or up to the option `limit`."""
    solution: str | None
    """The solution if it is the only one."""
    conflict: str | None
    """The symbols that break a rule, so that there is no solution; null if none are known."""
    complete: bool | None = None
    """With a limit above 2: whether `found` has all solutions."""


class GenerateOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `generate`."""

    seed: Annotated[int, doc("The same seed gives the same board.")] = 0


class Generated(_Compared, frozen=True, omit_defaults=True):
    """A random complete grid."""

    grid: str
    """The grid, row by row."""


Symmetry = Literal[
    "none", "half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "antidiagonal"
]


class PuzzleOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `puzzle`."""

    clues: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1296)] | None, doc("Exactly that many givens.")
    ] = None
    minimal: Annotated[bool, doc("No given can be removed.")] = False
    symmetry: Annotated[Symmetry, doc("The pattern of givens has this symmetry.")] = "none"
    seed: Annotated[int, doc("The same seed gives the same puzzle.")] = 0
    source: Annotated[
        list[str],
        doc("Known puzzles, one a line: a random one of those that fit is taken."),
    ] = []


class Puzzle(_Compared, frozen=True, omit_defaults=True):
    """A puzzle with one solution. `minimal`: it was proved that no given can be removed."""

    puzzle: str
    """The puzzle, `.` for a blank."""
    solution: str
    """Its only solution."""
    clues: int
    """Its givens."""
    minimal: bool
    """Whether it was proved that no given can be removed."""
    line: int | None = None
    """Of a source: the line it was taken from, from 0."""


class DisguiseOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `disguise`."""

    seed: Annotated[int, doc("The same seed gives the same disguise.")] = 0
    steps: Annotated[
        Literal["any", "fewest", "most"],
        doc("How many steps undo it: any number, a single one, or the most that can be needed."),
    ] = "any"


class Disguise(_NotCompared, frozen=True, omit_defaults=True):
    """A board that is equivalent to the given one, and the transform to it."""

    grid: str
    """The disguised board."""
    transform: Transform
    """Takes the given board to it; one with the fewest steps."""
    steps: list[Step]
    """The same as swaps, a transposition and a relabelling, in order."""
    shortest: bool
    """Whether no transform has fewer steps; not computed for more than nine symbols."""
    summary: str
    """A description of the transform."""


class MakeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `make`."""

    kind: Annotated[
        Literal["puzzle", "grid", "disguise"],
        doc("A puzzle, of the given grid if there is one; a grid; the given board in disguise."),
    ] = "puzzle"
    name: Annotated[str, doc("The number of a grid or the name of a board, to make it from.")] = ""
    seed: Annotated[int, doc("The same seed gives the same board.")] = 0
    clues: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1296)] | None, doc("A puzzle: that many givens.")
    ] = None
    minimal: Annotated[bool, doc("A puzzle: no given can be removed.")] = False
    symmetry: Annotated[Symmetry, doc("A puzzle: the symmetry of its pattern.")] = "none"
    source: Annotated[list[str], doc("A puzzle: known ones, one a line, to take one from.")] = []
    steps: Annotated[
        Literal["any", "fewest", "most"], doc("A disguise: how many steps undo it.")
    ] = "any"


class Made(_NotCompared, frozen=True, omit_defaults=True):
    """A new board. Fields of other kinds are left out."""

    board: str
    """The board, `.` for a blank."""
    kind: Literal["puzzle", "grid", "disguise"]
    """What was made."""
    name: str = ""
    """Of a named grid: its number in seven letters."""
    solution: str = ""
    """Of a puzzle: its only solution."""
    clues: int | None = None
    """Of a puzzle: its givens."""
    minimal: bool = False
    """Of a puzzle: whether it was proved that no given can be removed."""
    line: int | None = None
    """Of a puzzle from a source: its line, from 0."""
    transform: Transform | None = None
    """Of a disguise: takes the given board to it, with the fewest steps known."""
    steps: list[Step] = []
    """Of a disguise: the same as swaps, a transposition and a relabelling, in order."""
    shortest: bool = False
    """Of a disguise: whether no transform has fewer steps."""
    summary: str = ""
    """Of a disguise: a description of the transform."""


# -- number, grid ---------------------------------------------------------------------------------


class Numbered(_NotCompared, frozen=True, omit_defaults=True):
    """A grid's rank among the essentially different grids, and properties of its class."""

    number: int
    """Its rank among the minlex grids in ascending order, from 1."""
    of: int
    """The number of essentially different grids: 5 472 730 538."""
    bands: list[int]
    """The classes of its three bands and three stacks, 1 to 416, ascending."""
    automorphisms: int
    """Transforms that take the grid to itself, the identity included."""
    code: str
    """The number in seven letters."""
    address: str
    """The address of this very board: the code, for a puzzle its givens at the minlex grid in 18
    letters, and in nine the transform from there to the board, the least one."""
    class_address: str
    """The same without the transform: it names the board up to all transforms."""
    minlex: str
    """The grid of that number."""
    transform: Transform
    """Takes the board to `minlex`, or a puzzle to `carried`."""
    chutes: list[int]
    """The classes of its bands from the top, then of its stacks from the left."""
    least_band: int
    """The most canonical band: the first of the least class, 0 to 2."""
    least_stack: int
    """The most canonical stack: the first of the least class, 0 to 2."""
    orders: dict[int, int]
    """The number of automorphisms of each order: the least power that is the identity."""
    class_size: int
    """Grids that are equivalent to this one: all transforms by the automorphisms."""
    as_symmetric: int
    """Classes of grids with as many automorphisms."""
    carried: str = ""
    """A puzzle's givens carried to the grid of that number; left out for a complete grid."""


class GridOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `grid`; without any, a random grid."""

    number: Annotated[
        Annotated[int, msgspec.Meta(ge=1)] | None, doc("The grid's number, from 1.")
    ] = None
    code: Annotated[str, doc("The number in letters or digits, or an address.")] = ""
    seed: Annotated[int, doc("Without a number: the same seed gives the same random grid.")] = 0
    count: Annotated[int, doc("So many grids, one number after another.", ge=1, le=200)] = 1


class GridOfNumber(msgspec.Struct, frozen=True):
    """The minlex grid of a number, and the grids that follow it; of an address its very board."""

    grid: str
    """The grid; the board of an address that has more than a number."""
    number: int
    """Its number; of a random one, drawn with equal chance from all numbers."""
    of: int
    """The number of essentially different grids: 5 472 730 538."""
    code: str
    """The number in seven letters."""
    grids: list[str]
    """The grids from that number on; fewer than asked for at the end of all. Of an address its
    board alone."""


class View(msgspec.Struct, frozen=True):
    """The ways to transform a grid so that it obeys one more rule."""

    kind: Literal["diagonals", "windows", "disjoint", "antiknight", "antiking"]
    """The rule, as constraints name it."""
    ways: int
    """Different choices of cells for the rule, over all 3 359 232 cell maps."""
    example: str | None
    """The least transformed grid that obeys the rule; null if there is none."""
    transform: Transform | None
    """Takes the grid to the example."""


class Views(_NotCompared, frozen=True, omit_defaults=True):
    """The rules that equivalents of a complete 9×9 grid obey."""

    views: list[View]
    """One entry a rule: diagonals, windows, disjoint, antiknight, antiking."""


class UnavoidableSets(_NotCompared, frozen=True, omit_defaults=True):
    """All minimal unavoidable sets of four and six cells of a grid, or of a puzzle's solution.

    A set is unavoidable if another grid differs in its cells only: a puzzle needs a given in it.
    """

    grid: str
    """The grid whose sets they are."""
    sets: list[list[int]]
    """The cells of each, ascending, from 0 row by row; the smaller sets first."""
    counts: dict[int, int]
    """How many sets have 4 and 6 cells."""
    givens: list[int] = []
    """A puzzle's givens in each set, never 0; left out for a complete grid."""


# -- nearest ---------------------------------------------------------------------------------------


class Nearest(_NotCompared, frozen=True, omit_defaults=True):
    """The most givens that can be made to agree, of the smaller number of givens.

    `witness` takes the first board to where they agree. If `exact` is false, up to `bound` might be
    possible.
    """

    agree: int
    """Givens that agree after the witness."""
    of: int
    """Givens of the board that has fewer."""
    givens: tuple[int, int]
    """Givens of the first and of the second board."""
    witness: Transform
    """Takes the first board to where they agree."""
    exact: bool
    """Whether no transform makes more agree."""
    bound: int
    """An upper bound of the givens that can agree."""
    differs: list[int]
    """Cells that differ after the witness, from 0, row by row."""


# -- text and lists --------------------------------------------------------------------------------


class PasteOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `paste`."""

    text: Annotated[str, doc("Boards, drawn grids, a list, a file's text or links.")] = ""
    same: Annotated[bool, doc("Two boards: answer `same` as well.")] = False
    into: Annotated[int, doc("With --same: a single board takes this place.", ge=0, le=1)] = 1
    no_relabel: Annotated[bool, doc("With --same: symbols keep their names.")] = False


class Pasted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a text was recognised as, and its boards.

    `constraints[i]` are those of `grids[i]`; it is left out if there are none. `same` is there with
    the option `same`, if there are two legal boards of at most 9×9 to compare: both of the text, or
    its only one and the one of the position that it does not replace.
    """

    format: str
    """The format of the text."""
    box: tuple[int, int]
    """Rows and columns of a box."""
    grids: list[str]
    """The boards, `.` for a blank."""
    bad: list[BadLine]
    """Lines that could not be read."""
    same: Same | None = None
    """The answer of `same`, with that option and if there are two boards to compare."""
    constraints: list[list[Constraint]] = []
    """For each board its constraints in the text; left out if there are none."""


class ExportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `export`."""

    notation: Annotated[Notation, doc("The notation or site.")] = "string"


class Exported(msgspec.Struct, frozen=True, omit_defaults=True):
    """The boards as text; `left_out` names the constraints that the notation cannot express."""

    text: str
    """The boards in that notation, ending with a newline."""
    left_out: list[str] = []
    """Constraints that the notation cannot express, by name; left out if there are none."""


class GroupOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `group`."""

    lines: Annotated[list[str], doc("One board a line.")] = []
    text: Annotated[
        str, doc("The same lines as one text, a newline between two; none if it is empty.")
    ] = ""
    before: Annotated[
        Annotated[int, msgspec.Meta(ge=0)], doc("Lines of the list before these.")
    ] = 0
    task: Annotated[Task, doc("The question about each line; annotate: a table row.")] = "group"
    by: Annotated[
        By,
        doc("`group` by this: same board, solution grid, pattern of givens, count of symmetries."),
    ] = "class"
    convention: Annotated[
        Convention, doc("The least form of a puzzle for `canon` and `annotate`.")
    ] = "straight"
    numbers: Annotated[
        bool, doc("`annotate` adds each grid's number, which takes milliseconds a grid.")
    ] = False
    joined: Annotated[bool, doc("Give `text` instead of lists, for lists of many lines.")] = False


class Grouped(msgspec.Struct):
    """One answer a line, in order; `bad` has the lines without an answer."""

    classes: list[int | None]
    """The class of each line, from 0; null for a line without a board."""
    firsts: list[int]
    """The line of each class's first member, from 0 within these lines."""
    keys: list[str]
    """Each class's key: equal keys, equal classes."""
    answers: list[str]
    """The form or solution of each line, or its row of the table (givens, symmetries, form,
    solutions, carried, grid, number, separated by commas); empty if there is none."""
    bad: list[BadLine]
    """Lines without an answer."""
    text: str = ""
    """With `joined`, a line for each line: its answer or, for `group`, its class's key; the lists
    but `bad` are empty then."""


# -- near duplicates -------------------------------------------------------------------------------


class DuplicatesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `duplicates`."""

    lines: Annotated[list[str], doc("One board a line.")] = []
    before: Annotated[
        Annotated[int, msgspec.Meta(ge=0)], doc("Lines of the list before these.")
    ] = 0
    most: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=81)],
        doc("So many cells may differ; above 2 only puzzles of one solution grid are compared."),
    ] = 2
    limit: Annotated[
        Annotated[int, msgspec.Meta(ge=0)], doc("So many pairs and clusters are listed.")
    ] = 200


class NearPair(msgspec.Struct, frozen=True):
    """Two boards of a list that are equivalent but for a few cells.

    `witness` takes the first board to where it differs from the second in `edits` cells, and in no
    other. `only_first + only_second + changed == edits`.
    """

    first: int
    """The line of the earlier board, from 0."""
    second: int
    """The line of the later one, from 0."""
    edits: int
    """Cells that differ: 0 for equivalent boards."""
    only_first: int
    """Givens that the first has and the second has not."""
    only_second: int
    """Givens that the second has and the first has not."""
    changed: int
    """Cells that hold another symbol."""
    witness: Transform
    """Takes the first board to where they differ least."""
    differs: list[int]
    """Cells that differ after the witness, from 0, row by row."""
    text: str
    """How the second board differs from the first."""


class Cluster(msgspec.Struct, frozen=True):
    """A connected component of the graph of near pairs."""

    size: int
    """How many lines it has."""
    lines: list[int]
    """Its lines, ascending, from 0; the first 200 of them."""


class Duplicates(msgspec.Struct, frozen=True):
    """The boards of a list that are equivalent but for a few cells.

    Up to `certain` differing cells every pair with a legal board is found; pairs with more cells
    are those of puzzles with one solution grid, compared over all its automorphisms. Of equivalent
    boards only the first is compared with others.
    """

    boards: int
    """Boards that were read."""
    same: int
    """Boards that are equivalent to an earlier one."""
    total: int
    """All pairs, each board that is equivalent to an earlier one counted as one."""
    pairs: list[NearPair]
    """The pairs by their lines, at most `limit`."""
    groups: int
    """All clusters."""
    clusters: list[Cluster]
    """Clusters by their first line, at most `limit`."""
    certain: int
    """The differing cells up to which all pairs are found, except pairs of two illegal boards."""
    left_out: int
    """Pairs that were not compared: boards too regular, or too many puzzles of one grid."""
    bad: list[BadLine]
    """Lines that could not be read, and boards that break the rules."""


# -- pictures --------------------------------------------------------------------------------------


class PhotoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of `photo`."""

    pixels: Annotated[
        str, doc("Red, green and blue bytes row by row, or those packed by zlib, in base64.")
    ] = ""
    width: Annotated[int, doc("Pixels in a row.")] = 0
    height: Annotated[int, doc("Rows of pixels.")] = 0
    size: Annotated[
        Literal[0, 4, 6, 9, 12, 16], doc("Cells along a side; 0: read from the picture.")
    ] = 0
    corners: Annotated[
        list[float],
        doc("Where the board's corners are: x and y of the upper left, then clockwise."),
    ] = []


class Photo(msgspec.Struct, frozen=True):
    """The board in a picture, and the cells that should be checked.

    Places are in pixels of the picture, a pixel's centre at whole numbers. `chances` are the
    smaller of two: that the cell was recognised correctly, and its posterior given the rules.
    """

    grid: str
    """The board, upright, `.` for a blank."""
    box: tuple[int, int]
    """Rows and columns of a box."""
    doubtful: list[int]
    """Cells that should be checked: a chance under 0.9, or all if the lattice is doubtful."""
    repaired: list[int]
    """Cells whose likeliest symbol was replaced because of the rules."""
    unique: bool
    """Whether the board has exactly one solution."""
    solutions: Literal["0", "1", ">=2", "unknown"]
    """The number of solutions of the board."""
    seen: str
    """The likeliest symbol of every cell, regardless of the rules."""
    chances: list[float]
    """The chance of every cell's symbol, to four decimals."""
    likely: list[str]
    """For every cell its three likeliest symbols, the likeliest first, `.` for a blank."""
    own: list[int]
    """Cells whose symbols have a second, more colourful ink: perhaps not givens."""
    lattice: float
    """The strength of the board's lines, 0 to 1; under 0.5 is weak."""
    lattice_doubtful: bool
    """Whether the whole board should be checked: weak lines, or not one solution."""
    corners: list[tuple[float, float]]
    """The corners of the upright board: upper left, then clockwise."""
    points: list[tuple[float, float]]
    """The crossings of the lattice's lines, row by row, one more than cells along each side."""
    turn: int
    """The quarter turns against the clock after which the board is upright."""
