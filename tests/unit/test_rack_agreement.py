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


def test_a_token_that_no_hand_would_have_shown_is_named_and_taken_by_itself() -> None:
    """Among four wires of 1 to 3 a 1 in the first slot has hardly any gain."""
    position = show(table("Ann", "Bob", "Cleo"), 1, 0, "1")
    assert said(position) == (
        "Bob: no hand that fits would have shown 1 there under the convention; "
        "that token counts only for its value."
    )
    plain = ask("posterior", {**position, "agreed": []})
    assert ask("posterior", position)["stands"] == plain["stands"]


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
    assert any(text.startswith("No deal fits all first tokens under") for text in texts)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"token": "multiplicity"}, "the choice of a 1×2×3× token is not read"),
        ({"token": "parity", "wires": {"blue": [1, 3], "yellow": ["Y1"]}}, "with yellow wires"),
        ({"mission": 13}, "the mission places this first token"),
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


def test_a_text_with_fewer_stands_leaves_out_tokens_that_have_no_slot() -> None:
    position = show(table("Ann", "Bob", "Cleo"), 2, 1, "2")
    found = ask("shorthand", position, text="? ? ? ? ? ?\n? ? ? ? ? ?")
    assert "agreed" not in found["position"]
    kept = ask("shorthand", position, text="\n".join(ask("shorthand", position)["text"]))
    assert kept["position"]["agreed"] == position["agreed"]
