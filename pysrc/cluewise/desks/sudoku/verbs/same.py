"""The verb `same`: are two boards one board in disguise?"""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.canonical import LARGEST, Canonical, canonical, shortest_transform
from cluewise.desks.sudoku.position import NINE, Cells, Position, Shape, boards, write_cells
from cluewise.desks.sudoku.results import Same, SameOptions
from cluewise.desks.sudoku.transform import (
    Transform,
    apply,
    between,
    cost,
    elements,
    normalise_unused_digits,
    shorten_greedily,
    shortest_in_coset,
    steps,
)
from cluewise.desks.sudoku.transform_text import sentence
from cluewise.desks.sudoku.verbs import variants
from cluewise.desks.sudoku.verbs.same_reasons import why_different

_MOST_TRIED = 2000  # symmetries of larger boards that are searched for the shortest witness


def same(position: Position, options: SameOptions) -> Job[Same]:
    """`{"same": true, "witness": T, "steps": […]}` or `{"same": false, "because": {…}}`.

    Boards with constraints are the same if a map takes the constraints of the first to those of the
    second as well; each step keeps them.
    """
    if variants.is_variant(position):
        return (yield from variants.same(position, labelled=options.no_relabel))
    a, b = boards(position, 2)
    shape, labelled = position.shape, options.no_relabel
    left = words(position.constraints)
    first = canonical(a, shape, labelled=labelled)
    second = canonical(b, shape, labelled=labelled)
    if first.form != second.form:
        because = yield from why_different(a, b, shape, labelled)
        renamed = canonical(a, shape).form == canonical(b, shape).form if labelled else None
        return Same(False, because=because, same_renamed=renamed, not_compared=left)
    witness, shortest = _best_witness(a, b, first, second, shape, labelled)
    assert apply(witness, a) == b, "a witness must take the first board to the second"
    summary = sentence(witness, shape, a)
    way = steps(witness, shape)
    key = _least_form(a) if shape == NINE and not labelled else None
    return Same(True, witness, way, shortest, first.order, summary, key, not_compared=left)


def _least_form(cells: Cells) -> str | None:
    """The straight least form of a 9×9 board; None where it is too regular for one."""
    form, ties = minlex.minlex_any(cells, 1, "straight")
    return write_cells(form) if ties[0] > 0 else None


def _best_witness(
    a: Cells, b: Cells, first: Canonical, second: Canonical, shape: Shape, labelled: bool
) -> tuple[Transform, bool]:
    some = between(first.transform, second.transform)
    if not labelled:
        some = normalise_unused_digits(some, a)
    if first.order == 1:
        return some, True
    if shape.size <= LARGEST:
        best = shortest_transform(a, b, shape, labelled=labelled)
        assert best is not None, "boards of one form have a witness"
        return best, True
    symmetries, complete = elements(first.generators, shape.size, _MOST_TRIED)
    best = shortest_in_coset(symmetries, some, shape)
    if not complete:
        best = shorten_greedily(best, first.generators, shape)
    return best, complete or cost(best, shape) == 0
