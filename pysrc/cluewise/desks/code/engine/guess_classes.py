"""Guesses that are the same question: classes as forests in the kernel's memory.

`constraint`: orbits under the symmetries that keep every earlier guess; `join`: constraint and
excluded colours together, closed transitively. Running the two filters one after the other
(`chain`) keeps a few guesses more: the theory page has the counterexample.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from cluewise.core.work import Job
from cluewise.desks.code.engine.encoding import pack_guesses
from cluewise.desks.code.engine.partition import unite_equal
from cluewise.desks.code.engine.state import (
    State,
    excluded_colours,
    free_colours,
    load_space,
    run_in_slices,
    unite,
)
from cluewise.kernel.layouts import CODE

FILTERS = {"excluded": 0, "colour": 1, "constraint": 2, "chain": 3, "join": 4}


def constraint_forest(state: State) -> Job[int]:
    """The address of the parents of constraint equivalence; fills `state.space`."""
    frame = state.frame
    if not state.space:
        yield from load_space(state)
    parent = frame.reserve(4 * state.guesses)
    frame.call("code_alone", parent, state.guesses)
    guesses = frame.put(pack_guesses(clue.guess for clue in state.clues))
    symmetries = frame.reserve(48 * CODE.Symmetry)
    many = frame.call("code_symmetries", state.packed, guesses, len(state.clues), symmetries)
    yield from unite(state, parent, symmetries, many, "sorting alike guesses together")
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
    """Join classes in the order of their least members; addresses in the kernel's memory.

    `best` has room for one word more, for the player's own guess. `number`: the class of each
    guess (before `only_possible`). `unmerged`: the classes before equal answers were merged.
    `questions`: the classes after that; None where answers were not compared.
    """

    count: int
    best: int
    size: int
    can: int
    number: int
    unmerged: int
    questions: int | None = None

    def only_possible(self, state: State) -> None:
        """Leave out the classes that cannot be the secret."""
        self.count = state.frame.call("code_only", self.best, self.size, self.can, self.count)


def join_classes(state: State, merge: bool = False, most: int = 0) -> Job[Classes]:
    """The classes of the exact join, each with the guess that speaks for it.

    Where guesses times secrets are at most `most`, `questions` counts the classes that are left if
    those with a guess each that all secrets answer alike become one; with `merge` they do.
    """
    frame = state.frame
    parent = yield from constraint_forest(state)
    yield from join_excluded(state, parent)
    count = unmerged = frame.call("code_roots", parent, state.guesses)
    questions = None
    if state.n * state.guesses <= most:
        joined = parent if merge else frame.put(frame.get(parent, "I", state.guesses))
        yield from unite_equal(state, joined)
        questions = frame.call("code_roots", joined, state.guesses)
        count = questions if merge else count
    best, size = frame.reserve(8 * count + 8), frame.reserve(4 * count + 4)
    can = frame.reserve(count + 1)
    frame.call(
        "code_gather", space=state.space, parent=parent, count=state.guesses,
        secrets=state.secrets, n=state.n, best=best, size=size, can=can, room=count,
    )  # fmt: skip
    return Classes(count, best, size, can, parent, unmerged, questions)


def class_roots(state: State, parent: int) -> array[int]:
    """The least member of every guess's class in a forest; parents are smaller."""
    roots = state.frame.get(parent, "I", state.guesses)
    for g, up in enumerate(roots):
        roots[g] = roots[up]
    return roots


def filter_guesses(state: State, parent: int, name: str, out: int = 0) -> Job[int]:
    """How many guesses a filter keeps; their places go to `out` (u32) if it is given."""
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
