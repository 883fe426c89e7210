"""What no rack table could mean, and what no turn could be: refused with its place and in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asking import ask_rack as ask
from asking import wires_of as own
from cluewise.desks.rack.game.missions import missions
from cluewise.errors import BadOption, BadPosition, MemoryHeld, TooLarge
from cluewise.kernel import kernel


def small(**more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann with a shown 2 and a cut 3, Bob."""
    ann = [{}, {"state": "info", "wire": "2"}, {}, {"state": "cut", "wire": "3"}]
    stands = [{"slots": own("1 2 2 3")}, {"name": "Ann", "slots": ann}]
    stands.append({"name": "Bob", "slots": [{}, {}, {}, {}]})
    return {"wires": {"blue": [1, 3]}, "stands": stands, **more}


def slot(**what: Any) -> dict[str, Any]:
    """A table whose first slot is that, with another behind it."""
    return {"stands": [{"slots": [what, {}]}]}


def wires(**what: Any) -> dict[str, Any]:
    return {"wires": what}


FIVE_GROUPS = [{"of": [f"Y{i}"], "drawn": 1} for i in range(1, 6)]


@pytest.mark.parametrize(
    ("position", "where", "words"),
    [
        ({"stands": [{}] * 9}, "stands", "There can be at most 8 stands."),
        ({"viewer": 8}, "viewer", "A player's number is 0 to 7."),
        ({"mission": 67}, "mission", "Missions are numbered 1 to 66."),
        ({"mission": 0}, "mission", "Missions are numbered 1 to 66."),
        ({"numbers": ["3", "13"]}, "numbers[1]", "'13' is no number from 1 to 12."),
        ({"numbers": ["YELLOW"]}, "numbers[0]", "'YELLOW' is no number from 1 to 12."),
        ({"locked": ["RED"]}, "locked[0]", "'RED' is no number from 1 to 12."),
        ({"captain_card": -1}, "captain_card", "A player's number is 0 to 7."),
        ({"constraint": "M"}, "constraint", "Limit cards go by a letter, A to L."),
        ({"detonator": 10}, "detonator", "A detonator has 0 to 9 steps left."),
        ({"known_elsewhere": ["Z"]}, "known_elsewhere[0]", "'Z' is not a wire"),
        ({"known_elsewhere": ["R4"]}, "known_elsewhere[0]", "R4 is not among the wires in play."),
        (wires(aside=13), "wires.aside", "At most 12 wires lie aside."),
        (wires(blue=[7, 3]), "wires.blue", "Blue wires run from a lower to a higher number"),
        (wires(blue=[0, 12]), "wires.blue", "Blue wires run from a lower to a higher number"),
        (wires(yellow=["R3"]), "wires.yellow[0]", "Expected a wire such as Y7, not 'R3'."),
        (wires(red=["7"]), "wires.red[0]", "Expected a wire such as R7, not '7'."),
        (wires(yellow=["Y2", "Y2"]), "wires.yellow[1]", "There is only one Y2."),
        (wires(groups=FIVE_GROUPS), "wires.groups", "There can be at most 4 groups."),
        (wires(groups=[{"of": [""], "drawn": 1}]), "wires.groups[0].of[0]",
         "Expected a wire such as Y7, not ''."),
        (wires(groups=[{"of": ["Y2"], "drawn": 2}]), "wires.groups[0].drawn",
         "Of 1 wires, 2 cannot be drawn."),
        ({"stands": [{"slots": [{}] * 21}]}, "stands[0].slots", "A stand has at most 20 slots."),
        ({"stands": [{}, {"owner": 8}]}, "stands[1].owner", "A player's number is 0 to 7."),
        ({"stands": [{"slots": [{}] * 20}] * 3}, "stands", "48 wires are in play, but the stands"),
        ({"stands": [{"facts": [{"kind": "has", "value": "13"}]}]}, "stands[0].facts[0].value",
         "'13' is not a value; values are 1–12, YELLOW and RED."),
        ({"stands": [{"facts": [{"kind": "lacks", "value": "RED"}]}]}, "stands[0].facts[0].value",
         "No wire called RED is in play."),
        (slot(value="7"), "stands[0].slots[0].value", "A hidden slot has a wire or nothing"),
        (slot(state="cut"), "stands[0].slots[0]", "Which wire is cut here?"),
        (slot(state="info", wire="7", value="8"), "stands[0].slots[0].value",
         "7 is not called 8."),
        (slot(tokens=["x4"]), "stands[0].slots[0].tokens[0]", "'x4' is no token; there are even"),
        ({"stands": [{"slots": [{"tokens": ["even", "same-as-next"]}]}]},
         "stands[0].slots[0].tokens[1]", "The last slot has no next one to compare with."),
    ],
)  # fmt: skip
def test_what_no_table_could_mean_is_refused_with_its_place(
    position: dict[str, Any], where: str, words: str
) -> None:
    with pytest.raises(BadPosition) as refused:
        ask("doubt", position)
    assert refused.value.where == f"$.position.{where}"
    assert words in refused.value.message


