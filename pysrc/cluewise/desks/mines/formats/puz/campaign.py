"""Several puzzles as one archive for the game: every level leads to the next."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

from cluewise.desks.mines.formats.puz.write import level_id, listed_as, write_puz
from cluewise.desks.mines.position import Position
from cluewise.errors import BadInput

DATE = (2018, 1, 1, 0, 0, 0)  # the same puzzles give the same bytes
BARS = "▁▂▃▄▅▆▇█"


class Level(NamedTuple):
    """A puzzle of a campaign, how hard it is (None: no score), and the rounds of its steps."""

    puzzle: Position
    score: float | None
    steps: Sequence[int]


def write_campaign(levels: Sequence[Level]) -> bytes:
    """A .zip with the levels in order, and `campaign.txt` with the order and every curve.

    Raises BadInput where two levels have one ID: the game would show only one of them.
    """
    import zipfile  # the page starts without it

    ids = [level_id(level.puzzle) for level in levels]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            both = f"Levels {ids.index(name) + 1} and {i + 1}"
            raise BadInput(f"{both} have the same ID {name}: the game would show only one of them.")
    lines = ["order  id  score  title  curve"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # stored as they are: the same bytes everywhere
        for i, (level, name) in enumerate(zip(levels, ids, strict=True)):
            after = ids[i + 1] if i + 1 < len(ids) else ""
            text = write_puz(listed_as(level.puzzle, name, {"NEXT_PUZZLE_ID": after}))
            archive.writestr(zipfile.ZipInfo(f"{i + 1:03d}-{name}.puz", DATE), text)
            score = "–" if level.score is None else f"{level.score:.2f}"
            curve = "".join(BARS[min(step, 8) - 1] for step in level.steps)
            lines.append(f"{i + 1}  {name}  {score}  {level.puzzle.title or '–'}  {curve}")
        archive.writestr(zipfile.ZipInfo("campaign.txt", DATE), "\n".join(lines) + "\n")
    return out.getvalue()
