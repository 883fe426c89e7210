"""Least forms of 9×9 boards: minlex of complete grids, both conventions of puzzles, and carried.

Every function takes and returns many boards at once where a list needs it: a call into the kernel
costs more than a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cluewise.desks.sudoku.position import Cells
from cluewise.desks.sudoku.transform import Transform, from_map
from cluewise.errors import TooLarge
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS, LINE, MAP = SUDOKU.CELLS, SUDOKU.TEXT_LINE, SUDOKU.MAP
MOST_GROUP = SUDOKU.MOST_GROUP
_TOO_LARGE = -2
PUZZLE_WORK = SUDOKU.PUZZLE_WORK
Least = Literal["straight", "pattern-first"]
_NUMBER = {"straight": 0, "pattern-first": 1}


class Form(NamedTuple):
    """A least form, how many transforms attain it, and one that does."""

    cells: Cells
    ties: int
    transform: Transform


def minlex(grids: Cells, count: int) -> tuple[bytes, Sequence[int]]:
    """The minlex forms of `count` complete grids of 81 bytes and the orders of their groups.

    An order is negative where a board is not a complete legal grid.
    """
    with kernel().frame() as frame:
        source, out = frame.put(grids), frame.reserve(CELLS * count)
        orders = frame.reserve(4 * count)
        frame.call("sudoku_minlex", source, count, out, orders)
        return frame.get(out, "B", CELLS * count).tobytes(), frame.get(orders, "i", count)


def minlex_maps(grid: Cells) -> tuple[Cells, list[Transform]]:
    """The minlex form of one complete legal grid and every transform that attains it."""
    form, maps = minlex_map_bytes(grid)
    return form, [from_map(piece, 9) for piece in split(maps, MAP)]


def minlex_map_bytes(grid: Cells) -> tuple[Cells, bytes]:
    """The same with the transforms as the kernel writes them, `MAP` bytes each."""
    with kernel().frame() as frame:
        source, out = frame.put(grid), frame.reserve(CELLS)
        maps = frame.reserve(MAP * MOST_GROUP)
        count = frame.call("sudoku_minlex_maps", source, out, maps, MOST_GROUP)
        data = frame.get(maps, "B", MAP * count).tobytes()
        return frame.get(out, "B", CELLS).tobytes(), data


def puzzle_forms(
    boards: Cells, count: int, convention: Least, *, with_maps: bool = True
) -> tuple[bytes, Sequence[int], bytes]:
    """Forms, automorphism counts (negative: not legal) and the maps' bytes of `count` boards."""
    with kernel().frame() as frame:
        source, out = frame.put(boards), frame.reserve(CELLS * count)
        maps, counts = frame.reserve(MAP * count), frame.reserve(4 * count)
        work = frame.reserve(PUZZLE_WORK)
        frame.call(
            "sudoku_puzzle", source, count, _NUMBER[convention], out, maps, counts, work,
            PUZZLE_WORK,
        )  # fmt: skip
        return (
            frame.get(out, "B", CELLS * count).tobytes(),
            frame.get(counts, "i", count),
            frame.get(maps, "B", MAP * count).tobytes() if with_maps else b"",
        )


def minlex_any(boards: Cells, count: int, convention: Least) -> tuple[bytes, Sequence[int]]:
    """Least forms of boards of both kinds, and how many transforms attain each.

    That number is not above 0 where a board is not legal, or too regular: it has no form then.
    """
    if count and 0 not in boards:
        return minlex(boards, count)
    if not _has_complete(boards):  # hardly a list has a complete grid among puzzles
        return puzzle_forms(boards, count, convention, with_maps=False)[:2] if count else (b"", [])
    pieces = split(boards)
    out, ties = [b""] * count, [0] * count
    for whole in (True, False):
        where = [i for i, cells in enumerate(pieces) if (0 not in cells) == whole]
        some = b"".join(pieces[i] for i in where)
        if where:
            data, counts = (
                minlex(some, len(where))
                if whole
                else puzzle_forms(some, len(where), convention, with_maps=False)[:2]
            )
            for i, form, number in zip(where, split(data), counts, strict=True):
                out[i], ties[i] = form, number
    return b"".join(out), ties


def _has_complete(boards: Cells) -> bool:
    """Whether a board has no blank: one bit a board, the cells one after the other."""
    complete = -1
    for cell in range(CELLS):
        complete &= int.from_bytes(boards[cell::CELLS].translate(_FILLED))
        if not complete:
            return False
    return True


def read_lines(lines: bytes, count: int) -> Cells | None:
    """The boards of `count` plain lines with their newlines, 81 bytes each; None of other lines."""
    with kernel().frame() as frame:
        source, out = frame.put(lines), frame.reserve(CELLS * count)
        if frame.call("sudoku_read", source, count, out) != count:
            return None
        return frame.get(out, "B", CELLS * count).tobytes()


def write_lines(boards: Cells, count: int) -> str:
    """The boards as lines of digits, `.` for a blank, newlines between."""
    with kernel().frame() as frame:
        source, out = frame.put(boards), frame.reserve(LINE * count)
        frame.call("sudoku_write", source, count, out)
        return frame.get(out, "B", LINE * count - 1).tobytes().decode("ascii")


def key_bytes(forms: Cells, count: int) -> bytes:
    """The keys of `count` boards, 16 bytes each: BLAKE2b of a board's 81 bytes."""
    with kernel().frame() as frame:
        source, out = frame.put(forms), frame.reserve(16 * count)
        frame.call("sudoku_keys", source, count, out)
        return frame.get(out, "B", 16 * count).tobytes()


def keys(forms: Cells, count: int) -> str:
    """The same as 32 hexadecimal digits each, newlines between."""
    return key_bytes(forms, count).hex("\n", 16)


_FILLED = bytes([0]) + bytes([1]) * 255


def puzzle_form(board: Cells, convention: Least) -> Form:
    """One board's form in one convention."""
    out, counts, maps = puzzle_forms(board, 1, convention)
    return Form(out, kernel_count(counts[0]), from_map(maps, 9))


def kernel_count(count: int) -> int:
    """A count from a kernel's buffer. Raises `TooLarge` for a board whose ties do not fit."""
    if count == _TOO_LARGE:
        raise TooLarge("This board is so regular that its least form would not fit in memory.")
    assert count >= 0, "the caller has checked that the board is legal"
    return count


def solution_minlex_forms(
    puzzles: Cells, solutions: Cells, count: int
) -> tuple[bytes, list[int], bytes]:
    """Puzzles carried by the minlex of their solutions, least over the solution's symmetries."""
    with kernel().frame() as frame:
        source, solved = frame.put(puzzles), frame.put(solutions)
        out, maps = frame.reserve(CELLS * count), frame.reserve(MAP * count)
        status = frame.reserve(4 * count)
        frame.call("sudoku_carry", source, solved, count, out, maps, status)
        return (
            frame.get(out, "B", CELLS * count).tobytes(),
            frame.get(status, "i", count).tolist(),
            frame.get(maps, "B", MAP * count).tobytes(),
        )


def solution_minlex_form(puzzle: Cells, solution: Cells) -> Form:
    """One puzzle carried along by its solution."""
    out, status, maps = solution_minlex_forms(puzzle, solution, 1)
    return Form(out, kernel_count(status[0]), from_map(maps, 9))


def split(data: bytes, size: int = CELLS) -> list[bytes]:
    """Consecutive pieces of `size` bytes."""
    return [data[i : i + size] for i in range(0, len(data), size)]
