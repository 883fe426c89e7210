"""Monte Carlo rollouts of a table: encodes it for rollout.c and calls the kernel.

Deals come from the exact posterior of the player to move. Every seat then follows one fixed policy
(see rollout.c). Not every table is modelled: wires in play must be known by name or drawn from
small groups, tokens must concern single wires or count a value, unsorted or turned wires must be
few, and the mission's rules must be among those of `_is_modelled`. `refusal` returns what is not.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Sequence

from cluewise.desks.rack.engine.counting import TOKEN_KINDS, impossible
from cluewise.desks.rack.engine.encoding import allowed_layers, halves, lacked_values
from cluewise.desks.rack.game.legal import Place, unpaired_cut
from cluewise.desks.rack.game.missions import Rule, mission_of
from cluewise.desks.rack.game.play import Play, card_number, encode_changes, play_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import LABELS, TIMES, Position, in_play, wire_of
from cluewise.desks.rack.stand import (
    YELLOW,
    Slot,
    Stand,
    value_number,
    value_of,
    wire_code,
    wire_name,
)
from cluewise.kernel import kernel
from cluewise.kernel.layouts import RACK

WORK = 24 << 20  # five stands of yellow and red wires need some 8 MB
STANDS, SLOTS, DEAL = RACK.WIN_STANDS, RACK.WIN_SLOTS, RACK.WIN_DEAL
STATES = {"hidden": 0, "cut": 1, "info": 2}
HARMLESS = {"timer", "silence", "memory", "gear_lock", "gear_limit"}  # rules that change no cut
MODELLED = {
    "treated_as_red", "order", "failure_explodes", "false_token", "no_token", "unsorted",
    "locked_until", "flipped", "owner_cut", "together", "last", "dealt_apart", "one_by_one",
    "skip", "constraint", "pay",
}  # fmt: skip
NOT_MODELLED = {  # reasons, after "Games are not simulated in mission 19: "
    "script": "a sound file tells the rules",
    "hidden_card": "cards are held in secret",
    "off_stands": "wires lie off the stands",
    "track": "a piece on a board decides what may be cut",
    "value_gate": "players choose who gets which number cards",
}
OMITTED = {  # rules that could only help later in the game: simulated games ignore them
    "goal": "without what goal cards give back",
    "extra_token": "without tokens that are laid in the middle of the game",
    "turn_order": "with turns that go round",
}
CARDS = {"open number cards": 1, "sum or difference of two open number cards, then discarded": 2}
CUTTERS = {"radar": 3, "volunteer": 4, "ordered": 5}
FIXED = {  # free choices of players that simulated games fix
    "order": "with the number cards in their order here",
    "value_gate": "with the lowest two cards that give a value",
}
FREE_TURN_ORDERS = {"anyone_next"}  # clockwise turns are one of the allowed orders
NUMBER_RULES = {"treated_as_red", "order", "value_gate"}  # rules about open number cards
MAX_GROUP_WIRES = 12  # candidates of "X of Y" groups
MAX_UNSORTED = 10  # unsorted or turned wires
MAX_ENUMERATED = 256  # deals; more are sampled
CHOICE_KINDS = {"dual": 0, "solo": 1, "reveal": 2, "together": 3}
PLACE_BITS = 7  # of a place in a choice of several wires
Choice = tuple[int, int, int, int]  # kind, stand, slot, value; see `encode_choice`
Caution = tuple[int, int]  # cost of red in tenths of a success: base, more per spare step
CAUTION: Caution = (10, 10)  # the number of steps left: at the last one every failure is as bad
POLICY_MOVE: Choice = (-1, 0, 0, 0)  # the first move follows the policy of the seats


def refusal(position: Position) -> str:
    """Return why games of this table cannot be simulated, one sentence; "" if they can."""
    fault = _mission_refusal(position) or unpaired_cut(position)[0]
    if fault:
        return fault
    doubtful = sum(len(g.of) for g in position.wires.groups)
    if (
        position.wires.aside
        or doubtful > MAX_GROUP_WIRES
        or len(position.wires.groups) > RACK.GROUPS
    ):
        return "Games are not simulated while it is open which of so many wires are in play."
    yellow = any(value_of(c) == YELLOW for c, n in in_play(position.wires).items() if n)
    counted = position.token == "multiplicity" or _has_token(position, TIMES)
    if counted and (yellow or _has_token(position, ("unsorted",))):
        return "Games are not simulated with 1×2×3× tokens together with yellow or unsorted wires."
    apart = {f.value for stand in position.stands for f in stand.facts if f.kind == "one"}
    if apart and (
        counted or (yellow and apart != {"YELLOW"}) or _has_token(position, ("unsorted",))
    ):
        return "Games are not simulated where red was dealt apart with yellow or unsorted wires."
    players = {position.owner_of(i) for i in range(len(position.stands))}
    if not 2 <= len(position.stands) <= STANDS or players != set(range(len(players))):
        return "Games are simulated at tables of two to five stands."
    if position.viewer not in players or len(players) < 2:
        return "Games are simulated from a player's own place."
    turned = Rules(position).rule("flipped") is not None
    for i, stand in enumerate(position.stands):
        fault = _stand_refusal(stand, position.owner_of(i) == position.viewer, turned)
        if fault:
            return fault
    loose = [s for stand in position.stands for s in stand.slots if "unsorted" in s.tokens]
    if len(loose) > 2 * len(players) or len(loose) > MAX_UNSORTED:
        return "Games are not simulated with so many unsorted wires."
    return ""


def omissions(position: Position) -> list[str]:
    """Return phrases for the mission's rules that simulated games ignore or fix."""
    mission, found, play = mission_of(position), list[str](), play_of(position)
    for rule in mission.rules if mission else ():
        kind = rule["kind"]
        found += [OMITTED[kind]] if kind in OMITTED and not play.cutter else []
        moves = kind == "constraint" and rule["scope"] == "own" and "change" in rule
        found += ["without moving limit cards"] if moves else []
        found += [FIXED[kind]] if _has_free_order(rule) or _number_card_rule(rule) == 2 else []
    return found + ([play.reading] if play.reading else [])


