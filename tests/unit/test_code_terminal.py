"""Every verb has a table for people, strategies print."""

import msgspec

from cluewise import desks
from cluewise.cli.desks.code import TABLES
from cluewise.desks.code.tree import Branch, steps_of, tree_text
from cluewise.service import run

SMALL = {"rules": {"pegs": 3, "colours": 3}}


def test_every_verb_has_a_table() -> None:
    assert set(TABLES) == {verb.name for verb in desks.load("code").verbs}


def test_a_tree_prints_and_goes_to_json_and_back() -> None:
    options = {"criterion": "entropy", "tree": True}
    found = run({"desk": "code", "want": "strategy", "position": SMALL, "options": options})
    tree = msgspec.json.decode(msgspec.json.encode(found["tree"]), type=Branch)
    lines = list(tree_text(tree))
    assert lines[0] == f"{tree.guess} (27)"
    assert len(lines) == 1 + sum(line.startswith("  ") for line in lines)
    assert steps_of(tree) == found["histogram"]
