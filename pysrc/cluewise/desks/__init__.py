"""The desks by name; each is a package here, imported on first use."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any

from cluewise.core.desk import Desk
from cluewise.errors import Unknown

NAMES = ("code", "rack", "scan", "mines", "sudoku")


def available() -> tuple[str, ...]:
    """Return the names of the installed desks, in the order of the page's tabs, then others."""
    found = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return (*(name for name in NAMES if name in found), *sorted(found - set(NAMES)))


def load(name: object) -> Desk[Any]:
    """Return the desk of that name; raises `Unknown` with the known names."""
    if name is None:
        raise Unknown('The position names no desk. Add a field such as "desk": "code".', "$.desk")
    loaded = name in NAMES and f"{__name__}.{name}" in sys.modules  # skip the search
    if not loaded and name not in available():
        raise Unknown(f"There is no desk {name!r}; choose from {', '.join(available())}.", "$.desk")
    desk = importlib.import_module(f"cluewise.desks.{name}").DESK
    assert isinstance(desk, Desk)
    return desk
