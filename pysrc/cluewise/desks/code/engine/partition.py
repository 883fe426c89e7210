"""Partition equivalence: guesses that split the secrets left in the same way up to symmetry.

g and h are equivalent if some permutation π takes the secrets to themselves and every secret s
answers g as π(s) answers h. It is the widest of the three equivalences; the join refines it.
"""

from __future__ import annotations

from array import array

from cluewise.core.work import Job
from cluewise.desks.code.engine.state import State, load_planes, run_in_slices, unite
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

_IMAGES = 3_000_000  # images of secrets looked at in one kernel call: some 30 ms


def partition(state: State, limit: int) -> Job[array[int] | None]:
    """Places of the least guesses of each class; None if that takes over `limit` comparisons."""
    with state.frame.kernel.frame() as scratch:
        parent = yield from partition_forest(state, scratch, limit)
        if parent is None:
            return None
        out = scratch.reserve(4 * state.guesses)
        found = scratch.call(
            "code_kept", rules=state.packed, space=state.space, parent=parent, excluded=0, free=0,
            filter=CODE.F_ROOTS, from_=0, to=state.guesses, out=out,
        )  # fmt: skip
        return scratch.get(out, "I", found)


def partition_forest(state: State, scratch: Frame, limit: int) -> Job[int | None]:
    """The address of the parents of partition equivalence; None over `limit` comparisons."""
    if state.n * state.guesses > limit:
        return None
    symmetries = set_symmetries(state, limit)
    if symmetries is None:
        return None
    parent = scratch.reserve(4 * state.guesses)
    scratch.call("code_alone", parent, state.guesses)
    yield from unite_equal(state, parent)
    moves = scratch.put(b"".join(symmetries))
    yield from unite(state, parent, moves, len(symmetries), "sorting by partition")
    return parent


def set_symmetries(state: State, limit: int) -> list[bytes] | None:
    """Generators of the symmetries that take the secrets to themselves, 25 bytes each (code.h).

    None where that takes more than `limit` images of secrets.
    """
    with state.frame.kernel.frame() as scratch:
        out = scratch.reserve(160 * CODE.Symmetry)
        most = min(limit, _IMAGES)
        try:
            many = scratch.call(
                "code_set_symmetries", state.packed, state.secrets, state.n, most, out
            )
        except TooLarge:
            return None
        flat = bytes(scratch.get(out, "B", many * CODE.Symmetry))
    return [flat[i : i + CODE.Symmetry] for i in range(0, len(flat), CODE.Symmetry)]


def vectors(state: State) -> Job[array[int]]:
    """For every guess of the space a number, equal where every secret answers alike."""
    with state.frame.kernel.frame() as scratch:
        hashes = yield from _hash_vectors(state, scratch)
        return scratch.get(hashes, "Q", state.guesses)


def unite_equal(state: State, parent: int) -> Job[None]:
    """Join guesses that every secret answers alike."""
    with state.frame.kernel.frame() as scratch:
        hashes = yield from _hash_vectors(state, scratch)
        bits = (2 * state.guesses).bit_length()
        table = scratch.reserve(4 << bits)
        scratch.call("code_unite_equal", hashes, parent, state.guesses, table, bits)


def _hash_vectors(state: State, scratch: Frame) -> Job[int]:
    packed, guesses = state.packed, state.guesses
    inner = State(scratch, state.rules, packed, state.clues)
    planes = yield from load_planes(inner, state.secrets, state.n)
    hashes = scratch.reserve(8 * guesses)

    def step(first: int, last: int) -> None:
        scratch.call("code_vectors", packed, planes, state.n, state.space, first, last, hashes)

    yield from run_in_slices(
        guesses, max(1, 20_000_000 // max(state.n, 1000)), "comparing answers", step
    )
    return hashes
