"""New puzzles: of a difficulty, or with a profile of moves (the option `wish`)."""

from __future__ import annotations

import itertools
import math
import random
from contextlib import closing
from dataclasses import replace
from typing import Any, Literal

import msgspec

from cluewise.core.work import Job
from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.generator.board_shapes import same_graph, template
from cluewise.desks.mines.generator.by_moves import ProfileSearch
from cluewise.desks.mines.generator.local_search import Best, Candidate, PuzzleSearch
from cluewise.desks.mines.generator.move_profile import (
    MoveProfile,
    profile_like,
    read_wish,
    write_wish,
)
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.results import GenerateOptions, RateOptions
from cluewise.desks.mines.sealing import sealed, with_mines
from cluewise.desks.mines.verbs.rate import path, rate
from cluewise.errors import BadOption, CluewiseError, TooLarge
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

TASKS = 4  # estimate of the climbs or candidates; too few to start processes
Climbed = tuple[int, float | None, list[list[int]]]


def generate(
    position: Position, options: GenerateOptions, sharing: ParallelContext | None = None
) -> Job[Position]:
    """Generate a puzzle and rate it. Raises TooLarge if none was found within the limit of work.

    `empty`: the board alone, without mines, every count 0.

    If no candidate meets the band or the wish, the result is the nearest one, and the rating lists
    the differences. A wish is about the moves of `rate`'s path.
    """
    given = [n for n in ("wish", "difficulty", "model") if getattr(options, n) is not None]
    if len(given) > 1:
        raise BadOption(f"Ask for a {given[0]} or for a {given[1]}, not for both.",
                        f"$.options.{given[0]}")  # fmt: skip
    if options.model is not None and not options.empty:
        wish_text = write_wish((yield from _profile(options.model, options.compared)))
        options = msgspec.structs.replace(options, wish=wish_text, model=None)
    wish = None if options.wish is None else read_wish(options.wish)
    maker = _maker(options, 0)
    if options.empty:
        nothing: frozenset[int] = frozenset()
        return maker.finished(Candidate(nothing, nothing, nothing))
    seeker = None if wish is None else ProfileSearch(maker, wish)
    if seeker is None:
        yield from _shaped(maker, options, sharing)
    else:
        yield from seeker.run(sharing)
    if maker.best.draft is None:
        raise TooLarge("No puzzle was found within the work allowed; try another seed or size.")
    puzzle = maker.finished(maker.best.draft)
    rating = yield from rate(puzzle, RateOptions(wish=options.wish))
    if seeker is not None and rating.wished is not None:
        rating = msgspec.structs.replace(rating, wished=seeker.with_candidates(rating.wished))
    if options.difficulty is not None:
        hit = rating.smooth is not None and maker.distance(rating.smooth) == 0
        rating = msgspec.structs.replace(rating, wanted=options.difficulty, hit=hit)
    shaped = msgspec.structs.replace(puzzle, rating=rating)
    return sealed(shaped) if options.sealed else shaped


def puzzle_tasks(_position: Position, options: GenerateOptions) -> int:
    """Return the number of climbs, or of rows of candidates, for a puzzle of a given kind."""
    asked = (options.difficulty, options.wish, options.model)
    of_kind = any(one is not None for one in asked)
    return TASKS if of_kind and not options.empty else 1


def _maker(options: GenerateOptions, climb: int) -> PuzzleSearch:
    """Return the generator of candidates; every climb but the first has its own random numbers."""
    rng = random.Random(options.seed)
    if options.like is not None:
        _check_like(options.like)
        base = same_graph(with_mines(options.like), rng)
    else:
        base = template(options.board, options.size, rng)
    return PuzzleSearch(base, options, random.Random(f"{options.seed}.{climb}") if climb else rng)


def _shaped(
    maker: PuzzleSearch, options: GenerateOptions, sharing: ParallelContext | None
) -> Job[None]:
    """Run climbs until one reaches the band or the limit of work is used up."""
    plain = msgspec.to_builtins(options)
    shown = Best()
    climbs = ((plain | {"seconds": maker.left()}, k) for k in itertools.count())
    with closing(map_tasks(climbed, climbs, sharing)) as steps:
        for step in steps:
            if isinstance(step, Result):
                evaluations, distance, draft = step.value
                maker.evaluations += evaluations
                if draft:
                    away = math.inf if distance is None else distance
                    maker.note(Candidate(*map(frozenset, draft)), away)
                if maker.best.distance == 0 or maker.over():
                    return
                continue
            if maker.over() and maker.best.draft is not None:  # the time
                return
            pulse = replace(
                maker.pulse(step.progress.done if step.progress else 0), waits=step.idle
            )
            best = step.progress.best if step.progress else None
            if isinstance(best, Best) and best.draft and best.distance < shown.distance:
                shown = Best(best.draft, best.distance)
                pulse = replace(pulse, best=maker.shown(best.draft))
            yield pulse


def climbed(options: dict[str, Any], climb: int) -> Job[Climbed]:
    """Run one climb as a task: return its evaluations, the best distance from the band, the best.

    The distance is None if it has no score; the lists are empty if there is no candidate.
    """
    maker = _maker(msgspec.convert(options, GenerateOptions), climb)
    for _ in maker.climb():
        yield replace(maker.pulse(), best=maker.best)
    best = maker.best
    parts = () if best.draft is None else (best.draft.mines, best.draft.secret, best.draft.start)
    away = None if best.distance == math.inf else best.distance
    return maker.evaluations, away, [sorted(part) for part in parts]


def _profile(model: Position, compared: Literal["easier", "same", "harder"]) -> Job[MoveProfile]:
    """Return the profile of moves of a model."""
    _check_like(model, "$.options.model")
    puzzle = with_mines(model)
    if puzzle.mines is None:
        raise BadOption("The model's mines are not known.", "$.options.model")
    moves = yield from path(puzzle, puzzle_of(puzzle))
    return profile_like(moves, compared)


def _check_like(position: Position, where: str = "$.options.like") -> None:
    try:
        check(position)
        refuse_arranged(position)
    except CluewiseError as problem:
        raise problem.under(where) from None
