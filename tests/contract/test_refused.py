"""What the desks refuse, with the place and the words (tests/vectors/refused.json)."""

from typing import Any

import pytest

from asking import vectors
from cluewise.errors import CluewiseError
from cluewise.service import run


@pytest.mark.parametrize("case", vectors("refused"), ids=lambda case: case["ask"]["desk"])
def test_what_cannot_be_answered_is_refused_with_its_place_and_in_words(
    case: dict[str, Any],
) -> None:
    with pytest.raises(CluewiseError) as refused:
        run(case["ask"])
    error = refused.value
    assert [type(error).__name__, error.where, error.message] == case["refused"], case["fact"]
