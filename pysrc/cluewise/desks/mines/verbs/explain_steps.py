"""Arguments of one sentence: a sum of counts, parity, and contradiction of the opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from cluewise.core.results import pluralize
from cluewise.desks.mines.cell_names import cell_name, clue_text, gives_text, join_names
from cluewise.desks.mines.engine.board import UNKNOWN, clue_cells, clue_count, state_of_clues
from cluewise.desks.mines.engine.techniques import LinearCombination
from cluewise.desks.mines.position import Graph, Position
from cluewise.desks.mines.rating import Technique
from cluewise.desks.mines.results import Deduction, Inequality


def one_step(
    position: Position, clues: Sequence[str], cells: list[int], value: int, text: str,
    technique: Technique, weights: list[int] | None = None,
) -> Deduction:  # fmt: skip
    """Return the step by which some clues give all those cells one value."""
    stage: Literal["exact", "contradiction"] = (
        "contradiction" if technique in ("suppose", "deeper") else "exact"
    )
    count = value * len(cells)
    gives, says = Inequality(cells, count, count), gives_text(position, cells, count, count)
    return Deduction(stage, list(clues), gives, text, technique, weights, says)


def flags_counted(
    position: Position, board: Graph, weights: Mapping[str, int], cell: int, modulus: int = 0
) -> list[str]:
    """List the flags, without the cell's own, whose total weight is not 0 (by some modulus)."""
    often = dict.fromkeys(sorted(set(position.flags) - {cell}), 0)
    for name, weight in weights.items():
        for flag in often.keys() & set(clue_cells(board, name)):
            often[flag] += weight
    return [f"flag:{flag}" for flag, n in often.items() if (n % modulus if modulus else n)]


def sum_step(
    position: Position, board: Graph, total: LinearCombination, cell: int, value: int
) -> Deduction:
    """Describe a sum of counts, some subtracted, whose total is possible only with `value`.

    The signs are such that the cell is added.
    """
    sign = 1 if total.per_cell.get(cell, 0) > 0 else -1
    weights = {name: sign * w for name, w in total.weights.items()}
    clues = [*weights, *flags_counted(position, board, weights, cell)]
    often = [weights.get(name, 0) for name in clues]
    per_cell = {c: sign * n for c, n in total.per_cell.items()}
    result = sign * total.total
    low, high = sum(min(n, 0) for n in per_cell.values()), sum(max(n, 0) for n in per_cell.values())
    added, taken = ([n for n, w in weights.items() if w * s > 0] for s in (1, -1))
    if total.plain and result == (high if value else low):
        sides = _two_sides(position, board, added, taken, value)
        if sides is not None:
            return one_step(position, clues, sides[0], value, sides[1], "sum", often)
    lead = _side(position, board, added, weights)
    if taken:
        lead = f"Add up {lead}; take away {_side(position, board, taken, weights)}"
    else:
        lead = f"Add up {lead}"
    alike = [c for c, n in per_cell.items() if n > 0]
    if result == (high if value else low):
        gives = gives_text(position, alike, value * len(alike), value * len(alike))
        end = (
            f"That leaves {_signed(result)}, the {'most' if value else 'least'} there can be, "
            f"so {gives}."
        )
        cells = alike
    else:
        own = per_cell.get(cell, 0)
        bound = high - own if value else low + own
        supposed = "safe" if value else "a mine"
        end = (
            f"That leaves {_signed(result)}, but if {cell_name(position, cell)} were {supposed} "
            f"it would be {_signed(bound)} at {'most' if value else 'least'}."
        )
        cells = [cell]
    how: Technique = "sum" if total.plain else "weighted"
    return one_step(position, clues, cells, value, f"{lead}. {end}", how, often)


def _two_sides(
    position: Position, board: Graph, added: Sequence[str], taken: Sequence[str], value: int
) -> tuple[list[int], str] | None:
    """Return the decided cells and a sentence that compares two sides without common cells.

    Rows against numbers, as a person sees it: the mines of one side lie in the other, so the rest
    is safe; or they exceed it, so the rest is full. None if a side counts a cell twice.
    """
    first, second = _together(position, board, added), _together(position, board, taken)
    if first is None or second is None or not taken:
        return None
    (ours, a), (theirs, b) = first, second
    rest, beyond = sorted(ours - theirs), len(theirs - ours)
    gives = gives_text(position, rest, value * len(rest), value * len(rest))
    this, that = (_named(position, board, names) for names in (added, taken))
    ours_hold, theirs_hold, held = _hold(added), _hold(taken), pluralize(a, "mine")
    if value:
        inside = f"{theirs_hold} {b}, so no more than {b}" if beyond else f"{_inside(taken)} {b}"
        are, cells = "is" if len(rest) == 1 else "are", pluralize(len(rest), "cell")
        left = f"{len(rest)} {are} left for the {cells} besides"
        return rest, f"{this} {ours_hold} {held}. {that} {inside} of them: {left}, so {gives}."
    if not beyond:
        same = f"{_inside(taken)} the same {b}"
        return rest, f"{this} {ours_hold} {held}. {that} {same}, so the rest is safe: {gives}."
    outside = f"at most {beyond} of them in the {pluralize(beyond, 'cell')} outside"
    return rest, (
        f"{that} {theirs_hold} {pluralize(b, 'mine')}, {outside} "
        f"{join_names(_names(position, board, added))}. "
        f"{this} {ours_hold} no more than the other {a}, so the rest is safe: {gives}."
    )


