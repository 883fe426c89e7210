"""The chances of every symbol in every cell, from a lattice and the net."""

from __future__ import annotations

from math import exp
from statistics import median
from typing import NamedTuple

from cluewise.desks.sudoku.picture.image import Image, Points, flat, paired
from cluewise.errors import HostFailure
from cluewise.kernel.call import kernel
from cluewise.kernel.files import read

SIDE, CLASSES, FACTS, WEIGHTS = 24, 17, 8, 51_901
_NAME = "sudoku digits"
_WORK = 72 << 10
Colour = tuple[float, float, float]
SMALL_G = 16  # the symbol g: as a small letter a 9 that hangs below the line
HANGS, SPREAD = 0.27, 0.06  # how low it hangs, how much symbols vary, in heights of a digit
CLEAR, FEWEST = 0.9, 8  # a digit that tells where the line is; how many must


class Seen(NamedTuple):
    """What stands in the cells: chances of blank and of every symbol, cell by cell; colours."""

    chances: list[list[float]]
    ink: list[Colour]
    paper: list[Colour]
    strength: list[float]

    @property
    def raw(self) -> list[int]:
        """The likeliest symbol of every cell, whatever the rules say; 0 is blank."""
        return [max(range(len(p)), key=p.__getitem__) for p in self.chances]


def weights() -> int:
    """Where the net's numbers lie; its file is read once, when first asked for."""
    kept = kernel().kept
    if _NAME not in kept:
        _, _, data = read("cluewise.desks.sudoku", "digits.bin").partition(b"\n")
        frame = kernel().frame()
        at = frame.reserve(4 * WEIGHTS)
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

    def seen(self, points: Points, n: int, side: float) -> Seen:
        """What stands in the cells of a lattice, its points and its cell's side in pixels."""
        longer = max(self.image.width, self.image.height)
        picture, many = self.image.sized(longer * min(1.0, 1.3 * SIDE / side)), n * n
        with kernel().frame() as frame:
            at = frame.put(flat(picture.inward(points)))
            ink, facts = frame.reserve(4 * SIDE**2 * many), frame.reserve(4 * FACTS * many)
            sizes = (picture.width, picture.height)
            frame.call("sudoku_picture_cells", picture.rgb, *sizes, n, at, ink, facts)
            told = frame.get(facts, "f", FACTS * many).tolist()
            strength = told[::FACTS]
            place = min(many - 1, round(self.least * many / 81))
            scale = max(0.0, sorted(strength, reverse=True)[place])
            frame.call("sudoku_picture_normal", ink, facts, many, scale)
            out, reach = frame.reserve(4 * CLASSES * many), frame.reserve(8 * many)
            frame.call("sudoku_picture_net", weights(), ink, many, out, frame.reserve(_WORK))
            scores = frame.get(out, "f", CLASSES * many).tolist()
            frame.call("sudoku_picture_reach", ink, many, reach)
            ends = paired(frame.get(reach, "f", 2 * many))
        rows = [scores[i : i + CLASSES] for i in range(0, len(scores), CLASSES)]
        facts_of = [told[i : i + FACTS] for i in range(0, len(told), FACTS)]
        chances = [_chances(row[: n + 1]) for row in rows]
        return Seen(
            hung(chances, ends) if n >= SMALL_G else chances,
            [(f[1], f[2], f[3]) for f in facts_of],
            [(f[4], f[5], f[6]) for f in facts_of],
            strength,
        )


def hung(chances: list[list[float]], ends: Points) -> list[list[float]]:
    """The chances, after how far down each symbol stands: a small g is a 9 that hangs.

    `ends` are the upper and the lower end of every cell's ink, in any unit. Of the letters half may
    be large ones, which stand on the line. Where the digits themselves stand at different heights
    (some fonts have such) nothing is told by it, and the chances stay as they are.
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
