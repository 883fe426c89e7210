"""Reader of the .puz level format: XML-like, in any order, unknown tags are kept.

A file stores no count: every count follows from the mines. A total over all cells is always part of
the puzzle, and with colours the tiles without one are counted too. Places may be fractions; they
become integers of `unit`s if four decimals suffice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from cluewise.desks.mines.cell_names import smallest_gap
from cluewise.desks.mines.formats.puz.xml_reader import Element, parse
from cluewise.desks.mines.position import (
    CELLS,
    GROUPS,
    WIDEST,
    Group,
    Look,
    Number,
    Point,
    Position,
    Puz,
    Revealed,
    check,
)
from cluewise.errors import BadNotation, CluewiseError, TooLarge

COLOURS = ("RED", "ORANGE", "YELLOW", "GREEN", "BLUE", "INDIGO", "VIOLET", "PINK", "GREY")
DECIMALS = 4  # of a place that is kept in whole numbers
GREATEST = 1_000_000_000  # absolute value of a number in a file
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|-?\.\d+(?:[eE][-+]?\d+)?")
_PLACE = re.compile(rf"(?:{_NUMBER.pattern})(?:\s*,|\s)\s*(?:{_NUMBER.pattern})")
NODE_TAGS = ("ID", "EDGES", "POS", "POLY", "POINTS", "REVEALED", "HAS_MINE", "SECRET",
             "X_SCALING", "Y_SCALING")  # fmt: skip
POLY_TAGS = ("POINTS", "HIGHLIGHTS", "HIGHLIGHTS_TAPER_START", "HIGHLIGHTS_TAPER_END")
LINE_TAGS = ("IDS", "TEXT_LOCATION", "TEXT_ROTATION", "TEXT_SIZE_FACTOR", "BENT")
TOP_TAGS = ("ID", "META", "TITLE", "GRAPH", "COLUMN_HINT_LIST", "HINT_LIST", "TEXT", "TEXT_POS",
            "CORNER_FLAG")  # fmt: skip
# The game opens these tiles of one level at the start, whatever its file says.
OPENED = {"2256502332117638": "0,96,33,66,3,35,99,36,37,69,6,39,9,46,26,90,60,93,30,63"}


def read_puz(text: str) -> Position:
    """Parse a .puz file: counts are computed, start cells are open.

    Raises BadNotation with the line of the fault, such as a hint that names a missing cell.
    """
    puzzle = parse(text, "PUZZLE")
    nodes = [n for g in puzzle.children if g.name == "GRAPH" for n in g.children
             if n.name == "NODE"]  # fmt: skip
    if not nodes:
        raise BadNotation("The puzzle has no <NODE> in its <GRAPH>.", f"line {puzzle.line}")
    if len(nodes) > CELLS:
        raise TooLarge(f"This board has {len(nodes)} cells; {CELLS} is the limit.",
                       f"line {nodes[CELLS].line}")  # fmt: skip
    position = _assemble(puzzle, nodes, text)
    try:
        check(position)
    except CluewiseError as problem:
        raise BadNotation(problem.message, f"line {puzzle.line}") from None
    return position


def _assemble(puzzle: Element, nodes: list[Element], text: str) -> Position:
    ids = _node_ids(nodes)
    scale = _scale(nodes, puzzle)
    mines = tuple(i for i, n in enumerate(nodes) if _truth(n, "HAS_MINE"))
    mined = frozenset(mines)
    neighbours = tuple(
        tuple(c for c in _listed(n, "EDGES", ids, "edge") if c != i) for i, n in enumerate(nodes)
    )
    pos = tuple(_pos(n, (i * scale, 0), scale) for i, n in enumerate(nodes))
    shapes = [_pairs(_points(n), scale) for n in nodes]
    kinds = list(dict.fromkeys(s for s in shapes if len(s) >= 3))
    whole = bool(kinds) and all(len(s) >= 3 for s in shapes)
    secret = tuple(i for i, n in enumerate(nodes) if _truth(n, "SECRET") and i not in mined)
    opened = {i for i, n in enumerate(nodes) if _truth(n, "REVEALED")}
    opened |= {ids[i] for i in OPENED.get(puzzle.value("ID"), "").split(",") if i in ids}
    return Position(
        title=puzzle.value("TITLE"),
        neighbours=neighbours,
        pos=pos,
        polygons=tuple(kinds) if whole else None,
        polygon_of=tuple(kinds.index(s) for s in shapes) if whole and len(kinds) > 1 else None,
        unit=_unit(pos, shapes, neighbours, scale),
        groups=_groups(puzzle, ids, mined, pos, scale),
        revealed=tuple(
            Revealed(i, None if i in secret else sum(n in mined for n in neighbours[i]))
            for i in sorted(opened - mined)
        ),
        mines=mines,
        secret=secret,
        puz=_extras(puzzle, nodes, ids, text, scale),
    )


# ---------------------------------------------------------------- values


def _truth(element: Element, name: str) -> bool:
    """Return a tag's truth value; false if it is missing or empty."""
    found = element.child(name)
    value = found.text.strip().lower() if found else ""
    if found and value not in ("", "true", "false"):
        raise BadNotation(f"<{name}> is true or false, not {found.text.strip()!r}.",
                          f"line {found.line}")  # fmt: skip
    return value == "true"


