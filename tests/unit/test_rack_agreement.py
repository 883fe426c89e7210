"""A table that shows the best wire: what is said where the choice of a token cannot be read."""

from typing import Any

import pytest

from asking import ask_rack as ask
from cluewise.errors import CluewiseError

OFF = "All deals equally likely; wires were not shown for how many of their kind a holder has."


def table(*names: str, high: int = 3, **more: Any) -> dict[str, Any]:
    """Blue 1 to `high` dealt evenly to players of whom nothing is known."""
    size = 4 * high // len(names)
    stands = [{"name": name, "slots": [{} for _ in range(size)]} for name in names]
    return {"desk": "rack", "viewer": None, "wires": {"blue": [1, high]}, "stands": stands, **more}


def show(position: dict[str, Any], stand: int, slot: int, shows: str) -> dict[str, Any]:
    """A first token, laid by the rule."""
    place = position["stands"][stand]["slots"][slot]
    place.update({"tokens": [shows]} if shows[0] in "eox" else {"state": "info", "wire": shows})
    token = {"stand": stand, "slot": slot, "shows": shows}
    position["agreed"] = [*position.get("agreed", []), token]
    return position


def said(position: dict[str, Any]) -> str:
    text: str = ask("posterior", position)["assumed"]
    assert text.startswith(OFF)
    return text.removeprefix(OFF).strip()


def test_a_token_tells_more_where_the_choice_is_read_and_the_answer_says_so() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 1, 1, "2")
    plain = ask("posterior", {**position, "agreed": []})
    found = ask("posterior", position)
    assert said(position) == (
        "The choice of first tokens is read (Bob): by your table's rule each lies where it tells "
        "most."
    )
    assert int(found["arrangements"]) < int(plain["arrangements"])
    assert plain["assumed"] == OFF


def test_a_token_that_no_hand_would_have_shown_is_named_and_taken_by_itself() -> None:
    """Among four wires of 1 to 3 a 1 in the first slot has hardly any gain."""
    position = show(table("Ann", "Bob", "Cleo"), 1, 0, "1")
    assert said(position) == (
        "Bob: no hand that fits would have shown 1 there by the rule; that token is taken by "
        "itself."
    )
    plain = ask("posterior", {**position, "agreed": []})
    assert ask("posterior", position)["stands"] == plain["stands"]


def test_one_odd_token_leaves_the_others_read() -> None:
    position = show(show(table("Ann", "Bob", "Cleo"), 1, 0, "1"), 2, 1, "1")
    text = said(position)
    assert "read (Cleo)" in text
    assert "Bob: no hand" in text


def test_a_wire_cut_since_that_would_have_told_more_is_a_contradiction() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 1, 1, "1")
    slots = position["stands"][1]["slots"]
    for j, wire in ((0, "1"), (2, "2"), (3, "2")):
        slots[j].update(state="cut", wire=wire)
    assert said(position).startswith("Bob: no hand that fits would have shown 1 there")


def test_a_token_that_was_set_otherwise_since_is_taken_by_itself() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 1, 1, "2")
    position["stands"][1]["slots"][1]["wire"] = "1"
    assert said(position).startswith("Bob: no hand that fits would have shown 2 there")


def test_a_place_where_the_token_cannot_stand_is_a_contradiction_of_the_rule() -> None:
    position = table("Ann", "Bob", "Cleo")
    position["agreed"] = [{"stand": 1, "slot": 0, "shows": "3"}]
    position["wires"] = {"blue": [1, 3]}
    position["stands"][1]["slots"][0] = {"state": "info", "wire": "1"}
    assert "Bob: no hand" in said(position)


def test_tokens_that_go_alone_but_not_together_are_taken_by_themselves() -> None:
    texts: set[str] = set()
    for a in range(4):
        for b in range(4):
            for left in "123":
                for right in "123":
                    position = table("Ann", "Bob", "Cleo")
                    show(show(position, 1, a, left), 2, b, right)
                    for j in range(4):
                        position["stands"][0]["slots"][j] = {"state": "cut", "wire": "1122"[j]}
                    try:
                        texts.add(said(position))
                    except CluewiseError:  # the tokens themselves do not fit
                        continue
    assert any(text.startswith("No deal fits all first tokens by the rule") for text in texts)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"token": "multiplicity"}, "the choice of a 1×2×3× token is not read"),
        ({"token": "parity", "wires": {"blue": [1, 3], "yellow": ["Y1"]}}, "with yellow wires"),
        ({"mission": 13}, "the mission lays this first token"),
    ],
)  # fmt: skip
def test_tokens_that_nobody_chose_or_that_are_not_weighed_are_named(
    more: dict[str, Any], why: str
) -> None:
    position = {**table("Ann", "Bob", "Cleo"), **more}
    if "wires" in more:
        position["stands"][0]["slots"].append({})
    shows = {"multiplicity": "x2", "parity": "even"}.get(more.get("token", ""), "2")
    assert f"Bob: {why}" in said(show(position, 1, 1, shows))


def test_a_player_with_two_stands_is_not_read() -> None:
    position = show(table("Ann", "Ann", "Bob"), 0, 1, "2")
    position["stands"][1]["owner"] = 0
    position["stands"][2]["owner"] = 1
    assert said(position).startswith("Ann: with two stands it is open which of them was weighed.")


def test_a_stand_that_was_exchanged_with_since_is_not_read() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 1, 1, "2")
    position["stands"][1]["slots"][2]["tokens"] = ["moved"]
    assert "Bob: wires have moved since" in said(position)


def test_an_unnamed_player_is_called_by_the_stand() -> None:
    position = show(table("", "", ""), 1, 1, "2")
    assert "read (Stand 2)" in said(position)


def test_ties_that_are_partly_on_the_table_are_said_and_not_counted() -> None:
    """Three wires would have had the same gain, and one of them is known by now."""
    position = show(table("Ann", "Bob"), 0, 1, "2")
    position["stands"][0]["slots"][3].update(state="cut", wire="3")
    assert said(position) == (
        "Ann: too many wires would have told as much; that token is taken by itself."
    )


def test_a_second_even_or_odd_token_is_read_like_the_first() -> None:
    position = table("Ann", "Bob", "Cleo", high=6, token="parity")
    text = said(show(show(position, 0, 4, "even"), 1, 3, "odd"))
    assert "read (Ann, Bob)" in text


def test_the_viewers_own_choice_tells_her_nothing() -> None:
    position = show({**table("Ann", "Bob", "Cleo"), "viewer": 1}, 1, 1, "2")
    assert said(position) == ""


def test_a_text_with_fewer_stands_leaves_out_tokens_that_have_no_slot() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 2, 1, "2")
    found = ask("shorthand", position, text="? ? ? ? ? ?\n? ? ? ? ? ?")
    assert "agreed" not in found["position"]
    kept = ask("shorthand", position, text="\n".join(ask("shorthand", position)["text"]))
    assert kept["position"]["agreed"] == position["agreed"]
