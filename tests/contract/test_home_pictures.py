"""What the home page's pictures show is what the desks answer, though drawn before they can."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import cluewise

WEB = Path(__file__).resolve().parents[2] / "web" / "desks"


def constant(desk: str, name: str) -> str:
    """The text of `export const NAME = …;` in a desk's pictures."""
    found = re.search(rf"export const {name} = (.*);", (WEB / desk / "picture.ts").read_text())
    assert found, f"{desk} has no {name}"
    return found[1]


def test_the_code_picture_shows_the_best_next_guess() -> None:
    position = {"clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
    best = cluewise.run({"desk": "code", "want": "advise", "position": position})["options"][0]
    assert json.loads(constant("code", "NEXT")) == best["guess"]


@pytest.mark.parametrize(
    ("region", "here", "spots", "seconds"), [(364, [2990, 3390], 18, 20), (349, None, 51, 27)]
)
def test_the_scan_examples_name_their_expected_time(
    region: int, here: list[int] | None, spots: int, seconds: int
) -> None:
    position = {"region": region} | ({"here": here} if here else {})
    best = cluewise.run({"desk": "scan", "want": "next", "position": position})
    ticks = min(option["expected_ticks"] for option in best["options"])
    assert (best["remaining"], round(ticks * 0.6)) == (spots, seconds)
    facts = (WEB / "scan" / "examples.ts").read_text()
    assert f"{spots} spots, about {seconds} seconds to the dig" in facts


@pytest.mark.parametrize(
    ("clues", "fact"),
    [([], "4.34 guesses on average, at most 6"), ([("0011", 1, 1)], "208 codes left, 3.45 more")],
)
def test_the_code_examples_name_their_expected_guesses(
    clues: list[tuple[str, int, int]], fact: str
) -> None:
    rows = [{"guess": guess, "exact": a, "partial": b} for guess, a, b in clues]
    options = {"criterion": "guesses", "settle": True}
    asked = {"desk": "code", "want": "advise", "position": {"clues": rows}, "options": options}
    cost = cluewise.run(asked)["options"][0]["guesses"]
    assert f"{cost['expected']:.2f}" in fact
    assert fact in (WEB / "code" / "examples.ts").read_text()


def test_the_rack_picture_indicates_the_best_wire() -> None:
    wires = [{"wire": wire} for wire in ["1", "1", "2", "2", "2", "3", "3", "4", "8", "10"]]
    others: list[dict[str, Any]] = [{"slots": [{}] * size} for size in (10, 10, 9, 9)]
    position = {"stands": [{"slots": wires}, *others]}
    found = cluewise.run({"desk": "rack", "want": "indicate", "position": position})["options"]
    best = max(found, key=lambda option: option["gain"])
    assert json.loads(constant("rack", "BEST")) == best["slot"]


def test_the_mines_picture_is_a_game_of_its_puzzle() -> None:
    text = (WEB / "mines" / "puzzles.js").read_text()
    line = next(one for one in text.splitlines() if '"title":"First lock"' in one)
    position = json.loads(line.rstrip(","))["position"]
    opened = json.loads(constant("mines", "OPEN"))
    flags = json.loads(constant("mines", "FLAGS"))
    revealed = [{"cell": cell, "number": number} for cell, number in opened]
    game = {**position, "revealed": revealed, "flags": flags, "start": []}
    check = cluewise.run({"desk": "mines", "want": "check", "position": game})
    assert check["wrong"] == "no"
    bare = {key: value for key, value in game.items() if key not in ("sealed", "flags", "start")}
    solved = cluewise.run({"desk": "mines", "want": "solve", "position": bare})
    assert int(solved["solutions"]) >= 1
    assert not set(flags) & set(solved["safe"])
