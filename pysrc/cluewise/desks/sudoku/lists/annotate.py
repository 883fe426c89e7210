"""Table rows and class keys of the boards of a list, and class numbers by the keys.

>>> ",".join(COLUMNS)
'givens,symmetries,form,solutions,carried,grid,number'

All boards are 9×9, many at once. `form` is the least form in the chosen convention; `solutions` is
0, 1 or >=2 (empty where the quick solver gave up). `carried` and `grid`, the puzzle carried to the
least form of its solution and that form, are empty unless the solution is unique. So is `number`,
the grid's rank among all classes, which takes milliseconds and is optional.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.grid_rank import numbers
from cluewise.desks.sudoku.position import NINE, Cells, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import By, Convention

COLUMNS = ("givens", "symmetries", "form", "solutions", "carried", "grid", "number")
CELLS = 81
_NO_GRID = "It has no unique solution, so it belongs to no grid."
_TOO_REGULAR = "This board is too regular for a least form."


def rows(boards: Sequence[Cells], convention: Convention) -> list[tuple[str, str]]:
    """(row, problem) of each board."""
    least = _least_forms(boards, convention)
    out = []
    for cells, (form, ties), solved in zip(
        boards, least, minlex.carried_boards(boards), strict=True
    ):
        if ties <= 0:
            out.append(("", why_no_answer(cells)))
            continue
        shown = solved.cells if convention == "solution-carried" else form
        row = (
            str(CELLS - cells.count(0)), str(ties), write_cells(shown),
            {0: "0", 1: "1", 2: ">=2"}.get(solved.solutions, ""), write_cells(solved.cells),
            write_cells(solved.grid), "",
        )  # fmt: skip
        out.append((",".join(row), ""))
    return out


def why_no_answer(cells: Cells, why: str = _TOO_REGULAR) -> str:
    """Why a 9×9 board has no least form, or no grid: it breaks the rules, else `why`."""
    return conflict(cells, NINE) or why


def numbered(rows: Sequence[str]) -> Job[list[str]]:
    """The rows with the numbers of their grids; equal grids are looked up once."""
    known = yield from numbers()
    found: dict[str, int] = {}
    out = []
    for i, row in enumerate(rows):
        grid = row.rpartition(",")[0].rpartition(",")[2]
        if grid and grid not in found:
            found[grid] = known.of(read_cells(grid, NINE))
            yield Progress(i, len(rows), "numbers of grids")
        out.append(f"{row}{found[grid]}" if grid else row)
    return out


def keys(boards: Sequence[Cells], by: By) -> list[tuple[str, str]]:
    """(key, problem) of each board: equal keys for one solution grid, pattern or symmetries."""
    if by == "solution":
        found = [key_of(one.grid) if one.grid else "" for one in minlex.carried_boards(boards)]
        problem = _NO_GRID
    else:
        least = _least_forms(boards, "pattern-first")
        found = [_key_of_form(form, ties, by) if ties > 0 else "" for form, ties in least]
        problem = _TOO_REGULAR
    return [
        (key, "") if key else ("", why_no_answer(cells, problem))
        for key, cells in zip(found, boards, strict=True)
    ]


def _key_of_form(form: Cells, ties: int, by: str) -> str:
    if by == "symmetries":
        return f"{ties:032x}"
    return key_of(bytes(d > 0 for d in form) if by == "pattern" else form)


def key_of(cells: Cells) -> str:
    """32 hexadecimal digits: equal for equal boards, up to collisions of 128-bit hashes."""
    return hashlib.blake2b(cells, digest_size=16).hexdigest()


def _least_forms(boards: Sequence[Cells], convention: Convention) -> Iterator[tuple[Cells, int]]:
    """Yield the least form of each board and its automorphisms, not above 0 if it has no form."""
    name: minlex.Least = "pattern-first" if convention == "pattern-first" else "straight"
    data, ties = minlex.minlex_any(b"".join(boards), len(boards), name)
    yield from zip(minlex.split(data), ties, strict=True)


class ClassNumbering:
    """Class numbers from 0 in the order of first appearance; stores a key of 16 bytes a class."""

    def __init__(self) -> None:
        self._number = defaultdict[bytes, int]()
        self._number.default_factory = self._number.__len__  # before the new key is there

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, keys: Sequence[bytes]) -> tuple[list[int | None], list[int]]:
        """The class of each key, None for an empty one; and the indices of first members.

        >>> ClassNumbering().numbers([b"first", b"", b"second", b"first"])
        ([0, None, 1, 0], [0, 2])
        """
        found, fresh, firsts = self._number, len(self._number), []
        number_of = found.__getitem__
        numbers: list[int | None] = (
            [number_of(key) if key else None for key in keys]
            if b"" in keys
            else list(map(number_of, keys))
        )
        for i, number in enumerate(numbers if len(found) > fresh else ()):
            if number == fresh:
                firsts.append(i)
                fresh += 1
        return numbers, firsts


def pack_keys(text: str) -> list[bytes]:
    """Keys of 32 hexadecimal digits a line, or empty lines, as bytes."""
    data = bytes.fromhex(text)
    keys = [data[i : i + 16] for i in range(0, len(data), 16)]
    if len(text) == 33 * len(keys) - 1:
        return keys
    return [bytes.fromhex(key) for key in text.split("\n")]