def _has_free_order(rule: Rule) -> bool:
    """Return whether the players choose the order of the number cards."""
    return str(rule.get("direction", "left_to_right")) != "left_to_right"


def _number_card_rule(rule: Rule | None) -> int:
    """Return the kernel's number for what open number cards allow; 0: everything."""
    return CARDS.get(rule["values"], 0) if rule and rule["kind"] == "value_gate" else 0


def _is_modelled(rule: Rule, play: Play) -> bool:
    """Return whether simulated games follow or may ignore a rule."""
    if rule["kind"] in ("value_gate", "radar_each_turn"):
        return bool(play.cutter) or rule.get("values") in CARDS
    if rule["kind"] == "track":
        return play.track
    if rule["kind"] == "turn_order":
        return bool(play.cutter) or rule["how"] in FREE_TURN_ORDERS
    return rule["kind"] in HARMLESS | MODELLED | OMITTED.keys()


def _has_token(position: Position, tokens: Collection[str]) -> bool:
    slots = (slot for stand in position.stands for slot in stand.slots)
    return any(token in tokens for slot in slots for token in slot.tokens)


def _mission_refusal(position: Position) -> str:
    """Return what the mission's rules lack for a simulation, one sentence; "" if nothing."""
    mission = mission_of(position)
    rules, play = mission.rules if mission else (), play_of(position)
    for rule in rules:
        if mission and not _is_modelled(rule, play):
            why = NOT_MODELLED.get(rule["kind"], "a special rule is not known")
            return f"Games are not simulated in mission {mission.number}: {why}."
    if play.next_limit == "paired" and not position.pairs:
        return "Enter the limit card at each number first."
    gated = any(rule["kind"] in NUMBER_RULES or rule.get("what") == "number_card" for rule in rules)
    if gated and not position.numbers:
        return "Enter the open number cards first: they change what may be cut."
    own = any(rule["kind"] == "constraint" and rule["scope"] == "own" for rule in rules)
    if own and len(position.limits) != len(position.seats()):
        return "Enter each player's limit card first."
    if any(rule.get("who") == "captain_card" for rule in rules) and position.captain_card is None:
        return "Enter first who holds the captain card."
    return ""


def _stand_refusal(stand: Stand, mine: bool, turned: bool) -> str:
    if not 1 <= len(stand.slots) <= SLOTS:
        return f"Games are simulated with 1 to {SLOTS} wires on a stand."
    if any(f.kind == "one" and f.value not in ("YELLOW", "RED") for f in stand.facts):
        return "Games are not simulated where a number was dealt apart."
    for slot in stand.slots:
        if any(t in LABELS or t == "moved" for t in slot.tokens):
            return "Games are not simulated with labels or wires that changed stands."
        known, away = wire_of(slot) is not None, turned and "unsorted" in slot.tokens
        if away and slot.state == "hidden":
            if known == mine:
                return (
                    "Games are not simulated where you know your own turned wire."
                    if mine
                    else "Enter first what you see of others' turned wires."
                )
            continue
        if mine and not known:
            return "Enter your own wires first."
        if slot.state == "cut" and not known:
            return "Games are not simulated while a cut wire's number is unknown."
        if slot.state == "hidden" and known and not mine:
            return "Games are not simulated where you know a teammate's hidden wire."
        if slot.state == "info" and not known and slot.value != "YELLOW":
            return "Games are not simulated with a red wire on show."
    return ""


