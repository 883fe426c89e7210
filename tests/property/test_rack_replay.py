"""Random games of every mission, turn by turn beside an independent game that knows the rules."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest

from cluewise import service
from cluewise.core.seal import unseal
from cluewise.errors import BadOption
from reference.rack import called, code_of
from reference.rack_rules import CARDS, NUMBERS, Deed, Game, Place, public_of

GAMES = int(os.environ.get("CLUEWISE_DEALS", "0"))  # a mission and number of players; 0: one each
TURNS = 150
ALL_KINDS = 16  # every so many turns equipment is looked at too
Offered = dict[Deed, float]


def ask(want: str, position: dict[str, Any], **options: Any) -> Any:
    return service.run({"desk": "rack", "want": want, "position": position, "options": options})


def seen_by(game: Game, position: dict[str, Any], player: int) -> dict[str, Any]:
    """The table with the hidden wires that the player sees."""
    stands = []
    for i, stand in enumerate(position["stands"]):
        slots = []
        for j, slot in enumerate(stand["slots"]):
            hidden = slot.get("state", "hidden") == "hidden"
            wire = game.hands[i][j] if game.sees(player, (i, j)) else None
            slots.append({**slot, "wire": wire} if hidden else slot)
        stands.append({**stand, "slots": slots})
    return {**position, "stands": stands, "viewer": player}


def offered(seen: dict[str, Any], actions: list[str]) -> Offered:
    """The cuts of the advice with their chances."""
    found = {}
    for cut in ask("cuts", seen, actions=actions, every_triple=True)["options"]:
        places = sorted([(cut["stand"], j) for j in cut["slots"]] + [tuple(p) for p in cut["also"]])
        found[cut["action"], tuple(places), cut["value"]] = cut["success"]
    return found


def possible(game: Game, seen: dict[str, Any], player: int) -> dict[Place, set[str]]:
    """What each wire may be called, as the player sees it; the truth is always among it."""
    chances = ask("posterior", seen)["stands"]
    found = {}
    for at in game.places():
        row = chances[at[0]]["slots"][at[1]]
        found[at] = {called(code_of(w)) for w in row} if row else {game.value(at)}
        assert game.value(at) in found[at]
    return found


def agree_on_what_is_legal(game: Game, seen: dict[str, Any], player: int, everything: bool) -> None:
    """The advice offers what is legal and may work, and nothing else."""
    equipment = ["double", "triple", "super", "either"] if everything else []
    actions = ["dual", "solo", "reveal", "together", *equipment]
    found = offered(seen, actions)
    bundles = {deed for deed in found if deed[0] == "together"}
    assert all(game.bundles(player, value, places) for _, places, value in bundles)
    may = possible(game, seen, player)
    legal = {
        (action, places, value)
        for action, places, value in game.legal(player)
        if action in actions
        and (action in ("solo", "reveal") or any(may[at] & set(value.split("/")) for at in places))
    }
    assert set(found) - bundles == legal


def pick(game: Game, player: int, dice: random.Random) -> Deed | None:
    """A legal deed, mostly one that works, so that games get on."""
    legal = sorted(game.legal(player))
    special = game.bundle()
    if special and dice.random() < 0.3:
        places = [at for at in game.places() if game.value(at) == special[0]]
        if dice.random() < 0.3:
            places = game.places()
        if len(places) >= special[1]:
            deed = ("together", tuple(sorted(dice.sample(places, special[1]))), special[0])
            if game.bundles(player, special[0], deed[1]):
                return deed
    by_kind: dict[str, list[Deed]] = {}
    for deed in legal:
        if dice.random() < 0.15 or game.works(deed):
            by_kind.setdefault(deed[0], []).append(deed)
    if not by_kind:
        return dice.choice(legal) if legal else None
    return dice.choice(by_kind[dice.choice(sorted(by_kind))])


def options_of(player: int, deed: Deed) -> dict[str, Any]:
    """A deed as the options of `outcome`."""
    action, places, value = deed
    stand = places[0][0]
    return {
        "action": action, "actor": player, "stand": stand, "value": value,
        "slots": [j for i, j in places if i == stand],
        "also": [at for at in places if at[0] != stand] if action == "together" else [],
    }  # fmt: skip


def illegal_deeds(game: Game, player: int, dice: random.Random) -> list[Deed]:
    """Deeds off the list: a few of all that anybody could think of."""
    legal, found = game.legal(player), []
    every = [(i, j) for i, hand in enumerate(game.hands) for j in range(len(hand))]
    for _ in range(6):
        action = dice.choice(["dual", "dual", "solo", "reveal", "double", "super", "either"])
        values = [*NUMBERS[: max(code_of(w) // 10 for h in game.hands for w in h)], "RED"]
        values += ["YELLOW"] if game.total["YELLOW"] else []
        named = "/".join(dice.sample(values, 2)) if action == "either" else dice.choice(values)
        stand = dice.choice(every)[0]
        row = [at for at in every if at[0] == stand]
        places = tuple(sorted(dice.sample(row, min(len(row), {"double": 2}.get(action, 1)))))
        if action in ("solo", "reveal"):
            mine = game.places(player)  # a shown yellow wire goes along, named or not
            known = [at for at in mine if game.sees(player, at) or game.state_of(at) == "info"]
            named = "RED" if action == "reveal" else named
            places = tuple(at for at in known if game.value(at) == named)
        if action == "super":
            places = tuple(row)
        deed = (action, places, named)
        same = {(a, p, "/".join(sorted(v.split("/")))) for a, p, v in legal}
        if places and (action, places, "/".join(sorted(named.split("/")))) not in same:
            found.append(deed)
    return found


def refused(game: Game, seen: dict[str, Any], player: int, deed: Deed) -> bool:
    """Whether `outcome` does not take a deed, however it is said to have ended."""
    action, places, _ = deed
    told = {"success": game.works(deed), "at": places[0][1], "shown": game.value(places[0])}
    extra = {} if action in ("solo", "reveal") else told
    try:
        ask("outcome", {**seen, "sealed": None}, **options_of(player, deed), **extra)
    except BadOption:
        return True
    return False


def note(game: Game, table: dict[str, Any], player: int, deed: Deed, dice: random.Random) -> Any:
    """The deed done in the game and noted at the desk: told by the table, or looked up."""
    seen = seen_by(game, table, player)
    looked_up = dice.random() < 0.4
    options = options_of(player, deed)
    steady = deed[0] not in ("solo", "reveal", "together") and dice.random() < 0.2
    told = game.act(player, deed, dice, numbers=looked_up, steady=steady)
    over = told.pop("over")
    for name in ("at", "own") if looked_up else told:
        if name in told:
            options[name] = told[name]
    if not looked_up:
        seen = {**seen, "sealed": None}
    result = ask("outcome", seen, **options, stabilized=steady)
    assert result["exploded"] == over
    return None if over else {**result["position"], "sealed": table["sealed"]}


@pytest.mark.parametrize("number", sorted(CARDS))
def test_games_go_as_an_independent_set_of_rules_says(number: int) -> None:
    """Public state after every turn, what may be done before it, and refusals of the rest."""
    played: Counter[str] = Counter()
    sizes = CARDS[number].get("players", [2, 3, 4, 5])
    for players in sizes if GAMES else [sizes[number % len(sizes)]]:
        for seed in range(max(GAMES, 1)):
            dice = random.Random(f"{number}.{players}.{seed}")
            seat = dice.randrange(players)
            deal = ask("deal", {}, mission=number, players=players, seed=seed, seat=seat)
            hands = [h.split(",") for h in unseal(deal["position"]["sealed"], "rack").split(";")]
            table = deal["position"]
            for stand in table["stands"]:  # nobody's wires are entered
                for slot in stand["slots"]:
                    if slot.get("state", "hidden") == "hidden":
                        slot.pop("wire", None)
            play(Game(table, hands), table, dice, played)
    assert played


def play(game: Game, table: dict[str, Any], dice: random.Random, played: Counter[str]) -> None:
    """One game to its end, or until nobody can do anything."""
    stuck = 0
    for turn in range(TURNS):
        player = turn % game.players
        if stuck == game.players or game.is_won():
            return
        if not game.places(player):
            stuck += 1
            continue
        seen = {**seen_by(game, table, player), "sealed": None}
        agree_on_what_is_legal(game, seen, player, turn % ALL_KINDS == 3)
        assert all(refused(game, seen, player, d) for d in illegal_deeds(game, player, dice))
        deed = pick(game, player, dice)
        stuck = 0 if deed else stuck + 1
        if deed:
            played[deed[0]] += 1
            after = note(game, table, player, deed, dice)
            if after is None:
                return
            table = after
            assert public_of(table) == game.public()
