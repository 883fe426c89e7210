"""Lists of boards, one a line: canonical forms, class numbers, solutions, a slice at a time.

Every answer belongs to one line, in the order of the lines. The board is the first in its line,
whatever stands before and after it; an empty line, a comment (`#`, `;`, `//`, `%`) and a first line
that names columns or counts the boards are answered by an empty line; a line that cannot be read is
answered by a sentence with its column, and the others are answered all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

from cluewise.core.results import BadLine
from cluewise.core.work import Job, Pace, Progress, finish
from cluewise.desks.sudoku import annotated
from cluewise.desks.sudoku.engine import forms
from cluewise.desks.sudoku.engine.refine import canonical
from cluewise.desks.sudoku.engine.solver import solutions, solve_nine
from cluewise.desks.sudoku.formats.characters import tidy
from cluewise.desks.sudoku.formats.strings import is_count, is_heading, read_string
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Shape,
    conflict,
    is_complete,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.verbs import canon
from cluewise.errors import BadOption, BadPosition, CluewiseError

Task = Literal["canon", "solve", "group", "annotate", "keys"]
By = Literal["class", "solution", "pattern", "symmetries"]
CELLS = 81
_ENDS = frozenset(("", "\n", "\r", " ", "\t", ",", ";"))
_DIGITS = bytes(x - 48 if 48 <= x <= 57 else 0 if x in b".*_?" else 255 for x in range(256))


class Line(NamedTuple):
    """A line's board (None if there is none) and what is wrong with it (empty if nothing)."""

    cells: Cells | None
    column: int
    problem: str


_NOTHING = Line(None, 0, "")
_HARD = ("", "too hard for the quick solver")
_NOT_CARRIED = ("", "It has no unique solution, so it has no carried form.")


def read_line(line: str, shape: Shape) -> Line:
    """The board at the beginning of a line."""
    word = line[: shape.cells]
    if shape == NINE and len(word) == CELLS and line[CELLS : CELLS + 1] in _ENDS:
        cells = word.encode("ascii", "replace").translate(_DIGITS)
        if 255 not in cells:
            return Line(cells, 0, "")
    return _read_slowly(line, shape)


def _read_slowly(line: str, shape: Shape) -> Line:
    if not line.isascii() or "\0" in line:
        line = " ".join(tidy(line))
    found = read_string(line, shape)
    if found.board is None:
        return Line(None, found.column, found.problem)
    return Line(read_cells(found.board, shape), 0, "")


def answers(
    lines: Sequence[str],
    first: int,
    shape: Shape,
    task: Task,
    convention: forms.Convention,
    by: By = "class",
) -> Job[list[tuple[str, str]]]:
    """A job: for every line (answer, problem); the problem names line and column.

    The answer of `group` is a key: two boards have equal keys exactly if they are the same board
    in disguise (up to collisions of 128-bit hashes), or of one solution grid, pattern or number of
    symmetries. That of `annotate` is a row of `annotated.COLUMNS`, commas between; that of `keys`
    the row of an index (`annotated.index_keys`).
    """
    refuse(shape, task, by)
    read = read_lines(lines, first, shape)
    found: list[tuple[str, str]] = [("", _problem(r, first + i)) for i, r in enumerate(read)]
    good = [i for i, r in enumerate(read) if r.cells is not None]
    yield Progress(0, len(lines), "reading")
    if shape == NINE:
        boards = [read[i].cells or b"" for i in good]
        done = yield from _nine_in_slices(boards, task, convention, by)
    else:
        boards = [read[i].cells or b"" for i in good]
        done = yield from _slow_answers(boards, shape, task, convention)
    for i, (text, problem) in zip(good, done, strict=True):
        place = f"line {first + i + 1}: {problem}" if problem else ""
        found[i] = (text, place)
    return found


def refuse(shape: Shape, task: Task, by: By) -> None:
    """BadOption for what is not known of boards of that shape."""
    if shape != NINE and (task in ("annotate", "keys") or (task == "group" and by != "class")):
        raise BadOption("This is known of 9×9 boards only.", "$.options.task")


def read_lines(lines: Sequence[str], first: int, shape: Shape) -> list[Line]:
    """The board of each line; `first` lines of the list came before, so 0 may have a heading."""
    read = [read_line(line, shape) for line in lines]
    if first == 0 and lines and read[0].problem and (is_heading(lines[0]) or is_count(lines[0])):
        read[0] = _NOTHING
    return read


_SHOWN = 200  # characters of a line that could not be read


def bad_line(number: int, text: str, column: int, why: str) -> BadLine:
    """A line of a list, by its number from 0, that gets no answer; column 0 if none is to blame."""
    return BadLine(number + 1, column or None, text[:_SHOWN], why)


def _problem(line: Line, number: int) -> str:
    return f"line {number + 1}, column {line.column}: {line.problem}" if line.problem else ""


