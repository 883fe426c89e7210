"""Making boards of larger shapes: what is made, what is proved, what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from cluewise.core.work import finish
from cluewise.desks.sudoku import making
from cluewise.desks.sudoku.engine.solver import is_unique
from cluewise.desks.sudoku.position import Shape, conflict, read_cells
from cluewise.errors import TooLarge
from cluewise.service import run


def made(want: str, box: tuple[int, int], **options: object) -> Any:
    position = {"box": list(box)}
    return run({"desk": "sudoku", "want": want, "position": position, "options": options})


@pytest.mark.parametrize("box", [(r, c) for r in range(2, 7) for c in range(2, 7)])
def test_a_grid_of_every_box_up_to_six_by_six_keeps_the_rules(box: tuple[int, int]) -> None:
    grid = made("generate", box, seed=4)["grid"]
    shape = Shape(*box)
    assert "." not in grid
    assert conflict(read_cells(grid, shape), shape) is None
    assert made("generate", box, seed=4)["grid"] == grid
    assert made("generate", box, seed=5)["grid"] != grid


@pytest.mark.parametrize("box", [(4, 4), (5, 5)])
def test_a_large_puzzle_has_one_solution_and_its_pattern(box: tuple[int, int]) -> None:
    shape = Shape(*box)
    found = made("puzzle", box, seed=2, symmetry="half-turn", clues=shape.cells // 2 + 10)
    cells = read_cells(found["puzzle"], shape)
    assert finish(is_unique(cells, shape, 1 << 20)) is True
    pattern = [value > 0 for value in cells]
    assert pattern == pattern[::-1]
    assert sum(pattern) == found["clues"] == shape.cells // 2 + 10
    assert found == made("puzzle", box, seed=2, symmetry="half-turn", clues=found["clues"])


def test_a_minimal_puzzle_of_sixteen_symbols_is_minimal() -> None:
    shape = Shape(4, 4)
    found = made("puzzle", (4, 4), seed=1, minimal=True)
    cells = read_cells(found["puzzle"], shape)
    assert found["minimal"]
    assert finish(is_unique(cells, shape, 1 << 20)) is True
    for at in [i for i, value in enumerate(cells) if value][::7]:
        fewer = cells[:at] + b"\0" + cells[at + 1 :]
        assert finish(is_unique(fewer, shape, 1 << 20)) is False


def test_what_cannot_be_proved_minimal_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_PATIENCE", {36: 1})
    monkeypatch.setattr(making, "_TRIES", {36: 1})
    assert not made("puzzle", (4, 4))["minimal"]
    with pytest.raises(TooLarge, match="whether one of them is minimal takes too long"):
        made("puzzle", (4, 4), minimal=True)
