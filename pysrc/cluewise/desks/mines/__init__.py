"""Mine boards on any graph of cells: complete deduction, explained from the clues."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.mines.engine.doubt import doubt
from cluewise.desks.mines.engine.explain import explain
from cluewise.desks.mines.engine.hint import check_flags, hint
from cluewise.desks.mines.engine.rate import rate
from cluewise.desks.mines.engine.solve import solve
from cluewise.desks.mines.formats import run_read, run_write
from cluewise.desks.mines.generate import generate
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.puzzles import run_examples
from cluewise.desks.mines.rated import Rated
from cluewise.desks.mines.results import (
    Checked,
    Doubt,
    DoubtOptions,
    Examples,
    Explained,
    ExplainOptions,
    GenerateOptions,
    Hint,
    HintOptions,
    NoOptions,
    RateOptions,
    ReadOptions,
    Solved,
    SolveOptions,
    Written,
)
from cluewise.desks.mines.sealing import to_link, with_mines

DESK = Desk(
    name="mines",
    title="Tametsi boards",
    position=Position,
    check=check,
    to_link=to_link,
    from_link=with_mines,
    verbs=(
        Verb("solve", "Every forced cell, and each cell's chance", SolveOptions, Solved, solve),
        Verb("explain", "Why a cell is safe or a mine", ExplainOptions, Explained, explain),
        Verb("hint", "The easiest move, told by degrees", HintOptions, Hint, hint),
        Verb("check", "Is a flag wrong? Yes or no", NoOptions, Checked, check_flags),
        Verb("rate", "How hard a puzzle is, and that no guess is needed", RateOptions, Rated, rate),
        Verb("generate", "A new puzzle that needs no guess", GenerateOptions, Position, generate),
        Verb("examples", "The bundled puzzles", NoOptions, Examples, run_examples),
        Verb("read", "A .puz file or typed board as a position", ReadOptions, Position, run_read),
        Verb("write", "The puzzle as a .puz file", NoOptions, Written, run_write),
        Verb("doubt", "Which clues cannot all hold", DoubtOptions, Doubt, doubt),
    ),
)
