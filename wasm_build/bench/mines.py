"""What the best guess costs and gains, and whether boards made by wish are as their rating says.

`python -m wasm_build.bench.mines guess`: endgames by their number of layouts: how many have every
candidate settled within a second of processor time. `gain`: of the best candidate over the safest
one. `python -m wasm_build.bench.mines wish --boards 1000`: boards by wish, every deduction
of their ways looked for again by the slow closure of tests/reference.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec

from cluewise.core.work import finish
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.playthrough import Puzzle, puzzle_of
from cluewise.desks.mines.position import Position, Rectangle, Revealed, graph
from cluewise.desks.mines.rating import TECHNIQUES, Move
from cluewise.desks.mines.results import GenerateOptions, GuessOptions
from cluewise.desks.mines.verbs.generate import generate
from cluewise.desks.mines.verbs.guess import guess
from cluewise.desks.mines.verbs.rate import path, position_then
from cluewise.errors import TooLarge

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the slow twin

BANDS = (10, 100, 300, 1000, 10_000)  # layouts
SHAPES = (("square", 5, 5, 6), ("square", 8, 8, 12), ("square", 9, 9, 14), ("hex", 6, 6, 9),
          ("square", 12, 8, 20))  # fmt: skip
WISHES = ("1+ chain, none deeper than bounds", "2+ cross, none deeper", "1+ bounds, none deeper",
          "3+ subset, none deeper, rising")  # fmt: skip
BOARDS = ("combination-lock", "colours", "hex", "holey")
SIZES = (4, 5, 6)
WISH_SECONDS = 1.0  # of a board; then the nearest one so far
LIMIT = 1.0  # seconds of processor time


def endgame(seed: int, most: int) -> tuple[Position, int] | None:
    """A position without a safe cell and its number of layouts, at most `most`; None if solved.

    Safe cells are opened while there are any; where too many layouts fit, a random cell without a
    mine is opened.
    """
    rng = random.Random(seed)
    kind, width, height, mines = rng.choice(SHAPES)
    position = Position(board=Rectangle(kind, width, height, total=mines))  # type: ignore[arg-type]
    board = graph(position)
    laid = set(rng.sample(range(board.cells), mines))
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
        luck = [c for c in hidden if c not in laid]
        for cell in safe or [rng.choice(luck)]:
            opened[cell] = sum(n in laid for n in board.neighbours[cell])


def endgames(most: int, count: int, least: int = 2, seed: int = 0) -> Iterator[Position]:
    """The first `count` endgames of `least` to `most` layouts."""
    while count:
        found = endgame(seed, most)
        seed += 1
        if found is not None and found[1] >= least:
            count -= 1
            yield found[0]


def seconds_of(position: Position) -> float:
    """Processor time of the exact answer; infinite beyond the limit."""
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


def wish_table(boards: int) -> None:
    """Print how many moves of boards by wish the closure confirms; stop at a difference."""
    from reference.mines_ladder import easiest

    moves: Counter[str] = Counter()
    met = 0
    for seed in range(boards):
        wish = WISHES[seed % len(WISHES)]
        kind = BOARDS[seed // len(WISHES) % len(BOARDS)]
        options = GenerateOptions(
            board=kind,  # type: ignore[arg-type]
            size=SIZES[seed % len(SIZES)],
            wish=wish,
            seed=seed,
            seconds=WISH_SECONDS,
        )
        made = finish(generate(Position(), options))
        puzzle = puzzle_of(made)
        way = finish(path(made, puzzle))
        assert made.rating is not None
        assert made.rating.wished is not None
        met += made.rating.wished.met
        for move, position in walked(made, puzzle, way):
            twin = easiest(position)
            shown = (move.technique, move.length, move.widest)
            hard = TECHNIQUES.index(move.technique) >= TECHNIQUES.index("sum")
            if (twin is not None) if hard else shown != twin:
                raise SystemExit(f"board {seed}: {shown}, the closure finds {twin}")
            moves[move.technique] += 1
        if seed % 50 == 49:
            print(seed + 1, "boards,", met, "as wished;", dict(moves), flush=True)


def walked(made: Position, puzzle: Puzzle, way: list[Move]) -> Iterator[tuple[Move, Position]]:
    """Every move with the position before it."""
    cells = puzzle.start[:]
    for move in way:
        yield move, position_then(made, cells)
        for cell in move.cells:
            cells[cell] = puzzle.shows[cell]


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=["guess", "gain", "wish"])
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--positions", type=int, default=50, help="of each number of layouts")
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    if given.table == "guess":
        guess_table(given.positions)
    elif given.table == "gain":
        gain_table(given.games)
    else:
        wish_table(given.boards)
    return 0


if __name__ == "__main__":
    sys.exit(main())
