"""Reference closure: pairwise crossing of bounds, with sets and dictionaries."""

from collections.abc import Callable

from cluewise.desks.mines.position import Position, Revealed, graph, number_of
from reference.mines_ladder import counts

Bounds = dict[frozenset[int], tuple[int, int]]


def clues(position: Position) -> Bounds:
    """Return the clues of a position over its unknown cells, as exact bounds."""
    return {cells: (need, need) for cells, need in counts(position).items()}


def merge(held: Bounds, found: Bounds) -> bool:
    """Intersect bounds; return whether any became tighter."""
    changed = False
    for cells, (low, high) in found.items():
        old_low, old_high = held.get(cells, (0, len(cells)))
        new = max(old_low, low), min(old_high, high)
        if cells and new != (old_low, old_high) and new != (0, len(cells)):
            held[cells] = new
            changed = True
    return changed


def cross(x: frozenset[int], bx: tuple[int, int], y: frozenset[int], by: tuple[int, int]) -> Bounds:
    """Return the bounds that two overlapping inequalities imply on x & y, x - y and y - x."""
    z, u, v = x & y, x - y, y - x
    low = max(0, bx[0] - len(u), by[0] - len(v))
    high = min(len(z), bx[1], by[1])
    return {
        z: (low, high),
        u: (max(0, bx[0] - high), min(len(u), max(0, bx[1] - low))),
        v: (max(0, by[0] - high), min(len(v), max(0, by[1] - low))),
    }


def round_of(held: Bounds, exact: bool, crossed: Callable[[frozenset[int], int], bool]) -> bool:
    """Cross all pairs of a snapshot; return whether any bound became tighter."""
    items = [(c, b) for c, b in held.items() if crossed(c, b[0]) and not (exact and b[0] != b[1])]
    found: Bounds = {}
    for i, (x, bx) in enumerate(items):
        for y, by in items[:i]:
            if x & y:
                for cells, (low, high) in cross(x, bx, y, by).items():
                    if exact and low != high:
                        continue
                    old = found.get(cells, (0, len(cells)))
                    found[cells] = max(old[0], low), min(old[1], high)
    return merge(held, found)


def trivial(held: Bounds) -> tuple[set[int], set[int]]:
    """Return the safe cells and mines that single inequalities decide."""
    safe: set[int] = set()
    mines: set[int] = set()
    for cells, (low, high) in held.items():
        if high == 0:
            safe |= cells
        elif low == len(cells):
            mines |= cells
    return safe, mines


def rate(
    position: Position, limit: int, widest: int = 1000, highest: int = 0
) -> tuple[list[int], bool]:
    """Return the number of rounds of each step, and whether the closure solves the puzzle."""
    mines = set(position.mines or ())
    safe_cells = set(range(graph(position).cells)) - mines
    opened = {r.cell for r in position.revealed}
    flags = set(position.flags)
    held = clues(position)
    steps: list[int] = []

    def crossed(cells: frozenset[int], low: int) -> bool:
        return not (len(cells) > widest and low > highest)

    while safe_cells - opened:
        rounds = inexact = 0
        while not any(trivial(held)):
            rounds += 1
            if round_of(held, True, crossed):
                continue
            if inexact == limit:
                return steps, False
            inexact += 1
            rounds += 1
            if not round_of(held, False, crossed):
                return steps, False
        steps.append(1 + rounds)
        safe, found = trivial(held)
        held = learn(position, held, opened, flags, safe, found)
    return steps, True


def learn(
    position: Position, held: Bounds, opened: set[int], flags: set[int], safe: set[int],
    mines: set[int],
) -> Bounds:  # fmt: skip
    """Open and flag cells; drop inexact bounds, reduce the others and add the new numbers."""
    opened |= safe
    flags |= mines
    after: Bounds = {}
    for cells, (low, high) in held.items():
        if low == high:
            left = cells - opened - flags
            need = low - len(cells & mines)
            merge(after, {left: (need, need)})
    secret = set(position.secret)
    shown = tuple(Revealed(c, None if c in secret else number_of(position, c)) for c in safe)
    board = graph(position)
    for item in shown:
        if item.number is not None:
            around = board.neighbours[item.cell]
            need = item.number - len(flags & set(around))
            merge(after, {frozenset(around) - opened - flags: (need, need)})
    return after
