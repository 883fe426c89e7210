"""Lattices in a picture: candidates by frame and by comb, best first; reading decides."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from statistics import median
from typing import NamedTuple

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.ocr.image import Point, Points, Sized, flat, paired
from cluewise.errors import BadInput
from cluewise.kernel.call import Frame

FIND, COMB = 640, 330  # the longer side at which frames and combs are sought
FREE = ((0.38, 1), (0.3, 2), (0.2, 3), (0.14, 4), (0.1, 4))  # reach in cells, degree
STIFF = ((0.28, 1), (0.16, 1), (0.1, 1))
CLEAR = 0.85  # a lattice of this value ends the search for others
# A comb worth no more than that for each cell along its side is none: those of boards came to 0.82
# and more, of sixteen to 0.55, since their lines are fainter at that size; lines of text to 0.6.
WORTH = {4: 0.2, 6: 0.2, 9: 0.6, 12: 0.5, 16: 0.4}
_PITCH = 1.012


class Lattice(NamedTuple):
    """Where n×n cells lie in the picture at the size it was sought."""

    value: float
    """How much the lines look like a lattice, up to about 1."""
    n: int
    points: Points
    how: str
    """frame, stiff, drawn, comb, moved or given."""
    lines: tuple[float, ...] = ()
    """Strengths of the upright lines from the left, then of the level ones from the top."""

    @property
    def side(self) -> float:
        """The median side of a cell in pixels."""
        return median(map(dist, self.points, self.points[self.n + 1 :]))

    def far_from(self, other: Lattice) -> bool:
        """Whether some point lies a fifth of a cell off the other's, or they differ in n.

        One that was moved hardly at all is another one sooner: it reads what a fit led askew.
        """
        if self.n != other.n:
            return True
        far = 0.05 if (self.how == "drawn") != (other.how == "drawn") else 0.2
        far *= self.side
        return any(
            abs(a[0] - b[0]) > far or abs(a[1] - b[1]) > far
            for a, b in zip(self.points, other.points, strict=True)
        )


def turned(points: Points, n: int, quarters: int) -> Points:
    """The points of the board turned by so many quarters against the clock."""
    row = n + 1
    for _ in range(quarters % 4):
        points = [points[j * row + n - i] for i in range(row) for j in range(row)]
    return points


class Finder:
    """Finds lattices in a picture of at most FIND pixels."""

    def __init__(self, frame: Frame, picture: Sized) -> None:
        self.frame, self.width, self.height = frame, picture.width, picture.height
        count = self.width * self.height
        self.grey, self._relief = frame.reserve(4 * count), frame.reserve(4 * count)
        self._ink = frame.reserve(4 * count)
        self._work = frame.reserve(20 * count + 8 * self.width + 64)
        self._room = 20 * count
        self._seen: dict[int, list[Points]] = {}  # corners of large parts, by the sign of their ink
        noise = frame.reserve(8)
        frame.call(
            "sudoku_picture_relief", picture.rgb, self.width, self.height, self.grey, self._relief,
            noise, self._work,
        )  # fmt: skip
        self._noise: float = frame.get(noise, "d", 1)[0]

    def frames(self, n: int) -> Job[list[Lattice]]:
        """A job: lattices begun from the corners of large connected lines, dark ones first."""
        got: list[Lattice] = []
        for sign in (1, -1):
            self._inked(sign)
            for corners in (yield from self._corners_of(sign)):
                got += self._begun(corners, n, "frame")
                yield Progress(0, None, "looking for the board")
            if any(one.value > CLEAR for one in got):
                break
        return _distinct(got)

    def _corners_of(self, sign: int) -> Job[list[Points]]:
        """A job: corners of the ink's large parts that differ; they are the same for every n."""
        if sign not in self._seen:
            seen: list[Points] = []
            for threshold in (max(0.012, 1.2 * self._noise), 0.03, 0.06, 0.10, 0.16):
                for corners in self._quads(threshold):
                    if all(_apart(corners, other) >= 3 for other in seen):
                        seen.append(corners)
                yield Progress(0, None, "looking for the board")
            self._seen[sign] = seen
        return self._seen[sign]

    def combs(self, picture: Sized, n: int) -> Job[list[Lattice]]:
        """A job: upright lattices found by their lines alone; `picture` has at most COMB pixels."""
        got: list[Lattice] = []
        back = self.width / picture.width
        count = picture.width * picture.height
        with self.frame.kernel.frame() as frame:
            grey, relief = frame.reserve(4 * count), frame.reserve(4 * count)
            down = frame.reserve(4 * (count + picture.width))
            across = frame.reserve(4 * (count + picture.height))
            work = frame.reserve(16 * count + 8 * picture.width + 64)
            sizes = (picture.width, picture.height)
            frame.call("sudoku_picture_relief", picture.rgb, *sizes, grey, relief,
                       frame.reserve(8), work)  # fmt: skip
            for kind in (1, -1, 0):
                self._inked(kind)
                frame.call("sudoku_picture_ridges", grey, *sizes, kind, down, across, work)
                found = yield from _best_combs(frame, (down, across), sizes, n, work)
                for x, y, pitch in found:
                    a, b, side = (x + 0.5) * back - 0.5, (y + 0.5) * back - 0.5, n * pitch * back
                    corners = [(a, b), (a + side, b), (a + side, b + side), (a, b + side)]
                    got += self._begun(corners, n, "comb")
        return _distinct(got)

    def given(self, corners: Points, n: int) -> list[Lattice]:
        """The lattice of corners that a person has set: moved onto lines, unless they lead away."""
        self._inked(1)
        start = self._fitted(corners, n, ())
        near = [one for one in self._begun(corners, n, "frame") if start and _near(one, start[0])]
        return [*near, *start]

    def _inked(self, kind: int) -> None:
        """Dark lines (1), light lines (-1) or edges of tints (0) become the ink."""
        count = self.width * self.height
        if kind:
            limits = (float(kind), -0.02, 0.35)
            self.frame.call("sudoku_picture_ink", self._relief, count, *limits, self._ink)
        else:
            sizes = (self.width, self.height)
            self.frame.call("sudoku_picture_tints", self.grey, *sizes, self._ink, self._work)

    def _quads(self, threshold: float) -> list[Points]:
        with self.frame.kernel.frame() as frame:
            out = frame.reserve(4 * 8 * 6)
            count = frame.call(
                "sudoku_picture_quads", self._ink, self.width, self.height, threshold,
                0.28 * min(self.width, self.height), out, self._work, self._room,
            )  # fmt: skip
            points = paired(frame.get(out, "f", 8 * count))
        return [points[i : i + 4] for i in range(0, 4 * count, 4)]

    def _begun(self, corners: Points, n: int, how: str) -> list[Lattice]:
        """The lattice of these corners, and where its lines are weak a stiff one next to it."""
        free = self._fitted(corners, n, FREE if how == "frame" else STIFF, how)
        if how == "frame" and free and free[0].value < 0.7:
            free += [
                one._replace(value=one.value - 0.15)
                for one in self._fitted(corners, n, STIFF, "stiff")
            ]
            square = _upright(corners)
            free += self._fitted(square, n, (), "drawn") if square else []
        return free

    def _fitted(
        self, corners: Points, n: int, schedule: tuple[tuple[float, int], ...], how: str = "given"
    ) -> list[Lattice]:
        sizes, many = (self.width, self.height), (n + 1) ** 2
        with self.frame.kernel.frame() as frame:
            at, score = frame.reserve(16 * many), frame.reserve(8 * (2 * n + 3))
            try:
                frame.call("sudoku_picture_start", frame.put(flat(corners)), n, at)
            except BadInput:  # three corners on a line
                return []
            for reach, degree in schedule:
                frame.call("sudoku_picture_fit", self._ink, *sizes, n, at, reach, degree)
            frame.call("sudoku_picture_score", self._ink, *sizes, n, at, score)
            points = paired(frame.get(at, "d", 2 * many))
            value, *lines = frame.get(score, "d", 2 * n + 3)
        if not all(abs(c) < 1e6 for point in points for c in point):
            return []
        return [Lattice(value, n, points, how, tuple(lines))]


