"""Wires, values and stands of wires, and their shorthand: `Stand.parse(line)` and `str(stand)`.

A wire's *code* sorts as the wires do on a stand: ten times its number, plus 1 for yellow and 5
for red, so `"7"` is 70, `"Y7"` 71, `"R7"` 75. A *value* is what a player names: 1 to 12, YELLOW
(13) or RED (14).

    Ann: 1 Y2 ?4 i5 iY !7 E 2x ?  | +7 -3

`N YN RN` cut; `?` hidden; `?N` hidden, known to its owner; `iN iYN iY iR` shown; and tokens, alone
on a hidden slot or before or after any of these: `!N !Y` not that value, `E`/`O` parity,
`1x 2x 3x` multiplicity, `X` unsorted, `=`/`/` same as / different from the next slot, `@` came from
another stand. After `|`: `+7` has a hidden 7, `-3` has none, `~R` has one. A name may stand in
front, with a colon.

Also read, but not written: tokens in front (`2x7`, `2x?7`, `E?4`, `X5`, `!3?5`) and a colour of
which a wire is known to be (`b? y? r?`, `bE?4`), as in the published shorthand of the program
Bomb-Busters by CzJLee (its `TileStand.from_string`); `y r i` in either case; the numbers printed on
yellow and red tiles (`1.1` is Y1, `3.5` is R3); commas between slots.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import msgspec

from cluewise.errors import BadNotation

YELLOW = 13
RED = 14
VALUE_NAMES = ("", *(str(n) for n in range(1, 13)), "YELLOW", "RED")
_VALUES = {name: number for number, name in enumerate(VALUE_NAMES) if name}
_CODES = {str(n): 10 * n for n in range(1, 13)}
_CODES |= {
    f"{letter}{n}": 10 * n + end for letter, end in (("Y", 1), ("R", 5)) for n in range(1, 12)
}
_TOKEN = re.compile(r"!(?:1[0-2]|[1-9]|[YRyr])|[EO]|[123]x|X|=|/|@")
_COLOUR = re.compile(r"[BbYyRr](?!\d|$)")
_WIRE = r"(?:1[01]|[1-9])\.[15]|[YRyr]?(?:1[0-2]|[1-9])(?:\.0)?"
_BASE = re.compile(rf"[Ii](?P<info>{_WIRE}|[YRyr])(?!x)|(?P<own>\?)?(?P<wire>{_WIRE})(?!x)|\?")
_FACT = re.compile(r"(?P<kind>[+~-])(?P<value>1[0-2]|[1-9]|Y|R)$")
_FACT_KINDS: dict[str, Literal["has", "lacks", "one"]] = {"+": "has", "-": "lacks", "~": "one"}
_FACT_SIGNS = {kind: sign for sign, kind in _FACT_KINDS.items()}
_LETTERS = {"Y": "YELLOW", "R": "RED"}
_TOKENS = {"E": "even", "O": "odd", "1x": "x1", "2x": "x2", "3x": "x3", "X": "unsorted",
          "=": "same-as-next", "/": "differs-from-next", "@": "moved"}  # fmt: skip
_SIGNS = {token: sign for sign, token in _TOKENS.items()}
State: TypeAlias = Literal["hidden", "cut", "info"]


def wire_code(wire: str) -> int | None:
    """Return the code of a wire's name, `wire_code("Y7") == 71`; None if there is no such wire."""
    return _CODES.get(wire)


