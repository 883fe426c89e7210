"""Whole strategies by a rule of thumb, worked out by the kernel as lists of nodes.

Greedy: each node takes the guess with the best score for its secrets. Cost: O(guesses x secrets) a
level; beyond `MOST_CODES` guesses or secrets `TooLarge`.

For more codes `count_steps` bounds the least total from above: a guess is chosen among a few of
the codes by the entropy of its answers over a sample. Its cells are split in the same way until
they are small enough for the tree of most bits among their own codes. Every code is found by the
strategy, so its total is an upper bound whatever the sample; the work grows as codes times depth.
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.scoring import score
from cluewise.desks.code.engine.state import (
    State,
    cell_names,
    load_planes,
    load_space,
    pack_guesses,
    unpack,
)
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import Branch
from cluewise.errors import TooLarge
from cluewise.kernel.layouts import CODE

MOST_CODES = 1 << 16
RULES_OF_THUMB = {"entropy": 0, "minmax": 1, "minavg": 2, "maxparts": 3, "first": 4}
_NODE = struct.Struct(CODE.Node_FORMAT)
_ROOT = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class StrategyNodes:
    """A strategy as the kernel's nodes (Node in code.h), parents before children."""

    raw: bytes

    def histogram(self, weights: Mapping[int, int] | None = None) -> list[int]:
        """How many secrets each number of guesses finds, from one guess up, or their weight."""
        if weights is not None:
            found = Counter[int]()
            for guess, _parent, _n, depth, _cell, can in _NODE.iter_unpack(self.raw):
                found[depth] += weights[guess] if can else 0
            return [found[depth] for depth in range(1, max(found) + 1)]
        at, can = CODE.Node_AT["depth"] // 2, CODE.Node_AT["can"]
        depths = memoryview(self.raw).cast("H")[at :: _NODE.size // 2].tolist()
        found = Counter(compress(depths, self.raw[can :: _NODE.size]))
        return [found[depth] for depth in range(1, max(depths) + 1)]

    def branches(self, rules: Rules) -> Branch:
        """The nodes as a tree of branches by answer."""
        names, made = cell_names(rules), list[Branch]()
        for guess, parent, n, _depth, cell, _can in _NODE.iter_unpack(self.raw):
            made.append(Branch(unpack(guess, rules.pegs), n, {}))
            if parent != _ROOT:
                made[parent].answers[names[cell]] = made[-1]
        return made[0]


def build_strategy(state: State, criterion: str, consistent_only: bool) -> Job[StrategyNodes]:
    """The strategy from this state on."""
    if not state.space:
        yield from load_space(state)
    frame = state.frame
    if max(state.guesses, state.n) > MOST_CODES:
        raise TooLarge(f"Whole strategies are computed for up to {MOST_CODES:,} codes.")
    memory = frame.reserve(frame.call("code_tree_bytes", state.packed, state.guesses, state.n))
    clues = frame.put(pack_guesses(clue.guess for clue in state.clues))
    frame.call(
        "code_tree_start", memory=memory, rules=state.packed, space=state.space,
        count=state.guesses, secrets=state.secrets, n=state.n, clues=clues,
        clue_count=len(state.clues), criterion=RULES_OF_THUMB[criterion],
        consistent_only=consistent_only,
    )  # fmt: skip
    out = frame.reserve(8)
    while frame.call("code_tree_step", memory, 600_000):
        frame.call("code_tree_nodes", memory, out)
        yield Progress(frame.get(out + 4, "I", 1)[0], state.n, "working out the strategy")
    count = frame.call("code_tree_nodes", memory, out)
    raw = frame.get(frame.get(out, "I", 1)[0], "B", _NODE.size * count).tobytes()
    return StrategyNodes(raw)


# ---- strategies for many codes -------------------------------------------------------------------


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
        inner = State(scratch, state.rules, clues, at, n, at, n)
        return (yield from build_strategy(inner, "entropy", True)).histogram()


def _choose(state: State, members: array[int]) -> Job[int]:
    """The member whose answers have the most entropy over a sample, among a few of them."""
    n = len(members)
    with state.frame.kernel.frame() as scratch:
        at, count, size = scratch.put(members), min(CANDIDATES, n), min(SAMPLE, n)
        sample, few = scratch.reserve(8 * size), scratch.reserve(8 * count)
        scratch.call("code_sample", at, n, size, _SEED, sample)
        scratch.call("code_sample", at, n, count, _SEED + 1, few)
        inner = State(scratch, state.rules, (), sample, size)
        planes = yield from load_planes(inner, sample, size)
        can = scratch.put(bytes([1] * count))
        scores = yield from score(inner, "entropy", planes, size, few, can, count)
        return scores.word(scores.top(1, count)[0])
