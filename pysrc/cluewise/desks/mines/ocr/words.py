"""Numbers in a screenshot: connected components, grouped into words and classified."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from cluewise.desks.mines.arrangement import Form
from cluewise.kernel.files import read
from cluewise.pictures.image import Array
from cluewise.pictures.network import CHARACTERS, INKED, Glyphs, features
from cluewise.pictures.tiles import parts_of

GAP = 0.5  # of the characters' height, between two characters of a number
SURE = 0.9  # the chance of every character of a number that needs no look
_NUMBER = re.compile(r"(?P<brace>\{)?(?P<dash>-)?(?P<number>\d{1,3})(?(brace)\}|(?(dash)-|))")


class Word(NamedTuple):
    """Adjacent characters."""

    text: str
    """In CHARACTERS."""
    chance: float
    """The chance that the least certain character was read right."""
    box: tuple[float, float, float, float]
    """Top, left, bottom and right in pixels."""

    @property
    def middle(self) -> tuple[float, float]:
        """Return x and y of the middle."""
        top, left, bottom, right = self.box
        return float(left + right - 1) / 2, float(top + bottom - 1) / 2

    @property
    def number(self) -> int | None:
        """Return the number; None for a `?` and other text."""
        found = _NUMBER.fullmatch(self.text)
        return int(found["number"]) if found else None

    @property
    def form(self) -> Form | None:
        """Return the form that the marks around the number denote."""
        found = _NUMBER.fullmatch(self.text)
        if found is None:
            return None
        return "together" if found["brace"] else "apart" if found["dash"] else None


@cache
def _glyphs() -> Glyphs:
    return Glyphs(read("cluewise.desks.mines", "glyphs.bin"))


def find_words(ink: Array, least: float, most: float) -> list[Word]:
    """Return the words in a plane of ink whose characters are `least` to `most` pixels high."""
    parts = parts_of(ink > INKED)
    boxes = [tuple(box) for box in parts.boxes[parts.areas > 1].tolist()]
    lines = _lines(_joined(boxes, least), least, most)
    flat = [box for line in lines for box in line]
    if not flat:
        return []
    chances = _glyphs().chances(features(ink, np.array(flat)))
    classes, sure = chances.argmax(1).tolist(), chances.max(1).tolist()
    words, at = [], 0
    for line in lines:
        here = range(at, at + len(line))
        at += len(line)
        top, left, bottom, right = zip(*line, strict=True)
        words.append(
            Word(
                "".join(CHARACTERS[classes[k]] for k in here),
                min(sure[k] for k in here),
                (min(top), min(left), max(bottom), max(right)),
            )
        )
    return words


Box = tuple[int, int, int, int]


def _joined(boxes: list[Box], least: float) -> list[Box]:
    """Merge the components of a character that lie one above the other, such as those of a `?`."""
    boxes = sorted(boxes, key=lambda box: (box[0], box[1]))
    out: list[Box] = []
    for box in boxes:
        for k, other in enumerate(out):
            width = min(box[3] - box[1], other[3] - other[1])
            overlap = min(box[3], other[3]) - max(box[1], other[1])
            tall = max(box[2] - box[0], other[2] - other[0], least)
            if 2 * overlap > width and -1 <= box[0] - other[2] < 0.4 * tall:
                out[k] = (other[0], min(box[1], other[1]), box[2], max(box[3], other[3]))
                break
        else:
            out.append(box)
    return out


def _lines(boxes: list[Box], least: float, most: float) -> list[list[Box]]:
    """Return the characters of every word, from the left."""
    fits = [b for b in boxes if b[2] - b[0] <= most and b[3] - b[1] <= 3 * most]
    tall = [b for b in fits if b[2] - b[0] >= least]
    dashes = [b for b in fits if b[2] - b[0] < least / 2 and b[3] - b[1] >= least / 3]
    lines: list[list[Box]] = []
    for box in sorted(tall + dashes, key=lambda b: b[1]):
        for line in lines:
            last = line[-1]
            height = max(last[2] - last[0], box[2] - box[0])
            overlap = min(last[2], box[2]) - max(last[0], box[0])
            short = min(last[2] - last[0], box[2] - box[0])
            if 0.6 * short < overlap and box[1] - last[3] < GAP * height:
                line.append(box)
                break
        else:
            lines.append([box])
    return [line for line in lines if any(b in tall for b in line)]
