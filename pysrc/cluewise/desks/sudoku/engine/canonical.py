"""Canonical forms, automorphism groups, shortest witnesses and least forms of boards of any shape.

The canonical form (individualisation and refinement, canonical.c) decides isomorphism and yields
the automorphism group; it is not the least string. The shortest witness is found by exhaustive
search over all transforms (shortest.c).

Least forms are found by breadth-first search over partial transforms; beyond 9×9 it has a limit on
memory and raises `TooLarge` if too many of them tie. `same` and `automorphisms` do not need them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.minlex import Form, Least
from cluewise.desks.sudoku.position import NINE, Cells, Shape, is_complete
from cluewise.desks.sudoku.transform import (
    Transform,
    apply,
    compose,
    elements,
    from_map,
    normalise_unused_digits,
)
from cluewise.errors import TooLarge
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.layouts import SUDOKU

WORK = SUDOKU.REFINE_WORK
_MOST_GENERATORS = 400
_FACTORS = 256
_SHORTEST_WORK = SUDOKU.SHORTEST_WORK
LARGEST = 9  # symbols: beyond it there are too many transforms to try


class Canonical(NamedTuple):
    """The form, one transform that takes the board to it, the group's order and generators.

    They act on cells and used symbols; unused symbols are fixed.
    """

    form: Cells
    transform: Transform
    order: int
    generators: list[Transform]


def canonical(cells: Cells, shape: Shape, *, labelled: bool = False) -> Canonical:
    """The canonical form over all transforms; with `labelled` symbols keep their names.

    Raises `TooLarge` for boards so regular that it would take seconds.
    """
    size = shape.size
    length = 3 * size + 2
    with kernel().frame() as frame:
        board, form = frame.put(cells), frame.reserve(shape.cells)
        at = frame.reserve(length)
        factors = frame.reserve(4 * _FACTORS)
        generators = frame.reserve(length * _MOST_GENERATORS)
        work = frame.reserve(WORK)
        count = frame.call(
            "sudoku_shape_refine", R=shape.rows, C=shape.cols, board=board, labelled=int(labelled),
            form=form, map=at, factors=factors, generators=generators, most=_MOST_GENERATORS,
            work=work, room=WORK,
        )  # fmt: skip
        numbers = frame.get(factors, "I", _FACTORS)
        data = frame.get(generators, "B", length * count).tobytes()
        return Canonical(
            frame.get(form, "B", shape.cells).tobytes(),
            from_map(frame.get(at, "B", length), size),
            prod(numbers[1 : 1 + numbers[0]]),
            [from_map(generator, size) for generator in minlex.split(data, length)],
        )


def shortest_transform(
    a: Cells, b: Cells, shape: Shape, *, labelled: bool = False
) -> Transform | None:
    """The transform from `a` to `b` with the fewest steps, None if there is none.

    Ties are broken by transpose, rows, columns. Raises `TooLarge` beyond 9×9.
    """
    length = 3 * shape.size + 2
    with kernel().frame() as frame:
        source, target = frame.put(a), frame.put(b)
        at, work = frame.reserve(length), frame.reserve(_SHORTEST_WORK)
        found = frame.call(
            "sudoku_shape_shortest", shape.rows, shape.cols, source, target, int(labelled),
            at, work, _SHORTEST_WORK,
        )  # fmt: skip
        if not found:
            return None
        return normalise_unused_digits(from_map(frame.get(at, "B", length), shape.size), a)


_ROOM = 40 << 20
MOST_CARRIED = 20_000  # symmetries of a solution that a carried form tries


@contextmanager
def _limit(what: str) -> Iterator[None]:
    try:
        yield
    except TooLarge:
        raise TooLarge(
            f"{what} has so many ties that its least form would need more than "
            f"{_ROOM >> 20} MB. “Same or different” and the symmetries can still be answered."
        ) from None


def grid_form(grid: Cells, shape: Shape) -> Job[Form]:
    """A job: the minlex form of a complete legal grid."""
    if shape == NINE:
        least, maps = minlex.minlex_maps(grid)
        return Form(least, len(maps), maps[0])
    with kernel().frame() as frame, _limit("This grid"):
        source, work = frame.put(grid), frame.reserve(_ROOM)
        frame.call("sudoku_shape_minlex_begin", *shape, source, work, _ROOM)
        return (yield from _run(frame, shape, "sudoku_shape_minlex", work))


def straight_form(board: Cells, shape: Shape) -> Job[Form]:
    """A job: the least string of a board, blank < 1 < …; complete grids are allowed."""
    if is_complete(board):
        return (yield from grid_form(board, shape))
    return (yield from least_form(board, shape, "straight"))


def least_form(board: Cells, shape: Shape, convention: Least) -> Job[Form]:
    """A job: the least form of a legal board with blanks in one convention."""
    if shape == NINE:
        return minlex.puzzle_form(board, convention)
    with kernel().frame() as frame, _limit("This board"):
        source, work = frame.put(board), frame.reserve(_ROOM)
        by_pattern = int(convention == "pattern-first")
        frame.call("sudoku_shape_puzzle_begin", *shape, source, by_pattern, work, _ROOM)
        form = yield from _run(frame, shape, "sudoku_shape_puzzle", work)
    return form._replace(ties=canonical(board, shape).order)


def _run(frame: Frame, shape: Shape, name: str, work: int) -> Job[Form]:
    """Run a search of the kernel that has begun to its end."""
    pace, done = SliceTimer(first=500), 0
    while not frame.call(f"{name}_run", work, pace.rows(1 << 20)):
        pace.took()
        done += 1
        yield Progress(done, None, "least form")
    length = 3 * shape.size + 2
    out, at = frame.reserve(shape.cells), frame.reserve(length)
    count = frame.call(f"{name}_result", work, out, at)
    cells = frame.get(out, "B", shape.cells).tobytes()
    return Form(cells, count, from_map(frame.get(at, "B", length), shape.size))


def carried_form(puzzle: Cells, solution: Cells, shape: Shape) -> Job[Form]:
    """A job: the puzzle under the transforms of its solution to minlex form, the least of them."""
    if shape == NINE:
        return minlex.solution_minlex_form(puzzle, solution)
    form = yield from grid_form(solution, shape)
    group = canonical(solution, shape)
    if group.order > MOST_CARRIED:
        raise TooLarge(f"The solution has {group.order} symmetries, more than {MOST_CARRIED}.")
    symmetries, _ = elements(group.generators, shape.size, group.order)
    return (yield from least_image(puzzle, symmetries, form.transform))


def least_image(puzzle: Cells, symmetries: Sequence[Transform], then: Transform) -> Job[Form]:
    """A job: the least image of the puzzle under a symmetry followed by `then`; ties: the first."""
    best: tuple[Cells, Transform] | None = None
    ties = 0
    for i, symmetry in enumerate(symmetries):
        t = compose(symmetry, then)
        cells = apply(t, puzzle)
        if best is None or cells < best[0]:
            best, ties = (cells, t), 0
        ties += cells == best[0]
        if i % 200 == 199:
            yield Progress(i, len(symmetries), "symmetries of the solution")
    assert best is not None, "the identity is a symmetry"
    return Form(best[0], ties, best[1])
