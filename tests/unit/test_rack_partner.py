"""Practice with partners: they know their own wires, play by the seats' rule and say why."""

import pytest

from asking import ask_rack as ask
from cluewise.errors import CluewiseError


def test_partners_play_a_practice_game_to_its_end_and_their_turns_can_be_noted_again() -> None:
    table = ask("deal", {}, mission=2, players=3, seed=7, seat=2)["position"]
    reasons, actor, ended = [], 0, False
    for _ in range(60):
        owners = [stand.get("owner", i) for i, stand in enumerate(table["stands"])]
        left = {
            owner
            for owner, stand in zip(owners, table["stands"], strict=True)
            if any(slot.get("state") != "cut" for slot in stand["slots"])
        }
        if ended or not left & {0, 1}:
            break
        if actor in left and actor < 2:
            found = ask("partner", table, actor=actor)
            assert found["reason"].endswith(".")
            if found["made"]:
                again = ask("outcome", table, **found["made"])
                assert again["position"] == found["position"]
            reasons.append(found["reason"])
            table, ended = found["position"], found["exploded"]
        actor = (actor + 1) % 3
    assert len(reasons) > 5
    assert any("can only be" in one or "shows" in one or "one stand" in one for one in reasons)
    assert any("Best chance of success" in one for one in reasons)


def test_partners_play_in_practice_games_only_and_never_for_the_viewer() -> None:
    table = ask("deal", {}, mission=1, players=3, seed=7)["position"]
    for position, actor, words in (
        (table, 0, "seat of a partner"),
        (table, 4, "seat of a partner"),
        ({**table, "sealed": None}, 1, "practice games only"),
    ):
        with pytest.raises(CluewiseError, match=words):
            ask("partner", position, actor=actor)
