"""Near duplicates in a terminal: of a list among itself, or of a list's boards in an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import to_builtins

from cluewise.desks.sudoku.lists.index import Entry, Index
from cluewise.desks.sudoku.results import Duplicates, NearPair

CERTAIN = 2
Ask = Callable[[list[str]], Duplicates]  # `duplicates` of some lines


class Match(NamedTuple):
    """A line's board, from 1, and a board of the index that is nearly the same."""

    line: int
    entry: Entry
    pair: NearPair


def rows_of(lines: list[str], before: int, found: Any) -> Iterator[tuple[int, str, str]]:
    """(line from 1, its text, its row of keys) of the lines that have a board."""
    for i, (line, row) in enumerate(zip(lines, found["answers"], strict=True), before + 1):
        if row:
            yield i, line, row


def matches(line: int, text: str, row: str, index: Index, ask: Ask, most: int) -> Iterator[Match]:
    """What the index has that is at most `most` edits from a line's board, exactly compared."""
    entries = index.near(row, one_grid=most > CERTAIN)
    if not entries:
        return
    for pair in ask([text, *(entry.board for entry in entries)]).pairs:
        if pair.first == 0:
            yield Match(line, entries[pair.second - 1], pair)


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


def sentence(match: Match) -> str:
    """One match, for people."""
    label = match.entry.label
    return f"line {match.line} ~ {match.entry.number} in the index ({label}): {match.pair.text}"


def document(match: Match) -> dict[str, Any]:
    """One match as JSON has it: the line, the board of the index, how they differ."""
    entry, pair = match.entry, match.pair
    return {
        "line": match.line, "number": entry.number, "label": entry.label, "board": entry.board,
        "edits": pair.edits, "only_line": pair.only_first, "only_index": pair.only_second,
        "changed": pair.changed, "witness": to_builtins(pair.witness), "text": pair.text,
    }  # fmt: skip


def summary(told: dict[str, int], kept: int, *, add: bool) -> str:
    """The last line, for people."""
    words = f"{_count(told['lines'], 'line', 'lines')}"
    if add:
        words += f", {_count(told['added'], 'board', 'boards')} new"
    return f"{words}; {_count(kept, 'board', 'boards')} in the index."


def _count(n: int, one: str, more: str) -> str:
    return f"{n:,} {one if n == 1 else more}".replace(",", "\u202f")
