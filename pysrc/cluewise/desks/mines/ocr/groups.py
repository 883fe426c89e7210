"""Groups in a screenshot: the counts of lines around the board, and the colours of tiles."""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

import numpy as np

from cluewise.desks.mines.ocr.tiles import CONTRAST, Tile
from cluewise.desks.mines.ocr.words import SURE, Word, find_words
from cluewise.pictures.image import Array
from cluewise.pictures.tiles import TileLattice, clear_parts

AROUND = 3.0  # pitches around the board in which counts are looked for
NEAREST, FARTHEST = 0.55, 2.3  # pitches from the last tile of a line to its count
ASIDE = 0.22  # pitches that a count may be off the axis of its line
CLOSE = 0.12  # two lines whose places for a count differ by less are confused
# The directions of lines, in columns and rows, from where their counts usually stand.
DIRECTIONS = {
    "square": {(1, 0): "row", (0, 1): "column"},
    "hex": {(1, 0): "line-r", (0, -1): "line-q", (-1, 1): "line-s"},
    "upright hex": {(1, 0): "line-r", (0, 1): "line-q", (1, -1): "line-s"},
}
PALE = 0.16  # saturation below which a colour is grey
SAME, SAME_OPEN = 30, 10  # sums of red, green and blue
# The hues in degrees of colours that are not the ones drawn here.
_HUES = {"RED": 0, "ORANGE": 28, "YELLOW": 52, "GREEN": 125, "BLUE": 212, "INDIGO": 240,
         "VIOLET": 275, "PINK": 325}  # fmt: skip
# Of drawing.py, which the page does not load; a test compares.
SURFACE, WOOD = "#ffffff", "#cfc6b4"
TINTS = {
    "BLUE": "#3b6fb6", "RED": "#b94c35", "GREEN": "#2f7d5b", "YELLOW": "#d19a2a",
    "VIOLET": "#7a5aa8", "GREY": "#5b6470", "PINK": "#a8467f", "INDIGO": "#44508f",
    "ORANGE": "#d97f6a",
}  # fmt: skip
_DARK = {SURFACE: "#1d2024", WOOD: "#3a3c40"}  # of web/style/tokens.css
Face = tuple[int, int, int]


class Line(NamedTuple):
    """The tiles in one direction."""

    kind: str
    tiles: tuple[int, ...]
    """In their order along the line."""
    along: Array
    """x and y of a pitch along it, in pitches."""


class Count(NamedTuple):
    """A count and its line."""

    line: Line
    word: Word
    doubtful: bool


def find_lines(lattice: TileLattice, places: list[tuple[int, int]]) -> list[Line]:
    """Return the lines of a board in every direction in which its lattice has some."""
    found = []
    for (dx, dy), kind in DIRECTIONS[lattice.kind].items():
        along = np.array([dx, dy]) @ lattice.basis / lattice.pitch
        several: dict[int, list[tuple[int, int]]] = {}
        for i, (x, y) in enumerate(places):
            several.setdefault(x * dy - y * dx, []).append((x * dx + y * dy, i))
        found += [
            Line(kind, tuple(i for _, i in sorted(one)), along)
            for _, one in sorted(several.items())
        ]
    return found


