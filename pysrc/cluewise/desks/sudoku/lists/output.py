"""Where the answers of a list go in a terminal: lines of text, or one JSON document.

They are written as they come; what is remembered is a key of 16 bytes a class, so that a list may
be longer than memory holds boards.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from cluewise.desks.sudoku.lists.annotate import COLUMNS, ClassNumbering, key_of, packed
from cluewise.desks.sudoku.results import Duplicates, Task
from cluewise.errors import HostFailure

MOST_PROBLEMS = 1000  # that the JSON document lists
HELD = 2_000_000  # classes that stay in memory: Python holds a key in about 150 bytes
_PAGES = 300  # megabytes of the file's pages that SQLite keeps in memory


class ManyClasses(ClassNumbering):
    """`ClassNumbering` of which there may be more than memory holds.

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

    def numbers(self, keys: Sequence[bytes]) -> tuple[list[int | None], list[int]]:
        """The class of each key, and where first members stand; HostFailure on a full disk."""
        if self._filed is None and len(self._number) + len(keys) <= self._held:
            numbers, firsts = super().numbers(keys)
            self._count = len(self._number)
            return numbers, firsts
        numbers, firsts = [], []
        for i, key in enumerate(keys):
            before = self._count
            numbers.append(self._one(key) if key else None)
            if self._count > before:
                firsts.append(i)
        return numbers, firsts

    def _one(self, key: bytes) -> int:
        known = self._number.get(key)
        if known is not None:
            return known
        if len(self._number) < self._held:
            number, fresh = self._count, True
            self._number[key] = number
        else:
            number, fresh = self._in_file(key)
        self._count += fresh
        return number

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


class ResultWriter:
    """Where answers go: lines of text, or one JSON document written as it comes."""

    def __init__(self, task: Task, *, unique: bool, as_json: bool) -> None:
        self._task, self._unique, self._json = task, unique, as_json
        self._classes = ManyClasses()
        self._lines = self._written = self.bad = 0
        self._problems: list[dict[str, object]] = []
        if task == "annotate":
            print(",".join(("line", "class", *COLUMNS)))
        if as_json:
            sys.stdout.write('{"answers":[')

    def piece(self, given: str, count: int, found: Any) -> None:
        """The text of so many lines and what the verb `group` answered to it, with `joined`."""
        problems = {bad["line"] - self._lines - 1: _said(bad) for bad in found["bad"]}
        self._note(problems)
        if self._task == "canon" and not problems and not self._json:
            sys.stdout.write(found["text"])
            sys.stdout.write("\n")
            self._lines += count
            return
        if self._task == "annotate":
            self._rows(found["text"].split("\n"))
        elif self._task == "group":
            numbers, firsts = self._classes.numbers(packed(found["text"]))
            if self._unique:
                lines = given.split("\n")
                self._write([lines[i] for i in firsts], {})
            elif problems or self._json or not numbers:
                self._write(numbers, problems)
            else:  # msgspec writes a row of numbers in a tenth of the time
                row = msgspec.json.encode(numbers).decode()
                sys.stdout.write(row[1:-1].replace(",", "\n").replace("null", "") + "\n")
        else:
            self._write([text or None for text in found["text"].split("\n")], problems)
        self._lines += count

    def lost(self, _: str, count: int, why: str) -> None:
        """Lines that no worker could answer: each is reported like one that could not be read."""
        numbers = range(self._lines + 1, self._lines + count + 1)
        problems = {i: f"line {n}: It got no answer: {why}" for i, n in enumerate(numbers)}
        self._note(problems)
        if self._task != "annotate" and not self._unique:
            self._write([None] * count, problems)
        self._lines += count

    def _note(self, problems: dict[int, str]) -> None:
        """Count what was not answered; say it, unless it stands among the answers."""
        self.bad += len(problems)
        if self._task != "annotate":
            room = MOST_PROBLEMS - len(self._problems)
            self._problems += [
                {"line": self._lines + i + 1, "message": problem}
                for i, problem in islice(problems.items(), max(0, room))
            ]
        if (self._unique or self._task == "annotate") and not self._json:
            for problem in problems.values():
                print(problem, file=sys.stderr)

    def _rows(self, texts: Sequence[str]) -> None:
        """Rows of the table: line and class from 1, and what is known of the board."""
        lines = [i for i, text in enumerate(texts) if text]
        at = COLUMNS.index("form")
        forms = [texts[i].split(",", at + 1)[at].encode() for i in lines]
        numbers, _ = self._classes.numbers([bytes.fromhex(key_of(form)) for form in forms])
        for i, number in zip(lines, numbers, strict=True):
            assert number is not None, "no key is empty"
            sys.stdout.write(f"{self._lines + i + 1},{number + 1},{texts[i]}\n")

    def _write(self, answers: Sequence[object], problems: dict[int, str]) -> None:
        """A line each, or an item of the document; None where there is no answer."""
        if not answers:
            return
        if self._json:
            shown = json.dumps(answers, separators=(",", ":"))[1:-1]
            sys.stdout.write("," + shown if self._written else shown)
        else:
            texts = list(map(str, answers))
            if None in answers:
                texts = ["" if answer is None else str(answer) for answer in answers]
            for i, problem in problems.items():
                texts[i] = f"error: {problem}"
            sys.stdout.write("\n".join(texts) + "\n")
        self._written += len(answers)

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


def near_sentences(found: Duplicates) -> Iterator[str]:
    """What is nearly the same in a list, for people; lines count from 1."""
    total = found.total
    boards = (
        f"{_counted(found.boards, 'board', 'boards')}, {_counted(found.same, 'repeat', 'repeats')}"
    )
    near = _counted(total, "near pair", "near pairs")
    yield f"{boards}; {near} in {_counted(found.groups, 'cluster', 'clusters')}."
    for pair in found.pairs:
        yield f"line {pair.first + 1} ~ line {pair.second + 1}: {pair.text}"
    if total > len(found.pairs):
        yield f"… and {_counted(total - len(found.pairs), 'pair', 'pairs')} more (--limit)."
    if found.left_out:
        yield f"{_counted(found.left_out, 'pair', 'pairs')} could not be settled."
    for bad in found.bad:
        column = f", column {bad.column}" if bad.column else ""
        yield f"line {bad.line}{column}: {bad.why}"


def _counted(n: int, one: str, more: str) -> str:
    return f"{n:,} {one if n == 1 else more}".replace(",", "\u202f")