def _best_combs(
    frame: Frame, sums: tuple[int, int], sizes: tuple[int, int], n: int, work: int
) -> Job[list[tuple[float, float, float]]]:
    """A job: left, top and pitch of up to three combs that differ."""
    least, best = min(sizes), frame.reserve(24)
    pitch, found = max(3.0, 0.30 * least / n), []
    while n * pitch <= least - 1:
        frame.call(
            "sudoku_picture_comb", *sums, *sizes, n=n, pitch=pitch, least=WORTH[n] * n, best=best,
            work=work,
        )  # fmt: skip
        value, x, y = frame.get(best, "d", 3)
        if value > 0:
            found.append((value, x, y, pitch))
        pitch *= _PITCH
        yield Progress(0, None, "looking for lines")
    kept: list[tuple[float, float, float]] = []
    for _, x, y, pitch in sorted(found, reverse=True):
        apart = (abs(pitch - p) > 0.04 * p or abs(x - a) + abs(y - b) > 0.5 * p for a, b, p in kept)
        if all(apart):
            kept.append((x, y, pitch))
        if len(kept) == 3:
            break
    return kept


def shifted(one: Lattice, width: int, height: int) -> Iterator[Lattice]:
    """The lattice moved by a row or a column: one without a frame may sit one off."""
    row = one.n + 1
    for step in (1, row):
        pairs = list(zip(one.points, one.points[step:], strict=False))
        if step == 1:
            pairs = [p for i, p in enumerate(pairs) if (i + 1) % row]
        dx = sum(b[0] - a[0] for a, b in pairs) / len(pairs)
        dy = sum(b[1] - a[1] for a, b in pairs) / len(pairs)
        for sign in (1, -1):
            points = [(x + sign * dx, y + sign * dy) for x, y in one.points]
            if all(-4 < x < width + 4 and -4 < y < height + 4 for x, y in points):
                yield one._replace(points=points, value=one.value - 0.1, how="moved")


def _distinct(found: list[Lattice]) -> list[Lattice]:
    """The best of those that nearly coincide; none with cells under five pixels."""
    out: list[Lattice] = []
    for one in sorted(found, key=lambda lattice: -lattice.value):
        if one.side > 5 and all(one.far_from(other) for other in out):
            out.append(one)
    return out


def _apart(a: Points, b: Points) -> float:
    return max(max(abs(p[0] - q[0]), abs(p[1] - q[1])) for p, q in zip(a, b, strict=True))


def _near(one: Lattice, start: Lattice) -> bool:
    return one.value > 0.4 and _apart(one.points, start.points) < 0.6 * start.side


def corners_of(points: Points, n: int) -> list[Point]:
    """Upper left, upper right, lower right, lower left."""
    return [points[0], points[n], points[-1], points[-1 - n]]


def _upright(corners: Points) -> Points:
    """The upright square of these corners, as a screenshot has it; none where they are no such."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    left, right, top, low = (ax + dx) / 2, (bx + cx) / 2, (ay + by) / 2, (cy + dy) / 2
    off = max(abs(ax - dx), abs(bx - cx), abs(ay - by), abs(cy - dy))
    if off > 2 or abs((right - left) - (low - top)) > 3:
        return []
    return [(left, top), (right, top), (right, low), (left, low)]
