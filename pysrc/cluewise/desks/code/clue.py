"""Clues: a guess and its answer, and their text, `Clue.parse(text)` and `str(clue)`.

Answers of `order` feedback are marks: 2 right place, 1 right colour elsewhere, 0 neither.

>>> marks("0112", "1022")
'1102'
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

from cluewise.errors import BadNotation

MOST_PEGS = 8
_GUESS, _IGNORED = r"([0-9a-f.]{1,8})\s+", r"(\s*\(ignored\))?"
_PAIR = re.compile(rf"{_GUESS}(\d|\?)A(\d|\?)B{_IGNORED}")
_ROWS = {
    "order": re.compile(rf"{_GUESS}([012]+){_IGNORED}"),
    "sum": re.compile(rf"{_GUESS}(\d)(!)?{_IGNORED}"),
}


class Clue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guess and its answer: `Clue("0011", 1, 2)`; an `ignored` clue counts nowhere.

    A half of the answer that is not known is None: `Clue("0011", 2, None)` is 2 in the right place
    and any number of misplaced ones. Under `order` feedback the answer is `marks`, under `sum` it
    is `sum`, and `exact` is None.
    """

    guess: Annotated[str, msgspec.Meta(max_length=64)]
    """A symbol a peg: 0-9, then a-f; `.` is a blank."""
    exact: int | None
    """Right colour in the right place; null: not known."""
    partial: int | None = 0
    """Right colour elsewhere; null: not known."""
    ignored: bool = False
    """The clue counts nowhere, as if it were not there."""
    marks: Annotated[str, msgspec.Meta(max_length=MOST_PEGS)] | None = None
    """`order`: a mark a peg: 2 right place, 1 right colour elsewhere, 0 neither."""
    sum: int | None = None
    """`sum`: how many colours match, wherever they are."""
    won: bool = False
    """`sum`: the guess is the secret."""

    @classmethod
    def parse(cls, text: str, feedback: str = "full") -> Clue:
        """Read a clue as `str` writes it; rows of other notations are for `formats.rows`.

        >>> Clue.parse("0011 1A2B") == Clue("0011", 1, 2), str(Clue.parse("012 021", "order"))
        (True, '012 021')

        :raises BadNotation: where the text is not a guess and an answer of that kind.
        """
        match = _ROWS.get(feedback, _PAIR).fullmatch(text.strip())
        if match is None or (feedback == "order" and len(match[1]) != len(match[2])):
            raise BadNotation(f"{text!r} is not a clue such as 0011 1A2B.")
        guess, *said, ignored = match.groups()
        if feedback == "order":
            return cls(guess, None, ignored=bool(ignored), marks=said[0])
        if feedback == "sum":
            return cls(guess, None, ignored=bool(ignored), sum=int(said[0]), won=bool(said[1]))
        exact, partial = (None if half == "?" else int(half) for half in said)
        return cls(guess, exact, partial, bool(ignored))

    def __str__(self) -> str:
        return f"{self.guess} {self.answer}{' (ignored)' if self.ignored else ''}"

    @property
    def answer(self) -> str:
        """The answer as text: `"1A2B"`, `"1A?B"` where a half is not known, marks, or a sum."""
        if self.marks is not None:
            return self.marks
        if self.sum is not None:
            return f"{self.sum}{'!' if self.won else ''}"
        return answer_text(self.exact, self.partial)

    @property
    def pair(self) -> tuple[int | None, int | None]:
        """The answer as the engine has it: see `Rules.answers`; None is a half not known."""
        if self.marks is not None:
            return divmod(int(self.marks, 3), 9)
        if self.sum is not None:
            return (len(self.guess), 0) if self.won else (0, self.sum)
        return self.exact, self.partial

    @property
    def is_win(self) -> bool:
        """Whether the answer says that the guess is the secret."""
        full = self.marks == "2" * len(self.guess) if self.marks is not None else self.won
        return full or self.exact == len(self.guess)

    def agrees(self, full: tuple[int, int]) -> bool:
        """Whether a whole answer has the halves that the clue gives."""
        exact, partial = self.pair
        return exact in (None, full[0]) and partial in (None, full[1])


def answer_text(exact: int | None, partial: int | None) -> str:
    """The usual text of an answer: `answer_text(1, 2) == "1A2B"`; what is not known is `?`."""
    return f"{'?' if exact is None else exact}A{'?' if partial is None else partial}B"


def marks_text(pair: tuple[int | None, int | None], pegs: int) -> str:
    """The marks that a pair of order feedback stands for: `marks_text((0, 5), 3) == "012"`."""
    number = 9 * (pair[0] or 0) + (pair[1] or 0)
    return "".join(str(number // 3**place % 3) for place in reversed(range(pegs)))


def is_lone(marks: str) -> bool:
    """Whether the marks put one peg in a wrong place and all others in right ones."""
    return marks.count("1") == 1 and marks.count("2") == len(marks) - 1


def marks(guess: str, secret: str) -> str:
    """A mark a peg; copies of a colour are used up by right places, then from the left."""
    left = [b for a, b in zip(guess, secret, strict=True) if a != b]
    made = ""
    for a, b in zip(guess, secret, strict=True):
        near = a != b and a in left
        if near:
            left.remove(a)
        made += "2" if a == b else "1" if near else "0"
    return made


def marks_error(given: str | None, pegs: int, ignored: bool) -> str | None:
    """Why a clue cannot have these marks, as a sentence; an ignored clue may have lone ones."""
    if given is None:
        return 'Missing field "marks", for example "021".'
    if len(given) != pegs or set(given) - set("012"):
        meaning = "2 right place, 1 elsewhere, 0 neither"
        return f"Marks are {pegs} digits: {meaning}; not {given!r}."
    if is_lone(given) and not ignored:
        return f"{given} cannot be: the peg marked 1 has nowhere else to go."
    return None
