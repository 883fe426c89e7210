"""Encodes a position as the fragment of a link, and decodes it.

`#/<desk>/1/<payload>`, where the payload is base64url of raw-deflated canonical JSON: keys
sorted, defaults left out, no spaces, integers only. The decoder of a version is kept for ever;
the page has the same codec, and both are tested on tests/vectors/links.json. A desk whose
positions have names, as the sudoku desk's grids have, takes `#/<desk>/<name>` as well.

A link of the page may carry its sender's advice, `#/<desk>/1/<payload>/<text>`: it is not part of
the position and is ignored here. The page shows it until its own advice is there
(web/session/link.ts).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from typing import Any

import msgspec

from cluewise import desks, service
from cluewise.errors import BadInput, BadLink, BadPosition, CluewiseError

VERSION = 1
DECODED_LIMIT = 256 * 1024  # bytes of JSON; a link is a position, not a file
_FORM = re.compile(
    r"^(?:[^#]*#)?/?(?P<desk>[a-z]+)/(?P<version>\d{1,4})/(?P<payload>[^/?#\s]*)(/[^/?#\s]+)?/?$"
)
# What follows a link in a sentence, also as browsers escape it; no link ends in one. Written for
# the reversed text: a search for a run at the end takes quadratic time on long runs within.
_AFTER = re.compile(r"(?:[^\w/#-]|[0-9a-f]{2}%)*", re.IGNORECASE | re.ASCII)
_NAMED = re.compile(r"^(?:[^#]*#)?/?(?P<desk>[a-z]+)/(?P<name>[a-z]+(?:-[a-z]+)*)/?$")


def canonical(position: Any) -> str:
    """Return the canonical JSON: `{"clues":[…],"desk":"code","rules":{"colours":8},"v":1}`."""
    return json.dumps(
        without_defaults(position),
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )


def without_defaults(position: Any) -> dict[str, Any]:
    """Return the position as plain values with its desk and version, and no other defaults.

    Values that equal their default are omitted, however they were given: `"box": [3, 3]` as well as
    a partial of 0. The page does the same by the same structs (validate.ts).
    """
    return {**_fields(position), "desk": position.desk, "v": position.v}


def _fields(struct: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a struct that differ from their defaults, as plain values."""
    kept: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        value = _plain(getattr(struct, field.name))
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.NODEFAULT or value != _plain(default):
            kept[field.encode_name] = value
    return kept


def encode(position: Any) -> str:
    """Return the link's fragment: `#/code/1/…`."""
    desk = desks.load(position.desk)
    if desk.to_link is not None:
        position = desk.to_link(position)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(canonical(position).encode()) + packer.flush()
    payload = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"#/{position.desk}/{VERSION}/{payload}"


def decode(text: str) -> Any:
    """Return the checked position of a link or its fragment, with or without `#`.

    Raises `BadLink` with the reason.
    """
    text = text.strip()
    after = _AFTER.match(text[::-1])
    text = text[: len(text) - (after.end() if after else 0)]
    match = _FORM.match(text)
    named = _NAMED.match(text)
    if named is not None:
        return _named(named["desk"], named["name"])
    if match is None:
        raise BadLink("This is not a Cluewise link. Links look like #/code/1/…")
    if int(match["version"]) != VERSION:
        raise BadLink(f"This link is of version {match['version']}; this program reads 1.")
    try:
        desk = desks.load(match["desk"])
        value = json.loads(_inflate(match["payload"]))
        if not isinstance(value, dict) or value.get("desk", desk.name) != desk.name:
            raise BadLink(f"The link names the {desk.name} desk, but its position names another.")
        position = service.read_position(desk, value)
        return desk.from_link(position) if desk.from_link is not None else position
    except BadLink:
        raise
    except CluewiseError as problem:
        raise BadLink(
            f"The link's position is not valid: {problem.message}",
            problem.where.replace("$.position", "$", 1),
        ) from None
    except (ValueError, RecursionError):
        raise BadLink("The link is damaged: it does not hold a position.") from None


def _named(name: str, called: str) -> Any:
    """Return the position of a named link."""
    try:
        desk = desks.load(name)
        if desk.from_name is not None:
            return desk.from_name(called)
    except CluewiseError as problem:
        raise BadLink(f"The link names nothing: {problem.message}") from None
    raise BadLink("This is not a Cluewise link. Links look like #/code/1/…")


def _inflate(payload: str) -> bytes:
    try:
        packed = base64.b64decode(
            payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True
        )
        opener = zlib.decompressobj(-15)
        data = opener.decompress(packed, DECODED_LIMIT)
    except (binascii.Error, ValueError, zlib.error):
        raise BadLink("The link is damaged: part of it is missing or changed.") from None
    if opener.unconsumed_tail:
        raise BadLink(f"The link holds more than {DECODED_LIMIT // 1024} KB, the limit.")
    if not opener.eof:
        raise BadLink("The link is cut short: its end is missing.")
    return data


def _plain(value: Any) -> Any:
    """Convert integral floats to int recursively; raises BadPosition for others."""
    if isinstance(value, msgspec.Struct):
        return _fields(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        if not value.is_integer():
            raise BadPosition(f"A link holds whole numbers only, not {value}.")
        return int(value)
    return value


def position_of(desk: str, text: str) -> Any:
    """Return the position in a text: JSON, a link, or the desk's text notation.

    Raises `BadInput` with the place of the error.
    """
    bare = text.strip().lstrip("\ufeff")
    if "#/" in bare:
        return decode(bare)
    if bare.startswith("{") or (read := desks.load(desk).from_text) is None:
        try:
            return json.loads(bare)
        except (ValueError, RecursionError):
            raise BadInput("This is neither JSON nor a link.", "$.position") from None
    return read(text)
