"""The sudoku desk's position, transforms, reasons and bad input."""

from io import StringIO

import msgspec
from rich.console import Console

from asking import ask_grids as ask
from cluewise.cli.desks.sudoku import TABLES
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import Table

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_the_table_numbers_symbols_in_the_terminal_as_on_the_page() -> None:
    result = msgspec.convert(ask("table", PUZZLE), Table)
    screen = Console(width=200, record=True, file=StringIO())
    screen.print(TABLES["table"](Position(grids=(PUZZLE,)), result))
    lines = [line.split("│") for line in screen.export_text().splitlines() if "│" in line]
    becomes = {row.symbol: str(row.index + 1) for row in result.rows}
    assert {line[1].strip(): line[-2].strip() for line in lines} == becomes
