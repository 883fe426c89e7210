"""How hard a puzzle is, in two ratings."""

from __future__ import annotations

import msgspec

TRIED_ROUNDS = 6  # inexact rounds in a row


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
    puzzle needs a guess. `capped`: wide sets were left out, see the option. `solves_with`: the
    fewest inexact rounds in a row, from those asked for to `TRIED_ROUNDS`, with which the closure
    solves it; null if it stops with all of them or a guess is needed. `wanted` is the band of
    smooth scores that `generate` was asked for, `hit` whether the score lies in it.
    """

    no_guess: bool
    waves: int
    steps: list[int]
    levels: dict[str, int]
    smooth: float | None
    closure_solves: bool
    capped: bool
    records: list[Step]
    solves_with: int | None = None
    wanted: str | None = None
    hit: bool | None = None
