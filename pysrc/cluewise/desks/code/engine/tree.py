"""Greedy strategies: every node takes the guess with the best score for its codes.

The kernel builds the whole tree as a list of nodes (tree.c). Cost: O(guesses x secrets) a level;
beyond `MOST_CODES` guesses or secrets `TooLarge`.

For more codes `greedy_histogram` bounds the least total from above: each guess is chosen among a
few of the codes by the entropy of its answers over a sample, down to cells that are small enough
for an entropy tree among their own codes. Every code is found by this strategy, so its total is an
upper bound whatever the sample. Cost: O(codes x depth).
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
CRITERION_NUMBERS = {"entropy": 0, "minmax": 1, "minavg": 2, "maxparts": 3, "first": 4}
_NODE = struct.Struct(CODE.Node_FORMAT)
_ROOT = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class StrategyNodes:
    """The nodes of a strategy (Node in code.h), parents before children."""

    raw: bytes

    def histogram(self, weights: Mapping[int, int] | None = None) -> list[int]:
        """Count the secrets found with 1, 2 … guesses, or sum their weights."""
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
        """Return the nodes as a tree of branches by answer."""
        names, branches = cell_names(rules), list[Branch]()
        for guess, parent, n, _depth, cell, _can in _NODE.iter_unpack(self.raw):
            branches.append(Branch(unpack(guess, rules.pegs), n, {}))
            if parent != _ROOT:
                branches[parent].answers[names[cell]] = branches[-1]
        return branches[0]


def build_strategy(state: State, criterion: str, consistent_only: bool) -> Job[StrategyNodes]:
    """Build the greedy strategy from this state on."""
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
        clue_count=len(state.clues), criterion=CRITERION_NUMBERS[criterion],
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


MAX_WHOLE = 1500
"""Sets of at most that many codes get an entropy tree among their own codes."""
CANDIDATES = 64
SAMPLE = 1024
_SEED = 1


def greedy_histogram(state: State, codes: array[int], clues: Sequence[Clue]) -> Job[list[int]]:
    """Count the codes that a greedy strategy finds with 1, 2 … guesses: `[1, 4, 3]`.

    `clues`: the earlier ones, of which only the guesses are used.
    """
    histogram: list[int] = []

    def add(depth: int, counts: Sequence[int]) -> None:
        histogram.extend([0] * (depth + len(counts) - len(histogram)))
        for i, n in enumerate(counts, depth):
            histogram[i] += n

    stack = [(0, codes, list(clues))]
    while stack:
        depth, cell, path = stack.pop()
        n = len(cell)
        if n <= 2:
            add(depth, [1] * n)
        elif n <= MAX_WHOLE:
            with state.frame.kernel.frame() as scratch:
                at = scratch.put(cell)
                inner = State(scratch, state.rules, path, at, n, at, n)
                add(depth, (yield from build_strategy(inner, "entropy", True)).histogram())
        else:
            guess = yield from _sampled_guess(state, cell)
            cells = [below for _, below in state.split(guess, cell)]
            add(depth, [n - sum(map(len, cells))])
            longer = [*path, Clue(unpack(guess, state.rules.pegs), 0)]
            stack.extend((depth + 1, below, longer) for below in cells)
            yield Progress(sum(histogram), len(codes), "bounding the guesses to the end")
    return histogram


def _sampled_guess(state: State, codes: array[int]) -> Job[int]:
    """Return the best of a few of the codes by entropy over a sample of them."""
    n = len(codes)
    with state.frame.kernel.frame() as scratch:
        at, count, size = scratch.put(codes), min(CANDIDATES, n), min(SAMPLE, n)
        sample, few = scratch.reserve(8 * size), scratch.reserve(8 * count)
        scratch.call("code_sample", at, n, size, _SEED, sample)
        scratch.call("code_sample", at, n, count, _SEED + 1, few)
        inner = State(scratch, state.rules, (), sample, size)
        planes = yield from load_planes(inner, sample, size)
        can = scratch.put(bytes([1] * count))
        scores = yield from score(inner, "entropy", planes, size, few, can, count)
        return scores.guess(scores.top(1, count)[0])
