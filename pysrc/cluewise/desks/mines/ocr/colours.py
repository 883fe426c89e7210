"""The colours of tiles in a screenshot, by their nearest names."""

from __future__ import annotations

import colorsys
from collections import Counter

import numpy as np

from cluewise.core.svg import PEGS, SURFACE, WOOD
from cluewise.desks.mines.drawing import TINTS
from cluewise.desks.mines.ocr.tiles import Tile

PALE = 0.16  # saturation below which a colour is grey
SAME, SAME_OPEN = 30, 10  # sums of red, green and blue
# The hues in degrees of colours that are not the ones drawn here.
_HUES = {"RED": 0, "ORANGE": 28, "YELLOW": 52, "GREEN": 125, "BLUE": 212, "INDIGO": 240,
         "VIOLET": 275, "PINK": 325}  # fmt: skip
_DARK = {SURFACE: "#1d2024", WOOD: "#3a3c40"}  # of web/style/tokens.css
Face = tuple[int, int, int]


def colour_names(tiles: list[Tile]) -> list[str | None]:
    """Return the name of every tile's colour; None for tiles without one.

    Colours as `drawing.svg` draws them, light or dark, are known. Others are named by their hues;
    of pale ones the most frequent is that of tiles without a colour, and so is the only one.
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
        hue = 360 * colorsys.rgb_to_hsv(*(c / 255 for c in face))[0]
        for name, other in _HUES.items():
            turn = abs(hue - other)
            costs.append((min(turn, 360 - turn), face, name))
    for _, face, name in sorted(costs):
        if face not in names and (name not in used or len(used) >= len(_HUES)):
            names[face] = name
            used.add(name)
    return names


def _known(face: Face, share: float, most: float) -> str | None:
    """Return the name of the colour as it is drawn here, that share of it over the surface."""
    found = {name: _distance(face, PEGS[peg], share) for name, peg in TINTS.items()}
    name = min(found, key=lambda n: found[n])
    plain = min(_distance(face, SURFACE, 1), 99)
    return name if found[name] <= most and found[name] < plain else None


def _distance(face: Face, colour: str, share: float) -> float:
    """Return the distance to a colour laid over the light surface, or over the dark one."""

    def channels(name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([int(name[k : k + 2], 16) for k in (1, 3, 5)])

    pairs = ((colour, SURFACE), (_DARK.get(colour, colour), _DARK[SURFACE]))
    return min(
        float(abs(share * channels(c) + (1 - share) * channels(s) - np.array(face)).sum())
        for c, s in pairs
    )
