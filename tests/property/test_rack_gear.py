"""Whole games with equipment between the turns, against an independent game."""

import os
import random
from collections import Counter
from typing import Any

import pytest

from asking import ask_rack as ask
from cluewise.core.seal import seal
from reference.rack_differential import agree_on_what_is_legal, note, pick, plainly, seen_by, set_up
from reference.rack_equipment import CARDS, use
from reference.rack_rules import CARDS as MISSIONS
from reference.rack_rules import Game, public_of

GAMES = int(os.environ.get("CLUEWISE_GAMES", "20"))  # a mission, of the long test
KNOWN_IN_PRACTICE = ("yes", "places", "at", "other_at", "shown")  # a practice game knows these
HEARD = {"9.9": ("places",), "4": ("shown",)}  # but these are entered


def used(
    game: Game, table: dict[str, Any], player: int, dice: random.Random, played: Counter[str]
) -> dict[str, Any]:
    """A card is used and noted, with its results entered or looked up, from any seat."""
    card = dice.choice(CARDS)
    watcher = dice.randrange(game.players)
    before = seen_by(game, table, watcher)
    seen = use(game, player, card, dice)
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
    sizes = MISSIONS[number].get("players", [2, 3, 4, 5])
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
def test_equipment_does_what_its_card_says_and_never_excludes_the_truth(number: int) -> None:
    played: Counter[str] = Counter()
    for seed in range(2):
        with_equipment(number, seed, played)
    assert played["turns"]


@pytest.mark.long
def test_every_card_is_used_in_games_of_every_mission() -> None:
    for_all: Counter[str] = Counter()
    for number in sorted(MISSIONS):
        played: Counter[str] = Counter()
        for seed in range(GAMES):
            with_equipment(number, seed, played)
        print(f"mission {number}:", *(f"{k} {n}" for k, n in sorted(played.items())))
        for_all += played
    assert all(for_all[card] > GAMES for card in CARDS)
