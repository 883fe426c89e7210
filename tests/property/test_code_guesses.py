"""Expected guesses after a guess: against an exhaustive search and published values."""

import random
from array import array
from typing import Any

import pytest

from asking import ask_code, steps_of, vectors
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine import costs as costs_module
from cluewise.desks.code.engine import tree
from cluewise.desks.code.engine.costs import Costs, perfect_total
from cluewise.desks.code.engine.optimal import Search
from cluewise.desks.code.engine.state import load, load_space, pack
from cluewise.desks.code.position import Position, Rules, answer
from cluewise.kernel import kernel
from cluewise.service import start
from reference import code as slow

CASES = vectors("code_guesses")

SMALL = [Rules(3, 3), Rules(3, 4), Rules(3, 5, repeat=False), Rules(4, 3), Rules(2, 5)]
BULLS = {"pegs": 4, "colours": 10, "repeat": False}


def ask(rules: Any, clues: list[Clue], **options: Any) -> Any:
    given = rules if isinstance(rules, Rules) else Rules(**rules)
    return ask_code("advise", Position(given, tuple(clues)), **options)


def states(rules: Rules, most: int, dice: random.Random) -> tuple[list[Clue], list[str]]:
    """Return a random history that leaves 2 to `most` codes, and these codes."""
    every = slow.codes(rules.pegs, rules.colours, rules.repeat)
    while True:
        secret = dice.choice(every)
        guesses = [dice.choice(every) for _ in range(dice.choice((1, 2, 2, 3)))]
        clues = [Clue(guess, *answer(rules, guess, secret)) for guess in guesses]
        left = slow.consistent(every, [(c.guess, (c.exact, c.partial)) for c in clues])
        if 2 <= len(left) <= most:
            return clues, left


@pytest.mark.sampled(of="code, full search")
def test_cost_of_a_guess_equals_the_full_search_and_lies_in_its_interval() -> None:
    """520 random states: exact totals and worst cases, lower bounds and totals of real trees."""
    dice, tried = random.Random(11), 0
    for rules in SMALL:
        every = slow.codes(rules.pegs, rules.colours, rules.repeat)
        search = slow.Optimum(every)
        for _ in range(104):
            clues, left = states(rules, 12, dice)
            whole = frozenset(left)
            with kernel().frame() as frame:
                state = finish(load(frame, rules, clues))
                finish(load_space(state))
                costs = Costs(state, False, None)
                for guess in dice.sample(every, 3):
                    total, worsts = search.of_guess(guess, whole)
                    bracket = finish(costs.bracket(pack(guess)))
                    assert bracket.low <= total <= bracket.high
                    cost = finish(costs.find_exact(pack(guess)))
                    assert cost is not None
                    assert (cost.low, cost.high) == (total, total)
                    assert cost.worst in worsts
            tried += 1
    assert tried >= 500


