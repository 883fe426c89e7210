"""A cache of task results in a file, so that interrupted work can be resumed: `--resume FILE`.

A SQLite database with one table, `pieces(key TEXT PRIMARY KEY, value BLOB)`. Values are JSON. A key
begins with the hash of the build, so results of another build are not reused.
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
    """Open a SQLite file with that application id, or create it with those tables.

    Raises `BadInput` for any other file and leaves it unchanged.
    """
    try:
        database = sqlite3.connect(file, isolation_level=None)
        run = database.execute
        (there,) = run("PRAGMA application_id").fetchone()
        (held,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        if there != kind and (there or held):
            database.close()
            raise BadInput(f"{file} is a database, but not {use}.")
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

    `build` is the hash in front of the keys, by default that of this package.
    """

    def __init__(self, file: Path, build: str = "") -> None:
        self._file = file
        self._build = build or build_hash()
        self._database = open_database(file, KIND, _TABLES, "a result cache")

    def __enter__(self) -> SqliteResultCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._database.close()

    def get(self, key: str) -> bytes | None:
        """Return the stored result, or None."""
        query = "SELECT value FROM pieces WHERE key = ?"
        row = self._database.execute(query, (self._named(key),)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Store a result; `HostFailure` if writing fails."""
        try:
            insert = "INSERT OR REPLACE INTO pieces VALUES (?, ?)"
            self._database.execute(insert, (self._named(key), value))
        except sqlite3.DatabaseError as problem:
            message = f"{self._file} cannot store more results ({problem}). Earlier ones are kept."
            raise HostFailure(message) from None

    def _named(self, key: str) -> str:
        return f"{self._build} {key}"

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM pieces").fetchone()
        return int(count)
