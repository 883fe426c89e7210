"""Making boards of larger shapes: what is made, what is proved, what is refused by name."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.solver import is_unique
from cluewise.desks.sudoku.position import Shape, conflict, read_cells
from cluewise.desks.sudoku.verbs import puzzle as making
from cluewise.errors import BadOption, TooLarge
from cluewise.service import run, start
from commands import Command


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


@pytest.mark.sampled(of="sudoku, brute force")
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


def test_very_few_givens_say_what_to_expect_while_they_are_looked_for_and_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "_RARE_TRIES", 400)
    request = {"desk": "sudoku", "want": "puzzle", "options": {"clues": 18}}
    assert "none had fewer" in next(iter(start(request))).note
    with pytest.raises(TooLarge, match="to be expected: of 300 000"):
        run(request)


def test_a_puzzle_with_21_givens_is_found_among_many_and_is_minimal() -> None:
    found = made("puzzle", (3, 3), clues=21, seed=1)
    cells = read_cells(found["puzzle"], Shape(3, 3))
    assert (found["clues"], found["minimal"], 81 - cells.count(0)) == (21, True, 21)
    assert finish(is_unique(cells, Shape(3, 3), 1 << 20)) is True
    for at in [i for i, value in enumerate(cells) if value]:
        fewer = cells[:at] + b"\0" + cells[at + 1 :]
        assert finish(is_unique(fewer, Shape(3, 3), 1 << 20)) is False


def test_three_givens_never_leave_one_solution_on_4x4() -> None:
    shape = Shape(2, 2)
    for grid in ("1234341221434321", "1234341223414123"):  # the two classes of all 288 grids
        cells = read_cells(grid, shape)
        for kept in combinations(range(16), 3):
            board = bytes(value if i in kept else 0 for i, value in enumerate(cells))
            assert finish(is_unique(board, shape, 1 << 20)) is False


SEVENTEEN = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000010400000000020000000000050604008000300001090000300400200050100000000807000",
]
TWENTY_TWO = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


def test_a_puzzle_of_few_givens_is_taken_from_known_ones() -> None:
    source = ["# a list", *SEVENTEEN, TWENTY_TWO, "1" * 81, "." * 81, f"{TWENTY_TWO} hard"]
    taken = {
        made("puzzle", (3, 3), source=source, clues=17, minimal=True, seed=seed)["line"]
        for seed in range(12)
    }
    assert taken == {1, 2}
    found = made("puzzle", (3, 3), source=source, clues=17)
    assert found["puzzle"] == source[found["line"]].replace("0", ".")
    assert (found["clues"], found["minimal"]) == (17, True)
    assert made("puzzle", (3, 3), source=source, clues=22)["line"] in (3, 6)


def test_the_terminal_takes_a_puzzle_out_of_a_file(tmp_path: Path, command: Command) -> None:
    name = tmp_path / "known.txt"
    name.write_text("\n".join(SEVENTEEN))
    arguments = ["sudoku", "puzzle", "--source", str(name), "--clues", "17", "--json"]
    ran = command(*arguments)
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["puzzle"].replace(".", "0") in SEVENTEEN


def test_a_puzzle_is_made_from_the_grid_at_hand() -> None:
    grid = made("generate", (3, 3), seed=8)["grid"]
    position = {"grids": [grid]}
    found: Any = run({"desk": "sudoku", "want": "puzzle", "position": position})
    assert found["solution"] == grid
    assert all(a in (".", b) for a, b in zip(found["puzzle"], grid, strict=True))


def test_one_verb_makes_what_the_older_ones_make() -> None:
    def ask(want: str, grids: tuple[str, ...] = (), **options: object) -> Any:
        position = {"grids": list(grids)}
        return run({"desk": "sudoku", "want": want, "position": position, "options": options})

    grid = ask("grid", number=1234567890)["grid"]
    assert ask("make", kind="grid", name="1234567890")["board"] == grid
    assert ask("make", kind="grid", seed=3)["board"] == ask("generate", seed=3)["grid"]
    named = ask("make", name="1234567890", seed=5, clues=30)
    older = ask("puzzle", (grid,), seed=5, clues=30)
    assert (named["board"], named["solution"]) == (older["puzzle"], grid)
    again, disguise = (ask(want, (grid,), seed=2, **more) for want, more in (
        ("make", {"kind": "disguise"}), ("disguise", {})))  # fmt: skip
    assert (again["board"], again["steps"]) == (disguise["grid"], disguise["steps"])
    address = ask("number", (named["board"],))["address"]
    assert ask("make", kind="grid", name=address)["board"] == named["board"]
    with pytest.raises(BadOption, match="Grids have the numbers") as found:
        ask("make", kind="grid", name="zzzzzzz")
    assert found.value.where == "$.options.name"
