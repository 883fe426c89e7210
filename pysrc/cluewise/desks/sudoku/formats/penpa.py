"""Penpa's puzzles (`…/penpa-edit/#m=solve&p=…`): lines of text, packed by deflate, in base64.

Line 0 is the heading (`sudoku,9,9,38,0,1,1,380,380,84,84,` diagonals, title, author, rules), line 3
the drawing (JSON whose names are shortened to `z` and a sign), line 5 the cells of the board, each
number the step from the one before.

Points are numbered row by row in layers of the whole sheet, which has two more rows and columns on
all sides: middles of cells, their lower right corners, the middles of their lower sides, those of
their right sides. The corners of a cell, for small numbers, are 4 · (points + cell) + 0 to 3.
Format of version 3.1 (class_p.js).

Drawings become constraints where their form or the sentences of the rules determine their kind;
the rest become `other` constraints.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.structures import DisjointSets
from cluewise.desks.sudoku.formats.characters import SIDES, symbol_error
from cluewise.desks.sudoku.formats.constraints import (
    WRITTEN_RULES,
    normalise,
    read_drawn_constraints,
    read_regions,
    read_rule_texts,
    unsupported,
)
from cluewise.desks.sudoku.formats.rule_sentences import Rules
from cluewise.desks.sudoku.formats.strings import Puzzle
from cluewise.desks.sudoku.formats.sudokupad import inflate
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
_SHIFTS = [(0.5, 0.5), (1.0, 1.0), (1.0, 0.5), (0.5, 1.0)]  # rows and columns, of each layer

# Half widths of Penpa's symbols, and colours by the number of a style.
_SIZES = {"circle_L": 0.43, "circle_M": 0.35, "circle_S": 0.22, "circle_SS": 0.13,
          "square_LL": 0.5, "square_L": 0.4, "square_M": 0.35, "square_S": 0.22,
          "square_SS": 0.13}  # fmt: skip
_FILLS = {1: "#ffffff", 2: "#000000", 3: "#cfcfcf", 5: "#cfcfcf", 6: "#ffffff", 7: "#ffffff",
          8: "#ffffff", 9: "#cfcfcf", 10: "#ffffff"}  # fmt: skip
_LINES = {3: "#208020", 5: "#999999", 6: "#999999", 8: "#ff0000", 9: "#187bcd"}
_SURFACES = {1: "#444444", 2: "#b3ffb3", 3: "#cfcfcf", 4: "#000000", 5: "#c0e0ff", 6: "#ffa3a3",
             7: "#ffffa3", 8: "#999999", 9: "#ffb3ff", 10: "#ffcc80", 11: "#cc99ff",
             12: "#eecab1", 13: "#ff6700"}  # fmt: skip


class _Board(NamedTuple):
    """Where the cells lie among Penpa's points."""

    size: int
    wide: int
    points: int
    cells: dict[int, int]
    """The board's cell of each middle point, from the first cell on."""

    def cell(self, point: Any) -> int | None:
        """The cell of a middle point; None for anything else."""
        return self.cells.get(point) if isinstance(point, int) else None

    def cells_of(self, points: Any) -> tuple[int, ...]:
        """The cells of middle points; empty if one of them is none."""
        cells = [cell for cell in map(self.cell, points) if cell is not None]
        return tuple(cells) if len(cells) == len(points) else ()

    def place(self, point: Any) -> list[float] | None:
        """Row and column of a point, counted in cells from the board's upper left corner."""
        layer, at = divmod(_point(point), self.points)
        if not 0 <= layer < len(_SHIFTS):
            return None
        (row, col), (top, left) = divmod(at, self.wide), divmod(next(iter(self.cells)), self.wide)
        down, right = _SHIFTS[layer]
        return [row - top + down, col - left + right]


def _point(text: Any) -> int:
    return int(text) if str(text).isdecimal() else -1


