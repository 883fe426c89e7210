"""Objects drawn on a board: overlays and polylines under SudokuPad's keys, their cells and hues.

Coordinates are rows and columns in cells from the upper left corner of the board: the middle of
the first cell is (0.5, 0.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Any, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
CELL_NAME = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})")
GREY, BLACK, WHITE = -1, -2, -3  # in the place of a hue
_CSS = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000",
        "blue": "#0000ff", "gray": "#808080", "grey": "#808080", "purple": "#800080",
        "orange": "#ffa500", "yellow": "#ffff00", "pink": "#ffc0cb"}  # fmt: skip
_SHORT = {"wp": "wayPoints", "c": "color", "ct": "center", "w": "width", "h": "height",
          "r": "rounded", "te": "text", "c1": "borderColor", "c2": "backgroundColor"}  # fmt: skip


class Overlay(NamedTuple):
    """A circle, a rectangle or a text; `row` and `col` are its centre."""

    row: float
    col: float
    width: float
    height: float
    rounded: bool
    text: str
    hue: int | None
    """Of its fill; None without one."""

    def cell(self, size: int) -> int | None:
        """The cell in whose middle it is; None elsewhere."""
        inside = 0 < self.row < size and 0 < self.col < size
        if inside and is_middle(self.row) and is_middle(self.col):
            return floor(self.row) * size + floor(self.col)
        return None

    def covered(self, size: int) -> tuple[int, ...]:
        """The cells that a circle or a pill covers, in reading order."""
        rows, cols = round(self.height + 0.25) or 1, round(self.width + 0.25) or 1
        top, left = self.row - rows / 2, self.col - cols / 2
        if 1 not in (rows, cols) or not 0.4 < min(self.width, self.height) < 1:
            return ()
        if not is_border(top) or not is_border(left) or round(top) < 0 or round(left) < 0:
            return ()
        if round(top) + rows > size or round(left) + cols > size:
            return ()
        return tuple(
            (round(top) + i) * size + round(left) + j for i in range(rows) for j in range(cols)
        )


class Polyline(NamedTuple):
    """A drawn line or arrow; `hue` is None if it is invisible."""

    points: list[Point]
    hue: int | None


# -- reading ---------------------------------------------------------------------------------------


def read_overlays(puzzle: dict[str, Any]) -> Iterator[Overlay | None]:
    """Yield the underlays and overlays of a puzzle, None for one without a centre."""
    for one in (*_items(puzzle, "underlays"), *_items(puzzle, "overlays")):
        center = _point(one.get("center"))
        text = "" if one.get("text") in (None, {}) else str(one.get("text")).strip()
        yield center and Overlay(
            *center, _number(one.get("width")) or 0, _number(one.get("height")) or 0,
            one.get("rounded") in (True, "t"), text, hue_of(one.get("backgroundColor")),
        )  # fmt: skip


def read_polylines(puzzle: dict[str, Any], key: str) -> Iterator[Polyline]:
    """Yield the lines or arrows of a puzzle, without their unreadable points."""
    for one in _items(puzzle, key):
        points = [at for at in map(_point, one.get("wayPoints") or []) if at is not None]
        if len(points) > 1:
            yield Polyline(points, hue_of(one.get("color")))


def _items(puzzle: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The objects under a key or its first letter, with their names in full."""
    items = puzzle.get(key) or puzzle.get(key[0]) or []
    for one in items if isinstance(items, list) else []:
        if isinstance(one, dict):
            yield {_SHORT.get(str(name), str(name)): value for name, value in one.items()}


def _point(value: Any) -> Point | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    row, col = map(_number, value)
    return None if row is None or col is None else (row, col)


def _number(value: Any) -> float | None:
    """A number below 100 as a float, else None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 100 else None
    return None


def read_place(name: Any) -> tuple[int, int] | None:
    """Row and column, from 0, of a cell's name such as `R1C1`; None of other values."""
    match = CELL_NAME.fullmatch(str(name))
    return (int(match[1]) - 1, int(match[2]) - 1) if match else None


def convert_fpuzzles_drawings(puzzle: dict[str, Any]) -> dict[str, Any]:
    """The drawings of an f-puzzles puzzle under SudokuPad's keys.

    Drawings that f-puzzles has made of a constraint are left out.
    """

    def middle(name: Any) -> list[float]:
        return [x + 0.5 for x in read_place(name) or ()]

    out: dict[str, list[dict[str, Any]]] = {"lines": [], "overlays": []}
    for key in ("line", "circle", "rectangle", "text"):
        for one in puzzle.get(key) or []:
            if not isinstance(one, dict) or one.get("fromConstraint") or "fromRangskSolver" in one:
                continue
            if key == "line":
                colour = one.get("outlineC")
                out["lines"] += [{"wayPoints": list(map(middle, line)), "color": colour}
                                 for line in one.get("lines") or []]  # fmt: skip
                continue
            places = [at for at in map(middle, one.get("cells") or []) if at]
            center = [sum(x) / len(places) for x in zip(*places, strict=True)] if places else None
            size = 0.3 if key == "text" else None
            out["overlays"].append({
                "center": center, "width": size or one.get("width"),
                "height": size or one.get("height"), "rounded": key == "circle",
                "text": one.get("value"), "backgroundColor": one.get("baseC"),
            })  # fmt: skip
    return out


# -- hues ------------------------------------------------------------------------------------------


