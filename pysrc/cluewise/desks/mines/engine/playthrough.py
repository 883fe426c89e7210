"""A puzzle played from its start: waves of complete reasoning, rounds of the closure.

A wave finds the backbone of the position and opens all of it at once. With a `ComponentCache` a
wave solves only the components that the previous one changed. Cost: one backbone a wave.
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
    """Σ x(y−1)/(y−x+1) over neighbours, x ≤ y: `difficulty_score([1, 3, 2, 1, 3, 1]) == 4.5`.

    Summed exactly and rounded once; 0 with fewer than two steps.
    """
    total = Fraction(0)
    for a, b in pairwise(steps):
        low, high = min(a, b), max(a, b)
        total += Fraction(low * (high - 1), high - low + 1)
    return float(total)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board with its secret: what each cell shows when it is opened."""

    board: Graph
    shows: array[int]  # number, QUESTION, or FLAG for a mine
    start: array[int]

    def has_closed(self, cells: Sequence[int]) -> bool:
        """Whether a safe cell is still closed in that state of the board."""
        return any(c == UNKNOWN and s != FLAG for c, s in zip(cells, self.shows, strict=True))


def puzzle_of(position: Position) -> Puzzle:
    """The puzzle in a position of plain counts, from its start; BadPosition without its mines."""
    refuse_arranged(position)
    return start_of(position)


def start_of(position: Position) -> Puzzle:
    """The same for any position; arrangements and counts on mines are left out."""
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
    """What every cell shows when it is opened; FLAG for mines."""
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
    """The groups with their counts by those mines."""
    return tuple(
        group if group.count == count else msgspec.structs.replace(group, count=count)
        for group in groups
        for count in [sum(cell in mines for cell in group.cells)]
    )


def puzzle_with(
    board: Graph, mines: frozenset[int], secret: Iterable[int], start: Iterable[int]
) -> Puzzle:
    """The puzzle on that board with other mines, `?` and start cells; counts follow the mines."""
    other = Graph(board.neighbours, counted(board.groups, mines), recounted(board, mines))
    shows = answers(other, sorted(mines), sorted(secret))
    cells = array("h", [UNKNOWN]) * other.cells
    for cell in start:
        cells[cell] = shows[cell]
    return Puzzle(other, shows, cells)


def recounted(board: Graph, mines: frozenset[int]) -> array[int]:
    """The kernel's form of the board with other mines: the counts alone differ."""
    data = packed(board)[:]
    at = 2 + (board.cells + 1) + (len(board.groups) + 1)
    for i, group in enumerate(board.groups):
        data[at + i] = sum(cell in mines for cell in group.cells)
    return data


@dataclass(slots=True)
class Playthrough:
    """How complete reasoning opens a puzzle; `wave` says when a cell was decided.

    0 is known from the start, null was not decided at all.
    """

    no_guess: bool = False
    count: int = 0
    state: array[int] = field(default_factory=lambda: array("h"))
    wave: list[int | None] = field(default_factory=list)


def play_complete(puzzle: Puzzle, memory: ComponentCache | None = None) -> Job[Playthrough]:
    """Open all forced safe cells and flag all forced mines, wave by wave.

    A `memory` shared between puzzles saves solving equal components again.
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
    """Enter what is decided (0 safe, 1 mine); how many cells were opened."""
    opened = 0
    for cell, value in enumerate(values):
        if value in (0, 1):
            found.state[cell] = FLAG if value else shows[cell]
            found.wave[cell] = found.count + 1
            opened += not value
    return opened


@dataclass(slots=True)
class ClosurePlaythrough:
    """How far the closure comes: rounds per step, and the records of each."""

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
    """The closure without its cap where that is feasible, with it where it is not."""
    if cap != "on":
        try:
            return (yield from play_by_closure(puzzle, limit, OPEN if cap == "auto" else Cap()))
        except TooLarge:
            if cap == "off":
                raise
    return (yield from play_by_closure(puzzle, limit, CAPPED))
