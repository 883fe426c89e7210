"""The verb `canon`: least forms of a grid, or of a puzzle in three conventions."""

from __future__ import annotations

from msgspec.structs import replace

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine import forms, shapes
from cluewise.desks.sudoku.engine.refine import canonical
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import GridForm, NoChoice, PuzzleForms, PuzzleTransforms


def run_canon(position: Position, options: NoChoice) -> Job[GridForm | PuzzleForms]:
    """A complete grid's minlex form, or a puzzle's forms in the three conventions."""
    (cells,) = boards(position, 1)
    left = words(position.constraints)
    if is_complete(cells):
        form = yield from grid_form(cells, position.shape)
        return GridForm(write_cells(form.cells), form.ties, form.transform, left)
    found = yield from puzzle_forms(cells, position.shape)
    return replace(found, not_compared=left)


def grid_form(cells: Cells, shape: Shape) -> Job[forms.Form]:
    """The minlex form of a complete legal grid of any shape."""
    if shape != NINE:
        return (yield from shapes.minlex(cells, shape))
    least, maps = forms.minlex_maps(cells)
    return forms.Form(least, len(maps), maps[0])


def puzzle_forms(cells: Cells, shape: Shape) -> Job[PuzzleForms]:
    """The three forms of a legal board with blanks."""
    straight = yield from straight_form(cells, shape)
    pattern = yield from _form(cells, shape, "pattern-first")
    yield Progress(2, 3, "solving")
    solved = yield from solutions(cells, shape)
    solution = solved.found[0] if solved.number == 1 else None
    carried = None
    if solution is not None:
        carried = yield from carried_form(cells, solution, shape)
    return PuzzleForms(
        write_cells(straight.cells),
        write_cells(pattern.cells),
        write_cells(carried.cells) if carried else None,
        straight.ties,
        PuzzleTransforms(
            straight.transform, pattern.transform, carried.transform if carried else None
        ),
        write_cells(solution) if solution else None,
    )


def straight_form(cells: Cells, shape: Shape) -> Job[forms.Form]:
    """The least string of a board, blank < 1 < …; complete grids are allowed."""
    if is_complete(cells):
        return (yield from grid_form(cells, shape))
    return (yield from _form(cells, shape, "straight"))


def _form(cells: Cells, shape: Shape, convention: forms.Least) -> Job[forms.Form]:
    if shape == NINE:
        return forms.puzzle_form(cells, convention)
    form = yield from shapes.puzzle_form(cells, shape, convention)
    order = canonical(cells, shape).order
    return forms.Form(form.cells, order, form.transform)


def carried_form(cells: Cells, solution: Cells, shape: Shape) -> Job[forms.Form]:
    """The puzzle carried along by the minlex of its solution, least over the symmetries."""
    if shape == NINE:
        return forms.carried_form(cells, solution)
    return (yield from shapes.carried_form(cells, solution, shape))
