"""The verbs `counts` and `states`: games counted round by round.

`counts`: sequences of guesses up to constraint equivalence. `states`: sets of codes that clues can
leave, and the states of the game among them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import constraint_forest, least_members
from cluewise.desks.code.engine.state import (
    State,
    count_guesses,
    is_countable,
    load,
    load_space,
)
from cluewise.desks.code.engine.state_counts import Round, StateCounter
from cluewise.desks.code.formats.history import read_codes
from cluewise.desks.code.position import Position, guess_error
from cluewise.desks.code.results import Counts, CountsOptions, RoundOfStates, States, StatesOptions
from cluewise.errors import BadOption, BadPosition, TooLarge
from cluewise.kernel import kernel


def counts(position: Position, options: CountsOptions) -> Job[Counts]:
    """Count orbits of guess sequences under peg and colour permutations; clues are ignored.

    `by_first` counts second guesses by first guess; `by_second` counts third guesses by second
    guess after the first guess named.
    """
    rules = position.rules
    if not is_countable(rules):
        raise TooLarge(f"{count_guesses(rules):,} guesses are too many to count rounds.")
    second = options.by_second
    if second is not None:
        second = read_codes(position, (second,))[0]
        if why := guess_error(rules, second):
            raise BadOption(why, "$.options.by_second")
    with kernel().frame() as frame:
        state = State(frame, rules, ())
        yield from load_space(state)
        rounds: list[int] = []
        sequences: list[tuple[int, ...]] = [()]  # guesses by their places in the space
        for number in range(1, options.rounds + 1):
            last = number == options.rounds
            rounds.append(0)
            longer: list[tuple[int, ...]] = []
            for done, sequence in enumerate(sequences):
                yield Progress(done, len(sequences), f"counting round {number}")
                kept = yield from after(state, [state.guess(g) for g in sequence])
                rounds[-1] += len(kept)
                if not last:
                    longer += ((*sequence, g) for g in kept)
            sequences = longer
        by_first = yield from _next(state, ())
        by_second = None
        if second is not None:
            by_second = yield from _next(state, (second,))
        return Counts(rounds, by_first, by_second)


def _next(state: State, sequence: tuple[str, ...]) -> Job[dict[str, int]]:
    """Count for each guess after the sequence, up to equivalence, the guesses that follow it."""
    numbers: dict[str, int] = {}
    for g in (yield from after(state, sequence)):
        guess = state.guess(g)
        numbers[guess] = len((yield from after(state, (*sequence, guess))))
        yield Progress(len(numbers), None, "counting by guess")
    return numbers


def after(state: State, sequence: Sequence[str]) -> Job[array[int]]:
    """Return the places of the least guesses of each constraint class after a sequence."""
    with state.frame.kernel.frame() as scratch:
        inner = state.with_clues(scratch, [Clue(g, 0) for g in sequence])
        return least_members(inner, scratch, (yield from constraint_forest(inner)))


MOST_GUESSES = 20_000  # of rules whose states are counted


def states(position: Position, options: StatesOptions) -> Job[States]:
    """Count sets and states by round, for the rules alone: clues are ignored.

    Sets of clues differ if a guess or an answer differs; no guess is made twice.
    """
    rules = position.rules
    if not is_countable(rules) or count_guesses(rules) > MOST_GUESSES:
        raise TooLarge(f"States are counted for up to {MOST_GUESSES:,} guesses.")
    if not rules.leading_zero:
        message = "States are counted for rules that treat all colours alike: a 0 may come first."
        raise BadPosition(message, "$.rules.leading_zero")
    with kernel().frame() as frame:
        state = yield from load(frame, rules, ())
        yield from load_space(state)
        census = StateCounter(state)
        histories, rounds = census.start(), []
        for number in range(1, options.rounds + 1):
            last = number == options.rounds
            found, histories = yield from census.next_round(histories, last)
            rounds.append((yield from _sorted(census, found, options.limit)))
        return States(rounds)


def _sorted(census: StateCounter, found: Round, limit: int) -> Job[RoundOfStates]:
    """Return a round with its states counted by kind, unless there are more than the limit."""
    sets = found.members.sets.values()
    kinds = (yield from census.classes(sets)) if len(sets) <= limit else None
    sizes = [one.bit_count() for one in sets]
    return RoundOfStates(
        sets=str(found.sets),
        irreducible=None if found.irreducible is None else str(found.irreducible),
        distinct=str(found.members.distinct),
        symmetry=len(sets),
        A=kinds["A"] if kinds else None,
        B=kinds["B"] if kinds else None,
        STAR=kinds["STAR"] if kinds else None,
        one=sizes.count(1),
        two=sizes.count(2),
        largest=max(sizes, default=0),
    )
