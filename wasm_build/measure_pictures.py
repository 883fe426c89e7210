"""Measure how boards are read from pictures.

    python wasm_build/measure_pictures.py photos [--limit N]       CLUEWISE_PHOTOS names a folder of
                                                                    NAME.jpg with NAME.dat: two lines,
                                                                    then nine rows of digits, 0 blank
    python wasm_build/measure_pictures.py shots [--limit N]        drawn, with fonts held back

Photos are measured as they are, turned, darkened, blurred and recompressed. What counts: boards
right before the rules decide and after, and boards with a wrong cell that nothing marks.
"""

from __future__ import annotations

import argparse
import io
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image, ImageFilter, ImageOps

from board_shots import Shots
from cluewise.core.work import finish
from cluewise.desks.sudoku.picture.files import LONGER
from cluewise.desks.sudoku.picture.read import read
from cluewise.desks.sudoku.position import write_cells
from digit_cells import HELD_BACK, faces
from train_digits import FONTS, fetch_fonts

Case = tuple[str, Image.Image, str]


def photos(folder: Path) -> Iterator[Case]:
    """(name, picture upright, 81 characters) of every photo in the folder."""
    for path in sorted(folder.glob("*.jpg")):
        rows = path.with_suffix(".dat").read_text().split("\n")[2:11]
        board = "".join(c if c != "0" else "." for row in rows for c in row.split())
        yield path.name, ImageOps.exif_transpose(Image.open(path)).convert("RGB"), board


def _recompressed(picture: Image.Image) -> Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=35)
    return Image.open(file).convert("RGB")


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "as they are": lambda p: p,
    "turned by 90°": lambda p: p.rotate(90, expand=True),
    "darkened": lambda p: p.point(lambda v: v * 0.45),
    "blurred": lambda p: p.filter(ImageFilter.GaussianBlur(p.width / 450)),
    "recompressed": _recompressed,
}


def measure(name: str, cases: Iterator[Case]) -> None:
    """Read all and print what was right; a line for every board that was not."""
    count = raw = right = silent = 0
    times = []
    for label, picture, board in cases:
        picture.thumbnail((LONGER, LONGER))
        began = time.process_time()
        found = finish(read(picture.tobytes(), *picture.size))
        times.append(time.process_time() - began)
        count += 1
        got = write_cells(found.decoded.cells) if found else ""
        seen = write_cells(bytes(found.read.seen.raw)) if found else ""
        raw, right = raw + (seen == board), right + (got == board)
        if got == board:
            continue
        wrong = [i for i, (a, b) in enumerate(zip(got, board, strict=False)) if a != b]
        unmarked = found is not None and not set(wrong) <= set(found.doubtful)
        silent += unmarked
        print(f"  {label}: {len(wrong)} wrong" if found else f"  {label}: no board", unmarked)
    times.sort()
    print(
        f"{name}: {count} boards, right before the rules {raw}, after {right}, wrong without a "
        f"mark {silent}; {1000 * times[count // 2]:.0f} ms of processor median, "
        f"{1000 * times[-1]:.0f} most",
        flush=True,
    )


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["photos", "shots"])
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.what == "shots":
        fetch_fonts(HELD_BACK)
        shots = Shots(faces(FONTS, HELD_BACK), options.seed)
        drawn = (shots.shot() for _ in range(options.limit))
        measure("drawn screenshots", ((s.look, s.picture, s.board) for s in drawn))
        return
    every = list(photos(Path(os.environ["CLUEWISE_PHOTOS"])))[: options.limit]
    for name, change in CHANGES.items():
        measure(f"photos {name}", ((label, change(p), board) for label, p, board in every))


if __name__ == "__main__":
    main()
