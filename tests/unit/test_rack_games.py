"""Win rates of ways to choose: the same deals in every way, in one process or several."""

import random
from typing import Any

import msgspec
import pytest

from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.game.play import after_round, letters_left, turn_limit
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Way
from cluewise.desks.rack.stand import Slot
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_win import choice_of
from cluewise.desks.rack.verbs.games import RolloutPolicy, mean, played, wilson
from cluewise.desks.rack.verbs.mission import DealtGame
from cluewise.desks.rack.verbs.review import next_seat


def ask(**options: Any) -> Any:
    return service.run({"desk": "rack", "want": "games", "position": {}, "options": options})


def test_win_rates_are_the_same_on_every_run_and_compare_the_same_deals() -> None:
    found = ask(mission=1, players=3, games=12)
    assert found == ask(mission=1, players=3, games=12)
    assert [row["way"] for row in found["rows"]] == ["likeliest", "careful", "spare"]
    first = found["rows"][0]
    assert (first["gain"], first["error"]) == (0, 0)
    for row in found["rows"]:
        assert row["rate"] == row["won"] / 12
        assert row["low"] <= row["rate"] <= row["high"]
        assert row["gain"] == pytest.approx(row["rate"] - first["rate"])


def test_games_are_the_same_in_pieces_and_at_once() -> None:
    ways: list[Way] = ["likeliest", "spare"]
    whole = finish(played(4, 4, 1, ways, 16, 0.0, 0, 6))
    parts = [finish(played(4, 4, 1, ways, 16, 0.0, a, a + 2)) for a in (0, 2, 4)]
    assert whole[0] == [[w for part in parts for w in part[0][way]] for way in range(2)]


def test_a_game_by_games_ends_and_values_its_choices_on_other_deals() -> None:
    won, gains = finish(played(4, 3, 1, ["win", "misses"], 16, 1.0, 0, 2))
    assert won[0] == won[1]  # no seat misses in these two
    assert len(won[0]) == 2 <= len(gains)
    assert all(-1 <= gain <= 1 and -1 <= rule <= 1 for gain, rule, _ in gains)


def test_a_player_sees_her_own_wires_and_of_others_what_lies_open() -> None:
    dealt = DealtGame(4, 4, "1.5")
    stand, slot = next((i, h.index(w)) for i, h in enumerate(dealt.hands) for w in h if w[0] == "Y")
    shown = replace_slot(dealt.table, stand, slot, Slot("info", None, "YELLOW"))
    for seat in (stand, (stand + 1) % 4, stand):
        shown = dealt.seen_by(seat, shown)
        mine, theirs = shown.stands[seat], shown.stands[(seat + 1) % 4]
        assert [s.wire for s in mine.slots] == dealt.hands[seat]
        assert all(s.wire is None for s in theirs.slots if s.state == "hidden")
        known = shown.stands[stand].slots[slot]
        assert (known.wire, known.value) == (
            (dealt.hands[stand][slot], None) if seat == stand else (None, "YELLOW")
        )


def test_intervals_and_means_are_the_textbook_ones() -> None:
    """Wilson for 81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I."""
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert mean([0.0, 1.0]) == (0.5, 0.5)
    assert mean([]) == (0.0, 0.0)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "mission", [7, 9, 11, 13, 14, 17, 23, 24, 32, 37, 38, 41, 46, 48, 56, 57, 58, 64]
)
def test_games_of_missions_with_special_rules_are_played_by_every_way(mission: int) -> None:
    won, gains = finish(played(mission, 4, 2, ["spare", "win"], 16, 0.2, 0, 1))
    assert [len(row) for row in won] == [1, 1]
    assert all(-1 <= gain <= 1 and -1 <= rule <= 1 for gain, rule, _ in gains)


