"""Kinds of feedback, priors and remaining rows against the definitions, for random positions."""

import json
from array import array
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement
from math import log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import ask_code
from cluewise.core.work import finish
from cluewise.desks.code.engine.guess_classes import first_equals
from cluewise.desks.code.engine.state import State, pack_guesses, pack_rules
from cluewise.desks.code.position import Rules, answer
from cluewise.kernel import kernel
from reference import code as slow
from reference.code import KINDS, RULES, games, priors


@given(games(), st.data())
def test_advice_counts_the_answers_of_every_feedback_kind(game: Any, data: st.DataObject) -> None:
    position, every, left, texts = game
    feedback = position["rules"]["feedback"]
    mine = data.draw(st.sampled_from(every))
    assert ask_code("remaining", position, top=1000)["codes"] == left
    found = ask_code("advise", position, mine=mine, top=1000, guesses=False)
    cells = slow.cells_by_text(feedback, mine, left)
    assert found["mine"]["answers"] == {text: len(cell) for text, cell in cells.items()}
    bits = [option["bits"] for option in found["options"]]
    assert bits == sorted(bits, reverse=True)
    written = ask_code("write", position)["text"]
    assert [line.split()[1] for line in written.splitlines()] == texts
    empty = {"rules": position["rules"]}
    pasted = ask_code("paste", empty, text=written)
    assert not pasted["bad"]
    assert ask_code("write", empty | {"clues": pasted["clues"]})["text"] == written


@given(games())
def test_guesses_with_equal_answers_for_all_codes_are_one_class(game: Any) -> None:
    position, every, left, _ = game
    rules = Rules(**position["rules"])
    with kernel().frame() as frame:
        secrets, guesses = (frame.put(pack_guesses(words)) for words in (left, every))
        state = State(frame, rules, (), secrets=secrets, n=len(left))
        found = finish(first_equals(state, guesses, len(every)))
        assert list(found) == slow.first_equals(rules.feedback, every, left)


def test_guesses_with_equal_hashes_are_joined_only_if_all_answers_are_equal() -> None:
    rules = Rules(2, 4)
    with kernel().frame() as frame:
        secrets, guesses = (
            frame.put(pack_guesses(["01", "02"])),
            frame.put(pack_guesses(["01", "02"])),
        )
        hashes, table, parent = frame.reserve(16), frame.reserve(16), frame.reserve(8)
        frame.call("code_alone", parent, 2)
        for first in (0, 1):  # the second call takes the first guess's hash for its own
            frame.call(
                "code_unite_equal", rules=pack_rules(rules), secrets=secrets, n=2, guesses=guesses,
                parent=parent, from_=first, to=2, hashes=hashes, table=table, bits=2,
            )  # fmt: skip
            own = frame.get(hashes, "Q", 2)[1]
            frame.write(hashes, array("Q", [own, own]))
            frame.write(table, array("I", [0 if i == own >> 62 else 2**32 - 1 for i in range(4)]))
        assert list(frame.get(parent, "I", 2)) == [0, 1]


@given(games(), st.integers(1, 3), st.data())
def test_number_of_codes_found_within_rows_is_maximal(
    game: Any, rows: int, data: st.DataObject
) -> None:
    position, every, left, _ = game
    prior, weights = data.draw(priors(every))
    left = tuple(code for code in left if weights[code])
    mine = data.draw(st.sampled_from(every))
    if not 0 < len(left) <= (12 if rows == 3 else 40):
        return
    find = partial(slow.most_found, every, left, rows, feedback=position["rules"]["feedback"])
    asked = {"criterion": "within", "rows": rows, "mine": mine, "top": 1}
    found = ask_code("advise", {**position, **prior}, **asked)
    assert found["options"][0]["within"]["codes"] == find(weights=weights)
    own = {"rows": rows, "exact": True, "codes": find(mine, weights=weights)}
    assert found["mine"]["within"] == own
    assert found.get("weight", found["remaining"]) == sum(weights[code] for code in left)


@pytest.mark.parametrize("feedback", KINDS)
def test_answers_equal_the_definition(feedback: str) -> None:
    for pegs, colours, repeat in RULES:
        rules = Rules(pegs, colours, repeat, feedback=feedback)  # type: ignore[arg-type]
        every = slow.codes(pegs, colours, repeat)
        met = set()
        for guess in every:
            for secret in every:
                pair = answer(rules, guess, secret)
                assert rules.answer_name(pair) == slow.answer_text(feedback, guess, secret)
                met.add(pair)
        assert met <= set(rules.answers())
        assert rules.answers()[-1] == rules.win


