"""A notebook's boards are those of the page: the same shapes in the same places.

What the home page's pictures show is what the desks answer, though drawn before they can.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import cluewise
from asking import vectors
from cluewise import desks, service
from cluewise.core import svg
from cluewise.desks.code.drawing import hue_of, label_of
from contract.fuzz import BASES
from contract.test_every_desk import EVERY

CASES = vectors("cases")["pictures"]

ROOT = Path(__file__).resolve().parents[2]
Shape = tuple[str, ...]
# What both drawings contain; on the page the style sheets define colours.
PLACES = CASES["PLACES"]


def draw_on_page(desk: str, positions: list[Any]) -> list[str]:
    """The page's pictures of these positions."""
    lines = "".join(json.dumps([desk, position]) + "\n" for position in positions)
    ran = subprocess.run(
        ["node", "--import", "./tests/page/typescript.mjs", "tests/page/comparison.mjs", "drawing"],
        input=lines, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in ran.stdout.splitlines()]


def shapes(text: str) -> list[Shape]:
    """The shapes of a drawing in their order, without its ground and what has no place or text."""
    found = []
    for item in ElementTree.fromstring(text).iter():
        name = item.tag.rpartition("}")[2]
        if name not in PLACES:
            continue
        said = (item.text or "").strip() if name == "text" else ""
        if name == "text" and not said:
            continue
        found.append((name, *(item.get(a, "") for a in PLACES[name]), said))
    return found


def moved(one: list[Shape]) -> list[Shape]:
    return sorted(
        (name, *(rest if name != "circle" else (rest[0], rest[2]))) for name, *rest in one
    )


@pytest.mark.parametrize("desk", ["code", "rack", "sudoku"])
def test_drawing_equals_the_page(desk: str) -> None:
    positions = [p for p in BASES[desk] if desk != "code" or p.get("clues")]
    assert len(positions) > 2
    for position, theirs in zip(positions, draw_on_page(desk, positions), strict=True):
        checked = service.read_position(desks.load(desk), position)
        mine = shapes(checked._repr_svg_())
        page = shapes(theirs)
        assert moved(mine[1:]) == moved(page[1:])  # the first is the ground
        assert len(mine) > 1


def test_mines_drawing_has_the_cells_of_the_page() -> None:
    positions = BASES["mines"]
    for position, theirs in zip(positions, draw_on_page("mines", positions), strict=True):
        checked = service.read_position(desks.load("mines"), position)
        mine = [s for s in shapes(checked._repr_svg_()) if s[0] == "polygon"]
        page = [s for s in shapes(theirs) if s[0] == "polygon"]
        assert corners(mine) == pytest.approx(corners(page), abs=0.011)
        assert mine
        if not any(
            group.label for group in checked.groups
        ):  # a file has its own positions of labels
            assert counts(checked._repr_svg_()) == counts(theirs)


def corners(polygons: list[Shape]) -> list[float]:
    return sorted(float(n) for one in polygons for n in one[1].replace(",", " ").split())


def counts(drawing: str) -> list[tuple[float, float, str]]:
    texts = [t for t in ElementTree.fromstring(drawing).iter() if t.tag.endswith("text") and t.text]
    return sorted(
        (round(float(t.attrib["x"]), 1), round(float(t.attrib["y"]), 1), str(t.text)) for t in texts
    )


@EVERY
def test_every_valid_position_can_be_drawn(name: str) -> None:
    for position in BASES[name]:
        checked = service.read_position(desks.load(name), position)
        drawing = checked._repr_svg_()
        assert drawing in checked._repr_html_()  # hosts that show only HTML
        root = ElementTree.fromstring(drawing)
        _, _, width, height = (float(n) for n in root.attrib["viewBox"].split())
        assert 0 < width < 20_000
        assert 0 < height < 20_000
        assert not re.search(r"\bnan\b", drawing)


@pytest.mark.parametrize(("signs", "hues", "labels"), CASES["a colour has its name s hue"])
def test_colours_have_the_hue_of_their_name(
    signs: tuple[str, ...], hues: list[int], labels: list[str]
) -> None:
    assert [hue_of(symbol, signs) for symbol in "012"] == hues
    assert [label_of(symbol, signs) for symbol in "012"] == labels


def test_colours_equal_those_of_the_page() -> None:
    tokens = (ROOT / "web" / "style" / "tokens.css").read_text()
    named = {"line-strong": svg.LINE_STRONG, "ink-soft": svg.INK_SOFT, "ink-faint": svg.INK_FAINT}
    named |= {n.lower(): getattr(svg, n) for n in ("PAPER", "SURFACE", "SUNKEN", "INK", "LINE")}
    named |= {"accent": svg.ACCENT, "wood": svg.WOOD}
    for name, colour in named.items():
        assert f"--{name}: light-dark({colour}," in tokens
    for i, colour in enumerate(svg.PEGS):
        assert f"--peg-{i}: {colour};" in tokens


WEB = Path(__file__).resolve().parents[2] / "web" / "desks"


def constant(desk: str, name: str) -> str:
    """The text of `export const NAME = …;` in a desk's pictures."""
    found = re.search(rf"export const {name} = (.*);", (WEB / desk / "picture.ts").read_text())
    assert found, f"{desk} has no {name}"
    return found[1]


def test_code_picture_shows_the_best_next_guess() -> None:
    position = {"clues": [{"guess": "0011", "exact": 1, "partial": 1}]}
    best = cluewise.run({"desk": "code", "want": "advise", "position": position})["options"][0]
    assert json.loads(constant("code", "NEXT")) == best["guess"]


@pytest.mark.parametrize(
    ("region", "here", "spots", "seconds"), [(364, [2990, 3390], 18, 20), (349, None, 51, 27)]
)
def test_scan_examples_have_their_expected_time(
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
def test_code_examples_have_their_expected_guesses(
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


def test_mines_picture_is_a_game_of_its_puzzle() -> None:
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
