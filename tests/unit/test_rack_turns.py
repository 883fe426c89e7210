"""Turns noted one by one: who acted, with which device, and what then lies on the table."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cluewise import service
from cluewise.desks.rack.formats.stands import read_stand, write_stand
from cluewise.desks.rack.position import Stand
from cluewise.errors import BadOption, BadPosition

TABLE = ("?1 ?2 ?2 ?3", "Ann: ? i2 ? ?", "Bob: ? ? ? ?")


def position(*lines: str, **more: Any) -> dict[str, Any]:
    stands = [service.to_plain(read_stand(line)) for line in lines]
    return {"wires": {"blue": [1, 3]}, "stands": stands, **more}


def note(table: dict[str, Any], **options: Any) -> tuple[list[str], str]:
    """The stands after the turn as shorthand, and the turn in words."""
    request = {"desk": "rack", "want": "outcome", "position": table, "options": options}
    found = service.run(request)
    stands = [msgspec.convert(stand, Stand) for stand in found["position"]["stands"]]
    return [write_stand(stand) for stand in stands], found["text"]


FAILED = {"success": False, "value": "3"}


def test_a_teammates_failed_double_leaves_a_token_a_not_and_what_she_holds() -> None:
    stands, text = note(
        position(*TABLE), action="double", actor=1, stand=2, slots=[0, 2], at=2, shown="2", **FAILED
    )
    assert stands == ["?1 ?2 ?2 ?3", "Ann: ? i2 ? ? | +3", "Bob: !3 ? i2 ?"]
    assert text == "Ann, double detector: no 3 at Bob A C. Slot C shows 2."


def test_a_failed_super_denies_every_hidden_slot_without_their_being_listed() -> None:
    stands, _ = note(
        position(*TABLE[:2], "Bob: 1 ? ? ?"), action="super", actor=1, stand=2, at=1, shown="1",
        **FAILED,
    )  # fmt: skip
    assert stands[2] == "Bob: 1 i1 !3 !3"


def test_a_success_says_nothing_of_the_other_slots() -> None:
    stands, text = note(
        position(*TABLE), action="triple", actor=2, stand=1, slots=[0, 2, 3], value="3",
        success=True, at=3, own=[2, 3],
    )  # fmt: skip
    assert stands == ["?1 ?2 ?2 ?3", "Ann: ? i2 ? 3", "Bob: ? ? ? 3"]
    assert text == "Bob, triple detector: 3 at Ann D, cut."


def test_a_ray_that_hits_shows_that_its_owner_holds_the_other_value_too() -> None:
    stands, text = note(
        position(*TABLE), action="either", actor=2, stand=1, slots=[2], value="1/3",
        success=True, shown="3", own=[2, 3],
    )  # fmt: skip
    assert stands[2] == "Bob: ? ? ? 3 | +1"
    assert text == "Bob, X-or-Y ray: 3 at Ann C, cut."


def test_a_token_that_does_not_name_the_wire_leaves_not_beside_it() -> None:
    """No 3, says the cut; odd, says the token: both are known."""
    stands, text = note(
        position(*TABLE, token="parity"), actor=1, stand=2, slots=[1], shown="odd", **FAILED
    )
    assert stands[2] == "Bob: ? O!3 ? ?"
    assert text == "Ann: no 3 at Bob B. Slot B shows odd."


def test_a_token_on_the_wire_she_was_known_to_hold_uses_the_fact_up() -> None:
    stands, _ = note(
        position(TABLE[0], "Ann: ? ? ? ? | +1", TABLE[2]), actor=2, stand=1, slots=[0],
        shown="1", **FAILED,
    )  # fmt: skip
    assert stands[1] == "Ann: i1 ? ? ?"


def test_a_wire_on_show_is_cut_and_the_hidden_one_stays_known() -> None:
    stands, _ = note(
        position(*TABLE[:1], "Ann: ? i2 ? ? | +2", TABLE[2]), stand=1, slots=[1], value="2",
        success=True,
    )  # fmt: skip
    assert stands[1] == "Ann: ? 2 ? ? | +2"


def test_ones_own_failed_cut_tells_the_others_what_one_holds() -> None:
    stands, text = note(position(*TABLE), stand=2, slots=[1], shown="1", **FAILED)
    assert stands[0] == "?1 ?2 ?2 ?3 | +3"
    assert text == "You: no 3 at Bob B. Slot B shows 1."


def test_a_teammate_cuts_alone() -> None:
    table = position("?1 3 3 ?1", "Ann: ? ? ? ?", "Bob: ? ? ? ?")
    stands, text = note(table, action="solo", actor=2, stand=2, slots=[2, 3], value="3")
    assert stands[2] == "Bob: ? ? 3 3"
    assert text == "Bob: 2 × 3 cut alone."


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"action": "double", "slots": [0]}, "points at 2, not at 1"),
        ({"action": "triple", "slots": [0, 1]}, "points at 3"),
        ({"slots": [0, 1]}, "A cut points at 1"),
        ({"action": "double", "slots": [0, 0]}, "each once"),
        ({"action": "either", "slots": [0]}, "names two values"),
        ({"slots": [0], "value": "1/3"}, "every other cut one"),
        ({"action": "double", "slots": [0, 1], "value": "YELLOW"}, "name numbers"),
        ({"action": "double", "slots": [0, 1], "at": 2}, "not pointed at"),
        ({"slots": [0], "shown": "3"}, "then it worked"),
        ({"slots": [0], "value": "RED"}, "is not a value"),
    ],
)
def test_what_no_turn_can_be_is_refused(options: dict[str, Any], message: str) -> None:
    given = {"actor": 1, "stand": 2, "shown": "1", "at": 0, **FAILED, **options}
    table = {**position(*TABLE), "wires": {"blue": [1, 3], "yellow": ["Y1"]}}
    with pytest.raises(BadOption, match=message):
        note(table, **given)


def test_a_detector_points_at_exactly_as_many_wires_as_its_kind_says() -> None:
    table = position(TABLE[0], TABLE[1], "Bob: 1 ? ? 3")
    with pytest.raises(BadOption, match="points at 3, not at 2"):
        note(table, action="triple", actor=1, stand=2, slots=[1, 2], at=1, shown="1", **FAILED)


def failed_cut(steps: int | None) -> dict[str, Any]:
    table = position(*TABLE, detonator=steps)
    options = {"stand": 2, "slots": [1], "shown": "1", **FAILED}
    found = service.run({"desk": "rack", "want": "outcome", "position": table, "options": options})
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("before", "after", "exploded", "said"),
    [
        (3, 2, False, "2 steps left on the detonator."),
        (2, 1, False, "1 step left on the detonator."),
        (1, 0, True, "The detonator has run out: the bomb has gone off."),
        (None, None, False, "Slot B shows 1."),
    ],
)
def test_a_failed_cut_takes_a_step_of_the_detonator(
    before: int | None, after: int | None, exploded: bool, said: str
) -> None:
    found = failed_cut(before)
    assert found["position"].get("detonator") == after
    assert found["exploded"] is exploded
    assert found["text"].endswith(said)


def test_a_cut_that_works_takes_no_step() -> None:
    table = position(*TABLE, detonator=1)
    options = {"stand": 2, "slots": [1], "value": "2", "success": True}
    found = service.run({"desk": "rack", "want": "outcome", "position": table, "options": options})
    assert (found["position"]["detonator"], found["exploded"]) == (1, False)


@pytest.mark.parametrize("steps", [-1, 10])
def test_a_detonator_of_other_steps_is_refused(steps: int) -> None:
    with pytest.raises(BadPosition, match="0 to 9 steps"):
        failed_cut(steps)


def test_wires_on_two_stands_of_a_teammates_are_cut_alone() -> None:
    """No other player sees them: she names them, one on each stand."""
    table = position("1 ?2 ?2 ?3", "1 ? ? ?", "Ann: ? ? ? ?")
    table["stands"][0], table["stands"][2] = table["stands"][2], table["stands"][0]
    table["stands"][1]["owner"], table["viewer"] = 0, 2
    stands, text = note(
        table, action="solo", actor=0, stand=0, slots=[0], also=[(1, 1)], value="1"
    )  # fmt: skip
    assert (stands[0], stands[1]) == ("Ann: 1 ? ? ?", "1 1 ? ?")
    assert text == "Ann: 2 × 1 cut alone."


def test_a_teammate_who_has_only_the_deadly_number_left_shows_it() -> None:
    table = position("?1 ?2 ?2 ?1", "Ann: 3 3 ? ?", mission=11, numbers=["3"])
    table["wires"] = {"blue": [1, 3]}
    table["stands"].append({"slots": [{}] * 4})
    stands, _ = note(table, action="reveal", actor=1, stand=1, slots=[2, 3], value="RED")
    assert stands[1] == "Ann: 3 3 3 3"
