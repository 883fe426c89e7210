"""Files, folders and standard input, with errors a person can act on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from cluewise.errors import BadInput

_LIMIT = 64 << 20  # bytes; larger inputs are lists, which are read piece by piece


def read_bytes(name: str | Path) -> bytes:
    """What is in a file, or on standard input for `-`; at most 64 MB."""
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
    """The same as text in UTF-8."""
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(f"{name} is not UTF-8 text (byte {problem.start}).") from None


def read_text_lenient(name: str | Path) -> str:
    """The same for notations that name their own faults: what is no UTF-8 becomes `\ufffd`."""
    return read_bytes(name).decode("utf-8-sig", "replace")


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


@contextmanager
def iter_lines(name: str) -> Iterator[IO[str]]:
    """A list's lines, one after the other: a file's, or standard input's for `-`."""
    if name == "-":
        yield TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        return
    try:
        file = open(name, encoding="utf-8-sig", errors="replace")  # noqa: SIM115 - closed below
    except OSError as problem:
        raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
    with file:  # outside the try: what goes wrong with the output is not this file's fault
        yield file


def size_of(name: str) -> int | None:
    """A file's bytes; None for standard input and pipes, whose end no one knows."""
    return os.path.getsize(name) if name != "-" and os.path.isfile(name) else None


def files_in(folder: str | Path, suffixes: Sequence[str]) -> list[Path]:
    """The folder's files with one of these endings, by name; `BadInput` if there is none."""
    found = sorted(p for p in Path(folder).iterdir() if p.suffix.lower() in suffixes)
    if not found:
        *most, last = suffixes
        raise BadInput(f"There is no {', '.join(most)} or {last} file in {folder}.")
    return found


def write_file(file: Path, data: bytes) -> None:
    """The file with that content; `BadInput` says why it cannot be."""
    try:
        file.write_bytes(data)
    except OSError as problem:
        raise BadInput(f"Cannot write {file}: {problem.strerror}.") from None
