"""Slow, obvious sudoku grids: all 3 359 232 transforms, all fillings, all 1296 column orders."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes2 = NDArray[np.uint8]
POWERS = 10 ** np.arange(8, -1, -1, dtype=np.int64)


def orders_of(blocks: int, inside: int) -> list[tuple[int, ...]]:
    """All orders of blocks × inside lines that keep blocks together."""
    inner = list(permutations(range(inside)))
    return [
        tuple(inside * block + i for block, order in zip(outer, rest, strict=True) for i in order)
        for outer in permutations(range(blocks))
        for rest in product(inner, repeat=blocks)
    ]


@cache
def line_orders() -> Bytes2:
    """All 1296 orders of nine lines that keep chutes together."""
    return np.array(orders_of(3, 3), np.uint8)


def board(text: str) -> Bytes2:
    """A 9×9 array from 81 characters."""
    return np.array([0 if c in ".0" else int(c) for c in text], np.uint8).reshape(9, 9)


def text_of(values: list[int]) -> str:
    """81 characters from nine rows, each a number of nine digits; blank is a dot."""
    return "".join(f"{value:09d}" for value in values).replace("0", ".")


def relabelled(row: Bytes2, labels: Bytes2, following: Bytes2) -> NDArray[np.int64]:
    """Rows as numbers; unseen digits get the next labels. Changes `labels` and `following`."""
    out = np.empty(row.shape, np.int64)
    at = np.arange(len(row))
    for p in range(9):
        digit = row[:, p]
        new = (digit > 0) & (labels[at, digit] == 0)
        labels[at[new], digit[new]] = following[new]
        following[new] += 1
        out[:, p] = labels[at, digit]
    return out @ POWERS


def least_form(
    cells: Bytes2,
    only: list[tuple[int, int, NDArray[np.intp]]] | None = None,
    pattern: bool = False,
) -> tuple[str, list[tuple[int, int, NDArray[np.intp]]]]:
    """The least string and all that attain it as (transposed, row order, column orders)."""
    orders = line_orders()
    everything = np.arange(len(orders))
    todo = only or [(t, r, everything) for t in (0, 1) for r in range(len(orders))]
    best: list[int] = []
    found: list[tuple[int, int, NDArray[np.intp]]] = []
    for t, r, alive in todo:
        source = cells.T if t else cells
        labels = np.zeros((len(alive), 10), np.uint8)
        following = np.ones(len(alive), np.uint8)
        mine: list[int] = []
        for depth in range(9):
            row = source[orders[r][depth]][orders[alive]]
            if pattern:
                values = (row > 0).astype(np.int64) @ POWERS
            else:
                values = relabelled(row, labels, following)
            least = int(values.min())
            if best and mine == best[:depth] and least > best[depth]:
                break
            keep = values == least
            alive, labels, following = alive[keep], labels[keep], following[keep]
            mine.append(least)
        else:
            if not best or mine < best:
                best, found = mine, []
            found.append((t, r, alive))
    return text_of(best), found


def straight(text: str) -> tuple[str, int]:
    """The least string (blank < 1 < … < 9) and how many transforms attain it."""
    form, found = least_form(board(text))
    return form, sum(len(columns) for _, _, columns in found)


def pattern_first(text: str) -> tuple[str, int]:
    """Least 0/1 pattern first, then least digits; and how many transforms attain it."""
    _, attain = least_form(board(text), pattern=True)
    form, found = least_form(board(text), attain)
    return form, sum(len(columns) for _, _, columns in found)


@cache
def seen_from(cell: int, rows: int, cols: int) -> list[int]:
    """The cells of a cell's row, column and box."""
    n = rows * cols
    r, c = divmod(cell, n)
    return [
        i
        for i in range(n * n)
        if i // n == r or i % n == c or (i // n // rows, i % n // cols) == (r // rows, c // cols)
    ]


