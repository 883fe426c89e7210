"""Whole games by brute force: every seat's belief by enumeration, the plain rules, one policy."""

from typing import Any

from reference.rack import Table, World, called

Choice = tuple[str, int, int, str]  # action, stand, slot, value
VALUES = [*(str(n) for n in range(1, 13)), "YELLOW"]


class Play:
    """One deal played out; `position` is what everybody sees."""

    def __init__(
        self,
        position: dict[str, Any],
        world: World,
        turn: int,
        steps: int,
        caution: tuple[float, float] = (1.0, 0.0),
    ) -> None:
        self.caution = caution  # what red costs, and what more with every step to spare
        self.world, self.turn, self.steps = world, turn, steps
        self.wires = position["wires"]
        self.parity = position.get("token") == "parity"
        self.stands = [
            {
                "owner": stand.get("owner", i),
                "slots": [
                    {
                        "state": slot.get("state", "hidden"),
                        "tokens": list(slot.get("tokens", [])),
                    }
                    for slot in stand["slots"]
                ],
                "facts": list(stand.get("facts", [])),
            }
            for i, stand in enumerate(position["stands"])
        ]
        self.players = len({s["owner"] for s in self.stands})

    def value(self, at: tuple[int, int]) -> str:
        return called(self.world[at])

    def state(self, at: tuple[int, int]) -> str:
        return str(self.stands[at[0]]["slots"][at[1]]["state"])

    def uncut(self, player: int | None = None) -> list[tuple[int, int]]:
        return [
            (i, j)
            for i, stand in enumerate(self.stands)
            for j, slot in enumerate(stand["slots"])
            if slot["state"] != "cut" and player in (None, stand["owner"])
        ]

    def seen(self) -> dict[str, Any]:
        """The table as the player to move sees it."""
        stands = []
        for i, stand in enumerate(self.stands):
            slots = []
            for j, slot in enumerate(stand["slots"]):
                name = self.value((i, j))
                one: dict[str, Any] = {"state": slot["state"], "tokens": slot["tokens"]}
                mine = stand["owner"] == self.turn
                if slot["state"] == "cut" or mine or (slot["state"] == "info" and name.isdigit()):
                    one["wire"] = wire_of(self.world[i, j])
                elif slot["state"] == "info":
                    one["value"] = name
                slots.append(one)
            stands.append({"owner": stand["owner"], "slots": slots, "facts": stand["facts"]})
        return {"wires": self.wires, "stands": stands, "viewer": self.turn}

    def choose(self) -> Choice:
        mine = self.uncut(self.turn)
        own = [self.value(at) for at in mine]
        if set(own) == {"RED"}:
            return "reveal", 0, 0, "RED"
        others = [at for at in self.uncut() if at not in mine]
        for at in others:
            if self.state(at) == "info" and self.value(at) in own and self.value(at) != "RED":
                return "dual", *at, self.value(at)
        for value in VALUES:
            left = sum(self.value(at) == value for at in self.uncut())
            if value in own and own.count(value) == left and (value == "YELLOW" or left % 2 == 0):
                return "solo", 0, 0, value
        chances = Table(self.seen(), self.turn).posterior()
        best: tuple[float, Choice] | None = None
        for at in others:
            if at not in chances:
                continue
            by: dict[str, float] = {}
            for code, p in chances[at].items():
                by[called(code)] = by.get(called(code), 0.0) + float(p)
            for value in VALUES:
                cost = self.caution[0] + self.caution[1] * (self.steps - 1)
                score = by.get(value, 0.0) - cost * by.get("RED", 0.0)
                likelier = best is None or score > best[0] + 1e-12
                if value in own and by.get(value, 0.0) > 0 and likelier:
                    best = score, ("dual", *at, value)
        assert best is not None
        return best[1]

    def act(self, choice: Choice) -> bool | None:
        """True won, False lost, None when the game goes on."""
        action, stand, slot, value = choice
        mine = self.uncut(self.turn)
        if action != "dual":
            for at in mine:
                if action == "reveal" or self.value(at) == value:
                    self.uncover(at, "cut")
        elif self.value((stand, slot)) == value:
            self.uncover((stand, slot), "cut")
            copies = [at for at in mine if self.value(at) == value]
            copies.sort(key=lambda at: self.state(at) == "info")
            self.uncover(copies[0], "cut")
        else:
            self.steps -= 1
            if self.value((stand, slot)) == "RED" or self.steps <= 0:
                return False
            self.token((stand, slot), value)
            self.say_has(value)
        if all(self.value(at) == "RED" for at in self.uncut()):
            return True
        self.turn = (self.turn + 1) % self.players
        while not self.uncut(self.turn):
            self.turn = (self.turn + 1) % self.players
        return None

    def uncover(self, at: tuple[int, int], state: str) -> None:
        stand = self.stands[at[0]]
        stand["slots"][at[1]]["state"] = state
        gone = {"kind": "has", "value": self.value(at)}
        stand["facts"] = [fact for fact in stand["facts"] if fact != gone]

    def token(self, at: tuple[int, int], named: str) -> None:
        slot, value = self.stands[at[0]]["slots"][at[1]], self.value(at)
        if self.parity and value.isdigit():
            slot["tokens"] += [f"not:{named}", "odd" if int(value) % 2 else "even"]
        else:
            self.uncover(at, "info")

    def say_has(self, value: str) -> None:
        mine = self.uncut(self.turn)
        shown = any(self.state(at) == "info" and self.value(at) == value for at in mine)
        stands = {i for i, _ in mine}
        fact = {"kind": "has", "value": value}
        if len(stands) == 1 and not shown and fact not in self.stands[min(stands)]["facts"]:
            self.stands[min(stands)]["facts"].append(fact)

    def result(self, first: Choice) -> bool:
        """Whether the game is won after a first choice."""
        end = self.act(first)
        while end is None:
            end = self.act(self.choose())
        return end


def wire_of(code: int) -> str:
    return {1: "Y", 5: "R"}.get(code % 10, "") + str(code // 10)
