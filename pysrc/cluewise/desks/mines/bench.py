"""Benchmarks of the mines desk: `cluewise bench mines`."""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import count as count_from
from itertools import cycle

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, packed
from cluewise.desks.mines.engine.cdcl import forced_by_count
from cluewise.desks.mines.engine.closure import CAPPED
from cluewise.desks.mines.engine.count import Count, count
from cluewise.desks.mines.engine.ladder import least_sum
from cluewise.desks.mines.engine.playthrough import Puzzle, counted, play_by_closure, puzzle_of
from cluewise.desks.mines.position import (
    Graph,
    Position,
    Rectangle,
    Revealed,
    clue_names,
    graph,
)
from cluewise.desks.mines.results import (
    AuthorOptions,
    ExplainOptions,
    GenerateOptions,
    SolveOptions,
)
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.author import author
from cluewise.desks.mines.verbs.explain import explain, reasoning
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.generate import generate
from cluewise.desks.mines.verbs.rate import position_then
from cluewise.desks.mines.verbs.solve import solve

GAMES = 12
MANY_GAMES = 200
MANY_POSITIONS = 4471  # of these
STROKES = 20
APART = 3  # cells in which the author's board differs from one that can be solved
FORCED = 1413  # cells decided at some wave of a bundled puzzle
FORCED_LARGE = 106  # cells decided on the board of 961
REPEATS = 20  # of one position: a browser's clock has steps of 0.1 ms


def _lock() -> Position:
    """Return the bundled 12 × 12 combination lock."""
    return next(e.position for e in bundled() if e.cells == 144)


def _solve() -> Work:
    """Forced cells and exact chances at the start of a 12 × 12 combination lock."""
    position = _lock()
    return work_of(1, lambda: finish(solve(position, SolveOptions())))


def expert_positions(games: int, seed: int = 0) -> tuple[Graph, list[array[int]]]:
    """Return all positions of games on 30 × 16 with 99 mines, each move the safest known."""
    board = graph(Position(board=Rectangle("square", 30, 16, None, None, 99)))
    packed(board)
    rng = random.Random(seed)
    found: list[array[int]] = []
    for _ in range(games):
        found += _game(board, rng)
    return board, found


def _game(board: Graph, rng: random.Random) -> list[array[int]]:
    first = rng.randrange(board.cells)
    clear = {first, *board.neighbours[first]}
    mines = set(rng.sample([c for c in range(board.cells) if c not in clear], 99))
    cells = array("h", [UNKNOWN]) * board.cells
    states: list[array[int]] = []
    to_open = [first]
    while True:
        while to_open:
            cell = to_open.pop()
            if cells[cell] == UNKNOWN:
                cells[cell] = sum(n in mines for n in board.neighbours[cell])
                if cells[cell] == 0:
                    to_open += board.neighbours[cell]
        unknown = [c for c, mark in enumerate(cells) if mark == UNKNOWN]
        if all(c in mines for c in unknown):
            return states
        states.append(cells[:])
        known = finish(count(board, cells))
        assert known is not None
        to_open = [c for c in unknown if known.mass(c) == 0]
        if not to_open:
            best = min(unknown, key=known.mass)
            if best in mines:
                return states
            to_open = [best]


def _chances(board: Graph, cells: array[int]) -> list[float]:
    found = finish(count(board, cells))
    assert found is not None
    return [mass / found.solutions for mass in found.masses]


def _expert() -> Work:
    """Every cell's chance in positions of Minesweeper expert games."""
    board, states = expert_positions(GAMES)
    return work_of(len(states), lambda: [_chances(board, cells) for cells in states])


def _expert_each() -> Work:
    """The positions of many expert games in turn; one of them, many times, a run."""
    board, states = expert_positions(MANY_GAMES)
    asked = cycle(states)

    def run() -> None:
        cells = next(asked)
        for _ in range(REPEATS):
            _chances(board, cells)

    return work_of(REPEATS, run)


def _expert_slowest() -> Work:
    """The slowest position of many expert games, by the best of three runs each."""
    board, states = expert_positions(MANY_GAMES)

    def seconds(cells: array[int]) -> float:
        began = time.perf_counter()
        _chances(board, cells)
        return time.perf_counter() - began

    slowest = max(states, key=lambda cells: min(seconds(cells) for _ in range(3)))
    return work_of(REPEATS, lambda: [_chances(board, slowest) for _ in range(REPEATS)])