def completions(grid: list[int], rows: int, cols: int) -> Iterator[bytes]:
    """All ways to fill the empty cells by the rules, the cell with the fewest choices first."""

    def choices(cell: int) -> list[int]:
        seen = {grid[i] for i in seen_from(cell, rows, cols)}
        return [d for d in range(1, rows * cols + 1) if d not in seen]

    empty = [i for i, d in enumerate(grid) if not d]
    if not empty:
        yield bytes(grid)
        return
    cell = min(empty, key=lambda i: len(choices(i)))
    for d in choices(cell):
        grid[cell] = d
        yield from completions(grid, rows, cols)
    grid[cell] = 0


@cache
def pair_maps() -> Bytes2:
    """All 12 096 maps of two rows of a band: where row 1 has the digit of row 2's column c."""
    return np.array(
        [p for p in permutations(range(9)) if all(p[c] // 3 != c // 3 for c in range(9))], np.uint8
    )


def least_second_row(pi: Bytes2) -> str:
    """Row 2 of the least two rows, from one pair map, over all column orders."""
    orders = line_orders()
    where = np.argsort(orders, axis=1)
    rows = np.take_along_axis(where, pi[orders].astype(np.intp), axis=1) + 1
    return str(int((rows @ POWERS).min()))


def swaps_of(line: tuple[int, ...], inside: int) -> int:
    """The fewest swaps of blocks and inside blocks that give the order, by breadth-first search."""
    goal = line
    start = tuple(range(len(line)))
    found, layer, count = {start}, [start], 0
    while goal not in found:
        count += 1
        layer = [n for at in layer for n in neighbours(at, inside) if n not in found]
        found.update(layer)
    return count


def neighbours(line: tuple[int, ...], inside: int) -> list[tuple[int, ...]]:
    """The orders one swap away: of two blocks, or of two lines of a block."""
    out = []
    blocks = [line[i : i + inside] for i in range(0, len(line), inside)]
    for i in range(len(blocks)):
        for j in range(i):
            moved = list(blocks)
            moved[i], moved[j] = moved[j], moved[i]
            out.append(tuple(x for block in moved for x in block))
    for start in range(0, len(line), inside):
        for i in range(start, start + inside):
            for j in range(start, i):
                one = list(line)
                one[i], one[j] = one[j], one[i]
                out.append(tuple(one))
    return out


def fewest_steps(
    a: bytes, b: bytes, rows: int, cols: int, *, labelled: bool
) -> tuple[int, int, tuple[int, ...], tuple[int, ...]] | None:
    """Steps, transposed or not, row order and column order of the least transform, trying all."""
    size = rows * cols
    best = None
    for turned in (0, 1) if rows == cols else (0,):
        source = [a[c * size + r] if turned else a[r * size + c] for r, c in _cells(size)]
        for down in orders_of(cols, rows):
            for across in orders_of(rows, cols):
                moved = [source[down[r] * size + across[c]] for r, c in _cells(size)]
                pairs = {(x, y) for x, y in zip(moved, b, strict=True) if x or y}
                one_to_one = len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})
                if not one_to_one or any(not x or not y for x, y in pairs):
                    continue
                renamed = any(x != y for x, y in pairs)
                if renamed and labelled:
                    continue
                steps = turned + _swaps(down, rows) + _swaps(across, cols) + renamed
                found = (steps, turned, down, across)
                best = found if best is None else min(best, found)
    return best


def _cells(size: int) -> list[tuple[int, int]]:
    return [(r, c) for r in range(size) for c in range(size)]


_swaps = cache(swaps_of)


