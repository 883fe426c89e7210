"""Canonical forms: keys of sets of codes up to symmetry, and of tables of answers (see canon.c).

A state is what the codes left can be made to answer. Its table has a row for each code left and a
column for each way in which a guess is answered by them. Four kinds of sameness, each wider than
the one before: `sym` (pegs and colours are permuted), `A` (the same table, but for the order of
rows and columns), `B` (and one renaming of the answers), `STAR` (a renaming for each column).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import State, run_in_slices
from cluewise.desks.code.permutations import Permutation, complete_permutation
from cluewise.desks.code.position import SYMBOLS, Rules
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

TableKind = Literal["A", "B", "STAR"]
RENAMING = {"A": CODE.LABELLED, "B": CODE.RENAMED, "STAR": CODE.UNLABELLED}
MOST_CELLS = 24 << 20
"""A table has at most that many bytes, were all guesses answered differently."""
_BUDGET = 1_500_000  # labels looked at in a slice: some 10 ms
_BATCH = 1 << 14  # codes whose sets are keyed in one call

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A state's table in the kernel's memory: `columns` columns of `n` answers."""

    frame: Frame
    at: int
    n: int
    columns: int
    labels: int
    win: int


@dataclass(frozen=True, slots=True)
class Form:
    """A table's canonical form: its key; colours by which rows and labels go to another's."""

    key: Key
    order: int
    rows: array[int]
    labels: array[int]


def is_tabled(state: State) -> bool:
    """Whether the state's table fits."""
    return 0 < state.n <= CODE.MOST_ROWS and state.n * state.guesses <= MOST_CELLS


def table_of(state: State, frame: Frame, unlabelled: bool = False) -> Job[Table]:
    """The table of a state that `is_tabled`; unlabelled: each column's answers by first place."""
    if not is_tabled(state):
        raise TooLarge("The table of this state is too large.")
    bits = (2 * state.guesses).bit_length()
    slots = frame.reserve(8 << bits, zero=True)
    at = frame.reserve(state.n * state.guesses)
    columns = 0

    def step(first: int, last: int) -> None:
        nonlocal columns
        columns = frame.call(
            "code_table", rules=state.packed, space=state.space, from_=first, to=last,
            secrets=state.secrets, n=state.n, unlabelled=int(unlabelled), table=at,
            room=state.guesses, slots=slots, bits=bits, columns=columns,
        )  # fmt: skip

    yield from run_in_slices(state.guesses, max(1, 400_000 // state.n), "comparing answers", step)
    answers = len(state.rules.answers())
    return Table(frame, at, state.n, columns, answers, answers - 1)


def set_table(rules: Rules, codes: Sequence[str], frame: Frame) -> Table:
    """A set of codes as a table: a column a peg, a label a colour, and no win."""
    flat = b"".join(bytes(int(code[p], 16) for code in codes) for p in range(rules.pegs))
    at = frame.put(flat)
    return Table(frame, at, len(codes), rules.pegs, CODE.MAX_COLOURS, CODE.NO_WIN)


def form(table: Table, kind: TableKind) -> Job[Form]:
    """The canonical form of a table; of a set's table as `B`."""
    with table.frame.kernel.frame() as scratch:
        memory = _started(table, kind, scratch)
        while scratch.call("code_canon_step", memory, _BUDGET):
            yield Progress(0, None, "looking for the canonical form")
        out = scratch.reserve(8 * (3 + table.n + table.labels))
        scratch.call("code_canon_read", memory, out)
        found = scratch.get(out, "Q", 3 + table.n + table.labels)
    rows, labels = found[3 : 3 + table.n], found[3 + table.n :]
    return Form((found[0], found[1]), found[2], rows, labels)


def rough_key(table: Table, kind: TableKind) -> Key:
    """A key that tables of one class share, and others may too: one refinement, no search."""
    with table.frame.kernel.frame() as scratch:
        memory = _started(table, kind, scratch)
        scratch.call("code_canon_step", memory, 0)
        out = scratch.reserve(24)
        scratch.call("code_canon_key", memory, out)
        found = scratch.get(out, "Q", 2)
    return found[0], found[1]


def _started(table: Table, kind: TableKind, scratch: Frame) -> int:
    bytes_ = scratch.call("code_canon_bytes", table.n, table.labels)
    memory = scratch.reserve(bytes_)
    scratch.call(
        "code_canon_start", memory, table.at, table.n, table.columns, table.labels, table.win,
        RENAMING[kind],
    )  # fmt: skip
    return memory


def set_keys(
    frame: Frame, packed: int, pegs: int, sets: Sequence[array[int]]
) -> Iterator[tuple[Key, int]]:
    """For each set of codes (kernel words) its key up to symmetry, and how many keep it."""
    for batch in _batches(sets):
        with frame.kernel.frame() as scratch:
            starts = array("I", [0])
            for one in batch:
                starts.append(starts[-1] + len(one))
            words = scratch.put(b"".join(one.tobytes() for one in batch))
            largest = max(map(len, batch))
            bytes_ = scratch.call("code_canon_bytes", largest, CODE.MAX_COLOURS)
            bytes_ += (16 + pegs) * largest + 64
            memory, out = scratch.reserve(bytes_), scratch.reserve(24 * len(batch))
            scratch.call(
                "code_set_keys", rules=packed, words=words, codes=starts[-1],
                starts=scratch.put(starts), from_=0, to=len(batch), memory=memory, bytes=bytes_,
                out=out,
            )  # fmt: skip
            found = scratch.get(out, "Q", 3 * len(batch))
        for i in range(0, len(found), 3):
            yield (found[i], found[i + 1]), found[i + 2]


def _batches(sets: Sequence[array[int]]) -> Iterator[list[array[int]]]:
    """The sets in order, so many at once as have few codes together."""
    batch: list[array[int]] = []
    codes = 0
    for one in sets:
        if batch and codes + len(one) > _BATCH:
            yield batch
            batch, codes = [], 0
        batch.append(one)
        codes += len(one)
    if batch:
        yield batch


def symmetry(one: State, other: State) -> Job[Permutation | None]:
    """A permutation of pegs and colours that turns the codes left of one into the other's."""
    codes, images = (s.words(s.secrets, s.n) for s in (one, other))
    with one.frame.kernel.frame() as scratch:
        mine = yield from form(set_table(one.rules, codes, scratch), "B")
        theirs = yield from form(set_table(one.rules, images, scratch), "B")
    if mine.key != theirs.key:
        return None
    rows, labels = matched(mine.rows, theirs.rows), matched(mine.labels, theirs.labels)
    shown = {SYMBOLS.index(c) for code in codes for c in code}
    colours = complete_permutation(
        tuple(labels[c] if c in shown else None for c in range(one.rules.colours))
    )
    pegs: list[int] = []
    for peg in range(one.rules.pegs):
        column = [colours[SYMBOLS.index(code[peg])] for code in codes]
        pegs.append(
            next(
                to
                for to in range(one.rules.pegs)
                if to not in pegs
                and all(SYMBOLS[c] == images[rows[i]][to] for i, c in enumerate(column))
            )
        )
    found = Permutation(tuple(pegs), colours)
    assert sorted(map(found, codes)) == images
    return found


def matched(colours: array[int], others: array[int]) -> list[int]:
    """For each place the one of the other list with the same colour."""
    place = {colour: i for i, colour in enumerate(others)}
    return [place.get(colour, i) for i, colour in enumerate(colours)]