def read_penpa(data: str) -> Puzzle:
    """The givens and constraints of what follows `p=`. Raises `BadNotation`."""
    try:
        packed = b64decode(data + "=" * (-len(data) % 4), validate=True)
        lines = inflate(packed, raw=True).split("\n")
        heading, drawn = lines[0].split(","), json.loads(_with_full_names(lines[3]))
        steps = json.loads(_with_full_names(lines[5]))
        board = _read_board(heading, [int(step) for step in steps])
        return _read_puzzle(heading, drawn, board)
    except (Error, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of Penpa.") from None


def _with_full_names(text: str) -> str:
    def full(match: re.Match[str]) -> str:
        sign = match[1]
        return "null" if sign == "O" else "z" if sign == "Z" else f'"{_NAMES[sign]}"'

    return re.sub(rf"z([OZ{''.join(_NAMES)}])", full, text)


def _read_board(heading: list[str], steps: list[int]) -> _Board:
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


def _read_puzzle(heading: list[str], drawn: dict[str, Any], board: _Board) -> Puzzle:
    text = heading[18] if len(heading) > 18 else ""
    for code, sign in _ESCAPED.items():
        text = text.replace(code, sign)
    rules = read_rule_texts([text])
    symbols, found, texts = _read_numbers(drawn.get("number") or {}, board)
    marks = heading[11:15]
    found += [Constraint("diagonal")] if marks[:1] == ["1"] else []
    found += [Constraint("antidiagonal")] if marks[3:] == ["1"] else []
    found += _read_borders(drawn.get("lineE") or {}, board, heading[0])
    found += [_read_line("thermometer", points, board) for points in drawn.get("thermo") or []
              if points]  # fmt: skip
    found += [_read_line("arrow", points, board) for points in drawn.get("arrows") or [] if points]
    found += _read_cages(drawn, board)
    for key, value in drawn.items():
        if value and key not in _NO_RULES | _READ:
            found.append(unsupported(_DRAWN.get(key, f"“{key}”")))
    found += _read_drawings(drawn, board, texts, rules, found)
    found += [WRITTEN_RULES] if rules and rules.unknown else []
    return Puzzle("".join(symbols), normalise(found))


def _read_numbers(
    numbers: dict[str, Any], board: _Board
) -> tuple[list[str], list[Constraint], dict[str, str]]:
    """The board's symbols, numbers that are no givens by name, and texts outside of cells."""
    symbols, found, outside = ["."] * board.size**2, [], {}
    for point, number in numbers.items():
        cell = board.cell(_point(point))
        text, kind = (str(number[0]).strip(), str(number[2])) if len(number) > 2 else ("?", "")
        if not text:
            continue
        if cell is None:
            outside[point] = text
        elif kind == "7":
            found.append(unsupported("pencil marks"))
        elif kind not in _GIVEN or not text.isdecimal():
            found.append(unsupported("words in cells"))
        elif not 1 <= int(text[:4]) <= board.size:
            raise symbol_error(text[:9], cell, board.size)
        else:
            symbols[cell] = SYMBOLS[int(text) - 1]
    return symbols, found, outside


def _read_line(kind: Any, points: Any, board: _Board) -> Constraint:
    cells = board.cells_of(points)
    most = board.size if kind == "thermometer" else board.size**2
    if not 2 <= len(cells) <= most or len(set(cells)) < len(cells):
        return unsupported({"thermometer": "thermometers", "arrow": "arrows"}[kind])
    return Constraint(kind, cells)


def _read_cages(drawn: dict[str, Any], board: _Board) -> Iterator[Constraint]:
    """Cages with the sums in their cells; other small numbers and lines of cages by name."""
    sums: dict[int, int] = {}
    others = False
    for point, number in (drawn.get("numberS") or {}).items():
        text = str(number[0]).strip() if number else ""
        place, corner = divmod(_point(point), 4)
        cell = board.cell(place - board.points)
        if cell is not None and corner == 0 and text.isdecimal() and len(text) < 5:
            sums[cell] = int(text)
        else:
            others |= bool(text)
    caged: set[int | None] = set()
    for points in drawn.get("killercages") or []:
        cells = board.cells_of(points)
        caged.update(cells)
        total = next((sums.pop(c) for c in cells if c in sums), None)
        whole = len(cells) == len(set(cells)) and 1 <= len(cells) <= board.size
        if points:
            yield Constraint("killer", cells, total) if whole else unsupported("drawn cages")
    if others or sums:
        yield unsupported("small numbers")
    outlined = {board.cell(int(p) // 4 - board.points) for key in drawn.get("cage") or {}
                for p in str(key).split(",") if p.isdecimal()}  # fmt: skip
    if not outlined <= caged:
        yield unsupported("drawn cages")


def _read_borders(edges: dict[str, Any], board: _Board, grid: str) -> list[Constraint]:
    """The regions between thick lines; a board without any has no boxes, which is named."""
    thick = {key for key, style in edges.items() if style == THICK}
    size, regions = board.size, DisjointSets()
    for point, cell in board.cells.items():
        corner = board.points + point
        if cell % size < size - 1 and f"{corner - board.wide},{corner}" not in thick:
            regions.union(cell, cell + 1)
        if cell < size * (size - 1) and f"{corner - 1},{corner}" not in thick:
            regions.union(cell, cell + size)
    numbers = [regions.find(cell) for cell in range(size * size)]
    if len(set(numbers)) == 1 and grid == "square":
        return [unsupported("no boxes are drawn")]
    return read_regions(numbers, size)


# -- drawings under SudokuPad's keys, for the classifier of drawings -------------------------------


def _read_drawings(
    drawn: dict[str, Any],
    board: _Board,
    texts: dict[str, str],
    rules: Rules | None,
    found: list[Constraint],
) -> list[Constraint]:
    """What lines, symbols, coloured cells and texts outside cells mean; the rest by name."""
    overlays, are_all = _symbols(drawn.get("symbol"), board)
    names = [] if are_all else ["drawn shapes"]
    surfaces = drawn.get("surface") or {}
    if rules is None:
        known = {point: text for point, text in texts.items() if text.upper() in ("X", "V")}
        names += ["coloured cells"] if surfaces else []
        names += ["numbers outside the board or on lines"] if len(known) < len(texts) else []
        texts = known
    else:
        overlays += [{"center": board.place(point), "width": 1, "height": 1, "rounded": False,
                      "backgroundColor": _SURFACES.get(style, "#cfcfcf")}
                     for point, style in surfaces.items()]  # fmt: skip
    overlays += [{"center": board.place(point), "text": text} for point, text in texts.items()]
    puzzle = {"lines": list(_drawn_lines(drawn, board)), "overlays": overlays}
    return [
        *read_drawn_constraints(puzzle, board.size, rules, found),
        *map(unsupported, names),
    ]


def _symbols(drawn: Any, board: _Board) -> tuple[list[dict[str, Any]], bool]:
    """Circles and squares, and whether all symbols are such."""
    found = []
    for point, symbol in (drawn or {}).items():
        center = board.place(point)
        number, name = symbol[:2] if isinstance(symbol, list) and len(symbol) > 1 else (0, "")
        if center is not None and name in _SIZES and number in _FILLS:
            found.append({
                "center": center, "width": 2 * _SIZES[name], "height": 2 * _SIZES[name],
                "rounded": name.startswith("circle"), "backgroundColor": _FILLS[number],
            })  # fmt: skip
    return found, len(found) == len(drawn or {})


def _drawn_lines(drawn: dict[str, Any], board: _Board) -> Iterator[dict[str, Any]]:
    """Lines of segments that meet, cut where more than two meet, and lines drawn in one go."""
    paths = []
    for key in ("line", "freeline"):
        by_style: dict[Any, list[list[str]]] = {}
        for name, style in (drawn.get(key) or {}).items():
            by_style.setdefault(style, []).append(str(name).split(","))
        for style, pairs in by_style.items():
            paths += [(path, _LINES.get(style, "#000000")) for path in _trails(pairs)]
    paths += [(path, "#cfcfcf") for path in drawn.get("nobulbthermo") or [] if path]
    for path, colour in paths:
        yield {"wayPoints": [board.place(point) for point in path], "color": colour}


def _trails(pairs: list[list[str]]) -> Iterator[list[str]]:
    """Partition the edges of a graph into trails that end where not just two edges meet."""
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
