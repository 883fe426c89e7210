"""Are two guesses the same question? From the narrowest kind of sameness to the widest.

`constraint`: a permutation of pegs and colours keeps every row's guess and turns one guess into
the other. `colour`: they differ only in colours that no code left shows. `join`: both kinds in
turn, as often as it takes. `partition`: a permutation takes the codes left to themselves and the
answers to one guess to the answers to the other; the widest of them, it holds all others.
"""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import pack
from cluewise.desks.code.engine.guess_classes import (
    class_roots,
    constraint_forest,
    first_equals,
    join_excluded,
    set_symmetries,
)
from cluewise.desks.code.engine.relations import excluded_least
from cluewise.desks.code.engine.state import State, excluded_colours, is_countable, load
from cluewise.desks.code.permutations import Permutation, find_symmetry, identity
from cluewise.desks.code.position import Rules
from cluewise.desks.code.results import Kind, Same, SameStep
from cluewise.kernel import kernel

MOST_COMPARISONS = 60_000_000
"""With more guesses times codes the widest kind is not looked for, and the answer says so."""


_Group = tuple[Kind, object]


def same_question(rules: Rules, clues: Sequence[Clue], one: str, other: str) -> Job[Same]:
    """Whether and how two guesses are one question after these clues.

    `same` is None where neither kind that was tried holds and the widest would take too long.
    """
    history = [clue.guess for clue in clues]
    witness = find_symmetry(rules, [*history, one], [*history, other])
    if witness is not None:
        return Same(True, "constraint", [_step(other, "constraint", witness)])
    if not is_countable(rules):
        return Same(None, None, [])
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues)
        if state.n == 0:
            return Same(None, None, [])
        path = yield from join_path(state, one, other)
        if path is not None:
            kinds = {step.by for step in path}
            return Same(True, "colour" if kinds == {"colour"} else "join", path)
        if state.n * state.guesses > MOST_COMPARISONS:
            return Same(None, None, [])
        found = yield from partition_witness(state, one, other)
    if found is None:
        return Same(False, None, [])
    return Same(True, "partition", [_step(other, "partition", found)])


def _step(guess: str, by: Kind, witness: Permutation | None) -> SameStep:
    if witness is None:
        return SameStep(guess, by, None, None)
    return SameStep(guess, by, list(witness.pegs), list(witness.colours))


# ---- both filters in turn ------------------------------------------------------------------


def join_path(state: State, one: str, other: str) -> Job[list[SameStep] | None]:
    """The fewest steps of either kind from one guess to the other; None if there are none."""
    parent = yield from constraint_forest(state)
    orbits = class_roots(state, parent)
    yield from join_excluded(state, parent)
    joined = class_roots(state, parent)
    start, goal = (state.place(pack(guess)) for guess in (one, other))
    if joined[start] != joined[goal]:
        return None
    members = [g for g, root in enumerate(joined) if root == joined[start]]
    texts = {g: state.guess(g) for g in members}
    excluded = excluded_colours(state)
    groups: dict[_Group, list[int]] = {}
    for g in members:
        groups.setdefault(("constraint", orbits[g]), []).append(g)
        groups.setdefault(("colour", excluded_least(state.rules, texts[g], excluded)), []).append(g)
    way = _shortest(groups, start, goal)
    history = [clue.guess for clue in state.clues]
    steps = []
    for a, b, by in way:
        images = ([*history, texts[a]], [*history, texts[b]])
        steps.append(
            _step(texts[b], by, find_symmetry(state.rules, *images) if by == "constraint" else None)
        )
    return steps


def _shortest(
    groups: dict[_Group, list[int]], start: int, goal: int
) -> list[tuple[int, int, Kind]]:
    """Steps (from, to, kind) within groups, breadth first; the guesses are known to be joined."""
    inside: dict[int, list[_Group]] = {}
    for name, group in groups.items():
        for g in group:
            inside.setdefault(g, []).append(name)
    came: dict[int, tuple[int, Kind]] = {start: (start, "colour")}
    queue = [start]
    for g in queue:
        for name in inside[g]:
            for near in groups.pop(name, ()):
                if near not in came:
                    came[near] = (g, name[0])
                    queue.append(near)
    way = []
    while goal != start:
        before, by = came[goal]
        way.append((before, goal, by))
        goal = before
    return way[::-1]


# ---- the same split ------------------------------------------------------------------------


def partition_witness(state: State, one: str, other: str) -> Job[Permutation | None]:
    """A permutation π of the codes left with answer(other, π(s)) = answer(one, s) for all s.

    Goes by generators of the set's symmetries. Guesses that all codes answer alike have images
    that all codes answer alike, so one of each kind is enough.
    """
    generators = [unpacked(g, state.rules) for g in set_symmetries(state, MOST_COMPARISONS) or []]
    first = yield from first_equals(state, state.space, state.guesses)
    start, goal = (state.place(pack(guess)) for guess in (one, other))
    reached = {first[start]: (one, identity(state.rules))}
    queue = [first[start]]
    for value in queue:
        if len(queue) % 256 == 0:
            yield Progress(0, None, "looking for a permutation of the codes left")
        guess, so_far = reached[value]
        for generator in generators:
            image = generator(guess)
            target = first[state.place(pack(image))]
            if target not in reached:
                reached[target] = (image, generator.after(so_far))
                queue.append(target)
    found = reached.get(first[goal])
    return found and found[1]


def unpacked(symmetry: bytes, rules: Rules) -> Permutation:
    """A permutation from the kernel's 25 bytes: 8 of pegs, 17 of symbols, the blank first."""
    colours = (symbol - 1 for symbol in symmetry[9 : 9 + rules.colours])
    return Permutation(tuple(symmetry[: rules.pegs]), tuple(colours))