def encode_game(
    position: Position, caution: Caution = CAUTION, mover: int | None = None
) -> array[int]:
    """Return the position as GAME ENCODING (rack.h); the viewer moves, or `mover`."""
    copies, codes = _layers(position)
    players = len(position.seats())
    steps = players if position.detonator is None else max(position.detonator, 1)
    turn = (position.viewer or 0) if mover is None else mover
    game = array("i", [players, len(position.stands), turn, steps])
    game.extend((TOKEN_KINDS[position.token], *caution, len(codes)))
    rules, groups = Rules(position), position.wires.groups
    order = rules.rule("order")
    before = {v: rules.numbers[i] for i, v in enumerate(rules.numbers[1:])} if order else {}
    game.extend((
        rules.deadly or 0,
        sum(1 << p for p in range(players) if rules.failure_explodes(p)),
        sum(1 << p for p in range(players) if rules.never_lays(p)),
        order["unlock_after"] if order else 0,
        len(groups),
        _encode_unsorted_rules(rules),
        *_encode_multi_cut(rules),
        *_encode_number_cards(rules),
        *_encode_own_limits(rules),
        *encode_changes(position, STANDS),
    ))  # fmt: skip
    undrawn = [len(group.of) - group.drawn for group in groups]
    game.extend(undrawn + [0] * (RACK.GROUPS - len(groups)))
    group_of = {wire_code(name): g for g, one in enumerate(groups, 1) for name in one.of}
    for code in codes:
        value = value_of(code)
        game.extend((value, copies[code], group_of.get(code, 0), before.get(value, 0)))
    for i, stand in enumerate(position.stands):
        lacks = lacked_values(stand)
        first = {"has": 0, "one": 16}  # bit of value 0
        facts = (f for f in stand.facts if f.kind in first)
        bits = sum(1 << first[f.kind] + (value_number(f.value) or 0) for f in facts)
        game.extend((position.owner_of(i), len(stand.slots), bits))
        for slot in stand.slots:
            game.extend(_encode_slot(slot, lacks, codes))
    return game


def _layers(position: Position) -> tuple[Counter[int], list[int]]:
    """Return copies by wire code, and the codes of the layers: wires that may be on the stands."""
    copies = Counter(in_play(position.wires))
    copies.subtract(Counter(wire_code(name) or 0 for name in position.known_elsewhere))
    return copies, sorted(code for code, n in copies.items() if n > 0)


def hands_of(position: Position, deals: array[int]) -> list[list[list[str]]]:
    """Return the wires of each deal, stand by stand: `[[["1", "R2"], ["1", "3"]], …]`."""
    names = [wire_name(code) for code in _layers(position)[1]]
    sizes = [len(stand.slots) for stand in position.stands]
    return [
        [[names[deals[at + i * SLOTS + j]] for j in range(size)] for i, size in enumerate(sizes)]
        for at in range(0, len(deals), DEAL)
    ]


def _encode_slot(slot: Slot, lacks: set[int | None], codes: list[int]) -> list[int]:
    """Encode a slot; `lacks`: the values of which the stand hides no wire."""
    code = wire_of(slot)
    wire = codes.index(code) if code is not None else 0
    if code is None and slot.value:  # any yellow wire
        wire = next(d for d, one in enumerate(codes) if value_of(one) == YELLOW)
    times = next((TIMES[token] for token in slot.tokens if token in TIMES), 0)
    state = STATES[slot.state] + 4 * times + 16 * ("unsorted" in slot.tokens)
    return [state, wire, *halves(allowed_layers(slot, lacks, codes))]


def _encode_unsorted_rules(rules: Rules) -> int:
    """Encode the rules for unsorted and for yellow wires as flags."""
    locked, turned = rules.rule("locked_until"), rules.rule("flipped")
    owners = rules.rule("owner_cut") or {}
    flags = (
        locked is not None and locked["slots"] == "unsorted",
        turned is not None,
        owners.get("others") == "forbidden",
        turned is not None and turned["count"] == 2,
        rules.one_by_one,
        rules.stuck == "explode",
    )
    return sum(flag << n for n, flag in enumerate(flags))


def _encode_multi_cut(rules: Rules) -> tuple[int, int, int]:
    """Encode the cut of several wires at once: value, number of wires, flags."""
    special = rules.together
    if special is None:
        return 0, 0, 0
    last = rules.rule("last") is not None
    return special.value, special.count, special.explodes + 2 * special.only_so + 4 * last


