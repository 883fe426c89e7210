"""Difficulty of a puzzle: waves of complete reasoning, rounds of the closure, the smooth score.

And its solution path, each move by the easiest deduction.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.arrangements import is_arranged
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, clue_name
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.ladder import easiest_derivation
from cluewise.desks.mines.engine.playthrough import (
    ClosurePlaythrough,
    Puzzle,
    difficulty_score,
    play_by_closure_auto,
    play_complete,
    puzzle_of,
    start_of,
)
from cluewise.desks.mines.engine.published_scale import Outcome, published_steps
from cluewise.desks.mines.generator.move_profile import (
    effort_score,
    profile_gaps,
    read_wish,
    write_wish,
)
from cluewise.desks.mines.player_marks import Notes
from cluewise.desks.mines.position import Position, Revealed
from cluewise.desks.mines.rating import (
    TRIED_ROUNDS,
    Allowed,
    Move,
    Published,
    Rated,
    Scored,
    Wished,
    hardest_move,
    verdict_of,
)
from cluewise.desks.mines.results import RateOptions
from cluewise.desks.mines.verbs.hint import shortest_sum
from cluewise.desks.mines.verbs.hint_arranged import easiest, forced
from cluewise.errors import TooLarge


def rate(position: Position, options: RateOptions) -> Job[Rated]:
    """Rate a puzzle in waves and in rounds, on request also by its solution path."""
    if is_arranged(position) and options.wish is None:
        return (yield from _rate_arranged(position, with_path=options.path))
    puzzle = puzzle_of(position)
    wish = None if options.wish is None else read_wish(options.wish)
    complete = yield from play_complete(puzzle)
    closure = yield from play_by_closure_auto(puzzle, options.inexact_rounds, options.cap)
    steps = [step.rounds for step in closure.steps]
    counted = sorted(Counter(steps).items())
    solved = closure.solves and complete.no_guess
    published = None
    if options.score == "published":
        limit = options.inexact_rounds
        published = yield from _published(puzzle, limit, no_guess=complete.no_guess)
    moves = (yield from path(position, puzzle)) if options.path or wish else None
    whole = moves if moves is not None and is_complete(puzzle, moves) else None
    wished = None
    if wish is not None and moves is not None:
        gaps = profile_gaps(wish, moves)
        wished = Wished(write_wish(wish), complete.no_guess and not gaps, gaps, 0, {}, [])
    return Rated(
        no_guess=complete.no_guess,
        waves=complete.count,
        steps=steps,
        levels={str(level): count for level, count in counted},
        smooth=difficulty_score(steps) if solved else None,
        closure_solves=closure.solves,
        capped=closure.capped,
        records=closure.steps,
        published=published,
        solves_with=(yield from _solves_with(puzzle, options, closure))
        if complete.no_guess
        else None,
        path=moves,
        wished=wished,
        hardest=hardest_move(whole) if whole else None,
        thought=effort_score(whole) if whole is not None else None,
    )


def _rate_arranged(position: Position, *, with_path: bool) -> Job[Rated]:
    """Rate a level with arrangements or counts on mines: without the scores, which need counts.

    A wave that only flags mines is played, as a flagged mine may show a count, but is not counted.
    """
    puzzle = start_of(position)
    cells, waves, decided = puzzle.start[:], 0, True
    while decided and puzzle.has_closed(cells):
        values = yield from forced(position_then(position, cells))
        assert values is not None  # the puzzle itself is a layout
        decided = max(values) >= 0
        waves += 0 in values
        for cell, value in enumerate(values):
            if value >= 0:
                cells[cell] = puzzle.shows[cell]
        yield Progress(waves, None, "playing the puzzle by complete reasoning")
    moves = (yield from path(position, puzzle)) if with_path else None
    whole = moves if moves is not None and is_complete(puzzle, moves) else None
    return Rated(
        no_guess=decided, waves=waves, steps=[], levels={}, smooth=None, closure_solves=False,
        capped=False, records=[], path=moves,
        hardest=hardest_move(whole) if whole else None,
        thought=effort_score(whole) if whole is not None else None,
    )  # fmt: skip


def _solves_with(
    puzzle: Puzzle, options: RateOptions, closure: ClosurePlaythrough
) -> Job[int | None]:
    """Return the fewest inexact rounds in a row, from the allowed number up, that solve it."""
    if closure.solves or options.inexact_rounds < 0:
        return options.inexact_rounds if closure.solves else None
    for limit in range(options.inexact_rounds + 1, TRIED_ROUNDS + 1):
        if (yield from play_by_closure_auto(puzzle, limit, options.cap)).solves:
            return limit
        yield Progress(limit, TRIED_ROUNDS, "trying more inexact rounds in a row")
    return None


def _published(puzzle: Puzzle, limit: int, *, no_guess: bool) -> Job[Published]:
    """Rate the puzzle on the scale of 2018, with its order of ties and without any."""
    tied = yield from published_steps(puzzle, limit, ties=True)
    free = yield from published_steps(puzzle, limit, ties=False)
    score = _score(puzzle, limit, tied)
    return Published(
        score, tied.steps, tied.solved,
        Scored(_score(puzzle, limit, free), free.steps, free.solved),
        (yield from _allowed(puzzle, limit, tied)) if score < 0 and no_guess else None,
    )  # fmt: skip


def _allowed(puzzle: Puzzle, limit: int, tied: Outcome) -> Job[Allowed | None]:
    """Return the score with the smallest allowance above `limit` that gives one, else None."""
    if limit >= 0 and not tied.solved:
        try:
            tied = yield from published_steps(puzzle, max(limit, TRIED_ROUNDS), ties=True)
        except TooLarge:
            return None
    for allowance in (max(limit, tied.inexact), -1) if limit >= 0 else ():
        score = _score(puzzle, allowance, tied)
        if score >= 0:
            return Allowed(score, tied.steps, tied.solved, allowance)
    return None


def _score(puzzle: Puzzle, limit: int, found: Outcome) -> float:
    """Return the sum as it was published, in doubles; -1 if the scale gives none.

    With a limit the scale requires a line without mines; the log without a limit does not.
    """
    lines = [g.count for g in puzzle.board.groups if g.kind in ("row", "column")]
    barred = limit >= 0 and bool(lines) and min(lines) > 0
    if not found.solved or len(found.steps) < 2 or barred:
        return -1.0
    total = 0.0
    for a, b in pairwise(found.steps):
        low, high = min(a, b), max(a, b)
        total += low * (high - 1) / (high - low + 1)
    return total


def path(position: Position, puzzle: Puzzle) -> Job[list[Move]]:
    """Return the moves until every safe cell is open or no cell is decided."""
    cells, memory, moves = puzzle.start[:], ComponentCache(), list[Move]()
    wanted = sum(mark != FLAG for mark in puzzle.shows)
    while puzzle.has_closed(cells):
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
    """Return whether a path opens every safe cell, so that no guess is needed."""
    safe = sum(s != FLAG and c == UNKNOWN for c, s in zip(puzzle.start, puzzle.shows, strict=True))
    return sum(len(move.cells) for move in moves if move.verdict == "safe") == safe


def _easiest(
    position: Position, puzzle: Puzzle, cells: array[int], memory: ComponentCache
) -> Job[Move | None]:
    """Return the easiest move, None if no cell is decided."""
    board, arranged = puzzle.board, is_arranged(position)
    derived = None if arranged else (yield from easiest_derivation(board, cells))
    if derived is not None:
        names = [clue_name(board, clue) for clue in derived.clues]
        return Move(derived.technique, names, bit_indices(derived.cells), verdict_of(derived.value),
                    derived.length, derived.widest, derived.proved)  # fmt: skip
    now = position_then(position, cells)
    values = yield from (forced(now) if arranged else memory.forced(board, cells))
    if values is None or max(values) < 0:
        return None
    easy = yield from (easiest(now, values) if arranged else shortest_sum(now, board, values))
    found = easy.found
    decided = [c for c in found.steps[-1].gives.cells if values[c] >= 0]
    return Move(found.technique or "deeper", found.clues, decided,
                verdict_of(found.verdict == "mine"),
                easy.length, easy.widest, easy.proved)  # fmt: skip


def position_then(position: Position, cells: array[int]) -> Position:
    """Return the position in that state, without the solution."""
    return msgspec.structs.replace(
        position,
        revealed=tuple(
            Revealed(cell, None if mark == QUESTION else mark)
            for cell, mark in enumerate(cells) if mark not in (UNKNOWN, FLAG)
        ),
        flags=tuple(cell for cell, mark in enumerate(cells) if mark == FLAG),
        mines=None, secret=(), sealed=None, start=None, marks=(), notes=Notes(),
    )  # fmt: skip
