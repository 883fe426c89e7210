"""The code desk: positions, advice, play, equivalence, reviews."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_code as ask
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.relations import excluded_least
from cluewise.desks.code.engine.symmetries import (
    Permutation,
    find_symmetry,
    identity,
)
from cluewise.desks.code.position import GAMES, Rules
from cluewise.desks.code.results import AdviseOptions
from cluewise.desks.code.verbs.advise_large import opening, pattern_of, patterns, scaled
from cluewise.desks.code.verbs.equivalent import same_state
from cluewise.service import start, to_plain
from reference import code as slow

BULLS = {"pegs": 4, "colours": 10, "repeat": False}
P8 = {"pegs": 8, "colours": 16}


def clue(guess: str, exact: int, partial: int = 0, **more: Any) -> dict[str, Any]:
    return {"guess": guess, "exact": exact, "partial": partial, **more}


# ---- positions ----------------------------------------------------------------------------


def test_ignored_clue_changes_no_answer() -> None:
    ignored = {"clues": [clue("0011", 3, 1, ignored=True), clue("0123", 1, 1)]}
    counted = {"clues": [clue("0123", 1, 1)]}
    for want in ("remaining", "classes", "advise", "strategy"):
        assert ask(want, ignored) == ask(want, counted)
    doubt = ask("doubt", {"clues": [clue("0011", 4), clue("0011", 0, 0), clue("0011", 0, 0)]})
    assert doubt["smallest"] == [[0, 1], [0, 2]]
    doubt = ask("doubt", {"clues": [clue("5555", 4, ignored=True), *2 * [clue("0011", 4)]]})
    assert doubt["redundant"] == [1, 2]


@pytest.mark.parametrize(
    "position", [{}, {"clues": [clue("0012", 1, 1), clue("2044", 0, 1)]}, {"rules": BULLS}]
)
def test_colours_are_counted_over_the_remaining_codes(position: dict[str, Any]) -> None:
    found = ask("remaining", position, colours=True, top=10_000)
    codes = found["codes"]
    colours = position.get("rules", {}).get("colours", 6)
    symbols = "0123456789"[:colours]
    assert found["holding"] == [sum(s in code for code in codes) for s in symbols]
    assert found["places"] == [
        [sum(code[peg] == s for code in codes) for s in symbols] for peg in range(4)
    ]
    assert ask("remaining", position, top=3) == {"count": found["count"], "codes": codes[:3]}


# ---- advice -------------------------------------------------------------------------------


def test_sealed_secret_changes_no_advice() -> None:
    plain = {"clues": [clue("0011", 1, 1)]}
    sealed = {**plain, "sealed": ask("deal", {}, seed=7)["sealed"]}
    damaged = {**plain, "sealed": "nonsense"}
    for want in ("advise", "remaining", "doubt", "classes"):
        assert ask(want, plain) == ask(want, sealed) == ask(want, damaged)


@pytest.mark.parametrize(
    "rules",
    [Rules(4, 6), Rules(3, 5, blanks=True), Rules(4, 7, repeat=False), Rules(5, 3),
     Rules(3, 4, repeat=False, blanks=True), Rules(3, 4, feedback="exact"), Rules(2, 1)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("criterion", ["entropy", "minmax", "minavg", "maxparts"])
def test_patterns_give_the_same_advice_as_counting(rules: Rules, criterion: Any) -> None:
    mine = rules.symbols[-1] + ("" if rules.repeat else rules.symbols[:-1])
    mine = (mine * rules.pegs)[: rules.pegs]
    options = AdviseOptions(criterion=criterion, top=100, mine=mine)
    given = {"criterion": criterion, "top": 100, "mine": mine, "guesses": False}
    counted = ask("advise", {"rules": _plain(rules)}, **given)
    assert to_plain(finish(opening(rules, options))) == counted


def _plain(rules: Rules) -> dict[str, Any]:
    return {
        "pegs": rules.pegs, "colours": rules.colours, "repeat": rules.repeat,
        "blanks": rules.blanks, "feedback": rules.feedback,
    }  # fmt: skip


def test_sizes_of_patterns_sum_to_the_number_of_guesses() -> None:
    for rules in (Rules(4, 6), Rules(8, 16, blanks=True), Rules(5, 9, repeat=False)):
        sizes = sum(p.size(rules) for p in patterns(rules, rules.blanks))
        every = (rules.colours + rules.blanks) ** rules.pegs
        assert sizes == (every if rules.repeat else 9 * 8 * 7 * 6 * 5)
    assert pattern_of("0.10").least(Rules(4, 6)) == ".001"


@pytest.mark.parametrize("rules", [P8, {**P8, "blanks": True}, {**P8, "repeat": False}])
def test_empty_position_of_any_size_is_answered_exactly(rules: dict[str, Any]) -> None:
    advice = ask("advise", {"rules": rules}, top=100)
    codes = 16**8 if rules.get("repeat", True) else 518_918_400
    assert advice["exact"] is True
    assert advice["remaining"] == codes
    for option in advice["options"]:
        assert sum(option["answers"].values()) == codes


def test_advice_above_a_million_codes_states_its_sample_and_error() -> None:
    position = {"rules": P8, "clues": [clue("01234567", 1, 3)]}
    advice = ask("advise", position, top=5, mine="00112233")
    assert advice["exact"] is False
    assert advice["sample"] >= 20 * 4096  # more where the error asks for it
    assert 0 < advice["error"] < 0.02
    assert advice["tried"] > 1000
    assert advice["remaining"] == ask("remaining", position, top=0)["count"] == 420_377_160
    for option in [*advice["options"], advice["mine"]]:
        assert sum(option["answers"].values()) == advice["remaining"]
    assert advice["options"][0]["bits"] >= advice["mine"]["bits"]
    assert ask("advise", position, top=5, mine="00112233") == advice


def test_screened_options_are_exact_and_within_the_stated_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The method for p6c10r, on a position small enough to compare with a full count."""
    position = {
        "rules": {"pegs": 5, "colours": 8},
        "clues": [clue("00123", 1, 1)],
    }
    full = ask("advise", position, top=579, mine="44444", guesses=False)
    monkeypatch.setattr("cluewise.desks.code.verbs.advise.MOST_COMPARISONS", 0)
    screened = ask("advise", position, top=5, mine="44444", guesses=False)
    assert screened["exact"] is False
    assert screened["sample"] == 2048
    by_guess = {option["guess"]: option for option in full["options"]}
    for option in screened["options"]:
        assert option == by_guess[option["guess"]]
    lost = full["options"][0]["bits"] - screened["options"][0]["bits"]
    assert 0 <= lost <= screened["gap"] + 1e-12
    assert screened["error"] == 0
    assert screened["mine"]["bits"] == full["mine"]["bits"]
    again = ask("advise", position, top=5, exact=True, guesses=False)
    assert again["options"] == full["options"][:5]


