"""Choices raced against one another: the same deals played to the end after each of them.

Where all deals that fit are few, every one of them is played, and the chances are exact for the
way in which the seats are taken to play. Else deals are drawn, and a choice that has fallen
clearly behind is left there: so many choices can be tried, and the close ones on many deals. Where
the games in all are limited, half of the choices go after each of equal shares of them.

A round is some deals for the choices still running; each worker plays parts of it. With several
workers a round begins before the results of the one before are in: games of choices dropped in the
meantime are played in vain and not counted, so that the numbers are those of one worker.
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

GAMES = 2048  # a choice, where no time is given
MOST_GAMES = 8192
BLOCK = 16  # games after which choices are compared
FIRST = 2  # deals of a first call
ABREAST = 8  # choices a call
PROBED = 2  # choices of the very first call, which shows whether games take too long
CALLS = 2 * ABREAST  # a task of another worker, about; whole calls, so that the work is the same
LISTED = 256  # deals that are all played
EQUAL = 2.0  # standard errors of the paired difference: beyond them a choice is left behind
LEAST = 32  # games before any is
LEAST_IN_ALL = 512  # games, however much work they take
PATIENT = 3  # times the work that a race may take, rather than none at all
ROUNDS = 3  # blocks a choice, about: with fewer games in all not every late choice is tried
EXACT = 1e-9  # sums of the same chances in another order differ by less


class _Part(NamedTuple):
    """Calls of one piece: those choices, on so many blocks of deals; `last` of its round."""

    choices: list[int]
    games: list[int]
    last: bool


class RacingRollouts:
    """Choices played out on the same deals; `won[i]` holds a 1 for each game won."""

    def __init__(
        self,
        words: array[int],
        choices: dict[int, Choice],
        seed: int = 0,
        late: dict[int, Choice] | None = None,
        patience: float = EQUAL,
        opening: int = BLOCK,
        weighing: Position | None = None,
    ) -> None:
        """`late` ones join once the others have a first order; `patience`: see `leave_behind`.

        `opening`: games a choice before the first order is reported; it changes nothing else.
        `weighing`: the table, where deals count by its past choices.
        """
        self.game, self.seed, self.patience = words, seed, patience
        self.weighing = weighing
        self.choices = {**choices, **(late or {})}
        self.won: dict[int, list[int]] = {i: [] for i in self.choices}
        self.running, self._late = list(choices), list(late or ())
        self._first = set(choices)
        self._opening = opening if len(choices) > 1 else BLOCK
        self.chances: list[float] = []  # of the deals, where they are all of them
        self._parts: deque[_Part] = deque()  # handed out, results not in yet
        self._work = 0  # of the parts whose results are in
        self._probe = 0  # the most work that PROBED games of the first deal may take; 0: any
        self.too_slow = False  # it has taken more, and no game was counted

    def run(
        self,
        seconds: float | None = None,
        most: int | None = None,
        sharing: ParallelContext | None = None,
        in_all: int | None = None,
        work: int | None = None,
    ) -> Job[None]:
        """Plays games until the order is clear, the games or the time are used up.

        `most` games a choice, about `in_all` of all choices together, or fewer: as many as take
        about `work`, judged by the first round, so that their number does not depend on the
        machine. Where already PROBED games, played for that alone, show that even LEAST_IN_ALL take
        several times that work, none is counted (`too_slow`). Yields its progress with `best` the
        games so far, each time they have doubled.
        """
        listed = rollout.all_deals(self.game, LISTED)
        if listed is not None:
            self.chances = listed[1]
            if self.weighing:
                self.chances = reading.weigh_chances(self.weighing, *listed)
            yield from self._all(listed[0], sharing)
            return
        end = None if seconds is None else time.monotonic() + seconds
        limit = most or (GAMES if seconds is None else MOST_GAMES)
        played, next_report = 0, min(self._opening, limit)
        if limit <= 0 or not self.running:
            return
        if work is not None:
            self._probe = PATIENT * work * min(PROBED, len(self.running)) // LEAST_IN_ALL
        with closing(self._rounds(self._drawn(limit, worker_count(sharing)), sharing)) as rounds:
            for step in rounds:
                if isinstance(step, bool):
                    yield Progress(played, limit, "simulating games", waits=step)
                    continue
                if work is not None and in_all is not None and not played:
                    first = sum(len(games) for won in step for games in won.values())
                    in_all = min(in_all, max(LEAST_IN_ALL, work * first // max(self._work, 1)))
                    self._admit(in_all // (ROUNDS * BLOCK))
                for won in step:
                    played += self._count(won)
                    if played >= LEAST:
                        self.leave_behind()
                    alone = len(self.running) < 2 and not self._late
                    spent = sum(map(len, self.won.values()))
                    joined = not self._late and all(self.won[i] for i in self.running)
                    if in_all is not None and joined:
                        self.halve(spent / in_all)
                    if in_all is not None and spent >= in_all and not self._late:
                        return
                    if alone or (end is not None and time.monotonic() >= end):
                        return
                    if played >= next_report and played < limit:
                        while next_report <= played:
                            next_report *= 2
                        yield Progress(played, limit, "simulating games", best=played)

    def _admit(self, most: int) -> None:
        """Leave out late choices, the last ones, so that about `most` are compared in all."""
        late = [i for i in self.choices if not self.won[i] and i not in self._first]
        out = set(late[max(0, most - len(self._first)) :])
        self._late = [i for i in self._late if i not in out]
        self.running = [i for i in self.running if i not in out]

    def halve(self, spent: float) -> None:
        """Sequential halving (Karnin, Koren and Somekh 2013) with the share of the games spent.

        Of the choices half are left after each of as many equal shares as halve them to one; two
        always stay.
        """
        tried = sum(map(bool, self.won.values()))
        halvings = int(min(spent, 1) * max(tried - 1, 1).bit_length())
        keep = max(2, tried >> halvings)
        if len(self.running) > keep:
            order = sorted(self.running, key=lambda i: (-self.chance(i), i))
            self.running = [i for i in self.running if i in order[:keep]]

    def _all(self, deals: array[int], sharing: ParallelContext | None) -> Job[None]:
        played, note = 0, "playing every deal out"
        total = len(deals) // rollout.DEAL
        with closing(self._rounds(self._every(deals, worker_count(sharing)), sharing)) as rounds:
            for step in rounds:
                if isinstance(step, bool):
                    yield Progress(played, total, note, waits=step)
                    continue
                for won in step:
                    played += self._count(won)

    def _count(self, won: dict[int, list[int]]) -> int:
        """Add a block's games of those that run; how many more a choice has than any had before."""
        before = max(map(len, self.won.values()))
        for i in won:
            if i in self.running:
                self.won[i] += won[i]
        return max(map(len, self.won.values())) - before

    # ------------------------------------------------------------ pieces

    def _rounds(
        self, pieces: Tasks, sharing: ParallelContext | None
    ) -> Generator[bool | list[dict[int, list[int]]], None, None]:
        """Each round's blocks, what every choice won in them; until they are there, waits."""
        blocks: list[dict[int, list[int]]] = []
        with closing(map_tasks(play_rollout, pieces, sharing)) as steps:
            for step in steps:
                if not isinstance(step, Result):
                    yield step.idle
                    continue
                part = self._parts.popleft()
                blocks = blocks or [{} for _ in part.games]
                results, work = step.value
                if not results:
                    self.too_slow = True
                    return
                self._work += work
                for i, games in zip(part.choices, results, strict=True):
                    at = 0
                    for block, n in zip(blocks, part.games, strict=True):
                        block[i] = games[at : at + n]
                        at += n
                if part.last:
                    yield blocks
                    blocks = []

    def _drawn(self, limit: int, workers: int) -> Tasks:
        """Rounds of drawn deals: a block each where one works, and the first of all by itself."""
        handed = 0
        while handed < limit:
            while workers > 1 and len(self._parts) > workers:
                yield None
            deals, games = array("B"), list[int]()
            single = workers == 1 or self._late
            for _ in range(1 if single else max(1, CALLS // len(self.running))):
                if handed < limit:
                    games.append(min(BLOCK, limit - handed))
                    deals += self._draw(self.seed + handed + 1, games[-1])
                    handed += games[-1]
            opening = self._opening * rollout.DEAL
            if self._late and opening < len(deals):
                games = [self._opening, games[0] - self._opening]
                yield from self._round(self.running, deals[:opening], games[:1], workers)
                yield from self._round(self.running, deals[opening:], games[1:], workers)
                games = [sum(games)]
            else:
                yield from self._round(self.running, deals, games, workers)
            late, self._late = self._late, []
            self.running += late
            yield from self._round(late, deals, games, workers)

    def _draw(self, seed: int, games: int) -> array[int]:
        if self.weighing:
            return reading.draw_weighted(self.weighing, self.game, seed, games)
        return rollout.draw_deals(self.game, seed, games)

    def _every(self, deals: array[int], workers: int) -> Tasks:
        """Rounds of all deals there are."""
        size = BLOCK * rollout.DEAL
        self.running, self._late = self.running + self._late, []
        for at in range(0, len(deals), size):
            block = deals[at : at + size]
            yield from self._round(self.running, block, [len(block) // rollout.DEAL], workers)

    def _round(
        self, choices: list[int], deals: array[int], games: list[int], workers: int
    ) -> Tasks:
        """Those deals for some choices, a few of them a piece where several work."""
        ids = list(choices)
        size = max(len(ids), 1) if workers == 1 else CALLS
        words, text = self.game.tolist(), deals.tobytes().hex()
        for first in range(0, len(ids), size):
            some = ids[first : first + size]
            self._parts.append(_Part(some, games, first + size >= len(ids)))
            yield words, text, [self.choices[i] for i in some], self._probe
            self._probe = 0

    # ------------------------------------------------------------ its result

    @property
    def exact(self) -> bool:
        """Whether every deal that fits was played."""
        return bool(self.chances)

    def best(self) -> int:
        """The choice that wins most; of equals the first."""
        return max(self.running, key=lambda i: (self.chance(i), -i))

    def leave_behind(self) -> None:
        """Drop whatever is more than `patience` standard errors behind the best."""
        best = self.best()
        self.running = [i for i in self.running if self.behind(i, best) <= self.patience]

    def behind(self, i: int, best: int) -> float:
        """By how many standard errors a choice is behind another, over the deals both played."""
        if self.exact:
            return 0.0 if self.chance(best) - self.chance(i) < EXACT else inf
        mine, others = self.won[i], self.won[best]
        n = min(len(mine), len(others))
        gap = sum(others[:n]) - sum(mine[:n])
        spread = sum(map(ne, others, mine)) - gap * gap / n  # of zeros and ones, over both's deals
        if spread <= 0:
            return 0.0 if not gap else float(n)
        return gap / sqrt(spread * n / max(n - 1, 1))

    def equals(self) -> set[int]:
        """The choices that cannot be distinguished from the best."""
        best = self.best()
        return {i for i, won in self.won.items() if won and self.behind(i, best) <= EQUAL}

    def chance(self, i: int) -> float:
        """The chance to win after a choice: the share of games won, or of all deals.

        Of a dropped choice: the best's share less what it lost on the deals that both played, and
        at most the best's share, since a few games may overrate it.
        """
        won = self.won[i]
        if self.exact:
            return fsum(p for p, w in zip(self.chances, won, strict=True) if w)
        share = sum(won) / max(len(won), 1)
        if i in self.running:
            return share
        best = self.won[self.best()]
        most = sum(best) / len(best)
        return min(max(share + most - sum(best[: len(won)]) / len(won), 0.0), most)

    def error(self, i: int) -> float:
        """Its standard error, never 0 where deals were drawn; 0 where all were played."""
        n, wins = len(self.won[i]), sum(self.won[i])
        if self.exact:
            return 0.0
        return sqrt((wins + 1) / (n + 2) * (n - wins + 1) / (n + 2) / n)


def play_rollout(
    words: list[int], deals: str, choices: list[Choice], probe: int = 0
) -> Job[tuple[list[list[int]], int]]:
    """What each choice wins on those deals (bytes as hex digits), and the work.

    `([], work)` where one game of each of the first PROBED choices takes more work than `probe`.
    """
    game, dealt, pace = array("i", words), array("B", bytes.fromhex(deals)), SliceTimer(FIRST)
    games, results, work = len(dealt) // rollout.DEAL, list[list[int]](), 0
    if probe:
        yield Progress(0, len(choices), "simulating games")
        took = rollout.play(game, dealt[: rollout.DEAL], choices[:PROBED])[1]
        if took > probe:
            return [], took
    for first in range(0, len(choices), ABREAST):
        some = [(a, b, c, d) for a, b, c, d in choices[first : first + ABREAST]]
        won: list[list[int]] = [[] for _ in some]
        while len(won[0]) < games:
            yield Progress(len(results), len(choices), "simulating games")
            at, count = len(won[0]), pace.rows(games - len(won[0]))
            these = dealt[at * rollout.DEAL : (at + count) * rollout.DEAL]
            played, took = rollout.play(game, these, some)
            work += took
            for mine, more in zip(won, played, strict=True):
                mine += more
            pace.took()
        results += won
    return results, work
