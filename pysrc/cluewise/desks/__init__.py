"""The five desks by name; each is imported when somebody first asks it something."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from cluewise.core.desk import Desk
from cluewise.errors import Unknown

NAMES = ("code", "rack", "scan", "mines", "sudoku")


def available() -> tuple[str, ...]:
    """The names of the desks that this build has, in the order of the page's tabs."""
    return tuple(n for n in NAMES if importlib.util.find_spec(f"cluewise.desks.{n}") is not None)


def load(name: object) -> Desk[Any]:
    """The desk of that name; `Unknown` lists the names there are."""
    if name is None:
        raise Unknown('The position does not say its desk: add "desk": "code", say.', "$.desk")
    if name not in available():
        raise Unknown(f"There is no desk {name!r}; choose from {', '.join(available())}.", "$.desk")
    desk = importlib.import_module(f"cluewise.desks.{name}").DESK
    assert isinstance(desk, Desk)
    return desk
