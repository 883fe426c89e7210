"""Every puzzle and every later state of the oracle file: counts, forced cells, chances."""

from typing import Any

import pytest

from asking import ask_mines
from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.engine.count import count
from cluewise.desks.mines.position import Position, graph
from cluewise.service import to_plain
from reference.mines_boards import position_of, puzzles

CASES = [
    pytest.param(puzzle, where, id=f"{puzzle['id']}-{index}")
    for puzzle in puzzles()
    for index, where in enumerate([None, *puzzle["expect"]["states"]])
]


def _case(puzzle: dict[str, Any], where: dict[str, Any] | None) -> tuple[Position, dict[str, Any]]:
    if where is None:
        return position_of(puzzle, known=False), puzzle["expect"]["start"]
    return position_of(puzzle, where["revealed"], where["flagged"], known=False), where


def test_the_file_has_all_its_puzzles() -> None:
    assert len(puzzles()) == 22
    assert len(CASES) > 40


@pytest.mark.parametrize(("puzzle", "where"), CASES)
def test_counts_of_every_cell_are_exact(
    puzzle: dict[str, Any], where: dict[str, Any] | None
) -> None:
    position, expected = _case(puzzle, where)
    found = finish(count(graph(position), state(position)))
    assert found is not None
    assert str(found.solutions) == expected["solutions"]
    masses = {cell: str(found.mass(int(cell))) for cell in expected["mine_counts"]}
    assert masses == expected["mine_counts"]


@pytest.mark.parametrize(("puzzle", "where"), CASES)
def test_solve_answers_as_the_contract_says(
    puzzle: dict[str, Any], where: dict[str, Any] | None
) -> None:
    position, expected = _case(puzzle, where)
    answer = ask_mines("solve", to_plain(position))
    assert answer["solutions"] == expected["solutions"]
    assert answer["exact"] is True
    assert answer["safe"] == expected["forced_safe"]
    assert answer["mines"] == expected["forced_mine"]
    chances = {str(c): p for c, p in enumerate(answer["probability"]) if p is not None}
    assert chances == pytest.approx(expected["prob"], abs=1e-9)


@pytest.mark.parametrize(("puzzle", "where"), CASES)
def test_search_finds_the_same_forced_cells_as_counting(
    puzzle: dict[str, Any], where: dict[str, Any] | None
) -> None:
    position, expected = _case(puzzle, where)
    values = finish(backbone(graph(position), state(position)))
    assert values is not None
    assert [c for c, v in enumerate(values) if v == 0] == expected["forced_safe"]
    assert [c for c, v in enumerate(values) if v == 1] == expected["forced_mine"]
