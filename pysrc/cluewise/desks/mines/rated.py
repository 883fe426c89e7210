"""How hard a puzzle is, in two ratings."""

from __future__ import annotations

import msgspec


class Step(msgspec.Struct, frozen=True):
    """One deduction of the closure: how many rounds until it, and what was held by then."""

    rounds: int
    inexact_rounds: int
    inequalities: int
    exact: int


class Rated(msgspec.Struct, frozen=True):
    """Two ratings of a puzzle: complete reasoning in waves, and the closure in rounds.

    `steps` counts the rounds of each deduction (a clue that is trivial at once counts 1),
    `levels` how many steps have each count. `smooth` is null when the closure stops or the
    puzzle needs a guess. `capped`: wide sets were left out, see the option.
    """

    no_guess: bool
    waves: int
    steps: list[int]
    levels: dict[str, int]
    smooth: float | None
    closure_solves: bool
    needs_contradiction: bool
    capped: bool
    records: list[Step]
