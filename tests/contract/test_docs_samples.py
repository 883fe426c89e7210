"""The samples in the documentation are what the program answers.

A sample is `<details class="sample">` with `<pre class="ask">` (a request) and
`<pre class="answer">` (its result). In an answer, the field `"…": "…"` stands for fields not
shown, and `"…"` at the end of a list for items not shown; all else must be equal.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from cluewise import service

DOCS = Path(__file__).resolve().parents[2] / "web" / "docs"
MORE = "…"
SAMPLE = re.compile(
    r'<details class="sample".*?<pre class="ask">(?P<ask>.*?)</pre>\s*'
    r'<pre class="answer">(?P<answer>.*?)</pre>\s*</details>',
    re.DOTALL,
)


def samples() -> list[tuple[str, object, object]]:
    found = []
    for path in sorted(DOCS.glob("*.html")):
        for number, match in enumerate(SAMPLE.finditer(path.read_text())):
            ask, answer = (json.loads(html.unescape(match[part])) for part in ("ask", "answer"))
            found.append((f"{path.stem}-{number}-{ask['desk']}-{ask['want']}", ask, answer))
    return found


SAMPLES = samples()


def agrees(shown: object, real: object) -> bool:
    """Whether what is shown is what came, but for what is marked as left out."""
    if isinstance(shown, Mapping) and isinstance(real, Mapping):
        rest = {k: v for k, v in shown.items() if k != MORE}
        complete = MORE in shown or set(rest) == set(real)
        return complete and all(k in real and agrees(v, real[k]) for k, v in rest.items())
    if isinstance(shown, list) and isinstance(real, list):
        open_end = bool(shown) and shown[-1] == MORE
        items = shown[:-1] if open_end else shown
        fits = len(items) < len(real) if open_end else len(items) == len(real)
        return fits and all(agrees(a, b) for a, b in zip(items, real, strict=False))
    return type(shown) is type(real) and shown == real


def test_no_sample_is_overlooked() -> None:
    marked = sum(p.read_text().count('class="sample"') for p in DOCS.glob("*.html"))
    assert len(SAMPLES) == marked >= 3


@pytest.mark.parametrize(("ask", "answer"), [s[1:] for s in SAMPLES], ids=[s[0] for s in SAMPLES])
def test_a_sample_is_what_the_program_answers(ask: Mapping[str, object], answer: object) -> None:
    real = json.loads(json.dumps(service.run(ask)))  # as a reader of JSON sees it
    assert agrees(answer, real), json.dumps(real, ensure_ascii=False)


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "c": 3, "…": "…"}, {"a": 1, "b": 2}, False),
        ([1, "…"], [1, 2], True),
        ([1, "…"], [1], False),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
        (1, 1.0, False),
        (True, 1, False),
    ],
)
def test_only_what_is_marked_may_be_left_out(shown: object, real: object, same: bool) -> None:
    assert agrees(shown, real) is same
