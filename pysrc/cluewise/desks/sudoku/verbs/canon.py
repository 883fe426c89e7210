"""The verb `canon`: least forms of a grid, or of a puzzle in three conventions."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine import minlex, shape_minlex
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.engine.solver import solutions_within
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import GridForm, PuzzleForms, PuzzleTransforms
from cluewise.desks.sudoku.verbs import variants
from cluewise.errors import TooLarge


def canon(position: Position, options: NoOptions) -> Job[GridForm | PuzzleForms]:
    """A complete grid's minlex form, or a puzzle's forms in the three conventions.

    With constraints, the least strings over the symmetries that keep them.
    """
    if variants.is_variant(position):
        return (yield from variants.canon(position))
    (cells,) = boards(position, 1)
    left = words(position.constraints)
    if is_complete(cells):
        form = yield from grid_form(cells, position.shape)
        return GridForm(write_cells(form.cells), form.ties, form.transform, not_compared=left)
    found = yield from puzzle_forms(cells, position.shape)
    return replace(found, not_compared=left)


def grid_form(cells: Cells, shape: Shape) -> Job[minlex.Form]:
    """The minlex form of a complete legal grid of any shape."""
    if shape != NINE:
        return (yield from shape_minlex.minlex(cells, shape))
    least, maps = minlex.minlex_maps(cells)
    return minlex.Form(least, len(maps), maps[0])


def puzzle_forms(cells: Cells, shape: Shape) -> Job[PuzzleForms]:
    """The three forms of a legal board with blanks.

    The first two come at once; the third needs the solution, and whether a large board has just
    one can take any time: it is looked for so long and no longer.
    """
    straight = yield from straight_form(cells, shape)
    pattern = yield from least_form(cells, shape, "pattern-first")
    found = PuzzleForms(
        write_cells(straight.cells), write_cells(pattern.cells), None, straight.ties,
        PuzzleTransforms(straight.transform, pattern.transform, None), None, _NOT_YET,
    )  # fmt: skip
    yield Progress(2, 3, "looking for the solution", found)
    searching = solutions_within(cells, shape, variants.CARRIED_PATIENCE)
    solved = yield from _with_best(searching, found)
    why = variants.why_no_carried(solved)
    if solved is None or why:
        return replace(found, no_carried=why)
    found = replace(found, solution=write_cells(solved.found[0]))
    try:
        carried = yield from _with_best(carried_form(cells, solved.found[0], shape), found)
    except TooLarge as problem:
        return replace(found, no_carried=problem.message)
    transforms = replace(found.transforms, solution_carried=carried.transform)
    text = write_cells(carried.cells)
    return replace(found, solution_carried=text, transforms=transforms, no_carried="")


_NOT_YET = "The solution is still being looked for."
R = TypeVar("R")


def _with_best(job: Job[R], best: PuzzleForms) -> Job[R]:
    """The job, with what is known already next to its progress."""
    while True:
        try:
            step = next(job)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # StopIteration.value is untyped
        yield Progress(step.done, step.total, step.note, best)


def straight_form(cells: Cells, shape: Shape) -> Job[minlex.Form]:
    """The least string of a board, blank < 1 < …; complete grids are allowed."""
    if is_complete(cells):
        return (yield from grid_form(cells, shape))
    return (yield from least_form(cells, shape, "straight"))


def least_form(cells: Cells, shape: Shape, convention: minlex.Least) -> Job[minlex.Form]:
    """The least form of a legal board with blanks in one convention."""
    if shape == NINE:
        return minlex.puzzle_form(cells, convention)
    form = yield from shape_minlex.puzzle_form(cells, shape, convention)
    order = canonical(cells, shape).order
    return minlex.Form(form.cells, order, form.transform)


def carried_form(cells: Cells, solution: Cells, shape: Shape) -> Job[minlex.Form]:
    """The puzzle carried along by the minlex of its solution, least over the symmetries."""
    if shape == NINE:
        return minlex.solution_minlex_form(cells, solution)
    return (yield from shape_minlex.carried_form(cells, solution, shape))
