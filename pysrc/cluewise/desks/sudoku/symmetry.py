"""The verb `automorphisms`: the transforms that take a board to itself."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine.refine import canonical
from cluewise.desks.sudoku.group import elements, few_generators, key
from cluewise.desks.sudoku.position import Position, boards
from cluewise.desks.sudoku.results import AutomorphismOptions, Automorphisms


def run_automorphisms(position: Position, options: AutomorphismOptions) -> Job[Automorphisms]:
    """`{"count": 648, "generators": […], "all": […]}`."""
    (cells,) = boards(position, 1)
    size = position.shape.size
    found = canonical(cells, position.shape)
    yield from ()
    generators = few_generators(found.generators, size, found.order)
    listed, complete = elements(generators, size, options.limit) if options.limit else ([], False)
    left = words(position.constraints)
    return Automorphisms(found.order, generators, sorted(listed, key=key), complete, left)
