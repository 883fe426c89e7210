"""Rules that a setter wrote in English, read sentence by sentence.

>>> read_rules("Normal sudoku rules apply. Adjacent digits on a green line differ by at least 5.")
Rules(known=[Rule(kind='whispers', colours=('green',), value=5)], unknown=[])

A sentence is read only if it has the words that define a rule and no others than those of the
rule's vocabulary: “or”, “not” or “except” in another place may change what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cluewise.desks.sudoku.formats.rule_words import (
    ALL_GIVEN,
    ALWAYS,
    BY_NAME,
    CHESS,
    COLOURS,
    LABELS,
    NAMED,
    NOT_REPEAT,
    NOTHING,
    NUMBERS,
    SENTENCES,
)


class Rule(NamedTuple):
    """A rule: its kind, the colours of the lines that it is about, and its number.

    Kinds are those of constraints, and `repeats` (digits may repeat in cages), `all dots`,
    `all xv` (every pair that could have a mark has one), `regions` (shaded cells are a house),
    `even circle`, `even square`, `odd circle` and `odd square`.
    """

    kind: str
    colours: tuple[str, ...] = ()
    value: int | None = None


class Rules(NamedTuple):
    """The rules that a text states, and its sentences that are not understood."""

    known: list[Rule]
    unknown: list[str]


_BREAKS = ("; ", " (", ", and ", ": ", ", ", " - ", " – ", " while ", " and ", " but ")
_SIGNS = {
    "\\n": "\n",
    "’": "'",
    "‘": "'",
    "\u00a0": " ",
    "‑": "-",
    "1–": "1-",
    "×": "x",
    "1: 2": "1:2",
    "color": "colour",
}
_WORD = re.compile(r"[^\s,;:()\"“”\[\]{}]+(?::\d)?")


def read_rules(text: str, size: int = 9) -> Rules:
    """The rules of a text, and its sentences that are not understood, as they stand there."""
    found = Rules([], [])
    for sentence in _sentences(text):
        rules = _read(sentence)
        if rules is None:
            found.unknown.append(sentence)
        else:
            found.known.extend(one for one in rules if one not in found.known)
    return found


def _sentences(text: str) -> Iterator[str]:
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    text = re.sub(
        "[\U0001d400-\U0001d6a3]",
        lambda found: chr(  # bold and slanted letters
            (65, 97)[(ord(found[0]) - 0x1D400) % 52 // 26] + (ord(found[0]) - 0x1D400) % 26
        ),
        text,
    )
    text = text[:8000].lower()
    text = re.sub(r"\b(i)\.(e)\.?|\b(e)\.(g)\.?", r"\1\2\3\4", text)
    for part in re.split(r"[.!?](?=\s|$|[\"”)])|[\n•●▪◦*]+", text):
        whole = re.sub(r"\s+", " ", part).strip(' -–—=_>|\t,;"“”')
        whole = re.sub(r"^(?:\d{1,2}|[a-h])[):] *", "", whole)
        if re.search(r"[a-z]", whole):
            yield whole


def _read(sentence: str) -> list[Rule] | None:
    """The rules of a sentence, read as a whole or in two parts; None if it is not understood."""
    rules = _whole(sentence)
    if rules is not None:
        return rules
    for mark in _BREAKS:
        start = sentence.find(mark)
        while start >= 0:
            first, second = sentence[:start], sentence[start + len(mark) :].strip(" ()")
            before = _whole(first.strip(" ()")) if first else None
            after = _read(second) if before is not None and second else None
            if before is not None and after is not None:
                return before + after
            start = sentence.find(mark, start + 1)
    return None


def _whole(sentence: str) -> list[Rule] | None:
    if any(pattern.fullmatch(sentence) for pattern in NOTHING):
        return []
    every = ALL_GIVEN.search(sentence)
    if every and "not" not in sentence.split() and len(sentence) < len(every[0]) + 30:
        what = every["what"] or ""
        if "dot" in what or "circle" in what:
            colours = tuple(c for c in ("white", "black") if c in sentence)
            return [Rule("all dots", colours or ("white", "black"))]
        both = {"x", "v"} <= set(re.findall(r"\b[xv]", what))
        return [Rule("all xv")] if both else None
    words = [word.strip(".'*-–").removeprefix("'") for word in _WORD.findall(sentence)]
    words = [word for word in words if word and word not in "&/"]
    if words and all(word in LABELS for word in words):
        return []
    if words and NAMED.issuperset(words):
        slow = "slow" in words
        return [Rule("slow" if slow and kind == "thermometer" else kind)
                for word, kind in BY_NAME if word in words]  # fmt: skip
    for kind, needed, more in SENTENCES:
        vocabulary = f"{more} {CHESS} {NOT_REPEAT}" if kind.startswith("anti") else more
        if re.match(needed, sentence) and ALWAYS.issuperset(set(words) - set(vocabulary.split())):
            return _rules_of(kind, words, sentence)
    return None


def _rules_of(kind: str, words: list[str], sentence: str) -> list[Rule] | None:
    if kind == "plain":
        return []
    if kind == "antiknight king":
        return [Rule("antiknight"), Rule("antiking")]
    if kind == "even/odd":
        shapes = {
            word.rstrip("sd").rstrip("e") for word in words if word[:6] in ("circle", "square")
        }
        parities = {word for word in words if word in ("even", "odd")}
        if len(shapes) != 1 or len(parities) != 1:
            return None
        shape = "circle" if shapes.pop().startswith("circ") else "square"
        return [Rule(f"{parities.pop()} {shape}")]
    colours = tuple(dict.fromkeys(word for word in words if word in COLOURS))
    if kind == "whispers":
        least = re.search(r"at least (\w+)", sentence)
        number = least[1] if least else ""
        value = int(number) if number.isdecimal() else NUMBERS.get(number)
        return [Rule(kind, colours, value)] if value else None
    if kind == "diagonal" and not re.search(
        r"marked|indicated|blue|drawn|positive|negative", sentence
    ):
        return (
            [Rule("diagonals")] if re.search(r"both|each|two|either|diagonals", sentence) else None
        )
    if kind in ("ratio", "difference", "xv", "killer", "repeats", "quadruple") or kind in _WHOLE:
        colours = ()
    return [Rule(kind, colours)]


_WHOLE = ("nonconsecutive", "disjoint", "diagonal", "antiknight", "antiking", "little", "sandwich",
          "xsum", "skyscraper", "regions", "thermometer", "slow", "arrow", "between")  # fmt: skip
