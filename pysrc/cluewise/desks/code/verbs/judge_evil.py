"""The answer of a code maker who has not decided: the one after which most guesses are needed.

An answer is worth the least total of guesses over the codes that it leaves, with a prior the sum of
weight times guesses. Answers are bounded by trees first; only those that can still be the greatest
are searched to the end.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from functools import partial

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.costs import Cost, Costs
from cluewise.desks.code.engine.encoding import count_codes, pack
from cluewise.desks.code.engine.state import (
    State,
    is_countable,
    load,
    load_consistent,
    load_space,
)
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.position import Position
from cluewise.desks.code.verbs.advise_costs import LIMIT, SMALL_RULES
from cluewise.errors import TooLarge
from cluewise.kernel import kernel

_MOST_GUESSES = 4000
"""Guesses looked into for the weighted total of one answer."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An answer, the codes that it leaves, and bounds of their least total."""

    clue: Clue
    codes: array[int]
    cost: Cost

    @property
    def key(self) -> tuple[int, int, str]:
        """Least first: the greatest lower bound, where it is no total the larger set, the text."""
        return -self.cost.low, 0 if self.cost.exact else -len(self.codes), self.clue.answer


def most_costly(position: Position, guess: str) -> Job[Clue]:
    """The answer after which the least total of guesses is greatest; a win only if no other fits.

    Raises `Contradiction` where no code fits the clues.
    """
    rules, clues = position.rules, [position.clues[i] for i in position.counted()]
    if not is_countable(rules):
        raise TooLarge(f"Every code is kept in play; there are {count_codes(rules):,}.")
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues, position.prior)
        load_consistent(state)
        yield from load_space(state)
        secrets, cost = frame.get(state.secrets, "Q", state.n), partial(_cost, state)
        if state.weights is not None:
            costs = WeightedCosts(state, state.weights, False)
            secrets, cost = costs.members(), partial(_weighted_cost, costs)
        answers = rules.answers()
        found = []
        for number, codes in state.split(pack(guess), secrets):
            clue = rules.clue(guess, answers[number])
            found.append(Cell(clue, codes, (yield from cost(clue, codes, False))))
        if not found:
            return rules.clue(guess, rules.win)
        least = max(cell.cost.low for cell in found)
        for i, cell in enumerate(found):
            yield Progress(i, len(found), "comparing the answers")
            if cell.cost.high >= least and not cell.cost.exact:
                found[i] = replace(cell, cost=(yield from cost(cell.clue, cell.codes, True)))
                least = max(least, found[i].cost.low)
        return min(found, key=lambda cell: cell.key).clue


def _cost(state: State, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """Bounds of the least total of these codes; with `search` the total, if it is found in time."""
    with state.frame.kernel.frame() as scratch:
        inner = State(
            scratch, state.rules, state.packed, [*state.clues, clue], scratch.put(codes),
            len(codes), state.space, state.guesses,
        )  # fmt: skip
        costs = Costs(inner, False, None if state.guesses <= SMALL_RULES else LIMIT)
        if not search:
            return (yield from costs.bounds())
        yield from costs.prepare()
        return (yield from costs.least())


def _weighted_cost(costs: WeightedCosts, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """The same for weighted totals."""
    path = costs.path() + array("Q", [pack(clue.guess)])
    if search:
        costs.work = None if costs.state.guesses <= SMALL_RULES else _MOST_GUESSES
        try:
            known = yield from costs.total(codes, path)
            return Cost(known.value, known.value, known.worst)
        except TimeoutError:
            pass
    return Cost(costs.look(codes), costs.play_on(codes, path), 0)
