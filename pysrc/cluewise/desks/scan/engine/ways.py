"""A way as a player goes it: by a teleport where that is quicker, over stairs, with abilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cluewise.desks.scan.engine.abilities import Kit, Ready, Use, Way, beside, way
from cluewise.desks.scan.engine.floors import climbs, to_dig, walk
from cluewise.desks.scan.engine.plan import Planner, Tile

BARE = Kit(0, False, False)
Last = Callable[[Tile], int | None]


def way_to(planner: Planner, here: Tile, to: Tile, kit: Kit = BARE, ready: Ready = ()) -> Way:
    """The quickest way found to a tile; charges are ready in so many ticks."""
    if kit.any:
        ends = [to] * len(_places(planner))
        return _with_abilities(planner, here, to, ends, kit, ready)
    ticks = planner.walk_ticks(here, to)
    return _on_foot(planner, here, ticks, planner.way_by(here, to), lambda at: walk(at, to))


def way_to_dig(planner: Planner, here: Tile, j: int, kit: Kit = BARE, ready: Ready = ()) -> Way:
    """The same to within a tile of the planner's j-th spot."""
    if kit.any:
        spot = planner.spots[j]
        ends = [beside(at, spot) for at in _places(planner)]
        return _with_abilities(planner, here, beside(here, spot), ends, kit, ready)
    ticks, last = planner.ticks_from(here)[j], to_dig(planner.spots[j])
    return _on_foot(planner, here, ticks, planner.dig_by(here, j), last)


def _places(planner: Planner) -> list[Tile]:
    return [t.at for t in planner.scene.position.teleports] if planner.teleports else []


def _on_foot(planner: Planner, here: Tile, ticks: int, by: int | None, last: Last) -> Way:
    uses = [] if by is None else [_use(planner, here, by)]
    if planner.stairs:
        begin = here if by is None else uses[0].to
        spent = 0 if by is None else planner.scene.position.teleports[by].ticks
        path = climbs(planner.scene.stairs, begin, last, spent)
        uses += [Use("stairs", c.tick, c.at, c.to, c.name) for c in path]
    return Way(ticks, tuple(uses), ())


def _use(planner: Planner, here: Tile, by: int) -> Use:
    teleport = planner.scene.position.teleports[by]
    return Use("teleport", 0, here, planner.landing(by), teleport.name)


def _with_abilities(
    planner: Planner, here: Tile, to: Tile, ends: list[Tile], kit: Kit, ready: Ready
) -> Way:
    """The best of the walk and of those to `ends` after each teleport, on the open plane."""
    found = [way(here, to, kit, ready)]
    for by, end in enumerate(ends):
        teleport = planner.scene.position.teleports[by]
        spent = teleport.ticks
        rest = way(teleport.at, end, kit, tuple(max(0, r - spent) for r in ready))
        later = (replace(use, tick=use.tick + spent) for use in rest.uses)
        found.append(Way(rest.ticks + spent, (_use(planner, here, by), *later), rest.ready))
    return min(found, key=lambda one: one.ticks)


def told_uses(gone: Way) -> dict[str, Any]:
    """What is used on a way, as JSON values; nothing where nothing is."""
    told = [
        {"ability": u.ability, "tick": u.tick, "at": list(u.at), "to": list(u.to)}
        | ({"name": u.name} if u.name else {})
        for u in gone.uses
    ]
    return {"uses": told} if told else {}
