"""Check of strategies against playing every code, review of games against brute force."""

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import ask_code
from cluewise.errors import BadNotation
from cluewise.service import start
from reference import code as slow
from reference.code import games
from selection import sample

SMALL = {"rules": {"pegs": 2, "colours": 4}}


def draw_tree(feedback: str, every: list[str], left: list[str], dice: random.Random) -> Any:
    """Return a random strategy in which some branches are missing."""
    guess = dice.choice(left if len(left) < 3 else every)
    tree: dict[str, Any] = {"guess": guess, "left": len(left), "answers": {}}
    for text, cell in slow.cells_by_text(feedback, guess, left).items():
        if guess not in cell and dice.random() < 0.9:
            shorter = len(cell) < len(left)
            tree["answers"][text] = draw_tree(
                feedback, every, list(cell if shorter else cell[:1]), dice
            )
    return tree


def steps_by_playing(feedback: str, tree: Any, secret: str) -> int:
    """Return the number of guesses to find the code; 0 if it is not found."""
    steps = 1
    while tree["guess"] != secret:
        tree = tree["answers"].get(slow.answer_text(feedback, tree["guess"], secret))
        if tree is None:
            return 0
        steps += 1
    return steps


def as_lines(tree: Any, answer: str = "", indent: str = "") -> str:
    below = "".join(as_lines(t, f"{a}: ", indent + "  ") for a, t in tree["answers"].items())
    return f"{indent}{answer}{tree['guess']}\n{below}"


def as_braces(tree: Any) -> str:
    below = ",\n".join(f"{a}:{as_braces(t)}" for a, t in tree["answers"].items())
    return f"{{{tree['guess']}: {{{below}}}}}" if below else tree["guess"]


def as_letters(text: str) -> str:
    """Return the braces with answers as two digits and colours as letters."""
    pairs = re.compile(r"(\d)A(\d)B:|(\d)")
    return pairs.sub(lambda m: "ABCDEF"[int(m[3])] if m[3] else f"{m[1]}{m[2]}:", text)


@given(
    games(), st.randoms(use_true_random=False), st.sampled_from([as_lines, as_braces, json.dumps])
)
def test_check_equals_playing_the_strategy_with_every_code(
    game: Any, dice: random.Random, write: Any
) -> None:
    position, every, left, _ = game
    feedback = position["rules"]["feedback"]
    trees = [draw_tree(feedback, every, left, dice) for _ in range(2)]
    one, two = ({s: steps_by_playing(feedback, tree, s) for s in left} for tree in trees)
    text, other = map(write, trees)
    found = ask_code("check", position, strategy=text, other=other)
    for made, steps in ((found, one), (found["other"], two)):
        assert (made["codes"], made["lost"]) == (len(left), list(steps.values()).count(0))
        assert made["histogram"] == [
            list(steps.values()).count(k + 1) for k in range(made["worst"])
        ]
        assert (made["total"], made["worst"]) == (sum(steps.values()), max(steps.values()))
        assert set(made["lost_codes"]) <= {s for s in left if not steps[s]}
        assert made["complete"] == (not made["faults"])
    gains = [two[s] - one[s] for s in left if one[s] and two[s]]
    compared = found["comparison"]
    assert compared["sooner"] == sum(gain > 0 for gain in gains)
    assert compared["later"] == sum(gain < 0 for gain in gains)


@pytest.mark.parametrize(
    "write", [lambda t: "5 guesses\n" + as_lines(t), lambda t: as_letters(as_braces(t))]
)
def test_optimal_strategy_is_read_in_every_notation(write: Any) -> None:
    tree = with_answers(ask_code("strategy", {}, criterion="optimal", tree=True)["tree"])
    found = ask_code("check", {}, strategy=write(tree))
    assert (found["complete"], found["total"], found["worst"]) == (True, 5625, 6)


