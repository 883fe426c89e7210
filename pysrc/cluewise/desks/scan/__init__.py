"""The scan desk: where on the map a scan tells most, and how to walk there."""

from __future__ import annotations

from cluewise.core.desk import Desk, NoOptions, Verb
from cluewise.desks.scan.advice import run_classes, run_regions
from cluewise.desks.scan.doubt import run_doubt
from cluewise.desks.scan.position import ScanPosition, check
from cluewise.desks.scan.results import (
    ClassesOptions,
    ClassesResult,
    DoubtResult,
    RegionsResult,
)

DESK: Desk[ScanPosition] = Desk(
    name="scan",
    title="Scan clues on a tile map",
    position=ScanPosition,
    check=check,
    verbs=(
        Verb("classes", "The map cut into areas of one answer.", ClassesOptions, ClassesResult,
             run_classes),
        Verb("regions", "The built-in regions.", NoOptions, RegionsResult, run_regions),
        Verb("doubt", "Which clues cannot all hold.", NoOptions, DoubtResult, run_doubt),
    ),
)  # fmt: skip

__all__ = ["DESK"]
