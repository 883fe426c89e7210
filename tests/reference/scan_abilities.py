"""Walks with surge, dive and escape, tick by tick: what is marked is done literally, or refused."""

from math import atan2, pi
from typing import Any

from cluewise.desks.scan.engine.abilities import Abilities
from reference.scan import Spot, Tile


def kit_options(kit: Abilities) -> dict[str, Any]:
    """The options of a request for these abilities."""
    return {
        "surge": kit.surges, "dive": kit.dive, "escape": kit.escapes, "mobile": kit.mobile
    }  # fmt: skip


def sign(v: int) -> int:
    return (v > 0) - (v < 0)


def step(at: Tile, to: Tile) -> Tile:
    """One tile of a run: diagonally until one is level with the end."""
    return at[0] + sign(to[0] - at[0]), at[1] + sign(to[1] - at[1])


def nearest_way(dx: int, dy: int) -> Tile:
    """The nearest of eight ways by angle: how one stands after a dive."""
    eighth = round(atan2(dy, dx) / (pi / 4)) % 8
    return [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)][eighth]


class Walker:
    """Somebody with charges, each of which says from which tick on it is ready."""

    def __init__(
        self, here: Tile, surges: int, dive: bool, cooldown: int, stop: int, escapes: int = 0
    ) -> None:
        self.at, self.tick, self.cooldown, self.stop = here, 0, cooldown, stop
        self.surges, self.dives, self.escapes = [0] * surges, [0] * dive, [0] * escapes
        self.faces: tuple[int, int] | None = None
        self.surged = -99

    def go(self, to: Tile, uses: list[dict[str, Any]]) -> None:
        """Walk to a tile as marked; every use stands at the tick and tile that are said of it."""
        begun, self.faces = self.tick, None
        todo = list(uses)
        while self.at != to:
            while todo and todo[0]["tick"] == self.tick - begun:
                self.use(todo.pop(0))
            aim, tiles = (self.aim(todo[0]) if todo else to), 2
            if todo and todo[0]["ability"] == "escape" and todo[0]["tick"] == self.tick - begun + 1:
                assert self.at == aim, "one turns elsewhere"
                aim, tiles = tuple(todo[0]["at"]), 1
            for _ in range(tiles):
                if self.at != aim:
                    after = step(self.at, aim)
                    self.faces = (after[0] - self.at[0], after[1] - self.at[1])
                    self.at = after
            self.tick += 1
        assert not todo, "marked, but already there"

    def aim(self, mark: dict[str, Any]) -> Tile:
        """Where one runs to for a use; for an escape a tile farther, from where one turns back."""
        (x, y), (u, v) = mark["at"], mark["to"]
        back = mark["ability"] == "escape"
        return x + back * sign(u - x), y + back * sign(v - y)

    def use(self, mark: dict[str, Any]) -> None:
        """One ability, as the game allows it."""
        assert self.at == tuple(mark["at"]), "one is elsewhere by then"
        to = (mark["to"][0], mark["to"][1])
        dx, dy = to[0] - self.at[0], to[1] - self.at[1]
        if mark["ability"] == "surge":
            assert self.faces is not None
            assert (dx, dy) == (10 * self.faces[0], 10 * self.faces[1]), "surge goes as one faces"
            assert self.tick - self.surged >= 2
            charges, self.surged = self.surges, self.tick
        elif mark["ability"] == "escape":
            assert self.faces is not None
            assert (dx, dy) == (-7 * self.faces[0], -7 * self.faces[1]), "escape goes backwards"
            assert self.tick - self.surged >= 2
            charges, self.surged = self.escapes, self.tick
        else:
            assert 0 < max(abs(dx), abs(dy)) <= 10
            charges = self.dives
            self.faces = nearest_way(dx, dy)
        ready = [i for i, at in enumerate(charges) if at <= self.tick]
        assert ready, "no charge is ready"
        charges[ready[0]] = self.tick + self.cooldown
        self.at = to

    def hunt(self, node: Any, answer: Any, spot: int, spots: list[Spot]) -> int:
        """Ticks until one stands within a tile of a spot, by a plan."""
        while "tile" in node:
            self.go((node["tile"][0], node["tile"][1]), node.get("uses", []))
            self.tick += self.stop
            node = node["answers"][answer(self.at, spots[spot])]
        (dig,) = [dig for dig in node["digs"] if dig["spot"] == spot]
        x, y, _ = spots[spot]
        near = (x - sign(x - self.at[0]), y - sign(y - self.at[1]))
        self.go(near, dig.get("uses", []))
        assert max(abs(x - self.at[0]), abs(y - self.at[1])) <= 1
        return self.tick
