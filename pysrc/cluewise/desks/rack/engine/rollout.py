"""Deals drawn from the viewer's exact belief and played to the end: calls into rollout.c.

Only tables that the playing seats understand: wires in play known by name or drawn from a few,
tokens that speak of wires one by one or count a number, few unsorted or turned wires, and of the
special rules those of `_is_played`. `refusal` says what stands in the way.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Sequence

from cluewise.desks.rack.engine.counting import TOKEN_KINDS, impossible
from cluewise.desks.rack.engine.encoding import allowed_layers, halves, lacked_values
from cluewise.desks.rack.game.legal import Place, unpaired_cut
from cluewise.desks.rack.game.missions import Rule, mission_of
from cluewise.desks.rack.game.play import Play, card_number, change_words, play_of
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
PLAYED = {
    "treated_as_red", "order", "failure_explodes", "false_token", "no_token", "unsorted",
    "locked_until", "flipped", "owner_cut", "together", "last", "dealt_apart", "one_by_one",
    "skip", "constraint", "pay",
}  # fmt: skip
UNPLAYED = {  # why not, after "in mission 19 "
    "script": "a sound file tells the rules",
    "hidden_card": "cards are held in secret",
    "off_stands": "wires lie off the stands",
    "track": "a piece on a board decides what may be cut",
    "value_gate": "players choose who gets which number cards",
}
LEFT_OUT = {  # rules that only help, later: games are played as if they did not
    "goal": "without what goal cards give back",
    "extra_token": "without tokens that are laid in the middle of the game",
    "turn_order": "with turns that go round",
}
CARDS = {"open number cards": 1, "sum or difference of two open number cards, then discarded": 2}
CUTTERS = {"radar": 3, "volunteer": 4, "ordered": 5}
CHOSEN = {  # what players choose and the games do not
    "order": "with the number cards in their order here",
    "value_gate": "with the lowest two cards that give a value",
}
CHOSEN_NEXT = {"anyone_next"}  # turn orders of which going round is one
ASKS = {"treated_as_red", "order", "value_gate"}  # rules about open number cards
DOUBTFUL = 12  # wires of groups, of which some lie undrawn
MOST_LOOSE = 10  # unsorted or turned wires
CHOICE_KINDS = {"dual": 0, "solo": 1, "reveal": 2, "together": 3}
PLACE = 7  # bits of a place, where a choice points at several
Choice = tuple[int, int, int, int]  # kind, stand, slot, value; see `choice_at`
Caution = tuple[int, int]  # what red costs, in tenths of a success; more for every step to spare
CAUTION: Caution = (10, 10)  # red costs as much as the steps left: at the last, any failure does
BY_RULE: Choice = (-1, 0, 0, 0)  # a first choice that the seats' rule makes


def refusal(position: Position) -> str:
    """Why whole games of this table are not played out, one sentence; "" where they are."""
    fault = _mission_refusal(position) or unpaired_cut(position)[0]
    if fault:
        return fault
    doubtful = sum(len(g.of) for g in position.wires.groups)
    if position.wires.aside or doubtful > DOUBTFUL or len(position.wires.groups) > RACK.GROUPS:
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
    if len(loose) > 2 * len(players) or len(loose) > MOST_LOOSE:
        return "Games are not simulated with so many unsorted wires."
    return ""


def left_out(position: Position) -> list[str]:
    """What of the mission the games do not know, in words; it could only help the players."""
    mission, found, play = mission_of(position), list[str](), play_of(position)
    for rule in mission.rules if mission else ():
        kind = rule["kind"]
        found += [LEFT_OUT[kind]] if kind in LEFT_OUT and not play.cutter else []
        moves = kind == "constraint" and rule["scope"] == "own" and "change" in rule
        found += ["without moving limit cards"] if moves else []
        found += [CHOSEN[kind]] if _is_chosen(rule) or _gate(rule) == 2 else []
    return found + ([play.reading] if play.reading else [])


def _is_chosen(rule: Rule) -> bool:
    """Whether the players choose in which order the number cards lie."""
    return str(rule.get("direction", "left_to_right")) != "left_to_right"


def _gate(rule: Rule | None) -> int:
    """What open number cards allow, as GAME WORDS say it."""
    return CARDS.get(rule["values"], 0) if rule and rule["kind"] == "value_gate" else 0


def _is_played(rule: Rule, play: Play) -> bool:
    """Whether the seats know a rule."""
    if rule["kind"] in ("value_gate", "radar_each_turn"):
        return bool(play.cutter) or rule.get("values") in CARDS
    if rule["kind"] == "track":
        return play.track
    if rule["kind"] == "turn_order":
        return bool(play.cutter) or rule["how"] in CHOSEN_NEXT
    return rule["kind"] in HARMLESS | PLAYED | LEFT_OUT.keys()


def _has_token(position: Position, tokens: Collection[str]) -> bool:
    slots = (slot for stand in position.stands for slot in stand.slots)
    return any(token in tokens for slot in slots for token in slot.tokens)


def _mission_refusal(position: Position) -> str:
    """What the mission's rules ask that the seats do not know; "" where they know all of it."""
    mission = mission_of(position)
    rules, play = mission.rules if mission else (), play_of(position)
    for rule in rules:
        if mission and not _is_played(rule, play):
            why = UNPLAYED.get(rule["kind"], "a special rule is not known")
            return f"Games are not simulated in mission {mission.number}: {why}."
    if play.next_limit == "paired" and not position.pairs:
        return "Enter the limit card at each number first."
    asks = any(rule["kind"] in ASKS or rule.get("what") == "number_card" for rule in rules)
    if asks and not position.numbers:
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
    """The position as GAME WORDS of rack.h, the viewer to move, or another player."""
    copies, codes = _layers(position)
    players = len({position.owner_of(i) for i in range(len(position.stands))})
    steps = players if position.detonator is None else max(position.detonator, 1)
    turn = (position.viewer or 0) if mover is None else mover
    words = array("i", [players, len(position.stands), turn, steps])
    words.extend((TOKEN_KINDS[position.token], *caution, len(codes)))
    rules, groups = Rules(position), position.wires.groups
    order = rules.rule("order")
    before = {v: rules.numbers[i] for i, v in enumerate(rules.numbers[1:])} if order else {}
    words.extend((
        rules.deadly or 0,
        sum(1 << p for p in range(players) if rules.failure_explodes(p)),
        sum(1 << p for p in range(players) if rules.never_lays(p)),
        order["unlock_after"] if order else 0,
        len(groups),
        _loose_rules(rules),
        *_together(rules),
        *_cards(rules),
        *_limits(rules),
        *change_words(position, STANDS),
    ))  # fmt: skip
    undrawn = [len(group.of) - group.drawn for group in groups]
    words.extend(undrawn + [0] * (RACK.GROUPS - len(groups)))
    group_of = {wire_code(name): g for g, one in enumerate(groups, 1) for name in one.of}
    for code in codes:
        value = value_of(code)
        words.extend((value, copies[code], group_of.get(code, 0), before.get(value, 0)))
    for i, stand in enumerate(position.stands):
        lacks = lacked_values(stand)
        bits = {"has": 0, "one": 16}
        has = sum(
            1 << bits[f.kind] + (value_number(f.value) or 0) for f in stand.facts if f.kind in bits
        )
        words.extend((position.owner_of(i), len(stand.slots), has))
        for slot in stand.slots:
            words.extend(_slot_words(slot, lacks, codes))
    return words


