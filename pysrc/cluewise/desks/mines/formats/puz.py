"""The .puz level format, in and out: XML-like, order free, unknown tags kept.

No count is stored in a file: every count follows from the mines. A total over all cells is
always part of the puzzle. Places may be fractions; they become whole numbers of `unit`s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cluewise.desks.mines.position import (
    CELLS,
    GROUPS,
    WIDEST,
    Group,
    Number,
    Point,
    Position,
    Puz,
    Revealed,
    check,
    graph,
)
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.words import smallest_gap
from cluewise.errors import BadInput, BadNotation, CluewiseError, TooLarge

COLOURS = ("RED", "ORANGE", "YELLOW", "GREEN", "BLUE", "INDIGO", "VIOLET", "PINK", "GREY")
LIMIT = 4 << 20  # characters
# One pass: after a name comes something else, and a comment without an end takes all that follows.
_TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z_][\w.-]*)(?P<rest>(?:[^\w.<>-][^<>]*)?)>"
    r"|<!--.*?(?:-->|\Z)|<[?!][^<>]*>",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE]-?\d+)?|-?\.\d+")
_PLACE = re.compile(rf"(?:{_NUMBER.pattern})(?:\s*,|\s)\s*(?:{_NUMBER.pattern})")
_NODE_TAGS = {"ID", "EDGES", "POS", "POLY", "POINTS", "REVEALED", "HAS_MINE", "SECRET"}
_HINT_TAGS = {"IDS", "TEXT_LOCATION", "TEXT_ROTATION", "COLOR", "IS_DARK"}
_TOP_TAGS = {"ID", "TITLE", "GRAPH", "COLUMN_HINT_LIST", "HINT_LIST", "CORNER_FLAG"}


@dataclass(slots=True)
class Element:
    """A tag with its children, its own text, and where it stands in the file."""

    name: str
    line: int
    begin: int
    inner: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, its children's left out."""
        return _plain("".join(self.parts))

    def child(self, name: str) -> Element | None:
        """The first child of that name."""
        return next((c for c in self.children if c.name == name), None)

    def value(self, name: str, usual: str = "") -> str:
        """The text of a child, stripped."""
        found = self.child(name)
        return found.text.strip() if found else usual


def parse(text: str) -> Element:
    """The PUZZLE element of a file; BadNotation names the line where it breaks off."""
    if len(text) > LIMIT:
        raise TooLarge(f"This file is longer than {LIMIT >> 20} million characters.", "line 1")
    root = Element("", 1, 0)
    stack = [root]
    at, line = 0, 1
    for match in _TAG.finditer(text):
        stack[-1].parts.append(text[at : match.start()])
        line += text.count("\n", at, match.start())
        begun, at = line, match.end()
        line += match[0].count("\n")
        if match["name"] is None:
            continue
        name = match["name"].upper()
        if not match["slash"]:
            element = Element(name, begun, match.start(), match.end(), match.end())
            stack[-1].children.append(element)
            if not match["rest"].rstrip().endswith("/"):
                stack.append(element)
        elif len(stack) == 1 or stack[-1].name != name:
            open_tag = stack[-1].name
            what = f"<{open_tag}> is still open" if open_tag else "nothing is open"
            raise BadNotation(f"</{name}> ends here, but {what}.", f"line {begun}")
        else:
            stack.pop().end = match.end()
    if len(stack) > 1:
        raise BadNotation(f"<{stack[-1].name}> is never closed.", f"line {stack[-1].line}")
    puzzle = root.child("PUZZLE")
    if puzzle is None:
        raise BadNotation("This is no .puz file: it has no <PUZZLE>.", "line 1")
    return puzzle


def _plain(text: str) -> str:
    for name, char in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'"), ("amp", "&")):
        text = text.replace(f"&{name};", char)
    return text


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _truth(element: Element, name: str) -> bool:
    """Whether a tag says so; a tag that is missing or empty says no."""
    found = element.child(name)
    value = found.text.strip().lower() if found else ""
    if found and value not in ("", "true", "false"):
        raise BadNotation(f"<{name}> is true or false, not {found.text.strip()!r}.",
                          f"line {found.line}")  # fmt: skip
    return value == "true"


def _numbers(element: Element | None) -> list[str]:
    return _NUMBER.findall(element.text) if element else []


