"""The verb `duplicates`: boards of a list that are equivalent but for a few cells.

Boards are grouped into classes by their least forms, and the first boards of the classes compared
(`near_duplicates`). Clusters are connected components of the graph of all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from cluewise.core.results import BadLine
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex, near_duplicates
from cluewise.desks.sudoku.engine.structures import DisjointSets
from cluewise.desks.sudoku.lists.annotate import why_no_answer
from cluewise.desks.sudoku.lists.answers import bad_line, read_boards
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    conflict,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import Cluster, Duplicates, DuplicatesOptions, NearPair
from cluewise.desks.sudoku.transform import Transform, apply, between
from cluewise.errors import BadOption, TooLarge
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

_TASK_BOARDS = 250  # of a parallel task: some 50 ms
_SHOWN = 200  # lines of a cluster


class _Classes(NamedTuple):
    """The boards of a list, the class of each by its line, and each class's first line."""

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
    found = yield from _classify(options, sharing)
    if len(found.firsts) > near_duplicates.MOST_BOARDS:
        raise TooLarge(_TOO_MANY)
    boards, certain = [found.boards[line] for line in found.firsts], near_duplicates.CERTAIN
    pairs, unsettled = yield from near_duplicates.near_pairs(boards, min(options.most, certain))
    if options.most > certain:
        more, also = yield from near_duplicates.one_grid_pairs(boards, certain + 1, options.most)
        known = {pair[:2] for pair in pairs}
        pairs += [pair for pair in more if pair[:2] not in known]
        unsettled += also
    return _result(found, pairs, unsettled, options.limit)


_TOO_MANY = (
    "A list of more than 150 000 different boards is too long to be searched at once; "
    "split it into parts."
)


def duplicate_tasks(_position: Position, options: DuplicatesOptions) -> int:
    """The number of parallel tasks of a list."""
    return -(-len(options.lines) // _TASK_BOARDS)


def _forms_in_parallel(boards: list[Cells], sharing: ParallelContext) -> Job[list[Cells | None]]:
    """The least forms, found by the workers; HostFailure names where a task failed twice."""
    found: list[Cells | None] = []
    texts = [write_cells(cells) for cells in boards]
    tasks = ((texts[at : at + _TASK_BOARDS],) for at in range(0, len(texts), _TASK_BOARDS))

    def name_of(number: int) -> str:
        return f"Boards from {number * _TASK_BOARDS + 1} on"

    for step in map_tasks(least_forms, tasks, sharing, name_of):
        if isinstance(step, Result):
            found += [read_cells(text, NINE) if text else None for text in step.value]
            yield Progress(len(found), len(boards), "least forms")
        else:
            yield Progress(len(found), len(boards), "least forms", waits=step.idle)
    return found


def least_forms(boards: list[str]) -> Job[list[str]]:
    """A parallel task: the least form of every board, empty for one that has none."""
    found = yield from _forms([read_cells(board, NINE) for board in boards])
    return [write_cells(form) if form else "" for form in found]


def _forms(boards: list[Cells]) -> Job[list[Cells | None]]:
    found: list[Cells | None] = []
    pace = SliceTimer(first=100)
    while len(found) < len(boards):
        batch = boards[len(found) : len(found) + pace.rows(len(boards) - len(found))]
        data, counts, _ = minlex.puzzle_forms(b"".join(batch), len(batch), "straight")
        pace.took()
        pairs = zip(minlex.split(data), counts, strict=True)
        found += [None if count < 0 else form for form, count in pairs]
        yield Progress(len(found), len(boards), "least forms")
    return found


def _classify(options: DuplicatesOptions, sharing: ParallelContext | None) -> Job[_Classes]:
    """The boards by class; one that breaks the rules is a class of its own."""
    out = _Classes({}, {}, [], [])
    numbers: dict[object, int] = {}
    read = read_boards(options.lines, options.before, NINE)
    problems = dict(read.problems)
    boards = minlex.split(read.cells)
    forms = yield from _forms_in_parallel(boards, sharing) if sharing else _forms(boards)
    for i, cells, form in zip(read.lines, boards, forms, strict=True):
        if form is None:
            problems[i] = 0, why_no_answer(cells)
            if not conflict(cells, NINE):
                continue  # too regular to be compared
        out.boards[i] = cells
        out.class_of[i] = numbers.setdefault(form or i, len(numbers))
        if out.class_of[i] == len(out.firsts):
            out.firsts.append(i)
    for i, (column, why) in sorted(problems.items()):
        out.bad.append(bad_line(options.before + i, options.lines[i], column, why))
    return out


# -- the result -------------------------------------------------------------------------------


def _result(
    found: _Classes, pairs: Sequence[near_duplicates.Pair], unsettled: int, limit: int
) -> Duplicates:
    same = [(found.firsts[k], i) for i, k in found.class_of.items() if found.firsts[k] != i]
    edges = sorted(
        [(a, b, None) for a, b in same]
        + [(found.firsts[p.first], found.firsts[p.second], p.transform) for p in pairs],
        key=lambda edge: edge[:2],
    )
    graph = DisjointSets()
    for edge in edges:
        graph.union(*edge[:2])
    clusters = graph.sets()
    shown = [_pair(found.boards, *edge) for edge in islice(edges, limit)]
    groups = [Cluster(len(lines), lines[:_SHOWN]) for lines in clusters[:limit]]
    return Duplicates(
        len(found.boards), len(same), len(edges), shown, len(clusters), groups,
        near_duplicates.CERTAIN, unsettled, found.bad,
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
    text = describe_difference(only_first, only_second, changed)
    return NearPair(
        first, second, len(differs), only_first, only_second, changed, t, differs, text
    )  # fmt: skip


def describe_difference(fewer: int, more: int, changed: int) -> str:
    """How the second board differs: `(0, 2, 0)` is "the same with 2 givens more"."""
    parts = [
        f"{count} {'given' if count == 1 else 'givens'} {how}"
        for count, how in ((fewer, "fewer"), (more, "more"), (changed, "changed"))
        if count
    ]
    if not parts:
        return "the same board in disguise"
    return f"the same with {' and '.join(parts)}"
