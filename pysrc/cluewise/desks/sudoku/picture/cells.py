"""The chances of every symbol in every cell, from a lattice and the net."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from cluewise.desks.sudoku.picture.image import Image, Points, flat
from cluewise.errors import HostFailure
from cluewise.kernel.call import kernel
from cluewise.kernel.files import read

SIDE, CLASSES, FACTS, WEIGHTS = 24, 17, 8, 51_901
_NAME = "sudoku digits"
_WORK = 72 << 10
Colour = tuple[float, float, float]


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
            out = frame.reserve(4 * CLASSES * many)
            frame.call("sudoku_picture_net", weights(), ink, many, out, frame.reserve(_WORK))
            scores = frame.get(out, "f", CLASSES * many).tolist()
        rows = [scores[i : i + CLASSES] for i in range(0, len(scores), CLASSES)]
        facts_of = [told[i : i + FACTS] for i in range(0, len(told), FACTS)]
        return Seen(
            [_chances(row[: n + 1]) for row in rows],
            [(f[1], f[2], f[3]) for f in facts_of],
            [(f[4], f[5], f[6]) for f in facts_of],
            strength,
        )


def _chances(scores: list[float]) -> list[float]:
    most = max(scores)
    parts = [exp(s - most) for s in scores]
    total = sum(parts)
    return [p / total for p in parts]
