"""Damaged links, texts, files and storage on the page: a board or a sentence, never an error."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cluewise import desks, links, service
from contract import fuzz, test_pathological
from contract.test_every_desk import EVERY

ROOT = Path(__file__).resolve().parents[2]


def kept_by(desk: str, dice: random.Random) -> dict[str, Any]:
    """What a browser may have kept: a history of the first version, changed here and there."""
    moments = [
        {"position": dice.choice(fuzz.BASES[desk]), "label": f"step {i}"}
        for i in range(dice.randint(1, 4))
    ]
    kept: Any = {f"desk.{desk}": {"moments": moments, "at": dice.randrange(4), "view": {}}}
    for _ in range(dice.randrange(4)):
        kept = fuzz.mutated(kept, dice)
    return kept if isinstance(kept, dict) else {}


@pytest.mark.sampled(5)
@EVERY
def test_whatever_is_brought_the_page_shows_a_board_or_a_sentence(name: str) -> None:
    dice, known = random.Random(5), fuzz.texts(name)
    whole = [links.encode(service.read_position(desks.load(name), p)) for p in fuzz.BASES[name]]
    brought: list[tuple[str, Any]] = []
    for _ in range(fuzz.MUTATIONS // 10):
        kept = kept_by(name, dice)
        file: Any = {"format": "cluewise-everything", "version": dice.choice([1, 2]), "kept": kept}
        text = json.dumps(fuzz.mutated(file, dice) if dice.random() < 0.3 else file)
        brought += [
            ("link", fuzz.text(whole, dice) if dice.random() < 0.5 else fuzz.position(name, dice)),
            ("text", fuzz.text(known, dice)),
            ("kept", list(kept.items())),
            ("file", fuzz.text([text], dice) if dice.random() < 0.3 else text),
        ]
    assert drawn(name, brought) > fuzz.MUTATIONS // 200


@pytest.mark.sampled(5)
@EVERY
def test_a_text_that_repeats_one_piece_is_read_in_one_pass(name: str) -> None:
    texts = test_pathological.some(34)
    drawn(name, [*(("text", text) for text in texts), *(("home", text) for text in texts[:10])])


def drawn(desk: str, brought: list[tuple[str, Any]]) -> int:
    """How many of these links the page draws; AssertionError where something is wrong.

    Every visit loads the page's modules anew and Node frees none, so a process draws 200 of them.
    """
    return sum(drawn_by_one(desk, brought[at : at + 200]) for at in range(0, len(brought), 200))


def drawn_by_one(desk: str, brought: list[tuple[str, Any]]) -> int:
    ran = subprocess.run(
        ["node", "--import", "./tests/page/typescript.mjs", "tests/page/fuzz.mjs", desk],
        input="".join(json.dumps(one) + "\n" for one in brought), cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = json.loads(ran.stdout.splitlines()[-1])
    assert not found["wrong"], "\n".join(found["wrong"])
    return int(found["drawn"])
