"""The doubts of a picture's board, in sentences."""

from __future__ import annotations

from cluewise.desks.sudoku.position import Shape, place
from cluewise.desks.sudoku.results import Photo

_MANY = 12  # cells that are named one by one


def sentences(found: Photo) -> list[str]:
    """What deserves a look, a sentence a line; nothing where all is clear."""
    shape = Shape(*found.box)
    out = []
    if found.lattice_doubtful:
        why = {
            "0": "as read it has no solution", "1": "its lines are hard to see",
            ">=2": "as read it has several solutions", "unknown": "it is too open to be solved",
        }[found.solutions]  # fmt: skip
        out.append(f"Look the whole board over: {why}.")
    for i in found.repaired:
        was, now = _named(found.seen[i]), _named(found.grid[i])
        out.append(f"Repaired: {place(i, shape)} looked like {was}; the rules make it {now}.")
    if not found.lattice_doubtful:
        out += [
            f"Doubtful: {place(i, shape)}, {_named(found.grid[i])} "
            f"(or {' or '.join(_named(s) for s in found.likely[i] if s != found.grid[i])})."
            for i in found.doubtful[:_MANY]
            if i not in found.repaired
        ]
        if len(found.doubtful) > _MANY:
            out.append(f"Doubtful in all: {len(found.doubtful)} cells.")
    if found.own:
        out.append(f"{len(found.own)} symbols have another colour: perhaps filled in by hand.")
    return out


def _named(symbol: str) -> str:
    return "blank" if symbol == "." else symbol