@pytest.mark.parametrize(
    ("card", "options", "where", "words"),
    [
        ("8", {"value": "YELLOW"}, "value", "Which number, 1 to 12?"),
        ("8", {}, "value", "Which number, 1 to 12?"),
        ("8", {"value": "2", "yes": [3]}, "yes", "There is no stand 3."),
        ("12", {"stand": 0, "slot": 3}, "slot", "There is no such slot."),
        ("1", {"stand": 3, "slot": 0}, "slot", "There is no such slot."),
        ("4", {"stand": 2, "slot": 0}, "shown", "What does the token show?"),
        ("4", {"stand": 0, "slot": 0, "shown": "2"}, "shown", "says what it is."),
        ("4", {"stand": 0, "slot": 0, "shown": "YELLOW"}, "shown", "A note lies on a blue wire"),
        ("9.9", {"value": "2", "slots": [1]}, "slots", "Which two of the player's own wires?"),
        ("9.9", {"value": "2", "stand": 2, "slots": [1, 2]}, "slots", "Which two of the player's"),
        ("2", {"stand": 0, "slot": 0}, "other", "Against which wire?"),
        ("2", {"stand": 0, "slot": 0, "other": [1, 9]}, "other", "There is no such slot."),
        ("2", {"stand": 0, "slot": 0, "other": [0, 1]}, "other", "Two players exchange a wire"),
        ("2", {"stand": 0, "slot": 0, "other": [1, 3]}, "slot", "A cut wire stays where it is."),
        ("2", {"stand": 0, "slot": 0, "other": [1, 0], "at": 5}, "at", "Where did it go in?"),
        ("11.11", {"stand": 1, "slot": 0, "to": 1}, "to", "To which stand?"),
        ("11.11", {"stand": 1, "slot": 0, "to": 7}, "to", "To which stand?"),
        ("11.11", {"stand": 1, "slot": 3, "to": 0}, "slot", "A cut wire stays where it is."),
        ("10.10", {"value": "2", "places": [[0, 9]]}, "places", "There is no such slot."),
        ("7", {}, "card", "Card '7' changes no position"),
    ],
)  # fmt: skip
def test_a_card_that_cannot_be_used_so_is_refused_with_its_place(
    card: str, options: dict[str, Any], where: str, words: str
) -> None:
    with pytest.raises(BadOption) as refused:
        ask("use", small(), card=card, **options)
    assert refused.value.where == f"$.options.{where}"
    assert words in refused.value.message


def test_a_token_that_lies_there_already_is_not_laid_twice() -> None:
    once = ask("use", small(), card="12", stand=2, slot=0)["position"]
    assert ask("use", once, card="12", stand=2, slot=0)["position"] == once


def test_a_note_of_another_kind_of_token_lies_on_a_hidden_wire() -> None:
    after = ask("use", small(token="parity"), card="4", stand=0, slot=0, shown="odd")
    assert after["text"] == "Note: you A: odd."
    assert after["position"]["stands"][0]["slots"][0] == {"wire": "1", "tokens": ["odd"]}


def test_a_rewind_counts_up_to_nine_and_not_where_steps_are_not_counted() -> None:
    assert ask("use", small(), card="6")["text"] == "Rewind: the detonator is not counted."
    assert ask("use", small(detonator=8), card="6")["text"] == (
        "Rewind: 9 steps left on the detonator."
    )
    with pytest.raises(BadOption) as refused:
        ask("use", small(detonator=9), card="6")
    assert refused.value.message == "A detonator has 0 to 9 steps left."


def test_a_hook_moves_a_teammates_wire_and_its_tokens() -> None:
    table = small()
    table["stands"][1]["slots"][0] = {"tokens": ["odd", "x1"]}
    table["stands"][1]["facts"] = [{"kind": "lacks", "value": "3"}]
    after = ask("use", table, card="11.11", stand=1, slot=0, to=0, at=1)
    assert after["text"] == "Hook: Ann A to you."
    assert "changed stands" in ask("posterior", after["position"])["check"][0]
    mine, ann = (stand["slots"] for stand in after["position"]["stands"][:2])
    assert [len(mine), len(ann)] == [5, 3]
    # the parity goes along, the count does not; what Ann lacked, the wire is not
    assert sorted(mine[1]["tokens"]) == ["moved", "not:3", "odd"]


