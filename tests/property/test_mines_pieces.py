"""Pieces of a state solved apart and remembered, against the whole state solved at once."""

import random
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.engine.components import ComponentCache, clues_of, pieces
from cluewise.desks.mines.engine.playthrough import (
    answers,
    counted,
    play_complete,
    puzzle_of,
    puzzle_with,
    recounted,
)
from cluewise.desks.mines.position import Graph, Group, Position, graph
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.sealing import with_mines
from reference.mines_boards import random_position


def side_by_side(a: Position, b: Position) -> Position:
    """Two boards that know nothing of each other as one."""
    shift = len(a.neighbours)
    groups = [Group(tuple(c + shift for c in g.cells), g.count, g.kind) for g in b.groups]
    return Position(
        neighbours=a.neighbours + tuple(tuple(n + shift for n in near) for near in b.neighbours),
        groups=(*a.groups, *groups),
    )


@given(st.integers(0, 100_000), st.integers(0, 100_000))
@settings(deadline=None, max_examples=150)
def test_what_pieces_force_is_what_the_whole_board_forces(one: int, two: int) -> None:
    first, second = random_position(one, most=9), random_position(two, most=9)
    board = graph(side_by_side(first, second))
    cells = state(first) + state(second)
    memory = ComponentCache()
    whole = finish(backbone(board, cells))
    for _ in range(2):
        assert finish(memory.forced(board, cells)) == whole
    for piece in pieces(clues_of(board, cells)):
        assert piece.cells < 1 << len(first.neighbours) or not piece.cells & (
            (1 << len(first.neighbours)) - 1
        )


def test_a_change_in_one_corner_leaves_the_other_piece_unsolved() -> None:
    left, right = random_position(3, most=9), random_position(11, most=9)
    board = graph(side_by_side(left, right))
    cells = array("h", [UNKNOWN]) * board.cells
    memory = ComponentCache()
    finish(memory.forced(board, cells))
    solved = memory.solved
    finish(memory.forced(board, cells))
    assert memory.solved == solved
    changed = cells[:]
    changed[0] = -2
    again = ComponentCache()
    finish(again.forced(board, changed))
    finish(memory.forced(board, changed))
    assert memory.solved - solved <= again.solved
    assert memory.found > 0


def test_a_lock_is_played_through_without_counting_a_layout() -> None:
    """A question to the search costs little more than a conflict, so it need not give up early."""
    lock = next(e.position for e in bundled() if e.cells == 144)
    notes = {step.note for step in play_complete(puzzle_of(with_mines(lock)))}
    assert "counting layouts" not in notes


@given(st.integers(0, 100_000))
@settings(deadline=None, max_examples=100)
def test_a_board_with_other_mines_counts_them_anew(seed: int) -> None:
    board = graph(random_position(seed, most=12))
    rng = random.Random(seed)
    mines = frozenset(c for c in range(board.cells) if rng.random() < 0.4)
    secret = [c for c in range(board.cells) if c not in mines and rng.random() < 0.2]
    made = puzzle_with(board, mines, secret, [])
    for group, before in zip(made.board.groups, board.groups, strict=True):
        assert group.cells == before.cells
        assert group.count == len(mines & set(group.cells))
    assert made.board.groups == counted(board.groups, mines)
    fresh = Graph(board.neighbours, made.board.groups)
    assert made.shows == answers(fresh, sorted(mines), secret)
    assert recounted(fresh, mines) == recounted(board, mines)