def _together(
    position: Position, board: Graph, names: Sequence[str]
) -> tuple[set[int], int] | None:
    """Return the closed cells of some counts and their mines; None if two share a cell."""
    opened, flags = {r.cell for r in position.revealed}, set(position.flags)
    union: set[int] = set()
    mines = 0
    for name in names:
        cells = set(clue_cells(board, name))
        left = cells - opened - flags
        if union & left:
            return None
        union |= left
        mines += clue_count(position, board, name) - len(cells & flags)
    return union, mines


def _names(position: Position, board: Graph, names: Sequence[str]) -> list[str]:
    return [clue_text(position, board, name) for name in names]


def _named(position: Position, board: Graph, names: Sequence[str]) -> str:
    """Start a sentence: `Row 3 and row 4`, `Row 3, without its flags,`."""
    flags = set(position.flags)
    less = any(flags & set(clue_cells(board, name)) for name in names)
    spoken = join_names(_names(position, board, names))
    suffix = f", without {'its' if len(names) == 1 else 'their'} flags," if less else ""
    return spoken[0].upper() + spoken[1:] + suffix


def _hold(names: Sequence[str]) -> str:
    return "holds" if len(names) == 1 else "hold together"


def _inside(names: Sequence[str]) -> str:
    return "lies inside and holds" if len(names) == 1 else "lie inside and hold together"


def _signed(number: int) -> str:
    """Return `−3` with a minus sign."""
    return f"−{-number}" if number < 0 else str(number)


def _side(
    position: Position, board: Graph, names: Sequence[str], weights: Mapping[str, int]
) -> str:
    """Return `row 3, row 4 and twice the 2 at C4`."""
    spoken = []
    for name in names:
        times = abs(weights[name])
        often = {1: "", 2: "twice "}.get(times, f"{times} times ")
        spoken.append(f"{often}{clue_text(position, board, name)}{_count(position, board, name)}")
    return join_names(spoken)


def _count(position: Position, board: Graph, name: str) -> str:
    """Return the count of a clue if its name does not include it, and the rest without flags."""
    cells = clue_cells(board, name)
    want = clue_count(position, board, name)
    flags = len(set(cells) & set(position.flags))
    if flags:
        return f" ({want}, {want - flags} without its {'flag' if flags == 1 else 'flags'})"
    return "" if name.startswith("number:") else f" ({want})"


def parity_step(
    position: Position, board: Graph, clues: Sequence[str], cell: int, value: int
) -> Deduction:
    """Describe a sum that counts every other cell an even number of times."""
    spoken = join_names([clue_text(position, board, c) for c in clues])
    name = cell_name(position, cell)
    text = (
        f"Add up {spoken}: every open cell but {name} is counted an even number of times, and the "
        f"sum less its flags is {'odd' if value else 'even'}, so {name} is "
        f"{'a mine' if value else 'safe'}."
    )
    return one_step(position, clues, [cell], value, text, "parity")


def contradiction(
    position: Position, board: Graph, clues: list[str], cell: int, value: int, technique: Technique
) -> Deduction:
    """Describe the contradiction that follows from the opposite."""
    name = cell_name(position, cell)
    supposed = "safe" if value else "a mine"
    chain = _chain(position, board, clues, cell, 1 - value)
    spoken = (
        join_names([clue_text(position, board, c) for c in clues]) if clues else "the open cells"
    )
    text = f"Suppose {name} were {supposed}. {chain}Then {spoken} could not all hold."
    return one_step(position, clues, [cell], value, text, technique)


def _chain(position: Position, board: Graph, clues: list[str], cell: int, value: int) -> str:
    """Return the simple consequences of an assumption, clue by clue."""
    state, _ = state_of_clues(position, clues)
    known = {c: int(s == -3) for c, s in enumerate(state) if s != UNKNOWN}
    known[cell] = value
    counts = [(n, clue_cells(board, n)) for n in clues if not n.startswith("flag:")]
    said: list[str] = []
    for _ in range(6):
        found = _next_forced(position, board, counts, known)
        if found is None:
            break
        name, cells, mine = found
        known.update(dict.fromkeys(cells, mine))
        gives = gives_text(position, cells, mine * len(cells), mine * len(cells))
        said.append(f"by {clue_text(position, board, name)}, {gives}")
    return f"Then, {'; '.join(said)}. " if said else ""


def _next_forced(
    position: Position,
    board: Graph,
    counts: Sequence[tuple[str, tuple[int, ...]]],
    known: dict[int, int],
) -> tuple[str, list[int], int] | None:
    for name, cells in counts:
        left = [c for c in cells if c not in known]
        need = clue_count(position, board, name) - sum(known.get(c, 0) for c in cells)
        if left and need in (0, len(left)):
            return name, left, int(need > 0)
    return None
