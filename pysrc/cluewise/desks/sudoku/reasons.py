"""Why two boards differ: one sentence with numbers that a reader can count again.

Tried from the simplest to the strongest; the last, the least forms themselves, always decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from cluewise.core.work import Job
from cluewise.desks.sudoku.canon import straight_form
from cluewise.desks.sudoku.engine.refine import canonical
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape, write_cells
from cluewise.desks.sudoku.results import Because
from cluewise.desks.sudoku.table import atoms_of, sorted_rows
from cluewise.desks.sudoku.transform import transposed
from cluewise.errors import TooLarge

_Reason = Callable[[Cells, Cells, Shape], Because | None]


def why_different(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[Because]:
    """The simplest reason that tells `a` and `b` apart; they must be different."""
    order = [_givens, _names, _lines, _atoms] if labelled else [_givens, _symbols, _lines, _rows]
    for reason in order:
        found = reason(a, b, shape)
        if found:
            return found
    return _group(a, b, shape, labelled) or (yield from _forms(a, b, shape, labelled))


def _givens(a: Cells, b: Cells, shape: Shape) -> Because | None:
    n, m = shape.cells - a.count(0), shape.cells - b.count(0)
    if n == m:
        return None
    return Because("givens", f"The first has {n} givens, the second {m}.", n, m)


def _symbols(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = (sorted((g.count(d) for d in range(1, shape.size + 1)), reverse=True) for g in (a, b))
    if x == y:
        return None
    text = (
        "How often the symbols occur, largest first: "
        f"{_list(x)} in the first, {_list(y)} in the second."
    )
    return Because("symbols", text, first_lists=[x], second_lists=[y])


def _names(a: Cells, b: Cells, shape: Shape) -> Because | None:
    for d in range(1, shape.size + 1):
        n, m = a.count(d), b.count(d)
        if n != m:
            symbol = SYMBOLS[d - 1]
            return Because(
                "names", f"{symbol} stands {n} times in the first, {m} times in the second.", n, m
            )
    return None


def _lines(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = _line_counts(a, shape), _line_counts(b, shape)
    if shape.square:
        x, y = sorted(x), sorted(y)
    if x == y:
        return None
    text = (
        f"Givens per row, band by band, and per column, stack by stack, each sorted: "
        f"{_groups(x)} in the first, {_groups(y)} in the second."
    )
    return Because("lines", text, first_lists=_flat(x), second_lists=_flat(y))


def _line_counts(cells: Cells, shape: Shape) -> list[list[list[int]]]:
    """Sorted givens per line, sorted by chute: for rows, then for columns."""
    found = []
    for board, inside in ((cells, shape.rows), (transposed(cells, shape.size), shape.cols)):
        n = shape.size
        counts = [n - board[i * n : (i + 1) * n].count(0) for i in range(n)]
        found.append(sorted(sorted(counts[i : i + inside]) for i in range(0, n, inside)))
    return found


def _rows(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = Counter(sorted_rows(a, shape)), Counter(sorted_rows(b, shape))
    extra = sorted((x - y).elements())
    if not extra:
        return None
    row = extra[0]
    text = (
        "Count for each symbol how often it shares a minirow or minicolumn with each of the "
        f"others. The counts {_list(row)} (by size) belong to {_times(x[row])} of the first board "
        f"and to {_times(y[row])} of the second."
    )
    return Because(
        "table",
        text,
        first_lists=[list(r) for r in x.elements()],
        second_lists=[list(r) for r in y.elements()],
    )


def _atoms(a: Cells, b: Cells, shape: Shape) -> Because | None:
    ways = [atoms_of(b, shape)]
    if shape.square:
        ways.append(atoms_of(transposed(b, shape.size), shape))
    mine = atoms_of(a, shape)
    if any(mine == way for way in ways):
        return None
    for kind in range(3):
        for group in sorted(mine[kind]):
            if all(way[kind][group] < mine[kind][group] for way in ways):
                name = ("row", "column", "box")[kind]
                inside = " | ".join("".join(SYMBOLS[d - 1] for d in atom) for atom in group)
                text = (
                    f"The first has a {name} made of {inside} (order inside a piece and of pieces "
                    f"aside); the second has no such {name}"
                    + (" or its transpose." if shape.square else ".")
                )
                return Because("atoms", text)
    return None


def _group(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Because | None:
    n = canonical(a, shape, labelled=labelled).order
    m = canonical(b, shape, labelled=labelled).order
    if n == m:
        return None
    text = f"{n} transforms take the first to itself, {m} the second to itself."
    return Because("automorphisms", text, n, m)


def _forms(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[Because]:
    name, x, y = yield from _two_forms(a, b, shape, labelled)
    at = next(i for i in range(len(x)) if x[i] != y[i])
    row, col = divmod(at, shape.size)
    text = (
        f"Their {name} part in row {row + 1}, column {col + 1}: "
        f"{write_cells(x[at : at + 1])} in the first, {write_cells(y[at : at + 1])} in the second."
    )
    return Because("forms", text, write_cells(x), write_cells(y), row=row, col=col)


def _two_forms(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[tuple[str, Cells, Cells]]:
    """The forms that decide, and their name; least forms rename symbols, so not where they stay."""
    if labelled:
        x, y = (canonical(board, shape, labelled=True).form for board in (a, b))
        return "canonical forms with every symbol kept", x, y
    try:
        x = (yield from straight_form(a, shape)).cells
        y = (yield from straight_form(b, shape)).cells
    except TooLarge:
        x, y = (canonical(board, shape).form for board in (a, b))
        return "canonical forms", x, y
    return "least forms", x, y


def _list(values: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _groups(kinds: list[list[list[int]]]) -> str:
    return " and ".join(", ".join(_list(chute) for chute in kind) for kind in kinds)


def _flat(kinds: list[list[list[int]]]) -> list[list[int]]:
    return [chute for kind in kinds for chute in kind]


def _times(count: int) -> str:
    return {0: "no symbol", 1: "one symbol"}.get(count, f"{count} symbols")
