"""X-of-Y groups in the single-stand models, and detectors on whole stands, by brute force."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cluewise import service
from reference.rack import code_of, entropy

Weights = dict[tuple[int, ...], Fraction]
YELLOW = ["Y1", "Y2", "Y3"]
REDS = ["R1", "R2"]


def supplies(drawn: list[tuple[list[str], int]]) -> list[Counter[int]]:
    """The wires in play for each equally likely way to draw the groups; blue 1-3."""
    blue = Counter({10 * n: 4 for n in (1, 2, 3)})
    ways = [itertools.combinations(map(code_of, of), n) for of, n in drawn]
    return [
        blue + Counter(code for some in choice for code in some)
        for choice in itertools.product(*ways)
    ]


def fillings(supply: Counter[int], slots: int) -> list[tuple[int, ...]]:
    """Every sorted stand of that many wires."""
    wires = sorted(supply.elements())
    return sorted(set(itertools.combinations(wires, slots)))


def deals(supply: Counter[int], stand: tuple[int, ...]) -> Fraction:
    """Deals of the supply that give this stand, up to a common factor."""
    weight = Fraction(1)
    used = Counter(stand)
    for code, copies in supply.items():
        weight /= math.factorial(used[code]) * math.factorial(copies - used[code])
    return weight


def weigh(drawn: list[tuple[list[str], int]], slots: int) -> Weights:
    found: Weights = {}
    for supply in supplies(drawn):
        for stand in fillings(supply, slots):
            found[stand] = found.get(stand, Fraction(0)) + deals(supply, stand)
    return found


def bits(weights: Weights) -> float:
    total = sum(weights.values())
    return entropy({stand: w / total for stand, w in weights.items()})


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_groups_are_exact_in_the_true_model(data: st.DataObject) -> None:
    groups = [(YELLOW, data.draw(st.integers(1, 2))), (REDS, 1)]
    groups = groups[: data.draw(st.integers(1, 2))]
    slots = 4
    before = weigh(groups, slots)
    truth = data.draw(st.sampled_from(sorted(before)))
    names = {code_of(w): w for w in [*"123", *YELLOW, *REDS]}
    position: dict[str, Any] = {
        "wires": {"blue": [1, 3], "groups": [{"of": of, "drawn": n} for of, n in groups]},
        "stands": [{"slots": [{"wire": names[code]} for code in truth]}],
    }
    for token in ("standard", "multiplicity"):
        request = {"desk": "rack", "want": "indicate", "position": position}
        result = service.run({**request, "options": {"token": token}})
        assert result["baseline"] == pytest.approx(bits(before), abs=1e-9)
        for option in result["options"]:
            after = {s: w for s, w in before.items() if agrees(s, truth, option["slot"], token)}
            gain = bits(before) - bits(after)
            assert option["gain"] == pytest.approx(gain, abs=1e-9)


def agrees(stand: tuple[int, ...], truth: tuple[int, ...], slot: int, token: str) -> bool:
    """Whether the stand fits the token that the true wire at the slot gets."""
    if token == "standard":
        return stand[slot] == truth[slot]
    return stand[slot] % 10 != 5 and times(stand, slot) == times(truth, slot)


def times(stand: tuple[int, ...], slot: int) -> int:
    """Wires of the slot's value on the stand: yellow ones are all alike."""
    if stand[slot] % 10 == 0:
        return stand.count(stand[slot])
    return sum(code % 10 == stand[slot] % 10 for code in stand)
