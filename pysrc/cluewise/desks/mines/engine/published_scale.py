"""The difficulty scale of 2018: rounds per step as the author of published boards counts them.

A record bounds the number of mines in a set of cells. One round:

1. The numbers of cells opened in the round before enter as exact records.
2. The exact pass: overlapping pairs give exact records for their common part and both rests. A
   pair is crossed only if the right set's mask, as an integer, is the larger one; bounds
   change in place, new sets wait for the next pass.
3. If the number of records has not changed: an inexact pass, which keeps bounds too, as often
   as the allowance permits; otherwise the inexact records are purged and the allowance is reset.
4. Trivial records open and flag; then the step is over, its rounds are its value.

The published numbers depend on the order of ties, which was that of hash tables: among tied records
the first one wins, and Python up to 3.5 iterated a dict and a set of small integers by slot, not by
age (`HashTableOrder`, `set_order`). With `ties=False` the bounds of a pass are frozen and its
results merged before they are stored, so nothing depends on the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN
from cluewise.desks.mines.engine.playthrough import Puzzle
from cluewise.errors import TooLarge

WIDE, FULL = 9, 3  # sets of more cells with a higher minimum are never crossed
MOST_RECORDS = 30_000
SLICE = 16  # records of the left list between two words on the progress
ORDER = ("total", "column", "row")  # the others follow as they stand
V = TypeVar("V")
PRIME = (1 << 61) - 1  # a whole number hashes to its remainder
SHIFT = 5  # bits of the hash that each further probe uses up
NEAR = 10  # neighbouring slots that a set tries before it jumps
FREE, GONE = -1, -2


class Record:
    """From `low` to `high` mines among the `size` cells of `mask`; changed in place."""

    __slots__ = ("high", "low", "mask", "size")

    def __init__(self, mask: int, low: int, high: int) -> None:
        self.mask, self.size, self.low, self.high = mask, mask.bit_count(), low, high

    @property
    def trivial(self) -> bool:
        """Return whether it decides its cells."""
        return self.high == 0 or self.low == self.size


def _size(record: Record) -> int:
    # no attrgetter: the reduced Pyodide of the page lacks it
    return record.size


@dataclass(slots=True)
class Outcome:
    """Whether every cell was decided, and the rounds of each step.

    `inexact` is the largest number of inexact rounds in a row that the run used: an allowance of
    as many, or of more, gives the same steps.
    """

    solved: bool = False
    steps: list[int] = field(default_factory=list)
    inexact: int = 0


def published_steps(puzzle: Puzzle, allowance: int, *, ties: bool) -> Job[Outcome]:
    """Return the steps of a puzzle on the scale of 2018; `allowance` below 0 is no limit.

    Raises TooLarge beyond `MOST_RECORDS` records.
    """
    return (yield from _Scale(puzzle, allowance, ties).run())


class _Scale:
    """The records of one puzzle being played. A record may sit in `held` and in `fresh`."""

    def __init__(self, puzzle: Puzzle, allowance: int, ties: bool) -> None:
        self.puzzle, self.allowance, self.ties = puzzle, allowance, ties
        self.known = {c for c, mark in enumerate(puzzle.start) if mark != UNKNOWN}
        self.news = [c for c, mark in enumerate(puzzle.start) if mark not in (UNKNOWN, FLAG)]
        self.held: HashTableOrder[Record] = HashTableOrder()
        self.fresh: HashTableOrder[Record] = HashTableOrder()
        self.changes = 0
        kinds = {kind: i for i, kind in enumerate(ORDER)}
        for group in sorted(puzzle.board.groups, key=lambda g: kinds.get(g.kind, len(ORDER))):
            self.enter(group.cells)

    def enter(self, cells: Iterable[int]) -> None:
        """Add a counted set, without its known cells."""
        left = [c for c in cells if c not in self.known]
        if left:
            count = sum(self.puzzle.shows[c] == FLAG for c in left)
            self.put(Record(sum(1 << c for c in left), count, count))

    def put(self, record: Record) -> None:
        """Add a record, or tighten that of the same cells."""
        held = self.held.get(record.mask)
        if held is None:
            self.held[record.mask] = record
        elif not _tightened(held, record):
            return
        self.changes += 1
        fresh = self.fresh.get(record.mask)
        if fresh is None:
            self.fresh[record.mask] = record
        else:
            _tightened(fresh, record)

    def run(self) -> Job[Outcome]:
        """Run rounds until all is decided or nothing changes."""
        steps, allowed, moved, inexact = [0], self.allowance, 1, 0
        while len(self.held) and (moved or self.changes):
            steps[-1] += 1
            self.changes, self.fresh = 0, HashTableOrder()
            moved = self.numbers() + abs((yield from self.cross(exact=True)))
            if moved:
                allowed = self.allowance
                self.purge()
            elif allowed == 0:
                break
            else:
                allowed -= 1
                inexact = max(inexact, self.allowance - allowed)
                moved = abs((yield from self.cross(exact=False)))
            trivial = self.trivial()
            if trivial:
                steps.append(0)
                moved += self.reduce(trivial)
        return Outcome(not len(self.held), steps if steps[-1] else steps[:-1], inexact)

    def numbers(self) -> int:
        """Enter the numbers of the cells opened last; return the number of new records."""
        before = len(self.held)
        for cell in self.news:
            if self.puzzle.shows[cell] != QUESTION:
                self.enter(self.puzzle.board.neighbours[cell])
        self.news = []
        return len(self.held) - before

    def purge(self) -> None:
        """Drop the inexact records, once exact ones change again."""
        for record in self.held.values():
            if record.low != record.high:
                self.held.drop(record.mask)
                self.fresh.drop(record.mask)

    def cross(self, *, exact: bool) -> Job[int]:
        """Run one pass over the pairs; return the change of the number of records."""
        before = len(self.held)
        left = sorted(
            HashTableOrder(self.fresh if len(self.fresh) else self.held).values(), key=_size
        )
        right = sorted(self.held.values(), key=_size)
        if not self.ties:
            left, right = ([Record(r.mask, r.low, r.high) for r in s] for s in (left, right))
        found: dict[int, Record] = {}
        for i, x in enumerate(left):
            if i % SLICE == 0:
                yield Progress(i, len(left), "rounds on the published scale")
            for y in right:
                if y.mask <= x.mask or not x.mask & y.mask or _wide(x) or _wide(y):
                    continue
                for record in _crossed(x, y):
                    if exact and record.low != record.high:
                        continue
                    if self.ties:
                        self.put(record)
                    elif record.mask in found:
                        _tightened(found[record.mask], record)
                    else:
                        found[record.mask] = record
            if len(self.held) > MOST_RECORDS or len(found) > MOST_RECORDS:
                raise TooLarge("On the published scale this board needs too many statements.")
        for record in found.values():
            self.put(record)
        if len(self.held) != before:
            self.fresh = HashTableOrder()
        return len(self.held) - before

    def trivial(self) -> list[Record]:
        """Return the records that decide their cells, large ones first, without subsets."""
        found: list[Record] = []
        for record in sorted(self.held.values(), key=_size, reverse=True):
            if record.trivial and all(record.mask & ~other.mask for other in found):
                found.append(record)
        return found

    def reduce(self, trivial: Sequence[Record]) -> int:
        """Open and flag what is decided; return the change of the number of records."""
        before, gone, flagged = len(self.held), 0, 0
        for record in trivial:
            gone |= record.mask
            if record.low:
                flagged |= record.mask
            else:
                self.news += [c for c in set_order(bit_indices(record.mask)) if c not in self.known]
            self.known.update(bit_indices(record.mask))
        for record in sorted(self.held.values(), key=_size, reverse=True):
            if record.mask & gone:
                self.held.drop(record.mask)
                self.fresh.drop(record.mask)
                self.shrink(record, gone, (record.mask & flagged).bit_count())
        return abs(len(self.held) - before)

    def shrink(self, record: Record, gone: int, mines: int) -> None:
        """Re-enter a record without its known cells, `mines` of which are mines."""
        mask = record.mask & ~gone
        if mask:
            size = mask.bit_count()
            low = min(max(record.low - mines, 0), size)
            self.put(Record(mask, low, min(record.high - mines, size)))


def _wide(record: Record) -> bool:
    return record.size > WIDE and record.low > FULL


def _tightened(held: Record, record: Record) -> bool:
    """Intersect the bounds of two records of the same cells; return whether the first changed."""
    low, high = max(held.low, record.low), min(held.high, record.high)
    changed = (low, high) != (held.low, held.high)
    held.low, held.high = low, high
    return changed


def _crossed(x: Record, y: Record) -> list[Record]:
    """Return the bounds that two overlapping records give for their common part and both rests."""
    common = x.mask & y.mask
    size = common.bit_count()
    u, v = x.size - size, y.size - size
    low = max(0, x.low - u, y.low - v)
    high = min(size, x.high, y.high)
    found = [Record(common, low, high)]
    if u:
        rest = x.mask & ~common
        found.append(Record(rest, max(0, x.low - high), min(u, max(0, x.high - low))))
    if v:
        rest = y.mask & ~common
        found.append(Record(rest, max(0, y.low - high), min(v, max(0, y.high - low))))
    return found


class HashTableOrder(Generic[V]):
    """A map from masks (positive) to values that iterates slot by slot.

    An open-addressing table: probes go i → 5i + p + 1 with p, the hash, shifted down each time; a
    deleted key leaves its slot taken; it grows once two thirds of the slots have ever been used.
    """

    def __init__(self, source: HashTableOrder[V] | None = None) -> None:
        self._value: dict[int, V] = {}
        self._table, self._room = [FREE] * 8, 5
        if source is not None:
            if self._room * 3 < len(source) * 2:
                self._grow(len(source) * 2)
            for key in source:
                self[key] = source[key]

    def __len__(self) -> int:
        return len(self._value)

    def __contains__(self, key: int) -> bool:
        return key in self._value

    def __getitem__(self, key: int) -> V:
        return self._value[key]

    def get(self, key: int) -> V | None:
        """Return the value of a mask, None if it has none."""
        return self._value.get(key)

    def __iter__(self) -> Iterator[int]:
        return (key for key in self._table if key >= 0)

    def values(self) -> list[V]:
        """Return the values in iteration order."""
        return [self._value[key] for key in self]

    def __setitem__(self, key: int, value: V) -> None:
        if key not in self._value:
            at = self._find(key)
            if self._table[at] == FREE:
                if self._room <= 0:
                    self._grow(len(self) * 2 + len(self._table) // 2)
                    at = self._find(key)
                self._room -= 1
            self._table[at] = key
        self._value[key] = value

    def drop(self, key: int) -> None:
        """Remove a mask if it is there."""
        if key in self._value:
            self._table[self._find(key)] = GONE
            del self._value[key]

    def _find(self, key: int) -> int:
        table, most = self._table, len(self._table) - 1
        at = rest = key % PRIME
        reuse = FREE
        while True:
            held = table[at & most]
            if held == FREE:
                return at & most if reuse == FREE else reuse
            if held == key:
                return at & most
            if held == GONE and reuse == FREE:
                reuse = at & most
            at = at * 5 + rest + 1
            rest >>= SHIFT

    def _grow(self, least: int) -> None:
        size, old = 8, list(self)
        while size <= least:
            size *= 2
        self._table, self._room = [FREE] * size, (2 * size + 1) // 3 - len(old)
        for key in old:
            self._table[self._find(key)] = key


def set_order(numbers: Iterable[int]) -> list[int]:
    """Return small distinct integers in the order of such a set: `[8, 1]` from `{1, 8}`."""
    table = [FREE] * 8
    for used, number in enumerate(numbers, 1):
        _place(table, number)
        if used * 3 >= len(table) * 2:
            size, old = 8, table
            while size <= used * 4:
                size *= 2
            table = [FREE] * size
            for held in old:
                if held != FREE:
                    _place(table, held)
    return [number for number in table if number != FREE]


def _place(table: list[int], number: int) -> None:
    most, at, rest = len(table) - 1, number, number
    while True:
        for near in range(NEAR):
            if table[at + near & most] == FREE:
                table[at + near & most] = number
                return
        rest >>= SHIFT
        at = at * 5 + 1 + rest
