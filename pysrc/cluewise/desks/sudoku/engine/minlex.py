"""Least forms of 9×9 boards: minlex of complete grids, both conventions of puzzles, and carried.

Functions for lists take and return many boards: a call into the kernel costs more than a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.position import Cells
from cluewise.desks.sudoku.transform import Transform, from_map
from cluewise.errors import TooLarge
from cluewise.kernel.call import Buffer, kernel
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
    return form, [from_map(data, 9) for data in split(maps, MAP)]


def minlex_map_bytes(grid: Cells) -> tuple[Cells, bytes]:
    """The same with the transforms in the kernel's format, `MAP` bytes each."""
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
        maps = frame.reserve(MAP * count) if with_maps else 0
        counts, work = frame.reserve(4 * count), frame.reserve(PUZZLE_WORK)
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
    """Least forms of puzzles and complete grids, and how many transforms attain each.

    That number is not above 0 where a board is not legal, or too regular: it has no form then.
    """
    return puzzle_forms(boards, count, convention, with_maps=False)[:2]


def answer_lines(lines: Buffer, count: int, convention: Least, *, keyed: bool) -> bytearray | None:
    """The forms of `count` plain lines as such lines, or their keys, 16 bytes each.

    The last line needs no newline. None if a line is not plain or its board has no form.
    """
    with kernel().frame() as frame:
        text, boards = frame.reserve(LINE * count), frame.reserve(CELLS * count)
        forms, counts = frame.reserve(CELLS * count), frame.reserve(4 * count)
        work = frame.reserve(PUZZLE_WORK)
        frame.write(text + LINE * count - 1, b"\n")
        frame.write(text, lines)
        if frame.call("sudoku_read", text, count=count, boards=boards) != count:
            return None
        frame.call(
            "sudoku_puzzle", boards, count=count, convention=_NUMBER[convention], out=forms,
            maps=0, counts=counts, work=work, room=PUZZLE_WORK,
        )  # fmt: skip
        if not frame.get(counts, "B", 4 * count).tobytes()[3::4].isascii():
            return None  # a number is negative
        if keyed:
            frame.call("sudoku_keys", forms, count=count, out=text)
        else:
            frame.call("sudoku_write", forms, count=count, text=text)
        out = bytearray((16 if keyed else LINE) * count)
        frame.read_into(text, out)
        return out


def key_bytes(forms: Cells, count: int) -> bytes:
    """The keys of `count` boards, 16 bytes each: BLAKE2b of a board's 81 bytes."""
    with kernel().frame() as frame:
        source, out = frame.put(forms), frame.reserve(16 * count)
        frame.call("sudoku_keys", source, count, out)
        return frame.get(out, "B", 16 * count).tobytes()


def keys(forms: Cells, count: int) -> str:
    """The keys as 32 hexadecimal digits each, separated by newlines."""
    return key_bytes(forms, count).hex("\n", 16)


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


class Carried(NamedTuple):
    """The number of solutions of a board, negative if the quick solver gave up.

    If there is one: the least form of the solution, the board carried there, and the map.
    """

    solutions: int
    grid: Cells = b""
    cells: Cells = b""
    map: bytes = b""


def carried_boards(boards: Sequence[Cells]) -> list[Carried]:
    """9×9 boards carried along by the least forms of their solutions, many at once."""
    found, counts = solve_nine(b"".join(boards), len(boards)) if boards else (b"", [])
    out = [Carried(count) for count in counts]
    unique = [i for i, count in enumerate(counts) if count == 1]
    if unique:
        solved = b"".join(found[2 * CELLS * i : 2 * CELLS * i + CELLS] for i in unique)
        puzzles = b"".join(boards[i] for i in unique)
        carried, _, maps = solution_minlex_forms(puzzles, solved, len(unique))
        least, _ = minlex(solved, len(unique))
        parts = zip(split(least), split(carried), split(maps, MAP), strict=True)
        for i, one in zip(unique, parts, strict=True):
            out[i] = Carried(1, *one)
    return out


def solution_minlex_form(puzzle: Cells, solution: Cells) -> Form:
    """One puzzle carried along by its solution."""
    out, status, maps = solution_minlex_forms(puzzle, solution, 1)
    return Form(out, kernel_count(status[0]), from_map(maps, 9))


def split(data: bytes, size: int = CELLS) -> list[bytes]:
    """Consecutive slices of `size` bytes."""
    return [data[i : i + size] for i in range(0, len(data), size)]
