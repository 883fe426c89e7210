"""Turns noted one by one: who acted, with which device, and what then lies on the table."""

from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise import service
from cluewise.desks.rack.formats.stands import read_stand, write_stand
from cluewise.desks.rack.position import Stand

CASES = vectors("rack_turns")

TABLE = ("?1 ?2 ?2 ?3", "Ann: ? i2 ? ?", "Bob: ? ? ? ?")


def position(*lines: str, **more: Any) -> dict[str, Any]:
    stands = [service.to_plain(read_stand(line)) for line in lines]
    return {"wires": {"blue": [1, 3]}, "stands": stands, **more}


def note(table: dict[str, Any], **options: Any) -> tuple[list[str], str]:
    request = {"desk": "rack", "want": "outcome", "position": table, "options": options}
    found = service.run(request)
    stands = [msgspec.convert(stand, Stand) for stand in found["position"]["stands"]]
    return [write_stand(stand) for stand in stands], found["text"]


FAILED = {"success": False, "value": "3"}


HIT = {"success": True}
TURNS = [  # the turn, the stands that change, the line in the log
    ({"action": "double", "actor": 1, "stand": 2, "slots": [0, 2], "at": 2, "shown": "2", **FAILED},
     {1: "Ann: ? i2 ? ? | +3", 2: "Bob: !3 ? i2 ?"},
     "Ann, double detector: no 3 at Bob A C. Slot C shows 2."),
    ({"action": "super", "actor": 1, "stand": 2, "at": 1, "shown": "1", **FAILED},
     {1: "Ann: ? i2 ? ? | +3", 2: "Bob: !3 i1 !3 !3"},
     "Ann, super detector: no 3 at Bob A B C D. Slot B shows 1."),
    ({"action": "triple", "actor": 2, "stand": 1, "slots": [0, 2, 3], "value": "3", "at": 3,
      "own": [2, 3], **HIT},
     {1: "Ann: ? i2 ? 3", 2: "Bob: ? ? ? 3"}, "Bob, triple detector: 3 at Ann D, cut."),
    ({"action": "either", "actor": 2, "stand": 1, "slots": [2], "value": "1/3", "shown": "3",
      "own": [2, 3], **HIT},
     {1: "Ann: ? i2 3 ?", 2: "Bob: ? ? ? 3 | +1"}, "Bob, X-or-Y ray: 3 at Ann C, cut."),
    ({"actor": 1, "stand": 2, "slots": [1], "shown": "odd", **FAILED},
     {1: "Ann: ? i2 ? ? | +3", 2: "Bob: ? O!3 ? ?"}, "Ann: no 3 at Bob B. Slot B shows odd."),
    ({"stand": 2, "slots": [1], "shown": "1", **FAILED},
     {0: "?1 ?2 ?2 ?3 | +3", 2: "Bob: ? i1 ? ?"}, "You: no 3 at Bob B. Slot B shows 1."),
    ({"stand": 1, "slots": [1], "value": "2", **HIT},
     {0: "?1 2 ?2 ?3", 1: "Ann: ? 2 ? ?"}, "You: 2 at Ann B, cut."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "changed", "said"), TURNS)
def test_a_turn_leaves_what_became_public_and_its_line_in_the_log(
    options: dict[str, Any], changed: dict[int, str], said: str
) -> None:
    kind = "parity" if options.get("shown") == "odd" else "standard"
    stands, text = note(position(*TABLE, token=kind), **options)
    assert stands == [changed.get(i, line) for i, line in enumerate(TABLE)]
    assert text == said


def test_a_fact_is_used_up_by_the_token_that_shows_its_wire_and_not_by_a_cut_of_another() -> None:
    before = position(TABLE[0], "Ann: ? i2 ? ? | +1 +2", TABLE[2])
    shown, _ = note(before, actor=2, stand=1, slots=[0], shown="1", **FAILED)
    assert shown[1] == "Ann: i1 i2 ? ? | +2"
    assert note(before, stand=1, slots=[1], value="2", **HIT)[0][1] == "Ann: ? 2 ? ? | +1 +2"


def test_red_under_every_pointed_slot_ends_the_game() -> None:
    table = {**position(*TABLE), "wires": {"blue": [1, 3], "red": ["R1", "R2"]}}
    request = {
        "desk": "rack", "want": "outcome", "position": table,
        "options": {"action": "double", "actor": 1, "stand": 2, "slots": [0, 1], "shown": "RED"}
        | FAILED,
    }  # fmt: skip
    found = service.run(request)
    assert found["exploded"]
    assert found["text"] == "Ann, double detector: red at Bob A B. The bomb has gone off."


def failed_cut(steps: int | None) -> dict[str, Any]:
    table = position(*TABLE, detonator=steps)
    options = {"stand": 2, "slots": [1], "shown": "1", **FAILED}
    found = service.run({"desk": "rack", "want": "outcome", "position": table, "options": options})
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("before", "after", "exploded", "said"), CASES["a failed cut takes a step of the detonator"]
)
def test_a_failed_cut_takes_a_step_of_the_detonator(
    before: int | None, after: int | None, exploded: bool, said: str
) -> None:
    found = failed_cut(before)
    assert found["position"].get("detonator") == after
    assert found["exploded"] is exploded
    assert found["text"].endswith(said)


def test_wires_on_two_stands_of_a_teammates_are_cut_alone() -> None:
    table = position("1 ?2 ?2 ?3", "1 ? ? ?", "Ann: ? ? ? ?")
    table["stands"][0], table["stands"][2] = table["stands"][2], table["stands"][0]
    table["stands"][1]["owner"], table["viewer"] = 0, 2
    stands, text = note(
        table, action="solo", actor=0, stand=0, slots=[0], also=[(1, 1)], value="1"
    )  # fmt: skip
    assert (stands[0], stands[1]) == ("Ann: 1 ? ? ?", "1 1 ? ?")
    assert text == "Ann: 2 × 1 cut alone."
