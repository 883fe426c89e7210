"""Every mission and number of players, as `mission` and `deal` lay it out, against the cards."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from cluewise import service
from cluewise.core.seal import unseal
from contract.test_rack_card_fields import is_said, words
from reference.rack import called, code_of
from reference.rack_cards import NUMBERS, ROWS, Row

COLOURS = {"yellow": "Y", "red": "R"}


def ask(want: str, position: dict[str, Any], **options: Any) -> Any:
    asked = {"desk": "rack", "want": want, "position": position, "options": options}
    return json.loads(json.dumps(service.run(asked)))


class Check(NamedTuple):
    """One comparison: what was answered must be among what the card lets it be."""

    row: Row
    group: str
    name: str
    got: Any
    expected: list[Any]


def named(wires: dict[str, Any], colour: str) -> tuple[list[int], dict[str, int]]:
    """The numbers of a colour's wires, and how many of how many drawn are in play."""
    sure = wires.get(colour, [])
    groups = [g for g in wires.get("groups", []) if g["of"][0][0] == COLOURS[colour]]
    drawn = [wire for g in groups for wire in g["of"]]
    numbers = sorted(int(wire[1:]) for wire in (*sure, *drawn))
    among = {"in": len(sure) + sum(g["drawn"] for g in groups), "drawn": len(numbers)}
    return numbers, among


def of_wires(row: Row, table: dict[str, Any]) -> Iterator[tuple[str, Any, list[Any]]]:
    wires = table["wires"]
    yield "blue", wires.get("blue", [1, 12]), [row.wires["blue"]]
    for colour in COLOURS:
        card = row.drawn(colour)
        numbers, among = named(wires, colour)
        expected = {
            "in": 0 if row.piled and colour == "red" else card["in"],
            "drawn": card["drawn"],
        }
        yield colour, among, [expected]
        if "fixed" in card:
            yield f"{colour} numbers", numbers, [card["fixed"]]
        elif card["drawn"]:
            low, high = card["numbers"]
            inside = len(set(numbers)) == len(numbers) and low <= numbers[0] <= numbers[-1] <= high
            yield f"{colour} numbers", inside, [True]
    low, high = wires.get("blue", [1, 12])
    every = 4 * (high - low + 1) + sum(named(wires, colour)[1]["in"] for colour in COLOURS)
    yield "total", every, [row.on_stands if row.piled else row.wires["total"]]
    yield "aside", wires.get("aside", 0), [row.aside]


def of_stands(row: Row, table: dict[str, Any]) -> Iterator[tuple[str, Any, list[Any]]]:
    stands = table["stands"]
    owners = [s.get("owner", i) for i, s in enumerate(stands)]
    yield "owners", owners, [row.wires["stand_owners"]]
    yield "sizes", [len(s["slots"]) for s in stands], [row.wires["stand_sizes"]]
    yield "on stands", sum(len(s["slots"]) for s in stands), [row.on_stands]
    loose = [
        [j for j, slot in enumerate(s["slots"]) if "unsorted" in slot.get("tokens", [])]
        for s in stands
    ]
    yield "not sorted in", loose, [row.loose()]
    apart = None
    for owner, stand in zip(owners, stands, strict=True):
        for fact in stand.get("facts", []):
            apart = apart or [0] * row.players
            apart[owner] += fact["kind"] == "one"
    yield "dealt apart", apart, [row.apart()]


def of_cards(row: Row, table: dict[str, Any]) -> Iterator[tuple[str, Any, list[Any]]]:
    yield "detonator", table.get("detonator"), [row.card["detonator_steps"][str(row.players)]]
    setup = row.card["tokens"]["setup"]
    kind = setup if setup in ("parity", "multiplicity") else "standard"
    yield "kind of token", table.get("token", "standard"), [kind]
    rules = row.card["rules"]
    random = any(rule.get("captain_card") == "dealt at random, shown" for rule in rules)
    yield "captain card", table.get("captain_card") is not None, [random]
    yield "number cards", len(table.get("numbers", [])), [open_numbers(row)]


def open_numbers(row: Row) -> int:
    """How many number cards lie open for all at the start."""
    order, gate, kill = row.rule("order"), row.rule("value_gate"), row.rule("treated_as_red")
    together = row.rule("together")
    if order:
        return int(order["cards"])
    if kill or (together and together["what"] == "number_card"):
        return 1
    values = gate["values"] if gate else ""
    if values.startswith("top"):
        return 1
    return 12 if values.startswith(("open", "sum")) else 0


