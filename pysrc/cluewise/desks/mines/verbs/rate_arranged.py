"""The rating of a level with arrangements or counts on mines: its waves, and its way by hints."""

from __future__ import annotations

from array import array

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN
from cluewise.desks.mines.engine.playthrough import Puzzle, start_of
from cluewise.desks.mines.generator.move_profile import effort_score
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.rating import Move, Rated, hardest_move
from cluewise.desks.mines.verbs.hint_arranged import easiest, forced
from cluewise.desks.mines.verbs.rate_path import is_complete, position_then


def rate_arranged(position: Position, *, with_path: bool) -> Job[Rated]:
    """Waves of complete reasoning and, if asked for, the moves; the scores by counts are left out.

    A count on a mine is known once the mine is.
    """
    puzzle = start_of(position)
    waves, no_guess = yield from _waves(position, puzzle)
    moves = (yield from _path(position, puzzle)) if with_path else None
    whole = moves if moves is not None and is_complete(puzzle, moves) else None
    return Rated(
        no_guess=no_guess, waves=waves, steps=[], levels={}, smooth=None, closure_solves=False,
        capped=False, records=[], published=None, solves_with=None, path=moves,
        hardest=hardest_move(whole) if whole else None,
        thought=effort_score(whole) if whole is not None else None,
    )  # fmt: skip


def _waves(position: Position, puzzle: Puzzle) -> Job[tuple[int, bool]]:
    """How many waves open cells, and whether they open every safe cell."""
    cells, waves = puzzle.start[:], 0
    while _closed(puzzle, cells):
        values = yield from forced(position_then(position, cells))
        assert values is not None  # the puzzle itself is a layout
        if not _enter(puzzle, cells, values):
            return waves, False
        waves += 1
        yield Progress(waves, None, "playing the puzzle by complete reasoning")
    return waves, True


def _path(position: Position, puzzle: Puzzle) -> Job[list[Move]]:
    cells, moves = puzzle.start[:], list[Move]()
    while _closed(puzzle, cells):
        now = position_then(position, cells)
        values = yield from forced(now)
        if values is None or max(values) < 0:
            break
        easy = yield from easiest(now, values)
        found = easy.found
        decided = [c for c in found.steps[-1].gives.cells if values[c] >= 0]
        verdict = "mine" if found.verdict == "mine" else "safe"
        moves.append(Move(found.technique or "deeper", found.clues, decided, verdict,
                          easy.length, easy.widest, easy.proved))  # fmt: skip
        for cell in decided:
            cells[cell] = puzzle.shows[cell]
        yield Progress(len(moves), None, "following the easiest way")
    return moves


def _closed(puzzle: Puzzle, cells: array[int]) -> bool:
    """Whether a safe cell is closed."""
    return any(c == UNKNOWN and s != FLAG for c, s in zip(cells, puzzle.shows, strict=True))


def _enter(puzzle: Puzzle, cells: array[int], values: array[int]) -> int:
    """Open the safe cells, flag the mines; how many cells that were."""
    decided = [cell for cell, value in enumerate(values) if value >= 0]
    for cell in decided:
        cells[cell] = puzzle.shows[cell]
    return len(decided)
