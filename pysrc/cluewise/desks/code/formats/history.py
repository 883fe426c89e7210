"""Other people's notations of a game, in and out.

>>> read_history(Rules(), "1. 0011 1A2B\\n2. 2 3 4 5: 1 black").clues[1]
Clue(guess='2345', exact=1, partial=0, ignored=False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from cluewise.core.results import BadLine
from cluewise.desks.code.position import (
    BLANK,
    MOST_CLUES,
    MOST_COLOURS,
    MOST_PEGS,
    SYMBOLS,
    Clue,
    Position,
    Rules,
    why_not_answer,
    why_not_guess,
)
from cluewise.desks.code.puzzles import GAMES
from cluewise.desks.code.results import Pasted, Reading

MOST_LETTERS = 400
"""A line with more letters than that is no row of a game; it also bounds the patterns' work."""

MOST_LINES = 400
"""So many lines are read; a game has far fewer rows, and every line is tried under many rules."""

_IGNORED = re.compile(r"[\s,;]*\(?\s*ignored?\s*\)?\s*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:(?:guess|row|turn|try|move|round|line)\s*(?:no\.?)?\s*#?\s*\d{1,3}\s*[.:)\]-]?\s+"
    r"|[#(\[]?\s*[1-9]\d{0,2}\s*[.:)\]]\s*|#[1-9]\d{0,2}\s+)",
    re.IGNORECASE,
)
_PERHAPS_NUMBERED = re.compile(r"[1-9]\d{0,2}\s+(?=[0-9a-z._]{2})", re.IGNORECASE)
_SPLIT = r"[\s:;=|>,/\\()\[\]{}→⇒–—-]*"
_EXACT = r"(?:a\b|bulls?|blacks?|blk|reds?|exact|hits?|right|correct|placed?|well[- ]placed)"
_PARTIAL = r"(?:cows?|whites?|wht|partial|near|misplaced|wrong[- ]place|colou?rs?)"
_PAIR = re.compile(r"\+?(\d)\s*[\s,;/:+|&-]\s*\+?(\d)|(\d)(\d)")
_NOTHING = re.compile(r"(?:nothing|none|no(?:ne)? match(?:es)?|-+|\.+|∅|0)", re.IGNORECASE)
_GLUED = re.compile(r"\d?a\d?b?|\da\db|[bwxo]+")
_DASH = re.compile(r"[\s:=|>]*[-–—]+\s*")
_PEGS = re.compile(r"[bwxo●○⚫⚪•◦.\s_-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a line is no row, and the column (from 1) where something else was expected."""

    why: str
    column: int


def read_history(rules: Rules, text: str) -> Pasted:
    """Clues and bad lines of a pasted history, one guess a line; empty lines and `//` are skipped.

    Where a bad line is a row of other rules, no clue is taken: `instead` then holds what could be
    meant, the rules that all rows share first. Never raises.
    """
    rows = list(islice(_rows(text), MOST_LINES))
    clues, bad = _read(rules, rows)
    if not any(_is_foreign(rules, line.text) for line in bad):
        return Pasted(clues, bad, [])
    instead = [Reading(other, *_missed(other, rows)) for other in _other_rules(rules, rows)]
    if clues:
        instead.append(Reading(rules, clues, len(bad)))
    return Pasted([], bad, instead)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("//")[0].rstrip()
        if content:
            yield number, content


def _read(rules: Rules, rows: Iterable[tuple[int, str]]) -> tuple[list[Clue], list[BadLine]]:
    clues: list[Clue] = []
    bad: list[BadLine] = []
    for number, line in rows:
        read = read_line(rules, line)
        if isinstance(read, Clue) and len(clues) == MOST_CLUES:
            read = Unread(f"A game has at most {MOST_CLUES} clues here.", 1)
        if isinstance(read, Clue):
            clues.append(read)
        else:
            bad.append(BadLine(number, read.column, line[:200], read.why))
    return clues, bad


def _missed(rules: Rules, rows: Sequence[tuple[int, str]]) -> tuple[list[Clue], int]:
    clues, bad = _read(rules, rows)
    return clues, len(bad)


def _is_foreign(rules: Rules, line: str) -> bool:
    return isinstance(read_line(rules, line), Unread) and _read_freely(line) is not None


def _read_freely(line: str) -> Clue | None:
    """The line as a row of any rules at all; None if it is none. Its guess shows a digit."""
    for pegs in range(1, MOST_PEGS + 1):
        read = read_line(Rules(pegs, MOST_COLOURS, blanks=True), line)
        if isinstance(read, Clue) and re.search(r"\d", read.guess):
            return read
    return None


def _other_rules(rules: Rules, rows: Sequence[tuple[int, str]]) -> list[Rules]:
    """The rules in which most rows of the text make sense: known ones first, else the least."""
    read = [clue for _, line in rows if (clue := _read_freely(line))]
    lengths = {len(clue.guess) for clue in read}
    if len(lengths) != 1:
        return []
    pegs, shown = lengths.pop(), "".join(clue.guess for clue in read)
    most = max(SYMBOLS.find(symbol) for symbol in shown) + 1
    repeat = any(why_not_guess(Rules(pegs, MOST_COLOURS, False, True), c.guess) for c in read)
    blanks = rules.blanks or BLANK in shown
    if pegs == rules.pegs and most <= rules.colours and repeat <= rules.repeat:
        return [Rules(pegs, rules.colours, rules.repeat, blanks, rules.feedback)]
    known = [g for g in GAMES.values() if g.pegs == pegs and g.colours >= most]
    fitting = [g for g in known if g.repeat or not repeat]
    least = fitting[0] if fitting else Rules(pegs, max(most, 2), repeat)
    return [Rules(pegs, least.colours, least.repeat, blanks, rules.feedback)]


def read_line(rules: Rules, line: str) -> Clue | Unread:
    """The clue of one line, or why there is none and where.

    `0011 1A2B`, `0011: 1 2`, `0,0,1,1 = 1/2`, `#3 0011 → 1 bull, 2 cows`, `0011 bww` all read.
    """
    if len(line) > MOST_LETTERS:
        return Unread(f"A row has at most {MOST_LETTERS} letters.", MOST_LETTERS + 1)
    ignored = _IGNORED.search(line)
    if ignored:
        line = line[: ignored.start()]
    reasons: list[Unread] = []
    for start in _starts(line):
        read = _read_from(rules, line, start)
        if isinstance(read, tuple):
            return Clue(*read, ignored=bool(ignored))
        reasons.append(read)
    return reasons[0]


def _starts(line: str) -> Iterator[int]:
    """Where the guess may begin, likeliest first: at once, or behind a numbering."""
    indent = len(line) - len(line.lstrip())
    numbered = _NUMBERED.match(line, indent)
    if numbered and numbered.end() < len(line):
        yield numbered.end()
    yield indent
    perhaps = _PERHAPS_NUMBERED.match(line, indent)
    if perhaps:
        yield perhaps.end()


def _read_from(rules: Rules, line: str, start: int) -> tuple[str, int, int] | Unread:
    first: Unread | None = None
    for guess, begin, end in _guesses(rules, line, start):
        if why := why_not_guess(rules, guess):
            first = first or Unread(why, begin + _fault(rules, guess) + 1)
            continue
        answer = read_answer(rules, line[end:])
        if isinstance(answer, tuple):
            reason = why_not_answer(rules, *answer)
            if reason is None:
                return (guess, *answer)
            answer = reason
        column = len(line) - len(re.sub(f"^{_SPLIT}", "", line[end:])) + 1
        return Unread(answer, column)
    missing = f"No guess of {rules.pegs} symbols stands at the beginning."
    return first or Unread(missing, start + 1)


def _fault(rules: Rules, guess: str) -> int:
    """The place of the first symbol that makes the text no guess."""
    shortest = Rules(1, rules.colours, rules.repeat, rules.blanks)
    for place, symbol in enumerate(guess[: rules.pegs]):
        twice = not rules.repeat and symbol != BLANK and symbol in guess[:place]
        if twice or why_not_guess(shortest, symbol):
            return place
    return min(len(guess), rules.pegs)


def _guesses(rules: Rules, line: str, start: int) -> Iterator[tuple[str, int, int]]:
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
        if glued and not why_not_guess(rules, guess):
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


def read_answer(rules: Rules, text: str) -> tuple[int, int] | str:
    """Exact and partial of an answer in any usual notation, or the reason why not."""
    if _DASH.fullmatch(text):
        return 0, 0
    text = re.sub(r"[\"')\]}.!\s]+$", "", re.sub(f"^[\"')\\]}}]*{_SPLIT}", "", text)).lower()
    if not text:
        return "The answer is missing."
    if re.fullmatch(r"\d+", text) and rules.feedback == "exact":
        return int(text), 0
    if _NOTHING.fullmatch(text):
        return 0, 0
    pair = _PAIR.fullmatch(text)
    if pair:
        return int(pair[1] or pair[3]), int(pair[2] or pair[4])
    return _read_words(text) or _read_pegs(text) or f"{text[:40]!r} is not an answer such as 1A2B."


def _read_words(text: str) -> tuple[int, int] | None:
    """Numbers with words or letters: `1a2b`, `1 bull 2 cows`, `bulls: 1, cows: 2`, `2b 1w`."""
    parts = re.findall(r"(\d+)\s*([a-z-]+(?: place)?)", text)
    rest = re.sub(r"(\d+)\s*([a-z-]+(?: place)?)", "", text)
    if not parts or re.search(r"\d", rest):
        named = re.findall(r"([a-z-]+)\s*[:=]?\s*(\d+)", text)
        parts = [(number, word) for word, number in named]
        rest = re.sub(r"([a-z-]+)\s*[:=]?\s*(\d+)", "", text)
    if not parts or re.sub(r"\b(and|in|pegs?|the)\b", "", rest).strip(" ,;&+/|-."):
        return None
    return _sort_words([(int(number), word.strip("-")) for number, word in parts])


def _sort_words(parts: Iterable[tuple[int, str]]) -> tuple[int, int] | None:
    found: dict[str, int] = {}
    parts = list(parts)
    letters = {word for _, word in parts}
    b_is_partial = "a" in letters
    for number, word in parts:
        if word == "b":
            kind = "partial" if b_is_partial else "exact"
        elif word in ("c", "w") or re.fullmatch(_PARTIAL, word):
            kind = "partial"
        elif re.fullmatch(_EXACT, word):
            kind = "exact"
        else:
            return None
        if kind in found:
            return None
        found[kind] = number
    return found.get("exact", 0), found.get("partial", 0)


def _read_pegs(text: str) -> tuple[int, int] | None:
    """Key pegs one by one: `bbw`, `●●○`, `xxo`."""
    if not _PEGS.fullmatch(text):
        return None
    return sum(text.count(c) for c in "bx●⚫•"), sum(text.count(c) for c in "wo○⚪◦")


def write_history(position: Position) -> str:
    """The clues as text that `read_history` gives back: `"0011 1A2B\\n"`."""
    lines = (
        f"{clue.guess} {clue.answer}{' (ignored)' if clue.ignored else ''}\n"
        for clue in position.clues
    )
    return "".join(lines)
