"""Nothing that a card says is lost: every field is kept by the desk, or named with the advice."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from cluewise import service
from cluewise.desks.rack.game.rules import LIMITS
from cluewise.errors import BadOption
from reference.rack_cards import CARDS, EQUIPMENT, MISSIONS, NUMBERS
from selection import sample

KEPT: dict[str, set[str]] = {
    "dealt_apart": {"colour", "one_to", "by_players", "rest"},
    "unsorted": {"per", "where", "colour", "ignores_gear", "plain_cut"},
    "flipped": {"who", "count", "where", "seen_by", "hidden_from", "picked", "two_stands"},
    "off_stands": {"holder", "of", "seen_by", "count"},
    "order": {"cards", "unlock_after", "others"},
    "value_gate": {"values"},
    "locked_until": {"slots"},
    "last": {"value", "early_hit"},
    "constraint": {"cards", "scope", "enforced"},
    "together": {
        "what", "card", "count", "anywhere", "holding_one_needed", "gear", "personal_gear",
        "failure", "only_so", "replaces_reveal", "forced_when",
    },
    "one_by_one": {"colour", "holding_one_needed", "target", "success", "failure", "red"},
    "treated_as_red": {"value", "card", "copies", "cut", "reveal"},
    "failure_explodes": {"who", "captain_card"},
    "owner_cut": {"gear", "failure", "others"},
    "gear_limit": {"who", "forbidden", "double", "may_take_part"},
    "false_token": {"who", "means", "failed_cut", "captain_card"},
    "no_token": {"failed_cut"},
    "script": {"audio", "sure"},
}  # fmt: skip
ALWAYS = ("off_stands", "flipped", "owner_cut")  # something is yours to do, whatever the fields
TOKENS = {  # how first tokens lie is tested with every row; of the rest these are noted by turns
    "setup", "count", "who", "two_players", "failed_cut_lays", "others", "not_on", "on", "kinds",
    "counts_cut", "scope", "yellow_drawn", "no_match", "two_stands", "yellow", "fewer", "post_it",
    "swapped_by_walkie_talkies", "laid",
}  # fmt: skip
WIRES = {
    "blue", "yellow", "red", "total", "on_stands", "stand_owners", "stand_sizes",
    "stand_sizes_sure",
}  # fmt: skip
GEAR = {
    "cards", "pool", "forbidden", "characters", "characters_forbidden", "deck", "always_usable",
    "note",
}  # fmt: skip
CARD = {
    "number", "players", "wires", "tokens", "detonator_steps", "rules", "equipment", "doubts",
    "sure", "difficulty", "box", "free_text",
}  # the last three are no rules  # fmt: skip


SYNONYMS = {
    "holder": "player who holds", "steps": "at no cost", "0": "at no cost", "allowed": "may pass",
}  # fmt: skip


def ask(want: str, position: dict[str, Any], **options: Any) -> Any:
    asked = {"desk": "rack", "want": want, "position": position, "options": options}
    return json.loads(json.dumps(service.run(asked)))


@cache
def dealt(mission: int) -> dict[str, Any]:
    players = MISSIONS[mission - 1]["players"][-1]
    found: dict[str, Any] = ask("deal", {}, mission=mission, players=players, seed=1)
    return found


def words(name: str, value: Any) -> Iterator[str]:
    """The words and numbers that must be said of a field: `"stuck"`, `"skip"`, `"step"`."""
    texts = [] if name in ("how", "doubt", "what") else [name]
    parts = value.items() if isinstance(value, dict) else [("", value)]
    for key, part in parts:
        some = part if isinstance(part, list) else [part]
        texts += [key, *(str(one) for one in some if not isinstance(one, bool))]
    for text in texts:
        yield from re.findall(r"\d+|[A-Za-z]{4,}", text.replace("_", " "))


def is_said(word: str, sentence: str) -> bool:
    """Whether a card's word stands there, in some form of it: `"cards"` is said by "card"."""
    if word.isdecimal():
        return word in re.findall(r"\d+", sentence) or SYNONYMS.get(word, "?") in sentence
    lower = sentence.lower()
    return word[:5].lower().rstrip("s") in lower or SYNONYMS.get(word, "?") in lower


def test_every_field_of_the_cards_is_covered() -> None:
    for card in MISSIONS:
        assert set(card) == CARD
        assert set(card["tokens"]) <= TOKENS
        assert set(card["equipment"]) <= GEAR
        assert all(set(wires) <= WIRES for wires in card["wires"].values())
        kinds = {rule["kind"] for rule in card["rules"]}
        assert kinds <= set(CARDS["vocabulary"])


def test_unenforced_rules_are_stated_with_the_advice_in_the_cards_words() -> None:
    kept: Counter[str] = Counter()
    said: Counter[str] = Counter()
    asked = {card["number"] for card in sample(MISSIONS, 11)}
    for card in MISSIONS:
        setup = dealt(card["number"])
        position = {**setup["position"], "sealed": None}
        for want in ("posterior", "cuts") if card["number"] in asked else ():
            assert ask(want, position)["check"] == setup["check"]
        whole, left = " ".join(setup["check"]), len(card["doubts"])
        for rule in card["rules"]:
            kind, fields = rule["kind"], set(rule) - {"kind"}
            mine = KEPT.get(kind, set()) | ({"until"} if rule.get("slots") == "unsorted" else set())
            mine |= {"direction"} if rule.get("direction") == "left_to_right" else set()
            for name in sorted(fields - mine):
                for word in words(name, rule[name]):
                    assert is_said(word, whole), (card["number"], kind, name, word)
                said[kind] += 1
                left += 1
            kept[kind] += len(fields & mine)
            left += kind in ALWAYS
        assert bool(whole) == bool(left), card["number"]  # what is kept whole is not mentioned
    said_of = {n: " ".join(dealt(n)["check"]) for n in (47, 54, 63)}
    assert ["Nobody may pass" in text for text in said_of.values()] == [False, True, True]
    assert set(kept) | set(said) == set(CARDS["vocabulary"])
    assert (sum(kept.values()), sum(said.values())) == (170, 166)


