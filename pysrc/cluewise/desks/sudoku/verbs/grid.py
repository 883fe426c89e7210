"""The verb `grid`: the grid of a number, or the board of an address."""

from __future__ import annotations

import random
from typing import NamedTuple

from cluewise.core.work import Job, Progress, finish
from cluewise.desks.sudoku.engine import addresses
from cluewise.desks.sudoku.engine.numbers import GRIDS, numbers
from cluewise.desks.sudoku.position import NINE, Cells, Position, write_cells
from cluewise.desks.sudoku.results import GridOfNumber, GridOptions
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.errors import BadOption


def grid(position: Position, options: GridOptions) -> Job[GridOfNumber]:
    """The minlex grid of a number, 9×9, or the board of an address; the position is ignored.

    Raises `BadOption` for a number that no grid has, and for what is no address.
    """
    asked = _asked(options)
    value, whole = asked.number, asked.givens is None and asked.transform is None
    count = options.count if whole else 1
    found = yield from numbers()
    grids = found.grids(value, count)
    while len(grids) < count and value + len(grids) <= GRIDS:
        yield Progress(len(grids), count, "grids")
        grids += found.grids(value + len(grids), count - len(grids))
    texts = [write_cells(asked.of(cells)) for cells in grids]
    return GridOfNumber(texts[0], value, GRIDS, addresses.letters(value, addresses.NUMBER), texts)


def from_name(name: str) -> Position:
    """The position with the board of an address: what `#/sudoku/rspzfgc` opens."""
    found = finish(grid(Position(), GridOptions(code=name)))
    return Position(grids=(found.grid,))


class Address(NamedTuple):
    """A grid's number, which cells of it are givens, and where it is taken; None: all, nowhere."""

    number: int
    givens: int | None = None
    transform: Transform | None = None

    def of(self, cells: Cells) -> Cells:
        """The board, from the least grid of the number."""
        if self.givens is not None:
            shown = f"{self.givens:0{NINE.cells}b}"
            cells = bytes(d if bit == "1" else 0 for d, bit in zip(cells, shown, strict=True))
        return cells if self.transform is None else apply(self.transform, cells)


def read_address(text: str) -> Address | None:
    """What digits, seven letters or an address stand for; None if it is none of these.

    >>> read_address("RSPZFGC").number == read_address("5 472 730 538").number == 5472730538
    True
    """
    plain = "".join(text.split()).replace(",", "").lower()
    if plain.isdecimal():
        return Address(int(plain[:20]))
    name, *parts = plain.split("-")
    known = [[], [addresses.GIVENS], [addresses.TRANSFORM], [addresses.GIVENS, addresses.TRANSFORM]]
    if len(name) != addresses.NUMBER or [len(part) for part in parts] not in known:
        return None
    try:
        values = {len(part): addresses.value_of(part) for part in parts}
        number = addresses.value_of(name)
    except ValueError:
        return None
    givens, place = values.get(addresses.GIVENS), values.get(addresses.TRANSFORM)
    if (givens or 0) >> NINE.cells or (place or 0) >= addresses.TRANSFORMS:
        return None
    return Address(number, givens, None if place is None else addresses.transform_of(place))


def _asked(options: GridOptions) -> Address:
    if options.number is None and not options.code:
        return Address(random.Random(options.seed).randrange(GRIDS) + 1)
    where = "$.options.code" if options.number is None else "$.options.number"
    found = read_address(options.code) if options.number is None else Address(options.number)
    if found is None:
        raise BadOption(
            "A grid's number has digits, or seven letters; an address goes on with 18 letters for "
            "a puzzle's givens, nine for where it is taken, or both, each after a hyphen.", where,
        )  # fmt: skip
    if not 1 <= found.number <= GRIDS:
        raise BadOption(
            f"Grids have the numbers 1 to {GRIDS:,}, not {found.number:,}.".replace(",", "\u00a0"),
            where,
        )
    return found
