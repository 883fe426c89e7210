"""Splits a pasted game into rows, and parses a row: a guess and its answer.

`lines_of` drops headings and frames and joins an answer on a line of its own to the guess before
it. `read_line` tries each position at which the guess may begin, the likeliest first; an error is
that of the first position.

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
from typing import TypeAlias

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
from cluewise.desks.code.formats.colour_names import read_colours
from cluewise.desks.code.position import BLANK, Rules, answer_error, guess_error

MOST_LETTERS = 400
"""Longer lines are rejected, which also bounds the backtracking of the patterns."""

_IGNORED = re.compile(r"[\s,;]*\(?\s*ignored?\s*\)?\s*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:(?:guess|row|turn|try|move|round|line|attempt)\s*(?:no\.?)?\s*#?\s*\d{1,3}\s*[.:)\]-]?\s+"
    r"|(?:(?:your|my|enter|player|you)\s+)?(?:guess(?:es)?|you|try|code|input|player)\s*[:=>]\s*"
    r"|[\w ]{0,16}[>$]\s*"
    r"|[#(\[]?\s*[1-9]\d{0,2}\s*[.:)\]]\s*|#[1-9]\d{0,2}\s+)",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"[1-9]\d{0,2}\s+(?:\|\s*)?(?=[0-9a-z._]{2})", re.IGNORECASE)
_INDENT = re.compile(r"[\s|*•]*")
_ADJACENT_ANSWER = re.compile(r"\d?a\d?b?|\da\db|[bwxo]+")


Span: TypeAlias = tuple[str, int, int]
"""A guess, its start and its end in the line."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A parse error: the reason, and the column (from 1) of the first wrong character."""

    why: str
    column: int


def read_line(
    rules: Rules, line: str, signs: Sequence[str] = (), style: NotationStyle = PLAIN
) -> Clue | Unread:
    """Return the clue of one line, or the error.

    Accepts `0011 1A2B`, `0011: 1 2`, `0,0,1,1 = 1/2`, `#3 0011 → 1 bull, 2 cows`, `0011 bww`; with
    `signs` the guess is written in these: `RGBY ++-`.
    """
    if len(line) > MOST_LETTERS:
        return Unread(f"A row has at most {MOST_LETTERS} letters.", MOST_LETTERS + 1)
    ignored = _IGNORED.search(line)
    if ignored:
        line = line[: ignored.start()]
    first_error: Unread | None = None
    for start in starts_of(line):
        read = _read_from(rules, line, start, signs, style)
        if isinstance(read, tuple):
            return rules.clue(read[0], read[1:], bool(ignored))
        first_error = first_error or read
    assert first_error is not None
    return first_error


def starts_of(line: str) -> Iterator[int]:
    """The positions at which the guess may begin, likeliest first: after a number, or at once."""
    indent = _INDENT.match(line).end()  # type: ignore[union-attr]  # also matches ""
    numbered = _NUMBERED.match(line, indent)
    if numbered and numbered.end() < len(line):
        yield numbered.end()
        again = _NUMBERED.match(line, numbered.end())
        if again and again.end() < len(line):
            yield again.end()
    yield indent
    number = _BARE_NUMBER.match(line, indent)
    if number:
        yield number.end()


def _read_from(
    rules: Rules, line: str, start: int, signs: Sequence[str], style: NotationStyle
) -> tuple[str, int | None, int | None] | Unread:
    """Return the guess and the answer of a row whose guess begins at `start`, or the error."""
    signed = _read_signed(rules, line, start, signs) if signs else None
    if isinstance(signed, Unread):
        return signed
    first_error: Unread | None = None
    for guess, begin, end in [signed] if signed else _guesses(rules, line, start):
        if why := guess_error(rules, guess):
            place = begin + _first_wrong_symbol(rules, guess) + 1
            first_error = first_error or Unread(why, place)
            continue
        answer = read_answer(rules, line[end:], style)
        if isinstance(answer, tuple):
            reason = answer_error(rules, *answer)
            if reason is None:
                return (guess, *answer)
            answer = reason
        return Unread(answer, end + answer_begins(line[end:]) + 1)
    missing = f"No guess of {rules.pegs} symbols stands at the beginning."
    return first_error or Unread(missing, start + 1)


def _read_signed(rules: Rules, line: str, start: int, signs: Sequence[str]) -> Span | Unread:
    """Return the guess in these signs that begins at `start`, or the error."""
    tokens = read_colours(signs, line, start, rules.pegs)
    count, end = len(tokens.signs), tokens.end
    following = line[end : end + 1]
    if count < rules.pegs:
        why = f"A guess has {rules.pegs} of {' '.join(signs)}; {count} stand here."
        if count and following.isalpha():
            why = f"{following!r} is not a colour; the colours are {' '.join(signs)}."
        return Unread(why, end + 1)
    if line[end - 1 : end].isalnum() and following.isalpha():
        return Unread(f"A guess has {rules.pegs} symbols; more stand here.", end + 1)
    guess = tokens.in_symbols(signs)
    if error := guess_error(rules, guess):
        why = error.replace(repr(guess), repr(" ".join(tokens.signs)))
        return Unread(why, tokens.starts[_first_wrong_symbol(rules, guess)] + 1)
    return guess, tokens.starts[0], end


