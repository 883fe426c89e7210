"""Answers of which a half is not known, and codes that never begin with 0: against brute force."""

import random
from typing import Any

import pytest

from asking import ask_code as ask
from asking import vectors
from reference import code as slow

CASES = vectors("code_untold")

RULES = CASES["RULES"]
Halves = slow.Halves


def histories(
    rules: dict[str, Any], dice: random.Random
) -> tuple[list[tuple[str, Halves]], set[str]]:
    """A random history with halves left out, and the codes that fit it."""
    every = slow.codes(rules["pegs"], rules["colours"], rules["repeat"])
    codes = [c for c in every if rules.get("leading_zero", True) or c[0] != "0"]
    secret = dice.choice(codes)
    rows: list[tuple[str, Halves]] = []
    for _ in range(dice.randint(1, 3)):
        guess = dice.choice(every)
        exact, partial = slow.answer(guess, secret)
        rows.append((guess, dice.choice([(exact, partial), (exact, None), (None, partial)])))
    return rows, set(slow.consistent(codes, rows))


def position_of(rules: dict[str, Any], rows: list[tuple[str, Halves]]) -> dict[str, Any]:
    clues = [{"guess": g, "exact": x, "partial": y} for g, (x, y) in rows]
    return {"rules": rules, "clues": clues}


@pytest.mark.parametrize("rules", RULES)
def test_the_codes_left_are_those_that_agree_with_what_is_told(rules: dict[str, Any]) -> None:
    dice = random.Random(5)
    for _ in range(60):
        rows, left = histories(rules, dice)
        found = ask("remaining", position_of(rules, rows), top=5000)
        assert (found["count"], found["codes"]) == (len(left), sorted(left))


@pytest.mark.parametrize("rules", RULES)
def test_advice_counts_only_these_codes(rules: dict[str, Any]) -> None:
    dice = random.Random(6)
    for _ in range(12):
        rows, left = histories(rules, dice)
        found = ask("advise", position_of(rules, rows), top=3)
        assert found["remaining"] == len(left)
        for option in found["options"]:
            cells = slow.split(option["guess"], left)
            assert option["answers"] == {f"{x}A{y}B": n for (x, y), n in sorted(cells.items())}
            assert option["possible"] == (option["guess"] in left)


def test_every_guess_of_a_class_splits_the_codes_left_alike() -> None:
    """The rule that 0 does not come first is no symmetry of all codes: classes must know it."""
    rules, dice = RULES[3], random.Random(8)
    for _ in range(6):
        rows, left = histories(rules, dice)
        position = position_of(rules, rows)
        every = slow.codes(3, 5, True)
        kept = ask("classes", position)["representatives"]
        splits = {tuple(sorted(slow.split(g, left).values())) for g in every}
        assert splits == {tuple(sorted(slow.split(g, left).values())) for g in kept}
        one, other = dice.sample(every, 2)
        same = ask("equivalent", position, guesses=[one, other])["question"]["same"]
        if same:
            assert sorted(slow.split(one, left).items()) == sorted(slow.split(other, left).items())


def test_large_rules_count_untold_halves_too() -> None:
    rules = {"pegs": 8, "colours": 12, "repeat": True}

    def count(exact: int | None, partial: int | None, **more: Any) -> int:
        clue = {"guess": "00112345", "exact": exact, "partial": partial}
        return int(ask("remaining", {"rules": rules | more, "clues": [clue]}, top=0)["count"])

    assert count(2, None) == sum(count(2, y) for y in range(7))
    assert count(None, 1) == sum(count(x, 1) for x in range(7))
    assert count(2, 1, leading_zero=False) < count(2, 1)
    whole = {"rules": rules | {"leading_zero": False}}
    assert ask("remaining", whole, top=0)["count"] == 11 * 12**7
    assert ask("remaining", {"rules": {"pegs": 4, "colours": 10, "repeat": False,
                                       "leading_zero": False}}, top=1) == {
        "count": 4536, "codes": ["1023"]}  # fmt: skip


def test_a_doubtful_row_is_mended_in_the_half_that_it_tells() -> None:
    rows: list[tuple[str, Halves]] = [("0011", (0, 0)), ("0101", (2, None))]
    found = ask("doubt", position_of(RULES[1], rows))
    assert found["contradiction"]
    assert found["smallest"] == [[0, 1]]
    other = [r for r in found["repairs"] if r["clue"] == 1]
    assert [(r["exact"], r["partial"], r["distance"]) for r in other] == [(0, None, 2)]
    assert other[0]["remaining"] == 256


@pytest.mark.parametrize("seed", range(6))
def test_a_round_deals_no_code_that_begins_with_zero(seed: int) -> None:
    rules = {"pegs": 2, "colours": 3, "leading_zero": False}
    dealt = ask("deal", {"rules": rules}, seed=seed)["position"]
    position = dealt | {"shown": True}
    assert ask("judge", position, guess="00")["exact"] < 2
    assert ask("review", position)["secret"][0] != "0"
