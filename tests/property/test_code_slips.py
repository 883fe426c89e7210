"""What may have gone wrong in rows that contradict, against going through all codes."""

import random
from typing import Any

import pytest

from asking import ask_code
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position, Rules, answer, guess_error
from cluewise.desks.code.verbs.doubt import slip_candidates
from reference import code as slow
from sampling import sample

RULES = [
    Rules(3, 4), Rules(4, 5, repeat=False), Rules(4, 6), Rules(3, 4, blanks=True),
    Rules(3, 5, feedback="exact"),
]  # fmt: skip


def codes(rules: Rules) -> list[str]:
    return slow.codes(rules.pegs, rules.colours, rules.repeat)


def left(rules: Rules, clues: list[Clue]) -> int:
    return sum(all(c.agrees(answer(rules, c.guess, s)) for c in clues) for s in codes(rules))


def doubt(rules: Rules, clues: list[Clue]) -> Any:
    return ask_code("doubt", Position(rules, tuple(clues)))


def game(rules: Rules, rows: int, dice: random.Random) -> list[Clue]:
    every = slow.guesses(rules.pegs, rules.colours, rules.repeat, rules.blanks)
    secret = dice.choice(codes(rules))
    guesses = dice.sample(every, rows)
    return [Clue(g, *answer(rules, g, secret)) for g in guesses]


def broken(rules: Rules, rows: int, dice: random.Random, kinds: tuple[str, ...]) -> Any:
    """A game with one row written wrong so that nothing fits: what it became, and what it was."""
    while True:
        clues = game(rules, rows, dice)
        i = dice.randrange(rows)
        others = [row for kind, (row, _) in slip_candidates(rules, clues[i]) if kind in kinds]
        if others:
            wrong = [*clues[:i], dice.choice(others), *clues[i + 1 :]]
            if not left(rules, wrong):
                return wrong, i, clues[i]


def changed(clues: list[Clue], slip: Any) -> list[Clue]:
    rows = list(clues)
    for change in slip["changes"]:
        rows[change["clue"]] = Clue(change["guess"], change["exact"], change["partial"])
    return rows


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_slip_of_one_row_is_found_and_leaves_the_codes_it_says(rules: Rules) -> None:
    for seed in sample(range(12)):
        clues, _, _ = broken(rules, 4, random.Random(seed), ("answer", "peg", "swap"))
        slips = doubt(rules, clues)["slips"]
        for slip in slips:
            rows = changed(clues, slip)
            assert slip["remaining"] == left(rules, rows) > 0
            assert all(guess_error(rules, row.guess) is None for row in rows)
        shown = [tuple(changed(clues, s)) for s in slips if s["kind"] != "two"]
        expected = {
            tuple(rows)
            for i, clue in enumerate(clues)
            for _, (row, _) in slip_candidates(rules, clue)
            if left(rules, rows := [*clues[:i], row, *clues[i + 1 :]])
        }
        assert len(shown) == len(set(shown))
        assert set(shown) <= expected
        if len(slips) < 50:
            assert set(shown) == expected


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize(("kind", "within"), [("answer", 40), ("peg", 30), ("swap", 32)])
def test_what_was_meant_is_among_the_slips_and_mostly_near_the_top(kind: str, within: int) -> None:
    rules, dice, places = Rules(4, 6), random.Random(11), []
    for _ in range(40):
        clues, i, meant = broken(rules, 6, dice, (kind,))
        shown = [changed(clues, slip) for slip in doubt(rules, clues)["slips"]]
        places.append(shown.index([*clues[:i], meant, *clues[i + 1 :]]))
    assert sum(place < 8 for place in places) >= within


def test_two_answers_that_are_one_off_are_found_where_no_row_alone_mends() -> None:
    rules, dice, seen = Rules(4, 6), random.Random(3), 0
    while seen < 8:
        clues = game(rules, 6, dice)
        wrong = list(clues)
        for i in dice.sample(range(6), 2):
            near = [r for k, (r, _) in slip_candidates(rules, clues[i]) if k == "answer"
                    and abs(r.exact - clues[i].exact) + abs(r.partial - clues[i].partial) == 1]  # type: ignore[operator]  # whole answers  # fmt: skip
            wrong[i] = dice.choice(near)
        if left(rules, wrong):
            continue
        slips = doubt(rules, wrong)["slips"]
        if any(slip["kind"] != "two" for slip in slips):
            continue
        seen += 1
        assert clues in [changed(wrong, slip) for slip in slips]


def test_the_likelier_slip_stands_first() -> None:
    rules, dice, compared = Rules(4, 6), random.Random(2), 0
    for _ in range(10):
        clues, _, _ = broken(rules, 4, dice, ("peg",))
        slips = doubt(rules, clues)["slips"]
        pegs = [(s["changes"][0]["clue"], s["remaining"]) for s in slips if s["kind"] == "peg"]
        for row in range(4):
            sizes = [n for clue, n in pegs if clue == row]
            assert sizes == sorted(sizes, reverse=True)
            compared += len(set(sizes)) > 1
    assert compared > 5


def test_chances_of_a_row_add_up_and_prefer_what_is_near() -> None:
    for rules in RULES:
        clue = Clue("012"[: rules.pegs] + "3" * (rules.pegs - 3), 1, 0)
        ways = list(slip_candidates(rules, clue))
        assert sum(chance for _, (_, chance) in ways) == pytest.approx(1)
        near = {row: chance for kind, (row, chance) in ways if kind == "answer"}
        assert near[Clue(clue.guess, 0, 0)] > near[Clue(clue.guess, 3, 0)]


def test_a_slip_is_looked_for_in_the_half_that_a_row_tells() -> None:
    clues = [Clue("0011", 0, 0), Clue("0101", 2, None)]
    slips = doubt(Rules(4, 6), clues)["slips"]
    answers = [s["changes"][0] for s in slips if s["kind"] == "answer" and s["changes"][0]["clue"]]
    assert [(c["exact"], c["partial"]) for c in answers] == [(0, None)]


def test_rules_too_large_to_go_through_name_the_row_that_was_mistyped() -> None:
    rules = Rules(8, 16)
    guesses = ["00112233", "44556677", "8899aabb", "ccddeeff", "04152637", "048c159d"]
    clues = [Clue(g, *answer(rules, g, "0246135f")) for g in guesses]
    wrong = [*clues[:4], Clue("04152637", 8, 0), clues[5]]
    found = doubt(rules, wrong)
    assert found["contradiction"]
    assert clues in [changed(wrong, slip) for slip in found["slips"]]
