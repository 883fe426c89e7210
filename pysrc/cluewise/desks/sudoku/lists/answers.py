"""Lists of boards, one a line: canonical forms, class keys, solutions, a slice at a time.

Every answer belongs to one line, in the order of the lines. The board is the first in its line,
with any text before and after it. An empty line, a comment (`#`, `;`, `//`, `%`) and a first line
with the names of columns or the number of boards have an empty answer; an unreadable line has an
error with its column, and the others are answered all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cluewise.core.results import BadLine
from cluewise.core.work import Job, Progress, SliceTimer, finish
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.canonical import canonical, grid_form, least_form
from cluewise.desks.sudoku.engine.solver import Solutions, solutions, solve_nine
from cluewise.desks.sudoku.formats.characters import tidy
from cluewise.desks.sudoku.formats.strings import is_count, is_heading
from cluewise.desks.sudoku.formats.text import read_list_line
from cluewise.desks.sudoku.lists import annotate
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Shape,
    conflict,
    is_complete,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import By, Convention, Task
from cluewise.desks.sudoku.verbs.canon import puzzle_forms
from cluewise.errors import BadOption, BadPosition, CluewiseError

CELLS, LINE = minlex.CELLS, minlex.LINE
_ENDS = frozenset(("", "\n", "\r", " ", "\t", ",", ";"))
_DIGITS = bytes(x - 48 if 48 <= x <= 57 else 0 if x in b".*_?" else 255 for x in range(256))
_STRAIGHT = ("canon", "straight")  # keys are of the other form, which takes half the time
_NOT_CARRIED = "It has no unique solution, so it has no carried form."
_BLOCK = 100  # lines that are read at once, if all of them are plain
_SHOWN = 200  # characters of a line that an error quotes


class Answers(NamedTuple):
    """A text a line, empty if there is none, and the errors: (line from 0, column, why).

    The column is 0 for errors of the whole line.
    """

    texts: list[str]
    problems: list[tuple[int, int, str]]


def bad_line(number: int, text: str, column: int, why: str) -> BadLine:
    """The error of a line of a list, by its number from 0; column 0: of the whole line."""
    return BadLine(number + 1, column or None, text[:_SHOWN], why)


def check_task(shape: Shape, task: Task, by: By) -> None:
    """Raise `BadOption` for a task that needs 9×9 boards if these are others."""
    if shape != NINE and (task == "annotate" or (task == "group" and by != "class")):
        raise BadOption("This is known of 9×9 boards only.", "$.options.task")


# -- reading ---------------------------------------------------------------------------------------


class Boards(NamedTuple):
    """The boards of some lines, concatenated, and the lines that they are on, from 0.

    `problems` has column and error of other lines.
    """

    cells: Cells
    lines: Sequence[int]
    problems: dict[int, tuple[int, str]]


def read_boards(lines: Sequence[str], first: int, shape: Shape) -> Boards:
    """The boards of lines; `first` lines of the list precede them, so 0 may have a heading.

    Blocks of plain lines are read without a look at each line.
    """
    cells: list[Cells] = []
    good: list[int] = []
    problems: dict[int, tuple[int, str]] = {}
    for at in range(0, len(lines), _BLOCK):
        block = lines[at : at + _BLOCK]
        plain = plain_boards(block) if shape == NINE else None
        if plain is not None:
            cells.append(plain)
            good += range(at, at + len(block))
            continue
        for i, text in enumerate(block, at):
            board = plain_boards([text]) if shape == NINE else None
            if board is None:
                found = read_list_line(text if _is_tidy(text) else " ".join(tidy(text)), shape)
                if found.board is None:
                    is_head = first + i == 0 and (is_heading(text) or is_count(text))
                    if found.problem and not is_head:
                        problems[i] = found.column, found.problem
                    continue
                board = read_cells(found.board, shape)
            cells.append(board)
            good.append(i)
    return Boards(b"".join(cells), good, problems)


def _is_tidy(text: str) -> bool:
    return text.isascii() and "\0" not in text


def plain_boards(lines: Sequence[str]) -> Cells | None:
    """The 9×9 boards with which the lines begin, concatenated; None if one line has none there.

    A plain line begins with 81 of `1` to `9` and `0 . * _ ?`, and ends there or goes on with a
    blank, a comma or a semicolon.
    """
    bare = "\n".join(lines)
    if len(bare) == (CELLS + 1) * len(lines) - 1 and bare[CELLS :: CELLS + 1].strip("\n") == "":
        text = bare.replace("\n", "")
    else:
        if not _ENDS.issuperset([line[CELLS : CELLS + 1] for line in lines]):
            return None
        text = "".join([line[:CELLS] for line in lines])
    if len(text) != CELLS * len(lines) or not text.isascii():
        return None
    cells = text.encode("ascii").translate(_DIGITS)
    return None if 255 in cells else cells


# -- answers ---------------------------------------------------------------------------------------


class _Slice(NamedTuple):
    """The texts of consecutive boards, their errors, and the boards that need the full solver."""

    texts: list[str]
    problems: dict[int, str]
    hard: Sequence[int] = ()


def answers(
    lines: Sequence[str],
    first: int,
    shape: Shape,
    task: Task,
    convention: Convention,
    by: By = "class",
    numbers: bool = False,
) -> Job[Answers]:
    """A job: a text for every line, and errors; `first` lines of the list precede them.

    The answer of `group` is a key: two boards have equal keys exactly if they are equivalent (up to
    collisions of 128-bit hashes), or of one solution grid, pattern or number of symmetries. That of
    `annotate` is a row of `annotate.COLUMNS`, separated by commas, with the last one if `numbers`.
    """
    check_task(shape, task, by)
    read = read_boards(lines, first, shape)
    yield Progress(0, len(lines), "reading")
    if shape == NINE:
        done = yield from _nine_in_slices(read.cells, len(read.lines), task, convention, by)
    else:
        boards = minlex.split(read.cells, shape.cells)
        done = yield from _slow_answers(boards, shape, task, convention)
    if numbers and task == "annotate":
        done = done._replace(texts=(yield from annotate.numbered(done.texts)))
    texts = done.texts
    if len(texts) < len(lines):
        texts = [""] * len(lines)
        for i, text in zip(read.lines, done.texts, strict=True):
            texts[i] = text
    problems = [(i, *problem) for i, problem in read.problems.items()]
    problems += [(read.lines[k], 0, why) for k, why in done.problems.items()]
    return Answers(texts, sorted(problems))


def plain_answers(
    text: str, shape: Shape, task: Task, convention: Convention, by: By, numbers: bool
) -> Job[str | None]:
    """A job: the answers of plain lines alone, separated by newlines, as one text.

    The kernel reads and writes blocks of lines, several times as fast as line by line. None where a
    line is not plain or has no answer, and for tasks other than classes and least forms that need
    no solution.
    """
    count = (len(text) + 1) // LINE
    is_class = task == "group" and by == "class"
    is_form = task == "canon" and convention != "solution-carried"
    if shape != NINE or not (is_class or is_form):
        return None
    if len(text) != LINE * count - 1 or not text.isascii():
        return None
    name: minlex.Least = "straight" if (task, convention) == _STRAIGHT else "pattern-first"
    lines, out = memoryview(text.encode("ascii")), bytearray()
    pace, at = SliceTimer(first=500), 0
    while at < count:
        rows = pace.rows(count - at)
        block = lines[LINE * at : LINE * (at + rows)]
        found = minlex.answer_lines(block, rows, name, keyed=task == "group")
        if found is None:
            return None
        out += found
        pace.took()
        at += rows
        yield Progress(at, count, "boards")
    if task == "group":
        return out.hex("\n", 16)
    out.pop()  # the last newline
    return out.decode("ascii")


def _nine_in_slices(
    boards: Cells, count: int, task: Task, convention: Convention, by: By
) -> Job[_Slice]:
    """The answers of 9×9 boards; the harder the boards, the shorter a slice."""
    out = _Slice([], {})
    pace = SliceTimer(first=100)
    while len(out.texts) < count:
        at = len(out.texts)
        rows = pace.rows(count - at)
        found = nine_answers(boards[CELLS * at : CELLS * (at + rows)], rows, task, convention, by)
        pace.took()
        for i in found.hard:
            found.texts[i], why = yield from _hard_answer(_board(boards, at + i), task)
            if why:
                found.problems[i] = why
        out.texts.extend(found.texts)
        out.problems.update((at + i, why) for i, why in found.problems.items())
        yield Progress(len(out.texts), count, "boards")
    return out


def _hard_answer(cells: Cells, task: Task) -> Job[tuple[str, str]]:
    """Text and error of a board that the quick solver has given up."""
    result = yield from solutions(cells, NINE)
    if task == "solve":
        return _solution_text(result), ""
    if result.number != 1:
        return "", _NOT_CARRIED
    form = minlex.solution_minlex_form(cells, result.found[0])
    return write_cells(form.cells), ""


def _solution_text(result: Solutions) -> str:
    if result.number == 1:
        return write_cells(result.found[0])
    return "several solutions" if result.number else "no solution"


def nine_answers(
    boards: Cells, count: int, task: Task, convention: Convention, by: By = "class"
) -> _Slice:
    """The answers of `count` 9×9 boards, in a few calls of the kernel."""
    if task == "annotate":
        return _unzip(annotate.rows(minlex.split(boards), convention))
    if task == "group" and by != "class":
        return _unzip(annotate.keys(minlex.split(boards), by))
    if task == "solve":
        return _solve(boards, count)
    if task == "canon" and convention == "solution-carried":
        return _carry(boards)
    name: minlex.Least = "straight" if (task, convention) == _STRAIGHT else "pattern-first"
    least, ties = minlex.minlex_any(boards, count, name)
    texts = minlex.keys(least, count).split() if task == "group" else _write_boards(least)
    problems = {i: annotate.why_no_answer(_board(boards, i)) for i, n in enumerate(ties) if n <= 0}
    for i in problems:
        texts[i] = ""
    return _Slice(texts, problems)


def _unzip(found: Sequence[tuple[str, str]]) -> _Slice:
    return _Slice([text for text, _ in found], {i: why for i, (_, why) in enumerate(found) if why})


def _board(boards: Cells, i: int) -> Cells:
    return boards[CELLS * i : CELLS * (i + 1)]


def _solve(boards: Cells, count: int) -> _Slice:
    found, counts = solve_nine(boards, count) if count else (b"", [])
    texts, hard = _write_boards(found, 2 * CELLS), []
    for i, number in enumerate(counts):
        if number == 1:
            continue
        if number < 0 and not conflict(_board(boards, i), NINE):
            hard.append(i)
        texts[i] = "no solution" if number <= 0 else "several solutions"
    return _Slice(texts, {}, hard)


def _carry(boards: Cells) -> _Slice:
    found = minlex.carried_boards(minlex.split(boards))
    problems, hard = {}, []
    for i, one in enumerate(found):
        clash = conflict(_board(boards, i), NINE) if one.solutions < 0 else ""
        if clash:
            problems[i] = clash
        elif one.solutions < 0:
            hard.append(i)
        elif one.solutions != 1:
            problems[i] = _NOT_CARRIED
    return _Slice([write_cells(one.cells) for one in found], problems, hard)


def _write_boards(cells: Cells, stride: int = CELLS) -> list[str]:
    """The 9×9 boards that begin every `stride` cells."""
    text = write_cells(cells)
    return [text[at : at + CELLS] for at in range(0, len(text), stride)]


def _slow_answers(
    boards: list[Cells], shape: Shape, task: Task, convention: Convention
) -> Job[_Slice]:
    """The answers of boards that are not 9×9."""
    out = _Slice([], {})
    for i, cells in enumerate(boards):
        try:
            clash = conflict(cells, shape)
            if clash:
                raise BadPosition(clash)
            out.texts.append(finish(_slow_answer(cells, shape, task, convention)))
        except CluewiseError as problem:
            out.texts.append("")
            out.problems[i] = problem.message
        yield Progress(i + 1, len(boards), "boards")
    return out


def _slow_answer(cells: Cells, shape: Shape, task: Task, convention: Convention) -> Job[str]:
    if task == "group":
        return annotate.key_of(canonical(cells, shape).form)
    if task == "solve":
        return _solution_text((yield from solutions(cells, shape)))
    if is_complete(cells):
        return write_cells((yield from grid_form(cells, shape)).cells)
    if convention != "solution-carried":
        return write_cells((yield from least_form(cells, shape, convention)).cells)
    found = yield from puzzle_forms(cells, shape)
    if found.solution_carried is None:
        raise BadPosition(found.no_carried)
    return found.solution_carried