def test_sentences_about_cards_are_complete() -> None:
    for card in MISSIONS:
        for line in dealt(card["number"])["check"]:
            assert not re.search(r"=|;[^ ]|_|On the card|True|False", line), line
            assert not re.search(r"\d-|-[A-Z]\b|\d (s|min)\b|\d x \d", line), line  # read aloud
            for sentence in re.split(r"(?<=[.?!]) ", line.removeprefix("In doubt: ")):
                assert re.fullmatch(r"[A-Z].*\w.*[.?!”]", sentence), (card["number"], sentence)
                assert len(sentence.split()) > 2, (card["number"], sentence)


def test_every_doubt_of_a_card_is_stated_in_its_words() -> None:
    for card in MISSIONS:
        lines = [line for line in dealt(card["number"])["check"] if line.startswith("In doubt: ")]
        assert len(lines) == len(card["doubts"])
        for line, doubt in zip(lines, card["doubts"], strict=True):
            assert all(is_said(word, line) for word in words("doubt", doubt)), line
    assert sum(len(card["doubts"]) for card in MISSIONS) == 12


def test_limit_cards_forbid_the_numbers_that_they_name() -> None:
    for letter, card in CARDS["cards"]["constraints"].items():
        if letter not in LIMITS:
            continue
        for value in range(1, 13):
            if card.get("only") in ("even", "odd"):
                expected = (value % 2 == 0) == (card["only"] == "even")
            else:
                low, high = card.get("only") or card["not"]
                expected = (low <= value <= high) == ("only" in card)
            assert LIMITS[letter](value) == expected, (letter, value)
    assert set(LIMITS) == set("ABCDEF")


def unlocked(number: int, players: int) -> dict[str, Any]:
    """A mission's table with all wires of all numbers cut: every card has its wires."""
    table: dict[str, Any] = ask("mission", {}, mission=number, players=players)
    yellow = ["Y1", "Y2"] if MISSIONS[number - 1]["wires"][str(players)]["yellow"] else []
    wires = [{"state": "cut", "wire": n} for n in NUMBERS for _ in range(4)]
    slots = [*wires, *({"state": "cut", "value": "YELLOW"} for _ in yellow)]
    table["wires"] = {"yellow": yellow, "red": ["R1"]}
    table["numbers"] = table.get("numbers", [])[:1] and ["1"]
    table["constraint"] = None
    table["stands"] = [{"slots": [{}]}, *({"slots": slots[i::3]} for i in range(3))]
    return table


def is_barred(table: dict[str, Any], card: str) -> str:
    """What `use` or `outcome` says when a card is not to be used; "" when it is."""
    try:
        if card in ("3", "5", "10", "9"):
            action = {"3": "triple", "5": "super", "10": "either"}.get(card, "dual")
            ask("outcome", table, action=action, stand=1, actor=0, stabilized=card == "9")
        else:
            ask("use", table, card=card)
    except BadOption as fault:
        if "usable" in fault.message or "in this mission" in fault.message:
            return fault.message
    return ""


@pytest.mark.parametrize("card", MISSIONS, ids=lambda card: str(card["number"]))
def test_card_is_accepted_only_in_missions_that_have_it(card: dict[str, Any]) -> None:
    pool, table = set(card["equipment"]["pool"]), unlocked(card["number"], 4)
    personal = set()
    if "E1-E4" in card["equipment"]["characters"]:  # others than the captain may do it themselves
        without = card["equipment"].get("characters_forbidden", [])
        personal = {n for e, n in (("E1", "8"), ("E2", "2")) if e not in without}
    captain = any(
        rule["kind"] == "gear_limit" and rule["who"] == "captain" for rule in card["rules"]
    )
    for item in EQUIPMENT["equipment"]:
        mine = item["id"] not in ("2", "6", "8", "10.10", "7", "11", "3.3", "Y")
        here = item["id"] in pool | personal and not (captain and mine)
        here &= item["id"] != "Y" or bool(table["wires"]["yellow"])  # of 52 with two players only
        assert (is_barred(table, item["id"]) == "") == here, item["id"]


def test_a_card_is_locked_until_its_wires_are_cut() -> None:
    for item in EQUIPMENT["equipment"]:
        number, need = item["unlock"]["of"], item["unlock"]["cut"]
        for cut in range(5):
            mission = 9 if item["id"] == "Y" else 58 if "." in item["id"] else 4
            table, gone = unlocked(mission, 4), 0
            for stand in table["stands"]:
                for slot in stand["slots"]:
                    if number in (slot.get("wire"), slot.get("value"), int(slot.get("wire") or 0)):
                        gone += 1
                        if gone > cut:
                            slot.clear()
            if number == "YELLOW" and cut > 2:
                continue
            assert (is_barred(table, item["id"]) == "") == (cut >= need), (item["id"], cut)


def test_omissions_of_equipment_are_stated_with_its_use() -> None:
    for item in EQUIPMENT["equipment"]:
        if item["id"] in ("1", "6"):
            table = {**unlocked(55, 4), "detonator": 2}
            table["stands"][1]["slots"][:2] = [{}, {}]
            found = ask("use", table, card=item["id"], stand=1, slot=0)
            assert item["doubts"]
            assert len(found["check"]) == 1
    assert ask("use", {"detonator": 2}, card="6")["check"] != []
