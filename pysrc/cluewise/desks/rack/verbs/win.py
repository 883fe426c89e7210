"""Cuts by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the viewer's exact posterior; after the cut every seat plays by its own exact
belief what is sure, else what has the best chance of success less that of red. The same deals
serve all cuts, so that luck is shared; a cut that has fallen clearly behind is left there. Win
chances hang on how the others are taken to play: it is their order that helps.
"""

from __future__ import annotations

import time
from math import sqrt

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import winning
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Recommendation, Win
from cluewise.desks.rack.wires import value_number

GAMES = 256  # a cut, where no time is given
MOST_GAMES = 8192
BLOCK = 16  # games a call
MOST_CUTS = 10
BEHIND = 3.0  # standard errors of the paired difference at which a cut is left behind
EQUAL = 2.0
LEAST = 64  # games before any is


def rank_by_win(
    position: Position, ordered: list[Cut], front: list[Recommendation], options: CutsOptions
) -> Job[tuple[list[Cut], str]]:
    """The cuts with the chances to win of those worth a look in front; and why none, or how.

    With `seconds` the games go on as long; without, the answer is the same on every run.
    """
    refused = winning.refusal(position)
    if refused:
        return ordered, refused
    race = Race(position, _listed(ordered, front))
    yield from race.run(options.seconds)
    settled = race.results()
    first = sorted(settled, key=lambda i: (-race.chance(i), i))
    rest = [cut for i, cut in enumerate(ordered) if i not in settled]
    steps = "" if position.detonator is not None else " The detonator has a step for each player."
    note = (
        "Chances to win: without equipment; every seat plays what is sure, else the best chance of "
        f"success less that of red.{steps}"
    )
    return [settled[i] for i in first] + rest, note


def _listed(ordered: list[Cut], front: list[Recommendation]) -> dict[int, Cut]:
    """What is played out: plain cuts worth a look and sure ones, by their place in the list."""
    places = [item.option for item in front]
    places += [i for i, cut in enumerate(ordered) if cut.certain]
    plain = [i for i in places if ordered[i].action in winning.KINDS]
    return {i: ordered[i] for i in list(dict.fromkeys(plain))[:MOST_CUTS]}


class Race:
    """Cuts played out on the same deals; `won[i]` holds a 1 for each game won."""

    def __init__(self, position: Position, cuts: dict[int, Cut]) -> None:
        self.words = winning.game_words(position)
        self.cuts = cuts
        self.won: dict[int, list[int]] = {i: [] for i in cuts}
        self.running = list(cuts)

    def run(self, seconds: float | None) -> Job[None]:
        """Plays blocks of games until the order is clear, the games or the time are used up."""
        end = None if seconds is None else time.monotonic() + seconds
        most = GAMES if seconds is None else MOST_GAMES
        played = 0
        while len(self.running) > (1 if played else 0) and played < most:
            deals = winning.draw_deals(self.words, played + 1, BLOCK)
            for i in self.running:
                yield Progress(played, most, "playing games out")
                self.won[i] += winning.play(self.words, deals, _choice(self.cuts[i]))
            played += BLOCK
            if played >= LEAST:
                self._leave_behind()
            if end is not None and time.monotonic() >= end:
                return

    def _best(self) -> int:
        return max(self.running, key=lambda i: (sum(self.won[i]), -i))

    def _leave_behind(self) -> None:
        best = self._best()
        self.running = [i for i in self.running if self._behind(i, best) < BEHIND]

    def _behind(self, i: int, best: int) -> float:
        """By how many standard errors a cut is behind the best, over the deals both played."""
        pairs = list(zip(self.won[best], self.won[i], strict=False))
        n = len(pairs)
        gap = sum(b - a for b, a in pairs)
        spread = sum((b - a) ** 2 for b, a in pairs) - gap * gap / n
        if spread <= 0:
            return 0.0 if not gap else float(n)
        return gap / sqrt(spread * n / max(n - 1, 1))

    def chance(self, i: int) -> float:
        """The share of games won after a cut."""
        return sum(self.won[i]) / len(self.won[i])

    def results(self) -> dict[int, Cut]:
        """The cuts with what was found, by their place."""
        best = self._best()
        found = {}
        for i, cut in self.cuts.items():
            n, wins = len(self.won[i]), sum(self.won[i])
            error = sqrt((wins + 1) / (n + 2) * (n - wins + 1) / (n + 2) / n)  # never 0
            win = Win(self.chance(i), error, n, self._behind(i, best) <= EQUAL)
            found[i] = msgspec.structs.replace(cut, win=win)
        return found


def _choice(cut: Cut) -> tuple[int, int, int, int]:
    kind = winning.KINDS[cut.action]
    value = value_number(cut.value) or 0
    return kind, cut.stand, cut.slots[0], value
