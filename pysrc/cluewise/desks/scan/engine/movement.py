"""A way as a player goes it: by a teleport where that is quicker, over stairs, with abilities.

On foot the kernel says which teleport the shortest way takes; the stairs on it are found here, for
people to follow (Dijkstra 1959). With abilities every teleport's landing is tried, and the
stretches between stairs are walked one after the other, each with the charges that the stretch
before has left. Cost: O(teleports) ways, O(ends of stairs ^ 2) each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cluewise.desks.scan.engine.abilities import (
    Abilities,
    AbilityUse,
    Path,
    Ready,
    adjacent_tile,
    shortest_path,
)
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.terrain_abilities import Way, shortest_walk

BARE = Abilities(0, False, False)
End = tuple[Tile, int]
"""A place, and the tiles by which one may be off: 1 to dig."""


@dataclass(frozen=True, slots=True)
class StairUse:
    """Stairs on a way: after so many ticks of it one is at `at`, and goes to `to` in `ticks`."""

    tick: int
    at: Tile
    to: Tile
    name: str
    ticks: int


def path_to(
    planner: Planner, here: Tile, to: Tile, kit: Abilities = BARE, ready: Ready = ()
) -> Path:
    """The quickest way found to a tile; charges are ready in so many ticks."""
    if kit.any:
        return _with_abilities(planner, here, (to, 0), kit, ready)
    ticks = planner.walk_ticks(here, to)
    return _on_foot(planner, here, ticks, planner.way_by(here, to), (to, 0))


def path_to_dig(
    planner: Planner, here: Tile, j: int, kit: Abilities = BARE, ready: Ready = ()
) -> Path:
    """The same to within a tile of the planner's j-th spot."""
    end = planner.spots[j], 1
    if kit.any:
        return _with_abilities(planner, here, end, kit, ready)
    return _on_foot(planner, here, planner.ticks_from(here)[j], planner.dig_by(here, j), end)


def _on_foot(planner: Planner, here: Tile, ticks: int, by: int | None, end: End) -> Path:
    uses = [] if by is None else [_use(planner, here, by)]
    if planner.stairs:
        begin = here if by is None else uses[0].to
        spent = 0 if by is None else planner.used[by].ticks
        path = stairs_on_path(planner, begin, end, spent)
        uses += [AbilityUse("stairs", c.tick, c.at, c.to, c.name) for c in path]
    return Path(ticks, tuple(uses), ())


def _use(planner: Planner, here: Tile, by: int) -> AbilityUse:
    teleport = planner.used[by]
    return AbilityUse("teleport", 0, here, planner.landing(by), teleport.name)


def _with_abilities(planner: Planner, here: Tile, end: End, kit: Abilities, ready: Ready) -> Path:
    """The best of the walk and of those after each teleport, over stairs where that is quicker."""
    begun = [(Path(0, (), ready), here)]
    for by, teleport in enumerate(planner.used if planner.teleports else ()):
        spent = Path(teleport.ticks, (_use(planner, here, by),), ready)
        begun.append((replace(spent, ready=spent.after(spent.ticks)), planner.landing(by)))
    found = []
    for first, at in begun:
        if not planner.stairs or planner.floor_walk(at, *end) is not None:
            found.append(_walked(planner, first, at, (), end, kit))
        if planner.stairs and (path := stairs_on_path(planner, at, end)):
            found.append(_walked(planner, first, at, path, end, kit))
    return min(found, key=lambda one: one.ticks)


def _walked(
    planner: Planner, gone: Path, at: Tile, path: Sequence[StairUse], end: End, kit: Abilities
) -> Path:
    """A way with the walks to each of the stairs on it, those, and the walk to its end."""
    for climb in path:
        gone = _then(gone, _run(planner, at, (climb.at, 0), kit, gone.ready), at)
        use = AbilityUse("stairs", gone.ticks, climb.at, climb.to, climb.name)
        gone = Path(gone.ticks + climb.ticks, (*gone.uses, use), gone.after(climb.ticks))
        at = climb.to
    return _then(gone, _run(planner, at, end, kit, gone.ready), at)


def _run(planner: Planner, at: Tile, end: End, kit: Abilities, ready: Ready) -> Path:
    """The walk on one level, with abilities."""
    to, within = end[0][: len(at)], end[1]
    terrain = planner.terrain_at(at)
    if terrain is None:
        return shortest_path(at, adjacent_tile(at, to) if within else to, kit, ready)
    steps = planner.steps_to(to, within)
    return shortest_walk(
        Way(terrain, lambda tile: planner.walk_path(tile, to, within), steps), at, kit, ready
    )


def _then(gone: Path, rest: Path, at: Tile) -> Path:
    """A walk after a way, on the level that it ends on."""
    level = at[2:]
    later = (
        replace(use, tick=use.tick + gone.ticks, at=use.at[:2] + level, to=use.to[:2] + level)
        for use in rest.uses
    )
    return Path(gone.ticks + rest.ticks, (*gone.uses, *later), rest.ready)


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


def uses_to_json(gone: Path) -> dict[str, Any]:
    """What is used on a way, as JSON values; nothing where nothing is."""
    uses = [
        {"ability": u.ability, "tick": u.tick, "at": list(u.at), "to": list(u.to)}
        | ({"name": u.name} if u.name else {})
        for u in gone.uses
    ]
    return {"uses": uses} if uses else {}
