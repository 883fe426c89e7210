"""The lines of a pasted text that are rows: headings left out, an answer put behind its guess.

>>> [line.text for line in lines_of("Guess: 5789\\nResponse: 0 bulls, 1 cow")]
['Guess: 5789 : Response: 0 bulls, 1 cow']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from cluewise.desks.code.formats.answers import (
    LABEL,
    NotationStyle,
    names_a_count,
    read_answer,
    uses_key_pegs,
    uses_plus_minus,
    uses_stars,
)
from cluewise.desks.code.position import Rules

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
