"""Mine boards on any graph of cells: complete deduction, explained from the clues."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.mines.engine.doubt import doubt
from cluewise.desks.mines.engine.explain import explain
from cluewise.desks.mines.engine.hint import check_flags, hint
from cluewise.desks.mines.engine.rate import rate
from cluewise.desks.mines.engine.solve import solve
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.results import (
    Checked,
    Doubt,
    DoubtOptions,
    Explained,
    ExplainOptions,
    Hint,
    HintOptions,
    NoOptions,
    Rated,
    RateOptions,
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
        Verb("explain", "Why a cell is safe or a mine", ExplainOptions, Explained, explain),
        Verb("hint", "The easiest move, told by degrees", HintOptions, Hint, hint),
        Verb("check", "Is a flag wrong? Yes or no", NoOptions, Checked, check_flags),
        Verb("rate", "How hard a puzzle is, and that no guess is needed", RateOptions, Rated, rate),
        Verb("doubt", "Which clues cannot all hold", DoubtOptions, Doubt, doubt),
    ),
)