@given(games(), st.data())
def test_adversarial_code_maker_maximizes_the_least_total(game: Any, data: st.DataObject) -> None:
    position, every, left, _ = game
    feedback = position["rules"]["feedback"]
    prior, weights = data.draw(priors(every))
    left = [code for code in left if weights[code]]
    if not 0 < len(left) <= 12:
        return
    guess = data.draw(st.sampled_from(every))
    optimum = slow.Optimum(every, feedback, weights)
    totals = {
        text: optimum.of_set(frozenset(cell))[0]
        for text, cell in slow.cells_by_text(feedback, guess, left).items()
        if cell != (guess,)
    }
    found = ask_code("judge", {**position, **prior}, guess=guess, evil=True)
    assert found["won"] == (not totals)
    if totals:
        most = max(totals.values())
        assert found["answer"] == min(text for text, total in totals.items() if total == most)


@given(games(), st.data())
def test_codes_of_weight_0_are_excluded_everywhere(game: Any, data: st.DataObject) -> None:
    position, every, left, _ = game
    out = set(data.draw(st.lists(st.sampled_from(every), max_size=3)))
    one_colour = data.draw(st.booleans())
    pegs = position["rules"]["pegs"]
    kinds = {"0" * pegs: 0} if one_colour and position["rules"]["repeat"] else {}
    kept = [c for c in left if c not in out and not (kinds and len(set(c)) == 1)]
    if not 0 < len(kept) <= 7:
        return
    position = {**position, "prior": {"kinds": kinds, "codes": dict.fromkeys(out, 0)}}
    assert ask_code("remaining", position, top=1000)["codes"] == kept
    feedback, whole = position["rules"]["feedback"], frozenset(kept)
    optimum = slow.Optimum(every, feedback)
    assert ask_code("strategy", position, criterion="optimal")["total"] == optimum.of_set(whole)[0]
    mine = data.draw(st.sampled_from(every))
    found = ask_code("advise", position, criterion="guesses", mine=mine, top=2)
    assert found["least"]["expected"] == pytest.approx(optimum.of_set(whole)[0] / len(kept))
    cells = slow.cells_by_text(feedback, mine, kept)
    assert found["mine"]["answers"] == {text: len(cell) for text, cell in cells.items()}
    if len(cells) > 1:
        own = optimum.of_guess(mine, whole)[0] / len(kept)
        assert found["mine"]["guesses"]["expected"] == pytest.approx(own)


@given(games(), st.data())
def test_doubt_counts_only_codes_that_a_prior_allows(game: Any, data: st.DataObject) -> None:
    position, every, _, _ = game
    prior, weights = data.draw(priors(every))
    position = {**position, **prior}
    count = ask_code("remaining", position)["count"]
    found = ask_code("doubt", position)
    assert found["contradiction"] == (count == 0)
    for repair in found["repairs"]:
        clues = list(position["clues"])
        answer = {
            k: v for k, v in repair.items() if k in ("exact", "partial", "marks", "sum", "won")
        }
        clues[repair["clue"]] = {"guess": clues[repair["clue"]]["guess"], **answer}
        assert ask_code("remaining", {**position, "clues": clues})["count"] == repair["remaining"]
    kept = [position["clues"][i] for i in found["irreducible"]]
    if count:
        assert ask_code("remaining", {**position, "clues": kept})["count"] == count
    assert all(weights.values()) or count < len(every)


def test_equivalence_respects_the_weights_of_a_prior() -> None:
    rules = {"pegs": 2, "colours": 3}
    weighted = {"rules": rules, "prior": {"codes": {"01": 5}}}
    asked = {"guesses": ("01", "12")}
    assert ask_code("equivalent", {"rules": rules}, **asked)["question"]["same"] is True
    assert ask_code("equivalent", weighted, **asked)["question"]["same"] is None
    names = ("partition", "state", "cost", "spatial")  # these would ignore weights
    found = ask_code("relations", weighted, **asked)
    assert [one["name"] for one in found["relations"] if one["classes"] is None] == [*names]
    assert (found["pair"]["joins"], found["pair"]["open"]) == ([], [*names])
    assert ask_code("classes", weighted)["partition"] is None
    alike = {"rules": rules, "prior": {"kinds": {"00": 0}}}
    state = ask_code("equivalent", alike, other={"rules": rules})["state"]
    assert (state["same"], tuple(state["remaining"])) == (False, (6, 9))


