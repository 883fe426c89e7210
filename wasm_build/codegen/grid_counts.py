"""Count the 5 472 730 538 minlex grids and build the table of their ranks (numbers.bin).

    python -m wasm_build.codegen.grid_counts count [--bands 1-416]  count on all cores
    python -m wasm_build.codegen.grid_counts make                   build the table from the counts
    python -m wasm_build.codegen.grid_counts make --window 30       the same with new window sizes
    python -m wasm_build.codegen.grid_counts check                  compare counts and table

`count` writes one JSON file per first band to .cache/numbers/, under a temporary name that is
replaced once the band is finished, so it can be interrupted and continued. A file holds, for each
fourth row, the number of minlex grids and the number of second bands examined (the cost of
counting the row again), and a histogram of the automorphism groups' orders above 1.

The format of the table is described in desks/sudoku/engine/grid_rank.py. The number of fourth rows
per window is stored for each band: `make` keeps the stored numbers, so that equal counts give equal
bytes; `make --window MS` instead chooses the largest windows that can be counted in MS
milliseconds. `check` compares the bands counted so far with the table, and, if all are counted, the
totals with published ones.
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
_STEP = 100  # fourth rows per kernel call
# Milliseconds per second band, per grid and per fourth row, fitted on one native core.
_BAND_MS, _GRID_MS, _ROW_MS = 1e-3, 4e-5, 1e-2
_MAX_WINDOW_ROWS = 254  # stored in one byte
# Fourth rows of all bands that have grids; the Virtual-catalog-DLL counts as many.
_FOURTH_ROWS = 652_408


class BandCounts(NamedTuple):
    """The counts of one first band.

    For each fourth row: its minlex grids, and the second bands examined to count them. `orders`:
    the number of grids by the order of their automorphism group, orders above 1 only.
    """

    grids: list[int]
    second_bands: list[int]
    orders: dict[int, int]


def count_band(band: int) -> BandCounts:
    """Count the grids of a band."""
    ranking, pairs = finish(numbers()), []
    with kernel().frame() as frame:
        work = frame.reserve(RANK_WORK)
        rows = frame.call("sudoku_rank_begin", ranking.bands, band, work, RANK_WORK)
        out = frame.reserve(8 * _STEP)
        for row in range(0, rows, _STEP):
            length = frame.call("sudoku_rank_count", work, row, min(_STEP, rows - row), out)
            pairs += frame.get(out, "I", 2 * length).tolist()
        sums = frame.reserve(4 * (SUDOKU.MOST_GROUP + 1))
        length = frame.call("sudoku_rank_histogram", work, sums)
        histogram = frame.get(sums, "I", length).tolist()
    orders = {order: n for order, n in enumerate(histogram) if n and order > 1}
    return BandCounts(pairs[::2], pairs[1::2], orders)


def store_band(band: int, folder: Path) -> int:
    """Count a band, store its counts, and return its number of grids."""
    counts = count_band(band)
    part = folder / f"{band:03}.part"
    part.write_text(json.dumps(counts._asdict()))
    part.rename(folder / f"{band:03}.json")
    return sum(counts.grids)


def count(first: int, last: int, cores: int, folder: Path) -> None:
    """Count the bands from `first` to `last` that have no file yet, on this many cores."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [b for b in range(first, last + 1) if not (folder / f"{b:03}.json").exists()]
    with ProcessPoolExecutor(cores) as pool:
        jobs = {pool.submit(store_band, band, folder): band for band in missing}
        for done, job in enumerate(as_completed(jobs), 1):
            print(f"{done}/{len(missing)}: band {jobs[job]} has {job.result():,} grids", flush=True)


def load_band(band: int, folder: Path) -> BandCounts | None:
    """Return the stored counts of a band, or None if it has not been counted."""
    path = folder / f"{band:03}.json"
    if not path.exists():
        return None
    stored = json.loads(path.read_text())
    stored["orders"] = {int(order): n for order, n in stored["orders"].items()}
    return BandCounts(**stored)


