"""Which Cluewise this is: the version, and a mark of what it computes with.

Two copies with the same mark give the same answers: it is a hash of every module, the kernel and
the tables. The terminal works it out from its own files; the build of the page writes the same one
into the page, whose package comes compiled (wasm_build/site/build.py). Kept results carry it as
well: a version number would not do, since a clone that is brought up to date keeps its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cluewise import __version__

FILES = (".py", ".wasm", ".bin", ".json")
MARK = 8  # characters of the hash that are shown
PACKAGE = Path(__file__).resolve().parents[1]


def version_string() -> str:
    """What one can quote, as `cluewise --version` prints it: `0.2.0 (5f3a09c1)`."""
    return f"{__version__} ({build_hash()[:MARK]})"


@cache
def build_hash() -> str:
    """The whole hash of this package as it stands: `"5f3a09c1…"`, 64 characters."""
    return digest(package_files())


def package_files() -> list[tuple[str, bytes]]:
    """The package's files by their names in it: `[("__init__.py", b"…"), …]`."""
    found = (path for path in PACKAGE.rglob("*") if path.suffix in FILES)
    return [(path.relative_to(PACKAGE).as_posix(), path.read_bytes()) for path in found]


def short_hash(files: Iterable[tuple[str, bytes]]) -> str:
    """The first eight characters of their digest."""
    return digest(files)[:MARK]


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """64 characters that change with any name or content, whatever the order.

    >>> digest([("a.py", b"1"), ("b.py", b"2")]) == digest([("b.py", b"2"), ("a.py", b"1")])
    True
    """
    total = hashlib.sha256()
    for name, data in sorted(files):
        total.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return total.hexdigest()
