"""A stand as a line of text, the way players jot it down, in and out.

    Ann: 1 Y2 ?4 i5 iY !7 E 2x ?  | +7 -3

`N YN RN` cut; `?` hidden; `?N` hidden, its owner's knowledge; `iN iYN iY iR` shown; and tokens,
alone on a hidden slot or behind any of these: `!N !Y` not that value, `E`/`O` parity, `1x 2x 3x`
how many, `X` unsorted, `=`/`/` same as / different from the next slot. Behind `|`: `+7` has a
hidden 7, `-3` has none. A name may stand in front, with a colon.
"""

from __future__ import annotations

import re

import msgspec

from cluewise.desks.rack.position import Fact, Position, Slot, Stand
from cluewise.errors import BadNotation

_TOKEN = re.compile(r"!(?:1[0-2]|[1-9]|Y|R)|[EO]|[123]x|X|=|/")
_BASE = re.compile(
    r"i(?P<info>[YR]?(?:1[0-2]|[1-9])|[YR])|(?P<own>\?)?(?P<wire>[YR]?(?:1[0-2]|[1-9]))(?!x)|\?"
)
_FACT = re.compile(r"(?P<kind>[+-])(?P<value>1[0-2]|[1-9]|Y|R)$")
_LETTERS = {"Y": "YELLOW", "R": "RED"}
_WORDS = {"E": "even", "O": "odd", "1x": "x1", "2x": "x2", "3x": "x3", "X": "unsorted",
          "=": "same-as-next", "/": "differs-from-next"}  # fmt: skip
_SIGNS = {word: sign for sign, word in _WORDS.items()}


def read_stands(text: str, position: Position) -> tuple[Stand, ...]:
    """The stands of a text, owners (and missing names) as in `position`.

    Raises BadNotation, `where` as `line 2, slot 5`.
    """
    lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
    stands = []
    for n, line in enumerate(lines):
        stand = read_stand(line, n + 1)
        old = position.stands[n] if n < len(position.stands) else Stand()
        stands.append(msgspec.structs.replace(stand, owner=old.owner, name=stand.name or old.name))
    return tuple(stands)


def read_stand(line: str, number: int = 1) -> Stand:
    """One stand from one line: `read_stand("1 ?4 i5 2x | +7")`."""
    name, colon, rest = line.rpartition(":")
    body, _, said = (rest if colon else line).partition("|")
    slots = tuple(_slot(word, number, i + 1) for i, word in enumerate(body.split()))
    facts = tuple(_fact(word, number) for word in said.replace(",", " ").split())
    return Stand(slots, name.strip(), facts=facts)


def _slot(word: str, line: int, place: int) -> Slot:
    where = f"line {line}, slot {place}"
    match = _BASE.match(word)
    tokens, at = [], match.end() if match else 0
    while at < len(word):
        token = _TOKEN.match(word, at)
        if token is None:
            raise BadNotation(
                f"{word!r} is no slot. Write 7 for a cut wire, ? for a hidden one, ?7 for your "
                "own, i7 for a shown one.",
                where,
            )
        tokens.append(_word(token[0]))
        at = token.end()
    if match is None or match[0] == "?":
        return Slot(tokens=tuple(tokens))
    if match["info"]:
        if match["info"] in _LETTERS:
            return Slot("info", value=_LETTERS[match["info"]], tokens=tuple(tokens))
        return Slot("info", wire=match["info"], tokens=tuple(tokens))
    return Slot("hidden" if match["own"] else "cut", wire=match["wire"], tokens=tuple(tokens))


def _word(sign: str) -> str:
    if sign[0] == "!":
        return f"not:{_LETTERS.get(sign[1:], sign[1:])}"
    return _WORDS[sign]


def _fact(word: str, line: int) -> Fact:
    match = _FACT.match(word)
    if match is None:
        raise BadNotation(f"{word!r} is not +7 (has a 7) or -7 (has none).", f"line {line}")
    value = _LETTERS.get(match["value"], match["value"])
    return Fact("has" if match["kind"] == "+" else "lacks", value)


def write_stand(stand: Stand) -> str:
    """The stand's line, `Ann: 1 ?4 i5 2x | +7`; `read_stand` gives the stand back."""
    line = " ".join(_write_slot(slot) for slot in stand.slots)
    if stand.facts:
        said = " ".join(
            ("+" if fact.kind == "has" else "-") + _short(fact.value) for fact in stand.facts
        )
        line = f"{line} | {said}"
    name = stand.name.replace("|", "").replace("\n", " ").replace(";", ",").strip()
    return f"{name}: {line}" if name else line


def _write_slot(slot: Slot) -> str:
    signs = "".join(
        "!" + _short(token[4:]) if token.startswith("not:") else _SIGNS[token]
        for token in slot.tokens
    )
    if slot.state == "hidden":
        base = f"?{slot.wire}" if slot.wire else "" if signs else "?"
    elif slot.state == "info":
        base = "i" + (slot.wire or _short(slot.value or ""))
    else:
        base = slot.wire or _short(slot.value or "")
    return base + signs


def _short(value: str) -> str:
    return {"YELLOW": "Y", "RED": "R"}.get(value, value)
