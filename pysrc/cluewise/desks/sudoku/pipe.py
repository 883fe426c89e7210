"""Where the answers of a list go in a terminal: lines of text, or one JSON document.

They are written as they come; what is remembered is a key of 16 bytes a class, so that a list may
be longer than memory holds boards.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from typing import Any, Literal

from cluewise.desks.sudoku.annotated import COLUMNS
from cluewise.desks.sudoku.lists import Classes
from cluewise.errors import HostFailure

MOST_PROBLEMS = 1000  # that the JSON document lists
HELD = 2_000_000  # classes that stay in memory: Python holds a key in about 150 bytes
_PAGES = 300  # megabytes of the file's pages that SQLite keeps in memory


class ManyClasses(Classes):
    """`Classes` of which there may be more than memory holds.

    Those beyond the first `held` lie in a file that SQLite makes for this process and takes away
    with it.
    """

    def __init__(self, held: int = HELD) -> None:
        super().__init__()
        self._held = held
        self._filed: sqlite3.Connection | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def number(self, key: str) -> tuple[int, bool]:
        """The key's class, and whether this is its first member; HostFailure on a full disk."""
        packed, found = bytes.fromhex(key), self._number
        known = found.get(packed)
        if known is not None:
            return known, False
        if len(found) < self._held:
            number, fresh = self._count, True
            found[packed] = number
        else:
            number, fresh = self._in_file(packed)
        self._count += fresh
        return number, fresh

    def _in_file(self, key: bytes) -> tuple[int, bool]:
        try:
            self._filed = self._filed or _file()
            put = self._filed.execute(
                "INSERT OR IGNORE INTO classes VALUES (?, ?)", (key, self._count)
            )
            if put.rowcount:
                return self._count, True
            select = "SELECT number FROM classes WHERE key = ?"
            (number,) = self._filed.execute(select, (key,)).fetchone()
        except sqlite3.DatabaseError as problem:
            message = f"More than {self._held} classes are kept in a temporary file ({problem})."
            raise HostFailure(message) from None
        return int(number), False


def _file() -> sqlite3.Connection:
    """A table in a file without a name, in which nothing needs to outlive this process."""
    database = sqlite3.connect("", isolation_level=None)
    for setting in (f"cache_size = -{_PAGES * 1000}", "journal_mode = OFF", "synchronous = OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute("CREATE TABLE classes (key BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")
    database.execute("BEGIN")  # and never an end: each change by itself would go through the file
    return database


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
        self._classes = ManyClasses()
        self._lines = self._written = self.bad = 0
        self._problems: list[dict[str, object]] = []
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
            form = text.split(",")[COLUMNS.index("form")].encode()
            number, _ = self._classes.number(hashlib.blake2b(form, digest_size=16).hexdigest())
            print(f"{self._lines},{number + 1},{text}")

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
