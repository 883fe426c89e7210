"""Ratings of a puzzle: two difficulty scores, and the moves of its easiest solution path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import msgspec

Technique: TypeAlias = Literal[
    "one", "subset", "cross", "chain", "bounds", "sum", "weighted", "parity", "suppose", "deeper"
]
TECHNIQUES: tuple[Technique, ...] = get_args(Technique)  # in the order of the scale

TRIED_ROUNDS = 6  # inexact rounds in a row


class Step(msgspec.Struct, frozen=True):
    """One deduction of the closure: its rounds, and the inequalities stored at its end."""

    rounds: int
    """Rounds since the step before, this one included."""
    inexact_rounds: int
    """How many of them were inexact."""
    inequalities: int
    """Sets of cells with a bound at its end."""
    exact: int
    """How many of these were exact counts."""


class Move(msgspec.Struct, frozen=True):
    """A move of a path that always takes the easiest deduction."""

    technique: Technique
    """The kind of argument, as `explain` names it."""
    clues: list[str]
    """The clues that it rests on."""
    cells: list[int]
    """The cells that it decides."""
    verdict: Literal["safe", "mine"]
    """What they all are."""
    length: int = 0
    """How often a count is named in the argument, repeats included; 0 where it was not noted."""
    widest: int | None = None
    """The cells of its widest set; null for bounds and harder arguments."""
    proved: bool = True
    """Whether no deduction was easier at that point."""


Level: TypeAlias = Literal["easy", "medium", "hard", "fiendish"]


class Hardest(msgspec.Struct, frozen=True):
    """The hardest move of a path: by kind, then by length."""

    technique: Technique
    """Its kind."""
    length: int
    """How often it names a count."""
    level: Level
    """easy: up to chains of length 4; medium: longer chains and bounds; hard: sums of up to 6
    counts; fiendish: longer sums and what is harder.
    """


Verdict: TypeAlias = Literal["safe", "mine"]


def verdict_of(value: int) -> Verdict:
    """Return what a cell is that is forced to 0 or 1."""
    return "mine" if value else "safe"


def hardest_move(moves: Sequence[Move]) -> Hardest | None:
    """Return the hardest of some moves; None if there are none.

    The levels divide 40 levels of the game, sorted by their hardest move, into 10, 12, 11 and 7.
    """
    if not moves:
        return None
    kind, length = max((TECHNIQUES.index(move.technique), move.length) for move in moves)
    return Hardest(TECHNIQUES[kind], length, _level(TECHNIQUES[kind], length))


def _level(technique: Technique, length: int) -> Level:
    if technique in ("one", "subset", "cross") or (technique == "chain" and length <= 4):
        return "easy"
    if technique in ("chain", "bounds"):
        return "medium"
    return "hard" if technique == "sum" and length <= 6 else "fiendish"


class Scored(msgspec.Struct, frozen=True):
    """A puzzle on the published scale of 2018, with its order of ties or without any."""

    score: float
    """The sum over neighbouring steps; −1 where the scale gives none: unsolved, fewer than two
    steps, or, with a limit of inexact rounds, no row or column without mines.
    """
    steps: list[int]
    """The rounds of every step."""
    solved: bool
    """Whether the rounds open every cell."""


class Allowed(Scored, frozen=True):
    """The score that another allowance of inexact rounds gives."""

    inexact_rounds: int
    """The fewest inexact rounds in a row that give a score; −1: only without a limit, as for a
    board whose rows and columns all have mines.
    """


class Published(Scored, frozen=True):
    """The published number, and the number that does not depend on the order of ties."""

    order_free: Scored
    """The same scale with the bounds of a pass frozen: it was never published."""
    allowed: Allowed | None = None
    """If the scale gives no score with the requested inexact rounds: the score with more of
    them, up to `TRIED_ROUNDS` in a row or without a limit; null if none of these gives one.
    """


class Lack(msgspec.Struct, frozen=True):
    """One difference of a puzzle's path from a wish."""

    kind: Literal["few", "many", "deep", "wide", "falling"]
    """few, many: moves of `technique`; deep: moves harder than `technique`; wide: counts that one
    move rests on; falling: how often the way does not rise from third to third.
    """
    found: int
    """How many there are."""
    wanted: int
    """How many there should be, at least or at most."""
    technique: Technique | None = None
    """The kind of move it is about; null where it is about none."""


class Kept(msgspec.Struct, frozen=True):
    """The nearest candidate among those with a hardest move of one kind and size."""

    technique: Technique
    """The kind of its hardest move."""
    counts: int
    """The most counts that such a move rests on."""
    kinds: dict[str, int]
    """The number of moves of each kind, in the order of the kinds."""
    lacks: list[Lack]
    """Its differences from the wish; [] for none."""


class Wished(msgspec.Struct, frozen=True):
    """Comparison of a puzzle's path with a wish, and statistics of `generate`."""

    wish: str
    """The wish in its plain form."""
    met: bool
    """Whether the puzzle is as wished and needs no guess."""
    lacks: list[Lack]
    """The differences from the wish; [] for none."""
    looked: int
    """The number of candidates, with those that need a guess."""
    hardest: dict[str, int]
    """How many of those that need no guess have a hardest move of each kind, in their order."""
    kept: list[Kept]
    """The nearest candidates, each with another kind or size of hardest move; the puzzle first."""


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
    """Each step with the inequalities stored at its end."""
    solves_with: int | None = None
    """The fewest inexact rounds in a row that solve it; null if none tried does."""
    wanted: str | None = None
    """The requested band; null without one."""
    hit: bool | None = None
    """Whether the score lies in that band; null without one."""
    published: Published | None = None
    """The scale of 2018, if requested; null otherwise."""
    path: list[Move] | None = None
    """The moves, each by the easiest deduction, up to the end or the first guess; null unless
    `path` or a wish was requested.
    """
    wished: Wished | None = None
    """The comparison with a wish; null without one."""
    hardest: Hardest | None = None
    """The hardest move of that path, the measure of difficulty that agrees best with the order of
    the game's own levels; null without a path or if it ends in a guess.
    """
    thought: int | None = None
    """The effort of that path: the sum over its moves of the rank of the technique (one count 0,
    subset 1, … deeper 9) times the length; null without a path or if it ends in a guess.
    """
