"""The verb `game`: what the game is worth when the code maker chooses codes as well as he can.

The code maker mixes over kinds of codes (the same up to pegs and colours), evenly inside a kind;
the guesser's best answer to a mix w is a tree of least mean w t, t = its mean guesses a kind. That
mean is concave in w, so cutting planes find the maximum (Kelley 1960): a linear program in
fractions over the trees known gives the next mix, and its best tree is a new plane, until none is
cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import lcm

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.code.engine.encoding import count_codes, count_guesses
from cluewise.desks.code.engine.weighted import WeightedSearch
from cluewise.desks.code.position import Position, Rules, answer
from cluewise.desks.code.results import GameValue
from cluewise.desks.code.verbs.advise_opening import pattern_of, patterns
from cluewise.errors import BadPosition, TooLarge

MOST_CODES = 64
"""Rules with more codes take too long."""
MOST_GUESSES = 256
_ROUNDS = 200


def game(position: Position, options: NoOptions) -> Job[GameValue]:
    """The value of the game, the mean against an even choice, and the code maker's best mix.

    Clues are not looked at. Raises `TooLarge` above `MOST_CODES` codes.
    """
    rules = position.rules
    if not rules.leading_zero:
        message = "The value of the game is worked out where a code may begin with 0."
        raise BadPosition(message, "$.rules.leading_zero")
    if count_codes(rules) > MOST_CODES or count_guesses(rules) > MOST_GUESSES:
        limit = f"up to {MOST_CODES} codes and {MOST_GUESSES} guesses"
        found = f"{count_codes(rules):,} codes and {count_guesses(rules):,} guesses"
        raise TooLarge(f"The value of the game is computed for {limit}; here are {found}.")
    codes, kinds = list_codes(rules), patterns(rules, False)
    kind_of = [kinds.index(pattern_of(code)) for code in codes]
    sizes = [kind_of.count(kind) for kind in range(len(kinds))]
    mix = [Fraction(size, len(codes)) for size in sizes]
    planes: list[list[Fraction]] = []
    even: Fraction | None = None
    value: Fraction | None = None
    for _ in range(_ROUNDS):
        each = [share / size for share, size in zip(mix, sizes, strict=True)]
        scale = lcm(*(share.denominator for share in each))
        weights = [int(each[kind] * scale) for kind in kind_of]
        total, steps = yield from _best_tree(rules, codes, weights)
        mean = Fraction(total, scale)
        even = mean if even is None else even
        if value is not None and mean >= value:
            named = {kind.least(rules): str(w) for kind, w in zip(kinds, mix, strict=True)}
            return GameValue(str(value), float(value), named, str(even))
        planes.append(
            [
                Fraction(sum(k for code, k in steps if kind_of[code] == kind), size)
                for kind, size in enumerate(sizes)
            ]
        )
        mix, value = solve_mix(planes)
    raise TooLarge(f"The value of the game was not found within {_ROUNDS} strategies.")


def list_codes(rules: Rules, blanks: bool = False) -> list[str]:
    """All codes, or with `blanks` all guesses, ascending where no blank is shown."""
    symbols = rules.symbols + ("." if blanks else "")
    if rules.repeat:
        return ["".join(code) for code in product(symbols, repeat=rules.pegs)]
    if not blanks:
        return ["".join(code) for code in permutations(symbols, rules.pegs)]
    words = map("".join, product(symbols, repeat=rules.pegs))
    return [w for w in words if all(w.count(s) < 2 for s in rules.symbols)]


def _best_tree(
    rules: Rules, codes: Sequence[str], weights: Sequence[int]
) -> Job[tuple[int, tuple[tuple[int, int], ...]]]:
    """Total and steps of a best strategy; the first guess is the least of its pattern."""
    search = WeightedSearch(rules, codes, list_codes(rules, rules.blanks), weights)
    firsts = [pattern.least(rules) for pattern in patterns(rules, rules.blanks)]
    columns = [[answer(rules, guess, code) for code in codes] for guess in firsts]
    members = tuple(range(len(codes)))
    if len(members) == 1:
        return (yield from search.best(members))
    return (yield from search.best_among(members, columns))


def solve_mix(planes: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], Fraction]:
    """The mix w >= 0, sum 1, of greatest z with z <= w t for every plane t, and that z.

    Every vertex is tried: few kinds, few planes.

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
    """The solution of linear equations by elimination; None where there is not exactly one."""
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
