"""What the work costs as it grows: `python -m wasm_build.bench.scaling`, or `make curves`.

For each desk one question at several sizes, each in a process of its own: processor seconds of the
question alone, and the most memory that the process held; or why there is no answer. They are kept
in web/docs/curves.json, which docs/scaling_plots.py makes the pictures of the docs of. A figure
depends on the machine, so the curves are taken anew together.
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

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "web" / "docs" / "curves.json"
LIMIT = 600  # seconds a question, by the clock
MAKING = 120  # … and for the making of a list before it
GRID = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
GIVEN = 26


ENDED: dict[str, Any] = {"stops": f"It was ended after {LIMIT} seconds."}


def code(size: int) -> dict[str, Any]:
    """Ten colours, one row played: `size` codes before it, a power of ten."""
    pegs = len(str(size)) - 1
    clue = {"guess": "0011223"[:pegs], "exact": 1, "partial": 1}
    rules = {"pegs": pegs, "colours": 10}
    position = {"rules": rules, "clues": [clue]}
    return {"desk": "code", "want": "advise", "position": position, "options": {"guesses": False}}


def rack(size: int) -> dict[str, Any]:
    """A stand of one's own with ten wires, and `size` hidden ones on four others."""
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
    """That many spots, scattered with the same density at every size."""
    dice, side = random.Random(1), int(12 * size**0.5)
    spots: set[tuple[int, int]] = set()
    while len(spots) < size:
        spots.add((3000 + dice.randrange(side), 3000 + dice.randrange(side)))
    position = {"range": 20, "spots": sorted(map(list, spots))}
    return {"desk": "scan", "want": "classes", "position": position}


def mines(size: int) -> dict[str, Any]:
    """A square board, a fifth mined, a quarter open."""
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
ASKED: dict[str, Callable[[int], dict[str, Any]]] = {
    "code": code, "rack": rack, "scan": scan, "mines": mines,
}  # fmt: skip


def question(desk: str, size: int) -> dict[str, float]:
    """Seconds and megabytes of one question, the best of some; asked once before, unmeasured."""
    request = ASKED[desk](size)
    best, began = float("inf"), time.process_time()
    for _ in range(9):
        before = time.process_time()
        run({"options": {}, **request})
        best = min(best, time.process_time() - before)
        if time.process_time() - began > 5:
            break
    return {"seconds": best, "megabytes": _most(resource.RUSAGE_SELF)}


def written(size: int, out: BinaryIO) -> None:
    """That many lines, each a grid with other 26 of its numbers given: all are different boards.

    In a shuffled order of the cells the 26 of a line begin where those of the line before did, one
    cell further: two characters change, so that even ten million lines take seconds.
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
            came = order[(at + GIVEN - 1) % 81]
            line[came] = ord(GRID[came])
        lines.append(bytes(line))
    out.write(b"".join(lines))


def lines(size: int) -> dict[str, float]:
    """The same of a list that the terminal groups, its start and the file's reading in it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list.txt"
        with file.open("wb") as out:
            written(size, out)
        asked = ["sudoku", "group", "--lines", str(file), "--jobs", "1"]
        subprocess.run(
            [sys.executable, "-m", "cluewise", *asked], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=True, timeout=LIMIT,
        )  # fmt: skip
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    return {"seconds": seconds, "megabytes": _most(resource.RUSAGE_CHILDREN)}


def _most(whose: int) -> float:
    return resource.getrusage(whose).ru_maxrss / 1024


def point(desk: str, size: int) -> dict[str, Any]:
    """One point of a curve, by a process of its own; where it stops, why."""
    asked = [sys.executable, "-m", "wasm_build.bench.scaling", "--desk", desk, "--size", str(size)]
    try:
        run = subprocess.run(
            asked, capture_output=True, text=True, timeout=LIMIT + MAKING, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return ENDED
    if run.returncode:
        return {"stops": run.stderr.strip().splitlines()[-1].partition(": ")[2]}
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def main() -> None:
    """All curves, or one point of one."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--desk", choices=SIZES, help="this desk alone")
    asked.add_argument("--size", type=int, help="this size alone, in this process")
    words = asked.parse_args()
    if words.size is not None:
        try:
            one = lines(words.size) if words.desk == "sudoku" else question(words.desk, words.size)
        except subprocess.TimeoutExpired:
            one = ENDED
        print(json.dumps(one))
        return
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for desk in [words.desk] if words.desk else SIZES:
        kept[desk] = []
        for size in SIZES[desk]:
            kept[desk].append({"size": size, **point(desk, size)})
            print(desk, kept[desk][-1], flush=True)
            KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
