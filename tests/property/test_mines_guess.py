"""Win probabilities of guesses against an exhaustive search of the game."""

import random
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.position import Position, Rectangle, Revealed, graph
from cluewise.desks.mines.results import Guess, GuessOptions, ReviewOptions
from cluewise.desks.mines.verbs.guess import guess
from cluewise.desks.mines.verbs.review import review
from cluewise.errors import BadOption
from reference.mines_boards import layouts, random_position, win_counts


def with_secrets(position: Position, seed: int) -> Position:
    """Return the position with some unknown cells that would open as `?`."""
    known = {r.cell for r in position.revealed} | set(position.flags)
    cells = range(len(position.neighbours))
    secret = tuple(c for c in cells if c not in known and (seed + c) % 4 == 0)
    return msgspec.structs.replace(position, secret=secret)


def boards() -> list[Position]:
    found = [with_secrets(random_position(seed, most=8), seed) for seed in range(160)]
    return [position for position in found if layouts(position)]


def check_options(position: Position, found: Guess, first: str = "any") -> None:
    truth = win_counts(position, first)
    assert [option.cell for option in found.options if option.cell in truth] != [] or not truth
    assert {option.cell for option in found.options} == set(truth)
    for option in found.options:
        won, of = truth[option.cell]
        assert option.low is not None
        assert option.low <= won / of <= option.high
        if option.exact:
            assert option.win == won / of == option.low == option.high
    best = max((won / of for won, of in truth.values()), default=None)
    assert found.win in ((best, None) if not found.exact else (best,))


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("first", ["any", "safe", "zero"])
@pytest.mark.parametrize("seconds", [2, 0], ids=["exact", "bounds"])
def test_win_probability_of_every_cell_equals_an_exhaustive_game_search(
    first: Any, seconds: float
) -> None:
    inexact = 0
    for position in boards():
        if first != "any" and position.revealed:
            continue
        found = finish(guess(position, GuessOptions(first, seconds)))
        assert found.layouts == str(len(layouts(position)))
        assert found.exact or not seconds
        inexact += not found.exact
        check_options(position, found, first)
    assert bool(inexact) is not bool(seconds)


@pytest.mark.parametrize("case", vectors("mines_cases")["guess"]["cases"], ids=lambda c: c["name"])
def test_positions_of_played_games_have_the_known_win_probabilities(case: dict[str, Any]) -> None:
    position = msgspec.convert(case["position"], Position)
    found = finish(guess(position, GuessOptions(case["first"], 600)))
    shown = {o.cell: (o.safe, o.win) for o in found.options}
    assert found.layouts == case["layouts"]
    assert shown == {
        cell: (safe / (found_of if case["first"] != "any" else int(case["layouts"])), won / of)
        for cell, safe, won, of in case["options"]
        for found_of in [of]
    }
    order = [(-(o.win or 0), -o.safe, o.cell) for o in found.options]
    assert order == sorted(order)
    assert found.win == found.options[0].win


def test_above_the_layout_limit_cells_are_ranked_by_safety() -> None:
    position = Position(board=Rectangle("square", 4, 4, total=6))
    found = finish(guess(position, GuessOptions(layouts=8007)))
    assert (found.layouts, found.exact, found.win, found.safest) == ("8008", False, None, 0)
    assert {(o.safe, o.win, o.low, o.high, o.exact) for o in found.options} == {
        (0.625, None, None, 0.625, False)
    }


def test_first_click_rule_is_refused_once_a_cell_is_open() -> None:
    position = msgspec.convert(
        {"board": {"kind": "square", "width": 2, "height": 1},
         "revealed": [{"cell": 0, "number": 1}]}, Position,
    )  # fmt: skip
    with pytest.raises(BadOption):
        finish(guess(position, GuessOptions("safe")))


def win_share(position: Position, cell: int | None = None) -> float:
    """Return the exact probability to win with the best press, or with that cell."""
    found = {c: won / of for c, (won, of) in win_counts(position).items()}
    return max(found.values(), default=1.0) if cell is None else found.get(cell, 0.0)


@pytest.mark.sampled(of="mines, every layout")
def test_review_splits_every_press_into_decision_and_luck() -> None:
    kinds = set()
    for seed in range(120):
        bare = msgspec.structs.replace(random_position(seed, most=7), flags=())
        fits = layouts(bare)
        if not fits:
            continue
        rng = random.Random(seed)
        mines = rng.choice(sorted(fits, key=sorted))
        around = graph(bare).neighbours
        closed = sorted(set(range(len(around))) - {r.cell for r in bare.revealed})
        if not closed:
            continue
        presses = tuple(rng.sample(closed, min(3, len(closed))))
        secret = tuple(r.cell for r in bare.revealed if r.number is None)
        game = msgspec.structs.replace(
            bare, presses=presses, mines=tuple(sorted(mines)), secret=secret
        )
        found = finish(review(game, ReviewOptions(seconds=600)))
        now = msgspec.structs.replace(game, mines=None, presses=())
        for one in found.presses:
            here = layouts(now)
            assert one.risk == pytest.approx(sum(one.cell in m for m in here) / len(here))
            assert one.mine is (one.cell in mines)
            best, own = win_share(now), win_share(now, one.cell)
            shown = Revealed(one.cell, len(set(around[one.cell]) & mines))
            now = (msgspec.structs.replace(now, flags=(*now.flags, one.cell)) if one.mine
                   else msgspec.structs.replace(now, revealed=(*now.revealed, shown)))  # fmt: skip
            after = 0.0 if one.mine else win_share(now)
            assert (one.before, one.decision, one.luck, one.after) == pytest.approx(
                (best, own - best, after - own, after)
            )
            assert (one.kind == "mistake") is (own < best - 1e-9)
            kinds.add(one.kind)
    assert kinds == {"certain", "best", "mistake"}
