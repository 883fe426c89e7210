"""What no rack table could mean, and what no turn could be: refused with its place and in words."""

from pathlib import Path
from typing import Any

import pytest

from asking import ask_rack as ask
from asking import wires_of as own
from cluewise.desks.rack.game.missions import missions
from cluewise.errors import MemoryHeld, TooLarge
from cluewise.kernel import kernel


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


def test_memory_that_others_hold_differs_from_a_table_that_is_too_large() -> None:
    with kernel().frame() as other:
        other.reserve(kernel().free() - (1 << 20))
        with pytest.raises(MemoryHeld, match="Other work holds the memory") as fault:
            ask("posterior", small())
        assert fault.value.kind == "too_large"
    assert ask("posterior", small())["arrangements"]


def test_what_one_work_asks_for_beside_what_it_holds_is_its_own_limit() -> None:
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
