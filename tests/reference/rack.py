"""Bomb Busters by brute force: every arrangement of the hidden slots, one by one.

First tokens as choices too: every hand, every token it could have laid.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial, log2
from typing import Any

import pytest

World = dict[tuple[int, int], int]  # (stand, slot) -> wire code
Hand = tuple[int, ...]
EQUAL = 1e-9


def code_of(wire: str) -> int:
    """10 times the number, +1 yellow, +5 red."""
    number = int(wire.lstrip("YR"))
    return 10 * number + {"Y": 1, "R": 5}.get(wire[0], 0)


def wire_of(code: int) -> str:
    """The wire's name: 10 "1", 11 "Y1", 15 "R1"."""
    return {1: "Y", 5: "R"}.get(code % 10, "") + str(code // 10)


def called(code: int) -> str:
    """The value a player names."""
    return {1: "YELLOW", 5: "RED"}.get(code % 10, str(code // 10))


class Table:
    """A position (plain JSON values) and all deals that fit it."""

    def __init__(self, position: dict[str, Any], viewer: int | None) -> None:
        self.stands = position["stands"]
        self.viewer = viewer
        wires = position["wires"]
        low, high = wires.get("blue", [1, 12])
        self.groups = wires.get("groups", [])
        self.supply = Counter({10 * n: 4 for n in range(low, high + 1)})
        self.supply.update(code_of(w) for w in (*wires.get("yellow", []), *wires.get("red", [])))
        self.supply.subtract(code_of(w) for w in position.get("known_elsewhere", []))
        self.known = {
            (i, j): code
            for i, stand in enumerate(self.stands)
            for j, slot in enumerate(stand["slots"])
            if (code := self.sees(i, slot)) is not None
        }
        self.pairs = self.turned_pairs() if position.get("mission") == 64 else []
        self.open = [
            (i, j)
            for i, stand in enumerate(self.stands)
            for j in range(len(stand["slots"]))
            if (i, j) not in self.known
        ]

    def turned_pairs(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Mission 64: two wires that their owner drew blindly, the lower one to the left."""
        found = []
        for player in {s.get("owner", i) for i, s in enumerate(self.stands)}:
            loose = [
                (i, j)
                for i, stand in enumerate(self.stands)
                if stand.get("owner", i) == player
                for j, slot in enumerate(stand["slots"])
                if "unsorted" in slot.get("tokens", [])
            ]
            found += [(loose[0], loose[1])] if len(loose) == 2 else []
        return found

    def sees(self, i: int, slot: dict[str, Any]) -> int | None:
        """The wire the viewer knows to be there: public, or entered in a viewer's position."""
        if slot.get("state", "hidden") == "hidden" and self.viewer is None:
            return None
        if slot.get("wire"):
            return code_of(slot["wire"])
        value = slot.get("value")
        return 10 * int(value) if value and value.isdigit() else None

    def supplies(self) -> Iterator[Counter[int]]:
        """The wires in play, for every way in which the groups can have been drawn."""
        draws = [
            list(itertools.combinations([code_of(w) for w in g["of"]], g["drawn"]))
            for g in self.groups
        ]
        for choice in itertools.product(*draws):
            supply = self.supply.copy()
            supply.update(code for drawn in choice for code in drawn)
            yield supply

    def worlds(self) -> list[World]:
        """Every arrangement that fits everything."""
        found: list[World] = []
        for supply in self.supplies():
            left = supply.copy()
            left.subtract(self.known.values())
            if min(left.values(), default=0) < 0:
                continue
            if sum(left.values()) != len(self.open):
                continue
            self._place(0, left, dict(self.known), found)
        return found

    def _place(self, at: int, left: Counter[int], world: World, found: list[World]) -> None:
        if at == len(self.open):
            if all(self.fits(i, world) for i in range(len(self.stands))):
                found.append(dict(world))
            return
        i, j = self.open[at]
        for code in sorted(left):
            if left[code] <= 0 or not self.in_order(i, j, code, world):
                continue
            left[code] -= 1
            world[i, j] = code
            self._place(at + 1, left, world, found)
            del world[i, j]
            left[code] += 1

    def in_order(self, i: int, j: int, code: int, world: World) -> bool:
        """Whether the wire may stand between those placed so far."""
        slots = self.stands[i]["slots"]
        if "unsorted" in slots[j].get("tokens", []):
            return True
        for k in range(len(slots)):
            if (i, k) not in world or "unsorted" in slots[k].get("tokens", []):
                continue
            if (k < j and world[i, k] > code) or (k > j and world[i, k] < code):
                return False
        return True

    def fits(self, i: int, world: World) -> bool:
        """Tokens, facts and order of a complete stand."""
        stand = self.stands[i]
        wires = [world[i, j] for j in range(len(stand["slots"]))]
        values = [called(code) for code in wires]
        for j, slot in enumerate(stand["slots"]):
            if slot.get("value") and slot["value"] != values[j]:
                return False
            if not self.in_order(i, j, wires[j], world):
                return False
            if not all(token_holds(t, j, wires, values) for t in slot.get("tokens", [])):
                return False
        hidden = {
            values[j]
            for j, slot in enumerate(stand["slots"])
            if slot.get("state", "hidden") == "hidden"
        }
        if any(world[left] > world[right] for left, right in self.pairs):
            return False
        return all(
            values.count(fact["value"]) == 1
            if fact["kind"] == "one"
            else (fact["value"] in hidden) == (fact["kind"] == "has")
            for fact in stand.get("facts", [])
        )

    def weight(self, world: World, tile_removal: bool) -> Fraction:
        """1/(copies on the stand)! by stand and type; unsorted wires were dealt by themselves."""
        result = Fraction(1)
        for i, stand in enumerate(self.stands):
            copies = Counter(
                world[i, j]
                for j, slot in enumerate(stand["slots"])
                if "unsorted" not in slot.get("tokens", [])
                and not (tile_removal and (i, j) in self.known)
            )
            for n in copies.values():
                result /= factorial(n)
        for left, right in self.pairs:  # two drawn blindly: unequal ones have two orders
            if world[left] == world[right]:
                result /= 2
        return result

    def weighted(self, tile_removal: bool = False) -> list[tuple[World, Fraction]]:
        """All worlds with their probability."""
        worlds = [(w, self.weight(w, tile_removal)) for w in self.worlds()]
        total = sum((p for _, p in worlds), Fraction(0))
        return [(w, p / total) for w, p in worlds]

    def posterior(self, tile_removal: bool = False) -> dict[tuple[int, int], dict[int, Fraction]]:
        """Chances of the wires of every open slot."""
        found = marginals(self.weighted(tile_removal))
        return {at: found.get(at, {}) for at in self.open}


def marginals(worlds: list[tuple[World, Fraction]]) -> dict[tuple[int, int], dict[int, Fraction]]:
    """Chances of the wires of every slot."""
    found: dict[tuple[int, int], dict[int, Fraction]] = {}
    for world, p in worlds:
        for at, code in world.items():
            row = found.setdefault(at, {})
            row[code] = row.get(code, Fraction(0)) + p
    return found


def check_chances(stands: Any, worlds: list[tuple[World, Fraction]]) -> None:
    """Compare a posterior's stands, where it shows a slot, with all deals and their chances."""
    exact = marginals(worlds)
    for i, stand in enumerate(stands):
        for j, row in enumerate(stand["slots"]):
            if row is not None:
                known = {wire_of(code): float(p) for code, p in exact[i, j].items()}
                assert row == pytest.approx(known, abs=1e-9), (i, j)


def token_holds(token: str, j: int, wires: list[int], values: list[str]) -> bool:
    """What one token says of slot j."""
    if token in ("even", "odd"):
        return wires[j] % 10 == 0 and (wires[j] // 10) % 2 == (token == "odd")
    if token in ("x1", "x2", "x3"):
        return values[j] != "RED" and values.count(values[j]) == int(token[1])
    if token.startswith("not:"):
        return values[j] != token[4:]
    if token == "same-as-next":
        return values[j] == values[j + 1]
    if token == "differs-from-next":
        return values[j] != values[j + 1]
    return True


def entropy(masses: dict[Any, Fraction]) -> float:
    """Bits of a distribution."""
    return -sum(float(p) * log2(p) for p in masses.values() if p)


def laid(world: World, stand: int, slot: int, token: str) -> Any:
    """What a failed cut lays on a wire that is not red; None: nothing, for four of a value."""
    value = called(world[stand, slot])
    if token == "parity" and value.isdigit():
        return "odd" if int(value) % 2 else "even"
    if token == "multiplicity":
        count = sum(called(code) == value for (i, _), code in world.items() if i == stand)
        return count if count < 4 else None
    return value


def weigh_cut(
    worlds: list[tuple[World, Fraction]],
    stand: int,
    slots: Sequence[int],
    named: Collection[str],
    token: str = "standard",
) -> tuple[Fraction, Fraction, float]:
    """Success, red, gain: the holder chooses evenly, and the choice says nothing."""
    outcomes: dict[Any, Fraction] = {}
    success, red, noise = Fraction(0), Fraction(0), 0.0
    for world, p in worlds:
        held = {j: called(world[stand, j]) for j in slots}
        matches = [j for j in slots if held[j] in named]
        safe = [j for j in slots if held[j] != "RED"]
        if matches:
            success += p
            seen: list[tuple[Any, ...]] = [("cut", j, world[stand, j]) for j in matches]
        elif safe:
            signs = {j: laid(world, stand, j, token) for j in safe}
            seen = [("token", j if signs[j] is not None else None, signs[j]) for j in safe]
        else:
            red += p
            seen = [("bomb",)]
        noise += float(p) * log2(len(seen))
        for outcome in seen:
            outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + p / len(seen)
    return success, red, entropy(outcomes) - noise


def hands_of(supply: Counter[int], size: int) -> Iterator[tuple[Hand, int]]:
    """Every sorted hand from a supply, with how many ways there are to be dealt it."""
    codes = sorted(code for code in supply if supply[code] > 0)

    def fill(at: int, left: int) -> Iterator[tuple[Hand, int]]:
        if at == len(codes):
            if not left:
                yield (), 1
            return
        for k in range(min(supply[codes[at]], left) + 1):
            for rest, ways in fill(at + 1, left - k):
                yield (codes[at],) * k + rest, ways * comb(supply[codes[at]], k)

    return fill(0, size)


class Rule:
    """What everybody thinks of a hand of `size` wires, and which slots it would show."""

    def __init__(self, supplies: list[Counter[int]], size: int, kind: str) -> None:
        self.kind = kind
        self.weights: Counter[Hand] = Counter()
        for supply in supplies:
            for hand, ways in hands_of(supply, size):
                self.weights[hand] += ways
        self.best = cache(self._best)

    def doc(self, code: int) -> str | None:
        """What a token on the wire says; None where it cannot lie."""
        if code % 10:
            return None
        return called(code) if self.kind == "standard" else ("even", "odd")[code // 10 % 2]

    def bits(self, slot: int | None = None, said: str | None = None) -> float:
        """The entropy of the hand when a token says so."""
        fit = [w for h, w in self.weights.items() if slot is None or self.doc(h[slot]) == said]
        total = sum(fit)
        return -sum(w / total * log2(w / total) for w in fit)

    def _best(self, hand: Hand) -> tuple[int, ...]:
        """The slots whose token has the largest gain; several where gains are equal."""
        shown = {j: self.doc(code) for j, code in enumerate(hand)}
        gains = {j: self.bits() - self.bits(j, said) for j, said in shown.items() if said}
        most = max(gains.values(), default=0.0)
        return tuple(j for j, gain in gains.items() if gain > most - EQUAL)


def rules_of(position: dict[str, Any]) -> dict[int, Rule]:
    """The rule of each stand that laid an agreed token, as the table knew it by then."""
    table = Table({**position, "stands": []}, None)
    earlier: list[int] = []
    found = {}
    for token in position["agreed"]:
        supplies = list(table.supplies())
        for supply in supplies:
            supply.subtract(earlier)
        size = len(position["stands"][token["stand"]]["slots"])
        found[token["stand"]] = Rule(supplies, size, position["token"])
        if position["token"] == "standard":
            earlier.append(10 * int(token["shows"]))
    return found


def share(position: dict[str, Any], rules: dict[int, Rule], stand: int, world: World) -> Fraction:
    """The chance that the hand a world gives a stand would have shown what it showed."""
    slot = next(t["slot"] for t in position["agreed"] if t["stand"] == stand)
    hand = tuple(world[stand, j] for j in range(len(position["stands"][stand]["slots"])))
    best = rules[stand].best(hand)
    return Fraction(slot in best, max(len(best), 1))
