"""Same or different, for boards of any shape, complete or not: form, group, shortest witness.

The canonical form is not the least string; it serves to decide and comes with the automorphism
group. The witness with the fewest steps is found by trying every transform in the kernel.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.desks.sudoku.transform import Transform, from_map, normalise_unused_digits
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

WORK = SUDOKU.REFINE_WORK
_MOST_GENERATORS = 400
_FACTORS = 256
_SHORTEST_WORK = SUDOKU.SHORTEST_WORK
LARGEST = 9  # symbols: beyond it there are too many transforms to try


class Canonical(NamedTuple):
    """The form, one transform that takes the board to it, the group's order and generators.

    Transforms and order count what happens to cells and used symbols; unused symbols stay put.
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
            [from_map(data[i : i + length], size) for i in range(0, len(data), length)],
        )


def shortest_transform(
    a: Cells, b: Cells, shape: Shape, *, labelled: bool = False
) -> Transform | None:
    """Of all transforms that take `a` to `b` one with the fewest steps, None if there is none.

    Of several the least by transpose, rows, columns. Raises `TooLarge` beyond 9×9.
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
