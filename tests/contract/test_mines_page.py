"""The page's copy of the bundled puzzles is the package's, and both sides seal alike."""

import json
import re
from pathlib import Path

from cluewise.desks.mines.puzzles import bundled
from cluewise.service import to_plain

PAGE = Path(__file__).parents[2] / "web" / "desks" / "mines" / "puzzles.js"


def test_the_page_has_the_same_puzzles() -> None:
    match = re.search(r"JSON\.parse\(`(.*)`\)", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    listed = json.loads(match[1])
    assert len(listed) == len(bundled())
    for mine, theirs in zip(listed, bundled(), strict=True):
        assert mine["title"] == theirs.title
        assert mine["level"] == theirs.level
        plain = json.loads(json.dumps(to_plain(theirs.position)))
        assert {"desk": "mines", "v": 1, **plain} == mine["position"]
