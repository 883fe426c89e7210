"""No guess tells more than the bound says: against all guesses, and the slow twin."""

import random
from math import log2

import pytest

from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.bound import SURE, most_bits
from cluewise.desks.code.engine.encoding import pack_guesses, pack_rules
from cluewise.desks.code.engine.state import State, load, load_planes
from cluewise.desks.code.position import Rules, answer
from cluewise.kernel import kernel
from reference import code as slow
from sampling import sample

RULES = [
    Rules(1, 3), Rules(2, 5), Rules(3, 4), Rules(4, 4), Rules(3, 5, repeat=False),
    Rules(4, 6, repeat=False), Rules(3, 3, blanks=True), Rules(3, 4, repeat=False, blanks=True),
    Rules(3, 4, feedback="exact"), Rules(3, 3, blanks=True, feedback="exact"),
    Rules(3, 5, repeat=False, leading_zero=False),
]  # fmt: skip


def bound(rules: Rules, secrets: list[str], clues: list[Clue], sure: float = 0.0) -> float:
    with kernel().frame() as frame:
        at = frame.put(pack_guesses(secrets))
        given = [*rules.given(), *clues]
        state = State(frame, rules, pack_rules(rules), given, at, len(secrets))
        return finish(most_bits(state, finish(load_planes(state, at, len(secrets))), sure))


def bits(rules: Rules, guess: str, secrets: list[str]) -> float:
    cells = slow.split(guess, secrets, rules.feedback == "exact").values()
    return log2(len(secrets)) - sum(n * log2(n) for n in cells) / len(secrets)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_guess_tells_more_than_the_bound_and_the_twin_says_the_same(rules: Rules) -> None:
    exact = rules.feedback == "exact"
    every = slow.codes(rules.pegs, rules.colours, rules.repeat)
    codes = [c for c in every if rules.leading_zero or c[0] != "0"]
    guesses = slow.guesses(rules.pegs, rules.colours, rules.repeat, rules.blanks)
    for seed, rows in sample([*enumerate((0, 1, 1, 2, 2))], 5):
        dice = random.Random(seed)
        secret, asked = dice.choice(codes), dice.sample(guesses, rows)
        clues = [Clue(g, *answer(rules, g, secret)) for g in asked]
        left = [c for c in codes if all(k.agrees(answer(rules, k.guess, c)) for k in clues)]
        found = bound(rules, left, clues)
        assert found >= max(bits(rules, guess, left) for guess in guesses)
        assert found == pytest.approx(slow.most_bits(guesses, left, exact), abs=1e-8)


def test_the_bound_is_much_less_than_the_answers_that_can_come() -> None:
    rules = Rules(4, 6)
    codes = slow.codes(4, 6, True)
    best = max(bits(rules, g, codes) for g in ("0001", "0011", "0012", "0123"))
    assert best <= bound(rules, codes, []) <= best + 0.15 < log2(14) - 0.5


def test_a_bound_from_a_sample_holds_with_a_margin_for_the_sample() -> None:
    rules, dice = Rules(4, 6), random.Random(4)
    codes = slow.codes(4, 6, True)
    true = bound(rules, codes, [])
    for _ in range(20):
        some = sorted(dice.choices(codes, k=400))
        assert true <= bound(rules, some, [], SURE) <= true + 0.7


def test_work_in_slices_gives_the_same_bound() -> None:
    rules = Rules(5, 6)
    with kernel().frame() as frame:
        state = finish(load(frame, rules, [Clue("00112", 1, 1)]))
        planes = finish(load_planes(state, state.secrets, state.n))
        steps = list(most_bits(state, planes))
        again = finish(most_bits(state, planes))
        assert again == finish(most_bits(state, planes))
    assert len(steps) <= 100
    assert 3 < again < 4.4
