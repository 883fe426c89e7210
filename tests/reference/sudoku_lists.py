"""Slow, obvious lists: a line at a time; in how few cells two boards differ, all maps tried."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.formats.characters import tidy
from cluewise.desks.sudoku.formats.strings import is_count, is_heading
from cluewise.desks.sudoku.formats.text import read_list_line
from cluewise.desks.sudoku.position import NINE, conflict, read_cells, write_cells
from reference.sudoku import Bytes2, board, line_orders


class Answer(NamedTuple):
    """A line's answer, or what is wrong with it; both empty for a line without a board."""

    text: str
    column: int = 0
    problem: str = ""


def answer(line: str, task: str, convention: str, *, first: bool = False) -> Answer:
    """Of a 9×9 board in a line, `first` in its list or not."""
    plain = line if line.isascii() and "\0" not in line else " ".join(tidy(line))
    found = read_list_line(plain, NINE)
    if found.board is None:
        if first and (is_heading(line) or is_count(line)):
            return Answer("")
        return Answer("", found.column, found.problem)
    cells = read_cells(found.board, NINE)
    clash = conflict(cells, NINE)
    if clash and task == "solve":
        return Answer("no solution")
    if clash:
        return Answer("", 0, clash)
    solved, (number,) = solve_nine(cells, 1)
    if task == "solve":
        words = {0: "no solution", 1: write_cells(solved[:81])}
        return Answer(words.get(number, "several solutions"))
    if task == "canon" and convention == "solution-carried":
        if number != 1:
            return Answer("", 0, "It has no unique solution, so it has no carried form.")
        return Answer(write_cells(minlex.solution_minlex_form(cells, solved[:81]).cells))
    if 0 not in cells:
        form = minlex.minlex_maps(cells)[0]
    elif task == "group" or convention == "pattern-first":
        form = minlex.puzzle_form(cells, "pattern-first").cells
    else:
        form = minlex.puzzle_form(cells, "straight").cells
    if task == "group":
        return Answer(hashlib.blake2b(form, digest_size=16).hexdigest())
    return Answer(write_cells(form))


def printed(
    lines: Sequence[str], found: Sequence[Answer], task: str, *, unique: bool, as_json: bool
) -> tuple[str, str]:
    """What the terminal writes of them: to standard output, and to standard error."""
    classes: dict[str, int] = {}
    out, err, answers, problems = [], [], list[object](), []
    for number, (line, one) in enumerate(zip(lines, found, strict=True), 1):
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


def edits(a: str, b: str, most: int) -> int:
    """The fewest cells that differ after any transform of `a`; `most` + 1 if there are more."""
    best, target = most + 1, board(b)

    def place(source: Bytes2, rows: list[int], orders: Bytes2, cost: NDArray[np.int_]) -> None:
        nonlocal best
        at = len(rows)
        if at == 9:
            for flat in np.unique(source[rows][:, orders].swapaxes(0, 1).reshape(-1, 81), axis=0):
                best = min(best, differing(flat.reshape(9, 9), target))
            return
        tried = set[tuple[int, bytes]]()
        for row in range(9):
            inside = at % 3 == 0 or row // 3 == rows[-1] // 3
            fresh = at % 3 or all(row // 3 != r // 3 for r in rows)
            if row in rows or not inside or not fresh or (row // 3, bytes(source[row])) in tried:
                continue
            tried.add((row // 3, bytes(source[row])))  # equal rows of a band: one of them
            now = cost + ((source[row][orders] > 0) != (target[at] > 0)).sum(axis=1)
            if (now < best).any():
                place(source, [*rows, row], orders[now < best], now[now < best])

    for source in (board(a), board(a).T):
        orders = line_orders()
        _, once = np.unique(
            source[:, orders].swapaxes(0, 1).reshape(-1, 81), axis=0, return_index=True
        )
        place(source, [], orders[once], np.zeros(len(once), np.int64))
    return best


def differing(moved: Bytes2, target: Bytes2) -> int:
    """Cells that differ under the best names for the symbols of `moved`."""
    both = (moved > 0) & (target > 0)
    tally = np.zeros((9, 9), int)
    for x, y in zip(moved[both], target[both], strict=True):
        tally[x - 1, y - 1] += 1
    one = int(((moved > 0) != (target > 0)).sum())
    return one + int(both.sum()) - matching(tally)


def matching(tally: NDArray[np.int_]) -> int:
    """The most that nine names for nine symbols can make agree, over all sets of names."""

    @cache
    def best(symbol: int, free: int) -> int:
        if symbol == 9:
            return 0
        return max(
            int(tally[symbol, k]) + best(symbol + 1, free & ~(1 << k))
            for k in range(9)
            if free >> k & 1
        )

    return best(0, 511)


def near_pairs(
    boards: Sequence[str], most: int, least_form: Callable[[Iterable[str]], list[str]]
) -> set[tuple[int, int, int]]:
    """(first, second, edits) of all pairs of at most `most` edits."""
    having: dict[str, set[int]] = defaultdict(set)
    for i, text in enumerate(boards):
        givens = [k for k, d in enumerate(text) if d != "."]
        gone = [set(c) for n in range(most + 1) for c in combinations(givens, n)]
        for form in least_form(
            "".join("." if k in out else d for k, d in enumerate(text)) for out in gone
        ):
            having[form].add(i)
    candidates = {pair for these in having.values() for pair in combinations(sorted(these), 2)}
    found = {(a, b, edits(boards[a], boards[b], most)) for a, b in candidates}
    return {one for one in found if one[2] <= most}
