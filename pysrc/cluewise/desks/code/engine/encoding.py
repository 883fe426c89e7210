"""Codes as the kernel holds them: a byte a peg, the first peg on top, 0 for a blank.

>>> hex(pack("0011"))
'0x101020200000000'
>>> unpack(pack("0011"), 4)
'0011'
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from math import comb, perm

from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import BLANK, FEEDBACKS, SYMBOLS, Rules
from cluewise.kernel.layouts import CODE

CELLS = CODE.MAX_CELLS
"""Room for the cells of one split in kernel buffers (MAX_CELLS of code.h)."""

_TO_BYTE = {symbol: i for i, symbol in enumerate(BLANK + SYMBOLS)}
_TO_TEXT = bytes((BLANK + SYMBOLS).ljust(256, "?"), "ascii")


def pack(text: str) -> int:
    """The kernel's word of a code or guess that has passed the position's checks."""
    return int.from_bytes(bytes(_TO_BYTE[s] for s in text).ljust(8, b"\0"), "big")


def unpack(word: int, pegs: int) -> str:
    """The text of a kernel word."""
    return word.to_bytes(8, "big")[:pegs].translate(_TO_TEXT).decode("ascii")


def pack_rules(rules: Rules) -> int:
    """The rules as the kernel's one integer (RULES in code.h)."""
    flags = rules.repeat | rules.blanks << 1 | FEEDBACKS.index(rules.feedback) << 2
    return rules.pegs | rules.colours << 4 | flags << 9


def pack_guesses(guesses: Iterable[str]) -> array[int]:
    """Kernel words, `array("Q")`."""
    return array("Q", [pack(guess) for guess in guesses])


UNKNOWN = 15
"""A half of an answer that is not known, as the kernel writes it (code.h)."""


def pack_answers(clues: Iterable[Clue]) -> bytes:
    """One byte a clue: exact in the upper half, partial in the lower, 15 for what is not known."""
    halves = (clue.pair for clue in clues)
    return bytes(
        (UNKNOWN if x is None else x) << 4 | (UNKNOWN if y is None else y) for x, y in halves
    )


@cache
def count_codes(rules: Rules) -> int:
    """How many secrets the rules allow: `count_codes(Rules(4, 10, repeat=False)) == 5040`."""
    every = rules.colours**rules.pegs if rules.repeat else perm(rules.colours, rules.pegs)
    return every if rules.leading_zero else every - every // rules.colours


@cache
def count_guesses(rules: Rules) -> int:
    """How many guesses the rules allow: more than codes where blanks or a first 0 are allowed."""
    if not rules.blanks:
        return count_codes(Rules(rules.pegs, rules.colours, rules.repeat))
    if rules.repeat:
        return int((rules.colours + 1) ** rules.pegs)
    return sum(comb(rules.pegs, k) * perm(rules.colours, k) for k in range(rules.pegs + 1))


@cache
def cell_names(rules: Rules) -> tuple[str, ...]:
    """The answers in the kernel's order of cells: `("0A0B", "0A1B", …)`."""
    return tuple(map(rules.answer_name, rules.answers()))
