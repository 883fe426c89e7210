"""Bad rules, lengths and values reach Python as named errors, never as a trap."""

from array import array

import pytest

from cluewise.desks.code.engine.state import pack, pack_rules
from cluewise.desks.code.position import Rules
from cluewise.errors import BadInput, TooLarge
from cluewise.kernel import kernel
from cluewise.kernel.functions import FUNCTIONS, TAKES

GOOD = pack_rules(Rules())
LARGE = pack_rules(Rules(8, 16))
BAD_RULES = (0, 15 | 6 << 4, 4, 4 | 17 << 4, 4 | 3 << 4, 5 << 11 | GOOD, 1 << 14 | GOOD, -1)
WITH_RULES = [
    name
    for name, (_, check) in FUNCTIONS.items()
    if name.startswith("code_") and check.__code__.co_varnames[1] == "rules"
]
BAD = -1
ANY = {"p": 64, "i": 1, "d": 0.0}


@pytest.mark.parametrize("name", WITH_RULES)
def test_rules_outside_the_limits_are_refused(name: str) -> None:
    others = [ANY[kind] for kind in TAKES[name][1:]]
    for rules in BAD_RULES:  # past the checks of buffers, which would refuse the others
        assert kernel().host.call(name, (rules, *others)) == BAD


def test_negative_and_crossed_ranges_are_refused() -> None:
    with kernel().frame() as frame:
        at = frame.reserve(1 << 16, zero=True)
        for first, last in ((-1, 1), (2, 1), (0, 1297)):
            with pytest.raises(BadInput):
                frame.call("code_space", GOOD, first, last, at)
        with pytest.raises(BadInput):
            frame.call("code_planes", GOOD, at, 64, at, 0, 2)
        with pytest.raises(BadInput):
            frame.call("code_secrets", GOOD, at, at, 65, 0, 0, 1, at, 1, 0, at)
        with pytest.raises(BadInput):
            frame.call("code_secrets", GOOD, at, at, 0, 4, 0, 1, at, 1, 0, at)
        with pytest.raises(BadInput):
            frame.call("code_top", at, at, at, -1, 1, at)


def test_spaces_and_trees_over_the_limits_are_too_large() -> None:
    with kernel().frame() as frame:
        at, words = frame.reserve(1 << 20, zero=True), frame.reserve(64, zero=True)
        with pytest.raises(TooLarge):
            frame.call("code_space", LARGE, 0, 1, at)
        with pytest.raises(TooLarge):
            frame.call("code_tree_bytes", GOOD, 70_000, 10)
        with pytest.raises(TooLarge):
            frame.call("code_counter_start", at, 1 << 20, LARGE, words, words, 8, 0)
        with pytest.raises(TooLarge):
            frame.reserve(1 << 30)


def test_invalid_packed_guesses_are_refused() -> None:
    with kernel().frame() as frame:
        out = frame.reserve(1 << 16, zero=True)
        good = frame.put(array("Q", [pack("0011")]))
        for word in (pack("0016"), pack("00112"), 255 << 56, (1 << 64) - 1):
            at = frame.put(array("Q", [word]))
            for name, arguments in (
                ("code_answers", (good, at, 1, out)),
                ("code_answers", (at, good, 1, out)),
                ("code_symmetries", (at, 1, out)),
                ("code_place", (at,)),
                ("code_set_symmetries", (at, 1, 100, out)),
                ("code_part", (good, at, 1, out, out)),
            ):
                with pytest.raises(BadInput):
                    frame.call(name, GOOD, *arguments)


def test_secret_with_blanks_is_refused() -> None:
    with kernel().frame() as frame:
        out, blank = frame.reserve(1 << 12, zero=True), frame.put(array("Q", [0]))
        good = frame.put(array("Q", [pack("0011")]))
        with pytest.raises(BadInput):
            frame.call("code_answers", GOOD, good, blank, 1, out)
        with pytest.raises(BadInput):
            frame.call("code_planes", GOOD, blank, 1, out, 0, 1)
        with pytest.raises(BadInput):
            frame.call("code_place", GOOD, blank)


def test_counter_without_free_states_fails_with_a_named_error() -> None:
    rules = Rules(8, 16)
    guesses = array("Q", [pack(g) for g in ("00112233", "02468ace", "13579bdf", "012389ab")])
    with kernel().frame() as frame:
        memory, words = frame.reserve(1 << 17), frame.put(guesses)
        answers = frame.put(bytes([0x13, 0x12, 0x12, 0x12]))
        frame.call("code_counter_start", memory, 1 << 17, pack_rules(rules), words, answers, 4, 1)
        with pytest.raises(TooLarge):
            frame.call("code_counter_step", memory, 1 << 30)
