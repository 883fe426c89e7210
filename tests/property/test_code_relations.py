"""Relations of guesses against their definitions; equivalence of two guesses and its witness."""

from itertools import combinations
from typing import Any

import pytest

from asking import ask_code
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine import relations
from cluewise.desks.code.engine.relations import exchange, find_relations
from cluewise.desks.code.engine.state import load
from cluewise.desks.code.engine.symmetries import Permutation
from cluewise.desks.code.position import Rules
from cluewise.errors import BadOption
from cluewise.kernel import kernel
from reference import code as slow
from reference.code import Optimum, codes, consistent
from reference.code_states import Game, classes_by_definition

POSITIONS: list[tuple[Game, list[tuple[str, int, int]]]] = [
    ((2, 3, True), []),
    ((2, 3, True), [("01", 0, 1)]),
    ((2, 3, True), [("00", 0, 0)]),
    ((2, 2, True), [("00", 2, 0)]),
    ((3, 2, True), [("001", 2, 0)]),
    ((2, 4, False), [("01", 0, 0)]),
    ((2, 4, False), [("01", 1, 0), ("02", 0, 1)]),
    ((3, 3, False), [("012", 0, 3)]),
    ((3, 3, False), [("012", 1, 2)]),
    ((3, 3, True), [("001", 0, 2)]),
    ((3, 3, True), [("000", 0, 0), ("001", 0, 0)]),
    ((3, 4, True), [("001", 1, 0), ("223", 1, 0)]),
    ((3, 4, True), [("001", 0, 1), ("231", 0, 2)]),
]


@pytest.mark.parametrize(("game", "history"), POSITIONS, ids=str)
def test_classes_of_every_relation_equal_its_definition(
    game: Game, history: list[tuple[str, int, int]]
) -> None:
    pegs, colours, repeat = game
    clues = [Clue(*clue) for clue in history]
    with kernel().frame() as frame:
        state = finish(load(frame, Rules(pegs, colours, repeat), clues))
        found = finish(find_relations(state, 200_000_000)).labels
    every = codes(*game)
    expected_classes = classes_by_definition(game, history)
    assert set(expected_classes) == set(found)
    for name, labels in found.items():
        expected = expected_classes[name]
        assert labels is not None, name
        assert [every[root] for root in labels] == expected, name


def test_cells_over_the_limit_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_cells: object) -> None:
        raise AssertionError("cells were compared")

    monkeypatch.setattr(relations, "set_keys", refuse)
    with kernel().frame() as frame:
        state = finish(load(frame, Rules(4, 6), [Clue("0012", 1, 1)]))
        found = finish(relations.find_relations(state, 400_000)).labels
    assert found["partition"] is not None
    assert found["state"] is None


WITNESSES: list[tuple[Game, list[tuple[str, int, int]], str, str, str | None]] = [
    ((4, 6, True), [("0011", 0, 0)], "0002", "1113", "colour"),
    ((4, 6, True), [("0011", 0, 0)], "0022", "2211", "constraint"),
    ((4, 6, True), [("0011", 0, 0)], "0022", "2200", "chain"),
    ((4, 6, True), [("0011", 0, 0)], "0002", "0200", "join"),
    ((4, 6, True), [("0012", 0, 4)], "0000", "0111", None),
    ((3, 4, True), [("001", 1, 0), ("223", 1, 0)], "010", "020", "state"),
    ((3, 3, True), [("001", 0, 2)], "011", "110", "cost"),
    ((2, 3, True), [("00", 2, 0)], "11", "12", "colour"),
    ((3, 3, False), [("012", 0, 3)], "120", "201", "constraint"),
]


@pytest.mark.parametrize(("game", "history", "one", "other", "first"), WITNESSES, ids=str)
def test_two_guesses_have_the_first_relation_that_joins_them_with_a_witness(
    game: Game, history: list[tuple[str, int, int]], one: str, other: str, first: str | None
) -> None:
    pegs, colours, repeat = game
    left = consistent(codes(*game), [(g, (exact, partial)) for g, exact, partial in history])
    position = {
        "rules": {"pegs": pegs, "colours": colours, "repeat": repeat},
        "clues": [{"guess": g, "exact": x, "partial": y} for g, x, y in history],
    }
    found = ask_code("relations", position, guesses=[one, other])
    pair = found["pair"]
    assert pair["first"] == first
    masks, now = found["filter"][-1], one
    for step in pair["steps"]:
        if step["by"] == "colour":
            changed = [(a, b) for a, b in zip(now, step["guess"], strict=True) if a != b]
            assert {int(c) for both in changed for c in both} <= {
                *masks["excluded"],
                *masks["free"],
            }
        else:
            move = Permutation(tuple(step["pegs"]), tuple(step["colours"]))
            assert move(now) == step["guess"]
            if step["by"] == "constraint":
                assert all(move(guess) == guess for guess, *_ in history)
        now = step["guess"]
    assert now == (other if pair["steps"] else one)
    if pair.get("spatial"):
        move = Permutation(tuple(pair["spatial"]["pegs"]), tuple(pair["spatial"]["colours"]))
        turned = exchange if pair.get("exchanged") else str
        assert sorted(turned(move(code)) for code in left) == left
        assert turned(move(one)) == other
    assert all(cell["state"] for cell in pair.get("cells", [])) == (first != "cost" and bool(first))
    costs = Optimum(codes(*game)) if len(left) < 10 else None
    if costs and first in ("cost", "state"):
        assert pair["totals"] == [costs.of_guess(g, frozenset(left))[0] for g in (one, other)]


@pytest.mark.parametrize(
    ("criterion", "game"),
    [
        ("first", "0123 0A1B 1456 2A0B 1478 1A1B 1759 1A1B 1896 0A0B 2457 2A1B 7450 4A0B"),
        ("minmax", "0123 0A1B 1456 2A0B 2435 1A1B 0276 0A2B 7450 4A0B"),
        ("entropy", "0123 0A1B 1456 2A0B 7418 2A0B 0752 1A2B 7450 4A0B"),
        ("maxparts", "0123 0A1B 1456 2A0B 2475 1A2B 0482 1A1B 7450 4A0B"),
    ],
)
def test_strategy_lists_its_guesses_for_one_code(criterion: str, game: str) -> None:
    """The four games for 7450 of the mastermind project's book, chapter on equivalence."""
    rules = {"pegs": 4, "colours": 10, "repeat": False}
    found = ask_code("strategy", {"rules": rules}, criterion=criterion, secret="7450")
    assert " ".join(f"{turn['guess']} {turn['answer']}" for turn in found["game"]) == game
    assert found["tree"] is None


def test_code_that_the_clues_exclude_has_no_game() -> None:
    position = {"clues": [{"guess": "0011", "exact": 0, "partial": 0}]}
    with pytest.raises(BadOption, match="does not fit"):
        ask_code("strategy", position, secret="0123")


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
def test_two_guesses_are_equivalent_iff_a_relation_joins_them(
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
    """Check that every step is valid and the last one ends at the other guess."""
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


def test_guesses_of_the_example_on_the_theory_page_are_equivalent() -> None:
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


def test_equivalence_is_undecided_for_rules_too_large_to_enumerate() -> None:
    found = ask(8, 16, True, [("01234567", (1, 3))], "00112233", "00112244")
    assert found["question"]["same"] is None
