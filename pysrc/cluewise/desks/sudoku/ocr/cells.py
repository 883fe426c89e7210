"""The chances of every symbol in every cell, from a lattice and the net."""

from __future__ import annotations

from math import exp, log
from statistics import median
from typing import NamedTuple

from cluewise.desks.sudoku.ocr.image import Image, Points, flat, paired
from cluewise.errors import HostFailure
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.files import read

SIDE, CLASSES, FACTS, NET = 24, 17, 8, 126_864
_NAME = "sudoku digits"
_WORK = 72 << 10
Colour = tuple[float, float, float]
SMALL_G = 16  # the symbol g: as a small letter a 9 that hangs below the line
HANGS, SPREAD = 0.27, 0.06  # how low it hangs, how much symbols vary, in heights of a digit
CLEAR, FEWEST = 0.9, 8  # a digit that locates the line; how many must
STEP = 29  # cells are read in such steps, round and round: the first third lie all over the board
LEAST, ALL = 14, 81  # cells of so many that hold a symbol at least, or it is no board
SCANT = 0.4  # of them in three times the first third: below that the others are not read
UNSEEN = 1e-9  # the chance of every symbol where a cell's middle has no ink
PATTERN, PATTERNS = 0.95, 8  # a symbol that others are held against; pairs that tell how alike
SLACK, WEIGHT, MOST = 0.01, 40.0, 2.0  # less alike than pairs are, nats for each 1 of it, nats


class CellReadings(NamedTuple):
    """What stands in the cells: chances of blank and of every symbol, cell by cell; colours."""

    chances: list[list[float]]
    ink: list[Colour]
    paper: list[Colour]
    strength: list[float]

    @property
    def raw(self) -> list[int]:
        """The likeliest symbol of every cell, whatever the rules say; 0 is blank."""
        return [p.index(max(p)) for p in self.chances]


def mean_log_likelihood(chances: list[list[float]]) -> float:
    """The mean log chance of what is likeliest, cell by cell."""
    return sum(map(log, map(max, chances))) / len(chances)


def weights() -> int:
    """Where the net's numbers lie; its file is read once, when first asked for."""
    kept = kernel().kept
    if _NAME not in kept:
        _, _, data = read("cluewise.desks.sudoku", "digits.bin").partition(b"\n")
        frame = kernel().frame()
        at = frame.reserve(NET)
        try:
            frame.call("sudoku_picture_net_read", frame.put(data), len(data), at)
        except Exception:
            frame.__exit__(None, None, None)
            raise HostFailure("The file of the digits' net is damaged.") from None
        kept[_NAME] = at
    found: int = kept[_NAME]
    return found


class Reader:
    """Reads cells of one picture, at a size at which a cell is a little over SIDE pixels."""

    def __init__(self, image: Image, least: int) -> None:
        """`least`: as many cells at least hold a symbol, so the ink of that many is the scale."""
        self.image, self.least = image, least
        self.spent = 0
        """How many cells the net has read."""

    def seen(self, points: Points, n: int, side: float, *, whole: bool = False) -> CellReadings:
        """What stands in the cells of a lattice, its points and its cell's side in pixels.

        Where it is clear early that these are no board's cells, which hold some symbols, the rest
        counts as blank; not so if it is to be read `whole`.
        """
        longer = max(self.image.width, self.image.height)
        picture, many = self.image.sized(longer * min(1.0, 1.3 * SIDE / side)), n * n
        with kernel().frame() as frame:
            at = frame.put(flat(picture.inward(points)))
            ink, facts = frame.reserve(4 * SIDE**2 * many), frame.reserve(4 * FACTS * many)
            sizes = (picture.width, picture.height)
            frame.call("sudoku_picture_cells", picture.rgb, *sizes, n, at, ink, facts)
            values = frame.get(facts, "f", FACTS * many).tolist()
            strength = values[::FACTS]
            place = min(many - 1, round(self.least * many / 81))
            scale = max(0.0, sorted(strength, reverse=True)[place])
            frame.call("sudoku_picture_normal", ink, facts, many, scale)
            cells = Cells(frame, ink, many, n + 1)
            chances = cells.chances(whole=whole)
            self.spent += cells.spent
            chances = cells.compared(
                apply_baseline_offsets(chances, cells.ends()) if n >= SMALL_G else chances
            )
        facts_of = [values[i : i + FACTS] for i in range(0, len(values), FACTS)]
        return CellReadings(
            chances,
            [(f[1], f[2], f[3]) for f in facts_of],
            [(f[4], f[5], f[6]) for f in facts_of],
            strength,
        )


