"""Other people's notations of a game, in and out.

>>> read_history(Rules(), "1. 0011 1A2B\\n2. 2 3 4 5: 1 black").clues[1]
Clue(guess='2345', exact=1, partial=0, ignored=False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cluewise.desks.code.position import (
    BLANK,
    MOST_CLUES,
    Clue,
    Position,
    Rules,
    why_not_answer,
    why_not_guess,
)
from cluewise.desks.code.results import BadLine, Pasted

_IGNORED = re.compile(r"[\s,;]*\(?\s*ignored?\s*\)?\s*$", re.IGNORECASE)
_NUMBERING = (
    re.compile(
        r"(?:guess|row|turn|try|move|round|line)\s*(?:no\.?)?\s*#?\s*\d{1,3}\s*[.:)\]-]?\s+",
        re.IGNORECASE,
    ),
    re.compile(r"[#(\[]?\s*\d{1,3}\s*[.:)\]]\s*"),
    re.compile(r"#?\d{1,3}\s+"),
)
_SPLIT = r"[\s:;=|>,/\\()\[\]{}→⇒–—-]*"
_EXACT = r"(?:a\b|bulls?|blacks?|blk|reds?|exact|hits?|right|correct|placed?|well[- ]placed)"
_PARTIAL = r"(?:cows?|whites?|wht|partial|near|misplaced|wrong[- ]place|colou?rs?)"
_PAIR = re.compile(r"\+?(\d+)\s*[\s,;/:+|&-]\s*\+?(\d+)|(\d)(\d)")
_NOTHING = re.compile(r"(?:nothing|none|no(?:ne)? match(?:es)?|-+|\.+|∅|0)", re.IGNORECASE)
_DASH = re.compile(r"[\s:=|>]*[-–—]+\s*")
_PEGS = re.compile(r"[bwxo●○⚫⚪•◦.\s_-]+", re.IGNORECASE)


def read_history(rules: Rules, text: str) -> Pasted:
    """Clues and bad lines of a pasted history, one guess a line; empty lines and `//` are skipped.

    Never raises: a line that cannot be read comes back with its number and the reason.
    """
    clues: list[Clue] = []
    bad: list[BadLine] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("//")[0].strip()
        if not content:
            continue
        read = read_line(rules, content)
        if isinstance(read, Clue) and len(clues) == MOST_CLUES:
            read = f"A game has at most {MOST_CLUES} clues here."
        if isinstance(read, Clue):
            clues.append(read)
        else:
            bad.append(BadLine(number, line[:200], read))
    return Pasted(clues, bad)


def read_line(rules: Rules, line: str) -> Clue | str:
    """The clue of one line, or the reason why there is none.

    `0011 1A2B`, `0011: 1 2`, `0,0,1,1 = 1/2`, `#3 0011 → 1 bull, 2 cows`, `0011 bww` all read.
    """
    ignored = _IGNORED.search(line)
    if ignored:
        line = line[: ignored.start()]
    reason = ""
    for start in _starts(line):
        read = _read_from(rules, line[start:])
        if isinstance(read, tuple):
            return Clue(*read, ignored=bool(ignored))
        reason = reason or read
    return reason


def _starts(line: str) -> Iterator[int]:
    """Where the guess may begin: at once, or behind a numbering."""
    yield 0
    for numbering in _NUMBERING:
        match = numbering.match(line)
        if match and match.end() < len(line):
            yield match.end()


def _read_from(rules: Rules, line: str) -> tuple[str, int, int] | str:
    reason = ""
    for guess, rest in _guesses(rules, line):
        if why := why_not_guess(rules, guess):
            reason = reason or why
            continue
        answer = read_answer(rules, rest)
        if isinstance(answer, tuple):
            why = why_not_answer(rules, *answer)
            return why or (guess, *answer)
        reason = reason or answer
    return reason or f"No guess of {rules.pegs} symbols stands at the beginning."


def _guesses(rules: Rules, line: str) -> Iterator[tuple[str, str]]:
    """Ways to read a guess at the beginning: in one piece, or its symbols apart."""
    whole = re.match(r"[\[({\"']*([0-9a-z._]+)", line, re.IGNORECASE)
    if whole:
        yield _clean(whole[1]), line[whole.end() :]
        if len(whole[1]) > rules.pegs:
            cut = whole.start(1) + rules.pegs
            yield _clean(line[whole.start(1) : cut]), line[cut:]
    apart = r"[\s,;|-]+".join([r"([0-9a-z._])"] * rules.pegs)
    spaced = re.match(r"[\[({\"']*" + apart + r"(?![0-9a-z])", line, re.IGNORECASE)
    if spaced and rules.pegs > 1:
        yield _clean("".join(spaced.groups())), line[spaced.end() :]


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
