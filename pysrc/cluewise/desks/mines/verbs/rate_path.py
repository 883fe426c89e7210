"""A way from the start to the end, each time from the smallest set of clues found."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, clue_name
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.pair_deductions import easiest_pair_deduction
from cluewise.desks.mines.engine.playthrough import Puzzle
from cluewise.desks.mines.player_marks import Notes
from cluewise.desks.mines.position import Graph, Position, Revealed
from cluewise.desks.mines.rating import Move, Technique
from cluewise.desks.mines.verbs.hint_easiest import easiest

SEEN: tuple[Technique, ...] = ("one", "subset", "cross")  # as engine/pairs numbers them


def path(position: Position, puzzle: Puzzle) -> Job[list[Move]]:
    """Move by move until every safe cell is open, or no cell is decided."""
    cells, memory, moves = puzzle.start[:], ComponentCache(), list[Move]()
    wanted = sum(mark != FLAG for mark in puzzle.shows)
    while any(c == UNKNOWN and s != FLAG for c, s in zip(cells, puzzle.shows, strict=True)):
        move = _at_once(puzzle.board, cells) or (
            yield from _explained(position, puzzle.board, cells, memory)
        )
        if move is None:
            break
        moves.append(move)
        for cell in move.cells:
            cells[cell] = puzzle.shows[cell]
        opened = sum(mark not in (UNKNOWN, FLAG) for mark in cells)
        yield Progress(opened, wanted, "following the way by few clues")
    return moves


def is_complete(puzzle: Puzzle, moves: Sequence[Move]) -> bool:
    """Whether a way opens every safe cell, so that no guess is needed."""
    safe = sum(s != FLAG and c == UNKNOWN for c, s in zip(puzzle.start, puzzle.shows, strict=True))
    return sum(len(move.cells) for move in moves if move.verdict == "safe") == safe


def _at_once(board: Graph, cells: array[int]) -> Move | None:
    """A move by one count or two."""
    part = easiest_pair_deduction(board, cells)
    if part is None:
        return None
    names = [clue_name(board, clue) for clue in part.clues]
    return Move(SEEN[part.kind], names, bit_indices(part.cells), _verdict(part.value))


def _explained(
    position: Position, board: Graph, cells: array[int], memory: ComponentCache
) -> Job[Move | None]:
    """A move that takes more, None where none is left."""
    values = yield from memory.forced(board, cells)
    if values is None or max(values) < 0:
        return None
    reason = yield from easiest(_now(position, cells), board, values)
    decided = [c for c in reason.steps[-1].gives.cells if values[c] >= 0]
    technique = reason.technique or "deeper"
    return Move(technique, reason.clues, decided, _verdict(int(reason.verdict == "mine")))


def _verdict(value: int) -> Literal["safe", "mine"]:
    return "mine" if value else "safe"


def _now(position: Position, cells: array[int]) -> Position:
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
