"""Relations of guesses on one position, each against a slow definition."""

import pytest

from asking import ask_code
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.relations import exchange, find_relations
from cluewise.desks.code.engine.state import load
from cluewise.desks.code.permutations import Permutation
from cluewise.desks.code.position import Rules
from cluewise.errors import BadOption
from cluewise.kernel import kernel
from reference.code import Optimum, codes, consistent
from reference.code_relations import classes_by_definition
from reference.code_states import Game

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
def test_each_relation_has_the_classes_of_its_definition(
    game: Game, history: list[tuple[str, int, int]]
) -> None:
    pegs, colours, repeat = game
    clues = [Clue(*clue) for clue in history]
    with kernel().frame() as frame:
        state = finish(load(frame, Rules(pegs, colours, repeat), clues))
        found = finish(find_relations(state, 200_000_000)).labels
    every = codes(*game)
    wanted_classes = classes_by_definition(game, history)
    assert set(wanted_classes) == set(found)
    for name, labels in found.items():
        wanted = wanted_classes[name]
        assert labels is not None, name
        assert [every[root] for root in labels] == wanted, name


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
def test_two_guesses_get_the_first_relation_that_joins_them_and_what_shows_it(
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
def test_a_strategy_lists_its_guesses_for_one_code(criterion: str, game: str) -> None:
    """The four games for 7450 of the mastermind project's book, chapter on equivalence."""
    rules = {"pegs": 4, "colours": 10, "repeat": False}
    found = ask_code("strategy", {"rules": rules}, criterion=criterion, secret="7450")
    assert " ".join(f"{turn['guess']} {turn['answer']}" for turn in found["game"]) == game
    assert found["tree"] is None


def test_a_code_that_the_clues_exclude_has_no_game() -> None:
    position = {"clues": [{"guess": "0011", "exact": 0, "partial": 0}]}
    with pytest.raises(BadOption, match="does not fit"):
        ask_code("strategy", position, secret="0123")
