"""What is measured on the mines desk: `cluewise bench mines`."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable

from cluewise.core.measure import Row
from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, packed
from cluewise.desks.mines.engine.closure import CAPPED
from cluewise.desks.mines.engine.count import count
from cluewise.desks.mines.engine.rate import climb, puzzle_of
from cluewise.desks.mines.engine.solve import solve
from cluewise.desks.mines.generate import generate
from cluewise.desks.mines.position import Graph, Position, Rectangle, graph
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.results import GenerateOptions, SolveOptions
from cluewise.desks.mines.sealing import with_mines

Work = Callable[[], int]
GAMES = 12


def _lock() -> Position:
    """The bundled 12 × 12 combination lock."""
    return next(e.position for e in bundled() if e.cells == 144)


def _solve() -> Work:
    """Forced cells and exact chances at the start of a 12 × 12 combination lock."""
    position = _lock()
    finish(solve(position, SolveOptions()))

    def work() -> int:
        finish(solve(position, SolveOptions()))
        return 1

    return work


def expert_positions(games: int, seed: int = 0) -> tuple[Graph, list[array[int]]]:
    """All positions of games on 30 × 16 with 99 mines, each move the safest known."""
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


def _expert() -> Work:
    """Every cell's chance in positions of Minesweeper expert games."""
    board, states = expert_positions(GAMES)

    def work() -> int:
        for cells in states:
            found = finish(count(board, cells))
            assert found is not None
            _ = [mass / found.solutions for mass in found.masses]
        return len(states)

    return work


def _generate() -> Work:
    """8 × 8 puzzles with a smooth score of 8 to 12, seeds 1, 2, 3 …"""
    seeds = iter(range(1, 1_000_000))

    def work() -> int:
        options = GenerateOptions(size=8, difficulty="8..12", seed=next(seeds))
        finish(generate(Position(), options))
        return 1

    return work


def _play() -> Work:
    """A 12 × 12 lock from start to end: chances at every wave."""
    puzzle = puzzle_of(with_mines(_lock()))

    def work() -> int:
        cells = puzzle.start[:]
        while any(c == UNKNOWN and s != FLAG for c, s in zip(cells, puzzle.shows, strict=True)):
            found = finish(count(puzzle.board, cells))
            assert found is not None
            for cell in range(puzzle.board.cells):
                if cells[cell] == UNKNOWN and found.mass(cell) in (0, found.solutions):
                    cells[cell] = puzzle.shows[cell]
        return 1

    return work


def _closure() -> Work:
    """The closure plays a 12 × 12 lock to its end."""
    puzzle = puzzle_of(with_mines(_lock()))

    def work() -> int:
        finish(climb(puzzle, 1, CAPPED))
        return 1

    return work


ROWS: list[Row] = [
    Row("mines.solve.12x12", "boards", _solve),
    Row("mines.expert.probability", "positions", _expert),
    Row("mines.generate.8x8", "puzzles", _generate),
    Row("mines.play.12x12", "boards", _play),
    Row("mines.closure.12x12", "boards", _closure),
]
