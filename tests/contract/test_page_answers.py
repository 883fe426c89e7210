"""The answers that the page's Node tests use are those that the package gives today."""

import pytest

from record_answers import VECTORS, answer, recorded

DESKS = sorted(path.stem.removeprefix("page_answers_") for path in VECTORS.glob("page_answers_*"))


@pytest.mark.parametrize("desk", DESKS)
def test_recorded_answers_of_the_page_tests_are_those_of_today(desk: str) -> None:
    answers = recorded(desk)
    assert answers
    for one in answers:
        ask = one.pop("ask")
        assert answer(ask) == one, ask
