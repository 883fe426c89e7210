"""Whole strategies by a rule of thumb, worked out by the kernel as lists of nodes.

Greedy: each node takes the guess with the best score for its secrets. Cost: O(guesses x secrets) a
level; beyond `MOST_CODES` guesses or secrets `TooLarge`.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.encoding import cell_names, pack_guesses, unpack
from cluewise.desks.code.engine.state import State, load_space
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
