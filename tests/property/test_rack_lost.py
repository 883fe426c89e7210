"""Deadlocked tables (no wire can ever be cut again) against the slow rules engine."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from asking import ask_rack
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.verbs.mission import DealtGame
from reference.rack import Table, called, code_of
from reference.rack_differential import seen_by
from reference.rack_missions import MissionPlay
from reference.rack_rules import NUMBERS, Game

SEEDS = 30
TURNED = {38: (1, 0, 0), 56: (1, 1, 1), 64: (2, 2, 2)}  # turned wires of each player's
LOST = (38, 41, 47, 56, 57, 64)  # missions in which it comes to that
OTHERS = (4, 9, 11, 13, 20, 26, 35, 36, 46, 48)
Hands = list[list[str]]


def turned_table(mission: int, dice: random.Random) -> tuple[Hands, dict[str, Any]]:
    """Blue 1 to 3 and a red wire for three players, some turned away, at the ends of a hand."""
    hands: Hands = []
    wires = [*"111122223333", "R1"]
    dice.shuffle(wires)
    stands = []
    for player, many in enumerate(TURNED[mission]):
        hand = wires[player::3]
        away = sorted(hand[:many], key=code_of)
        hands.append([*away[1:], *sorted(hand[many:], key=code_of), *away[:1]])
        if many == 2:
            hands[-1][0], hands[-1][-1] = away
        turned = {len(hand) - 1: 1, 0: 2}  # place, and how many turned wires there must be
        slots = [
            {"tokens": ["unsorted"]} if many >= turned.get(j, 9) else {} for j in range(len(hand))
        ]
        stands.append({"slots": slots})
    return hands, {"mission": mission, "wires": {"blue": [1, 3], "red": ["R1"]}, "stands": stands}


def dealt_table(mission: int, seed: int, dice: random.Random) -> tuple[Hands, dict[str, Any]]:
    dealt = DealtGame(mission, dice.choice((2, 3, 4)), f"{seed}")
    table = msgspec.to_builtins(dealt.table)
    if mission == 47:
        table["numbers"] = dice.sample(NUMBERS, dice.choice((1, 2, 3)))
    if mission == 57:
        table["constraint"] = dice.choice("ABCDEFGHIJKL")
    return dealt.hands, table


def left_over(mission: int, seed: int) -> tuple[Game, dict[str, Any]]:
    """A table near its end, cut in pairs: what is turned away is left, and little else."""
    dice = random.Random(f"{mission}.{seed}")
    hands, table = (
        turned_table(mission, dice) if mission in TURNED else dealt_table(mission, seed, dice)
    )
    every = [(i, j) for i, hand in enumerate(hands) for j in range(len(hand))]
    value = {(i, j): called(code_of(hands[i][j])) for i, j in every}
    dice.shuffle(every)
    kept = [
        (i, j) for i, j in every
        if "unsorted" in table["stands"][i]["slots"][j].get("tokens", ())
        or (value[i, j] == "RED" and dice.random() < 0.5)
    ]  # fmt: skip
    kept += [at for at in every if mission == 41 and value[at] == "YELLOW"][: dice.choice((0, 1))]
    pairs = [name for name in NUMBERS if (mission, name) != (46, "7")]  # 7: all four at once
    for name in dice.sample(pairs, dice.choice((0, 1, 2))):
        kept += [at for at in every if value[at] == name and at not in kept][:2]
    for name in NUMBERS:  # what was cut was cut in pairs
        if sum(value[at] == name for at in kept) % 2:
            kept.append(next(at for at in every if value[at] == name and at not in kept))
    for i, j in every:
        slot = table["stands"][i]["slots"][j]
        slot.setdefault("state", "hidden")
        if (i, j) not in kept:
            slot.pop("value", None)
            slot.update(state="cut", wire=hands[i][j])
    for stand in table["stands"]:
        stand["facts"] = []
    table |= {"desk": "rack", "detonator": 2}
    return Game(table, hands), table


def lost_reason(position: dict[str, Any]) -> str:
    return str(ask_rack("posterior", position)["lost"])


@pytest.mark.sampled
@pytest.mark.parametrize("mission", sorted({*LOST, *OTHERS}))
def test_a_table_is_called_lost_exactly_where_no_wire_can_ever_be_cut_again(mission: int) -> None:
    seen: Counter[bool] = Counter()
    for seed in range(SEEDS):
        game, table = left_over(mission, seed)
        for seat in range(game.players):
            position = seen_by(game, table, seat)
            worlds = [world for world, _ in Table(position, seat).weighted()]
            assert worlds
            lost = all(MissionPlay(position, one, (1.0, 1.0)).game.is_lost() for one in worlds)
            assert bool(lost_reason(position)) == lost, (seed, seat)
            seen[lost] += 1
    assert seen[False]
    assert (seen[True] > 4) == (mission in LOST)


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.parametrize("mission", [38, 47, 56, 64])
def test_a_table_that_is_lost_is_lost_in_every_game_played_out(mission: int) -> None:
    played = 0
    for seed in range(SEEDS):
        game, table = left_over(mission, seed)
        for seat in range(game.players):
            position = seen_by(game, table, seat)
            given = msgspec.convert(position, Position)
            if game.places(seat) and lost_reason(position) and not rollout.refusal(given):
                words = rollout.game_words(given)
                deals = rollout.draw_deals(words, seed, 20)
                assert not any(rollout.play(words, deals, [rollout.BY_RULE])[0])
                played += 1
    assert played > 4
