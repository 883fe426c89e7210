"""Files and standard input as JSON, with errors a person can act on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cluewise.errors import BadInput

_LIMIT = 64 << 20  # bytes; larger inputs are lists, which have verbs of their own


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LIMIT + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LIMIT + 1)
    except OSError as problem:
        raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
    if len(data) > _LIMIT:
        raise BadInput(f"{name} is larger than {_LIMIT >> 20} MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(f"{name} is not UTF-8 text (byte {problem.start}).") from None


def read_json(name: str) -> Any:
    """The JSON value in a file; `BadInput` says at which line and column it breaks off."""
    return parse_json(name, read_text(name))


def parse_json(name: str, text: str) -> Any:
    """The same of a text that was read from `name`."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise BadInput(f"{name} is not JSON: {problem.msg} at {place}.") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{name} is not JSON that can be read.") from None
