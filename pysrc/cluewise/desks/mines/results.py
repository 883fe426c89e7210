"""What the mines desk is asked and what it answers; the page's types follow from these."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class SolveOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to take as given."""

    ignore_flags: Annotated[bool, Meta(description="treat flagged cells as unknown")] = False


class Solved(msgspec.Struct, frozen=True):
    """Newly forced cells and the chance of a mine per cell (null where nothing is asked).

    All layouts count the same. `exact` false: `solutions` and `probability` are estimates,
    `error` is the largest standard error of a probability and `solutions_error` the relative one
    of the count; `safe` and `mines` are complete all the same.
    """

    solutions: str
    exact: bool
    safe: list[int]
    mines: list[int]
    probability: list[float | None]
    error: float | None = None
    solutions_error: float | None = None


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue under which the rest can hold: a count, or null for no flag."""

    clue: str
    value: int | None
    remaining: str | None
    distance: int


class Doubt(msgspec.Struct, frozen=True):
    """Whether the clues contradict, and which; `redundant` ones follow from all the others.

    `smallest`: all sets of least size that cannot hold together; `proved` false if the search
    was cut short. While the clues contradict, `redundant` is [], since everything would follow.
    """

    contradiction: bool
    smallest: list[list[str]]
    proved: bool
    repairs: list[Repair]
    redundant: list[str]


class DoubtOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far to look."""

    redundant: Annotated[bool, Meta(description="also look for clues that say nothing new")] = True