def _nine_in_slices(
    boards: list[Cells], task: Task, convention: forms.Convention, by: By
) -> Job[list[tuple[str, str]]]:
    """The answers of 9×9 boards; a slice is as long as the boards are easy."""
    out: list[tuple[str, str]] = []
    pace = Pace(first=100)
    while len(out) < len(boards):
        at = len(out)
        rows = pace.rows(len(boards) - at)
        found = nine_answers(boards[at : at + rows], task, convention, by)
        pace.took()
        for i, answer in enumerate(found):
            hard = answer is _HARD
            out.append((yield from _patiently(boards[at + i], task)) if hard else answer)
        yield Progress(len(out), len(boards), "boards")
    return out


def _patiently(cells: Cells, task: Task) -> Job[tuple[str, str]]:
    """The answer for a board that the quick solver has given up."""
    result = yield from solutions(cells, NINE)
    if task == "solve":
        words = {0: "no solution", 1: write_cells(result.found[0]) if result.found else ""}
        return words.get(result.number, "several solutions"), ""
    if result.number != 1:
        return _NOT_CARRIED
    form = forms.carried_form(cells, result.found[0])
    return write_nine(form.cells), ""


def nine_answers(
    boards: list[Cells], task: Task, convention: forms.Convention, by: By = "class"
) -> list[tuple[str, str]]:
    """(answer, problem) of 9×9 boards, in a few calls of the kernel."""
    if task == "annotate":
        return annotated.rows(boards, convention)
    if task == "keys":
        return annotated.index_keys(boards)
    if task == "group" and by != "class":
        return annotated.keys(boards, by)
    if task == "solve":
        return _solved(boards)
    if task == "canon" and convention == "solution-carried":
        return _carried(boards)
    least = annotated.least_forms(boards, convention if task == "canon" else "straight")
    out = []
    for cells, form in zip(boards, least, strict=True):
        if form is None:
            out.append(("", _why_not(cells)))
        else:
            least_form = form.cells
            out.append((_key(least_form) if task == "group" else write_nine(least_form), ""))
    return out


def _solved(boards: list[Cells]) -> list[tuple[str, str]]:
    found, counts = solve_nine(b"".join(boards), len(boards)) if boards else (b"", [])
    out = []
    for i, count in enumerate(counts):
        if count == 1:
            out.append((write_nine(found[2 * CELLS * i : 2 * CELLS * i + CELLS]), ""))
        elif count < 0:
            out.append(("no solution", "") if conflict(boards[i], NINE) else _HARD)
        else:
            out.append(("no solution" if count == 0 else "several solutions", ""))
    return out


def _carried(boards: list[Cells]) -> list[tuple[str, str]]:
    found, counts = solve_nine(b"".join(boards), len(boards)) if boards else (b"", [])
    unique = [i for i, count in enumerate(counts) if count == 1]
    solved = b"".join(found[2 * CELLS * i : 2 * CELLS * i + CELLS] for i in unique)
    out = [_NOT_CARRIED] * len(boards)
    for i, count in enumerate(counts):
        if count < 0:
            clash = conflict(boards[i], NINE)
            out[i] = ("", clash[2]) if clash else _HARD
    if unique:
        data, _, _ = forms.carried(b"".join(boards[i] for i in unique), solved, len(unique))
        for k, i in enumerate(unique):
            out[i] = (write_nine(data[CELLS * k : CELLS * (k + 1)]), "")
    return out


def _slow_answers(
    boards: list[Cells], shape: Shape, task: Task, convention: forms.Convention
) -> Job[list[tuple[str, str]]]:
    out = []
    for i, cells in enumerate(boards):
        try:
            clash = conflict(cells, shape)
            text = "" if clash else finish(_one(cells, shape, task, convention))
            out.append((text, clash[2] if clash else ""))
        except CluewiseError as problem:
            out.append(("", problem.message))
        yield Progress(i + 1, len(boards), "boards")
    return out


def _one(cells: Cells, shape: Shape, task: Task, convention: forms.Convention) -> Job[str]:
    if task == "group":
        return _key(canonical(cells, shape).form)
    if task == "solve":
        result = yield from solutions(cells, shape)
        words = {0: "no solution", 1: write_cells(result.found[0]) if result.found else ""}
        return words.get(result.number, "several solutions")
    if is_complete(cells):
        return write_cells((yield from canon.grid_form(cells, shape)).cells)
    if convention != "solution-carried":
        return write_cells((yield from canon.least_form(cells, shape, convention)).cells)
    found = yield from canon.puzzle_forms(cells, shape)
    if found.solution_carried is None:
        raise BadPosition(found.no_carried)
    return found.solution_carried


def _why_not(cells: Cells) -> str:
    clash = conflict(cells, NINE)
    return clash[2] if clash else "This board is too regular for a least form."


def _key(form: Cells) -> str:
    return hashlib.blake2b(form, digest_size=16).hexdigest()


_SYMBOL = bytes([46, *range(49, 58)]) + bytes(246)


def write_nine(cells: Cells) -> str:
    """`write_cells` for 9×9 boards, many times a millisecond."""
    return cells.translate(_SYMBOL).decode("ascii")


class Classes:
    """Class numbers from 0 in the order of first appearance; keeps a key of 16 bytes a class."""

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    def number(self, key: str) -> tuple[int, bool]:
        """The key's class, and whether this is its first member."""
        packed, count = bytes.fromhex(key), len(self._number)
        number = self._number.setdefault(packed, count)
        return number, number == count
