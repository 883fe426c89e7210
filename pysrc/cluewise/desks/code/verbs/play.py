"""Play against a sealed secret: deal it, answer guesses.

The seal is core.seal's, which keeps a secret from being read by accident and no more.

A code maker who has not decided gives the answer after which most guesses are needed: the least
total of guesses over the codes that it leaves, with a prior the sum of weight times guesses.
Answers are bounded by trees first; only those that can still be the greatest are searched to the
end.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from cluewise.core import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.costs import Cost, Costs
from cluewise.desks.code.engine.state import (
    State,
    check_consistent,
    count_codes,
    is_countable,
    load,
    load_space,
    pack,
)
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.position import Position, Rules, answer, code_error, guess_error
from cluewise.desks.code.results import DealOptions, Dealt, Judged, JudgeOptions
from cluewise.desks.code.verbs.advise_costs import LIMIT, has_small_rules
from cluewise.errors import BadOption, BadPosition, TooLarge
from cluewise.kernel import kernel

_PURPOSE = "code"
_DRAWS = 1_000_000
_MASK = (1 << 64) - 1


def unseal(position: Position) -> str:
    """The secret of a position; raises `BadPosition` where there is none or it is damaged."""
    if position.sealed is None:
        raise BadPosition("This position has no sealed secret; deal one first.", "$.sealed")
    secret = seal.unseal(position.sealed, _PURPOSE)
    if code_error(position.rules, secret):
        raise BadPosition("The sealed secret is of other rules; deal a new one.", "$.sealed")
    return secret


def deal(position: Position, options: DealOptions) -> Job[Dealt]:
    """A position of the same rules with a sealed secret and no clues; same seed, same secret.

    Raises `BadOption` where a secret of one's own is no code of the rules.
    """
    yield from ()
    secret = options.secret and read_code(position, options.secret)
    if secret is None:
        secret = _drawn_by_weight(position, options.seed)
    elif why := code_error(position.rules, secret):
        raise BadOption(why, "$.options.secret")
    sealed = seal.seal(secret, _PURPOSE)
    return Dealt(sealed, replace(position, clues=(), sealed=sealed, shown=False))


def _drawn_by_weight(position: Position, seed: int) -> str:
    """A secret as likely as its weight: codes are drawn until one is kept."""
    prior = position.prior
    if prior is None:
        return _drawn(position.rules, seed)
    top = max(1, *prior.kinds.values(), *prior.codes.values())
    for _ in range(_DRAWS):
        secret = _drawn(position.rules, seed)
        seed = _mix(seed)
        if seed % top < prior.weight(secret):
            return secret
    raise BadPosition("Hardly any code has a weight; no secret was drawn.", "$.prior")


def _drawn(rules: Rules, seed: int) -> str:
    """A secret of the rules; all are as likely."""
    plain = Rules(rules.pegs, rules.colours, rules.repeat)
    place = _mix(seed) % count_codes(rules)
    return code_at(plain, place + count_codes(plain) - count_codes(rules))


def judge(position: Position, options: JudgeOptions) -> Job[Judged]:
    """What the sealed secret answers to a guess, or, without one, the most costly answer."""
    yield from ()
    guess = read_code(position, options.guess)
    if why := guess_error(position.rules, guess):
        raise BadOption(why, "$.options.guess")
    if options.evil:
        if position.sealed is not None:
            raise BadOption("The position has a sealed secret, which answers.", "$.options.evil")
        return judged((yield from most_costly(position, guess)))
    secret = unseal(position)
    return judged(position.rules.clue(guess, answer(position.rules, guess, secret)))


def judged(clue: Clue) -> Judged:
    """The answer of a clue as the verb's result; marks and sums are counted as well."""
    exact, partial = clue.exact or 0, clue.partial or 0
    if clue.marks is not None:
        exact, partial = clue.marks.count("2"), clue.marks.count("1")
    elif clue.sum is not None:
        exact, partial = (clue.sum, 0) if clue.won else (0, clue.sum)
    return Judged(exact, partial, clue.answer, clue.is_win, clue.marks, clue.sum)


def code_at(rules: Rules, place: int) -> str:
    """The code at that place in ascending order: `code_at(Rules(), 1) == "0001"`."""
    left, code = list(rules.symbols), ""
    for peg in range(rules.pegs):
        after = _codes(rules, len(left) - (not rules.repeat), rules.pegs - peg - 1)
        code += left[place // after]
        if not rules.repeat:
            left.remove(code[-1])
        place %= after
    return code


def _codes(rules: Rules, colours: int, pegs: int) -> int:
    return count_codes(Rules(pegs, colours, rules.repeat)) if pegs else 1


def _mix(x: int) -> int:
    """One step of splitmix64: a well-spread number that follows from x."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31


# ---- a code maker who has not decided ------------------------------------------------------------


_MOST_GUESSES = 4000
"""Guesses looked into for the weighted total of one answer."""


class Cell(NamedTuple):
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
        check_consistent(state)
        yield from load_space(state)
        secrets, cost = state.codes(), partial(_cost, state)
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
                found[i] = cell._replace(cost=(yield from cost(cell.clue, cell.codes, True)))
                least = max(least, found[i].cost.low)
        return min(found, key=lambda cell: cell.key).clue


def _cost(state: State, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """Bounds of the least total of these codes; with `search` the total, if it is found in time."""
    with state.frame.kernel.frame() as scratch:
        inner = state.with_codes(scratch, [*state.clues, clue], codes)
        costs = Costs(inner, False, None if has_small_rules(state) else LIMIT)
        if not search:
            return (yield from costs.bracket_least())
        yield from costs.merge_equal_guesses()
        return (yield from costs.find_least())


def _weighted_cost(costs: WeightedCosts, clue: Clue, codes: array[int], search: bool) -> Job[Cost]:
    """The same for weighted totals."""
    path = costs.path() + array("Q", [pack(clue.guess)])
    if search:
        costs.work = None if has_small_rules(costs.state) else _MOST_GUESSES
        try:
            known = yield from costs.solve(codes, path)
            return Cost(known.value, known.value, known.worst)
        except TimeoutError:
            pass
    return Cost(costs.lower_bound(codes), costs.upper_bound(codes, path), 0)
