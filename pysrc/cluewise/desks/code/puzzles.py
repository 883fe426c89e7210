"""The known games by name, and positions with known facts."""

from __future__ import annotations

from dataclasses import dataclass

from cluewise.desks.code.position import Clue, Position, Rules

GAMES = {
    "Mastermind": Rules(4, 6),
    "Super Mastermind": Rules(5, 8),
    "Mini Mastermind": Rules(3, 4),
    "Mastermind with eight colours": Rules(4, 8),
    "Grand Mastermind": Rules(6, 10),
    "Bulls & Cows": Rules(4, 10, repeat=False),
    "Bulls & Cows with five digits": Rules(5, 10, repeat=False),
}
"""Rules by the names people know them by."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position worth looking at, and in a sentence what it shows."""

    title: str
    shows: str
    position: Position


def _example(title: str, shows: str, rules: Rules, *clues: Clue) -> Example:
    return Example(title, shows, Position(rules, clues))


EXAMPLES = (
    _example(
        "A middle game",
        "208 codes are left and 1296 guesses are 39 different questions.",
        GAMES["Mastermind"],
        Clue("0011", 1, 1),
    ),
    _example(
        "Chain and join differ",
        "After 0011 0A0B two filters in a row keep 18 guesses, the exact join 17: 0002 is the "
        "same question as 1112 by excluded colours, and 1112 the same as 0200 by symmetry.",
        GAMES["Mastermind"],
        Clue("0011", 0, 0),
    ),
    _example(
        "Bulls & Cows, chain and join",
        "The chain keeps 7 guesses, the join 6: 0124, 1324 and 0412 are one question.",
        GAMES["Bulls & Cows"],
        Clue("0123", 0, 0),
        Clue("1032", 0, 0),
    ),
    _example(
        "As open as it gets",
        "After a first guess in Bulls & Cows at most 1440 codes are left: with 0A1B.",
        GAMES["Bulls & Cows"],
        Clue("0123", 0, 1),
    ),
    _example(
        "Each clue follows from the others",
        "1234, 3456 and 1256 without a match: each of the three adds nothing to the other two.",
        Rules(4, 7),
        Clue("1234", 0, 0),
        Clue("3456", 0, 0),
        Clue("1256", 0, 0),
    ),
    _example(
        "A misheard answer",
        "No code fits; the desk names the rows to doubt and what each may have been.",
        GAMES["Mastermind"],
        Clue("0011", 1, 1),
        Clue("0203", 0, 2),
        Clue("1234", 4, 0),
    ),
)
