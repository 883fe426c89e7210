"""Measure cost against size: `python -m wasm_build.bench.scaling`, or `make curves`.

For each desk, one question at several sizes, each in its own process: processor seconds of the
question and peak memory of the process, or the reason why there is no answer. Results are stored in
web/docs/curves.json, from which docs/scaling_plots.py draws the curves. They depend on the machine,
so all curves are measured together.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from cluewise import run
from wasm_build.stages import ROOT

FILE = ROOT / "web" / "docs" / "curves.json"
LIMIT = 600  # seconds of wall time for a question
MAKING = 120  # … and for writing a list before it
GRID = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
GIVEN = 26
ENDED: dict[str, Any] = {"stops": f"It was ended after {LIMIT} seconds."}


def code(size: int) -> dict[str, Any]:
    """Return the question after one row, with ten colours and `size` codes, a power of ten."""
    pegs = len(str(size)) - 1
    clue = {"guess": "0011223"[:pegs], "exact": 1, "partial": 1}
    rules = {"pegs": pegs, "colours": 10}
    position = {"rules": rules, "clues": [clue]}
    return {"desk": "code", "want": "advise", "position": position, "options": {"guesses": False}}


def rack(size: int) -> dict[str, Any]:
    """Return a question about a stand of ten wires and `size` hidden ones on four others."""
    wires = size + 10
    blue = min(48, wires // 4 * 4)
    drawn = wires - blue
    yellow, red = drawn - drawn // 2, drawn // 2
    groups = [
        {"of": [f"{colour}{n}" for n in range(1, 12)], "drawn": count}
        for colour, count in (("Y", yellow), ("R", red))
        if count
    ]
    own = [{"wire": str(n)} for n in sorted((*range(1, 6), *range(1, 6)))]
    parts = [size // 4 + (i < size % 4) for i in range(4)]
    stands = [{"slots": own}, *({"slots": [{}] * n} for n in parts)]
    position = {"wires": {"blue": [1, blue // 4], "groups": groups}, "stands": stands}
    return {"desk": "rack", "want": "posterior", "position": position}


def scan(size: int) -> dict[str, Any]:
    """Return a question about that many random spots, of the same density at every size."""
    dice, side = random.Random(1), int(12 * size**0.5)
    spots: set[tuple[int, int]] = set()
    while len(spots) < size:
        spots.add((3000 + dice.randrange(side), 3000 + dice.randrange(side)))
    position = {"range": 20, "spots": sorted(map(list, spots))}
    return {"desk": "scan", "want": "classes", "position": position}


def mines(size: int) -> dict[str, Any]:
    """Return a question about a square board, a fifth mined, a quarter open."""
    dice, side = random.Random(1), round(size**0.5)
    places = [(r, c) for r in range(side) for c in range(side)]
    mined = {place for place in places if dice.random() < 0.2}
    free = [place for place in places if place not in mined]
    opened = sorted(dice.sample(free, side * side // 4))

    def number(row: int, column: int) -> int:
        near = ((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return sum(place in mined for place in near)

    board = {"kind": "square", "width": side, "height": side, "total": len(mined)}
    revealed = [{"cell": r * side + c, "number": number(r, c)} for r, c in opened]
    return {"desk": "mines", "want": "solve", "position": {"board": board, "revealed": revealed}}


SIZES: dict[str, tuple[int, ...]] = {
    "code": (10**3, 10**4, 10**5, 10**6, 10**7),
    "rack": (20, 30, 40, 50, 60),
    "scan": (10, 26, 64, 128, 256),
    "mines": (36, 100, 256, 484, 961),
    "sudoku": (10**3, 10**4, 10**5, 10**6, 10**7),
}
QUESTIONS: dict[str, Callable[[int], dict[str, Any]]] = {
    "code": code, "rack": rack, "scan": scan, "mines": mines,
}  # fmt: skip


def question(desk: str, size: int) -> dict[str, float]:
    """Return the least seconds of some runs of a question, and the peak memory in megabytes."""
    request = QUESTIONS[desk](size)
    best, began = float("inf"), time.process_time()
    for _ in range(9):
        before = time.process_time()
        run({"options": {}, **request})
        best = min(best, time.process_time() - before)
        if time.process_time() - began > 5:
            break
    return {"seconds": best, "megabytes": _peak_megabytes(resource.RUSAGE_SELF)}


def write_boards(size: int, out: BinaryIO) -> None:
    """Write that many different boards of one grid, 26 givens each.

    The givens are a window over a shuffled order of the cells, which moves by one cell per line, so
    that two characters change: ten million lines take seconds.
    """
    dice, order = random.Random(1), list(range(81))
    lines: list[bytes] = []
    for n in range(size):
        at = n % 81
        if at == 0:
            out.write(b"".join(lines))
            dice.shuffle(order)
            lines, line = [], bytearray(b"." * 81 + b"\n")
            for cell in order[:GIVEN]:
                line[cell] = ord(GRID[cell])
        else:
            line[order[at - 1]] = ord(".")
            added = order[(at + GIVEN - 1) % 81]
            line[added] = ord(GRID[added])
        lines.append(bytes(line))
    out.write(b"".join(lines))


def lines(size: int) -> dict[str, float]:
    """Return seconds and megabytes of grouping a list in the terminal, with its start."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list.txt"
        with file.open("wb") as out:
            write_boards(size, out)
        arguments = ["sudoku", "group", "--lines", str(file), "--jobs", "1"]
        subprocess.run(
            [sys.executable, "-m", "cluewise", *arguments], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=True, timeout=LIMIT,
        )  # fmt: skip
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    return {"seconds": seconds, "megabytes": _peak_megabytes(resource.RUSAGE_CHILDREN)}


def _peak_megabytes(whose: int) -> float:
    return resource.getrusage(whose).ru_maxrss / 1024


def point(desk: str, size: int) -> dict[str, Any]:
    """Measure one point of a curve in a new process; `stops` is the reason of a failure."""
    arguments = ["--desk", desk, "--size", str(size)]
    command = [sys.executable, "-m", "wasm_build.bench.scaling", *arguments]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT + MAKING, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return ENDED
    if run.returncode:
        return {"stops": run.stderr.strip().splitlines()[-1].partition(": ")[2]}
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def main() -> None:
    """Measure all curves, or one point of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--desk", choices=SIZES, help="this desk alone")
    parser.add_argument("--size", type=int, help="this size alone, in this process")
    options = parser.parse_args()
    desk, size = options.desk, options.size
    if size is not None:
        try:
            one = lines(size) if desk == "sudoku" else question(desk, size)
        except subprocess.TimeoutExpired:
            one = ENDED
        print(json.dumps(one))
        return
    curves = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in [desk] if desk else SIZES:
        curves[name] = []
        for size in SIZES[name]:
            curves[name].append({"size": size, **point(name, size)})
            print(name, curves[name][-1], flush=True)
            FILE.write_text(json.dumps(curves, indent=1) + "\n")


if __name__ == "__main__":
    main()
