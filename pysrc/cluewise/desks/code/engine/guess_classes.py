"""Classes of equivalent guesses, as union-find forests in kernel memory (classes.c).

- constraint: orbits of the permutations of pegs and colours that fix every earlier guess;
- excluded: guesses that differ in excluded colours only; blanks are one of them;
- join: the transitive closure of both. Applying the two filters in turn (`chain`) keeps a few
  guesses more: the theory page has the counterexample;
- partition, the coarsest: some permutation maps the set of remaining codes to itself, and the
  partition of one guess to that of the other.

In a forest parents are smaller than children, so roots are the least members.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import (
    State,
    excluded_colours,
    free_colours,
    load_space,
    pack_guesses,
    run_in_slices,
    unite_orbits,
)
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

_MAX_IMAGES = 3_000_000  # of secrets, in one kernel call: some 30 ms
FILTERS = {"excluded": 0, "colour": 1, "constraint": 2, "chain": 3, "join": 4}


def constraint_forest(state: State) -> Job[int]:
    """Build the forest of constraint equivalence; loads the space. Returns its address."""
    frame = state.frame
    if not state.space:
        yield from load_space(state)
    parent = frame.reserve(4 * state.guesses)
    frame.call("code_alone", parent, state.guesses)
    guesses = frame.put(pack_guesses(clue.guess for clue in state.clues))
    symmetries = frame.reserve(48 * CODE.Symmetry)
    many = frame.call("code_symmetries", state.packed, guesses, len(state.clues), symmetries)
    yield from unite_orbits(state, parent, symmetries, many, "finding equivalent guesses")
    return parent


def join_excluded(state: State, parent: int) -> Job[None]:
    """Join guesses that differ in excluded colours only."""
    excluded = excluded_colours(state)

    def step(first: int, last: int) -> None:
        state.frame.call(
            "code_unite_excluded", state.packed, state.space, parent, excluded, first, last
        )

    yield from run_in_slices(state.guesses, 1 << 17, "joining by excluded colours", step)


@dataclass
class Classes:
    """Join classes in the order of their least members; arrays are addresses in kernel memory.

    `best`: a representative each, with room for one guess more, the player's own; `size`; `can`: 1
    if the class can be the secret; `number`: the class of each guess (before `keep_possible`).
    `unmerged`: the number of classes before guesses with equal answers were merged, None if that
    merged none. `questions`: the number after merging, None where answers were not compared.
    """

    count: int
    best: int
    size: int
    can: int
    number: int
    unmerged: int | None
    questions: int | None = None

    def keep_possible(self, state: State) -> None:
        """Remove the classes that cannot be the secret."""
        self.count = state.frame.call("code_only", self.best, self.size, self.can, self.count)


def join_classes(state: State, merge: bool = False, most: int = 0) -> Job[Classes]:
    """Build the join classes with their representatives.

    If there are at most `most` pairs of guess and secret, classes with equal answers from all
    secrets are counted as one in `questions`; `merge` also makes them one.
    """
    frame = state.frame
    parent = yield from constraint_forest(state)
    yield from join_excluded(state, parent)
    count = unmerged = frame.call("code_roots", parent, state.guesses)
    questions = None
    if state.n * state.guesses <= most:
        joined = parent if merge else frame.put(frame.get(parent, "I", state.guesses))
        yield from unite_equal(state, state.space, state.guesses, joined)
        questions = frame.call("code_roots", joined, state.guesses)
        count = questions if merge else count
    best, size = frame.reserve(8 * count + 8), frame.reserve(4 * count + 4)
    can = frame.reserve(count + 1)
    frame.call(
        "code_gather", space=state.space, parent=parent, count=state.guesses,
        secrets=state.secrets, n=state.n, best=best, size=size, can=can, room=count,
    )  # fmt: skip
    return Classes(
        count, best, size, can, parent, unmerged if unmerged > count else None, questions
    )


def canonical_guesses(
    state: State, path: array[int], codes: array[int], consistent_only: int
) -> array[int]:
    """Return the places of the guesses that are least in their constraint and excluded classes.

    `path`: the earlier guesses; `codes`: what remains, ascending.
    """
    with state.frame.kernel.frame() as scratch:
        out = scratch.reserve(4 * state.guesses)
        many = scratch.call(
            "code_canonical", rules=state.packed, space=state.space, count=state.guesses,
            clues=scratch.put(path), clue_count=len(path), secrets=scratch.put(codes),
            n=len(codes), consistent_only=consistent_only, out=out,
        )  # fmt: skip
        return scratch.get(out, "I", many)


def unite_equal(state: State, guesses: int, count: int, parent: int) -> Job[None]:
    """Join those of `count` packed guesses at an address that every secret answers alike."""
    with state.frame.kernel.frame() as scratch:
        bits = (2 * count).bit_length()
        hashes, table = scratch.reserve(8 * count), scratch.reserve(4 << bits)
        done = 0
        while done < count:
            done += scratch.call(
                "code_unite_equal", rules=state.packed, secrets=state.secrets, n=state.n,
                guesses=guesses, parent=parent, from_=done, to=count, hashes=hashes, table=table,
                bits=bits,
            )  # fmt: skip
            if done < count:
                yield Progress(done, count, "comparing answers")


def first_equals(state: State, guesses: int, count: int) -> Job[array[int]]:
    """Return for each of `count` packed guesses the place of the first with the same answers."""
    with state.frame.kernel.frame() as scratch:
        parent = scratch.reserve(4 * count)
        scratch.call("code_alone", parent, count)
        yield from unite_equal(state, guesses, count, parent)
        return class_roots(state, parent, count)


def class_roots(state: State, parent: int, count: int | None = None) -> array[int]:
    """Return the least member of every guess's class."""
    roots = state.frame.get(parent, "I", state.guesses if count is None else count)
    for g, up in enumerate(roots):
        roots[g] = roots[up]
    return roots


