"""Equivalence of two boards (`same`), and their closest match (`nearest`)."""

from __future__ import annotations

import random
import time
from collections import Counter

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import names_of
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.canonical import LARGEST, Canonical, canonical, shortest_transform
from cluewise.desks.sudoku.position import NINE, Cells, Position, Shape, boards, write_cells
from cluewise.desks.sudoku.results import Nearest, Same, SameOptions
from cluewise.desks.sudoku.transform import (
    Transform,
    apply,
    between,
    cost,
    elements,
    from_map,
    normalise_unused_digits,
    shorten_greedily,
    shortest_in_coset,
    steps,
)
from cluewise.desks.sudoku.transform_text import sentence
from cluewise.desks.sudoku.verbs import variants
from cluewise.desks.sudoku.verbs.make import line_order, swap_lines
from cluewise.desks.sudoku.verbs.same_reasons import why_different
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

_MOST_ENUMERATED = 2000  # automorphisms of larger boards over which the witness is minimised


def same(position: Position, options: SameOptions) -> Job[Same]:
    """`{"same": true, "witness": T, "steps": […]}` or `{"same": false, "because": {…}}`.

    Boards with constraints are the same if a map takes the constraints of the first to those of the
    second as well; each step preserves them.
    """
    if variants.is_variant(position):
        return (yield from variants.same(position, labelled=options.no_relabel))
    a, b = boards(position, 2)
    shape, labelled = position.shape, options.no_relabel
    left = names_of(position.constraints)
    first = canonical(a, shape, labelled=labelled)
    second = canonical(b, shape, labelled=labelled)
    if first.form != second.form:
        because = yield from why_different(a, b, shape, labelled)
        renamed = canonical(a, shape).form == canonical(b, shape).form if labelled else None
        return Same(False, because=because, same_renamed=renamed, not_compared=left)
    witness, shortest = _best_witness(a, b, first, second, shape, labelled)
    assert apply(witness, a) == b, "a witness must take the first board to the second"
    key = _least_form(a) if shape == NINE and not labelled else None
    return Same(
        True, witness, steps(witness, shape), shortest, first.order, sentence(witness, shape, a),
        key, not_compared=left,
    )  # fmt: skip


def _least_form(cells: Cells) -> str | None:
    """The straight least form of a 9×9 board; None if it is too regular for one."""
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
    symmetries, complete = elements(first.generators, shape.size, _MOST_ENUMERATED)
    best = shortest_in_coset(symmetries, some, shape)
    if not complete:
        best = shorten_greedily(best, first.generators, shape)
    return best, complete or cost(best, shape) == 0


# -- the closest match ---------------------------------------------------------------------------

_WORK = SUDOKU.NEAREST_WORK
_NODES = 400_000  # of one call, about 25 ms
_MOST_NODES = 60_000_000
_SECONDS = 2.0  # of hill climbing, for other shapes than 9×9


def nearest(position: Position, options: NoOptions) -> Job[Nearest]:
    """`{"agree": 21, "of": 23, "witness": T, "exact": true}`: T takes the first to the second.

    `of` is the smaller number of givens, so `agree == of` means that one contains the other.
    """
    a, b = boards(position, 2)
    shape = position.shape
    givens = (shape.cells - a.count(0), shape.cells - b.count(0))
    most = min(givens)
    if shape == NINE:
        t, bound = yield from _branch_and_bound(a, b)
    else:
        t, bound = yield from _hill_climbing(a, b, shape, most)
    t = normalise_unused_digits(t, a)
    moved = apply(t, a)
    agree = sum(1 for x, y in zip(moved, b, strict=True) if x and x == y)
    differs = [i for i, (x, y) in enumerate(zip(moved, b, strict=True)) if x != y]
    bound = max(agree, min(bound, most))
    left = names_of(position.constraints)
    return Nearest(agree, most, givens, t, agree == bound, bound, differs, not_compared=left)


def _branch_and_bound(a: Cells, b: Cells) -> Job[tuple[Transform, int]]:
    """The best transform of 9×9 boards and an upper bound (nearest.c); equal unless cut off."""
    with kernel().frame() as frame:
        source, target, work = frame.put(a), frame.put(b), frame.reserve(_WORK)
        frame.call("sudoku_nearest_begin", source, target, work, _WORK)
        done = 0
        while not frame.call("sudoku_nearest_run", work, _NODES) and done < _MOST_NODES:
            done += _NODES
            yield Progress(done, None, "comparing column orders")
        at, numbers = frame.reserve(29), frame.reserve(8)
        frame.call("sudoku_nearest_result", work, at, numbers)
        return from_map(frame.get(at, "B", 29), 9), frame.get(numbers, "i", 2)[1]


def _hill_climbing(a: Cells, b: Cells, shape: Shape, most: int) -> Job[tuple[Transform, int]]:
    """The best local optimum of random starts, and `most`, the smaller number of givens, as bound.

    Neighbours differ by one swap of lines or blocks of lines; symbols are matched greedily.
    """
    one, other = canonical(a, shape), canonical(b, shape)
    if one.form == other.form:
        return between(one.transform, other.transform), most
    rng, began = random.Random(1), time.monotonic()
    best, agree = _climb(a, b, shape, rng)
    while time.monotonic() - began < _SECONDS and agree < most:
        yield Progress(time.monotonic() - began, _SECONDS, f"{agree} of {most} agree")
        t, now = _climb(a, b, shape, rng)
        if now > agree:
            best, agree = t, now
    return best, most


def _climb(a: Cells, b: Cells, shape: Shape, rng: random.Random) -> tuple[Transform, int]:
    """A local optimum from a random start, and the givens that agree."""
    rows = list(line_order(shape.cols, shape.rows, rng.sample))
    cols = list(line_order(shape.rows, shape.cols, rng.sample))
    turn = shape.square and rng.random() < 0.5
    t, best = _labelled(turn, rows, cols, a, b, shape)
    better = True
    while better:
        better = False
        for line, inside in ((rows, shape.rows), (cols, shape.cols)):
            for i, j, length in _moves(shape.size, inside):
                swap_lines(line, i, j, length)
                u, now = _labelled(turn, rows, cols, a, b, shape)
                if now > best:
                    t, best, better = u, now, True
                else:
                    swap_lines(line, i, j, length)
    return t, best


def _moves(size: int, inside: int) -> list[tuple[int, int, int]]:
    """All swaps as (start, other start, length)."""
    found = []
    for start in range(0, size, inside):
        found += [(start + i, start + j, 1) for i in range(inside) for j in range(i)]
        found += [(start, other, inside) for other in range(0, start, inside)]
    return found


def _labelled(
    turn: bool, rows: list[int], cols: list[int], a: Cells, b: Cells, shape: Shape
) -> tuple[Transform, int]:
    """The transform with symbols matched greedily by common cells, and the givens that agree."""
    still = tuple(range(shape.size + 1))
    moved = apply(Transform(turn, tuple(rows), tuple(cols), still), a)
    tally = Counter((x, y) for x, y in zip(moved, b, strict=True) if x and y)
    label, used, agree = [0] * (shape.size + 1), {0}, 0
    for (x, y), count in sorted(tally.items(), key=lambda item: (-item[1], item[0])):
        if not label[x] and y not in used:
            label[x], agree = y, agree + count
            used.add(y)
    free = iter(sorted(set(still) - used))
    digits = tuple(0 if not d else label[d] or next(free) for d in still)
    return Transform(turn, tuple(rows), tuple(cols), digits), agree