def _layers(position: Position) -> tuple[Counter[int], list[int]]:
    """Copies by wire code, and the codes of the layers: all wires that may be on the stands."""
    copies = Counter(in_play(position.wires))
    copies.subtract(Counter(wire_code(name) or 0 for name in position.known_elsewhere))
    return copies, sorted(code for code, n in copies.items() if n > 0)


def hands_of(position: Position, deals: array[int]) -> list[list[list[str]]]:
    """The wires of each deal, stand by stand: `[[["1", "R2"], ["1", "3"]], …]`."""
    names = [wire_name(code) for code in _layers(position)[1]]
    sizes = [len(stand.slots) for stand in position.stands]
    return [
        [[names[deals[at + i * SLOTS + j]] for j in range(size)] for i, size in enumerate(sizes)]
        for at in range(0, len(deals), DEAL)
    ]


def _slot_words(slot: Slot, lacks: set[int | None], codes: list[int]) -> list[int]:
    """`lacks`: the values of which the stand hides no wire."""
    code = wire_of(slot)
    wire = codes.index(code) if code is not None else 0
    if code is None and slot.value:  # any yellow wire
        wire = next(d for d, one in enumerate(codes) if value_of(one) == YELLOW)
    times = next((TIMES[token] for token in slot.tokens if token in TIMES), 0)
    state = STATES[slot.state] + 4 * times + 16 * ("unsorted" in slot.tokens)
    return [state, wire, *halves(allowed_layers(slot, lacks, codes))]


def _loose_rules(rules: Rules) -> int:
    """What is with wires that are not sorted in, and with yellow ones, as GAME WORDS say it."""
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


def _together(rules: Rules) -> tuple[int, int, int]:
    """The cut of several wires at once, as GAME WORDS say it."""
    special = rules.together
    if special is None:
        return 0, 0, 0
    last = rules.rule("last") is not None
    return special.value, special.count, special.explodes + 2 * special.only_so + 4 * last


