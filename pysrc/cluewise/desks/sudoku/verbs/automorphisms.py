"""The verb `automorphisms`: the transforms that take a board to itself."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.group_elements import elements, few_generators, key
from cluewise.desks.sudoku.position import Position, boards
from cluewise.desks.sudoku.results import AutomorphismOptions, Automorphisms
from cluewise.desks.sudoku.verbs import variants


def automorphisms(position: Position, options: AutomorphismOptions) -> Job[Automorphisms]:
    """`{"count": 648, "generators": […], "all": […]}`.

    With constraints, the symmetries are those that keep them: found from the constraints
    themselves, so there may be some that no plain sudoku has. `of` constraints: `count` maps of
    cells keep them, whatever the givens and with whatever renaming they allow.
    """
    if options.of == "constraints" or variants.is_variant(position):
        whole = options.of == "constraints"
        return (yield from variants.automorphisms(position, options.limit, of_constraints=whole))
    (cells,) = boards(position, 1)
    size = position.shape.size
    found = canonical(cells, position.shape)
    yield from ()
    generators = few_generators(found.generators, size, found.order)
    listed, complete = elements(generators, size, options.limit) if options.limit else ([], False)
    left = words(position.constraints)
    return Automorphisms(found.order, generators, sorted(listed, key=key), complete, left)
