"""The verb `review`: compare each guess with the best one, and separate luck from loss.

In bits: luck is the information gained less the guess's entropy, loss is the best entropy less the
guess's. In guesses: the same with expected numbers of guesses to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as with_best
from functools import partial
from math import log2

from msgspec.structs import replace

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.formats.history import write_share
from cluewise.desks.code.position import Position, Rules, answer, code_error
from cluewise.desks.code.results import (
    Advice,
    AdviseOptions,
    Guesses,
    InGuesses,
    Review,
    Reviewed,
    ReviewOptions,
)
from cluewise.desks.code.verbs.advise import advise
from cluewise.desks.code.verbs.play import unseal
from cluewise.errors import BadOption, BadPosition, TooLarge


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """Review each guess; the progress carries the review so far.

    The answers are checked against the secret, if it is given, sealed or found; raises
    `BadPosition` if one is wrong.
    """
    secret = _secret(position, options)
    clues = position.counted_clues()
    guesses: list[Reviewed] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), f"looking at guess {i + 1}")
        before = replace(position, clues=tuple(clues[:i]), sealed=None, shown=False)
        by = AdviseOptions(criterion=options.criterion, top=1, mine=clue.guess, guesses=False)
        advice = yield from map_progress(advise(before, by), partial(with_best, best=None))
        guesses.append(_review_guess(position.rules, clue, secret, advice))
    in_bits = _total(position, secret, guesses)
    if not options.guesses:
        return in_bits
    costs: list[Advice | str] = []
    for i, clue in enumerate(clues):
        known = _total(position, secret, _with_costs(guesses, costs, in_bits.won))
        yield Progress(i, len(clues), f"counting guess {i + 1} to the end", known)
        job = _cost(position, clues[:i], clue, options)
        show = partial(with_best, best=known)
        costs.append((yield from map_progress(job, show)))
    return _total(position, secret, _with_costs(guesses, costs, in_bits.won))


def _total(position: Position, secret: str | None, guesses: Sequence[Reviewed]) -> Review:
    """Return the review of all guesses."""
    won = bool(guesses) and guesses[-1].answer == position.rules.answer_name(position.rules.win)
    luck, loss = sum(g.luck for g in guesses), sum(g.loss for g in guesses)
    losses = [g.guesses.given.expected if g.guesses else None for g in guesses]
    exact = [loss for loss in losses if loss is not None]
    given = sum(exact) if guesses and len(exact) == len(guesses) else None
    return Review(secret, won, list(guesses), luck, loss, given, write_share(position, given))


# ---- in guesses ------------------------------------------------------------------------------


def _cost(
    position: Position, before: Sequence[Clue], clue: Clue, options: ReviewOptions
) -> Job[Advice | str]:
    """Return the guess of least cost before the clue, with the cost of the clue's guess.

    A sentence if too many codes are left for a bound.
    """
    by_guesses = AdviseOptions(
        criterion="guesses", top=1, mine=clue.guess, guesses=False, settle=True,
        seconds=options.seconds,
    )  # fmt: skip
    here = replace(position, clues=tuple(before), sealed=None, shown=False)
    try:
        return (yield from advise(here, by_guesses))
    except TooLarge as problem:
        return problem.message


def _with_costs(
    guesses: Sequence[Reviewed], costs: Sequence[Advice | str], won: bool
) -> list[Reviewed]:
    """Return the guesses with their known costs; luck needs the cost of the next one."""
    costed = list(guesses)
    for i, found in enumerate(costs):
        after, following = None, costs[i + 1] if i + 1 < len(costs) else None
        if isinstance(following, Advice):
            after = following.least
        elif won and i + 1 == len(guesses):
            after = Guesses(exact=True, expected=0.0)
        if isinstance(found, str):
            costed[i] = replace(guesses[i], uncosted=found)
        else:
            costed[i] = replace(guesses[i], guesses=_in_guesses(found, after))
    return costed


def _in_guesses(found: Advice, after: Guesses | None) -> InGuesses | None:
    """Return cost, loss and luck of a guess; `after`: the least cost after its answer."""
    best, own = found.options[0], found.mine
    if own is None or own.guesses is None or found.least is None:
        return None
    cheapest, name = found.least, best.guess
    if _upper(own.guesses) <= _lower(cheapest):  # as good as any: shown as the best
        cheapest, name = own.guesses, own.guess
    if own.parts == 1 and not (own.possible and found.remaining == 1):
        # All codes left give the same answer: the loss is one guess, whatever the best costs.
        return InGuesses(own.guesses, cheapest, name, Guesses(exact=True, expected=1.0), 0.0)
    luck = None
    if own.guesses.expected is not None and after is not None and after.expected is not None:
        luck = own.guesses.expected - 1 - after.expected
    return InGuesses(own.guesses, cheapest, name, _loss(own.guesses, cheapest), luck)


def _loss(own: Guesses, best: Guesses) -> Guesses:
    """Return the cost above the best, at least 0 despite rounding."""
    if own.exact and best.exact:
        return Guesses(exact=True, expected=max(0.0, _upper(own) - _upper(best)))
    low = max(0.0, _lower(own) - _upper(best))
    return Guesses(exact=False, low=low, high=max(low, _upper(own) - _lower(best)))


def _lower(cost: Guesses) -> float:
    known = cost.expected if cost.exact else cost.low
    assert known is not None
    return known


def _upper(cost: Guesses) -> float:
    known = cost.expected if cost.exact else cost.high
    assert known is not None
    return known


def _secret(position: Position, options: ReviewOptions) -> str | None:
    """Return the secret, checked against the answers; None if it is unknown."""
    rules = position.rules
    if options.secret is not None:
        secret = read_code(position, options.secret)
        if why := code_error(rules, secret):
            raise BadOption(why, "$.options.secret")
    elif position.sealed is not None:
        secret = unseal(position)
    else:
        found = [clue.guess for clue in position.counted_clues() if clue.is_win]
        if not found or code_error(rules, found[-1]):
            return None
        secret = found[-1]
    for i in position.counted():
        clue = position.clues[i]
        given = answer(rules, clue.guess, secret)
        if not clue.agrees(given):
            message = f"The secret {secret} answers {rules.answer_name(given)}, not {clue.answer}."
            raise BadPosition(message, f"$.clues[{i}]")
    return secret


def _review_guess(rules: Rules, clue: Clue, secret: str | None, advice: Advice) -> Reviewed:
    mine, best = advice.mine, advice.options[0]
    assert mine is not None
    names = [rules.answer_name(pair) for pair in rules.answers() if clue.agrees(pair)]
    after = sum(mine.answers.get(name, 0) for name in names)
    if after == 0:
        raise BadPosition(f"After {clue.guess} {clue.answer} no code is left.", "$.clues")
    got = log2(advice.remaining / after)
    if advice.weight is not None and mine.weights is not None:
        got = log2(advice.weight / sum(mine.weights.get(name, 0) for name in names))
    best_answer = None if secret is None else rules.answer_name(answer(rules, best.guess, secret))
    return Reviewed(
        guess=clue.guess,
        answer=clue.answer,
        before=advice.remaining,
        after=after,
        possible=mine.possible,
        bits=mine.bits,
        got=got,
        luck=got - mine.bits,
        best=best.guess,
        best_bits=best.bits,
        best_possible=best.possible,
        best_answer=best_answer,
        best_after=None if best_answer is None else best.answers.get(best_answer),
        loss=mine.bits_lost,
        rank=mine.rank,
        of=advice.kept,
        exact=advice.exact,
        guesses=None,
    )
