"""First tokens: the bands' bounds in the guide, and choices that cannot be read."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from asking import ask_rack as ask
from cluewise import service
from cluewise.desks.rack.position import TokenKind
from cluewise.desks.rack.verbs.indicate import BAND_BOUNDS
from cluewise.errors import CluewiseError

GUIDE = Path(__file__).resolve().parents[2] / "web" / "docs" / "pages" / "guide-rack.html"
HAND = "1 2 Y2 3 5 6 7 8 10 11"
OFF = "All deals equally likely; wires were not shown for how many of their kind a holder has."


def indicate(wires: dict[str, Any], **options: Any) -> Any:
    own = {"slots": [{"wire": wire} for wire in HAND.split()]}
    stands = [own, *[{"slots": [{}] * 9}] * 4]
    position = {"wires": {"blue": [1, 12], **wires}, "stands": stands}
    return service.run(
        {"desk": "rack", "want": "indicate", "position": position, "options": options}
    )


def test_band_bounds_are_in_the_answer_and_the_guide() -> None:
    rows = re.findall(r"<tr>(<td>.*?)</tr>", GUIDE.read_text())
    bounds = [[float(n) for n in re.findall(r">([\d.]+) %", row)[:3]] for row in rows]
    tokens = get_args(TokenKind)
    assert bounds == [[round(100 * b, 1) for b in BAND_BOUNDS["published", t]] for t in tokens]
    for model, kind in BAND_BOUNDS:
        if kind == "parity":
            continue  # no such token with yellow wires
        found = indicate({"yellow": ["Y2"]}, model=model, token=kind)
        assert found["bands"] == list(BAND_BOUNDS[model, kind])


def test_the_published_metric_counts_drawn_wires_as_if_all_were_in_play() -> None:
    group = {"groups": [{"of": ["Y2", "Y4", "Y9"], "drawn": 2}]}
    two, three = {"yellow": ["Y2", "Y4"]}, {"yellow": ["Y2", "Y4", "Y9"]}
    open_bits = {
        model: [indicate(wires, model=model)["baseline"] for wires in (group, two, three)]
        for model in ("published", "joint", "bayes")
    }
    drawn, fewer, all_of_them = open_bits["published"]
    assert drawn == all_of_them > fewer
    for model in ("joint", "bayes"):
        drawn, fewer, all_of_them = open_bits[model]
        assert fewer < drawn < all_of_them
    text = GUIDE.read_text()
    for bits in (*open_bits["published"][:2], *open_bits["joint"]):
        assert f"{bits:.1f}" in text
    assert HAND in text


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


def test_token_that_contradicts_the_convention_counts_only_for_its_value() -> None:
    """Among four wires of 1 to 3 a 1 in the first slot has hardly any gain."""
    position = show(table("Ann", "Bob", "Cleo"), 1, 0, "1")
    assert said(position) == (
        "Bob: no hand that fits would have shown 1 there under the convention; "
        "that token counts only for its value."
    )
    plain = ask("posterior", {**position, "agreed": []})
    assert ask("posterior", position)["stands"] == plain["stands"]


def test_tokens_that_contradict_each_other_count_only_for_their_values() -> None:
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
def test_unchosen_tokens_are_named(more: dict[str, Any], why: str) -> None:
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


@pytest.mark.parametrize("mission", [4, 9])
def test_partners_after_the_viewer_lay_their_first_tokens(mission: int) -> None:
    table = ask("deal", {}, mission=mission, players=3, seed=7)["position"]
    everyone = ask("deal", {}, mission=mission, players=3, seed=7, seat=2)["position"]["stands"]
    for actor in (1, 2):
        found = ask("partner", table, actor=actor, token=True)
        table, (stand, slot) = found["position"], found["place"]
        assert found["made"] is None
        assert found["text"].startswith("First token at ")
        assert table["stands"][stand]["slots"][slot].get("state") == "info"
        with pytest.raises(CluewiseError, match="no further token"):
            ask("partner", table, actor=actor, token=True)
    assert [s.get("state") for s in table["stands"][1]["slots"]] == [
        s.get("state") for s in everyone[1]["slots"]
    ]


def test_partners_lay_no_token_after_the_first_cut() -> None:
    table = ask("deal", {}, mission=4, players=3, seed=7)["position"]
    slot = next(s for s in table["stands"][0]["slots"])
    slot["state"] = "cut"
    with pytest.raises(CluewiseError, match="before the first cut"):
        ask("partner", table, actor=1, token=True)
