"""Random small Bomb Busters tables: real deals, then some truth about them, seldom a lie."""

import random
from typing import Any

from hypothesis import strategies as st

from reference.rack import called, code_of

SPECIALS = [*(f"Y{n}" for n in range(1, 5)), *(f"R{n}" for n in range(1, 5))]


def mission_table(mission: int, mine: str, **more: Any) -> dict[str, Any]:
    """Blue 1-3 and what is given; the viewer holds `mine`, two teammates the other wires."""
    wires = {"blue": [1, 3], **more.pop("wires", {})}
    total = 12 + len(wires.get("red", [])) + len(wires.get("yellow", []))
    rest = total - len(mine.split())
    others: list[dict[str, Any]] = [
        {"slots": [{} for _ in range(n)]} for n in (rest - rest // 2, rest // 2)
    ]
    own = {"slots": [{"wire": wire} for wire in mine.split()]}
    return {"wires": wires, "mission": mission, "stands": [own, *others], **more}


@st.composite
def positions(draw: st.DrawFn, groups: bool = True) -> dict[str, Any]:
    """A table of 2–4 stands with few enough deals for brute force."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    return table(dice, groups)


def table(dice: random.Random, groups: bool = True) -> dict[str, Any]:
    """A deal of a few wires, most of them shown, with tokens, labels and facts that hold."""
    low = dice.randint(1, 3)
    high = low + dice.randint(1, 2)
    specials = dice.sample(SPECIALS, dice.randint(0, 4))
    drawn, pools = split_groups(dice, specials) if groups else (specials, [])
    rest = [w for w in specials if not any(w in g["of"] for g in pools)]
    wires = [str(n) for n in range(low, high + 1) for _ in range(4)]
    wires += drawn
    dice.shuffle(wires)
    stands = [deal_stand(dice, hand) for hand in hands(dice, wires)]
    viewer = dice.choice([0, 0, 0, None])
    open_limit(dice, stands, viewer)
    if dice.random() < 0.08:
        lie(dice, stands, low, high)
    return {
        "desk": "rack",
        "viewer": viewer,
        "wires": {
            "blue": [low, high],
            "yellow": [w for w in rest if w[0] == "Y"],
            "red": [w for w in rest if w[0] == "R"],
            "groups": pools,
        },
        "stands": stands,
    }


def split_groups(
    dice: random.Random, specials: list[str]
) -> tuple[list[str], list[dict[str, Any]]]:
    """Some of the special wires as X-of-Y groups, both colours at once where it falls so."""
    pools = []
    drawn = list(specials)
    for colour in "YR":
        members = [w for w in specials if w[0] == colour]
        if len(members) > 1 and dice.random() < 0.6:
            out = dice.sample(members, dice.randint(1, len(members) - 1))
            pools.append({"of": sorted(members), "drawn": len(members) - len(out)})
            drawn = [w for w in drawn if w not in out]
    return drawn, pools


def hands(dice: random.Random, wires: list[str]) -> list[list[str]]:
    """The wires dealt to 2–4 stands, about evenly."""
    count = dice.randint(2, 4)
    return [wires[i::count] for i in range(count)]


def deal_stand(dice: random.Random, hand: list[str]) -> dict[str, Any]:
    """A stand with its true wires, shown slots, tokens and facts."""
    hand = sorted(hand, key=code_of)
    unsorted_at = None
    if len(hand) > 2 and dice.random() < 0.15:  # one wire taken out and put anywhere
        wire = hand.pop(dice.randrange(len(hand)))
        unsorted_at = dice.randint(0, len(hand))
        hand.insert(unsorted_at, wire)
    slots: list[dict[str, Any]] = [{"state": "hidden", "wire": wire} for wire in hand]
    if unsorted_at is not None:
        slots[unsorted_at]["tokens"] = ["unsorted"]
    values = [called(code_of(wire)) for wire in hand]
    for j, slot in enumerate(slots):
        show(dice, slot, values[j])
        tokens = [t for t in true_tokens(j, values) if dice.random() < 0.06]
        if tokens:
            slot["tokens"] = [*slot.get("tokens", []), *tokens]
    return {"slots": slots, "facts": true_facts(dice, slots, values)}


def show(dice: random.Random, slot: dict[str, Any], value: str) -> None:
    """Perhaps cut the wire or lay an info token."""
    fate = dice.random()
    if fate < 0.12:
        cut(dice, slot, value)
    elif fate < 0.24:
        slot["state"] = "info"
        if value in ("YELLOW", "RED"):
            del slot["wire"]
            slot["value"] = value


def cut(dice: random.Random, slot: dict[str, Any], value: str) -> None:
    """Cut; of a yellow or red wire the table may know the colour alone."""
    slot["state"] = "cut"
    if value in ("YELLOW", "RED") and dice.random() < 0.5:
        del slot["wire"]
        slot["value"] = value


def true_tokens(j: int, values: list[str]) -> list[str]:
    """Every token that would be true on the slot."""
    value = values[j]
    tokens = []
    if value.isdigit():
        tokens.append("odd" if int(value) % 2 else "even")
    if value != "RED" and values.count(value) <= 3:
        tokens.append(f"x{values.count(value)}")
    tokens += [f"not:{v}" for v in ("1", "2", "3", "YELLOW") if v != value and v in {*values, "2"}]
    if j + 1 < len(values):
        tokens.append("same-as-next" if values[j + 1] == value else "differs-from-next")
    return tokens


def true_facts(
    dice: random.Random, slots: list[dict[str, Any]], values: list[str]
) -> list[dict[str, str]]:
    """Some facts that hold, on values that are on the stand."""
    hidden = {v for v, s in zip(values, slots, strict=True) if s["state"] == "hidden"}
    return [
        {"kind": "has" if value in hidden else "lacks", "value": value}
        for value in sorted(set(values))
        if dice.random() < 0.12
    ]


def open_limit(dice: random.Random, stands: list[dict[str, Any]], viewer: int | None) -> None:
    """Cut wires until brute force is quick; forget what the viewer cannot see."""
    limit = dice.randint(5, 11)
    hidden = [
        (i, slot)
        for i, stand in enumerate(stands)
        if i != viewer
        for slot in stand["slots"]
        if slot["state"] == "hidden"
    ]
    dice.shuffle(hidden)
    for i, slot in hidden[limit:]:
        value = called(code_of(slot["wire"]))
        cut(dice, slot, value)
        stands[i]["facts"] = [f for f in stands[i]["facts"] if f["value"] != value]
    for i, slot in hidden[:limit]:
        if viewer is None or i == viewer or dice.random() > 0.05:  # else handed over: it is known
            del slot["wire"]


def lie(dice: random.Random, stands: list[dict[str, Any]], low: int, high: int) -> None:
    """One thing that may be false, so that impossible tables occur too."""
    stand = dice.choice(stands)
    slot = dice.choice(stand["slots"])
    slot["tokens"] = [*slot.get("tokens", []), dice.choice(["x1", "x3", "even", f"not:{high}"])]
    if dice.random() < 0.5:
        stand["facts"] = [*stand["facts"], {"kind": "lacks", "value": str(low)}]
