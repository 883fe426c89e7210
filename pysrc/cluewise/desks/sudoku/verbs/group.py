"""The verb `group`: the answer of every line of a list."""

from __future__ import annotations

from cluewise.core.results import BadLine
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine import forms
from cluewise.desks.sudoku.lists import Classes, answers
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import Grouped, GroupOptions
from cluewise.errors import BadOption

_SHOWN = 200  # characters of a line that could not be read
_SLICE = 2000  # lines between two progress reports: about 15 ms in the browser


def group(position: Position, options: GroupOptions) -> Job[Grouped]:
    """The answer of every line of a list: class numbers, least forms or solutions.

    For `group`, `classes[i]` is the class of line i (null for a line without a board) and
    `firsts[k]` the line of the first member of class k, both counted within these lines; `keys`
    are the classes' keys, so that a caller who sends a long list in pieces can join them. Bad lines
    are numbered from the first line of the whole list: `before` lines came before these.
    """
    if options.task == "canon" and options.convention not in ("straight", *_OTHER):
        raise BadOption("There is no such convention.", "$.options.convention")
    lines, shape = options.lines, position.shape
    known, out = Classes(), Grouped([], [], [], [], [])
    for at in range(0, len(lines), _SLICE):
        piece = lines[at : at + _SLICE]
        first = options.before + at
        found = yield from answers(
            piece, first, shape, options.task, options.convention, options.by
        )
        for i, (answer, problem) in enumerate(found):
            if problem:
                out.bad.append(_bad(first + i + 1, piece[i], problem))
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


def _bad(number: int, line: str, problem: str) -> BadLine:
    """The line and what is wrong with it, out of `line 3, column 81: It has 80 characters.`"""
    head, _, why = problem.partition(": ")
    column = int(head.rpartition(" ")[2]) if "column" in head else None
    return BadLine(number, column, line[:_SHOWN], why)
