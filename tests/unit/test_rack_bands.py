"""What the guide says of tokens: the bands' bounds, and why drawn wires look like more."""

import re
from pathlib import Path
from typing import Any, get_args

from cluewise import service
from cluewise.desks.rack.position import TokenKind
from cluewise.desks.rack.verbs.indicate import BAND_BOUNDS

GUIDE = Path(__file__).resolve().parents[2] / "web" / "docs" / "pages" / "guide-rack.html"
HAND = "1 2 Y2 3 5 6 7 8 10 11"


def indicate(wires: dict[str, Any], **options: Any) -> Any:
    own = {"slots": [{"wire": wire} for wire in HAND.split()]}
    stands = [own, *[{"slots": [{}] * 9}] * 4]
    position = {"wires": {"blue": [1, 12], **wires}, "stands": stands}
    return service.run(
        {"desk": "rack", "want": "indicate", "position": position, "options": options}
    )


def test_the_bands_bounds_come_with_the_answer_and_stand_in_the_guide() -> None:
    rows = re.findall(r"<tr>(<td>.*?)</tr>", GUIDE.read_text())
    bounds = [[float(n) for n in re.findall(r">([\d.]+) %", row)[:3]] for row in rows]
    tokens = get_args(TokenKind)
    assert bounds == [[round(100 * b, 1) for b in BAND_BOUNDS["published", t]] for t in tokens]
    for model, kind in BAND_BOUNDS:
        if kind == "parity":
            continue  # no such token with yellow wires
        found = indicate({"yellow": ["Y2"]}, model=model, token=kind)
        assert found["bands"] == list(BAND_BOUNDS[model, kind])


def test_the_published_metric_counts_drawn_wires_as_if_all_were_in_play() -> None:
    group = {"groups": [{"of": ["Y2", "Y4", "Y9"], "drawn": 2}]}
    two, three = {"yellow": ["Y2", "Y4"]}, {"yellow": ["Y2", "Y4", "Y9"]}
    open_bits = {
        model: [indicate(wires, model=model)["baseline"] for wires in (group, two, three)]
        for model in ("published", "joint", "bayes")
    }
    drawn, fewer, all_of_them = open_bits["published"]
    assert drawn == all_of_them > fewer
    for model in ("joint", "bayes"):
        drawn, fewer, all_of_them = open_bits[model]
        assert fewer < drawn < all_of_them
    text = GUIDE.read_text()
    for bits in (*open_bits["published"][:2], *open_bits["joint"]):
        assert f"{bits:.1f}" in text
    assert HAND in text
