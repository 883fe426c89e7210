"""A picture's board in the terminal: read from a file, its doubts in sentences."""

from __future__ import annotations

from msgspec import convert

from cluewise.core.work import finish
from cluewise.desks.sudoku.picture.files import options_of
from cluewise.desks.sudoku.position import Position, Shape, place
from cluewise.desks.sudoku.results import Photo, PhotoOptions
from cluewise.desks.sudoku.verbs.photo import photo
from cluewise.errors import BadInput, BadOption

SIZES = (0, 4, 6, 9, 12, 16)
_MANY = 12  # cells that are named one by one


def read_file(name: str, size: int = 0) -> Photo:
    """What stands in a picture's file; errors name the file."""
    if size not in SIZES:
        raise BadOption("--size takes 4, 6, 9, 12 or 16; 0 finds out.", "$.options.size")
    options = convert({**options_of(name), "size": size}, PhotoOptions)
    try:
        return finish(photo(Position(), options))
    except BadInput as problem:
        raise BadInput(f"{name}: {problem.message}", problem.where) from None


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