def test_a_failed_cut_lays_what_the_table_lays_and_a_stuck_seat_skips_where_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = DealtGame(24, 4, "1.0")
    game = RolloutPolicy(dealt, "1.0", 16, 0)
    for i, hand in enumerate(dealt.hands):
        for j, wire in enumerate(hand):
            many = sum(value(other) == value(wire) for other in hand)
            said = "RED" if wire[0] == "R" else f"x{many}" if many < 4 else ""
            assert game._token(dealt.table, i, j) == said
    for mission, turns in ((56, 4), (41, 4), (35, 4), (9, 1)):  # 56: until no step is left;
        # 41, 35: all four skip; 9: the bomb explodes
        dealt = DealtGame(mission, 4, "1.0")
        game = RolloutPolicy(dealt, "1.0", 16, 0)
        asked: list[int] = []
        choose = lambda seen, asked=asked: asked.append(seen.detonator)  # noqa: E731
        monkeypatch.setattr(game, "_choose", choose)
        assert not game.play()
        assert len(asked) == turns
        assert asked == sorted(asked, reverse=True)


@pytest.mark.parametrize("mission", [35, 38, 64])
def test_a_seat_cuts_along_only_a_wire_of_hers_that_may_be_cut(mission: int) -> None:
    dealt = DealtGame(mission, 4, "1.0")
    for hand in dealt.hands:
        hand[:] = ["2"] * len(hand)
    loose = [j for j, s in enumerate(dealt.table.stands[0].slots) if "unsorted" in s.tokens]
    table = dealt.table
    for j in range(len(dealt.hands[0])):
        slot = Slot("hidden", tokens=("unsorted",)) if j in loose else Slot("info", "2")
        table = replace_slot(table, 0, j, slot)
    cut = Cut("dual", 1, [3], "2", 1.0, 0.0, 0.0, certain=True)
    ending = RolloutPolicy(dealt, "1.0", 16, 0)._ending(dealt.seen_by(0, table), cut)
    assert loose
    assert ending["own"] == [0, min({0, 1, 2} - set(loose))]


def value(wire: str) -> str:
    return wire[0] if wire[0] in "YR" else wire


class CheckedPolicy(RolloutPolicy):
    """Cuts what is likeliest; each turn is compared with the kernel's on the true deal."""

    checked = 0

    def _choose(self, seen: Position) -> Cut | None:
        found = finish(cuts(seen, CutsOptions(actions=list(rollout.KINDS)))).options
        return found[0] if found else None

    def _act(self, seen: Position, cut: Cut) -> tuple[Position, bool]:
        table, exploded = super()._act(seen, cut)
        deal, players = self.dealt.wires(), self.dealt.players
        words = rollout.game_words(seen)
        (kernel,) = rollout.play(words, deal, [choice_of(cut)])[0]
        mover = next_seat(table, seen.viewer or 0)
        if exploded or not self._left(table) or mover is None:
            assert kernel == (not exploded)
        else:
            after = self.dealt.seen_by((mover + 1) % players, table)
            words = rollout.game_words(after, mover=mover)
            assert (kernel,) == (rollout.play(words, deal, [rollout.BY_RULE])[0][0],)
            self.checked += 1
        return table, exploded


@pytest.mark.parametrize("mission", [44, 49, 53, 57, 63])
def test_a_turn_leaves_air_robot_and_limit_cards_as_the_kernel_does(mission: int) -> None:
    checked = 0
    for game in "12":
        policy = CheckedPolicy(DealtGame(mission, 4, game), game, 16, 0.0)
        policy.play()
        checked += policy.checked
    assert checked > 8


def test_limit_cards_are_turned_up_and_turned_down_by_the_missions_rules() -> None:
    table, dice = DealtGame(32, 4, "1").table, random.Random(1)
    gone = table
    for left in range(11, -1, -1):
        gone = turn_limit(gone, dice)
        assert len(letters_left(gone)) == max(left - 1, 0)
    assert gone.constraint is None
    stuck = msgspec.structs.replace(DealtGame(37, 4, "1").table, detonator=2)
    table, exploded = after_round(stuck, dice)
    assert (table.detonator, exploded, table.constraint != stuck.constraint) == (1, False, True)
    assert after_round(DealtGame(57, 4, "1").table, dice)[1]