def filter_guesses(state: State, parent: int, name: str, out: int = 0) -> Job[int]:
    """Count the guesses that a filter keeps; their places are written to `out` (u32) if given."""
    frame, excluded, free = state.frame, excluded_colours(state), free_colours(state)
    count = 0

    def step(first: int, last: int) -> None:
        nonlocal count
        at = out + 4 * count if out else 0
        count += frame.call(
            "code_kept", rules=state.packed, space=state.space, parent=parent, excluded=excluded,
            free=free, filter=FILTERS[name], from_=first, to=last, out=at,
        )  # fmt: skip

    yield from run_in_slices(state.guesses, 1 << 17, "counting what each filter keeps", step)
    return count


def partition(state: State, limit: int) -> Job[array[int] | None]:
    """Return the places of the least guesses of the partition classes; None if not computed."""
    with state.frame.kernel.frame() as scratch:
        parent = yield from partition_forest(state, scratch, limit)
        return None if parent is None else least_members(state, scratch, parent)


def least_members(state: State, scratch: Frame, parent: int) -> array[int]:
    """Return the places of the least guesses of each class."""
    out = scratch.reserve(4 * state.guesses)
    found = scratch.call(
        "code_kept", rules=state.packed, space=state.space, parent=parent, excluded=0, free=0,
        filter=CODE.F_ROOTS, from_=0, to=state.guesses, out=out,
    )  # fmt: skip
    return scratch.get(out, "I", found)


def partition_forest(state: State, scratch: Frame, limit: int) -> Job[int | None]:
    """Build the forest of partition equivalence; None if it takes over `limit` comparisons.

    Joins guesses with equal answers, and the orbits of the symmetries of the set of secrets. These
    symmetries ignore weights, so with unequal ones the result is None too.
    """
    if state.weights or state.n * state.guesses > limit:
        return None
    symmetries = set_symmetries(state, limit)
    if symmetries is None:
        return None
    parent = scratch.reserve(4 * state.guesses)
    scratch.call("code_alone", parent, state.guesses)
    yield from unite_equal(state, state.space, state.guesses, parent)
    moves = scratch.put(b"".join(symmetries))
    yield from unite_orbits(state, parent, moves, len(symmetries), "finding equivalent partitions")
    return parent


def set_symmetries(state: State, limit: int) -> list[bytes] | None:
    """Return generators of the symmetries of the set of secrets, `Symmetry` of code.h each.

    None if that takes more than `limit` images of secrets.
    """
    with state.frame.kernel.frame() as scratch:
        out = scratch.reserve(160 * CODE.Symmetry)
        most = min(limit, _MAX_IMAGES)
        try:
            many = scratch.call(
                "code_set_symmetries", state.packed, state.secrets, state.n, most, out
            )
        except TooLarge:
            return None
        flat = bytes(scratch.get(out, "B", many * CODE.Symmetry))
    return [flat[i : i + CODE.Symmetry] for i in range(0, len(flat), CODE.Symmetry)]