def unavoidable(cells: bytes, rows: int, cols: int, most: int) -> list[list[int]]:
    """Minimal sets of at most `most` cells in which some other grid differs from this one."""
    found: set[frozenset[int]] = set()
    for symbols in combinations(range(1, rows * cols + 1), most // 2):
        emptied = [0 if d in symbols else d for d in cells]
        for other in completions(emptied, rows, cols):
            differs = frozenset(i for i, d in enumerate(cells) if other[i] != d)
            if 0 < len(differs) <= most:
                found.add(differs)
    least = [one for one in found if not any(other < one for other in found)]
    return sorted((sorted(one) for one in least), key=lambda one: (len(one), one))


def least_band(band: bytes) -> tuple[bytes, int]:
    """The least of a band's 7776 images, relabelled in order of appearance; how many give it."""
    rows, columns = np.frombuffer(band, np.uint8).reshape(3, 9), line_orders()
    every: list[bytes] = []
    for order in permutations(range(3)):
        image = rows[list(order)][:, columns].transpose(1, 0, 2)
        label = np.argsort(image[:, 0], axis=1) + 1  # of the digits in ascending order
        digits = np.searchsorted(np.sort(rows[0]), image).reshape(len(columns), 27)
        every += map(bytes, np.take_along_axis(label, digits, 1).astype(np.uint8))
    return min(every), every.count(min(every))


def grids_with_rows(grid: list[int], at: int = 36) -> Iterator[bytes]:
    """All grids that begin with these four rows, rows 5 < 6 and 7 < 8 < 9 by their first cell."""
    if at == 81:
        yield bytes(grid)
        return
    row, col = divmod(at, 9)
    taken = {grid[9 * row + c] for c in range(col)} | {grid[9 * r + col] for r in range(row)}
    top, left = row // 3 * 3, col // 3 * 3
    taken |= {grid[9 * r + c] for r in range(top, row) for c in range(left, left + 3)}
    least = grid[at - 9] + 1 if col == 0 and row in (5, 7, 8) else 1
    for digit in range(least, 10):
        if digit not in taken:
            grid[at] = digit
            yield from grids_with_rows(grid, at + 1)
    grid[at] = 0


def _full(cells: Any) -> Any:
    """Which of many boards hold nine different symbols in these cells."""
    return np.bitwise_or.reduce(1 << cells, axis=1) == 1022


def _apart(boards: Any, moves: list[tuple[int, int]]) -> Any:
    out = np.ones(len(boards), bool)
    for down, right in moves:
        a = boards[:, : 9 - down, max(0, -right) : 9 - max(0, right)]
        b = boards[:, down:, max(0, right) : 9 + min(0, right)]
        out &= (a != b).all((1, 2))
    return out


def _obeys(boards: Any, kind: str) -> Any:
    """Which of these boards obey the rule."""
    if kind == "diagonals":
        line = np.arange(9)
        return _full(boards[:, line, line]) & _full(boards[:, line, 8 - line])
    if kind == "windows":
        parts = [boards[:, r : r + 3, c : c + 3] for r in (1, 5) for c in (1, 5)]
        return np.all([_full(part.reshape(-1, 9)) for part in parts], 0)
    if kind == "disjoint":
        parts = [boards[:, r::3, c::3] for r in range(3) for c in range(3)]
        return np.all([_full(part.reshape(-1, 9)) for part in parts], 0)
    if kind == "antiknight":
        return _apart(boards, [(1, 2), (1, -2), (2, 1), (2, -1)])
    return _apart(boards, [(1, 1), (1, -1)])


def least_views(grid: str, kind: str) -> tuple[int, str]:
    """How many of the 3 359 232 cell maps obey the rule, and the least of them, renamed."""
    board = np.array([int(symbol) for symbol in grid]).reshape(9, 9)
    count, least = 0, ""
    for turned in (board, board.T):
        for rows in line_orders():
            boards = turned[rows][:, line_orders()].transpose(1, 0, 2)
            for found in boards[_obeys(boards, kind)].reshape(-1, 81):
                count += 1
                names: dict[int, str] = {}
                text = "".join(names.setdefault(d, str(len(names) + 1)) for d in found)
                least = min(least or text, text)
    return count, least
