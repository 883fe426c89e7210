"""One position has one text: page and package write the same, and refuse the same shapes."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise import desks, links
from cluewise.errors import BadPosition
from contract import fuzz
from contract.fuzz import BASES
from contract.test_every_desk import EVERY

ROOT = Path(__file__).resolve().parents[2]
LINKS: list[dict[str, Any]] = vectors("links")


def on_the_page(values: list[tuple[str, Any]]) -> list[str]:
    """What the page makes of each: its canonical text, or `!` and why not."""
    lines = "".join(json.dumps(value) + "\n" for value in values)
    ran = subprocess.run(
        ["node", "tests/page/canonical.mjs"],
        input=lines, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    texts = ran.stdout.split("\n")[:-1]
    assert len(texts) == len(values)
    return texts


def in_the_package(desk: str, value: Any) -> str | None:
    """The package's canonical text; None where the shape is refused, whatever the game says."""
    try:
        return links.canonical(msgspec.convert(value, desks.load(desk).position))
    except (msgspec.ValidationError, BadPosition):
        return None


def fits_a_double(value: Any) -> bool:
    """Whether every whole number is one that JavaScript can hold; the page refuses others."""
    if isinstance(value, dict | list):
        return all(map(fits_a_double, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or abs(value) < 2**53


def both(desk: str, values: list[Any]) -> list[tuple[str | None, str]]:
    texts = on_the_page([(desk, value) for value in values])
    return [(in_the_package(desk, v), t) for v, t in zip(values, texts, strict=True)]


@EVERY
def test_page_and_package_write_the_same_text(name: str) -> None:
    values = [*BASES[name], *(x["position"] for x in LINKS if x["desk"] == name)]
    for ours, theirs in both(name, values):
        assert ours == theirs


@EVERY
def test_random_positions_have_one_text_or_are_refused_by_both(name: str) -> None:
    dice = random.Random(20261122)
    values = [fuzz.position(name, dice) for _ in range(fuzz.MUTATIONS)]
    values = [value for value in values if fits_a_double(value)]
    agreed = 0
    for value, (ours, theirs) in zip(values, both(name, values), strict=True):
        if ours is None:
            assert theirs.startswith("!"), value
        else:
            assert ours == theirs, value
            agreed += 1
    assert agreed > len(values) / 4


@pytest.mark.parametrize(
    ("desk", "position", "text"),
    [
        ("code", {"rules": {"pegs": 4}, "clues": []}, '{"desk":"code","v":1}'),
        (
            "code",
            {"clues": [{"guess": "0011", "exact": 0, "partial": 0, "ignored": False}]},
            '{"clues":[{"exact":0,"guess":"0011"}],"desk":"code","v":1}',
        ),
        ("sudoku", {"box": [3, 3]}, '{"desk":"sudoku","v":1}'),
        ("rack", {"wires": {"blue": [1, 12]}, "stands": []}, '{"desk":"rack","v":1}'),
    ],
)
def test_what_equals_a_default_is_left_out_however_it_was_written(
    desk: str, position: Any, text: str
) -> None:
    assert both(desk, [position]) == [(text, text)]
