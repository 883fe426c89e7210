"""Mine layouts by trying all of them: slow and obvious."""

from collections.abc import Collection

from cluewise.desks.mines.position import Position, graph
from reference.mines_steps import Layouts


def layouts(position: Position, clues: Collection[str] | None = None) -> list[frozenset[int]]:
    """Every set of mines that fits; with `clues` only those named need to hold."""
    every = Layouts(position)
    held = every.holding(map(every.clue, every.names() if clues is None else clues))
    return [frozenset(c for c, i in every.bit.items() if one >> i & 1) for one in held.tolist()]


def forced(position: Position, found: list[frozenset[int]]) -> tuple[list[int], list[int]]:
    """The unknown cells that are safe in all layouts, and those that are mines in all."""
    known = {item.cell for item in position.revealed} | set(position.flags)
    cells = [c for c in range(graph(position).cells) if c not in known]
    safe = [c for c in cells if not any(c in mines for mines in found)]
    mines = [c for c in cells if all(c in layout for layout in found)]
    return safe, mines
