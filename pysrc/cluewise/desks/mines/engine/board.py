"""A board, its states and its clues in the kernel's layout (wasm_build/kernel/mines/mines.h).

A clue has a name in the contract (`group:3`, `number:17`, `flag:5`) and, unless it is a flag, a
number in the kernel.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import accumulate
from typing import Concatenate, ParamSpec, TypeVar

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.position import Graph, Group, Position, Revealed, graph
from cluewise.kernel import Frame, kernel
from cluewise.kernel.layouts import MINES

P = ParamSpec("P")
T = TypeVar("T")
UNKNOWN, QUESTION, FLAG = MINES.STATE_UNKNOWN, MINES.STATE_QUESTION, MINES.STATE_FLAG


def packed(board: Graph) -> array[int]:
    """Return the board as one i32 array."""
    if board.packed is None:
        board.packed = _pack(board)
    return board.packed


def _pack(board: Graph) -> array[int]:
    lists, groups = board.neighbours, board.groups
    out = array("i", [len(lists), len(groups)])
    out.extend(accumulate((len(n) for n in lists), initial=0))
    out.extend(accumulate((len(g.cells) for g in groups), initial=0))
    out.extend(g.count for g in groups)
    for listed in lists:
        out.extend(listed)
    for group in groups:
        out.extend(group.cells)
    return out


def put_board(
    frame: Frame, board: Graph, cells: array[int], clues: bytes | None = None
) -> tuple[int, int, int, int]:
    """Copy board, state and active clues to kernel memory; return the first arguments of a call."""
    graph = packed(board)
    active = 0 if clues is None else frame.put(clues)
    return frame.put(graph), len(graph), frame.put(cells), active


def run_slices(step: Callable[[], int], note: str, more: int = 1, done: int = 0) -> Job[int]:
    """Call `step`, a kernel call, while it returns `more`; return its last result."""
    while (found := step()) == more:
        done += 1
        yield Progress(done, None, note)
    return found


def framed(
    make: Callable[Concatenate[Frame, P], T],
) -> Callable[P, AbstractContextManager[T]]:
    """Return a context manager that makes an object and frees its kernel memory at the end."""

    @contextmanager
    def opened(*given: P.args, **named: P.kwargs) -> Iterator[T]:
        with kernel().frame() as frame:
            yield make(frame, *given, **named)

    return opened


def state(position: Position, ignore_flags: bool = False) -> array[int]:
    """Return one i16 per cell: a number, or UNKNOWN, QUESTION, FLAG."""
    out = array("h", [UNKNOWN]) * graph(position).cells
    for item in position.revealed:
        out[item.cell] = QUESTION if item.number is None else item.number
    if not ignore_flags:
        for cell in position.flags:
            out[cell] = FLAG
    return out


def active(board: Graph, clues: Iterable[int]) -> bytes:
    """Return a byte per clue of the board: 1 for these clue numbers (group, or groups + cell)."""
    out = bytearray(len(board.groups) + board.cells)
    for clue in clues:
        out[clue] = 1
    return bytes(out)


def clue_name(board: Graph, clue: int) -> str:
    """Return the contract's name of a clue number: `group:3`, `number:17`."""
    groups = len(board.groups)
    return f"group:{clue}" if clue < groups else f"number:{clue - groups}"


def clue_number(board: Graph, name: str) -> int:
    """Return the kernel's number of a clue name that is not a flag."""
    kind, _, index = name.partition(":")
    return int(index) if kind == "group" else len(board.groups) + int(index)


def state_of_clues(position: Position, names: Sequence[str]) -> tuple[array[int], bytes]:
    """Return the state and the active clues if only the named clues are given.

    Open cells stay known to be safe; a flag that is not named becomes an unknown cell.
    """
    board, cells = graph(position), state(position, ignore_flags=True)
    numbers: list[int] = []
    for name in names:
        if name.startswith("flag:"):
            cells[int(name[5:])] = FLAG
        else:
            numbers.append(clue_number(board, name))
    return cells, active(board, numbers)


def clue_cells(board: Graph, name: str) -> tuple[int, ...]:
    """Return the cells that a clue counts."""
    kind, _, index = name.partition(":")
    if kind == "group":
        return board.groups[int(index)].cells
    return board.neighbours[int(index)] if kind == "number" else (int(index),)


def clue_count(position: Position, board: Graph, name: str) -> int:
    """Return the number of mines that a clue states; 1 for a flag."""
    kind, _, index = name.partition(":")
    if kind == "group":
        return board.groups[int(index)].count
    if kind == "flag":
        return 1
    return next(r.number or 0 for r in position.revealed if r.cell == int(index))


def with_clue_count(position: Position, name: str, value: int | None) -> Position:
    """Return the position with another count of one clue, or without that flag.

    The result lists all groups: a rectangle's short form does not allow every count.
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
