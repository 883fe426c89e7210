"""Count all 5 472 730 538 grids, and make the table of their numbers out of that.

    python wasm_build/build_numbers.py count [--bands 1-416]    all cores; a quarter of an hour
    python wasm_build/build_numbers.py make [--window 30]       writes numbers.bin from the counts
    python wasm_build/build_numbers.py check                    the table against what was counted

`count` keeps one file a band in .cache/numbers/, written under another name and renamed when whole:
stop it at any time and start it again. A file has two numbers for each fourth row: the grids, and
the second bands that were looked at, which is what counting them again costs. `make` puts as many
fourth rows into a window as can be counted in so many milliseconds. `check` counts windows of the
table anew where the counts are at hand, whatever window it was made with.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import pairwise
from pathlib import Path

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.numbers import BANDS, GRIDS, RANK_WORK, numbers, parse
from cluewise.kernel.call import kernel

ROOT = Path(__file__).resolve().parent.parent
COUNTS = ROOT / ".cache" / "numbers"
TABLE = ROOT / "pysrc" / "cluewise" / "desks" / "sudoku" / "numbers.bin"
_STEP = 100  # fourth rows a call of the kernel
# Milliseconds for a second band, for a grid and for a fourth row, fitted on one native core.
_BAND_MS, _GRID_MS, _ROW_MS = 1e-3, 4e-5, 1e-2
_MOST_ROWS = 254  # a window; one byte


def count_band(band: int) -> int:
    """Count a band's grids and keep them; returns how many there are."""
    known, pairs = finish(numbers()), []
    with kernel().frame() as frame:
        work = frame.reserve(RANK_WORK)
        rows = frame.call("sudoku_rank_begin", known.bands, band, work, RANK_WORK)
        out = frame.reserve(8 * _STEP)
        for row in range(0, rows, _STEP):
            found = frame.call("sudoku_rank_count", work, row, min(_STEP, rows - row), out)
            pairs += frame.get(out, "I", 2 * found).tolist()
    part = COUNTS / f"{band:03}.part"
    part.write_text(json.dumps(pairs))
    part.rename(COUNTS / f"{band:03}.json")
    return sum(pairs[::2])


def count(first: int, last: int) -> None:
    """Count the bands that have not been counted yet, the dearest first, on all cores."""
    COUNTS.mkdir(parents=True, exist_ok=True)
    missing = [b for b in range(first, last + 1) if not (COUNTS / f"{b:03}.json").exists()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(count_band, band): band for band in missing}
        for done, job in enumerate(as_completed(jobs), 1):
            print(f"{done}/{len(missing)}: band {jobs[job]} has {job.result():,} grids", flush=True)


def counted(band: int) -> tuple[list[int], list[float]] | None:
    """The grids of a band's fourth rows and the milliseconds that each takes; None if not there."""
    path = COUNTS / f"{band:03}.json"
    if not path.exists():
        return None
    pairs = json.loads(path.read_text())
    grids, looked = pairs[::2], pairs[1::2]
    cost = [_ROW_MS + _BAND_MS * x + _GRID_MS * n for n, x in zip(grids, looked, strict=True)]
    return grids, cost


def rows_a_window(cost: list[float], most: float) -> int:
    """The largest number of rows so that no window takes more than `most` milliseconds."""
    best = 1
    for rows in range(2, _MOST_ROWS + 1):
        if max(sum(cost[i : i + rows]) for i in range(0, len(cost), rows)) > most:
            break
        best = rows
    return best


def leb128(value: int) -> bytes:
    """The value in sevens of bits, the lowest first: `leb128(300) == b"\\xac\\x02"`."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def windows(grids: list[int], rows: int) -> list[int]:
    """The grids of every window of so many fourth rows."""
    return [sum(grids[i : i + rows]) for i in range(0, len(grids), rows)]


def table(window: float) -> bytes:
    """The table of all bands; exits if one has not been counted."""
    out, total = bytearray(), 0
    for band in range(1, BANDS + 1):
        found = counted(band)
        if found is None:
            sys.exit(f"Band {band} has not been counted yet.")
        grids, cost = found
        rows = rows_a_window(cost, window)
        sums = windows(grids, rows)
        total += sum(sums)
        out += leb128(len(sums)) + bytes([rows]) + b"".join(map(leb128, sums))
    if total != GRIDS:
        sys.exit(f"The counts sum to {total:,}, not to {GRIDS:,}.")
    return bytes(out)


def check() -> Iterator[str]:
    """What does not agree between the committed table and the counts at hand."""
    seen = 0
    for band, (rows, sums) in enumerate(parse(TABLE.read_bytes()), 1):
        found = counted(band)
        if found is not None:
            seen += 1
            if windows(found[0], rows) != [b - a for a, b in pairwise(sums)]:
                yield f"Band {band} does not agree."
    print(f"{seen} of {BANDS} bands compared.")


def main() -> int:
    """Count, make or check."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["count", "make", "check"])
    parser.add_argument("--bands", default=f"1-{BANDS}", help="first-last, with count")
    parser.add_argument("--window", type=float, default=30, help="milliseconds, with make")
    options = parser.parse_args()
    if options.what == "count":
        first, _, last = options.bands.partition("-")
        count(int(first), int(last or first))
    elif options.what == "make":
        data = table(options.window)
        TABLE.write_bytes(data)
        print(f"{TABLE.name}: {len(data):,} bytes")
    else:
        problems = list(check())
        print("\n".join(problems) or "They agree.")
        return len(problems) > 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
