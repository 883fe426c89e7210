"""Counts of the sets of codes that clues can leave, round by round, and of their states.

Guesses are enumerated up to constraint equivalence, each with the size of its class, so the counts
are of all sequences of guesses. A set of codes is a bit mask, an integer; a cell of a partition is
the intersection with the codes that give one answer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from math import factorial

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import class_roots, constraint_forest
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.engine.symmetries import (
    Key,
    TableKind,
    build_table,
    canonical_form,
    is_tabled,
    refinement_key,
    set_keys,
)
from cluewise.kernel import Frame

_KEYED_AT_ONCE = 512  # sets
MOST_SUBSETS = 2_000_000
"""In rounds with more sets of clues redundant clues are not counted."""
KINDS: tuple[TableKind, ...] = ("A", "B", "STAR")

Sequence = tuple[int, ...]  # guesses by their places in the space
Histories = list[tuple[Sequence, int, list[tuple[int, ...]]]]
"""Sequences of guesses, the size of their class, and the sets that their answers leave: the codes
consistent with all clues, then those consistent with all clues but one, for each clue."""


@dataclass
class StateClasses:
    """A set of codes of each class under permutations, and the number of sets in all classes."""

    sets: dict[Key, int] = field(default_factory=dict)
    distinct: int = 0


@dataclass
class Round:
    """The counts of one round: sets of clues, those without a redundant clue, sets of codes."""

    sets: int = 0
    irreducible: int | None = 0
    members: StateClasses = field(default_factory=StateClasses)


class StateCounter:
    """Counts rounds; `state` is the initial state, with its space loaded."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.codes = state.codes()
        self.everything = (1 << state.n) - 1
        self.group = factorial(state.rules.pegs) * factorial(state.rules.colours)
        self._cells: dict[int, list[int]] = {}

    def start(self) -> Histories:
        """Return the one history without clues."""
        return [((), 1, [(self.everything,)])]

    def next_round(self, histories: Histories, last: bool) -> Job[tuple[Round, Histories]]:
        """Count the sets after one more guess; return also the histories unless it is the last."""
        found, longer = Round(), Histories()
        seen: set[bytes] = set()
        waiting: list[int] = []
        states = sum(len(sets) for _, _, sets in histories)
        if states * self.state.guesses > MOST_SUBSETS:
            found.irreducible = None
        for i, (sequence, ways, sets) in enumerate(histories):
            for guess, size in (yield from self._guesses_after(sequence)):
                yield Progress(i, len(histories), f"counting round {len(sequence) + 1}")
                only_all = found.irreducible is None and last
                after = list(chain(*(self._answered(known, guess, only_all) for known in sets)))
                found.sets += ways * size * len(after)
                if found.irreducible is not None:
                    new = sum(known[0] not in known[1:] for known in after)
                    found.irreducible += ways * size * new
                for codes, *_ in after:
                    bits = codes.to_bytes(self.state.n // 8 + 1, "little")
                    if (name := blake2b(bits, digest_size=16).digest()) not in seen:
                        seen.add(name)
                        waiting.append(codes)
                if len(waiting) >= _KEYED_AT_ONCE:
                    self._add_to_classes(found.members, waiting)
                if not last:
                    longer.append(((*sequence, guess), ways * size, after))
        self._add_to_classes(found.members, waiting)
        # Without a history (fewer guesses than rounds) every count is 0.
        orders = factorial(len(histories[0][0]) + 1) if histories else 1
        found.sets //= orders
        if found.irreducible is not None:
            found.irreducible //= orders
        return found, longer

    def _guesses_after(self, sequence: Sequence) -> Job[list[tuple[int, int]]]:
        """Return the least new guess of each constraint class, and the size of the class."""
        state = self.state
        with state.frame.kernel.frame() as scratch:
            inner = state.with_clues(scratch, [Clue(state.guess(g), 0) for g in sequence])
            roots = class_roots(inner, (yield from constraint_forest(inner)))
        return [pair for pair in sorted(Counter(roots).items()) if pair[0] not in sequence]

    def cells(self, guess: int) -> list[int]:
        """Return the cells of all codes under a guess, as bit masks."""
        if guess not in self._cells:
            state = self.state
            with state.frame.kernel.frame() as scratch:
                out = scratch.reserve(state.n)
                asked = state.space + 8 * guess
                scratch.call("code_answers", state.packed, asked, state.secrets, state.n, out)
                answers = bytes(scratch.get(out, "B", state.n))
            self._cells[guess] = [_mask(answers, answer) for answer in sorted(set(answers))]
        return self._cells[guess]

    def _answered(
        self, known: tuple[int, ...], guess: int, only_all: bool
    ) -> Iterator[tuple[int, ...]]:
        """Yield the sets after each possible answer: after all clues, then after all but one."""
        for cell in self.cells(guess):
            if codes := known[0] & cell:
                others = () if only_all else (known[0], *(one & cell for one in known[1:]))
                yield (codes, *others)

    def _add_to_classes(self, members: StateClasses, waiting: list[int]) -> None:
        """Add new sets of codes to their classes; empties `waiting`."""
        state, sets = self.state, list(map(self._pack, waiting))
        keyed = set_keys(state.frame, state.packed, state.rules.pegs, sets)
        for one, (key, stabiliser) in zip(waiting, keyed, strict=True):
            if key not in members.sets:
                members.sets[key] = one
                members.distinct += self.group // stabiliser  # the orbit
        waiting.clear()

    def _pack(self, codes: int) -> array[int]:
        return array("Q", (self.codes[i] for i in bit_indices(codes)))

    def classes(self, sets: Collection[int]) -> Job[dict[TableKind, int] | None]:
        """Count the states among the sets, by kind; None if a table is too large.

        Canonical forms are computed only of sets with one refinement key.
        """
        by_key: dict[TableKind, dict[Key, list[int]]] = {kind: {} for kind in KINDS}
        for done, one in enumerate(sets):
            yield Progress(done, len(sets), "sorting states")
            keys = yield from self._refinement_keys(one)
            if keys is None:
                return None
            for kind, key in keys.items():
                by_key[kind].setdefault(key, []).append(one)
        counts: dict[TableKind, int] = {}
        for kind, groups in by_key.items():
            counts[kind] = 0
            for ties in groups.values():
                counts[kind] += (yield from self._count_forms(ties, kind)) if len(ties) > 1 else 1
        return counts

    def _count_forms(self, sets: Collection[int], kind: TableKind) -> Job[int]:
        """Count the canonical forms of the sets."""
        found = set()
        for one in sets:
            with self.state.frame.kernel.frame() as scratch:
                inner = self._state(one, scratch)
                table = yield from build_table(inner, scratch, kind == "STAR")
                found.add((yield from canonical_form(table, kind)).key)
        return len(found)

    def _refinement_keys(self, codes: int) -> Job[dict[TableKind, Key] | None]:
        with self.state.frame.kernel.frame() as scratch:
            inner = self._state(codes, scratch)
            if not is_tabled(inner):
                return None
            table = yield from build_table(inner, scratch)
            star = yield from build_table(inner, scratch, True)
            return {k: refinement_key(star if k == "STAR" else table, k) for k in KINDS}

    def _state(self, codes: int, scratch: Frame) -> State:
        """Return the state in which these codes remain."""
        return self.state.with_codes(scratch, (), self._pack(codes))


def _mask(answers: bytes, answer: int) -> int:
    """Return the bit mask of the places of an answer."""
    table = bytearray(b"0" * 256)
    table[answer] = ord("1")
    return int(answers[::-1].translate(bytes(table)), 2)