class Cells:
    """Normalised cells in the kernel's memory, and what the net makes of them."""

    def __init__(self, frame: Frame, ink: int, many: int, classes: int) -> None:
        """`ink`: where they lie; `classes`: how many of the net's are looked at, blank first."""
        self.frame, self.ink, self.many, self.classes = frame, ink, many, classes
        self.spent = 0
        self._scores = frame.reserve(4 * CLASSES * many)
        self._work = frame.reserve(_WORK)

    def chances(self, *, whole: bool) -> list[list[float]]:
        """The chances of blank and of every symbol; the net reads no cell without ink."""
        marks = self.frame.reserve(self.many)
        self.frame.call("sudoku_picture_inked", self.ink, self.many, marks)
        inked = self.frame.get(marks, "B", self.many)
        order = [i * STEP % self.many for i in range(self.many)]
        order = [i for i in order if inked[i]]
        blank = [1 - UNSEEN * (self.classes - 1), *[UNSEEN] * (self.classes - 1)]
        out = [blank] * self.many
        least = LEAST * self.many / ALL
        if not whole and len(order) < least:
            return out
        third = -(-len(order) // 3)
        self._read(order[:third], out)
        if whole or 3 * sum(out[i][0] < max(out[i]) for i in order[:third]) >= SCANT * least:
            self._read(order[third:], out)
        return out

    def _read(self, which: list[int], out: list[list[float]]) -> None:
        """Put the chances of these cells into `out`."""
        self.spent += len(which)
        put = self.frame.put(bytes(which))
        self.frame.call("sudoku_picture_net", weights(), self.ink, self.many, put, len(which),
                        self._scores, self._work)  # fmt: skip
        scores = self.frame.get(self._scores, "f", CLASSES * len(which)).tolist()
        for k, i in enumerate(which):
            out[i] = _chances(scores[CLASSES * k : CLASSES * k + self.classes])

    def ends(self) -> Points:
        """The upper and the lower end of every cell's ink."""
        reach = self.frame.reserve(8 * self.many)
        self.frame.call("sudoku_picture_reach", self.ink, self.many, reach)
        return paired(self.frame.get(reach, "f", 2 * self.many))

    def compared(self, chances: list[list[float]]) -> list[list[float]]:
        """The chances, after how little an unclear symbol looks like the clear ones of the board.

        A board's symbols are of one print: what is less like every clear 1 than clear symbols of
        a kind are like each other is hardly a 1. Nothing is concluded where no kind is clear twice.
        """
        raw = [p.index(max(p)) for p in chances]
        unclear = [i for i, p in enumerate(chances) if raw[i] and max(p) < CLEAR]
        clear = [i for i, p in enumerate(chances) if raw[i] and max(p) > PATTERN]
        kinds = [raw[i] for i in clear]
        pairs = [i for i in clear if kinds.count(raw[i]) > 1][:PATTERNS]
        if not unclear or not pairs or len(unclear) > len(clear):
            return chances
        usual = min(
            max(like for like, j in zip(row, clear, strict=True) if j != i and raw[j] == raw[i])
            for i, row in zip(pairs, self._alike(pairs, clear), strict=True)
        )
        out = chances.copy()
        for i, row in zip(unclear, self._alike(unclear, clear), strict=True):
            nearest: dict[int, float] = {}
            for like, kind in zip(row, kinds, strict=True):
                nearest[kind] = max(like, nearest.get(kind, -1.0))
            out[i] = _less(chances[i], nearest, usual - SLACK)
        return out

    def _alike(self, these: list[int], those: list[int]) -> list[list[float]]:
        count = len(these) * len(those)
        out = self.frame.reserve(4 * count)
        cells = [x for one in (these, those) for x in (self.frame.put(bytes(one)), len(one))]
        self.frame.call("sudoku_picture_alike", self.ink, self.many, *cells, out)
        found = self.frame.get(out, "f", count).tolist()
        return [found[k : k + len(those)] for k in range(0, count, len(those))]


def _less(chances: list[float], nearest: dict[int, float], usual: float) -> list[float]:
    """Less of the kinds whose clear symbols look less like it than `usual`."""
    out = chances.copy()
    for kind, like in nearest.items():
        out[kind] *= exp(-min(MOST, WEIGHT * max(0.0, usual - like)))
    total = sum(out)
    return [p / total for p in out]


def apply_baseline_offsets(chances: list[list[float]], ends: Points) -> list[list[float]]:
    """The chances, after how far down each symbol stands: a small g is a 9 that hangs.

    `ends` are the upper and the lower end of every cell's ink, in any unit. Of the letters half may
    be large ones, which stand on the line. Where the digits themselves stand at different heights
    (some fonts have such) it says nothing, and the chances stay as they are.
    """
    clear = [
        end for p, end in zip(chances, ends, strict=True) if max(p[1 : SMALL_G // 2 + 1]) > CLEAR
    ]
    if len(clear) < FEWEST:
        return chances
    line = median(a + b for a, b in clear) / 2
    tall = median(b - a for a, b in clear)
    off = [((a + b) / 2 - line) / tall for a, b in ends] if tall > 0 else []
    own = sorted(abs((a + b) / 2 - line) for a, b in clear)
    if not off or own[len(own) * 9 // 10] > HANGS / 2 * tall:
        return chances
    return [_weighed(p, low) if p[0] < 0.5 else p for p, low in zip(chances, off, strict=True)]


def _weighed(chances: list[float], low: float) -> list[float]:
    """How much likelier g is, that many heights below the line: two Gauss curves, side by side."""
    for_it = (low**2 - (low - HANGS) ** 2) / (2 * SPREAD**2)
    out = chances.copy()
    out[SMALL_G] *= (1 + exp(min(for_it, 12.0))) / 2
    total = sum(out)
    return [p / total for p in out]


def _chances(scores: list[float]) -> list[float]:
    most = max(scores)
    parts = [exp(s - most) for s in scores]
    total = sum(parts)
    return [p / total for p in parts]
