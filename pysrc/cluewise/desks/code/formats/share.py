"""A game to tell others: how it went, row by row, without a guess or the code.

>>> print(write_share(Position(clues=(Clue("0011", 1, 2), Clue("2345", 4, 0)))), end="")
Mastermind: 2 guesses
⚫⚪⚪·
⚫⚫⚫⚫
"""

from __future__ import annotations

from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import GAMES, Position

_EXACT, _PARTIAL, _NEITHER, _UNTOLD = "⚫", "⚪", "·", "?"


def write_share(position: Position, given: float | None = None) -> str:
    """The game's name, its number of guesses, a row of pins an answer; what was given away."""
    names = {rules: name for name, rules in GAMES.items()}
    name = names.get(position.rules, f"Code breaking ({position.rules.name})")
    clues = [position.clues[i] for i in position.counted()]
    made = f"{len(clues)} guess{'' if len(clues) == 1 else 'es'}"
    end = "" if position.is_solved() else ", not found"
    lines = [f"{name}: {made}{end}", *(pins(clue, position.rules.pegs) for clue in clues)]
    if given is not None:
        lines.append(f"{given:.2f} guesses given away")
    return "".join(line + "\n" for line in lines)


def pins(clue: Clue, pegs: int) -> str:
    """An answer as pins, right places first, marks in their order; `?` for what is not known."""
    if clue.marks is not None:
        return clue.marks.translate(str.maketrans("210", _EXACT + _PARTIAL + _NEITHER))
    if clue.sum is not None:
        return (_EXACT if clue.won else _PARTIAL) * clue.sum + _NEITHER * (pegs - clue.sum)
    exact, partial = clue.exact or 0, clue.partial or 0
    open_end = clue.exact is None or clue.partial is None
    rest = pegs - exact - partial
    return _EXACT * exact + _PARTIAL * partial + (_UNTOLD if open_end else _NEITHER) * rest