def _generate() -> Work:
    """8 × 8 puzzles with a smooth score of 8 to 12, seeds 1, 2, 3 …"""
    options = (GenerateOptions(size=8, difficulty="8..12", seed=seed) for seed in count_from(1))
    return work_of(1, lambda: finish(generate(Position(), next(options))))


def states(puzzle: Puzzle) -> Iterator[tuple[array[int], Count[int]]]:
    """Yield the states of a puzzle wave by wave, each with its exact counts."""
    cells = puzzle.start[:]
    while puzzle.has_closed(cells):
        found = finish(count(puzzle.board, cells))
        assert found is not None
        yield cells, found
        for cell in _decided(cells, found):
            cells[cell] = puzzle.shows[cell]


def _decided(cells: array[int], found: Count[int]) -> list[int]:
    """List the unknown cells that are safe, or mines, in every layout."""
    unknown = (cell for cell, mark in enumerate(cells) if mark == UNKNOWN)
    return [cell for cell in unknown if found.mass(cell) in (0, found.solutions)]


def _play() -> Work:
    """A 12 × 12 lock from start to end: chances at every wave."""
    puzzle = puzzle_of(with_mines(_lock()))
    return work_of(1, lambda: list(states(puzzle)))


def position_of(board: Graph, cells: array[int]) -> Position:
    """Return a state of a board as a position."""
    return position_then(Position(neighbours=board.neighbours, groups=board.groups), cells)


def _explain() -> Work:
    """A 12 × 12 lock from start to end, with the explanation of every deduction."""
    puzzle = puzzle_of(with_mines(_lock()))

    def run() -> None:
        for cells, found in states(puzzle):
            position = position_of(puzzle.board, cells)
            names = clue_names(position)
            with reasoning(position, names) as reasons:
                for cell in _decided(cells, found):
                    finish(reasons.of(cell, int(found.mass(cell) > 0)))

    return work_of(1, run)


def _closure() -> Work:
    """The closure plays a 12 × 12 lock to its end."""
    puzzle = puzzle_of(with_mines(_lock()))
    return work_of(1, lambda: finish(play_by_closure(puzzle, 1, CAPPED)))


def _judge(board: Graph, mines: set[int], revealed: tuple[Revealed, ...] = ()) -> None:
    """Analyse a board with these mines as the level editor does."""
    made = Position(
        neighbours=board.neighbours,
        groups=counted(board.groups, frozenset(mines)),
        mines=tuple(sorted(mines)),
        revealed=revealed,
    )
    finish(author(made, AuthorOptions()))


def _author() -> Work:
    """Edits of a 12 × 12 lock, a mine set or removed each, and their analysis."""
    lock, rng = with_mines(_lock()), random.Random(2)
    board, mines = graph(lock), set(lock.mines or ())

    def run() -> None:
        for _ in range(STROKES):
            mines.symmetric_difference_update({rng.randrange(board.cells)})
            _judge(board, mines)

    return work_of(STROKES, run)


def _strokes() -> Work:
    """Edits of a 12 × 12 lock that is nearly solvable; an edit a run.

    Each edit sets or removes a mine, and the fourth one back is undone. Near a solvable board much
    is decided and has to be analysed; far from one the analysis ends early.
    """
    lock, rng = with_mines(_lock()), random.Random(2)
    board, apart = graph(lock), list[int]()

    def run() -> None:
        apart.append(rng.randrange(board.cells))
        del apart[:-APART]
        mines = set(lock.mines or ())
        for cell in apart:
            mines ^= {cell}
        _judge(board, mines)

    return work_of(1, run)


