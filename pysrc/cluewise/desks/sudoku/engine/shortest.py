"""The witness with the fewest steps, by trying every transform in the kernel."""

from __future__ import annotations

from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.desks.sudoku.transform import Transform, from_map, normalise_unused_digits
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

_WORK = SUDOKU.SHORTEST_WORK
LARGEST = 9  # symbols: beyond it there are too many transforms to try


def shortest_transform(
    a: Cells, b: Cells, shape: Shape, *, labelled: bool = False
) -> Transform | None:
    """Of all transforms that take `a` to `b` one with the fewest steps, None if there is none.

    Of several the least by transpose, rows, columns. Raises `TooLarge` beyond 9×9.
    """
    length = 3 * shape.size + 2
    with kernel().frame() as frame:
        source, target = frame.put(a), frame.put(b)
        at, work = frame.reserve(length), frame.reserve(_WORK)
        found = frame.call(
            "sudoku_shape_shortest", shape.rows, shape.cols, source, target, int(labelled),
            at, work, _WORK,
        )  # fmt: skip
        if not found:
            return None
        return normalise_unused_digits(from_map(frame.get(at, "B", length), shape.size), a)
