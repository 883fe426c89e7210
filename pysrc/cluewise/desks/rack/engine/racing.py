"""Racing of choices: Monte Carlo rollouts decide which choice wins most games.

All choices play the same deals (common random numbers), so they are compared by paired differences.
Two rules spend the games on the best choices:

- racing (Hoeffding races, Maron & Moore 1994; paired as in BRACE, Moore & Lee 1994): a choice that
  is more than `threshold` standard errors behind the best one is eliminated;
- sequential halving (Karnin, Koren & Somekh 2013) where the total number of games is limited: half
  of the choices are eliminated after each of equal shares of that total.

If at most MAX_ENUMERATED deals fit, every choice plays all of them; the chances are then exact for
the policy of the seats (rollout.c).

A round is one or more blocks of deals for every running choice, split into tasks for workers. With
several workers, tasks of the next round are issued before all results of this one are known; games
of choices eliminated meanwhile are discarded, so the result does not depend on the workers.
Cost: one rollout per deal and running choice.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from collections.abc import Generator
from contextlib import closing
from math import fsum, inf, sqrt
from operator import ne
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.rack.engine import reading, rollout
from cluewise.desks.rack.engine.rollout import Choice
from cluewise.desks.rack.position import Position
from cluewise.parallel.tasks import ParallelContext, Result, Tasks, map_tasks, worker_count

DEFAULT_GAMES = 2048  # per choice, without a time limit
MAX_GAMES = 8192  # per choice, with a time limit
MIN_GAMES = 32  # per choice before any is eliminated
BLOCK_GAMES = 16  # per choice between two eliminations
MIN_TOTAL_GAMES = 512  # of all choices, however much work they take
MIN_BLOCKS = 3  # per choice, about: a smaller total leaves out deferred choices
MAX_OVERRUN = 3  # a race expected to exceed its work limit by this factor does not start
PROBE_CHOICES = 2  # one game each estimates the work of a race
CALL_CHOICES = 8  # per kernel call
CALL_GAMES = 2  # per choice in a task's first kernel call; later calls by measured time
TASK_CHOICES = 2 * CALL_CHOICES  # whole calls, so that the work is that of one worker
THRESHOLD = 2.0  # standard errors of the paired difference; below it choices count as equal
ROUNDING = 1e-9  # smaller differences of exact chances are rounding errors
NOTE = "simulating games"


class _Task(NamedTuple):
    """Choices of a task, and the number of deals of each block; `last` of its round."""

    choices: list[int]
    games: list[int]
    last: bool


Block = dict[int, list[int]]  # by choice, for each deal 1 if the game was won, else 0


class RacingRollouts:
    """A race; `outcomes[i]` has a 1 for each game that choice `i` won, else 0, by deal."""

    def __init__(
        self,
        game: array[int],
        choices: dict[int, Choice],
        seed: int = 0,
        deferred: dict[int, Choice] | None = None,
        threshold: float = THRESHOLD,
        first_report: int = BLOCK_GAMES,
        history: Position | None = None,
    ) -> None:
        """Prepare a race of the choices; `game` is the table encoded by `encode_game`.

        `deferred` choices join after the first report, on the same deals. `first_report`: games per
        choice before it; it changes nothing else. `history`: the table whose past choices weight
        the deals (reading.py).
        """
        self.game, self.seed, self.threshold = game, seed, threshold
        self.history = history
        self.choices = {**choices, **(deferred or {})}
        self.outcomes: Block = {i: [] for i in self.choices}
        self.running, self._deferred = list(choices), list(deferred or ())
        self._initial = set(choices)
        self._first_report = first_report if len(choices) > 1 else BLOCK_GAMES
        self.deal_chances: list[float] = []  # of all deals, if they are enumerated
        self._tasks: deque[_Task] = deque()  # issued, without results yet
        self._work = 0  # transitions tested by the tasks with results
        self._probe_limit = 0  # work of one game of PROBE_CHOICES, for the first task; 0: no limit
        self.too_slow = False  # the probe exceeded it; no game was counted

    def run(
        self,
        seconds: float | None = None,
        max_games: int | None = None,
        sharing: ParallelContext | None = None,
        total_games: int | None = None,
        work_limit: int | None = None,
    ) -> Job[None]:
        """Play until one choice is left or a limit is reached.

        Limits: `max_games` per choice, about `total_games` of all choices, reduced to as many as
        take about `work_limit` by the first round (work, not time, so that the result does not
        depend on the machine). If one game each of PROBE_CHOICES shows that even MIN_TOTAL_GAMES
        would exceed the limit MAX_OVERRUN times, the race does not start (`too_slow`). Each time
        the games per choice have doubled, `best` of the progress is their number.
        """
        enumerated = rollout.enumerate_deals(self.game)
        if enumerated is not None:
            deals, self.deal_chances = enumerated
            if self.history:
                self.deal_chances = reading.weigh_chances(self.history, *enumerated)
            yield from self._play_enumerated(deals, sharing)
            return
        end = inf if seconds is None else time.monotonic() + seconds
        limit = max_games or (DEFAULT_GAMES if seconds is None else MAX_GAMES)
        played, next_report = 0, min(self._first_report, limit)
        if limit <= 0 or not self.running:
            return
        if work_limit is not None:
            probed = min(PROBE_CHOICES, len(self.running))
            self._probe_limit = MAX_OVERRUN * work_limit * probed // MIN_TOTAL_GAMES
        tasks = self._sampled_tasks(limit, worker_count(sharing))
        with closing(self._completed_rounds(tasks, sharing)) as rounds:
            for step in rounds:
                if isinstance(step, bool):
                    yield Progress(played, limit, NOTE, waits=step)
                    continue
                if work_limit is not None and total_games is not None and not played:
                    first = sum(len(games) for block in step for games in block.values())
                    affordable = work_limit * first // max(self._work, 1)
                    total_games = min(total_games, max(MIN_TOTAL_GAMES, affordable))
                    self._admit_deferred(total_games // (MIN_BLOCKS * BLOCK_GAMES))
                for block in step:
                    played += self._add_block(block)
                    if played >= MIN_GAMES:
                        self.eliminate()
                    if self._is_finished(total_games) or time.monotonic() >= end:
                        return
                    if next_report <= played < limit:
                        while next_report <= played:
                            next_report *= 2
                        yield Progress(played, limit, NOTE, best=played)

    def _is_finished(self, total_games: int | None) -> bool:
        """Halve the running choices if it is time; return whether the race ends after a block."""
        alone = len(self.running) < 2 and not self._deferred
        if total_games is None:
            return alone
        spent = sum(map(len, self.outcomes.values()))
        if not self._deferred and all(self.outcomes[i] for i in self.running):
            self.halve(spent / total_games)
        return alone or (spent >= total_games and not self._deferred)

    def _admit_deferred(self, most: int) -> None:
        """Drop the last deferred choices, so that about `most` choices take part."""
        deferred = [i for i in self.choices if not self.outcomes[i] and i not in self._initial]
        dropped = set(deferred[max(0, most - len(self._initial)) :])
        self._deferred = [i for i in self._deferred if i not in dropped]
        self.running = [i for i in self.running if i not in dropped]

    def halve(self, spent: float) -> None:
        """Eliminate by sequential halving after the share `spent` of all games.

        The share is divided by as many halvings as lead from all choices to one; two always stay.
        """
        tried = sum(map(bool, self.outcomes.values()))
        halvings = int(min(spent, 1) * max(tried - 1, 1).bit_length())
        keep = max(2, tried >> halvings)
        if len(self.running) > keep:
            order = sorted(self.running, key=lambda i: (-self.chance(i), i))
            self.running = [i for i in self.running if i in order[:keep]]

    def eliminate(self) -> None:
        """Eliminate the choices that are more than `threshold` standard errors behind the best."""
        best = self.best()
        self.running = [i for i in self.running if self.deficit(i, best) <= self.threshold]

    def _play_enumerated(self, deals: array[int], sharing: ParallelContext | None) -> Job[None]:
        played, total = 0, len(deals) // rollout.DEAL
        tasks = self._enumerated_tasks(deals, worker_count(sharing))
        with closing(self._completed_rounds(tasks, sharing)) as rounds:
            for step in rounds:
                if isinstance(step, bool):
                    yield Progress(played, total, "simulating every deal", waits=step)
                    continue
                for block in step:
                    played += self._add_block(block)

    def _add_block(self, block: Block) -> int:
        """Add the games of running choices; return by how much the most games per choice grew."""
        before = max(map(len, self.outcomes.values()))
        for i in block:
            if i in self.running:
                self.outcomes[i] += block[i]
        return max(map(len, self.outcomes.values())) - before

    # ------------------------------------------------------------ tasks

    def _completed_rounds(
        self, tasks: Tasks, sharing: ParallelContext | None
    ) -> Generator[bool | list[Block], None, None]:
        """Yield the blocks of each round; before that, whether this process waits for workers."""
        blocks: list[Block] = []
        with closing(map_tasks(play_task, tasks, sharing)) as steps:
            for step in steps:
                if not isinstance(step, Result):
                    yield step.idle
                    continue
                task = self._tasks.popleft()
                blocks = blocks or [{} for _ in task.games]
                results, work = step.value
                if not results:
                    self.too_slow = True
                    return
                self._work += work
                for i, games in zip(task.choices, results, strict=True):
                    at = 0
                    for block, n in zip(blocks, task.games, strict=True):
                        block[i] = games[at : at + n]
                        at += n
                if task.last:
                    yield blocks
                    blocks = []

    def _sampled_tasks(self, limit: int, workers: int) -> Tasks:
        """Yield the tasks of rounds of drawn deals.

        A round has one block for one worker, and before the deferred choices join.
        """
        issued = 0
        while issued < limit:
            while workers > 1 and len(self._tasks) > workers:
                yield None
            deals, games = array("B"), list[int]()
            single = workers == 1 or self._deferred
            for _ in range(1 if single else max(1, TASK_CHOICES // len(self.running))):
                if issued < limit:
                    games.append(min(BLOCK_GAMES, limit - issued))
                    deals += self._draw_deals(self.seed + issued + 1, games[-1])
                    issued += games[-1]
            first = self._first_report * rollout.DEAL
            if self._deferred and first < len(deals):
                games = [self._first_report, games[0] - self._first_report]
                yield from self._round_tasks(self.running, deals[:first], games[:1], workers)
                yield from self._round_tasks(self.running, deals[first:], games[1:], workers)
                games = [sum(games)]
            else:
                yield from self._round_tasks(self.running, deals, games, workers)
            deferred, self._deferred = self._deferred, []
            self.running += deferred
            yield from self._round_tasks(deferred, deals, games, workers)

    def _draw_deals(self, seed: int, games: int) -> array[int]:
        if self.history:
            return reading.draw_weighted(self.history, self.game, seed, games)
        return rollout.draw_deals(self.game, seed, games)

    def _enumerated_tasks(self, deals: array[int], workers: int) -> Tasks:
        """Yield the tasks of rounds that together play all deals."""
        size = BLOCK_GAMES * rollout.DEAL
        self.running, self._deferred = self.running + self._deferred, []
        for at in range(0, len(deals), size):
            block = deals[at : at + size]
            games = [len(block) // rollout.DEAL]
            yield from self._round_tasks(self.running, block, games, workers)

    def _round_tasks(
        self, choices: list[int], deals: array[int], games: list[int], workers: int
    ) -> Tasks:
        """Yield the tasks of a round: one, or TASK_CHOICES choices each for several workers."""
        ids = list(choices)
        size = max(len(ids), 1) if workers == 1 else TASK_CHOICES
        game, text = self.game.tolist(), deals.tobytes().hex()
        for first in range(0, len(ids), size):
            some = ids[first : first + size]
            self._tasks.append(_Task(some, games, first + size >= len(ids)))
            yield game, text, [self.choices[i] for i in some], self._probe_limit
            self._probe_limit = 0

    # ------------------------------------------------------------ estimates

    @property
    def exact(self) -> bool:
        """Whether every deal that fits was played."""
        return bool(self.deal_chances)

    def best(self) -> int:
        """Return the running choice with the largest chance to win, of equals the first."""
        return max(self.running, key=lambda i: (self.chance(i), -i))

    def deficit(self, i: int, best: int) -> float:
        """Return how many standard errors a choice is behind another (paired difference).

        Exact chances: 0 if they are equal, else infinite.
        """
        if self.exact:
            return 0.0 if self.chance(best) - self.chance(i) < ROUNDING else inf
        mine, others = self.outcomes[i], self.outcomes[best]
        n = min(len(mine), len(others))
        gap = sum(others[:n]) - sum(mine[:n])
        # The squared differences of zeros and ones: the unequal pairs (map stops at the shorter).
        squares = sum(map(ne, others, mine)) - gap * gap / n
        if squares <= 0:
            return 0.0 if not gap else float(n)
        return gap / sqrt(squares * n / max(n - 1, 1))

    def equal_to_best(self) -> set[int]:
        """Return the choices that are not significantly behind the best one, and that itself."""
        best = self.best()
        return {i for i, won in self.outcomes.items() if won and self.deficit(i, best) <= THRESHOLD}

    def chance(self, i: int) -> float:
        """Estimate the chance to win after a choice: its share of games won.

        Enumerated deals count by their chances. For an eliminated choice the best one serves as
        control variate: its share, less the paired difference on the deals that both played, and
        not more than that share, since few games may overrate a choice.
        """
        won = self.outcomes[i]
        if self.exact:
            return fsum(p for p, w in zip(self.deal_chances, won, strict=True) if w)
        share = sum(won) / max(len(won), 1)
        if i in self.running:
            return share
        best = self.outcomes[self.best()]
        most = sum(best) / len(best)
        return min(max(share + most - sum(best[: len(won)]) / len(won), 0.0), most)

    def error(self, i: int) -> float:
        """Return the standard error of `chance`; 0 if all deals were played.

        One win and one loss are added (rule of succession), so that it is not 0 after few games.
        """
        n, wins = len(self.outcomes[i]), sum(self.outcomes[i])
        if self.exact:
            return 0.0
        return sqrt((wins + 1) / (n + 2) * (n - wins + 1) / (n + 2) / n)


def play_task(
    encoded: list[int], deals_hex: str, choices: list[Choice], probe_limit: int = 0
) -> Job[tuple[list[list[int]], int]]:
    """Return the outcomes of each choice on these deals, and the work.

    `([], work)` if one game each of the first PROBE_CHOICES takes more work than `probe_limit`.
    """
    game, deals, pace = (
        array("i", encoded),
        array("B", bytes.fromhex(deals_hex)),
        SliceTimer(CALL_GAMES),
    )
    games, results, work = len(deals) // rollout.DEAL, list[list[int]](), 0
    if probe_limit:
        yield Progress(0, len(choices), NOTE)
        took = rollout.play_choices(game, deals[: rollout.DEAL], choices[:PROBE_CHOICES])[1]
        if took > probe_limit:
            return [], took
    for first in range(0, len(choices), CALL_CHOICES):
        some = [(a, b, c, d) for a, b, c, d in choices[first : first + CALL_CHOICES]]
        outcomes: list[list[int]] = [[] for _ in some]
        while len(outcomes[0]) < games:
            yield Progress(len(results), len(choices), NOTE)
            at, count = len(outcomes[0]), pace.rows(games - len(outcomes[0]))
            slice_ = deals[at * rollout.DEAL : (at + count) * rollout.DEAL]
            won, took = rollout.play_choices(game, slice_, some)
            work += took
            for mine, more in zip(outcomes, won, strict=True):
                mine += more
            pace.took()
        results += outcomes
    return results, work