def max_window_rows(counts: BandCounts, most: float) -> int:
    """Return the largest window size (fourth rows) with no window over `most` milliseconds."""
    cost = [
        _ROW_MS + _BAND_MS * bands + _GRID_MS * grids
        for grids, bands in zip(counts.grids, counts.second_bands, strict=True)
    ]
    best = 1
    for rows in range(2, _MAX_WINDOW_ROWS + 1):
        if max(sum(cost[i : i + rows]) for i in range(0, len(cost), rows)) > most:
            break
        best = rows
    return best


def leb128(value: int) -> bytes:
    """Encode an unsigned integer in LEB128: `leb128(300) == b"\\xac\\x02"`."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def window_sums(grids: list[int], rows: int) -> list[int]:
    """Return the number of grids of each window of `rows` fourth rows."""
    return [sum(grids[i : i + rows]) for i in range(0, len(grids), rows)]


def encode_band(counts: BandCounts, rows: int) -> bytes:
    """Return the table's entry of one band with windows of `rows` fourth rows."""
    sums = window_sums(counts.grids, rows)
    return leb128(len(sums)) + bytes([rows]) + b"".join(map(leb128, sums))


def table(folder: Path, window: float | None) -> bytes:
    """Return the table of all bands, with windows of at most `window` milliseconds.

    None keeps the committed table's windows. Exits if a band has not been counted.
    """
    present = [rows for rows, _ in parse(TABLE.read_bytes())] if window is None else []
    out, total = bytearray(), 0
    for band in range(1, BANDS + 1):
        counts = load_band(band, folder)
        if counts is None:
            sys.exit(f"Band {band} has not been counted yet.")
        total += sum(counts.grids)
        rows = max_window_rows(counts, window) if window is not None else present[band - 1]
        out += encode_band(counts, rows)
    if total != GRIDS:
        sys.exit(f"The counts sum to {total:,}, not to {GRIDS:,}.")
    return bytes(out)


def check(folder: Path) -> Iterator[str]:
    """Yield the disagreements between the stored counts, the table and the published totals."""
    compared, rows_with_grids, orders = 0, 0, Counter[int]()
    for band, (rows, sums) in enumerate(parse(TABLE.read_bytes()), 1):
        counts = load_band(band, folder)
        if counts is None:
            continue
        compared += 1
        rows_with_grids += sum(n > 0 for n in counts.grids)
        orders.update(counts.orders)
        if window_sums(counts.grids, rows) != [b - a for a, b in pairwise(sums)]:
            yield f"Band {band} does not agree."
    print(f"{compared} of {BANDS} bands compared.")
    if compared < BANDS:
        return
    print(
        f"{rows_with_grids:,} fourth rows have grids; automorphisms: {dict(sorted(orders.items()))}"
    )
    if rows_with_grids != _FOURTH_ROWS:
        yield f"There should be {_FOURTH_ROWS:,} fourth rows with grids."
    if {1: GRIDS - orders.total(), **orders} != CLASSES:
        yield f"The published classes by automorphisms are {CLASSES}."
    if table(folder, None) != TABLE.read_bytes():
        yield "The counts give a different table."


def main() -> int:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["count", "make", "check"])
    parser.add_argument("--bands", default=f"1-{BANDS}", help="first-last, with count")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="with count")
    parser.add_argument("--window", type=float, help="milliseconds, with make")
    parser.add_argument("--folder", type=Path, default=COUNTS, help="folder of the counts")
    options = parser.parse_args()
    if options.what == "count":
        first, _, last = options.bands.partition("-")
        count(int(first), int(last or first), options.cores, options.folder)
    elif options.what == "make":
        data = table(options.folder, options.window)
        same = data == TABLE.read_bytes()
        TABLE.write_bytes(data)
        print(f"{TABLE.name}: {len(data):,} bytes, {'unchanged' if same else 'changed'}")
    else:
        problems = list(check(options.folder))
        print("\n".join(problems) or "They agree.")
        return len(problems) > 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
