"""The bundled puzzles, all made by the generator, from easy to fiendish."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from cluewise.desks.mines.results import Example


@cache
def bundled() -> tuple[Example, ...]:
    """The bundled puzzles in order."""
    data = resources.files("cluewise.desks.mines").joinpath("puzzles.json").read_bytes()
    return tuple(msgspec.json.decode(data, type=list[Example]))
