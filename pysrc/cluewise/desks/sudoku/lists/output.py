"""Streaming output of a list's answers in a terminal: lines of text, or one JSON document.

Answers are written as they arrive. Only a key of 16 bytes a class is stored, so a list may be
longer than memory holds boards.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from cluewise.core.results import pluralize
from cluewise.desks.sudoku.lists.annotate import COLUMNS, ClassNumbering, key_of, pack_keys
from cluewise.desks.sudoku.results import Duplicates, Task
from cluewise.errors import HostFailure

MOST_PROBLEMS = 1000  # in the JSON document
HELD = 2_000_000  # classes in memory, about 150 bytes each
_CACHE_MB = 300  # of SQLite, for pages of its file


class ManyClasses(ClassNumbering):
    """`ClassNumbering` for more classes than memory holds.

    Those beyond the first `held` are in a temporary SQLite file, deleted when this process ends.
    """

    def __init__(self, held: int = HELD) -> None:
        super().__init__()
        self._held = held
        self._database: sqlite3.Connection | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def numbers(self, keys: Sequence[bytes]) -> tuple[list[int | None], list[int]]:
        """The class of each key, and indices of first members; HostFailure on a full disk."""
        if self._database is None and len(self._number) + len(keys) <= self._held:
            numbers, firsts = super().numbers(keys)
            self._count = len(self._number)
            return numbers, firsts
        numbers, firsts = [], []
        for i, key in enumerate(keys):
            before = self._count
            numbers.append(self._number_of(key) if key else None)
            if self._count > before:
                firsts.append(i)
        return numbers, firsts

    def _number_of(self, key: bytes) -> int:
        """The class of a key; a new key gets the next number."""
        number = self._number.get(key)
        if number is None and len(self._number) >= self._held:
            number = self._number_in_file(key)
        elif number is None:
            number = self._number[key] = self._count
        self._count += number == self._count
        return number

    def _number_in_file(self, key: bytes) -> int:
        try:
            self._database = self._database or _open_database()
            new = (key, self._count)
            if self._database.execute("INSERT OR IGNORE INTO classes VALUES (?, ?)", new).rowcount:
                return self._count
            select = "SELECT number FROM classes WHERE key = ?"
            (number,) = self._database.execute(select, (key,)).fetchone()
        except sqlite3.DatabaseError as problem:
            message = f"More than {self._held} classes are kept in a temporary file ({problem})."
            raise HostFailure(message) from None
        return int(number)


def _open_database() -> sqlite3.Connection:
    """An empty table in a temporary file, without safety against crashes."""
    database = sqlite3.connect("", isolation_level=None)
    for setting in (f"cache_size = -{_CACHE_MB * 1000}", "journal_mode = OFF", "synchronous = OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute("CREATE TABLE classes (key BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")
    database.execute("BEGIN")  # one transaction without end: else each change is written to disk
    return database


class ResultWriter:
    """Writes answers to standard output: lines of text, or one JSON document."""

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
        """Write the answers `found` by the verb `group`, with `joined`, to the next lines."""
        problems = {bad["line"] - self._lines - 1: _error_text(**bad) for bad in found["bad"]}
        self._report(problems)
        if self._task == "canon" and not problems and not self._json:
            sys.stdout.write(found["text"])
            sys.stdout.write("\n")
            self._lines += count
            return
        if self._task == "annotate":
            self._write_rows(found["text"].split("\n"))
        elif self._task == "group":
            numbers, firsts = self._classes.numbers(pack_keys(found["text"]))
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
        """Report each of the next lines, which no worker could answer, as an unreadable one."""
        numbers = range(self._lines + 1, self._lines + count + 1)
        problems = {i: f"line {n}: It got no answer: {why}" for i, n in enumerate(numbers)}
        self._report(problems)
        if self._task != "annotate" and not self._unique:
            self._write([None] * count, problems)
        self._lines += count

    def _report(self, problems: dict[int, str]) -> None:
        """Count errors; print them on standard error unless they are among the answers."""
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

    def _write_rows(self, texts: Sequence[str]) -> None:
        """Write rows of the table: line and class from 1, then `COLUMNS`."""
        lines = [i for i, text in enumerate(texts) if text]
        at = COLUMNS.index("form")
        forms = [texts[i].split(",", at + 1)[at].encode() for i in lines]
        numbers, _ = self._classes.numbers([bytes.fromhex(key_of(form)) for form in forms])
        for i, number in zip(lines, numbers, strict=True):
            assert number is not None, "no key is empty"
            sys.stdout.write(f"{self._lines + i + 1},{number + 1},{texts[i]}\n")

    def _write(self, answers: Sequence[object], problems: dict[int, str]) -> None:
        """Write answers as lines or items of the document; None is a line without an answer."""
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
        """Write the rest of the document, or a summary to standard error."""
        if self._json:
            rest: dict[str, object] = {"lines": self._lines, "problems": self._problems}
            if self._task == "group":
                rest["classes"] = len(self._classes)
            sys.stdout.write("]," + json.dumps(rest)[1:] + "\n")
        elif self.bad:
            print(f"{self.bad} of {self._lines} lines could not be answered.", file=sys.stderr)
        sys.stdout.flush()


def _error_text(line: int, column: int | None, why: str, **_: Any) -> str:
    place = f", column {column}" if column else ""
    return f"line {line}{place}: {why}"


def near_sentences(found: Duplicates) -> Iterator[str]:
    """Describe the near duplicates of a list; lines count from 1."""
    total = found.total
    boards = f"{_count(found.boards, 'board')}, {_count(found.same, 'repeat')}"
    near, clusters = _count(total, "near pair"), _count(found.groups, "cluster")
    yield f"{boards}; {near} in {clusters}."
    for pair in found.pairs:
        yield f"line {pair.first + 1} ~ line {pair.second + 1}: {pair.text}"
    if total > len(found.pairs):
        yield f"… and {_count(total - len(found.pairs), 'pair')} more (--limit)."
    if found.left_out:
        yield f"{_count(found.left_out, 'pair')} could not be settled."
    yield from (_error_text(bad.line, bad.column, bad.why) for bad in found.bad)


def _count(count: int, name: str) -> str:
    return pluralize(f"{count:,}".replace(",", "\u202f"), name)
