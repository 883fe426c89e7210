"""Random and mutated positions, options, texts and links of every desk, from a seed.

A mutation replaces, drops or doubles one part of something legal, so that most of what comes out
is nearly right. CLUEWISE_MUTATIONS sets how many of each a run tries: 100 in a sample, 400 where
everything runs, 10000 before a release.
"""

import copy
import os
import random
from typing import Any

import msgspec

import selection
from asking import vectors
from cluewise import desks, service
from cluewise.core.desk import Verb
from cluewise.errors import CluewiseError

MUTATIONS = int(os.environ.get("CLUEWISE_MUTATIONS", selection.examples(400, least=100)))
POSITIONS: dict[str, list[dict[str, Any]]] = vectors("positions")

BUNDLED = service.run({"desk": "mines", "want": "examples"})["puzzles"]
# A pair with rules, a puzzle as f-puzzles packs it, texts of each desk.
BEGUN = vectors("cases")["fuzz"]
BASES = {
    **POSITIONS,
    "mines": POSITIONS["mines"] + [x["position"] for x in BUNDLED[:3]],
    "sudoku": [*POSITIONS["sudoku"], BEGUN["ruled"]],
}
JUNK: list[Any] = [
    *(None, True, -1, 0, 3, 17, 10**6, 2**31, 2**60, 2**63, -(2**70), 1.5, 1e300),
    *("", "x", "½", "0" * 99, "....", "٣٣٣٣", "0\x0011", "s1AAAA", [], {}, [[]], {"guess": 1}),
]
CHARACTERS = "0123456789abcxyzABCR .,;:-+/#=?*|()[]{}<>_%\t\n\x00½●🙂٣\u2028"


def random_code(dice: random.Random) -> dict[str, Any]:
    """A position of the code desk, small and legal more often than not."""
    pegs, colours = dice.randint(1, 4), dice.randint(1, 5)
    repeat = dice.random() < 0.7 or pegs > colours
    rules = {"pegs": pegs, "colours": colours, "repeat": repeat, "blanks": dice.random() < 0.3}
    clues = []
    for _ in range(dice.randint(0, 4)):
        guess = "".join(dice.choice("012345"[:colours]) for _ in range(pegs))
        exact, partial = dice.randint(0, pegs), dice.randint(0, 2)
        clues.append({"guess": guess, "exact": exact, "partial": partial})
    return {"desk": "code", "rules": rules, "clues": clues}


def position(desk: str, dice: random.Random) -> Any:
    """A position of the desk with at most two mutations."""
    if desk == "code" and dice.random() < 0.5:
        value = random_code(dice)
    else:
        value = dice.choice(BASES[desk])
    for _ in range(dice.choice([0, 0, 1, 1, 2])):
        value = mutate(value, dice)
    return value


def mutate(value: Any, dice: random.Random) -> Any:
    """The value with one of its parts replaced, removed or doubled."""
    value = copy.deepcopy(value)
    spots: list[tuple[Any, Any]] = []

    def walk(item: Any) -> None:
        keys = item.keys() if isinstance(item, dict) else range(len(item))
        for key in keys:
            spots.append((item, key))
            if isinstance(item[key], dict | list):
                walk(item[key])

    if isinstance(value, dict | list):
        walk(value)
    if not spots:
        return copy.deepcopy(dice.choice(JUNK))
    holder, key = dice.choice(spots)
    move = dice.randrange(4)
    if move == 1:
        del holder[key]
    elif move == 2 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif move and isinstance(holder[key], int) and not isinstance(holder[key], bool):
        holder[key] += dice.choice([-1, 1, 2, 100])
    else:
        holder[key] = copy.deepcopy(dice.choice(JUNK))
    return value


def options(verb: Verb[Any, Any], texts: list[str], dice: random.Random) -> dict[str, Any]:
    """Options of the verb: some of its fields, with values that mostly fit."""
    schema = msgspec.json.schema(verb.options)
    fields = schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
    required = {f.name for f in msgspec.structs.fields(verb.options) if f.required}
    chosen = [name for name in fields if name in required or dice.random() < 0.3]
    return {name: _value(fields[name], texts, dice) for name in chosen}


def _value(schema: dict[str, Any], texts: list[str], dice: random.Random) -> Any:
    if dice.random() < 0.1:
        return copy.deepcopy(dice.choice(JUNK))
    if "anyOf" in schema:
        schema = dice.choice(schema["anyOf"])
    if "enum" in schema:
        return dice.choice(schema["enum"])
    match schema.get("type"):
        case "boolean":
            return dice.random() < 0.5
        case "integer":
            return dice.randint(0, 6)
        case "number":
            return dice.choice([0, 0.1, 1])
        case "string":
            return text(texts, dice)
        case "array":
            return [
                _value(schema.get("items") or {}, texts, dice) for _ in range(dice.randrange(3))
            ]
    return None


def text(texts: list[str], dice: random.Random) -> str:
    """One of the texts with characters, lines and stretches changed."""
    found = dice.choice(texts)
    for _ in range(dice.randrange(5)):
        at, to = sorted(dice.randrange(len(found) + 1) for _ in range(2))
        match dice.randrange(5):
            case 0:
                found = found[:at] + dice.choice(CHARACTERS) + found[at + 1 :]
            case 1:
                found = found[:at] + dice.choice(CHARACTERS) * dice.choice([1, 1, 50]) + found[at:]
            case 2:
                found = found[:at] + found[min(to, at + 20) :]
            case 3:
                found = found[:to] + "\n" + found[at:]
            case _:
                found = found[:at] + dice.choice(texts)[:to]
    return found[:20_000]


def texts(desk: str) -> list[str]:
    """Return texts in formats of the desk, written by the desk itself if it writes any."""
    found: list[str] = list(BEGUN["texts"].get(desk, []))
    for value in BASES[desk]:
        for want in ("shorthand", "write", "export"):
            if desks.load(desk).verb(want):
                try:
                    found += _strings(service.run({"desk": desk, "want": want, "position": value}))
                except CluewiseError:  # not every position can be written
                    continue
    return [x for x in found if x.strip()]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [x for part in parts for x in _strings(part)]


def request(desk: str, known: list[str], dice: random.Random) -> dict[str, Any]:
    """Any verb of the desk, a position and options."""
    verb = dice.choice(desks.load(desk).verbs)
    asked = {"desk": desk, "want": verb.name, "position": position(desk, dice)}
    return {**asked, "options": options(verb, known, dice)}
