"""The order in which an interpreter of 2018 walks its hash tables.

The published difficulty scale depends on it: where records tie, the first one met wins. Python up
to 3.5 walks a dict and a set of small whole numbers by slot, not by age.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

V = TypeVar("V")
PRIME = (1 << 61) - 1  # a whole number hashes to its remainder
SHIFT = 5  # bits of the hash that each further probe uses up
NEAR = 10  # neighbouring slots that a set tries before it jumps
FREE, GONE = -1, -2


class HashTableOrder(Generic[V]):
    """A map from masks (positive) to values that is walked slot by slot.

    An open-addressing table: probes go i → 5i + p + 1 with p, the hash, shifted down each time; a
    deleted key leaves its slot taken; it grows once two thirds of the slots have ever been used.
    """

    def __init__(self, source: HashTableOrder[V] | None = None) -> None:
        self._value: dict[int, V] = {}
        self._table, self._room = [FREE] * 8, 5
        if source is not None:
            if self._room * 3 < len(source) * 2:
                self._grow(len(source) * 2)
            for key in source:
                self[key] = source[key]

    def __len__(self) -> int:
        return len(self._value)

    def __contains__(self, key: int) -> bool:
        return key in self._value

    def __getitem__(self, key: int) -> V:
        return self._value[key]

    def get(self, key: int) -> V | None:
        """The value of a mask, None if it has none."""
        return self._value.get(key)

    def __iter__(self) -> Iterator[int]:
        return (key for key in self._table if key >= 0)

    def values(self) -> list[V]:
        """The values in the order of the walk."""
        return [self._value[key] for key in self]

    def __setitem__(self, key: int, value: V) -> None:
        if key not in self._value:
            at = self._find(key)
            if self._table[at] == FREE:
                if self._room <= 0:
                    self._grow(len(self) * 2 + len(self._table) // 2)
                    at = self._find(key)
                self._room -= 1
            self._table[at] = key
        self._value[key] = value

    def drop(self, key: int) -> None:
        """Take a mask out, if it is there."""
        if key in self._value:
            self._table[self._find(key)] = GONE
            del self._value[key]

    def _find(self, key: int) -> int:
        table, most = self._table, len(self._table) - 1
        at = rest = key % PRIME
        reuse = FREE
        while True:
            held = table[at & most]
            if held == FREE:
                return at & most if reuse == FREE else reuse
            if held == key:
                return at & most
            if held == GONE and reuse == FREE:
                reuse = at & most
            at = at * 5 + rest + 1
            rest >>= SHIFT

    def _grow(self, least: int) -> None:
        size, old = 8, list(self)
        while size <= least:
            size *= 2
        self._table, self._room = [FREE] * size, (2 * size + 1) // 3 - len(old)
        for key in old:
            self._table[self._find(key)] = key


def set_order(numbers: Iterable[int]) -> list[int]:
    """Small distinct numbers as a set of that interpreter is walked: `[8, 1]` from `{1, 8}`."""
    table = [FREE] * 8
    for used, number in enumerate(numbers, 1):
        _place(table, number)
        if used * 3 >= len(table) * 2:
            size, old = 8, table
            while size <= used * 4:
                size *= 2
            table = [FREE] * size
            for held in old:
                if held != FREE:
                    _place(table, held)
    return [number for number in table if number != FREE]


def _place(table: list[int], number: int) -> None:
    most, at, rest = len(table) - 1, number, number
    while True:
        for near in range(NEAR):
            if table[at + near & most] == FREE:
                table[at + near & most] = number
                return
        rest >>= SHIFT
        at = at * 5 + 1 + rest
