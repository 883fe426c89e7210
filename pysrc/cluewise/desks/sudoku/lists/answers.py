"""Lists of boards, one a line: canonical forms, class numbers, solutions, a slice at a time.

Every answer belongs to one line, in the order of the lines. The board is the first in its line,
whatever stands before and after it; an empty line, a comment (`#`, `;`, `//`, `%`) and a first line
that names columns or counts the boards are answered by an empty line; a line that cannot be read is
answered by a sentence with its column, and the others are answered all the same.
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


class Line(NamedTuple):
    """A line's board (None if there is none) and what is wrong with it (empty if nothing)."""

    cells: Cells | None
    column: int
    problem: str


class Boards(NamedTuple):
    """What is read of some lines: the boards one after the other, and the lines they stand in.

    `problems` has column and sentence of other lines, by their numbers from 0 within these.
    """

    cells: Cells
    lines: Sequence[int]
    problems: dict[int, tuple[int, str]]


class Answers(NamedTuple):
    """A text a line, empty where there is none, and what is wrong: (line from 0 here, column, why).

    The column is 0 where none is to blame.
    """

    texts: list[str]
    problems: list[tuple[int, int, str]]


class _Slice(NamedTuple):
    """The same of boards in a row; `hard` ones wait for the patient solver."""

    texts: list[str]
    problems: dict[int, str]
    hard: Sequence[int] = ()


_NOT_CARRIED = "It has no unique solution, so it has no carried form."
_BLOCK = 100  # lines that are read at once, if all of them are plain


def read_line(line: str, shape: Shape) -> Line:
    """The board at the beginning of a line."""
    cells = plain_boards([line]) if shape == NINE else None
    return Line(cells, 0, "") if cells else _read_slowly(line, shape)


def plain_boards(lines: Sequence[str]) -> Cells | None:
    """The 9×9 boards with which the lines begin, one after the other; None if one has none there.

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


def _read_slowly(line: str, shape: Shape) -> Line:
    if not line.isascii() or "\0" in line:
        line = " ".join(tidy(line))
    found = read_list_line(line, shape)
    if found.board is None:
        return Line(None, found.column, found.problem)
    return Line(read_cells(found.board, shape), 0, "")


def answers(
    lines: Sequence[str],
    first: int,
    shape: Shape,
    task: Task,
    convention: Convention,
    by: By = "class",
    numbers: bool = False,
) -> Job[Answers]:
    """A job: a text for every line, and problems; `first` lines of the list precede them.

    The answer of `group` is a key: two boards have equal keys exactly if they are the same board
    in disguise (up to collisions of 128-bit hashes), or of one solution grid, pattern or number of
    symmetries. That of `annotate` is a row of `annotate.COLUMNS`, commas between, its last part
    there where `numbers` is set.
    """
    refuse(shape, task, by)
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
    """The same of lines of plain 9×9 boards and nothing else, newlines between; None of others.

    The kernel reads and writes blocks of lines, several times as fast as line by line. None also
    where a board has no answer, for tasks other than least forms and classes, and for
    solution-carried forms.
    """
    count = (len(text) + 1) // LINE
    asked = task == "group" if by == "class" and task != "canon" else task == "canon"
    if shape != NINE or not asked or (task == "canon" and convention == "solution-carried"):
        return None
    if len(text) != LINE * count - 1 or not text.isascii():
        return None
    name: minlex.Least = "straight" if (task, convention) == _STRAIGHT else "pattern-first"
    lines, out = memoryview(text.encode("ascii")), bytearray()
    pace, at = SliceTimer(first=500), 0
    while at < count:
        rows = pace.rows(count - at)
        piece = lines[LINE * at : LINE * (at + rows)]
        found = minlex.answer_lines(piece, rows, name, keyed=task == "group")
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


def refuse(shape: Shape, task: Task, by: By) -> None:
    """BadOption for what is not known of boards of that shape."""
    if shape != NINE and (task == "annotate" or (task == "group" and by != "class")):
        raise BadOption("This is known of 9×9 boards only.", "$.options.task")


def read_boards(lines: Sequence[str], first: int, shape: Shape) -> Boards:
    """The boards of lines; `first` lines of the list precede them, so 0 may have a heading.

    Lines that are plain are not looked at one by one.
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
            line = read_line(text, shape)
            if line.cells is not None:
                cells.append(line.cells)
                good.append(i)
            elif line.problem and (first + i or not (is_heading(text) or is_count(text))):
                problems[i] = line.column, line.problem
    return Boards(b"".join(cells), good, problems)


