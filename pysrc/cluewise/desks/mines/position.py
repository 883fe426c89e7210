"""The frozen position of a mine board: its graph, its counts, the open and the flagged cells.

A position that also has `mines` is a *puzzle*. Cells are 0-based; `neighbours[c]` is the list that
the number of cell c counts, which need not be symmetric.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

import msgspec

from cluewise.core.desk import NotebookDisplay
from cluewise.core.results import pluralize
from cluewise.desks.mines.arrangement import Form, Spot, check_arrangements
from cluewise.desks.mines.player_marks import Notes, check_cells, check_count, check_notes
from cluewise.desks.mines.rating import Rated
from cluewise.errors import BadPosition, TooLarge

CELLS = 1000
GROUPS = 500
WIDEST = 100_000  # units of `pos` a step

Number: TypeAlias = "int | float"
Point: TypeAlias = tuple[Number, Number]


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly `count` mines among `cells`, revealed or not: a row, a column, a colour, any set."""

    cells: tuple[int, ...]
    """The cells that are counted, open ones included."""
    count: int
    """How many of them are mines."""
    kind: str = "set"
    """What people call it: row, column, line, line-q, line-r, line-s, colour, rest
    (the tiles without a colour, which a .puz file counts without saying so), total or set.
    """
    colour: str | None = None
    """One of the nine colours of the .puz format, in capitals; null for none."""
    dark: bool = False
    """Whether the colour is its dark shade; dark GREY is black."""
    label: tuple[Number, Number, Number] | None = None
    """Where the count is written: x, y in units of `pos`, and degrees clockwise; null where the
    page chooses.
    """
    text_size: Number = 1
    """How large a .puz file writes it; 1 is usual."""
    bent: bool = False
    """Whether the line bends, as in a .puz file."""
    form: Form | None = None
    """Whether its mines are one block in the order of the cells, or not; null: unknown."""


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open cell; `number` is null for a `?`, which is only known to be safe."""

    cell: int
    """Which cell is open."""
    number: int | None
    """The mines among its neighbours; null for a `?`."""


class Rectangle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The short form of a rectangle: cells row by row, eight neighbours, counts at the edges.

    A count that is not given on the board is null. `torus` joins opposite edges. The groups are
    numbered rows first, then columns, then the total, then the position's own `groups`.
    """

    kind: Literal["square", "torus"]
    """`torus` joins opposite edges."""
    width: Annotated[int, msgspec.Meta(ge=1)]
    """Cells across."""
    height: Annotated[int, msgspec.Meta(ge=1)]
    """Cells down."""
    rows: tuple[int | None, ...] | None = None
    """Mines in each row, from the top; null where none is written."""
    columns: tuple[int | None, ...] | None = None
    """Mines in each column, from the left; null where none is written."""
    total: int | None = None
    """Mines on the whole board; null where it is not reported."""


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a .puz file draws a tile's lit edges and border art; the texts of its tags."""

    highlights: str | None = None
    """Consecutive corner numbers with commas; null where there is no HIGHLIGHTS."""
    start: str | None = None
    """HIGHLIGHTS_TAPER_START, whether the first lit edge fades."""
    end: str | None = None
    """HIGHLIGHTS_TAPER_END, whether the last one does."""
    x_scaling: str | None = None
    """X_SCALING of a large tile."""
    y_scaling: str | None = None
    """Y_SCALING of a large tile."""


