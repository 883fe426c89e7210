"""Measure how many boards are read correctly from pictures, and how fast.

    python -m wasm_build.ocr.measure_pictures photos [--limit N] [--change darkened]
    python -m wasm_build.ocr.measure_pictures shots [--limit N] [--seed N]
    python -m wasm_build.ocr.measure_pictures printed [--limit N] [--seed N]

CLUEWISE_PHOTOS names a folder of NAME.jpg with NAME.dat: two lines, then nine rows of digits, 0 for
a blank. Shots are drawn screenshots, printed are drawn photos of paper (ocr/board_photos.py), both
with fonts that the network has not seen. Photos are measured as they are, turned, darkened, blurred
and recompressed. Counted are boards that are right before and after decoding by the rules, and
boards with a wrong cell that is not marked as doubtful.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageFilter, ImageOps

from cluewise.cli.pictures import LONGER
from cluewise.core.work import finish
from cluewise.desks.sudoku.ocr.read import read
from cluewise.desks.sudoku.position import write_cells
from cluewise.pictures.image import Image as Pixels
from wasm_build.ocr.board_photos import Photos
from wasm_build.ocr.board_shots import Shots, recompressed
from wasm_build.ocr.digit_cells import HELD_BACK, faces
from wasm_build.ocr.train_digits import FONTS, fetch_fonts

Case = tuple[str, Image.Image, str]


class Tally(NamedTuple):
    """Counts of boards, and the names of those that were wrong and of those wrong unmarked."""

    boards: int
    raw: int
    """Boards that were right before the rules decided."""
    missed: list[str]
    silent: list[str]
    """Boards with a wrong cell that is not marked, or of a wrong size that is not doubted."""
    seconds: list[float]
    """Of processor time for each board, ascending."""


def labelled(folder: Path) -> Iterator[tuple[Path, str]]:
    """(file, 81 characters) of every photo in the folder, by what its NAME.dat says."""
    for path in sorted(folder.glob("*.jpg")):
        rows = path.with_suffix(".dat").read_text().split("\n")[2:11]
        yield path, "".join(c if c != "0" else "." for row in rows for c in row.split())


def photos(folder: Path) -> Iterator[Case]:
    """(name, picture upright, 81 characters) of every photo in the folder."""
    for path, board in labelled(folder):
        yield path.name, ImageOps.exif_transpose(Image.open(path)).convert("RGB"), board


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "as they are": lambda p: p,
    "turned by 90°": lambda p: p.rotate(90, expand=True),
    "darkened": lambda p: p.point(lambda v: v * 0.45),
    "blurred": lambda p: p.filter(ImageFilter.GaussianBlur(p.width / 450)),
    "recompressed at 60": lambda p: recompressed(p, 60),
    "recompressed at 30": lambda p: recompressed(p, 30),
}


def tally(cases: Iterable[Case], report: Callable[[str], None] = lambda text: None) -> Tally:
    """Read all boards; `report` gets a line for every board that was not right."""
    raw, missed, silent, times = 0, [], [], []
    for label, picture, board in cases:
        picture.thumbnail((LONGER, LONGER))
        began = time.process_time()
        found = finish(read(Pixels(picture.tobytes(), *picture.size)))
        times.append(time.process_time() - began)
        got = write_cells(found.decoded.cells) if found else ""
        seen = write_cells(bytes(found.read.seen.raw)) if found else ""
        raw += seen == board
        if got == board:
            continue
        missed.append(label)
        wrong = {i for i, (a, b) in enumerate(zip(got, board, strict=False)) if a != b}
        unmarked = found is not None and not wrong <= set(found.doubtful)
        if found and len(got) != len(board):
            unmarked = not found.lattice_doubtful
        silent += [label] if unmarked else []
        what = f"{len(wrong)} wrong of {len(got)}" if found else "no board"
        report(f"  {label}: {what}{', UNMARKED' if unmarked else ''}")
    return Tally(len(times), raw, missed, silent, sorted(times))


def measure(name: str, cases: Iterable[Case]) -> None:
    """Read all and print what was right; a line for every board that was not."""
    found = tally(cases, partial(print, flush=True))
    right = found.boards - len(found.missed)
    middle, most = (1000 * found.seconds[k] for k in (found.boards // 2, -1))
    print(
        f"{name}: {found.boards} boards, right before the rules {found.raw}, after {right}, wrong "
        f"without a mark {len(found.silent)}; {middle:.0f} ms of processor median, {most:.0f} most",
        flush=True,
    )


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["photos", "shots", "printed"])
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--change", default="", help="photos: those changes alone")
    options = parser.parse_args()
    if options.what != "photos":
        fetch_fonts(HELD_BACK)
        source = Shots if options.what == "shots" else Photos
        every = source(faces(FONTS, HELD_BACK), options.seed).cases(options.limit)
        measure(f"{options.what}, drawn", every)
        return
    taken = list(photos(Path(os.environ["CLUEWISE_PHOTOS"])))[: options.limit]
    for name, change in CHANGES.items():
        if options.change in name:
            measure(f"photos {name}", ((label, change(p), board) for label, p, board in taken))


if __name__ == "__main__":
    main()
