"""Which Cluewise this is: the version, and a mark of what it computes with.

Two copies with the same mark give the same answers: it is a hash of every module, the kernel and
the tables. The terminal works it out from its own files; the build of the page writes the same one
into the page, whose package comes compiled (wasm_build/build_site.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from cluewise import __version__

FILES = (".py", ".wasm", ".bin", ".json")
PACKAGE = Path(__file__).resolve().parents[1]


def edition() -> str:
    """What one can quote, as `cluewise --version` prints it: `0.1.0 (5f3a09c1)`."""
    return f"{__version__} ({mark(package_files())})"


def package_files() -> list[tuple[str, bytes]]:
    """The package's files by their names in it: `[("__init__.py", b"…"), …]`."""
    found = (path for path in PACKAGE.rglob("*") if path.suffix in FILES)
    return [(path.relative_to(PACKAGE).as_posix(), path.read_bytes()) for path in found]


def mark(files: Iterable[tuple[str, bytes]]) -> str:
    """Eight characters that change with any name or content, whatever the order.

    >>> mark([("a.py", b"1"), ("b.py", b"2")]) == mark([("b.py", b"2"), ("a.py", b"1")])
    True
    """
    total = hashlib.sha256()
    for name, data in sorted(files):
        total.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return total.hexdigest()[:8]
