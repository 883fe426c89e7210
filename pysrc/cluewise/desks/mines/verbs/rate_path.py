"""A way from the start to the end, each time by the easiest deduction."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.arrangements import is_arranged
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, clue_name
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.ladder import easiest_derivation
from cluewise.desks.mines.engine.playthrough import Puzzle
from cluewise.desks.mines.player_marks import Notes
from cluewise.desks.mines.position import Position, Revealed
from cluewise.desks.mines.rating import Move
from cluewise.desks.mines.verbs.explain_derivation import Easy
from cluewise.desks.mines.verbs.hint import shortest_sum
from cluewise.desks.mines.verbs.hint_arranged import easiest, forced


def path(position: Position, puzzle: Puzzle) -> Job[list[Move]]:
    """Move by move until every safe cell is open, or no cell is decided."""
    cells, memory, moves = puzzle.start[:], ComponentCache(), list[Move]()
    arranged = is_arranged(position)
    wanted = sum(mark != FLAG for mark in puzzle.shows)
    while puzzle.has_closed(cells):
        if arranged:
            move = yield from _easiest_arranged(position_then(position, cells))
        else:
            move = yield from _easiest(position, puzzle, cells, memory)
        if move is None:
            break
        moves.append(move)
        for cell in move.cells:
            cells[cell] = puzzle.shows[cell]
        opened = sum(mark not in (UNKNOWN, FLAG) for mark in cells)
        yield Progress(opened, wanted, "following the easiest way")
    return moves


def is_complete(puzzle: Puzzle, moves: Sequence[Move]) -> bool:
    """Whether a way opens every safe cell, so that no guess is needed."""
    safe = sum(s != FLAG and c == UNKNOWN for c, s in zip(puzzle.start, puzzle.shows, strict=True))
    return sum(len(move.cells) for move in moves if move.verdict == "safe") == safe


def _easiest(
    position: Position, puzzle: Puzzle, cells: array[int], memory: ComponentCache
) -> Job[Move | None]:
    """The easiest move, None where no cell is decided."""
    board = puzzle.board
    derived = yield from easiest_derivation(board, cells)
    if derived is not None:
        names = [clue_name(board, clue) for clue in derived.clues]
        return Move(derived.technique, names, bit_indices(derived.cells), _verdict(derived.value),
                    derived.length, derived.widest, derived.proved)  # fmt: skip
    values = yield from memory.forced(board, cells)
    if values is None or max(values) < 0:
        return None
    return _move((yield from shortest_sum(position_then(position, cells), board, values)), values)


def _easiest_arranged(position: Position) -> Job[Move | None]:
    """The same where clues say more than a count."""
    values = yield from forced(position)
    if values is None or max(values) < 0:
        return None
    return _move((yield from easiest(position, values)), values)


def _move(easy: Easy, values: Sequence[int]) -> Move:
    found = easy.found
    decided = [c for c in found.steps[-1].gives.cells if values[c] >= 0]
    return Move(found.technique or "deeper", found.clues, decided,
                _verdict(int(found.verdict == "mine")),
                easy.length, easy.widest, easy.proved)  # fmt: skip


def _verdict(value: int) -> Literal["safe", "mine"]:
    return "mine" if value else "safe"


def position_then(position: Position, cells: array[int]) -> Position:
    """The board as it is known by then; the solution is left out."""
    return msgspec.structs.replace(
        position,
        revealed=tuple(
            Revealed(cell, None if mark == QUESTION else mark)
            for cell, mark in enumerate(cells) if mark not in (UNKNOWN, FLAG)
        ),
        flags=tuple(cell for cell, mark in enumerate(cells) if mark == FLAG),
        mines=None, secret=(), sealed=None, start=None, marks=(), notes=Notes(),
    )  # fmt: skip
