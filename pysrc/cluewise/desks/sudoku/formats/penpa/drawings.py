"""Penpa's drawings under SudokuPad's keys, so that one reader says what drawings mean.

Points are numbered in layers of the whole sheet: the middles of cells, their lower right corners,
the middles of their lower sides, the middles of their right sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Place: TypeAlias = Callable[[Any], list[float] | None]

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


def place_of(first: int, wide: int, points: int) -> Place:
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


def symbols(drawn: Any, place: Place) -> tuple[list[dict[str, Any]], bool]:
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


def words(texts: dict[str, str], place: Place) -> list[dict[str, Any]]:
    """Numbers and words outside the board or between cells."""
    return [{"center": place(point), "text": text} for point, text in texts.items()]


def surfaces(drawn: Any, place: Place) -> list[dict[str, Any]]:
    """Coloured cells."""
    return [{"center": place(point), "width": 1, "height": 1, "rounded": False,
             "backgroundColor": _SURFACES.get(style, "#cfcfcf")}
            for point, style in (drawn or {}).items()]  # fmt: skip


def lines(drawn: dict[str, Any], place: Place) -> Iterator[dict[str, Any]]:
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
