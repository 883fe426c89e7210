"""Why two boards differ: an invariant whose values on them differ, in one sentence with numbers.

Invariants are tried from the simplest to the strongest; the last, the canonical form, always
decides.
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
from cluewise.desks.sudoku.verbs.table import (
    Group,
    cooccurrence,
    miniline_groups,
    miniline_sets,
    sorted_rows,
)
from cluewise.errors import TooLarge

_LARGEST = 16  # symbols; beyond that refinement could block a browser's worker for seconds
_PAIRS_SHOWN = 3


def why_different(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[Because]:
    """The simplest reason that distinguishes `a` and `b`; they must be different."""
    shared = None if labelled else meetings_of(a, b, shape)
    found = yield from _reason(a, b, shape, labelled, shared)
    return replace(found, meetings=shared) if shared else found


def _reason(
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
    """The reasons that are slower to compute; None if the board is too large for them."""
    if shape.size > _LARGEST:
        return None
    found = _rectangles(a, b, shape) or _cycles(a, b, shape)
    if not found and shape == NINE and is_complete(a):
        found = yield from _bands(a, b)
    if found:
        return found
    yield Progress(0, None, "refinement")
    first, second = incidence(a, shape), incidence(b, shape)
    distinction = distinguish(first, second)[0]
    if distinction:
        return _refinement(distinction, shape.size)
    choices = yield from certificate(first, second)
    return None if choices is None else _certificate(choices, shape.size)


# -- counts of givens and symbols ------------------------------------------------------------------


def givens(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different numbers of givens."""
    n, m = shape.cells - a.count(0), shape.cells - b.count(0)
    if n == m:
        return None
    return Because("givens", f"The first has {n} givens, the second {m}.", n, m)