@given(st.dictionaries(st.text(max_size=2), st.integers(1, 99), min_size=1), st.integers(1, 10**10))
@settings(deadline=None, max_examples=100)
def test_scaling_keeps_the_total(cells: dict[str, int], n: int) -> None:
    assert sum(scaled(cells, n).values()) == n


def test_long_list_of_codes_is_complete() -> None:
    position = {"rules": {"pegs": 6, "colours": 10}, "clues": [clue("001123", 1, 1)]}
    found = ask("remaining", position, top=1_000_000)
    assert found["count"] == len(found["codes"]) == 147_654
    assert found["codes"] == sorted(set(found["codes"]))
    every = ask("remaining", {"rules": {"pegs": 6, "colours": 8}}, top=1_000_000)
    assert len(every["codes"]) == every["count"] == 8**6


# ---- play ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, BULLS, P8, {"pegs": 1, "colours": 1}])
def test_dealt_secret_is_sealed_and_answers_guesses(rules: dict[str, Any]) -> None:
    dealt = ask("deal", {"rules": rules}, seed=11)
    assert dealt == ask("deal", {"rules": rules}, seed=11)
    position = {"rules": rules, "sealed": dealt["sealed"]}
    pegs, colours = rules.get("pegs", 4), rules.get("colours", 6)
    guess = slow.SYMBOLS[:pegs] if pegs <= colours else "0" * pegs
    answer = ask("judge", position, guess=guess)
    clues = [clue(guess, answer["exact"], answer["partial"])]
    assert ask("remaining", {"rules": rules, "clues": clues}, top=0)["count"] > 0
    assert answer["won"] == (answer["exact"] == pegs)


