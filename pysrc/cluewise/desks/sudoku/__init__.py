"""Sudoku: equivalence with a witness, canonical forms, symmetries, solving, new boards."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.sudoku.position import Position, check
from cluewise.desks.sudoku.verbs.canon import automorphisms, canon
from cluewise.desks.sudoku.verbs.duplicates import duplicate_tasks, duplicates
from cluewise.desks.sudoku.verbs.exchange import export, paste, photo, read_boards
from cluewise.desks.sudoku.verbs.group import group, group_tasks
from cluewise.desks.sudoku.verbs.make import disguise, generate, make
from cluewise.desks.sudoku.verbs.number import from_name, grid, number
from cluewise.desks.sudoku.verbs.puzzle import puzzle
from cluewise.desks.sudoku.verbs.same import nearest, same
from cluewise.desks.sudoku.verbs.solve import solve
from cluewise.desks.sudoku.verbs.table import compare, table
from cluewise.desks.sudoku.verbs.views import unavoidable, views

DESK = Desk(
    name="sudoku",
    title="Same or different?",
    position=Position,
    check=check,
    from_name=from_name,
    from_text=read_boards,
    verbs=(
        Verb("same", "Whether two boards are equivalent, with a witness or a reason.", same),
        Verb("canon", "The least form of a grid, or of a puzzle in three conventions.", canon),
        Verb("automorphisms", "The transforms that take a board to itself.", automorphisms),
        Verb("table", "The co-occurrence table of a board, its normalisation and ties.", table),
        Verb("compare", "Two boards by the table method, next to the exact answer.", compare),
        Verb("solve", "No solution, one, or several with the first two.", solve),
        Verb("nearest", "The most givens of two boards that a transform makes agree.", nearest),
        Verb(
            "number",
            "A grid's rank among the 5 472 730 538 that are essentially different.",
            number,
        ),
        Verb("grid", "The grid of a number, and those that follow; the board of a name.", grid),
        Verb(
            "unavoidable",
            "The unavoidable sets of four and six cells: a puzzle needs a given in each.",
            unavoidable,
        ),
        Verb("views", "The ways in which a grid can be an X-sudoku, a windoku and others.", views),
        Verb("make", "A new board: a puzzle, a grid, a named board, an equivalent board.", make),
        Verb("generate", "An older name for `make --kind grid`.", generate),
        Verb("puzzle", "An older name for `make`.", puzzle),
        Verb("disguise", "An older name for `make --kind disguise`.", disguise),
        Verb("group", "Class numbers, least forms or solutions of a list.", group, group_tasks),
        Verb(
            "duplicates",
            "Boards of a list that are equivalent but for a few cells.",
            duplicates,
            duplicate_tasks,
        ),
        Verb("paste", "Read boards from text, files and links.", paste),
        Verb("photo", "Read a board from a picture.", photo),
        Verb("export", "Write the boards as text or as a link of another site.", export),
    ),
)
