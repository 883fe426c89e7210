"""Numbers of classes by their keys, for lists of any length."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.desks.sudoku.engine.minlex import split


class ClassNumbering:
    """Class numbers from 0 in the order of first appearance; keeps a key of 16 bytes a class."""

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, keys: Sequence[bytes]) -> tuple[list[int | None], list[int]]:
        """The class of each key, None for an empty one; and where the first members stand.

        >>> ClassNumbering().numbers([b"first", b"", b"second", b"first"])
        ([0, None, 1, 0], [0, 2])
        """
        found, fresh = self._number, len(self._number)
        put = found.setdefault
        numbers = [put(key, len(found)) if key else None for key in keys]
        firsts = []
        for i, number in enumerate(numbers):
            if number == fresh:
                firsts.append(i)
                fresh += 1
        return numbers, firsts


def packed(text: str) -> list[bytes]:
    """Keys of 32 hexadecimal digits a line, or empty lines, as bytes."""
    data = bytes.fromhex(text)
    keys = split(data, 16)
    if len(text) == 33 * len(keys) - 1:
        return keys
    return [bytes.fromhex(key) for key in text.split("\n")]
