"""Mine boards on any graph of cells: complete deduction, explained from the clues."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.mines.engine.doubt import doubt
from cluewise.desks.mines.engine.solve import solve
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.results import (
    Doubt,
    DoubtOptions,
    Solved,
    SolveOptions,
)

DESK = Desk(
    name="mines",
    title="Mine boards",
    position=Position,
    check=check,
    verbs=(
        Verb("solve", "Every forced cell, and each cell's chance", SolveOptions, Solved, solve),
        Verb("doubt", "Which clues cannot all hold", DoubtOptions, Doubt, doubt),
    ),
)
