"""Numbers of classes by their keys, for lists of any length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from struct import iter_unpack


class ClassNumbering:
    """Class numbers from 0 in the order of first appearance; keeps a key of 16 bytes a class."""

    def __init__(self) -> None:
        self._number = defaultdict[bytes, int]()
        self._number.default_factory = self._number.__len__  # before the new key is there

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, keys: Sequence[bytes]) -> tuple[list[int | None], list[int]]:
        """The class of each key, None for an empty one; and where the first members stand.

        >>> ClassNumbering().numbers([b"first", b"", b"second", b"first"])
        ([0, None, 1, 0], [0, 2])
        """
        found, fresh, firsts = self._number, len(self._number), []
        number_of = found.__getitem__
        numbers: list[int | None] = (
            [number_of(key) if key else None for key in keys]
            if b"" in keys
            else list(map(number_of, keys))
        )
        for i, number in enumerate(numbers if len(found) > fresh else ()):
            if number == fresh:
                firsts.append(i)
                fresh += 1
        return numbers, firsts


def packed(text: str) -> list[bytes]:
    """Keys of 32 hexadecimal digits a line, or empty lines, as bytes."""
    keys = [key for (key,) in iter_unpack("16s", bytes.fromhex(text))]
    if len(text) == 33 * len(keys) - 1:
        return keys
    return [bytes.fromhex(key) for key in text.split("\n")]
