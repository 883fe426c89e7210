"""Large data files that few questions need: read from the package, or fetched from the site."""

from __future__ import annotations

import sys
from importlib import resources

from cluewise.errors import HostFailure


def read(package: str, name: str) -> bytes:
    """Return the bytes of a package's file: `read("cluewise.desks.sudoku", "numbers.bin")`.

    The page's copy of the package does not include them; there they are fetched from `data/`.
    Raises `HostFailure` if that fails.
    """
    try:
        return resources.files(package).joinpath(name).read_bytes()
    except FileNotFoundError:
        if sys.platform != "emscripten":
            raise HostFailure(f"The file {name} is missing from this installation.") from None
    from cluewise.kernel.browser import fetch_sync

    return fetch_sync(f"data/{name}")
