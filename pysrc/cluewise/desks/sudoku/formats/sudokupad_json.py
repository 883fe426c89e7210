"""SudokuPad's shortened JSON: `{ce:[[,{v:5},],…],t:'A title'}`.

Names and words stand without quotes, strings in single ones, `{}` in a list is left out altogether,
and colours are bare hexadecimal digits. Written anew from what such texts look like.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cluewise.errors import BadNotation

_PART = re.compile(r"\s*([\[\]{},:]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\[\]{},:'\"\s]+)")
_DEPTH = 40
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def parse_short_json(text: str) -> Any:
    """The value behind the text; plain JSON is read as well. Raises `BadNotation` if it is neither.

    >>> parse_short_json("{ce:[[,{v:5}],[]],t:'It\\\\'s one'}")
    {'ce': [[{}, {'v': 5}], []], 't': "It's one"}
    """
    try:
        return json.loads(text)
    except ValueError:
        pass
    parts = _parts(text)
    value, end = _value(parts, 0, 0)
    if end != len(parts):
        raise _broken()
    return value


def _parts(text: str) -> list[str]:
    """The text's signs and words. A search would try a string without an end from every place."""
    text, parts, at = text.rstrip(), [], 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            raise _broken()
        parts.append(match[1])
        at = match.end()
    return parts


def _broken() -> BadNotation:
    return BadNotation("The link does not hold a board of SudokuPad.")


def _value(parts: list[str], at: int, depth: int) -> tuple[Any, int]:
    if at >= len(parts) or depth > _DEPTH:
        raise _broken()
    part = parts[at]
    if part == "[":
        return _list(parts, at + 1, depth)
    if part == "{":
        return _object(parts, at + 1, depth)
    if part in ("]", "}", ",", ":"):
        raise _broken()
    return _word(part), at + 1


def _list(parts: list[str], at: int, depth: int) -> tuple[list[Any], int]:
    out: list[Any] = []
    if parts[at : at + 1] == ["]"]:
        return out, at + 1
    while at < len(parts):
        if parts[at] in (",", "]"):
            value: Any = {}  # an empty object is left out
        else:
            value, at = _value(parts, at, depth + 1)
        out.append(value)
        mark = parts[at : at + 1]
        if mark == ["]"]:
            return out, at + 1
        if mark != [","]:
            raise _broken()
        at += 1
    raise _broken()


def _object(parts: list[str], at: int, depth: int) -> tuple[dict[str, Any], int]:
    out: dict[str, Any] = {}
    while at < len(parts) and parts[at] != "}":
        name = _word(parts[at])
        if parts[at + 1 : at + 2] != [":"]:
            raise _broken()
        out[str(name)], at = _value(parts, at + 2, depth + 1)
        if parts[at : at + 1] == [","]:
            at += 1
        elif parts[at : at + 1] != ["}"]:
            raise _broken()
    return out, at + 1


def _word(part: str) -> Any:
    if part[0] in "'\"":
        return re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), part[1:-1])
    if re.fullmatch(r"-?\d{1,15}", part):
        return int(part)
    return float(part) if re.fullmatch(r"-?\d{1,9}\.\d{1,9}", part) else part
