"""Traps that other solvers fell into, positions that cannot be, and what is refused in words."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import vectors
from asking import wires_of as own
from cluewise import service
from cluewise.desks.rack.game.missions import missions
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import Stand
from cluewise.desks.rack.verbs.indicate import draw_hand
from cluewise.errors import BadNotation, MemoryHeld, TooLarge
from cluewise.kernel import kernel
from reference.rack import Table
from reference.rack_positions import table as random_table

CASES = vectors("rack_cases")["traps"]

WIRES = {"blue": [1, 3]}


def stand(line: str) -> dict[str, Any]:
    found = service.to_plain(Stand.parse(line))
    assert isinstance(found, dict)
    return found


def position(*lines: str, **more: Any) -> dict[str, Any]:
    return {"wires": WIRES, "stands": [stand(line) for line in lines], **more}


def cut_list(table: dict[str, Any], action: str, **options: object) -> list[dict[str, Any]]:
    return [o for o in ask("cuts", table, **options)["options"] if o["action"] == action]


SMALL = position("?1 ?2 ?2 ?3", "? i2 ? ?", "? ? ? ?")


def test_own_shown_wires_still_count_as_held() -> None:
    """A 2 of mine and a 2 of Ann's in the open: a sure cut."""
    table = position("?1 i2 ?3 ?3", "? i2 ? ?", "? ? ? ?")
    sure = [o for o in cut_list(table, "dual") if o["stand"] == 1 and o["slots"] == [1]]
    assert [(o["value"], o["success"], o["certain"]) for o in sure] == [("2", 1.0, True)]


@pytest.mark.parametrize("seed", range(200))
def test_every_conflict_is_minimal(seed: int) -> None:
    table = random_table(random.Random(seed))
    result = ask("doubt", table)
    possible = bool(Table(table, table["viewer"]).worlds())
    assert result["contradiction"] == (not possible)
    assert bool(result["smallest"]) == (not possible)


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        (["?Y2 ?1"], ["yellow 2 is yours", "1 is yours"]),
        (["?1 ?1", "iY!Y ?"], ["yellow is shown", "token not yellow"]),
        (["?1 ?1", "? ? | +Y -Y"], ["has a hidden yellow", "has no hidden yellow"]),
    ],
)
def test_doubt_names_wires_as_players_say_them(lines: list[str], texts: list[str]) -> None:
    wires = {"blue": [1, 3], "yellow": ["Y2"]}
    (conflict,) = ask("doubt", position(*lines) | {"wires": wires})["smallest"]
    assert [one["text"] for one in conflict] == texts


def test_doubt_finds_a_smallest_conflict_though_a_shown_wire_excuses_lacks() -> None:
    """Only 1s are left: "no hidden 1" contradicts "has a hidden 1", and alone it allows a cut 1."""
    table = {
        "wires": {"blue": [1, 1]},
        "known_elsewhere": ["1", "1"],
        "stands": [stand("1 | +1 -1"), stand("?")],
    }
    assert [[one["where"] for one in conflict] for conflict in ask("doubt", table)["smallest"]] == [
        ["$.stands[0].slots[0]", "$.stands[0].facts[0]"],
        ["$.stands[0].facts[0]", "$.stands[0].facts[1]"],
    ]
    hidden = table | {"stands": [stand("? | +1 -1"), stand("?")]}
    (conflict,) = ask("doubt", hidden)["smallest"]
    assert [one["where"] for one in conflict] == ["$.stands[0].facts[1]"]


@pytest.mark.parametrize("line", CASES["shorthand comes back as it went"])
def test_shorthand_round_trips(line: str) -> None:
    assert str(Stand.parse(line)) == line


@pytest.mark.parametrize(
    ("published", "ours"), CASES["published shorthand and printed numbers are read"]
)
def test_published_shorthand_and_printed_numbers_are_read(published: str, ours: str) -> None:
    assert str(Stand.parse(published)) == ours


@pytest.mark.parametrize("word", ["12.1", "1.2", "4x", "!35", "13", "Y", "b", "b?Y4", "y?1.5"])
def test_a_word_that_is_no_slot_is_refused_with_its_place(word: str) -> None:
    with pytest.raises(BadNotation) as caught:
        Stand.parse(f"1 {word}")
    assert caught.value.where == "line 1, slot 2"


def test_the_same_seed_deals_the_same_game() -> None:
    options = {"mission": 16, "players": 5, "seed": 7, "seat": 3}
    assert ask("deal", {}, **options) == ask("deal", {}, **options)
    other = ask("deal", {}, **{**options, "seed": 8})
    assert ask("deal", {}, **options) != other


def test_recommended_cuts_have_reasons_and_certain_ones_first() -> None:
    result = ask("cuts", SMALL)
    rows = [result["options"][item["option"]] for item in result["front"]]
    assert rows
    assert all(item["reason"] for item in result["front"])
    certain = [row["certain"] for row in result["options"]]
    assert certain == sorted(certain, reverse=True)


