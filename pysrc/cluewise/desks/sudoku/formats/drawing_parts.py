"""The parts of drawings: colours, marks, lines, with names long or short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Any, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
GREY, BLACK, WHITE = -1, -2, -3
_CSS = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000",
        "blue": "#0000ff", "gray": "#808080", "grey": "#808080", "purple": "#800080",
        "orange": "#ffa500", "yellow": "#ffff00", "pink": "#ffc0cb"}  # fmt: skip
_SHORT = {"wp": "wayPoints", "c": "color", "ct": "center", "w": "width", "h": "height",
          "r": "rounded", "te": "text", "c1": "borderColor", "c2": "backgroundColor"}  # fmt: skip


class Mark(NamedTuple):
    """A circle, a rectangle or a word with its centre."""

    row: float
    col: float
    width: float
    height: float
    rounded: bool
    text: str
    hue: int | None
    """The hue of its inside; None where it is not filled."""

    def cell(self, size: int) -> int | None:
        """The cell in whose middle it stands; None for other places."""
        inside = 0 < self.row < size and 0 < self.col < size
        return floor(self.row) * size + floor(self.col) if (
            inside and is_middle(self.row) and is_middle(self.col)) else None  # fmt: skip

    def covered(self, size: int) -> tuple[int, ...]:
        """The cells that a circle or a pill covers, in reading order."""
        rows, cols = round(self.height + 0.25) or 1, round(self.width + 0.25) or 1
        top, left = self.row - rows / 2, self.col - cols / 2
        if 1 not in (rows, cols) or not 0.4 < min(self.width, self.height) < 1:
            return ()
        if not is_whole(top) or not is_whole(left) or round(top) < 0 or round(left) < 0:
            return ()
        if round(top) + rows > size or round(left) + cols > size:
            return ()
        return tuple(
            (round(top) + i) * size + round(left) + j for i in range(rows) for j in range(cols)
        )


def is_middle(x: float) -> bool:
    """Whether a coordinate is near the middle of a cell."""
    return 0.35 < x % 1 < 0.65


def is_whole(x: float) -> bool:
    """Whether a coordinate is near the border of a cell."""
    return not 0.1 < x % 1 < 0.9


def cells_of(points: list[Point], size: int) -> tuple[int, ...]:
    """The cells of a line from middle to middle; empty for other lines."""
    places = [(floor(r), floor(c)) for r, c in points]
    if any(is_whole(x) for point in points for x in point) or not all(
        0 <= x <= size for point in points for x in point
    ):
        return ()
    cells = [places[0][0] * size + places[0][1]]
    for (r, c), (s, d) in pairwise(places):
        steps = max(abs(s - r), abs(d - c))
        if steps and {abs(s - r), abs(d - c)} - {0, steps}:
            return ()
        cells += [(r + (s - r) // steps * i) * size + c + (d - c) // steps * i
                  for i in range(1, steps + 1)]  # fmt: skip
    return tuple(cells)


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
        digits = (
            digits.zfill(6)
            if digits.isdecimal() and len(digits) < 6 and "#" not in text
            else digits
        )
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


def as_drawings(puzzle: dict[str, Any], cell: re.Pattern[str]) -> dict[str, Any]:
    """The drawings of a puzzle of f-puzzles under SudokuPad's keys; `cell` reads a cell's name.

    Drawings that f-puzzles has made of a constraint are left out.
    """

    def place(name: Any) -> list[float]:
        found = cell.fullmatch(str(name))
        return [int(found[1]) - 0.5, int(found[2]) - 0.5] if found else []

    out: dict[str, list[dict[str, Any]]] = {"lines": [], "overlays": []}
    for key in ("line", "circle", "rectangle", "text"):
        for one in puzzle.get(key) or []:
            if not isinstance(one, dict) or one.get("fromConstraint") or "fromRangskSolver" in one:
                continue
            if key == "line":
                out["lines"] += [{"wayPoints": list(map(place, line)), "color": one.get("outlineC")}
                                 for line in one.get("lines") or []]  # fmt: skip
                continue
            places = [at for at in map(place, one.get("cells") or []) if at]
            center = [sum(x) / len(places) for x in zip(*places, strict=True)] if places else None
            size = 0.3 if key == "text" else None
            out["overlays"].append({
                "center": center, "width": size or one.get("width"),
                "height": size or one.get("height"), "rounded": key == "circle",
                "text": one.get("value"), "backgroundColor": one.get("baseC"),
            })  # fmt: skip
    return out


def items_of(puzzle: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The drawings under a key or its first letter, with their names in full."""
    some = puzzle.get(key) or puzzle.get(key[0]) or []
    for one in some if isinstance(some, list) else []:
        if isinstance(one, dict):
            yield {_SHORT.get(str(name), str(name)): value for name, value in one.items()}


