"""The desks by name; each is a package here, imported when somebody first asks it something."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any

from cluewise.core.desk import Desk
from cluewise.errors import Unknown

NAMES = ("code", "rack", "scan", "mines", "sudoku")


def available() -> tuple[str, ...]:
    """The names of the desks that are here, in the order of the page's tabs; others after them."""
    found = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return (*(name for name in NAMES if name in found), *sorted(found - set(NAMES)))


def load(name: object) -> Desk[Any]:
    """The desk of that name; `Unknown` lists the names there are."""
    if name is None:
        raise Unknown('The position does not say its desk: add "desk": "code", say.', "$.desk")
    loaded = name in NAMES and f"{__name__}.{name}" in sys.modules  # then no one looks for it again
    if not loaded and name not in available():
        raise Unknown(f"There is no desk {name!r}; choose from {', '.join(available())}.", "$.desk")
    desk = importlib.import_module(f"cluewise.desks.{name}").DESK
    assert isinstance(desk, Desk)
    return desk
