"""The verb `group`: the answer of every line of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cluewise.core.desk import Share
from cluewise.core.results import BadLine
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine import forms
from cluewise.desks.sudoku.lists import Answers, By, Classes, Task, answers, refuse
from cluewise.desks.sudoku.position import NINE, Position, Shape
from cluewise.desks.sudoku.results import Grouped, GroupOptions
from cluewise.errors import BadOption, HostFailure

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.many import Crew, Shelf

_SHOWN = 200  # characters of a line that could not be read
_SLICE = 2000  # lines between two progress reports: about 15 ms in the browser
_OTHER: tuple[forms.Convention, ...] = ("pattern-first", "solution-carried")
# Lines of a piece that is shared out: some 50 to 100 ms.
_PIECE: dict[Task, int] = {"canon": 250, "annotate": 1000}
_PIECE_OF_QUICK, _PIECE_OF_LARGE = 8000, 4  # of other tasks; of other boards than 9×9


def group(position: Position, options: GroupOptions) -> Job[Grouped]:
    """The answer of every line of a list: class numbers, least forms or solutions.

    For `group`, `classes[i]` is the class of line i (null for a line without a board) and
    `firsts[k]` the line of the first member of class k, both counted within these lines; `keys`
    are the classes' keys, so that a caller who sends a long list in pieces can join them. Bad lines
    are numbered from the first line of the whole list: `before` lines came before these.
    """
    _refuse(position, options)
    lines, merged = options.lines, _Merged(options)
    for at in range(0, len(lines), _SLICE):
        piece = lines[at : at + _SLICE]
        first = options.before + at
        merged.take(
            (
                yield from answers(
                    piece, first, position.shape, options.task, options.convention, options.by
                )
            )
        )
        yield Progress(at + len(piece), len(lines), "lines")
    return merged.end()


def shared_out(
    position: Position, options: GroupOptions, crew: Crew, shelf: Shelf | None = None
) -> Job[Grouped]:
    """The same, the lines answered by whoever works.

    HostFailure names the first line of a piece that failed twice.
    """
    from cluewise.core.many import Pause, turns

    _refuse(position, options)
    merged, count, box = _Merged(options), len(options.lines), position.box
    how = options.task, options.convention, options.by
    size = _size(position.shape, options.task)
    pieces = (
        (box, options.lines[at : at + size], options.before + at, *how)
        for at in range(0, count, size)
    )
    for done in turns(piece_of_list, pieces, crew, shelf):
        if isinstance(done, Pause):
            yield Progress(merged.lines, count, "lines", waits=done.idle)
            continue
        if done.error:
            first = options.before + merged.lines + 1
            raise HostFailure(f"Lines from {first} on failed twice: {done.error}.")
        merged.take(done.value)
        yield Progress(merged.lines, count, "lines")
    return merged.end()


def _size(shape: Shape, task: Task) -> int:
    """Lines of a piece."""
    return _PIECE.get(task, _PIECE_OF_QUICK) if shape == NINE else _PIECE_OF_LARGE


def _pieces(position: Position, options: GroupOptions) -> int:
    return -(-len(options.lines) // _size(position.shape, options.task))


SHARED: Share[Position, GroupOptions] = Share(_pieces, shared_out)


def piece_of_list(
    box: Sequence[int], lines: list[str], first: int, task: Task,
    convention: forms.Convention, by: By,
) -> Job[Answers]:  # fmt: skip
    """A piece: texts and problems, as `lists.answers` has them."""
    shape = Position(box=(box[0], box[1])).shape
    return (yield from answers(lines, first, shape, task, convention, by))


def _refuse(position: Position, options: GroupOptions) -> None:
    refuse(position.shape, options.task, options.by)
    if options.task == "canon" and options.convention not in ("straight", *_OTHER):
        raise BadOption("There is no such convention.", "$.options.convention")


class _Merged:
    """The answers so far, of `lines` lines; they come in the lines' order."""

    def __init__(self, options: GroupOptions) -> None:
        self.lines = 0
        self._options = options
        self._known, self._out = Classes(), Grouped([], [], [], [], [])

    def take(self, found: Answers) -> None:
        """Texts and problems of the next lines; of other workers they come as lists."""
        texts, problems = found
        for at, problem in problems:
            number = self.lines + at
            line = self._options.lines[number]
            self._out.bad.append(_bad(self._options.before + number + 1, line, problem))
        if self._options.task == "group":
            numbers, fresh = self._known.numbers(texts)
            self._out.classes += numbers
            self._out.firsts += [self.lines + at for at in fresh]
            self._out.keys += [texts[at] for at in fresh]
        else:
            self._out.answers += texts
        self.lines += len(texts)

    def end(self) -> Grouped:
        """The result."""
        return self._out


def _bad(number: int, line: str, problem: str) -> BadLine:
    """The line and what is wrong with it, out of `line 3, column 81: It has 80 characters.`"""
    head, _, why = problem.partition(": ")
    column = int(head.rpartition(" ")[2]) if "column" in head else None
    return BadLine(number, column, line[:_SHOWN], why)
