"""The verb `compare`: two boards by the table method, next to the exact answer."""

from __future__ import annotations

from collections import Counter

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.position import Position, boards
from cluewise.desks.sudoku.results import Comparison
from cluewise.desks.sudoku.verbs.table import describe, minirow_sets_match, normalised, sorted_rows


def compare(position: Position, options: NoOptions) -> Job[Comparison]:
    """Two boards by the table method, and what the exact comparison says to that."""
    a, b = boards(position, 2)
    shape = position.shape
    yield from ()
    first, second = describe(a, shape), describe(b, shape)
    rows_agree = Counter(sorted_rows(a, shape)) == Counter(sorted_rows(b, shape))
    agree = minirow_sets_match(normalised(a, first), normalised(b, second), shape)
    same = canonical(a, shape).form == canonical(b, shape).form
    text = _verdict(rows_agree, agree, same, bool(first.ties or second.ties))
    left = words(position.constraints)
    text = f"As plain sudoku: {text}" if left else text
    return Comparison(first, second, rows_agree, agree, same, text, not_compared=left)


def _verdict(rows_agree: bool, agree: bool, same: bool, ties: bool) -> str:
    if not rows_agree:
        return "The sorted rows differ, which proves that the boards are different."
    if same and agree:
        return "The tables agree, and after normalising so do all rows, columns and boxes."
    if same:
        return (
            "The tables agree and the boards are the same; the comparison after normalising misses "
            "it, because symbols that tie in the table were put in an arbitrary order."
        )
    if agree:
        return "The table method calls them the same, and it is wrong: the exact answer is no."
    if ties:
        return (
            "The tables agree, but that proves nothing, and symbols tie: only the exact "
            "comparison shows that the boards are different."
        )
    return (
        "The tables agree, but after normalising rows, columns and boxes do not: with no ties, "
        "the boards are different."
    )
