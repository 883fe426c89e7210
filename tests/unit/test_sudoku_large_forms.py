"""Least forms of large puzzles: what is known is given, and the search for a solution ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cluewise.desks.sudoku import canon
from cluewise.desks.sudoku.results import PuzzleForms
from cluewise.service import run, start


def punched(box: tuple[int, int], seed: int, share: float) -> str:
    """A random grid with so many of its cells blank, which nobody solves in a hurry."""
    grid = run({"desk": "sudoku", "want": "generate", "position": {"box": box},
                "options": {"seed": seed}})["grid"]  # fmt: skip
    blank = set(random.Random(3).sample(range(len(grid)), int(share * len(grid))))
    return "".join("." if i in blank else c for i, c in enumerate(grid))


def asked(box: tuple[int, int], board: str) -> dict[str, Any]:
    return {"desk": "sudoku", "want": "canon", "position": {"box": box, "grids": [board]}}


def test_both_forms_of_a_25x25_puzzle_are_there_while_its_solution_is_still_looked_for() -> None:
    board = punched((5, 5), 1, 0.6)
    for step in start(asked((5, 5), board)):
        if isinstance(step.best, PuzzleForms):
            assert len(step.best.straight) == len(step.best.pattern_first) == 625
            assert step.best.no_carried == "The solution is still being looked for."
            return
    pytest.fail("no progress carried the forms")


def test_the_search_for_a_large_solution_ends_and_says_that_nothing_was_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(canon, "_PATIENCE", 300)
    found = run(asked((5, 5), punched((5, 5), 1, 0.6)))
    assert found["straight"]
    assert found["pattern_first"]
    assert found["solution_carried"] is None
    assert "was not settled" in found["no_carried"]


@pytest.mark.parametrize(
    ("board", "why"),
    [("12..34.." + "." * 8, "several solutions"), ("12....3." + "...3" + "....", "")],
)
def test_a_small_puzzle_says_why_it_has_no_carried_form(board: str, why: str) -> None:
    found = run(asked((2, 2), board))
    assert (found["solution_carried"] is None) == ("no_carried" in found)
    assert why in found.get("no_carried", "")


def test_a_solution_with_too_many_symmetries_withholds_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from cluewise.desks.sudoku.engine import shapes

    monkeypatch.setattr(shapes, "_MOST_CARRIED", 0)
    found = run(asked((2, 2), "1234341221434.2."))
    assert found["straight"]
    assert "symmetries" in found["no_carried"]
