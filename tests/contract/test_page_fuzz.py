"""Page and package: damaged input is a board or a sentence, and one position has one text.

Page and package write the same text of a position, and refuse the same shapes.
"""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise import desks, links, service
from cluewise.errors import BadPosition
from contract import fuzz, test_fuzz
from contract.fuzz import BASES
from contract.test_every_desk import EVERY

ROOT = Path(__file__).resolve().parents[2]


def random_stored_values(desk: str, dice: random.Random) -> dict[str, Any]:
    """Return a browser's stored values: a mutated history of the first version."""
    moments = [
        {"position": dice.choice(fuzz.BASES[desk]), "label": f"step {i}"}
        for i in range(dice.randint(1, 4))
    ]
    kept: Any = {f"desk.{desk}": {"moments": moments, "at": dice.randrange(4), "view": {}}}
    for _ in range(dice.randrange(4)):
        kept = fuzz.mutate(kept, dice)
    return kept if isinstance(kept, dict) else {}


@pytest.mark.sampled(5)
@EVERY
def test_page_shows_a_board_or_a_message_for_any_input(name: str) -> None:
    dice, known = random.Random(5), fuzz.texts(name)
    whole = [links.encode(service.read_position(desks.load(name), p)) for p in fuzz.BASES[name]]
    brought: list[tuple[str, Any]] = []
    for _ in range(fuzz.MUTATIONS // 10):
        kept = random_stored_values(name, dice)
        file: Any = {"format": "cluewise-everything", "version": dice.choice([1, 2]), "kept": kept}
        text = json.dumps(fuzz.mutate(file, dice) if dice.random() < 0.3 else file)
        brought += [
            ("link", fuzz.text(whole, dice) if dice.random() < 0.5 else fuzz.position(name, dice)),
            ("text", fuzz.text(known, dice)),
            ("kept", list(kept.items())),
            ("file", fuzz.text([text], dice) if dice.random() < 0.3 else text),
        ]
    assert count_drawn(name, brought) > fuzz.MUTATIONS // 200


@pytest.mark.sampled(5)
@EVERY
def test_repetitive_texts_are_read_in_linear_time(name: str) -> None:
    texts = test_fuzz.sample_texts(34)
    count_drawn(
        name, [*(("text", text) for text in texts), *(("home", text) for text in texts[:10])]
    )


def count_drawn(desk: str, brought: list[tuple[str, Any]]) -> int:
    """Return how many of the inputs the page draws; fails if something is wrong.

    Every visit loads the page's modules anew and Node frees none, so a process draws 200 of them.
    """
    return sum(
        count_drawn_by_process(desk, brought[at : at + 200]) for at in range(0, len(brought), 200)
    )


def count_drawn_by_process(desk: str, brought: list[tuple[str, Any]]) -> int:
    ran = subprocess.run(
        ["node", "--import", "./tests/page/typescript.mjs", "tests/page/fuzz.mjs", desk],
        input="".join(json.dumps(one) + "\n" for one in brought), cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = json.loads(ran.stdout.splitlines()[-1])
    assert not found["wrong"], "\n".join(found["wrong"])
    return int(found["drawn"])


CASES = vectors("cases")["one_text"]

LINKS: list[dict[str, Any]] = vectors("links")


def canonical_on_page(values: list[tuple[str, Any]]) -> list[str]:
    """Return the canonical text of each value in the page, or `!` and its error."""
    lines = "".join(json.dumps(value) + "\n" for value in values)
    ran = subprocess.run(
        [
            "node", "--import", "./tests/page/typescript.mjs",
            "tests/page/comparison.mjs", "canonical",
        ],
        input=lines, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    texts = ran.stdout.split("\n")[:-1]
    assert len(texts) == len(values)
    return texts


def canonical_in_package(desk: str, value: Any) -> str | None:
    try:
        return links.canonical(msgspec.convert(value, desks.load(desk).position))
    except (msgspec.ValidationError, BadPosition):
        return None


def fits_a_double(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(fits_a_double, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or abs(value) < 2**53


def canonical_in_both(desk: str, values: list[Any]) -> list[tuple[str | None, str]]:
    texts = canonical_on_page([(desk, value) for value in values])
    return [(canonical_in_package(desk, v), t) for v, t in zip(values, texts, strict=True)]


@EVERY
def test_page_and_package_write_the_same_canonical_text(name: str) -> None:
    values = [*BASES[name], *(x["position"] for x in LINKS if x["desk"] == name)]
    for ours, theirs in canonical_in_both(name, values):
        assert ours == theirs


@EVERY
def test_random_positions_are_written_alike_or_refused_by_both(name: str) -> None:
    dice = random.Random(20261122)
    values = [fuzz.position(name, dice) for _ in range(fuzz.MUTATIONS)]
    values = [value for value in values if fits_a_double(value)]
    agreed = 0
    for value, (ours, theirs) in zip(values, canonical_in_both(name, values), strict=True):
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
def test_default_values_are_omitted_in_any_notation(desk: str, position: Any, text: str) -> None:
    assert canonical_in_both(desk, [position]) == [(text, text)]
