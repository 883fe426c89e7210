"""What the mission cards say, straight from their transcription: no module of the package."""

from dataclasses import dataclass
from typing import Any

from asking import vectors

CARDS = vectors("rack-cards")
EQUIPMENT = CARDS["equipment"]
MISSIONS: list[dict[str, Any]] = CARDS["missions"]
NUMBERS = [str(n) for n in range(1, 13)]


@dataclass(frozen=True)
class Row:
    """A mission for a number of players."""

    card: dict[str, Any]
    players: int

    @property
    def number(self) -> int:
        return int(self.card["number"])

    @property
    def wires(self) -> dict[str, Any]:
        found: dict[str, Any] = self.card["wires"][str(self.players)]
        return found

    def drawn(self, colour: str) -> dict[str, Any]:
        """`{"in": 2, "drawn": 3, "numbers": [1, 11]}`; none of it where the card has none."""
        return self.wires[colour] or {"in": 0, "drawn": 0}

    def rule(self, kind: str) -> dict[str, Any] | None:
        return next((rule for rule in self.card["rules"] if rule["kind"] == kind), None)

    @property
    def on_stands(self) -> int:
        return int(self.wires["on_stands"])

    @property
    def piled(self) -> bool:
        """Whether a colour lies in a pile, none of it on a stand yet."""
        rule = self.rule("off_stands")
        return rule is not None and rule["of"] == "RED"

    @property
    def aside(self) -> int:
        """Wires of any kind that lie on no stand."""
        return 0 if self.piled else int(self.wires["total"]) - self.on_stands

    def first_token(self, seat: int, holder: int | None) -> str:
        """What a seat lays at the start; `holder` has the captain card."""
        tokens = self.card["tokens"]
        if self.players == 2 and seat == 0 and tokens["two_players"] != "as_others":
            return str(tokens["two_players"]).removeprefix("captain_")
        if tokens["who"] == "captain_card" and seat != holder:
            return str(tokens["others"])
        return str(tokens["setup"])

    def loose(self) -> list[list[int]]:
        """The slots of each stand that are not sorted in, or turned away from their owner."""
        owners, sizes = self.wires["stand_owners"], self.wires["stand_sizes"]
        found: list[list[int]] = [[] for _ in owners]
        if self.rule("unsorted"):
            return [[size - 1] for size in sizes]
        turned = self.rule("flipped")
        for player in range(self.players if turned else 0):
            if turned and (turned["who"] == "all" or player == 0):
                own = [i for i, owner in enumerate(owners) if owner == player]
                if (
                    turned["count"] == 2
                ):  # lower far left of the first, higher far right of the last
                    found[own[0]].append(0)
                    found[own[-1]].append(sizes[own[-1]] - 1)
                else:
                    found[own[0]].append(sizes[own[0]] - 1)
        return found

    def apart(self) -> list[int] | None:
        """Wires of a colour dealt apart, by player; None where the card deals as usual."""
        rule = self.rule("dealt_apart")
        if rule is None:
            return None
        if isinstance(rule["one_to"], str):  # "every player; with five not the captain"
            return [int(self.players < 5 or player > 0) for player in range(self.players)]
        if self.players == 2:  # "captain one on each stand, the other player one"
            return [2, 1]
        return [int(player in rule["one_to"]) for player in range(self.players)]


ROWS = [Row(card, players) for card in MISSIONS for players in card["players"]]