def test_a_disintegrator_passes_over_what_is_cut_already() -> None:
    with pytest.raises(BadOption, match="3 × 3 are not cut yet"):
        ask("use", small(), card="10.10", value="3", places=[[0, 3]])
    with pytest.raises(BadOption, match="known otherwise"):
        ask("use", small(), card="10.10", value="2", places=[[0, 2], [1, 1], [2, 2]])
    places = [[0, 3], [1, 2], [2, 3]]
    after = ask("use", small(), card="10.10", value="3", places=places)
    assert after["text"] == "Disintegrator: 3 × 3 cut."
    assert after["position"]["stands"][1]["slots"][3] == {"state": "cut", "wire": "3"}


@pytest.mark.parametrize(
    ("options", "where", "words"),
    [
        ({"stand": 5, "slots": [0], "value": "2"}, "stand", "There is no stand 5."),
        ({"stand": 2, "slots": [7], "value": "2"}, "slots[0]", "There is no slot 7."),
        ({"stand": 2, "slots": [0], "value": "2"}, "success", "Did it work?"),
        ({"stand": 2, "slots": [0], "value": "Q"}, "value", "'Q' is not a value."),
        ({"stand": 2, "slots": [0], "value": "1/2"}, "value", "The X-or-Y ray names two values"),
        ({"stand": 0, "slots": [0], "value": "2"}, "stand", "A cut points at another player's"),
        ({"stand": 2, "slots": [0], "value": "2", "success": True, "own": [0]}, "own",
         "Give the actor's stand and slot."),
        ({"stand": 2, "slots": [0], "value": "2", "success": True, "own": [0, 9]}, "own",
         "There is no such slot."),
        ({"stand": 2, "slots": [0], "value": "2", "success": True, "own": [-1, 0]}, "own",
         "There is no such slot."),
        ({"action": "double", "stand": 2, "slots": [0, 1], "value": "2", "success": True}, "at",
         "Which of the slots was it?"),
        ({"action": "either", "stand": 2, "slots": [0], "value": "1/2", "success": True}, "shown",
         "Which of the two was it?"),
        ({"action": "solo", "value": "Q"}, "value", "'Q' is not a value."),
        ({"action": "together", "stand": 0, "slots": [0], "value": "1", "success": True}, "slots",
         ""),
    ],
)  # fmt: skip
def test_a_turn_that_could_not_be_is_refused_with_its_place(
    options: dict[str, Any], where: str, words: str
) -> None:
    with pytest.raises(BadOption) as refused:
        ask("outcome", small(), **options)
    assert refused.value.where == f"$.options.{where}"
    assert words in refused.value.message
    assert refused.value.message.endswith((".", "?"))


def test_a_turn_without_a_viewer_needs_an_actor() -> None:
    with pytest.raises(BadOption, match="Who acted") as refused:
        ask("outcome", small(viewer=None), stand=2, slots=[0], value="2", success=True)
    assert refused.value.where == "$.options.actor"


def test_a_sealed_deal_of_another_table_is_refused() -> None:
    dealt = ask("deal", {}, mission=1, players=4, seed=1)["position"]
    other = small(sealed=dealt["sealed"])
    with pytest.raises(BadPosition, match="another table"):
        ask("outcome", other, stand=2, slots=[0], value="2")


def test_memory_that_others_hold_differs_from_a_table_that_is_too_large() -> None:
    """The table is small: nothing in it need be entered or left out, the other work need end."""
    with kernel().frame() as other:
        other.reserve(kernel().free() - (1 << 20))
        with pytest.raises(MemoryHeld, match="Other work holds the memory") as fault:
            ask("posterior", small())
        assert fault.value.kind == "too_large"
    assert ask("posterior", small())["arrangements"]


def test_what_one_work_asks_for_beside_what_it_holds_is_its_own_limit() -> None:
    with kernel().frame() as greedy:
        greedy.reserve(40 << 20)
        with pytest.raises(TooLarge, match="more than the") as fault:
            greedy.reserve(40 << 20)
    assert not isinstance(fault.value, MemoryHeld)


def test_the_limits_page_names_the_missions_that_need_your_own_wires() -> None:
    """Of all 262 tables as they are laid out; with a seat's wires every one is counted."""
    needed, laid = dict[int, list[int]](), 0
    for number, mission in missions().items():
        for players in mission.players:
            options = {"mission": number, "players": players}
            laid += 1
            try:
                ask("posterior", ask("mission", {}, **options))
            except TooLarge:
                needed.setdefault(players, []).append(number)
            ask("posterior", ask("deal", {}, seat=0, seed=1, **options)["position"])
    assert laid == 262
    assert needed == {4: [64], 5: [20, 35, 41, 48, 56, 64]}
    limits = (Path(__file__).parents[2] / "web/docs/pages/limits.html").read_text()
    assert "Missions 20, 35, 41, 48, 56 and 64 for five players, and 64 for four, need" in limits
