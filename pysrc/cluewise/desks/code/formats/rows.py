"""One row of a pasted game: where its guess begins, what it shows, what it was answered.

>>> read_line(Rules(), "3) 0 0 1 1 -> 1 bull, 2 cows")
Clue(guess='0011', exact=1, partial=2, ignored=False, marks=None, sum=None, won=False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.answers import PLAIN, NotationStyle, answer_begins, read_answer
from cluewise.desks.code.formats.colour_names import plain_sign, read_colours
from cluewise.desks.code.position import BLANK, SYMBOLS, Rules, answer_error, guess_error

MOST_LETTERS = 400
"""A line with more letters than that is no row of a game; it also bounds the patterns' work."""

_IGNORED = re.compile(r"[\s,;]*\(?\s*ignored?\s*\)?\s*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:(?:guess|row|turn|try|move|round|line|attempt)\s*(?:no\.?)?\s*#?\s*\d{1,3}\s*[.:)\]-]?\s+"
    r"|(?:(?:your|my|enter|player|you)\s+)?(?:guess(?:es)?|you|try|code|input|player)\s*[:=>]\s*"
    r"|[\w ]{0,16}[>$]\s*"
    r"|[#(\[]?\s*[1-9]\d{0,2}\s*[.:)\]]\s*|#[1-9]\d{0,2}\s+)",
    re.IGNORECASE,
)
_PERHAPS_NUMBERED = re.compile(r"[1-9]\d{0,2}\s+(?:\|\s*)?(?=[0-9a-z._]{2})", re.IGNORECASE)
_INDENT = re.compile(r"[\s|*•]*")
_GLUED = re.compile(r"\d?a\d?b?|\da\db|[bwxo]+")


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a line is no row, and the column (from 1) where something else was expected."""

    why: str
    column: int


def read_line(
    rules: Rules, line: str, signs: Sequence[str] = (), style: NotationStyle = PLAIN
) -> Clue | Unread:
    """The clue of one line, or why there is none and where.

    `0011 1A2B`, `0011: 1 2`, `0,0,1,1 = 1/2`, `#3 0011 → 1 bull, 2 cows`, `0011 bww` all read; with
    `signs` the guess shows these, as in `RGBY ++-`.
    """
    if len(line) > MOST_LETTERS:
        return Unread(f"A row has at most {MOST_LETTERS} letters.", MOST_LETTERS + 1)
    ignored = _IGNORED.search(line)
    if ignored:
        line = line[: ignored.start()]
    reasons: list[Unread] = []
    for start in starts_of(line):
        read = _read_from(rules, line, start, signs, style)
        if isinstance(read, tuple):
            return rules.clue(read[0], read[1:], bool(ignored))
        reasons.append(read)
    return reasons[0]


def starts_of(line: str) -> Iterator[int]:
    """Where the guess may begin, likeliest first: at once, or behind a numbering."""
    indent = _INDENT.match(line).end()  # type: ignore[union-attr]  # it matches nothing as well
    numbered = _NUMBERED.match(line, indent)
    if numbered and numbered.end() < len(line):
        yield numbered.end()
        again = _NUMBERED.match(line, numbered.end())
        if again and again.end() < len(line):
            yield again.end()
    yield indent
    perhaps = _PERHAPS_NUMBERED.match(line, indent)
    if perhaps:
        yield perhaps.end()


def _read_from(
    rules: Rules, line: str, start: int, signs: Sequence[str], style: NotationStyle
) -> tuple[str, int | None, int | None] | Unread:
    first: Unread | None = None
    read = _signed(rules, line, start, signs) if signs else _guesses(rules, line, start)
    for guess, begin, end in read:
        if isinstance(guess, Unread):
            return guess
        if why := guess_error(rules, guess):
            first = first or Unread(why, begin + _fault(rules, guess) + 1)
            continue
        answer = read_answer(rules, line[end:], style)
        if isinstance(answer, tuple):
            reason = answer_error(rules, *answer)
            if reason is None:
                return (guess, *answer)
            answer = reason
        return Unread(answer, end + answer_begins(line[end:]) + 1)
    missing = f"No guess of {rules.pegs} symbols stands at the beginning."
    return first or Unread(missing, start + 1)


def _signed(
    rules: Rules, line: str, start: int, signs: Sequence[str]
) -> Iterator[tuple[str | Unread, int, int]]:
    """The guess that begins there in these signs, or why there is none."""
    taken = read_colours(signs, line, start, rules.pegs)
    many, end = len(taken.signs), taken.end
    if many < rules.pegs:
        yield Unread(_unsigned(rules, line, signs, many, end), end + 1), start, end
        return
    if line[end - 1 : end].isalnum() and line[end : end + 1].isalpha():
        said = f"A guess has {rules.pegs} symbols; more stand here."
        yield Unread(said, end + 1), start, end
        return
    places = {plain_sign(sign): SYMBOLS[i] for i, sign in enumerate(signs)}
    guess = "".join(places.get(sign, BLANK) for sign in taken.signs)
    if why := guess_error(rules, guess):
        shown = " ".join(taken.signs)
        said = why.replace(repr(guess), repr(shown))
        yield Unread(said, taken.starts[_fault(rules, guess)] + 1), start, end
        return
    yield guess, taken.starts[0], end


def _unsigned(rules: Rules, line: str, signs: Sequence[str], many: int, end: int) -> str:
    here = line[end:].strip()[:1]
    if many and here.isalpha() and line[end : end + 1] == here:
        return f"{here!r} is not a colour; the colours are {' '.join(signs)}."
    return f"A guess has {rules.pegs} of {' '.join(signs)}; {many} stand here."


def _fault(rules: Rules, guess: str) -> int:
    """The place of the first symbol that makes the text no guess."""
    shortest = Rules(1, rules.colours, rules.repeat, rules.blanks)
    for place, symbol in enumerate(guess[: rules.pegs]):
        twice = not rules.repeat and symbol != BLANK and symbol in guess[:place]
        if twice or guess_error(shortest, symbol):
            return place
    return min(len(guess), rules.pegs)


def _guesses(rules: Rules, line: str, start: int) -> Iterator[tuple[str | Unread, int, int]]:
    """Ways to read a guess from there, where it begins and ends: in one piece, or symbols apart.

    What follows a guess in the same word is an answer only where it can't be more symbols:
    `00111A2B`, but never `001112`.
    """
    whole = re.compile(r"[\[({\"']*([0-9a-z._]+)", re.IGNORECASE).match(line, start)
    if whole:
        begin, end = whole.span(1)
        cut = begin + rules.pegs
        guess, surplus = _clean(line[begin:cut]), line[cut:end].lower()
        glued = _GLUED.fullmatch(surplus) and surplus.strip(rules.symbols)
        if glued and not guess_error(rules, guess):
            yield guess, begin, cut
        else:
            yield _clean(whole[1]), begin, end
    apart = r"[\s,;|-]+".join([r"([0-9a-z._])"] * rules.pegs)
    pattern = r"[\[({\"']*" + apart + r"(?![0-9a-z])"
    spaced = re.compile(pattern, re.IGNORECASE).match(line, start)
    if spaced and rules.pegs > 1:
        yield _clean("".join(spaced.groups())), spaced.start(1), spaced.end()


def _clean(guess: str) -> str:
    return guess.lower().replace("_", BLANK)