def _cards(rules: Rules) -> tuple[int, int, int]:
    """The open number cards and what a skipped turn costs, as GAME WORDS say it."""
    gate, cutter = rules.rule("value_gate"), play_of(rules.position).cutter
    values = set(rules.numbers[:1] if cutter else rules.numbers) if gate else set()
    return CUTTERS.get(cutter, _gate(gate)), rules.stuck_steps, sum(1 << value for value in values)


def _limits(rules: Rules) -> list[int]:
    """Whether a limit card is turned down by who cannot follow it, and each player's own one."""
    rule = rules.rule("constraint")
    letters = rules.own_limits() if rule and rule["scope"] == "own" else []
    off = int(rule is not None and "off" in str(rule.get("stuck", "")))
    return [off, *map(card_number, letters), *[0] * (STANDS - len(letters))]


def choice_at(kind: int, places: Sequence[Place], value: int) -> Choice:
    """A choice as the kernel has it: `choice_at(0, [(1, 2)], 7) == (0, 1, 2, 7)`."""
    if kind != CHOICE_KINDS["together"]:
        return kind, *places[0], value
    ats = enumerate(sorted(places))
    return kind, 0, sum(SLOTS * i + j << PLACE * n for n, (i, j) in ats), value


def draw_deals(words: array[int], seed: int, games: int) -> array[int]:
    """`games` deals as the player to move may think of them, DEAL bytes each."""
    with kernel().frame() as frame:
        at, out = frame.put(words), frame.reserve(DEAL * games)
        work = frame.reserve(WORK)
        if not frame.call("rack_win_draw", at, len(words), seed, games, work, WORK, out):
            raise impossible()
        return frame.get(out, "B", DEAL * games)


def all_deals(words: array[int], most: int) -> tuple[array[int], list[float]] | None:
    """Every deal as the player to move may think of them, with its chance; None beyond `most`."""
    with kernel().frame() as frame:
        at, work = frame.put(words), frame.reserve(WORK)
        out, chances = frame.reserve(DEAL * most), frame.reserve(8 * most)
        found = frame.call("rack_win_deals", at, len(words), most, work, WORK, out, chances)
        if not found:
            raise impossible()
        if found > most:
            return None
        return frame.get(out, "B", DEAL * found), list(frame.get(chances, "d", found))


def play(
    words: array[int], deals: array[int], choices: Sequence[Choice]
) -> tuple[list[list[int]], int]:
    """For each choice 1 for every deal won after it, else 0; and the work: transitions tested."""
    asked = [word for choice in choices for word in choice]
    return _play(words, deals, len(choices), function="rack_win_play", choices=asked)


def choose(words: array[int], deals: array[int]) -> list[Choice]:
    """What the player to move does in each deal by the seats' rule: `[(0, 2, 5, 7), …]`."""
    games = len(deals) // DEAL
    with kernel().frame() as frame:
        out, work = frame.reserve(16 * games), frame.reserve(WORK)
        frame.call("rack_win_choose", frame.put(words), len(words), deals=frame.put(deals),
                   games=games, work=work, bytes=WORK, choices=out)  # fmt: skip
        found = frame.get(out, "i", 4 * games).tolist()
    return [tuple(found[at : at + 4]) for at in range(0, 4 * games, 4)]


def values_of(position: Position) -> list[int]:
    """The value of each number that a deal is written in."""
    return [value_of(code) for code in _layers(position)[1]]


def play_tokens(
    words: array[int], deals: array[int], places: Sequence[Place], laying: int
) -> tuple[list[list[int]], int]:
    """For each first token 1 for every deal that is won after it, else 0; and the work.

    `laying`: the stands (bits) whose players then show their best token by the joint metric.
    """
    asked = [SLOTS * i + j for i, j in places]
    name = "rack_win_tokens"
    return _play(words, deals, len(places), function=name, places=asked, laying=laying)


def _play(
    words: array[int], deals: array[int], count: int, *, function: str, **more: list[int] | int
) -> tuple[list[list[int]], int]:
    games = len(deals) // DEAL
    with kernel().frame() as frame:
        given = {
            key: frame.put(array("i", value)) if isinstance(value, list) else value
            for key, value in more.items()
        }
        won, work = frame.reserve(games * count), frame.reserve(WORK)
        status = frame.call(
            function, frame.put(words), len(words), deals=frame.put(deals), games=games, **given,
            count=count, work=work, bytes=WORK, won=won,
        )  # fmt: skip
        results = list(frame.get(won, "B", games * count))
    return [results[i * games : (i + 1) * games] for i in range(count)], status - 1
