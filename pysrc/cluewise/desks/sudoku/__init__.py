"""Sudoku: same or different, with a witness; canonical forms, symmetries, solving, making."""

from __future__ import annotations

from cluewise.core.desk import Desk, Verb
from cluewise.desks.sudoku import results
from cluewise.desks.sudoku.canon import run_canon
from cluewise.desks.sudoku.making import run_generate, run_puzzle
from cluewise.desks.sudoku.nearest import run_nearest
from cluewise.desks.sudoku.paste import run_export, run_group, run_paste
from cluewise.desks.sudoku.position import Position, check
from cluewise.desks.sudoku.same import run_same
from cluewise.desks.sudoku.solve import run_solve
from cluewise.desks.sudoku.symmetry import run_automorphisms
from cluewise.desks.sudoku.table import run_compare, run_table

DESK = Desk(
    name="sudoku",
    title="Same or different?",
    position=Position,
    check=check,
    verbs=(
        Verb(
            "same", "Say whether two boards are one in disguise, with a witness or a reason.",
            results.SameOptions, results.Same, run_same,
        ),
        Verb(
            "canon", "The least form of a grid, or of a puzzle in three conventions.",
            results.NoChoice, results.GridForm | results.PuzzleForms, run_canon,
        ),
        Verb(
            "automorphisms", "The transforms that take a board to itself.",
            results.AutomorphismOptions, results.Automorphisms, run_automorphisms,
        ),
        Verb(
            "table", "The co-occurrence table of a board, its normalisation and ties.",
            results.NoChoice, results.Table, run_table,
        ),
        Verb(
            "compare", "Two boards by the table method, beside the exact answer.",
            results.NoChoice, results.Comparison, run_compare,
        ),
        Verb(
            "solve", "No solution, one, or several with the first two.",
            results.NoChoice, results.Solved, run_solve,
        ),
        Verb(
            "nearest", "The most givens of two boards that can be made to agree.",
            results.NoChoice, results.Nearest, run_nearest,
        ),
        Verb(
            "generate", "A random complete grid.",
            results.GenerateOptions, results.Generated, run_generate,
        ),
        Verb(
            "puzzle", "A puzzle with one solution.",
            results.PuzzleOptions, results.Puzzle, run_puzzle,
        ),
        Verb(
            "group", "Class numbers, least forms or solutions of a list.",
            results.GroupOptions, results.Grouped, run_group,
        ),
        Verb(
            "paste", "Read boards from text, files and links.",
            results.PasteOptions, results.Pasted, run_paste,
        ),
        Verb(
            "export", "Write the boards as text or as a link of another site.",
            results.ExportOptions, results.Exported, run_export,
        ),
    ),
)  # fmt: skip
