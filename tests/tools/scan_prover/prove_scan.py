"""Prove the least totals of regions: `prove_scan.py [REGION …]`, by default of all 26.

The kernel is compiled for this machine together with the prover, and each proof gets 900 MB and
starts from the default plan's total. Every total is printed when it is proved and compared with
tests/vectors/scan_optimum.json.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KNOWN = ROOT / "tests" / "vectors" / "scan_optimum.json"
MEGABYTES = 930


def prove(chosen: list[int]) -> int:
    """Return how many totals are not proved or not the known ones."""
    from optimum import prove_optimal  # after the kernel is installed

    from cluewise.core.work import finish
    from cluewise.desks.scan.engine.best_plan import QUICK, best_plan
    from cluewise.desks.scan.engine.planner import Planner
    from cluewise.desks.scan.engine.proven import STOPS, starts_of
    from cluewise.desks.scan.position import Position
    from cluewise.desks.scan.regions import by_id
    from cluewise.desks.scan.scene import ScanModel
    from cluewise.errors import TooLarge
    from cluewise.kernel import kernel

    known, wrong = json.loads(KNOWN.read_text())["least"], 0
    for number in chosen or list(by_id()):
        for stop in STOPS:
            for start, here in starts_of(by_id()[number]).items():
                began = time.process_time()
                scene = ScanModel.of(Position(region=number, here=here))
                with kernel().frame() as frame:
                    planner = Planner(frame, scene, stop=stop, on_the_way=False, table_bits=16)
                    quick = finish(best_plan(planner, here, "search", QUICK)).cost.ticks
                    room = (MEGABYTES - 30) << 20
                    total: int | None = None
                    with suppress(TooLarge):
                        total = finish(prove_optimal(planner, here, quick, room))
                same = total == known[str(number)][f"stop {stop}"][start]
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
        (sources / "scan" / "scan.h").write_text(
            f"{head}{(HERE / 'prover.h').read_text()}\n#endif{end}"
        )
        native_kernel.build(Path(folder), cc, native_kernel.FAST, sources)
        os.environ |= {"CLUEWISE_NATIVE": folder, "CLUEWISE_NATIVE_MB": str(MEGABYTES)}
        import reference.native_kernel  # noqa: F401  (from here on the kernel is the library)

        return 1 if prove([int(word) for word in sys.argv[1:]]) else 0


if __name__ == "__main__":
    sys.exit(main())
