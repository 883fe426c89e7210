"""Recognition of a board in a picture: best-first search over lattices, then decoding by the rules.

Lattices are proposed by `pictures.finder`, first from frames, then from combs of lines. The network
reads each, and the search ends with the first one whose symbols are clear. `decode` then takes the
most probable reading with exactly one solution.

A reading has a confidence, the mean log probability of its symbols less a penalty for clashes, and
its lattice a value, the strength of its lines. All thresholds were set on photos and screenshots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.ocr import cells
from cluewise.desks.sudoku.ocr.cells import CellReadings, Reader, mean_log_likelihood
from cluewise.desks.sudoku.ocr.decode import PATIENCE, Decoded, decode, solutions
from cluewise.desks.sudoku.position import Shape
from cluewise.pictures.finder import (
    CLEAR,
    COMB,
    FIND,
    THRESHOLDS,
    Finder,
    Lattice,
    distinct,
    shifted,
)
from cluewise.pictures.image import Array, Image, Sized

SHAPES = {4: ((2, 2),), 6: ((2, 3), (3, 2)), 9: ((3, 3),), 12: ((3, 4), (4, 3)), 16: ((4, 4),)}
SIZES = (9, 16, 12, 6, 4)
# Confidences.
SURE, LIKELY = -0.03, -0.06  # ends the search; suffices not to try combs
FAIR = -0.4  # below: no board
NEARLY = -0.2  # above: solving decides whether a lattice with faint lines is a board
PLAIN = -0.12  # above: a small lattice in a clear frame may be a board
ALONE = -0.1  # above: a board is no part of a larger one
# Values of lattices.
FIRM = 0.8  # below: a frame may be distorted, so combs are tried as well
LINES, FEW_LINES, FEW = 0.6, 0.5, 0.3  # clear lines; faint lines; below: no board
UNMISTAKABLE, FEWEST_LINES = 0.95, -0.15  # ends the search; below: not read
FIRM_COMB = 0.9  # above: a comb is not tried shifted by a row or a column
# Others.
SMALL = 9  # a smaller lattice fits nearly everywhere, so it needs a frame, and clear symbols
FRAMED = ("frame", "drawn")  # lattices that begin at a frame and are not stiff
EMPTY = 0.05  # penalty of an empty row or column at the edge
SHIFTED = 9  # the fewest symbols in 81 cells of a comb that may be shifted
TRIED = 6  # lattices of one kind that are read
ENOUGH = 5000  # cells read by the network, after which no other lattice is tried
CERTAIN = 0.9  # a cell below this probability is doubtful


class Read(NamedTuple):
    """A lattice and the symbols in its cells, upright after `turn` quarters against the clock."""

    lattice: Lattice
    points: Array
    """Of the upright board, in pixels of the original picture."""
    turn: int
    seen: CellReadings
    sure: float


class Found(NamedTuple):
    """The result: the board of the picture, and how reliable it is."""

    read: Read
    shape: Shape
    decoded: Decoded
    certain: list[float]
    """The smaller of the network's and the posterior probability of every cell."""
    lattice_doubtful: bool
    own: list[int]
    """Cells whose symbols have a second colour."""

    @property
    def doubtful(self) -> list[int]:
        """Cells that should be checked: all of them where the rules do not confirm the board."""
        if self.lattice_doubtful:
            return list(range(self.shape.cells))
        return [i for i, chance in enumerate(self.certain) if chance < CERTAIN]


def read(image: Image, size: int = 0, corners: Sequence[float] = ()) -> Job[Found | None]:
    """A job: the board in a picture; None if none is found.

    `size` is the number of cells along a side, 0 if it is unknown; `corners`, x and y of four in
    pixels of the picture, were set by a person.
    """
    yield Progress(0, None, "looking for the board")
    search = Search(image, image.sized(FIND))
    given = np.array(corners).reshape(4, 2) if corners else None
    best = yield from search.best((size,) if size else SIZES, given)
    if best is None:
        return None
    shape, chances = _shape(best), best.seen.chances
    decoded = yield from decode(chances, shape)
    if decoded.solutions != 1 and not corners and (not _is_board(best) or _is_faint(best)):
        return None
    picked = chances[np.arange(shape.cells), list(decoded.cells)]
    certain: list[float] = np.minimum(picked, decoded.posterior).tolist()
    doubtful = decoded.solutions != 1 or is_doubtful(best)
    own = cells.pencilled_cells(best.seen, decoded.cells)
    return Found(best, shape, decoded, certain, doubtful, own)


