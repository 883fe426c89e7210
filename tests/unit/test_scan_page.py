"""What the page keeps a copy of is the same as in the package."""

import json
import re
from pathlib import Path

from cluewise.desks.scan.regions import regions

PAGE = Path(__file__).parents[2] / "web" / "desks" / "scan" / "regions.js"


def test_the_page_knows_the_same_regions() -> None:
    lines = re.findall(r"^  (\{.*\}),$", PAGE.read_text(), re.MULTILINE)
    kept = [json.loads(line) for line in lines]
    assert [(r["id"], r["name"], r["tier"], r["range"]) for r in kept] == [
        (r.id, r.name, r.tier, r.range) for r in regions()
    ]
    assert [[tuple(s) for s in r["spots"]] for r in kept] == [list(r.spots) for r in regions()]