def strokes_of(puzzle: dict[str, Any], key: str) -> Iterator[tuple[list[Point], int | None]]:
    """Yield the points and the colour of each drawn line of a list of the link."""
    for one in items_of(puzzle, key):
        points = [point_of(point) for point in one.get("wayPoints") or []]
        kept = [point for point in points if point is not None]
        if len(kept) > 1:
            yield kept, hue_of(one.get("color"))


def point_of(value: Any) -> Point | None:
    """Return row and column of a point in cells, or None if the value is none."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    row, col = (number_of(x) for x in value)
    return None if row is None or col is None else (row, col)


def number_of(value: Any) -> float | None:
    """Return a number below 100 as a float, else None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 100 else None
    return None


def is_straight(points: list[Point]) -> bool:
    """Whether all steps go in one diagonal direction."""
    steps = [(s - r, d - c) for (r, c), (s, d) in pairwise(points)]
    return all(abs(abs(r) - abs(c)) < 0.1 for r, c in steps)


def hue_distance(hue: int, other: int) -> int:
    """Degrees between two hues; grey and black are close to each other alone."""
    if hue < 0 or other < 0:
        return 0 if hue == other else 40 if {hue, other} == {GREY, BLACK} else 999
    return min((hue - other) % 360, (other - hue) % 360)


def is_alike(hues: Iterable[int], other: int | None) -> bool:
    """Return whether one of the hues is within 20 degrees of another."""
    return other is not None and any(hue_distance(hue, other) <= 20 for hue in hues)


def join_lines(lines: Sequence[tuple[int, ...]], joins: set[int]) -> list[tuple[int, ...]]:
    """Concatenate lines that share an end in `joins`."""
    rest, done = list(lines), []
    while rest:
        line = rest.pop(0)
        while line[0] != line[-1] and (more := next(
            (other for other in rest if {other[0], other[-1]} & {line[0], line[-1]} & joins
             and other[0] != other[-1]), None)):  # fmt: skip
            rest.remove(more)
            if not {more[0], more[-1]} & {line[-1]} & joins:
                line = line[::-1]
            line += (more if more[0] == line[-1] else more[::-1])[1:]
        done.append(line)
    return done


def from_border(loop: tuple[int, ...], boxes: Sequence[int]) -> tuple[int, ...]:
    """Rotate a closed line so that it starts in another box than it ends in, if it can."""
    for i in range(len(loop)):
        if boxes[loop[i]] != boxes[loop[i - 1]]:
            return loop[i:] + loop[:i]
    return loop


def connected(cells: set[int], size: int) -> Iterator[list[int]]:
    """The connected components of a set of cells, each ascending."""
    left = set(cells)
    while left:
        part, queue = set(), [min(left)]
        while queue:
            cell = queue.pop()
            if cell in left:
                left.discard(cell)
                part.add(cell)
                col = cell % size
                queue += [cell - size, cell + size]
                queue += [cell - 1] * (col > 0) + [cell + 1] * (col < size - 1)
        yield sorted(part)
