"""Near duplicates of a list in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from cluewise.desks.sudoku.results import Duplicates


def sentences(found: Duplicates) -> Iterator[str]:
    """What is nearly the same in a list, for people; lines count from 1."""
    total = found.total
    boards = f"{_count(found.boards, 'board', 'boards')}, {_count(found.same, 'repeat', 'repeats')}"
    near = _count(total, "near pair", "near pairs")
    yield f"{boards}; {near} in {_count(found.groups, 'cluster', 'clusters')}."
    for pair in found.pairs:
        yield f"line {pair.first + 1} ~ line {pair.second + 1}: {pair.text}"
    if total > len(found.pairs):
        yield f"… and {_count(total - len(found.pairs), 'pair', 'pairs')} more (--limit)."
    if found.left_out:
        yield f"{_count(found.left_out, 'pair', 'pairs')} could not be settled."
    for bad in found.bad:
        column = f", column {bad.column}" if bad.column else ""
        yield f"line {bad.line}{column}: {bad.why}"


def _count(n: int, one: str, more: str) -> str:
    return f"{n:,} {one if n == 1 else more}".replace(",", "\u202f")