_SHOWN = 200  # characters of a line that could not be read


def bad_line(number: int, text: str, column: int, why: str) -> BadLine:
    """A line of a list, by its number from 0, that gets no answer; column 0 if none is to blame."""
    return BadLine(number + 1, column or None, text[:_SHOWN], why)


def _nine_in_slices(
    boards: Cells, count: int, task: Task, convention: Convention, by: By
) -> Job[_Slice]:
    """The answers of 9×9 boards; a slice is as long as the boards are easy."""
    out = _Slice([], {})
    pace = SliceTimer(first=100)
    while len(out.texts) < count:
        at = len(out.texts)
        rows = pace.rows(count - at)
        found = nine_answers(boards[CELLS * at : CELLS * (at + rows)], rows, task, convention, by)
        pace.took()
        for i in found.hard:
            cells = boards[CELLS * (at + i) : CELLS * (at + i + 1)]
            found.texts[i], why = yield from _patiently(cells, task)
            if why:
                found.problems[i] = why
        out.texts.extend(found.texts)
        out.problems.update((at + i, why) for i, why in found.problems.items())
        yield Progress(len(out.texts), count, "boards")
    return out


def _patiently(cells: Cells, task: Task) -> Job[tuple[str, str]]:
    """The answer for a board that the quick solver has given up."""
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
    """What is answered to `count` 9×9 boards, in a few calls of the kernel."""
    if task == "annotate":
        return _parted(annotate.rows(minlex.split(boards), convention))
    if task == "group" and by != "class":
        return _parted(annotate.keys(minlex.split(boards), by))
    if task == "solve":
        return _solved(boards, count)
    if task == "canon" and convention == "solution-carried":
        return _carried(boards)
    name: minlex.Least = "straight" if (task, convention) == _STRAIGHT else "pattern-first"
    least, ties = minlex.minlex_any(boards, count, name)
    texts = minlex.keys(least, count).split() if task == "group" else _written(least)
    problems = {i: annotate.why_no_answer(_board(boards, i)) for i, n in enumerate(ties) if n <= 0}
    for i in problems:
        texts[i] = ""
    return _Slice(texts, problems)


_STRAIGHT = ("canon", "straight")  # keys are of the other form, which takes half the time


def _parted(found: Sequence[tuple[str, str]]) -> _Slice:
    """Pairs of (text, problem) apart."""
    return _Slice([text for text, _ in found], {i: why for i, (_, why) in enumerate(found) if why})


def _board(boards: Cells, i: int) -> Cells:
    return boards[CELLS * i : CELLS * (i + 1)]


def _solved(boards: Cells, count: int) -> _Slice:
    found, counts = solve_nine(boards, count) if count else (b"", [])
    texts, hard = _written(found, 2 * CELLS), []
    for i, number in enumerate(counts):
        if number == 1:
            continue
        if number < 0 and not conflict(_board(boards, i), NINE):
            hard.append(i)
        texts[i] = "no solution" if number <= 0 else "several solutions"
    return _Slice(texts, {}, hard)


def _carried(boards: Cells) -> _Slice:
    found = minlex.carried_boards(minlex.split(boards))
    problems, hard = {}, []
    for i, one in enumerate(found):
        clash = conflict(_board(boards, i), NINE) if one.solutions < 0 else None
        if clash:
            problems[i] = clash[2]
        elif one.solutions < 0:
            hard.append(i)
        elif one.solutions != 1:
            problems[i] = _NOT_CARRIED
    return _Slice([write_cells(one.cells) for one in found], problems, hard)


def _slow_answers(
    boards: list[Cells], shape: Shape, task: Task, convention: Convention
) -> Job[_Slice]:
    out = _Slice([], {})
    for i, cells in enumerate(boards):
        text = why = ""
        try:
            clash = conflict(cells, shape)
            if clash:
                why = clash[2]
            else:
                text = finish(_one(cells, shape, task, convention))
        except CluewiseError as problem:
            why = problem.message
        out.texts.append(text)
        if why:
            out.problems[i] = why
        yield Progress(i + 1, len(boards), "boards")
    return out


def _one(cells: Cells, shape: Shape, task: Task, convention: Convention) -> Job[str]:
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


def _written(cells: Cells, apart: int = CELLS) -> list[str]:
    """The boards of which each begins so many cells behind the one before."""
    text = write_cells(cells)
    return [text[at : at + CELLS] for at in range(0, len(text), apart)]
