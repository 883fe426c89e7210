"""Prove the least totals of regions: `prove_scan.py [REGION …]`, by default of all 26.

From three starts at three stop costs: the 234 numbers in pysrc/cluewise/desks/scan/regions.py. The
kernel is compiled for this machine (a C compiler is needed) together with optimum.c, branch and
bound over all tiles and all plans, whose bounds are exact plans of groups of at most eight spots.
Each proof gets 900 MB and starts from the default plan's total. A line is printed for each; the
exit status is 1 if a total is not the known one. All 26 regions take hours.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from array import array
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cluewise.desks.scan.engine.planner import Planner, Tile

# Modules of the package are imported after the kernel is installed.
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MEGABYTES = 930
# What optimum.c adds to scan.h.
INTERFACE = """
i32 scan_optimum(const ScanPlan *plan LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 upper,
                 void *pool HAS(2 * room), i32 room);
"""


def prove_optimal(planner: Planner, here: Tile, known: int, room: int) -> int:
    """The least total if it is below `known`, else `known`; with so many bytes of memory.

    Raises `TooLarge` where these are too few.
    """
    from cluewise.kernel import kernel

    with kernel().frame() as frame:
        spots = frame.put(array("Q", [planner.everything]))
        pool, length = frame.reserve_most((room,))
        return frame.call("scan_optimum", planner.address, spots, *here, known, pool, length // 2)


def prove(chosen: list[int]) -> int:
    """Return how many totals are not proved or not the known ones."""
    from cluewise.core.work import finish
    from cluewise.desks.scan.engine.best_plan import QUICK, best_plan
    from cluewise.desks.scan.engine.planner import Planner
    from cluewise.desks.scan.position import Position
    from cluewise.desks.scan.regions import by_id, proven_totals, starts_of
    from cluewise.desks.scan.scene import ScanModel
    from cluewise.errors import TooLarge
    from cluewise.kernel import kernel

    wrong = 0
    for number in chosen or list(by_id()):
        region = by_id()[number]
        for (stop, start), known in proven_totals(region).items():
            began, here = time.process_time(), starts_of(region)[start]
            scene = ScanModel.of(Position(region=number, here=here))
            with kernel().frame() as frame:
                planner = Planner(frame, scene, stop=stop, on_the_way=False, table_bits=16)
                quick = finish(best_plan(planner, here, "search", QUICK)).cost.ticks
                room = (MEGABYTES - 30) << 20
                total: int | None = None
                with suppress(TooLarge):
                    total = prove_optimal(planner, here, quick, room)
            same = total == known
            wrong += not same
            print(
                f"{number} {start:<10} stop {stop}: default {quick}, least {total}"
                f"{'' if same else ' NOT AS KNOWN'}, "
                f"{time.process_time() - began:.1f} s",
                flush=True,
            )
    return wrong


def main() -> int:
    """Build the kernel with the prover, and prove with it."""
    sys.path += [str(ROOT), str(ROOT / "tests")]
    from wasm_build.codegen import kernel as build_kernel
    from wasm_build.codegen import native_kernel

    cc = native_kernel.compiler()
    if cc is None:
        print("This machine has no C compiler.")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources"
        shutil.copytree(build_kernel.SOURCES, sources)
        shutil.copy(HERE / "optimum.c", sources / "scan")
        head, end = (sources / "scan" / "scan.h").read_text().rsplit("#endif", 1)
        (sources / "scan" / "scan.h").write_text(f"{head}{INTERFACE}\n#endif{end}")
        native_kernel.build(Path(folder), cc, native_kernel.FAST, sources)
        os.environ |= {"CLUEWISE_NATIVE": folder, "CLUEWISE_NATIVE_MB": str(MEGABYTES)}
        import reference.native_kernel  # noqa: F401  (from here on the kernel is the library)

        return 1 if prove([int(word) for word in sys.argv[1:]]) else 0


if __name__ == "__main__":
    sys.exit(main())