class Search:
    """The search for the best lattice of one picture."""

    def __init__(self, image: Image, sought: Sized) -> None:
        self.image, self.finder, self.sought = image, Finder(sought), sought
        self.reader = Reader(image)
        self.kept: Read | None = None
        self.looked: dict[int, Lattice] = {}
        self.value = -1e9
        self.by_hand = False

    def best(self, sizes: tuple[int, ...], corners: Array | None) -> Job[Read | None]:
        """A job: the best reading; frames of every size before combs, which take longer."""
        if corners is not None:
            self.by_hand = True
            for n in sizes:
                inside = self.sought.from_original(corners)
                yield from self.look(self.finder.given(inside, n))
                if self._good():
                    break
            return self.kept
        first, *others = sizes
        if (yield from self._by_frames(first)):
            return self.kept
        if not self._fair():  # a board of that size, if badly seen, is not one of another size
            for n in others:
                if (yield from self._by_frames(n)):
                    return self.kept
        yield from self._by_combs(first)
        for n in others:
            if n < SMALL or self._good() or self._fair(ALONE) or self.reader.spent >= ENOUGH:
                break  # nine lines of twelve are a comb as well, but read badly
            yield from self._by_combs(n)
        return self.kept if self.kept and (_is_board(self.kept) or _may_be(self.kept)) else None

    def _by_frames(self, n: int) -> Job[bool]:
        """A job: whether a frame is read well; the first clear one ends the search."""
        found: list[Lattice] = []
        for sign in (1, -1):
            for step in range(len(THRESHOLDS)):
                new = self.finder.frames(n, sign, step)
                yield Progress(0, None, "looking for the board")
                found += new
                if any(one.value > CLEAR for one in new):
                    yield from self.look(distinct(new))
                    if self.kept and self.kept.sure > SURE and self._firm():
                        return True
            if any(one.value > CLEAR for one in found):
                break
        yield from self.look(distinct(found))
        return self._firm()

    def _firm(self) -> bool:
        best = self.kept
        firm = best and (best.lattice.value > FIRM or symbols_fix_lattice(best))
        return bool(firm) and self._good()

    def _by_combs(self, n: int) -> Job[None]:
        """A job: try combs of n lines, at a size at which a cell has the pixels of one of nine."""
        picture = self.image.sized(COMB * max(n, 9) / 9)
        yield from self.look((yield from self.finder.combs(picture, n)))

    def _fair(self, least: float = FAIR) -> bool:
        best = self.kept
        return bool(best and best.sure > least and best.lattice.value > LINES)

    def _good(self) -> bool:
        best = self.kept
        clear = best and best.sure > LIKELY and best.lattice.value > FEW_LINES
        return bool(best and (clear or symbols_fix_lattice(best)) and _is_board(best))

    def look(self, found: list[Lattice]) -> Job[None]:
        """A job: read the best lattices, until one is clear."""
        drawn = [one for one in found[TRIED:] if one.how == "drawn"]
        waiting = [*found[:TRIED], *drawn]
        while waiting:
            lattice = waiting.pop(0)
            if self.reader.spent >= ENOUGH:
                return
            if lattice.value <= FEWEST_LINES or id(lattice.points) in self.looked:
                continue
            self.looked[id(lattice.points)] = lattice
            one = self._read(lattice)
            if lattice.how == "comb" and lattice.value < FIRM_COMB and may_be_shifted(one):
                waiting[:0] = shifted(lattice, self.finder.width, self.finder.height)
            yield Progress(0, None, "reading the cells")
            symbols = float((one.seen.chances[:, 0] < 0.5).sum()) * 81 / lattice.n**2
            empty = _empty_edges(one)
            value = one.sure + 0.1 * min(lattice.value, 1) + 0.003 * min(symbols, 40)
            if lattice.n < SMALL and not self.by_hand and not (yield from _small_board(one)):
                continue  # its few cells may be clearer than those of the real board
            if value - EMPTY * empty > self.value:
                self.kept, self.value = one, value - EMPTY * empty
            if (
                one.sure > SURE
                and (lattice.value > LINES or symbols_fix_lattice(one))
                and not empty
            ):
                return
            if lattice.value > UNMISTAKABLE and one.sure > FAIR:
                return  # not if it is empty: the board may be next to an empty one

    def _read(self, lattice: Lattice) -> Read:
        """The reading of a lattice: upright, or if that is unsure in the clearest rotation."""
        points, turns = self.sought.to_original(lattice.points), [0]
        cells = self.reader.cut(points, lattice.n, lattice.side * self.sought.factor)
        best: Read | None = None
        for turn in turns:
            seen = self.reader.seen(cells, turn, whole=self.by_hand)
            one = Read(lattice, np.rot90(points, turn), turn, seen, confidence(seen, lattice.n))
            if best is None or one.sure > best.sure + 0.02:
                best = one
            if turn == 0 and one.sure <= SURE and lattice.value > LINES:
                turns += [1, 3, 2]
        assert best
        return best


def _is_board(one: Read) -> bool:
    """Whether this is a sudoku, not a page of a newspaper or another game."""
    lattice = one.lattice
    if lattice.n < SMALL:
        wrong = len(clashes(one.seen.raw, _shape(one)))
        clear = one.sure > 4 * SURE and lattice.value > FIRM and not wrong
        framed = one.sure > PLAIN and lattice.value > CLEAR and wrong <= 2
        many = (framed or _sharp(one)) and _many(one)
        return lattice.how in FRAMED and (clear or many)
    return one.sure > FAIR and (lattice.value > FEW or one.sure > 4 * SURE)


