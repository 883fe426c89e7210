"""No bytes make the kernel trap: boards of any content are answered, refused or too large."""

from array import array

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.grid_rank import RANK_WORK, numbers
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.layouts import SUDOKU

COUNT = 3
BOARDS = st.one_of(
    st.binary(min_size=81 * COUNT, max_size=81 * COUNT),
    st.lists(st.integers(0, 9), min_size=81 * COUNT, max_size=81 * COUNT).map(bytes),
    st.lists(st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2, 9]), min_size=243, max_size=243).map(bytes),
)
SHAPES = st.sampled_from([(2, 2), (2, 3), (3, 3), (4, 4), (5, 5), (6, 6), (1, 9), (7, 7), (0, 0)])


def ask(frame: Frame, name: str, *arguments: int) -> int:
    return frame.kernel.host.call(name, arguments)


def has_conflict(board: bytes, rows: int = 3, cols: int = 3) -> bool:
    """Whether a board of boxes `rows` × `cols` is refused: its shape, a symbol or a repetition."""
    size = rows * cols
    if not (2 <= rows <= 6 and 2 <= cols <= 6) or max(board) > size:
        return True
    shown = [(i // size, i % size, symbol) for i, symbol in enumerate(board) if symbol]
    units = [
        unit
        for r, c, symbol in shown
        for unit in (("row", r, symbol), ("col", c, symbol), (r // rows, c // cols, symbol))
    ]
    return len(set(units)) < len(units)


@given(BOARDS)
@example(bytes(243))
@settings(deadline=None, max_examples=150)
def test_boards_of_any_bytes(data: bytes) -> None:
    boards = [data[i : i + 81] for i in range(0, 243, 81)]
    with kernel().frame() as frame:
        source, out = frame.put(data), frame.reserve(4 * len(data))
        counts, maps = frame.reserve(4 * COUNT), frame.reserve(29 * 720)
        work = frame.reserve(minlex.PUZZLE_WORK)
        assert ask(frame, "sudoku_minlex", source, COUNT, out, counts) == COUNT
        complete = [0 not in b and not has_conflict(b) for b in boards]
        assert [n > 0 for n in frame.get(counts, "i", COUNT)] == complete
        for convention in (0, 1):
            ask(frame, "sudoku_puzzle", source, COUNT, convention, out, maps, counts, work,
                minlex.PUZZLE_WORK)  # fmt: skip
            found = frame.get(counts, "i", COUNT)
            assert [n == -1 for n in found] == [has_conflict(b) for b in boards]
        ask(frame, "sudoku_solve", source, COUNT, 2, out, counts)
        assert [n == -1 for n in frame.get(counts, "i", COUNT)] == [has_conflict(b) for b in boards]
        ask(frame, "sudoku_carry", source, source + 81, 2, out, maps, counts)
        state = frame.put(array("Q", [1, 2]))
        ask(frame, "sudoku_minimal", state, source, COUNT, out, counts)
        assert ask(frame, "sudoku_nearest_begin", source, source + 81, work, 65536) == -1 or not (
            has_conflict(boards[0]) or has_conflict(boards[1])
        )


@given(SHAPES, st.data())
@settings(deadline=None, max_examples=150)
def test_shapes_and_boards_of_any_bytes(shape: tuple[int, int], data: st.DataObject) -> None:
    rows, cols = shape
    cells = max(1, (rows * cols) ** 2)
    few = st.integers(0, rows * cols + 1)
    board = data.draw(st.one_of(st.just(bytes(cells)), st.builds(
        lambda spots: bytes(spots.get(i, 0) for i in range(cells)),
        st.dictionaries(st.integers(0, cells - 1), few, max_size=12),
    )))  # fmt: skip
    room = 8 << 20
    with kernel().frame() as frame:
        source, out, work = frame.put(board), frame.reserve(20_000), frame.reserve(room)
        bad = has_conflict(board, rows, cols)
        results = [
            ask(frame, "sudoku_shape_refine", rows, cols, source, labelled, out, out + 2000,
                out + 4000, out + 8000, 50, work, room)
            for labelled in (0, 1)
        ]  # fmt: skip
        assert all((result == -1) == bad for result in results)
        short = ask(frame, "sudoku_shape_shortest", rows, cols, source, source, 0, out, work, 32768)
        assert short == (-1 if bad else -2 if rows * cols > 9 else 1)
        begun = ask(frame, "sudoku_shape_puzzle_begin", rows, cols, source, 1, work, room)
        assert (begun == -1) == bad
        if begun == 0:
            ask(frame, "sudoku_shape_puzzle_run", work, 300)
            ask(frame, "sudoku_shape_puzzle_result", work, out, out + 2000)
        assert ask(frame, "sudoku_shape_minlex_begin", rows, cols, source, work, room) == -1
        begun = ask(frame, "sudoku_shape_solve_begin", rows, cols, source, 2, work, room)
        if begun == 0 and not bad:
            ask(frame, "sudoku_shape_solve_run", work, out, 5)


@given(BOARDS, st.sampled_from([-1, 0, 1, 416, 417]))
@settings(deadline=None, max_examples=30)
def test_numbers_of_any_bytes_and_of_bands_that_do_not_exist(data: bytes, band: int) -> None:
    known = finish(numbers())
    with kernel().frame() as frame:
        source, out = frame.put(data), frame.reserve(64)
        work = frame.reserve(RANK_WORK)
        complete = 0 not in data[:81] and not has_conflict(data[:81])
        assert (ask(frame, "sudoku_bands_of", known.bands, source, out) > 0) == complete
        assert ask(frame, "sudoku_rank_begin", known.bands, band, work, 1000) == -2
        rows = ask(frame, "sudoku_rank_begin", known.bands, band, work, RANK_WORK)
        assert (rows > 0) == (1 <= band <= 416)
        if rows > 0:
            assert ask(frame, "sudoku_rank_place", work, source, out) == -1
            for first, count in ((-1, 1), (rows, 1), (0, rows + 1)):
                assert ask(frame, "sudoku_rank_count", work, first, count, out) == -1
            assert ask(frame, "sudoku_rank_grids", work, rows, 0, 1, source, out) == -1
            assert ask(frame, "sudoku_rank_grids", work, 0, 2**31 - 1, 1, source, out) == 0


@given(st.sampled_from([1, 2, 4, 9, 16, 17]), st.data())
@settings(deadline=None, max_examples=150)
def test_rules_of_any_numbers(n: int, data: st.DataObject) -> None:
    cell, number = st.integers(-1, n * n), st.integers(-3, 30)
    kind, count = st.integers(1, 8), st.integers(1, 5)
    rule = st.tuples(kind, count, number, st.lists(cell | number, max_size=24)).map(
        lambda parts: [*parts[:3], *parts[3]]
    )
    streams = st.lists(rule, max_size=5).map(lambda rules: [x for one in rules for x in one])
    code = data.draw(streams | st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20))
    domains = data.draw(st.lists(st.integers(0, 2**32 - 1), min_size=n * n, max_size=n * n))
    room = SUDOKU.VARIANT_WORK
    with kernel().frame() as frame:
        source, stream = frame.put(array("I", domains)), frame.put(array("i", [*code, 0]))
        work, out = frame.reserve(room), frame.reserve(2 * 17 * 17)
        begun = ask(frame, "sudoku_variant_begin", n, source, stream, len(code), 2, work, room)
        assert begun in (-2, -1, 0)
        assert begun == -1 or 2 <= n <= 16
        ran = ask(frame, "sudoku_variant_run", work, out, 20)
        assert ran in ((0, 1, 2, 3) if begun == 0 else (-1,))
