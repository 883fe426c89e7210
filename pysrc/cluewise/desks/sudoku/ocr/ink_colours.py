"""Printed symbols and one's own, distinguished by colour where there are clearly two."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from statistics import median_high

from cluewise.desks.sudoku.ocr.cells import CellReadings

Colour = tuple[float, float, float]
APART, COMPACT, FEWEST = 0.22, 0.4, 3


def pencilled_cells(seen: CellReadings, cells: Sequence[int]) -> list[int]:
    """Cells whose symbols have the more colourful of two clearly different inks; else none.

    Two inks are clearly different if they lie further apart than APART (of 1, along red, green and
    blue), and the inks of each lie within COMPACT of that distance of their middle.
    """
    filled = [i for i, value in enumerate(cells) if value]
    if len(filled) < 2 * FEWEST:
        return []
    colours: list[Colour] = [(r, g, b) for r, g, b in seen.ink.tolist()]
    inks = {i: colours[i] for i in filled}
    centres = _farthest(list(inks.values()))
    for _ in range(8):
        parts = _parts(inks, centres)
        if min(map(len, parts)) < FEWEST:
            return []
        centres = [_mean([inks[i] for i in part]) for part in parts]
    parts = _parts(inks, centres)
    apart = dist(*centres)
    spread = max(
        median_high(dist(inks[i], c) for i in p) for p, c in zip(parts, centres, strict=True)
    )
    if apart < APART or spread > COMPACT * apart:
        return []
    dull, bright = sorted((0, 1), key=lambda k: _colourful(centres[k]))
    if _colourful(centres[bright]) < _colourful(centres[dull]) + 0.15:
        return []
    return parts[bright]


def _parts(inks: dict[int, Colour], centres: Sequence[Colour]) -> list[list[int]]:
    out: list[list[int]] = [[], []]
    for i, ink in inks.items():
        out[dist(ink, centres[0]) > dist(ink, centres[1])].append(i)
    return out


def _farthest(inks: list[Colour]) -> list[Colour]:
    middle = _mean(inks)
    first = max(inks, key=lambda ink: dist(ink, middle))
    return [first, max(inks, key=lambda ink: dist(ink, first))]


def _mean(inks: list[Colour]) -> Colour:
    r, g, b = (sum(part) / len(inks) for part in zip(*inks, strict=True))
    return r, g, b


def _colourful(ink: Colour) -> float:
    return max(ink) - min(ink)
