"""What clues can hold together with others, by trying every layout: slow and obvious."""

from cluewise.desks.mines.position import Position
from reference.mines_brute_force import layouts

Names = frozenset[str]


def fitting(position: Position, clues: Names, cell: int, value: int) -> list[frozenset[int]]:
    """The layouts in which those clues hold and the cell has that value (-1: any cell)."""
    return [
        mines for mines in layouts(position, set(clues))
        if cell < 0 or (cell in mines) == bool(value)
    ]  # fmt: skip


def can_be_added(position: Position, held: Names, among: Names, cell: int, value: int) -> list[str]:
    """The clues that still fit, one at a time, together with those that hold."""
    return [c for c in sorted(among - held) if fitting(position, held | {c}, cell, value)]


def least(position: Position, clues: Names, order: list[str], cell: int, value: int) -> Names:
    """Clues that do not fit, less those in that order without which they still do not."""
    for one in order:
        if not fitting(position, clues - {one}, cell, value):
            clues -= {one}
    return clues
