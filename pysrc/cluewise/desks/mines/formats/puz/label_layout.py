"""Where a .puz file writes the counts of lines, and which edges of its tiles it lights.

For boards that were made here: a file that was read keeps its own places.
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
    """A place for the count of every line, clear of all cells and of each other.

    One step before the line's first cell if that is free. None for groups that are no lines.
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
    """Beyond both ends of a line, near ones first; then ever farther below the board."""
    cells = sorted((middles[c] for c in group.cells), key=lambda m: (m[0], m[1]))
    if cells:
        first, last = cells[0], cells[-1]
        dx, dy = _direction(group, first, last, middles)
        if first != last and math.cos(3 * math.atan2(dy, dx)) < -0.01:
            first, last, dx, dy = last, first, -dx, -dy
        for away in AWAY:
            yield first[0] - away * step * dx, first[1] - away * step * dy
        for away in AWAY:
            yield last[0] + away * step * dx, last[1] + away * step * dy
    left, low = min(m[0] for m in middles), max(m[1] for m in middles)
    for row in range(2, 1000):
        yield from ((left + column * step, low + row * step) for column in range(60))


def _direction(group: Group, first: Spot, last: Spot, middles: Sequence[Spot]) -> Spot:
    """Along the line, one long; a line of one cell goes as its kind does."""
    dx, dy = last[0] - first[0], last[1] - first[1]
    if first == last:
        if group.kind in ("row", "column"):
            return (1.0, 0.0) if group.kind == "row" else (0.0, 1.0)
        count = len(middles)
        dx = sum(m[0] for m in middles) / count - first[0]
        dy = sum(m[1] for m in middles) / count - first[1]
    long = math.hypot(dx, dy)
    return (dx / long, dy / long) if long else (1.0, 0.0)


def lit_corners(shape: Sequence[tuple[Number, Number]]) -> str:
    """The corners from the upper left round the upper right to the lower right: `"0,1,2"`.

    The lit edges are those between them, as the squares of the published files have it.
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
