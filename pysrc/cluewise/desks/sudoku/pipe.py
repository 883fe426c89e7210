"""Where the answers of a list go in a terminal: lines of text, or one JSON document.

They are written as they come; what is remembered is a key of 16 bytes a class, which Python holds
in about 150.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

from cluewise.desks.sudoku.annotated import COLUMNS
from cluewise.desks.sudoku.lists import Classes

MOST_PROBLEMS = 1000  # that the JSON document lists


class Output:
    """Where answers go: lines of text, or one JSON document written as it comes."""

    def __init__(
        self,
        task: Literal["group", "canon", "solve", "annotate"],
        *,
        unique: bool,
        as_json: bool,
    ) -> None:
        self._task, self._unique, self._json = task, unique, as_json
        self._classes = Classes()
        self._lines = self._written = self.bad = 0
        self._problems: list[dict[str, object]] = []
        self._forms: dict[str, int] = {}
        if task == "annotate":
            print(",".join(("line", "class", *COLUMNS)))
        if as_json:
            sys.stdout.write('{"answers":[')

    def piece(self, lines: list[str], found: Any) -> None:
        """Lines and what the verb `group` answered to them."""
        bad = {one["line"]: _said(one) for one in found["bad"]}
        for i, line in enumerate(lines):
            self._lines += 1
            problem = bad.get(self._lines, "")
            if self._task == "annotate":
                self._row(found["answers"][i], problem)
            elif self._task == "group":
                number = found["classes"][i]
                self._line(line, "" if number is None else found["keys"][number], problem)
            else:
                self._line(line, found["answers"][i], problem)

    def lost(self, lines: list[str], why: str) -> None:
        """Lines that no worker could answer: each is told like one that could not be read."""
        for line in lines:
            self._lines += 1
            problem = f"line {self._lines}: It got no answer: {why}"
            if self._task == "annotate":
                self._row("", problem)
            else:
                self._line(line, "", problem)

    def _line(self, line: str, text: str, problem: str) -> None:
        answer: object = text or None
        fresh = True
        if problem:
            self.bad += 1
            answer = None
            if len(self._problems) < MOST_PROBLEMS:
                self._problems.append({"line": self._lines, "message": problem})
        elif self._task == "group" and text:
            answer, fresh = self._classes.number(text)
        if self._unique:
            if answer is None or not fresh:
                self._report(problem)
                return
            answer = line.rstrip("\r\n")
        self._write(answer, problem)

    def _row(self, text: str, problem: str) -> None:
        """A row of the table: line and class from 1, and what is known of the board."""
        self.bad += bool(problem)
        self._report(problem)
        if text:
            form = text.split(",")[COLUMNS.index("form")]
            number = self._forms.setdefault(form, len(self._forms) + 1)
            print(f"{self._lines},{number},{text}")

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


def _said(bad: Any) -> str:
    column = "" if bad["column"] is None else f", column {bad['column']}"
    return f"line {bad['line']}{column}: {bad['why']}"
