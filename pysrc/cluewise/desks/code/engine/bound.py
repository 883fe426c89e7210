"""Upper bound on the information of every guess, computed from the colours that guesses show.

The method and its proof stand in bound.c. On p6c10r with 8 000 to 200 000 codes left it lies some
0.12 bits above the best guess, where log2 of the answers that can come lies 1.05 bits above it.
"""

from __future__ import annotations

from array import array
from functools import cache
from math import comb, log2

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.engine.encoding import pack
from cluewise.desks.code.engine.state import State, free_colours
from cluewise.desks.code.position import Rules

SURE = 5.0
"""Standard errors added to what a sample shows: the bound fails less than once in a million."""
_STEPS = 64
_STEP = 0.0865617  # between two factors, in bits
_SLACK = 1e-9  # rounding


@cache
def factors(rules: Rules) -> array[float]:
    """Rows of L and, for each total t, log2 of the sum of 2^(-L a) over the exact counts a."""
    p, rows = rules.pegs, array("d")
    for step in range(_STEPS):
        weight = step * _STEP
        rows.append(weight)
        for t in range(p + 1):
            near = t == p and rules.feedback == "full"  # all but one exact: the last must be, too
            exact = (a for a in range(t + 1) if not (near and a == p - 1))
            rows.append(log2(sum(2 ** (-weight * a) for a in exact)))
    return rows


def first_multiset(rules: Rules) -> str:
    """The least guess: `first_multiset(Rules(4, 6)) == "0000"`."""
    if rules.blanks:
        return "." * rules.pegs
    return rules.symbols[0] * rules.pegs if rules.repeat else rules.symbols[: rules.pegs]


def count_multisets(rules: Rules) -> int:
    """How many multisets of colours guesses show: `count_multisets(Rules(6, 10)) == 5005`."""
    p, c = rules.pegs, rules.colours
    if rules.repeat:
        return comb(c + rules.blanks + p - 1, p)
    return sum(comb(c, k) for k in range(0 if rules.blanks else p, p + 1))


def most_bits(state: State, planes: int, sure: float = 0.0) -> Job[float]:
    """Return bits that no guess exceeds, for the `state.n` secrets in `planes`.

    Where these are a sample, `sure` standard errors are added (see SURE).
    """
    frame, rules = state.frame, state.rules
    with frame.kernel.frame() as scratch:
        columns = scratch.reserve(8 * rules.pegs * ((state.n + 63) // 64))
        cursor = scratch.put(array("Q", [pack(first_multiset(rules))]))
        most, table = scratch.put(array("d", [0.0])), scratch.put(factors(rules))
        alike, pace, done = free_colours(state), SliceTimer(256), 0
        while True:
            many = pace.rows(1 << 24)
            if not scratch.call(
                "code_most_bits", rules=state.packed, planes=planes, n=state.n, cursor=cursor,
                many=many, alike=alike, factors=table, steps=_STEPS, spread=sure,
                columns=columns, most=most,
            ):  # fmt: skip
                break
            pace.took()
            done += many
            yield Progress(done, None, "bounding the information of all guesses")
        return float(scratch.get(most, "d", 1)[0]) + _SLACK
