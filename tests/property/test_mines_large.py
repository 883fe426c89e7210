"""Boards too large to count: forced cells are complete, also by components."""

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_mines
from cluewise.core.work import Job, finish
from cluewise.desks.mines.bench import large
from cluewise.desks.mines.engine import cdcl
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, state, state_of_clues
from cluewise.desks.mines.engine.cdcl import backbone, open_search
from cluewise.desks.mines.engine.components import ComponentCache, clues_of, split_components
from cluewise.desks.mines.engine.playthrough import (
    answers,
    counted,
    play_complete,
    puzzle_of,
    puzzle_with,
    recounted,
)
from cluewise.desks.mines.position import Graph, Group, Position, graph
from cluewise.desks.mines.results import SolveOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.solve import solve
from cluewise.kernel import kernel
from cluewise.service import to_plain
from reference.mines_boards import random_position


def is_layout(position: Position, layout: frozenset[int]) -> bool:
    board = graph(position)
    counts = [(g.cells, g.count) for g in board.groups]
    counts += [(board.neighbours[r.cell], r.number or 0) for r in position.revealed]
    return all(sum(c in layout for c in cells) == count for cells, count in counts)


@pytest.mark.sampled(of="mines, large")
@pytest.mark.parametrize(("side", "share"), [(31, 0.3), (31, 0.0), (20, 0.3)])
def test_forced_cells_of_uncountable_boards_are_complete(side: int, share: float) -> None:
    position, mines = large(side, share, 0)
    answer = ask_mines("solve", to_plain(position))
    assert answer["exact"] is False
    assert set(answer["mines"]) <= mines
    assert set(answer["safe"]).isdisjoint(mines)
    decided = set(answer["safe"]) | set(answer["mines"])
    opened = {r.cell for r in position.revealed}
    for cell, chance in enumerate(answer["probability"]):
        if cell in opened or answer["solutions"] is None or cell in decided:
            assert chance == (float(cell in mines) if cell in decided else None)
        else:
            assert 0 <= chance <= 1
    assert len(decided) > (50 if share else -1)
    others = [c for c in range(side * side) if c not in decided and c not in opened]
    # Both values have a witness: a layout that fits and one that fits with the other value.
    for cell in random.Random(1).sample(others, 12):
        for value in (0, 1):
            cells = state(position)
            cells[cell] = FLAG if value else QUESTION
            with open_search(graph(position), cells) as found:
                values = finish(found.layout())
            assert values is not None
            layout = frozenset(c for c, v in enumerate(values) if v == 1)
            assert is_layout(position, layout | {cell} if value else layout)


@pytest.mark.sampled(of="mines, large")
def test_failed_count_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    position, mines = large(31, 0.3, 0)

    def counted(*_: object) -> Job[None]:
        raise AssertionError("counted twice")
        yield

    monkeypatch.setattr(cdcl, "count", counted)
    answer = finish(solve(position, SolveOptions()))
    assert answer.solutions is None
    assert len(answer.safe) + len(answer.mines) > 50
    assert set(answer.mines) <= mines


def test_backbone_is_complete_and_frees_its_memory() -> None:
    locks = [e.position for e in bundled() if e.cells in (100, 144)]
    for position in [*locks, *(large(12, 0.2, seed)[0] for seed in range(6))]:
        board, cells = graph(position), state(position)
        free = kernel().free()
        values = finish(backbone(board, cells))
        assert values is not None
        assert kernel().free() == free
        unknown = [c for c, mark in enumerate(cells) if mark == UNKNOWN]
        decided = [c for c in unknown if values[c] >= 0]
        others = [c for c in unknown if values[c] < 0]
        queries = [(c, 1 - values[c], False) for c in decided]
        queries += [
            (c, v, True)
            for c in random.Random(2).sample(others, min(9, len(others)))
            for v in (0, 1)
        ]
        with open_search(board, cells) as found:
            for cell, value, expected in queries:
                assert finish(found.exists(cell, value)) is expected


