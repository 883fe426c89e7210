"""Games of missions with special rules: the kernel's against the slow rules engine's."""

import random
from collections import Counter
from typing import Any, ClassVar

import msgspec
import pytest

from asking import ask_rack
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import value_number
from cluewise.desks.rack.verbs.mission import DealtGame
from property.test_rack_win import check_listed, choice_of, codes_of, deal_bytes, deed_of
from reference.rack import Table, World
from reference.rack_changes import LETTERS, ChangingPlay, enter_cards
from reference.rack_missions import MissionPlay

PLAIN = [1, 2, 3, 4, 6, 12, 25, 50]  # what they change concerns no cut
GROUPS = [5, 7, 8, 15, 21, 33]  # some wires of a group are drawn
RULES = [9, 11, 14, 16, 17, 28, 52, 58]
COUNTED = [24, 40]  # tokens say how many of the wire's value stand there
LOOSE = [20, 35]  # a wire of each stand is not sorted in
TURNED = [38, 56, 64]  # a wire or two of a player's are seen by all but her
TOGETHER = [13, 23, 46, 48]  # several wires are cut at once; 13, 48: a colour was dealt apart
LEFT_OUT = [10, 22, 27, 36, 39, 55, 60, 62]  # what players choose, later tokens, goal cards
FOUND = [41]  # yellow wires are found one by one, by who need not hold one
CARDS = [26, 47]  # open number cards say what may be cut, and change with every cut
LIMITED = [31, 61]  # each player has a limit card of her own
CUTTERS = [18, 45, 51]  # another player may cut the next number card of a deck
CHANGING = [32, 37, 44, 49, 53, 57, 63, *CUTTERS]  # cards, air or a robot change with the turns
# a hand of locked numbers alone has no cut
ORDERED = (9, 16, 26, 31, 35, 36, 38, 46, 47, 61, *CHANGING)
MOST_DEALS = 24  # as any seat may think of them


def late(mission: int, players: int, seed: int) -> dict[str, Any]:
    """A table of the mission near its end: values are cut until few deals can be thought of."""
    dice = random.Random(f"{mission}.{players}.{seed}")
    dealt = DealtGame(mission, players, f"{seed}")
    table: dict[str, Any] = msgspec.to_builtins(dealt.seen_by(0))
    placed = [
        (table["stands"][i].get("owner", i), table["stands"][i]["slots"][j], wire)
        for i, hand in enumerate(dealt.hands)
        for j, wire in enumerate(hand)
    ]
    for _, slot, _ in placed:
        slot.setdefault("state", "hidden")
    numbers = list(table.get("numbers", []))
    kept = dice.sample(numbers, min(2, len(numbers))) + ["7"] * (mission == 46)
    deadly = [slot for owner, slot, wire in placed if owner and mission == 11 and wire in numbers]
    if deadly and seed:  # one of them lies open
        deadly[0].update(state="info", wire=numbers[0])
    table |= {"desk": "rack", "detonator": dice.randint(2, players)}
    values = dice.sample(range(1, 13), 12)
    for value in sorted(map(str, values), key=lambda name: name in kept):
        now = msgspec.convert(table, Position)
        seats = {owner for owner, slot, _ in placed if slot["state"] != "cut"}
        views = (rollout.encode_game(dealt.seen_by(seat, now)) for seat in seats)
        if all(rollout.enumerate_deals(words, MOST_DEALS) is not None for words in views):
            break
        first = {wire for owner, slot, wire in placed if not owner and slot["state"] != "cut"}
        if first <= {value}:
            continue
        for _, slot, wire in placed:
            if wire == value:
                slot.pop("value", None)
                slot.update(state="cut", wire=wire)
    if mission in LIMITED:
        letters = "ABCDE" if dice.random() < 0.6 else "FGHIJKL"
        table["limits"] = [dice.choice([*letters, None]) for _ in range(players)]
    if mission in CARDS:
        live = {wire for _, slot, wire in placed if slot["state"] != "cut"} & set(numbers)
        few = dice.sample(sorted(live), dice.randint(1, len(live)))
        table["numbers"] = few if mission == 26 else dice.sample(numbers, dice.choice((2, 4, 8)))
    if mission in CHANGING:
        enter_cards(table, players, dice)
    return table


def slow_game(position: dict[str, Any], world: World, seed: int = 0) -> MissionPlay:
    """A deal of the table by the rules engine."""
    if position["mission"] in CHANGING:
        return ChangingPlay(position, world, (1.0, 1.0), seed)
    return MissionPlay(position, world, (1.0, 1.0))


SILENT = (17, 52, 58)
NEW = [*COUNTED, *LOOSE, *TURNED, *TOGETHER, *CARDS, *FOUND, *LIMITED, *CHANGING]
MANY = (*SILENT, *NEW)
EVERY = [*PLAIN, *GROUPS, *RULES, *LEFT_OUT, *NEW]
CASES = [(m, p, s) for m in EVERY for p in (2, 3, 4, 5) for s in range(7 if m in MANY else 3)]


@pytest.mark.sampled(24)
@pytest.mark.parametrize(("mission", "players", "seed"), CASES)
def test_kernel_rollouts_of_missions_agree_with_the_rules_engine(
    mission: int, players: int, seed: int
) -> None:
    position = late(mission, players, seed)
    given = msgspec.convert(position, Position)
    assert rollout.refusal(given) == ""
    worlds = Table(position, 0).weighted()
    words, codes = rollout.encode_game(given), codes_of(given)
    found = ask_rack("cuts", position, actions=list(rollout.CHOICE_KINDS))["options"]
    assert found or mission in ORDERED
    dice = random.Random(seed)
    found.sort(key=lambda cut: (cut["action"] != "together", cut["certain"], dice.random()))
    for cut in found[:4]:
        for world, _ in dice.sample(worlds, min(4, len(worlds))):
            won = rollout.play_choices(words, deal_bytes(codes, world, seed), [choice_of(cut)])[0][
                0
            ]
            assert won == [int(slow_game(position, world, seed).result(0, deed_of(cut)))]


