"""The difficulty scale of 2018: rounds per step as the author of published boards counts them.

A record says how many mines a set of cells holds, from a lowest to a highest number. One round:

1. The numbers of cells opened in the round before enter as exact records.
2. The exact pass: overlapping pairs give exact records for their common part and both rests. A
   pair is met only where the right set's mask, as a whole number, is the larger one; bounds
   change in place, new sets wait for the next pass.
3. Where the number of records has not changed: an inexact pass, which keeps bounds too, as often
   as the allowance lets it; otherwise the inexact records go, and the allowance is whole again.
4. Trivial records open and flag; then the step is over, its rounds are its value.

The published numbers depend on the order of ties, which was that of hash tables (slots.py). With
`ties=False` the bounds of a pass are frozen and its results put together before they are kept:
nothing depends on any order then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN
from cluewise.desks.mines.engine.hash_order import HashTableOrder, set_order
from cluewise.desks.mines.engine.playthrough import Puzzle
from cluewise.errors import TooLarge

WIDE, FULL = 9, 3  # sets of more cells with a higher minimum are never crossed
MOST_RECORDS = 30_000
SLICE = 16  # records of the left list between two words on the progress
ORDER = ("total", "column", "row")  # the others follow as they stand


class Record:
    """From `low` to `high` mines among the `size` cells of `mask`; changed in place."""

    __slots__ = ("high", "low", "mask", "size")

    def __init__(self, mask: int, low: int, high: int) -> None:
        self.mask, self.size, self.low, self.high = mask, mask.bit_count(), low, high

    @property
    def trivial(self) -> bool:
        """Whether it decides its cells."""
        return self.high == 0 or self.low == self.size


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
    """The steps of a puzzle on the scale of 2018; `allowance` below 0 is no limit.

    Raises TooLarge where it holds too many records at once.
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
        """A counted set, as far as its cells are not known yet."""
        left = [c for c in cells if c not in self.known]
        if left:
            count = sum(self.puzzle.shows[c] == FLAG for c in left)
            self.put(Record(sum(1 << c for c in left), count, count))

    def put(self, record: Record) -> None:
        """Keep a record, or tighten the one of the same cells."""
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
        """Rounds until nothing is left or nothing moves."""
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
        """Enter the numbers of the cells opened last; how many records that adds."""
        before = len(self.held)
        for cell in self.news:
            if self.puzzle.shows[cell] != QUESTION:
                self.enter(self.puzzle.board.neighbours[cell])
        self.news = []
        return len(self.held) - before

    def purge(self) -> None:
        """Inexact records go once exact ones move again."""
        for record in self.held.values():
            if record.low != record.high:
                self.held.drop(record.mask)
                self.fresh.drop(record.mask)

    def cross(self, *, exact: bool) -> Job[int]:
        """One pass over the pairs; by how much the number of records changed."""
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
        """The records that decide their cells, large ones first, none inside another."""
        found: list[Record] = []
        for record in sorted(self.held.values(), key=_size, reverse=True):
            if record.trivial and all(record.mask & ~other.mask for other in found):
                found.append(record)
        return found

    def reduce(self, trivial: Sequence[Record]) -> int:
        """Open and flag what is decided; by how much the number of records changed."""
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
        """A record without the cells that are known by now, `mines` of which are mines."""
        mask = record.mask & ~gone
        if mask:
            size = mask.bit_count()
            low = min(max(record.low - mines, 0), size)
            self.put(Record(mask, low, min(record.high - mines, size)))


def _size(record: Record) -> int:
    return record.size


def _wide(record: Record) -> bool:
    return record.size > WIDE and record.low > FULL


def _tightened(held: Record, record: Record) -> bool:
    """Intersect the bounds of two records of the same cells; whether the first one changed."""
    low, high = max(held.low, record.low), min(held.high, record.high)
    changed = (low, high) != (held.low, held.high)
    held.low, held.high = low, high
    return changed


def _crossed(x: Record, y: Record) -> list[Record]:
    """What two overlapping records say of their common part and of both rests."""
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
