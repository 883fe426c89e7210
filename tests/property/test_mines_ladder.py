"""The closure and the easiest deduction against exhaustive derivation; every step is valid."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, state, state_of_clues
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.closure import Cap, open_closure
from cluewise.desks.mines.engine.ladder import easiest_derivation, least_sum
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.position import Group, Position, graph
from cluewise.desks.mines.rating import Move
from cluewise.desks.mines.results import Example, HintOptions, RateOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.hint import hint
from cluewise.desks.mines.verbs.rate import path, position_then, rate
from reference import mines_closure
from reference.mines_boards import decided, forced, layouts, random_position
from reference.mines_ladder import counts, easiest, shortest_sums
from reference.mines_steps import Layouts, random_board, unproved

EASIEST: list[Any] = vectors("mines_cases")["easiest"]["cases"]


def groups_only(seed: int) -> Position:
    """Return a random board without numbers and flags."""
    position = random_position(4 * seed + 1, most=12)
    return msgspec.structs.replace(position, revealed=(), flags=())


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("block", range(4))
def test_technique_length_and_widest_set_equal_exhaustive_derivation(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * 60, block * 60 + 60):
        for position in (groups_only(seed), random_board(seed)):
            if not layouts(position):
                continue
            found = finish(easiest_derivation(graph(position), state(position)))
            shown = None if found is None else (found.technique, found.length, found.widest)
            assert shown == easiest(position), position
            seen[shown[0] if shown else "none"] += 1
    assert {"one", "none"} <= set(seen)


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("block", range(4))
def test_sums_are_the_shortest_over_all_counts_and_signs(block: int) -> None:
    seen: Counter[int | None] = Counter()
    for seed in range(block * 60, block * 60 + 60):
        position = (random_position if seed % 2 else random_board)(seed)
        every = layouts(position)
        if not every or len(counts(position)) > 7:
            continue
        safe, mined = forced(position, every)
        values = {**dict.fromkeys(safe, 0), **dict.fromkeys(mined, 1)}
        board, mines = graph(position), sum(1 << cell for cell in every[0])
        given = [values.get(cell, -1) for cell in range(board.cells)]
        shortest = shortest_sums(position, values)
        for cell in (-1, *values):
            found = finish(least_sum(board, state(position), given, mines, cell))
            length = None if found is None else len(found.weights)
            least = min(shortest.values(), default=None) if cell < 0 else shortest.get(cell)
            assert length == least, (position, cell)
            seen[length] += 1
    assert set(seen) >= {None, 1, 2, 3, 4}


@pytest.mark.sampled(of="mines, every layout")
def test_hints_reveal_more_by_degree_and_every_step_is_valid() -> None:
    for seed in range(120):
        position = random_board(seed)
        found = layouts(position)
        if not found:
            continue
        safe, mines = forced(position, found)
        *partial, full = (finish(hint(position, HintOptions(degree))) for degree in (1, 2, 3, 4))
        assert {one.move for one in (*partial, full)} == {bool(safe or mines)}
        assert (partial[0].cells, partial[1].clues, partial[2].verdict) == (None, None, None)
        if full.move:
            assert partial[1].cells == full.cells
            assert set(full.cells or ()) <= set(safe if full.verdict == "safe" else mines)
            assert unproved(Layouts(position), full) == []  # type: ignore[arg-type]  # has steps


def test_three_subset_steps_are_easier_than_a_sum_of_three_counts() -> None:
    groups = (Group((0, 1, 2, 4), 2), Group((0, 1, 2, 3, 5), 2), Group((0, 3, 5), 1),
              Group((0, 4, 5), 1))  # fmt: skip
    found = finish(hint(Position(neighbours=((),) * 6, groups=groups), HintOptions(4)))
    assert (found.technique, found.length, found.widest, found.proved) == ("chain", 4, 5, True)
    assert found.cells == [5]
    assert found.steps is not None
    assert [step.technique for step in found.steps] == ["subset"] * 3


def test_subset_is_easier_than_a_narrower_cross_with_the_same_conclusion() -> None:
    counts = {(0, 1, 2, 3): 2, (0, 1, 2, 3, 4, 5): 2, (4, 5, 6, 7): 1, (6, 7, 8): 2}
    for listed in (list(counts.items()), list(counts.items())[::-1]):
        groups = tuple(Group(cells, count) for cells, count in listed)
        position = Position(neighbours=((),) * 9, groups=groups)
        found = finish(easiest_derivation(graph(position), state(position)))
        assert found is not None
        shown = (found.technique, found.length, found.widest)
        assert shown == easiest(position) == ("subset", 2, 6)


@pytest.mark.parametrize("case", EASIEST, ids=lambda c: c["name"])
def test_positions_of_published_locks_have_the_known_easiest_deduction(
    case: dict[str, Any],
) -> None:
    found = finish(hint(msgspec.convert(case["position"], Position), HintOptions(4)))
    assert (found.technique, found.length) == (case["kind"], case["length"])
    assert found.proved
    assert set(found.cells or ()) <= set(case["safe" if found.verdict == "safe" else "mines"])


def test_shortest_sum_is_proved_on_a_board_of_five_locks() -> None:
    case = EASIEST[-1]
    lock = msgspec.convert(case["position"], Position)
    assert case["kind"] == "sum"
    size, copies = len(lock.neighbours), range(5)
    several = Position(
        neighbours=tuple(tuple(c + i * size for c in row)
                         for i in copies for row in lock.neighbours),
        groups=tuple(msgspec.structs.replace(g, cells=tuple(c + i * size for c in g.cells))
                     for i in copies for g in lock.groups),
        revealed=tuple(msgspec.structs.replace(r, cell=r.cell + i * size)
                       for i in copies for r in lock.revealed),
        flags=tuple(c + i * size for i in copies for c in lock.flags),
    )  # fmt: skip
    found = finish(hint(several, HintOptions(3)))
    assert (found.technique, found.length, found.proved) == ("sum", case["length"], True)


def check_path(position: Position) -> list[Move]:
    """Return the path after checking that the clues of each move alone decide its cells."""
    puzzle = puzzle_of(position)
    moves = finish(path(position, puzzle))
    cells = puzzle.start[:]
    for move in moves:
        now = position_then(position, cells)
        board = graph(now)
        value = int(move.verdict == "mine")
        flags = [f"flag:{c}" for c, mark in enumerate(cells) if mark == FLAG]
        names = [*(n for n in move.clues if not n.startswith("flag:")), *flags]
        with open_search(board, *state_of_clues(now, names)) as search:
            for cell in move.cells:
                assert cells[cell] == UNKNOWN
                assert (puzzle.shows[cell] == FLAG) is bool(value)
                assert not finish(search.exists(cell, 1 - value))
        for cell in move.cells:
            cells[cell] = puzzle.shows[cell]
    left = [c for c, mark in enumerate(cells) if mark == UNKNOWN and puzzle.shows[c] != FLAG]
    assert left == []
    return moves


@pytest.mark.parametrize("entry", [e for e in bundled() if e.cells <= 60], ids=lambda e: e.title)
def test_every_move_of_the_easiest_path_is_valid_and_the_path_is_complete(
    entry: Example,
) -> None:
    moves = check_path(with_mines(entry.position))
    assert moves[0].technique == "one" or entry.position.revealed


def test_easiest_path_ends_where_a_guess_is_needed() -> None:
    position = Position(
        neighbours=((1,), (0, 2), (1,)),
        groups=(Group((0,), 0), Group((1, 2), 1)),
        mines=(1,),
        start=(),
    )
    found = finish(rate(position, RateOptions(path=True)))
    assert found.path is not None
    assert found.no_guess is True
    assert [(m.technique, m.cells, m.verdict) for m in found.path] == [
        ("one", [0], "safe"), ("one", [1], "mine"), ("one", [2], "safe"),
    ]  # fmt: skip
    stuck = Position(neighbours=((), ()), groups=(Group((0, 1), 1),), mines=(1,), start=())
    assert finish(rate(stuck, RateOptions(path=True))).path == []
    assert finish(rate(stuck, RateOptions())).path is None


@given(st.integers(1, 10_000_000), st.integers(0, 3))
@settings(deadline=None, max_examples=100)
def test_every_derived_inequality_holds_in_every_layout(seed: int, limit: int) -> None:
    position = random_position(seed, most=11)
    truth = layouts(position)
    assume(truth)
    with open_closure(graph(position), state(position), cap=Cap()) as closure:
        found = finish(closure.step(limit))
        rows = closure.log()
    for row in rows:
        assert all(row.low <= len(mines & set(row.cells)) <= row.high for mines in truth)
    assert found is any(row.trivial for row in rows)


@given(st.integers(1, 10_000_000), st.integers(0, 2), st.sampled_from([(1000, 0), (4, 1)]))
@settings(deadline=None, max_examples=80)
def test_one_closure_step_equals_the_reference(seed: int, limit: int, cap: tuple[int, int]) -> None:
    position = random_position(seed, most=12)
    assume(layouts(position))
    held = mines_closure.clues(position)
    inexact = 0

    def crossed(cells: frozenset[int], low: int) -> bool:
        return not (len(cells) > cap[0] and low > cap[1])

    while not any(mines_closure.trivial(held)):
        if mines_closure.round_of(held, True, crossed):
            continue
        if inexact == limit or not mines_closure.round_of(held, False, crossed):
            break
        inexact += 1
    with open_closure(graph(position), state(position), cap=Cap(*cap)) as closure:
        finish(closure.step(limit))
        rows = closure.log()
    assert len({row.mask for row in rows}) == len(held)
    assert decided(rows) == mines_closure.trivial(held)
