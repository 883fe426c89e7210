"""How many sets of codes clues can leave, round by round, and how many states these are.

Guesses are gone through up to symmetry only, each with the number of guesses like it, so that the
counts are of all. A set of codes is an integer, a bit a code: to split it is to take the bits in
common with those that give one answer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from math import factorial

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import class_roots, constraint_forest
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.engine.symmetries import (
    Key,
    TableKind,
    form,
    is_tabled,
    rough_key,
    set_keys,
    table_of,
)
from cluewise.kernel import Frame

_WAITING = 512  # sets that are keyed together
MOST_SUBSETS = 2_000_000
"""Up to so many states in a round each clue is left out in turn: does it add anything?"""

Sequence = tuple[int, ...]  # guesses by their places in the space
Histories = list[tuple[Sequence, int, list[tuple[int, ...]]]]
"""Sequences of guesses, how many are like each, and what its answers leave: the set of codes after
all clues first, then the sets after all clues but one."""


@dataclass
class StateClasses:
    """One set of codes of each class up to symmetry, and how many sets there are in all."""

    sets: dict[Key, int] = field(default_factory=dict)
    distinct: int = 0


@dataclass
class Round:
    """What clues of so many rounds come to."""

    sets: int = 0
    irreducible: int | None = 0
    members: StateClasses = field(default_factory=StateClasses)


class StateCounter:
    """One count; `state` is that of no clue, with its space loaded."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.words = state.codes()
        self.everything = (1 << state.n) - 1
        self.group = factorial(state.rules.pegs) * factorial(state.rules.colours)
        self._parts: dict[int, list[int]] = {}

    def start(self) -> Histories:
        """The one history of no clue."""
        return [((), 1, [(self.everything,)])]

    def next_round(self, histories: Histories, last: bool) -> Job[tuple[Round, Histories]]:
        """Counts after one more guess, and the histories with it unless it is the last."""
        found, longer = Round(), Histories()
        seen: set[bytes] = set()
        waiting: list[int] = []
        states = sum(len(left) for _, _, left in histories)
        if states * self.state.guesses > MOST_SUBSETS:
            found.irreducible = None
        for i, (sequence, ways, left) in enumerate(histories):
            for guess, alike in (yield from self._guesses_after(sequence)):
                yield Progress(i, len(histories), f"counting round {len(sequence) + 1}")
                after: list[tuple[int, ...]] = []
                for known in left:
                    after += self._answered(known, guess, found.irreducible is None and last)
                self._tally(found, after, ways * alike)
                for known in after:
                    if (name := self._name(known[0])) not in seen:
                        seen.add(name)
                        waiting.append(known[0])
                if len(waiting) >= _WAITING:
                    self._sort(found.members, waiting)
                if not last:
                    longer.append(((*sequence, guess), ways * alike, after))
        self._sort(found.members, waiting)
        # Without a history (fewer guesses than rounds) every count is 0.
        orders = factorial(len(histories[0][0]) + 1) if histories else 1
        found.sets //= orders
        if found.irreducible is not None:
            found.irreducible //= orders
        return found, longer

    def _tally(self, found: Round, after: list[tuple[int, ...]], ways: int) -> None:
        found.sets += ways * len(after)
        if found.irreducible is not None:
            found.irreducible += ways * sum(known[0] not in known[1:] for known in after)

    def _name(self, codes: int) -> bytes:
        return blake2b(codes.to_bytes(self.state.n // 8 + 1, "little"), digest_size=16).digest()

    def _guesses_after(self, sequence: Sequence) -> Job[list[tuple[int, int]]]:
        """The least new guess of each constraint class, and how many are like it."""
        state = self.state
        with state.frame.kernel.frame() as scratch:
            inner = state.with_clues(scratch, [Clue(state.guess(g), 0) for g in sequence])
            roots = class_roots(inner, (yield from constraint_forest(inner)))
        return [pair for pair in sorted(Counter(roots).items()) if pair[0] not in sequence]

    def parts(self, guess: int) -> list[int]:
        """The codes that give each answer that comes."""
        if guess not in self._parts:
            state = self.state
            with state.frame.kernel.frame() as scratch:
                out = scratch.reserve(state.n)
                asked = state.space + 8 * guess
                scratch.call("code_answers", state.packed, asked, state.secrets, state.n, out)
                answers = bytes(scratch.get(out, "B", state.n))
            self._parts[guess] = [_bits(answers, answer) for answer in sorted(set(answers))]
        return self._parts[guess]

    def _answered(
        self, known: tuple[int, ...], guess: int, plain: bool
    ) -> Iterator[tuple[int, ...]]:
        """What is left after each answer that can come: after all clues, after all but one."""
        for part in self.parts(guess):
            left = known[0] & part
            if left:
                yield (left,) if plain else (left, known[0], *(one & part for one in known[1:]))

    def _sort(self, members: StateClasses, waiting: list[int]) -> None:
        """Sets that were not seen into their classes; `waiting` is empty then."""
        state = self.state
        sets = [array("Q", (self.words[i] for i in bit_indices(one))) for one in waiting]
        keyed = set_keys(state.frame, state.packed, state.rules.pegs, sets)
        for one, (key, keep) in zip(waiting, keyed, strict=True):
            if key not in members.sets:
                members.sets[key] = one
                members.distinct += self.group // keep
        waiting.clear()

    def classes(self, sets: Collection[int]) -> Job[dict[TableKind, int] | None]:
        """How many states the sets are, by kind; None where a table is too large."""
        rough: dict[TableKind, dict[Key, list[int]]] = {"A": {}, "B": {}, "STAR": {}}
        for done, one in enumerate(sets):
            yield Progress(done, len(sets), "sorting states")
            keys = yield from self._rough(one)
            if keys is None:
                return None
            for kind, key in keys.items():
                rough[kind].setdefault(key, []).append(one)
        counts: dict[TableKind, int] = {}
        for kind, groups in rough.items():
            counts[kind] = 0
            for ties in groups.values():
                counts[kind] += (yield from self._apart(ties, kind)) if len(ties) > 1 else 1
        return counts

    def _apart(self, ties: Iterable[int], kind: TableKind) -> Job[int]:
        """How many states the sets of one rough key are."""
        found = set()
        for one in ties:
            with self.state.frame.kernel.frame() as scratch:
                inner = self._left(one, scratch)
                table = yield from table_of(inner, scratch, kind == "STAR")
                found.add((yield from form(table, kind)).key)
        return len(found)

    def _rough(self, codes: int) -> Job[dict[TableKind, Key] | None]:
        with self.state.frame.kernel.frame() as scratch:
            inner = self._left(codes, scratch)
            if not is_tabled(inner):
                return None
            table = yield from table_of(inner, scratch)
            star = yield from table_of(inner, scratch, True)
            return {
                "A": rough_key(table, "A"),
                "B": rough_key(table, "B"),
                "STAR": rough_key(star, "STAR"),
            }

    def _left(self, codes: int, scratch: Frame) -> State:
        """The state in which these codes are left."""
        words = array("Q", (self.words[i] for i in bit_indices(codes)))
        return self.state.with_codes(scratch, (), words)


def _bits(answers: bytes, wanted: int) -> int:
    """An integer with bit i set where answer i is the one wanted."""
    table = bytearray(b"0" * 256)
    table[wanted] = ord("1")
    return int(answers[::-1].translate(bytes(table)), 2)
