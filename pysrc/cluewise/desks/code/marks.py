"""Answers of `order` feedback: a mark a peg, 2 right place, 1 right colour elsewhere, 0 neither.

>>> marks("0112", "1022")
'1102'
"""

from __future__ import annotations


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
