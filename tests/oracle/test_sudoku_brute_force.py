"""The kernel against a search over all 3 359 232 transforms."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from asking import ask_grids, vectors
from reference import sudoku as slow

VECTORS: dict[str, Any] = vectors("sudoku")


def canon(text: str) -> Any:
    return ask_grids("canon", text)


def odd_boards(count: int, seed: int) -> list[str]:
    """Parts of regular grids: many symmetries, empty lines, few digits."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        cells = list(rng.choice(VECTORS["special"])["scramble"])
        kind = rng.randrange(3)
        if kind == 0:
            digits = rng.sample("123456789", rng.randint(1, 4))
            cells = [c if c in digits else "." for c in cells]
        elif kind == 1:
            rows = rng.sample(range(9), rng.randint(1, 4))
            cells = [c if i // 9 in rows and i % 9 < 6 else "." for i, c in enumerate(cells)]
        else:
            cells = [c if rng.random() < rng.choice([0.1, 0.3]) else "." for c in cells]
        found.append("".join(cells))
    return found


def check_puzzle(text: str) -> None:
    found = canon(text)
    assert (found["straight"], found["automorphisms"]) == slow.straight(text)
    assert (found["pattern_first"], found["automorphisms"]) == slow.pattern_first(text)


@pytest.mark.sampled(of="sudoku, brute force")
@pytest.mark.parametrize("index", [0, 40, 100])
def test_a_few_complete_grids(index: int) -> None:
    grid = VECTORS["special"][index]["scramble"]
    found = canon(grid)
    assert (found["minlex"], found["automorphisms"]) == slow.straight(grid)


@pytest.mark.sampled(of="sudoku, brute force")
@pytest.mark.parametrize("text", odd_boards(3, 1))
def test_a_few_odd_boards(text: str) -> None:
    check_puzzle(text)


def test_the_fifteen_classes_of_row_pairs_by_enumeration() -> None:
    pi = slow.pair_maps()
    assert len(pi) == 12_096
    at = np.arange(9)
    pi2 = np.take_along_axis(pi, pi.astype(np.intp), 1)
    pi3 = np.take_along_axis(pi, pi2.astype(np.intp), 1)
    pi4 = np.take_along_axis(pi2, pi2.astype(np.intp), 1)
    pure = (pi[:, :3] // 3 == pi[:, :1] // 3).all(1)
    features = zip(
        pure.tolist(),
        (pi2 // 3 == at // 3).sum(1).tolist(),
        (pi4 == at).sum(1).tolist(),
        (pi3 == at).sum(1).tolist(),
        strict=True,
    )
    classes: dict[tuple[bool, int, int, int], list[int]] = {}
    for i, feature in enumerate(features):
        classes.setdefault(feature, []).append(i)
    assert len(classes) == 15
    rng = random.Random(5)
    least = {
        slow.least_second_row(pi[rng.choice(members)])
        for members in classes.values()
        for _ in range(4)
    }
    assert len(least) == 15
    seen = Counter(canon(g["grid"])["minlex"][9:18] for g in VECTORS["grids"])
    seen += Counter(canon(g["scramble"])["minlex"][9:18] for g in VECTORS["special"])
    assert set(seen) <= least
