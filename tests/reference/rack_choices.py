"""First tokens as choices, by brute force: every hand, every token it could have laid."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb, log2
from typing import Any

from reference.rack import Table, World, called

Hand = tuple[int, ...]
EQUAL = 1e-9


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

    def says(self, code: int) -> str | None:
        """What a token on the wire says; None where it cannot lie."""
        if code % 10:
            return None
        return called(code) if self.kind == "standard" else ("even", "odd")[code // 10 % 2]

    def bits(self, slot: int | None = None, said: str | None = None) -> float:
        """The entropy of the hand when a token says so."""
        fit = [w for h, w in self.weights.items() if slot is None or self.says(h[slot]) == said]
        total = sum(fit)
        return -sum(w / total * log2(w / total) for w in fit)

    def _best(self, hand: Hand) -> tuple[int, ...]:
        """The slots whose token has the largest gain; several where gains are equal."""
        shown = {j: self.says(code) for j, code in enumerate(hand)}
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
