"""Checks of explanations: each step by enumeration of layouts, and by its technique."""

import random
from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cluewise.desks.mines.engine.playthrough import counted
from cluewise.desks.mines.generator.board_shapes import KINDS, template
from cluewise.desks.mines.position import Position, Revealed, graph
from cluewise.desks.mines.results import Deduction, Explained

Sum = tuple[tuple[int, ...], int, int]
SMALL = {"combination-lock": 4, "corner-bite": 4, "holey": 4, "colours": 4, "hex": 3,
         "triangle": 4, "torus": 4}  # fmt: skip


def random_board(seed: int) -> Position:
    """Return a small board of a generator kind at a random state, with `?` and flags."""
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
        groups=counted(base.sets, mines),
        revealed=tuple(
            Revealed(c, None if rng.random() < 0.2 else sum(n in mines for n in lists[c]))
            for c in opened
        ),
        flags=tuple(c for c in sorted(mines) if rng.random() < 0.2),
    )


class Layouts:
    """All assignments of the unknown cells as one array of bit sets; 22 cells at most."""

    def __init__(self, position: Position) -> None:
        self.position, self.board = position, graph(position)
        opened = {r.cell for r in position.revealed}
        self.bit = {c: i for i, c in enumerate(c for c in range(self.board.cells)
                                               if c not in opened)}  # fmt: skip
        assert len(self.bit) <= 22
        self.all: NDArray[np.uint32] = np.arange(1 << len(self.bit), dtype=np.uint32)

    def mask(self, cells: Iterable[int]) -> int:
        """Return the unknown ones of the cells as a bit set."""
        return sum(1 << self.bit[c] for c in cells if c in self.bit)

    def names(self) -> list[str]:
        """Return the names of all clues: groups, numbers, flags."""
        found = [f"group:{i}" for i in range(len(self.board.groups))]
        found += [f"number:{r.cell}" for r in self.position.revealed if r.number is not None]
        return found + [f"flag:{cell}" for cell in self.position.flags]

    def clue(self, name: str) -> Sum:
        """Return the cells of a clue and the least and greatest number of their mines."""
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
        """Return the layouts in which all sums hold."""
        left = self.all
        for cells, low, high in sums:
            count = np.bitwise_count(left & np.uint32(self.mask(cells)))
            left = left[(count >= low) & (count <= high)]
        return left

    def implies(self, sums: Iterable[Sum], claim: Sum) -> bool:
        """Return whether the claim holds in every layout in which all sums hold."""
        held = list(sums)
        return len(self.holding(held)) == len(self.holding([*held, claim]))


def unproved(layouts: Layouts, found: Explained) -> list[int]:
    """Return the steps that do not follow from their sources."""
    conclusions: list[Sum] = []
    bad: list[int] = []
    for i, step in enumerate(found.steps):
        sources = [layouts.clue(s) if isinstance(s, str) else conclusions[s] for s in step.from_]
        claim = (tuple(step.gives.cells), step.gives.min, step.gives.max)
        if not layouts.implies(sources, claim):
            bad.append(i)
        conclusions.append(claim)
    return bad


def reduced(layouts: Layouts, names: list[str]) -> dict[str, tuple[frozenset[int], int]]:
    """Return the named counts over cells neither open nor flagged by a named flag."""
    flags = {int(n[5:]) for n in names if n.startswith("flag:")}
    opened = {r.cell for r in layouts.position.revealed}
    found = {}
    for name in names:
        if not name.startswith("flag:"):
            cells, low, _ = layouts.clue(name)
            left = frozenset(cells) - flags - opened
            found[name] = left, low - len(set(cells) & flags)
    return found


def mislabelled(layouts: Layouts, answer: Explained) -> list[int]:
    """Return the steps that are not instances of their technique."""
    conclusions: list[Sum] = []
    bad = []
    for i, step in enumerate(answer.steps):
        if not is_instance(layouts, step, conclusions, answer.verdict):
            bad.append(i)
        conclusions.append((tuple(step.gives.cells), step.gives.min, step.gives.max))
    return bad


