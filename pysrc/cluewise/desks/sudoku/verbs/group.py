"""The verb `group`: the answer of every line of a list."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.lists.annotate import ClassNumbering, pack_keys
from cluewise.desks.sudoku.lists.answers import (
    Answers,
    answers,
    bad_line,
    check_task,
    plain_answers,
)
from cluewise.desks.sudoku.position import NINE, Position, Shape
from cluewise.desks.sudoku.results import By, Convention, Grouped, GroupOptions, Task
from cluewise.errors import BadOption
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

_SLICE = 2000  # lines between two progress reports: about 15 ms in the browser
# Lines of a parallel task: an eighth of all, between these (10 to 40 ms in the browser).
_TASK_LINES, _TABLE_LINES = (2000, 8000), (500, 2000)
_SLOW_LINES = 4  # of other boards than 9×9, and of numbers that are looked up


def group(
    position: Position, options: GroupOptions, sharing: ParallelContext | None = None
) -> Job[Grouped]:
    """The answer of every line of a list: class numbers, least forms or solutions.

    For `group`, `classes[i]` is the class of line i (null for a line without a board) and
    `firsts[k]` the line of the first member of class k, both counted within these lines; `keys`
    are the classes' keys, so that a caller who sends a long list in parts can join them. Bad lines
    are numbered from the first line of the whole list: `before` lines precede these.
    """
    check_task(position.shape, options.task, options.by)
    if sharing is not None:
        return (yield from _group_in_parallel(position, options, sharing))
    how = _arguments(options)
    if options.joined:
        plain = yield from plain_answers(options.text, position.shape, *how)
        if plain is not None:
            return Grouped([], [], [], [], [], plain)
    lines = lines_of(options)
    merged = _Merged(options, lines)
    for at in range(0, len(lines), _SLICE):
        part = lines[at : at + _SLICE]
        merged.add((yield from answers(part, options.before + at, position.shape, *how)))
        yield Progress(at + len(part), len(lines), "lines")
    return merged.result()


def _group_in_parallel(
    position: Position, options: GroupOptions, sharing: ParallelContext
) -> Job[Grouped]:
    """The answers computed by the workers.

    HostFailure names the first line of a task that failed twice.
    """
    lines, box = lines_of(options), position.box
    merged, count = _Merged(options, lines), len(lines)
    size = _lines_per_task(position.shape, options, count)
    tasks = (
        (box, "\n".join(lines[at : at + size]), options.before + at, *_arguments(options))
        for at in range(0, count, size)
    )

    def name_of(number: int) -> str:
        return f"Lines from {options.before + size * number + 1} on"

    for step in map_tasks(piece_of_list, tasks, sharing, name_of):
        if isinstance(step, Result):
            texts, problems = step.value
            merged.add(Answers(texts.split("\n"), problems))
            yield Progress(merged.lines, count, "lines")
        else:
            yield Progress(merged.lines, count, "lines", waits=step.idle)
    return merged.result()


def _lines_per_task(shape: Shape, options: GroupOptions, count: int) -> int:
    if shape != NINE or options.numbers:
        return _SLOW_LINES
    least, most = _TABLE_LINES if options.task == "annotate" else _TASK_LINES
    return max(least, min(most, -(-count // 8)))


def group_tasks(position: Position, options: GroupOptions) -> int:
    """The number of parallel tasks of a list."""
    count = len(options.lines) or options.text.count("\n") + 1
    return -(-count // _lines_per_task(position.shape, options, count))


def piece_of_list(
    box: Sequence[int], text: str, first: int, task: Task,
    convention: Convention, by: By, numbers: bool,
) -> Job[tuple[str, list[tuple[int, int, str]]]]:  # fmt: skip
    """A parallel task: texts and errors of `answers`, lines and texts joined by newlines."""
    shape = Position(box=(box[0], box[1])).shape
    plain = yield from plain_answers(text, shape, task, convention, by, numbers)
    if plain is not None:
        return plain, []
    found = yield from answers(text.split("\n"), first, shape, task, convention, by, numbers)
    return "\n".join(found.texts), found.problems


def _arguments(options: GroupOptions) -> tuple[Task, Convention, By, bool]:
    return options.task, options.convention, options.by, options.numbers


def lines_of(options: GroupOptions) -> list[str]:
    """The lines of the list or of the text. Raises `BadOption` if both are given."""
    if not options.text:
        return options.lines
    if options.lines:
        raise BadOption("Give either lines or a text, not both.", "$.options.text")
    return options.text.split("\n")


class _Merged:
    """The answers of parts of a list, added in order, as one result."""

    def __init__(self, options: GroupOptions, lines: list[str]) -> None:
        self.lines = 0
        self._options, self._lines = options, lines
        self._classes, self._out = ClassNumbering(), Grouped([], [], [], [], [])
        self._texts: list[str] = []

    def add(self, found: Answers) -> None:
        """Add texts and errors of the next lines."""
        texts, problems = found
        for at, column, why in problems:
            number = self.lines + at
            line = self._lines[number]
            self._out.bad.append(bad_line(self._options.before + number, line, column, why))
        if self._options.joined:
            self._texts.append("\n".join(texts))
        elif self._options.task == "group":
            numbers, firsts = self._classes.numbers(pack_keys("\n".join(texts)))
            self._out.classes += numbers
            self._out.firsts += [self.lines + at for at in firsts]
            self._out.keys += [texts[at] for at in firsts]
        else:
            self._out.answers += texts
        self.lines += len(texts)

    def result(self) -> Grouped:
        """The result of all lines so far."""
        self._out.text = "\n".join(self._texts)
        return self._out
