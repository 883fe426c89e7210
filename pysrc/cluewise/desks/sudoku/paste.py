"""The verbs that deal in text: `paste`, `export`, and `group` for a list."""

from __future__ import annotations

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import joined, of_board, words
from cluewise.desks.sudoku.engine import forms
from cluewise.desks.sudoku.formats.text import Found, read_text
from cluewise.desks.sudoku.formats.write import write_text
from cluewise.desks.sudoku.lists import Classes, answers
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import (
    BadLine,
    Exported,
    ExportOptions,
    Grouped,
    GroupOptions,
    Pasted,
    PasteOptions,
    Same,
    SameOptions,
)
from cluewise.desks.sudoku.same import run_same
from cluewise.errors import BadOption, BadPosition

_SMALL = 9  # symbols: larger boards can take long, and are compared where that can be watched
_SLICE = 2000  # lines between two progress reports: about 15 ms in the browser


def run_paste(position: Position, options: PasteOptions) -> Job[Pasted]:
    """The boards of a text, what kind of text it is, and what could not be read, with its place.

    With `same`, the verdict on the two boards that then stand side by side comes along: it would
    be the next question anyway, and one way to the worker and back is half of a paste's time.
    """
    found = read_text(options.text, position.shape)
    problems = [BadLine(p.line, p.column, p.text) for p in found.problems]
    box = (found.shape.rows, found.shape.cols)
    verdict = (yield from _verdict(position, found, options)) if options.same else None
    rules = [list(one) for one in found.constraints]
    if not any(rules):
        rules = []
    return Pasted(found.format, box, found.boards, problems, verdict, rules)


def _verdict(position: Position, found: Found, options: PasteOptions) -> Job[Same | None]:
    """The answer of `same` for the pasted boards; None if there are not two to be compared."""
    two, rules = list(found.boards), list(found.constraints)
    if len(two) == 1 and found.shape == position.shape:
        two = [*position.grids, "", ""][:2]
        rules = [tuple(of_board(position.constraints, i)) for i in (0, 1)]
        two[options.into], rules[options.into] = found.boards[0], found.constraints[0]
    if len(two) != 2 or found.shape.size > _SMALL or not all(t.strip(".0") for t in two):
        return None
    box = (found.shape.rows, found.shape.cols)
    both = Position(box=box, grids=(two[0], two[1]), constraints=joined(rules[0], rules[1]))
    try:
        return (yield from run_same(both, SameOptions(no_relabel=options.no_relabel)))
    except BadPosition:  # a board that breaks the rules: nothing to compare, and still a good text
        return None


def run_export(position: Position, options: ExportOptions) -> Job[Exported]:
    """The position's boards as text or links of another program."""
    yield from ()
    boards = [text.replace("0", ".") for text in position.grids]
    text = write_text(boards, position.shape, options.notation)
    return Exported(text, words(position.constraints))


def run_group(position: Position, options: GroupOptions) -> Job[Grouped]:
    """The answer of every line of a list: class numbers, least forms or solutions.

    For `group`, `classes[i]` is the class of line i (null for a line without a board) and
    `firsts[k]` the line of the first member of class k, both counted within these lines; `keys`
    are the classes' keys, so that a caller who sends a long list in pieces can join them. Problems
    are numbered from the first line of the whole list: `before` lines came before these.
    """
    if options.task == "canon" and options.convention not in ("straight", *_OTHER):
        raise BadOption("There is no such convention.", "$.options.convention")
    lines, shape = options.lines, position.shape
    known, out = Classes(), Grouped([], [], [], [], [])
    for at in range(0, len(lines), _SLICE):
        piece = lines[at : at + _SLICE]
        first = options.before + at
        found = yield from answers(piece, first, shape, options.task, options.convention)
        for i, (answer, problem) in enumerate(found):
            if problem:
                out.problems.append(BadLine(first + i + 1, _column(problem), problem))
            out.answers.append(answer)
            if options.task == "group":
                number, fresh = known.number(answer) if answer else (None, False)
                out.classes.append(number)
                if fresh:
                    out.firsts.append(at + i)
                    out.keys.append(answer)
        yield Progress(at + len(piece), len(lines), "lines")
    if options.task == "group":
        out.answers.clear()
    return out


_OTHER: tuple[forms.Convention, ...] = ("pattern-first", "solution-carried")


def _column(problem: str) -> int:
    head = problem.split(":", 1)[0]
    return int(head.rpartition(" ")[2]) if "column" in head else 1
