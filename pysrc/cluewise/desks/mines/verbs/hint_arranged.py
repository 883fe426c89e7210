"""Forced cells and explanations on boards with arranged clues (engine/arrangements.py).

The easiest, in this order: one count; one arranged clue by all its patterns; the ladder on the
counts alone; contradiction of the opposite by a minimal unsatisfiable set of clues.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec

from cluewise.core.conflict import shrink_to_mus
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import (
    CONTRADICTORY,
    cell_name,
    clue_text,
    gives_text,
    join_names,
)
from cluewise.desks.mines.engine.arrangements import Expanded, counts_only, expanded
from cluewise.desks.mines.engine.board import active, clue_cells, state
from cluewise.desks.mines.engine.cdcl import backbone, consistent, open_search
from cluewise.desks.mines.engine.ladder import easiest_derivation
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.rating import Technique, verdict_of
from cluewise.desks.mines.results import Explained
from cluewise.desks.mines.verbs.explain_derivation import Easy, explained
from cluewise.desks.mines.verbs.explain_steps import one_step
from cluewise.errors import Contradiction


def fits(position: Position) -> Job[bool]:
    """Return whether some layout fits all clues."""
    wide = expanded(position)
    return (yield from consistent(graph(wide.position), state(wide.position)))


def forced(position: Position) -> Job[array[int] | None]:
    """Return SAFE, MINE, OPEN or NONE per cell by all clues; None if they contradict."""
    wide = expanded(position)
    values = yield from backbone(graph(wide.position), state(wide.position))
    return values and values[: wide.cells]


def easiest(position: Position, values: Sequence[int], target: int = -1) -> Job[Easy]:
    """Return the easiest explanation of a forced cell (or of `target`), given those of `forced`."""
    plain = counts_only(position)
    derived = yield from easiest_derivation(graph(plain.position), state(plain.position), target)
    if derived is None or derived.technique != "one":
        single = yield from _by_one_clue(position, target)
        if single is not None:
            return single
    if derived is not None:
        easy = explained(plain.position, derived)
        return easy._replace(found=_renamed(easy.found, plain))
    cell = target if target >= 0 else next(c for c, value in enumerate(values) if value >= 0)
    return (yield from _supposed(position, cell, values[cell]))


def explain_arranged(position: Position, cell: int) -> Job[Explained]:
    """Explain why a cell is safe or a mine, without its own flag."""
    flags = tuple(f for f in position.flags if f != cell)
    bare = msgspec.structs.replace(position, flags=flags)
    values = yield from forced(bare)
    if values is None:
        raise Contradiction(CONTRADICTORY)
    if values[cell] < 0:
        return Explained("open", [], [], None, True)
    return (yield from easiest(bare, values, cell)).found


def _renamed(found: Explained, plain: Expanded) -> Explained:
    """Return the explanation with the clues' names on the real board."""

    def name(one: str | int) -> str | int:
        place = str(one).removeprefix("group:")
        return plain.owners[int(place)] if place != str(one) else one

    steps = [msgspec.structs.replace(s, from_=[name(one) for one in s.from_]) for s in found.steps]
    clues = [str(name(clue)) for clue in found.clues]
    return msgspec.structs.replace(found, clues=clues, steps=steps)


def _by_one_clue(position: Position, target: int) -> Job[Easy | None]:
    """Return the first clue whose patterns agree about a cell."""
    wide = expanded(position)
    board, cells = graph(wide.position), state(wide.position)
    for name in dict.fromkeys(wide.owners[len(counts_only(position).owners) :]):
        own = active(board, [i for i, owner in enumerate(wide.owners) if owner == name])
        found = yield from backbone(board, cells, own)
        yield Progress(0, None, "looking at arranged clues")
        sure = [c for c in range(wide.cells) if found is not None and found[c] >= 0]
        if found is None or not (target in sure if target >= 0 else sure):
            continue
        value = found[target if target >= 0 else sure[0]]
        alike = [c for c in sure if found[c] == value]
        real = graph(position)
        inside = clue_cells(real, name)
        clues = [name, *(f"flag:{f}" for f in sorted(position.flags) if f in inside)]
        count = value * len(alike)
        lead = join_names([clue_text(position, real, n) for n in clues])
        text = f"From {lead}: {gives_text(position, alike, count, count)}."
        return Easy(_explained(position, clues, alike, value, "one", text), 1, None, True)
    return None


def _explained(
    position: Position, clues: list[str], cells: list[int], value: int, technique: Technique,
    text: str,
) -> Explained:  # fmt: skip
    step = one_step(position, clues, cells, value, text, technique)
    return Explained(verdict_of(value), clues, [step], technique, technique == "one")


def _supposed(position: Position, cell: int, value: int) -> Job[Easy]:
    """Refute the opposite of a forced cell by a minimal set of clues."""
    wide = expanded(position)
    board, cells = graph(wide.position), state(wide.position)
    numbers = [f"number:{r.cell}" for r in position.revealed if r.number is not None]
    names = list(dict.fromkeys([*wide.owners, *numbers]))

    def holds(chosen: Sequence[str]) -> Job[bool]:
        own = [i for i, owner in enumerate(wide.owners) if owner in chosen]
        own += [len(board.groups) + int(n[7:]) for n in numbers if n in chosen]
        with open_search(board, cells, active(board, own)) as search:
            found = yield from search.exists(cell, 1 - value)
        yield Progress(0, None, "looking for the clues that decide")
        return found

    clues = yield from shrink_to_mus(names, holds)
    spoken = join_names([clue_text(position, graph(position), name) for name in clues])
    supposed = "safe" if value else "a mine"
    text = f"Suppose {cell_name(position, cell)} were {supposed}. Then {spoken} could not all hold."
    found = _explained(position, clues, [cell], value, "deeper", text)
    return Easy(found, len(clues), None, False)
