"""Least forms of large puzzles: what is known is given, and the search for a solution ends."""

import random
from itertools import product
from typing import Any

import pytest

from cluewise.desks.sudoku.position import SYMBOLS
from cluewise.desks.sudoku.results import PuzzleForms
from cluewise.desks.sudoku.verbs import variants
from cluewise.service import run, start
from reference.sudoku import orders_of


def punched(box: tuple[int, int], seed: int, share: float) -> str:
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
    monkeypatch.setattr(variants, "CARRIED_PATIENCE", 300)
    found = run(asked((5, 5), punched((5, 5), 1, 0.6)))
    assert found["straight"]
    assert found["pattern_first"]
    assert found["solution_carried"] is None
    assert "was not settled" in found["no_carried"]


def test_a_solution_with_too_many_symmetries_withholds_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from cluewise.desks.sudoku.engine import canonical

    monkeypatch.setattr(canonical, "MOST_CARRIED", 0)
    found = run(asked((2, 2), "1234341221434.2."))
    assert found["straight"]
    assert "symmetries" in found["no_carried"]


def carried(puzzle: str, solution: str, rows: int, cols: int) -> str:
    """The least carried puzzle of all ways that make its solution least, one by one."""
    n = rows * cols
    ways = product(
        (False, True) if rows == cols else (False,), orders_of(cols, rows), orders_of(rows, cols)
    )
    found = []
    for turned, down, across in ways:
        at = [c * n + r if turned else r * n + c for r in down for c in across]
        names: dict[str, str] = {".": "."}
        grid = "".join(names.setdefault(solution[i], SYMBOLS[len(names) - 1]) for i in at)
        found.append((grid, "".join(names[puzzle[i]] for i in at).replace(".", "0")))
    return min(found)[1].replace("0", ".")


@pytest.mark.parametrize(
    ("box", "seed"),
    [*(((2, 2), seed) for seed in range(6)), *(((2, 3), seed) for seed in range(3))],
)
def test_a_small_puzzle_is_carried_as_all_ways_one_by_one_carry_it(
    box: tuple[int, int], seed: int
) -> None:
    made = run({"desk": "sudoku", "want": "puzzle", "position": {"box": list(box)},
                "options": {"seed": seed}})  # fmt: skip
    found = run(asked(box, made["puzzle"]))
    assert found["solution_carried"] == carried(made["puzzle"], made["solution"], *box)
