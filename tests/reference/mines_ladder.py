"""Reference for the easiest deduction: closes the counts under crossing, by number of crossings."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

from cluewise.desks.mines.engine.ladder import BOUNDS, CHAIN, WIDE
from cluewise.desks.mines.position import Position, graph

Cells: TypeAlias = frozenset[int]


class Held(NamedTuple):
    """`kind` ("=", ">=" or "<=") `value` mines among the cells; `cost` crossings, `wide` cells."""

    cells: Cells
    kind: str
    value: int
    cost: int
    wide: int

    @property
    def decides(self) -> bool:
        none, every = self.value <= 0, self.value >= len(self.cells)
        return {"=": none or every, "<=": none, ">=": every}[self.kind]


def counts(position: Position) -> dict[Cells, int]:
    """Return the counts over the unknown cells."""
    board, flags = graph(position), set(position.flags)
    known = flags | {r.cell for r in position.revealed}
    listed = [(g.cells, g.count) for g in board.groups]
    listed += [(board.neighbours[r.cell], r.number) for r in position.revealed
               if r.number is not None]  # fmt: skip
    return {
        frozenset(cells) - known: count - len(flags & set(cells))
        for cells, count in listed if set(cells) - known
    }  # fmt: skip


def easiest(position: Position) -> tuple[str, int, int | None] | None:
    """Return technique, length and widest set of the easiest derivation by crossings, or None."""
    exact = [Held(cells, "=", n, 0, len(cells)) for cells, n in counts(position).items()]
    trivial = [held.wide for held in exact if held.decides]
    if trivial:
        return "one", 1, min(trivial)
    for cost in range(1, CHAIN + 1):
        made = [new for x, y in pairs(exact, cost) for new in cross(x, y)]
        if cost == 1:
            insides = [new for new, inside in made if inside and new.decides]
            if insides:
                return "subset", 2, min(new.wide for new in insides)
        deciding = [new.wide for new, _ in made if new.decides]
        if deciding:
            return "cross" if cost == 1 else "chain", cost + 1, min(deciding)
        exact = tightest(exact, [new for new, _ in made])
    bounds = [Held(h.cells, kind, h.value, 0, h.wide) for h in exact if h.cost == 0
              for kind in (">=", "<=")]  # fmt: skip
    for cost in range(1, BOUNDS + 1):
        found = [new for x, y in pairs(bounds, cost) for a, b in ((x, y), (y, x))
                 for new in cross_bounds(a, b)]  # fmt: skip
        if any(new.decides for new in found):
            return "bounds", cost + 1, None
        bounds = tightest(bounds, found)
    return None


def pairs(held: list[Held], cost: int) -> list[tuple[Held, Held]]:
    return [(x, y) for i, x in enumerate(held) for y in held[:i]
            if x.cost + y.cost == cost - 1 and x.cells & y.cells]  # fmt: skip


def cross(x: Held, y: Held) -> list[tuple[Held, bool]]:
    """Return the parts with an implied count, and whether one set is a subset of the other."""
    both, own, other = x.cells & y.cells, x.cells - y.cells, y.cells - x.cells
    shared = range(max(0, x.value - len(own), y.value - len(other)),
                   min(len(both), x.value, y.value) + 1)  # fmt: skip
    parts = {both: set(shared), own: {x.value - n for n in shared},
             other: {y.value - n for n in shared}}  # fmt: skip
    return [
        (made(part, "=", min(values), x, y), not own or not other)
        for part, values in parts.items() if part and len(values) == 1
    ]  # fmt: skip


def cross_bounds(x: Held, y: Held) -> list[Held]:
    """Return the bounds implied by a bound on x and the division by y, or the bound on y."""
    both, own, other = x.cells & y.cells, x.cells - y.cells, y.cells - x.cells
    if x.kind == ">=":
        found = [(both, x.value - len(own)), (own, x.value - len(both))]
        if y.kind == "<=":
            found.append((own, x.value - y.value))
    else:
        found = [(both, x.value), (own, x.value)]
        if y.kind == ">=":
            found.append((own, x.value - y.value + len(other)))
    return [
        made(cells, x.kind, value, x, y) for cells, value in found
        if cells and (value > 0 if x.kind == ">=" else value < len(cells))
    ]  # fmt: skip


def made(cells: Cells, kind: str, value: int, x: Held, y: Held) -> Held:
    wide = max(len(cells), x.wide, y.wide)
    return Held(cells, kind, value, x.cost + y.cost + 1, wide)


def tightest(held: list[Held], new: list[Held]) -> list[Held]:
    """Add the tightest, then narrowest, new inequality of each set and side to those held."""
    best = {(h.cells, h.kind): h for h in held}  # later entries cost more and are tighter
    level: dict[tuple[Cells, str], Held] = {}
    for one in new:
        key = one.cells, one.kind
        old, before = level.get(key), best.get(key)
        if len(one.cells) > WIDE or (before and not is_tighter(one, before)):
            continue
        if old is None or is_tighter(one, old) or (one.value == old.value and one.wide < old.wide):
            level[key] = one
    return [*held, *level.values()]


def is_tighter(one: Held, other: Held) -> bool:
    if one.kind == "=":
        return False
    return one.value > other.value if one.kind == ">=" else one.value < other.value


def shortest_sums(position: Position, forced: Mapping[int, int]) -> dict[int, int]:
    """Return, per forced cell, the fewest counts, each added or subtracted once, that decide it."""
    listed, sizes = list(counts(position).items()), dict[int, int]()
    for weights in product((-1, 0, 1), repeat=len(listed)):
        total = sum(w * n for w, (_, n) in zip(weights, listed, strict=True))
        often: Counter[int] = Counter()
        for w, (cells, _) in zip(weights, listed, strict=True):
            often.update(dict.fromkeys(cells, w))
        reach, size = sum(max(n, 0) for n in often.values()), sum(map(abs, weights))
        for c, value in forced.items():
            if total > reach - max(often[c], 0) + often[c] * (1 - value):
                sizes[c] = min(size, sizes.get(c, size))
    return sizes
