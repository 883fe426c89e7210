"""Penpa's puzzles (`…/penpa-edit/#m=solve&p=…`): lines of text, packed by deflate, in base64.

Line 0 is the heading (`sudoku,9,9,38,0,1,1,380,380,84,84,` diagonals, title, author, rules), line 3
what is drawn (JSON whose names are shortened to `z` and a sign), line 5 which cells the board has,
each number the step from the one before. Points are numbered row by row with two more columns and
rows all round: first the middles of cells, then their lower right corners; a corner of a cell for
small numbers is 4 · (points + cell) + 0 to 3. The form is that of version 3.1 (class_p.js).

What is drawn becomes a constraint where its form or the rules in words say what it means; the
rest is named.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES, symbol_error
from cluewise.desks.sudoku.formats.constraints import (
    by_name,
    checked,
    moved_regions,
    regions_of,
    stated,
    tidied,
)
from cluewise.desks.sudoku.formats.drawings import read_drawings
from cluewise.desks.sudoku.formats.rule_sentences import Rules
from cluewise.desks.sudoku.formats.sudokupad import Puzzle, inflated
from cluewise.desks.sudoku.position import SYMBOLS
from cluewise.errors import BadNotation

THICK = 2  # a thick line
_NAMES = {
    "9": "qa", "Q": "pu_q", "A": "pu_a", "G": "grid", "M": "edit_mode", "S": "surface", "L": "line",
    "E": "lineE", "W": "wall", "C": "cage", "N": "number", "Y": "symbol", "P": "special",
    "B": "board", "R": "command_redo", "U": "command_undo", "8": "command_replay", "1": "numberS",
    "F": "freeline", "2": "freelineE", "T": "thermo", "3": "arrows", "D": "direction",
    "0": "squareframe", "5": "polygon", "4": "deletelineE", "6": "killercages",
    "7": "nobulbthermo", "_": "__a",
}  # fmt: skip
_NO_RULES = {"command_redo", "command_undo", "command_replay", "deletelineE"}
_READ = {"number", "numberS", "thermo", "arrows", "killercages", "cage", "lineE", "surface", "line",
         "symbol", "freeline", "nobulbthermo"}  # fmt: skip
_DRAWN = {
    "wall": "drawn lines", "freelineE": "drawn lines", "direction": "drawn arrows",
    "squareframe": "drawn shapes", "polygon": "drawn shapes",
}  # fmt: skip
_GIVEN = ("1", "5", "6", "10")  # a number alone in its cell, of four sizes
_ESCAPED = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "=", "%20": " "}


class _Board(NamedTuple):
    """Where the cells lie among Penpa's points."""

    size: int
    wide: int
    points: int
    cells: dict[int, int]
    """The board's cell of each middle point."""


