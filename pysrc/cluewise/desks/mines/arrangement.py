"""Arrangements: whether the mines of a counted set are consecutive ("together") or not ("apart").

On a line, consecutive cells of the set are adjacent, also across gaps; around a cell only cells
that are neighbours of each other are. With fewer than two mines both forms hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from cluewise.desks.mines.player_marks import check_cells, check_count
from cluewise.errors import BadPosition, TooLarge

if TYPE_CHECKING:
    from cluewise.desks.mines.position import Graph, Position

Form: TypeAlias = Literal["together", "apart"]
MOST_AROUND = 12  # members of a set around a cell: at most 924 patterns


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count that a mine shows once it is flagged, as some levels of Hexcells have them."""

    cell: int
    """The mine that shows it."""
    cells: tuple[int, ...]
    """The cells that are counted."""
    count: int
    """How many of them are mines."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """A counted set with a form: `name` is the clue's; `line`: its cells are in order on a line."""

    name: str
    cells: tuple[int, ...]
    count: int
    form: Form
    line: bool

    def links(self, neighbours: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
        """Return the pairs of adjacent members."""
        if self.line:
            return list(pairwise(self.cells))
        return [(a, b) for a, b in combinations(self.cells, 2) if b in neighbours[a]]

    def holds(self, mines: Collection[int], neighbours: Sequence[Sequence[int]]) -> bool:
        """Return whether the form holds with these mines; the count is not checked."""
        inside = [c for c in self.cells if c in mines]
        return len(inside) < 2 or _is_block(inside, self.links(neighbours)) is (
            self.form == "together"
        )

    def patterns(
        self, neighbours: Sequence[Sequence[int]], known: Mapping[int, int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the choices of `count` members with the form that fit the known cells (1: mine)."""
        links = self.links(neighbours)
        sure = [c for c in self.cells if known.get(c) == 1]
        free = [c for c in self.cells if c not in known]
        for some in combinations(free, max(0, self.count - len(sure))):
            mines = (*sure, *some)
            if len(mines) == self.count and _is_block(mines, links) is (self.form == "together"):
                yield mines


def _is_block(mines: Sequence[int], links: Sequence[tuple[int, int]]) -> bool:
    inside, reached, queue = set(mines), {mines[0]}, [mines[0]]
    for cell in queue:
        for pair in links:
            if cell in pair:
                other = pair[cell == pair[0]]
                if other in inside - reached:
                    reached.add(other)
                    queue.append(other)
    return reached == inside


def arranged_clues(position: Position, board: Graph) -> list[Arranged]:
    """Return the clues with a form: groups, then open numbers."""
    found = [
        Arranged(f"group:{i}", g.cells, g.count, g.form, True)
        for i, g in enumerate(board.groups) if g.form
    ]  # fmt: skip
    for shown in position.revealed:
        form = position.forms.get(str(shown.cell))
        if form and shown.number is not None:
            cells, name = board.neighbours[shown.cell], f"number:{shown.cell}"
            found.append(Arranged(name, cells, shown.number, form, False))
    return found


def check_arrangements(position: Position, board: Graph) -> None:
    """Raise BadPosition for forms or counts on mines that cannot be, alone or in the puzzle."""
    names = frozenset(map(str, range(board.cells))) if position.forms else frozenset()
    for cell in position.forms:
        if cell not in names:
            raise BadPosition(f"There is no cell {cell[:20]}; this form names one.", "$.forms")
        if len(board.neighbours[int(cell)]) > MOST_AROUND:
            message = f"A cell with a form has {MOST_AROUND} neighbours at most."
            raise TooLarge(message, f"$.forms.{cell}")
    check_cells(tuple(spot.cell for spot in position.spots), board.cells, "$.spots", "spot")
    for i, spot in enumerate(position.spots):
        check_cells(spot.cells, board.cells, f"$.spots[{i}].cells", "spot")
        check_count(spot.count, len(spot.cells), f"$.spots[{i}].count")
    if position.mines is None:
        return
    mines = frozenset(position.mines)
    for i, spot in enumerate(position.spots):
        if sum(cell in mines for cell in spot.cells) != spot.count:
            raise BadPosition("The puzzle has other mines there.", f"$.spots[{i}].count")
    for clue in arranged_clues(position, board):
        if not clue.holds(mines, board.neighbours):
            message = f"The mines of {clue.name} are not {clue.form}."
            raise BadPosition(message, "$.forms" if clue.name[0] == "n" else "$.groups")
