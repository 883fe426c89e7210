"""Transforms of a board (transpose, permute lines, relabel): product, inverse, steps, groups.

`out[r][c] = digits[src[rows[r]][cols[c]]]`, where `src` is the transposed board if `transpose`.
Rows move within bands and bands as a whole (the wreath product S_rows ≀ S_cols), columns within
stacks likewise; only boards with square boxes can be transposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape


class Transform(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Transform(False, (1, 0, 2, …), (0, 1, …), (0, 1, …, 9))` swaps the first two rows.

    `rows[r]` is the source row of output row r, not the other way round; `digits[0]` is 0. Where a
    symmetry of a puzzle's constraints does not move lines as a whole, `cells` has its cell map.
    """

    transpose: bool
    """Whether the board is transposed first."""
    rows: tuple[int, ...]
    """The source row of every row, from 0."""
    cols: tuple[int, ...]
    """The source column of every column, from 0."""
    digits: tuple[int, ...]
    """What each symbol becomes, from 1; the first entry is 0, the blank."""
    cells: tuple[int, ...] = ()
    """The source of every cell if lines do not stay lines; rows and columns are then in order. Left
    out otherwise."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a witness, with 0-based numbers: `Step("swap rows", 0, 1, "Swap rows 1 and 2")`.

    For `relabel`, `a` and `b` are strings: each symbol of `a` becomes the corresponding one of `b`.
    Where a puzzle's constraints allow no single swap, a step is a `move`: a whole transform.
    """

    kind: str
    """transpose, relabel, move, or swap rows, columns, bands or stacks."""
    a: int | str | None
    """What is swapped, from 0; for relabel the symbols that change."""
    b: int | str | None
    """What it is swapped with; for relabel what they become."""
    text: str
    """The step as a sentence."""
    move: Transform | None = None
    """The transform of a `move`; left out for other steps."""


def identity(size: int) -> Transform:
    """The transform that changes nothing."""
    line = tuple(range(size))
    return Transform(False, line, line, tuple(range(size + 1)))


def from_map(data: bytes | Sequence[int], size: int) -> Transform:
    """A transform from the kernel's 3·size + 2 bytes."""
    line = list(data)
    return Transform(
        bool(line[0]),
        tuple(line[1 : 1 + size]),
        tuple(line[1 + size : 1 + 2 * size]),
        tuple(line[1 + 2 * size : 2 + 3 * size]),
    )


def apply(t: Transform, cells: Cells) -> Cells:
    """The board that `t` makes of `cells`."""
    size, digits = len(t.rows), t.digits
    if t.cells:
        return bytes([digits[cells[source]] for source in t.cells])
    if t.transpose:
        return bytes([digits[cells[size * c + r]] for r in t.rows for c in t.cols])
    return bytes([digits[cells[size * r + c]] for r in t.rows for c in t.cols])


def transposed(cells: Cells, size: int) -> Cells:
    """Rows become columns."""
    return b"".join(cells[c::size] for c in range(size))


def compose(first: Transform, second: Transform) -> Transform:
    """`first`, then `second`: `apply(compose(a, b), g) == apply(b, apply(a, g))`."""
    digits = tuple(second.digits[d] for d in first.digits)
    if first.cells or second.cells:
        before = sources(first)
        return of_cells([before[i] for i in sources(second)], digits, len(first.rows))
    if second.transpose:
        rows = tuple(first.cols[i] for i in second.rows)
        cols = tuple(first.rows[i] for i in second.cols)
        return Transform(not first.transpose, rows, cols, digits)
    rows = tuple(first.rows[i] for i in second.rows)
    cols = tuple(first.cols[i] for i in second.cols)
    return Transform(first.transpose, rows, cols, digits)


def inverse(t: Transform) -> Transform:
    """The inverse of `t`."""
    rows, cols, digits = _invert(t.rows), _invert(t.cols), _invert(t.digits)
    if t.cells:
        return of_cells(_invert(t.cells), digits, len(rows))
    return (
        Transform(t.transpose, cols, rows, digits)
        if t.transpose
        else Transform(False, rows, cols, digits)
    )


def _invert(line: Sequence[int]) -> tuple[int, ...]:
    out = [0] * len(line)
    for i, x in enumerate(line):
        out[x] = i
    return tuple(out)


