"""A puzzle played from its start: waves of complete reasoning, rounds of the closure.

A wave computes the backbone of the position and opens all of it at once. With a `ComponentCache`
only the components that the previous wave changed are solved. Cost: one backbone a wave.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, packed
from cluewise.desks.mines.engine.closure import CAPPED, OPEN, Cap, open_closure
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.position import Graph, Group, Position, graph
from cluewise.desks.mines.rating import Step
from cluewise.desks.mines.sealing import solution
from cluewise.errors import BadPosition, TooLarge

ANY = 1_000_000  # rounds


def difficulty_score(steps: Sequence[int]) -> float:
    """Return Σ x(y−1)/(y−x+1) over neighbours x ≤ y, summed exactly; 0 for fewer than two steps.

    >>> difficulty_score([1, 3, 2, 1, 3, 1])
    4.5
    """
    total = Fraction(0)
    for a, b in pairwise(steps):
        low, high = min(a, b), max(a, b)
        total += Fraction(low * (high - 1), high - low + 1)
    return float(total)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board with what each cell shows when it is opened."""

    board: Graph
    shows: array[int]  # number, QUESTION, or FLAG for a mine
    start: array[int]

    def has_closed(self, cells: Sequence[int]) -> bool:
        """Return whether a safe cell is closed in that state of the board."""
        return any(c == UNKNOWN and s != FLAG for c, s in zip(cells, self.shows, strict=True))


def puzzle_of(position: Position) -> Puzzle:
    """Return the puzzle of a position of plain counts. Raises BadPosition without its mines."""
    refuse_arranged(position)
    return start_of(position)


def start_of(position: Position) -> Puzzle:
    """Return the puzzle of any position, without arrangements and counts on mines."""
    known = solution(position)
    if known is None:
        raise BadPosition(
            "Only a puzzle can be rated: the mines of this board are not known.", "$.mines"
        )
    board = graph(position)
    shows = answers(board, *known)
    start = array("h", [UNKNOWN]) * board.cells
    opened = [r.cell for r in position.revealed] if position.start is None else position.start
    for cell in opened:
        if shows[cell] == FLAG:
            raise BadPosition(f"Cell {cell} is open at the start, but a mine.", "$.start")
        start[cell] = shows[cell]
    if position.start is None:
        for cell in position.flags:
            if shows[cell] != FLAG:
                raise BadPosition(f"Cell {cell} is flagged, but no mine.", "$.flags")
            start[cell] = FLAG
    return Puzzle(board, shows, start)


def answers(board: Graph, mines: Sequence[int], secret: Sequence[int]) -> array[int]:
    """Return what every cell shows when it is opened; FLAG for mines."""
    mined = bytearray(board.cells)
    for cell in mines:
        mined[cell] = 1
    shows = array("h", (sum(mined[n] for n in listed) for listed in board.neighbours))
    for cell in secret:
        shows[cell] = QUESTION
    for cell in mines:
        shows[cell] = FLAG
    return shows


def counted(groups: Sequence[Group], mines: frozenset[int]) -> tuple[Group, ...]:
    """Return the groups with their counts by those mines."""
    return tuple(
        group if group.count == count else msgspec.structs.replace(group, count=count)
        for group in groups
        for count in [sum(cell in mines for cell in group.cells)]
    )


def puzzle_with(
    board: Graph, mines: frozenset[int], secret: Iterable[int], start: Iterable[int]
) -> Puzzle:
    """Return the puzzle on that board with other mines, `?` and start cells, and their counts."""
    other = Graph(board.neighbours, counted(board.groups, mines), recounted(board, mines))
    shows = answers(other, sorted(mines), sorted(secret))
    cells = array("h", [UNKNOWN]) * other.cells
    for cell in start:
        cells[cell] = shows[cell]
    return Puzzle(other, shows, cells)


def recounted(board: Graph, mines: frozenset[int]) -> array[int]:
    """Return the kernel's form of the board with other mines: only the counts differ."""
    data = packed(board)[:]
    at = 2 + (board.cells + 1) + (len(board.groups) + 1)
    for i, group in enumerate(board.groups):
        data[at + i] = sum(cell in mines for cell in group.cells)
    return data


@dataclass(slots=True)
class Playthrough:
    """The course of complete reasoning on a puzzle; `wave`: when each cell was decided.

    0 is known from the start, None was never decided.
    """

    no_guess: bool = False
    count: int = 0
    state: array[int] = field(default_factory=lambda: array("h"))
    wave: list[int | None] = field(default_factory=list)


def play_complete(puzzle: Puzzle, memory: ComponentCache | None = None) -> Job[Playthrough]:
    """Open all forced safe cells and flag all forced mines, wave by wave.

    A cache shared between puzzles avoids solving equal components again.
    """
    cells = puzzle.start[:]
    found = Playthrough(state=cells, wave=[None if c == UNKNOWN else 0 for c in cells])
    memory = memory or ComponentCache()
    while puzzle.has_closed(cells):
        values = yield from memory.forced(puzzle.board, cells)
        assert values is not None  # the puzzle itself is a layout
        opened = _apply(found, values, puzzle.shows)
        if not opened:
            return found
        found.count += 1
        yield Progress(found.count, None, "playing the puzzle by complete reasoning")
    found.no_guess = True
    return found


def _apply(found: Playthrough, values: array[int], shows: array[int]) -> int:
    """Enter the decided cells (0 safe, 1 mine); return the number opened."""
    opened = 0
    for cell, value in enumerate(values):
        if value in (0, 1):
            found.state[cell] = FLAG if value else shows[cell]
            found.wave[cell] = found.count + 1
            opened += not value
    return opened


@dataclass(slots=True)
class ClosurePlaythrough:
    """The course of the closure on a puzzle: rounds and records of each step."""

    solves: bool = False
    capped: bool = False
    steps: list[Step] = field(default_factory=list)


def play_by_closure(
    puzzle: Puzzle, limit: int, cap: Cap, megabytes: int = 16
) -> Job[ClosurePlaythrough]:
    """Play the puzzle by the closure alone, `limit` inexact rounds in a row (-1: any number).

    Raises TooLarge beyond the cap.
    """
    limit = limit if limit >= 0 else ANY
    with open_closure(puzzle.board, puzzle.start, cap=cap, megabytes=megabytes) as closure:
        solves, records = yield from closure.play(puzzle.shows, limit)
    steps = [Step(1 + rounds, inexact, sets, exact) for rounds, inexact, sets, exact in records]
    return ClosurePlaythrough(solves, cap.widest < puzzle.board.cells, steps)


def play_by_closure_auto(puzzle: Puzzle, limit: int, cap: str) -> Job[ClosurePlaythrough]:
    """Run the closure without its cap if that is feasible, else with it."""
    if cap != "on":
        try:
            return (yield from play_by_closure(puzzle, limit, OPEN if cap == "auto" else Cap()))
        except TooLarge:
            if cap == "off":
                raise
    return (yield from play_by_closure(puzzle, limit, CAPPED))
