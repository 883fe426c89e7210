"""The one verb of the noughts desk."""

from functools import cache

from cluewise.desks.noughts.position import Position
from cluewise.desks.noughts.results import Advice

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress

LINES = [*zip(*[iter(range(9))] * 3, strict=True), *((i, i + 3, i + 6) for i in range(3)),
         (0, 4, 8), (2, 4, 6)]  # fmt: skip


def advise(position: Position, options: NoOptions) -> Job[Advice]:
    """Every free cell is tried to the end of the game."""
    yield Progress(0, 1, "playing every game to its end")
    cells = position.cells
    worths = {at: -worth(after(cells, at)) for at in free(cells)}
    best = max(worths.values(), default=worth(cells))
    return Advice(best, [at for at, one in worths.items() if one == best])


@cache
def worth(cells: str) -> int:
    """What the board is worth to the player to move."""
    if any(cells[a] != "." and cells[a] == cells[b] == cells[c] for a, b, c in LINES):
        return -1
    return max((-worth(after(cells, at)) for at in free(cells)), default=0)


def free(cells: str) -> list[int]:
    """The free cells, ascending."""
    return [at for at, cell in enumerate(cells) if cell == "."]


def after(cells: str, at: int) -> str:
    """The board when the player to move has taken that cell."""
    mark = "x" if cells.count("x") == cells.count("o") else "o"
    return cells[:at] + mark + cells[at + 1 :]