def _numbers(element: Element | None) -> list[str]:
    found = _NUMBER.findall(element.text) if element else []
    if element and any(abs(float(number)) > GREATEST for number in found):
        raise BadNotation(f"<{element.name}> has a number beyond {GREATEST:,}.",
                          f"line {element.line}")  # fmt: skip
    return found


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
    cells: dict[int, None] = {}
    for name in names:
        if not name:
            continue
        if name not in ids:
            line = found.line if found else element.line
            raise BadNotation(f"This {what} names a cell {name} that is not there.", f"line {line}")
        cells[ids[name]] = None
    return tuple(cells)


# ---------------------------------------------------------------- places


def _scale(nodes: list[Element], puzzle: Element) -> int:
    """Return the power of ten that makes all places integers; 1 if four decimals are not enough."""
    most = 0
    elements = [n.child("POS") for n in nodes] + [_points(n) for n in nodes]
    for top in puzzle.children:
        if top.name == "COLUMN_HINT_LIST":
            elements += [h.child("TEXT_LOCATION") for h in top.children]
    for element in elements:
        for number in _numbers(element):
            plain, _, power = number.lower().partition("e")
            decimals = len(plain.partition(".")[2].rstrip("0")) - int(power[:5] or 0)
            most = max(most, decimals if float(plain) else 0)
    return int(10**most) if most <= DECIMALS else 1


def _points(node: Element) -> Element | None:
    poly = node.child("POLY")
    inner = poly.child("POINTS") if poly else None
    return inner or node.child("POINTS") or poly


def _pairs(element: Element | None, scale: int) -> tuple[Point, ...]:
    values = [_measure(n, scale) for n in _numbers(element)]
    return tuple(zip(values[::2], values[1::2], strict=False))


def _measure(text: str, scale: int) -> Number:
    value = float(text)
    return round(value * scale) if scale > 1 or value.is_integer() else value


def _pos(node: Element, otherwise: Point, scale: int) -> Point:
    """Return the place of a cell, `otherwise` without one."""
    element = node.child("POS")
    if element is None or not element.text.strip():
        return otherwise
    if not _PLACE.fullmatch(element.text.strip()):
        raise BadNotation(f"<POS> is two numbers such as 1,0, not {element.text.strip()[:40]!r}.",
                          f"line {element.line}")  # fmt: skip
    return _pairs(element, scale)[0]


