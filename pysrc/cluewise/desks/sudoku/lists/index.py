"""Boards in a file, found again by what they are and by what they nearly are.

A SQLite database. A board is kept once, whatever its disguise; it is found by its class, by the
class of its solution grid, and by its nine crosses (see `engine/near.py`), one of which every board
shares that differs in at most two cells.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from cluewise.errors import HostFailure
from cluewise.parallel.cache import open_database

_KIND = 0x636C7731  # the file's application id: "clw1"
_TABLES = """
CREATE TABLE boards (
  id INTEGER PRIMARY KEY, class BLOB NOT NULL UNIQUE, grid BLOB, board TEXT NOT NULL,
  label TEXT NOT NULL
);
CREATE INDEX boards_grid ON boards (grid) WHERE grid IS NOT NULL;
CREATE TABLE crosses (
  cross INTEGER NOT NULL, board INTEGER NOT NULL, PRIMARY KEY (cross, board)
) WITHOUT ROWID;
"""


class Entry(NamedTuple):
    """A board of the index: its number from 1, what it was called when it came, its cells."""

    number: int
    label: str
    board: str


class Index:
    """`with Index(Path("boards.sqlite")) as index:` opens an index, or makes an empty one.

    Raises `BadInput` for a file that is something else.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._database = open_database(file, _KIND, _TABLES, "an index of boards")
        # 200 MB, so that a long list is added in memory.
        self._database.execute("PRAGMA cache_size = -200000")

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._database.close()

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM boards").fetchone()
        return int(count)

    def add(self, boards: Iterable[tuple[str, str, str]]) -> int:
        """Keep (label, board, row of keys); those whose class is there are passed over.

        All of them or none: a file that cannot grow any more stays as it was (`HostFailure`).
        Returns how many are new.
        """
        crosses, before = [], len(self)
        with self._together():
            for label, board, row in boards:
                own, grid, *keys = _read(row)
                done = self._database.execute(
                    "INSERT OR IGNORE INTO boards (class, grid, board, label) VALUES (?, ?, ?, ?)",
                    (own, grid, board, label),
                )
                if done.rowcount:
                    crosses += [(key, done.lastrowid) for key in set(keys)]
            crosses.sort()  # neighbours of the tree one after the other
            self._database.executemany("INSERT INTO crosses VALUES (?, ?)", crosses)
        return len(self) - before

    @contextmanager
    def _together(self) -> Iterator[None]:
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except sqlite3.DatabaseError as problem:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            message = f"{self._file} takes no more boards ({problem}); what it has stays there."
            raise HostFailure(message) from None
        except BaseException:
            self._database.execute("ROLLBACK")
            raise

    def near(self, row: str, *, one_grid: bool) -> list[Entry]:
        """The boards that may differ in at most two cells, by the row of keys of one.

        With `one_grid` those of the same solution grid as well.
        """
        own, grid, *keys = _read(row)
        where = f"id IN (SELECT board FROM crosses WHERE cross IN ({','.join('?' * len(keys))}))"
        query = f"SELECT id, label, board FROM boards WHERE class = ? OR {where}"
        values = [own, *keys]
        if one_grid and grid:
            query += " UNION SELECT id, label, board FROM boards WHERE grid = ?"
            values.append(grid)
        found = self._database.execute(f"{query} ORDER BY id", values)
        return [Entry(*one) for one in found]


def _read(row: str) -> list[bytes | int | None]:
    """The class, the grid (None if there is none) and the crosses of a row of keys."""
    own, grid, *crosses = row.split()
    whole = [bytes.fromhex(own), None if grid == "-" else bytes.fromhex(grid)]
    return [*whole, *(int(key, 16) >> 1 for key in crosses)]  # SQLite's integers have a sign
