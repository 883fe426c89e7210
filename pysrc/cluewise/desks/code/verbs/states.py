"""The verb `states`: how many sets of codes clues can leave, and how many states these are."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.code.engine.encoding import count_guesses
from cluewise.desks.code.engine.state import is_countable, load, load_space
from cluewise.desks.code.engine.state_counts import Round, StateCounter
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import RoundOfStates, States, StatesOptions
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import kernel

MOST_GUESSES = 20_000
"""Of rules whose states are counted."""


def states(position: Position, options: StatesOptions) -> Job[States]:
    """Counts by round, of the rules alone: clues are not looked at.

    Two sets of clues count as two where a guess or an answer differs; a guess is made once.
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
    """A round with its states sorted into classes, unless they are more than the limit."""
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
