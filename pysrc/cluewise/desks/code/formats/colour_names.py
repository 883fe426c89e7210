"""Signs of colours in texts: 1-6, letters, names of colours, emoji.

>>> signs_for("letters", ["Y", "R"], 6)
('R', 'G', 'B', 'Y', 'O', 'P')
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
_LETTER_SETS = (
    "RGBYOP",
    "RGBYOV",
    "RGBYWK",
    "RGBYOW",
    "RGBYPW",
    "RGBYMC",
    "RGBYWO",
    "RGBYPK",
    "RGBYCM",
)
_EMOJI_SETS = ("🔴🟢🔵🟡🟠🟣🟤⚪⚫", "🟥🟩🟦🟨🟧🟪🟫⬜⬛", "❤💚💙💛🧡💜🤎🤍🖤")
_OTHER_EMOJI = "🍎🍋🍇🍒🥝🍉🍌🍊🍓🍑🥥🍍🫐🍐🥭🍈"

_SEPARATOR = r"[\s,;|/·-]+"
_WORD = re.compile(r"[A-Za-z]{2,8}(?![A-Za-z])")
_SINGLES = re.compile(rf"[A-Za-z](?:{_SEPARATOR}[A-Za-z](?![A-Za-z])){{1,7}}")
_NAME = "|".join(sorted(NAMES, key=len, reverse=True))
_NAMED = re.compile(rf"(?:{_NAME})(?:{_SEPARATOR}(?:and\s+)?(?:{_NAME})\b){{0,7}}", re.IGNORECASE)
_EMOJI = re.compile(
    "[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    "[\ufe0f\U0001f3fb-\U0001f3ff]*(?:\u200d[\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f*)*"
)
_RUN = re.compile(rf"(?:{_EMOJI.pattern})(?:[ ,]?(?:{_EMOJI.pattern}))*")


@dataclass(frozen=True, slots=True)
class ColourTokens:
    """The signs of a guess in a line, with the start of each and the end of the last."""

    signs: tuple[str, ...]
    starts: tuple[int, ...]
    end: int

    def in_symbols(self, signs: Sequence[str]) -> str:
        """Return the guess in symbols, given the sign of each colour."""
        symbols = {plain_sign(sign): SYMBOLS[i] for i, sign in enumerate(signs)}
        return "".join(symbols.get(sign, BLANK) for sign in self.signs)


def plain_sign(sign: str) -> str:
    """Return a sign for comparison: case-folded, without the emoji variation selector."""
    return sign.casefold().replace("\ufe0f", "")


def read_colours(signs: Sequence[str], line: str, start: int, most: int) -> ColourTokens:
    """Return up to `most` of the signs from `start` on, with or without separators.

    `.` and `_` are blanks.
    """
    longest = sorted((*map(plain_sign, signs), ".", "_"), key=len, reverse=True)
    one = re.compile(
        "|".join(re.escape(s) + (r"(?![A-Za-z])" if len(s) > 1 else "") for s in longest)
    )
    gap = re.compile(r"\ufe0f?[\s,;|/·\"'\[(-]*")
    lower, found, starts = line.lower(), list[str](), list[int]()
    at = re.compile(r"[\[({\"']*").match(lower, start).end()  # type: ignore[union-attr]  # also matches ""
    end = at
    while len(found) < most and (hit := one.match(lower, at)):
        found.append("." if hit[0] in "._" else hit[0])
        starts.append(at)
        end = hit.end()
        at = gap.match(lower, end).end()  # type: ignore[union-attr]  # also matches ""
    if end < len(line) and line[end] == "\ufe0f":
        end += 1
    return ColourTokens(tuple(found), tuple(starts), end)


def emoji_in(text: str) -> tuple[str, ...]:
    """Return the distinct emoji of a text in order of first occurrence."""
    return tuple(dict.fromkeys(sign.replace("\ufe0f", "") for sign in _EMOJI.findall(text)))


def read_code(position: Position, text: str) -> str:
    """Return a code in symbols, from symbols or the position's signs.

    Any other text is returned unchanged. Symbols take precedence: `"0011"` is itself.
    """
    if guess_error(position.rules, text) is None:
        return text
    return read_signed_code(position, text)


def read_signed_code(position: Position, text: str) -> str:
    """Return a code in symbols, from the position's signs; any other text unchanged."""
    pegs, signs = position.rules.pegs, position.signs
    if not signs:
        return text
    tokens = read_colours(signs, text, 0, pegs)
    if len(tokens.signs) != pegs or text[tokens.end :].strip():
        return text
    return tokens.in_symbols(signs)


def read_colours_of_kind(kind: Kind, line: str, start: int, pegs: int) -> list[str]:
    """Return the signs of a kind in a guess that begins at `start`; [] if there are none.

    `pegs` limits their number if the line does not.
    """
    start = re.compile(r"[\[({\"']*").match(line, start).end()  # type: ignore[union-attr]  # also matches ""
    if kind == "letters":
        word = _WORD.match(line, start)
        if word and word[0].casefold() not in NAMES:
            return list(word[0].upper())
        singles = _SINGLES.match(line, start)
        return re.findall(r"[A-Z]", singles[0].upper())[:pegs] if singles else []
    if kind == "names":
        named = _NAMED.match(line, start)
        return re.findall(_NAME, named[0].lower())[:pegs] if named else []
    if kind == "emoji":
        run = _RUN.match(line, start)
        if not run:
            return []
        groups = [_EMOJI.findall(group) for group in re.split(r"[ ,]", run[0])]
        first = groups[0] if len(groups[0]) > 1 else [e for group in groups for e in group]
        return [e.replace("\ufe0f", "") for e in first[: pegs if len(first) > pegs + 1 else 8]]
    return []


def signs_for(kind: Kind, seen: Sequence[str], colours: int) -> tuple[str, ...]:
    """Return a sign per colour: a usual set that contains those seen, else these and others."""
    if kind == "ones":
        return ONES[:colours]
    if kind == "letters":
        sets: list[Sequence[str]] = ["ABCDEFGHIJKLMNOP"[:colours]]
        sets += [*(s for s in _LETTER_SETS if len(s) == colours), _LETTERS[:colours]]
        rest: Sequence[str] = _LETTERS
    elif kind == "names":
        sets, rest = [NAMES[:colours]], NAMES
    else:
        sets, rest = [s[:colours] for s in _EMOJI_SETS if len(s) >= colours], _OTHER_EMOJI
    for known in sets:
        if set(seen) <= set(known):
            return tuple(known)
    used = [s for s in rest if s in seen] + [s for s in dict.fromkeys(seen) if s not in rest]
    more = [s for s in rest if s not in seen]
    if kind == "names":
        more = [s for s in more if not {s, *seen} >= {"grey", "gray"}]
    return tuple((used + more)[:colours])