class Puz(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The other contents of a .puz file, kept so that it can be written back."""

    id: str = ""
    """The level's ID, letters and digits."""
    node_ids: tuple[str, ...] = ()
    """The cells' IDs in the file, where they are not 0, 1, 2 …"""
    corner_flag: str | None = None
    """The text of CORNER_FLAG; null where there was none."""
    unknown: tuple[tuple[str, str], ...] = ()
    """Unknown elements, verbatim: ["PUZZLE/GRAPH/NODE[3]", "<GLOW>1</GLOW>"]."""
    scale: int = 0
    """Units of `pos` to one unit of the file; 0: the file's step is ten of its units."""
    meta: tuple[tuple[str, str], ...] | None = None
    """The tags of META with their texts, in order; null where there was no META."""
    looks: tuple[Look, ...] = ()
    """The different ways in which tiles are lit."""
    look_of: tuple[int, ...] = ()
    """Which of them each cell has; [] where all have the first."""
    text: str | None = None
    """The sentence at the bottom; null where there was no TEXT."""
    text_pos: str | None = None
    """Its place, verbatim; null where there was none."""


class Position(
    NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """A board with what is known of it; either `board` (a rectangle) or `neighbours` is given.

    `unit`: how many units of `pos` and `polygons` make one step between cells, so that hexagons
    have whole-number places too. `polygons` are relative to `pos`; `polygon_of` says which of them
    each cell has (all the first one if it is left out). `start`: the cells that were open when
    the puzzle was handed out, where `revealed` has grown since. `sealed` is mines and secret,
    obscured for links. `rating` is that by `generate`; nothing reads it.
    """

    desk: Literal["mines"] = "mines"
    """Which desk the position is for."""
    v: Literal[1] = 1
    """The version of the format."""
    title: str = ""
    """The board's name, for people."""
    board: Rectangle | None = None
    """A rectangle in short form; null where `neighbours` is given."""
    neighbours: tuple[tuple[int, ...], ...] = ()
    """For every cell the cells that its number counts; [] with a `board`."""
    pos: tuple[Point, ...] | None = None
    """Every cell's middle, x and y, y downwards, in units; null: the page lays the cells out."""
    polygons: tuple[tuple[Point, ...], ...] | None = None
    """The shapes that cells have: corners relative to the middle, in units; null: squares."""
    polygon_of: tuple[int, ...] | None = None
    """Which of the polygons every cell has; null: all have the first."""
    unit: Annotated[int, msgspec.Meta(ge=1, le=WIDEST)] = 1
    """How many units make one step between cells."""
    groups: tuple[Group, ...] = ()
    """Counted sets next to the rectangle's own."""
    revealed: tuple[Revealed, ...] = ()
    """The open cells."""
    forms: dict[str, Form] = msgspec.field(default_factory=dict)
    """By cell, the form that its number shows once it is open: `{"12": "together"}`."""
    spots: tuple[Spot, ...] = ()
    """Counts that flagged mines show; without a solution those of flagged cells alone."""
    flags: tuple[int, ...] = ()
    """Cells taken to be mines."""
    marks: tuple[int, ...] = ()
    """Cells with a dot for the player's own notes; no clue."""
    notes: Notes = Notes()
    """The player's other marks, by kind; no clue."""
    start: tuple[int, ...] | None = None
    """The cells that were open when the puzzle was handed out; null: all that are open now."""
    presses: tuple[int, ...] = ()
    """The cells that were opened, in order, mines among them; only `review` reads it."""
    mines: tuple[int, ...] | None = None
    """Where the mines are; null on a board that does not know them."""
    secret: tuple[int, ...] = ()
    """Safe cells that show `?` when they are opened."""
    sealed: str | None = None
    """Mines and secret cells, obscured for links; null where they are open or unknown."""
    puz: Puz | None = None
    """What a .puz file carried in addition to the puzzle; null for other boards."""
    rating: Rated | None = None
    """The rating by `generate`; no verb reads it."""


class Graph:
    """A board in full: neighbour lists and all groups, those of the rectangle first."""

    __slots__ = ("cells", "groups", "neighbours", "packed")

    def __init__(
        self,
        neighbours: tuple[tuple[int, ...], ...],
        groups: tuple[Group, ...],
        packed: array[int] | None = None,
    ) -> None:
        self.neighbours, self.groups = neighbours, groups
        self.cells = len(neighbours)
        self.packed = packed  # the kernel's form, kept by engine/board.py


def graph(position: Position) -> Graph:
    """Return the graph of a position; the same object for the same board."""
    if position.board is None:
        return _plain(position.neighbours, position.groups)
    return _rectangle(position.board, position.groups)


@lru_cache(maxsize=16)
def _plain(neighbours: tuple[tuple[int, ...], ...], groups: tuple[Group, ...]) -> Graph:
    return Graph(neighbours, groups)


@lru_cache(maxsize=16)
def _rectangle(board: Rectangle, more: tuple[Group, ...]) -> Graph:
    w, h = board.width, board.height
    lists = tuple(_around(x, y, w, h, board.kind == "torus") for y in range(h) for x in range(w))
    groups: list[Group] = []
    for y, count in enumerate(board.rows or ()):
        if count is not None:
            groups.append(Group(tuple(range(y * w, y * w + w)), count, "row"))
    for x, count in enumerate(board.columns or ()):
        if count is not None:
            groups.append(Group(tuple(range(x, w * h, w)), count, "column"))
    if board.total is not None:
        groups.append(Group(tuple(range(w * h)), board.total, "total"))
    return Graph(lists, (*groups, *more))


def _around(x: int, y: int, w: int, h: int, wraps: bool) -> tuple[int, ...]:
    found = set()
    for v in (y - 1, y, y + 1):
        for u in (x - 1, x, x + 1):
            if wraps:
                found.add(v % h * w + u % w)
            elif 0 <= u < w and 0 <= v < h:
                found.add(v * w + u)
    return tuple(sorted(found - {y * w + x}))


def number_of(position: Position, cell: int) -> int:
    """Return the number of mines around a cell of a puzzle."""
    return len(frozenset(position.mines or ()).intersection(graph(position).neighbours[cell]))


def clue_names(position: Position) -> list[str]:
    """Return the names of all clues, in order: `["group:0", "number:3", "flag:4"]`."""
    names = [f"group:{i}" for i in range(len(graph(position).groups))]
    numbers = sorted(r.cell for r in position.revealed if r.number is not None)
    names += [f"number:{cell}" for cell in numbers]
    return names + [f"flag:{cell}" for cell in sorted(position.flags)]


def check(position: Position) -> None:
    """Raise BadPosition at the first fault, TooLarge beyond the board's limits."""
    _check_size(position)
    if position.board is None:
        _check_neighbours(position)
    else:
        _check_rectangle(position, position.board)
    board = graph(position)
    _check_groups(position, board)
    _check_revealed(position, board)
    check_cells(position.flags, board.cells, "$.flags", "flag")
    check_notes(position.marks, position.notes, board.cells)
    check_cells(position.start or (), board.cells, "$.start", "start")
    check_cells(position.presses, board.cells, "$.presses", "press")
    _check_places(position, board.cells)
    _check_shapes(position)
    _check_flags(position)
    check_arrangements(position, board)
    if position.sealed is not None and (position.mines is not None or position.secret):
        raise BadPosition("Give the mines either openly or sealed, not both.", "$.sealed")
    if position.mines is not None or position.secret:
        _check_puzzle(position, board)


def _check_size(position: Position) -> None:
    rectangle = position.board
    cells = rectangle.width * rectangle.height if rectangle else len(position.neighbours)
    if cells > CELLS:
        where = "$.board" if rectangle else "$.neighbours"
        raise TooLarge(f"This board has {cells} cells; {CELLS} is the limit.", where)
    if len(position.groups) > GROUPS - 150:
        raise TooLarge(
            f"This board has {len(position.groups)} groups; {GROUPS - 150} is the limit.",
            "$.groups",
        )


def _check_rectangle(position: Position, board: Rectangle) -> None:
    if position.neighbours:
        raise BadPosition("Give either a board or neighbours, not both.", "$.neighbours")
    edges = (("rows", board.rows, board.height, board.width),
             ("columns", board.columns, board.width, board.height))  # fmt: skip
    for name, counts, wanted, length in edges:
        if counts is None:
            continue
        if wanted > 150:
            raise TooLarge("Counts at the edge are for boards of up to 150 lines.", "$.board")
        if len(counts) != wanted:
            raise BadPosition(
                f"The board has {wanted} {name}; counts given: {len(counts)}.",
                f"$.board.{name}",
            )
        for i, count in enumerate(counts):
            check_count(count, length, f"$.board.{name}[{i}]")
    check_count(board.total, board.width * board.height, "$.board.total")


def _check_neighbours(position: Position) -> None:
    cells = len(position.neighbours)
    for cell, listed in enumerate(position.neighbours):
        check_cells(listed, cells, f"$.neighbours[{cell}]", "neighbour")
        if cell in listed:
            where = f"$.neighbours[{cell}][{listed.index(cell)}]"
            raise BadPosition(f"Cell {cell} cannot be its own neighbour.", where)


def _check_groups(position: Position, board: Graph) -> None:
    for i, group in enumerate(position.groups):
        check_cells(group.cells, board.cells, f"$.groups[{i}].cells", "group")
        check_count(group.count, len(group.cells), f"$.groups[{i}].count")


def _check_revealed(position: Position, board: Graph) -> None:
    seen: set[int] = set()
    for i, item in enumerate(position.revealed):
        where = f"$.revealed[{i}]"
        if not 0 <= item.cell < board.cells:
            raise BadPosition(f"There is no cell {item.cell}.", f"{where}.cell")
        if item.cell in seen:
            raise BadPosition(f"Cell {item.cell} is revealed twice.", f"{where}.cell")
        seen.add(item.cell)
        around = len(board.neighbours[item.cell])
        if item.number is not None and not 0 <= item.number <= around:
            raise BadPosition(
                f"Cell {item.cell} has {pluralize(around, 'neighbour')}, "
                f"so it cannot show {item.number}.",
                f"{where}.number",
            )


def _check_flags(position: Position) -> None:
    opened = {item.cell for item in position.revealed}
    for i, cell in enumerate(position.flags):
        if cell in opened:
            raise BadPosition(f"Cell {cell} is both open and flagged.", f"$.flags[{i}]")


def _check_places(position: Position, cells: int) -> None:
    for name, listed in (("pos", position.pos), ("polygon_of", position.polygon_of)):
        if listed is not None and len(listed) != cells:
            raise BadPosition(
                f"The board has {cells} cells, but {name} has {len(listed)} entries.", f"$.{name}"
            )


def _check_shapes(position: Position) -> None:
    shapes = len(position.polygons or ())
    for i, polygon in enumerate(position.polygons or ()):
        if not 3 <= len(polygon) <= 64:
            raise BadPosition(f"A polygon cannot have {len(polygon)} corners.", f"$.polygons[{i}]")
    for i, index in enumerate(position.polygon_of or ()):
        if not 0 <= index < shapes:
            raise BadPosition(f"There is no polygon {index}.", f"$.polygon_of[{i}]")


def _check_puzzle(position: Position, board: Graph) -> None:
    check_cells(position.secret, board.cells, "$.secret", "secret")
    if position.mines is None:
        return
    check_cells(position.mines, board.cells, "$.mines", "mine")
    mines, secret = frozenset(position.mines), frozenset(position.secret)
    own = len(board.groups) - len(position.groups)
    for i, group in enumerate(board.groups):
        found = sum(cell in mines for cell in group.cells)
        if found != group.count:
            where = f"$.groups[{i - own}].count" if i >= own else "$.board"
            raise BadPosition(
                f"The puzzle has {found} mines where the {group.kind} says {group.count}.", where
            )
    for i, item in enumerate(position.revealed):
        if item.cell in mines:
            raise BadPosition(f"Cell {item.cell} is open, but a mine.", f"$.revealed[{i}].cell")
        number = None if item.cell in secret else number_of(position, item.cell)
        if item.number is not None and item.number != number:
            raise BadPosition(
                f"Cell {item.cell} shows {item.number}, but the puzzle has {number} there.",
                f"$.revealed[{i}].number",
            )
