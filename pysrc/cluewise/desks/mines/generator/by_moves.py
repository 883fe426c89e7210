"""Puzzles with a requested profile of moves: MAP-Elites (Mouret & Clune 2015).

The archive has one niche for each hardest kind of move and number of counts, and keeps in each the
candidate that is nearest to the profile. New candidates are mutations of archived ones, the nearest
preferred, or fresh boards. Solving a candidate takes nearly all the time and is done by parallel
tasks. Candidates are generated `AHEAD` of the results, however many workers there are, so that a
seed gives the same puzzle everywhere.
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

AHEAD = 4  # candidates in flight; with 8, half as many more are needed
LISTED = 5  # candidates listed in the result
HARD = 20  # evaluations charged for a move of more than two counts
BEYOND = rank("cross")
FRESH = 0.2  # share of fresh candidates; the others are mutations
NEAR = 0.5  # probability to pass over an archived candidate for the next nearest


class ArchiveEntry(NamedTuple):
    """A candidate that needs no guess, its moves, and its distance from the profile."""

    draft: Candidate
    moves: list[Move]
    away: int

    @property
    def niche(self) -> tuple[int, int]:
        """Return the rank of its hardest kind of move and the most counts in a move of it."""
        return max(((rank(m.technique), width(m)) for m in self.moves), default=(0, 0))


@dataclass(slots=True)
class ProfileSearch:
    """One search: the archive and statistics of the candidates."""

    maker: PuzzleSearch
    wish: MoveProfile
    looked: int = 0
    hardest: Counter[str] = field(default_factory=Counter)
    archive: dict[tuple[int, int], ArchiveEntry] = field(default_factory=dict)
    _new: deque[Candidate] = field(default_factory=deque)  # not yet given to a worker
    _out: deque[Candidate] = field(default_factory=deque)  # being solved

    def run(self, sharing: ParallelContext | None) -> Job[None]:
        """Search until a candidate matches the profile, or the limit of work or time is reached."""
        for _ in range(AHEAD):
            yield from self._add_candidate()
        with closing(map_tasks(solution_path, self._tasks(), sharing)) as ways:
            for step in ways:
                if not isinstance(step, Result):
                    yield replace(self.maker.pulse(), waits=step.idle)
                    continue
                entry = self._evaluated(
                    self._out.popleft(), msgspec.convert(step.value, list[Move])
                )
                if entry is not None and self._archive(entry):
                    self.maker.note(entry.draft, entry.away)
                    yield self.maker.progress()
                    if entry.away == 0:
                        return
                yield from self._add_candidate()

    def _tasks(self) -> Tasks:
        """Yield the new candidates as tasks; None while there is none."""
        while self._new or self._out:
            if not self._new:
                yield None
                continue
            draft = self._new.popleft()
            self._out.append(draft)
            yield (msgspec.to_builtins(self.maker.finished(draft)),)

    def _add_candidate(self) -> Job[None]:
        """Generate a candidate unless the limit of work is reached."""
        while not self.maker.over():
            draft = yield from self._next()
            if draft is not None:
                self._new.append(draft)
                return

    def ranked(self) -> list[ArchiveEntry]:
        """Return the archive, nearest first, the easier of equals first."""
        return sorted(self.archive.values(), key=lambda e: (e.away, e.niche))

    def _next(self) -> Job[Candidate | None]:
        """Return a fresh candidate or a mutation of an archived one; None if a fresh one failed."""
        rng = self.maker.rng
        if not self.archive or rng.random() < FRESH:
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

    def _evaluated(self, draft: Candidate, moves: list[Move]) -> ArchiveEntry | None:
        """Return the candidate with its distance; None if it needs a guess."""
        self.looked += 1
        self.maker.evaluations += 1
        self.maker.evaluations += HARD * sum(rank(m.technique) > BEYOND for m in moves)
        if not is_complete(self.maker.puzzle(draft), moves):
            return None
        entry = ArchiveEntry(draft, moves, profile_distance(self.wish, moves))
        self.hardest[TECHNIQUES[entry.niche[0]]] += 1
        return entry

    def _archive(self, entry: ArchiveEntry) -> bool:
        """Archive a candidate that is nearer than its niche's; return whether it is the nearest."""
        best = min((e.away for e in self.archive.values()), default=None)
        there = self.archive.get(entry.niche)
        if there is None or entry.away <= there.away:
            self.archive[entry.niche] = entry
        return best is None or entry.away < best

    def with_candidates(self, wished: Wished) -> Wished:
        """Return the result with statistics and the nearest other candidates."""
        return msgspec.structs.replace(
            wished,
            looked=self.looked,
            hardest={t: self.hardest[t] for t in TECHNIQUES if self.hardest[t]},
            kept=[self._row(entry) for entry in self.ranked()[:LISTED]],
        )

    def _row(self, entry: ArchiveEntry) -> Kept:
        often = Counter(m.technique for m in entry.moves)
        kind, counts = entry.niche
        return Kept(
            TECHNIQUES[kind], counts, {t: often[t] for t in TECHNIQUES if often[t]},
            profile_gaps(self.wish, entry.moves),
        )  # fmt: skip


def solution_path(candidate: dict[str, Any]) -> Job[list[dict[str, Any]]]:
    """Return a candidate's moves; the task of a worker."""
    position = msgspec.convert(candidate, Position)
    moves = yield from path(position, puzzle_of(position))
    plain: list[dict[str, Any]] = msgspec.to_builtins(moves)
    return plain
