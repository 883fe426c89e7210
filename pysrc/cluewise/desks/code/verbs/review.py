"""The verb `review`: a game looked back on, luck apart from skill."""

from __future__ import annotations

from math import log2

from cluewise.core.work import Job, Progress
from cluewise.desks.code.position import (
    Clue,
    Position,
    Rules,
    answer,
    answer_text,
    why_not_code,
)
from cluewise.desks.code.results import (
    Advice,
    AdviseOptions,
    Review,
    Reviewed,
    ReviewOptions,
)
from cluewise.desks.code.verbs.advise import advise
from cluewise.desks.code.verbs.play import unseal
from cluewise.errors import BadOption, BadPosition


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """For every guess what it told, what the best would have told, and what was luck.

    The secret (given, or sealed in the position) is checked against the answers; without one
    the answers alone are looked at. Raises `BadPosition` where an answer is not the secret's.
    """
    secret = _secret(position, options)
    clues = [position.clues[i] for i in position.counted()]
    guesses: list[Reviewed] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), f"looking at guess {i + 1}")
        before = Position(position.rules, tuple(clues[:i]))
        asked = AdviseOptions(criterion=options.criterion, top=1, mine=clue.guess, guesses=False)
        advice = yield from advise(before, asked)
        guesses.append(_reviewed(position.rules, clue, secret, advice))
    won = bool(clues) and clues[-1].exact == position.rules.pegs
    luck, loss = sum(g.luck for g in guesses), sum(g.loss for g in guesses)
    return Review(secret, won, guesses, luck, loss)


def _secret(position: Position, options: ReviewOptions) -> str | None:
    rules = position.rules
    if options.secret is not None:
        if why := why_not_code(rules, options.secret):
            raise BadOption(why, "$.options.secret")
        secret = options.secret
    elif position.sealed is not None:
        secret = unseal(position)
    else:
        return None
    for i in position.counted():
        clue = position.clues[i]
        told = answer(rules, clue.guess, secret)
        if not clue.agrees(told):
            message = f"The secret {secret} answers {answer_text(*told)}, not {clue.answer}."
            raise BadPosition(message, f"$.clues[{i}]")
    return secret


def _reviewed(rules: Rules, clue: Clue, secret: str | None, advice: Advice) -> Reviewed:
    mine, best = advice.mine, advice.options[0]
    assert mine is not None
    after = sum(
        mine.answers.get(answer_text(*told), 0) for told in rules.answers() if clue.agrees(told)
    )
    if after == 0:
        raise BadPosition(f"After {clue.guess} {clue.answer} no code is left.", "$.clues")
    got = log2(advice.remaining / after)
    best_answer = None if secret is None else answer_text(*answer(rules, best.guess, secret))
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
    )
