"""What the others' past choices tell: weights of deals, the agreed order, the log of choices."""

from typing import Any

import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.reading import restore_tables
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import CutsOptions
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_win import choice_of
from cluewise.desks.rack.verbs.games import RolloutPolicy
from cluewise.desks.rack.verbs.mission import DealtGame
from cluewise.errors import BadPosition

ROWS = vectors("rack-win")["read"]


@pytest.mark.parametrize("case", ROWS, ids=lambda case: str(case["name"]))
def test_all_deals_count_by_whether_the_choices_are_the_rules(case: dict[str, Any]) -> None:
    found = ask("cuts", case["position"])["options"]
    read = {(c["stand"], *c["slots"], c["value"]): c["read"] for c in found if c["read"]}
    assert len(read) == len(case["cuts"])
    for row in case["cuts"]:
        one = read[row["stand"], *row["slots"], row["value"]]
        assert one["effective"] is None
        numbers = row["read_success"], row["read_red"]
        assert (one["success"], one["red"]) == pytest.approx(numbers, abs=1e-12)
    plain = ask("cuts", case["position"], read=False)["options"]
    assert not any(cut["read"] for cut in plain)


class AgreedSeats(RolloutPolicy):
    """A game by the agreed list: every turn is put back and compared with the table before it."""

    turns, read, sampled = 0, 0, 0

    def _choose(self, seen: Position) -> Any:
        options = CutsOptions(actions=list(rollout.KINDS), rank="auto")
        cut = finish(cuts(seen, options)).options[0]
        if not seen.choices:
            words = rollout.game_words(seen)
            (made,) = rollout.choose(words, rollout.draw_deals(words, 1, 1))
            mine = choice_of(cut)
            same = mine if mine[0] == 0 else (mine[0], 0, 0, mine[3])
            assert made == same or made[0] == mine[0] == rollout.KINDS["reveal"]
        self.read += bool(cut.read)
        self.sampled += bool(cut.read and cut.read.effective)
        return cut

    def _act(self, seen: Position, cut: Any) -> tuple[Position, bool]:
        after, exploded = super()._act(seen, cut)
        table = restore_tables(after)[-1]
        states = [[slot.state for slot in stand.slots] for stand in seen.stands]
        assert [[slot.state for slot in stand.slots] for stand in table.stands] == states
        assert [stand.facts for stand in table.stands] == [s.facts for s in seen.stands]
        assert table.detonator == seen.detonator
        self.turns += 1
        return after, exploded


def test_seats_that_agree_play_the_rule_and_then_read() -> None:
    game = AgreedSeats(DealtGame(4, 4, "2.0"), "2.0", 0, agreed=True)
    won = game.play()
    assert game.turns > 9
    assert game.read > 3
    assert game.sampled > 3
    options = {"mission": 4, "players": 4, "games": 1, "ways": ["likeliest", "agreed"]}
    found = ask("games", {}, **options, seed=2)["rows"][1]["won"]
    assert found == won


def test_a_race_weighs_the_deals_it_plays() -> None:
    position = next(row["position"] for row in ROWS if row["name"] == "read-6")
    best = [ask("cuts", position, rank="win", read=on)["options"][0] for on in (True, False)]
    assert [one["win"]["chance"] for one in best] == pytest.approx([10 / 17, 4 / 7])
    assert [one["win"]["error"] for one in best] == [0, 0]


def test_choices_are_cleared_where_wires_change_stands_and_refused_where_they_cannot_be() -> None:
    position = {**ROWS[0]["position"], "viewer": 0}
    done = ask("use", position, card="skip", actor=1)
    assert (done["choice"]["action"], len(done["position"]["choices"])) == ("", 2)
    slots = {"card": "2", "stand": 0, "slot": 1, "other": [1, 0], "shown": "6"}
    moved = ask("use", position, **slots)
    assert (moved["choice"], moved["position"]["choices"]) == (None, [])
    text = "? ?\n? ?"
    assert ask("shorthand", position, text=text)["position"]["choices"] == []
    parity = ask("cuts", {**position, "token": "parity"})
    assert "standard tokens" in parity["note"]
    choice = position["choices"][0]
    for wrong, where in (
        ({**choice, "stand": 9}, "$.position.choices[0].slots[0]"),
        ({**choice, "actor": 7}, "$.position.choices[0].actor"),
        ({**choice, "was": {"slots": [[0, 99, "cut"]]}}, "$.position.choices[0].was.slots[0]"),
    ):
        with pytest.raises(BadPosition) as caught:
            ask("cuts", {**position, "choices": [wrong]})
        assert caught.value.where == where