def test_every_secret_can_be_dealt() -> None:
    rules = {"pegs": 2, "colours": 3}
    found = set()
    for seed in range(80):
        position = ask("deal", {"rules": rules}, seed=seed)["position"]
        wins = [g for g in slow.codes(2, 3, True) if ask("judge", position, guess=g)["won"]]
        found.add(wins[0])
        assert len(wins) == 1
    assert sorted(found) == slow.codes(2, 3, True)


def test_review_separates_luck_from_loss() -> None:
    clues = [clue("0011", 0, 2), clue("2103", 1, 3), clue("2130", 4)]
    position = {"clues": clues[:1]}
    answers = slow.answer("2103", "2130"), slow.answer("0011", "2130")
    clues = [clue("0011", *answers[1]), clue("2103", *answers[0]), clue("2130", 4)]
    found = ask("review", {"clues": clues}, secret="2130")
    assert found["won"] is True
    assert found["secret"] == "2130"
    before = 1296
    for row, given_clue in zip(found["guesses"], clues, strict=True):
        assert row["before"] == before
        position = {"clues": clues[: clues.index(given_clue) + 1]}
        before = ask("remaining", position, top=0)["count"]
        assert row["after"] == before
        assert row["luck"] == pytest.approx(row["got"] - row["bits"])
        assert row["loss"] >= 0
    assert found["guesses"][-1]["after"] == 1
    assert found["luck"] == pytest.approx(sum(r["luck"] for r in found["guesses"]))


# ---- equivalence --------------------------------------------------------------------------


def test_1314_and_5336_are_equivalent() -> None:
    found = ask("equivalent", {"rules": {"pegs": 4, "colours": 7}}, guesses=["1314", "5336"])
    assert found["equivalent"] is True
    witness = Permutation(tuple(found["pegs"]), tuple(found["colours"]))
    assert witness("1314") == "5336"
    back = witness.inverse()
    assert [witness.colours[int("1314"[back.pegs[i]])] for i in range(4)] == [5, 3, 3, 6]


CODES = st.text("012", min_size=3, max_size=3)
PERMUTATIONS = st.builds(
    lambda pegs, colours: Permutation(tuple(pegs), tuple(colours)),
    st.permutations(range(3)),
    st.permutations(range(3)),
)


@given(PERMUTATIONS, PERMUTATIONS, CODES, CODES)
@settings(deadline=None, max_examples=200)
def test_permutations_compose_invert_and_preserve_answers(
    a: Permutation, b: Permutation, guess: str, secret: str
) -> None:
    rules = Rules(3, 3)
    assert a.after(b)(guess) == a(b(guess))
    assert a.inverse()(a(guess)) == guess
    assert a.after(a.inverse()) == identity(rules)
    assert slow.answer(a(guess), a(secret)) == slow.answer(guess, secret)
    still = identity(rules)
    pegs, colours = Permutation(a.pegs, still.colours), Permutation(still.pegs, a.colours)
    assert pegs(colours(guess)) == colours(pegs(guess)) == a(guess)


@given(st.lists(CODES, min_size=1, max_size=2), PERMUTATIONS)
@settings(deadline=None, max_examples=100)
def test_witness_is_the_lexicographically_first(guesses: list[str], hidden: Permutation) -> None:
    rules, images = Rules(3, 3), [hidden(g) for g in guesses]
    orders = [p for p in product(range(3), repeat=3) if len(set(p)) == 3]
    every = [Permutation(p, c) for p in orders for c in orders]
    least = next(p for p in every if [p(g) for g in guesses] == images)
    found = find_symmetry(rules, guesses, images)
    assert found is not None
    assert (found.pegs, found.colours) == (least.pegs, least.colours)


# ---- the rest -----------------------------------------------------------------------------


