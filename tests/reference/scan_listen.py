"""Runs, tick by tick: what parts the spots on a run, and plans over runs walked literally."""

from typing import Any

from reference.scan import Spot, Tile, ticks_to_spot, walk_ticks
from reference.scan_route_replay import Answer, along, name

Part = tuple[Tile, int, int, bool, frozenset[int]]
"""Where, after how many ticks, with which pulse, whether by silence, and the spots."""


def run(
    spots: list[Spot], left: set[int], hear: Answer, here: Tile, to: Tile, stop: int
) -> set[Part]:
    """The groups in which a run leaves the spots: each stops where its pulse first changes."""
    begin = {hear(here, spots[s])[0] for s in left}
    parts: set[Part] = set()
    quiet = set(left)
    for tick in range(1, max(1, walk_ticks(here, to)) + 1):
        at = along(here, to, tick)
        pulses = {s: hear(at, spots[s])[0] for s in quiet}
        if len(begin) > 1:
            if len({*pulses.values()}) > 1 or 3 in pulses.values() or at == to:
                return {
                    (at, tick, pulse, False, frozenset(s for s in quiet if pulses[s] == pulse))
                    for pulse in pulses.values()
                }
            continue
        (first,) = begin
        for pulse in {*pulses.values()} - {first}:
            changed = frozenset(s for s in quiet if pulses[s] == pulse)
            parts.add((at, tick, pulse, False, changed))
        quiet = {s for s in quiet if pulses[s] == first}
        if not quiet:
            return parts
        if at == to or len(quiet) == 1:
            return parts | {(at, tick + stop, first, True, frozenset(quiet))}
    raise AssertionError("a run ends at its tile")


class Runner:
    """Follows a plan over runs towards one spot and counts ticks and scans."""

    def __init__(self, spots: list[Spot], left: list[int], hear: Answer, stop: int) -> None:
        self.spots, self.left, self.hear, self.stop = spots, left, hear, stop

    def walk(self, tree: Any, start: Tile, true: int) -> tuple[int, int]:
        """Ticks until within one tile of the spot, and the scans made."""
        at, ticks, scans, node, left = start, 0, 0, tree, set(self.left)
        if "dig" in node:  # one dig serves all spots
            place = (node["dig"][0], node["dig"][1])
            assert sorted(left) == sorted(node["spots"])
            assert all(ticks_to_spot(place, self.spots[s]) == 0 for s in left)
            return walk_ticks(at, place), 0
        while "tile" in node:
            tile = (node["tile"][0], node["tile"][1])
            if "heard" in node:
                at, spent, silent, node, left = self.run(node, at, tile, left, true)
                ticks, scans = ticks + spent, scans + silent
            else:
                ticks, at = ticks + walk_ticks(at, tile) + self.stop, tile
                scans += 1
                seen = self.hear(at, self.spots[true])
                left = {s for s in left if self.hear(at, self.spots[s]) == seen}
                node = node["answers"][name(seen)]
        known = [node["spot"]] if "spot" in node else node["spots"]
        assert sorted(left) == sorted(known)
        assert true in known
        assert len(left) == 1 or self.hear(at, self.spots[true])[0] == 3
        return ticks + ticks_to_spot(at, self.spots[true]), scans

    def run(
        self, node: Any, here: Tile, tile: Tile, left: set[int], true: int
    ) -> tuple[Tile, int, bool, Any, set[int]]:
        """One run of the plan, as it goes for the true spot."""
        parts = run(self.spots, left, self.hear, here, tile, self.stop)
        by_part = {(tuple(h["at"]), h["ticks"], h["pulse"], h["silent"]): h for h in node["heard"]}
        assert {part[:4] for part in parts} == {*by_part}
        (part,) = (part for part in parts if true in part[4])
        at, spent, _, silent, group = part
        return at, spent, silent, by_part[part[:4]]["then"], set(group)