@pytest.mark.sampled(of="mines, large")
def test_estimate_with_an_error_above_a_fifth_is_omitted() -> None:
    position, _ = large(30, 0.0, 3)
    answer = ask_mines("solve", to_plain(position))
    assert (answer["solutions"], answer["error"], answer["solutions_error"]) == (None, None, None)


@pytest.mark.sampled(of="mines, large")
def test_cells_of_a_board_of_961_cells_are_explained() -> None:
    position, mines = large(31, 0.3, 0)
    plain = to_plain(position)
    answer = ask_mines("solve", plain)
    for cell in [*answer["safe"][:6], *answer["mines"][:6]]:
        why = ask_mines("explain", plain, cell=cell)
        assert why["verdict"] == ("mine" if cell in mines else "safe")
        assert why["smallest"] is (len(why["clues"]) == 1)
        board = graph(position)
        with open_search(board, *state_of_clues(position, why["clues"])) as found:
            assert not finish(found.exists(cell, int(cell not in mines)))
        named = {s for step in why["steps"] for s in step["from"] if isinstance(s, str)}
        assert named == set(why["clues"])


def join_boards(a: Position, b: Position) -> Position:
    """Return two independent boards as one."""
    shift = len(a.neighbours)
    groups = [Group(tuple(c + shift for c in g.cells), g.count, g.kind) for g in b.groups]
    return Position(
        neighbours=a.neighbours + tuple(tuple(n + shift for n in near) for near in b.neighbours),
        groups=(*a.groups, *groups),
    )


@given(st.integers(0, 100_000), st.integers(0, 100_000))
@settings(deadline=None, max_examples=150)
def test_forced_cells_of_components_equal_those_of_the_board(one: int, two: int) -> None:
    first, second = random_position(one, most=9), random_position(two, most=9)
    board = graph(join_boards(first, second))
    cells = state(first) + state(second)
    memory = ComponentCache()
    whole = finish(backbone(board, cells))
    for _ in range(2):
        assert finish(memory.forced(board, cells)) == whole
    for component in split_components(clues_of(board, cells)):
        assert component.cells < 1 << len(first.neighbours) or not component.cells & (
            (1 << len(first.neighbours)) - 1
        )


def test_change_in_one_component_does_not_solve_the_other_again() -> None:
    left, right = random_position(3, most=9), random_position(11, most=9)
    board = graph(join_boards(left, right))
    cells = array("h", [UNKNOWN]) * board.cells
    memory = ComponentCache()
    finish(memory.forced(board, cells))
    solved = memory.solved
    finish(memory.forced(board, cells))
    assert memory.solved == solved
    changed = cells[:]
    changed[0] = -2
    again = ComponentCache()
    finish(again.forced(board, changed))
    finish(memory.forced(board, changed))
    assert memory.solved - solved <= again.solved
    assert memory.found > 0


def test_playthrough_of_a_lock_counts_no_layouts() -> None:
    """The search decides every wave within its budget of conflicts."""
    lock = next(e.position for e in bundled() if e.cells == 144)
    notes = {step.note for step in play_complete(puzzle_of(with_mines(lock)))}
    assert "counting layouts" not in notes


@given(st.integers(0, 100_000))
@settings(deadline=None, max_examples=100)
def test_clues_are_recounted_for_other_mines(seed: int) -> None:
    board = graph(random_position(seed, most=12))
    rng = random.Random(seed)
    mines = frozenset(c for c in range(board.cells) if rng.random() < 0.4)
    secret = [c for c in range(board.cells) if c not in mines and rng.random() < 0.2]
    made = puzzle_with(board, mines, secret, [])
    for group, before in zip(made.board.groups, board.groups, strict=True):
        assert group.cells == before.cells
        assert group.count == len(mines & set(group.cells))
    assert made.board.groups == counted(board.groups, mines)
    fresh = Graph(board.neighbours, made.board.groups)
    assert made.shows == answers(fresh, sorted(mines), secret)
    assert recounted(fresh, mines) == recounted(board, mines)
