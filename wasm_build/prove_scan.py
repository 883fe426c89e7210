"""Prove the least totals of whole regions: `prove_scan.py [REGION …]`, all 26 without a name.

A page has room for 217 of the 234 proofs (26 regions, three starts, three stop costs). Here the
kernel is compiled for the machine, with 900 MB for each proof, from the plan made at once on.
Every total is printed as it comes, and compared with tests/vectors/scan_optimum.json.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import build_native

ROOT = Path(__file__).resolve().parent.parent
KNOWN = ROOT / "tests" / "vectors" / "scan_optimum.json"
MEGABYTES = 930


def prove(chosen: list[int]) -> int:
    """Prove what is chosen; how many totals are not those known, or not proved."""
    from bench_scan import STARTS, STOPS, place  # after the kernel is installed
    from cluewise.core.work import finish
    from cluewise.desks.scan.engine.best import QUICK, best_plan
    from cluewise.desks.scan.engine.optimum import least_plan
    from cluewise.desks.scan.engine.plan import Planner
    from cluewise.desks.scan.position import Position
    from cluewise.desks.scan.regions import by_id
    from cluewise.desks.scan.scene import Scene
    from cluewise.kernel import kernel

    known, wrong = json.loads(KNOWN.read_text())["least"], 0
    for number in chosen or list(by_id()):
        for stop in STOPS:
            for start in STARTS:
                here, began = place(by_id()[number], start), time.process_time()
                scene = Scene.of(Position(region=number, here=here))
                with kernel().frame() as frame:
                    planner = Planner(frame, scene, stop=stop, on_the_way=False, table_bits=16)
                    quick = finish(best_plan(planner, here, "search", QUICK)).cost.ticks
                    job = least_plan(
                        planner, here, quick, rooms=((MEGABYTES - 30) << 20,), work=1 << 42
                    )
                    found = finish(job)
                total = None if found is None else found.total
                same = total == known[str(number)][f"stop {stop}"][start]
                wrong += not same
                print(
                    f"{number} {start:<10} stop {stop}: made at once {quick}, least {total}"
                    f"{'' if same else ' NOT AS KNOWN'}, {time.process_time() - began:.1f} s",
                    flush=True,
                )
    return wrong


def main() -> int:
    """Build the kernel, and prove with it."""
    cc = build_native.compiler()
    if cc is None:
        print("There is no C compiler here.")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        build_native.build(Path(folder), cc, build_native.FAST)
        os.environ |= {"CLUEWISE_NATIVE": folder, "CLUEWISE_NATIVE_MB": str(MEGABYTES)}
        sys.path.append(str(ROOT / "tests"))
        import reference.native_kernel  # noqa: F401  (from here on the kernel is the library)

        return 1 if prove([int(n) for n in sys.argv[1:]]) else 0


if __name__ == "__main__":
    sys.exit(main())
