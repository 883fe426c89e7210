"""Why two boards differ: one sentence with numbers that a reader can count again.

Tried from the simplest to the strongest; the last, the least forms themselves, always decides.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, compress

from msgspec.structs import replace

from cluewise.core.results import pluralize
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine.canonical import canonical, straight_form
from cluewise.desks.sudoku.engine.colour_refinement import (
    Distinction,
    Matching,
    certificate,
    cycle_types,
    distinguish,
    incidence,
    match_lines,
    rectangles,
)
from cluewise.desks.sudoku.engine.grid_rank import numbers
from cluewise.desks.sudoku.position import NINE, SYMBOLS, Cells, Shape, is_complete, write_cells
from cluewise.desks.sudoku.results import Because, Meetings
from cluewise.desks.sudoku.transform import transposed
from cluewise.desks.sudoku.verbs.table import Group, minirow_groups, minirow_sets, sorted_rows
from cluewise.errors import TooLarge


def why_different(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[Because]:
    """The simplest reason that distinguishes `a` and `b`; they must be different."""
    shared = None if labelled else meetings_of(a, b, shape)
    found = yield from _decide(a, b, shape, labelled, shared)
    return replace(found, meetings=shared) if shared else found


def _decide(
    a: Cells, b: Cells, shape: Shape, labelled: bool, shared: Meetings | None
) -> Job[Because]:
    for reason in (givens, names if labelled else symbols, _lines):
        found = reason(a, b, shape)
        if found:
            return found
    if shared:
        return explain_meetings(shared)
    found = (_atoms if labelled else _rows)(a, b, shape)
    if not found and not labelled:
        found = yield from _strong(a, b, shape)
    return found or _group(a, b, shape, labelled) or (yield from _forms(a, b, shape, labelled))


def _strong(a: Cells, b: Cells, shape: Shape) -> Job[Because | None]:
    """The reasons that take longer to count; None where the board is too large for them."""
    if shape.size > _LARGEST:
        return None
    found = _rectangles(a, b, shape) or _cycles(a, b, shape)
    if not found and shape == NINE and is_complete(a):
        found = yield from _bands(a, b)
    if found:
        return found
    yield Progress(0, None, "refinement")
    first, second = incidence(a, shape), incidence(b, shape)
    parts = distinguish(first, second)[0]
    if parts:
        return _refinement(parts, shape.size)
    choices = yield from certificate(first, second)
    return None if choices is None else _certificate(choices, shape.size)


_LARGEST = 16  # symbols; beyond that refinement could keep a browser's worker silent for seconds
_PAIRS_SHOWN = 3


def givens(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different numbers of givens."""
    n, m = shape.cells - a.count(0), shape.cells - b.count(0)
    if n == m:
        return None
    return Because("givens", f"The first has {n} givens, the second {m}.", n, m)


