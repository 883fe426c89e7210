"""Reads files, folders, standard input and positions; raises `BadInput` with the reason.

A position in a file is JSON, a link, or a desk's text notation.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain, repeat
from pathlib import Path
from typing import IO, Any

from cluewise import desks, links, service
from cluewise.errors import BadInput, BadPosition, CluewiseError

_PIECE = 656_000  # bytes of a list answered at once: 8 000 lines of 9×9 boards
_LIMIT = 64 << 20  # bytes; lists, which may be larger, are read line by line


def read_bytes(name: str | Path) -> bytes:
    """Return the bytes of a file, or of standard input for `-`; at most 64 MB."""
    try:
        if str(name) == "-":
            data = sys.stdin.buffer.read(_LIMIT + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LIMIT + 1)
    except OSError as problem:
        raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
    if len(data) > _LIMIT:
        raise BadInput(f"{name} is larger than {_LIMIT >> 20} MB.")
    return data


def read_text(name: str | Path) -> str:
    """Return a file's UTF-8 text."""
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(f"{name} is not UTF-8 text (byte {problem.start}).") from None


def read_text_lenient(name: str | Path) -> str:
    """Return a file's text with invalid UTF-8 as `\ufffd`, which the notation's parser reports."""
    return read_bytes(name).decode("utf-8-sig", "replace")


def read_json(name: str) -> Any:
    """Return the JSON value in a file; `BadInput` names the line and column of an error."""
    return parse_json(name, read_text(name))


def parse_json(name: str, text: str) -> Any:
    """Return the JSON value of a text read from `name`."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise BadInput(f"{name} is not JSON: {problem.msg} at {place}.") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{name} is not valid JSON: a number or the nesting is too large.") from None


def iter_texts(file: IO[bytes]) -> Iterator[str]:
    """Return the file's text in pieces of whole lines; each line ends with one newline character.

    The first two pieces have half the size, so that a short list is answered in parallel too.
    """
    sizes = chain((_PIECE // 2, _PIECE // 2), repeat(_PIECE))
    encoding = "utf-8-sig"
    for size in sizes:
        data = file.read(size)
        if not data:
            return
        text = (data + file.readline()).decode(encoding, "replace")
        encoding = "utf-8"
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        yield text


@contextmanager
def open_bytes(name: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for `-`, for reading its bytes."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(name, "rb")  # noqa: SIM115 - closed below
    except OSError as problem:
        raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
    with file:  # outside the try, which must not catch errors of the output
        yield file


@contextmanager
def iter_lines(name: str) -> Iterator[IO[str]]:
    """Iterate over the lines of a file, or of standard input for `-`."""
    with open_bytes(name) as file:
        yield TextIOWrapper(file, encoding="utf-8-sig", errors="replace")


def size_of(name: str) -> int | None:
    """Return a file's size in bytes; None for standard input and pipes."""
    return os.path.getsize(name) if name != "-" and os.path.isfile(name) else None


def files_in(folder: str | Path, suffixes: Sequence[str]) -> list[Path]:
    """Return the folder's files with one of these endings, sorted by name; `BadInput` if none."""
    found = sorted(p for p in Path(folder).iterdir() if p.suffix.lower() in suffixes)
    if not found:
        *most, last = suffixes
        raise BadInput(f"There is no {', '.join(most)} or {last} file in {folder}.")
    return found


def write_file(file: Path, data: bytes) -> None:
    """Write a file; raises `BadInput` with the reason if that fails."""
    try:
        file.write_bytes(data)
    except OSError as problem:
        raise BadInput(f"Cannot write {file}: {problem.strerror}.") from None


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
