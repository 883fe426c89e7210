"""States of the code desk: counts and classes against numbers of an independent program."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from asking import ask_code, vectors
from reference import code_states as twin

KNOWN: dict[str, Any] = vectors("code_states")
WIDER = ("symmetry", "A", "B", "STAR")
SMALL = [t for t in KNOWN["totals"] if (t["rules"], t["round"]) != ("p4c6r", 2)]
FIELDS = {
    "constraint_sets": "sets",
    "irreducible": "irreducible",
    "distinct_S": "distinct",
    "S_up_to_symmetry": "symmetry",
    "S1": "one",
    "S2": "two",
    "largest": "largest",
}


def rules_of(name: str) -> dict[str, Any]:
    return {"pegs": int(name[1]), "colours": int(name[3:-1]), "repeat": name[-1] == "r"}


def position(name: str, history: Any) -> dict[str, Any]:
    clues = [{"guess": g, "exact": x, "partial": y} for g, x, y in history]
    return {"rules": rules_of(name), "clues": clues}


def ask(want: str, name: str, history: Any = (), **options: Any) -> Any:
    return ask_code(want, position(name, history), **options)


def expected(total: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {mine: total[theirs] for theirs, mine in FIELDS.items()} | total[
        "classes"
    ]
    return plain | {name: str(plain[name]) for name in ("sets", "irreducible", "distinct")}


@pytest.mark.parametrize("total", SMALL, ids=lambda t: f"{t['rules']}-{t['round']}")
def test_counts_of_states_equal_the_known_ones(total: Any) -> None:
    found = ask("states", total["rules"], rounds=total["round"])["rounds"][-1]
    assert found == expected(total)


@pytest.mark.parametrize("states", KNOWN["states"])
def test_number_of_guesses_after_every_filter_equals_the_known_one(states: str) -> None:
    mine = ("excluded", "constraint", "chain", "join", "partition")
    for history, _, guesses, *_ in KNOWN["states"][states]:
        found = ask("classes", states.partition("_")[0], history)
        known = dict(zip(KNOWN["kinds"], guesses, strict=True))
        assert {name: found[name] for name in mine} == {n: known[n] for n in mine}, history


@pytest.mark.long
def test_counts_of_states_after_two_guesses_of_mastermind_equal_the_known_ones() -> None:
    total = next(t for t in KNOWN["totals"] if (t["rules"], t["round"]) == ("p4c6r", 2))
    assert ask("states", "p4c6r", rounds=2)["rounds"][1] == expected(total)


def test_mastermind_has_33_831_561_sets_of_codes_after_two_guesses() -> None:
    found = ask("states", "p4c6r", rounds=2, limit=100)["rounds"]
    assert (found[1]["distinct"], found[1]["symmetry"]) == ("33831561", 5182)
    assert found[0]["STAR"] == 50
    assert found[1]["A"] is None


@pytest.mark.parametrize(("game", "rounds"), [((2, 3, True), 3), ((3, 3, True), 2)])
def test_counts_of_states_equal_enumeration_of_all_sets_of_clues(
    game: twin.Game, rounds: int
) -> None:
    name = f"p{game[0]}c{game[1]}r"
    for number, found in enumerate(ask("states", name, rounds=rounds)["rounds"], 1):
        every = list(twin.clue_sets(game, number))
        sets = {tuple(left) for _, left in every}
        assert found["sets"] == str(len(every))
        assert found["irreducible"] == str(sum(twin.is_irreducible(game, *one) for one in every))
        assert found["distinct"] == str(len(sets))
        least = sorted({twin.least_image(game, left) for left in sets})
        assert found["symmetry"] == len(least)
        kinds = ("A", "STAR") if game[0] > 2 else ("A", "B", "STAR")
        assert [found[kind] for kind in kinds] == [
            twin.count_classes(game, least, kind) for kind in kinds
        ]


def narrowest(one: Any, other: Any) -> str | None:
    return next((kind for i, kind in enumerate(WIDER, 4) if one[i] == other[i]), None)


def pairs(states: list[Any], many: int) -> list[tuple[Any, Any]]:
    """Return random pairs of states, mostly of one class."""
    draw = random.Random(str(len(states)))
    found = []
    for _ in range(many):
        one = draw.choice(states)
        near = [s for s in states if draw.random() < 0.1 or one[7] == s[7]]
        found.append((one, draw.choice(near)))
    return found


@pytest.mark.parametrize("part", KNOWN["states"])
def test_two_positions_have_the_narrowest_equivalence_that_holds(part: str) -> None:
    name = part.split("_")[0]
    for one, other in pairs(KNOWN["states"][part], 25):
        found = ask("equivalent", name, one[0], other=position(name, other[0]))["state"]
        assert found["remaining"] == [one[1], other[1]]
        kind = "symmetry" if found["kind"] == "codes" else found["kind"]
        assert kind == narrowest(one, other)
        assert found["same"] == (kind is not None)


@pytest.mark.parametrize("part", ["p3c3r_2", "p3c4r_1", "p3c4r_2", "p3c5n_2"])
def test_states_of_one_class_need_the_same_number_of_guesses(part: str) -> None:
    name = part.split("_")[0]
    totals: dict[int, set[int]] = {}
    for history, *_, star in KNOWN["states"][part]:
        found = ask("strategy", name, history, criterion="optimal")
        totals.setdefault(star, set()).add(found["total"])
    assert all(len(total) == 1 for total in totals.values())
    assert len(totals) < len(KNOWN["states"][part])


def test_table_of_states_on_the_theory_page_is_current() -> None:
    page = Path(__file__).resolve().parents[2] / "web" / "docs" / "pages" / "theory.html"
    table = page.read_text().partition('<table id="states-table">')[2].partition("</table>")[0]
    rows = [
        [cell.replace("&#8239;", "") for cell in re.findall(r'<td class="n">([^<]*)</td>', row)]
        for row in table.partition("<tbody>")[2].split("</tr>")[:-1]
    ]
    names = ("sets", "irreducible", "distinct", "symmetry", "A", "B", "STAR")
    assert rows == [[str(expected(t)[name]) for name in names] for t in KNOWN["totals"]]


def test_more_rounds_than_guesses_have_no_sets() -> None:
    position = {"rules": {"pegs": 3, "colours": 1}}
    found = ask_code("states", position, rounds=3)
    assert [one["sets"] for one in found["rounds"]] == ["1", "0", "0"]
