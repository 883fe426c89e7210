"""Colour refinement (1-dimensional Weisfeiler-Leman) of rows, columns and symbols.

A symbol begins as its row of the co-occurrence table, by size; a row or column as the ways it
matches the lines parallel to it (see `row_cycle_structure`). In every round each is described anew
by what it meets: a line by the columns (or rows) and symbols of its givens, piece by piece, by the
other lines of its chute and by those parallel to it; a symbol by the lines it stands in and by its
neighbours. Rows and columns begin alike on square shapes, so a transposed board has the same
descriptions. Boards that are the same have the same descriptions equally often in every round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.position import Cells, Shape

Matching: TypeAlias = tuple[tuple[int, int], ...]
CycleType: TypeAlias = tuple[bool, Matching]  # True: of one chute
Colours: TypeAlias = list[int]
_MOST_ROUNDS = 40


class Facts(NamedTuple):
    """A board as refinement sees it; lines are rows, then columns; symbols begin at 0.

    `pieces[line]` holds, for each box it crosses, its givens there as (other line, symbol).
    `neighbours[s]` has for each piece with the symbol its line and its symbols.
    """

    size: int
    pieces: list[list[list[tuple[int, int]]]]
    mates: list[list[int]]
    neighbours: list[list[tuple[int, list[int]]]]
    places: list[list[tuple[int, int]]]
    seeds: list[object]


def facts(cells: Cells, shape: Shape) -> Facts:
    """What refinement looks at, counted once for a board."""
    n = shape.size
    pieces: list[list[list[tuple[int, int]]]] = []
    mates = []
    for line in range(2 * n):
        column, i = divmod(line, n)
        inside, across = (shape.cols, shape.rows) if column else (shape.rows, shape.cols)
        at = [(k * n + i, k) if column else (i * n + k, n + k) for k in range(n)]
        found = [(other, cells[cell] - 1) for cell, other in at]
        parts = [found[k : k + across] for k in range(0, n, across)]
        pieces.append([[(other, d) for other, d in part if d >= 0] for part in parts])
        first = line - i % inside
        mates.append([k for k in range(first, first + inside) if k != line])
    neighbours: list[list[tuple[int, list[int]]]] = [[] for _ in range(n)]
    places: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for line, parts in enumerate(pieces):
        for part in parts:
            together = [d for _, d in part]
            for other, d in part:
                neighbours[d].append((line, together))
                if line < n:
                    places[d].append((line, other))
    return Facts(n, pieces, mates, neighbours, places, _seeds(cells, shape, neighbours))


def _seeds(
    cells: Cells, shape: Shape, neighbours: list[list[tuple[int, list[int]]]]
) -> list[object]:
    """What lines and symbols begin as."""
    n = shape.size
    turned = b"".join(cells[c::n] for c in range(n))
    found: list[object] = []
    for board, inside, kind in ((cells, shape.rows, 0), (turned, shape.cols, 0 if shape.square
                                                         else 1)):  # fmt: skip
        rows = [board[i * n : i * n + n] for i in range(n)]
        for i in range(n):
            near = sorted(row_cycle_structure(rows[i], rows[k]) for k in range(n)
                          if k != i and k // inside == i // inside)  # fmt: skip
            far = sorted(
                row_cycle_structure(rows[i], rows[k])
                for k in range(n)
                if k // inside != i // inside
            )
            found.append(("line", kind, tuple(near), tuple(far)))
    for s in range(n):
        counts = Counter(d for _, together in neighbours[s] for d in together if d != s)
        found.append(("symbol", len(neighbours[s]), tuple(sorted(counts.values()))))
    return found


def row_cycle_structure(a: Cells, b: Cells) -> Matching:
    """How two parallel lines match: rings and chains of symbols, one over the other.

    Where both have a given, a's symbol leads to b's. Each ring or chain is counted as (symbols, 1
    for a ring or 0); between full lines there are rings only, the cycle type of a permutation.
    """
    goes = {x: y for x, y in zip(a, b, strict=True) if x and y}
    comes = {y: x for x, y in goes.items()}
    found = []
    left = dict.fromkeys(goes)
    while left:
        start = first = next(iter(left))
        while first in comes and comes[first] != start:
            first = comes[first]
        ring = first in comes
        length, at = 0, first
        while at in left:
            del left[at]
            length += 1
            at = goes[at]
        found.append((length + (not ring), int(ring)))
    return tuple(sorted(found))


class Distinction(NamedTuple):
    """Where two boards' descriptions part: after how many rounds, and a description's owners.

    Owners are lines and symbols of the first and of the second board, `2·size + s` for a symbol.
    """

    rounds: int
    first: list[int]
    second: list[int]


def distinguish(
    a: Facts, b: Facts, chosen: Sequence[tuple[int, int]] = ()
) -> tuple[Distinction | None, Colours, Colours]:
    """Where refinement distinguishes the boards, if it does, and the colours it ends with.

    `chosen` are pairs of lines or symbols, one of each board, that were marked beforehand.
    """
    names: dict[object, int] = {}
    x, y = _named(_begin(a, chosen, 0), names), _named(_begin(b, chosen, 1), names)
    kinds = 0
    for rounds in range(_MOST_ROUNDS):
        if sorted(x) != sorted(y):
            return Distinction(rounds, *_owners(x, y)), x, y
        if len(set(x)) == kinds:
            break
        kinds = len(set(x))
        names = {}
        x, y = _named(_described(a, x), names), _named(_described(b, y), names)
    return None, x, y


def _begin(board: Facts, chosen: Sequence[tuple[int, int]], side: int) -> list[object]:
    marks = {pair[side]: i for i, pair in enumerate(chosen)}
    return [(seed, marks.get(i, -1)) for i, seed in enumerate(board.seeds)]


def _named(described: Sequence[object], names: dict[object, int]) -> Colours:
    return [names.setdefault(one, len(names)) for one in described]


def _described(board: Facts, colours: Colours) -> list[object]:
    """What every line and every symbol meets."""
    n = board.size
    symbols = colours[2 * n :]
    found: list[object] = []
    for line, parts in enumerate(board.pieces):
        met = sorted(sorted((colours[o], symbols[d]) for o, d in part) for part in parts)
        mates = sorted(colours[k] for k in board.mates[line])
        parallel = sorted(colours[line // n * n : line // n * n + n])
        found.append((colours[line], tuple(map(tuple, met)), tuple(mates), tuple(parallel)))
    for s in range(n):
        where = sorted(tuple(sorted((colours[r], colours[c]))) for r, c in board.places[s])
        near = sorted(
            (colours[k], tuple(sorted(symbols[d] for d in t))) for k, t in board.neighbours[s]
        )
        found.append((symbols[s], tuple(where), tuple(near)))
    return found


def _owners(x: Colours, y: Colours) -> tuple[list[int], list[int]]:
    """Who has a description that is not equally often in both: the rarest, symbols first."""
    first, second = Counter(x), Counter(y)
    differing = [c for c in first | second if first[c] != second[c]]

    def rank(colour: int) -> tuple[bool, int, int]:
        where = (x if colour in first else y).index(colour)
        return where < len(x) * 2 // 3, first[colour] + second[colour], colour

    colour = min(differing, key=rank)
    return [i for i, c in enumerate(x) if c == colour], [i for i, c in enumerate(y) if c == colour]


def certificate(a: Facts, b: Facts, limit: int = 2000) -> Job[list[int] | None]:
    """A job: lines and symbols of the first board to mark, one after the other, so that refinement
    distinguishes the boards whatever the second marks; None if that takes more than `limit` tries.

    The boards must be different. Anyone who replays it tries every counterpart of each mark.
    """
    choices: list[int] = []
    tries = 0
    waiting: list[tuple[tuple[int, int], ...]] = [()]
    while waiting:
        chosen = waiting.pop()
        tries += 1
        if tries > limit:
            return None
        yield Progress(tries, None, "certificate")
        found, x, y = distinguish(a, b, chosen)
        if found:
            continue
        if len(chosen) == len(choices):
            counts = Counter(x)
            more = [i for i, c in enumerate(x) if counts[c] > 1]
            if not more:
                return None
            choices.append(min(more, key=lambda i: (counts[x[i]], -i)))
        mark = choices[len(chosen)]
        waiting += [(*chosen, (mark, i)) for i, c in enumerate(y) if c == x[mark]]
    return choices


def cycle_types(cells: Cells, shape: Shape) -> Counter[CycleType]:
    """How often two rows (or columns) match in which way."""
    return Counter(kind for kind, _ in match_lines(cells, shape))


def match_lines(cells: Cells, shape: Shape) -> Iterator[tuple[CycleType, list[list[int]]]]:
    """How each two rows, then columns, match, with the cells of both lines."""
    for lines, inside in zip(shape.houses()[:2], shape, strict=True):
        symbols = [bytes(cells[cell] for cell in line) for line in lines]
        for i, k in combinations(range(shape.size), 2):
            matching = row_cycle_structure(symbols[i], symbols[k])
            yield (i // inside == k // inside, matching), [list(lines[i]), list(lines[k])]


def rectangles(cells: Cells, shape: Shape) -> list[list[int]]:
    """Four cells in two rows, two columns and two boxes that hold two symbols crosswise.

    In a complete grid they can be exchanged for another grid, so one of them must be a given of
    every puzzle of it: the smallest unavoidable sets.
    """
    n = shape.size
    found = []
    for r, s in combinations(range(n), 2):
        for c, d in combinations(range(n), 2):
            at = [r * n + c, r * n + d, s * n + c, s * n + d]
            w, x, y, z = (cells[i] for i in at)
            one_band = r // shape.rows == s // shape.rows
            one_stack = c // shape.cols == d // shape.cols
            if w and x and w == z and x == y and one_band != one_stack:
                found.append(at)
    return found
