"""Two guesses are one question exactly where the reference's classes say so; the steps show it."""

from itertools import combinations
from typing import Any

import pytest

from asking import ask_code
from cluewise.desks.code.permutations import Permutation
from reference import code as slow


def ask(pegs: int, colours: int, repeat: bool, history: slow.History, *guesses: str) -> Any:
    clues = [{"guess": g, "exact": a[0], "partial": a[1]} for g, a in history]
    rules = {"pegs": pegs, "colours": colours, "repeat": repeat}
    return ask_code("equivalent", {"rules": rules, "clues": clues}, guesses=list(guesses))


CASES = [
    (3, 3, True, [("001", (0, 1))]),
    (3, 3, True, [("001", (1, 0)), ("122", (1, 1))]),
    (3, 4, True, [("001", (0, 0))]),
    (2, 3, True, [("00", (0, 0))]),
    (3, 4, False, [("012", (1, 1))]),
    (3, 5, False, [("012", (0, 1))]),
    (2, 4, False, [("01", (0, 1))]),
]


@pytest.mark.parametrize(("pegs", "colours", "repeat", "history"), CASES, ids=str)
def test_two_guesses_are_one_question_exactly_where_the_classes_say_so(
    pegs: int, colours: int, repeat: bool, history: slow.History
) -> None:
    every = slow.codes(pegs, colours, repeat)
    left = slow.consistent(every, history)
    assert left
    present = {c for s in left for c in s}
    excluded = "".join(c for c in slow.SYMBOLS[:colours] if c not in present)
    earlier = [g for g, _ in history]
    classes = {"constraint": slow.constraint_classes(every, earlier, pegs, colours)}
    classes["join"] = slow.constraint_classes(every, earlier, pegs, colours)
    for g in every:
        classes["join"].join(g, slow.excluded_least(g, excluded, repeat))
    classes["partition"] = slow.partition_classes(every, left, pegs, colours)
    for one, other in list(combinations(every, 2))[:: 1 if len(every) < 30 else 7]:
        question = ask(pegs, colours, repeat, history, one, other)["question"]
        holds = [k for k, c in classes.items() if c.find(one) == c.find(other)]
        assert question["same"] is bool(holds), (one, other)
        kind = "join" if question["kind"] == "colour" else question["kind"]
        assert kind == (holds[0] if holds else None), (one, other)
        _check_steps(question, one, other, earlier, left, excluded)


def _check_steps(
    question: Any, one: str, other: str, earlier: list[str], left: list[str], excluded: str
) -> None:
    """Every step does what it says, and the last one ends at the other guess."""
    at = one
    for step in question["steps"]:
        if step["by"] == "colour":
            assert all(slow.answer(at, s) == slow.answer(step["guess"], s) for s in left)
        else:
            move = Permutation(tuple(step["pegs"]), tuple(step["colours"]))
            if step["by"] == "constraint":
                assert move(at) == step["guess"]
                assert [move(g) for g in earlier] == earlier
            else:
                assert sorted(map(move, left)) == left
                for s in left:
                    assert slow.answer(step["guess"], move(s)) == slow.answer(at, s)
        at = step["guess"]
    if question["same"]:
        assert at == other


def test_the_example_of_the_theory_page_is_one_question() -> None:
    """After 0011: 0A0B, 0002 and 1112 by colour, 1112 and 0200 by constraint."""
    history = [("0011", (0, 0))]
    colour = ask(4, 6, True, history, "0002", "1112")
    assert (colour["equivalent"], colour["question"]["kind"]) == (False, "colour")
    join = ask(4, 6, True, history, "0002", "0200")
    assert (join["equivalent"], join["question"]["kind"]) == (False, "join")
    assert [step["by"] for step in join["question"]["steps"]] in (
        ["colour", "constraint"],
        ["constraint", "colour"],
    )
    assert ask(4, 6, True, history, "1112", "0200")["question"]["kind"] == "constraint"
    assert ask(4, 6, True, history, "0002", "2345")["question"]["same"] is False


def test_rules_too_large_to_go_through_are_not_settled_rather_than_denied() -> None:
    found = ask(8, 16, True, [("01234567", (1, 3))], "00112233", "00112244")
    assert found["question"]["same"] is None