def of_cells(cells: Sequence[int], digits: Sequence[int], size: int) -> Transform:
    """The transform with these sources of cells: by lines if lines stay lines, else by cells."""
    for transpose in (False, True):
        across, down = (1, size) if not transpose else (size, 1)
        rows = tuple(cells[r * size] // down % size for r in range(size))
        cols = tuple(cells[c] // across % size for c in range(size))
        if all(cells[r * size + c] == rows[r] * down + cols[c] * across
               for r in range(size) for c in range(size)):  # fmt: skip
            return Transform(transpose, rows, cols, tuple(digits))
    line = tuple(range(size))
    return Transform(False, line, line, tuple(digits), tuple(cells))


def sources(t: Transform) -> tuple[int, ...]:
    """The source of every cell: the inverse of `of_cells`."""
    if t.cells:
        return t.cells
    size = len(t.rows)
    down, across = (1, size) if t.transpose else (size, 1)
    return tuple(r * down + c * across for r in t.rows for c in t.cols)


def normalise_unused_digits(t: Transform, cells: Cells) -> Transform:
    """`t` with normalised labels of the symbols that `cells` does not use.

    These labels are free: an unused symbol keeps its name unless a used one gets it, the rest
    follow in ascending order.
    """
    used = set(cells) - {0}
    taken = {t.digits[d] for d in used}
    absent = [d for d in range(1, len(t.digits)) if d not in used]
    kept = {d for d in absent if d not in taken}
    free = iter(sorted(set(range(1, len(t.digits))) - taken - kept))
    label = {d: (d if d in kept else next(free)) for d in absent}
    return msgspec.structs.replace(t, digits=tuple(label.get(d, x) for d, x in enumerate(t.digits)))


# -- steps --------------------------------------------------------------------------------------


def cost(t: Transform, shape: Shape) -> int:
    """The length of `steps`: the least number of swaps, a transposition, a relabelling.

    A line permutation is uniquely a permutation of blocks and one inside each block; swapping
    whole blocks keeps their inside, so the least number of swaps is the sum of (length − cycles).
    """
    return (
        t.transpose
        + _line_cost(t.rows, shape.rows)
        + _line_cost(t.cols, shape.cols)
        + (t.digits != tuple(range(len(t.digits))))
    )


def _line_cost(line: Sequence[int], inside: int) -> int:
    blocks = [line[i] // inside for i in range(0, len(line), inside)]
    total = len(blocks) - _cycles(blocks)
    for i in range(0, len(line), inside):
        total += inside - _cycles([x % inside for x in line[i : i + inside]])
    return total


def _cycles(line: Sequence[int]) -> int:
    seen, count = [False] * len(line), 0
    for i in range(len(line)):
        count += not seen[i]
        while not seen[i]:
            seen[i], i = True, line[i]
    return count


def steps(t: Transform, shape: Shape) -> list[Step]:
    """The shortest list of steps whose product is `t`."""
    found = []
    if t.transpose:
        found.append(Step("transpose", None, None, "Transpose: rows become columns"))
    found += _line_steps(t.rows, shape.rows, "bands", "rows")
    found += _line_steps(t.cols, shape.cols, "stacks", "columns")
    changed = [d for d, x in enumerate(t.digits) if d != x]
    if changed:
        a = "".join(SYMBOLS[d - 1] for d in changed)
        b = "".join(SYMBOLS[t.digits[d] - 1] for d in changed)
        rings = cycles(t.digits, lambda d: SYMBOLS[d - 1])
        found.append(Step("relabel", a, b, f"Relabel {', '.join(rings)}"))
    return found


def _line_steps(line: Sequence[int], inside: int, block: str, one: str) -> Iterator[Step]:
    blocks = [line[i] // inside for i in range(0, len(line), inside)]
    yield from _swaps(blocks, 0, block)
    for i in range(0, len(line), inside):
        yield from _swaps([x % inside for x in line[i : i + inside]], i, one)


def _swaps(order: Sequence[int], offset: int, name: str) -> Iterator[Step]:
    at = list(range(len(order)))
    for i, x in enumerate(order):
        k = at.index(x)
        if k != i:
            at[i], at[k] = at[k], at[i]
            a, b = offset + i, offset + k
            yield Step(f"swap {name}", a, b, f"Swap {name} {a + 1} and {b + 1}")


def cycles(images: Sequence[int], name: Callable[[int], str]) -> list[str]:
    """The cycles of a permutation without fixed points: `["1→4→1", "2→3→2"]`."""
    seen: set[int] = set()
    found = []
    for i in range(len(images)):
        cycle = []
        while i not in seen:
            seen.add(i)
            cycle.append(i)
            i = images[i]
        if len(cycle) > 1:
            found.append("→".join(name(k) for k in [*cycle, cycle[0]]))
    return found


def keeps_chutes(t: Transform, shape: Shape) -> bool:
    """Whether lines stay lines and bands and stacks stay together, as in a plain sudoku."""
    together = all(
        len({x // inside for x in line[i : i + inside]}) == 1
        for line, inside in ((t.rows, shape.rows), (t.cols, shape.cols))
        for i in range(0, shape.size, inside)
    )
    return together and not t.cells and (shape.square or not t.transpose)


# -- groups of transforms: all elements from generators, the cheapest of a coset -------------------

_Line = tuple[int, ...]


def key(t: Transform) -> tuple[_Line, bool, _Line, _Line, _Line]:
    """The order in which transforms are listed: the identity comes first."""
    return t.cells, t.transpose, t.rows, t.cols, t.digits


def elements(
    generators: Sequence[Transform], size: int, limit: int
) -> tuple[list[Transform], bool]:
    """At most `limit` elements of a group, and whether these are all.

    Breadth-first search of the Cayley graph from the identity. Dimino's algorithm needs fewer
    products, but groups here are small.
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
    """Generators of the same group, in order, without those in the span of earlier ones.

    A group of more than 2000 elements keeps all of them.
    """
    if order > 2000:
        return sorted(generators, key=key)
    kept: list[Transform] = []
    span = {key(identity(size))}
    for generator in sorted(generators, key=key):
        if key(generator) not in span:
            kept.append(generator)
            span = {key(t) for t in elements(kept, size, order)[0]}
    return kept


def shortest_in_coset(
    automorphisms: Iterable[Transform], witness: Transform, shape: Shape
) -> Transform:
    """The witness with the fewest steps among `automorphism, then witness`; ties by `key`."""
    return min((compose(a, witness) for a in automorphisms), key=lambda t: (cost(t, shape), key(t)))


def shorten_greedily(
    witness: Transform, generators: Sequence[Transform], shape: Shape
) -> Transform:
    """A local minimum of the cost under composition with single generators, by hill climbing.

    For groups too large to enumerate; such a witness at least has no swaps of empty lines.
    """
    best, least = witness, cost(witness, shape)
    improved = True
    while improved:
        improved = False
        for generator in generators:
            candidate = compose(generator, best)
            if cost(candidate, shape) < least:
                best, least, improved = candidate, cost(candidate, shape), True
    return best


def between(a: Transform, b: Transform) -> Transform:
    """The transform from the board of `a` to that of `b`, if both take theirs to one form."""
    return compose(a, inverse(b))
