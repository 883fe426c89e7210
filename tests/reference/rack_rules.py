"""Bomb Busters by its rules: a whole game with its true wires, turn by turn, slow and plain."""

import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from reference.rack import called, code_of

CARDS = {
    card["number"]: card
    for card in msgspec.json.decode(
        (
            Path(__file__).resolve().parents[2] / "pysrc/cluewise/desks/rack/missions.json"
        ).read_bytes()
    )
}
Place = tuple[int, int]
Deed = tuple[str, tuple[Place, ...], str]  # action, places pointed at, values named "3/5"
ITEM = {"double": None, "triple": "3", "super": "5", "either": "10"}
POINTS = {"dual": 1, "either": 1, "double": 2, "triple": 3}
NUMBERS = [str(n) for n in range(1, 13)]
VALUES = [*NUMBERS, "YELLOW"]
LIMIT = {
    "A": (2, 4, 6, 8, 10, 12), "B": (1, 3, 5, 7, 9, 11), "C": (1, 2, 3, 4, 5, 6),
    "D": (7, 8, 9, 10, 11, 12), "E": (4, 5, 6, 7, 8, 9), "F": (1, 2, 3, 10, 11, 12),
}  # fmt: skip


class Game:
    """A dealt table: `hands` are the true wires, `position` what lies open at the start."""

    def __init__(self, position: dict[str, Any], hands: list[list[str]]) -> None:
        self.card = CARDS.get(position.get("mission"), {"number": 0})
        self.hands = hands
        self.called = [[called(code_of(wire)) for wire in hand] for hand in hands]
        self.owner = [s.get("owner", i) for i, s in enumerate(position["stands"])]
        self.players = max(self.owner) + 1
        rows = [one["slots"] for one in position["stands"]]
        self.state = [[s.get("state", "hidden") for s in row] for row in rows]
        self.shown = [
            [s.get("wire") or s.get("value") if s.get("state") else None for s in row]
            for row in rows
        ]
        self.tokens = [[set(s.get("tokens", [])) for s in row] for row in rows]
        self.said = [
            {(f["kind"], f["value"]) for f in one.get("facts", [])} for one in position["stands"]
        ]
        self.steps: int | None = position.get("detonator")
        self.robot: int | None = position.get("track")
        self.numbers = list(position.get("numbers", []))
        self.limit = position.get("constraint")  # of all
        self.own_limit: dict[int, str | None] = dict(enumerate(position.get("limits", [])))
        self.own_numbers: dict[int, list[str]] = {}
        self.liar = position.get("captain_card")
        self.kind = position.get("token", "standard")
        self.turned = self.rule("flipped") is not None
        self.total = self._total(position["wires"])

    @staticmethod
    def _total(wires: dict[str, Any]) -> Counter[str]:
        low, high = wires.get("blue", [1, 12])
        total = Counter({str(n): 4 for n in range(low, high + 1)})
        total["YELLOW"], total["RED"] = len(wires.get("yellow", [])), len(wires.get("red", []))
        for group in wires.get("groups", []):
            total["YELLOW" if group["of"][0][0] == "Y" else "RED"] += group["drawn"]
        return total

    def rule(self, kind: str) -> dict[str, Any] | None:
        return next((r for r in self.card.get("rules", []) if r["kind"] == kind), None)

    # ---- what stands where ------------------------------------------------------------------

    def value(self, at: Place) -> str:
        return self.called[at[0]][at[1]]

    def loose(self, at: Place) -> bool:
        return "unsorted" in self.tokens[at[0]][at[1]]

    def state_of(self, at: Place) -> str:
        return str(self.state[at[0]][at[1]])

    def places(self, player: int | None = None) -> list[Place]:
        """What is not cut yet, of a player or of all."""
        return [
            (i, j)
            for i, states in enumerate(self.state)
            for j, state in enumerate(states)
            if state != "cut" and player in (None, self.owner[i])
        ]

    def sees(self, player: int, at: Place) -> bool:
        """Whether the player sees the face: her own; a turned one is seen by the rest."""
        if self.state_of(at) != "hidden":
            return self.shown[at[0]][at[1]] not in ("YELLOW", "RED")
        return bool((self.owner[at[0]] == player) != (self.turned and self.loose(at)))

    def is_away(self, at: Place) -> bool:
        """Whether its owner does not see a wire, and may cut it herself."""
        return self.turned and self.loose(at) and self.state_of(at) == "hidden"

    def deadly(self) -> str | None:
        return self.numbers[0] if self.rule("treated_as_red") and self.numbers else None

    def kills(self, at: Place) -> bool:
        return self.value(at) in ("RED", self.deadly())

    def cut_so_far(self, value: str) -> int:
        return sum(
            self.state[i][j] == "cut" and self.value((i, j)) == value
            for i, hand in enumerate(self.hands)
            for j in range(len(hand))
        )

    # ---- what a player may do ---------------------------------------------------------------

    def legal(self, player: int) -> set[Deed]:
        """Everything the rules let a player do now, whatever its chance."""
        mine = self.places(player)
        known = [at for at in mine if self.sees(player, at) or self.state_of(at) == "info"]
        free = [at for at in known if self.may_cut(player, at)]
        held = {self.value(at) for at in free} - {"RED", self.deadly()}
        found: set[Deed] = set()
        for value in held:
            own = tuple(at for at in free if self.value(at) == value)
            left = self.total[value] - self.cut_so_far(value)
            may = len(own) == left and (value == "YELLOW" or len(own) in (2, 4))
            if may and self.may_name(player, "solo", value, len(own)):
                found.add(("solo", own, value))
        reds = {"RED", self.deadly()}
        special = self.bundle()
        if self.rule("one_by_one"):
            held.add("YELLOW")  # found at teammates, held or not
        only_red = len(known) == len(mine) and mine and {self.value(at) for at in mine} <= reds
        if only_red and not (special and special[0] == "RED"):
            found.add(("reveal", tuple(mine), "RED"))
        for action in ("dual", *ITEM):
            if action == "dual" or self.has_item(player, action):
                found |= self._pointing(player, action, held)
        return found

    def _pointing(self, player: int, action: str, held: set[str]) -> set[Deed]:
        values = {v for v in held if self.may_name(player, action, v)}
        if action in ("double", "triple", "super"):
            values.discard("YELLOW")
        ordered = sorted(values, key=VALUES.index)
        named = ["/".join(p) for p in combinations(ordered, 2)] if action == "either" else ordered
        found: set[Deed] = set()
        for i in range(len(self.hands)):
            row = [at for at in self.places() if at[0] == i]
            reach = [at for at in row if self.may_point(player, action, at)]
            if self.owner[i] == player:
                away = [at for at in self.places(player) if at[0] == i and self.is_away(at)]
                found |= {(action, (at,), v) for at in away for v in named if action == "dual"}
                continue
            many = POINTS.get(action, len(reach))
            if 0 < many <= len(reach):
                sets = combinations(reach, many)
                found |= {(action, places, value) for places in sets for value in named}
        return found

    def bundles(self, player: int, value: str, places: tuple[Place, ...]) -> bool:
        """Whether these wires may be cut at once as the mission's special deed."""
        special = self.bundle()
        if special is None or special[0] != value or len(set(places)) != special[1]:
            return False
        if self.rule("last") and not self.is_last(player, value):
            return False
        return all(self.state_of(at) != "cut" and self.may_cut(player, at) for at in places)

    def stuck(self, player: int) -> str:
        """What happens to a player on her turn who may do nothing; "" while she may."""
        special = self.bundle()
        left = [at for at in self.places() if special and self.value(at) == special[0]]
        if (
            special
            and len(left) >= special[1]
            and self.bundles(player, special[0], tuple(left[: special[1]]))
        ):
            return ""
        mine = self.places(player)
        elsewhere = [at for at in self.places() if self.value(at) == "YELLOW" and at not in mine]
        free = self.rule("one_by_one") is not None and not elsewhere
        if not mine or any(not free or deed[2] != "YELLOW" for deed in self.legal(player)):
            return ""
        said = [str(rule["stuck"]) for rule in self.card.get("rules", []) if "stuck" in rule]
        gate = self.rule("value_gate")
        if (gate and gate["values"].startswith("top")) or any("off" in one for one in said):
            return "" if gate or self.limit_of(player) else "skip"
        return "explode" if "explode" in said else "skip"

    def bundle(self) -> tuple[str, int] | None:
        rule = self.rule("together")
        if rule is None or (rule["what"] == "number_card" and not self.numbers):
            return None
        what = self.numbers[0] if rule["what"] == "number_card" else str(rule["what"])
        return what, rule["count"]

    def is_last(self, player: int, value: str) -> bool:
        """Nothing else is left to cut, or nothing else in this player's hand."""
        rest = [at for at in self.places() if self.value(at) not in (value, "RED")]
        return not rest or all(self.value(at) == value for at in self.places(player))

    def may_name(self, player: int, action: str, value: str, count: int = 1) -> bool:
        special = self.bundle()
        if value == "YELLOW" and self.rule("one_by_one"):
            return action == "dual"
        if special and special[0] == value:
            rule = self.rule("together") or {}
            only = rule.get("only_so") or self.rule("last") or value == "RED"
            whole = action == "solo" and count == 4
            if only and not whole:
                return False
            if whole and self.rule("last") and not self.is_last(player, value):
                return False
        order, gate = self.rule("order"), self.rule("value_gate")
        if order and value in self.numbers[1:]:
            before = self.numbers[self.numbers.index(value) - 1]
            if self.cut_so_far(before) < order["unlock_after"]:
                return False
        open_ = self.numbers_of(player)
        if gate and open_ and value not in self._gate(gate["values"], open_):
            return False
        limit = self.limit_of(player)
        if limit == "K" and action == "solo":
            return False
        return limit not in LIMIT or (value.isdigit() and int(value) in LIMIT[limit])

    @staticmethod
    def _gate(what: str, numbers: list[str]) -> set[str]:
        if what.startswith("top"):
            return {numbers[0]}
        if what.startswith("sum"):
            pairs = combinations(map(int, numbers), 2)
            both = {n for a, b in pairs for n in (a + b, abs(a - b))}
            return {str(n) for n in both if 1 <= n <= 12}
        return set(numbers)

    # ---- the mission's cards ----------------------------------------------------------------

    def limit_of(self, player: int) -> str | None:
        """The limit card that binds a player: everybody's, or the one before her."""
        rule = self.rule("constraint")
        if rule is None or rule.get("enforced") is False:
            return None
        return self.limit if rule["scope"] == "all" else self.own_limit.get(player)

    def numbers_of(self, player: int) -> list[str]:
        """The open number cards, or those before a player."""
        gate = self.rule("value_gate")
        own = gate is not None and gate["values"].startswith("own")
        return self.own_numbers.get(player, []) if own else self.numbers

    def turn_cards(self, player: int, done: Deed | None, dice: random.Random) -> None:
        """Cards change before a player's turn, as the mission says, `done` being the last deed."""
        rule, gate = self.rule("constraint"), self.rule("value_gate")
        if rule and dice.random() < 0.4:
            letters = "ABCDE" if rule["cards"] == "A-E" else "ABCDEFGHIJKL"
            self.limit = dice.choice(letters)
            self.own_limit[player] = dice.choice(letters)
        live = [n for n in NUMBERS if self.total[n] > self.cut_so_far(n)]
        if gate is None or not live:
            return
        what = gate["values"]
        if what.startswith("top"):
            self.numbers = [dice.choice(live)]
        elif what.startswith("own"):
            self.own_numbers[player] = dice.sample(live, min(len(live), 12 // self.players))
        elif what.startswith("cards"):
            self.numbers = dice.sample(live, min(len(live), dice.randint(3, 6)))
        else:
            gone = [done[2]] if done and what.startswith("open") else self.numbers[:2]
            left = [n for n in self.numbers if n in live and n not in gone]
            self.numbers = left if len(left) > what.startswith("sum") else live
            dice.shuffle(self.numbers)

    def may_cut(self, player: int, at: Place) -> bool:
        """Whether a wire may be cut now on this player's turn, her own or a teammate's."""
        locked = self.rule("locked_until")
        until_yellow = locked and locked["slots"] == "unsorted" and self.loose(at)
        if until_yellow and self.cut_so_far("YELLOW") < 4:
            return False
        marks = self.tokens[at[0]][at[1]] & {"even", "odd", "x1", "x2", "x3"}
        marked = self.state_of(at) == "info" or marks
        return not (self.limit_of(player) == "H" and marked)

    def may_point(self, player: int, action: str, at: Place) -> bool:
        if self.loose(at) and action != "dual":
            return False
        if self.state_of(at) == "info" and action == "either":
            return False
        owners = self.rule("owner_cut")
        if owners and owners["others"] == "forbidden" and self.loose(at):
            return False
        limit = self.limit_of(player)
        if not self.may_cut(player, at):
            return False
        if limit not in ("I", "J"):
            return True
        row = [one for one in self.places() if one[0] == at[0]]
        return at != (row[-1] if limit == "I" else row[0])

    def has_item(self, player: int, action: str) -> bool:
        """Whether a player may have what a cut points with: a character's, or a card."""
        if action == "double":
            people = self.card.get("equipment", {}).get("characters", "double")
            here = people != "none" and not (people == "not_captain" and player == 0)
            return here and not self.is_barred(player, None)
        return self.may_use(player, ITEM[action] or "")

    def is_barred(self, player: int, card: str | None) -> bool:
        """Whether a card on the table bars a player from one; `None`: her own two-wire detector."""
        limit, ban = self.limit_of(player), self.rule("gear_limit")
        if limit == "G" or (limit == "H" and card == "4"):
            return True
        if ban and player == {"captain": 0, "captain_card": self.liar, "all": player}[ban["who"]]:
            what = ban.get("forbidden", [])
            if what == "all, personal too":
                return True
            return card is not None and (what == "all equipment cards" or card in what)
        return False

    def may_use(self, player: int, card: str) -> bool:
        """Whether the card may be in the game and usable now, as card or as a character's own."""
        gear = self.card.get("equipment", {})
        if self.is_barred(player, card):
            return False
        person = {"8": "E1", "2": "E2", "3": "E3", "10": "E4"}.get(card)
        chosen = self.card["number"] > 30 and "E1-E4" in gear.get("characters", "") and player != 0
        if person and chosen and person not in gear.get("characters_forbidden", []):
            return True
        if card in gear.get("always_usable", []):
            return True
        if gear.get("cards") == 0 and "deck" not in gear:
            return False
        if card in gear.get("forbidden", []) or ("." in card and self.card["number"] < 55):
            return False
        lock = self.rule("gear_lock")
        if lock and lock["how"].startswith("deck"):
            return not self.numbers or self.cut_so_far(self.numbers[0]) == 4
        if lock and lock["how"].startswith("all four"):
            return any(self.cut_so_far(n) == 4 for n in NUMBERS)
        return self.cut_so_far(card.split(".")[0]) >= (4 if "." in card else 2)

    # ---- what happens -----------------------------------------------------------------------

    def works(self, deed: Deed) -> bool:
        action, places, named = deed
        values = named.split("/")
        every = all if action in ("solo", "reveal", "together") else any
        return every(self.called[i][j] in values for i, j in places)

    def act(
        self, player: int, deed: Deed, dice: random.Random, numbers: bool, steady: bool = False
    ) -> dict[str, Any]:
        """Does it. What a person would note of it, with `over`: whether the bomb has gone off."""
        ending = self._cut(player, deed, dice, numbers, steady)
        track = self.rule("track")
        if track and self.robot is not None and deed[0] != "reveal":
            on_its_number = ending.get("shown", deed[2]) == str(self.robot)
            hit = "success_on_its_number" if on_its_number else "success"
            self.robot += track[hit if ending.get("success", True) else "failure"]
            self.robot = min(self.robot, track["lost_at"])
            ending["over"] |= self.robot == track["lost_at"]
        return ending

    def _cut(
        self, player: int, deed: Deed, dice: random.Random, numbers: bool, steady: bool
    ) -> dict[str, Any]:
        action, places, named = deed
        if action in ("solo", "reveal"):
            for at in places:
                read = numbers or self.shown[at[0]][at[1]] not in ("YELLOW", "RED")
                self.uncover(at, "cut", self.hands[at[0]][at[1]] if read else self.value(at))
            return {"over": False}
        if action == "together":
            return self._bundle(player, places, numbers)
        values = named.split("/")
        hits = [at for at in places if self.value(at) in values]
        if hits:
            return self._hit(player, values, dice.choice(hits), dice, numbers)
        return self._miss(player, places, values, dice, steady)

    def _bundle(self, player: int, places: tuple[Place, ...], numbers: bool) -> dict[str, Any]:
        value = (self.bundle() or ("", 0))[0]
        if all(self.value(at) == value for at in places):
            for at in places:
                face = numbers or self.sees(player, at)
                self.uncover(at, "cut", self.hands[at[0]][at[1]] if face else value)
            return {"success": True, "over": False}
        rule = self.rule("together") or {}
        if rule["failure"] == "explode":
            return {"success": False, "over": True}
        return {"success": False, "over": self.advance(1)}

    def _hit(
        self, player: int, values: list[str], at: Place, dice: random.Random, numbers: bool
    ) -> dict[str, Any]:
        value = self.value(at)
        before = self.places(player)
        if value == "YELLOW" and self.rule("one_by_one"):
            return self._found(player, at, numbers)
        copies = [
            one for one in before
            if self.value(one) == value and self.may_cut(player, one)
            and (self.sees(player, one) or self.state_of(one) == "info")
        ]  # fmt: skip
        own = dice.choice(copies)
        others = [v for v in values if v != value]
        holds = [v for v in others if self.may_claim(player, v)]
        read = numbers or self.sees(player, at) or value.isdigit()
        wire = self.hands[at[0]][at[1]]
        dear = self.turned and self.loose(at) and self.owner[at[0]] != player
        self.uncover(at, "cut", wire if read else value)
        face = self.state_of(own) == "hidden" or self.shown[own[0]][own[1]] != "YELLOW"
        self.uncover(own, "cut", self.hands[own[0]][own[1]] if face or numbers else value)
        for v in holds:
            self.say_has(before, v)
        return {
            "success": True, "at": at[1], "shown": wire if numbers else value, "own": list(own),
            "over": dear and self.advance(1),
        }  # fmt: skip

    def _found(self, player: int, at: Place, numbers: bool) -> dict[str, Any]:
        """A yellow wire by itself: a step is won back."""
        wire = self.hands[at[0]][at[1]]
        self.uncover(at, "cut", wire if numbers or self.sees(player, at) else "YELLOW")
        if self.steps is not None:
            self.steps = min(self.steps + 1, 9)  # a dial has no more
        return {"success": True, "at": at[1], "shown": wire if numbers else "YELLOW", "over": False}

    def _miss(
        self, player: int, places: tuple[Place, ...], values: list[str], dice: random.Random,
        steady: bool,
    ) -> dict[str, Any]:  # fmt: skip
        before = self.places(player)
        if self.owner[places[0][0]] == player:  # her own turned wire
            return {"success": False, "over": True}
        free = self.rule("one_by_one") is not None
        holds = [v for v in values if self.may_claim(player, v) and not (free and v == "YELLOW")]
        safe = [at for at in places if not self.kills(at)]
        if not safe:
            value = self.value(places[0])
            if not steady:
                return {"success": False, "shown": value, "over": True}
            for v in holds:
                self.say_has(before, v)
            for at in places:
                face = self.sees(player, at) and self.value(at) == "RED"
                self.uncover(at, "info", self.hands[at[0]][at[1]] if face else value)
            return {"success": False, "shown": value, "over": False}
        for v in holds:
            self.say_has(before, v)
        at = dice.choice(safe)
        note: dict[str, Any] = {"success": False}
        silent = self.lays_nothing(player, self.owner[at[0]])
        if not silent:
            note |= {"at": at[1], "shown": self.lay(player, at)}
            if note["shown"] is None:
                del note["shown"]
        for one in places:
            if self.state_of(one) == "hidden":
                self.tokens[one[0]][one[1]] |= {f"not:{v}" for v in values}
        if silent and len(places) == 1 and not steady:
            self.tokens[at[0]][at[1]].add("not:RED")  # all are still alive
        if steady:
            return note | {"over": False}
        return note | {
            "over": self._blows(player) or self.advance(2 if self.limit_of(player) == "L" else 1)
        }

    def _blows(self, player: int) -> bool:
        rule = self.rule("failure_explodes")
        return rule is not None and player == (0 if rule["who"] == "captain" else self.liar)

    def lays_nothing(self, player: int, holder: int) -> bool:
        """Whether a player's failed cut lays no true token at a holder's stand."""
        liars = self.rule("false_token")
        if self.rule("no_token") or self.limit_of(player) == "H":
            return True
        return liars is not None and (liars["who"] == "all" or holder == self.liar)

    def lay(self, player: int, at: Place) -> str | None:
        """The token of a failed cut; None where there is none for it."""
        value, wire = self.value(at), self.hands[at[0]][at[1]]
        if self.kind == "multiplicity":
            same = sum(self.value((at[0], j)) == value for j in range(len(self.hands[at[0]])))
            if same > 3:
                return None
            word = f"x{same}"
        elif self.kind == "parity":
            word = "odd" if int(wire.lstrip("YR")) % 2 else "even"
        else:
            face = value.isdigit() or (self.sees(player, at))
            self.uncover(at, "info", wire if face else value)
            return value
        self.tokens[at[0]][at[1]].add(word)
        return word

    def advance(self, steps: int) -> bool:
        if self.steps is None:
            return False
        self.steps = max(self.steps - steps, 0)
        return self.steps == 0

    def may_claim(self, player: int, value: str) -> bool:
        """Whether naming a value says that one stand holds it hidden: one stand, none shown."""
        mine = self.places(player)
        shown = any(self.state_of(at) == "info" and self.value(at) == value for at in mine)
        return not shown and len({i for i, _ in mine}) == 1

    def say_has(self, before: list[Place], value: str) -> None:
        self.said[before[0][0]].add(("has", value))

    def uncover(self, at: Place, state: str, face: str) -> None:
        if self.state_of(at) == "hidden":
            self.said[at[0]].discard(("has", self.value(at)))
        old = self.shown[at[0]][at[1]]
        if old is None or old in ("YELLOW", "RED"):
            self.shown[at[0]][at[1]] = face
        self.state[at[0]][at[1]] = state

    def is_won(self) -> bool:
        return all(self.value(at) == "RED" for at in self.places())

    def is_lost(self) -> bool:
        """Whether no player can ever cut a wire again, whatever cards there are."""
        kinds = {rule["kind"] for rule in self.card.get("rules", [])}
        gate, limit = self.rule("value_gate"), self.rule("constraint") or {}
        sums = gate is not None and gate["values"].startswith("sum") and len(self.numbers) > 1
        if kinds & {"pay", "track", "script", "hidden_card", "off_stands"} or (gate and not sums):
            return False
        if limit and (limit["scope"], limit.get("all_stuck_a_round")) != ("all", "explode"):
            return False
        special = self.bundle()
        if special and sum(self.value(at) == special[0] for at in self.places()) >= special[1]:
            return False
        seats = filter(self.places, range(self.players))
        deeds = {deed[0] for player in seats for deed in self.legal(player)}
        return deeds <= {"reveal"} and any(not self.kills(at) for at in self.places())

    def public(self) -> Any:
        """All that everybody knows, to be compared."""
        return (
            [
                [(s, f, frozenset(t)) for s, f, t in zip(*row, strict=True)]
                for row in zip(self.state, self.shown, self.tokens, strict=True)
            ],
            [frozenset(facts) for facts in self.said],
            (self.steps, self.robot),
        )


def public_of(position: dict[str, Any]) -> Any:
    """The same of a position, hidden wires left out."""
    rows = []
    for stand in position["stands"]:
        row = []
        for slot in stand["slots"]:
            state = slot.get("state", "hidden")
            face = None if state == "hidden" else slot.get("wire") or slot["value"]
            row.append((state, face, frozenset(slot.get("tokens", []))))
        rows.append(row)
    facts = [
        frozenset((f["kind"], f["value"]) for f in s.get("facts", [])) for s in position["stands"]
    ]
    return rows, facts, (position.get("detonator"), position.get("track"))
