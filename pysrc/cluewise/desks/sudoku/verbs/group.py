"""The verb `group`: the answer of every line of a list."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.lists.annotate import ClassNumbering, packed
from cluewise.desks.sudoku.lists.answers import (
    Answers,
    answers,
    bad_line,
    plain_answers,
    refuse,
)
from cluewise.desks.sudoku.position import NINE, Position, Shape
from cluewise.desks.sudoku.results import By, Convention, Grouped, GroupOptions, Task
from cluewise.errors import BadOption
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

_SLICE = 2000  # lines between two progress reports: about 15 ms in the browser
_OTHER: tuple[Convention, ...] = ("pattern-first", "solution-carried")
# Lines of a piece that is shared out: an eighth of all, between these (10 to 40 ms in the browser).
_PIECE, _PIECE_OF_TABLES = (2000, 8000), (500, 2000)
_PIECE_OF_SLOW = 4  # of other boards than 9×9, and of numbers that are looked up


def group(
    position: Position, options: GroupOptions, sharing: ParallelContext | None = None
) -> Job[Grouped]:
    """The answer of every line of a list: class numbers, least forms or solutions.

    For `group`, `classes[i]` is the class of line i (null for a line without a board) and
    `firsts[k]` the line of the first member of class k, both counted within these lines; `keys`
    are the classes' keys, so that a caller who sends a long list in pieces can join them. Bad lines
    are numbered from the first line of the whole list: `before` lines came before these.
    """
    _refuse(position, options)
    if sharing is not None:
        return (yield from _shared_out(position, options, sharing))
    if options.joined:
        plain = yield from plain_answers(options.text, position.shape, *_how(options))
        if plain is not None:
            return Grouped([], [], [], [], [], plain)
    lines = lines_of(options)
    merged = _Merged(options, lines)
    for at in range(0, len(lines), _SLICE):
        piece = lines[at : at + _SLICE]
        first = options.before + at
        merged.take((yield from answers(piece, first, position.shape, *_how(options))))
        yield Progress(at + len(piece), len(lines), "lines")
    return merged.end()


def _shared_out(
    position: Position, options: GroupOptions, sharing: ParallelContext
) -> Job[Grouped]:
    """The same, the lines answered by the workers.

    HostFailure names the first line of a piece that failed twice.
    """
    lines, box = lines_of(options), position.box
    merged, count = _Merged(options, lines), len(lines)
    size = _size(position.shape, options, count)
    pieces = (
        (box, "\n".join(lines[at : at + size]), options.before + at, *_how(options))
        for at in range(0, count, size)
    )

    def name_of(number: int) -> str:
        return f"Lines from {options.before + size * number + 1} on"

    for step in map_tasks(piece_of_list, pieces, sharing, name_of):
        if isinstance(step, Result):
            texts, problems = step.value
            merged.take(Answers(texts.split("\n"), problems))
            yield Progress(merged.lines, count, "lines")
        else:
            yield Progress(merged.lines, count, "lines", waits=step.idle)
    return merged.end()


def _size(shape: Shape, options: GroupOptions, count: int) -> int:
    """Lines of a piece, of so many."""
    if shape != NINE or options.numbers:
        return _PIECE_OF_SLOW
    least, most = _PIECE_OF_TABLES if options.task == "annotate" else _PIECE
    return max(least, min(most, -(-count // 8)))


def group_tasks(position: Position, options: GroupOptions) -> int:
    """Pieces of the list."""
    count = len(options.lines) or options.text.count("\n") + 1
    return -(-count // _size(position.shape, options, count))


def piece_of_list(
    box: Sequence[int], text: str, first: int, task: Task,
    convention: Convention, by: By, numbers: bool,
) -> Job[tuple[str, list[tuple[int, int, str]]]]:  # fmt: skip
    """A piece: the texts and problems of `lists.answers`, lines and texts joined by newlines."""
    shape = Position(box=(box[0], box[1])).shape
    plain = yield from plain_answers(text, shape, task, convention, by, numbers)
    if plain is not None:
        return plain, []
    found = yield from answers(text.split("\n"), first, shape, task, convention, by, numbers)
    return "\n".join(found.texts), found.problems


def _how(options: GroupOptions) -> tuple[Task, Convention, By, bool]:
    return options.task, options.convention, options.by, options.numbers


def lines_of(options: GroupOptions) -> list[str]:
    """The lines, however they were given. Raises `BadOption` where both ways were taken."""
    if not options.text:
        return options.lines
    if options.lines:
        raise BadOption("Give either lines or a text, not both.", "$.options.text")
    return options.text.split("\n")


def _refuse(position: Position, options: GroupOptions) -> None:
    refuse(position.shape, options.task, options.by)
    if options.task == "canon" and options.convention not in ("straight", *_OTHER):
        raise BadOption("There is no such convention.", "$.options.convention")


class _Merged:
    """The answers so far, of `lines` lines; they come in the lines' order."""

    def __init__(self, options: GroupOptions, lines: list[str]) -> None:
        self.lines = 0
        self._options, self._lines = options, lines
        self._known, self._out = ClassNumbering(), Grouped([], [], [], [], [])
        self._texts: list[str] = []

    def take(self, found: Answers) -> None:
        """Texts and problems of the next lines."""
        texts, problems = found
        for at, column, why in problems:
            number = self.lines + at
            line = self._lines[number]
            self._out.bad.append(bad_line(self._options.before + number, line, column, why))
        if self._options.joined:
            self._texts.append("\n".join(texts))
        elif self._options.task == "group":
            numbers, fresh = self._known.numbers(packed("\n".join(texts)))
            self._out.classes += numbers
            self._out.firsts += [self.lines + at for at in fresh]
            self._out.keys += [texts[at] for at in fresh]
        else:
            self._out.answers += texts
        self.lines += len(texts)

    def end(self) -> Grouped:
        """The result."""
        self._out.text = "\n".join(self._texts)
        return self._out
