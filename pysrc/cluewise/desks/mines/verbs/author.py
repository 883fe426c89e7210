"""Analysis of a board in the level editor: solvability, stuck regions, changes that free one."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN
from cluewise.desks.mines.engine.components import ComponentCache, clues_of, split_components
from cluewise.desks.mines.engine.playthrough import (
    Playthrough,
    Puzzle,
    difficulty_score,
    play_by_closure_auto,
    play_complete,
    puzzle_of,
    puzzle_with,
)
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import Authored, AuthorOptions, Change, Freeing
from cluewise.errors import BadOption

KINDS: tuple[Change, ...] = ("number", "open", "clear", "mine")  # the mildest first
PARTIAL = 5  # changes to list where none frees the whole region
_memory = ComponentCache()  # shared by all edits of a board


def author(position: Position, options: AuthorOptions) -> Job[Authored]:
    """Return the ratings of `rate`, the wave of every cell, and the regions that stay closed.

    With `region`, a cell of one of them, also the changes of one cell that free it.
    """
    puzzle = puzzle_of(position)
    played = yield from play_complete(puzzle, _memory)
    stuck = regions(puzzle, played)
    closure = yield from play_by_closure_auto(puzzle, options.inexact_rounds, options.cap)
    steps = [step.rounds for step in closure.steps]
    solved = closure.solves and played.no_guess
    return Authored(
        no_guess=played.no_guess,
        waves=played.count,
        wave=played.wave,
        stuck=stuck,
        steps=steps,
        smooth=difficulty_score(steps) if solved else None,
        closure_solves=closure.solves,
        capped=closure.capped,
        repairs=(yield from _repairs(puzzle, played, _region(stuck, options.region)))
        if options.region is not None
        else None,
    )


def regions(puzzle: Puzzle, played: Playthrough) -> list[list[int]]:
    """Return the connected components of the cells that complete reasoning leaves closed.

    The total is left out, since it would connect all of them. No region if only mines are left.
    """
    if played.no_guess:
        return []
    totals = {i for i, g in enumerate(puzzle.board.groups) if g.kind == "total"}
    clues = [c for c in clues_of(puzzle.board, played.state) if c[2] not in totals]
    found = [bit_indices(component.cells) for component in split_components(clues)]
    counted = {cell for region in found for cell in region}
    alone = [c for c, mark in enumerate(played.state) if mark == UNKNOWN and c not in counted]
    return sorted([*found, *([cell] for cell in alone)])


def _region(stuck: list[list[int]], cell: int | None) -> list[int]:
    for region in stuck:
        if cell in region:
            return region
    raise BadOption(f"Cell {cell} is in no stuck region of this board.", "$.options.region")


def _repairs(puzzle: Puzzle, played: Playthrough, region: Sequence[int]) -> Job[list[Freeing]]:
    """List the changes of one cell that free the whole region, best first.

    A region is free when complete reasoning decides each of its cells, or opens every safe cell
    of the board: mines that are left then need no decision. If no change frees the region, list
    the `PARTIAL` changes that leave the fewest of its cells closed.
    """
    tried = _changes(puzzle, played, region)
    found: list[Freeing] = []
    for i, (kind, cell) in enumerate(tried):
        yield Progress(i, len(tried), "trying changes of one cell")
        after = yield from play_complete(_changed(puzzle, played, kind, cell), _memory)
        left = [] if after.no_guess else [c for c in region if after.state[c] == UNKNOWN]
        opened = sum(
            before == UNKNOWN != now
            for before, now in zip(played.state, after.state, strict=True)
        )  # fmt: skip
        found.append(Freeing(kind, cell, len(left), opened, after.no_guess))
    free = [f for f in found if not f.left]
    ranked = sorted(
        free or [f for f in found if f.left < len(region) - 1],
        key=lambda f: (f.left, not f.no_guess, KINDS.index(f.kind), f.cell),
    )
    return ranked if free else ranked[:PARTIAL]


def _changes(
    puzzle: Puzzle, played: Playthrough, region: Sequence[int]
) -> list[tuple[Change, int]]:
    """List candidates: a number for a `?`, a cell opened at the start, a mine set or removed."""
    inside = set(region)
    found: list[tuple[Change, int]] = []
    for cell, shown in enumerate(puzzle.shows):
        near = not inside.isdisjoint(puzzle.board.neighbours[cell])
        if shown == QUESTION and (near or cell in inside):
            found.append(("number", cell))
        if cell in inside:
            found.append(("clear", cell) if shown == FLAG else ("open", cell))
            if shown != FLAG:
                found.append(("mine", cell))
    return sorted(found, key=lambda change: (KINDS.index(change[0]), change[1]))


def _changed(puzzle: Puzzle, played: Playthrough, kind: Change, cell: int) -> Puzzle:
    """Return the puzzle with one change, played on from where it was stuck if possible.

    A number shown or a cell opened only adds information, so all deductions stay valid; a mine set
    or removed changes counts, so play starts again.
    """
    mines = frozenset(c for c, shown in enumerate(puzzle.shows) if shown == FLAG)
    secret = {c for c, shown in enumerate(puzzle.shows) if shown == QUESTION}
    start = {c for c, mark in enumerate(puzzle.start) if mark != UNKNOWN}
    if kind in ("mine", "clear"):
        return puzzle_with(puzzle.board, mines ^ {cell}, secret - {cell}, start)
    shows, state = puzzle.shows[:], played.state[:]
    if kind == "number":
        shows[cell] = sum(n in mines for n in puzzle.board.neighbours[cell])
    if kind == "open" or state[cell] != UNKNOWN:
        state[cell] = shows[cell]
    return Puzzle(puzzle.board, shows, state)
