"""How hard a puzzle is: two ratings, and what its easiest way asks."""

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
    """One deduction of the closure: how many rounds until it, and what was held by then."""

    rounds: int
    """Rounds since the step before, this one included."""
    inexact_rounds: int
    """How many of them were inexact."""
    inequalities: int
    """Sets of cells with a bound at its end."""
    exact: int
    """How many of these were exact counts."""


class Move(msgspec.Struct, frozen=True):
    """A deduction on a way that takes the easiest each time."""

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
    """The cells of its widest set; null for bounds and what is harder."""
    proved: bool = True
    """Whether no deduction was easier at that point."""


Level: TypeAlias = Literal["easy", "medium", "hard", "fiendish"]


class Hardest(msgspec.Struct, frozen=True):
    """The hardest move of a way: by kind, then by length."""

    technique: Technique
    """Its kind."""
    length: int
    """How often it names a count."""
    level: Level
    """easy: up to chains of length 4; medium: longer chains and bounds; hard: sums of up to 6
    counts; fiendish: longer sums and what is harder.
    """


def hardest_move(moves: Sequence[Move]) -> Hardest | None:
    """The hardest of some moves, None where there is none.

    The levels divide 40 levels of the game, in whose order the hardest move rises, into 10, 12, 11
    and 7.
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
    """A puzzle on the published scale of 2018, with one way to break ties or without any."""

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
    """The published number, and what it would be if nothing depended on the order of ties."""

    order_free: Scored
    """The same scale with the bounds of a pass frozen: it was never published."""
    allowed: Allowed | None = None
    """Where the scale gives no score with the inexact rounds asked for: the score with more of
    them, up to `TRIED_ROUNDS` in a row or without a limit; null if none of these gives one.
    """


class Lack(msgspec.Struct, frozen=True):
    """One thing that keeps a puzzle's way from a wish."""

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
    """How many moves of each kind its way has, in the order of the kinds."""
    lacks: list[Lack]
    """What keeps it from the wish; [] for nothing."""


class Wished(msgspec.Struct, frozen=True):
    """How a puzzle's way stands to a wish, and what else `generate` found."""

    wish: str
    """The wish in its plain form."""
    met: bool
    """Whether the puzzle is as wished and needs no guess."""
    lacks: list[Lack]
    """What keeps the puzzle's moves from the wish; [] for nothing."""
    looked: int
    """How many candidates were looked at, with those that need a guess."""
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
    """Each step with what was held by then."""
    solves_with: int | None = None
    """The fewest inexact rounds in a row that solve it; null if none tried does."""
    wanted: str | None = None
    """The band that was asked for; null without one."""
    hit: bool | None = None
    """Whether the score lies in that band; null without one."""
    published: Published | None = None
    """The scale of 2018, where it was asked for; null otherwise."""
    path: list[Move] | None = None
    """The whole way, each time by the easiest deduction, where it or a wish was asked for; it
    ends where a guess would be needed; null otherwise.
    """
    wished: Wished | None = None
    """How it stands to a wish; null without one."""
    hardest: Hardest | None = None
    """The hardest move of that way, the measure of difficulty that agrees best with the order of
    the game's own levels; null where the way was not asked for or ends in a guess.
    """
    thought: int | None = None
    """What that way asks: over its moves, the place of the technique (one count 0, subset 1,
    … deeper 9) times the length of the move; null where the way was not asked for or
    ends in a guess.
    """
