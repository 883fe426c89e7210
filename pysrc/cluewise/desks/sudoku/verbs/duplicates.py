"""The verb `duplicates`: boards of a list that are one, but for a few cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from cluewise.core.results import BadLine
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex, near_duplicates
from cluewise.desks.sudoku.engine.structures import DisjointSets
from cluewise.desks.sudoku.lists.annotate import why_no_answer
from cluewise.desks.sudoku.lists.answers import bad_line, read_boards, read_line
from cluewise.desks.sudoku.position import NINE, Cells, Position, conflict, write_cells
from cluewise.desks.sudoku.results import Cluster, Duplicates, DuplicatesOptions, NearPair
from cluewise.desks.sudoku.transform import Transform, apply, between
from cluewise.errors import BadOption, TooLarge
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

_PIECE = 250  # boards of a piece that is shared out: some 50 ms
_SHOWN = 200  # lines of a cluster


class _List(NamedTuple):
    """The boards of a list by class: the class of each good line, and each class's first line."""

    boards: dict[int, Cells]
    class_of: dict[int, int]
    firsts: list[int]
    bad: list[BadLine]


def duplicates(
    position: Position, options: DuplicatesOptions, sharing: ParallelContext | None = None
) -> Job[Duplicates]:
    """`{"pairs": [{"first": 3, "second": 80, "edits": 1, "text": "the same with 1 given more"}]}`.

    Raises `BadOption` for boards that are not 9×9, `TooLarge` for more than 150 000 different ones.
    """
    if position.shape != NINE:
        raise BadOption("Near duplicates are searched among 9×9 boards only.", "$.position.box")
    if len(options.lines) > 2 * near_duplicates.MOST_BOARDS:
        raise TooLarge(_TOO_MANY)
    found = yield from _read(options, sharing)
    if len(found.firsts) > near_duplicates.MOST_BOARDS:
        raise TooLarge(_TOO_MANY)
    heads = [found.boards[line] for line in found.firsts]
    pairs, left = yield from near_duplicates.near_pairs(
        heads, min(options.most, near_duplicates.CERTAIN)
    )
    if options.most > near_duplicates.CERTAIN:
        more, also = yield from near_duplicates.one_grid_pairs(
            heads, near_duplicates.CERTAIN + 1, options.most
        )
        known = {p[:2] for p in pairs}
        pairs = sorted([*pairs, *(p for p in more if p[:2] not in known)], key=lambda p: p[:2])
        left += also
    return _result(found, pairs, left, options.limit)


_TOO_MANY = (
    "A list of more than 150 000 different boards is too long to be searched at once; "
    "split it into parts."
)