def _is_faint(one: Read) -> bool:
    """Whether it is so unclear that it may be a page of numbers, unless the rules confirm it.

    Of a large lattice both lines and symbols are unclear; a small one fits between lines of text,
    but then has few symbols, and unclear ones.
    """
    if one.lattice.n < SMALL:
        return one.sure <= SURE and not _many(one)
    return one.lattice.value < FEW_LINES and one.sure < NEARLY


def may_be_shifted(one: Read) -> bool:
    """Whether the board may be shifted by a row or a column: it has symbols, most of them clear."""
    cells = one.lattice.n**2
    symbols = sum(v > 0 for v in one.seen.raw)
    return symbols * 81 >= SHIFTED * cells and mean_log_likelihood(one.seen.chances) > FAIR


def _may_be(one: Read) -> bool:
    """Whether it is clear enough to be confirmed by having exactly one solution."""
    return one.sure > NEARLY if one.lattice.n >= SMALL else _sharp(one)


def _sharp(one: Read) -> bool:
    """Whether a frame, however faint, has clear symbols that do not clash."""
    lattice, shape = one.lattice, _shape(one)
    clear = one.sure > SURE and not clashes(one.seen.raw, shape)
    return clear and lattice.how in FRAMED and lattice.value > FEW


def _small_board(one: Read) -> Job[bool]:
    """A job: whether a small lattice is a board; it is solved if its lines are faint."""
    if _is_board(one):
        return True
    if not _may_be(one):
        return False
    return (yield from solutions(bytes(one.seen.raw), _shape(one), PATIENCE)) == 1


def symbols_fix_lattice(one: Read) -> bool:
    """Whether the symbols alone determine the lattice, where the lines are too faint.

    On a wrong lattice symbols are cut through, or clash, or an outermost row is empty.
    """
    if one.lattice.n < SMALL or one.sure <= SURE or _empty_edges(one):
        return False
    return _many(one) and not clashes(one.seen.raw, _shape(one))


def is_doubtful(one: Read) -> bool:
    """Whether the lattice may be wrong: faint lines, or a small one with unclear symbols.

    The boxes of a board of sixteen are a lattice of four, with several symbols in each cell.
    """
    unclear = one.lattice.n < SMALL and one.sure <= SURE
    return one.lattice.value < FEW_LINES or unclear


def _empty_edges(one: Read) -> int:
    """The number of empty outermost rows and columns of a comb: a shifted one has such a one.

    The edge of a frame is certain, so there an empty row belongs to the puzzle.
    """
    raw, n = one.seen.raw, one.lattice.n
    edges = (raw[:n], raw[-n:], raw[::n], raw[n - 1 :: n])
    combed = one.lattice.how in ("comb", "moved")
    return sum(not any(edge) for edge in edges) if combed else 0


def _many(one: Read) -> bool:
    """Whether a third of the cells have symbols, and all symbols but one occur."""
    raw, n = one.seen.raw, one.lattice.n
    return 3 * sum(v > 0 for v in raw) >= n * n and len(set(raw) - {0}) >= n - 1


def confidence(seen: CellReadings, n: int) -> float:
    """The mean log probability of the symbols, less half the share of symbols that clash."""
    raw = seen.raw
    symbols = sum(v > 0 for v in raw)
    if symbols * 81 < 14 * n * n:
        return -9.0
    clashing = min(len(clashes(raw, Shape(*box))) for box in SHAPES[n])
    return mean_log_likelihood(seen.chances) - 0.5 * clashing / symbols


def clashes(cells: list[int], shape: Shape) -> set[int]:
    """The cells whose symbol occurs again in their row, column or box."""
    found: set[int] = set()
    for house in chain(*shape.houses()):
        counts = Counter(cells[cell] for cell in house)
        found.update(cell for cell in house if cells[cell] and counts[cells[cell]] > 1)
    return found


def _shape(best: Read) -> Shape:
    """Of two box shapes the one with fewer clashes, then the one whose lines are stronger."""
    n = best.lattice.n
    lines = best.lattice.lines or (0.0,) * (2 * n + 2)
    upright, level = lines[: n + 1], lines[n + 1 :]
    if best.turn % 2:
        upright, level = level, upright

    def strength(box: tuple[int, int]) -> float:
        rows, cols = box
        inner = [upright[k] for k in range(cols, n, cols)], [level[k] for k in range(rows, n, rows)]
        return sum(sum(one) / len(one) for one in inner)

    boxes = SHAPES[n]
    return Shape(*min(boxes, key=lambda b: (len(clashes(best.seen.raw, Shape(*b))), -strength(b))))
