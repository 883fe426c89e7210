"""The kernel's mines functions refuse bad input, never trap and never write past a buffer."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluewise.desks.mines.engine.board import packed, state
from cluewise.desks.mines.position import graph
from cluewise.errors import BadInput, TooLarge
from cluewise.kernel import kernel
from reference.mines_boards import random_position

NUMBERS = st.integers(-3, 40) | st.sampled_from([2**31 - 1, -(2**31), 1000, 1001])


@given(st.integers(0, 100_000), st.data())
@settings(deadline=None, max_examples=150)
def test_damaged_boards_never_trap(seed: int, data: st.DataObject) -> None:
    board = packed(graph(random_position(seed, most=8)))[:]
    cells = array("h", [-1]) * 8
    for _ in range(data.draw(st.integers(1, 3))):
        board[data.draw(st.integers(0, len(board) - 1))] = data.draw(NUMBERS)
    length = data.draw(st.integers(0, len(board)))
    if 0 <= board[0] <= 1000:
        cells = array("h", [-1]) * max(1, board[0])
    with kernel().frame() as frame:
        at, marks = frame.put(board), frame.put(cells)
        work, out = frame.reserve(1 << 20), frame.reserve(1 << 18)
        for name, extra in (
            ("mines_count_begin", (0, 0, 0, work, 1 << 20, 500, out)),
            ("mines_search_begin", (0, work, 1 << 20)),
            ("mines_sums_begin", (0, work, 1 << 20)),
            ("mines_closure_begin", (0, 9, 3, 100, work, 1 << 20)),
        ):
            try:
                frame.call(name, at, length, marks, *extra)
            except (BadInput, TooLarge):
                continue


@given(st.integers(0, 100_000), st.integers(0, 60_000))
@settings(deadline=None, max_examples=100)
def test_small_workspaces_are_refused_and_never_overrun(seed: int, size: int) -> None:
    position = random_position(seed, most=12)
    board, cells = packed(graph(position)), state(position)
    with kernel().frame() as frame:
        at, marks, work = frame.put(board), frame.put(cells), frame.reserve(size + 64)
        guard = frame.put(b"\xa5" * 4096)
        try:
            out = frame.reserve(8 * 17 * (len(cells) + 1))
            given = at, len(board), marks, 0, 0, 0, work, size
            status = frame.call("mines_count_begin", *given, 500, out)
            while status == 1:
                status = frame.call("mines_count_run", work, 500, out)
        except (BadInput, TooLarge):
            pass
        try:
            frame.call("mines_closure_begin", at, len(board), marks, 0, 9, 3, 50, work, size)
            for _ in range(50):
                if frame.call("mines_closure_step", work, 3, -1, 100) != 2:
                    break
        except (BadInput, TooLarge):
            pass
        try:
            for name in ("mines_sums_backbone", "mines_sums_most", "mines_sums_least"):
                frame.call("mines_sums_begin", at, len(board), marks, 0, work, size)
                clues = (len(graph(position).groups) + len(cells) + 7) // 8
                asked = array("i", [-1, 0, 0, 0, 1, 0, 50]).tobytes() + b"\xff" * 2 * clues
                question, answer = frame.put(asked), frame.reserve(clues + len(cells))
                extra = (answer, 1) if name == "mines_sums_backbone" else (question, answer)
                while frame.call(name, work, *extra) == 2:
                    frame.write(question, array("i", [-1, 0, 0, 0, 1, 1, 50]))
        except (BadInput, TooLarge):
            pass
        assert frame.get(guard, "B", 4096).tobytes() == b"\xa5" * 4096


@pytest.mark.parametrize("mark", [-4, -100])
def test_invalid_cell_states_are_refused(mark: int) -> None:
    board = array("i", [1, 0, 0, 0, 0])
    with kernel().frame() as frame:
        at, cells, work = frame.put(board), frame.put(array("h", [mark])), frame.reserve(1 << 16)
        out = frame.reserve(1 << 10)
        with pytest.raises(BadInput):
            frame.call("mines_count_begin", at, 5, cells, 0, 0, 0, work, 1 << 16, 500, out)
        with pytest.raises(BadInput):
            frame.call("mines_search_begin", at, 5, cells, 0, work, 1 << 16)
        with pytest.raises(BadInput):
            frame.call("mines_sums_begin", at, 5, cells, 0, work, 1 << 16)
