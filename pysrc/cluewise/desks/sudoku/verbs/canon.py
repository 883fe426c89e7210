"""Least forms of a grid, or of a puzzle in three conventions (`canon`); symmetries of a board."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import names_of
from cluewise.desks.sudoku.engine.canonical import (
    canonical,
    carried_form,
    grid_form,
    least_form,
    straight_form,
)
from cluewise.desks.sudoku.engine.solver import solutions_within
from cluewise.desks.sudoku.position import (
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import (
    AutomorphismOptions,
    Automorphisms,
    GridForm,
    PuzzleForms,
    PuzzleTransforms,
)
from cluewise.desks.sudoku.transform import elements, few_generators, key
from cluewise.desks.sudoku.verbs import variants
from cluewise.errors import TooLarge


def canon(position: Position, options: NoOptions) -> Job[GridForm | PuzzleForms]:
    """A complete grid's minlex form, or a puzzle's forms in the three conventions.

    With constraints, the least strings over the symmetries that preserve them.
    """
    if variants.is_variant(position):
        return (yield from variants.canon(position))
    (cells,) = boards(position, 1)
    left = names_of(position.constraints)
    if is_complete(cells):
        form = yield from grid_form(cells, position.shape)
        return GridForm(write_cells(form.cells), form.ties, form.transform, not_compared=left)
    found = yield from puzzle_forms(cells, position.shape)
    return replace(found, not_compared=left)


def puzzle_forms(cells: Cells, shape: Shape) -> Job[PuzzleForms]:
    """The three forms of a legal board with blanks.

    The first two are reported at once; the third needs the solution. Whether a large board has only
    one can take any time, so that search has a limit.
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
    """The job, with the forms found so far in its progress."""
    while True:
        try:
            step = next(job)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # StopIteration.value is untyped
        yield Progress(step.done, step.total, step.note, best)


def automorphisms(position: Position, options: AutomorphismOptions) -> Job[Automorphisms]:
    """`{"count": 648, "generators": […], "all": […]}`.

    With constraints, the symmetries are those that preserve them; they are computed from the
    constraints, so there may be some that no plain sudoku has. `of` constraints: `count` is the
    number of cell maps that preserve them, whatever the givens, with any renaming that they allow.
    """
    if options.of == "constraints" or variants.is_variant(position):
        whole = options.of == "constraints"
        return (yield from variants.automorphisms(position, options.limit, of_constraints=whole))
    (cells,) = boards(position, 1)
    size = position.shape.size
    found = canonical(cells, position.shape)
    yield from ()
    generators = few_generators(found.generators, size, found.order)
    listed, complete = elements(generators, size, options.limit) if options.limit else ([], False)
    left = names_of(position.constraints)
    return Automorphisms(
        found.order, generators, sorted(listed, key=key), complete, not_compared=left
    )
