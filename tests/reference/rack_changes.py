"""Missions whose cards, air, robot or cutter change with the turns, by brute force.

The seats' rule of `rack_missions` on what the cards of these missions say; decks are drawn by the
kernel's generator (splitmix64), so that one deal has one order of cards in both.
"""

from __future__ import annotations

import random
from typing import Any

from reference.rack import Table, World, called
from reference.rack_missions import MissionPlay
from reference.rack_rules import NUMBERS, Deed

STEP, WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1
NOT_HELD = "not held"  # a cutter who was ordered in vain
LETTERS = "ABCDEFGHIJKL"
START = {44: {2: 4, 3: 6, 4: 8, 5: 10}, 63: {2: 14, 3: 18, 4: 24, 5: 30}}


def mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


class ChangingPlay(MissionPlay):
    """One deal of a mission that changes with the turns; `seed`: of the cards to come."""

    def __init__(
        self, position: dict[str, Any], world: World, caution: tuple[float, float], seed: int = 0
    ) -> None:
        super().__init__(position, world, caution)
        self.seed, self.draws, self.active, self.score = seed, 0, 0, 0.0
        game, mission = self.game, position["mission"]
        self.mission, self.turned_card = mission, False
        gone = {*position.get("limits_gone", []), position.get("constraint")}
        self.letters = [one for one in LETTERS if one not in gone]
        self.deck = [n for n in NUMBERS if n not in game.numbers]
        self.robot: int | None = position.get("track") if mission == 53 else None
        self.air: list[int] = list(position.get("air", []))
        self.spent: int = 0
        if mission == 44:
            self.air, total = [position["reserve"]], START[44][game.players]
            self.spent = total - position["reserve"]
        elif mission == 63:
            self.air, self.spent = [sum(self.air)], position["reserve"]
        if self.robot is not None:
            self.move_robot(0)

    def draw(self, cards: list[str]) -> str:
        self.draws += 1
        return cards.pop(mix((self.seed + self.draws * STEP) & WORD) % len(cards))

    def next_limit(self) -> None:
        self.game.limit = self.draw(self.letters) if self.letters else None

    def move_robot(self, by: int) -> bool:
        assert self.robot is not None
        self.robot += by
        self.game.steps = max((11 - self.robot) // 2, 1)
        return self.robot >= 12

    # ---- air ----------------------------------------------------------------------------------

    def cost(self, value: str) -> int:
        return (int(value) + 3) // 4 if self.mission == 44 else int(value)

    def affords(self, player: int, deed: Deed) -> bool:
        if not self.air or deed[0] == "reveal":
            return True
        return self.cost(deed[2]) <= self.air[player if self.mission == 49 else 0]

    def pay(self, player: int, value: str) -> None:
        cost, seats = self.cost(value), self.game.players
        if self.mission != 49:
            self.air[0] -= cost
            self.spent += cost
            return
        self.air[player] -= cost
        others = [(player + n) % seats for n in range(1, seats)]
        others = [p for p in others if self.game.places(p)]
        if others:
            self.air[min(others, key=self.air.__getitem__)] += cost

    # ---- what a seat does ---------------------------------------------------------------------

    def preference(self, player: int, deed: Deed) -> int:
        value = int(deed[2])
        if self.robot is not None:
            return 99 if value == self.robot else value if value < self.robot else 0
        if self.air and self.mission != 49:
            seats = sum(bool(self.game.places(p)) for p in range(player, self.game.players))
            return 0 if self.cost(deed[2]) * seats <= self.air[0] else -self.cost(deed[2])
        return 0

    def turn(self, player: int) -> tuple[int, Deed | None]:
        """Who does what on a player's turn."""
        gate, game = self.game.rule("value_gate"), self.game
        deed = None if gate else self.choose(player)
        if gate is None:
            if deed is None and self.mission == 32 and game.limit and not self.turned_card:
                self.turned_card = True
                self.next_limit()
                return self.turn(player)
            return player, deed
        if all(map(game.kills, game.places(player))):
            return player, self.choose(player)
        value = game.numbers[0]
        if self.mission == 18:
            self.answer(value)
        order = [(player + n) % game.players for n in range(game.players)]
        holders = [p for p in order if any(game.value(at) == value for at in game.places(p))]
        if self.mission == 51:
            return self.ordered(player, value, holders)
        best: tuple[float, int, Deed | None] = (-1e6, player, None)
        for holder in holders:
            deed = self.choose(holder)
            if deed is not None and self.score > best[0] + 1e-12:
                best = self.score, holder, deed
        return best[1], best[2]

    def answer(self, value: str) -> None:
        for i, facts in enumerate(self.game.said):
            uncut = [at for at in self.game.places() if at[0] == i and self.game.value(at) == value]
            if not any(self.game.state_of(at) == "info" for at in uncut):
                facts.add(("has" if uncut else "lacks", value))

    def ordered(self, player: int, value: str, holders: list[int]) -> tuple[int, Deed | None]:
        game = self.game
        deed = self.choose(player) if player in holders else None
        if deed is not None and self.score >= 0.5 - 1e-12:
            return player, deed
        chances = Table(self.seen(player), player).posterior()
        best, chosen = 0.0, None
        for n in range(1, game.players):
            other, wires = (player + n) % game.players, 0.0
            for at in game.places(other):
                row = chances.get(at)
                wires += (
                    float(game.value(at) == value)
                    if row is None
                    else sum(float(p) for code, p in row.items() if called(code) == value)
                )
            if wires > best + 1e-12:
                best, chosen = wires, other
        assert chosen is not None
        return chosen, self.choose(chosen) if chosen in holders else (NOT_HELD, (), value)

    # ---- what comes of it ---------------------------------------------------------------------

    def does(self, player: int, deed: Deed | None) -> bool:
        """Does it; whether the bomb has gone off."""
        game, round_ = self.game, self.game.rule("constraint") or {}
        if deed is None:
            seats = [p for p in range(game.players) if game.places(p)]
            self.skipped += 1
            if self.air:
                return game.advance(1)
            if self.skipped < len(seats) or self.mission == 32:
                return False
            if "next card" not in round_.get("all_stuck_a_round", ""):
                return True
            self.skipped = 0
            self.next_limit()
            return game.advance(1)
        self.skipped = 0
        action, places, value = deed
        if action == NOT_HELD:
            return self.lay_own(player, value)
        if self.air and action != "reveal":
            self.pay(player, value)
        kept = game.steps
        end = game.act(player, deed, self, numbers=True)  # type: ignore[arg-type]
        if action == "reveal":
            return False
        hit = action == "solo" or bool(end["success"])
        if self.robot is not None:
            game.steps, red = kept, not hit and game.kills(places[0])
            return red or self.move_robot(2 if not hit else -1 if int(value) == self.robot else 1)
        if hit and all(game.value(at) != value for at in game.places()):
            if self.mission == 37:
                self.next_limit()
            elif self.mission == 57:
                game.limit = self.position["pairs"][value]
        return bool(end["over"])

    def lay_own(self, player: int, value: str) -> bool:
        game = self.game
        hidden = [at for at in game.places(player) if game.state_of(at) == "hidden"]
        for i in {at[0] for at in hidden}:
            game.said[i].add(("lacks", value))
        for at in [at for at in hidden if not game.kills(at)][:1]:
            game.uncover(at, "info", game.hands[at[0]][at[1]])
        return game.advance(1)

    def result(self, player: int, first: Deed | None) -> bool:
        """Whether the game is won after a first deed of the player; None: by the seats' rule."""
        game, actor, deed = self.game, player, first
        if first is None:
            actor, deed = self.turn(player)
        while not self.does(actor, deed):
            if all(game.kills(at) for at in game.places()):
                return True
            player = self.after(player)
            self.turned_card = False
            if game.rule("value_gate"):
                live = [n for n in NUMBERS if game.total[n] > game.cut_so_far(n)]
                self.deck = [n for n in self.deck if n in live] or live
                game.numbers = [self.draw(self.deck)]
            actor, deed = self.turn(player)
        return False

    def after(self, player: int) -> int:
        """The next player with wires; when the captain's turn comes air comes back."""
        while True:
            player = (player + 1) % self.game.players
            if not player and self.spent:
                self.air[0], self.spent = self.air[0] + self.spent, 0
            if self.game.places(player):
                return player


def enter_cards(table: dict[str, Any], players: int, dice: random.Random) -> None:
    """Cards, air or robot of a table in mid-game; of a limit deck often one card is left."""
    mission = table["mission"]
    if mission in (32, 37, 57):
        table["constraint"] = dice.choice([*LETTERS, None])
        rest = [one for one in LETTERS if one != table["constraint"]]
        if mission == 57:
            table["pairs"] = dict(zip(NUMBERS, dice.sample(LETTERS, 12), strict=True))
        else:
            table["limits_gone"] = dice.sample(rest, len(rest) - dice.choice((0, 1, 1, 6)))
    elif mission == 53:
        table |= {"track": dice.randint(0, 11), "detonator": None}
    elif mission == 44:
        table["reserve"] = dice.randint(0, START[44][players])
    elif mission == 49:
        table["air"] = [dice.randint(0, 12) for _ in range(players)]
    elif mission == 63:
        purse = dice.randint(0, START[63][players])
        table["air"] = [purse] + [0] * (players - 1)
        table["reserve"] = START[63][players] - purse
    else:
        stands = enumerate(table["stands"])
        mine = {
            slot["wire"]
            for i, stand in stands
            if not stand.get("owner", i)
            for slot in stand["slots"]
            if slot["state"] != "cut"
        }
        table["numbers"] = [dice.choice(sorted(mine & set(NUMBERS)) or ["1"])]
        table["detonator"] = dice.randint(1, 2)
