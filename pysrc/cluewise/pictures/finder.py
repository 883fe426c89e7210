"""Candidate lattices of a picture, best first: from frames, from combs of lines, or given corners.

Candidates that nearly coincide are reduced to the best one (non-maximum suppression); a desk
decides between the rest by reading their cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cluewise.core.work import Job, Progress
from cluewise.pictures import lattice
from cluewise.pictures.frames import quads
from cluewise.pictures.image import Array, Sized, relief, tint_edges
from cluewise.pictures.lattice import Ink, best_comb, ridges

FIND, COMB = 640, 330  # the longer side at which frames and combs are sought
FREE = ((0.38, 1), (0.3, 2), (0.2, 3), (0.14, 4), (0.1, 4))  # reach in cells, degree
STIFF = ((0.28, 1), (0.16, 1), (0.1, 1))
CLEAR = 0.85  # a lattice of this value ends the search for others
# The least value of a comb for each cell along its side. Measured: boards 0.82 and more, of sixteen
# 0.55, since their lines are fainter at that size; lines of text up to 0.6.
WORTH = {4: 0.2, 6: 0.2, 9: 0.6, 12: 0.5, 16: 0.4}
THRESHOLDS = (0.012, 0.03, 0.06, 0.10, 0.16)
_PITCH = 1.012


class Lattice(NamedTuple):
    """Where n×n cells lie in the picture at the size it was sought."""

    value: float
    """How much the lines look like a lattice, up to about 1."""
    n: int
    points: Array
    how: str
    """frame, stiff, drawn, comb, moved or given."""
    lines: tuple[float, ...] = ()
    """Strengths of the upright lines from the left, then of the level ones from the top."""

    @property
    def side(self) -> float:
        """The median side of a cell in pixels."""
        return float(np.median(np.hypot(*np.moveaxis(np.diff(self.points, axis=0), 2, 0))))

    def far_from(self, other: Lattice) -> bool:
        """Whether some point is a fifth of a cell from the other's, or they differ in n.

        A twentieth suffices next to a lattice that was not fitted: a fit may have distorted it.
        """
        if self.n != other.n:
            return True
        far = 0.05 if (self.how == "drawn") != (other.how == "drawn") else 0.2
        return _distance(self.points, other.points) > far * self.side


class Finder:
    """Finds lattices in a picture of at most FIND pixels."""

    def __init__(self, picture: Sized) -> None:
        self.width, self.height = picture.width, picture.height
        self._grey = picture.grey
        self._relief = relief(self._grey)
        self._noise = float(np.median(abs(self._relief[::3, ::3])))
        self._inks: dict[int, Ink] = {}
        self._seen: dict[int, list[list[Array]]] = {}  # corners by sign and step

    def frames(self, n: int, sign: int, step: int) -> list[Lattice]:
        """Lattices started from the corners of large connected lines, dark (1) or light (-1) ones.

        `step`: which of the THRESHOLDS makes lines of the ink; corners of lower steps are left out.
        """
        ink, seen = self.ink(sign), self._seen.setdefault(sign, [])
        if step == len(seen):  # they are the same for every n
            threshold = max(THRESHOLDS[step], 0 if step else 1.2 * self._noise)
            every = [corners for some in seen for corners in some]
            seen.append([])
            for corners in quads(ink.plane, threshold, 0.28 * min(ink.plane.shape)):
                if all(_distance(corners, other) >= 3 for other in every):
                    every.append(corners)
                    seen[step].append(corners)
        return _begun(ink, seen[step], n, "frame") if seen[step] else []

    def combs(self, picture: Sized, n: int) -> Job[list[Lattice]]:
        """A job: upright lattices found by their lines alone; `picture` has at most COMB pixels."""
        found: list[Lattice] = []
        back, grey = self.width / picture.width, picture.grey
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        for kind in (1, -1, 0):
            combs = yield from _best_combs(grey, kind, n)
            corners = [
                (np.array([x, y]) + 0.5) * back - 0.5 + n * pitch * back * square
                for x, y, pitch in combs
            ]
            if corners:
                found += _begun(self.ink(kind), corners, n, "comb")
        return distinct(found)

    def given(self, corners: Array, n: int) -> list[Lattice]:
        """The lattice of corners that a person has set, first fitted to lines if that is near."""
        ink = self.ink(1)
        started, _ = lattice.start(corners[None], n)
        given = _fitted(ink, started, (), "given")
        near = [
            one
            for one in _begun(ink, [corners], n, "frame")
            if one.value > 0.4 and _distance(one.points, given[0].points) < 0.6 * given[0].side
        ]
        return [*near, *given]

    def ink(self, kind: int) -> Ink:
        """Dark lines (1), light lines (-1) or edges of tints (0)."""
        if kind not in self._inks:
            plane = kind * self._relief if kind else tint_edges(self._grey)
            self._inks[kind] = Ink(np.minimum(np.maximum(plane, -0.02), 0.35))
        return self._inks[kind]


def _begun(ink: Ink, corners: Sequence[Array], n: int, how: str) -> list[Lattice]:
    """The lattices of these corners, and where their lines are weak stiff ones next to them."""
    started, kept = lattice.start(np.array(corners), n)
    found = _fitted(ink, started, FREE if how == "frame" else STIFF, how)
    weak = np.array([one.value < 0.7 for one in found], bool)
    if how == "frame" and weak.any():
        stiff = _fitted(ink, started[weak], STIFF, "stiff")
        found += [one._replace(value=one.value - 0.15) for one in stiff]
        squares = [_upright(one) for one in np.array(corners)[kept][weak]]
        squares = [one for one in squares if one is not None]
        if squares:
            found += _fitted(ink, lattice.start(np.array(squares), n)[0], (), "drawn")
    return found


def _fitted(
    ink: Ink, points: Array, schedule: tuple[tuple[float, int], ...], how: str
) -> list[Lattice]:
    if not len(points):
        return []
    for reach, degree in schedule:
        points = lattice.fit(ink, points, reach, degree)
    values, lines = lattice.score(ink, points)
    n = points.shape[1] - 1
    return [
        Lattice(value, n, at, how, tuple(strengths))
        for value, at, strengths in zip(values.tolist(), points, lines.tolist(), strict=True)
    ]


def _best_combs(grey: Array, kind: int, n: int) -> Job[list[tuple[int, int, float]]]:
    """A job: left, top and pitch of up to three combs that differ."""
    least, lines, found = min(grey.shape), ridges(grey, kind), []
    pitch = max(3.0, 0.30 * least / n)
    while n * pitch <= least - 1:
        comb = best_comb(lines, n, pitch, WORTH[n] * n)
        if comb:
            found.append((*comb, pitch))
        pitch *= _PITCH
        yield Progress(0, None, "looking for lines")
    kept: list[tuple[int, int, float]] = []
    for _, x, y, pitch in sorted(found, reverse=True):
        apart = (abs(pitch - p) > 0.04 * p or abs(x - a) + abs(y - b) > 0.5 * p for a, b, p in kept)
        if all(apart):
            kept.append((x, y, pitch))
        if len(kept) == 3:
            break
    return kept


def shifted(one: Lattice, width: int, height: int) -> Iterator[Lattice]:
    """The lattice moved by a row or a column: one without a frame may sit one off."""
    for axis in (1, 0):
        step = np.diff(one.points, axis=axis).mean((0, 1))
        for sign in (1, -1):
            points = one.points + sign * step
            if (points > -4).all() and (points < (width + 4, height + 4)).all():
                yield one._replace(points=points, value=one.value - 0.1, how="moved")


def distinct(found: list[Lattice]) -> list[Lattice]:
    """The best of those that nearly coincide; none with cells under five pixels."""
    out: list[Lattice] = []
    for one in sorted(found, key=lambda lattice: -lattice.value):
        if one.side > 5 and all(one.far_from(other) for other in out):
            out.append(one)
    return out


def _distance(a: Array, b: Array) -> float:
    """The largest distance of corresponding points, along x or y."""
    return float(abs(a - b).max())


def _upright(corners: Array) -> Array | None:
    """The upright square around these corners, as a screenshot has it; None if they are no square.

    The outermost points of a thin frame with gaps are a few pixels along its sides.
    """
    (left, top), (right, low) = corners.min(0).tolist(), corners.max(0).tolist()
    square = np.array([(left, top), (right, top), (right, low), (left, low)])
    if abs(corners - square).max() > 4 or abs((right - left) - (low - top)) > 3:
        return None
    return square
