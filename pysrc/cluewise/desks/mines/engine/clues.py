"""A clue by its name: the cells it counts, what it says, the position where it says otherwise."""

from __future__ import annotations

from cluewise.desks.mines.position import Graph, Group, Position, Revealed, graph


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
