"""Results of pieces in a file, so that work goes on after the process died: `--resume FILE`.

A SQLite database with one table, `pieces(key TEXT PRIMARY KEY, value BLOB)`; the values are JSON,
and a key begins with the build that worked its value out: what another build has kept is not taken
for this one's, it is worked out again next to it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType

from cluewise.core.version import build_hash
from cluewise.errors import BadInput, HostFailure

KIND = 0x636C7730  # the file's application id: "clw0"
_TABLES = "CREATE TABLE pieces (key TEXT PRIMARY KEY, value BLOB NOT NULL);"


def open_database(file: Path, kind: int, tables: str, use: str) -> sqlite3.Connection:
    """A SQLite file of that application id with those tables, made if it is not there.

    `BadInput` names what a file is that is something else; it stays as it was.
    """
    try:
        database = sqlite3.connect(file, isolation_level=None)
        run = database.execute
        (there,) = run("PRAGMA application_id").fetchone()
        (held,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        if there != kind and (there or held):
            database.close()
            raise BadInput(f"{file} is a database, but no {use}.")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        if not held:
            database.executescript(tables)
            run(f"PRAGMA application_id = {kind}")
    except sqlite3.DatabaseError as problem:
        raise BadInput(f"{file} cannot be used as {use}: {problem}.") from None
    return database


class SqliteResultCache:
    """`with SqliteResultCache(Path("work.sqlite")) as cache:` stores each result at once.

    `build` names who works the pieces out: this package as it stands.
    """

    def __init__(self, file: Path, build: str = "") -> None:
        self._file = file
        self._build = build or build_hash()
        self._database = open_database(file, KIND, _TABLES, "file of kept results")

    def __enter__(self) -> SqliteResultCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._database.close()

    def get(self, key: str) -> bytes | None:
        """The kept result, None if there is none."""
        query = "SELECT value FROM pieces WHERE key = ?"
        row = self._database.execute(query, (self._named(key),)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Keep a result; `HostFailure` in words where the disk does not take it."""
        try:
            insert = "INSERT OR REPLACE INTO pieces VALUES (?, ?)"
            self._database.execute(insert, (self._named(key), value))
        except sqlite3.DatabaseError as problem:
            message = f"{self._file} takes no more results ({problem}); what it has stays there."
            raise HostFailure(message) from None

    def _named(self, key: str) -> str:
        return f"{self._build} {key}"

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM pieces").fetchone()
        return int(count)