def _first_wrong_symbol(rules: Rules, guess: str) -> int:
    """Return the place of the first symbol that violates the rules."""
    shortest = Rules(1, rules.colours, rules.repeat, rules.blanks)
    for place, symbol in enumerate(guess[: rules.pegs]):
        twice = not rules.repeat and symbol != BLANK and symbol in guess[:place]
        if twice or guess_error(shortest, symbol):
            return place
    return min(len(guess), rules.pegs)


def _guesses(rules: Rules, line: str, start: int) -> Iterator[Span]:
    """The guesses that may begin at `start`: a word, or symbols with separators.

    A word may end in the answer if that has a character that is no symbol: `00111A2B`, but not
    `001112`.
    """
    whole = re.compile(r"[\[({\"']*([0-9a-z._]+)", re.IGNORECASE).match(line, start)
    if whole:
        begin, end = whole.span(1)
        cut = begin + rules.pegs
        guess, surplus = _clean(line[begin:cut]), line[cut:end].lower()
        has_answer = _ADJACENT_ANSWER.fullmatch(surplus) and surplus.strip(rules.symbols)
        if has_answer and not guess_error(rules, guess):
            yield guess, begin, cut
        else:
            yield _clean(whole[1]), begin, end
    symbols = r"[\s,;|-]+".join([r"([0-9a-z._])"] * rules.pegs)
    pattern = r"[\[({\"']*" + symbols + r"(?![0-9a-z])"
    spaced = re.compile(pattern, re.IGNORECASE).match(line, start)
    if spaced and rules.pegs > 1:
        yield _clean("".join(spaced.groups())), spaced.start(1), spaced.end()


def _clean(guess: str) -> str:
    """Return a guess in the symbols of the rules: lower case, blanks as `.`."""
    return guess.lower().replace("_", BLANK)


# ---- lines that are rows -------------------------------------------------------------------------


MOST_LINES = 400
"""Further lines are ignored: each line is parsed under many rules."""

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
_LABELLED_ANSWER = re.compile(rf"\W*{LABEL}\b\s*[:=→>-]", re.IGNORECASE)
_MISPLACED_FIRST = re.compile(
    r"\b(?:wrong|misplaced|cows?|whites?)\b.*\b(?:right|correct|bulls?|blacks?)"
)
_NAMED_COUNT = re.compile(r"\W*[a-z]*\W*\d+\s*[a-z]{2}", re.IGNORECASE)
_LONE_GUESS = re.compile(
    r"(?:[a-z ]{0,20}[:>]\s*)?[\[({\"']*(?:\w{1,8}|\w(?:[\s,;|-]+\w\b){1,7})[\])}\"']*"
)
_WIDEST_RULES = Rules(8, 16)


@dataclass(frozen=True, slots=True)
class Line:
    """A row, the number of its line (from 1), and its offset in characters in that line."""

    number: int
    text: str
    offset: int = 0


def lines_of(text: str) -> list[Line]:
    """Return the rows; empty lines, comments (`//`), headings and frames are dropped.

    A line with an answer alone is joined to the guess before it, also two lines with a count each.
    """
    rows: list[Line] = []
    needs_count = False  # whether the last row was joined with a line of one named count
    for line in islice(_content_lines(text), MOST_LINES):
        before = rows[-1] if rows else None
        count = names_a_count(line.text)
        joins = is_answer_alone(line.text) and before and _is_guess_alone(before.text)
        joins, needs_count = joins or (needs_count and count), bool(joins and count)
        if before and joins:
            rows[-1] = Line(before.number, f"{before.text} : {line.text.strip()}")
        else:
            rows.append(line)
    return rows


def style_of(text: str) -> NotationStyle:
    """Infer the notation of the answers from all lines."""
    rows = text.lower().splitlines()[:MOST_LINES]
    headings = [row for row in rows if _HEADING.fullmatch(row)]
    stars = uses_stars(rows)
    return NotationStyle(
        uses_plus_minus(rows) and not stars,
        stars,
        any(_MISPLACED_FIRST.search(row) for row in headings),
        uses_key_pegs(rows),
    )


def _content_lines(text: str) -> Iterator[Line]:
    """The lines without comments that are neither empty nor headings or frames."""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("//")[0].rstrip()
        start = content[:MOST_LETTERS]
        if not content or _FRAME.fullmatch(start) or _TURN.fullmatch(start):
            continue
        if _HEADING.fullmatch(start) and not re.search(r"\d", start):
            continue
        yield Line(number, content)


def is_answer_alone(line: str) -> bool:
    """Whether the line is an answer with a name or a label, without a guess."""
    if len(line) > 100:
        return False
    named = _LABELLED_ANSWER.match(line) or _NAMED_COUNT.match(line) or names_a_count(line)
    return bool(named) and not isinstance(read_answer(_WIDEST_RULES, line), str)


def _is_guess_alone(line: str) -> bool:
    return len(line) <= 60 and bool(_LONE_GUESS.fullmatch(line.strip().lower()))