def with_answers(tree: Any) -> Any:
    """Return the tree with `answers` in every branch."""
    return {**tree, "answers": {a: with_answers(t) for a, t in tree.get("answers", {}).items()}}


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "said"),
    [
        ("01\n 0A0B 22", "missing", 1, 1, "No guess follows 0A1B to 01: 4 codes are not found."),
        ("01\n 0A0B 22 (3)", "count", 2, 7, "The text says that 3 codes are left; 4 are."),
        ("01\n 0A0B 22\n 0A0B 23", "answer", 3, 2, "0A0B to 01 is listed twice."),
        ("{01:{20:{02:{}}}}", "answer", 1, 6, "After 2A0B the game is over."),
        (
            "{01:{00:{22:{02:{33:{}}}}}}",
            "inconsistent",
            1,
            14,
            "No code left answers 22 with 0A2B.",
        ),
    ],
)
def test_faults_of_a_strategy_have_their_place(
    text: str, kind: str, line: int, column: int, said: str
) -> None:
    problems = ask_code("check", SMALL, strategy=text)["problems"]
    assert {"kind": kind, "line": line, "column": column, "message": said} in [
        {name: fault[name] for name in ("kind", "line", "column", "message")} for fault in problems
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{01:{00:22}", "line 1, column 12"),
        ("01\n 3A0B 22", "Line 2, column 2"),
        ("01\n22", "Line 2, column 1"),
        ("01\n 0A0B 2x", "Line 2, column 7"),
        pytest.param(f"01\n 0A0B 22 ({'9' * 5000})", "Line 2, column 1", id="long count"),
        ("{01:{00:\n{22:{0Z:3}}}}", "Line 2, column 6"),
        ("{01:{00:{}}}", "Line 1, column 9"),
        ('{"guess":"01","answers":{"0A0B":{"guess":"22","answers":"33"}}}', "Line 1, column 58"),
        ("", "Line 1, column 1"),
        ("{01:" * 200, "guesses in a row"),
        ('{"01', "quotation mark"),
    ],
)
def test_damaged_strategy_text_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BadNotation, match=f"(?i){place}") as caught:
        ask_code("check", SMALL, strategy="00\n", other=text)
    assert caught.value.where == "$.options.other"


def test_totals_are_weighted_where_codes_have_weights() -> None:
    position = {"rules": {"pegs": 2, "colours": 3}, "prior": {"kinds": {"00": 4, "01": 3}}}
    best = ask_code("strategy", position, criterion="optimal", tree=True)
    found = ask_code("check", position, strategy=json.dumps(best["tree"]))
    for name in ("total", "average", "weight", "histogram"):
        assert found[name] == best[name]


# ---- review -------------------------------------------------------------------------------------

SMALL_RULES = [{"pegs": 3, "colours": 3}, {"pegs": 3, "colours": 4}, {"pegs": 2, "colours": 5}]


def clue(guess: str, secret: str) -> dict[str, Any]:
    exact, partial = slow.answer(guess, secret)
    return {"guess": guess, "exact": exact, "partial": partial}


def random_game(rules: dict[str, Any], dice: random.Random) -> tuple[str, list[dict[str, Any]]]:
    every = slow.codes(rules["pegs"], rules["colours"], rules.get("repeat", True))
    secret = dice.choice(every)
    asked = [dice.choice(every) for _ in range(dice.randint(0, 3))]
    return secret, [clue(g, secret) for g in asked if g != secret] + [clue(secret, secret)]


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize("rules", SMALL_RULES)
def test_loss_of_a_row_is_its_cost_above_the_optimum(
    rules: dict[str, Any],
) -> None:
    every = slow.codes(rules["pegs"], rules["colours"], True)
    search = slow.Optimum(every)
    for seed in sample(range(12)):
        secret, clues = random_game(rules, random.Random(seed))
        found = ask_code("review", {"rules": rules, "clues": clues}, guesses=True)
        assert found["secret"] == secret
        for i, row in enumerate(found["guesses"]):
            earlier = [(c["guess"], (c["exact"], c["partial"])) for c in clues[:i]]
            left = slow.consistent(every, earlier)
            whole, cost = frozenset(left), row["guesses"]
            least = search.of_set(whole)[0] / len(left)
            assert cost["best"]["expected"] == pytest.approx(least)
            if search.cells(row["guess"], whole) != [whole]:
                own = search.of_guess(row["guess"], whole)[0] / len(left)
                assert cost["mine"]["expected"] == pytest.approx(own)
                assert cost["given"]["expected"] == pytest.approx(own - least)


