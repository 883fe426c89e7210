"""The verb `make`: a new board, whatever kind is wanted; `generate`, its older name for grids."""

from __future__ import annotations

import random

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import known, left_out, of_board, words
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import (
    DisguiseOptions,
    Generated,
    GenerateOptions,
    GridOptions,
    Made,
    MakeOptions,
    PuzzleOptions,
)
from cluewise.desks.sudoku.verbs.disguise import disguise
from cluewise.desks.sudoku.verbs.number import grid
from cluewise.desks.sudoku.verbs.puzzle import puzzle, random_grid
from cluewise.errors import BadOption


def make(position: Position, options: MakeOptions) -> Job[Made]:
    """`{"board": "…", "kind": "puzzle"}`: a puzzle, a complete grid or a board in disguise.

    A name is a grid's number in digits or letters, or the name of a board; the board that it names
    takes the place of the position's one. A puzzle is made of the position's grid if there is one.
    Raises `BadOption` for a name that no board has.
    """
    kind, seed = options.kind, options.seed
    if options.name:
        try:
            named = yield from grid(position, GridOptions(code=options.name))
        except BadOption as problem:
            raise BadOption(problem.message, "$.options.name") from None
        if kind == "grid":
            return Made(named.grid, kind, name=named.code)
        position = Position(grids=(named.grid,))
    if kind == "grid":
        return Made((yield from generate(position, GenerateOptions(seed))).grid, kind)
    if kind == "disguise":
        found = yield from disguise(position, DisguiseOptions(seed, options.steps))
        return Made(
            found.grid, kind, transform=found.transform, steps=found.steps,
            shortest=found.shortest, summary=found.summary, not_compared=found.not_compared,
        )  # fmt: skip
    wish = PuzzleOptions(options.clues, options.minimal, options.symmetry, seed, options.source)
    one = yield from puzzle(position, wish)
    return Made(
        one.puzzle, kind, solution=one.solution, clues=one.clues, minimal=one.minimal,
        line=one.line, not_compared=one.not_compared,
    )  # fmt: skip


def generate(position: Position, options: GenerateOptions) -> Job[Generated]:
    """`{"grid": "…"}`: a random complete grid of the position's box; its boards are ignored.

    With constraints a grid that obeys them; `BadPosition` if there is none.
    """
    every = of_board(position.constraints, 0)
    rules = known(every)
    cells = yield from random_grid(rules, position.shape, random.Random(options.seed))
    return Generated(write_cells(cells), compared=words(rules), not_compared=left_out(every))
