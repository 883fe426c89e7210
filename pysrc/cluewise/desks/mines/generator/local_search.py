"""Puzzle generation by local search: repair until no guess is needed, then anneal to a score.

Repair: move mines within the cells that complete reasoning cannot decide. Then simulated annealing
at a constant temperature towards the band of scores; a proposal is scored by the capped closure
first. Randomness comes from the seed and limits count evaluations, so a seed gives the same puzzle
on every machine unless a limit in seconds is reached.
"""

from __future__ import annotations

import math
import random
import re
import time
from dataclasses import dataclass, replace

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import QUESTION, UNKNOWN
from cluewise.desks.mines.engine.closure import CAPPED, OPEN
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.playthrough import (
    Puzzle,
    counted,
    difficulty_score,
    play_by_closure,
    play_complete,
    puzzle_with,
)
from cluewise.desks.mines.generator.board_shapes import Template
from cluewise.desks.mines.position import Graph, Position, Rectangle, Revealed, graph
from cluewise.desks.mines.results import GenerateOptions
from cluewise.desks.mines.sealing import sealed
from cluewise.errors import BadOption, TooLarge

REPAIRS = 60  # changes of a board before it is abandoned
EVALUATIONS = 12_000  # of a whole search
STARTS = 6  # repaired candidates; the best one is annealed
STALE = 300  # proposals without a new best
NOTE = "shaping a puzzle"
ANY = 0.0, math.inf  # the band of all scores
HEAT = 0.4  # temperature: the mean increase of the distance that is accepted


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate: where the mines are, which cells show `?`, which are open at the start."""

    mines: frozenset[int]
    secret: frozenset[int]
    start: frozenset[int]


@dataclass(slots=True)
class Best:
    """The best puzzle so far: how far its score is from the band (inf: not yet no-guess)."""

    draft: Candidate | None = None
    distance: float = math.inf


class PuzzleSearch:
    """The state of one search: template, band, random generator and number of evaluations."""

    def __init__(self, base: Template, options: GenerateOptions, rng: random.Random) -> None:
        self.base, self.rng = base, rng
        self.board = graph(base.frame)
        cells = self.board.cells
        self.mines = _mines(options.mines, base, cells)
        self.band = _band(options.difficulty)
        self.best = Best()
        self._sealed = options.sealed
        self.evaluations = 0
        self._ends = time.monotonic() + options.seconds if options.seconds else math.inf
        self._graph = Graph(self.board.neighbours, base.sets)
        self._memory = ComponentCache()

    # ------------------------------------------------------------ candidates

    def puzzle(self, draft: Candidate) -> Puzzle:
        """Return the candidate as a puzzle."""
        return puzzle_with(self._graph, draft.mines, draft.secret, draft.start)

    def over(self) -> bool:
        """Return whether the limit of work or time is reached."""
        return self.evaluations >= EVALUATIONS or time.monotonic() > self._ends

    def fresh(self) -> Candidate:
        """Return random mines with nearly empty and nearly full lines, which give a first move."""
        weight = [1.0] * self.board.cells
        for group in self.base.sets:
            if group.kind == "total":
                continue
            factor = self.rng.choice((0.04, 0.3, 1.0, 3.0, 25.0))
            for cell in group.cells:
                weight[cell] *= factor
        keys = [(-math.log(1 - self.rng.random()) / w, c) for c, w in enumerate(weight)]
        mines = frozenset(c for _, c in sorted(keys)[: self.mines])
        safe = [c for c in range(self.board.cells) if c not in mines]
        start = frozenset(self.rng.sample(safe, min(self.base.starts, len(safe))))
        return Candidate(mines, frozenset(), start)

    # ------------------------------------------------------------ repairing

    def repaired(self) -> Job[Candidate | None]:
        """Return a fresh candidate repaired until it needs no guess; None if that failed."""
        draft = self.fresh()
        reached = -1
        for _ in range(REPAIRS):
            if self.over():
                return None
            self.evaluations += 1
            puzzle = self.puzzle(draft)
            played = yield from play_complete(puzzle, self._memory)
            if played.no_guess:
                return draft
            stuck = [c for c, mark in enumerate(played.state) if mark == UNKNOWN]
            opened = self.board.cells - len(stuck)
            if opened >= reached:
                reached, kept, region = opened, draft, stuck
            draft = self._perturbed(kept, region)
        return None

    def _perturbed(self, draft: Candidate, stuck: list[int]) -> Candidate:
        """Return the candidate with some mines moved within its undecided cells."""
        inside = [c for c in stuck if c in draft.mines]
        safe = [c for c in stuck if c not in draft.mines]
        if self.base.starts and safe and self.rng.random() < 0.15:
            start = draft.start | {self.rng.choice(safe)}
            return Candidate(draft.mines, draft.secret - start, start)
        moves = min(len(inside), len(safe), self.rng.choice((1, 1, 2, 4)))
        if not moves:
            outside = [c for c in range(self.board.cells) if c not in draft.mines]
            inside, safe = sorted(draft.mines), [c for c in outside if c not in draft.start]
            moves = min(1, len(inside), len(safe))
        out = frozenset(self.rng.sample(inside, moves))
        into = frozenset(self.rng.sample(safe, moves)) - draft.start
        if len(into) != len(out):
            return draft
        return Candidate(draft.mines - out | into, draft.secret - into, draft.start)

    def climb(self) -> Job[None]:
        """Anneal the best of several repaired candidates towards the band."""
        draft = yield from self.nearest(STARTS if self.band != ANY else 1)
        if draft is not None:
            yield from self.climbed(draft)

    def nearest(self, starts: int) -> Job[Candidate | None]:
        """Return the one of several repaired candidates whose score is nearest to the band."""
        found: tuple[float, Candidate] | None = None
        for _ in range(starts):
            draft = yield from self.repaired()
            if draft is None or self.over():
                continue
            away = self.distance((yield from self.score(draft, fast=True)))
            if found is None or away < found[0]:
                found = away, draft
            yield self.pulse()
        return found[1] if found else None

    # ------------------------------------------------------------ climbing

    def score(self, draft: Candidate, fast: bool = False) -> Job[float | None]:
        """Return the smooth score of `rate`; None if the closure does not solve the candidate.

        The closure is sound, so a candidate that it solves needs no guess. `fast`: only with the
        cap, a tenth of the cost and mostly the same score.
        """
        self.evaluations += 1
        puzzle = self.puzzle(draft)
        for cap in (CAPPED,) if fast else (OPEN, CAPPED):
            try:
                found = yield from play_by_closure(puzzle, 1, cap)
            except TooLarge:
                continue
            return difficulty_score([s.rounds for s in found.steps]) if found.solves else None
        return None

    def distance(self, score: float | None) -> float:
        """Return the distance of a score from the band."""
        if score is None:
            return math.inf
        low, high = self.band
        return max(low - score, score - high, 0.0)

    def changed(self, draft: Candidate) -> Candidate:
        """Return a neighbour: a mine moved, a `?` set or cleared, or a start cell closed."""
        safe = [c for c in range(self.board.cells) if c not in draft.mines]
        kind = self.rng.random()
        if kind < 0.55 and draft.mines:
            free = [c for c in safe if c not in draft.start]
            if not free:
                return draft
            out, into = self.rng.choice(sorted(draft.mines)), self.rng.choice(free)
            return Candidate(draft.mines - {out} | {into}, draft.secret - {into}, draft.start)
        if kind < 0.9 or len(draft.start) < 2:
            cell = self.rng.choice(safe)
            if cell in draft.start:
                return draft
            return Candidate(draft.mines, draft.secret ^ {cell}, draft.start)
        return Candidate(
            draft.mines, draft.secret, draft.start - {self.rng.choice(sorted(draft.start))}
        )

    def climbed(self, draft: Candidate) -> Job[None]:
        """Anneal a solved candidate towards the band; `best` keeps the best one."""
        score = yield from self.score(draft)
        here = self.distance(score)
        self.note(draft, here)
        stale = 0
        while here > 0 and stale < STALE and not self.over():
            other = self.changed(draft)
            away = self.distance((yield from self.score(other, fast=True)))
            if away < here:
                away = self.distance((yield from self.score(other)))
            stale += 1
            # Metropolis criterion: accept an increase below an exponential sample of mean HEAT.
            if away < math.inf and away <= here + self.rng.expovariate(1 / HEAT):
                if away < self.best.distance:
                    stale = 0
                draft, here = other, away
                self.note(draft, here)
            if self.evaluations % 8 == 0:
                yield self.pulse()

    def note(self, draft: Candidate, distance: float) -> None:
        """Update `best`."""
        if self.best.draft is None or distance < self.best.distance:
            self.best.draft, self.best.distance = draft, distance

    def progress(self) -> Progress:
        """Return the progress with the best puzzle so far."""
        return replace(self.pulse(), best=self.shown(self.best.draft) if self.best.draft else None)

    def shown(self, draft: Candidate) -> Position:
        """Return a candidate as a position, sealed if that was requested."""
        found = self.finished(draft)
        return sealed(found) if self._sealed else found

    def pulse(self, more: float = 0) -> Progress:
        """Return the progress, including `more` evaluations of other workers."""
        return Progress(min(self.evaluations + more, EVALUATIONS), EVALUATIONS, NOTE)

    def left(self) -> float | None:
        """Return the seconds left; None without a limit."""
        return None if self._ends == math.inf else max(self._ends - time.monotonic(), 0.001)

    def finished(self, draft: Candidate) -> Position:
        """Return the candidate as a position."""
        shows = self.puzzle(draft).shows
        revealed = tuple(
            Revealed(c, None if shows[c] == QUESTION else shows[c]) for c in sorted(draft.start)
        )
        changes: dict[str, object] = {
            "revealed": revealed,
            "mines": tuple(sorted(draft.mines)),
            "secret": tuple(sorted(draft.secret)),
        }
        groups = counted(self.base.sets, draft.mines)
        frame = self.base.frame
        if frame.board is None or self.base.name == "clone":
            changes["groups"] = groups
        else:
            rows = tuple(g.count for g in groups if g.kind == "row")
            columns = tuple(g.count for g in groups if g.kind == "column")
            changes["board"] = Rectangle(
                frame.board.kind, frame.board.width, frame.board.height, rows, columns,
                len(draft.mines),
            )  # fmt: skip
        return msgspec.structs.replace(frame, **changes)


def _mines(wanted: int | None, base: Template, cells: int) -> int:
    if wanted is None:
        return max(1, round(cells * base.density))
    if not 0 <= wanted < cells:
        raise BadOption(f"{wanted} mines do not fit a board of {cells} cells.", "$.options.mines")
    return wanted


_BAND = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)?\s*(?:\.\.|–|-)\s*(\d{1,9}(?:\.\d{1,9})?)?")


def _band(text: str | None) -> tuple[float, float]:
    """Parse `"5..12"` as (5, 12); open ends are allowed; None is any score."""
    if text is None:
        return ANY
    match = _BAND.fullmatch(text.strip())
    if match is None:
        raise BadOption(
            "A difficulty is a band of the smooth score such as 5..12.", "$.options.difficulty"
        )
    low = float(match[1]) if match[1] else 0.0
    high = float(match[2]) if match[2] else math.inf
    if low > high:
        raise BadOption("The band's lower end is above its upper end.", "$.options.difficulty")
    return low, high
