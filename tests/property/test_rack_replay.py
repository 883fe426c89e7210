"""Whole games of every mission, with equipment and to a deadlock, against slow rules engines."""

import os
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from asking import ask_rack
from asking import ask_rack as ask
from cluewise.core.seal import seal
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.verbs.mission import DealtGame
from reference.rack import Table, called, code_of
from reference.rack_differential import (
    agree_on_what_is_legal,
    illegal_deeds,
    note,
    pick,
    plainly,
    refused,
    seen_by,
    set_up,
)
from reference.rack_equipment import CARDS as EQUIPMENT
from reference.rack_equipment import use as use_card
from reference.rack_missions import MissionPlay
from reference.rack_rules import CARDS, NUMBERS, Game, public_of

GAMES = int(os.environ.get("CLUEWISE_GAMES", "200"))  # a mission, of the long test
TURNS = 150
BLOCK = 50  # games of a mission in a row
RARELY = {"double": 15, "super": 6, "either": 6, "triple": 90}  # in one turn of so many
GEAR_GAMES = int(os.environ.get("CLUEWISE_GAMES", "20"))  # a mission, of the long test
KNOWN_IN_PRACTICE = ("yes", "places", "at", "other_at", "shown")  # a practice game knows these
HEARD = {"9.9": ("places",), "4": ("shown",)}  # but these are entered
SEEDS = 30
TURNED = {38: (1, 0, 0), 56: (1, 1, 1), 64: (2, 2, 2)}  # turned wires of each player's
LOST = (38, 41, 47, 56, 57, 64)  # missions in which it comes to that
OTHERS = (4, 9, 11, 13, 20, 26, 35, 36, 46, 48)
Hands = list[list[str]]


def replay(number: int, seed: int, played: Counter[str]) -> None:
    """The seed's game of a mission; the numbers of players take turns."""
    sizes = CARDS[number].get("players", [2, 3, 4, 5])
    players = sizes[(number + seed) % len(sizes)]
    dice = random.Random(f"{number}.{players}.{seed}")
    game, table = set_up(number, players, seed, dice)
    play(game, table, dice, played, always=seed == 0)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("number", sorted(CARDS))
def test_games_follow_an_independent_rules_engine(number: int) -> None:
    played: Counter[str] = Counter()
    for seed in range(2):
        replay(number, seed, played)
    assert played


@pytest.mark.long
@pytest.mark.parametrize("number", sorted(CARDS))
@pytest.mark.parametrize("first", range(0, GAMES, BLOCK))
def test_hundreds_of_games_follow_an_independent_rules_engine(number: int, first: int) -> None:
    played: Counter[str] = Counter()
    games = min(BLOCK, GAMES - first)
    for seed in range(first, first + games):
        replay(number, seed, played)
    assert played["games"] == games
    assert played["dual"] > games
    print(f"mission {number}, from {first}:", *(f"{k} {n}" for k, n in sorted(played.items())))


def play(
    game: Game, table: dict[str, Any], dice: random.Random, played: Counter[str], always: bool
) -> None:
    """One game to its end, or until no player can act."""
    stuck, deed = 0, None
    played["games"] += 1
    for turn in range(TURNS):
        player = turn % game.players
        if stuck > 2 * game.players or game.is_won():
            played["won"] += game.is_won()
            return
        if not game.places(player):
            continue
        if turn:
            game.turn_cards(player, deed, dice)
        seen, legal = {**seen_by(game, table, player), "sealed": None}, game.legal(player)
        often = 1 if always and turn == 9 else None
        equipment = [k for k, many in RARELY.items() if dice.random() * (often or many) < 1]
        agree_on_what_is_legal(game, seen, player, legal, equipment)
        assert all(refused(game, seen, player, d) for d in illegal_deeds(game, player, legal, dice))
        deed = pick(game, player, legal, dice)
        stuck = 0 if deed else stuck + 1
        if deed:
            played[deed[0]] += 1
            after = note(game, table, player, deed, dice)
            if after is None:
                return
            table = after
            assert public_of(table) == game.public()


def used(
    game: Game, table: dict[str, Any], player: int, dice: random.Random, played: Counter[str]
) -> dict[str, Any]:
    """A card is used and noted, with its results entered or looked up, from any seat."""
    card = dice.choice(EQUIPMENT)
    watcher = dice.randrange(game.players)
    before = seen_by(game, table, watcher)
    seen = use_card(game, player, card, dice)
    if seen is None:
        return table
    played[card] += 1
    looked_up = dice.random() < 0.5
    if looked_up:
        lies = game.rule("false_token") is not None
        kept = HEARD.get(card, ()) if card != "4" or lies else ()
        seen = {k: v for k, v in seen.items() if k in kept or k not in KNOWN_IN_PRACTICE}
    else:
        before = {**before, "sealed": None}
    after = ask("use", before, **seen)["position"]
    assert plainly(public_of(after)) == plainly(game.public()), (card, seen)
    sealed = seal(";".join(",".join(hand) for hand in game.hands), "rack")
    if looked_up:
        assert after["sealed"] == sealed
    return {**after, "sealed": sealed}


def with_equipment(number: int, seed: int, played: Counter[str]) -> None:
    """One game of a mission, cards in between."""
    sizes = CARDS[number].get("players", [2, 3, 4, 5])
    players = sizes[(number + seed) % len(sizes)]
    dice = random.Random(f"gear.{number}.{players}.{seed}")
    game, table = set_up(number, players, seed, dice)
    deed = None
    for turn in range(100):
        player = turn % players
        if game.is_won():
            return
        if not game.places(player):
            continue
        if turn:
            game.turn_cards(player, deed, dice)
        for _ in range(3):
            table = used(game, table, dice.randrange(players), dice, played)
        if not game.places(player):
            continue
        seen, legal = {**seen_by(game, table, player), "sealed": None}, game.legal(player)
        agree_on_what_is_legal(game, seen, player, legal, [])
        deed = pick(game, player, legal, dice)
        after = note(game, table, player, deed, dice) if deed else table
        if after is None:
            return
        table = after
        played["turns"] += 1
        assert plainly(public_of(table)) == plainly(game.public())


@pytest.mark.parametrize("number", [4, 20, 24, 33, 52, 55, 58, 62, 64])
def test_equipment_follows_its_card_and_never_excludes_the_true_deal(number: int) -> None:
    played: Counter[str] = Counter()
    for seed in range(2):
        with_equipment(number, seed, played)
    assert played["turns"]


@pytest.mark.long
def test_every_card_is_used_in_games_of_every_mission() -> None:
    for_all: Counter[str] = Counter()
    for number in sorted(CARDS):
        played: Counter[str] = Counter()
        for seed in range(GEAR_GAMES):
            with_equipment(number, seed, played)
        print(f"mission {number}:", *(f"{k} {n}" for k, n in sorted(played.items())))
        for_all += played
    assert all(for_all[card] > GEAR_GAMES for card in EQUIPMENT)


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
def test_table_is_called_lost_exactly_if_it_is_deadlocked(mission: int) -> None:
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
def test_table_called_lost_is_lost_in_every_continuation(mission: int) -> None:
    played = 0
    for seed in range(SEEDS):
        game, table = left_over(mission, seed)
        for seat in range(game.players):
            position = seen_by(game, table, seat)
            given = msgspec.convert(position, Position)
            if game.places(seat) and lost_reason(position) and not rollout.refusal(given):
                words = rollout.encode_game(given)
                deals = rollout.draw_deals(words, seed, 20)
                assert not any(rollout.play_choices(words, deals, [rollout.POLICY_MOVE])[0][0])
                played += 1
    assert played > 4
