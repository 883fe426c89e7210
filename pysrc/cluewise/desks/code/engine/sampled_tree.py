"""A strategy for many codes, built to bound their least total of guesses from above.

Where guesses times codes are too many to compare, a guess is chosen among a few of the codes by
the entropy of its answers over a sample. Its cells are split in the same way until they are small
enough for the tree of most bits among their own codes. Every code is found by the strategy, so
its total is an upper bound whatever the sample; the work grows as codes times depth.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import unpack
from cluewise.desks.code.engine.scoring import score
from cluewise.desks.code.engine.state import State, load_planes
from cluewise.desks.code.engine.tree import build_strategy

MAX_WHOLE = 1500  # codes that are compared with each other
CANDIDATES = 64
SAMPLE = 1024
_SEED = 1


def count_steps(state: State, words: array[int], clues: Sequence[Clue]) -> Job[list[int]]:
    """How many of the codes the strategy finds with 1, 2 … guesses, as a list: `[1, 4, 3]`.

    `clues`: those asked before, of which the guesses alone are used.
    """
    steps: list[int] = []

    def add(depth: int, found: Sequence[int]) -> None:
        steps.extend([0] * (depth + len(found) - len(steps)))
        for i, n in enumerate(found, depth):
            steps[i] += n

    waiting = [(0, words, list(clues))]
    while waiting:
        depth, members, asked = waiting.pop()
        n = len(members)
        if n <= 2:
            add(depth, [1] * n)
        elif n <= MAX_WHOLE:
            add(depth, (yield from _count_whole(state, members, asked)))
        else:
            word = yield from _choose(state, members)
            cells = [cell for _, cell in state.split(word, members)]
            add(depth, [n - sum(map(len, cells))])
            path = [*asked, Clue(unpack(word, state.rules.pegs), 0)]
            waiting.extend((depth + 1, cell, path) for cell in cells)
            yield Progress(sum(steps), len(words), "bounding the guesses to the end")
    return steps


def _count_whole(state: State, members: array[int], clues: Sequence[Clue]) -> Job[list[int]]:
    """The steps of the tree of most bits that asks the members only."""
    n = len(members)
    with state.frame.kernel.frame() as scratch:
        at = scratch.put(members)
        inner = State(scratch, state.rules, state.packed, clues, at, n, at, n)
        return (yield from build_strategy(inner, "entropy", True)).histogram()


def _choose(state: State, members: array[int]) -> Job[int]:
    """The member whose answers have the most entropy over a sample, among a few of them."""
    n = len(members)
    with state.frame.kernel.frame() as scratch:
        at, count, size = scratch.put(members), min(CANDIDATES, n), min(SAMPLE, n)
        sample, few = scratch.reserve(8 * size), scratch.reserve(8 * count)
        scratch.call("code_sample", at, n, size, _SEED, sample)
        scratch.call("code_sample", at, n, count, _SEED + 1, few)
        inner = State(scratch, state.rules, state.packed, (), sample, size)
        planes = yield from load_planes(inner, sample, size)
        can = scratch.put(bytes([1] * count))
        scores = yield from score(inner, "entropy", planes, size, few, can, count)
        return scores.word(scores.top(1, count)[0])
