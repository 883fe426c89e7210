"""Links with rules beyond rows, columns and boxes: what was not compared is said everywhere."""

import json

from cluewise import links
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.position import Position
from commands import Command

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SWAPPED = PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]  # two rows of a band: not a step that X allows


THERMO = [{"kind": "other", "name": "thermometers"}]


def test_the_terminal_never_says_the_same_or_one_solution_without_what_was_left_out(
    command: Command,
) -> None:
    two = {"grids": [PUZZLE, SWAPPED], "constraints": THERMO}
    one = {"grids": [PUZZLE], "constraints": THERMO}
    for verb, given, said in (
        ("same", two, "The same as plain sudoku"),
        ("solve", one, "As plain sudoku: one solution."),
    ):
        ran = command("sudoku", verb, "-", text=json.dumps(given))
        assert ran.status == 0
        assert said in ran.out
        assert "Not compared: thermometers." in ran.out


def test_a_position_keeps_its_constraints_in_its_link() -> None:
    there = Position(grids=(PUZZLE,), constraints=(Constraint("killer", (0, 1), 9),))
    assert links.decode(links.encode(there)) == there
