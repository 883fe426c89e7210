"""A game looked back on in guesses: against brute force, its sums, and the advice's own games."""

import random
from typing import Any

import pytest

from asking import ask_code as ask
from cluewise.service import start
from reference import code as slow
from sampling import sample

SMALL = [{"pegs": 3, "colours": 3}, {"pegs": 3, "colours": 4}, {"pegs": 2, "colours": 5}]


def clue(guess: str, secret: str) -> dict[str, Any]:
    exact, partial = slow.answer(guess, secret)
    return {"guess": guess, "exact": exact, "partial": partial}


def random_game(rules: dict[str, Any], dice: random.Random) -> tuple[str, list[dict[str, Any]]]:
    every = slow.codes(rules["pegs"], rules["colours"], rules.get("repeat", True))
    secret = dice.choice(every)
    asked = [dice.choice(every) for _ in range(dice.randint(0, 3))]
    return secret, [clue(g, secret) for g in asked if g != secret] + [clue(secret, secret)]


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize("rules", SMALL)
def test_what_a_row_gives_away_is_its_cost_over_the_least_by_brute_force(
    rules: dict[str, Any],
) -> None:
    every = slow.codes(rules["pegs"], rules["colours"], True)
    search = slow.Optimum(every)
    for seed in sample(range(12)):
        secret, clues = random_game(rules, random.Random(seed))
        found = ask("review", {"rules": rules, "clues": clues}, guesses=True)
        assert found["secret"] == secret
        for i, row in enumerate(found["guesses"]):
            told = [(c["guess"], (c["exact"], c["partial"])) for c in clues[:i]]
            left = slow.consistent(every, told)
            whole, cost = frozenset(left), row["guesses"]
            least = search.of_set(whole)[0] / len(left)
            assert cost["best"]["expected"] == pytest.approx(least)
            if search.cells(row["guess"], whole) != [whole]:
                own = search.of_guess(row["guess"], whole)[0] / len(left)
                assert cost["mine"]["expected"] == pytest.approx(own)
                assert cost["given"]["expected"] == pytest.approx(own - least)


@pytest.mark.sampled(of="code, full search")
def test_guesses_made_are_those_needed_and_those_given_away_less_luck() -> None:
    dice = random.Random(4)
    for rules in [*SMALL, {"pegs": 4, "colours": 6}]:
        for _ in range(3):
            _, clues = random_game(rules, dice)
            found = ask("review", {"rules": rules, "clues": clues}, guesses=True)
            costs = [row["guesses"] for row in found["guesses"]]
            if None in costs:  # a guess that tells nothing has no end
                continue
            given = sum(cost["given"]["expected"] for cost in costs)
            luck = sum(cost["luck"] for cost in costs)
            assert found["given"] == pytest.approx(given)
            assert costs[0]["best"]["expected"] + given - luck == pytest.approx(len(clues))


def test_a_bracket_of_what_was_given_away_holds_the_exact_value() -> None:
    rules = {"pegs": 4, "colours": 8, "repeat": False}
    clues = [clue(guess, "7654") for guess in ("0123", "4567", "7654")]
    position = {"rules": rules, "clues": clues}
    rough = ask("review", position, guesses=True, seconds=0.0)["guesses"]
    exact = ask("review", position, guesses=True)["guesses"]
    for row, true in zip(rough, exact, strict=True):
        given, known = row["guesses"]["given"], true["guesses"]["given"]["expected"]
        low, high = given.get("low", known), given.get("high", known)
        assert low - 1e-9 <= known <= high + 1e-9


def test_progress_shows_the_review_as_far_as_it_is_known() -> None:
    position = {"clues": [clue(guess, "3142") for guess in ("0012", "3514", "3142")]}
    request = {"desk": "code", "want": "review", "position": position, "options": {"guesses": True}}
    shown: list[Any] = [progress.best for progress in start(request) if progress.best is not None]
    assert shown
    known = [[row.guesses is not None for row in review.guesses] for review in shown]
    assert known[0] == [False, False, False]
    assert known[-1] == [True, True, False]


def test_the_text_to_share_shows_no_guess_and_no_code() -> None:
    clues = [clue(guess, "3142") for guess in ("0012", "3514", "3142")]
    found = ask("review", {"clues": clues}, guesses=True)
    lines = found["share"].splitlines()
    assert lines[0] == "Mastermind: 3 guesses"
    assert lines[1:4] == ["⚫⚪··", "⚫⚪⚪·", "⚫⚫⚫⚫"]
    assert lines[4].endswith("guesses given away")
    for code in ("0012", "3514", "3142"):
        assert code not in found["share"]


def total_by_advice(clues: list[dict[str, Any]], left: list[str]) -> int:
    """Guesses over these codes when the first advice by guesses is followed to the end."""
    found = ask("advise", {"clues": clues}, criterion="guesses", top=1, guesses=False, settle=True)
    guess = found["options"][0]["guess"]
    cells: dict[tuple[int, int], list[str]] = {}
    for code in left:
        cells.setdefault(slow.answer(guess, code), []).append(code)
    total = len(left)
    for (exact, partial), codes in cells.items():
        if exact < 4:
            row = {"guess": guess, "exact": exact, "partial": partial}
            total += total_by_advice([*clues, row], codes)
    return total


@pytest.mark.sampled(of="code, full search")
def test_following_the_advice_by_guesses_has_no_regret_on_any_code_of_mastermind() -> None:
    """5625 guesses over 1296 codes, the least there is (Koyama and Lai 1993): every row gives 0."""
    assert total_by_advice([], slow.codes(4, 6, True)) == 5625


def test_a_repeated_row_gives_away_exactly_one_guess() -> None:
    rows = [("00", 1), ("00", 1), ("10", 2)]
    position = {
        "rules": {"pegs": 2, "colours": 4},
        "clues": [{"guess": guess, "exact": exact, "partial": 0} for guess, exact in rows],
    }
    found = [row["guesses"] for row in ask("review", position, guesses=True)["guesses"]]
    assert [row["given"]["expected"] for row in found] == [0.3125, 1.0, 0.0]
    assert found[1]["luck"] == 0
