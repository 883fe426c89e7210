"""Differential testing: the desk and an independent implementation of the rules, turn by turn."""

import random
from typing import Any

from asking import ask_rack as ask
from cluewise.core.seal import unseal
from cluewise.errors import BadOption
from reference.rack import called, code_of
from reference.rack_rules import NUMBERS, Deed, Game, Place, public_of

Offered = dict[Deed, float]


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
    cards: dict[str, Any] = {
        "numbers": game.numbers_of(player),
        "constraint": game.limit_of(player),
    }
    if position.get("limits"):
        cards["limits"] = [game.own_limit.get(p) for p in range(game.players)]
    return {**position, "stands": stands, "viewer": player, **cards}


def offered(cuts: list[dict[str, Any]]) -> Offered:
    """The cuts of the advice with their chances."""
    found = {}
    for cut in cuts:
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


def agree_on_what_is_legal(
    game: Game, seen: dict[str, Any], player: int, legal: set[Deed], equipment: list[str]
) -> None:
    """The advice offers what is legal and may work, and nothing else; it says who is stuck."""
    actions = ["dual", "solo", "reveal", "together", *equipment]
    answer = ask("cuts", seen, actions=actions, every_triple=True)
    assert answer["stuck"] == game.stuck(player)
    found = offered(answer["options"])
    bundles = {deed for deed in found if deed[0] == "together"}
    assert all(game.bundles(player, value, places) for _, places, value in bundles)
    may = possible(game, seen, player)
    expected = {
        (action, places, value)
        for action, places, value in legal
        if action in actions
        and (action in ("solo", "reveal") or any(may[at] & set(value.split("/")) for at in places))
    }
    assert set(found) - bundles == expected


def pick(game: Game, player: int, legal: set[Deed], dice: random.Random) -> Deed | None:
    """A legal deed, mostly one that works, so that games get on; every kind as often."""
    special = game.bundle()
    if special and dice.random() < 0.3:
        places = [at for at in game.places() if game.value(at) == special[0]]
        if dice.random() < 0.1:
            places = game.places()
        if len(places) >= special[1]:
            deed = ("together", tuple(sorted(dice.sample(places, special[1]))), special[0])
            if game.bundles(player, special[0], deed[1]):
                return deed
    some = dice.random() < 0.9 and [deed for deed in legal if game.works(deed)]
    by_kind: dict[str, list[Deed]] = {}
    for one in sorted(some or legal):
        by_kind.setdefault(one[0], []).append(one)
    if not by_kind:
        return None
    chosen = dice.choice(by_kind[dice.choice(sorted(by_kind))])
    return joined(chosen, legal, dice) if game.has_item(player, "either") else chosen


def joined(deed: Deed, legal: set[Deed], dice: random.Random) -> Deed:
    """Now and then a detector together with the ray: a second number is named."""
    action, places, value = deed
    if action not in ("double", "triple", "super") or dice.random() < 0.7:
        return deed
    more = sorted({named for kind, _, named in legal if kind == action} - {value})
    return (action, places, f"{value}/{dice.choice(more)}") if more else deed


def options_of(player: int, deed: Deed) -> dict[str, Any]:
    """A deed as the options of `outcome`."""
    action, places, value = deed
    stand = places[0][0]
    return {
        "action": action, "actor": player, "stand": stand, "value": value,
        "slots": [j for i, j in places if i == stand],
        "also": [at for at in places if at[0] != stand],
    }  # fmt: skip


def illegal_deeds(game: Game, player: int, legal: set[Deed], dice: random.Random) -> list[Deed]:
    """Deeds off the list: a few of all that anybody could think of."""
    found = []
    every = [(i, j) for i, hand in enumerate(game.hands) for j in range(len(hand))]
    for _ in range(4):
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
        deed, other = (action, places, named), "/".join(reversed(named.split("/")))
        if places and deed not in legal and (action, places, other) not in legal:
            found.append(deed)
    return found


def refused(game: Game, seen: dict[str, Any], player: int, deed: Deed) -> bool:
    """Whether `outcome` does not take a deed, however it is said to have ended."""
    action, places, _ = deed
    ending = {"success": game.works(deed), "at": places[0][1], "shown": game.value(places[0])}
    extra = {} if action in ("solo", "reveal") else ending
    try:
        ask("outcome", {**seen, "sealed": None}, **options_of(player, deed), **extra)
    except BadOption:
        return True
    return False


def note(game: Game, table: dict[str, Any], player: int, deed: Deed, dice: random.Random) -> Any:
    """The deed done in the game and noted at the desk: its end entered, or looked up."""
    looked_up = dice.random() < 0.4
    options = options_of(player, deed)
    plain = deed[0] in ("solo", "reveal", "together")
    steady = not plain and dice.random() < 0.2 and game.may_use(player, "9")
    other = dice.choice([p for p in range(game.players) if p != player])
    before = {p: seen_by(game, table, p) for p in (player, other)}
    ending = game.act(player, deed, dice, numbers=looked_up, steady=steady)
    over = ending.pop("over")
    heard = {**options, **ending, "stabilized": steady}
    if not looked_up and dice.random() < 0.3:
        same = ask("outcome", {**before[other], "sealed": None}, **heard)
        assert same["exploded"] == over
        assert over or plainly(public_of(same["position"])) == plainly(game.public())
    for name in ("at", "own") if looked_up else ending:
        if name in ending:
            options[name] = ending[name]
    sealed = table["sealed"] if looked_up else None
    result = ask("outcome", {**before[player], "sealed": sealed}, **options, stabilized=steady)
    assert result["exploded"] == over
    return None if over else {**result["position"], "sealed": table["sealed"]}


def plainly(public: Any) -> Any:
    """Without the numbers of yellow and red wires, which not everybody has seen."""
    rows, facts, steps = public
    names = {"Y": "YELLOW", "R": "RED"}
    return (
        [[(s, f and names.get(f[0], f), t) for s, f, t in row] for row in rows], facts, steps
    )  # fmt: skip


def set_up(number: int, players: int, seed: int, dice: random.Random) -> tuple[Game, Any]:
    """A practice game with no hidden wire entered."""
    seat = dice.randrange(players)
    table = ask("deal", {}, mission=number, players=players, seed=seed, seat=seat)["position"]
    hands = [h.split(",") for h in unseal(table["sealed"], "rack").split(";")]
    for counter in ("air", "reserve"):  # `rack_changes` has the rules of air
        table.pop(counter, None)
    for stand in table["stands"]:
        for slot in stand["slots"]:
            if slot.get("state", "hidden") == "hidden":
                slot.pop("wire", None)
    return Game(table, hands), table
