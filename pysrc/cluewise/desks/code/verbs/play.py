"""The verbs `deal` and `judge`: draw a secret, and answer guesses.

The seal (core.seal) hides a secret from a glance at the position; it is no encryption.

An adversarial code maker (`evil`) has no secret. Its answer is the one whose remaining codes have
the greatest optimal total of guesses; with a prior the total is weighted. All answers get bounds
first; only those that may still be the greatest are searched.
"""

from __future__ import annotations

from array import array
from functools import partial
from math import perm
from typing import NamedTuple

from msgspec.structs import replace

from cluewise.core import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.costs import Cost, Costs
from cluewise.desks.code.engine.state import (
    State,
    count_codes,
    is_countable,
    load_position,
    load_space,
    pack,
)
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.position import Position, Rules, answer, code_error, guess_error
from cluewise.desks.code.results import DealOptions, Dealt, Judged, JudgeOptions
from cluewise.desks.code.verbs.advise_costs import LIMIT, searches_without_limit
from cluewise.errors import BadOption, BadPosition, TooLarge
from cluewise.kernel import kernel

_PURPOSE = "code"
_MAX_DRAWS = 1_000_000
_MASK = (1 << 64) - 1


def unseal(position: Position) -> str:
    """Return the secret of a position; raises `BadPosition` if there is none or it is damaged."""
    if position.sealed is None:
        raise BadPosition("This position has no sealed secret; deal one first.", "$.sealed")
    secret = seal.unseal(position.sealed, _PURPOSE)
    if code_error(position.rules, secret):
        raise BadPosition("The sealed secret is of other rules; deal a new one.", "$.sealed")
    return secret


def deal(position: Position, options: DealOptions) -> Job[Dealt]:
    """Return a position of the same rules with a sealed secret and no clues.

    The same rules, prior and seed give the same secret. Raises `BadOption` if `secret` is no code.
    """
    yield from ()
    secret = options.secret and read_code(position, options.secret)
    if secret is None:
        secret = _draw_weighted(position, options.seed)
    elif why := code_error(position.rules, secret):
        raise BadOption(why, "$.options.secret")
    sealed = seal.seal(secret, _PURPOSE)
    return Dealt(sealed, replace(position, clues=(), sealed=sealed, shown=False))


def _draw_weighted(position: Position, seed: int) -> str:
    """Draw a secret with a probability proportional to its weight, by rejection sampling."""
    prior = position.prior
    if prior is None:
        return _draw(position.rules, seed)
    greatest = max(1, *prior.kinds.values(), *prior.codes.values())
    for _ in range(_MAX_DRAWS):
        secret = _draw(position.rules, seed)
        seed = _mix(seed)
        if seed % greatest < prior.weight(secret):
            return secret
    raise BadPosition("Hardly any code has a weight; no secret was drawn.", "$.prior")


def _draw(rules: Rules, seed: int) -> str:
    """Draw a secret of the rules, uniformly."""
    every = Rules(rules.pegs, rules.colours, rules.repeat)  # those that begin with 0 come first
    place = _mix(seed) % count_codes(rules)
    return code_at(every, place + count_codes(every) - count_codes(rules))


def judge(position: Position, options: JudgeOptions) -> Job[Judged]:
    """Answer a guess by the sealed secret, or with `evil` by the most costly answer."""
    yield from ()
    guess = read_code(position, options.guess)
    if why := guess_error(position.rules, guess):
        raise BadOption(why, "$.options.guess")
    if options.evil:
        if position.sealed is not None:
            raise BadOption("The position has a sealed secret, which answers.", "$.options.evil")
        return _judged((yield from most_costly(position, guess)))
    secret = unseal(position)
    return _judged(position.rules.clue(guess, answer(position.rules, guess, secret)))


