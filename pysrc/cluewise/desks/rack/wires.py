"""Wires and values as texts and numbers.

A wire's *code* sorts as the wires do on a stand: ten times its number, plus 1 for yellow and 5
for red, so `"7"` is 70, `"Y7"` 71, `"R7"` 75. A *value* is what a player names: 1 to 12, YELLOW
(13) or RED (14).
"""

from __future__ import annotations

YELLOW = 13
RED = 14
VALUE_NAMES = ("", *(str(n) for n in range(1, 13)), "YELLOW", "RED")
_VALUES = {name: number for number, name in enumerate(VALUE_NAMES) if name}
_CODES = {str(n): 10 * n for n in range(1, 13)}
_CODES |= {
    f"{letter}{n}": 10 * n + end for letter, end in (("Y", 1), ("R", 5)) for n in range(1, 12)
}


def wire_code(wire: str) -> int | None:
    """The code of a wire's text, `wire_code("Y7") == 71`; None if there is no such wire."""
    return _CODES.get(wire)


def wire_name(code: int) -> str:
    """The text of a wire's code: `wire_name(75) == "R7"`."""
    return ("Y" if code % 10 == 1 else "R" if code % 10 == 5 else "") + str(code // 10)


def value_number(value: str) -> int | None:
    """The number of a value's text, `value_number("YELLOW") == 13`; None if there is none."""
    return _VALUES.get(value)


def value_of(code: int) -> int:
    """What a player calls the wire: `value_of(71) == YELLOW`."""
    return YELLOW if code % 10 == 1 else RED if code % 10 == 5 else code // 10
