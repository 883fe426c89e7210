"""The rows of a pasted game: which lines are rows, and what one row says.

Headings are left out, and an answer on a line of its own is put behind its guess. In a row: where
the guess begins, what it shows, what it was answered.

>>> [line.text for line in lines_of("Guess: 5789\\nResponse: 0 bulls, 1 cow")]
['Guess: 5789 : Response: 0 bulls, 1 cow']
>>> read_line(Rules(), "3) 0 0 1 1 -> 1 bull, 2 cows")
Clue(guess='0011', exact=1, partial=2, ignored=False, marks=None, sum=None, won=False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.answers import (
    LABEL,
    PLAIN,
    NotationStyle,
    answer_begins,
    names_a_count,
    read_answer,
    uses_key_pegs,
    uses_plus_minus,
    uses_stars,
)
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


# ---- lines that are rows -------------------------------------------------------------------------


MOST_LINES = 400
"""So many lines are read; a game has far fewer rows, and every line is tried under many rules."""

_HEADING_WORD = (
    r"guess(?:es)?|codes?|your|my|answers?|results?|responses?|feedback|score|blacks?|whites?|reds?"
    r"|bulls?|cows?|exact|partial|right|correct|wrong|misplaced|pos(?:ition)?|places?|pegs?|turn"
    r"|try|tries|rows?|move|no|nr|number|attempts?|hints?|history|previous|board"
)
_HEADING = re.compile(
    rf"[\s|#*_:,;/&+=-]*(?:(?:{_HEADING_WORD})\b[\s|#*_:.,;/&+=-]*)+", re.IGNORECASE
)
_TURN = re.compile(
    r"\W*(?:turn|guess|round|attempt|try|move)\s*#?\s*\d{1,3}\s*[:.)]?\s*", re.IGNORECASE
)
_FRAME = re.compile(r"[\s|+=*_-]+")
_LABELLED = re.compile(rf"\W*{LABEL}\b\s*[:=→>-]", re.IGNORECASE)
_WRONG_FIRST = re.compile(
    r"\b(?:wrong|misplaced|cows?|whites?)\b.*\b(?:right|correct|bulls?|blacks?)"
)
_COUNTED = re.compile(r"\W*[a-z]*\W*\d+\s*[a-z]{2}", re.IGNORECASE)
_BARE = re.compile(
    r"(?:[a-z ]{0,20}[:>]\s*)?[\[({\"']*(?:\w{1,8}|\w(?:[\s,;|-]+\w\b){1,7})[\])}\"']*"
)
_RULES = Rules(8, 16)


@dataclass(frozen=True, slots=True)
class Line:
    """A row as it stands, with its number in the text, from 1; `offset` letters stand before it."""

    number: int
    text: str
    offset: int = 0


def lines_of(text: str) -> list[Line]:
    """The lines that say something; empty ones, comments (`//`), headings and frames are left."""
    kept: list[Line] = []
    half = False  # whether the last row took its answer from a line that names one count
    for line in islice(_lines(text), MOST_LINES):
        before = kept[-1] if kept else None
        count = names_a_count(line.text)
        joins = is_answer_alone(line.text) and before and _is_guess_alone(before.text)
        joins, half = joins or (half and count), bool(joins and count)
        if before and joins:
            kept[-1] = Line(before.number, f"{before.text} : {line.text.strip()}")
        else:
            kept.append(line)
    return kept


def style_of(text: str) -> NotationStyle:
    """How the text writes answers, read from all of its lines."""
    rows = text.lower().splitlines()[:MOST_LINES]
    headings = [row for row in rows if _HEADING.fullmatch(row)]
    stars = uses_stars(rows)
    return NotationStyle(
        uses_plus_minus(rows) and not stars,
        stars,
        any(_WRONG_FIRST.search(row) for row in headings),
        uses_key_pegs(rows),
    )


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("//")[0].rstrip()
        said = content[:400]
        if not content or _FRAME.fullmatch(said) or _TURN.fullmatch(said):
            continue
        if _HEADING.fullmatch(said) and not re.search(r"\d", said):
            continue
        yield Line(number, content)


def is_answer_alone(line: str) -> bool:
    """Whether the line is an answer in words or behind a label, without a guess."""
    if len(line) > 100:
        return False
    said = _LABELLED.match(line) or _COUNTED.match(line) or names_a_count(line)
    return bool(said) and not isinstance(read_answer(_RULES, line), str)


def _is_guess_alone(line: str) -> bool:
    return len(line) <= 60 and bool(_BARE.fullmatch(line.strip().lower()))