def _judged(clue: Clue) -> Judged:
    """Return the answer of a clue as the verb's result; marks and sums also as counts."""
    exact, partial = clue.exact or 0, clue.partial or 0
    if clue.marks is not None:
        exact, partial = clue.marks.count("2"), clue.marks.count("1")
    elif clue.sum is not None:
        exact, partial = (clue.sum, 0) if clue.won else (0, clue.sum)
    return Judged(exact, partial, clue.answer, clue.is_win, clue.marks, clue.sum)


def code_at(rules: Rules, place: int) -> str:
    """Return the code at a place in ascending order: `code_at(Rules(), 1) == "0001"`."""
    symbols, code = list(rules.symbols), ""
    for pegs in reversed(range(rules.pegs)):
        colours = len(symbols) - (not rules.repeat)
        suffixes = colours**pegs if rules.repeat else perm(colours, pegs)
        first, place = divmod(place, suffixes)
        code += symbols[first]
        if not rules.repeat:
            symbols.remove(code[-1])
    return code


def _mix(x: int) -> int:
    """Return the next number of SplitMix64 (Steele, Lea & Flood 2014)."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31


# ---- the adversarial code maker ------------------------------------------------------------------


_MAX_WEIGHTED_GUESSES = 4000
"""Guesses that are searched for the weighted total of one answer."""


class Cell(NamedTuple):
    """An answer, the codes that it leaves, and bounds of their optimal total."""

    clue: Clue
    codes: array[int]
    cost: Cost

    @property
    def key(self) -> tuple[int, int, str]:
        """Sort key, least first: the lower bound, then if it is no exact total the size."""
        return -self.cost.low, 0 if self.cost.exact else -len(self.codes), self.clue.answer


def most_costly(position: Position, guess: str) -> Job[Clue]:
    """Return the answer with the greatest optimal total; a win only if no other is possible.

    Raises `Contradiction` if no code fits the clues.
    """
    rules = position.rules
    if not is_countable(rules):
        raise TooLarge(f"Every code is kept in play; there are {count_codes(rules):,}.")
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        yield from load_space(state)
        secrets, cost = state.codes(), partial(_cost, state)
        if state.weights is not None:
            costs = WeightedCosts(state, state.weights, False)
            secrets, cost = costs.members(), partial(_weighted_cost, costs)
        answers = rules.answers()
        cells = []
        for number, codes in state.split(pack(guess), secrets):
            clue = rules.clue(guess, answers[number])
            cells.append(Cell(clue, codes, (yield from cost(clue, codes, False))))
        if not cells:
            return rules.clue(guess, rules.win)
        cutoff = max(cell.cost.low for cell in cells)
        for i, cell in enumerate(cells):
            yield Progress(i, len(cells), "comparing the answers")
            if cell.cost.high >= cutoff and not cell.cost.exact:
                cells[i] = cell._replace(cost=(yield from cost(cell.clue, cell.codes, True)))
                cutoff = max(cutoff, cells[i].cost.low)
        return min(cells, key=lambda cell: cell.key).clue


def _cost(state: State, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """Bound the optimal total of these codes; with `search` compute it, within a limit."""
    with state.frame.kernel.frame() as scratch:
        inner = state.with_codes(scratch, [*state.clues, clue], codes)
        costs = Costs(inner, False, None if searches_without_limit(state) else LIMIT)
        if not search:
            return (yield from costs.bracket_least())
        yield from costs.merge_equal_guesses()
        return (yield from costs.find_least())


def _weighted_cost(costs: WeightedCosts, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """Bound the weighted total; with `search` compute it, within a limit."""
    path = costs.path() + array("Q", [pack(clue.guess)])
    if search:
        costs.work = None if searches_without_limit(costs.state) else _MAX_WEIGHTED_GUESSES
        try:
            known = yield from costs.solve(codes, path)
            return Cost(known.value, known.value, known.worst)
        except TimeoutError:
            pass
    return Cost(costs.lower_bound(codes), costs.upper_bound(codes, path), 0)