@pytest.mark.sampled(24)
@pytest.mark.parametrize("mission", CHANGING)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(9))
def test_kernel_rollouts_with_changing_cards_agree_with_the_rules_engine(
    mission: int, players: int, seed: int
) -> None:
    """By the seats' rule from the first turn on: skipped turns, cutters, cards that are drawn."""
    position = late(mission, players, 400 + seed)
    given = msgspec.convert(position, Position)
    words, codes = rollout.encode_game(given), codes_of(given)
    for n, (world, _) in enumerate(Table(position, 0).weighted()[:4]):
        won = rollout.play_choices(
            words, deal_bytes(codes, world, seed + 9 * n), [rollout.POLICY_MOVE]
        )[0][0]
        slow = ChangingPlay(position, world, (1.0, 1.0), seed + 9 * n)
        assert won == [int(slow.result(0, None))]


@pytest.mark.sampled(24)
@pytest.mark.parametrize("mission", [m for m in EVERY if m not in CUTTERS])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(9))
def test_win_chance_agrees_with_brute_force_over_all_deals(
    mission: int, players: int, seed: int
) -> None:
    """Where every deal is played the chance is the mean of the slow games, to 1e-12."""
    position = late(mission, players, 100 + seed)
    if len(position.get("limits_gone", ["A"] * 10)) < 10:
        position["limits_gone"] = [one for one in LETTERS if one != position["constraint"]]
    worlds = Table(position, 0).weighted()
    played = [cut for cut in ask_rack("cuts", position, rank="win")["options"] if cut["win"]]
    several = [cut for cut in played if cut["action"] == "together"]
    for cut in random.Random(seed).sample(played, min(2, len(played))) + several[-1:]:
        exact = sum(p for w, p in worlds if slow_game(position, w).result(0, deed_of(cut)))
        assert cut["win"]["chance"] == pytest.approx(float(exact), abs=1e-12)
        assert (cut["win"]["error"], cut["win"]["games"]) == (0, len(worlds))


@pytest.mark.parametrize("mission", [*GROUPS, 14, 16, *COUNTED, *LOOSE, *TURNED, *TOGETHER])
def test_deals_with_undrawn_wires_are_enumerated_with_their_chances(mission: int) -> None:
    check_listed(late(mission, 4, 7), 4096)


class Counted(MissionPlay):
    """Counts turns at which a seat could do nothing, and those before which cards came again."""

    skipped, came = 0, 0

    def ends(self, player: int, deed: Any) -> bool:
        Counted.skipped += deed is None
        return super().ends(player, deed)

    def cards_come(self) -> None:
        before = len(self.game.numbers)
        super().cards_come()
        Counted.came += len(self.game.numbers) > before


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.parametrize("mission", CARDS)
def test_skips_with_open_number_cards_agree_with_the_rules_engine(mission: int) -> None:
    Counted.skipped = Counted.came = 0
    for seed in range(30):
        position = late(mission, 4, 200 + seed)
        given = msgspec.convert(position, Position)
        words, codes = rollout.encode_game(given), codes_of(given)
        for world, _ in Table(position, 0).weighted()[:2]:
            play = Counted(position, world, (1.0, 1.0))
            play.cards_come()
            deed = play.choose(0)
            if deed is not None:
                won = rollout.play_choices(words, deal_bytes(codes, world), [rollout.POLICY_MOVE])[
                    0
                ][0]
                assert won == [int(play.result(0, deed))]
    assert Counted.skipped > 3
    assert Counted.came > 3


class Found(MissionPlay):
    """Counts yellow wires that were found, tries in vain, and turns at which a seat could skip."""

    counts: ClassVar[Counter[str]] = Counter()

    def ends(self, player: int, deed: Any) -> bool:
        yellow = deed is not None and deed[2] == "YELLOW"
        word = "found" if yellow and self.game.works(deed) else "failed" if yellow else "cut"
        Found.counts["skipped" if deed is None else word] += 1
        return super().ends(player, deed)


@pytest.mark.sampled(of="rack, brute force")
def test_yellow_wires_found_one_by_one_agree_with_the_rules_engine() -> None:
    """Mission 41: found by who holds none, for a step back; who can do nothing skips."""
    Found.counts.clear()
    ends: Counter[bool] = Counter()
    for seed in range(40):
        position = late(41, 2 + seed % 4, 300 + seed)
        given = msgspec.convert(position, Position)
        words, codes, dice = rollout.encode_game(given), codes_of(given), random.Random(seed)
        for world, _ in Table(position, 0).weighted()[:4]:
            play = Found(position, world, (1.0, 1.0))
            guesses = sorted(deed for deed in play.game.legal(0) if deed[2] == "YELLOW")
            deed = dice.choice(guesses) if guesses and seed % 2 else play.choose(0)
            if deed is not None:
                number = value_number(deed[2]) or 0
                choice = rollout.encode_choice(rollout.CHOICE_KINDS[deed[0]], deed[1], number)
                won = play.result(0, deed)
                assert rollout.play_choices(words, deal_bytes(codes, world), [choice])[0][0] == [
                    int(won)
                ]
                ends[won] += 1
    assert min(Found.counts[word] for word in ("found", "failed", "skipped")) > 10
    assert min(ends[True], ends[False]) > 10
