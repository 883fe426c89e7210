"""Descriptions of transforms in one sentence: which lines move, which symbols change.

>>> describe_transform(Transform(True, (2, 1, 0, *range(3, 9)), tuple(range(9)), (0, 4, 2, 3, 1,
... *range(5, 10))))
'transposed, rows 1 and 3 exchanged, 1↔4'
"""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.desks.sudoku.position import NINE, SYMBOLS, Cells, Shape
from cluewise.desks.sudoku.transform import Transform, inverse

_MOST_NAMED = 5  # cycles of symbols; more become "all symbols renamed"


def describe_transform(t: Transform, shape: Shape = NINE, cells: Cells = b"") -> str:
    """Describe what a transform does to a board; the identity is "as it stands".

    Rows and columns are numbered as on the board after transposing. Symbols that `cells` does not
    use are left out.
    """
    if t.cells:
        moved = sum(source != i for i, source in enumerate(t.cells))
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
    text = describe_transform(t, shape, cells)
    bare = text.startswith(("transposed", "as it stands"))
    return f"Yours is mine {text}." if bare else f"Yours is mine with {text}."


def _lines(targets: Sequence[int], inside: int, chute: str, line: str) -> list[str]:
    """Moved chutes, then the lines that moved within theirs, by their old numbers.

    Lines only if chutes do not stay together, as some symmetries of constraints allow.
    """
    if any(len({x // inside for x in targets[i : i + inside]}) > 1
           for i in range(0, len(targets), inside)):  # fmt: skip
        return _moved_lines(targets, line)
    blocks = [targets[i] // inside for i in range(0, len(targets), inside)]
    within = [targets[i] % inside + i // inside * inside for i in range(len(targets))]
    return [*_moved_lines(blocks, chute), *_moved_lines(within, line)]


def _moved_lines(targets: Sequence[int], name: str) -> list[str]:
    """`["rows 1 and 3 exchanged"]`; of more than two lines only which ones moved."""
    moved = [i for i, x in enumerate(targets) if i != x]
    if not moved:
        return []
    if len(moved) == len(targets):
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
