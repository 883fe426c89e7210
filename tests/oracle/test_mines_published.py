"""Counts of the oracle's boards; ratings of published puzzles by the scale of 2018."""

import math
import random
from itertools import combinations
from statistics import correlation
from typing import Any

import msgspec
import pytest

from asking import ask_mines
from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.engine.closure import CAPPED, Cap, open_closure
from cluewise.desks.mines.engine.count import count
from cluewise.desks.mines.engine.playthrough import difficulty_score, play_by_closure, puzzle_of
from cluewise.desks.mines.engine.published_scale import HashTableOrder, published_steps, set_order
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.results import RateOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.rate import rate
from cluewise.service import to_plain
from reference import mines_closure
from reference.mines_boards import decided, lock_of, position_of, published, puzzles

CASES = [
    pytest.param(puzzle, where, id=f"{puzzle['id']}-{index}")
    for puzzle in puzzles()
    for index, where in enumerate([None, *puzzle["expect"]["states"]])
]


def _case(puzzle: dict[str, Any], where: dict[str, Any] | None) -> tuple[Position, dict[str, Any]]:
    if where is None:
        return position_of(puzzle, known=False), puzzle["expect"]["start"]
    return position_of(puzzle, where["revealed"], where["flagged"], known=False), where


def test_oracle_file_has_all_its_puzzles() -> None:
    assert len(puzzles()) == 22
    assert len(CASES) > 40


@pytest.mark.parametrize(("puzzle", "where"), CASES)
def test_counts_forced_cells_and_probabilities_equal_the_oracle(
    puzzle: dict[str, Any], where: dict[str, Any] | None
) -> None:
    position, expected = _case(puzzle, where)
    counted = finish(count(graph(position), state(position)))
    assert counted is not None
    assert str(counted.solutions) == expected["solutions"]
    masses = {cell: str(counted.mass(int(cell))) for cell in expected["mine_counts"]}
    assert masses == expected["mine_counts"]
    values = finish(backbone(graph(position), state(position)))
    assert values is not None
    assert [c for c, v in enumerate(values) if v == 0] == expected["forced_safe"]
    assert [c for c, v in enumerate(values) if v == 1] == expected["forced_mine"]
    answer = ask_mines("solve", to_plain(position))
    assert answer["solutions"] == expected["solutions"]
    assert answer["exact"] is True
    assert answer["safe"] == expected["forced_safe"]
    assert answer["mines"] == expected["forced_mine"]
    chances = {str(c): p for c, p in enumerate(answer["probability"]) if p is not None}
    assert chances == pytest.approx(expected["prob"], abs=1e-9)


def rated(board: dict[str, Any]) -> dict[str, Any]:
    lock, limit = to_plain(lock_of(board)), board["inexact_limit"]
    found: dict[str, Any] = ask_mines("rate", lock, score="published", inexact_rounds=limit)[
        "published"
    ]
    return found


@pytest.mark.sampled(of="mines, published")
@pytest.mark.parametrize("block", range(8))
def test_published_step_lists_and_scores_are_reproduced(block: int) -> None:
    for board in published()[block::8]:
        found = rated(board)
        assert found["steps"] == board["published_steps"], board["name"]
        assert found["solved"] is board["published_solved"], board["name"]
        # Scores in names of files have two decimals, those in logs all.
        assert found["score"] == pytest.approx(board["published_score"], abs=0.005), board["name"]


@pytest.mark.sampled(of="mines, published")
def test_published_score_has_the_number_of_inexact_rounds_that_it_needs() -> None:
    needs = []
    for board in published():
        if board["inexact_limit"] == 1 or board["published_score"] < 0:
            continue
        found = rated({**board, "inexact_limit": 1})
        if found["score"] >= 0:
            assert found["allowed"] is None
            continue
        needs.append(found["allowed"]["inexact_rounds"])
        assert found["allowed"]["solved"]
        assert found["allowed"]["steps"] == board["published_steps"]
        assert found["allowed"]["score"] == pytest.approx(board["published_score"], abs=0.005)
    assert {n: needs.count(n) for n in needs} == {-1: 1, 2: 14, 3: 1, 4: 1, 5: 2}


def test_board_that_needs_a_guess_has_no_published_score() -> None:
    board = {"size": 2, "layout": "*..*", "inexact_limit": 1}
    assert (rated(board)["score"], rated(board)["allowed"]) == (-1, None)


