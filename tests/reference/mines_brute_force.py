"""Mine layouts by trying all of them: slow and obvious."""

from itertools import product

from cluewise.desks.mines.position import Position, graph


def layouts(position: Position, clues: set[str] | None = None) -> list[frozenset[int]]:
    """Every set of mines that fits; with `clues` only those named need to hold."""
    board = graph(position)
    flags = {c for c in position.flags if clues is None or f"flag:{c}" in clues}
    opened = {item.cell for item in position.revealed}
    free = [c for c in range(board.cells) if c not in opened and c not in flags]
    counts = [
        (g.cells, g.count)
        for i, g in enumerate(board.groups)
        if clues is None or f"group:{i}" in clues
    ]
    counts += [
        (board.neighbours[item.cell], item.number)
        for item in position.revealed
        if item.number is not None and (clues is None or f"number:{item.cell}" in clues)
    ]
    found = []
    for choice in product((False, True), repeat=len(free)):
        mines = flags | {c for c, mine in zip(free, choice, strict=True) if mine}
        if all(sum(c in mines for c in cells) == count for cells, count in counts):
            found.append(frozenset(mines))
    return found


def forced(position: Position, found: list[frozenset[int]]) -> tuple[list[int], list[int]]:
    """The unknown cells that are safe in all layouts, and those that are mines in all."""
    known = {item.cell for item in position.revealed} | set(position.flags)
    cells = [c for c in range(graph(position).cells) if c not in known]
    safe = [c for c in cells if not any(c in mines for mines in found)]
    mines = [c for c in cells if all(c in layout for layout in found)]
    return safe, mines
