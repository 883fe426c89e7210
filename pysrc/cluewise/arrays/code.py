"""Codes and guesses as `(n, pegs)` arrays of colours from 0; `BLANK` for an empty peg."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from msgspec import to_builtins
from numpy.typing import ArrayLike, NDArray

from cluewise.arrays.checks import Bytes, position_of, rows_of
from cluewise.core.work import finish
from cluewise.desks.code.engine.constraint_search import ConsistencySearch
from cluewise.desks.code.engine.state import CELLS, State, cell_names, load, load_planes, pack_rules
from cluewise.desks.code.position import MOST_COLOURS, Rules
from cluewise.errors import BadInput, TooLarge
from cluewise.kernel import kernel

BLANK = 255
MOST = 50_000_000  # codes that `remaining` lists
_CODES, _GUESSES = 1 << 17, 10_000  # in the kernel's memory at a time


class PartitionSizes(NamedTuple):
    """The result of `partition_sizes`."""

    sizes: NDArray[np.uint32]
    """`(guesses, answers)`: how many of the codes give each answer."""
    answers: tuple[str, ...]
    """The answers of the columns: `("0A0B", "0A1B", …)`."""


def answers(guesses: ArrayLike, codes: ArrayLike, rules: Any = None) -> Bytes:
    """Return the answer of every code to every guess, `(guesses, codes)` uint8.

    >>> matrix = answers([[0, 0, 1, 1], [0, 1, 2, 3]], [[1, 0, 1, 2]])
    >>> [divmod(int(row[0]), 16) for row in matrix]  # exact, partial
    [(2, 1), (0, 3)]

    An entry is 16 times the exact matches plus the partial ones; under other feedback than `full`
    the pair of numbers of `Rules.answers`. `rules` is a struct, plain values, or None for as many
    pegs as the guesses have, 16 colours and blanks. Raises `BadInput` for codes that the rules do
    not allow, `BadPosition` for the rules.
    """
    found = _rules(rules, guesses, codes)
    asked, secrets = _words(guesses, found, "guesses"), _words(codes, found, "codes")
    out = np.empty((len(asked), len(secrets)), np.uint8)
    packed = pack_rules(found)
    with kernel().frame() as frame:
        room, at = frame.reserve(min(len(secrets), _CODES)), frame.put(asked.data)
        for begin, some in _pieces(secrets):
            with kernel().frame() as brief:
                words, end = brief.put(some.data), begin + len(some)
                for i in range(len(asked)):
                    frame.call("code_answers", packed, at + 8 * i, words, len(some), room)
                    frame.read_into(room, out[i, begin:end].data)
    return out


def partition_sizes(guesses: ArrayLike, codes: ArrayLike, rules: Any = None) -> PartitionSizes:
    """Return how many codes give each answer to each guess; parameters as for `answers`.

    >>> found = partition_sizes([[0, 0]], [[0, 0], [0, 1], [1, 1]], {"pegs": 2, "colours": 2})
    >>> dict(zip(found.answers, found.sizes[0].tolist()))
    {'0A0B': 1, '0A1B': 0, '0A2B': 0, '1A0B': 1, '2A0B': 1}
    """
    found = _rules(rules, guesses, codes)
    asked, secrets = _words(guesses, found, "guesses"), _words(codes, found, "codes")
    names = cell_names(found)
    out = np.zeros((len(asked), len(names)), np.uint32)
    cells = np.empty((min(len(asked), _GUESSES), CELLS), np.uint32)
    for _, some in _pieces(secrets):
        with kernel().frame() as frame:
            n, state = len(some), State(frame, found, ())
            planes = finish(load_planes(state, frame.put(some.data), n))
            columns, room = frame.reserve(8 * found.pegs * -(-n // 64)), frame.reserve(cells.nbytes)
            words = frame.reserve(8 * len(cells))
            for at in range(0, len(asked), _GUESSES):
                part = asked[at : at + _GUESSES]
                frame.write(words, part.data)
                frame.call("code_split", state.packed, planes, n, words, len(part), columns, room)
                frame.read_into(room, cells[: len(part)].data)
                out[at : at + len(part)] += cells[: len(part), : len(names)]
    return PartitionSizes(out, names)


def remaining(position: Any = None) -> Bytes:
    """Return all codes that fit a position's clues, `(n, pegs)` uint8, in ascending order.

    >>> remaining({"rules": {"pegs": 2, "colours": 2}}).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]

    Empty if none fits. Raises `BadPosition`, and `TooLarge` for more than 50 million codes.
    """
    asked = position_of("code", position)
    clues = asked.counted_clues()
    with kernel().frame() as frame:
        if asked.prior is not None:
            state = finish(load(frame, asked.rules, clues, asked.prior))
            codes = state.codes()
        else:
            search = ConsistencySearch(frame, asked.rules)
            count = finish(search.count(clues))
            if count > MOST:
                raise TooLarge(f"{count:,} codes fit, more than {MOST:,}.", "$.position")
            codes = finish(search.packed_codes(clues, count))
    pegs = asked.rules.pegs
    reverse = np.frombuffer(codes, np.uint8).reshape(-1, 8)
    return np.ascontiguousarray(reverse[:, ::-1][:, :pegs]) - np.uint8(1)


def _rules(rules: Any, guesses: ArrayLike, codes: ArrayLike) -> Rules:
    if rules is None:
        widths = [s[1] for s in map(np.shape, (guesses, codes)) if len(s) == 2 and s[1]]
        rules = Rules(pegs=widths[0] if widths else 4, colours=MOST_COLOURS, blanks=True)
    found: Rules = position_of("code", {"rules": to_builtins(rules)}).rules
    return found


def _words(codes: ArrayLike, rules: Rules, name: str) -> NDArray[np.uint64]:
    """Return the kernel's words: a byte a peg, the first the highest, colours from 1."""
    blank = BLANK if rules.blanks and name == "guesses" else 0
    found = rows_of(codes, rules.pegs, rules.colours - 1, name, extra=blank)
    if not rules.repeat:
        ordered = np.sort(found, 1)
        twice = (np.diff(ordered) == 0) & (ordered[:, 1:] != BLANK)
        if twice.any():
            place = f"{name}[{int(np.flatnonzero(twice.any(1))[0])}]"
            raise BadInput(f"{place} has a colour twice, which the rules forbid.", place)
    out = np.zeros((len(found), 8), np.uint8)
    out[:, ::-1][:, : rules.pegs] = found + np.uint8(1)  # 255 + 1 is 0, an empty peg
    return out.view(np.uint64).ravel()


def _pieces(words: NDArray[np.uint64]) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    for at in range(0, len(words), _CODES):
        yield at, words[at : at + _CODES]
