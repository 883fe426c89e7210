"""Measure the exact guess: its time by number of layouts, and its gain over the safest cell.

    python -m wasm_build.bench.mines guess    how many endgames are exact within a second
    python -m wasm_build.bench.mines gain     win rates of the best guess and of the safest cell

Seconds are processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from statistics import median

import msgspec

from cluewise.core.work import finish
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.position import Position, Rectangle, Revealed, graph
from cluewise.desks.mines.results import GuessOptions
from cluewise.desks.mines.verbs.guess import guess
from cluewise.errors import TooLarge

BANDS = (10, 100, 300, 1000, 10_000)  # layouts
SHAPES = (("square", 5, 5, 6), ("square", 8, 8, 12), ("square", 9, 9, 14), ("hex", 6, 6, 9),
          ("square", 12, 8, 20))  # fmt: skip
LIMIT = 1.0  # seconds of processor time


def endgame(seed: int, most: int) -> tuple[Position, int] | None:
    """Return a position without safe cells and its number of layouts (2 to `most`).

    Opens safe cells; without one, a random cell without a mine until at most `most` layouts fit.
    None if the board is solved before.
    """
    rng = random.Random(seed)
    kind, width, height, mines = rng.choice(SHAPES)
    position = Position(board=Rectangle(kind, width, height, total=mines))  # type: ignore[arg-type]
    board = graph(position)
    mined = set(rng.sample(range(board.cells), mines))
    opened: dict[int, int] = {}
    while True:
        shown = tuple(Revealed(cell, number) for cell, number in sorted(opened.items()))
        now = msgspec.structs.replace(position, revealed=shown)
        cells = state(now)
        try:
            found = finish(counting.count(board, cells))
        except TooLarge:
            found = None
        hidden = [c for c in range(board.cells) if cells[c] == UNKNOWN]
        safe = [] if found is None else [c for c in hidden if found.mass(c) == 0]
        if found is not None and not safe:
            if found.solutions == 1:
                return None
            if found.solutions <= most:
                return now, found.solutions
        unmined = [c for c in hidden if c not in mined]
        for cell in safe or [rng.choice(unmined)]:
            opened[cell] = sum(n in mined for n in board.neighbours[cell])


def endgames(most: int, count: int, least: int = 2, seed: int = 0) -> Iterator[Position]:
    """Yield the first `count` endgames of `least` to `most` layouts."""
    while count:
        found = endgame(seed, most)
        seed += 1
        if found is not None and found[1] >= least:
            count -= 1
            yield found[0]


def seconds_of(position: Position) -> float:
    """Return the processor time of the exact answer; infinity beyond the limit."""
    begun = time.process_time()
    job = guess(position, GuessOptions("any", 600))
    try:
        while time.process_time() - begun <= LIMIT:
            next(job)
    except StopIteration as stop:
        return time.process_time() - begun if stop.value.exact else float("inf")
    job.close()
    return float("inf")


def guess_table(each: int) -> None:
    """Print seconds by number of layouts."""
    print("layouts           positions  settled in 1 s  median s  worst s")
    for least, most in zip((2, *BANDS), BANDS, strict=False):
        spent = [seconds_of(position) for position in endgames(most - 1, each, least)]
        quick = sum(s <= LIMIT for s in spent)
        print(f"{least:>6} to {most - 1:<6} {each:>9} {quick:>15} {median(spent):>9.4f}"
              f" {max(spent):>8.3f}", flush=True)  # fmt: skip


def gain_table(games: int) -> None:
    """Print how much more often the best candidate wins than the safest one."""
    better, safest, best = 0, 0.0, 0.0
    for position in endgames(300, games, seed=1_000_000):
        found = finish(guess(position, GuessOptions("any", 600)))
        assert found.exact
        assert found.win is not None
        # The best of the cells that are equally safe: ties are broken in favour of the safest cell.
        top = max(option.safe for option in found.options)
        win = max(option.win or 0.0 for option in found.options if option.safe == top)
        better += found.win > win
        best += found.win
        safest += win
    print(f"{games} endgames of at most 300 layouts: the best guess wins",
          f"{100 * best / games:.2f} %, the safest cell {100 * safest / games:.2f} %;",
          f"it is not a best one in {better}")  # fmt: skip


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=["guess", "gain"])
    parser.add_argument("--positions", type=int, default=50, help="of each number of layouts")
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    if given.table == "guess":
        guess_table(given.positions)
    else:
        gain_table(given.games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
