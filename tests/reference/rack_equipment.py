"""Equipment that is no cut, in a game that knows the rules: what a card does and makes public."""

import random
from typing import Any

from reference.rack import called, code_of
from reference.rack_rules import NUMBERS, Game, Place

CARDS = ("1", "2", "4", "6", "8", "12", "2.2", "9.9", "10.10", "11.11")
Effect = dict[str, Any]


def use(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """The card's effect on the game, and what everybody saw."""
    if not game.may_use(player, card):
        return None
    effects = {
        "1": label, "12": label, "2": swap, "4": note, "6": rewind, "8": radar, "2.2": single,
        "9.9": fast, "10.10": disintegrate, "11.11": hook,
    }  # fmt: skip
    effect: Effect | None = effects[card](game, player, card, dice)
    return None if effect is None else {"card": card, "actor": player, **effect}


def touchable(game: Game, player: int, cut_too: bool = False) -> list[Place]:
    """A player's wires that equipment may touch: sorted ones."""
    every = [(i, j) for i, hand in enumerate(game.hands) for j in range(len(hand))]
    return [
        at for at in every
        if game.owner[at[0]] == player and not game.loose(at)
        and (cut_too or game.state_of(at) != "cut")
    ]  # fmt: skip


def rewind(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    if game.steps is None or game.steps > 8:
        return None
    game.steps += 1
    return {}


def radar(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """Each stand answers for its uncut blue wires, shown ones too; unsorted ones do not count."""
    value = dice.choice([n for n in NUMBERS if game.total[n]])
    yes = []
    for i, hand in enumerate(game.hands):
        row = [(i, j) for j in range(len(hand)) if game.state_of((i, j)) != "cut"]
        mine = [at for at in row if not game.loose(at)]
        has = any(game.value(at) == value for at in mine)
        yes += [i] if has else []
        hides = any(game.loose(at) and game.state_of(at) == "hidden" for at in row)
        shown = any(
            game.state_of(at) == "info" and game.shown[at[0]][at[1]] == value for at in mine
        )
        if not has and not hides:
            game.said[i].add(("lacks", value))
        elif not has:
            deny(game, mine, value)
        elif not shown and not hides:
            game.said[i].add(("has", value))
    return {"value": value, "yes": yes}


def deny(game: Game, places: list[Place], value: str) -> None:
    for i, j in places:
        if game.state[i][j] == "hidden":
            game.tokens[i][j].add(f"not:{value}")


def label(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """Two neighbours of one's own that are called the same, or not; one of them may be cut."""
    mine = touchable(game, player, cut_too=True)
    pairs = [(at, (at[0], at[1] + 1)) for at in mine if (at[0], at[1] + 1) in mine]
    fitting = [
        one for one, two in pairs
        if (game.value(one) == game.value(two)) == (card == "12")
        and "hidden" in (game.state_of(one), game.state_of(two))
    ]  # fmt: skip
    if not fitting:
        return None
    i, j = dice.choice(fitting)
    game.tokens[i][j].add("same-as-next" if card == "12" else "differs-from-next")
    return {"stand": i, "slot": j}


def blue(game: Game, player: int, cut_too: bool) -> list[Place]:
    return [at for at in touchable(game, player, cut_too) if game.value(at).isdigit()]


def note(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """A token more of the mission's kind; of a liar one that is not so."""
    lies = game.rule("false_token")
    counted = game.kind == "multiplicity"
    places = [at for at in blue(game, player, counted) if counted or game.state_of(at) == "hidden"]
    if not places:
        return None
    i, j = at = dice.choice(places)
    if lies and (lies["who"] == "all" or player == game.liar):
        shown = dice.choice([n for n in NUMBERS if n != game.value(at)])
        game.tokens[i][j].add(f"not:{shown}")
        return {"stand": i, "slot": j, "shown": shown}
    if counted and sum(value == game.value(at) for value in game.called[i]) > 3:
        return None
    return {"stand": i, "slot": j, "shown": game.lay(player, at)}


def single(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """The only one of its number on the stand, cut ones counted."""
    places = [
        at for at in blue(game, player, cut_too=True)
        if game.called[at[0]].count(game.value(at)) == 1
    ]  # fmt: skip
    if not places:
        return None
    i, j = dice.choice(places)
    game.tokens[i][j].add("x1")
    return {"stand": i, "slot": j}


def fast(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """Two wires of a number of one's own, others left or not, on one stand or two."""
    mine = [at for at in game.places(player) if game.sees(player, at)]
    values = sorted({game.value(at) for at in mine if game.value(at).isdigit()})
    pairs = [
        (v, [at for at in mine if game.value(at) == v]) for v in values
        if v != game.deadly() and game.may_name(player, "solo", v, 2)
    ]  # fmt: skip
    pairs = [(v, found) for v, found in pairs if len(found) > 1]
    if not pairs:
        return None
    value, found = dice.choice(pairs)
    one, two = places = dice.sample(found, 2)
    for at in places:
        game.uncover(at, "cut", value)
    effect = {"stand": one[0], "slots": [one[1]], "value": value}
    return effect | ({"slots": [one[1], two[1]]} if two[0] == one[0] else {"places": [two]})


def disintegrate(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """All uncut wires of a drawn number, wherever they stand."""
    value = dice.choice([n for n in NUMBERS if game.total[n]])
    gone = [at for at in game.places() if game.value(at) == value]
    if len(gone) < game.total[value] - game.cut_so_far(value):
        return None  # some lie on no stand: what then is no matter of this card
    deny(game, [at for at in game.places() if at not in gone], value)
    for at in gone:
        game.uncover(at, "cut", value)
    return {"value": value, "places": gone}


def swap(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """One uncut wire each between two players."""
    other = dice.choice([p for p in range(game.players) if p != player])
    mine, theirs = touchable(game, player), touchable(game, other)
    if not mine or not theirs:
        return None
    one, two = dice.choice(mine), dice.choice(theirs)
    first, second = take(game, one), take(game, two)
    into, other_at = put(game, one[0], second), put(game, two[0], first)
    return {
        "stand": one[0], "slot": one[1], "other": two, "at": into, "other_at": other_at,
    }  # fmt: skip


def hook(game: Game, player: int, card: str, dice: random.Random) -> Effect | None:
    """A teammate's uncut wire into one's own stand."""
    other = dice.choice([p for p in range(game.players) if p != player])
    theirs = touchable(game, other)
    to = dice.choice([i for i, owner in enumerate(game.owner) if owner == player])
    if not theirs or len(game.hands[to]) > 18:
        return None
    place = dice.choice(theirs)
    return {"stand": place[0], "slot": place[1], "to": to, "at": put(game, to, take(game, place))}


def take(game: Game, at: Place) -> tuple[str, str, Any, set[str]]:
    """A wire off its stand; counts and labels that it may have made untrue go."""
    i, j = at
    wire, state = game.hands[i].pop(j), game.state[i].pop(j)
    face, tokens = game.shown[i].pop(j), game.tokens[i].pop(j)
    game.called[i].pop(j)
    kept = {t for t in tokens if t in ("even", "odd") or t.startswith("not:")}
    if state == "hidden":
        kept |= {f"not:{v}" for kind, v in game.said[i] if kind == "lacks"}
    for one in game.tokens[i]:
        one -= {"x1", "x2", "x3"}
    if j:
        game.tokens[i][j - 1] -= {"same-as-next", "differs-from-next"}
    game.said[i] = {(kind, v) for kind, v in game.said[i] if kind == "lacks"}
    return wire, state, face, kept | {"moved"}


def put(game: Game, i: int, moved: tuple[str, str, Any, set[str]]) -> int:
    """A wire sorted into a stand; what the stand lacked, its old wires lack still."""
    wire, state, face, tokens = moved
    sorted_in = [j for j in range(len(game.hands[i])) if not game.loose((i, j))]
    below = [j for j in sorted_in if code_of(game.hands[i][j]) <= code_of(wire)]
    at = below[-1] + 1 if below else sorted_in[0] if sorted_in else 0
    for one in game.tokens[i]:
        one -= {"x1", "x2", "x3"}
    if at:
        game.tokens[i][at - 1] -= {"same-as-next", "differs-from-next"}
    for kind, value in game.said[i]:
        if kind == "lacks":
            deny(game, [(i, j) for j in range(len(game.hands[i]))], value)
    game.said[i] = {(kind, v) for kind, v in game.said[i] if kind == "has"}
    game.hands[i].insert(at, wire)
    game.called[i].insert(at, called(code_of(wire)))
    game.state[i].insert(at, state)
    game.shown[i].insert(at, face)
    game.tokens[i].insert(at, tokens)
    return at
