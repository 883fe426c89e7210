"""Lists of boards line by line: every line is read, answered and told by itself."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.formats.characters import tidy
from cluewise.desks.sudoku.formats.strings import is_count, is_heading
from cluewise.desks.sudoku.formats.text import read_list_line
from cluewise.desks.sudoku.position import NINE, conflict, read_cells, write_cells


class Told(NamedTuple):
    """A line's answer, or what is wrong with it; both empty for a line without a board."""

    text: str
    column: int = 0
    problem: str = ""


def answer(line: str, task: str, convention: str, *, first: bool = False) -> Told:
    """Of a 9×9 board in a line, `first` in its list or not."""
    plain = line if line.isascii() and "\0" not in line else " ".join(tidy(line))
    found = read_list_line(plain, NINE)
    if found.board is None:
        if first and (is_heading(line) or is_count(line)):
            return Told("")
        return Told("", found.column, found.problem)
    cells = read_cells(found.board, NINE)
    clash = conflict(cells, NINE)
    if clash and task == "solve":
        return Told("no solution")
    if clash:
        return Told("", 0, clash[2])
    solved, (number,) = solve_nine(cells, 1)
    if task == "solve":
        words = {0: "no solution", 1: write_cells(solved[:81])}
        return Told(words.get(number, "several solutions"))
    if task == "canon" and convention == "solution-carried":
        if number != 1:
            return Told("", 0, "It has no unique solution, so it has no carried form.")
        return Told(write_cells(minlex.solution_minlex_form(cells, solved[:81]).cells))
    if 0 not in cells:
        form = minlex.minlex_maps(cells)[0]
    elif task == "group" or convention == "pattern-first":
        form = minlex.puzzle_form(cells, "pattern-first").cells
    else:
        form = minlex.puzzle_form(cells, "straight").cells
    if task == "group":
        return Told(hashlib.blake2b(form, digest_size=16).hexdigest())
    return Told(write_cells(form))


def printed(
    lines: Sequence[str], told: Sequence[Told], task: str, *, unique: bool, as_json: bool
) -> tuple[str, str]:
    """What the terminal writes of them: to standard output, and to standard error."""
    classes: dict[str, int] = {}
    out, err, answers, problems = [], [], list[object](), []
    for number, (line, one) in enumerate(zip(lines, told, strict=True), 1):
        shown: object = one.text or None
        known = one.text in classes
        if task == "group" and one.text:
            shown = classes.setdefault(one.text, len(classes))
        problem = ""
        if one.problem:
            column = f", column {one.column}" if one.column else ""
            problem = f"line {number}{column}: {one.problem}"
            problems.append({"line": number, "message": problem})
        if unique:
            if problem and not as_json:
                err.append(problem + "\n")
            if shown is None or known:
                continue
            shown = line.rstrip("\r\n")
        answers.append(shown)
        out.append(f"error: {problem}\n" if problem else f"{'' if shown is None else shown}\n")
    if not as_json:
        if problems:
            err.append(f"{len(problems)} of {len(lines)} lines could not be answered.\n")
        return "".join(out), "".join(err)
    rest: dict[str, object] = {"lines": len(lines), "problems": problems[:1000]}
    if task == "group":
        rest["classes"] = len(classes)
    items = ",".join(json.dumps(one) for one in answers)
    return f'{{"answers":[{items}],' + json.dumps(rest)[1:] + "\n", ""
