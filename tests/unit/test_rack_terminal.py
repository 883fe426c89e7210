"""The rack desk in a terminal: tables for people, JSON for programs, exit statuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from asking import ask_rack, vectors
from commands import Command, table_of

CASES = vectors("rack_cases")["terminal"]

SMALL: dict[str, Any] = CASES["SMALL"]


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Any:
    """`run(position, *arguments)` → exit status, standard output, standard error."""

    def call(position: dict[str, Any] | None, verb: str, *arguments: str) -> tuple[int, str, str]:
        file = tmp_path / "p.json"
        file.write_text(json.dumps(position))
        files = [str(file)] if position is not None else []
        return command("rack", verb, *files, *arguments)

    return call


def test_stands_in_a_text_file_are_a_position(run: Any, tmp_path: Any) -> None:
    file = tmp_path / "table.txt"
    file.write_text("?1 ?1 2 3.1\nAnn: 1 2x?2 ? 3.5\n")
    status, out, _ = run(None, "shorthand", str(file), "--json")
    position = json.loads(out)["position"]
    assert (status, position["wires"]) == (0, {"yellow": ["Y3"], "red": ["R3"]})
    assert json.loads(out)["text"] == ["?1 ?1 2 Y3", "Ann: 1 ?22x ? R3"]


def test_the_table_of_cuts_says_what_happens_to_a_stuck_player(run: Any) -> None:
    stands = [
        {"slots": [{"wire": "2"}, {"wire": "2"}]},
        {"slots": [*[{}] * 4, *[{"wire": "2", "state": "cut"}] * 2, *[{}] * 4]},
    ]
    position = {"desk": "rack", "v": 1, "mission": 9, "numbers": ["1", "2", "3"]}
    status, out, _ = run({**position, "wires": {"blue": [1, 3]}, "stands": stands}, "cuts")
    assert (status, "the bomb goes off" in out) == (0, True)


def test_a_mission_is_a_position_by_its_number(run: Any) -> None:
    status, out, _ = run(None, "mission", "24", "--players", "3")
    position = json.loads(out)
    assert (status, position["desk"], position["token"]) == (0, "rack", "multiplicity")
    assert [stand.get("owner") for stand in position["stands"]] == [None, 0, 1, 2]
    status, out, _ = run(position, "posterior", "--json")
    assert (status, int(json.loads(out)["arrangements"]) > 10**12) == (0, True)


def test_published_benchmark_is_reproduced(run: Any) -> None:
    # mean and best share resolved, share below zero, lowest and highest gain in bits, as published
    # for 500 games of five; 40 games agree within a point
    published = {
        "standard": (0.194, 0.266, 0.0),
        "parity": (0.050, 0.077, 0.0),
        "multiplicity": (0.0235, 0.064, 0.219),
    }
    result = json.loads(run(None, "simulate", "--games", "40", "--json")[1])
    assert result["draw"] == "published"
    rows = {row["token"]: row for row in result["rows"] if row["model"] == "published"}
    for token, (mean, best, negative) in published.items():
        assert rows[token]["choices"] == 40 * 48  # every blue wire, fours included
        assert abs(rows[token]["mean"] - mean) < 0.01
        assert abs(rows[token]["best"] - best) < 0.01
        assert abs(rows[token]["negative"] - negative) < 0.03
    assert -3.6 < rows["multiplicity"]["least"] < -3.2  # four of a kind, counted as an x4
    played = json.loads(run(None, "simulate", "--games", "40", "--draw", "played", "--json")[1])
    assert min(row["least"] for row in played["rows"]) > -2.5
    assert "resolved" in run(None, "simulate", "--games", "2")[1]


def test_exit_status_depends_on_the_error(run: Any) -> None:
    impossible = {**SMALL, "wires": {"blue": [1, 3]}}
    slots = [{"state": "cut", "wire": "3"}, {"state": "cut", "wire": "1"}, {}, {}]
    impossible["stands"] = [SMALL["stands"][0], {"slots": slots}, SMALL["stands"][2]]
    status, _, err = run(impossible, "posterior", "--json")
    assert (status, json.loads(err)["error"]["kind"]) == (3, "contradiction")
    assert run(impossible, "doubt")[0] == 0
    wrong = {**SMALL, "stands": [{"slots": [{"wire": "Y3"}]}]}
    status, _, err = run(wrong, "posterior", "--json")
    assert (status, json.loads(err)["error"]["where"]) == (2, "$.stands[0].slots[0].wire")
    assert run(None, "mission", "67")[0] == 2
    large: dict[str, Any] = {"viewer": None, "stands": [{"slots": [{}] * 6}] * 8}
    assert run(large, "posterior")[0] == 4


def test_win_rates_are_printed_by_policy_with_single_choices() -> None:
    given = {"mission": 1, "players": 2, "games": 2, "deals": 16, "held_out": 1.0}
    options = {**given, "ways": ["likeliest", "win"]}
    shown = table_of("rack", "games", {}, **options)
    assert "Mission 1, 2 players, 2 games, the same deals for every policy." in shown
    for row in ask_rack("games", **options)["rows"]:
        assert f"{row['way']} {row['won']} {row['rate']:.2%}" in re.sub(r"[^\w.%]+", " ", shown)
    assert "choices by 16 playouts" in shown
