"""Games that other programs write: several rows on one line, JSON with their own field names.

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
    """The lines, those that hold several rows cut into them; others as they are.

    A line is cut only where there is one way to do so.
    """
    if len(lines) > _MOST_LINES:
        return list(lines)
    return [piece for line in lines for piece in _split(rules, line, signs, style)]


def _split(rules: Rules, line: Line, signs: Sequence[str], style: NotationStyle) -> list[Line]:
    text = line.text
    words = list(_WORD.finditer(text))
    if len(words) < 2 or len(text) > _MOST_LETTERS:
        return [line]
    if isinstance(read_line(rules, text, signs, style), Clue):
        return [line]
    for reads in _readers(rules, text, signs, style):
        if len(text) < 400 and reads(text):
            return [line]
        cuts = _only_way([w.start() for w in words], text, reads)
        if len(cuts) > 1:
            ends = [*cuts[1:], len(text)]
            return [
                Line(line.number, _BETWEEN.sub("", text[a:b]), line.offset + a)
                for a, b in zip(cuts, ends, strict=True)
            ]
    return [line]


def _readers(
    rules: Rules, text: str, signs: Sequence[str], style: NotationStyle
) -> list[Callable[[str], bool]]:
    """Tests whether a text is a row, for each number of pegs and kind of signs."""
    kinds: list[Sequence[str]] = [signs] if signs else []
    kinds += [found for found in (emoji_in(text), NAMES, _LETTERS) if found]
    pegs = sorted(range(2, MOST_PEGS + 1), key=lambda n: n != rules.pegs)

    def digits(many: int) -> Callable[[str], bool]:
        free = Rules(many, MOST_COLOURS, blanks=True)

        def reads(row: str) -> bool:
            read = read_line(free, row, (), style)
            return isinstance(read, Clue) and re.search(r"\d", read.guess) is not None

        return reads

    def signed(many: int, kind: Sequence[str]) -> Callable[[str], bool]:
        free = Rules(many, MOST_COLOURS)

        def reads(row: str) -> bool:
            begin = re.match(r"(?:#?\d{1,2}[.):]\s*)?", row).end()  # type: ignore[union-attr]  # may be empty
            taken = read_colours(kind, row, begin, many)
            if len(taken.signs) != many or row[taken.end : taken.end + 1] not in _GAP:
                return False
            answer = read_answer(free, row[taken.end :], style)
            return isinstance(answer, tuple) and answer_error(free, *answer) is None

        return reads

    return [reads for n in pegs for reads in (digits(n), *(signed(n, kind) for kind in kinds))]


def _only_way(starts: list[int], text: str, reads: Callable[[str], bool]) -> list[int]:
    """Where the rows begin, if the text is rows throughout in exactly one way; else []."""
    ends = [*starts[1:], len(text)]
    ways = [0] * len(starts) + [1]
    after = [0] * len(starts)
    for i in reversed(range(len(starts))):
        for j in range(i, min(i + _MOST_WORDS, len(starts))):
            if ways[j + 1] and reads(_BETWEEN.sub("", text[starts[i] : ends[j]])):
                ways[i] += ways[j + 1]
                after[i] = j + 1
    if ways[0] != 1:
        return []
    found, at = list[int](), 0
    while at < len(starts):
        found.append(starts[at])
        at = after[at]
    return found


# ---- JSON -------------------------------------------------------------------------------------


def rows_of_json(text: str) -> str | None:
    """The guesses and answers of a JSON document as rows of text; None where there are none."""
    bare = text.strip("\ufeff \t\r\n")
    if not bare.startswith(("{", "[")):
        return None
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    return rows_of_value(value)


def rows_of_value(value: object) -> str | None:
    """The same of a JSON value."""
    rows = [row for item in _objects(value) if (row := _row(item))]
    return "".join(f"{row}\n" for row in rows) or None


def read_clue(item: object) -> object:
    """A clue with the field names of this desk, if it has those of another program."""
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
    """All objects of a JSON value, in order."""
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
    said = _field(item, _ANSWERS)
    if isinstance(said, list) and all(isinstance(part, str | int) for part in said):
        said = " ".join(map(str, said))
    return f"{guess} : {said}" if isinstance(said, str) else None


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
    """Exact and partial under any of their usual names, also one level deeper."""
    inner = _field(item, _ANSWERS)
    if isinstance(inner, dict):
        return _halves(inner)
    halves = _field(item, _EXACT), _field(item, _PARTIAL)
    if halves == (None, None) or any(not isinstance(half, int | None) for half in halves):
        return None
    return halves[0] or 0, halves[1] or 0