def at_first(row: Row) -> list[list[str]]:
    """What each player may point with before a wire is cut: only what is her own."""
    gear = row.card["equipment"]
    people, without = gear["characters"], gear.get("characters_forbidden", [])
    found = []
    for player in range(row.players):
        mine = [] if people == "none" or (people == "not_captain" and not player) else ["double"]
        if "E1-E4" in people and player:
            mine += [a for a, e in (("triple", "E3"), ("either", "E4")) if e not in without]
        found.append(mine)
    return found


def of_deal(row: Row, setup: dict[str, Any]) -> Iterator[tuple[str, str, Any, list[Any]]]:
    """Group, name, answer and card of a practice game as its last player sees it."""
    table = setup["position"]
    hands = [hand.split(",") for hand in unseal(table["sealed"], "rack").split(";")]
    counts = Counter(called(code_of(wire)) for hand in hands for wire in hand)
    held = {"yellow": counts.pop("YELLOW", 0), "red": counts.pop("RED", 0)}
    for colour, many in held.items():
        card = row.drawn(colour)["in"]
        expected = [0] if row.piled and colour == "red" else [card]
        yield "wires", f"{colour} dealt", many, list(range(card + 1)) if row.aside else expected
    blue = [n for n in NUMBERS if int(n) <= row.wires["blue"][1]]
    four = counts == dict.fromkeys(blue, 4)
    missing = 4 * len(blue) + sum(row.drawn(c)["in"] for c in COLOURS) - sum(map(len, hands))
    yield "wires", "four of each number", four if not row.aside else missing == row.aside, [True]
    yield "stands", "wires dealt", [len(hand) for hand in hands], [row.wires["stand_sizes"]]
    sorted_in = all(
        code_of(left) <= code_of(right)
        for hand, loose in zip(hands, row.loose(), strict=True)
        for kept in [[wire for j, wire in enumerate(hand) if j not in loose]]
        for left, right in pairwise(kept)
    )
    yield "stands", "in order", sorted_in, [True]
    seen = [
        [slot.get("wire") is not None or slot.get("state") == "info" for slot in stand["slots"]]
        for stand in table["stands"]
    ]
    for i, owner in enumerate(row.wires["stand_owners"]):
        mine = owner == row.players - 1
        loose = row.loose()[i] if row.rule("flipped") else []
        expected = [mine != (j in loose) for j in range(len(seen[i]))]
        shown = [s.get("state") == "info" for s in table["stands"][i]["slots"]]
        got = [s if not info else w for s, w, info in zip(seen[i], expected, shown, strict=True)]
        yield "stands", "seen by the viewer", got, [expected]
    rule = row.rule("dealt_apart")
    if rule:
        by_player = [0] * row.players
        for owner, hand in zip(row.wires["stand_owners"], hands, strict=True):
            by_player[owner] += sum(called(code_of(wire)) == rule["colour"] for wire in hand)
        yield "stands", "colour apart", by_player, [row.apart()]
    bare: list[list[str]] = [[] for _ in range(row.players)]  # under a limit card that says so
    gear = bare if table.get("constraint") == "G" else at_first(row)
    yield "cards", "equipment", ask("posterior", table)["equipment"], [gear]
    for seat in range(row.players):
        yield "tokens", "first token", *first_token(row, table, hands, seat)


def first_token(
    row: Row, table: dict[str, Any], hands: list[list[str]], seat: int
) -> tuple[str, list[str]]:
    """What lies with a seat at the start, in words, and what the card lets lie there."""
    kind = row.first_token(seat, table.get("captain_card"))
    many = row.card["tokens"]["count"]
    stands = [i for i, owner in enumerate(row.wires["stand_owners"]) if owner == seat]
    hand = {called(code_of(wire)) for i in stands for wire in hands[i]}
    missing = len({*NUMBERS, *(["YELLOW"] if row.wires["yellow"] else [])} - hand)
    absent = f"{min(many, missing)} absent" if missing else "nothing"
    chosen = seat < row.players - 1  # the viewer's own is still to be laid
    expected = {
        "own_choice": ["1 shown"] if chosen else ["nothing"],
        "parity": ["1 parity"] if chosen else ["nothing"],
        "multiplicity": ["1 times"] if chosen else ["nothing"],
        "random": ["1 shown", "1 absent"],
        "absent": [absent],
        "false": [f"{many} false"],
        "none": ["nothing"],
    }[kind]
    return lying(row, table, hands, seat), expected


