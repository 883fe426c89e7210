"""Every row of the bench does its work: nothing else calls what only a bench calls."""

from __future__ import annotations

import pytest

from cluewise import bench, desks
from cluewise.core.measure import Row

ROWS = [row for desk in desks.available() for row in bench.rows(desk)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.name))
def test_a_row_does_its_work(row: Row) -> None:
    assert row.prepare()() > 0
