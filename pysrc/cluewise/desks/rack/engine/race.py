"""Choices raced against one another: the same deals played to the end after each of them.

Where all deals that fit are few, every one of them is played, and the chances are exact for the
way in which the seats are taken to play. Else deals are drawn, and a choice that has fallen
clearly behind is left there: so many choices can be tried, and the close ones on many deals.
"""

from __future__ import annotations

import time
from array import array
from math import inf, sqrt

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import winning

Choice = tuple[int, int, int, int]  # kind, stand, slot, value
GAMES = 512  # a choice, where no time is given
MOST_GAMES = 8192
BLOCK = 16  # games a call
LISTED = 256  # deals that are all played
EQUAL = 2.0  # standard errors of the paired difference: beyond them a choice is left behind
LEAST = 32  # games before any is
EXACT = 1e-9  # sums of the same chances in another order differ by less


class Race:
    """Choices played out on the same deals; `won[i]` holds a 1 for each game won."""

    def __init__(self, words: array[int], choices: dict[int, Choice], seed: int = 0) -> None:
        self.words, self.choices, self.seed = words, choices, seed
        self.won: dict[int, list[int]] = {i: [] for i in choices}
        self.running = list(choices)
        self.chances: list[float] = []  # of the deals, where they are all of them

    def run(self, seconds: float | None = None, most: int | None = None) -> Job[None]:
        """Plays games until the order is clear, the games or the time are used up.

        Yields its progress with `best` the games so far, each time they have doubled.
        """
        listed = winning.all_deals(self.words, LISTED)
        if listed is not None:
            self.chances = listed[1]
            yield from self._all(listed[0])
            return
        end = None if seconds is None else time.monotonic() + seconds
        limit = most or (GAMES if seconds is None else MOST_GAMES)
        played, told = 0, BLOCK
        while len(self.running) > (1 if played else 0) and played < limit:
            count = min(BLOCK, limit - played)
            deals = winning.draw_deals(self.words, self.seed + played + 1, count)
            for i in self.running:
                yield Progress(played, limit, "playing games out")
                self.won[i] += winning.play(self.words, deals, self.choices[i])
            played += count
            if played >= LEAST:
                self._leave_behind()
            if end is not None and time.monotonic() >= end:
                return
            if played >= told and played < limit:
                told *= 2
                yield Progress(played, limit, "playing games out", best=played)

    def _all(self, deals: array[int]) -> Job[None]:
        size = BLOCK * winning.DEAL
        for at in range(0, len(deals), size):
            for i in self.choices:
                yield Progress(at, len(deals), "playing every deal out")
                self.won[i] += winning.play(self.words, deals[at : at + size], self.choices[i])

    @property
    def exact(self) -> bool:
        """Whether every deal that fits was played."""
        return bool(self.chances)

    def best(self) -> int:
        """The choice that wins most; of equals the first."""
        return max(self.running, key=lambda i: (self.chance(i), -i))

    def _leave_behind(self) -> None:
        best = self.best()
        self.running = [i for i in self.running if self.behind(i, best) <= EQUAL]

    def behind(self, i: int, best: int) -> float:
        """By how many standard errors a choice is behind another, over the deals both played."""
        if self.exact:
            return 0.0 if self.chance(best) - self.chance(i) < EXACT else inf
        pairs = list(zip(self.won[best], self.won[i], strict=False))
        n = len(pairs)
        gap = sum(b - a for b, a in pairs)
        spread = sum((b - a) ** 2 for b, a in pairs) - gap * gap / n
        if spread <= 0:
            return 0.0 if not gap else float(n)
        return gap / sqrt(spread * n / max(n - 1, 1))

    def is_equal(self, i: int) -> bool:
        """Whether a choice cannot be told from the best."""
        return self.behind(i, self.best()) <= EQUAL

    def chance(self, i: int) -> float:
        """The chance to win after a choice: the share of games won, or of all deals.

        Of one that was left behind: the best's share, less what it lost on the deals both played.
        """
        won = self.won[i]
        if self.exact:
            return sum(p for p, w in zip(self.chances, won, strict=True) if w)
        share = sum(won) / max(len(won), 1)
        if i in self.running:
            return share
        best = self.won[self.best()]
        return min(max(share + sum(best) / len(best) - sum(best[: len(won)]) / len(won), 0.0), 1.0)

    def error(self, i: int) -> float:
        """Its standard error, never 0 where deals were drawn; 0 where all were played."""
        n, wins = len(self.won[i]), sum(self.won[i])
        if self.exact:
            return 0.0
        return sqrt((wins + 1) / (n + 2) * (n - wins + 1) / (n + 2) / n)
