"""Partition equivalence: guesses that split the secrets left in the same way up to symmetry.

g and h are equivalent if some permutation π takes the secrets to themselves and every secret s
answers g as π(s) answers h. It is the coarsest of the equivalences; the join refines it.
"""

from __future__ import annotations

from array import array

from cluewise.core.work import Job
from cluewise.desks.code.engine.state import State, load_planes, sliced
from cluewise.errors import TooLarge

_SYMMETRY = 25  # bytes of a Symmetry in code.h
_IMAGES = 3_000_000  # images of secrets looked at in one kernel call: some 30 ms


def partition(state: State, limit: int) -> Job[array[int] | None]:
    """Places of the least guesses of each class; None if that takes over `limit` comparisons."""
    frame, packed = state.frame, state.packed
    if state.n * state.guesses > limit:
        return None
    with frame.kernel.frame() as scratch:
        symmetries = scratch.reserve(160 * _SYMMETRY)
        try:
            many = scratch.call(
                "code_set_symmetries",
                packed,
                state.secrets,
                state.n,
                min(limit, _IMAGES),
                symmetries,
            )
        except TooLarge:
            return None
        parent = scratch.reserve(4 * state.guesses)
        scratch.call("code_alone", parent, state.guesses)
        yield from _unite_equal(state, parent)
        for i in range(many):
            symmetry = symmetries + i * _SYMMETRY

            def step(first: int, last: int, symmetry: int = symmetry) -> None:
                frame.call("code_unite", packed, state.space, parent, symmetry, first, last)

            yield from sliced(state.guesses, 1 << 17, "sorting by partition", step)
        out = scratch.reserve(4 * state.guesses)
        found = scratch.call(
            "code_kept", packed, state.space, parent, 0, 0, 4, 0, state.guesses, out
        )
        return scratch.get(out, "I", found)


def _unite_equal(state: State, parent: int) -> Job[None]:
    """Join guesses that every secret answers alike."""
    frame, packed, guesses = state.frame, state.packed, state.guesses
    with frame.kernel.frame() as scratch:
        inner = State(scratch, state.rules, packed, state.clues)
        planes = yield from load_planes(inner, state.secrets, state.n)
        hashes = scratch.reserve(8 * guesses)

        def step(first: int, last: int) -> None:
            frame.call("code_vectors", packed, planes, state.n, state.space, first, last, hashes)

        first = max(1, 20_000_000 // max(state.n, 1000))
        yield from sliced(guesses, first, "comparing answers", step)
        bits = (2 * guesses).bit_length()
        table = scratch.reserve(4 << bits)
        frame.call("code_unite_equal", hashes, parent, guesses, table, bits)