def wire_name(code: int) -> str:
    """Return the name of a wire's code: `wire_name(75) == "R7"`."""
    return ("Y" if code % 10 == 1 else "R" if code % 10 == 5 else "") + str(code // 10)


def value_number(value: str) -> int | None:
    """Return the number of a value's name, `value_number("YELLOW") == 13`; None for no value."""
    return _VALUES.get(value)


def format_value(value: int) -> str:
    """Return a value in words: `"5"`, `"yellow"`."""
    return VALUE_NAMES[value].lower()


def letter(slot: int) -> str:
    """Return the letter of a slot: `letter(2) == "C"`."""
    return chr(ord("A") + slot)


def value_of(code: int) -> int:
    """Return the value of a wire's code: `value_of(71) == YELLOW`."""
    return YELLOW if code % 10 == 1 else RED if code % 10 == 5 else code // 10


def parse_value(text: str) -> int | None:
    """Return the value of a wire's or a value's text, `parse_value("Y4") == YELLOW`, else None."""
    code = wire_code(text)
    return value_of(code) if code is not None else value_number(text)


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place on a stand."""

    state: State = "hidden"
    """hidden; cut; or info: shown by a token."""
    wire: str | None = None
    """The exact wire: public if it is cut or shown; if it is hidden, known to its owner or the
    viewer.
    """
    value: str | None = None
    """1 to 12, YELLOW or RED, if only the value of a cut or shown wire is known."""
    tokens: tuple[str, ...] = ()
    """Tokens: even, odd, x1, x2, x3, not:VALUE, unsorted, same-as-next, differs-from-
    next.
    """


def value_at(slot: Slot) -> int | None:
    """Return the value that a slot shows or was entered with, cut or not; None without one."""
    return parse_value(slot.wire or slot.value or "")


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact about a stand: `Fact("lacks", "7")`."""

    kind: Literal["has", "lacks", "one"]
    """has: at least one hidden wire of the value; lacks: none; one: one of it, cut or not."""
    value: str
    """1 to 12, YELLOW or RED."""


class Stand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of slots in ascending order, and facts about it."""

    slots: tuple[Slot, ...] = ()
    """From left to right, in ascending order except unsorted wires."""
    name: str = ""
    """The player's name."""
    owner: int | None = None
    """The player behind the stand; null: the stand's own index."""
    facts: tuple[Fact, ...] = ()
    """Facts about the wires."""

    @classmethod
    def parse(cls, line: str, number: int = 1) -> Stand:
        """Read the shorthand of a stand; errors name it as line `number`.

        >>> str(Stand.parse("Ann: 1 ?4 i5 2x | +7"))
        'Ann: 1 ?4 i5 2x | +7'

        :raises BadNotation: `where` as `line 2, slot 5`.
        """
        name, colon, rest = line.rpartition(":")
        body, _, after = (rest if colon else line).partition("|")
        words = body.replace(",", " ").split()
        slots = tuple(_parse_slot(word, number, i + 1) for i, word in enumerate(words))
        facts = tuple(_parse_fact(word, number) for word in after.replace(",", " ").split())
        return Stand(slots, name.strip(), facts=facts)

    def __str__(self) -> str:
        line = " ".join(_format_slot(slot) for slot in self.slots)
        if self.facts:
            facts = " ".join(_FACT_SIGNS[fact.kind] + short(fact.value) for fact in self.facts)
            line = f"{line} | {facts}"
        name = self.name.replace("|", "").replace("\n", " ").replace(";", ",").strip()
        return f"{name}: {line}" if name else line


def _parse_slot(word: str, line: int, place: int) -> Slot:
    """Parse a slot. Raises BadNotation."""
    where = f"line {line}, slot {place}"
    colour = _COLOUR.match(word)
    before, at = _parse_tokens(word, colour.end() if colour else 0)
    match = _BASE.match(word, at)
    after, at = _parse_tokens(word, match.end() if match else at)
    bare = match is not None and match["wire"] is not None and not match["own"]
    if at < len(word) or (bare and any(token[:4] == "not:" for token in before)):
        raise BadNotation(
            f"{word!r} is not a slot. Write 7 for a cut wire, ? for a hidden one, ?7 for your "
            "own, i7 for a shown one.",
            where,
        )
    tokens = (*before, *after)
    letter = colour[0].upper() if colour else ""
    if match is None or match[0] == "?":
        return Slot(tokens=(*tokens, *_other_colours(letter)))
    name = match["info"] or match["wire"]
    if name.upper() in _LETTERS:
        wire, value = None, _LETTERS[name.upper()]
    else:
        wire, value = _parse_wire(name, letter), None
        if wire is None:
            raise BadNotation(f"{word!r}: there is no such wire.", where)
    state: Literal["hidden", "cut", "info"] = "hidden" if match["own"] else "cut"
    return Slot("info" if match["info"] else state, wire=wire, value=value, tokens=tokens)


def _parse_tokens(word: str, at: int) -> tuple[list[str], int]:
    """Return the tokens from index `at` on, and the index after them."""
    tokens = []
    while token := _TOKEN.match(word, at):
        sign = token[0]
        if sign[0] == "!":
            tokens.append(f"not:{_LETTERS.get(sign[1:].upper(), sign[1:])}")
        else:
            tokens.append(_TOKENS[sign])
        at = token.end()
    return tokens, at


def _parse_wire(name: str, letter: str) -> str | None:
    """Return the wire of `y4`, `1.1` or, after the letter of a colour, `4`; else None."""
    number, _, decimal = name.lstrip("YRyr").partition(".")
    named = {"1": "Y", "5": "R"}.get(decimal, "") or name[0].upper().strip("0123456789")
    colour = letter or named or "B"
    wire = number if colour == "B" else colour + number
    clash = (letter and named not in ("", letter)) or (decimal == "0" and named)
    return None if clash or wire_code(wire) is None else wire


def _other_colours(letter: str) -> tuple[str, ...]:
    """Return tokens that exclude all values but those of a colour; () for no colour."""
    names = {"": (), "B": VALUE_NAMES[YELLOW:]}.get(letter)
    if names is None:
        names = tuple(v for v in VALUE_NAMES[1:] if v != _LETTERS[letter])
    return tuple(f"not:{name}" for name in names)


def _parse_fact(word: str, line: int) -> Fact:
    """Parse a fact such as `+7`. Raises BadNotation."""
    match = _FACT.match(word)
    if match is None:
        raise BadNotation(f"{word!r} is not +7 (has a 7) or -7 (has none).", f"line {line}")
    value = _LETTERS.get(match["value"], match["value"])
    return Fact(_FACT_KINDS[match["kind"]], value)


def _format_slot(slot: Slot) -> str:
    signs = "".join(
        "!" + short(token[4:]) if token.startswith("not:") else _SIGNS[token]
        for token in slot.tokens
    )
    if slot.state == "hidden":
        base = f"?{slot.wire}" if slot.wire else "" if signs else "?"
    elif slot.state == "info":
        base = "i" + (slot.wire or short(slot.value or ""))
    else:
        base = slot.wire or short(slot.value or "")
    return base + signs


def short(value: str) -> str:
    """Return a value in shorthand: `"Y"` for YELLOW."""
    return {"YELLOW": "Y", "RED": "R"}.get(value, value)