@pytest.mark.sampled(of="mines, published")
def test_rating_without_ties_does_not_depend_on_the_order_of_the_clues() -> None:
    """Nor does it equal the published one everywhere: ties mattered in some of these."""
    rng = random.Random(5)
    differing = 0
    for board in published()[::9]:
        lock = lock_of(board)
        mixed = list(graph(lock).groups)
        rng.shuffle(mixed)
        again = Position(neighbours=graph(lock).neighbours, groups=tuple(mixed), mines=lock.mines,
                         secret=lock.secret)  # fmt: skip
        limit = board["inexact_limit"]
        here, there = (
            finish(published_steps(puzzle_of(p), limit, ties=False)) for p in (lock, again)
        )
        assert here == there
        differing += here.steps != board["published_steps"]
    assert differing > 0


def test_board_without_an_empty_line_has_no_published_score() -> None:
    lock = lock_of(published()[0])
    mines = {0, 7, 14, 21, 28, 35}
    board = msgspec.structs.replace(
        lock.board, rows=(1,) * 6, columns=(1,) * 6, total=6
    ) if lock.board else None  # fmt: skip
    position = Position(board=board, mines=tuple(sorted(mines)))
    found = ask_mines("rate", to_plain(position), score="published")
    assert found["published"]["score"] == -1


def effort_and_smooth(board: dict[str, Any]) -> tuple[int | None, float | None]:
    found = finish(rate(lock_of(board), RateOptions(path=True)))
    return found.thought, found.smooth


def ranks(values: list[float]) -> list[float]:
    """Return the rank of each value; equal values have their mean rank."""
    return [
        sum(other < one for other in values) + (values.count(one) - 1) / 2 for one in values
    ]  # fmt: skip


def rank_correlations(rated: list[float | None], known: list[float]) -> tuple[int, float, float]:
    """Return the number of rated boards, Spearman's and Kendall's (tau-b) correlation."""
    pairs = [(a, b) for a, b in zip(rated, known, strict=True) if a is not None]
    signs = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]
    ties = math.sqrt(sum(x * x for x, _ in signs) * sum(y * y for _, y in signs))
    spearman = correlation(*(ranks(list(one)) for one in zip(*pairs, strict=True)))
    return len(pairs), round(spearman, 2), round(sum(x * y for x, y in signs) / ties, 2)


def correlations_with_published(boards: list[dict[str, Any]]) -> list[tuple[int, float, float]]:
    """Correlate the effort and smooth score of boards with their published score."""
    scored = [b for b in boards if b["published_score"] >= 0]
    known = [b["published_score"] for b in scored]
    thought, smooth = zip(*[effort_and_smooth(b) for b in scored], strict=True)
    return [rank_correlations(list(one), known) for one in (thought, smooth)]


@pytest.mark.sampled(of="mines, published")
def test_path_effort_correlates_with_the_published_score_of_small_locks() -> None:
    (boards, thought, _), (scored, smooth, _) = correlations_with_published(
        [b for b in published() if b["size"] == 6]
    )
    assert boards == scored == 30
    assert thought > 0.9 > 0.8 > smooth


@pytest.mark.long
def test_path_effort_correlates_with_the_published_score_of_all_locks() -> None:
    assert correlations_with_published(published()) == [(127, 0.93, 0.80), (108, 0.82, 0.66)]


def test_hash_table_order_equals_the_published_interpreter() -> None:
    table: HashTableOrder[str] = HashTableOrder()
    for key in (1, 9, 17):  # all of them hash to slot 1 of 8
        table[key] = str(key)
    # 9 probes 1, then 5·1 + 9 + 1 = 15 → 7; 17 probes 1, then 5·1 + 17 + 1 = 23 → 7,
    # then 5·23 + (17 >> 5) + 1 = 116 → 4.
    assert list(table) == [1, 17, 9]
    table.drop(9)
    table[25] = "25"  # 1, then 5·1 + 25 + 1 = 31 → 7, the freed slot
    assert list(table) == [1, 17, 25]
    assert list(HashTableOrder(table)) == [1, 25, 17]  # a copy is a new table: 25 probes 7 first
    assert set_order([1, 8]) == [8, 1]
    assert set_order([1, 9]) == [1, 9]  # the neighbouring slot


def test_published_rating_is_omitted_by_default() -> None:
    lock = to_plain(lock_of(published()[0]))
    assert ask_mines("rate", lock)["published"] is None


def rated_puzzle(puzzle: dict[str, Any], **options: object) -> dict[str, Any]:
    found: dict[str, Any] = ask_mines("rate", to_plain(position_of(puzzle)), **options)
    return found


