"""The verb `game`: the value of the two-person zero-sum game of code maker and guesser.

The code maker's mixed strategy is a distribution w over kinds of codes (equal up to pegs and
colours), uniform within a kind. The guesser's best response is a tree of least mean w · t, with t
its mean guesses per kind. The least mean is concave in w; its maximum is found by cutting planes
(Kelley 1960): a linear program in fractions over the trees so far gives the next w, and the best
response to it is a new plane, until it cuts nothing off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.code.engine.state import (
    State,
    count_codes,
    count_guesses,
    load,
    load_space,
    pack,
    unpack,
)
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import GameValue
from cluewise.desks.code.tree import found_after
from cluewise.desks.code.verbs.advise_large import pattern_of, patterns
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import kernel

MOST_CODES = 64
"""Rules with more codes are too slow."""
MOST_GUESSES = 256
_ROUNDS = 200


def game(position: Position, options: NoOptions) -> Job[GameValue]:
    """Return the value, the mean against a uniform choice, and the code maker's optimal mix.

    Clues are ignored. Raises `TooLarge` above `MOST_CODES` codes.
    """
    rules = position.rules
    if not rules.leading_zero:
        message = "The value of the game is worked out where a code may begin with 0."
        raise BadPosition(message, "$.rules.leading_zero")
    if count_codes(rules) > MOST_CODES or count_guesses(rules) > MOST_GUESSES:
        limit = f"up to {MOST_CODES} codes and {MOST_GUESSES} guesses"
        found = f"{count_codes(rules):,} codes and {count_guesses(rules):,} guesses"
        raise TooLarge(f"The value of the game is computed for {limit}; here are {found}.")
    with kernel().frame() as frame:
        state = yield from load(frame, rules, ())
        yield from load_space(state)
        return (yield from _solve_game(state))


def _solve_game(state: State) -> Job[GameValue]:
    rules = state.rules
    words = state.codes()
    kinds = patterns(rules, False)
    kind_of = {word: kinds.index(pattern_of(unpack(word, rules.pegs))) for word in words}
    sizes = Counter(kind_of.values())
    mix = [Fraction(sizes[kind], state.n) for kind in range(len(kinds))]
    planes: list[list[Fraction]] = []
    even: Fraction | None = None
    value: Fraction | None = None
    for _ in range(_ROUNDS):
        each = [share / sizes[kind] for kind, share in enumerate(mix)]
        scale = lcm(*(share.denominator for share in each))
        search = WeightedCosts(state, {w: int(each[kind_of[w]] * scale) for w in words}, False)
        found = yield from search.solve(search.members(), search.path())
        mean = Fraction(found.value, scale)
        even = mean if even is None else even
        if value is not None and mean >= value:
            named = {kind.least(rules): str(w) for kind, w in zip(kinds, mix, strict=True)}
            return GameValue(str(value), float(value), named, str(even))
        totals = Counter[int]()
        for code, steps in found_after(search.tree(search.members())):
            totals[kind_of[pack(code)]] += steps
        planes.append([Fraction(totals[kind], sizes[kind]) for kind in range(len(kinds))])
        mix, value = solve_mix(planes)
    raise TooLarge(f"The value of the game was not found within {_ROUNDS} strategies.")


def solve_mix(planes: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], Fraction]:
    """Return the mix w >= 0, sum 1, of greatest z with z <= w · t for every plane t, and z.

    All vertices are tested, since kinds and planes are few.

    >>> solve_mix([[Fraction(1), Fraction(3)], [Fraction(3), Fraction(1)]])
    ([Fraction(1, 2), Fraction(1, 2)], Fraction(2, 1))
    """
    kinds = len(planes[0])
    distinct = list(dict.fromkeys(tuple(plane) for plane in planes))
    rows = [[*(-t for t in plane), Fraction(1)] for plane in distinct]
    rows += [[Fraction(-(i == j)) for j in range(kinds)] + [Fraction(0)] for i in range(kinds)]
    whole = [Fraction(1)] * kinds + [Fraction(0)]
    best: list[Fraction] | None = None
    for chosen in combinations(rows, kinds):
        found = _solve([*chosen, whole], [Fraction(0)] * kinds + [Fraction(1)])
        if found is None or (best is not None and found[-1] <= best[-1]):
            continue
        if all(sum(a * x for a, x in zip(row, found, strict=True)) <= 0 for row in rows):
            best = found
    assert best is not None
    return best[:-1], best[-1]


def _solve(rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> list[Fraction] | None:
    """Solve linear equations by Gaussian elimination; None without a unique solution."""
    table = [[*row, value] for row, value in zip(rows, values, strict=True)]
    for i in range(len(table)):
        pivot = next((r for r in range(i, len(table)) if table[r][i]), None)
        if pivot is None:
            return None
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [x / table[i][i] for x in table[i]]
        for r, row in enumerate(table):
            if r != i and row[i]:
                table[r] = [x - row[i] * y for x, y in zip(row, table[i], strict=True)]
    return [row[-1] for row in table]
