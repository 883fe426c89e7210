"""The version, and a hash of everything that computes answers.

Copies with equal hashes give equal answers: the hash covers every module, the kernel and the
tables. The terminal computes it from its files; the build writes it into the page, whose package is
compiled (wasm_build/site/build.py). Cached results are stored under it, because a version number
does not change with every commit.
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
    """Return the text that `cluewise --version` prints: `0.2.0 (5f3a09c1)`."""
    return f"{__version__} ({build_hash()[:MARK]})"


@cache
def build_hash() -> str:
    """Return the hash of this package's files: `"5f3a09c1…"`, 64 characters."""
    return digest(package_files())


def package_files() -> list[tuple[str, bytes]]:
    """Return the package's files by relative name: `[("__init__.py", b"…"), …]`."""
    found = (path for path in PACKAGE.rglob("*") if path.suffix in FILES)
    return [(path.relative_to(PACKAGE).as_posix(), path.read_bytes()) for path in found]


def short_hash(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the first eight characters of the files' digest."""
    return digest(files)[:MARK]


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return a SHA-256 of names and contents, independent of the order.

    >>> digest([("a.py", b"1"), ("b.py", b"2")]) == digest([("b.py", b"2"), ("a.py", b"1")])
    True
    """
    total = hashlib.sha256()
    for name, data in sorted(files):
        total.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return total.hexdigest()