def is_instance(layouts: Layouts, step: Deduction, conclusions: list[Sum], verdict: str) -> bool:
    """Return whether a step is an instance of its technique."""
    names = [s for s in step.from_ if isinstance(s, str)]
    counts = reduced(layouts, names)
    known = [(frozenset(conclusions[s][0]), conclusions[s][1], conclusions[s][2])
             for s in step.from_ if not isinstance(s, str)]  # fmt: skip
    sets = [(cells, need, need) for cells, need in counts.values()] + known
    gives = frozenset(step.gives.cells), step.gives.min, step.gives.max
    if step.technique == "one":
        return len(sets) == 1 and sets[0] == gives
    if step.technique in ("subset", "cross", "bounds"):
        if len(sets) != 2:
            return False
        inside = sets[0][0] <= sets[1][0] or sets[1][0] <= sets[0][0]
        exact = all(low == high for _, low, high in (*sets, gives))
        return {"subset": inside and exact, "cross": exact and not inside, "bounds": True}[
            step.technique
        ]
    cell, value = step.gives.cells[0], int(verdict == "mine")
    if step.technique in ("sum", "weighted"):
        return _adds_up(step, counts, value)
    if step.technique == "parity":
        return _parity(counts, cell, value)
    clash = _clashes(list(counts.values()), cell, 1 - value)
    return clash if step.technique == "suppose" else step.technique == "deeper" and not clash


def _adds_up(step: Deduction, counts: dict[str, tuple[frozenset[int], int]], value: int) -> bool:
    """Return whether the weighted sum excludes the other value of each decided cell."""
    assert step.weights is not None
    per_cell: dict[int, int] = {}
    total = 0
    for name, weight in zip(step.from_, step.weights, strict=True):
        if name in counts:
            cells, need = counts[str(name)]
            total += weight * need
            for cell in cells:
                per_cell[cell] = per_cell.get(cell, 0) + weight
        elif weight:
            return False
    if step.technique == "sum" and any(abs(w) > 1 for w in step.weights):
        return False
    for decided in step.gives.cells:
        others = [n for c, n in per_cell.items() if c != decided]
        own = per_cell.get(decided, 0) * (1 - value)
        low, high = own + sum(min(n, 0) for n in others), own + sum(max(n, 0) for n in others)
        if low <= total <= high:
            return False
    return True


def _parity(counts: dict[str, tuple[frozenset[int], int]], cell: int, value: int) -> bool:
    """Return whether the sum of some counts is odd in that cell only, with its parity."""
    listed = list(counts.values())
    for size in range(1, len(listed) + 1):
        for chosen in combinations(listed, size):
            odd: frozenset[int] = frozenset()
            for cells, _ in chosen:
                odd ^= cells
            if odd == {cell}:
                return sum(need for _, need in chosen) % 2 == value
    return False


def _clashes(counts: list[tuple[frozenset[int], int]], cell: int, value: int) -> bool:
    """Return whether unit propagation from the value leads to an unsatisfiable count."""
    known = {cell: value}
    while True:
        for cells, need in counts:
            left = [c for c in cells if c not in known]
            remaining = need - sum(known.get(c, 0) for c in cells)
            if not 0 <= remaining <= len(left):
                return True
            if left and remaining in (0, len(left)):
                known.update(dict.fromkeys(left, int(remaining > 0)))
                break
        else:
            return False


def fewest(layouts: Layouts, cell: int, value: int) -> int:
    """Return the least number of counts that, with the flags, force a cell: all sets by size."""
    names = [name for name in layouts.names() if not name.startswith("flag:")]
    fits = layouts.holding([layouts.clue(f"flag:{f}") for f in layouts.position.flags if f != cell])
    fits = fits[(fits >> np.uint32(layouts.bit[cell]) & 1) == 1 - value]
    broken = np.zeros(len(fits), dtype=np.uint64)
    for i, name in enumerate(names):
        cells, low, _ = layouts.clue(name)
        count = np.bitwise_count(fits & np.uint32(layouts.mask(cells)))
        broken |= (count != low).astype(np.uint64) << np.uint64(i)
    masks: list[int] = []  # the minimal sets of counts that a layout violates
    for broken_counts in sorted(np.unique(broken).tolist(), key=int.bit_count):
        if not any(mask & broken_counts == mask for mask in masks):
            masks.append(broken_counts)
    for size in range(len(names) + 1):
        for chosen in combinations(range(len(names)), size):
            mask = sum(1 << i for i in chosen)
            if all(m & mask for m in masks):
                return size
    raise AssertionError("the clues do not force the cell")