def _open_strokes() -> Work:
    """Edits of a random 12 × 12 lock, a third of it mines, a fifth of it open; an edit a run.

    Each edit sets or removes a mine, or opens or closes a cell at the start.
    """
    board, rng = graph(with_mines(_lock())), random.Random(2)
    cells, near = range(board.cells), board.neighbours
    mines = {cell for cell in cells if rng.random() < 0.35}
    start = set(rng.sample(cells, board.cells // 5)) - mines

    def run() -> None:
        rng.choice((mines, start)).symmetric_difference_update({rng.randrange(board.cells)})
        start.difference_update(mines)
        shown = tuple(Revealed(c, sum(n in mines for n in near[c])) for c in sorted(start))
        _judge(board, mines, shown)

    return work_of(1, run)


@cache
def forced() -> list[tuple[Position, int]]:
    """Return every cell decided at some wave of a bundled puzzle, with the position then."""
    found: list[tuple[Position, int]] = []
    for entry in bundled():
        puzzle = puzzle_of(with_mines(entry.position))
        for cells, counts in states(puzzle):
            position = position_of(puzzle.board, cells)
            found += ((position, cell) for cell in _decided(cells, counts))
    return found


def _least() -> Work:
    """The smallest proof of a decided cell, one query each as in the page; a cell a run."""
    asked = cycle(forced())

    def run() -> None:
        position, cell = next(asked)
        finish(explain(position, ExplainOptions(cell)))

    return work_of(1, run)


def _sums() -> Work:
    """The shortest sum that decides a cell of a bundled puzzle; a cell a run."""
    asked = []
    for entry in bundled():
        puzzle = puzzle_of(with_mines(entry.position))
        mines = sum(1 << cell for cell, shown in enumerate(puzzle.shows) if shown == FLAG)
        for cells, found in states(puzzle):
            values = forced_by_count(found, cells)
            asked += [(puzzle.board, cells[:], values, mines, c) for c in _decided(cells, found)]
    given = cycle(asked)
    return work_of(1, lambda: finish(least_sum(*next(given))))


def large(side: int = 31, share: float = 0.3, seed: int = 0) -> tuple[Position, frozenset[int]]:
    """Return a partly open square with counts of rows, columns and mines; and its mines."""
    rng = random.Random(seed)
    mines = frozenset(c for c in range(side * side) if rng.random() < 0.3)
    rows = tuple(sum(y * side + x in mines for x in range(side)) for y in range(side))
    columns = tuple(sum(y * side + x in mines for y in range(side)) for x in range(side))
    board = Rectangle("square", side, side, rows, columns, len(mines))
    opened = [c for c in range(side * side) if c not in mines and rng.random() < share]
    near = graph(Position(board=board)).neighbours
    revealed = tuple(Revealed(c, sum(n in mines for n in near[c])) for c in opened)
    return Position(board=board, revealed=revealed), mines


def _solve_large() -> Work:
    """Forced cells of 961, and the count or samples of the layouts."""
    position, _ = large()
    return work_of(1, lambda: finish(solve(position, SolveOptions())))


def _explain_large() -> Work:
    """The explanation of one of 961 decided cells; a cell a run."""
    position, _ = large()
    solved = finish(solve(position, SolveOptions()))
    asked = cycle([*solved.safe, *solved.mines])
    return work_of(1, lambda: finish(explain(position, ExplainOptions(next(asked)))))


ROWS: list[Benchmark] = [
    Benchmark("mines.solve.12x12", "boards", _solve),
    Benchmark("mines.expert.probability", "positions", _expert),
    Benchmark("mines.expert.median", "positions", _expert_each, runs=MANY_POSITIONS, place=0.5),
    Benchmark("mines.expert.worst", "positions", _expert_slowest),
    Benchmark("mines.generate.8x8", "puzzles", _generate),
    Benchmark("mines.play.12x12", "boards", _play),
    Benchmark("mines.explain.12x12", "boards", _explain),
    Benchmark("mines.closure.12x12", "boards", _closure),
    Benchmark("mines.author.12x12", "strokes", _author),
    Benchmark("mines.author.12x12.p95", "strokes", _strokes, runs=1000, place=0.95),
    Benchmark("mines.author.open.p95", "strokes", _open_strokes, runs=1000, place=0.95),
    Benchmark("mines.least.p99", "cells", _least, runs=FORCED, place=0.99),
    Benchmark("mines.least.worst", "cells", _least, runs=FORCED, place=1),
    Benchmark("mines.sums.p99", "cells", _sums, runs=FORCED, place=0.99),
    Benchmark("mines.solve.961", "boards", _solve_large),
    Benchmark("mines.explain.961.worst", "cells", _explain_large, runs=FORCED_LARGE, place=1),
]
