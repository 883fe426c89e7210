"""A list through all cores: lines in, answers out in order, in bounded memory.

The input is read in pieces; at most two pieces a core are under way, and what is remembered is
a key of 16 bytes a class, which Python holds in about 150. Every core has its own kernel in a
process of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from typing import TypeAlias

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.forms import Convention
from cluewise.desks.sudoku.lists import Classes, Task, answers
from cluewise.desks.sudoku.position import Shape

PIECE = 10_000  # lines
Answers: TypeAlias = list[tuple[str, str]]


def run_list(
    file: Iterator[str],
    shape: Shape,
    task: Task,
    convention: Convention,
    out: Output,
    advance: Callable[[int], None],
) -> None:
    """Hand every line's answer to `out`, in order; `advance(characters read)` after each piece."""
    for lines, found in _answered(file, shape, task, convention):
        for line, (text, problem) in zip(lines, found, strict=True):
            out.line(line, text, problem)
        advance(sum(map(len, lines)))
    out.end()


def _answered(
    file: Iterator[str], shape: Shape, task: Task, convention: Convention
) -> Iterator[tuple[list[str], Answers]]:
    """Pieces with their answers, in order; one core is used until a second piece exists."""
    first = list(islice(file, PIECE))
    second = list(islice(file, PIECE))
    cores = os.cpu_count() or 1
    if not second or cores == 1:
        at = 0
        for piece in (first, second):
            if piece:
                yield piece, piece_answers(piece, at, shape, task, convention)
            at += len(piece)
        while piece := list(islice(file, PIECE)):
            yield piece, piece_answers(piece, at, shape, task, convention)
            at += len(piece)
        return
    yield from _on_all_cores(file, [first, second], shape, task, convention, cores)


def _on_all_cores(
    file: Iterator[str], pieces: list[list[str]], shape: Shape, task: Task, convention: Convention,
    cores: int,
) -> Iterator[tuple[list[str], Answers]]:  # fmt: skip
    waiting: deque[tuple[list[str], AsyncResult[Answers]]] = deque()
    at = 0
    with get_context("spawn").Pool(cores) as pool:
        while pieces or waiting:
            while pieces and len(waiting) < 2 * cores:
                piece = pieces.pop(0)
                work = (piece, at, shape, task, convention)
                waiting.append((piece, pool.apply_async(piece_answers, work)))
                at += len(piece)
                if not pieces and (more := list(islice(file, PIECE))):
                    pieces.append(more)
            lines, result = waiting.popleft()
            yield lines, result.get()


def piece_answers(
    lines: list[str], first: int, shape: Shape, task: Task, convention: Convention
) -> Answers:
    """The answers of one piece; runs in a process of its own."""
    return finish(answers(lines, first, shape, task, convention))


class Output:
    """Where answers go: lines of text, or one JSON document written as it comes."""

    def __init__(self, task: Task, *, unique: bool, as_json: bool) -> None:
        self._task, self._unique, self._json = task, unique, as_json
        self._classes = Classes()
        self._lines = self._written = self.bad = 0
        self._problems: list[dict[str, object]] = []
        if as_json:
            sys.stdout.write('{"answers":[')

    def line(self, line: str, text: str, problem: str) -> None:
        """One line's answer."""
        self._lines += 1
        answer: object = text or None
        fresh = True
        if problem:
            self.bad += 1
            answer = None
            if len(self._problems) < 1000:
                self._problems.append({"line": self._lines, "message": problem})
        elif self._task == "group" and text:
            answer, fresh = self._classes.number(text)
        if self._unique:
            if answer is None or not fresh:
                self._report(problem)
                return
            answer = line.rstrip("\r\n")
        self._write(answer, problem)

    def _report(self, problem: str) -> None:
        if problem and not self._json:
            print(problem, file=sys.stderr)

    def _write(self, answer: object, problem: str) -> None:
        if self._json:
            sys.stdout.write(("," if self._written else "") + json.dumps(answer))
        else:
            shown = f"error: {problem}" if problem else "" if answer is None else str(answer)
            sys.stdout.write(shown + "\n")
        self._written += 1

    def end(self) -> None:
        """The rest of the document, or a summary on standard error."""
        if self._json:
            rest: dict[str, object] = {"lines": self._lines, "problems": self._problems}
            if self._task == "group":
                rest["classes"] = len(self._classes)
            sys.stdout.write("]," + json.dumps(rest)[1:] + "\n")
        elif self.bad:
            print(f"{self.bad} of {self._lines} lines could not be answered.", file=sys.stderr)
        sys.stdout.flush()
