"""Colour refinement (1-dimensional Weisfeiler-Leman) of rows, columns and symbols.

Vertices are the lines (rows from 0, then columns) and after them the symbols. The first colour of a
line is the multiset of its cycle types with parallel lines, in its chute and outside; that of a
symbol its row of the co-occurrence table, sorted. Each round replaces a colour by a signature: of a
line its minilines (as multisets of crossing line and symbol), the lines of its chute and those
parallel to it; of a symbol the rows and columns of its cells and the minilines that hold it. On
square shapes rows and columns begin with equal colours, so a transposed board has the same ones.

Equivalent boards have equal colour histograms in every round. Boards that refinement does not
distinguish may still differ; `certificate` then individualises vertices, one after the other, as
McKay & Piperno (2014) do. Cost: O(rounds size² log size).
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


class Incidence(NamedTuple):
    """The vertices of a board, their neighbours and first signatures; symbols count from 0.

    `minilines[line]` holds, for each box it crosses, its givens there as (crossing line, symbol).
    `chutes[line]` are the other lines of its chute, `cells[s]` rows and columns of a symbol's
    givens, `holders[s]` line and symbols of each miniline with the symbol.
    """

    size: int
    minilines: list[list[list[tuple[int, int]]]]
    chutes: list[list[int]]
    cells: list[list[tuple[int, int]]]
    holders: list[list[tuple[int, list[int]]]]
    seeds: list[object]


def incidence(cells: Cells, shape: Shape) -> Incidence:
    """The incidence structure of a board."""
    n = shape.size
    found = Incidence(n, [], [], [[] for _ in range(n)], [[] for _ in range(n)], [])
    rows, cols, _ = shape.houses()
    for line, house in enumerate([*rows, *cols]):
        is_column, i = divmod(line, n)
        inside, across = (shape.cols, shape.rows) if is_column else (shape.rows, shape.cols)
        first = line - i % inside
        found.chutes.append([k for k in range(first, first + inside) if k != line])
        crossing = range(n) if is_column else range(n, 2 * n)
        whole = [(k, cells[cell] - 1) for k, cell in zip(crossing, house, strict=True)]
        found.minilines.append(
            [[(k, s) for k, s in whole[at : at + across] if s >= 0] for at in range(0, n, across)]
        )
        for miniline in found.minilines[line]:
            symbols = [s for _, s in miniline]
            for k, s in miniline:
                found.holders[s].append((line, symbols))
                if not is_column:
                    found.cells[s].append((line, k))
    found.seeds.extend(_seeds(cells, shape, found.holders))
    return found


def _seeds(
    cells: Cells, shape: Shape, holders: list[list[tuple[int, list[int]]]]
) -> Iterator[object]:
    """The first signatures of lines, then of symbols."""
    n = shape.size
    matchings: list[tuple[list[Matching], list[Matching]]] = [([], []) for _ in range(2 * n)]
    for i, k, (is_near, matching) in match_lines(cells, shape):
        matchings[i][is_near].append(matching)
        matchings[k][is_near].append(matching)
    for line, (far, near) in enumerate(matchings):
        kind = 0 if shape.square else line // n
        yield "line", kind, tuple(sorted(near)), tuple(sorted(far))
    for s in range(n):
        counts = Counter(d for _, symbols in holders[s] for d in symbols if d != s)
        yield "symbol", len(holders[s]), tuple(sorted(counts.values()))


def match_lines(cells: Cells, shape: Shape) -> Iterator[tuple[int, int, CycleType]]:
    """The cycle type of each two rows, then of each two columns, with the numbers of both lines."""
    n = shape.size
    for first, inside, lines in zip((0, n), shape, shape.houses()[:2], strict=True):
        symbols = [bytes(cells[cell] for cell in line) for line in lines]
        for i, k in combinations(range(n), 2):
            matching = row_cycle_structure(symbols[i], symbols[k])
            yield first + i, first + k, (i // inside == k // inside, matching)


def cycle_types(cells: Cells, shape: Shape) -> Counter[CycleType]:
    """How many pairs of parallel lines have each cycle type."""
    return Counter(kind for _, _, kind in match_lines(cells, shape))


def row_cycle_structure(a: Cells, b: Cells) -> Matching:
    """The cycle type of two parallel lines as a partial permutation: each symbol of a leads to
    that of b in the same place, where both have a given.

    A cycle or path is (symbols, 1 for a cycle or 0); full lines have cycles only.
    """
    images = {x: y for x, y in zip(a, b, strict=True) if x and y}
    preimages = {y: x for x, y in images.items()}
    found = []
    left = dict.fromkeys(images)
    while left:
        start = first = next(iter(left))
        while first in preimages and preimages[first] != start:
            first = preimages[first]
        is_cycle = first in preimages
        length, at = 0, first
        while at in left:
            del left[at]
            length += 1
            at = images[at]
        found.append((length + (not is_cycle), int(is_cycle)))
    return tuple(sorted(found))


# -- refinement ------------------------------------------------------------------------------------


class Distinction(NamedTuple):
    """The rounds after which two boards' colour histograms differ, and one colour class that does.

    `first` and `second` are the vertices of that colour on each board.
    """

    rounds: int
    first: list[int]
    second: list[int]


def distinguish(
    a: Incidence, b: Incidence, individualised: Sequence[tuple[int, int]] = ()
) -> tuple[Distinction | None, Colours, Colours]:
    """Refine the colours of two boards together until their histograms differ or are stable.

    `individualised` are pairs of vertices, one of each board, with a first colour of their own.
    """
    x, y = _number(_individualise(a, individualised, 0), _individualise(b, individualised, 1))
    classes = 0
    for rounds in range(_MOST_ROUNDS):
        if sorted(x) != sorted(y):
            return Distinction(rounds, *_rarest_class(x, y)), x, y
        if len(set(x)) == classes:
            break
        classes = len(set(x))
        x, y = _number(_signatures(a, x), _signatures(b, y))
    return None, x, y


def _individualise(
    board: Incidence, pairs: Sequence[tuple[int, int]], side: int
) -> Iterator[object]:
    marks = {pair[side]: i for i, pair in enumerate(pairs)}
    return ((seed, marks.get(i, -1)) for i, seed in enumerate(board.seeds))


def _number(*boards: Iterator[object]) -> list[Colours]:
    """The signatures of the boards as colours from 0, in order of appearance."""
    colours: dict[object, int] = {}
    return [[colours.setdefault(one, len(colours)) for one in board] for board in boards]


def _signatures(board: Incidence, colours: Colours) -> Iterator[object]:
    n, symbols = board.size, colours[2 * board.size :]
    parallel = tuple(tuple(sorted(colours[at : at + n])) for at in (0, n))
    for line, minilines in enumerate(board.minilines):
        met = sorted(sorted((colours[k], symbols[s]) for k, s in one) for one in minilines)
        chute = sorted(colours[k] for k in board.chutes[line])
        yield colours[line], tuple(map(tuple, met)), tuple(chute), parallel[line // n]
    for s in range(n):
        where = sorted(tuple(sorted((colours[r], colours[c]))) for r, c in board.cells[s])
        holders = sorted(
            (colours[k], tuple(sorted(symbols[d] for d in one))) for k, one in board.holders[s]
        )
        yield symbols[s], tuple(where), tuple(holders)


def _rarest_class(x: Colours, y: Colours) -> tuple[list[int], list[int]]:
    """The vertices of the rarest colour whose counts differ; symbols before lines."""
    first, second = Counter(x), Counter(y)
    differing = [c for c in first | second if first[c] != second[c]]

    def rank(colour: int) -> tuple[bool, int, int]:
        where = (x if colour in first else y).index(colour)
        return where < len(x) * 2 // 3, first[colour] + second[colour], colour

    colour = min(differing, key=rank)
    return [i for i, c in enumerate(x) if c == colour], [i for i, c in enumerate(y) if c == colour]


def certificate(a: Incidence, b: Incidence, limit: int = 2000) -> Job[list[int] | None]:
    """A job: vertices of the first board to individualise, one after the other, so that refinement
    distinguishes the boards whatever vertices of the second correspond to them.

    None if that takes more than `limit` refinements. The boards must be different. A reader checks
    it by refining with every counterpart of each vertex.
    """
    choices: list[int] = []
    waiting: list[tuple[tuple[int, int], ...]] = [()]
    for tries in range(1, limit + 1):
        if not waiting:
            return choices
        pairs = waiting.pop()
        yield Progress(tries, None, "certificate")
        found, x, y = distinguish(a, b, pairs)
        if found:
            continue
        if len(pairs) == len(choices):
            counts = Counter(x)
            shared = [i for i, c in enumerate(x) if counts[c] > 1]
            if not shared:
                return None
            choices.append(min(shared, key=lambda i: (counts[x[i]], -i)))
        vertex = choices[len(pairs)]
        waiting += [(*pairs, (vertex, i)) for i, c in enumerate(y) if c == x[vertex]]
    return None if waiting else choices


# -- rectangles ------------------------------------------------------------------------------------


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
