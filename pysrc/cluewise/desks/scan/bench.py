"""Benchmarks of the scan desk: `cluewise bench scan`."""

from __future__ import annotations

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.work import finish
from cluewise.desks.scan.engine.classes import kernel_calls, partition
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import regions
from cluewise.desks.scan.results import NextOptions, RouteOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.verbs.next import next_
from cluewise.desks.scan.verbs.route import route
from cluewise.kernel import kernel


def _positions() -> list[Position]:
    return [Position(region=region.id) for region in regions()]


def _classes() -> Work:
    """All 26 maps with rectangles, outlines and label boxes."""
    positions = _positions()
    return lambda: sum(finish(partition(ScanModel.of(p))).count for p in positions)


def _kernel() -> Work:
    """The kernel calls of `_classes` alone."""
    frame = kernel().frame()
    calls = [call for p in _positions() for call in kernel_calls(frame, ScanModel.of(p))]

    return work_of(len(regions()), lambda: [frame.call(*call) for call in calls])


def _routes() -> Work:
    """All 26 default routes, whole trees."""
    positions = _positions()
    return lambda: sum(1 for p in positions if finish(route(p, RouteOptions())).remaining)


def _steps() -> Work:
    """All 26 default answers to "where next", the slowest states of each region."""
    positions = _positions()
    return lambda: sum(1 for p in positions if finish(next_(p, NextOptions())).remaining)


ROWS = [
    Benchmark("scan.classes.26_regions", "classes", _classes),
    Benchmark("scan.kernel.26_regions", "maps", _kernel),
    Benchmark("scan.route.26_regions", "routes", _routes),
    Benchmark("scan.next.26_regions", "steps", _steps),
]
