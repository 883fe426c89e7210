"""A given strategy is played with every code; against playing code by code."""

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import ask_code
from cluewise.errors import BadNotation
from reference import code as slow
from reference.code import games

SMALL = {"rules": {"pegs": 2, "colours": 4}}


def draw_tree(feedback: str, every: list[str], left: list[str], dice: random.Random) -> Any:
    """A strategy that leaves a branch out now and then, and one that stops early."""
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
    """The number of guesses that find the code; 0: it is not found."""
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
    """Braces with the answers as two digits and the colours as letters."""
    pairs = re.compile(r"(\d)A(\d)B:|(\d)")
    return pairs.sub(lambda m: "ABCDEF"[int(m[3])] if m[3] else f"{m[1]}{m[2]}:", text)


@given(
    games(), st.randoms(use_true_random=False), st.sampled_from([as_lines, as_braces, json.dumps])
)
def test_a_strategy_is_played_with_every_code(game: Any, dice: random.Random, write: Any) -> None:
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
def test_the_optimal_strategy_is_read_in_every_spelling(write: Any) -> None:
    tree = full(ask_code("strategy", {}, criterion="optimal", tree=True)["tree"])
    found = ask_code("check", {}, strategy=write(tree))
    assert (found["complete"], found["total"], found["worst"]) == (True, 5625, 6)


def full(tree: Any) -> Any:
    """The tree with `answers` in every branch."""
    return {**tree, "answers": {a: full(t) for a, t in tree.get("answers", {}).items()}}


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
def test_faults_of_a_strategy_are_reported_with_their_place(
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
        ("{01:{00:\n{22:{0Z:3}}}}", "Line 2, column 6"),
        ("{01:{00:{}}}", "Line 1, column 9"),
        ('{"guess":"01","answers":{"0A0B":{"guess":"22","answers":"33"}}}', "Line 1, column 58"),
        ("", "Line 1, column 1"),
        ("{01:" * 200, "guesses in a row"),
        ('{"01', "quotation mark"),
    ],
)
def test_a_damaged_text_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BadNotation, match=f"(?i){place}") as caught:
        ask_code("check", SMALL, strategy="00\n", other=text)
    assert caught.value.where == "$.options.other"


def test_totals_are_weighted_where_codes_have_weights() -> None:
    position = {"rules": {"pegs": 2, "colours": 3}, "prior": {"kinds": {"00": 4, "01": 3}}}
    best = ask_code("strategy", position, criterion="optimal", tree=True)
    found = ask_code("check", position, strategy=json.dumps(best["tree"]))
    for name in ("total", "average", "weight", "histogram"):
        assert found[name] == best[name]
