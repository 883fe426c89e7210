"""What the home page's pictures show is what the desks answer, though drawn before they can."""

import json
import re
from pathlib import Path
from typing import Any

import cluewise

WEB = Path(__file__).resolve().parents[2] / "web" / "desks"


def constant(desk: str, name: str) -> str:
    """The text of `export const NAME = …;` in a desk's pictures."""
    found = re.search(rf"export const {name} = (.*);", (WEB / desk / "picture.js").read_text())
    assert found, f"{desk} has no {name}"
    return found[1]


def test_the_code_picture_shows_the_best_next_guess_and_its_split() -> None:
    position = {"clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
    best = cluewise.run({"desk": "code", "want": "advise", "position": position})["options"][0]
    shown = json.loads(re.sub(r"(\w+):", r'"\1":', constant("code", "NEXT")))
    assert shown["guess"] == best["guess"]
    assert shown["answers"] == sorted(best["answers"].values(), reverse=True)


def test_the_rack_picture_shows_what_each_wire_would_tell() -> None:
    wires = [{"wire": wire} for wire in ["1", "1", "2", "2", "2", "3", "3", "4", "8", "10"]]
    others: list[dict[str, Any]] = [{"slots": [{}] * size} for size in (10, 10, 9, 9)]
    position = {"stands": [{"slots": wires}, *others]}
    found = cluewise.run({"desk": "rack", "want": "indicate", "position": position})["options"]
    gains = {option["slot"]: round(option["gain"], 2) for option in found}
    assert json.loads(constant("rack", "GAINS")) == [gains[slot] for slot in range(2, 10)]


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
