"""Whole games by brute force: the slow rules engine, and one policy by every seat's belief."""

from itertools import combinations
from typing import Any

from reference.rack import Table, World, called, wire_of
from reference.rack_rules import NUMBERS, VALUES, Deed, Game, Place


class MissionPlay:
    """One deal of a table, played out; `position` is what lies open."""

    def __init__(
        self, position: dict[str, Any], world: World, caution: tuple[float, float]
    ) -> None:
        self.position, self.caution, self.skipped = position, caution, 0
        hands = [
            [wire_of(world[i, j]) for j in range(len(stand["slots"]))]
            for i, stand in enumerate(position["stands"])
        ]
        self.game = Game(position, hands)

    def choice(self, places: list[Place]) -> Place:
        """What the game asks dice for: of the wires that may go along, a hidden one first."""
        return min(places, key=lambda at: (self.game.state_of(at) == "info", at))

    def seen(self, player: int) -> dict[str, Any]:
        """The table as a player sees it."""
        game, stands = self.game, []
        for i, stand in enumerate(self.position["stands"]):
            slots = []
            for j in range(len(stand["slots"])):
                state, face = game.state[i][j], game.shown[i][j]
                slot: dict[str, Any] = {"state": state, "tokens": sorted(game.tokens[i][j])}
                if game.sees(player, (i, j)) or (game.owner[i] == player and state != "hidden"):
                    slot["wire"] = game.hands[i][j]
                elif state != "hidden":
                    slot["value" if face in ("YELLOW", "RED") else "wire"] = face
                slots.append(slot)
            facts = [{"kind": kind, "value": value} for kind, value in sorted(game.said[i])]
            stands.append({"owner": game.owner[i], "slots": slots, "facts": facts})
        return {**self.position, "stands": stands, "viewer": player}

    def choose(self, player: int) -> Deed | None:
        """What is sure, else the largest chance less what red costs; None where nothing may be."""
        game, self.score = self.game, 1.0
        legal = [deed for deed in game.legal(player) if self.affords(player, deed)]
        for deed in legal:
            if deed[0] == "reveal":
                return deed
        duals = sorted((d for d in legal if d[0] == "dual"), key=_order)
        solos = sorted((d for d in legal if d[0] == "solo"), key=lambda d: VALUES.index(d[2]))
        certain = [
            d for d in duals
            if game.state_of(d[1][0]) == "info" and game.value(d[1][0]) == d[2]
            and not (game.turned and game.loose(d[1][0]))
        ] + solos  # fmt: skip
        if certain:
            return max(certain, key=lambda deed: self.preference(player, deed))
        sure, bundle = self.several(player)
        return bundle if bundle and (sure or not duals) else self.likeliest(player, duals)

    def affords(self, player: int, deed: Deed) -> bool:
        """Whether a player can pay for it."""
        return True

    def preference(self, player: int, deed: Deed) -> int:
        """Of sure cuts the one with the largest is done, of equals the first."""
        return 0

    def several(self, player: int) -> tuple[bool, Deed | None]:
        """The likeliest places, each by itself, of a cut of several wires; whether all are sure."""
        game, special = self.game, self.game.bundle()
        places = game.places()
        if special is None or sum(game.value(at) == special[0] for at in places) < special[1]:
            return False, None
        chances = Table(self.seen(player), player).posterior()
        shares = {
            at: float(sum(p for code, p in chances[at].items() if called(code) == special[0]))
            if at in chances
            else float(game.value(at) == special[0])
            for at in places
        }
        taken: list[Place] = []
        for _ in range(special[1]):
            best = -1.0
            for at in places:
                if at not in taken and shares[at] > best + 1e-12:
                    best, chosen = shares[at], at
            taken.append(chosen)
        if not game.bundles(player, special[0], tuple(taken)):
            return False, None
        sure = all(shares[at] > 1 - 1e-12 for at in taken)
        return sure, ("together", tuple(sorted(taken)), special[0])

    def likeliest(self, player: int, duals: list[Deed]) -> Deed | None:
        """The best of cuts that may fail."""
        game = self.game
        chances = Table(self.seen(player), player).posterior() if duals else {}
        cost = self.caution[0] + self.caution[1] * ((self.game.steps or 1) - 1)
        best: tuple[float, Deed | None] = (-1e6, None)
        for deed in duals:
            own = game.owner[deed[1][0][0]] == player
            if game.turned and game.loose(deed[1][0]) and not own:  # seen, and costs a step
                score = 0.0 if (game.steps or 1) > 1 else -self.caution[0]
                if game.value(deed[1][0]) == deed[2] and score > best[0] + 1e-12:
                    best = score, deed
                continue
            by = {"RED": 0.0}
            for code, p in chances.get(deed[1][0], {}).items():
                by[called(code)] = by.get(called(code), 0.0) + float(p)
            hit = by.get(deed[2], 0.0)
            fatal = own or self.fatal(player)
            risk = 1 - hit if fatal else by["RED"]
            if not fatal:
                risk += by.get(self.game.deadly() or "", 0.0)
            if hit > 0 and hit - cost * risk > best[0] + 1e-12:
                best = hit - cost * risk, deed
        self.score = best[0]
        return best[1]

    def fatal(self, player: int) -> bool:
        """Whether any failure of a player's ends the game: under limit card L at two steps too."""
        short = self.game.limit_of(player) == "L" and (self.game.steps or 1) <= 2
        return short or self.game._blows(player)

    def result(self, player: int, first: Deed) -> bool:
        """Whether the game is won after a first deed."""
        deed: Deed | None = first
        while True:
            if self.ends(player, deed):
                return False
            if all(self.game.kills(at) for at in self.game.places()):
                return True
            player = (player + 1) % self.game.players
            while not self.game.places(player):
                player = (player + 1) % self.game.players
            self.cards_come()
            deed = self.choose(player)
            rule = self.game.rule("constraint") or {}
            if deed is None and "off" in str(rule.get("stuck")) and self.game.limit_of(player):
                self.game.own_limit[player] = None  # turned down for good
                deed = self.choose(player)

    def ends(self, player: int, deed: Deed | None) -> bool:
        """Does it; whether the bomb has gone off. Who can do nothing has lost, or skips."""
        game = self.game
        self.cards_go(deed)
        if deed is not None:
            self.skipped = 0
            end = game.act(player, deed, self, numbers=True)  # type: ignore[arg-type]
            if deed[0] == "together" and not end["success"] and not end["over"]:
                self.lay_each(deed[1])
            return bool(end["over"])
        if game.turned and all(map(game.kills, game.places(player))):
            for at in game.places(player):
                game.uncover(at, "cut", game.hands[at[0]][at[1]])
            return False
        if any(rule.get("stuck") == "explode" for rule in game.card.get("rules", [])):
            return True
        gate = game.rule("value_gate")
        if game.turned or (gate and gate.get("stuck_steps") != 0):
            return bool(game.advance(1))
        self.skipped += 1
        return bool(self.skipped >= game.players)

    def cards_go(self, deed: Deed | None) -> None:
        """The number card of a cut is turned down, or the two that give its value go."""
        gate, open_ = self.game.rule("value_gate"), self.game.numbers
        if gate is None or deed is None or deed[0] == "reveal":
            return
        if gate["values"].startswith("open"):
            gone = [deed[2]]
        else:
            pairs = combinations(sorted(open_, key=int), 2)
            expected = int(deed[2])
            fits = (p for p in pairs if expected in (int(p[0]) + int(p[1]), int(p[1]) - int(p[0])))
            gone = list(next(fits))
        self.game.numbers = [n for n in open_ if n not in gone]

    def cards_come(self) -> None:
        """Before a turn: finished numbers leave, and where no card lies all that may lie again."""
        gate, game = self.game.rule("value_gate"), self.game
        if gate is None:
            return
        if gate["values"].startswith("open"):
            live = [n for n in NUMBERS if game.total[n] > game.cut_so_far(n)]
            game.numbers = [n for n in game.numbers if n in live] or live
        elif len(game.numbers) < 2:
            game.numbers = list(NUMBERS)

    def lay_each(self, places: tuple[Place, ...]) -> None:
        """A token on each wire of a cut of several that failed; of a red one its colour alone."""
        game = self.game
        for at in places:
            if game.value(at) == "RED":
                game.tokens[at[0]][at[1]] |= {f"not:{value}" for value in VALUES}
            else:
                face = game.value(at).isdigit()
                game.uncover(at, "info", game.hands[at[0]][at[1]] if face else game.value(at))


def _order(deed: Deed) -> tuple[Place, int]:
    return deed[1][0], VALUES.index(deed[2])
