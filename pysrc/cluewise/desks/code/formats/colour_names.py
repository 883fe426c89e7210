"""What people write for the colours: 1-6, letters, names of colours, emoji.

>>> signs_for("letters", ["Y", "R"], 6)
('R', 'G', 'B', 'Y', 'O', 'P')

A text's signs are found by kind (`kinds_of`): the guesses that its lines begin with, sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cluewise.desks.code.position import BLANK, SYMBOLS, Position, guess_error

Kind = Literal["ones", "letters", "names", "emoji"]
ONES = tuple("123456789abcdefg")
NAMES = (
    "red", "green", "blue", "yellow", "orange", "purple", "white", "black", "brown", "pink",
    "cyan", "magenta", "violet", "grey", "gold", "silver", "teal", "turquoise", "lime", "navy",
    "indigo", "maroon", "tan", "aqua", "gray", "amber", "olive", "crimson",
)  # fmt: skip
_LETTERS = "RGBYOPWKVCMTNSLIADEFHJQUXZ"
_SETS = ("RGBYOP", "RGBYOV", "RGBYWK", "RGBYOW", "RGBYPW", "RGBYMC", "RGBYWO", "RGBYPK", "RGBYCM")
_EMOJI_SETS = ("🔴🟢🔵🟡🟠🟣🟤⚪⚫", "🟥🟩🟦🟨🟧🟪🟫⬜⬛", "❤💚💙💛🧡💜🤎🤍🖤")
_SPARE = "🍎🍋🍇🍒🥝🍉🍌🍊🍓🍑🥥🍍🫐🍐🥭🍈"

_APART = r"[\s,;|/·-]+"
_WORD = re.compile(r"[A-Za-z]{2,8}(?![A-Za-z])")
_SINGLES = re.compile(rf"[A-Za-z](?:{_APART}[A-Za-z](?![A-Za-z])){{1,7}}")
_NAME = "|".join(sorted(NAMES, key=len, reverse=True))
_NAMED = re.compile(rf"(?:{_NAME})(?:{_APART}(?:and\s+)?(?:{_NAME})\b){{0,7}}", re.IGNORECASE)
_EMOJI = re.compile(
    "[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    "[\ufe0f\U0001f3fb-\U0001f3ff]*(?:\u200d[\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f*)*"
)
_RUN = re.compile(rf"(?:{_EMOJI.pattern})(?:[ ,]?(?:{_EMOJI.pattern}))*")


@dataclass(frozen=True, slots=True)
class ColourTokens:
    """Signs that a line has from some place on, and where each begins and the last one ends."""

    signs: tuple[str, ...]
    starts: tuple[int, ...]
    end: int


def plain_sign(sign: str) -> str:
    """How a sign is compared: small letters, without the mark that asks for a coloured picture."""
    return sign.casefold().replace("\ufe0f", "")


def read_colours(signs: Sequence[str], line: str, start: int, most: int) -> ColourTokens:
    """Up to `most` of these signs from `start` on, glued or apart; `.` and `_` are blanks."""
    longest = sorted((*map(plain_sign, signs), ".", "_"), key=len, reverse=True)
    one = re.compile(
        "|".join(re.escape(s) + (r"(?![A-Za-z])" if len(s) > 1 else "") for s in longest)
    )
    gap = re.compile(r"\ufe0f?[\s,;|/·\"'\[(-]*")
    small, found, starts = line.lower(), list[str](), list[int]()
    at = re.compile(r"[\[({\"']*").match(small, start).end()  # type: ignore[union-attr]  # may be empty
    end = at
    while len(found) < most and (hit := one.match(small, at)):
        found.append("." if hit[0] in "._" else hit[0])
        starts.append(at)
        end = hit.end()
        at = gap.match(small, end).end()  # type: ignore[union-attr]  # it matches nothing as well
    if end < len(line) and line[end] == "\ufe0f":
        end += 1
    return ColourTokens(tuple(found), tuple(starts), end)


def emoji_in(text: str) -> tuple[str, ...]:
    """The different emoji of a text, in the order in which they first occur."""
    return tuple(dict.fromkeys(sign.replace("\ufe0f", "") for sign in _EMOJI.findall(text)))


def read_code(position: Position, text: str) -> str:
    """A code as symbols, whether written in symbols or in the position's signs.

    A text that is neither comes back as it is. Symbols go first: `"0011"` is itself.
    """
    if guess_error(position.rules, text) is None:
        return text
    return read_signed_code(position, text)


def read_signed_code(position: Position, text: str) -> str:
    """A code as symbols where it is written in the position's signs; else the text as it is."""
    rules, signs = position.rules, position.signs
    if not signs:
        return text
    taken = read_colours(signs, text, 0, rules.pegs)
    if len(taken.signs) != rules.pegs or text[taken.end :].strip():
        return text
    places = {plain_sign(sign): SYMBOLS[i] for i, sign in enumerate(signs)}
    return "".join(places.get(sign, BLANK) for sign in taken.signs)


def read_colours_of_kind(kind: Kind, line: str, start: int, pegs: int) -> list[str]:
    """The signs of a kind that a guess beginning there would show; [] where there are none.

    `pegs` says how many belong to the guess where the line itself does not.
    """
    start = re.compile(r"[\[({\"']*").match(line, start).end()  # type: ignore[union-attr]  # or nothing
    if kind == "letters":
        word = _WORD.match(line, start)
        if word and word[0].casefold() not in NAMES:
            return list(word[0].upper())
        apart = _SINGLES.match(line, start)
        return re.findall(r"[A-Z]", apart[0].upper())[:pegs] if apart else []
    if kind == "names":
        named = _NAMED.match(line, start)
        found = re.findall(_NAME, named[0].lower()) if named else []
        return found if len(found) <= pegs else found[:pegs]
    if kind == "emoji":
        run = _RUN.match(line, start)
        if not run:
            return []
        groups = [_EMOJI.findall(group) for group in re.split(r"[ ,]", run[0])]
        first = groups[0] if len(groups[0]) > 1 else [e for group in groups for e in group]
        return [e.replace("\ufe0f", "") for e in first[: pegs if len(first) > pegs + 1 else 8]]
    return []


def signs_for(kind: Kind, seen: Sequence[str], colours: int) -> tuple[str, ...]:
    """Signs for all colours that hold those seen: a set people use, else these and others."""
    if kind == "ones":
        return ONES[:colours]
    if kind == "letters":
        sets: list[Sequence[str]] = ["ABCDEFGHIJKLMNOP"[:colours]]
        sets += [*(s for s in _SETS if len(s) == colours), _LETTERS[:colours]]
        rest: Sequence[str] = _LETTERS
    elif kind == "names":
        sets, rest = [NAMES[:colours]], NAMES
    else:
        sets, rest = [s[:colours] for s in _EMOJI_SETS if len(s) >= colours], _SPARE
    for known in sets:
        if set(seen) <= set(known):
            return tuple(known)
    used = [s for s in rest if s in seen] + [s for s in dict.fromkeys(seen) if s not in rest]
    more = [s for s in rest if s not in seen]
    if kind == "names":
        more = [s for s in more if not {s, *seen} >= {"grey", "gray"}]
    return tuple((used + more)[:colours])
