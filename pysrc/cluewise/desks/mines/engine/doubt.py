"""When the clues of a board contradict: which, and what one other answer would mend it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.board import chosen
from cluewise.desks.mines.engine.conflict import Smallest
from cluewise.desks.mines.engine.search import consistent, searching
from cluewise.desks.mines.position import (
    Graph,
    Group,
    Position,
    Revealed,
    clue_names,
    graph,
)
from cluewise.desks.mines.results import Doubt, DoubtOptions, Repair
from cluewise.errors import TooLarge

COUNTED = 50  # repairs, the nearest ones: counting takes longer than finding them


def doubt(position: Position, options: DoubtOptions) -> Job[Doubt]:
    """The smallest contradictions and their repairs, or else which clues say nothing new."""
    board = graph(position)
    names = clue_names(position)

    def holds(some: Sequence[str]) -> Job[bool]:
        return consistent(board, *chosen(position, some, board))

    search = Smallest(names, holds)
    smallest = yield from search.run()
    if not smallest:
        redundant = (yield from _redundant(position, names)) if options.redundant else []
        return Doubt(False, [], True, [], redundant)
    repairs: list[Repair] = []
    # A repair must break every contradiction, so it is in each of the smallest.
    for name in sorted(set(smallest[0]).intersection(*smallest[1:]), key=names.index):
        others = [n for n in names if n != name]
        if (yield from holds(others)):
            repairs += yield from _repairs(position, name, others)
    repairs.sort(key=lambda r: (r.distance, names.index(r.clue), r.value or 0))
    for i, repair in enumerate(repairs[:COUNTED]):
        repairs[i] = yield from _counted(position, repair)
    return Doubt(True, smallest, search.proved, repairs, [])


def asked_cells(position: Position, board: Graph, name: str) -> tuple[int, ...]:
    """The cells a clue counts."""
    kind, _, index = name.partition(":")
    if kind == "group":
        return board.groups[int(index)].cells
    return board.neighbours[int(index)] if kind == "number" else (int(index),)


def answer(position: Position, board: Graph, name: str) -> int:
    """The count a clue gives; 1 for a flag."""
    kind, _, index = name.partition(":")
    if kind == "group":
        return board.groups[int(index)].count
    if kind == "flag":
        return 1
    return next(r.number or 0 for r in position.revealed if r.cell == int(index))


def with_answer(position: Position, name: str, value: int | None) -> Position:
    """The position with another answer to one clue (None: without that flag).

    The rectangle's short form is written out, since its counts are not free.
    """
    board = graph(position)
    groups, revealed, flags = list(board.groups), list(position.revealed), position.flags
    kind, _, text = name.partition(":")
    if kind == "group":
        old = groups[int(text)]
        groups[int(text)] = Group(old.cells, value or 0, old.kind)
    elif kind == "number":
        cell = int(text)
        revealed = [Revealed(cell, value) if r.cell == cell else r for r in revealed]
    else:
        flags = tuple(f for f in flags if f != int(text))
    return Position(
        neighbours=board.neighbours, groups=tuple(groups), revealed=tuple(revealed), flags=flags
    )


def _repairs(position: Position, name: str, others: list[str]) -> Job[list[Repair]]:
    board = graph(position)
    given = answer(position, board, name)
    values: list[int | None]
    if name.startswith("flag:"):
        values = [None]
    else:
        values = [v for v in range(len(asked_cells(position, board, name)) + 1) if v != given]
    found: list[Repair] = []
    for value in values:
        mended = with_answer(position, name, value)
        new, names = graph(mended), clue_names(mended)
        if (yield from consistent(new, *chosen(mended, names, new))):
            found.append(Repair(name, value, None, 1 if value is None else abs(value - given)))
    return found


def _counted(position: Position, repair: Repair) -> Job[Repair]:
    """With the number of layouts that are left, unless they are too many to count."""
    mended = with_answer(position, repair.clue, repair.value)
    board = graph(mended)
    try:
        found = yield from counting.count(board, *chosen(mended, clue_names(mended), board))
    except TooLarge:
        return repair
    return msgspec.structs.replace(repair, remaining=str(found.solutions) if found else "0")


def _redundant(position: Position, names: list[str]) -> Job[list[str]]:
    found: list[str] = []
    for i, name in enumerate(names):
        if (yield from _implied(position, name, [n for n in names if n != name])):
            found.append(name)
        yield Progress(i + 1, len(names), "looking for clues that say nothing new")
    return found


def _implied(position: Position, name: str, others: list[str]) -> Job[bool]:
    """Whether no layout that fits `others` gives that clue another answer."""
    board = graph(position)
    cells, given = asked_cells(position, board, name), answer(position, board, name)
    state, clues = chosen(position, others, board)
    with searching(board, state, clues) as search:
        if name.startswith("flag:"):
            return not (yield from search.exists(cells[0], 0))
        layout = yield from search.layout()
        assert layout is not None  # all clues hold together, so these do
        flagged = set(position.flags)
        if sum(layout[c] == 1 or c in flagged for c in cells) != given:
            return False
    for value in range(len(cells) + 1):
        if value != given:
            yield Progress(value, len(cells), "looking for clues that say nothing new")
            changed = with_answer(position, name, value)
            new = graph(changed)
            if (yield from consistent(new, *chosen(changed, clue_names(changed), new))):
                return False
    return True