def test_mastermind_without_codes_of_one_colour_takes_5600_guesses_over_1290_codes() -> None:
    position = {"prior": {"kinds": {"0000": 0}}}
    found = ask_code("strategy", position, criterion="optimal")
    assert (found["total"], found["codes"], found["proved"]) == (5600, 1290, True)


@given(games(), st.data())
def test_weights_of_codes_count_in_bits_and_costs(game: Any, data: st.DataObject) -> None:
    position, every, left, _ = game
    feedback = position["rules"]["feedback"]
    prior, weights = data.draw(priors(every))
    kept = frozenset(c for c in left if weights[c])
    if not 2 < len(kept) <= 7 or len({weights[c] for c in kept}) == 1:
        return
    position = {**position, **prior}
    optimum = slow.Optimum(every, feedback, weights)
    total, worsts = optimum.of_set(kept)
    made = ask_code("strategy", position, criterion="optimal")
    assert (made["total"], made["weight"], made["codes"]) == (total, optimum.mass(kept), len(kept))
    assert made["worst"] in worsts
    mine = data.draw(st.sampled_from(every))
    found = ask_code("advise", position, criterion="guesses", mine=mine, top=2)
    assert found["least"]["fraction"] == str(Fraction(total, optimum.mass(kept)))
    cells = slow.cells_by_text(feedback, mine, sorted(kept))
    masses = {text: optimum.mass(cell) for text, cell in cells.items()}
    assert found["mine"]["weights"] == masses
    shares = [mass / optimum.mass(kept) for mass in masses.values()]
    assert found["mine"]["bits"] == pytest.approx(-sum(p * log2(p) for p in shares))
    own = optimum.of_guess(mine, kept)[0] if len(cells) > 1 else total + optimum.mass(kept)
    assert found["mine"]["guesses"]["fraction"] == str(Fraction(own, optimum.mass(kept)))
    assert (found["mine"]["rank"] == 1) <= (own == total)


def test_strategy_for_weighted_mastermind_is_complete() -> None:
    position = {
        "prior": {"kinds": {"0123": 2}},
        "clues": [{"guess": "0012", "exact": 1, "partial": 1}],
    }
    made = ask_code("strategy", position, criterion="optimal", tree=True)
    found = ask_code("check", position, strategy=json.dumps(made["tree"]))
    assert (found["complete"], found["histogram"]) == (True, made["histogram"])


def test_secrets_are_drawn_in_proportion_to_their_weights() -> None:
    position = {
        "rules": {"pegs": 2, "colours": 3},
        "prior": {"kinds": {"00": 4}, "codes": {"01": 0}},
    }
    drawn = []
    for seed in range(400):
        dealt = ask_code("deal", position, seed=seed)["position"]
        fits = [g for g in slow.codes(2, 3, True) if ask_code("judge", dealt, guess=g)["won"]]
        drawn += fits
    assert "01" not in drawn
    assert 240 < sum(code[0] == code[1] for code in drawn) < 320  # 12 of 17


@pytest.mark.parametrize("consistent_only", [False, True])
def test_optimal_totals_of_sums_equal_dynamic_programming_over_classes(
    consistent_only: bool,
) -> None:
    """Permutations of a code are interchangeable, so the numbers of each class are the state."""
    colours = [Counter(code) for code in combinations_with_replacement("0123", 4)]
    answers = [[(a & b).total() for b in colours] for a in colours]

    @cache
    def total(state: tuple[int, ...]) -> int:
        n, best = sum(state), 10**6
        if n <= 1:
            return n
        for guess, held in enumerate(state):
            cells: dict[int, list[int]] = {}
            for i, count in enumerate(state):
                if left := count - (held > 0 and i == guess):
                    cell = cells.setdefault(answers[guess][i], [0] * len(state))
                    cell[i] = left
            if held or (len(cells) > 1 and not consistent_only):
                best = min(best, n + sum(total(tuple(cell)) for cell in cells.values()))
        return best

    clues = [{"guess": "0012", "sum": 2}, {"guess": "1132", "sum": 3}]
    position = {"rules": {"colours": 4, "feedback": "sum"}, "clues": clues}
    codes = ask_code("remaining", position, top=256)["codes"]
    counts = Counter("".join(sorted(code)) for code in codes)
    state = tuple(counts["".join(sorted(one.elements()))] for one in colours)
    options = {"criterion": "optimal", "consistent_only": consistent_only}
    found = ask_code("strategy", position, **options)
    assert (found["codes"], found["total"]) == (sum(state), total(state))
    assert max(state) > 4
