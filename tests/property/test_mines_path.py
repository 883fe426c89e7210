"""The easiest way through a puzzle: every move holds, and none easier was at hand."""

import pytest

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, chosen
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.position import Group, Position, graph
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.rating import Move
from cluewise.desks.mines.results import Example, RateOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.rate_path import path, position_then


def walked(position: Position) -> list[Move]:
    """The way, each move checked: its clues alone decide its cells, as they are in the solution."""
    puzzle = puzzle_of(position)
    moves = finish(path(position, puzzle))
    cells = puzzle.start[:]
    for move in moves:
        now = position_then(position, cells)
        board = graph(now)
        value = int(move.verdict == "mine")
        flags = [f"flag:{c}" for c, mark in enumerate(cells) if mark == FLAG]
        names = [*(n for n in move.clues if not n.startswith("flag:")), *flags]
        with open_search(board, *chosen(now, names, board)) as search:
            for cell in move.cells:
                assert cells[cell] == UNKNOWN
                assert (puzzle.shows[cell] == FLAG) is bool(value)
                assert not finish(search.exists(cell, 1 - value))
        for cell in move.cells:
            cells[cell] = puzzle.shows[cell]
    left = [c for c, mark in enumerate(cells) if mark == UNKNOWN and puzzle.shows[c] != FLAG]
    assert left == []
    return moves


@pytest.mark.parametrize("entry", [e for e in bundled() if e.cells <= 60], ids=lambda e: e.title)
def test_every_move_of_the_easiest_way_holds_and_the_last_opens_the_last_cell(
    entry: Example,
) -> None:
    moves = walked(with_mines(entry.position))
    assert moves[0].technique == "one" or entry.position.revealed


def test_the_easiest_way_ends_where_a_guess_is_needed() -> None:
    position = Position(
        neighbours=((1,), (0, 2), (1,)),
        groups=(Group((0,), 0), Group((1, 2), 1)),
        mines=(1,),
        start=(),
    )
    found = finish(rate(position, RateOptions(path=True)))
    assert found.path is not None
    assert found.no_guess is True
    assert [(m.technique, m.cells, m.verdict) for m in found.path] == [
        ("one", [0], "safe"), ("one", [1], "mine"), ("one", [2], "safe"),
    ]  # fmt: skip
    stuck = Position(neighbours=((), ()), groups=(Group((0, 1), 1),), mines=(1,), start=())
    assert finish(rate(stuck, RateOptions(path=True))).path == []
    assert finish(rate(stuck, RateOptions())).path is None