def symbols(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Symbols that occur differently often, whatever they are called."""
    x, y = (sorted((g.count(d) for d in range(1, shape.size + 1)), reverse=True) for g in (a, b))
    if x == y:
        return None
    text = (
        "How often the symbols occur, largest first: "
        f"{' '.join(map(str, x))} in the first, {' '.join(map(str, y))} in the second."
    )
    return Because("symbols", text, first_lists=[x], second_lists=[y])


def names(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """A symbol that occurs differently often under its own name."""
    for d in range(1, shape.size + 1):
        n, m = a.count(d), b.count(d)
        if n != m:
            symbol = SYMBOLS[d - 1]
            return Because(
                "names", f"{symbol} stands {n} times in the first, {m} times in the second.", n, m
            )
    return None


def count_shared_strips(cells: Cells, shape: Shape) -> list[int]:
    """For each pair of symbols (1 and 2, 1 and 3, …), in how many strips both stand.

    A strip is a line's part inside one box; each cell lies in one across and one down.
    """
    n = shape.size
    standing = [0] * (n + 1)  # sets of strips, those across first
    for cell, symbol in enumerate(cells):
        across, down = cell // shape.cols, cell // n // shape.rows * n + cell % n
        standing[symbol] |= 1 << across | 1 << shape.cells + down
    return [(x & y).bit_count() for x, y in combinations(standing[1:], 2)]


def meetings_of(a: Cells, b: Cells, shape: Shape) -> Meetings | None:
    """The largest count of shared strips that differently many pairs of symbols have."""
    x, y = count_shared_strips(a, shape), count_shared_strips(b, shape)
    differing = [k for k in {*x, *y} if x.count(k) != y.count(k)]
    if not differing:
        return None
    most = max(differing)
    pairs = [*combinations(range(1, shape.size + 1), 2)]
    first, second = ([*compress(pairs, [k == most for k in found])] for found in (x, y))
    return Meetings(most, len(first), len(second), first, second)


def explain_meetings(found: Meetings) -> Because:
    """Pairs of symbols that share so many strips, differently many on the two boards."""
    strips = pluralize(found.count, "strip") if found.count else "no strip"
    first = _named_pairs(found.first_pairs)
    share = "shares" if found.first == 1 else "share"
    text = (
        f"Call a row's or column's part inside one box a strip. {first} of the first board {share} "
        f"{'exactly ' if found.count else ''}{strips}, "
        f"{_named_pairs(found.second_pairs, capital=False)} of the second."
    )
    return Because("meetings", text, found.first, found.second)


def _named_pairs(pairs: list[tuple[int, int]], *, capital: bool = True) -> str:
    if not pairs:
        return "No two symbols" if capital else "no two"
    named = [f"{SYMBOLS[a - 1]} and {SYMBOLS[b - 1]}" for a, b in pairs[:_PAIRS_SHOWN]]
    more = "; …" if len(pairs) > _PAIRS_SHOWN else ""
    return f"{pluralize(len(pairs), 'pair')} of symbols ({'; '.join(named)}{more})"


def _lines(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = _line_counts(a, shape), _line_counts(b, shape)
    if x == y:
        return None
    in_x, in_y = (
        " and ".join(", ".join(map(_list, chutes)) for chutes in kinds) for kinds in (x, y)
    )
    text = (
        f"Givens per row, band by band, and per column, stack by stack, each sorted: "
        f"{in_x} in the first, {in_y} in the second."
    )
    return Because("lines", text, first_lists=[*chain(*x)], second_lists=[*chain(*y)])


def _line_counts(cells: Cells, shape: Shape) -> list[list[list[int]]]:
    """Sorted givens per line, sorted by chute: for rows and for columns, which on square shapes
    come in ascending order.
    """
    n, found = shape.size, []
    for board, inside in ((cells, shape.rows), (transposed(cells, n), shape.cols)):
        counts = [n - board[i * n : (i + 1) * n].count(0) for i in range(n)]
        found.append(sorted(sorted(counts[i : i + inside]) for i in range(0, n, inside)))
    return sorted(found) if shape.square else found


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
    ways = [minirow_sets(b, shape)]
    if shape.square:
        ways.append(minirow_sets(transposed(b, shape.size), shape))
    mine = minirow_sets(a, shape)
    if any(mine == way for way in ways):
        return None
    for kind, name in enumerate(("row", "column", "box")):
        for group, count in sorted(mine[kind].items()):
            others = [way[kind][group] for way in ways]
            if max(others) < count:
                inside = _pieces(group)
                if kind == 2:
                    inside = (
                        f"{_pieces(group[: shape.rows])} across and "
                        f"{_pieces(group[shape.rows + 1 :])} down"
                    )
                text = (
                    f"A {name} made of {inside} (order inside a piece and of pieces aside) stands "
                    f"{_ways(count)} in the first, {_ways(others[0])} in the second"
                    + (f", {_ways(others[1])} in its transpose." if shape.square else ".")
                )
                return Because(
                    "atoms",
                    text,
                    count,
                    others[0],
                    first_cells=_standing(a, shape, kind, group),
                    second_cells=_standing(b, shape, kind, group),
                )
    return None


def _standing(cells: Cells, shape: Shape, kind: int, group: Group) -> list[list[int]]:
    """The cells of every row (kind 0), column (1) or box (2) that is made of a group's pieces."""
    pairs = zip(shape.houses()[kind], minirow_groups(cells, shape)[kind], strict=True)
    return [list(house) for house, found in pairs if found == group]


def _pieces(atoms: Group) -> str:
    return " | ".join("".join(SYMBOLS[d - 1] for d in atom) or "–" for atom in atoms)


def _rectangles(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = rectangles(a, shape), rectangles(b, shape)
    if len(x) == len(y):
        return None
    text = (
        "Four cells in two rows, two columns and two boxes that hold two symbols crosswise: "
        f"{pluralize(len(x), 'such rectangle')} in the first, {len(y)} in the second."
    )
    return Because("rectangles", text, len(x), len(y), first_lists=x, second_lists=y)


def _cycles(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = cycle_types(a, shape), cycle_types(b, shape)
    differing = [kind for kind in x | y if x[kind] != y[kind]]
    if not differing:
        return None
    kind = min(differing, key=lambda k: (x[k] + y[k], not k[0], k[1]))
    near, shape_of = kind
    where = "of one band or stack" if near else "of different bands or stacks"
    text = (
        "Lay one row, or column, over another and go from each symbol to the one over it, until "
        f"you are back or cannot go on. {_matched(shape_of)} arise {_ways(x[kind])} in the first "
        f"board and {_ways(y[kind])} in the second, among lines {where}."
    )
    lines = [*shape.houses()[0], *shape.houses()[1]]
    first, second = (
        next(([list(lines[i]), list(lines[k])] for i, k, found in match_lines(board, shape)
              if found == kind), None)
        for board in (a, b)
    )  # fmt: skip
    return Because(
        "cycles",
        text,
        x[kind],
        y[kind],
        first_lists=[[n] for n, _ in shape_of],
        first_cells=first,
        second_cells=second,
    )


def _matched(shape_of: Matching) -> str:
    parts = []
    for is_ring, name in ((1, "rings"), (0, "chains")):
        lengths = [n for n, ring in shape_of if ring == is_ring]
        if lengths:
            parts.append(f"{name} of {', '.join(map(str, lengths))}")
    return f"{' and '.join(parts)} symbols".capitalize() if parts else "No rings and no chains"


def _ways(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _bands(a: Cells, b: Cells) -> Job[Because | None]:
    found = yield from numbers()
    x, y = found.chutes_of(a), found.chutes_of(b)
    if sorted(x) == sorted(y):
        return None
    text = (
        "There are 416 essentially different bands. The three bands and three stacks have the "
        f"numbers {_list(sorted(x))} in the first and {_list(sorted(y))} in the second."
    )
    first, second = _extra(x, y), _extra(y, x)
    return Because(
        "bands",
        text,
        x[first],
        y[second],
        first_lists=[sorted(x)],
        second_lists=[sorted(y)],
        first_cells=[_chute(first)],
        second_cells=[_chute(second)],
    )


def _extra(mine: list[int], others: list[int]) -> int:
    """The first place of a number that stands more often in `mine`."""
    return mine.index(next(iter(Counter(mine) - Counter(others))))


def _chute(at: int) -> list[int]:
    """The cells of a band (0 to 2) or stack (3 to 5)."""
    return [cell for cell in range(81) if cell % 9 // 3 == at - 3 or cell // 27 == at]


def _refinement(found: Distinction, size: int) -> Because:
    times = "" if found.rounds == 1 else f", {found.rounds} times,"
    again = f" Then{times} describe each anew by what it meets." if found.rounds else ""
    text = (
        "Describe every symbol by its counts in the table and every row and column by the rings "
        f"and chains it makes with its parallels.{again} One description now belongs to "
        f"{_owners(found.first, size)} of the first board and to {_owners(found.second, size)} of "
        "the second."
    )
    lists = [[i] for i in found.first], [[i] for i in found.second]
    return Because("refinement", text, found.rounds, first_lists=lists[0], second_lists=lists[1])


def _owners(which: list[int], size: int) -> str:
    if not which:
        return "nothing"
    parts = []
    for kind, name in enumerate(("row", "column", "symbol")):
        mine = [i % size for i in which if i // size == kind]
        shown = [SYMBOLS[i] if kind == 2 else str(i + 1) for i in mine]
        if mine:
            parts.append(f"{name}{'s' if len(mine) > 1 else ''} {', '.join(shown)}")
    return " and ".join(parts)


def _certificate(choices: list[int], size: int) -> Because:
    marks = ", then ".join(_owners([i], size) for i in choices)
    text = (
        f"Mark {marks} of the first board. Whatever is marked in its place on the second, "
        "describing rows, columns and symbols by what they meet then distinguishes the boards."
    )
    return Because("certificate", text, first_lists=[choices])


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


def _times(count: int) -> str:
    return {0: "no symbol", 1: "one symbol"}.get(count, f"{count} symbols")