def find_outer_words(rgb: Array, lattice: TileLattice, middles: Array, ground: Array) -> list[Word]:
    """Return the words around and between the tiles, at most AROUND pitches away."""
    pitch = lattice.pitch
    low = np.maximum(middles.min(0) - (AROUND + 0.5) * pitch, 0).astype(int)
    high = np.ceil(middles.max(0) + (AROUND + 0.5) * pitch).astype(int)
    part = rgb[low[1] : high[1], low[0] : high[0]].astype(np.int16)
    off = abs(part - ground.astype(np.int16)).sum(2).astype(np.float32)
    y, x = np.arange(off.shape[0]) + low[1], np.arange(off.shape[1]) + low[0]
    if lattice.kind == "square":
        half = 0.5 * pitch + 2.5
        for mx, my in middles:
            rows, columns = (np.flatnonzero(abs(a - m) <= half) for a, m in ((y, my), (x, mx)))
            off[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = 0
    else:
        reach = pitch / 3**0.5 + 2.5
        for mx, my in middles:
            rows, columns = (np.flatnonzero(abs(a - m) <= reach) for a, m in ((y, my), (x, mx)))
            u, v = abs(x[columns] - mx)[None], abs(y[rows] - my)[:, None]
            if lattice.kind == "upright hex":
                u, v = v, u
            inside = (u <= 0.5 * pitch + 2.5) & (u / 2 + v * 3**0.5 / 2 <= 0.5 * pitch + 2.5)
            block = off[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            block[inside] = 0
    clear_parts(off, CONTRAST, 1.5 * pitch)
    strongest = float(np.percentile(off[off > CONTRAST], 90)) if (off > CONTRAST).any() else 0
    if strongest < CONTRAST:
        return []
    ink = np.minimum(off / strongest, 1)
    found = find_words(ink, max(5.0, 0.16 * pitch), 0.75 * pitch)
    return [
        word._replace(box=(t + low[1], a + low[0], b + low[1], z + low[0]))
        for word in found
        for t, a, b, z in [word.box]
    ]


def assign_counts(
    lattice: TileLattice, middles: Array, lines: list[Line], words: list[Word]
) -> tuple[list[Count], list[Word]]:
    """Assign counts to lines, starting with the word that fits the fewest lines.

    Returns the counts and the unassigned words. A count is doubtful if a character is, or if
    another line fits nearly as well.
    """
    fits: list[dict[int, float]] = []
    for word in words:
        near = {k: _cost(lattice.pitch, middles, line, word) for k, line in enumerate(lines)}
        fits.append({k: cost for k, cost in near.items() if cost is not None})
    open_words = {w for w, near in enumerate(fits) if near}
    taken: dict[int, int] = {}
    while open_words:
        free = {w: {k: c for k, c in fits[w].items() if k not in taken} for w in open_words}
        w = min(free, key=lambda w: (len(free[w]) or 99, min(free[w].values(), default=9)))
        open_words.remove(w)
        if free[w]:
            taken[min((cost, k) for k, cost in free[w].items())[1]] = w
    counts = []
    for k, w in sorted(taken.items()):
        others = [o for o, c in fits[w].items() if o not in taken and c < fits[w][k] + CLOSE]
        word = words[w]
        unsure = word.chance < SURE or word.number is None or bool(others)
        counts.append(Count(lines[k], word, unsure))
    used = set(taken.values())
    return counts, [word for w, word in enumerate(words) if w not in used]


def _cost(pitch: float, middles: Array, line: Line, word: Word) -> float | None:
    """Return how far a word is from the place of the line's count; None if it is elsewhere.

    A place before the first tile costs nothing, one behind the last tile a little.
    """
    first, last = middles[line.tiles[0]], middles[line.tiles[-1]]
    along = line.along
    best: float | None = None
    for end, out, extra in ((first, -along, 0.0), (last, along, 0.05)):
        off = (np.array(word.middle) - end) / pitch
        away, aside = float(off @ out), abs(float(off[0] * out[1] - off[1] * out[0]))
        if NEAREST <= away <= FARTHEST and aside <= ASIDE:
            cost = extra + aside + 0.05 * abs(away - 1)
            best = cost if best is None else min(best, cost)
    return best


def colour_names(tiles: list[Tile]) -> list[str | None]:
    """Return the name of every tile's colour; None for tiles without one.

    Colours as `drawing.svg` draws them, light or dark, are known. Others are classified by hue; of
    pale ones the most frequent is that of tiles without a colour, and so is the only one.
    """
    closed = Counter(t.face for t in tiles if t.shows in ("closed", "flag"))
    opened = {t.face for t in tiles} - set(closed)
    names: dict[Face, str | None] = {f: _known(f, 0.13, SAME_OPEN) for f in opened}
    others = []
    for face, _ in closed.most_common():
        if _distance(face, WOOD, 0.74) <= SAME:
            names[face] = None
        elif (known := _known(face, 0.46, SAME)) is not None:
            names[face] = known
        else:
            others.append(face)
    names |= _named_by_hue(others, {name for name in names.values() if name})
    return [names[t.face] for t in tiles]


def _named_by_hue(faces: list[Face], used: set[str]) -> dict[Face, str | None]:
    names: dict[Face, str | None] = {}
    if len(faces) == 1 and not used:
        return {faces[0]: None}
    pale = [f for f in faces if max(f) - min(f) < PALE * max(*f, 60)]
    names |= {face: "GREY" if k else None for k, face in enumerate(pale)}
    costs = []
    for face in set(faces) - set(pale):
        r, g, b = face
        hue = math.degrees(math.atan2(3**0.5 * (g - b), 2 * r - g - b)) % 360
        for name, other in _HUES.items():
            turn = abs(hue - other)
            costs.append((min(turn, 360 - turn), face, name))
    for _, face, name in sorted(costs):
        if face not in names and (name not in used or len(used) >= len(_HUES)):
            names[face] = name
            used.add(name)
    return names


def _known(face: Face, share: float, most: float) -> str | None:
    """Return the name of a colour drawn here, blended with that share over the surface, or None."""
    found = {name: _distance(face, tint, share) for name, tint in TINTS.items()}
    name = min(found, key=lambda n: found[n])
    plain = min(_distance(face, SURFACE, 1), 99)
    return name if found[name] <= most and found[name] < plain else None


def _distance(face: Face, colour: str, share: float) -> float:
    """Return the distance to a colour blended over the light surface, or over the dark one."""

    def channels(name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([int(name[k : k + 2], 16) for k in (1, 3, 5)])

    pairs = ((colour, SURFACE), (_DARK.get(colour, colour), _DARK[SURFACE]))
    return min(
        float(abs(share * channels(c) + (1 - share) * channels(s) - np.array(face)).sum())
        for c, s in pairs
    )
