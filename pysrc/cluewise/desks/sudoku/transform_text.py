"""Descriptions of transforms in one sentence: which lines move, which symbols change.

>>> describe_transform(Transform(True, (2, 1, 0, *range(3, 9)), tuple(range(9)), (0, 4, 2, 3, 1,
... *range(5, 10))))
'transposed, rows 1 and 3 exchanged, 1↔4'
"""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.desks.sudoku.position import NINE, SYMBOLS, Cells, Shape
from cluewise.desks.sudoku.transform import Transform, inverse, sources

_MOST_NAMED = 5  # cycles of symbols; more are "all renamed"


def describe_transform(t: Transform, shape: Shape = NINE, cells: Cells = b"") -> str:
    """Describe what a transform does to a board; the identity is "as it stands".

    Rows and columns are those of the board after transposing, by where they stood. Symbols that
    `cells` does not use are left out.
    """
    if t.cells:
        moved = sum(source != i for i, source in enumerate(sources(t)))
        parts = [f"{moved} cells moved"]
    else:
        back = inverse(Transform(False, t.rows, t.cols, t.digits))
        parts = ["transposed"] if t.transpose else []
        parts += _lines(back.rows, shape.rows, "band", "row")
        parts += _lines(back.cols, shape.cols, "stack", "column")
    used = set(cells) - {0} or set(range(1, len(t.digits)))
    return ", ".join([*parts, *_symbols(t.digits, used)]) or "as it stands"


def sentence(t: Transform, shape: Shape, cells: Cells) -> str:
    """Describe a witness: `"Yours is mine transposed, rows 1 and 3 exchanged, 1↔4."`"""
    words = describe_transform(t, shape, cells)
    bare = words.startswith(("transposed", "as it stands"))
    return f"Yours is mine {words}." if bare else f"Yours is mine with {words}."


def _lines(goes: Sequence[int], inside: int, chute: str, line: str) -> list[str]:
    """Chutes that changed places, then the lines that moved within theirs, by where they stood.

    Only lines where chutes do not stay together, as some symmetries of constraints allow.
    """
    if any(len({x // inside for x in goes[i : i + inside]}) > 1
           for i in range(0, len(goes), inside)):  # fmt: skip
        return _moved_lines(goes, line)
    blocks = [goes[i] // inside for i in range(0, len(goes), inside)]
    within = [goes[i] % inside + i // inside * inside for i in range(len(goes))]
    return [*_moved_lines(blocks, chute), *_moved_lines(within, line)]


def _moved_lines(goes: Sequence[int], name: str) -> list[str]:
    """`["rows 1 and 3 exchanged"]`; of more than two lines only which ones moved."""
    moved = [i for i, x in enumerate(goes) if i != x]
    if not moved:
        return []
    if len(moved) == len(goes):
        return [f"all {name}s moved"]
    if len(moved) == 2:
        return [f"{name}s {moved[0] + 1} and {moved[1] + 1} exchanged"]
    return [f"{name}s {_ranges(moved)} moved"]


def _ranges(places: list[int]) -> str:
    """Format places from 0 as ranges from 1: `"1–3, 5 and 7–9"`."""
    runs: list[list[int]] = []
    for i in places:
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    parts = [
        str(a + 1) if a == b else f"{a + 1}–{b + 1}" if b > a + 1 else f"{a + 1}, {b + 1}"
        for a, b in runs
    ]
    text = ", ".join(parts)
    head, comma, last = text.rpartition(", ")
    return f"{head} and {last}" if comma else text


def _symbols(digits: Sequence[int], used: set[int]) -> list[str]:
    """The cycles of the used symbols, `["1↔4", "2→5→7→2"]`; an unused one ends a path: `"2→5"`."""
    chains = []
    starts = [d for d in sorted(used) if digits[d] != d and d not in {digits[x] for x in used}]
    seen: set[int] = set()
    for start in [*starts, *sorted(used)]:
        if start in seen or digits[start] == start:
            continue
        chain, at = [start], start
        while at in used and at not in seen:
            seen.add(at)
            at = digits[at]
            chain.append(at)
        chains.append(chain)
    if len(chains) > _MOST_NAMED:
        return ["all symbols renamed"]
    return [_chain(chain) for chain in chains]


def _chain(chain: list[int]) -> str:
    names = [SYMBOLS[d - 1] for d in chain]
    return f"{names[0]}↔{names[1]}" if len(chain) == 3 and chain[0] == chain[2] else "→".join(names)