def _encode_number_cards(rules: Rules) -> tuple[int, int, int]:
    """Encode what open number cards allow, the steps of a skipped turn, the open values."""
    gate, cutter = rules.rule("value_gate"), play_of(rules.position).cutter
    values = set(rules.numbers[:1] if cutter else rules.numbers) if gate else set()
    allowed = CUTTERS.get(cutter, _number_card_rule(gate))
    return allowed, rules.stuck_steps, sum(1 << value for value in values)


def _encode_own_limits(rules: Rules) -> list[int]:
    """Encode whether a player who cannot follow a limit card discards it, then the cards."""
    rule = rules.rule("constraint")
    letters = rules.own_limits() if rule and rule["scope"] == "own" else []
    off = int(rule is not None and "off" in str(rule.get("stuck", "")))
    return [off, *map(card_number, letters), *[0] * (STANDS - len(letters))]


def encode_choice(kind: int, places: Sequence[Place], value: int) -> Choice:
    """Encode a choice for the kernel: `encode_choice(0, [(1, 2)], 7) == (0, 1, 2, 7)`."""
    if kind != CHOICE_KINDS["together"]:
        return kind, *places[0], value
    ats = enumerate(sorted(places))
    return kind, 0, sum(SLOTS * i + j << PLACE_BITS * n for n, (i, j) in ats), value


def draw_deals(game: array[int], seed: int, count: int) -> array[int]:
    """Draw deals from the posterior of the player to move, DEAL bytes each."""
    with kernel().frame() as frame:
        at, out = frame.put(game), frame.reserve(DEAL * count)
        work = frame.reserve(WORK)
        if not frame.call("rack_win_draw", at, len(game), seed, count, work, WORK, out):
            raise impossible()
        return frame.get(out, "B", DEAL * count)


def enumerate_deals(
    game: array[int], limit: int = MAX_ENUMERATED
) -> tuple[array[int], list[float]] | None:
    """Return all deals that fit what the player to move knows, with their chances.

    None if they are more than `limit`, or cards are drawn during the game.
    """
    with kernel().frame() as frame:
        at, work = frame.put(game), frame.reserve(WORK)
        out, chances = frame.reserve(DEAL * limit), frame.reserve(8 * limit)
        count = frame.call("rack_win_deals", at, len(game), limit, work, WORK, out, chances)
        if not count:
            raise impossible()
        if count > limit:
            return None
        return frame.get(out, "B", DEAL * count), list(frame.get(chances, "d", count))


def play_choices(
    game: array[int], deals: array[int], choices: Sequence[Choice]
) -> tuple[list[list[int]], int]:
    """Return for each choice 1 for every deal won after it, else 0; and the work.

    Work is the number of transitions tested for the seats' posteriors.
    """
    numbers = [number for choice in choices for number in choice]
    return _play(game, deals, len(choices), function="rack_win_play", choices=numbers)


def play_tokens(
    game: array[int], deals: array[int], places: Sequence[Place], laying: int
) -> tuple[list[list[int]], int]:
    """Return for each first token 1 for every deal won after it, else 0; and the work.

    `laying`: the stands (bits) whose players then show their best token by the joint metric.
    """
    ats = [SLOTS * i + j for i, j in places]
    return _play(game, deals, len(ats), function="rack_win_tokens", places=ats, laying=laying)


def _play(
    game: array[int], deals: array[int], count: int, *, function: str, **more: list[int] | int
) -> tuple[list[list[int]], int]:
    games = len(deals) // DEAL
    with kernel().frame() as frame:
        options = {
            key: frame.put(array("i", value)) if isinstance(value, list) else value
            for key, value in more.items()
        }
        won, work = frame.reserve(games * count), frame.reserve(WORK)
        status = frame.call(
            function, frame.put(game), len(game), deals=frame.put(deals), games=games, **options,
            count=count, work=work, bytes=WORK, won=won,
        )  # fmt: skip
        results = list(frame.get(won, "B", games * count))
    return [results[i * games : (i + 1) * games] for i in range(count)], status - 1


def policy_moves(game: array[int], deals: array[int]) -> list[Choice]:
    """Return the policy's move of the player to move in each deal: `[(0, 2, 5, 7), …]`."""
    games = len(deals) // DEAL
    with kernel().frame() as frame:
        out, work = frame.reserve(16 * games), frame.reserve(WORK)
        frame.call("rack_win_choose", frame.put(game), len(game), deals=frame.put(deals),
                   games=games, work=work, bytes=WORK, choices=out)  # fmt: skip
        numbers = frame.get(out, "i", 4 * games).tolist()
    return [tuple(numbers[at : at + 4]) for at in range(0, 4 * games, 4)]


def layer_values(position: Position) -> list[int]:
    """Return the value of each layer, in which deals are encoded."""
    return [value_of(code) for code in _layers(position)[1]]
