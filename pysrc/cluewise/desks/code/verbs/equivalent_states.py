"""Are two positions one state of the game? From the narrowest kind of sameness to the widest.

What was asked does not matter any more, only which codes are left: `codes` (the same), `symmetry`
(a permutation of pegs and colours turns them into each other), `A`, `B`, `STAR` (their tables of
answers are the same, with more and more renaming; see `engine/canon.py`). Anyone who plays on from
one can play on from the other alike, guess by guess, so both cost as much. Every yes comes with
what shows it, and that has been tried out.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.canonical_tables import (
    Form,
    Table,
    form,
    is_tabled,
    matched,
    symmetry,
    table_of,
)
from cluewise.desks.code.engine.encoding import cell_names
from cluewise.desks.code.engine.state import State, is_countable, load, load_space
from cluewise.desks.code.position import Rules
from cluewise.desks.code.results import SameState
from cluewise.kernel import kernel
from cluewise.kernel.layouts import CODE

_OFTEN = 512  # columns between reports


def same_state(rules: Rules, mine: Sequence[Clue], theirs: Sequence[Clue]) -> Job[SameState | None]:
    """Whether two sets of clues leave one state; None where the codes cannot be gone through."""
    if not is_countable(rules):
        return None
    with kernel().frame() as frame:
        one = yield from load(frame, rules, mine)
        other = yield from load(frame, rules, theirs)
        sizes = (one.n, other.n)
        if _secrets(one) == _secrets(other):
            return _found("codes", sizes)
        if one.n != other.n:
            return SameState(False, None, sizes, None, None, None, None)
        if one.n > CODE.MOST_ROWS:
            return SameState(None, None, sizes, None, None, None, None)
        witness = yield from symmetry(one, other)
        if witness is not None:
            return _found("symmetry", sizes, list(witness.pegs), list(witness.colours))
        yield from load_space(one)
        other.space, other.guesses = one.space, one.guesses
        if not is_tabled(one):
            return SameState(None, None, sizes, None, None, None, None)
        return (yield from _by_tables(one, other))


def _secrets(state: State) -> array[int]:
    return state.frame.get(state.secrets, "Q", state.n)


def _found(kind: str, sizes: tuple[int, int], *witness: list[int]) -> SameState:
    pegs, colours = witness or (None, None)
    return SameState(True, kind, sizes, pegs, colours, None, None)  # type: ignore[arg-type]  # a Literal


def _by_tables(one: State, other: State) -> Job[SameState]:
    codes, images = (s.words(s.secrets, s.n) for s in (one, other))
    sizes = (one.n, other.n)
    for kind in ("A", "B", "STAR"):
        with one.frame.kernel.frame() as scratch:
            mine = yield from table_of(one, scratch, kind == "STAR")
            theirs = yield from table_of(other, scratch, kind == "STAR")
            if mine.columns != theirs.columns:
                continue
            forms = ((yield from form(mine, kind)), (yield from form(theirs, kind)))
            if forms[0].key != forms[1].key:
                continue
            rows = matched(forms[0].rows, forms[1].rows)
            names = matched(forms[0].labels, forms[1].labels)
            yield from _try_out(mine, theirs, rows, names, kind == "STAR")
        left = [(code, images[rows[i]]) for i, code in enumerate(codes)]
        answers = _renamed(one.rules, forms[0], names) if kind == "B" else None
        return SameState(True, kind, sizes, None, None, left, answers)
    return SameState(False, None, sizes, None, None, None, None)


def _renamed(rules: Rules, known: Form, names: Sequence[int]) -> dict[str, str]:
    cells = cell_names(rules)
    return {cells[i]: cells[names[i]] for i in range(len(known.labels))}


def _try_out(
    mine: Table, theirs: Table, rows: Sequence[int], names: Sequence[int], unlabelled: bool
) -> Job[None]:
    """Carry every column over; that they are those of the other table is asserted."""
    n = mine.n
    back = [0] * n
    for i, to in enumerate(rows):
        back[to] = i
    rename = bytes(names) + bytes(range(len(names), 256))
    wanted = bytes(theirs.frame.get(theirs.at, "B", n * theirs.columns))
    columns = {wanted[at : at + n] for at in range(0, len(wanted), n)}
    flat = bytes(mine.frame.get(mine.at, "B", n * mine.columns))
    for at in range(0, len(flat), n):
        if at // n % _OFTEN == 0:
            yield Progress(at, len(flat), "trying out what was found")
        column = flat[at : at + n]
        carried = bytes(column[i] for i in back)
        carried = _by_place(carried, mine.win) if unlabelled else carried.translate(rename)
        columns.remove(carried)


def _by_place(column: bytes, win: int) -> bytes:
    """Answers numbered as they come, the win as it is: `_by_place(b"\5\2\5", 9) == b"\0\1\0"`."""
    names: dict[int, int] = {win: win}
    for answer in column:
        names.setdefault(answer, len(names) - 1)
    return column.translate(bytes(names.get(i, i) for i in range(256)))
