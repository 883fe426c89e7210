"""A way as a player goes it: by a teleport where that is quicker, over stairs, with abilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cluewise.desks.scan.engine.abilities import Kit, Ready, Use, Way, beside, way
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.stairs import Climb, climbs, to_dig, walk

BARE = Kit(0, False, False)
Last = Callable[[Tile], int | None]
End = Callable[[Tile], Tile]


def way_to(planner: Planner, here: Tile, to: Tile, kit: Kit = BARE, ready: Ready = ()) -> Way:
    """The quickest way found to a tile; charges are ready in so many ticks."""
    if kit.any:
        return _with_abilities(planner, here, lambda at: to, lambda at: walk(at, to), kit, ready)
    ticks = planner.walk_ticks(here, to)
    return _on_foot(planner, here, ticks, planner.way_by(here, to), lambda at: walk(at, to))


def way_to_dig(planner: Planner, here: Tile, j: int, kit: Kit = BARE, ready: Ready = ()) -> Way:
    """The same to within a tile of the planner's j-th spot."""
    spot = planner.spots[j]
    last = to_dig(spot)
    if kit.any:
        return _with_abilities(planner, here, lambda at: beside(at, spot), last, kit, ready)
    return _on_foot(planner, here, planner.ticks_from(here)[j], planner.dig_by(here, j), last)


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
    planner: Planner, here: Tile, end: End, last: Last, kit: Kit, ready: Ready
) -> Way:
    """The best of the walk and of those after each teleport, over stairs where that is quicker."""
    begun = [(Way(0, (), ready), here)]
    for by, teleport in enumerate(planner.scene.position.teleports if planner.teleports else ()):
        spent = Way(teleport.ticks, (_use(planner, here, by),), ready)
        begun.append((replace(spent, ready=spent.after(spent.ticks)), planner.landing(by)))
    found = []
    for first, at in begun:
        if not planner.stairs or last(at) is not None:
            found.append(_walked(first, at, (), end, kit))
        if planner.stairs and (path := climbs(planner.scene.stairs, at, last)):
            found.append(_walked(first, at, path, end, kit))
    return min(found, key=lambda one: one.ticks)


def _walked(gone: Way, at: Tile, path: Sequence[Climb], end: End, kit: Kit) -> Way:
    """A way with the walks to each of the stairs on it, those, and the walk to its end."""
    for climb in path:
        gone = _then(gone, way(at, climb.at, kit, gone.ready), at)
        use = Use("stairs", gone.ticks, climb.at, climb.to, climb.name)
        gone = Way(gone.ticks + climb.ticks, (*gone.uses, use), gone.after(climb.ticks))
        at = climb.to
    return _then(gone, way(at, end(at), kit, gone.ready), at)


def _then(gone: Way, rest: Way, at: Tile) -> Way:
    """A walk after a way, on the level that it ends on."""
    level = at[2:]
    later = (
        replace(use, tick=use.tick + gone.ticks, at=use.at[:2] + level, to=use.to[:2] + level)
        for use in rest.uses
    )
    return Way(gone.ticks + rest.ticks, (*gone.uses, *later), rest.ready)


def told_uses(gone: Way) -> dict[str, Any]:
    """What is used on a way, as JSON values; nothing where nothing is."""
    told = [
        {"ability": u.ability, "tick": u.tick, "at": list(u.at), "to": list(u.to)}
        | ({"name": u.name} if u.name else {})
        for u in gone.uses
    ]
    return {"uses": told} if told else {}
