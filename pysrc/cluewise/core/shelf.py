"""Results of pieces in a file, so that work goes on after the process died: `--resume FILE`.

A SQLite database with one table, `pieces(key TEXT PRIMARY KEY, value BLOB)`; the values are JSON.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

from cluewise.errors import BadInput, HostFailure


class FileShelf:
    """`with FileShelf(Path("work.sqlite")) as shelf:` keeps each piece as soon as it is done."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._database = sqlite3.connect(file, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS pieces (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
            )
        except sqlite3.DatabaseError as problem:
            raise BadInput(f"{file} cannot be used to keep results: {problem}.") from None

    def __enter__(self) -> FileShelf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._database.close()

    def get(self, key: str) -> bytes | None:
        """The kept result, None if there is none."""
        row = self._database.execute("SELECT value FROM pieces WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Keep a result; `HostFailure` in words where the disk does not take it."""
        try:
            self._database.execute("INSERT OR REPLACE INTO pieces VALUES (?, ?)", (key, value))
        except sqlite3.DatabaseError as problem:
            message = f"{self._file} takes no more results ({problem}); what it has stays there."
            raise HostFailure(message) from None

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM pieces").fetchone()
        return int(count)
