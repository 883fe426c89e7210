"""Oracle boards as positions, and small random boards: what all mines tests share."""

import random
from typing import Any

from asking import vectors
from cluewise.desks.mines.engine.closure import Derivation
from cluewise.desks.mines.formats.text import read_text
from cluewise.desks.mines.position import Group, Position, Revealed


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
