"""Equivalence relations of guesses: for each relation the class of every guess of the space.

A relation is an array with one entry per guess: the place of the class's first guess. One relation
is finer than another on this position if equal entries of the first imply equal entries of the
other. The relations in the order of `ORDER`, with S the remaining codes:

- discrete: every guess is a class of its own;
- colour: excluded colours are interchangeable, and so are colours that no guess has used;
- constraint: orbits of the permutations of pegs and colours that fix every earlier guess;
- chain: take the least guess of the excluded-colour class, then of its constraint class, and so on
  until nothing changes; guesses with the same end are equivalent;
- join: the transitive closure of excluded colours and constraint;
- partition: a symmetry of S maps the split of one guess to the split of the other;
- state: both or neither can be the code, and their answers leave the same STAR states;
- cost: the same total of guesses under best play;
- spatial (next to the others): orbits of the isometries of all codes that map S to itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, get_args

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.guess_classes import (
    class_roots,
    constraint_forest,
    join_excluded,
    partition_forest,
    set_symmetries,
)
from cluewise.desks.code.engine.optimal import MOST_GUESSES, NEVER, Codes, Search
from cluewise.desks.code.engine.state import (
    State,
    excluded_colours,
    free_colours,
    pack_guesses,
    unite_orbits,
)
from cluewise.desks.code.engine.symmetries import (
    Key,
    Permutation,
    form,
    is_tabled,
    set_keys,
    symmetry,
    table_of,
)
from cluewise.desks.code.position import BLANK, SYMBOLS, Rules
from cluewise.desks.code.results import RelationName
from cluewise.kernel.layouts import CODE

ORDER: tuple[RelationName, ...] = get_args(RelationName)
Labels = Sequence[int]

_KEYED_SHARE = 4
"""A canonical form of a table costs that many comparisons an entry."""
_MOST_SOLVED = 1_000_000  # guesses times codes of the largest set that is solved


class Cell(NamedTuple):
    """What one answer leaves: its number, the codes, and the number of their STAR state."""

    answer: int
    codes: Codes
    state: int


@dataclass
class Relations:
    """The relations of one position. None stands for a relation that exceeds the limit.

    `cells`: what each answer but the win leaves, for the first guess of each partition class;
    `numbers`: the STAR state of each set that is left, by the set's key under permutations;
    `totals`: the least total of guesses from each STAR state, by its number; `costs`: the total
    over all remaining codes of the first guess of each partition class.
    """

    state: State
    labels: dict[RelationName, Labels | None] = field(default_factory=dict)
    cells: dict[int, list[Cell]] | None = None
    numbers: dict[Key, int] = field(default_factory=dict)
    totals: list[int] | None = None
    costs: dict[int, int] | None = None

    def count(self, name: RelationName) -> int | None:
        """The number of classes."""
        labels = self.labels[name]
        return None if labels is None else len(set(labels))

    def coarser(self, name: RelationName) -> list[RelationName]:
        """The relations that contain this one on this position, in order; equal ones included."""
        mine, classes = self.labels[name], self.count(name)
        if mine is None:
            return []
        others = ((n, found) for n, found in self.labels.items() if n != name and found is not None)
        return [n for n, found in others if len(set(zip(mine, found, strict=True))) == classes]


def find_relations(state: State, limit: int) -> Job[Relations]:
    """All relations of a consistent state; `limit`: most comparisons for each of the wide ones."""
    found = Relations(state)
    labels = found.labels
    parent = yield from constraint_forest(state)
    constraint = class_roots(state, parent)
    yield from join_excluded(state, parent)
    texts = state.texts(state.space, state.guesses)
    merged = _excluded_places(state, texts)
    labels["discrete"] = range(state.guesses)
    labels["colour"] = _colour_places(state, texts)
    labels["constraint"] = constraint
    labels["chain"] = [_descend(g, merged, constraint) for g in range(state.guesses)]
    labels["join"] = class_roots(state, parent)
    labels["partition"] = yield from _partition_roots(state, limit)
    if found.count("partition") == 1:  # nothing is coarser than one class
        labels["state"] = labels["cost"] = labels["partition"]
    else:
        labels["state"] = yield from _state_labels(found, limit)
        labels["cost"] = yield from _cost_labels(found)
    labels["spatial"] = yield from _spatial_roots(state, limit)
    return found


# ---- colours ---------------------------------------------------------------------------------


def excluded_least(rules: Rules, guess: str, excluded: int) -> str:
    """The least guess that differs in excluded colours only (bits as in the engine)."""
    names = "".join(symbol for i, symbol in enumerate(BLANK + SYMBOLS) if excluded >> i & 1)
    if not names:
        return guess
    if rules.repeat or BLANK in names:
        return "".join(names[0] if c in names else c for c in guess)
    return _rename(guess, names)


def _rename(guess: str, names: str) -> str:
    """The colours in `names` replaced by the least of them, in the order they occur."""
    shown = dict.fromkeys(c for c in guess if c in names)
    new = dict(zip(shown, names, strict=False))
    return "".join(new.get(c, c) for c in guess)


def _excluded_places(state: State, texts: Sequence[str]) -> list[int]:
    """For each guess the place of the least one that differs in excluded colours only."""
    excluded, place = excluded_colours(state), {text: g for g, text in enumerate(texts)}
    return [place[excluded_least(state.rules, text, excluded)] for text in texts]


def _colour_places(state: State, texts: Sequence[str]) -> list[int]:
    excluded, place = excluded_colours(state), {text: g for g, text in enumerate(texts)}
    free = "".join(SYMBOLS[c] for c in colours_of(free_colours(state)))
    return [place[_rename(excluded_least(state.rules, text, excluded), free)] for text in texts]


def colours_of(bits: int) -> list[int]:
    """The colours of a mask; bit 0, the blank, is left out: `colours_of(0b1011) == [0, 2]`."""
    return [bit - 1 for bit in range(1, bits.bit_length()) if bits >> bit & 1]


def _descend(guess: int, merged: Labels, constraint: Labels) -> int:
    """The guess that the two filters in turn end at; it is the least of both its classes."""
    while (low := constraint[merged[guess]]) != guess:
        guess = low
    return guess


# ---- partition, states and costs ---------------------------------------------------------------


def _partition_roots(state: State, limit: int) -> Job[Labels | None]:
    with state.frame.kernel.frame() as scratch:
        parent = yield from partition_forest(state, scratch, limit)
        return None if parent is None else class_roots(state, parent)


def _state_labels(found: Relations, limit: int) -> Job[Labels | None]:
    """Guesses of a partition class have equal states, so only the first of each is split."""
    state, partition = found.state, found.labels["partition"]
    if partition is None:
        return None
    roots = sorted(set(partition))
    split = _keyed_cells(state, roots)
    sets = {key: codes for row in split for _, codes, key in row}
    stars = yield from _star_keys(state, sets, limit)
    if stars is None:
        return None
    number = {star: i for i, star in enumerate(dict.fromkeys(stars.values()))}
    found.numbers = {key: number[star] for key, star in stars.items()}
    found.cells = {
        g: [Cell(answer, codes, found.numbers[key]) for answer, codes, key in row]
        for g, row in zip(roots, split, strict=True)
    }
    # States of equal size in all: a guess that can be the secret wins, so its cells lack one code.
    children = {g: tuple(sorted(cell.state for cell in row)) for g, row in found.cells.items()}
    return _first_equal(partition, children)


def cells_of(found: Relations, guess: int) -> list[Cell]:
    """What each answer but the win to a guess leaves; the states have been computed."""
    [row] = _keyed_cells(found.state, [guess])
    return [Cell(answer, codes, found.numbers[key]) for answer, codes, key in row]


def _keyed_cells(state: State, guesses: Sequence[int]) -> list[list[tuple[int, Codes, Key]]]:
    """For each guess what its answers leave, with the key of each set under permutations."""
    words = state.every_guess()
    secrets = state.codes()
    split = [state.split(words[g], secrets) for g in guesses]
    sets = {codes.tobytes(): codes for row in split for _, codes in row}
    found = set_keys(state.frame, state.packed, state.rules.pegs, list(sets.values()))
    keys = {name: key for name, (key, _) in zip(sets, found, strict=True)}
    return [[(answer, codes, keys[codes.tobytes()]) for answer, codes in row] for row in split]


def _star_keys(state: State, sets: Mapping[Key, Codes], limit: int) -> Job[dict[Key, Key] | None]:
    """The STAR key of every set, one set for each class under permutations; None over the limit."""
    sizes = [len(codes) for codes in sets.values()]
    if sum(sizes) * state.guesses * _KEYED_SHARE > limit or max(sizes, default=0) > CODE.MOST_ROWS:
        return None
    stars = {}
    for i, (key, codes) in enumerate(sets.items()):
        yield Progress(i, len(sets), "comparing what the answers leave")
        with state.frame.kernel.frame() as scratch:
            inner = state.with_codes(scratch, state.clues, codes)
            if not is_tabled(inner):
                return None
            table = yield from table_of(inner, scratch, unlabelled=True)
            stars[key] = (yield from form(table, "STAR")).key
    return stars


def _cost_labels(found: Relations) -> Job[Labels | None]:
    state, partition, cells = found.state, found.labels["partition"], found.cells
    if cells is None or partition is None:
        return None
    sets = {c.state: (c.codes, g) for g, row in cells.items() for c in row}
    largest = max((len(codes) for codes, _ in sets.values()), default=0)
    rules = state.rules
    fits = rules.pegs * rules.colours <= 64 and len(rules.answers()) <= 32
    if not fits or state.guesses > MOST_GUESSES or largest * state.guesses > _MOST_SOLVED:
        return None
    search, words = Search(state, False), state.every_guess()
    found.totals = [0] * len(sets)
    for number, (codes, g) in sets.items():
        if len(codes) < state.n:
            path = search.clues() + words[g : g + 1]
            found.totals[number], _ = yield from search.solve(codes, path, NEVER)
    found.costs = _costs(found, state.n)
    return _first_equal(partition, found.costs)


def _costs(found: Relations, n: int) -> dict[int, int]:
    """The total of each guess; one that every code answers alike adds a guess to the best play."""
    assert found.cells is not None
    assert found.totals is not None
    useless = {g for g, row in found.cells.items() if any(len(c.codes) == n for c in row)}
    costs = {
        g: n + sum(found.totals[c.state] for c in row)
        for g, row in found.cells.items()
        if g not in useless
    }
    least = min(costs.values())
    whole = {c.state for g in useless for c in found.cells[g]}
    for number in whole:
        found.totals[number] = least
    return {**costs, **dict.fromkeys(useless, n + least)}


def _first_equal(partition: Labels, values: Mapping[int, Hashable]) -> list[int]:
    """For each guess the first guess whose partition class has the same value."""
    first: dict[Hashable, int] = {}
    for g in sorted(values):
        first.setdefault(values[g], g)
    return [first[values[root]] for root in partition]


# ---- spatial equivalence -----------------------------------------------------------------------


def exchange(code: str) -> str:
    """Pegs and colours exchanged, where both are equally many and no colour repeats.

    >>> exchange("1203")
    '2013'
    """
    return "".join(SYMBOLS[code.index(symbol)] for symbol in SYMBOLS[: len(code)])


def has_spatial(rules: Rules) -> bool:
    """Whether all isometries are known: permutations, and for some rules `exchange`."""
    return rules.feedback == "full" and rules.leading_zero


def exchanges(rules: Rules) -> bool:
    """Whether exchanging pegs and colours preserves all answers."""
    return rules.pegs == rules.colours and not rules.repeat and not rules.blanks


def stabiliser(state: State, limit: int) -> list[bytes] | None:
    """Generators of the permutations that map the remaining codes to themselves; None over limit.

    Excluded colours, which `set_symmetries` leaves in place, are permuted too.
    """
    moves = set_symmetries(state, limit)
    if moves is None:
        return None
    rest = colours_of(excluded_colours(state))
    for one, other in pairwise(rest):
        symbols = list(range(17))
        symbols[one + 1], symbols[other + 1] = other + 1, one + 1
        moves.append(bytes([*range(8), *symbols]))
    return moves


def _spatial_roots(state: State, limit: int) -> Job[Labels | None]:
    rules = state.rules
    moves = stabiliser(state, limit) if has_spatial(rules) else None
    if moves is None:
        return None
    with state.frame.kernel.frame() as scratch:
        parent = scratch.reserve(4 * state.guesses)
        scratch.call("code_alone", parent, state.guesses)
        at = scratch.put(b"".join(moves))
        yield from unite_orbits(state, parent, at, len(moves), "sorting by isometries")
        roots = class_roots(state, parent)
    turn = (yield from exchanging_symmetry(state)) if exchanges(rules) else None
    if turn is None:
        return roots
    texts = state.texts(state.space, state.guesses)
    place = {text: g for g, text in enumerate(texts)}
    partner = {roots[g]: roots[place[exchange(turn(text))]] for g, text in enumerate(texts)}
    return [min(root, partner[root]) for root in roots]


def exchanging_symmetry(state: State) -> Job[Permutation | None]:
    """A permutation after which `exchange` maps the remaining codes to themselves, or None."""
    if state.n > CODE.MOST_ROWS:
        return None
    codes = sorted(map(exchange, state.texts(state.secrets, state.n)))
    with state.frame.kernel.frame() as scratch:
        other = state.with_codes(scratch, state.clues, pack_guesses(codes))
        return (yield from symmetry(state, other))
