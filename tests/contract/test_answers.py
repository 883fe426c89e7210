"""What the desks answer and refuse, as recorded in tests/vectors.

answers.json: of an answer a row names what matters: a field that is absent is null, in an object in
place of a list the keys are places, and numbers may differ in the tenth digit. refused.json has the
place and the words of errors. page_answers_<desk>.json are the answers that the page's Node tests
use.
"""

import json
from typing import Any

import pytest

from asking import vectors
from cluewise.errors import CluewiseError
from cluewise.service import run
from record_answers import VECTORS, answer, recorded


def restrict_to_row(found: Any, row: Any) -> Any:
    """Return the parts of an answer that a row names, and the row's number for one close to it."""
    if isinstance(row, dict) and isinstance(found, list):
        return {key: restrict_to_row(found[int(key)], part) for key, part in row.items()}
    if isinstance(row, dict) and isinstance(found, dict):
        return {key: restrict_to_row(found.get(key), part) for key, part in row.items()}
    if isinstance(row, list) and isinstance(found, list) and len(row) == len(found):
        return [restrict_to_row(one, part) for one, part in zip(found, row, strict=True)]
    return row if isinstance(row, float) and found == pytest.approx(row, abs=1e-9) else found


@pytest.mark.parametrize("case", vectors("answers"), ids=lambda case: case["ask"]["desk"])
def test_answer_contains_the_values_of_its_row(case: dict[str, Any]) -> None:
    found = json.loads(json.dumps(run(case["ask"])))
    assert restrict_to_row(found, case["answer"]) == case["answer"], case["fact"]


@pytest.mark.parametrize(
    ("found", "row"),
    [({"a": 1}, {"a": 2}), ({}, {"a": 1}), ({"a": [1]}, {"a": [1, 2]}), ([1, 2], {"1": 1}),
     ({"a": 0.5001}, {"a": 0.5}), ({"a": 1}, {"a": None}), ({"a": [{"b": 1}]}, {"a": [{"b": 2}]})],
)  # fmt: skip
def test_answer_that_differs_from_its_row_is_detected(found: Any, row: Any) -> None:
    assert restrict_to_row(found, row) != row


@pytest.mark.parametrize("case", vectors("refused"), ids=lambda case: case["ask"]["desk"])
def test_refused_requests_have_the_recorded_error(
    case: dict[str, Any],
) -> None:
    with pytest.raises(CluewiseError) as refused:
        run(case["ask"])
    error = refused.value
    assert [type(error).__name__, error.where, error.message] == case["refused"], case["fact"]


DESKS = sorted(path.stem.removeprefix("page_answers_") for path in VECTORS.glob("page_answers_*"))


@pytest.mark.parametrize("desk", DESKS)
def test_recorded_answers_of_the_page_tests_are_current(desk: str) -> None:
    answers = recorded(desk)
    assert answers
    for one in answers:
        ask = one.pop("ask")
        assert answer(ask) == one, ask
