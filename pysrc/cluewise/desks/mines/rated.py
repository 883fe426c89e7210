"""How hard a puzzle is, in two ratings."""

from __future__ import annotations

import msgspec

TRIED_ROUNDS = 6  # inexact rounds in a row


class Step(msgspec.Struct, frozen=True):
    """One deduction of the closure: how many rounds until it, and what was held by then."""

    rounds: int
    """Rounds since the step before, this one included."""
    inexact_rounds: int
    """How many of them were inexact."""
    inequalities: int
    """Sets of cells with a bound at its end."""
    exact: int
    """How many of these were exact counts."""


class Rated(msgspec.Struct, frozen=True):
    """Two ratings of a puzzle: complete reasoning in waves, and the closure in rounds.

    `steps` counts the rounds of each deduction (a clue that is trivial at once counts 1),
    `levels` how many steps have each count. `smooth` is null when the closure stops or the
    puzzle needs a guess. `capped`: wide sets were left out, see the option. `solves_with`: the
    fewest inexact rounds in a row, from those asked for to `TRIED_ROUNDS`, with which the closure
    solves it; null if it stops with all of them or a guess is needed. `wanted` is the band of
    smooth scores that `generate` was asked for, `hit` whether the score lies in it.
    """

    no_guess: bool
    """Whether complete reasoning opens every safe cell."""
    waves: int
    """Waves of complete reasoning that opened a cell."""
    steps: list[int]
    """The closure's rounds per step, in order."""
    levels: dict[str, int]
    """How many steps took so many rounds."""
    smooth: float | None
    """The smooth score of the steps; null where the closure stops or a guess is needed."""
    closure_solves: bool
    """Whether the closure opens every safe cell by itself."""
    capped: bool
    """Whether sets of more than nine cells with a minimum above three were left out."""
    records: list[Step]
    """Each step with what was held by then."""
    solves_with: int | None = None
    """The fewest inexact rounds in a row that solve it; null if none tried does."""
    wanted: str | None = None
    """The band that was asked for; null without one."""
    hit: bool | None = None
    """Whether the score lies in that band; null without one."""