@pytest.mark.parametrize("rules", [Rules(3, 4), Rules(3, 5, repeat=False), Rules(2, 5)])
def test_cost_bounds_hold_without_comparing_all_codes(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits are lowered, so that the least total is known by a full search."""
    for module in (tree, costs_module):
        monkeypatch.setattr(module, "MAX_WHOLE", 3)
    monkeypatch.setattr(tree, "CANDIDATES", 2)
    monkeypatch.setattr(costs_module, "MAX_TREE_PAIRS", 0)
    every = slow.codes(rules.pegs, rules.colours, rules.repeat)
    search, dice = slow.Optimum(every), random.Random(13)
    for _ in range(30):
        clues, left = states(rules, 20, dice)
        with kernel().frame() as frame:
            state = finish(load(frame, rules, clues))
            found = finish(tree.greedy_histogram(state, array("Q", map(pack, left)), clues))
            assert sum(found) == len(left)
            for guess in dice.sample(every, 3):
                total, _ = search.of_guess(guess, frozenset(left))
                bracket = finish(Costs(state, False, 0).bracket(pack(guess)))
                assert bracket.low <= total <= bracket.high


@pytest.mark.parametrize(
    ("rules", "guesses"), CASES["costs of large rules are bounded in review and advice"]
)
def test_costs_of_large_rules_have_bounds(rules: dict[str, Any], guesses: list[str]) -> None:
    """p6c9r from its second row on, p7c12r (35 831 808 codes) with the 142 548 after its first."""
    given = Rules(rules["pegs"], rules["colours"], repeat=rules.get("repeat", True))
    secret = "0152361"[: given.pegs] if given.repeat else "015236"
    clues = [Clue(guess, *answer(given, guess, secret)) for guess in guesses]
    last = ask(rules, clues[:-1], criterion="guesses", top=1, mine=guesses[-1])
    for cost in (last["least"], last["options"][0]["guesses"], last["mine"]["guesses"]):
        assert 1 <= cost["low"] < cost["high"] <= cost["low"] + 1.3
    assert last["least"]["low"] <= last["mine"]["guesses"]["low"]
    assert last["least"]["high"] <= last["mine"]["guesses"]["high"]


def test_review_has_the_reason_for_a_missing_cost() -> None:
    rules = {"pegs": 8, "colours": 12}
    clues = [{"guess": "00112233", "exact": 1, "partial": 1}]
    found = ask_code("review", {"rules": rules, "clues": clues}, guesses=True)
    assert found["guesses"][0]["guesses"] is None
    assert "1,048,576" in found["guesses"][0]["uncosted"]
    assert "429,981,696" in found["guesses"][0]["uncosted"]


def test_costs_by_cell_equal_costs_in_one_frame() -> None:
    rules, clues = Rules(4, 6), [Clue("0012", 1, 1)]
    for guess in ("0304", "1132", "0011", "5555"):
        found = []
        for whole in (True, False):
            with kernel().frame() as frame:
                state = finish(load(frame, rules, clues))
                finish(load_space(state))
                costs = Costs(state, False, None)
                costs.fits_frame = whole
                cost = finish(costs.find_exact(pack(guess)))
                assert cost is not None
                found.append(cost.high)
        assert found[0] == found[1], guess


@pytest.mark.sampled(of="code, full search")
def test_cheapest_guesses_equal_the_full_search() -> None:
    dice = random.Random(3)
    for rules in SMALL:
        every = slow.codes(rules.pegs, rules.colours, rules.repeat)
        search = slow.Optimum(every)
        for _ in range(8):
            clues, left = states(rules, 10, dice)
            whole = frozenset(left)
            found = ask(rules, clues, criterion="guesses", top=5, mine=every[-1])
            assert found["criterion"] == "guesses"
            shown = found["options"]
            best = search.of_set(whole)[0]
            totals = [round(o["guesses"]["expected"] * len(left)) for o in shown]
            assert totals == sorted(totals)
            assert totals[0] == best
            for option, total in zip(shown, totals, strict=True):
                assert search.of_guess(option["guess"], whole)[0] == total
            everything = ask(rules, clues, criterion="guesses", top=1000)["options"]
            assert [o["guess"] for o in everything[: len(shown)]] == [o["guess"] for o in shown]
            expected = [o["guesses"]["expected"] for o in everything]
            assert found["ties"] == sum(e == expected[0] for e in expected)


def test_first_guess_of_mastermind_has_the_published_cost() -> None:
    """5625 guesses over 1296 codes, by 0012 (Koyama and Lai 1993)."""
    found = ask({}, [], criterion="guesses")
    best = found["options"][0]
    assert best["guess"] == "0012"
    assert best["guesses"] == {"exact": True, "expected": 5625 / 1296, "worst": 6}
    assert all(o["guesses"]["exact"] for o in found["options"])
    by_bits = {o["guess"]: o["guesses"] for o in ask({}, [])["options"]}
    assert by_bits["0012"] == best["guesses"]


@pytest.mark.long
def test_first_guess_of_bulls_and_cows_has_the_published_cost() -> None:
    """26274 guesses over 5040 codes."""
    found = ask(BULLS, [], criterion="guesses")["options"][0]["guesses"]
    assert found["exact"] is True
    assert found["expected"] == 26274 / 5040


def test_costs_for_the_ranking_are_computed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second search would find no memory left in the largest games, and show brackets."""
    begun: list[int] = []
    whole = Search.__init__

    def counted(self: Search, *words: Any, **named: Any) -> None:
        begun.append(1)
        whole(self, *words, **named)

    monkeypatch.setattr(Search, "__init__", counted)
    found = ask({}, [Clue("0011", 1, 1)], criterion="guesses")
    assert all(option["guesses"]["exact"] for option in found["options"])
    assert len(begun) == 1


def test_without_time_the_cost_is_an_interval_that_contains_the_optimum() -> None:
    found = ask(BULLS, [], criterion="guesses", seconds=0)["options"][0]["guesses"]
    assert found["exact"] is False
    assert found["low"] <= 26274 / 5040 <= found["high"]
    assert set(found) == {"exact", "low", "high"}


def test_progress_contains_the_costs_computed_so_far() -> None:
    bests, _ = steps_of(start({"desk": "code", "want": "advise", "position": {}}))
    seen = [sum(bool(o.guesses and o.guesses.exact) for o in best.options) for best in bests]
    assert seen == sorted(seen)
    assert seen[-1] == 4  # the fifth is in the result


@pytest.mark.parametrize("criterion", ["guesses", "entropy"])
@pytest.mark.parametrize("case", CASES["positions"], ids=lambda case: case["rules"])
def test_guess_without_information_costs_one_more_than_the_best(
    case: dict[str, Any], criterion: str
) -> None:
    pegs, colours = int(case["rules"][1]), int(case["rules"][3:-1])
    rules = {
        "pegs": pegs, "colours": colours, "repeat": case["rules"][-1] == "r",
        "feedback": case["feedback"],
    }  # fmt: skip
    clues = [Clue(c["guess"], c["exact"], c["partial"]) for c in case["clues"]]
    found = ask(rules, clues, criterion=criterion, mine=case["mine"])
    own, n = found["mine"]["guesses"], case["left"]
    assert own["exact"] is True
    assert own["expected"] * n == pytest.approx(case["mine_total"])
    if criterion == "guesses":
        best = found["options"][0]["guesses"]
        assert best["expected"] * n == pytest.approx(case["best_total"])
        assert own["worst"] == 1 + best["worst"]


def test_rank_by_guesses_is_counted_among_all_classes() -> None:
    found = ask({}, [Clue("0011", 1, 1)], criterion="guesses", top=1, mine="0011")
    assert (found["mine"]["rank"], found["kept"]) == (39, 39)
    assert found["mine"]["guesses"] == {"exact": True, "expected": 926 / 208, "worst": 5}


def test_distinct_questions_are_counted_with_and_without_merging() -> None:
    clues = [Clue("0011", 1, 1), Clue("0123", 1, 1), Clue("0204", 1, 1)]
    plain, merged = ask({}, clues, top=1), ask({}, clues, top=1, merge=True)
    assert (plain["kept"], plain["questions"]) == (1296, 480)
    assert (merged["kept"], merged["questions"]) == (480, 480)


def test_costs_are_exact_for_large_rules_with_one_remaining_code() -> None:
    """One code left is exact for any rules; 8 pegs of 16 colours cannot be gone through."""
    for pegs, colours in ((5, 8), (6, 9), (8, 16)):
        secret = "76543210"[:pegs]
        clues = [Clue(secret, pegs, 0)]
        found = ask({"pegs": pegs, "colours": colours}, clues, criterion="guesses", top=1,
                    mine="0" * pegs)  # fmt: skip
        assert found["options"][0]["guesses"] == {"exact": True, "expected": 1.0, "worst": 1}
        assert found["mine"]["guesses"] == {"exact": True, "expected": 2.0, "worst": 2}


def test_options_of_rules_too_large_to_search_have_no_cost() -> None:
    clues = [Clue("01234567", 1, 3)]
    for option in ask({"pegs": 8, "colours": 16}, clues, top=2)["options"]:
        assert "guesses" not in option


def test_perfect_tree_has_k_times_as_many_codes_on_each_level() -> None:
    for n in range(1, 60):
        depths = [1] + [2] * 3 + [3] * 9 + [4] * 27 + [5] * 81
        assert perfect_total(n, 3) == sum(depths[:n])
