"""Layout of a .puz file: where the counts of lines are written, which edges of tiles are lit.

For boards made here; a file that was read keeps its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cluewise.desks.mines.position import Group, Number

Spot = tuple[float, float]
AWAY = (1, 1.25, 1.6, 2, 2.5, 3, 4)  # steps from the end of a line, tried in turn
APART = 0.62  # steps between two counts at least


def label_places(
    groups: Sequence[Group], middles: Sequence[Spot], radius: Sequence[float], step: float
) -> list[Spot | None]:
    """Place the count of every line, clear of all cells and of each other.

    One step before the line's first cell if that is free. None for groups that are not lines.
    """
    taken: list[Spot] = [(g.label[0], g.label[1]) for g in groups if g.label is not None]
    found: list[Spot | None] = []
    for group in groups:
        if group.label is not None or group.kind in ("total", "colour", "rest"):
            found.append(None)
            continue
        at = next(
            spot
            for spot in _candidates(group, middles, step)
            if all(math.dist(spot, m) > 1.05 * r for m, r in zip(middles, radius, strict=True))
            and all(math.dist(spot, other) > APART * step for other in taken)
        )
        taken.append(at)
        found.append(at)
    return found


def _candidates(group: Group, middles: Sequence[Spot], step: float) -> Iterator[Spot]:
    """Yield places beyond both ends of a line, near ones first; then below the board."""
    if group.cells:
        yield from beyond_ends(group, middles, step, AWAY)
    left, low = min(m[0] for m in middles), max(m[1] for m in middles)
    for row in range(2, 1000):
        yield from ((left + column * step, low + row * step) for column in range(60))


def beyond_ends(
    group: Group, middles: Sequence[Spot], step: float, away: Sequence[float]
) -> Iterator[Spot]:
    """Yield places at these distances before a line's first cell, then after its last one.

    Lines start such that no two of three hexagonal directions start at one place; a line of one
    cell takes the direction of its kind, others that to the middle of the board.
    """
    ordered = sorted(middles[c] for c in group.cells)
    first, last = ordered[0], ordered[-1]
    dx, dy = last[0] - first[0], last[1] - first[1]
    if first == last:
        middle = [sum(m[k] for m in middles) / len(middles) for k in (0, 1)]
        inward = (middle[0] - first[0], middle[1] - first[1])
        dx, dy = {"column": (0.0, 1.0), "row": (1.0, 0.0)}.get(group.kind, inward)
    elif math.cos(3 * math.atan2(dy, dx)) < -0.01:
        first, last, dx, dy = last, first, -dx, -dy
    long = math.hypot(dx, dy)
    dx, dy = (dx / long, dy / long) if long else (1.0, 0.0)
    for at, sign in ((first, -1), (last, 1)):
        yield from ((at[0] + sign * n * step * dx, at[1] + sign * n * step * dy) for n in away)


def lit_corners(shape: Sequence[tuple[Number, Number]]) -> str:
    """Return the corners from the upper left via the upper right to the lower right: `"0,1,2"`.

    The lit edges are those between them, as in the squares of the published files.
    """
    count = len(shape)
    begin = min(range(count), key=lambda i: (shape[i][0] + shape[i][1], i))
    end = max(range(count), key=lambda i: (shape[i][0] + shape[i][1], -i))
    forth = [(begin + i) % count for i in range((end - begin) % count + 1)]
    back = [(begin - i) % count for i in range((begin - end) % count + 1)]

    def highest(way: Sequence[int]) -> float:
        return max((shape[i][0] - shape[i][1] for i in way[1:-1]), default=-math.inf)

    lit = forth if highest(forth) >= highest(back) else back[::-1]
    return ",".join(map(str, lit))