def read_penpa(data: str) -> Puzzle:
    """The givens and constraints of what stands behind `p=`. Raises `BadNotation`."""
    try:
        packed = b64decode(data + "=" * (-len(data) % 4), validate=True)
        lines = inflated(packed, raw=True).split("\n")
        heading, drawn = lines[0].split(","), json.loads(_long(lines[3]))
        steps = json.loads(_long(lines[5]))
        board = _board(heading, [int(step) for step in steps])
        return _puzzle(heading, drawn, board)
    except (Error, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of Penpa.") from None


def _long(text: str) -> str:
    """The JSON with its names in full."""

    def full(match: re.Match[str]) -> str:
        sign = match[1]
        return "null" if sign == "O" else "z" if sign == "Z" else f'"{_NAMES[sign]}"'

    return re.sub(rf"z([OZ{''.join(_NAMES)}])", full, text)


def _board(heading: list[str], steps: list[int]) -> _Board:
    """Raises `BadNotation` where the cells are no square of a known size."""
    if heading[0] not in ("square", "sudoku"):
        raise BadNotation(f"This Penpa link holds a board of another kind ({heading[0][:20]}).")
    wide, high = int(heading[1]) + 4, int(heading[2]) + 4
    middles = sorted(set(accumulate(steps)))
    size = round(len(middles) ** 0.5)
    if size * size not in SIDES or len(middles) != size * size:
        raise BadNotation(f"This Penpa link's board has {len(middles)} cells: no sudoku.")
    first = middles[0]
    square = [first + row * wide + col for row in range(size) for col in range(size)]
    if middles != square:
        raise BadNotation("This Penpa link's cells are no square: no sudoku.")
    return _Board(size, wide, wide * high, {point: i for i, point in enumerate(square)})


def _puzzle(heading: list[str], drawn: dict[str, Any], board: _Board) -> Puzzle:
    words = heading[18] if len(heading) > 18 else ""
    for code, sign in _ESCAPED.items():
        words = words.replace(code, sign)
    rules = stated([words])
    symbols, found, texts = _givens(drawn.get("number") or {}, board)
    marks = heading[11:15]
    found += [Constraint("diagonal")] if marks[:1] == ["1"] else []
    found += [Constraint("antidiagonal")] if marks[3:] == ["1"] else []
    found += _borders(drawn.get("lineE") or {}, board, heading[0])
    sums, small = _sums(drawn.get("numberS") or {}, board)
    for kind, name in (("thermo", "thermometer"), ("arrows", "arrow")):
        found += [_line(name, points, board) for points in drawn.get(kind) or [] if points]
    caged: set[int] = set()
    for points in drawn.get("killercages") or []:
        cells = _cells(points, board)
        caged |= set(cells)
        total = next((sums.pop(c) for c in cells if c in sums), None)
        whole = len(cells) == len(set(cells)) and 1 <= len(cells) <= board.size
        if points:
            found.append(Constraint("killer", cells, total) if whole else by_name("drawn cages"))
    found += [by_name("small numbers")] if small or sums else []
    around = {(int(p) // 4) - board.points for key in drawn.get("cage") or {}
              for p in str(key).split(",") if p.isdecimal()}  # fmt: skip
    found += [by_name("drawn cages")] if not {board.cells.get(p) for p in around} <= caged else []
    for key, value in drawn.items():
        if value and key not in _NO_RULES | _READ:
            found.append(by_name(_DRAWN.get(key, f"“{key}”")))
    found += _drawings(drawn, board, texts, rules, found)
    in_words = [by_name("rules written in words")] if rules and rules.unknown else []
    return Puzzle("".join(symbols), tidied([*found, *in_words]))


def _drawings(
    drawn: dict[str, Any],
    board: _Board,
    texts: dict[str, str],
    rules: Rules | None,
    found: list[Constraint],
) -> list[Constraint]:
    """What lines, symbols, coloured cells and words outside cells mean; the rest by name."""
    place = _place_of(min(board.cells), board.wide, board.points)
    marks, whole = _symbols(drawn.get("symbol"), place)
    names = [] if whole else ["drawn shapes"]
    if rules is None:
        names += ["coloured cells"] if drawn.get("surface") else []
        if any(text.upper() not in ("X", "V") for text in texts.values()):
            names.append("numbers outside the board or on lines")
        texts = {point: text for point, text in texts.items() if text.upper() in ("X", "V")}
    else:
        marks += _surfaces(drawn.get("surface"), place)
    marks += _drawn_words(texts, place)
    lines = list(_drawn_lines(drawn, place))
    regions = regions_of(found, board.size)
    read = read_drawings({"lines": lines, "overlays": marks}, board.size, rules, regions)
    return [*checked(read, board.size), *map(by_name, names)]


def _givens(
    numbers: dict[str, Any], board: _Board
) -> tuple[list[str], list[Constraint], dict[str, str]]:
    """The board's symbols, numbers that are no givens by name, and those outside of cells."""
    symbols, found, outside = ["."] * board.size**2, [], {}
    for point, number in numbers.items():
        cell = board.cells.get(int(point)) if point.isdecimal() else None
        text, kind = (str(number[0]).strip(), str(number[2])) if len(number) > 2 else ("?", "")
        if not text:
            continue
        if cell is None:
            outside[point] = text
        elif kind == "7":
            found.append(by_name("pencil marks"))
        elif kind not in _GIVEN or not text.isdecimal():
            found.append(by_name("words in cells"))
        elif not 1 <= int(text[:4]) <= board.size:
            raise symbol_error(text[:9], cell, board.size)
        else:
            symbols[cell] = SYMBOLS[int(text) - 1]
    return symbols, found, outside


def _sums(numbers: dict[str, Any], board: _Board) -> tuple[dict[int, int], bool]:
    """The numbers in upper left corners by cell, and whether there are others."""
    sums, others = {}, False
    for point, number in numbers.items():
        text = str(number[0]).strip() if number else ""
        place, corner = divmod(int(point), 4) if point.isdecimal() else (0, 1)
        cell = board.cells.get(place - board.points)
        if cell is not None and corner == 0 and text.isdecimal() and len(text) < 5:
            sums[cell] = int(text)
        else:
            others |= bool(text)
    return sums, others


def _cells(points: Any, board: _Board) -> tuple[int, ...]:
    """The cells of points; empty if one of them is none."""
    cells = [board.cells.get(p) if isinstance(p, int) else None for p in points]
    return () if None in cells else tuple(c for c in cells if c is not None)


def _line(kind: Any, points: Any, board: _Board) -> Constraint:
    cells = _cells(points, board)
    most = board.size if kind == "thermometer" else board.size**2
    if not 2 <= len(cells) <= most or len(set(cells)) < len(cells):
        return by_name({"thermometer": "thermometers", "arrow": "arrows"}[kind])
    return Constraint(kind, cells)


def _borders(edges: dict[str, Any], board: _Board, grid: str) -> list[Constraint]:
    """The regions that thick lines part; a board without any has no boxes, which is said."""
    thick = {key for key, style in edges.items() if style == THICK}
    size, group = board.size, list(range(board.size**2))

    def root(cell: int) -> int:
        while group[cell] != cell:
            cell = group[cell]
        return cell

    for point, cell in board.cells.items():
        corner = board.points + point
        right, below = f"{corner - board.wide},{corner}", f"{corner - 1},{corner}"
        if cell % size < size - 1 and right not in thick:
            group[root(cell + 1)] = root(cell)
        if cell < size * (size - 1) and below not in thick:
            group[root(cell + size)] = root(cell)
    roots = [root(cell) for cell in range(size * size)]
    if len(set(roots)) == 1 and grid == "square":
        return [by_name("no boxes are drawn")]
    return moved_regions(roots, size)


# -- drawings under SudokuPad's keys, so that one reader says what drawings mean -------------------

# Points are numbered in layers of the whole sheet: the middles of cells, their lower right corners,
# the middles of their lower sides, the middles of their right sides.
_Place: TypeAlias = Callable[[Any], list[float] | None]

# Half widths of Penpa's symbols, and their colours by number.
_SIZES = {"circle_L": 0.43, "circle_M": 0.35, "circle_S": 0.22, "circle_SS": 0.13,
          "square_LL": 0.5, "square_L": 0.4, "square_M": 0.35, "square_S": 0.22,
          "square_SS": 0.13}  # fmt: skip
_FILLS = {1: "#ffffff", 2: "#000000", 3: "#cfcfcf", 5: "#cfcfcf", 6: "#ffffff", 7: "#ffffff",
          8: "#ffffff", 9: "#cfcfcf", 10: "#ffffff"}  # fmt: skip
_LINES = {3: "#208020", 5: "#999999", 6: "#999999", 8: "#ff0000", 9: "#187bcd"}
_SURFACES = {1: "#444444", 2: "#b3ffb3", 3: "#cfcfcf", 4: "#000000", 5: "#c0e0ff", 6: "#ffa3a3",
             7: "#ffffa3", 8: "#999999", 9: "#ffb3ff", 10: "#ffcc80", 11: "#cc99ff",
             12: "#eecab1", 13: "#ff6700"}  # fmt: skip


def _place_of(first: int, wide: int, points: int) -> _Place:
    """Row and column of a point, counted in cells from the corner of the board's first cell."""
    shifts = [(0.5, 0.5), (1.0, 1.0), (1.0, 0.5), (0.5, 1.0)]

    def place(point: Any) -> list[float] | None:
        number = int(point) if str(point).isdecimal() else -1
        layer, at = divmod(number, points)
        if not 0 <= layer < len(shifts):
            return None
        down, right = shifts[layer]
        return [at // wide - first // wide + down, at % wide - first % wide + right]

    return place


def _symbols(drawn: Any, place: _Place) -> tuple[list[dict[str, Any]], bool]:
    """Circles and squares, and whether all symbols are such."""
    found, whole = [], True
    for point, symbol in (drawn or {}).items():
        center = place(point)
        number, name = symbol[:2] if isinstance(symbol, list) and len(symbol) > 1 else (0, "")
        if center is None or name not in _SIZES or number not in _FILLS:
            whole = False
            continue
        found.append({
            "center": center, "width": 2 * _SIZES[name], "height": 2 * _SIZES[name],
            "rounded": name.startswith("circle"), "backgroundColor": _FILLS[number],
        })  # fmt: skip
    return found, whole


def _drawn_words(texts: dict[str, str], place: _Place) -> list[dict[str, Any]]:
    """Numbers and words outside the board or between cells."""
    return [{"center": place(point), "text": text} for point, text in texts.items()]


def _surfaces(drawn: Any, place: _Place) -> list[dict[str, Any]]:
    """Coloured cells."""
    return [{"center": place(point), "width": 1, "height": 1, "rounded": False,
             "backgroundColor": _SURFACES.get(style, "#cfcfcf")}
            for point, style in (drawn or {}).items()]  # fmt: skip


def _drawn_lines(drawn: dict[str, Any], place: _Place) -> Iterator[dict[str, Any]]:
    """Lines of segments that meet, cut where more than two meet, and lines drawn in one go."""
    for key in ("line", "freeline"):
        by_style: dict[Any, list[list[str]]] = {}
        for name, style in (drawn.get(key) or {}).items():
            by_style.setdefault(style, []).append(str(name).split(","))
        for style, pairs in by_style.items():
            for path in _paths(pairs):
                yield {"wayPoints": [place(p) for p in path], "color": _LINES.get(style, "#000000")}
    for path in drawn.get("nobulbthermo") or []:
        if path:
            yield {"wayPoints": [place(p) for p in path], "color": "#cfcfcf"}


def _paths(pairs: list[list[str]]) -> Iterator[list[str]]:
    """Paths that have each segment once."""
    near: dict[str, list[str]] = {}
    for pair in pairs:
        if len(pair) == 2:
            near.setdefault(pair[0], []).append(pair[1])
            near.setdefault(pair[1], []).append(pair[0])
    starts = sorted(near, key=lambda point: len(near[point]) == 2)
    for start in starts:
        while near[start]:
            path = [start]
            while near[path[-1]] and (len(path) == 1 or len(near[path[-1]]) == 1):
                point = near[path[-1]].pop()
                near[point].remove(path[-1])
                path.append(point)
                if point in starts[: starts.index(start)] or point == start:
                    break
            yield path
