"""The verb `regions`: the built-in regions."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.scan import regions as built_in
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import RegionRow, Regions


def regions(_position: Position, _options: NoOptions) -> Job[Regions]:
    """The verb `regions`."""
    yield Progress(1, 1)
    return Regions(
        [
            RegionRow(
                r.id,
                r.name,
                r.tier,
                r.range,
                len(r.spots),
                sorted({s[2] for s in r.spots}),
                list(built_in.landings()[r.id]),
            )
            for r in built_in.regions()
        ]
    )
