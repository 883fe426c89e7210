"""One position has one text: page and package write the same, and refuse the same shapes."""

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

CASES = vectors("one_text")

ROOT = Path(__file__).resolve().parents[2]
LINKS: list[dict[str, Any]] = vectors("links")


def on_the_page(values: list[tuple[str, Any]]) -> list[str]:
    """What the page makes of each: its canonical text, or `!` and why not."""
    lines = "".join(json.dumps(value) + "\n" for value in values)
    ran = subprocess.run(
        ["node", "--import", "./tests/page/typescript.mjs", "tests/page/canonical.mjs"],
        input=lines, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    texts = ran.stdout.split("\n")[:-1]
    assert len(texts) == len(values)
    return texts


def in_the_package(desk: str, value: Any) -> str | None:
    try:
        return links.canonical(msgspec.convert(value, desks.load(desk).position))
    except (msgspec.ValidationError, BadPosition):
        return None


def fits_a_double(value: Any) -> bool:
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
        elif theirs.startswith("!"):  # by a limit that the package's check holds
            with pytest.raises(BadPosition):
                desks.load(name).check(msgspec.convert(value, desks.load(name).position))
        else:
            assert ours == theirs, value
            agreed += 1
    assert agreed > len(values) / 4


@pytest.mark.parametrize(
    ("desk", "position", "text"), CASES["what equals a default is left out however it was written"]
)
def test_what_equals_a_default_is_left_out_however_it_was_written(
    desk: str, position: Any, text: str
) -> None:
    assert both(desk, [position]) == [(text, text)]
