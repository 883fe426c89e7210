"""Random games of every mission, turn by turn, against an independent rules engine."""

import os
import random
from collections import Counter
from typing import Any

import pytest

from reference.rack_differential import (
    agree_on_what_is_legal,
    illegal_deeds,
    note,
    pick,
    refused,
    seen_by,
    set_up,
)
from reference.rack_rules import CARDS, Game, public_of

GAMES = int(os.environ.get("CLUEWISE_GAMES", "200"))  # a mission, of the long test
TURNS = 150
BLOCK = 50  # games of a mission in a row
RARELY = {"double": 15, "super": 6, "either": 6, "triple": 90}  # in one turn of so many


def replay(number: int, seed: int, played: Counter[str]) -> None:
    """The seed's game of a mission; the numbers of players take turns."""
    sizes = CARDS[number].get("players", [2, 3, 4, 5])
    players = sizes[(number + seed) % len(sizes)]
    dice = random.Random(f"{number}.{players}.{seed}")
    game, table = set_up(number, players, seed, dice)
    play(game, table, dice, played, always=seed == 0)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("number", sorted(CARDS))
def test_games_go_as_an_independent_set_of_rules_says(number: int) -> None:
    played: Counter[str] = Counter()
    for seed in range(2):
        replay(number, seed, played)
    assert played


@pytest.mark.long
@pytest.mark.parametrize("number", sorted(CARDS))
@pytest.mark.parametrize("first", range(0, GAMES, BLOCK))
def test_hundreds_of_games_of_a_mission_go_as_the_rules_say(number: int, first: int) -> None:
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