@pytest.mark.sampled(of="code, full search")
def test_number_of_guesses_is_the_optimum_plus_loss_minus_luck() -> None:
    dice = random.Random(4)
    for rules in [*SMALL_RULES, {"pegs": 4, "colours": 6}]:
        for _ in range(3):
            _, clues = random_game(rules, dice)
            found = ask_code("review", {"rules": rules, "clues": clues}, guesses=True)
            costs = [row["guesses"] for row in found["guesses"]]
            if None in costs:  # a guess without information has no end
                continue
            given = sum(cost["given"]["expected"] for cost in costs)
            luck = sum(cost["luck"] for cost in costs)
            assert found["given"] == pytest.approx(given)
            assert costs[0]["best"]["expected"] + given - luck == pytest.approx(len(clues))


def test_interval_of_a_loss_contains_the_exact_loss() -> None:
    rules = {"pegs": 4, "colours": 8, "repeat": False}
    clues = [clue(guess, "7654") for guess in ("0123", "4567", "7654")]
    position = {"rules": rules, "clues": clues}
    rough = ask_code("review", position, guesses=True, seconds=0.0)["guesses"]
    exact = ask_code("review", position, guesses=True)["guesses"]
    for row, true in zip(rough, exact, strict=True):
        given, known = row["guesses"]["given"], true["guesses"]["given"]["expected"]
        low, high = given.get("low", known), given.get("high", known)
        assert low - 1e-9 <= known <= high + 1e-9


def test_progress_contains_the_review_so_far() -> None:
    position = {"clues": [clue(guess, "3142") for guess in ("0012", "3514", "3142")]}
    request = {"desk": "code", "want": "review", "position": position, "options": {"guesses": True}}
    shown: list[Any] = [progress.best for progress in start(request) if progress.best is not None]
    assert shown
    known = [[row.guesses is not None for row in review.guesses] for review in shown]
    assert known[0] == [False, False, False]
    assert known[-1] == [True, True, False]


def test_shared_text_contains_no_guess_and_no_code() -> None:
    clues = [clue(guess, "3142") for guess in ("0012", "3514", "3142")]
    found = ask_code("review", {"clues": clues}, guesses=True)
    lines = found["share"].splitlines()
    assert lines[0] == "Mastermind: 3 guesses"
    assert lines[1:4] == ["⚫⚪··", "⚫⚪⚪·", "⚫⚫⚫⚫"]
    assert lines[4].endswith("guesses given away")
    for code in ("0012", "3514", "3142"):
        assert code not in found["share"]


def total_by_advice(clues: list[dict[str, Any]], left: list[str]) -> int:
    """Return the total of guesses over these codes if the first advice is always followed."""
    found = ask_code(
        "advise", {"clues": clues}, criterion="guesses", top=1, guesses=False, settle=True
    )
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
def test_following_the_advice_by_guesses_is_optimal_in_mastermind() -> None:
    """5625 guesses over 1296 codes, the optimum (Koyama and Lai 1993): every row has loss 0."""
    assert total_by_advice([], slow.codes(4, 6, True)) == 5625


def test_repeated_row_loses_exactly_one_guess() -> None:
    rows = [("00", 1), ("00", 1), ("10", 2)]
    position = {
        "rules": {"pegs": 2, "colours": 4},
        "clues": [{"guess": guess, "exact": exact, "partial": 0} for guess, exact in rows],
    }
    found = [row["guesses"] for row in ask_code("review", position, guesses=True)["guesses"]]
    assert [row["given"]["expected"] for row in found] == [0.3125, 1.0, 0.0]
    assert found[1]["luck"] == 0