def duplicate_tasks(_position: Position, options: DuplicatesOptions) -> int:
    """Pieces of the list."""
    return -(-len(options.lines) // _PIECE)


def _forms_there(boards: list[Cells], sharing: ParallelContext) -> Job[list[Cells | None]]:
    """The least forms, found by the workers; HostFailure names where a piece failed twice."""
    found: list[Cells | None] = []
    texts = [write_cells(cells) for cells in boards]
    pieces = ((texts[at : at + _PIECE],) for at in range(0, len(texts), _PIECE))

    def name_of(number: int) -> str:
        return f"Boards from {number * _PIECE + 1} on"

    for step in map_tasks(least_forms, pieces, sharing, name_of):
        if isinstance(step, Result):
            found += [read_line(text, NINE).cells if text else None for text in step.value]
            yield Progress(len(found), len(boards), "least forms")
        else:
            yield Progress(len(found), len(boards), "least forms", waits=step.idle)
    return found


def least_forms(boards: list[str]) -> Job[list[str]]:
    """A piece: the least form of every board, empty for one that has none."""
    found = yield from _forms_here([read_line(board, NINE).cells or b"" for board in boards])
    return [write_cells(form) if form else "" for form in found]


def _forms_here(boards: list[Cells]) -> Job[list[Cells | None]]:
    found: list[Cells | None] = []
    pace = SliceTimer(first=100)
    while len(found) < len(boards):
        piece = boards[len(found) : len(found) + pace.rows(len(boards) - len(found))]
        data, counts, _ = minlex.puzzle_forms(b"".join(piece), len(piece), "straight")
        pace.took()
        pairs = zip(minlex.split(data), counts, strict=True)
        found += [None if count < 0 else form for form, count in pairs]
        yield Progress(len(found), len(boards), "least forms")
    return found


def _read(options: DuplicatesOptions, sharing: ParallelContext | None) -> Job[_List]:
    out = _List({}, {}, [], [])
    classes: dict[object, int] = {}
    read = read_boards(options.lines, options.before, NINE)
    for i, (column, why) in read.problems.items():
        out.bad.append(_bad(options, i, why, column))
    boards = dict(zip(read.lines, minlex.split(read.cells), strict=True))
    every = list(boards.values())
    found = yield from _forms_there(every, sharing) if sharing else _forms_here(every)
    for (i, cells), form in zip(boards.items(), found, strict=True):
        if form is None:
            out.bad.append(_bad(options, i, why_no_answer(cells)))
            if conflict(cells, NINE) is None:
                continue  # too regular to be compared
        out.boards[i] = cells
        out.class_of[i] = classes.setdefault(form or i, len(classes))
        if out.class_of[i] == len(out.firsts):
            out.firsts.append(i)
    out.bad.sort(key=lambda bad: bad.line)
    return out


def _bad(options: DuplicatesOptions, i: int, why: str, column: int = 0) -> BadLine:
    return bad_line(options.before + i, options.lines[i], column, why)


# -- the result -------------------------------------------------------------------------------


def _result(
    found: _List, pairs: Sequence[near_duplicates.Pair], left: int, limit: int
) -> Duplicates:
    same = [(found.firsts[k], i) for i, k in found.class_of.items() if found.firsts[k] != i]
    edges = sorted(
        [(a, b, None) for a, b in same]
        + [(found.firsts[p.first], found.firsts[p.second], p.transform) for p in pairs],
        key=lambda edge: edge[:2],
    )
    connected = DisjointSets()
    for edge in edges:
        connected.union(*edge[:2])
    clusters = connected.sets()
    shown = [_pair(found.boards, *edge) for edge in islice(edges, limit)]
    groups = [Cluster(len(lines), lines[:_SHOWN]) for lines in clusters[:limit]]
    return Duplicates(
        len(found.boards), len(same), len(edges), shown, len(clusters), groups,
        near_duplicates.CERTAIN, left, found.bad,
    )  # fmt: skip


def _pair(boards: dict[int, Cells], first: int, second: int, t: Transform | None) -> NearPair:
    a, b = boards[first], boards[second]
    if t is None:
        t = between(*(minlex.puzzle_form(board, "straight").transform for board in (a, b)))
    return near_pair(first, second, a, b, t)


def near_pair(first: int, second: int, a: Cells, b: Cells, t: Transform) -> NearPair:
    """Two boards under the transform that makes them nearly equal, counted cell by cell."""
    moved = apply(t, a)
    differs = [i for i, (x, y) in enumerate(zip(moved, b, strict=True)) if x != y]
    only_first = sum(not b[i] for i in differs)
    only_second = sum(not moved[i] for i in differs)
    changed = len(differs) - only_first - only_second
    text = in_words(only_first, only_second, changed)
    return NearPair(
        first, second, len(differs), only_first, only_second, changed, t, differs, text
    )  # fmt: skip


def in_words(fewer: int, more: int, changed: int) -> str:
    """How the second board differs: `in_words(0, 2, 0) == "the same with 2 givens more"`."""
    parts = [
        f"{count} {'given' if count == 1 else 'givens'} {how}"
        for count, how in ((fewer, "fewer"), (more, "more"), (changed, "changed"))
        if count
    ]
    if not parts:
        return "the same board in disguise"
    return f"the same with {' and '.join(parts)}"