def symbols(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different frequencies of symbols, whatever they are called."""
    x, y = (sorted((g.count(d) for d in range(1, shape.size + 1)), reverse=True) for g in (a, b))
    if x == y:
        return None
    text = (
        "How often the symbols occur, largest first: "
        f"{_list(x)} in the first, {_list(y)} in the second."
    )
    return Because("symbols", text, first_lists=[x], second_lists=[y])


def names(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """A symbol whose frequencies differ."""
    for d in range(1, shape.size + 1):
        n, m = a.count(d), b.count(d)
        if n != m:
            text = f"{SYMBOLS[d - 1]} stands {n} times in the first, {m} times in the second."
            return Because("names", text, n, m)
    return None


def _lines(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different numbers of givens in lines."""
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
    """Sorted givens per line, sorted by chute: for rows and for columns, on square shapes in
    ascending order.
    """
    n, found = shape.size, []
    for board, inside in ((cells, shape.rows), (transposed(cells, n), shape.cols)):
        counts = [n - board[i * n : (i + 1) * n].count(0) for i in range(n)]
        found.append(sorted(sorted(counts[i : i + inside]) for i in range(0, n, inside)))
    return sorted(found) if shape.square else found


# -- the co-occurrence table and minilines ---------------------------------------------------------


def meetings_of(a: Cells, b: Cells, shape: Shape) -> Meetings | None:
    """The largest count of shared minilines that differently many pairs of symbols have."""
    pairs = [*combinations(range(1, shape.size + 1), 2)]
    x, y = (
        [table[i - 1][k - 1] for i, k in pairs]
        for table in (cooccurrence(a, shape), cooccurrence(b, shape))
    )
    differing = [k for k in {*x, *y} if x.count(k) != y.count(k)]
    if not differing:
        return None
    most = max(differing)
    first, second = ([*compress(pairs, [k == most for k in found])] for found in (x, y))
    return Meetings(most, len(first), len(second), first, second)


def explain_meetings(found: Meetings) -> Because:
    """Differently many pairs of symbols share so many minilines (called strips)."""
    strips = pluralize(found.count, "strip") if found.count else "no strip"
    share = "shares" if found.first == 1 else "share"
    text = (
        "Call a row's or column's part inside one box a strip. "
        f"{_pairs_text(found.first_pairs, 'No two symbols')} of the first board {share} "
        f"{'exactly ' if found.count else ''}{strips}, "
        f"{_pairs_text(found.second_pairs, 'no two')} of the second."
    )
    return Because("meetings", text, found.first, found.second)


def _pairs_text(pairs: list[tuple[int, int]], none: str) -> str:
    if not pairs:
        return none
    named = [f"{SYMBOLS[a - 1]} and {SYMBOLS[b - 1]}" for a, b in pairs[:_PAIRS_SHOWN]]
    more = "; …" if len(pairs) > _PAIRS_SHOWN else ""
    return f"{pluralize(len(pairs), 'pair')} of symbols ({'; '.join(named)}{more})"


def _rows(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different multisets of sorted rows of the co-occurrence table."""
    x, y = Counter(sorted_rows(a, shape)), Counter(sorted_rows(b, shape))
    extra = sorted((x - y).elements())
    if not extra:
        return None
    row = extra[0]
    text = (
        "Count for each symbol how often it shares a minirow or minicolumn with each of the "
        f"others. The counts {_list(row)} (by size) belong to {_symbol_count(x[row])} of the first "
        f"board and to {_symbol_count(y[row])} of the second."
    )
    first, second = ([list(r) for r in rows.elements()] for rows in (x, y))
    return Because("table", text, first_lists=first, second_lists=second)


def _symbol_count(count: int) -> str:
    return {0: "no symbol", 1: "one symbol"}.get(count, f"{count} symbols")


def _atoms(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """A row, column or box of given minilines that occurs more often in `a` than in `b` and its
    transpose.
    """
    theirs = [miniline_sets(b, shape)]
    if shape.square:
        theirs.append(miniline_sets(transposed(b, shape.size), shape))
    mine = miniline_sets(a, shape)
    if mine in theirs:
        return None
    for kind, name in enumerate(("row", "column", "box")):
        for group, count in sorted(mine[kind].items()):
            others = [one[kind][group] for one in theirs]
            if max(others) >= count:
                continue
            inside = _minilines_text(group)
            if kind == 2:
                across, down = group[: shape.rows], group[shape.rows + 1 :]
                inside = f"{_minilines_text(across)} across and {_minilines_text(down)} down"
            text = (
                f"A {name} made of {inside} (order inside a piece and of pieces aside) stands "
                f"{_times(count)} in the first, {_times(others[0])} in the second"
                + (f", {_times(others[1])} in its transpose." if shape.square else ".")
            )
            first, second = (
                [list(house) for house, found in zip(
                    shape.houses()[kind], miniline_groups(board, shape)[kind], strict=True
                ) if found == group]
                for board in (a, b)
            )  # fmt: skip
            return Because("atoms", text, count, others[0], first_cells=first, second_cells=second)
    return None


def _minilines_text(group: Group) -> str:
    return " | ".join("".join(SYMBOLS[d - 1] for d in line) or "–" for line in group)


# -- rectangles, cycles, bands ---------------------------------------------------------------------


def _rectangles(a: Cells, b: Cells, shape: Shape) -> Because | None:
    x, y = rectangles(a, shape), rectangles(b, shape)
    if len(x) == len(y):
        return None
    text = (
        "Four cells in two rows, two columns and two boxes that hold two symbols crosswise: "
        f"{pluralize(len(x), 'such rectangle')} in the first, {len(y)} in the second."
    )
    return Because("rectangles", text, len(x), len(y), x, y)


def _cycles(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different frequencies of a cycle type of two parallel lines, the rarest such."""
    x, y = cycle_types(a, shape), cycle_types(b, shape)
    differing = [kind for kind in x | y if x[kind] != y[kind]]
    if not differing:
        return None
    kind = min(differing, key=lambda k: (x[k] + y[k], not k[0], k[1]))
    is_near, matching = kind
    where = "of one band or stack" if is_near else "of different bands or stacks"
    text = (
        "Lay one row, or column, over another and go from each symbol to the one over it, until "
        f"you are back or cannot go on. {_matching_text(matching)} arise {_times(x[kind])} in the "
        f"first board and {_times(y[kind])} in the second, among lines {where}."
    )
    lines = [*shape.houses()[0], *shape.houses()[1]]
    first, second = (
        next(([list(lines[i]), list(lines[k])] for i, k, found in match_lines(board, shape)
              if found == kind), None)
        for board in (a, b)
    )  # fmt: skip
    lengths = [[n] for n, _ in matching]
    return Because(
        "cycles", text, x[kind], y[kind], lengths, first_cells=first, second_cells=second
    )


def _matching_text(matching: Matching) -> str:
    parts = []
    for is_cycle, name in ((1, "rings"), (0, "chains")):
        lengths = [n for n, kind in matching if kind == is_cycle]
        if lengths:
            parts.append(f"{name} of {', '.join(map(str, lengths))}")
    return f"{' and '.join(parts)} symbols".capitalize() if parts else "No rings and no chains"


def _bands(a: Cells, b: Cells) -> Job[Because | None]:
    """Different classes of bands and stacks."""
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
        "bands", text, x[first], y[second], [sorted(x)], [sorted(y)],
        [_chute(first)], [_chute(second)],
    )  # fmt: skip


def _extra(mine: list[int], others: list[int]) -> int:
    """The index of a number that occurs more often in `mine`."""
    return mine.index(next(iter(Counter(mine) - Counter(others))))


def _chute(at: int) -> list[int]:
    """The cells of a band (0 to 2) or stack (3 to 5)."""
    return [cell for cell in range(81) if cell % 9 // 3 == at - 3 or cell // 27 == at]


# -- refinement, groups and forms ------------------------------------------------------------------


def _refinement(found: Distinction, size: int) -> Because:
    times = "" if found.rounds == 1 else f", {found.rounds} times,"
    again = f" Then{times} describe each anew by what it meets." if found.rounds else ""
    text = (
        "Describe every symbol by its counts in the table and every row and column by the rings "
        f"and chains it makes with its parallels.{again} One description now belongs to "
        f"{_vertices_text(found.first, size)} of the first board and to "
        f"{_vertices_text(found.second, size)} of the second."
    )
    first, second = ([[i] for i in vertices] for vertices in (found.first, found.second))
    return Because("refinement", text, found.rounds, None, first, second)


def _vertices_text(vertices: list[int], size: int) -> str:
    """Lines and symbols, numbered as in `colour_refinement`: "rows 1, 2 and symbol 5"."""
    parts = []
    for kind, name in enumerate(("row", "column", "symbol")):
        mine = [i % size for i in vertices if i // size == kind]
        shown = [SYMBOLS[i] if kind == 2 else str(i + 1) for i in mine]
        if mine:
            parts.append(f"{name}{'s' if len(mine) > 1 else ''} {', '.join(shown)}")
    return " and ".join(parts) or "nothing"


def _certificate(choices: list[int], size: int) -> Because:
    marks = ", then ".join(_vertices_text([i], size) for i in choices)
    text = (
        f"Mark {marks} of the first board. Whatever is marked in its place on the second, "
        "describing rows, columns and symbols by what they meet then distinguishes the boards."
    )
    return Because("certificate", text, first_lists=[choices])


def _group(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Because | None:
    """Different orders of automorphism groups."""
    n, m = (canonical(board, shape, labelled=labelled).order for board in (a, b))
    if n == m:
        return None
    text = f"{n} transforms take the first to itself, {m} the second to itself."
    return Because("automorphisms", text, n, m)


def _forms(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[Because]:
    name, x, y = yield from _two_forms(a, b, shape, labelled)
    at = next(i for i in range(len(x)) if x[i] != y[i])
    row, col = divmod(at, shape.size)
    first, second = write_cells(x), write_cells(y)
    text = (
        f"Their {name} part in row {row + 1}, column {col + 1}: "
        f"{first[at]} in the first, {second[at]} in the second."
    )
    return Because("forms", text, first, second, row=row, col=col)


def _two_forms(a: Cells, b: Cells, shape: Shape, labelled: bool) -> Job[tuple[str, Cells, Cells]]:
    """The name of the forms that decide, and both; least forms rename symbols, so not `labelled`
    ones.
    """
    name = "canonical forms with every symbol kept" if labelled else "canonical forms"
    if not labelled:
        try:
            x = (yield from straight_form(a, shape)).cells
            y = (yield from straight_form(b, shape)).cells
        except TooLarge:
            pass
        else:
            return "least forms", x, y
    x, y = (canonical(board, shape, labelled=labelled).form for board in (a, b))
    return name, x, y


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _list(values: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, values))
