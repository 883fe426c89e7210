"""Several floors: levels that stairs lead to, and the stairs of a quickest way (Dijkstra 1959).

The kernel computes the ticks of ways; this module names the stairs, for people to follow.
Cost: O(ends^2) a way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cluewise.desks.scan.engine.planner import MOST_SPOTS, Planner
from cluewise.desks.scan.position import Stairs
from cluewise.desks.scan.scene import ScanModel, Tile
from cluewise.errors import BadPosition, TooLarge


@dataclass(frozen=True, slots=True)
class StairUse:
    """Stairs on a way: after so many ticks of it one is at `at`, and goes to `to` in `ticks`."""

    tick: int
    at: Tile
    to: Tile
    name: str
    ticks: int


def levels_reached(stairs: tuple[Stairs, ...], floor: int) -> set[int]:
    """The levels that stairs lead to from one, that one too.

    >>> levels_reached((Stairs((0, 0, 0), (0, 0, 1)), Stairs((9, 0, 2), (9, 0, 3))), 1)
    {0, 1}
    """
    reached, grown = {floor}, set[int]()
    while reached != grown:
        grown = set(reached)
        for one in stairs:
            if reached & {one.at[2], one.to[2]}:
                reached |= {one.at[2], one.to[2]}
    return reached


def over_floors(scene: ScanModel) -> ScanModel:
    """The scene as plans take it: spots that no stairs lead to stand under `beyond`.

    Raises where plans over floors are not known: with more spots than a word has bits, and with
    teleports to a floor from which no stairs lead back.
    """
    if not scene.stairs:
        return scene
    reached = levels_reached(scene.stairs, scene.floor)
    for i, teleport in enumerate(scene.position.teleports):
        level = scene.tile(teleport.at)[2]
        if level not in reached:
            raise BadPosition(
                f"This teleport leads to floor {level}, and no stairs lead from there to floor "
                f"{scene.floor}; leave it out or add those stairs.",
                f"$.position.teleports[{i}]",
            )
    beyond = tuple(i for i in scene.fitting if scene.spots[i][2] not in reached)
    found = replace(scene, beyond=beyond)
    if len(found.remaining) > MOST_SPOTS:
        raise TooLarge(
            f"Ways over floors are planned for up to {MOST_SPOTS} spots; "
            f"{len(found.remaining)} are left. Rule spots out or leave the stairs out."
        )
    return found


def stairs_on_path(
    planner: Planner, here: Tile, end: tuple[Tile, int], spent: int = 0
) -> list[StairUse]:
    """The stairs of a quickest way from a tile, begun after `spent` ticks; the fewest of equals.

    `end` is a place, and the tiles by which one may be off: 1 to dig.
    """
    stairs = planner.scene.stairs
    ways = [(s.at, s.to, s) for s in stairs] + [(s.to, s.at, s) for s in stairs]
    todo: dict[Tile, tuple[int, int, list[StairUse]]] = {here: (spent, 0, [])}
    done: set[Tile] = set()
    best: tuple[int, int, list[StairUse]] | None = None
    while open_ := [(known[:2], tile) for tile, known in todo.items() if tile not in done]:
        _, tile = min(open_)
        done.add(tile)
        ticks, count, path = todo[tile]
        rest = planner.floor_walk(tile, *end)
        if rest is not None and (best is None or (ticks + rest, count) < best[:2]):
            best = ticks + rest, count, path
        for at, to, one in ways:
            way = planner.floor_walk(tile, at, 0)
            if way is None:
                continue
            found = ticks + way + one.ticks, count + 1
            if to not in todo or found < todo[to][:2]:
                todo[to] = (*found, [*path, StairUse(ticks + way, at, to, one.name, one.ticks)])
    return best[2] if best is not None else []
