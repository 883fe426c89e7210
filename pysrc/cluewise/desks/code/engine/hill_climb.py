"""Good guesses among too many to compare: climbing from codes that fit, a peg or a swap at a time.

Measured on rules of 8 pegs and 12 or 16 colours with up to 10 000 codes left: 64 fitting codes and
eight climbs (3 700 guesses) end 0.03 bits above the best of 3 072 guesses at random; moves of two
pegs at once add less than 0.001 for five times the work.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.scoring import score
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.position import Rules

CLIMBS = 8
STARTS = 64
STARTS_ONLY = 1536  # where only codes that fit may be asked: climbing soon leaves them


def hill_climb(
    state: State, planes: int, criterion: str, only_fitting: bool, also: Iterable[int]
) -> Job[dict[int, int]]:
    """Scores (smaller is better) of all guesses that were tried, by kernel word.

    `state.secrets` are the codes that guesses are judged by, in `planes`; `also` are guesses to
    try besides.
    """
    codes = state.frame.get(state.secrets, "Q", state.n)
    most = STARTS_ONLY if only_fitting else STARTS
    starts = list(dict.fromkeys(codes[:: max(1, -(-len(codes) // most))]))
    if not only_fitting:
        starts += [word for word in also if word not in starts]
    tried = yield from _scores(state, planes, criterion, starts)
    tops = sorted(tried, key=lambda word: (tried[word], word))[:CLIMBS]
    while tops:
        yield Progress(len(tried), None, "climbing to better guesses")
        near = {word: neighbours(state.rules, word) for word in tops}
        new = [
            word for word in dict.fromkeys(chain.from_iterable(near.values())) if word not in tried
        ]
        if only_fitting:
            fits = state.fitting(new)
            new = [word for word, fit in zip(new, fits, strict=True) if fit]
        tried.update((yield from _scores(state, planes, criterion, new)))
        better = []
        for word, around in near.items():
            known = [other for other in around if other in tried]
            top = min(known, key=lambda other: (tried[other], other), default=word)
            if tried[top] < tried[word]:
                better.append(top)
        tops = list(dict.fromkeys(better))
    return tried


def neighbours(rules: Rules, word: int) -> list[int]:
    """All guesses that differ in one peg, or by a swap of two."""
    shifts = [56 - 8 * peg for peg in range(rules.pegs)]
    symbols = [word >> shift & 255 for shift in shifts]
    allowed = range(0 if rules.blanks else 1, rules.colours + 1)
    found = [
        word + ((new - old) << shift)
        for shift, old in zip(shifts, symbols, strict=True)
        for new in allowed
        if new != old and (rules.repeat or not new or new not in symbols)
    ]
    for i, one in enumerate(symbols):
        for j in range(i):
            step = one - symbols[j]
            if step:
                found.append(word + (step << shifts[j]) - (step << shifts[i]))
    return found


def _scores(state: State, planes: int, criterion: str, words: Sequence[int]) -> Job[dict[int, int]]:
    if not words:
        return {}
    with state.frame.kernel.frame() as scratch:
        inner = State(scratch, state.rules, state.packed, state.clues)
        at, can = scratch.put(array("Q", words)), scratch.reserve(len(words), zero=True)
        scores = yield from score(inner, criterion, planes, state.n, at, can, len(words))
        return dict(zip(words, scores.keys(), strict=True))