def read_puz(text: str) -> Position:
    """The puzzle in a .puz file, counts worked out and start cells open.

    Raises BadNotation with the line of what cannot be, such as a hint that names a missing cell.
    """
    puzzle = parse(text)
    nodes = [n for g in puzzle.children if g.name == "GRAPH" for n in g.children
             if n.name == "NODE"]  # fmt: skip
    if not nodes:
        raise BadNotation("The puzzle has no <NODE> in its <GRAPH>.", f"line {puzzle.line}")
    if len(nodes) > CELLS:
        raise TooLarge(f"This board has {len(nodes)} cells; {CELLS} is the limit.",
                       f"line {nodes[CELLS].line}")  # fmt: skip
    ids = _node_ids(nodes)
    mines = tuple(i for i, n in enumerate(nodes) if _truth(n, "HAS_MINE"))
    sets = list(_hints(puzzle, ids))
    if len(sets) > GROUPS - 151:
        raise TooLarge(f"This board has {len(sets)} hints; {GROUPS - 151} is the limit.", "line 1")
    position = _assemble(puzzle, nodes, ids, mines, sets, _scale(nodes, puzzle), text)
    try:
        check(position)
    except CluewiseError as problem:
        raise BadNotation(problem.message, f"line {puzzle.line}") from None
    return position


