"""Count all 5 472 730 538 grids, and make the table of their numbers out of that.

    python -m wasm_build.codegen.grid_counts count [--bands 1-416]  in pieces, on all cores
    python -m wasm_build.codegen.grid_counts make                      the table from the counts
    python -m wasm_build.codegen.grid_counts make --window 30          with windows chosen anew
    python -m wasm_build.codegen.grid_counts check                     what was counted against the
    table

`count` keeps one file a band in .cache/numbers/, written under another name and renamed when whole:
stop it at any time and start it again. A file has two numbers for each fourth row, the grids and
the second bands that were looked at, which is what counting them again costs; and the grids with
automorphisms by the order of their groups.

How many fourth rows a window has is a choice for each band, which the table itself says. `make`
keeps it, so that the same counts give the same bytes; with `--window` it puts as many rows into a
window as can be counted in so many milliseconds. `check` compares what has been counted so far
with the table, and once all is counted its sums with what others have published.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.grid_rank import BANDS, CLASSES, GRIDS, RANK_WORK, numbers, parse
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / ".cache" / "numbers"
TABLE = ROOT / "pysrc" / "cluewise" / "desks" / "sudoku" / "numbers.bin"
_STEP = 100  # fourth rows a call of the kernel
# Milliseconds for a second band, for a grid and for a fourth row, fitted on one native core.
_BAND_MS, _GRID_MS, _ROW_MS = 1e-3, 4e-5, 1e-2
_MOST_ROWS = 254  # a window; one byte
# Fourth rows that lead to grids, in all bands together; so counted by the Virtual-catalog-DLL, too.
_FOURTH_ROWS = 652_408


class Counted(NamedTuple):
    """What was counted of a band: for each fourth row the grids and the second bands looked at,
    and how many grids have so many automorphisms, where that is more than one."""

    grids: list[int]
    looked: list[int]
    orders: dict[int, int]


def count_band(band: int) -> Counted:
    """Count a band's grids anew."""
    known, pairs = finish(numbers()), []
    with kernel().frame() as frame:
        work = frame.reserve(RANK_WORK)
        rows = frame.call("sudoku_rank_begin", known.bands, band, work, RANK_WORK)
        out = frame.reserve(8 * _STEP)
        for row in range(0, rows, _STEP):
            found = frame.call("sudoku_rank_count", work, row, min(_STEP, rows - row), out)
            pairs += frame.get(out, "I", 2 * found).tolist()
        sums = frame.reserve(4 * (SUDOKU.MOST_GROUP + 1))
        length = frame.call("sudoku_rank_histogram", work, sums)
        orders = frame.get(sums, "I", length).tolist()
    symmetric = {order: n for order, n in enumerate(orders) if n and order > 1}
    return Counted(pairs[::2], pairs[1::2], symmetric)


def keep_band(band: int, folder: Path) -> int:
    """Count a band, keep what was found, and return how many grids there are."""
    found = count_band(band)
    part = folder / f"{band:03}.part"
    part.write_text(json.dumps(found._asdict()))
    part.rename(folder / f"{band:03}.json")
    return sum(found.grids)


def count(first: int, last: int, cores: int, folder: Path) -> None:
    """Count the bands that have not been counted yet, in order, on so many cores."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [b for b in range(first, last + 1) if not (folder / f"{b:03}.json").exists()]
    with ProcessPoolExecutor(cores) as pool:
        jobs = {pool.submit(keep_band, band, folder): band for band in missing}
        for done, job in enumerate(as_completed(jobs), 1):
            print(f"{done}/{len(missing)}: band {jobs[job]} has {job.result():,} grids", flush=True)


def counted(band: int, folder: Path) -> Counted | None:
    """What was kept of a band; None if nothing was."""
    path = folder / f"{band:03}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    orders = {int(order): n for order, n in found["orders"].items()}
    return Counted(found["grids"], found["looked"], orders)


def rows_a_window(found: Counted, most: float) -> int:
    """The largest number of rows so that no window takes more than `most` milliseconds."""
    cost = [
        _ROW_MS + _BAND_MS * looked + _GRID_MS * n
        for n, looked in zip(found.grids, found.looked, strict=True)
    ]
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


def piece(found: Counted, rows: int) -> bytes:
    """One band of the table."""
    sums = windows(found.grids, rows)
    return leb128(len(sums)) + bytes([rows]) + b"".join(map(leb128, sums))


def table(folder: Path, window: float | None) -> bytes:
    """The table of all bands, with the windows of the present one unless their milliseconds are
    given; exits if a band has not been counted."""
    present = [rows for rows, _ in parse(TABLE.read_bytes())] if window is None else []
    out, total = bytearray(), 0
    for band in range(1, BANDS + 1):
        found = counted(band, folder)
        if found is None:
            sys.exit(f"Band {band} has not been counted yet.")
        total += sum(found.grids)
        rows = rows_a_window(found, window) if window is not None else present[band - 1]
        out += piece(found, rows)
    if total != GRIDS:
        sys.exit(f"The counts sum to {total:,}, not to {GRIDS:,}.")
    return bytes(out)


def check(folder: Path) -> Iterator[str]:
    """What does not agree between the committed table, the counts at hand and published sums."""
    seen, rows_with_grids, orders = 0, 0, Counter[int]()
    for band, (rows, sums) in enumerate(parse(TABLE.read_bytes()), 1):
        found = counted(band, folder)
        if found is None:
            continue
        seen += 1
        rows_with_grids += sum(n > 0 for n in found.grids)
        orders.update(found.orders)
        if windows(found.grids, rows) != [b - a for a, b in pairwise(sums)]:
            yield f"Band {band} does not agree."
    print(f"{seen} of {BANDS} bands compared.")
    if seen < BANDS:
        return
    print(
        f"{rows_with_grids:,} fourth rows have grids; automorphisms: {dict(sorted(orders.items()))}"
    )
    if rows_with_grids != _FOURTH_ROWS:
        yield f"There should be {_FOURTH_ROWS:,} fourth rows with grids."
    if {1: GRIDS - orders.total(), **orders} != CLASSES:
        yield f"The published classes by automorphisms are {CLASSES}."
    if table(folder, None) != TABLE.read_bytes():
        yield "The counts make another table."


def main() -> int:
    """Count, make or check."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["count", "make", "check"])
    parser.add_argument("--bands", default=f"1-{BANDS}", help="first-last, with count")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="with count")
    parser.add_argument("--window", type=float, help="milliseconds, with make")
    parser.add_argument("--folder", type=Path, default=COUNTS, help="where the counts are kept")
    options = parser.parse_args()
    if options.what == "count":
        first, _, last = options.bands.partition("-")
        count(int(first), int(last or first), options.cores, options.folder)
    elif options.what == "make":
        data = table(options.folder, options.window)
        same = data == TABLE.read_bytes()
        TABLE.write_bytes(data)
        print(f"{TABLE.name}: {len(data):,} bytes, {'as it was' if same else 'changed'}")
    else:
        problems = list(check(options.folder))
        print("\n".join(problems) or "They agree.")
        return len(problems) > 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
