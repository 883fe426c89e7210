"""Which clues can hold together, and the fewest that none can satisfy, against plain counts."""

import random
from typing import NamedTuple

import pytest

from cluewise.core.conflict import bit_indices
from cluewise.core.work import finish
from cluewise.desks.mines.engine import simplex
from cluewise.desks.mines.engine.simplex import ClueSetOracle, open_oracle
from cluewise.desks.mines.position import Position, graph
from reference.mines_boards import can_be_added, fitting, least, random_position

WAYS = {
    "at once": {},
    "in the smallest slices": {"BUDGET": 1, "SLICES": 1_000_000},
    "by the search alone": {"ROOM": 0},
}


class Question(NamedTuple):
    """Clues that are to hold, others that may, a cell (-1: none) and its value."""

    clues: int
    among: int
    cell: int
    value: int


def question(of: ClueSetOracle, position: Position, rng: random.Random) -> Question:
    known = {r.cell for r in position.revealed} | set(position.flags)
    cell = rng.choice([-1, *(c for c in range(graph(position).cells) if c not in known)])
    clues, among = (rng.getrandbits(len(of.names) + 1) >> 1 for _ in range(2))
    return Question(clues, among, cell, rng.randrange(2) if cell >= 0 else 0)


def named(of: ClueSetOracle, clues: int) -> frozenset[str]:
    return frozenset(of.names[i] for i in bit_indices(clues))


def grown(of: ClueSetOracle, position: Position, asked: Question) -> bool:
    """Whether the clues fit; what is said of it is held against all layouts."""
    of.layouts.clear()
    held = finish(of.grow(*asked))
    some = fitting(position, named(of, asked.clues), asked.cell, asked.value)
    assert (held is None) == (not some)
    if held is None:
        return False
    assert held in of.layouts.values()
    for mines, holds in of.layouts.items():
        assert all(
            (named(of, 1 << i) <= named(of, holds))
            == ((of.clue(i).cells & mines).bit_count() == of.clue(i).want)
            for i in range(len(of.names))
        )
    layout = next(m for m, holds in of.layouts.items() if holds == held)
    assert frozenset(bit_indices(layout)) in some
    kept = named(of, asked.clues | asked.among & held)
    assert can_be_added(position, kept, named(of, asked.among), asked.cell, asked.value) == []
    return True


def shrunk(of: ClueSetOracle, position: Position, asked: Question) -> None:
    kept = finish(of.shrink(*asked))
    order = [of.names[i] for i in bit_indices(asked.clues & asked.among)]
    expected = least(position, named(of, asked.clues), order, asked.cell, asked.value)
    assert named(of, kept) == expected


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("way", WAYS)
def test_growing_and_shrinking_of_clue_sets_equal_brute_force(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250 boards of up to ten cells, four questions each, about one tableau."""
    for name, value in WAYS[way].items():
        monkeypatch.setattr(simplex, name, value)
    rng, seen = random.Random(way), [0, 0]
    for seed in range(250):
        position = random_position(seed, most=10)
        with open_oracle(position) as of:
            for _ in range(4):
                asked = question(of, position, rng)
                fits = grown(of, position, asked)
                seen[fits] += 1
                if not fits:
                    shrunk(of, position, asked)
    assert min(seen) > 100


@pytest.mark.sampled(of="mines, every layout")
def test_interrupted_growth_returns_clues_that_hold_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simplex, "BUDGET", 1)
    rng = random.Random(3)
    for slices in range(1, 40):
        monkeypatch.setattr(simplex, "SLICES", slices)
        position = random_position(slices, most=10)
        with open_oracle(position) as of:
            asked = question(of, position, rng)
            held = finish(of.grow(*asked))
            some = fitting(position, named(of, asked.clues), asked.cell, asked.value)
            assert (held is None) == (not some)
            if held is not None:
                assert not asked.clues & ~held
                assert any(
                    frozenset(bit_indices(m)) in some for m, h in of.layouts.items() if h == held
                )


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("change", [{}, {"ROOM": 0}, {"BUDGET": 1, "SLICES": 2}])
def test_possible_counts_of_a_clue_equal_brute_force(
    change: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in change.items():
        monkeypatch.setattr(simplex, name, value)
    rng, seen = random.Random(5), [0, 0]
    for seed in range(60):
        position = random_position(seed, most=9)
        with open_oracle(position) as of:
            for clue in range(len(of.names)):
                others = rng.getrandbits(len(of.names)) & ~(1 << clue)
                low = rng.randrange(2 if of.clue(clue).flag >= 0 else 4)
                high = low + (rng.randrange(-1, 2) if of.clue(clue).flag < 0 else 0)
                said = finish(of.allows(others, clue, low, high))
                counts = {
                    sum(of.clue(clue).cells >> cell & 1 for cell in mines)
                    for mines in fitting(position, named(of, others), -1, 0)
                }
                assert said == any(value in counts for value in range(low, high + 1))
                seen[said] += 1
    assert min(seen) > 20
