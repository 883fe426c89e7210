"""Waves, no-guess verdicts and the closure's steps on the oracle puzzles."""

from typing import Any

import pytest

from asking import ask_mines
from cluewise.core.work import finish
from cluewise.desks.mines.engine.closure import CAPPED
from cluewise.desks.mines.engine.playthrough import difficulty_score, play_by_closure, puzzle_of
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.sealing import with_mines
from cluewise.service import to_plain
from reference import mines_closure
from reference.mines_boards import decided, lock_of, position_of, published, puzzles


def rated(puzzle: dict[str, Any], **options: object) -> dict[str, Any]:
    found: dict[str, Any] = ask_mines("rate", to_plain(position_of(puzzle)), **options)
    return found


def rate_of(lock: dict[str, Any], rounds: int) -> dict[str, Any]:
    """A published lock's rating with that many inexact rounds in a row."""
    found: dict[str, Any] = ask_mines("rate", to_plain(lock_of(lock)), inexact_rounds=rounds)
    return found


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda p: str(p["id"]))
def test_waves_and_the_no_guess_verdict(puzzle: dict[str, Any]) -> None:
    expected = puzzle["expect"]
    answer = rated(puzzle)
    assert answer["no_guess"] is expected["no_guess"]
    assert answer["waves"] == sum(1 for wave in expected["waves"] if wave["safe"])


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda p: str(p["id"]))
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_steps_are_those_of_the_slow_closure(puzzle: dict[str, Any], limit: int) -> None:
    answer = rated(puzzle, inexact_rounds=limit, cap="on")
    steps, solves = mines_closure.rate(position_of(puzzle), limit, 9, 3)
    assert (answer["steps"], answer["closure_solves"]) == (steps, solves)
    assert answer["capped"] is (puzzle["n"] > 9)
    if not solves:
        assert answer["smooth"] is None
    if answer["closure_solves"]:
        assert answer["no_guess"] is True, "the closure is sound, so nothing can stop complete play"


@pytest.mark.long
def test_a_lock_of_144_cells_takes_the_steps_of_the_slow_closure() -> None:
    position = with_mines(next(e.position for e in bundled() if e.cells == 144))
    found = finish(play_by_closure(puzzle_of(position), 1, CAPPED))
    steps, solves = mines_closure.rate(position, 1, CAPPED.widest, CAPPED.highest)
    assert ([step.rounds for step in found.steps], found.solves) == (steps, solves)


@pytest.mark.parametrize(
    "puzzle", [p for p in puzzles() if p["expect"]["pairwise_closure_start"]],
    ids=lambda p: str(p["id"]),
)  # fmt: skip
def test_the_closure_without_a_cap_finds_what_crossing_to_a_fixpoint_finds(
    puzzle: dict[str, Any],
) -> None:
    """`pairwise_closure_start` was computed independently, without rounds and caps."""
    from cluewise.desks.mines.engine.board import state
    from cluewise.desks.mines.engine.closure import Cap, open_closure
    from cluewise.desks.mines.position import graph

    expected = puzzle["expect"]["pairwise_closure_start"]
    position = position_of(puzzle)
    board = graph(position)
    with open_closure(board, state(position), cap=Cap(), megabytes=24) as closure:
        known = puzzle["expect"]["start"]
        for cell in range(board.cells):
            if cell not in puzzle["start"]:
                finish(closure.step(50, cell))
        safe, mines = decided(closure.log())
    assert sorted(safe) == expected["forced_safe"]
    assert sorted(mines) == expected["forced_mine"]
    assert set(expected["forced_safe"]) <= set(known["forced_safe"])


@pytest.mark.parametrize("name", ["m01", "m02"])
def test_parity_escapes_the_closure_but_not_complete_reasoning(name: str) -> None:
    """a+b=1, b+c=1, a+c+d=2 (m01) and =1 (m02): the two smallest misses."""
    puzzle = next(p for p in puzzles() if p["id"] == name)
    answer = rated(puzzle, inexact_rounds=20, cap="off")
    assert answer["closure_solves"] is False
    assert answer["steps"] == []
    assert answer["smooth"] is None
    assert answer["no_guess"] is True
    assert answer["solves_with"] is None
    solved = ask_mines("solve", to_plain(position_of(puzzle)))
    assert len(solved["safe"]) == len(solved["mines"]) == 2


def test_a_published_lock_that_one_inexact_round_does_not_solve_is_solved_by_two() -> None:
    lock = next(b for b in published() if "12x12-with-score-72.13" in b["name"])
    one, two, none = (rate_of(lock, rounds) for rounds in (1, 2, 0))
    assert (one["closure_solves"], one["solves_with"], one["smooth"]) == (False, 2, None)
    assert (two["closure_solves"], two["solves_with"]) == (True, 2)
    assert two["smooth"] > 0
    assert (none["closure_solves"], none["solves_with"]) == (False, 2)


@pytest.mark.sampled(of="mines, published")
def test_every_published_lock_that_needs_no_guess_is_solved_by_two_inexact_rounds() -> None:
    for board in published()[::6]:
        found = rate_of(board, 1)
        assert found["solves_with"] in ((1, 2) if found["no_guess"] else (None,)), board["name"]


@pytest.mark.parametrize(
    ("steps", "score"),
    [([1, 3, 2, 1, 3, 1], 4.5), ([1, 1, 6, 1, 1], 5 / 3), ([1, 3, 3, 1], 22 / 3),
     ([1, 5, 1, 1], 1.6), ([], 0.0), ([4], 0.0), ([1, 1, 1], 0.0)],
)  # fmt: skip
def test_the_smooth_score_is_exact(steps: list[int], score: float) -> None:
    assert difficulty_score(steps) == score
