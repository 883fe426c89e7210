"""New puzzles: of some difficulty, or as a wish has it."""

from __future__ import annotations

import random

import msgspec

from cluewise.core.work import Job
from cluewise.desks.mines.boards import clone, template
from cluewise.desks.mines.formats.wish import read_wish
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.results import GenerateOptions, RateOptions
from cluewise.desks.mines.sealing import sealed, with_mines
from cluewise.desks.mines.verbs.maker import Draft, Maker
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.wishing import Seeker
from cluewise.errors import BadOption, CluewiseError, TooLarge

STARTS = 6  # repaired candidates to choose a start of the climb from


def generate(position: Position, options: GenerateOptions) -> Job[Position]:
    """A puzzle with its rating. Raises TooLarge if none was found within the work allowed.

    `empty`: the board alone, no mine on it and every count 0.

    Where no candidate reaches the band, or is as wished, it is the nearest one, and the rating says
    what it lacks. A wish speaks of the moves that `rate` finds on the easiest way.
    """
    if options.wish is not None and options.difficulty is not None:
        raise BadOption("Ask for a difficulty or for a wish, not for both.", "$.options.wish")
    wish = None if options.wish is None else read_wish(options.wish)
    rng = random.Random(options.seed)
    if options.like is not None:
        _check_like(options.like)
        base = clone(with_mines(options.like), rng)
    else:
        base = template(options.board, options.size, rng)
    maker = Maker(base, options, rng)
    if options.empty:
        nothing: frozenset[int] = frozenset()
        return maker.finished(Draft(nothing, nothing, nothing))
    seeker = None if wish is None else Seeker(maker, wish)
    if seeker is None:
        yield from _shaped(maker, options)
    else:
        yield from seeker.run()
    if maker.best.draft is None:
        raise TooLarge("No puzzle was found within the work allowed; try another seed or size.")
    puzzle = maker.finished(maker.best.draft)
    rating = yield from rate(puzzle, RateOptions(wish=options.wish))
    if seeker is not None and rating.wished is not None:
        rating = msgspec.structs.replace(rating, wished=seeker.told(rating.wished))
    if options.difficulty is not None:
        hit = rating.smooth is not None and maker.distance(rating.smooth) == 0
        rating = msgspec.structs.replace(rating, wanted=options.difficulty, hit=hit)
    shaped = msgspec.structs.replace(puzzle, rating=rating)
    return sealed(shaped) if options.sealed else shaped


def _shaped(maker: Maker, options: GenerateOptions) -> Job[None]:
    """Repaired candidates climb towards the band, until one is in it."""
    while not maker.over():
        draft = yield from maker.nearest(STARTS if options.difficulty else 1)
        yield maker.progress()
        if draft is None:
            continue
        yield from maker.climbed(draft)
        if maker.best.distance == 0:
            break


def _check_like(position: Position) -> None:
    try:
        check(position)
    except CluewiseError as problem:
        raise problem.under("$.options.like") from None
