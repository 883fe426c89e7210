"""Repairs of contradictory clues, and partly known answers."""

import random
from typing import Any

import pytest

from asking import ask_code
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position, Rules, answer, guess_error
from cluewise.desks.code.verbs.doubt import slip_candidates
from reference import code as slow
from selection import sample

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
    """Return a game with one row changed to a contradiction, the row's index and its original."""
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
def test_every_single_row_slip_is_found_with_its_remaining_codes(rules: Rules) -> None:
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
def test_intended_row_is_among_the_slips_and_usually_near_the_top(kind: str, within: int) -> None:
    rules, dice, places = Rules(4, 6), random.Random(11), []
    for _ in range(40):
        clues, i, meant = broken(rules, 6, dice, (kind,))
        shown = [changed(clues, slip) for slip in doubt(rules, clues)["slips"]]
        places.append(shown.index([*clues[:i], meant, *clues[i + 1 :]]))
    assert sum(place < 8 for place in places) >= within


def test_two_answers_off_by_one_are_found_if_no_single_row_is_a_repair() -> None:
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


def test_slips_are_ordered_by_likelihood() -> None:
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


def test_slip_probabilities_of_a_row_sum_to_one_and_favour_small_changes() -> None:
    for rules in RULES:
        clue = Clue("012"[: rules.pegs] + "3" * (rules.pegs - 3), 1, 0)
        ways = list(slip_candidates(rules, clue))
        assert sum(chance for _, (_, chance) in ways) == pytest.approx(1)
        near = {row: chance for kind, (row, chance) in ways if kind == "answer"}
        assert near[Clue(clue.guess, 0, 0)] > near[Clue(clue.guess, 3, 0)]


def test_slips_change_only_the_known_half_of_an_answer() -> None:
    clues = [Clue("0011", 0, 0), Clue("0101", 2, None)]
    slips = doubt(Rules(4, 6), clues)["slips"]
    answers = [s["changes"][0] for s in slips if s["kind"] == "answer" and s["changes"][0]["clue"]]
    assert [(c["exact"], c["partial"]) for c in answers] == [(0, None)]


def test_mistyped_row_is_found_for_rules_too_large_to_enumerate() -> None:
    rules = Rules(8, 16)
    guesses = ["00112233", "44556677", "8899aabb", "ccddeeff", "04152637", "048c159d"]
    clues = [Clue(g, *answer(rules, g, "0246135f")) for g in guesses]
    wrong = [*clues[:4], Clue("04152637", 8, 0), clues[5]]
    found = doubt(rules, wrong)
    assert found["contradiction"]
    assert clues in [changed(wrong, slip) for slip in found["slips"]]


# ---- partly known answers ------------------------------------------------------------------------


PARTIAL_RULES: list[dict[str, Any]] = [
    {"pegs": 3, "colours": 4, "repeat": True},
    {"pegs": 4, "colours": 6, "repeat": True},
    {"pegs": 4, "colours": 6, "repeat": False, "leading_zero": False},
    {"pegs": 3, "colours": 5, "repeat": True, "leading_zero": False},
]
Halves = slow.Halves


def histories(
    rules: dict[str, Any], dice: random.Random
) -> tuple[list[tuple[str, Halves]], set[str]]:
    """Return a random history with unknown halves, and the consistent codes."""
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


@pytest.mark.parametrize("rules", PARTIAL_RULES)
def test_remaining_codes_agree_with_partly_known_answers(rules: dict[str, Any]) -> None:
    dice = random.Random(5)
    for _ in range(60):
        rows, left = histories(rules, dice)
        found = ask_code("remaining", position_of(rules, rows), top=5000)
        assert (found["count"], found["codes"]) == (len(left), sorted(left))


@pytest.mark.parametrize("rules", PARTIAL_RULES)
def test_advice_counts_only_codes_that_agree_with_partly_known_answers(
    rules: dict[str, Any],
) -> None:
    dice = random.Random(6)
    for _ in range(12):
        rows, left = histories(rules, dice)
        found = ask_code("advise", position_of(rules, rows), top=3)
        assert found["remaining"] == len(left)
        for option in found["options"]:
            cells = slow.split(option["guess"], left)
            assert option["answers"] == {f"{x}A{y}B": n for (x, y), n in sorted(cells.items())}
            assert option["possible"] == (option["guess"] in left)


def test_guesses_of_a_class_have_equal_partitions() -> None:
    """Codes without a leading zero have fewer symmetries, so classes must respect the rule."""
    rules, dice = PARTIAL_RULES[3], random.Random(8)
    for _ in range(6):
        rows, left = histories(rules, dice)
        position = position_of(rules, rows)
        every = slow.codes(3, 5, True)
        kept = ask_code("classes", position)["representatives"]
        splits = {tuple(sorted(slow.split(g, left).values())) for g in every}
        assert splits == {tuple(sorted(slow.split(g, left).values())) for g in kept}
        one, other = dice.sample(every, 2)
        same = ask_code("equivalent", position, guesses=[one, other])["question"]["same"]
        if same:
            assert sorted(slow.split(one, left).items()) == sorted(slow.split(other, left).items())


def test_large_rules_count_codes_for_partly_known_answers() -> None:
    rules = {"pegs": 8, "colours": 12, "repeat": True}

    def count(exact: int | None, partial: int | None, **more: Any) -> int:
        clue = {"guess": "00112345", "exact": exact, "partial": partial}
        return int(ask_code("remaining", {"rules": rules | more, "clues": [clue]}, top=0)["count"])

    assert count(2, None) == sum(count(2, y) for y in range(7))
    assert count(None, 1) == sum(count(x, 1) for x in range(7))
    assert count(2, 1, leading_zero=False) < count(2, 1)
    whole = {"rules": rules | {"leading_zero": False}}
    assert ask_code("remaining", whole, top=0)["count"] == 11 * 12**7
    assert ask_code("remaining", {"rules": {"pegs": 4, "colours": 10, "repeat": False,
                                       "leading_zero": False}}, top=1) == {
        "count": 4536, "codes": ["1023"]}  # fmt: skip


def test_repairs_change_only_the_known_half_of_an_answer() -> None:
    rows: list[tuple[str, Halves]] = [("0011", (0, 0)), ("0101", (2, None))]
    found = ask_code("doubt", position_of(PARTIAL_RULES[1], rows))
    assert found["contradiction"]
    assert found["smallest"] == [[0, 1]]
    other = [r for r in found["repairs"] if r["clue"] == 1]
    assert [(r["exact"], r["partial"], r["distance"]) for r in other] == [(0, None, 2)]
    assert other[0]["remaining"] == 256


@pytest.mark.parametrize("seed", range(6))
def test_dealt_code_has_no_leading_zero_if_the_rules_exclude_it(seed: int) -> None:
    rules = {"pegs": 2, "colours": 3, "leading_zero": False}
    dealt = ask_code("deal", {"rules": rules}, seed=seed)["position"]
    position = dealt | {"shown": True}
    assert ask_code("judge", position, guess="00")["exact"] < 2
    assert ask_code("review", position)["secret"][0] != "0"
