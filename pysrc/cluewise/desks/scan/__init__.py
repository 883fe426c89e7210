"""The scan desk: where on the map a scan tells most, and how to walk there."""

from __future__ import annotations

from cluewise.core.desk import Desk, NoOptions, Verb
from cluewise.desks.scan import results as r
from cluewise.desks.scan.advice.areas import run_classes, run_regions
from cluewise.desks.scan.advice.practice import run_listen, run_practice
from cluewise.desks.scan.advice.route import run_route
from cluewise.desks.scan.advice.walk import run_next
from cluewise.desks.scan.doubt import run_doubt
from cluewise.desks.scan.engine.fewest import run_fewest
from cluewise.desks.scan.formats import paste, run_walls
from cluewise.desks.scan.position import ScanPosition, check

DESK: Desk[ScanPosition] = Desk(
    name="scan",
    title="Scan clues on a tile map",
    position=ScanPosition,
    check=check,
    verbs=(
        Verb("classes", "The map cut into areas of one answer.", r.ClassesOptions,
             r.ClassesResult, run_classes),
        Verb("next", "Where to walk next.", r.NextOptions, r.NextResult, run_next),
        Verb("route", "A whole route as a decision tree.", r.RouteOptions, r.RouteResult,
             run_route),
        Verb("fewest", "The fewest scans that are enough, proved.", r.FewestOptions,
             r.FewestResult, run_fewest),
        Verb("regions", "The built-in regions.", NoOptions, r.RegionsResult, run_regions),
        Verb("doubt", "Which clues cannot all hold.", NoOptions, r.DoubtResult, run_doubt),
        Verb("practice", "Hide a spot to find by walking.", r.PracticeOptions, r.PracticeResult,
             run_practice),
        Verb("listen", "The pulse at a tile of a practice position.", r.ListenOptions,
             r.ListenResult, run_listen),
        Verb("paste", "Spots from lines of numbers.", r.PasteOptions, r.PasteResult, paste),
        Verb("walls", "A text grid or PNG as walls of the position.", r.WallsOptions,
             r.WallsResult, run_walls),
    ),
)  # fmt: skip

__all__ = ["DESK"]
