"""Arguments of one sentence: a sum of counts, parity, and the opposite supposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cluewise.desks.mines.engine.board import UNKNOWN, chosen
from cluewise.desks.mines.engine.clues import answer, asked_cells
from cluewise.desks.mines.engine.techniques import Total
from cluewise.desks.mines.position import Graph, Position
from cluewise.desks.mines.results import Deduction, Inequality, Technique
from cluewise.desks.mines.words import cell_name, clue_text, gives_text, listed


def sum_step(
    position: Position, board: Graph, names: Mapping[int, str], clues: Sequence[str], total: Total,
    cell: int, value: int,
) -> Deduction:  # fmt: skip
    """Some counts added, others taken away: only with `value` can that come out.

    Turned so that the cell is among those that are added up.
    """
    sign = 1 if total.per_cell.get(cell, 0) > 0 else -1
    weights = {names[i]: sign * w for i, w in total.weights.items()}
    per_cell = {c: sign * n for c, n in total.per_cell.items()}
    result = sign * total.total
    low, high = sum(min(n, 0) for n in per_cell.values()), sum(max(n, 0) for n in per_cell.values())
    added, taken = ([n for n, w in weights.items() if w * s > 0] for s in (1, -1))
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
    count = value * len(cells)
    return Deduction(
        "exact",
        list(clues),
        Inequality(cells, count, count),
        f"{lead}. {end}",
        "sum" if total.plain else "weighted",
        [weights.get(name, 0) for name in clues],
    )


def _signed(number: int) -> str:
    """`−3` with a minus sign."""
    return f"−{-number}" if number < 0 else str(number)


def _side(
    position: Position, board: Graph, names: Sequence[str], weights: Mapping[str, int]
) -> str:
    """`row 3, row 4 and twice the 2 at C4`."""
    spoken = []
    for name in names:
        times = abs(weights[name])
        often = {1: "", 2: "twice "}.get(times, f"{times} times ")
        spoken.append(f"{often}{clue_text(position, board, name)}{_count(position, board, name)}")
    return listed(spoken)


def _count(position: Position, board: Graph, name: str) -> str:
    """What a clue counts, where its name does not say it; less the flags that it has."""
    cells = asked_cells(position, board, name)
    want = answer(position, board, name)
    flags = len(set(cells) & set(position.flags))
    if flags:
        return f" ({want}, {want - flags} without its {'flag' if flags == 1 else 'flags'})"
    return "" if name.startswith("number:") else f" ({want})"


def parity_step(
    position: Position, board: Graph, clues: Sequence[str], cell: int, value: int
) -> Deduction:
    """Every other cell is counted an even number of times, so the sum tells what this one is."""
    spoken = listed([clue_text(position, board, c) for c in clues])
    name = cell_name(position, cell)
    text = (
        f"Add up {spoken}: every open cell but {name} is counted an even number of times, and the "
        f"sum less its flags is {'odd' if value else 'even'}, so {name} is "
        f"{'a mine' if value else 'safe'}."
    )
    return Deduction("exact", list(clues), Inequality([cell], value, value), text, "parity")


def contradiction(
    position: Position, board: Graph, clues: list[str], cell: int, value: int, technique: Technique
) -> Deduction:
    """The step that supposes the opposite."""
    name = cell_name(position, cell)
    supposed = "safe" if value else "a mine"
    chain = _chain(position, board, clues, cell, 1 - value)
    spoken = listed([clue_text(position, board, c) for c in clues]) if clues else "the open cells"
    text = f"Suppose {name} were {supposed}. {chain}Then {spoken} could not all hold."
    gives = Inequality([cell], value, value)
    return Deduction("contradiction", list(clues), gives, text, technique)


def _chain(position: Position, board: Graph, clues: list[str], cell: int, value: int) -> str:
    """What the supposition makes of other cells, clue by clue, as far as that is plain."""
    state, _ = chosen(position, clues, board)
    known = {c: int(s == -3) for c, s in enumerate(state) if s != UNKNOWN}
    known[cell] = value
    counts = [(n, asked_cells(position, board, n)) for n in clues if not n.startswith("flag:")]
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
        need = answer(position, board, name) - sum(known.get(c, 0) for c in cells)
        if left and need in (0, len(left)):
            return name, left, int(need > 0)
    return None
