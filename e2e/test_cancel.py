"""Every long job of every desk stops in the middle, and the worker goes on with what is next."""

from typing import Any

import pytest
from playwright.sync_api import Page

from browser import open_engine
from cluewise import desks
from long_jobs import LONG, SHARED, STOP, STOP_ALL

pytestmark = [pytest.mark.own_worker, pytest.mark.long]


@pytest.mark.parametrize("desk", desks.available())
def test_a_long_job_is_stopped_and_the_worker_stays(page: Page, site: str, desk: str) -> None:
    open_engine(page, site)
    jobs = [job for job in LONG if job["desk"] == desk]
    assert jobs
    for job in jobs:
        found: Any = page.evaluate(STOP, [job, 60])
        assert (found["ended"], found["count"]) == ("stopped", 9), job["want"]
    names = page.evaluate("phases.map((phase) => phase.name)")
    assert names.count("ready") == 1, "the worker was replaced"


def test_a_job_that_two_workers_share_is_left_by_both(page: Page, site: str) -> None:
    open_engine(page, site)
    stops: Any = page.evaluate(STOP_ALL, SHARED)
    wants = ["strategy", "simulate", "cuts", "generate", "group", "group", "route"]
    assert [one["want"] for one in stops] == wants
    for one in stops:
        assert (one["ended"], one["count"]) == ("stopped", 9), one
        assert one["bothTold"], one
        assert one["speak"] == 1, "of the small question alone"
