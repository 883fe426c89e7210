"""The best guess: the probability to win after opening each candidate, under optimal play.

`win` of a cell: the layouts won if it is opened now, with optimal play after, divided by all
layouts that fit. Floods need no modelling: the cells around a 0 are safe and may be opened at no
risk.

The kernel's expectimax search lists the layouts and bounds the candidates (guess.c).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.engine.board import UNKNOWN, framed, put_board, run_slices, state
from cluewise.desks.mines.engine.count import workspace_bytes
from cluewise.desks.mines.position import Graph, Position, graph
from cluewise.desks.mines.results import Guess, GuessCandidate, GuessOptions, SolveOptions
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.solve import solve
from cluewise.errors import BadOption, Contradiction, TooLarge
from cluewise.kernel import Frame

AGAIN, DONE, UNSETTLED = 1, 2, 3
STEPS = 20_000_000  # of a slice
SLICES_OF_BOUNDS = 200  # of one candidate's bounds


class Opened(NamedTuple):
    """The value of opening a cell, in layouts.

    Of `of` layouts that count, `safe` have no mine there; between `low` and `high` of these are
    won.
    """

    safe: int
    of: int
    low: int
    high: int


class GuessSearch:
    """The listed layouts of one state and the transposition table; made by `open_guess`."""

    def __init__(
        self, frame: Frame, board: Graph, cells: array[int], secret: Iterable[int], most: int
    ) -> None:
        shows_nothing = bytearray(board.cells)
        for cell in secret:
            shows_nothing[cell] = 1
        given = put_board(frame, board, cells, bytes(shows_nothing))
        self._frame, self._out = frame, frame.reserve(16)
        size = workspace_bytes()
        self._work = frame.reserve(size)
        frame.call("mines_guess_begin", *given, most, self._work, size)

    def list_layouts(self) -> Job[None]:
        """List all layouts. Raises TooLarge beyond `most`, or if that takes too long."""
        step = partial(self._frame.call, "mines_guess_list", self._work, STEPS)
        yield from run_slices(step, "listing the layouts", AGAIN)

    def value(self, cell: int, rule: int) -> Job[Opened | None]:
        """Return the value of opening the cell under optimal play; None if it stays unsettled."""
        step = partial(self._ask, 0, cell, rule)
        status = yield from run_slices(step, "following every play", AGAIN)
        return None if status == UNSETTLED else self._opened(status)

    def bounds(self, cell: int, rule: int) -> Opened:
        """Return bounds of that value: by the greedy policy, and for every policy.

        The greedy policy opens the safest cell each time. `low` is 0 if even that takes too long.
        """
        slices = (self._ask(1, cell, rule) for _ in range(SLICES_OF_BOUNDS))
        return self._opened(next((status for status in slices if status != AGAIN), AGAIN))

    def _ask(self, bounds: int, cell: int, rule: int) -> int:
        """Run a slice of work on one candidate and return its status."""
        return self._frame.call(
            "mines_guess_ask", self._work, bounds=bounds, cell=cell, first=rule,
            budget=STEPS, out=self._out,
        )  # fmt: skip

    def _opened(self, status: int) -> Opened:
        safe, of, low, high = self._frame.get(self._out, "i", 4)
        if status in (AGAIN, UNSETTLED):
            return Opened(safe, of, 0, safe)
        return Opened(safe, of, low, high) if status == DONE else Opened(0, of, 0, 0)


open_guess = framed(GuessSearch)


RULES = ("any", "safe", "zero")  # as the kernel numbers them


def guess(position: Position, options: GuessOptions) -> Job[Guess]:
    """Return the candidates, best first. Raises Contradiction if no layout fits.

    Exact as far as `seconds` and `layouts` allow, else with bounds; the mines of a puzzle are not
    used.
    """
    refuse_arranged(position)
    if options.first != "any" and position.revealed:
        raise BadOption("The rule of the first click is for a board without open cells.",
                        "$.options.first")  # fmt: skip
    until = time.perf_counter() + options.seconds
    board, cells = graph(position), state(position)
    try:
        found = yield from counting.count(board, cells)
    except TooLarge:
        solved = yield from solve(position, SolveOptions())  # estimates, if there are any
        shares = [(c, 1 - p) for c, p in enumerate(solved.probability) if p is not None and p < 1]
        return _by_safety(None, shares, 1.0)
    if found is None:
        raise Contradiction(CONTRADICTORY)
    total, rule = found.solutions, RULES.index(options.first)
    asked = [c for c, mark in enumerate(cells) if mark == UNKNOWN and found.mass(c) < total]
    asked.sort(key=lambda c: (found.mass(c), c))
    if total <= options.layouts:
        known = solution(position)
        secret = position.secret if known is None else known[1]
        with suppress(TooLarge), open_guess(board, cells, secret, options.layouts) as search:
            yield from search.list_layouts()
            return (yield from _searched(search, asked, rule, total, until))
    shares = [(c, (total - found.mass(c)) / total) for c in asked]
    return _by_safety(str(total), shares, 1.0 if rule else None)


def _searched(
    search: GuessSearch, asked: Sequence[int], rule: int, total: int, until: float
) -> Job[Guess]:
    """Compute every candidate's value, the safest first; bounds once the time is up."""
    options: list[GuessCandidate] = []
    for i, cell in enumerate(asked):
        value = yield from _until(search.value(cell, rule), until, i, len(asked))
        found = value or search.bounds(cell, rule)
        if found.safe:
            exact = value is not None or found.low == found.high
            safe, low, high = (n / found.of for n in (found.safe, found.low, found.high))
            win = low if exact else None
            options.append(GuessCandidate(cell, safe, win, low, high, exact))
        yield Progress(i + 1, len(asked), "comparing the candidates")
    return _best_first(str(total), options)


def _until(job: Job[Opened | None], until: float, done: int, total: int) -> Job[Opened | None]:
    """Return the job's result, None if it is not finished in time."""
    try:
        while time.perf_counter() < until:
            next(job)
            yield Progress(done, total, "comparing the candidates")
    except StopIteration as stop:
        found: Opened | None = stop.value
        return found
    finally:
        job.close()
    return None


def _best_first(layouts: str | None, options: list[GuessCandidate]) -> Guess:
    """Return the answer, with the position's `win` if no other candidate can be better."""
    options.sort(key=lambda o: (-o.high if o.win is None else -o.win, -o.safe, o.cell))
    settled = [option.win for option in options if option.win is not None]
    win = max(settled, default=None)
    if win is not None and any(option.high > win for option in options):
        win = None
    safest = min(options, key=lambda o: (-o.safe, o.cell)).cell if options else None
    exact = bool(layouts) and all(option.exact for option in options)
    return Guess(layouts, exact, win, safest, options)


def _by_safety(
    layouts: str | None, shares: Sequence[tuple[int, float]], high: float | None
) -> Guess:
    """Rank candidates by their chance to be safe alone."""
    options = [
        GuessCandidate(cell, share, None, None, share if high is None else high, False)
        for cell, share in shares
    ]
    return _best_first(layouts, options)