def test_preset_games_have_their_usual_rules() -> None:
    assert GAMES["Mastermind"].name == "p4c6r"
    assert GAMES["Bulls & Cows"].name == "p4c10n"


def test_lower_bound_in_the_progress_never_decreases() -> None:
    job = start(
        {"desk": "code", "want": "strategy", "position": {"rules": {"pegs": 4, "colours": 5}},
         "options": {"criterion": "optimal"}}
    )  # fmt: skip
    bounds, result = [], None
    while result is None:
        try:
            best = next(job).best
        except StopIteration as stop:
            result = stop.value.result
            break
        if best is not None:
            bounds.append(best.bound)  # type: ignore[attr-defined]  # a Strategy
            assert best.bound <= 2463 <= best.total  # type: ignore[attr-defined]  # a Strategy
    assert result["total"] == 2463
    assert bounds == sorted(bounds)


TWO_LEFT = {"clues": [clue("0012", 0, 4)]}  # 1200 and 2100


@given(st.lists(st.tuples(st.text("012", min_size=3, max_size=3), st.integers(0, 3)), max_size=5))
@settings(deadline=None, max_examples=60)
def test_irreducible_rows_leave_the_same_codes_and_none_is_redundant(
    rows: list[tuple[str, int]],
) -> None:
    secret = "021"
    clues = [clue(guess, *slow.answer(guess, secret)) for guess, _ in rows]
    position = {"rules": {"pegs": 3, "colours": 3}, "clues": clues}
    kept = [clues[i] for i in ask("doubt", position)["irreducible"]]
    smaller = {**position, "clues": kept}
    codes = ask("remaining", position, top=100)
    assert ask("remaining", smaller, top=100) == codes
    assert ask("doubt", smaller)["redundant"] == []


def test_merged_advice_has_one_option_per_vector_of_answers() -> None:
    every = slow.codes(4, 6, True)
    left = ["1200", "2100"]
    plain = ask("advise", TWO_LEFT, top=1296)
    merged = ask("advise", TWO_LEFT, top=1296, merge=True)
    assert merged["unmerged"] == plain["kept"] == 88
    assert "unmerged" not in plain
    vectors = {tuple(slow.answer(o["guess"], s) for s in left) for o in merged["options"]}
    assert len(vectors) == len(merged["options"]) == merged["kept"] < 88
    assert sum(o["same"] for o in merged["options"]) == len(every)
    assert "unmerged" not in ask("advise", {}, merge=True)


def test_advice_within_rows_counts_unmerged_classes_only_if_merged() -> None:
    within = {"criterion": "within", "rows": 2, "consistent_only": True}
    assert "unmerged" not in ask("advise", TWO_LEFT, **within)
    assert ask("advise", TWO_LEFT, **within, merge=True)["unmerged"] == 88


def test_cheapest_guess_is_in_the_progress_before_the_rest_of_the_list() -> None:
    position = {"clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
    options = {"criterion": "guesses"}
    job = start({"desk": "code", "want": "advise", "position": position, "options": options})
    reports: list[Any] = [progress.best for progress in job if progress.best is not None]
    first = next(report for report in reports if report.least and report.least.exact)
    found = ask("advise", position, criterion="guesses")
    assert first.least.expected == found["least"]["expected"]
    assert first.options[0].guess == found["options"][0]["guess"]
    assert len(first.options) < len(found["options"])


def test_equality_of_states_is_undecided_only_for_sets_too_large() -> None:
    none = finish(same_state(Rules(pegs=12, colours=20), [], [Clue("0" * 12, 0, 0)]))
    assert none is None
    found = finish(same_state(Rules(pegs=4, colours=6), [Clue("0011", 0, 0)], [Clue("0012", 0, 0)]))
    assert found is not None
    assert found.same is False


def test_excluded_colours_are_replaced_by_the_least_of_them() -> None:
    assert excluded_least(Rules(), "0123", 0) == "0123"
    mask = sum(1 << "_012345".index(c) for c in "135")
    assert excluded_least(Rules(), "0153", mask) == "0111"
    assert excluded_least(Rules(repeat=False), "0532", mask) == "0132"