class EveryWay(random.Random):
    """Dice that fall every way in turn; `ways` yields each with its probability."""

    def ways(self, draw: Callable[[random.Random], Any]) -> Iterator[tuple[Any, float]]:
        path: list[tuple[int, int]] = []  # the choice taken, and how many there are
        while True:
            self.path, self.at, self.share = path, 0, 1.0
            yield draw(self), self.share
            while path and path[-1][0] + 1 == path[-1][1]:
                path.pop()
            if not path:
                return
            path[-1] = (path[-1][0] + 1, path[-1][1])

    def choices(self, population: Any, weights: Any = None, **_: Any) -> list[Any]:
        live = [(one, w) for one, w in zip(population, weights, strict=True) if w > 0]
        if self.at == len(self.path):
            self.path.append((0, len(live)))
        one, weight = live[self.path[self.at][0]]
        self.share *= weight / sum(w for _, w in live)
        self.at += 1
        return [one]


def hands_drawn(table: dict[str, Any], stand: int) -> dict[tuple[int, ...], float]:
    given = msgspec.convert(table, Position)
    found: dict[tuple[int, ...], float] = {}
    for hand, share in EveryWay().ways(lambda dice: draw_hand(given, stand, dice)):
        key = tuple(sorted(hand.elements()))
        found[key] = found.get(key, 0.0) + share
    return found


def test_drawn_hands_follow_the_posterior() -> None:
    for seed in range(60):
        table = random_table(random.Random(seed)) | {"viewer": 0}
        worlds = Table(table, 0).weighted()
        if not worlds:
            continue
        expected: dict[tuple[int, ...], float] = {}
        kept = [
            j
            for j, slot in enumerate(table["stands"][1]["slots"])
            if slot.get("state", "hidden") == "hidden" or slot.get("value") in ("YELLOW", "RED")
            if slot.get("state") != "cut"
        ]
        for world, share in worlds:
            key = tuple(sorted(world[1, j] for j in kept))
            expected[key] = expected.get(key, 0.0) + float(share)
        assert hands_drawn(table, 1) == pytest.approx(expected)


def test_gains_over_teammates_hands_have_a_standard_error() -> None:
    table = ask("deal", {}, mission=1, players=4, seed=5)["position"]
    rows = ask("indicate", table, seen_by="teammates", samples=10)["options"]
    assert rows
    assert all(row["error"] > 0 for row in rows)
    again = ask("indicate", table, seen_by="teammates", samples=10)["options"]
    assert rows == again


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_mission_with_unsorted_wires_is_counted_exactly(players: int) -> None:
    table = ask("deal", {}, mission=20, players=players, seed=1)["position"]
    for one in table["stands"]:
        one["facts"] = [{"kind": "lacks", "value": "RED"}] if one.get("owner") is None else []
    table["stands"][0]["facts"] = []
    table["stands"][-1]["facts"] = [{"kind": "has", "value": "6"}]
    assert int(ask("posterior", table)["arrangements"]) > 1000


def small(**more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann with a shown 2 and a cut 3, Bob."""
    ann = [{}, {"state": "info", "wire": "2"}, {}, {"state": "cut", "wire": "3"}]
    stands = [{"slots": own("1 2 2 3")}, {"name": "Ann", "slots": ann}]
    stands.append({"name": "Bob", "slots": [{}, {}, {}, {}]})
    return {"wires": {"blue": [1, 3]}, "stands": stands, **more}


def test_a_hook_moves_a_teammates_wire_and_its_tokens() -> None:
    table = small()
    table["stands"][1]["slots"][0] = {"tokens": ["odd", "x1"]}
    table["stands"][1]["facts"] = [{"kind": "lacks", "value": "3"}]
    after = ask("use", table, card="11.11", stand=1, slot=0, to=0, at=1)
    assert after["text"] == "Hook: Ann A to you."
    assert "changed stands" in ask("posterior", after["position"])["check"][0]
    mine, ann = (stand["slots"] for stand in after["position"]["stands"][:2])
    assert [len(mine), len(ann)] == [5, 3]
    # the parity goes along, the count does not; what Ann lacked, the wire is not
    assert sorted(mine[1]["tokens"]) == ["moved", "not:3", "odd"]


def test_memory_in_use_is_another_error_than_a_table_too_large() -> None:
    with kernel().frame() as other:
        other.reserve(kernel().free() - (1 << 20))
        with pytest.raises(MemoryHeld, match="Other work holds the memory") as fault:
            ask("posterior", small())
        assert fault.value.kind == "too_large"
    assert ask("posterior", small())["arrangements"]


def test_frame_larger_than_the_memory_is_too_large() -> None:
    with kernel().frame() as greedy:
        greedy.reserve(40 << 20)
        with pytest.raises(TooLarge, match="more than the") as fault:
            greedy.reserve(40 << 20)
    assert not isinstance(fault.value, MemoryHeld)


@pytest.mark.sampled(of="rack, brute force")
def test_the_limits_page_names_the_missions_that_need_your_own_wires() -> None:
    """Of all 262 tables as they are laid out; with a seat's wires every one is counted."""
    needed, laid = dict[int, list[int]](), 0
    for number, mission in missions().items():
        for players in mission.players:
            options = {"mission": number, "players": players}
            laid += 1
            try:
                ask("posterior", ask("mission", {}, **options))
            except TooLarge:
                needed.setdefault(players, []).append(number)
            ask("posterior", ask("deal", {}, seat=0, seed=1, **options)["position"])
    assert laid == 262
    assert needed == {4: [64], 5: [20, 35, 41, 48, 56, 64]}
    limits = (Path(__file__).parents[2] / "web/docs/pages/limits.html").read_text()
    assert "Missions 20, 35, 41, 48, 56 and 64 for five players, and 64 for four, need" in limits