def hue_of(colour: Any) -> int | None:
    """The hue in degrees; -1 of grey, -2 of black, -3 of white; None of what is invisible.

    >>> hue_of("#67f067ff"), hue_of("CFCFCF"), hue_of("none")
    (120, -1, None)
    """
    text = str(colour).strip().lower()
    text = {"#0": "#000000", "#f": "#ffffff"}.get(text, _CSS.get(text, text))
    numbers = re.match(r"rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[, /]+([\d.]+))?", text)
    if numbers:
        red, green, blue = (float(numbers[i]) for i in (1, 2, 3))
        alpha = float(numbers[4] or 1)
    else:
        digits = text.removeprefix("#")
        if digits.isdecimal() and len(digits) < 6 and "#" not in text:
            digits = digits.zfill(6)  # JSON writes 000012 as 12
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if not re.fullmatch(r"[0-9a-f]{6}(?:[0-9a-f]{2})?", digits):
            return None
        red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
        alpha = int(digits[6:] or "ff", 16) / 255
    if alpha < 0.05:
        return None
    high, low = max(red, green, blue), min(red, green, blue)
    if high - low < max(0.12 * high, 12):
        return WHITE if low > 244 else BLACK if high < 60 else GREY
    spread = high - low
    sector = ((green - blue) / spread % 6 if high == red else
              (blue - red) / spread + 2 if high == green else
              (red - green) / spread + 4)  # fmt: skip
    return round(60 * sector) % 360


def hue_distance(hue: int, other: int) -> int:
    """Degrees between two hues; of grey, black and white only grey and black are comparable."""
    if hue < 0 or other < 0:
        return 0 if hue == other else 40 if {hue, other} == {GREY, BLACK} else 999
    return min((hue - other) % 360, (other - hue) % 360)


def has_similar_hue(hues: Iterable[int], other: int | None) -> bool:
    """Whether one of the hues is within 20 degrees of another."""
    return other is not None and any(hue_distance(hue, other) <= 20 for hue in hues)


# -- geometry --------------------------------------------------------------------------------------


def is_middle(x: float) -> bool:
    """Whether a coordinate is near the middle of a cell."""
    return 0.35 < x % 1 < 0.65


def is_border(x: float) -> bool:
    """Whether a coordinate is near the border of a cell."""
    return not 0.1 < x % 1 < 0.9


def cells_of(points: Sequence[Point], size: int) -> tuple[int, ...]:
    """The cells of a line from middle to middle; empty for other lines."""
    places = [(floor(r), floor(c)) for r, c in points]
    if any(is_border(x) or not 0 <= x <= size for point in points for x in point):
        return ()
    cells = [places[0][0] * size + places[0][1]]
    for (r, c), (s, d) in pairwise(places):
        steps = max(abs(s - r), abs(d - c))
        if steps and {abs(s - r), abs(d - c)} - {0, steps}:
            return ()
        cells += [(r + (s - r) // steps * i) * size + c + (d - c) // steps * i
                  for i in range(1, steps + 1)]  # fmt: skip
    return tuple(cells)


def diagonal_kind(points: Sequence[Point], size: int) -> str:
    """`diagonal` or `antidiagonal` for a straight line along one; empty for other lines.

    It joins the corners of the board, or the middles of two corner cells.
    """
    if any(abs(abs(s - r) - abs(d - c)) >= 0.1 for (r, c), (s, d) in pairwise(points)):
        return ""
    ends = {(round(2 * r) / 2, round(2 * c) / 2) for r, c in (points[0], points[-1])}
    for low in (0.0, 0.5) if len(points) == 2 else (0.5,):
        high = size - low
        if ends == {(low, low), (high, high)}:
            return "diagonal"
        if ends == {(low, high), (high, low)}:
            return "antidiagonal"
    return ""


def clued_line(row: int, col: int, size: int) -> tuple[int, ...]:
    """The row or column that a clue outside the board is about, from the clue on; empty if none."""
    if 0 <= row < size:
        line, is_before = range(row * size, row * size + size), col < 0
    elif 0 <= col < size:
        line, is_before = range(col, size * size, size), row < 0
    else:
        return ()
    return tuple(line) if is_before else tuple(line)[::-1]


def join_lines(lines: Sequence[tuple[int, ...]], joints: set[int]) -> list[tuple[int, ...]]:
    """Concatenate lines that share an end in `joints`."""
    rest, done = list(lines), []
    while rest:
        line = rest.pop(0)
        while line[0] != line[-1] and (more := next(
            (other for other in rest if {other[0], other[-1]} & {line[0], line[-1]} & joints
             and other[0] != other[-1]), None)):  # fmt: skip
            rest.remove(more)
            if not {more[0], more[-1]} & {line[-1]} & joints:
                line = line[::-1]
            line += (more if more[0] == line[-1] else more[::-1])[1:]
        done.append(line)
    return done


def rotate_to_border(loop: tuple[int, ...], boxes: Sequence[int]) -> tuple[int, ...]:
    """Rotate a closed line so that it starts in another box than it ends in, if it can."""
    for i in range(len(loop)):
        if boxes[loop[i]] != boxes[loop[i - 1]]:
            return loop[i:] + loop[:i]
    return loop


def connected_components(cells: set[int], size: int) -> Iterator[list[int]]:
    """The orthogonally connected components of a set of cells, each ascending."""
    left = set(cells)
    while left:
        component, queue = set(), [min(left)]
        while queue:
            cell = queue.pop()
            if cell in left:
                left.discard(cell)
                component.add(cell)
                col = cell % size
                queue += [cell - size, cell + size]
                queue += [cell - 1] * (col > 0) + [cell + 1] * (col < size - 1)
        yield sorted(component)
