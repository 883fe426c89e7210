"""What the desks answer (tests/vectors/answers.json).

Of an answer a row names what matters: a field that is absent is null, in an object in place of a
list the keys are places, and numbers may differ in the tenth digit.
"""

import json
from typing import Any

import pytest

from asking import vectors
from cluewise.service import run


def named(found: Any, row: Any) -> Any:
    """Return the parts of an answer that a row names, and the row's number for one close to it."""
    if isinstance(row, dict) and isinstance(found, list):
        return {key: named(found[int(key)], part) for key, part in row.items()}
    if isinstance(row, dict) and isinstance(found, dict):
        return {key: named(found.get(key), part) for key, part in row.items()}
    if isinstance(row, list) and isinstance(found, list) and len(row) == len(found):
        return [named(one, part) for one, part in zip(found, row, strict=True)]
    return row if isinstance(row, float) and found == pytest.approx(row, abs=1e-9) else found


@pytest.mark.parametrize("case", vectors("answers"), ids=lambda case: case["ask"]["desk"])
def test_an_answer_has_what_its_row_names(case: dict[str, Any]) -> None:
    found = json.loads(json.dumps(run(case["ask"])))
    assert named(found, case["answer"]) == case["answer"], case["fact"]


@pytest.mark.parametrize(
    ("found", "row"),
    [({"a": 1}, {"a": 2}), ({}, {"a": 1}), ({"a": [1]}, {"a": [1, 2]}), ([1, 2], {"1": 1}),
     ({"a": 0.5001}, {"a": 0.5}), ({"a": 1}, {"a": None}), ({"a": [{"b": 1}]}, {"a": [{"b": 2}]})],
)  # fmt: skip
def test_an_answer_that_differs_from_its_row_is_noticed(found: Any, row: Any) -> None:
    assert named(found, row) != row
