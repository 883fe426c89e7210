"""Random sudoku transforms, for properties that hold under each of them."""

from __future__ import annotations

from hypothesis import strategies as st

from cluewise.desks.sudoku.position import Shape
from cluewise.desks.sudoku.transform import Transform


@st.composite
def lines(draw: st.DrawFn, blocks: int, inside: int) -> tuple[int, ...]:
    """An order of the lines that keeps blocks together."""
    order = draw(st.permutations(range(blocks)))
    return tuple(
        block * inside + i for block in order for i in draw(st.permutations(range(inside)))
    )


@st.composite
def transforms(draw: st.DrawFn, shape: Shape, *, labelled: bool = False) -> Transform:
    """Any transform of a shape; `labelled`: symbols keep their names."""
    still = range(1, shape.size + 1)
    digits = still if labelled else draw(st.permutations(still))
    turn = shape.square and draw(st.booleans())
    rows, cols = draw(lines(shape.cols, shape.rows)), draw(lines(shape.rows, shape.cols))
    return Transform(turn, rows, cols, (0, *digits))