def lying(row: Row, table: dict[str, Any], hands: list[list[str]], seat: int) -> str:
    """`"1 shown"`; "a lie" where a token says what is not so, or lies where the card forbids."""
    stands = [i for i, owner in enumerate(row.wires["stand_owners"]) if owner == seat]
    hand = {called(code_of(wire)) for i in stands for wire in hands[i]}
    found: Counter[str] = Counter()
    for i in stands:
        values = [called(code_of(wire)) for wire in hands[i]]
        for j, (slot, value) in enumerate(zip(table["stands"][i]["slots"], values, strict=True)):
            tokens = set(slot.get("tokens", [])) & {"even", "odd", "x1", "x2", "x3"}
            denied = {t[4:] for t in slot.get("tokens", []) if t.startswith("not:")}
            if slot.get("state") == "info":  # not on a wire that its owner cannot see
                blind = row.rule("flipped") is not None and j in row.loose()[i]
                found["lie" if blind or slot["wire"] != value else "shown"] += 1
            for token in tokens:
                parity = token == ("odd" if value.isdigit() and int(value) % 2 else "even")
                times = token == f"x{values.count(value)}"
                found["parity" if parity else "times" if times else "lie"] += 1
            numbers = denied & set(NUMBERS)
            found["false"] += len(numbers)
            barred = value in row.card["tokens"].get("not_on", [])
            barred |= value not in ("RED", *NUMBERS) and bool(row.card["tokens"].get("on"))
            found["lie"] += (value in denied) + (barred and bool(numbers))
    facts = [
        f["value"] for f in table["stands"][stands[0]].get("facts", []) if f["kind"] == "lacks"
    ]
    rule = row.rule("dealt_apart")
    absent = [value for value in facts if not (rule and value == rule["colour"])]
    everywhere = all(
        {"kind": "lacks", "value": value} in table["stands"][i].get("facts", [])
        for value in absent
        for i in stands
    )
    found["lie"] += bool(set(absent) & hand) + (not everywhere)
    found["absent"] += len(absent)
    counts = {what: n for what, n in found.items() if n}
    return ", ".join(f"{n} {what}" for what, n in sorted(counts.items())) or "nothing"


def checks_of(row: Row) -> Iterator[Check]:
    table = ask("mission", {}, mission=row.number, players=row.players, seed=row.number)
    yield Check(row, "laid out", "mission", table["mission"], [row.number])
    for group, found in (("wires", of_wires), ("stands", of_stands), ("cards", of_cards)):
        for name, got, expected in found(row, table):
            yield Check(row, group, name, got, expected)
    seat = {"seed": row.number, "seat": row.players - 1}
    setup = ask("deal", {}, mission=row.number, players=row.players, **seat)
    for group, name, got, expected in of_deal(row, setup):
        yield Check(row, group, name, got, expected)
    doubts = row.card["doubts"] + [r["doubt"] for r in row.card["rules"] if "doubt" in r]
    for doubt in doubts:
        doubt_words = list(words("doubt", doubt))
        said = [line for line in setup["check"] if all(is_said(word, line) for word in doubt_words)]
        yield Check(row, "doubts", "said", len(said), [1])
    unsure = not row.card["sure"] or not row.wires.get("stand_sizes_sure", True)
    yield Check(row, "doubts", "check the card", bool(setup["check"]) or not unsure, [True])


@cache
def checks() -> list[Check]:
    return [check for row in ROWS for check in checks_of(row)]


def test_every_row_of_the_mission_table_holds() -> None:
    faults = [
        f"mission {c.row.number} with {c.row.players}, {c.name}: {c.got}, "
        f"the card says {c.expected}"
        for c in checks()
        if c.got not in c.expected
    ]
    assert faults == []
    assert len(ROWS) == 262
    per_group = Counter(check.group for check in checks())
    assert per_group == {
        "laid out": 262, "wires": 2447, "stands": 2960, "cards": 1310, "tokens": 920,
        "doubts": 330,
    }  # fmt: skip
    assert len(checks()) == 8229
