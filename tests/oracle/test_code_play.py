"""Rows left, kinds of feedback, the other player: against independent programs."""

import re
from typing import Any

import pytest

from asking import ask_code, vectors

CASES = vectors("code_play_cases")

ORACLE: dict[str, Any] = vectors("code_play")


def position_of(case: dict[str, Any]) -> dict[str, Any]:
    match = re.fullmatch(r"p(\d+)c(\d+)([rn])", case["rules"])
    assert match is not None
    rules = {"pegs": int(match[1]), "colours": int(match[2]), "repeat": match[3] == "r"}
    if "feedback" in case:
        rules["feedback"] = case["feedback"]
    return {"rules": rules, "clues": case.get("clues", [])}


@pytest.mark.parametrize("case", ORACLE["within"], ids=lambda c: f"{c['rules']}-{c['left']}")
def test_most_codes_found_within_the_rows(case: dict[str, Any]) -> None:
    options = {"criterion": "within", "rows": case["rows"], "mine": case["mine"], "top": 3}
    found = ask_code("advise", position_of(case), **options)
    assert found["remaining"] == case["left"]
    rows = {"rows": case["rows"], "exact": True}
    assert found["options"][0]["within"] == rows | {"codes": case["most"]}
    assert found["mine"]["within"] == rows | {"codes": case["mine_finds"]}
    assert (found["mine"]["rank"] == 1) <= (case["mine_finds"] == case["most"])


@pytest.mark.parametrize(("rules", "guess", "found"), CASES["codes a first guess finds"])
def test_codes_a_first_guess_finds(rules: dict[str, Any], guess: str, found: list[int]) -> None:
    for rows, codes in enumerate(found, 1):
        options = {"criterion": "within", "rows": rows, "mine": guess, "top": 1}
        advice = ask_code("advise", {"rules": rules}, settle=True, seconds=600, **options)
        found_within = advice["mine"]["within"]
        assert found_within["rows"] == rows
        if found_within["exact"]:
            assert found_within["codes"] == codes
        else:  # the kernel's free memory decides how far the largest case is searched
            assert found_within["low"] <= codes <= found_within["high"]


@pytest.mark.parametrize("case", ORACLE["feedback"], ids=lambda c: f"{c['rules']}-{c['feedback']}")
def test_cells_of_first_guesses_by_kind_of_feedback(case: dict[str, Any]) -> None:
    position = position_of(case)
    for guess, cells in case["first"].items():
        found = ask_code("advise", position, mine=guess, top=1, guesses=False)["mine"]
        assert found["answers"] == cells


@pytest.mark.parametrize("case", ORACLE["evil"], ids=lambda c: f"{c['rules']}-{c['guess']}")
def test_undecided_code_maker_gives_the_most_costly_answer(case: dict[str, Any]) -> None:
    position = position_of(case)
    found = ask_code("judge", position, guess=case["guess"], evil=True)
    assert found["answer"] == min(case["answers"])
    clue = {"guess": case["guess"], "exact": found["exact"], "partial": found["partial"]}
    after = {**position, "clues": [*position["clues"], clue]}
    assert ask_code("remaining", after)["count"] > 0
    if case["total"] > 1:
        least = ask_code("advise", after, criterion="guesses", top=1)
        assert round(least["least"]["expected"] * least["remaining"]) == case["total"]


PUBLISHED_GAMES = [  # value, against an even choice, the code maker's mix
    ("p2c3r", "29/12", "7/3", {"00": "1/2", "01": "1/2"}),
    ("p2c5r", "49/15", "81/25", {"00": "1/3", "01": "2/3"}),
    ("p3c2r", "23/10", "9/4", {"000": "2/5", "001": "3/5"}),
    ("p3c4r", "219/68", "103/32", {"000": "2/17", "001": "9/17", "012": "6/17"}),
]


@pytest.mark.parametrize("case", ORACLE["games"], ids=lambda c: c["rules"])
def test_value_of_the_game(case: dict[str, Any]) -> None:
    assert ask_code("game", position_of(case))["value"] == case["value"]


@pytest.mark.parametrize("game", PUBLISHED_GAMES, ids=lambda game: game[0])
def test_best_mix_of_the_code_maker(game: tuple[str, str, str, dict[str, str]]) -> None:
    rules, value, even, mix = game
    found = ask_code("game", position_of({"rules": rules}))
    assert (found["value"], found["even"], found["mix"]) == (value, even, mix)


def test_game_without_repetition_is_worth_the_best_average() -> None:
    position = {"rules": {"pegs": 3, "colours": 5, "repeat": False}}
    best = ask_code("strategy", position, criterion="optimal")
    found = ask_code("game", position)
    assert found["average"] == pytest.approx(best["average"], abs=1e-12)
    assert found["mix"] == {"012": "1"}
