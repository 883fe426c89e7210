"""Groups of transforms: all elements from generators, the cheapest of a coset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cluewise.desks.sudoku.position import Shape
from cluewise.desks.sudoku.transform import Transform, compose, cost, identity, inverse

_Line = tuple[int, ...]


def key(t: Transform) -> tuple[_Line, bool, _Line, _Line, _Line]:
    """The order in which transforms are listed: the identity comes first."""
    return t.cells, t.transpose, t.rows, t.cols, t.digits


def elements(
    generators: Sequence[Transform], size: int, limit: int
) -> tuple[list[Transform], bool]:
    """The elements of the group, breadth-first from the identity, and whether that is all.

    At most `limit`; Dimino would need fewer products, but groups here are small.
    """
    found = [identity(size)]
    seen = {key(found[0])}
    for element in found:
        for generator in generators:
            product = compose(element, generator)
            if key(product) in seen:
                continue
            if len(found) >= limit:
                return found[:limit], False
            seen.add(key(product))
            found.append(product)
    return found, True


def few_generators(generators: Sequence[Transform], size: int, order: int) -> list[Transform]:
    """Generators of the same group without those that earlier ones already give."""
    if order > 2000:
        return sorted(generators, key=key)
    kept: list[Transform] = []
    have = {key(identity(size))}
    for generator in sorted(generators, key=key):
        if key(generator) not in have:
            kept.append(generator)
            have = {key(t) for t in elements(kept, size, order)[0]}
    return kept


def shortest_in_coset(
    automorphisms: Iterable[Transform], witness: Transform, shape: Shape
) -> Transform:
    """The witness with the fewest steps among `automorphism, then witness`; ties by `key`."""
    return min((compose(a, witness) for a in automorphisms), key=lambda t: (cost(t, shape), key(t)))


def shorten_greedily(
    witness: Transform, generators: Sequence[Transform], shape: Shape
) -> Transform:
    """The witness made cheaper by one generator after another, until none helps.

    For groups too large to try: not always the shortest, but nothing needless is left of what
    single generators (swaps of empty lines, above all) can undo.
    """
    best, price = witness, cost(witness, shape)
    better = True
    while better:
        better = False
        for generator in generators:
            candidate = compose(generator, best)
            if cost(candidate, shape) < price:
                best, price, better = candidate, cost(candidate, shape), True
    return best


def between(a: Transform, b: Transform) -> Transform:
    """From the board of `a` to the board of `b`, where both take their boards to one form."""
    return compose(a, inverse(b))
