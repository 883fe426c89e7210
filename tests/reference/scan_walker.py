"""Replay of plans tick by tick, with a check of every ability and every stated figure."""

from math import atan2, pi
from typing import Any

import pytest

from cluewise.desks.scan.engine.abilities import Abilities
from reference.scan import Tile, answer, ticks_to_spot
from reference.scan_walks import Plane, entry_key, name, part_reports, reports, run, sign


def kit_options(kit: Abilities) -> dict[str, Any]:
    """Return the options of a request for these abilities."""
    return {
        "surge": kit.surges, "dive": kit.dive, "escape": kit.escapes, "mobile": kit.mobile
    }  # fmt: skip


def facing_after(dx: int, dy: int) -> Tile:
    """Return the direction after a dive: the nearest of eight by angle."""
    eighth = round(atan2(dy, dx) / (pi / 4)) % 8
    return [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)][eighth]


class Walker:
    """Walk of a plan for one spot: runs, abilities, teleports, stairs, pulses on the way.

    A charge is the tick from which it is ready. If `start` has a level, all tiles have one.
    `ways`: functions for the ticks of the quickest path between two places, and to a dig.
    """

    def __init__(
        self, floors: Any, position: Any, start: Any, ways: Any = None, **options: Any
    ) -> None:
        self.floors, self.ways = floors, ways
        self.at, self.level = tuple(start[:2]), tuple(start[2:])
        self.tick, self.stop = 0, options["stop"]
        charges = [[0] * options.get(name, 0) for name in ("surge", "dive", "escape")]
        self.surges, self.dives, self.escapes = charges
        self.cooldown = 17 if options.get("mobile") else 34
        self.faces: tuple[int, int] | None = None
        self.surged, self.reaction = -99, options.get("reaction", 1)
        self.spots = [tuple(spot) for spot in position["spots"]]
        self.reach, self.signs = position["range"], position.get("levels") == "use"
        self.teleports = {one["name"]: one["ticks"] for one in position.get("teleports", ())}
        self.stairs: dict[Any, int] = {}
        for one in position.get("stairs", ()):
            at, to = tuple(one["at"]), tuple(one["to"])
            self.stairs[at, to, one["name"]] = self.stairs[to, at, one["name"]] = one["ticks"]
        self.floor = position.get("floor", 0)
        self.passed: list[Tile] = []  # the tiles of the last run on which the display is renewed
        self.climbed = self.teleported = self.runs = self.scans = self.seen_passing = 0

    @property
    def place(self) -> Any:
        """The current tile, with its level if there are levels."""
        return self.at + self.level

    @property
    def ground(self) -> Plane:
        """The ground of the current floor."""
        found: Plane = self.floors.ground(self.level[0] if self.level else 0)
        return found

    def aim(self, mark: dict[str, Any]) -> Tile:
        """Return the tile to run to before an ability; for an escape one tile farther."""
        (x, y), (u, v) = mark["at"][:2], mark["to"][:2]
        back = mark["ability"] == "escape"
        return x + back * sign(u - x), y + back * sign(v - y)

    def hear(self, at: Tile, spot: Any) -> tuple[int, bool]:
        """Return the answer for a spot at a tile of the current floor."""
        floor = self.level[0] if self.level else self.floor
        return answer(at, spot, self.reach, floor, self.signs)

    def run_to(self, ends: set[Tile], most: int | None = None) -> None:
        """Run to the nearest of some tiles, for at most `most` ticks."""
        path = self.ground.path(self.at, ends)
        path = path if most is None else path[: 2 * most + 1]
        self.passed = path[4:-1:4]
        self.tick += len(path) // 2
        self.at = path[-1]
        if len(path) > 1:
            self.faces = path[-1][0] - path[-2][0], path[-1][1] - path[-2][1]

    def travel(self, uses: list[Any], ends: Any, most: int | None = None) -> None:
        """Follow a marked path to one of some tiles, or to within a tile of a spot.

        Check the tick and tile of every use.
        """
        begun, marks = self.tick, list[Any]()
        for use in uses:
            at, to = tuple(use["at"]), tuple(use["to"])
            assert at[2:] == self.level
            if use["ability"] not in ("teleport", "stairs"):
                assert to[2:] == self.level
                marks.append(use)
                continue
            self.stretch(begun, marks, {at[:2]})
            assert self.tick - begun == use["tick"]
            if use["ability"] == "stairs":
                self.tick += self.stairs[at, to, use.get("name", "")]
                self.climbed += 1
            else:
                assert use["tick"] == 0
                self.tick += self.teleports[use["name"]]
                self.teleported += 1
            self.at, self.level, marks = to[:2], to[2:], []
        if isinstance(ends, tuple):
            assert self.level in ((), ends[2:])
            ends = self.ground.around(self.at, ends)
        self.stretch(begun, marks, ends, most)

    def stretch(
        self, begun: int, marks: list[Any], ends: set[Tile], most: int | None = None
    ) -> None:
        """Walk on one floor with the abilities marked on it."""
        self.faces = None
        for mark in marks:
            self.run_to({self.aim(mark)})
            if mark["ability"] == "escape":
                step = mark["at"][0] - self.at[0], mark["at"][1] - self.at[1]
                assert self.ground.can_step(self.at, step)
                self.at, self.faces = (mark["at"][0], mark["at"][1]), step
                self.tick += 1
            assert (self.tick - begun, self.at) == (mark["tick"], tuple(mark["at"][:2]))
            self.leap(mark["ability"], (mark["to"][0], mark["to"][1]))
            self.tick += self.at in ends  # an ability takes the rest of its tick
        self.run_to(ends, most)

    def leap(self, ability: str, to: Tile) -> None:
        """Use one ability, after checking that the game allows it."""
        step, here = self.faces, self.at
        if ability == "dive":
            assert max(abs(to[0] - here[0]), abs(to[1] - here[1])) <= 10
            assert self.ground.leap(here, to)
            self.spend(self.dives)
            self.faces = facing_after(to[0] - here[0], to[1] - here[1])
        else:
            assert step is not None
            assert self.tick - self.surged >= 2
            most, way = (10, step) if ability == "surge" else (7, (-step[0], -step[1]))
            ends = [(here[0] + n * way[0], here[1] + n * way[1]) for n in range(most, 0, -1)]
            assert to == next(end for end in ends if self.ground.leap(here, end))
            self.spend(self.surges if ability == "surge" else self.escapes)
            self.surged = self.tick
        self.at = to

    def spend(self, charges: list[int]) -> None:
        assert min(charges) <= self.tick
        charges[charges.index(min(charges))] = self.tick + self.cooldown

    def follow(self, node: Any, spot: int, left: set[int]) -> tuple[int, int]:
        """Follow a tree for a spot; return the ticks until within one tile of it, and the scans."""
        pulse = 0
        while "tile" in node or "else" in node:
            if "dig" in node:
                self.check_dig(node)
                if spot in node["spots"]:
                    break
                self.travel(node.get("uses", []), {(node["dig"][0], node["dig"][1])})
                self.tick, left, node = self.tick + self.stop, left - {*node["spots"]}, node["else"]
                continue
            begun, here, tile = self.tick, self.place, (node["tile"][0], node["tile"][1])
            if "heard" in node:
                part, node = self.run(node, tile, spot, left)
                self.at, self.tick, left = part.at, self.tick + part.ticks, set(part.spots)
                self.scans, self.runs = self.scans + part.scanned, self.runs + 1
                pulse = part.pulses[0] if len(part.pulses) == 1 else 0
                continue
            walked = self.walk_of(node) if "at" in node else None
            self.travel(node.get("uses", []), {tile}, walked)
            assert self.tick - begun == node["walk_ticks"]
            assert self.place == tuple(node.get("at", node["tile"]))
            assert self.ways is None or self.ways[0](here, self.place) == node["walk_ticks"]
            if walked is None:
                self.tick, self.scans = self.tick + self.stop, self.scans + 1
            else:
                self.seen_passing += 1
                assert [self.excludes(at, left) for at in self.passed] == [False] * len(self.passed)
                assert self.excludes(self.at, left)
            seen = self.hear(self.at, self.spots[spot])
            pulse, left = seen[0], {s for s in left if self.hear(self.at, self.spots[s]) == seen}
            node = node["answers"][name(seen)]
        known = {*node.get("spots", [node.get("spot")])}
        assert spot in known
        if "else" not in node:  # triples that are shown at the same ticks of a run are one entry
            assert left <= known if self.runs else left == known
            assert "dig" in node or not self.runs or len(left) == 1 or pulse == 3
        self.finish(node, spot)
        return self.tick, self.scans

    def excludes(self, at: Tile, left: set[int]) -> bool:
        """Return whether the answer at a tile excludes a spot, or shows it."""
        heard = {self.hear(at, self.spots[s]) for s in left}
        return len(heard) > 1 or min(heard)[0] == 3

    def check_dig(self, node: Any) -> None:
        """Check that the dig serves all its spots."""
        x, y = node["dig"][:2]
        assert all(ticks_to_spot((x, y), self.spots[s]) == 0 for s in node["spots"])

    def finish(self, node: Any, spot: int) -> None:
        """Go to the dig at the end of a branch and check its ticks."""
        begun, here, goal = self.tick, self.place, self.spots[spot]
        ends: Any = goal
        if "dig" in node:
            self.check_dig(node)
            ends = {(node["dig"][0], node["dig"][1])}
        (uses, ticks), *_ = [
            (dig.get("uses", []), dig["walk_ticks"])
            for dig in node.get("digs", ())
            if dig["spot"] == spot
        ] or [(node.get("uses", []), None)]
        self.travel(uses, ends)
        assert ticks in (None, self.tick - begun)
        assert self.ways is None or self.ways[1](here, goal) == self.tick - begun

    def walk_of(self, node: Any) -> int:
        """Return the ticks on foot to a pulse on the way, after the last teleport or stairs."""
        spent = 0
        for use in node.get("uses", ()):
            if use["ability"] == "teleport":
                taken = self.teleports[use["name"]]
            else:
                taken = self.stairs[tuple(use["at"]), tuple(use["to"]), use.get("name", "")]
            assert use["ability"] in ("teleport", "stairs")
            spent = int(use["tick"]) + taken
        walked = int(node["walk_ticks"]) - spent
        assert walked % 2 == 0
        return walked

    def run(self, node: Any, tile: Tile, spot: int, left: set[int]) -> tuple[Any, Any]:
        """Return the answer of a run for a spot, and the subtree after it."""
        places = self.ground.path(self.at, {tile})
        places = [*places[:-1:2], places[-1]]
        if "path" in node:
            assert [list(place[:2]) for place in node["path"]] == [list(place) for place in places]
        assert node["walk_ticks"] == len(places) - 1
        assert all(
            tuple(entry["at"][2:]) == self.level for entry in [*node["heard"], {"at": node["tile"]}]
        )
        parts = run(self.spots, left, self.hear, self.at, tile, self.stop, self.reaction, places)
        by_part = {entry_key(entry | {"at": entry["at"][:2]}): entry for entry in node["heard"]}
        assert {part.key for part in parts} == {*by_part}
        (part,) = (part for part in parts if spot in part.spots)
        entry = by_part[part.key]
        by_spot = reports(self.spots, left, self.hear, places, self.reaction)[spot]
        for report in by_spot.values():  # every report leads to this entry and to no other
            if report is not None and report[0] != 3:
                found = [e for e in node["heard"] if report in part_reports(e)]
                assert found in ([entry], [] if part.seen is None else [entry])
        return part, entry["then"]


def replay(
    floors: Any, position: Any, route: Any, ways: Any = None, **options: Any
) -> list[Walker]:
    """Walk a route for each of its spots and check its figures; return the walkers."""
    walkers = list[Walker]()
    left = {*range(len(position["spots"]))} - {*route.get("beyond", ())}
    for spot in sorted(left):
        walkers.append(Walker(floors, position, tuple(route["start"]), ways, **options))
        walkers[-1].follow(route["tree"], spot, left)
    ticks, count = [walker.tick for walker in walkers], len(walkers)
    assert sum(ticks) == pytest.approx(route["expected_ticks"] * count)
    assert max(ticks, default=0) == route["worst_ticks"]
    scans = sum(walker.scans for walker in walkers)
    assert scans == pytest.approx(route["expected_scans"] * count)
    return walkers
