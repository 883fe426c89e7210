"""What is told of pictures, and of boards whose constraints may be turned round."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from cluewise import service
from cluewise.cli.desks.sudoku import read_picture
from cluewise.desks.sudoku.ocr.sentences import sentences
from commands import Command
from reference.sudoku_pictures import drawn

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EMPTY = "." * 81
CORNERS = [{"kind": "thermometer", "cells": [0, 1]}, {"kind": "thermometer", "cells": [79, 80]}]


def ask(want: str, grids: list[str], rules: list[Any]) -> Any:
    position = {"grids": grids, "constraints": rules}
    return service.run({"desk": "sudoku", "want": want, "position": position})


def test_boards_whose_thermometers_run_the_other_way_are_one_with_symbols_turned_round() -> None:
    rules = [{"kind": "thermometer", "cells": [0, 1], "board": 0},
             {"kind": "thermometer", "cells": [1, 0], "board": 1}]  # fmt: skip
    found = ask("same", ["1" + EMPTY[1:], "9" + EMPTY[1:]], rules)
    assert found["same"]
    assert found["witness"]["digits"] == [0, *range(9, 0, -1)]
    assert [step["kind"] for step in found["steps"]] == ["relabel"]


def test_a_move_that_turns_cells_and_symbols_is_one_step_told_whole() -> None:
    found = ask("same", ["12" + EMPTY[2:], EMPTY[2:] + "89"], CORNERS)
    assert (found["same"], found["compared"]) == (True, ["thermometers"])
    (step,) = found["steps"]
    assert step["text"].startswith("Move rows 1→9→1")
    assert step["text"].endswith("and relabel 1→9→1, 2→8→2, 3→7→3, 4→6→4, at once")


def test_a_board_that_turning_symbols_round_keeps_has_that_symmetry() -> None:
    board = "1" + EMPTY[2:] + "9"
    for grid, count in ((EMPTY, 576), (board, 288)):
        found = ask("automorphisms", [grid], CORNERS)
        assert found["count"] == count
        turned = [g for g in found["generators"] if g["digits"] == [0, *range(9, 0, -1)]]
        assert turned


def test_a_picture_is_read_and_one_that_fails_stops_no_other(
    command: Command, tmp_path: Path
) -> None:
    good, bad = str(tmp_path / "good.png"), str(tmp_path / "bad.png")
    drawn(PUZZLE, 3, 3).save(good)
    Path(bad).write_text("hello")
    status, out, err = command("sudoku", "photo", good)
    assert (status, err) == (0, "")
    assert out.startswith(" 4 . . | . . . | 8 . 5\n")
    status, out, err = command("sudoku", "photo", bad, good)
    assert (status, out.splitlines()[0]) == (2, good)
    assert err.startswith(f"{bad} is not a picture")
    status, out, _ = command("sudoku", "photo", good, "--json")
    assert (status, json.loads(out)["grid"]) == (0, PUZZLE)
    status, out, _ = command("sudoku", "photo", good, good, "--json")
    assert [one["grid"] for one in json.loads(out)] == [PUZZLE] * 2


def test_what_deserves_a_look_in_a_picture_is_said_a_sentence_each(tmp_path: Path) -> None:
    drawn(PUZZLE, 3, 3).save(tmp_path / "one.png")
    found = read_picture(str(tmp_path / "one.png"))
    assert sentences(found) == []
    change = msgspec.structs.replace
    assert sentences(change(found, lattice_doubtful=True, solutions=">=2")) == [
        "Look the whole board over: as read it has several solutions."
    ]
    seen = "." + found.grid[1:]
    told = sentences(change(found, repaired=[0], seen=seen, doubtful=[0]))
    assert told == ["Repaired: row 1, column 1 looked like blank; the rules make it 4."]
    own = sentences(change(found, own=[0, 6]))
    assert own == ["2 symbols have another colour: perhaps filled in by hand."]
    many = sentences(change(found, doubtful=list(range(81)), likely=["12"] * 81))
    assert many[-1] == "Doubtful in all: 81 cells."
    assert many[0] == "Doubtful: row 1, column 1, 4 (or 1 or 2)."
