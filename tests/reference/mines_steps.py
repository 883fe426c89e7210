"""Every step of an explanation proved again by trying all layouts: slow and obvious."""

import random
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from cluewise.desks.mines.generator.board_shapes import KINDS, template
from cluewise.desks.mines.position import Position, Revealed, graph
from cluewise.desks.mines.results import Explained

Sum = tuple[tuple[int, ...], int, int]
SMALL = {"combination-lock": 4, "corner-bite": 4, "holey": 4, "colours": 4, "hex": 3,
         "triangle": 4, "torus": 4}  # fmt: skip


def random_board(seed: int) -> Position:
    """A small board of one of the generator's kinds at a random state, `?` and flags included."""
    rng = random.Random(seed)
    kind = sorted(KINDS)[seed % len(KINDS)]
    base = template(kind, rng.choice((SMALL[kind], SMALL[kind] - 1)), rng)
    cells = graph(base.frame).cells
    mines = frozenset(rng.sample(range(cells), round(cells * rng.choice((0.2, 0.35, 0.5)))))
    lists = graph(base.frame).neighbours
    shown = rng.choice((0.1, 0.3, 0.5))
    opened = [c for c in range(cells) if c not in mines and rng.random() < shown]
    return Position(
        neighbours=lists,
        pos=base.frame.pos,
        groups=base.groups(mines),
        revealed=tuple(
            Revealed(c, None if rng.random() < 0.2 else sum(n in mines for n in lists[c]))
            for c in opened
        ),
        flags=tuple(c for c in sorted(mines) if rng.random() < 0.2),
    )


class Layouts:
    """All layouts of a board's unknown cells as one array of bit sets; 22 cells at most."""

    def __init__(self, position: Position) -> None:
        self.position, self.board = position, graph(position)
        opened = {r.cell for r in position.revealed}
        self.bit = {c: i for i, c in enumerate(c for c in range(self.board.cells)
                                               if c not in opened)}  # fmt: skip
        assert len(self.bit) <= 22
        self.all: NDArray[np.uint32] = np.arange(1 << len(self.bit), dtype=np.uint32)

    def mask(self, cells: Iterable[int]) -> int:
        """The unknown ones of those cells as bits."""
        return sum(1 << self.bit[c] for c in cells if c in self.bit)

    def names(self) -> list[str]:
        """All clues: groups, numbers, flags."""
        found = [f"group:{i}" for i in range(len(self.board.groups))]
        found += [f"number:{r.cell}" for r in self.position.revealed if r.number is not None]
        return found + [f"flag:{cell}" for cell in self.position.flags]

    def clue(self, name: str) -> Sum:
        """What a named clue says: its cells, and from how many to how many mines they hold."""
        kind, _, text = name.partition(":")
        index = int(text)
        if kind == "flag":
            return (index,), 1, 1
        if kind == "group":
            group = self.board.groups[index]
            return group.cells, group.count, group.count
        number = next(r.number for r in self.position.revealed if r.cell == index)
        assert number is not None
        return self.board.neighbours[index], number, number

    def holding(self, sums: Iterable[Sum]) -> NDArray[np.uint32]:
        """The layouts in which all those sums hold."""
        left = self.all
        for cells, low, high in sums:
            count = np.bitwise_count(left & np.uint32(self.mask(cells)))
            left = left[(count >= low) & (count <= high)]
        return left

    def always(self, sums: Iterable[Sum], claim: Sum) -> bool:
        """Whether the claim holds in every layout in which all the sums hold."""
        held = list(sums)
        return len(self.holding(held)) == len(self.holding([*held, claim]))


def unproved(layouts: Layouts, found: Explained) -> list[int]:
    """The steps that do not follow from what they name; [] if the explanation holds."""
    said: list[Sum] = []
    bad: list[int] = []
    for i, step in enumerate(found.steps):
        sources = [layouts.clue(s) if isinstance(s, str) else said[s] for s in step.from_]
        claim = (tuple(step.gives.cells), step.gives.min, step.gives.max)
        if not layouts.always(sources, claim):
            bad.append(i)
        said.append(claim)
    return bad