def rate_of(lock: dict[str, Any], rounds: int) -> dict[str, Any]:
    """Return the rating of a published lock with so many consecutive inexact rounds."""
    found: dict[str, Any] = ask_mines("rate", to_plain(lock_of(lock)), inexact_rounds=rounds)
    return found


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda p: str(p["id"]))
def test_waves_and_no_guess_verdict_equal_the_oracle(puzzle: dict[str, Any]) -> None:
    expected = puzzle["expect"]
    answer = rated_puzzle(puzzle)
    assert answer["no_guess"] is expected["no_guess"]
    assert answer["waves"] == sum(1 for wave in expected["waves"] if wave["safe"])


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda p: str(p["id"]))
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_steps_equal_the_reference_closure(puzzle: dict[str, Any], limit: int) -> None:
    answer = rated_puzzle(puzzle, inexact_rounds=limit, cap="on")
    steps, solves = mines_closure.rate(position_of(puzzle), limit, 9, 3)
    assert (answer["steps"], answer["closure_solves"]) == (steps, solves)
    assert answer["capped"] is (puzzle["n"] > 9)
    if not solves:
        assert answer["smooth"] is None
    if answer["closure_solves"]:
        assert answer["no_guess"] is True, "the closure is sound, so nothing can stop complete play"


@pytest.mark.long
def test_steps_of_a_lock_of_144_cells_equal_the_reference_closure() -> None:
    position = with_mines(next(e.position for e in bundled() if e.cells == 144))
    found = finish(play_by_closure(puzzle_of(position), 1, CAPPED))
    steps, solves = mines_closure.rate(position, 1, CAPPED.widest, CAPPED.highest)
    assert ([step.rounds for step in found.steps], found.solves) == (steps, solves)


@pytest.mark.parametrize(
    "puzzle", [p for p in puzzles() if p["expect"]["pairwise_closure_start"]],
    ids=lambda p: str(p["id"]),
)  # fmt: skip
def test_closure_without_a_cap_equals_crossing_to_a_fixpoint(
    puzzle: dict[str, Any],
) -> None:
    """`pairwise_closure_start` was computed independently, without rounds and caps."""
    expected = puzzle["expect"]["pairwise_closure_start"]
    position = position_of(puzzle)
    board = graph(position)
    with open_closure(board, state(position), cap=Cap(), megabytes=24) as closure:
        known = puzzle["expect"]["start"]
        for cell in range(board.cells):
            if cell not in puzzle["start"]:
                finish(closure.step(50, cell))
        safe, mines = decided(closure.log())
    assert sorted(safe) == expected["forced_safe"]
    assert sorted(mines) == expected["forced_mine"]
    assert set(expected["forced_safe"]) <= set(known["forced_safe"])


@pytest.mark.parametrize("name", ["m01", "m02"])
def test_parity_is_missed_by_the_closure_and_found_by_complete_reasoning(name: str) -> None:
    """a+b=1, b+c=1, a+c+d=2 (m01) and =1 (m02): the two smallest misses."""
    puzzle = next(p for p in puzzles() if p["id"] == name)
    answer = rated_puzzle(puzzle, inexact_rounds=20, cap="off")
    assert answer["closure_solves"] is False
    assert answer["steps"] == []
    assert answer["smooth"] is None
    assert answer["no_guess"] is True
    assert answer["solves_with"] is None
    solved = ask_mines("solve", to_plain(position_of(puzzle)))
    assert len(solved["safe"]) == len(solved["mines"]) == 2


def test_lock_unsolved_by_one_inexact_round_is_solved_by_two() -> None:
    lock = next(b for b in published() if "12x12-with-score-72.13" in b["name"])
    one, two, none = (rate_of(lock, rounds) for rounds in (1, 2, 0))
    assert (one["closure_solves"], one["solves_with"], one["smooth"]) == (False, 2, None)
    assert (two["closure_solves"], two["solves_with"]) == (True, 2)
    assert two["smooth"] > 0
    assert (none["closure_solves"], none["solves_with"]) == (False, 2)


@pytest.mark.sampled(of="mines, published")
def test_published_locks_without_guesses_are_solved_by_two_inexact_rounds() -> None:
    for board in published()[::6]:
        found = rate_of(board, 1)
        assert found["solves_with"] in ((1, 2) if found["no_guess"] else (None,)), board["name"]


@pytest.mark.parametrize(
    ("steps", "score"),
    [([1, 3, 2, 1, 3, 1], 4.5), ([1, 1, 6, 1, 1], 5 / 3), ([1, 3, 3, 1], 22 / 3),
     ([1, 5, 1, 1], 1.6), ([], 0.0), ([4], 0.0), ([1, 1, 1], 0.0)],
)  # fmt: skip
def test_smooth_score_is_exact(steps: list[int], score: float) -> None:
    assert difficulty_score(steps) == score