def _unit(
    pos: Sequence[Point], shapes: Sequence[tuple[Point, ...]],
    neighbours: Sequence[Sequence[int]], scale: int,
) -> int:  # fmt: skip
    """Return the distance of neighbouring cells, which files state only through their places.

    The gap between columns or rows if it is about as wide as a cell, else that width: the side of a
    square of the median cell's area, or the median distance to the nearest neighbour.
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


# ---------------------------------------------------------------- counted sets


def _groups(
    puzzle: Element, ids: dict[str, int], mined: frozenset[int], pos: Sequence[Point], scale: int
) -> tuple[Group, ...]:
    """Return lines and colours in file order, the tiles without a colour, and the total."""
    groups: list[Group] = []
    for hint, kind in _hints(puzzle):
        if len(groups) == GROUPS - 152:
            raise TooLarge(f"This board has more than {GROUPS - 152} hints.", f"line {hint.line}")
        cells = _listed(hint, "IDS", ids, "hint")
        count = sum(c in mined for c in cells)
        if kind == "colour":
            dark = hint.value("IS_DARK").lower() == "true"
            groups.append(Group(cells, count, kind, _colour(hint), dark))
        else:
            groups.append(_line(hint, cells, count, pos, scale))
    coloured = {c for g in groups if g.kind == "colour" for c in g.cells}
    bare = tuple(c for c in range(len(pos)) if c not in coloured)
    if coloured and bare:
        groups.append(Group(bare, sum(c in mined for c in bare), "rest", "GREY"))
    return (*groups, Group(tuple(range(len(pos))), len(mined), "total"))


def _hints(puzzle: Element) -> Iterator[tuple[Element, str]]:
    for top in puzzle.children:
        for hint in top.children:
            if (top.name, hint.name) == ("COLUMN_HINT_LIST", "COLUMN_HINT"):
                yield hint, "line"
            elif (top.name, hint.name) == ("HINT_LIST", "HINT"):
                yield hint, "colour"


def _colour(hint: Element) -> str | None:
    """Return one of the nine colours, or None: the game ignores others."""
    name = hint.value("COLOR").upper()
    return name if name in COLOURS else None


def _line(
    hint: Element, cells: tuple[int, ...], count: int, pos: Sequence[Point], scale: int
) -> Group:
    place = _pairs(hint.child("TEXT_LOCATION"), scale)
    turn, size = (_numbers(hint.child(name)) for name in ("TEXT_ROTATION", "TEXT_SIZE_FACTOR"))
    angle = _measure(turn[0], 1) if turn else 0
    return Group(
        cells,
        count,
        _kind(cells, pos),
        label=(*place[0], angle) if place else None,
        text_size=_measure(size[0], 1) if size else 1,
        bent=hint.value("BENT").lower() == "true",
    )


def _kind(cells: tuple[int, ...], pos: Sequence[Point]) -> str:
    """Return the kind of a line, which the file calls a column: a row if its cells are level."""
    if not cells:
        return "line"
    across, down = ({pos[c][axis] for c in cells} for axis in (0, 1))
    return "column" if len(across) == 1 else "row" if len(down) == 1 else "line"


# ------------------------------------------------------ what is stored in addition to the puzzle


def _extras(
    puzzle: Element, nodes: list[Element], ids: dict[str, int], text: str, scale: int
) -> Puz:
    looks = [_look(node) for node in nodes]
    kinds = list(dict.fromkeys(looks))
    plain = list(ids) == [str(i) for i in range(len(ids))]
    corner, meta = puzzle.child("CORNER_FLAG"), puzzle.child("META")
    caption, place = puzzle.child("TEXT"), puzzle.child("TEXT_POS")
    return Puz(
        id=puzzle.value("ID"),
        node_ids=() if plain else tuple(ids),
        corner_flag=corner.text.strip() if corner else None,
        unknown=tuple(_unknown(puzzle, nodes, text)),
        scale=scale,
        meta=None if meta is None else tuple(
            (c.name, c.text.strip()) for c in meta.children if not c.children
        ),
        looks=() if kinds == [Look()] else tuple(kinds),
        look_of=tuple(kinds.index(look) for look in looks) if len(kinds) > 1 else (),
        text=caption.text.strip() if caption else None,
        text_pos=place.text.strip() if place else None,
    )  # fmt: skip


def _look(node: Element) -> Look:
    poly = node.child("POLY")

    def text(of: Element | None, name: str) -> str | None:
        found = of.child(name) if of else None
        return None if found is None else found.text.strip()

    return Look(
        text(poly, "HIGHLIGHTS"),
        text(poly, "HIGHLIGHTS_TAPER_START"),
        text(poly, "HIGHLIGHTS_TAPER_END"),
        text(node, "X_SCALING"),
        text(node, "Y_SCALING"),
    )


def _unknown(puzzle: Element, nodes: list[Element], text: str) -> Iterator[tuple[str, str]]:
    """Yield unknown elements, and known ones without known content, with their paths."""

    def others(parent: Element, known: Sequence[str], path: str) -> Iterator[tuple[str, str]]:
        return ((path, text[c.begin : c.end]) for c in parent.children if c.name not in known)

    yield from others(puzzle, TOP_TAGS, "PUZZLE")
    for top in puzzle.children:
        path = f"PUZZLE/{top.name}"
        if top.name == "META":
            yield from ((path, text[c.begin : c.end]) for c in top.children if c.children)
        elif top.name == "GRAPH":
            yield from others(top, ("NODE",), path)
        elif top.name in ("COLUMN_HINT_LIST", "HINT_LIST"):
            name = top.name.removesuffix("_LIST")
            yield from others(top, (name,), path)
            for i, hint in enumerate(h for h in top.children if h.name == name):
                known = LINE_TAGS if name == "COLUMN_HINT" else _known_of(hint)
                yield from others(hint, known, f"{path}/{name}[{i}]")
    for i, node in enumerate(nodes):
        path = f"PUZZLE/GRAPH/NODE[{i}]"
        yield from others(node, NODE_TAGS, path)
        poly = node.child("POLY")
        if poly is not None:
            yield from others(poly, POLY_TAGS, f"{path}/POLY")


def _known_of(hint: Element) -> list[str]:
    """Return the tags of a colour that are understood; other shades and colours are kept raw."""
    known = ["IDS"]
    if _colour(hint) is not None:
        known.append("COLOR")
    if hint.value("IS_DARK").lower() in ("", "true", "false"):
        known.append("IS_DARK")
    return known
