"""Test boards, published and random, and reference answers by enumeration of all layouts."""

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
    """Return the published combination locks with their score and the rounds of every step."""
    listed: list[dict[str, Any]] = vectors("mines-published")["boards"]
    return listed


def locks() -> list[dict[str, Any]]:
    """Return the locks of the published level files; `twenty` marks those with known proofs."""
    listed: list[dict[str, Any]] = vectors("mines-published")["locks"]["boards"]
    return listed


def lock_named(part: str) -> dict[str, Any]:
    """Return the published lock whose name contains `part`."""
    return next(lock for lock in locks() if part in lock["name"])


def lock_of(board: dict[str, Any]) -> Position:
    """Return a published lock as a puzzle."""
    size, layout = board["size"], board["layout"]
    return read_text("\n".join(layout[i : i + size] for i in range(0, size * size, size)))


def puzzles() -> list[dict[str, Any]]:
    """Return the puzzles of the oracle file."""
    listed: list[dict[str, Any]] = vectors("mines")["puzzles"]
    return listed


def position_of(
    puzzle: dict[str, Any],
    revealed: list[int] | None = None,
    flags: list[int] | None = None,
    *,
    known: bool = True,
) -> Position:
    """Return an oracle puzzle at a state, by default its start; `known` keeps mines and secrets."""
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
    """Return a small random board at a random state, with any neighbours, groups, `?` and flags."""
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
    """Return the cells that a closure's log decides: the safe ones and the mines."""
    safe = {c for row in rows if row.high == 0 for c in row.cells}
    return safe, {c for row in rows if row.low == row.size for c in row.cells}


LayoutSet = frozenset[frozenset[int]]
Names = frozenset[str]


def layouts(position: Position, clues: Collection[str] | None = None) -> list[frozenset[int]]:
    """Return every set of mines that satisfies all clues, or only the named `clues`."""
    every = Layouts(position)
    held = every.holding(map(every.clue, every.names() if clues is None else clues))
    return [frozenset(c for c, i in every.bit.items() if one >> i & 1) for one in held.tolist()]


def forced(position: Position, every: list[frozenset[int]]) -> tuple[list[int], list[int]]:
    """Return the unknown cells that are safe in all given layouts, and those that are mines."""
    known = {item.cell for item in position.revealed} | set(position.flags)
    cells = [c for c in range(graph(position).cells) if c not in known]
    safe = [c for c in cells if not any(c in mines for mines in every)]
    mines = [c for c in cells if all(c in layout for layout in every)]
    return safe, mines


def layouts_with(position: Position, clues: Names, cell: int, value: int) -> list[frozenset[int]]:
    """Return the layouts that satisfy the clues and give the cell the value (-1: no cell)."""
    return [
        mines for mines in layouts(position, set(clues))
        if cell < 0 or (cell in mines) == bool(value)
    ]  # fmt: skip


def addable_clues(
    position: Position, held: Names, among: Names, cell: int, value: int
) -> list[str]:
    """Return the clues of `among` each of which is satisfiable together with `held`."""
    return [c for c in sorted(among - held) if layouts_with(position, held | {c}, cell, value)]


def shrink(position: Position, clues: Names, order: list[str], cell: int, value: int) -> Names:
    """Drop each clue of `order` without which the rest stays unsatisfiable; return the rest."""
    for one in order:
        if not layouts_with(position, clues - {one}, cell, value):
            clues -= {one}
    return clues


def count_grids(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """Return the number of 0-1 grids with these row and column sums."""
    return _count_sorted(rows, tuple(sorted(columns)))


def count_grids_with_mine(
    rows: tuple[int, ...], columns: tuple[int, ...], row: int, column: int
) -> int:
    """Return the number of these grids in which the cell is a mine."""
    rest = rows[:row] + rows[row + 1 :]
    return sum(
        count_grids(rest, _subtract(columns, chosen))
        for chosen in combinations(range(len(columns)), rows[row])
        if column in chosen
    )


@cache
def _count_sorted(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    if min(columns, default=0) < 0:
        return 0
    if not rows:
        return int(not any(columns))
    return sum(
        _count_sorted(rows[1:], tuple(sorted(_subtract(columns, chosen))))
        for chosen in combinations(range(len(columns)), rows[0])
    )


def _subtract(columns: tuple[int, ...], chosen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(need - (x in chosen) for x, need in enumerate(columns))


def win_counts(position: Position, first: str = "any") -> dict[int, tuple[int, int]]:
    """Return for each closed, possibly safe cell the layouts won by optimal play, and all layouts.

    Expectimax over sets of layouts; `first` is the rule of the first click.
    """
    neighbours, secret = graph(position).neighbours, set(position.secret)
    size = len(neighbours)

    def shown(cell: int, mines: frozenset[int]) -> int | None:
        return None if cell in secret else len(mines & set(neighbours[cell]))

    @cache
    def best(candidates: LayoutSet, opened: frozenset[int]) -> int:
        if all(len(opened) + len(mines) == size for mines in candidates):
            return len(candidates)
        return max(opening(candidates, opened, c) for c in range(size) if c not in opened)

    def opening(candidates: LayoutSet, opened: frozenset[int], cell: int) -> int:
        survived = [mines for mines in candidates if cell not in mines]
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
