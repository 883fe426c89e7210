"""Puzzles as a wish has them: many candidates, kept by their hardest move, the nearest first.

Finding a candidate's way takes nearly all the time, and is what a crew shares. A candidate
is thought up before the ways of the `AHEAD` before it are known, however many work, so that the
puzzle is the same.
"""

from __future__ import annotations

from collections import Counter, deque
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from cluewise.core.work import Job, map_progress
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.generator.local_search import Candidate, PuzzleSearch
from cluewise.desks.mines.generator.move_profile import (
    MoveProfile,
    profile_distance,
    profile_gaps,
    rank,
    width,
)
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.rating import TECHNIQUES, Kept, Move, Wished
from cluewise.desks.mines.verbs.rate import is_complete, path
from cluewise.parallel.tasks import ParallelContext, Result, Tasks, map_tasks

AHEAD = 4  # candidates under way; eight would need half as many again until one is as wished
LISTED = 5  # candidates listed in the result
HARD = 20  # what a move beyond two counts costs, in candidates looked at
BEYOND = rank("cross")
FRESH = 0.2  # how often a candidate is a new one instead of a change of one that is kept
NEAR = 0.5  # how much rather the nearer of two kept ones is changed


class ArchiveEntry(NamedTuple):
    """A candidate that needs no guess, its way, and how far it is from the wish."""

    draft: Candidate
    moves: list[Move]
    away: int

    @property
    def shelf(self) -> tuple[int, int]:
        """Where it is kept: the kind of its hardest move, and the most counts of one of these."""
        return max(((rank(m.technique), width(m)) for m in self.moves), default=(0, 0))


@dataclass(slots=True)
class ProfileSearch:
    """One search: what was looked at, and the nearest candidate of every kind."""

    maker: PuzzleSearch
    wish: MoveProfile
    looked: int = 0
    hardest: Counter[str] = field(default_factory=Counter)
    kept: dict[tuple[int, int], ArchiveEntry] = field(default_factory=dict)
    _new: deque[Candidate] = field(default_factory=deque)  # no one has them yet
    _out: deque[Candidate] = field(default_factory=deque)  # their ways are looked for

    def run(self, sharing: ParallelContext | None) -> Job[None]:
        """Look at candidates until one is as wished, or the work or time allowed is used up."""
        for _ in range(AHEAD):
            yield from self._think()
        with closing(map_tasks(solution_path, self._pieces(), sharing)) as ways:
            for step in ways:
                if not isinstance(step, Result):
                    yield replace(self.maker.pulse(), waits=step.idle)
                    continue
                entry = self._played(self._out.popleft(), msgspec.convert(step.value, list[Move]))
                if entry is not None and self._keep(entry):
                    self.maker.note(entry.draft, entry.away)
                    yield self.maker.progress()
                    if entry.away == 0:
                        return
                yield from self._think()

    def _pieces(self) -> Tasks:
        """The candidates that were thought up, as they come."""
        while self._new or self._out:
            if not self._new:
                yield None
                continue
            draft = self._new.popleft()
            self._out.append(draft)
            yield (msgspec.to_builtins(self.maker.finished(draft)),)

    def _think(self) -> Job[None]:
        """One more candidate, if there is work left."""
        while not self.maker.over():
            draft = yield from self._next()
            if draft is not None:
                self._new.append(draft)
                return

    def ranked(self) -> list[ArchiveEntry]:
        """The kept ones, nearest first; of equals the easier."""
        return sorted(self.kept.values(), key=lambda e: (e.away, e.shelf))

    def _next(self) -> Job[Candidate | None]:
        """A new candidate, or a change of one that is kept, of a near one rather."""
        rng = self.maker.rng
        if not self.kept or rng.random() < FRESH:
            whole = self.maker.pulse  # the progress of the search, not of one candidate
            return (yield from map_progress(self.maker.repaired(), lambda _: whole()))
        row = self.ranked()
        place = 0
        while place < len(row) - 1 and rng.random() < NEAR:
            place += 1
        draft = row[place].draft
        for _ in range(rng.choice((1, 1, 2, 3))):
            draft = self.maker.changed(draft)
        return draft

    def _played(self, draft: Candidate, moves: list[Move]) -> ArchiveEntry | None:
        """The candidate with its way; None if it needs a guess."""
        self.looked += 1
        self.maker.evaluations += 1
        self.maker.evaluations += HARD * sum(rank(m.technique) > BEYOND for m in moves)
        if not is_complete(self.maker.puzzle(draft), moves):
            return None
        entry = ArchiveEntry(draft, moves, profile_distance(self.wish, moves))
        self.hardest[TECHNIQUES[entry.shelf[0]]] += 1
        return entry

    def _keep(self, entry: ArchiveEntry) -> bool:
        """Keep it if it is nearer than what stood in its place; whether it is the nearest."""
        best = min((e.away for e in self.kept.values()), default=None)
        there = self.kept.get(entry.shelf)
        if there is None or entry.away <= there.away:
            self.kept[entry.shelf] = entry
        return best is None or entry.away < best

    def with_candidates(self, wished: Wished) -> Wished:
        """The wish's result with the nearest other candidates."""
        return msgspec.structs.replace(
            wished,
            looked=self.looked,
            hardest={t: self.hardest[t] for t in TECHNIQUES if self.hardest[t]},
            kept=[self._row(entry) for entry in self.ranked()[:LISTED]],
        )

    def _row(self, entry: ArchiveEntry) -> Kept:
        often = Counter(m.technique for m in entry.moves)
        kind, counts = entry.shelf
        return Kept(
            TECHNIQUES[kind], counts, {t: often[t] for t in TECHNIQUES if often[t]},
            profile_gaps(self.wish, entry.moves),
        )  # fmt: skip


def solution_path(candidate: dict[str, Any]) -> Job[list[dict[str, Any]]]:
    """The moves of a candidate's way, as a task of a worker."""
    position = msgspec.convert(candidate, Position)
    moves = yield from path(position, puzzle_of(position))
    plain: list[dict[str, Any]] = msgspec.to_builtins(moves)
    return plain
