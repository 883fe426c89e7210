"""Mine boards on any graph of cells: complete deduction, explained from the clues."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.mines.formats import read as read_text
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.sealing import to_link, with_mines
from cluewise.desks.mines.verbs.author import author
from cluewise.desks.mines.verbs.doubt import check as check_flags
from cluewise.desks.mines.verbs.doubt import doubt
from cluewise.desks.mines.verbs.explain import explain
from cluewise.desks.mines.verbs.files import campaign, examples, photo, read, write
from cluewise.desks.mines.verbs.generate import generate, puzzle_tasks
from cluewise.desks.mines.verbs.guess import guess
from cluewise.desks.mines.verbs.hint import hint
from cluewise.desks.mines.verbs.proof import proof
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.review import review
from cluewise.desks.mines.verbs.solve import solve

DESK = Desk(
    name="mines",
    title="Tametsi boards",
    position=Position,
    check=check,
    from_text=read_text,
    to_link=to_link,
    from_link=with_mines,
    verbs=(
        Verb("solve", "Every forced cell, and each cell's chance", solve),
        Verb("explain", "Why a cell is safe or a mine", explain),
        Verb("proof", "Why, as files for a checker", proof),
        Verb("hint", "The easiest deduction, shown by degrees", hint),
        Verb("guess", "Which cell to open where none is safe", guess),
        Verb("review", "Luck and mistakes of the presses so far", review),
        Verb("check", "Is a flag wrong? Yes or no", check_flags),
        Verb("rate", "How hard a puzzle is, and that no guess is needed", rate),
        Verb("author", "Where a board being made sticks", author),
        Verb("generate", "A new puzzle that needs no guess", generate, puzzle_tasks),
        Verb("examples", "The bundled puzzles", examples),
        Verb("read", "A .puz file or typed board as a position", read),
        Verb("photo", "The board in a screenshot", photo),
        Verb("write", "The puzzle as a .puz file", write),
        Verb("campaign", "Several puzzles as one archive for the game", campaign),
        Verb("doubt", "Which clues cannot all hold", doubt),
    ),
)
