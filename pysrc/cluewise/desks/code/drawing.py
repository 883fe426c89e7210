"""The rows as a drawing, as the page's picture of the desk has them (web/desks/code/picture.ts)."""

from __future__ import annotations

import unicodedata

from cluewise.core.svg import INK, LINE_STRONG, ON_DARK, ON_LIGHT, PEGS, drawing, element, text
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position

STEP = 44
_SYMBOLS = "0123456789abcdef"
_LIGHT = {3, 9, 11, 12, 14}  # hues that want dark text
# The hue of a colour's name, letter or emoji.
_HUES = {
    word: hue
    for hue, words in {
        0: "blue b 🔵 🟦 💙", 1: "red r 🔴 🟥 ❤", 2: "green g 🟢 🟩 💚",
        3: "yellow y 🟡 🟨 💛 gold amber", 4: "purple p violet v 🟣 🟪 💜", 5: "grey gray",
        6: "pink magenta m crimson", 7: "cyan c teal t turquoise aqua", 8: "brown n 🟤 🟫 🤎 tan",
        9: "white w silver s ⚪ ⬜ 🤍", 10: "navy indigo i", 11: "lime l olive",
        12: "orange o 🟠 🟧 🧡", 13: "black k ⚫ ⬛ 🖤", 15: "maroon",
    }.items()
    for word in words.split()
}  # fmt: skip
_INITIALS = {0: "B", 1: "R", 2: "G", 3: "Y", 4: "P", 8: "N", 9: "W", 12: "O", 13: "K"}


def svg(position: Position) -> str:
    """Every row with its answer, from the first; rows left out of account are pale."""
    width = position.rules.pegs * STEP + 120
    height = len(position.clues) * STEP + 24
    rows = [_row(position, i, clue) for i, clue in enumerate(position.clues)]
    return drawing(rows, (0, 0, width, max(height, STEP)), font_size=15, font_weight=650)


def _row(position: Position, i: int, clue: Clue) -> str:
    y = 8 + i * STEP + STEP / 2
    pegs = [_peg(s, 37 + p * STEP, y, position.signs) for p, s in enumerate(clue.guess)]
    answer = text(clue.answer, 30 + position.rules.pegs * STEP, y + 6, fill=INK)
    return element("g", *pegs, answer, opacity=0.4 if clue.ignored else 1)


def _peg(symbol: str, x: float, y: float, signs: tuple[str, ...]) -> str:
    hue = hue_of(symbol, signs)
    if symbol == ".":
        return element("circle", cx=x, cy=y, r=17, fill="none", stroke=LINE_STRONG)
    disc = element("circle", cx=x, cy=y, r=17, fill=PEGS[hue])
    ink = ON_LIGHT if hue in _LIGHT else ON_DARK
    label = label_of(symbol, signs)
    return disc + text(label, x, y + 17 / 3, fill=ink, text_anchor="middle")


def hue_of(symbol: str, signs: tuple[str, ...]) -> int:
    """The number of the palette that a symbol's peg has: `hue_of("1", ("R", "G")) == 2`."""
    place = max(0, _SYMBOLS.find(symbol))
    known = [_HUES.get(sign.lower()) for sign in signs]
    in_order = list(signs) == list("ABCDEFGHIJKLMNOP"[: len(signs)])
    if in_order or None in known or len(set(known)) < len(known) or place >= len(known):
        return place
    hue = known[place]
    return place if hue is None else hue


def label_of(symbol: str, signs: tuple[str, ...]) -> str:
    """What stands on a peg: the sign itself, a colour's initial, or a name's first letters."""
    place = _SYMBOLS.find(symbol)
    sign = signs[place] if 0 <= place < len(signs) else symbol
    if unicodedata.category(sign[0]) in ("So", "Sk"):
        hues = {_HUES.get(s) for s in signs}
        hue = _HUES.get(sign)
        return _INITIALS.get(hue, sign) if len(hues) == len(signs) and hue is not None else sign
    if len(sign) < 2 or not sign.isalpha():
        return sign
    alone = sum(s[0] == sign[0] for s in signs) == 1
    short = sign[0] if alone else sign[:2]
    return short[0].upper() + short[1:]
