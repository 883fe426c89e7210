"""Reads games of other programs: several rows on a line, JSON with other field names.

A line is split by dynamic programming over its words, which counts the ways to cut the rest of the
line into rows. It is split only if there is exactly one.

>>> rows_of_json('[{"guess": "RGBY", "blackPegs": 1, "whitePegs": 2}]')
'RGBY : 1A2B\\n'
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from cluewise.desks.code.clue import MOST_PEGS, Clue, answer_text
from cluewise.desks.code.formats.answers import PLAIN, NotationStyle, read_answer
from cluewise.desks.code.formats.colour_names import NAMES, emoji_in, read_colours
from cluewise.desks.code.formats.rows import Line, read_line
from cluewise.desks.code.position import BLANK, MOST_COLOURS, SYMBOLS, Rules, answer_error

_MOST_LINES = 4  # a text of more lines has a row on each
_MOST_LETTERS = 1500
_MOST_WORDS = 16  # of one row
_WORD = re.compile(r"[^\s,;|→]+(?:\s*(?:[,;|/→]|->))*")
_BETWEEN = re.compile(r"(?:[\s,;|/→]|->)+$")
_GAP = tuple(" \t:;=|,/-([→")  # what may follow a guess in signs
_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

_GUESS = ("guess", "code", "pegs", "colors", "colours", "combination", "attempt", "value")
_EXACT = ("exact", "black", "blackpegs", "blacks", "bulls", "bull", "red", "redpegs", "correct",
          "correctposition", "numblack", "a")  # fmt: skip
_PARTIAL = ("partial", "white", "whitepegs", "whites", "cows", "cow", "misplaced", "correctcolor",
            "correctcolour", "wrongposition", "numwhite", "b")  # fmt: skip
_ANSWERS = ("feedback", "result", "answer", "response", "score", "hint", "hints", "keys")


# ---- several rows on one line -----------------------------------------------------------------


def split_rows(
    rules: Rules, lines: Sequence[Line], signs: Sequence[str] = (), style: NotationStyle = PLAIN
) -> list[Line]:
    """Split lines of several rows into rows; other lines are unchanged."""
    if len(lines) > _MOST_LINES:
        return list(lines)
    return [row for line in lines for row in _split(rules, line, signs, style)]


def _split(rules: Rules, line: Line, signs: Sequence[str], style: NotationStyle) -> list[Line]:
    text = line.text
    words = list(_WORD.finditer(text))
    if len(words) < 2 or len(text) > _MOST_LETTERS:
        return [line]
    if isinstance(read_line(rules, text, signs, style), Clue):
        return [line]
    for is_row in _row_tests(rules, text, signs, style):
        if len(text) < 400 and is_row(text):
            return [line]
        cuts = _unique_split([w.start() for w in words], text, is_row)
        if len(cuts) > 1:
            ends = [*cuts[1:], len(text)]
            return [
                Line(line.number, _BETWEEN.sub("", text[a:b]), line.offset + a)
                for a, b in zip(cuts, ends, strict=True)
            ]
    return [line]


def _row_tests(
    rules: Rules, text: str, signs: Sequence[str], style: NotationStyle
) -> list[Callable[[str], bool]]:
    """Return tests whether a text is a row, for each number of pegs and kind of signs."""
    kinds: list[Sequence[str]] = [signs] if signs else []
    kinds += [found for found in (emoji_in(text), NAMES, _LETTERS) if found]
    pegs = sorted(range(2, MOST_PEGS + 1), key=lambda n: n != rules.pegs)

    def digits(count: int) -> Callable[[str], bool]:
        widest = Rules(count, MOST_COLOURS, blanks=True)

        def is_row(row: str) -> bool:
            read = read_line(widest, row, (), style)
            return isinstance(read, Clue) and re.search(r"\d", read.guess) is not None

        return is_row

    def signed(count: int, kind: Sequence[str]) -> Callable[[str], bool]:
        widest = Rules(count, MOST_COLOURS)

        def is_row(row: str) -> bool:
            start = re.match(r"(?:#?\d{1,2}[.):]\s*)?", row).end()  # type: ignore[union-attr]  # also matches ""
            tokens = read_colours(kind, row, start, count)
            if len(tokens.signs) != count or row[tokens.end : tokens.end + 1] not in _GAP:
                return False
            answer = read_answer(widest, row[tokens.end :], style)
            return isinstance(answer, tuple) and answer_error(widest, *answer) is None

        return is_row

    return [test for n in pegs for test in (digits(n), *(signed(n, kind) for kind in kinds))]


def _unique_split(starts: list[int], text: str, is_row: Callable[[str], bool]) -> list[int]:
    """Return the starts of the rows if exactly one split of the text is all rows; else []."""
    ends = [*starts[1:], len(text)]
    ways = [0] * len(starts) + [1]
    after = [0] * len(starts)
    for i in reversed(range(len(starts))):
        for j in range(i, min(i + _MOST_WORDS, len(starts))):
            if ways[j + 1] and is_row(_BETWEEN.sub("", text[starts[i] : ends[j]])):
                ways[i] += ways[j + 1]
                after[i] = j + 1
    if ways[0] != 1:
        return []
    cuts, at = list[int](), 0
    while at < len(starts):
        cuts.append(starts[at])
        at = after[at]
    return cuts


# ---- JSON -------------------------------------------------------------------------------------


def rows_of_json(text: str) -> str | None:
    """Return the guesses and answers of a JSON document as lines; None if there are none."""
    bare = text.strip("\ufeff \t\r\n")
    if not bare.startswith(("{", "[")):
        return None
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    return rows_of_value(value)


def rows_of_value(value: object) -> str | None:
    """Return the guesses and answers of a JSON value as lines; None if there are none."""
    rows = [row for item in _objects(value) if (row := _row(item))]
    return "".join(f"{row}\n" for row in rows) or None


def read_clue(item: object) -> object:
    """Return a clue with this desk's field names, from those of other programs."""
    if not isinstance(item, dict) or not all(isinstance(name, str) for name in item):
        return item
    if "guess" in item and ("marks" in item or "sum" in item):
        return {"exact": None, **item}
    if {"guess", "exact"} <= set(item) and isinstance(item["guess"], str):
        return item
    halves = _halves(item)
    guess = _guess(item)
    if guess is None or halves is None:
        return item
    kept = {"ignored": item["ignored"]} if "ignored" in item else {}
    return {"guess": guess, "exact": halves[0], "partial": halves[1], **kept}


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the first 1000 objects of a JSON value, in document order."""
    found, stack = list[dict[str, Any]](), [value]
    while stack and len(found) < 1000:
        item = stack.pop()
        if isinstance(item, dict):
            found.append(item)
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, list | tuple):
            stack.extend(reversed(item))
    return found


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _field(item: dict[str, Any], names: Sequence[str]) -> Any:
    plain = {_plain(str(name)): value for name, value in item.items()}
    return next((plain[name] for name in names if name in plain), None)


def _row(item: dict[str, Any]) -> str | None:
    guess, halves = _guess(item), _halves(item)
    if guess is None:
        return None
    if halves is not None:
        return f"{guess} : {answer_text(*halves)}"
    answer = _field(item, _ANSWERS)
    if isinstance(answer, list) and all(isinstance(key, str | int) for key in answer):
        answer = " ".join(map(str, answer))
    return f"{guess} : {answer}" if isinstance(answer, str) else None


def _guess(item: dict[str, Any]) -> str | None:
    guess = _field(item, _GUESS)
    if isinstance(guess, list) and 1 <= len(guess) <= MOST_PEGS:
        if all(isinstance(peg, int) and 0 <= peg < len(SYMBOLS) for peg in guess):
            return "".join(SYMBOLS[peg] for peg in guess)
        if all(isinstance(peg, str) for peg in guess):
            return (" " if any(len(peg) > 1 for peg in guess) else "").join(guess)
    if isinstance(guess, int) and not isinstance(guess, bool):
        return str(guess)
    return guess.replace("_", BLANK) if isinstance(guess, str) and guess.strip() else None


def _halves(item: dict[str, Any]) -> tuple[int | None, int | None] | None:
    """Return exact and partial under any of their usual names, also from a nested answer."""
    inner = _field(item, _ANSWERS)
    if isinstance(inner, dict):
        return _halves(inner)
    halves = _field(item, _EXACT), _field(item, _PARTIAL)
    if halves == (None, None) or any(not isinstance(half, int | None) for half in halves):
        return None
    return halves[0] or 0, halves[1] or 0
