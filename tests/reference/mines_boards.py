"""Boards to try, published and random, and all their layouts one by one."""

import random
from collections.abc import Collection
from functools import cache
from itertools import combinations
from typing import Any

from asking import vectors
from cluewise.desks.mines.engine.closure import Derivation
from cluewise.desks.mines.formats.text import read_text
from cluewise.desks.mines.position import Group, Position, Revealed, graph
from reference.mines_steps import Layouts


def published() -> list[dict[str, Any]]:
    """Published combination locks with their score and the rounds of every step."""
    listed: list[dict[str, Any]] = vectors("mines-published")["boards"]
    return listed


def locks() -> list[dict[str, Any]]:
    """The locks of the published level files; `twenty` marks those whose proofs are known."""
    listed: list[dict[str, Any]] = vectors("mines-published")["locks"]["boards"]
    return listed


def lock_of(board: dict[str, Any]) -> Position:
    """A published lock as a puzzle."""
    size, layout = board["size"], board["layout"]
    return read_text("\n".join(layout[i : i + size] for i in range(0, size * size, size)))


def puzzles() -> list[dict[str, Any]]:
    """The oracle's puzzles as they stand in the file."""
    listed: list[dict[str, Any]] = vectors("mines")["puzzles"]
    return listed


def position_of(
    puzzle: dict[str, Any],
    revealed: list[int] | None = None,
    flags: list[int] | None = None,
    *,
    known: bool = True,
) -> Position:
    """An oracle puzzle at a state (its start by default); `known` keeps mines and secrets."""
    opened = puzzle["start"] if revealed is None else revealed
    secret = set(puzzle["secret"])
    return Position(
        neighbours=tuple(tuple(n) for n in puzzle["neighbors"]),
        groups=tuple(Group(tuple(g["cells"]), g["count"], g["kind"]) for g in puzzle["groups"]),
        revealed=tuple(Revealed(c, None if c in secret else puzzle["numbers"][c]) for c in opened),
        flags=tuple(flags or ()),
        mines=tuple(puzzle["mines"]) if known else None,
        secret=tuple(puzzle["secret"]) if known else (),
    )


def random_position(seed: int, most: int = 14) -> Position:
    """A small random board at a random state: lists, groups, `?` cells and flags of any shape."""
    rng = random.Random(seed)
    cells = rng.randint(1, most)
    mines = {c for c in range(cells) if rng.random() < rng.choice((0.2, 0.4, 0.6))}
    neighbours = tuple(
        tuple(sorted(d for d in range(cells) if d != c and rng.random() < rng.choice((0.2, 0.5))))
        for c in range(cells)
    )
    groups = []
    for _ in range(rng.randint(0, 5)):
        members = tuple(c for c in range(cells) if rng.random() < rng.choice((0.3, 0.7)))
        count = sum(c in mines for c in members)
        if seed % 4 == 0 and members and rng.random() < 0.4:
            count = rng.randint(0, len(members))
        groups.append(Group(members, count))
    opened = [c for c in range(cells) if c not in mines and rng.random() < 0.35]
    flags = tuple(c for c in sorted(mines) if rng.random() < 0.15)
    revealed = tuple(
        Revealed(c, None if rng.random() < 0.2 else sum(n in mines for n in neighbours[c]))
        for c in opened
    )
    return Position(neighbours=neighbours, groups=tuple(groups), revealed=revealed, flags=flags)


def decided(rows: list[Derivation]) -> tuple[set[int], set[int]]:
    """The cells that a closure's log has as safe, and as mines."""
    safe = {c for row in rows if row.high == 0 for c in row.cells}
    return safe, {c for row in rows if row.low == row.size for c in row.cells}


Left = frozenset[frozenset[int]]
Names = frozenset[str]


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


def layouts_of(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """How many grids have those counts."""
    return _filled(rows, tuple(sorted(columns)))


def with_mine(rows: tuple[int, ...], columns: tuple[int, ...], row: int, column: int) -> int:
    """In how many of them that cell is a mine."""
    rest = rows[:row] + rows[row + 1 :]
    return sum(
        layouts_of(rest, _less(columns, chosen))
        for chosen in combinations(range(len(columns)), rows[row])
        if column in chosen
    )


@cache
def _filled(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    if min(columns, default=0) < 0:
        return 0
    if not rows:
        return int(not any(columns))
    return sum(
        _filled(rows[1:], tuple(sorted(_less(columns, chosen))))
        for chosen in combinations(range(len(columns)), rows[0])
    )


def _less(columns: tuple[int, ...], chosen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(need - (x in chosen) for x, need in enumerate(columns))


def wins(position: Position, first: str = "any") -> dict[int, tuple[int, int]]:
    """For each closed cell that need not be a mine: layouts won by best play, and their number."""
    neighbours, secret = graph(position).neighbours, set(position.secret)
    size = len(neighbours)

    def shown(cell: int, mines: frozenset[int]) -> int | None:
        return None if cell in secret else len(mines & set(neighbours[cell]))

    @cache
    def best(left: Left, opened: frozenset[int]) -> int:
        if all(len(opened) + len(mines) == size for mines in left):
            return len(left)
        return max(opening(left, opened, c) for c in range(size) if c not in opened)

    def opening(left: Left, opened: frozenset[int], cell: int) -> int:
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
