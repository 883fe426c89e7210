"""The chance to win by going through every play: slow and obvious."""

from functools import cache

from cluewise.desks.mines.position import Position, graph
from reference.mines_brute_force import layouts

Layouts = frozenset[frozenset[int]]


def wins(position: Position, first: str = "any") -> dict[int, tuple[int, int]]:
    """For each closed cell that need not be a mine: layouts won by best play, and their number."""
    neighbours, secret = graph(position).neighbours, set(position.secret)
    size = len(neighbours)

    def shown(cell: int, mines: frozenset[int]) -> int | None:
        return None if cell in secret else len(mines & set(neighbours[cell]))

    @cache
    def best(left: Layouts, opened: frozenset[int]) -> int:
        if all(len(opened) + len(mines) == size for mines in left):
            return len(left)
        return max(opening(left, opened, c) for c in range(size) if c not in opened)

    def opening(left: Layouts, opened: frozenset[int], cell: int) -> int:
        survived = [mines for mines in left if cell not in mines]
        return sum(
            best(frozenset(m for m in survived if shown(cell, m) == number), opened | {cell})
            for number in {shown(cell, m) for m in survived}
        )

    every = frozenset(layouts(position))
    opened = frozenset(r.cell for r in position.revealed)
    found = {}
    for cell in range(size):
        away = {cell} | (set(neighbours[cell]) if first == "zero" else set())
        counting = frozenset(m for m in every if first == "any" or not m & away)
        if cell not in opened and any(cell not in m for m in counting):
            found[cell] = opening(counting, opened, cell), len(counting)
    return found
