"""Whole strategies by a rule of thumb, worked out by the kernel as lists of nodes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import State, load_space
from cluewise.desks.code.engine.words import cell_names, pack_guesses, unpack
from cluewise.desks.code.results import Branch
from cluewise.errors import TooLarge

MOST_CODES = 1 << 16
RULES_OF_THUMB = {"entropy": 0, "minmax": 1, "minavg": 2, "maxparts": 3, "first": 4}
_NODE = struct.Struct("<QIIHBB4x")
_ROOT = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Node:
    """A guess of a strategy: made with `n` codes left, as guess number `depth`."""

    guess: int
    parent: int
    n: int
    depth: int
    cell: int
    can: int


def grow(state: State, criterion: str, consistent_only: bool) -> Job[list[Node]]:
    """The nodes of the strategy from this state on, parents before children."""
    if not state.space:
        yield from load_space(state)
    frame = state.frame
    if max(state.guesses, state.n) > MOST_CODES:
        raise TooLarge(f"Whole strategies are worked out for up to {MOST_CODES:,} codes.")
    memory = frame.reserve(frame.call("code_tree_bytes", state.packed, state.guesses, state.n))
    clues = frame.put(pack_guesses(clue.guess for clue in state.clues))
    frame.call(
        "code_tree_start", memory, state.packed, state.space, state.guesses, state.secrets,
        state.n, clues, len(state.clues), RULES_OF_THUMB[criterion], consistent_only,
    )  # fmt: skip
    out = frame.reserve(8)
    while frame.call("code_tree_step", memory, 600_000):
        frame.call("code_tree_nodes", memory, out)
        yield Progress(frame.get(out + 4, "I", 1)[0], state.n, "working out the strategy")
    count = frame.call("code_tree_nodes", memory, out)
    raw = frame.get(frame.get(out, "I", 1)[0], "B", _NODE.size * count).tobytes()
    return [Node(*fields) for fields in _NODE.iter_unpack(raw)]


def histogram(nodes: Sequence[Node]) -> list[int]:
    """How many secrets each number of guesses finds, from one guess up."""
    counts = [0] * max(node.depth for node in nodes)
    for node in nodes:
        counts[node.depth - 1] += node.can
    return counts


def branches(state: State, nodes: Sequence[Node]) -> Branch:
    """The nodes as a tree of branches by answer."""
    names, pegs = cell_names(state.rules), state.rules.pegs
    made = [Branch(unpack(node.guess, pegs), node.n, {}) for node in nodes]
    for node, branch in zip(nodes, made, strict=True):
        if node.parent != _ROOT:
            made[node.parent].answers[names[node.cell]] = branch
    return made[0]
