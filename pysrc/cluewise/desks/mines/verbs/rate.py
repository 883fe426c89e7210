"""How hard a puzzle is: waves of complete reasoning, rounds of the closure, the smooth score."""

from __future__ import annotations

from collections import Counter

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.playing import (
    Climb,
    Puzzle,
    climb_auto,
    puzzle_of,
    smooth,
    waves,
)
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.rated import TRIED_ROUNDS, Rated
from cluewise.desks.mines.results import RateOptions


def rate(position: Position, options: RateOptions) -> Job[Rated]:
    """Both ratings of a puzzle: waves of complete reasoning, and rounds of the closure."""
    puzzle = puzzle_of(position)
    complete = yield from waves(puzzle)
    closure = yield from climb_auto(puzzle, options.inexact_rounds, options.cap)
    steps = [step.rounds for step in closure.steps]
    counted = sorted(Counter(steps).items())
    solved = closure.solves and complete.no_guess
    return Rated(
        no_guess=complete.no_guess,
        waves=complete.count,
        steps=steps,
        levels={str(level): count for level, count in counted},
        smooth=smooth(steps) if solved else None,
        closure_solves=closure.solves,
        capped=closure.capped,
        records=closure.steps,
        solves_with=(yield from _solves_with(puzzle, options, closure))
        if complete.no_guess
        else None,
    )


def _solves_with(puzzle: Puzzle, options: RateOptions, closure: Climb) -> Job[int | None]:
    """The fewest inexact rounds in a row, from the allowed number up, that solve the puzzle."""
    if closure.solves:
        return options.inexact_rounds
    for limit in range(options.inexact_rounds + 1, TRIED_ROUNDS + 1):
        if (yield from climb_auto(puzzle, limit, options.cap)).solves:
            return limit
        yield Progress(limit, TRIED_ROUNDS, "trying more inexact rounds in a row")
    return None
