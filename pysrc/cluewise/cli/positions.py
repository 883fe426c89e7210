"""Reads positions from files: JSON, a link, or a desk's text notation."""

from __future__ import annotations

from typing import Any

from cluewise import desks, links, service
from cluewise.cli.files import parse_json, read_text
from cluewise.errors import BadInput, BadPosition, CluewiseError


def read_position(desk: str, file: str | None) -> Any:
    """Return the position in `file` as plain values or the desk's struct, not yet checked.

    Without a file, return the desk's starting position.
    """
    return {"desk": desk} if file is None else _read(desk, file, read_text(file))


def read_any_position(file: str, desk: str | None = None) -> Any:
    """Return the checked position in `file`: of `desk`, the desk in it, or the one that reads it.

    Raises `BadInput` if `desk` is None and not exactly one desk can read the text.
    """
    text = read_text(file)
    if desk is None and _is_text(text):
        if "#/" in text:
            return links.decode(text)
        return _read_by_any(file, text)
    if desk is None:
        value = parse_json(file, text)
        if not isinstance(value, dict):
            raise BadPosition("A position is a JSON object.")
        desk = value.get("desk")
    else:
        value = _read(desk, file, text)
    return service.read_position(desks.load(desk), value)


def _is_text(text: str) -> bool:
    bare = text.strip("\ufeff \t\r\n")
    return bool(bare) and bare[0] not in "{["


def _read(desk: str, file: str, text: str) -> Any:
    if _is_text(text):
        return links.position_of(desk, text)
    value = parse_json(file, text)
    convert = desks.load(desk).from_json
    if convert is not None and isinstance(value, list):
        value = convert(value)
    if not isinstance(value, dict):
        raise BadPosition("A position is a JSON object.", "$.position")
    return value


def _read_by_any(file: str, text: str) -> Any:
    found: dict[str, Any] = {}
    for name in desks.available():
        try:
            found[name] = service.read_position(desks.load(name), links.position_of(name, text))
        except CluewiseError:
            continue
    if len(found) == 1:
        return found.popitem()[1]
    which = f"the desks {', '.join(found)} can read it" if found else "no desk can read it"
    raise BadInput(f"{file} is not JSON, and {which}. Name the desk with --desk.", "--desk")