def _node_ids(nodes: list[Element]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for i, node in enumerate(nodes):
        name = node.value("ID", str(i))
        if name in ids:
            raise BadNotation(f"Two cells have the ID {name}.", f"line {node.line}")
        ids[name] = i
    return ids


def _listed(element: Element, tag: str, ids: dict[str, int], what: str) -> tuple[int, ...]:
    found = element.child(tag)
    names = re.split(r"[,\s]+", found.text.strip()) if found and found.text.strip() else []
    cells: list[int] = []
    for name in names:
        if not name:
            continue
        if name not in ids:
            line = found.line if found else element.line
            raise BadNotation(f"This {what} names a cell {name} that is not there.", f"line {line}")
        if ids[name] not in cells:
            cells.append(ids[name])
    return tuple(cells)


def _hints(puzzle: Element, ids: dict[str, int]) -> Iterator[tuple[Element, str, tuple[int, ...]]]:
    for top in puzzle.children:
        if top.name not in ("COLUMN_HINT_LIST", "HINT_LIST"):
            continue
        for hint in top.children:
            if hint.name in ("COLUMN_HINT", "HINT"):
                kind = "column" if hint.name == "COLUMN_HINT" else "colour"
                yield hint, kind, _listed(hint, "IDS", ids, "hint")


def _scale(nodes: list[Element], puzzle: Element) -> int:
    """1, or the power of ten that makes every place whole."""
    most = 0
    elements = [n.child("POS") for n in nodes] + [_points(n) for n in nodes]
    for top in puzzle.children:
        if top.name == "COLUMN_HINT_LIST":
            elements += [h.child("TEXT_LOCATION") for h in top.children]
    for element in elements:
        for number in _numbers(element):
            most = max(most, 4 if "e" in number.lower() else len(number.partition(".")[2]))
    return int(10 ** min(most, 4))


def _points(node: Element) -> Element | None:
    poly = node.child("POLY")
    inner = poly.child("POINTS") if poly else None
    return inner or node.child("POINTS") or poly


def _pairs(element: Element | None, unit: int) -> tuple[Point, ...]:
    values = [round(float(n) * unit) for n in _numbers(element)]
    return tuple(zip(values[::2], values[1::2], strict=False))


def _pos(node: Element, otherwise: Point, unit: int) -> Point:
    """Where a cell lies; a cell without a place has the other one."""
    element = node.child("POS")
    if element is None or not element.text.strip():
        return otherwise
    if not _PLACE.fullmatch(element.text.strip()):
        raise BadNotation(f"<POS> is two numbers such as 1,0, not {element.text.strip()[:40]!r}.",
                          f"line {element.line}")  # fmt: skip
    return _pairs(element, unit)[0]


def _assemble(
    puzzle: Element, nodes: list[Element], ids: dict[str, int], mines: tuple[int, ...],
    sets: list[tuple[Element, str, tuple[int, ...]]], scale: int, text: str,
) -> Position:  # fmt: skip
    neighbours = tuple(
        tuple(c for c in _listed(n, "EDGES", ids, "edge") if c != i) for i, n in enumerate(nodes)
    )
    mined = frozenset(mines)
    pos = tuple(_pos(n, (i * scale, 0), scale) for i, n in enumerate(nodes))
    groups = [_group(hint, _kind(kind, cells, pos), cells, mined, scale)
              for hint, kind, cells in sets]  # fmt: skip
    groups.append(Group(tuple(range(len(nodes))), len(mines), "total"))
    secret = tuple(i for i, n in enumerate(nodes) if _truth(n, "SECRET") and i not in mined)
    opened = [i for i, n in enumerate(nodes) if _truth(n, "REVEALED") and i not in mined]
    shapes = [_pairs(_points(n), scale) for n in nodes]
    kinds = list(dict.fromkeys(s for s in shapes if len(s) >= 3))
    whole = bool(kinds) and all(len(s) >= 3 for s in shapes)
    return Position(
        title=puzzle.value("TITLE"),
        neighbours=neighbours,
        pos=pos,
        polygons=tuple(kinds) if whole else None,
        polygon_of=tuple(kinds.index(s) for s in shapes) if whole and len(kinds) > 1 else None,
        unit=_unit(pos, shapes, neighbours, scale),
        groups=tuple(groups),
        revealed=tuple(
            Revealed(i, None if i in secret else sum(n in mined for n in neighbours[i]))
            for i in opened
        ),
        mines=mines,
        secret=secret,
        puz=_extras(puzzle, nodes, ids, text, scale),
    )


def _kind(kind: str, cells: tuple[int, ...], pos: tuple[Point, ...]) -> str:
    """The file calls every line a column: it is a row where its cells lie level."""
    if kind == "colour" or not cells:
        return kind
    across, down = ({pos[c][axis] for c in cells} for axis in (0, 1))
    return "column" if len(across) == 1 else "row" if len(down) == 1 else "line"


def _unit(
    pos: Sequence[Point], shapes: Sequence[tuple[Point, ...]],
    neighbours: Sequence[Sequence[int]], scale: int,
) -> int:  # fmt: skip
    """How far neighbouring cells are apart: files say it by their places alone.

    The gap between columns or rows where it is about as wide as a cell, else that width: the side
    of a square as large as the middle cell by size, or the usual way to the nearest neighbour.
    """
    sizes = [math.sqrt(_area(s)) for s in shapes if len(s) >= 3] or [
        min(math.dist(pos[c], pos[n]) for n in near) for c, near in enumerate(neighbours) if near
    ]
    gap = smallest_gap(pos) or scale
    wide = sorted(sizes)[len(sizes) // 2] if sizes else gap
    return min(max(1, round(gap if abs(gap - wide) < 0.3 * gap else wide)), WIDEST)


def _area(shape: tuple[Point, ...]) -> float:
    turned = zip(shape, (*shape[1:], shape[0]), strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in turned)) / 2


def _group(
    hint: Element, kind: str, cells: tuple[int, ...], mined: frozenset[int], unit: int
) -> Group:
    place = _pairs(hint.child("TEXT_LOCATION"), unit)
    turn = _numbers(hint.child("TEXT_ROTATION"))
    angle: Number = float(turn[0]) if turn else 0
    colour = hint.value("COLOR").upper() or None
    if colour is not None and colour not in COLOURS:
        raise BadNotation(f"There is no hint colour {colour}.", f"line {hint.line}")
    return Group(
        cells,
        sum(c in mined for c in cells),
        kind,
        colour,
        _truth(hint, "IS_DARK"),
        (*place[0], int(angle) if angle == int(angle) else angle) if place else None,
    )


def _extras(
    puzzle: Element, nodes: list[Element], ids: dict[str, int], text: str, scale: int
) -> Puz:
    unknown: list[tuple[str, str]] = []

    def keep(parent: Element, known: set[str], path: str) -> None:
        unknown.extend(
            (path, text[c.begin : c.end]) for c in parent.children if c.name not in known
        )

    keep(puzzle, _TOP_TAGS, "PUZZLE")
    for top in puzzle.children:
        if top.name == "GRAPH":
            keep(top, {"NODE"}, "PUZZLE/GRAPH")
        elif top.name in ("COLUMN_HINT_LIST", "HINT_LIST"):
            name = "COLUMN_HINT" if top.name == "COLUMN_HINT_LIST" else "HINT"
            keep(top, {name}, f"PUZZLE/{top.name}")
            for i, hint in enumerate(h for h in top.children if h.name == name):
                keep(hint, _HINT_TAGS, f"PUZZLE/{top.name}/{name}[{i}]")
    for i, node in enumerate(nodes):
        keep(node, _NODE_TAGS, f"PUZZLE/GRAPH/NODE[{i}]")
    plain = list(ids) == [str(i) for i in range(len(ids))]
    corner = puzzle.child("CORNER_FLAG")
    return Puz(
        id=puzzle.value("ID"),
        node_ids=() if plain else tuple(ids),
        corner_flag=corner.text.strip() if corner else None,
        unknown=tuple(unknown),
        scale=scale,
    )


# ---------------------------------------------------------------- writing


def write_puz(position: Position) -> str:
    """The puzzle as a .puz file; reading it back gives the same puzzle.

    Raises BadInput for a position that does not know its mines.
    """
    puzzle = with_mines(position)
    if puzzle.mines is None:
        raise BadInput("Only a puzzle can be written as .puz: this board does not know its mines.")
    kept = puzzle.puz or Puz()
    board = graph(puzzle)
    ids = kept.node_ids or tuple(str(i) for i in range(board.cells))
    lines = ["<PUZZLE>"]
    lines += _tag(1, "ID", kept.id) + _tag(1, "TITLE", puzzle.title)
    lines += _kept(kept, "PUZZLE", 1)
    lines.append("  <GRAPH>")
    lines += _kept(kept, "PUZZLE/GRAPH", 2)
    for cell in range(board.cells):
        lines += _node(puzzle, kept, ids, cell)
    lines.append("  </GRAPH>")
    for top, name, kinds in (("COLUMN_HINT_LIST", "COLUMN_HINT", False),
                             ("HINT_LIST", "HINT", True)):  # fmt: skip
        groups = [g for g in board.groups if g.kind != "total" and (g.kind == "colour") is kinds]
        lines += _hint_list(puzzle, kept, ids, groups, (top, name))
    if kept.corner_flag is not None:
        lines += _tag(1, "CORNER_FLAG", kept.corner_flag, always=True)
    return "\n".join([*lines, "</PUZZLE>", ""])


def _tag(depth: int, name: str, text: str, *, always: bool = False) -> list[str]:
    return [f"{'  ' * depth}<{name}>{_escaped(text)}</{name}>"] if text or always else []


def _kept(kept: Puz, path: str, depth: int) -> list[str]:
    return ["  " * depth + raw for where, raw in kept.unknown if where == path]


def _measure(value: Number, unit: int) -> str:
    return f"{value / unit:.10g}" if value % unit else str(int(value // unit))


def _scaled(puzzle: Position) -> int:
    """Units of the position to one of the file."""
    return puzzle.puz.scale if puzzle.puz and puzzle.puz.scale else puzzle.unit


def _place(points: tuple[Point, ...], unit: int) -> str:
    return " ".join(f"{_measure(x, unit)},{_measure(y, unit)}" for x, y in points)


def _node(puzzle: Position, kept: Puz, ids: tuple[str, ...], cell: int) -> list[str]:
    board = graph(puzzle)
    start = puzzle.start if puzzle.start is not None else [r.cell for r in puzzle.revealed]
    edges = ",".join(ids[n] for n in board.neighbours[cell])
    lines = ["    <NODE>", *_tag(3, "ID", ids[cell]), *_tag(3, "EDGES", edges, always=True)]
    if puzzle.pos is not None:
        lines += _tag(3, "POS", _place((puzzle.pos[cell],), _scaled(puzzle)))
    elif puzzle.board is not None:
        y, x = divmod(cell, puzzle.board.width)
        lines += _tag(3, "POS", f"{x},{y}")
    if puzzle.polygons:
        shape = puzzle.polygons[puzzle.polygon_of[cell] if puzzle.polygon_of else 0]
        lines.append(f"      <POLY><POINTS>{_place(shape, _scaled(puzzle))}</POINTS></POLY>")
    for name, holds in (("REVEALED", cell in start), ("HAS_MINE", cell in (puzzle.mines or ())),
                        ("SECRET", cell in puzzle.secret)):  # fmt: skip
        lines += _tag(3, name, "true" if holds else "")
    return [*lines, *_kept(kept, f"PUZZLE/GRAPH/NODE[{cell}]", 3), "    </NODE>"]


def _hint_list(
    puzzle: Position, kept: Puz, ids: tuple[str, ...], groups: list[Group], names: tuple[str, str]
) -> list[str]:
    top, name = names
    path = f"PUZZLE/{top}"
    inner = _kept(kept, path, 2)
    for i, group in enumerate(groups):
        inner += [f"    <{name}>", *_tag(3, "IDS", ",".join(ids[c] for c in group.cells),
                                         always=True)]  # fmt: skip
        if group.label is not None:
            x, y, angle = group.label
            inner += _tag(3, "TEXT_LOCATION", _place(((x, y),), _scaled(puzzle)))
            inner += _tag(3, "TEXT_ROTATION", f"{angle:g}")
        inner += _tag(3, "COLOR", group.colour or "")
        inner += _tag(3, "IS_DARK", "true" if group.dark else "")
        inner += [*_kept(kept, f"{path}/{name}[{i}]", 3), f"    </{name}>"]
    return [f"  <{top}>", *inner, f"  </{top}>"] if inner else []
