"""Equivalence relations of guesses: for each relation the class of every guess of the space.

A relation is an array with one label per guess: the place of the first guess of its class. A
relation is finer than another on this position if equal labels of the first imply equal labels of
the other. The relations in the order of `ORDER`, with S the remaining codes:

- discrete: every guess is its own class;
- colour: excluded colours are interchangeable, and so are colours that no guess has used;
- constraint: orbits of the permutations of pegs and colours that fix every earlier guess;
- chain: the least guess of the excluded-colour class, then of its constraint class, and so on until
  a fixed point; guesses with the same fixed point are equivalent;
- join: the transitive closure of excluded colours and constraint;
- partition: a symmetry of S maps the partition of one guess to that of the other;
- state: their cells are equivalent STAR states, one to one (symmetries.py);
- cost: the same least total of guesses;
- spatial (not comparable with the others): orbits of the isometries of all codes that fix S.

Cost: partition, state and spatial need O(guesses x codes) comparisons, cost an optimal search for
each state; above a limit they are None. That of state is checked before any cells are compared.
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
    build_table,
    canonical_form,
    find_set_symmetry,
    is_tabled,
    set_keys,
)
from cluewise.desks.code.position import BLANK, SYMBOLS, Rules
from cluewise.desks.code.results import RelationName
from cluewise.kernel.layouts import CODE

ORDER: tuple[RelationName, ...] = get_args(RelationName)
Labels = Sequence[int]

_COMPARISONS_PER_ENTRY = 4
"""The cost of a canonical form, per entry of the table."""
_MAX_SOLVED_PAIRS = 1_000_000  # guesses times codes of the largest set that is solved


class Cell(NamedTuple):
    """A cell of a partition: the number of its answer, its codes, the number of its STAR state."""

    answer: int
    codes: Codes
    state: int


@dataclass
class Relations:
    """The relations of one position; None for a relation that exceeds the limit.

    `cells`: the cells of the first guess of each partition class, without the win; `numbers`: the
    STAR state of each set of codes, by the key of the set; `totals`: the least total of each STAR
    state, by its number; `costs`: the cost of the first guess of each partition class.
    """

    state: State
    labels: dict[RelationName, Labels | None] = field(default_factory=dict)
    cells: dict[int, list[Cell]] | None = None
    numbers: dict[Key, int] = field(default_factory=dict)
    totals: list[int] | None = None
    costs: dict[int, int] | None = None

    def count(self, name: RelationName) -> int | None:
        """Count the classes."""
        labels = self.labels[name]
        return None if labels is None else len(set(labels))

    def coarser(self, name: RelationName) -> list[RelationName]:
        """Return the relations that contain this one on this position, equal ones included."""
        mine, classes = self.labels[name], self.count(name)
        if mine is None:
            return []
        others = ((n, found) for n, found in self.labels.items() if n != name and found is not None)
        return [n for n, found in others if len(set(zip(mine, found, strict=True))) == classes]


def find_relations(state: State, limit: int) -> Job[Relations]:
    """Find all relations of a consistent state.

    `limit`: comparisons allowed for each of partition, state and spatial. These three and cost
    ignore weights, so they are None where weights are unequal.
    """
    found = Relations(state)
    labels = found.labels
    parent = yield from constraint_forest(state)
    constraint = class_roots(state, parent)
    yield from join_excluded(state, parent)
    merged, labels["colour"] = _colour_labels(state)
    labels["discrete"] = range(state.guesses)
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
    """Return the least guess that differs in excluded colours only (bits: `excluded_colours`)."""
    names = "".join(symbol for i, symbol in enumerate(BLANK + SYMBOLS) if excluded >> i & 1)
    if not names:
        return guess
    if rules.repeat or BLANK in names:
        return "".join(names[0] if c in names else c for c in guess)
    return _rename(guess, names)


def _rename(guess: str, names: str) -> str:
    """Rename the colours in `names` to the least of them, in the order of first occurrence."""
    shown = dict.fromkeys(c for c in guess if c in names)
    new = dict(zip(shown, names, strict=False))
    return "".join(new.get(c, c) for c in guess)


def _colour_labels(state: State) -> tuple[Labels, Labels]:
    """Return the labels of the excluded-colour relation and of the colour relation."""
    texts, excluded = state.texts(state.space, state.guesses), excluded_colours(state)
    place = {text: g for g, text in enumerate(texts)}
    free = "".join(SYMBOLS[c] for c in colours_of(free_colours(state)))
    merged = [excluded_least(state.rules, text, excluded) for text in texts]
    return [place[text] for text in merged], [place[_rename(text, free)] for text in merged]


def colours_of(bits: int) -> list[int]:
    """Return the colours of a mask without bit 0, the blank: `colours_of(0b1011) == [0, 2]`."""
    return [bit - 1 for bit in range(1, bits.bit_length()) if bits >> bit & 1]


def _descend(guess: int, merged: Labels, constraint: Labels) -> int:
    """Apply the two filters in turn up to a fixed point: the least guess of both its classes."""
    while (low := constraint[merged[guess]]) != guess:
        guess = low
    return guess


# ---- partition, states and costs ---------------------------------------------------------------


def _partition_roots(state: State, limit: int) -> Job[Labels | None]:
    with state.frame.kernel.frame() as scratch:
        parent = yield from partition_forest(state, scratch, limit)
        return None if parent is None else class_roots(state, parent)


def _state_labels(found: Relations, limit: int) -> Job[Labels | None]:
    """Label guesses by the STAR states of their cells; equal within a partition class."""
    state, partition = found.state, found.labels["partition"]
    if partition is None:
        return None
    roots = sorted(set(partition))
    budget = limit // (state.guesses * _COMPARISONS_PER_ENTRY)
    split = yield from _split_within(state, roots, budget)
    keys = None if split is None else (yield from _keys_within(state, split, budget))
    if split is None or keys is None:
        return None
    keyed = _keyed(split, keys)
    stars = yield from _star_keys(state, {key: codes for row in keyed for _, codes, key in row})
    if stars is None:
        return None
    number = {star: i for i, star in enumerate(dict.fromkeys(stars.values()))}
    found.numbers = {key: number[star] for key, star in stars.items()}
    found.cells = {
        g: [Cell(answer, codes, found.numbers[key]) for answer, codes, key in row]
        for g, row in zip(roots, keyed, strict=True)
    }
    # Guesses that can be the secret differ from others here: their cells have one code fewer.
    children = {g: tuple(sorted(cell.state for cell in row)) for g, row in found.cells.items()}
    return _first_equal(partition, children)


def cells_of(found: Relations, guess: int) -> list[Cell]:
    """Return the cells of a guess, without the win; the states must have been computed."""
    state = found.state
    split = [state.split(state.every_guess()[guess], state.codes())]
    sets = list(_distinct(split).values())
    found_keys = set_keys(state.frame, state.packed, state.rules.pegs, sets)
    keys = {codes.tobytes(): key for codes, (key, _) in zip(sets, found_keys, strict=True)}
    [row] = _keyed(split, keys)
    return [Cell(answer, codes, found.numbers[key]) for answer, codes, key in row]


_Split = list[tuple[int, Codes]]
"""The cells of one guess, without the win: answer and codes."""


def _split_within(state: State, guesses: Sequence[int], budget: int) -> Job[list[_Split] | None]:
    """Return the cells of each guess; None if those of different sizes have over `budget` codes.

    Such cells differ under permutations, so `_keys_within` would return None as well.
    """
    space, secrets = state.every_guess(), state.codes()
    split: list[_Split] = []
    sizes: set[int] = set()
    for i, g in enumerate(guesses):
        yield Progress(i, len(guesses), "splitting the codes")
        split.append(state.split(space[g], secrets))
        sizes.update(len(codes) for _, codes in split[-1])
        if sum(sizes) > budget or max(sizes, default=0) > CODE.MOST_ROWS:
            return None
    return split


def _distinct(split: Sequence[_Split]) -> dict[bytes, Codes]:
    return {codes.tobytes(): codes for row in split for _, codes in row}


def _keyed(
    split: Sequence[_Split], keys: Mapping[bytes, Key]
) -> list[list[tuple[int, Codes, Key]]]:
    return [[(answer, codes, keys[codes.tobytes()]) for answer, codes in row] for row in split]


def _keys_within(
    state: State, split: Sequence[_Split], budget: int
) -> Job[dict[bytes, Key] | None]:
    """Return the key of each cell; None if those that differ have over `budget` codes together.

    The largest cells come first, so that an exceeded budget is noticed early.
    """
    sets = sorted(_distinct(split).values(), key=len, reverse=True)
    keys: dict[bytes, Key] = {}
    seen: set[Key] = set()
    found = set_keys(state.frame, state.packed, state.rules.pegs, sets)
    for i, (codes, (key, _)) in enumerate(zip(sets, found, strict=True)):
        yield Progress(i, len(sets), "comparing cells")
        if key not in seen:
            seen.add(key)
            budget -= len(codes)
        if budget < 0:
            return None
        keys[codes.tobytes()] = key
    return keys


def _star_keys(state: State, sets: Mapping[Key, Codes]) -> Job[dict[Key, Key] | None]:
    """Compute the STAR key of sets that differ under permutations; None if a table is too large."""
    stars = {}
    for i, (key, codes) in enumerate(sets.items()):
        yield Progress(i, len(sets), "comparing states")
        with state.frame.kernel.frame() as scratch:
            inner = state.with_codes(scratch, state.clues, codes)
            if not is_tabled(inner):
                return None
            table = yield from build_table(inner, scratch, unlabelled=True)
            stars[key] = (yield from canonical_form(table, "STAR")).key
    return stars


def _cost_labels(found: Relations) -> Job[Labels | None]:
    state, partition, cells = found.state, found.labels["partition"], found.cells
    if cells is None or partition is None:
        return None
    sets = {c.state: (c.codes, g) for g, row in cells.items() for c in row}
    largest = max((len(codes) for codes, _ in sets.values()), default=0)
    rules = state.rules
    fits = rules.pegs * rules.colours <= 64 and len(rules.answers()) <= 32
    if not fits or state.guesses > MOST_GUESSES or largest * state.guesses > _MAX_SOLVED_PAIRS:
        return None
    search, space = Search(state, False), state.every_guess()
    found.totals = [0] * len(sets)
    for number, (codes, g) in sets.items():
        if len(codes) < state.n:
            path = search.clues() + space[g : g + 1]
            found.totals[number], _ = yield from search.solve(codes, path, NEVER)
    found.costs = _costs(found, state.n)
    return _first_equal(partition, found.costs)


def _costs(found: Relations, n: int) -> dict[int, int]:
    """Return the cost of each guess; a useless one costs n guesses more than the best."""
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
    """Label guesses by the value of their partition class."""
    first: dict[Hashable, int] = {}
    for g in sorted(values):
        first.setdefault(values[g], g)
    return [first[values[root]] for root in partition]


# ---- spatial equivalence -----------------------------------------------------------------------


def exchange(code: str) -> str:
    """Exchange pegs and colours; there are equally many, and no colour repeats.

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
    """Return generators of the permutations that fix the set of codes; None over the limit.

    `set_symmetries`, and transpositions of excluded colours, which it leaves in place.
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
    moves = stabiliser(state, limit) if has_spatial(rules) and not state.weights else None
    if moves is None:
        return None
    with state.frame.kernel.frame() as scratch:
        parent = scratch.reserve(4 * state.guesses)
        scratch.call("code_alone", parent, state.guesses)
        at = scratch.put(b"".join(moves))
        yield from unite_orbits(state, parent, at, len(moves), "finding orbits of isometries")
        roots = class_roots(state, parent)
    turn = (yield from exchanging_symmetry(state)) if exchanges(rules) else None
    if turn is None:
        return roots
    texts = state.texts(state.space, state.guesses)
    place = {text: g for g, text in enumerate(texts)}
    partner = {roots[g]: roots[place[exchange(turn(text))]] for g, text in enumerate(texts)}
    return [min(root, partner[root]) for root in roots]


def exchanging_symmetry(state: State) -> Job[Permutation | None]:
    """Find a permutation after which `exchange` maps the set of codes to itself, or None."""
    if state.n > CODE.MOST_ROWS:
        return None
    codes = sorted(map(exchange, state.texts(state.secrets, state.n)))
    with state.frame.kernel.frame() as scratch:
        other = state.with_codes(scratch, state.clues, pack_guesses(codes))
        return (yield from find_set_symmetry(state, other))
