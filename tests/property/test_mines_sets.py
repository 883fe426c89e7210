"""Satisfiable and minimal unsatisfiable sets of clues equal those of brute force."""

import random
from typing import NamedTuple

import pytest

from cluewise.core.conflict import bit_indices
from cluewise.core.work import finish
from cluewise.desks.mines.engine import simplex
from cluewise.desks.mines.engine.simplex import ClueSetOracle, open_oracle
from cluewise.desks.mines.position import Position, graph
from reference.mines_boards import addable_clues, layouts_with, random_position, shrink

SETTINGS = {
    "one slice": {},
    "smallest slices": {"BUDGET": 1, "SLICES": 1_000_000},
    "search without a tableau": {"ROOM": 0},
}


class Query(NamedTuple):
    """Clues that must hold, others that may, a cell (-1: none) and its value."""

    clues: int
    among: int
    cell: int
    value: int


def random_query(oracle: ClueSetOracle, position: Position, rng: random.Random) -> Query:
    known = {r.cell for r in position.revealed} | set(position.flags)
    cell = rng.choice([-1, *(c for c in range(graph(position).cells) if c not in known)])
    clues, among = (rng.getrandbits(len(oracle.names) + 1) >> 1 for _ in range(2))
    return Query(clues, among, cell, rng.randrange(2) if cell >= 0 else 0)


def names_of(oracle: ClueSetOracle, clues: int) -> frozenset[str]:
    return frozenset(oracle.names[i] for i in bit_indices(clues))


def check_grow(oracle: ClueSetOracle, position: Position, query: Query) -> bool:
    """Check a growth by enumeration; return whether the clues are satisfiable."""
    oracle.layouts.clear()
    held = finish(oracle.grow(*query))
    some = layouts_with(position, names_of(oracle, query.clues), query.cell, query.value)
    assert (held is None) == (not some)
    if held is None:
        return False
    assert held in oracle.layouts.values()
    for mines, holds in oracle.layouts.items():
        assert all(
            (names_of(oracle, 1 << i) <= names_of(oracle, holds))
            == ((oracle.clue(i).cells & mines).bit_count() == oracle.clue(i).want)
            for i in range(len(oracle.names))
        )
    layout = next(m for m, holds in oracle.layouts.items() if holds == held)
    assert frozenset(bit_indices(layout)) in some
    kept = names_of(oracle, query.clues | query.among & held)
    assert (
        addable_clues(position, kept, names_of(oracle, query.among), query.cell, query.value) == []
    )
    return True


def check_shrink(oracle: ClueSetOracle, position: Position, query: Query) -> None:
    kept = finish(oracle.shrink(*query))
    order = [oracle.names[i] for i in bit_indices(query.clues & query.among)]
    expected = shrink(position, names_of(oracle, query.clues), order, query.cell, query.value)
    assert names_of(oracle, kept) == expected


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("setting", SETTINGS)
def test_growing_and_shrinking_of_clue_sets_equal_brute_force(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250 boards of up to ten cells, four queries each on one tableau."""
    for name, value in SETTINGS[setting].items():
        monkeypatch.setattr(simplex, name, value)
    rng, seen = random.Random(setting), [0, 0]
    for seed in range(250):
        position = random_position(seed, most=10)
        with open_oracle(position) as oracle:
            for _ in range(4):
                query = random_query(oracle, position, rng)
                fits = check_grow(oracle, position, query)
                seen[fits] += 1
                if not fits:
                    check_shrink(oracle, position, query)
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
        with open_oracle(position) as oracle:
            query = random_query(oracle, position, rng)
            held = finish(oracle.grow(*query))
            some = layouts_with(position, names_of(oracle, query.clues), query.cell, query.value)
            assert (held is None) == (not some)
            if held is not None:
                assert not query.clues & ~held
                assert any(
                    frozenset(bit_indices(m)) in some
                    for m, h in oracle.layouts.items()
                    if h == held
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
        with open_oracle(position) as oracle:
            for clue in range(len(oracle.names)):
                others = rng.getrandbits(len(oracle.names)) & ~(1 << clue)
                low = rng.randrange(2 if oracle.clue(clue).flag >= 0 else 4)
                high = low + (rng.randrange(-1, 2) if oracle.clue(clue).flag < 0 else 0)
                allowed = finish(oracle.allows(others, clue, low, high))
                counts = {
                    sum(oracle.clue(clue).cells >> cell & 1 for cell in mines)
                    for mines in layouts_with(position, names_of(oracle, others), -1, 0)
                }
                assert allowed == any(value in counts for value in range(low, high + 1))
                seen[allowed] += 1
    assert min(seen) > 20
