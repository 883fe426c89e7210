"""Chances that rest on the choice of first tokens, against what was dealt at seeded tables."""

from __future__ import annotations

import math
import os
import random
from typing import Any

import pytest

from asking import ask_rack as ask
from reference.rack import code_of

DEALS = int(os.environ.get("CLUEWISE_DEALS", "12"))
BINS = 10
Bins = list[list[float]]


def dealt(seed: int, players: int) -> tuple[dict[str, Any], list[list[str]]]:
    """Mission 4 laid out, and the wires of every stand."""
    position = ask("mission", {}, mission=4, players=players, seat=0, seed=seed)
    wires = position["wires"]
    bag = [str(n) for n in range(1, 13) for _ in range(4)] + wires["yellow"] + wires["red"]
    random.Random(seed).shuffle(bag)
    hands = []
    for stand in position["stands"]:
        size = len(stand["slots"])
        hands.append(sorted(bag[:size], key=code_of))
        bag = bag[size:]
    return position, hands


def shown(position: dict[str, Any], hands: list[list[str]]) -> dict[str, Any]:
    """The table after the first tokens, each the first of its player's list."""
    blank: list[dict[str, Any]] = [{"slots": [{} for _ in hand]} for hand in hands]
    table = {**position, "stands": blank, "agreed": []}
    for i, hand in enumerate(hands):
        own = [
            {"slots": [{**slot, "wire": wire} for slot, wire in zip(s["slots"], hand, strict=True)]}
            if k == i
            else s
            for k, s in enumerate(table["stands"])
        ]
        best = ask("indicate", {**table, "viewer": i, "stands": own}, stand=i)["options"][0]
        table["stands"][i]["slots"][best["slot"]] = {"state": "info", "wire": best["wire"]}
        token = {"stand": i, "slot": best["slot"], "shows": best["wire"]}
        table["agreed"] = [*table["agreed"], token]
    for slot, wire in zip(table["stands"][0]["slots"], hands[0], strict=True):
        slot["wire"] = wire
    return {**table, "viewer": 0}


def count(bins: Bins, position: dict[str, Any], hands: list[list[str]]) -> tuple[float, float]:
    """Adds every stated chance and whether it was so; the bits open, and those of the truth."""
    found = ask("posterior", position)
    assert "itself" not in found["assumed"]
    surprise = 0.0
    for stand, hand in zip(found["stands"], hands, strict=True):
        for chances, wire in zip(stand["slots"], hand, strict=True):
            if chances is None:
                continue
            surprise -= math.log2(chances[wire])
            for name, chance in chances.items():
                row = bins[min(int(BINS * chance), BINS - 1)]
                row[0] += chance
                row[1] += name == wire
                row[2] += 1
    return found["bits"], surprise


def off(bins: Bins) -> float:
    """The largest distance of a bin's frequency from its mean chance, in binomial errors."""
    worst = 0.0
    for said, was, n in bins:
        if n >= 30:
            p = said / n
            worst = max(worst, abs(was - said) / math.sqrt(max(n * p * (1 - p), 1)))
    return worst


@pytest.mark.sampled(of="rack, brute force")
def test_what_is_said_with_a_chance_is_so_as_often() -> None:
    """Bins of chances against frequencies; wires of one table hang together, hence the width."""
    for players in (4, 5):
        reading, alone = ([[0.0] * 3 for _ in range(BINS)] for _ in range(2))
        bits = [0.0] * 4
        for seed in range(DEALS):
            position = shown(*(table := dealt(seed, players)))
            with_it = count(reading, position, table[1])
            without = count(alone, {**position, "agreed": []}, table[1])
            bits = [a + b for a, b in zip(bits, (*with_it, *without), strict=True)]
        means = [round(b / DEALS, 2) for b in bits]
        print(f"\n{players} players, {DEALS} deals: bits {means[0]} for {means[2]}")
        print(f"surprise over slots {means[1]} for {means[3]}; off by {off(reading):.2f} errors")
        for name, bins in (("read", reading), ("token alone", alone)):
            rows = [f"{100 * s / n:.1f}→{100 * w / n:.1f} ({n:.0f})" for s, w, n in bins if n]
            print(f"{name}: {', '.join(rows)}")
        assert bits[0] < bits[2]
        assert bits[1] < bits[3]
        assert off(reading) < 4.5
