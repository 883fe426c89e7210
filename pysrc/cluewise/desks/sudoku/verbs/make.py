"""New boards of every kind (`make`), complete grids (`generate`), and boards in disguise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import names_of, of_board, scope_of
from cluewise.desks.sudoku.engine.canonical import LARGEST, shortest_transform
from cluewise.desks.sudoku.position import Cells, Position, Shape, boards, write_cells
from cluewise.desks.sudoku.results import (
    Disguise,
    DisguiseOptions,
    Generated,
    GenerateOptions,
    GridOptions,
    Made,
    MakeOptions,
    PuzzleOptions,
)
from cluewise.desks.sudoku.transform import (
    Transform,
    apply,
    cost,
    identity,
    normalise_unused_digits,
    steps,
)
from cluewise.desks.sudoku.transform_text import describe_transform
from cluewise.desks.sudoku.verbs import variants
from cluewise.desks.sudoku.verbs.number import grid
from cluewise.desks.sudoku.verbs.puzzle import puzzle, random_grid
from cluewise.errors import BadOption, BadPosition


def make(position: Position, options: MakeOptions) -> Job[Made]:
    """`{"board": "…", "kind": "puzzle"}`: a puzzle, a complete grid or an equivalent board.

    A name is a grid's number in digits or letters, or the address of a board; its board replaces
    the position's one. A puzzle is made of the position's grid if there is one. Raises `BadOption`
    for a name that no board has.
    """
    kind, seed = options.kind, options.seed
    if options.name:
        try:
            named = yield from grid(position, GridOptions(code=options.name))
        except BadOption as problem:
            raise BadOption(problem.message, "$.options.name") from None
        if kind == "grid":
            return Made(named.grid, kind, name=named.code)
        position = Position(grids=(named.grid,))
    if kind == "grid":
        return Made((yield from generate(position, GenerateOptions(seed))).grid, kind)
    if kind == "disguise":
        found = yield from disguise(position, DisguiseOptions(seed, options.steps))
        return Made(
            found.grid, kind, transform=found.transform, steps=found.steps,
            shortest=found.shortest, summary=found.summary, not_compared=found.not_compared,
        )  # fmt: skip
    wish = PuzzleOptions(options.clues, options.minimal, options.symmetry, seed, options.source)
    one = yield from puzzle(position, wish)
    return Made(
        one.puzzle, kind, solution=one.solution, clues=one.clues, minimal=one.minimal,
        line=one.line, not_compared=one.not_compared,
    )  # fmt: skip


def generate(position: Position, options: GenerateOptions) -> Job[Generated]:
    """`{"grid": "…"}`: a random complete grid of the position's box; its boards are ignored.

    With constraints a grid that obeys them; `BadPosition` if there is none.
    """
    scope = scope_of(of_board(position.constraints, 0))
    cells = yield from random_grid(scope.rules, position.shape, random.Random(options.seed))
    return scope.label(Generated(write_cells(cells)))


_TRIES = 200  # of a symmetric board, where fewer steps may do the same


def disguise(position: Position, options: DisguiseOptions) -> Job[Disguise]:
    """A random equivalent board.

    `steps` "any": every transform with equal probability. "fewest": a single step, every one that
    changes the board with equal probability. "most": as many steps as a board of this size can need
    (18 at 9×9), fewer only if its symmetries allow no more within 200 tries.
    """
    (cells,) = boards(position, 1)
    if variants.is_variant(position):
        raise BadPosition(
            "Its constraints would have to move along: only plain boards are scrambled.",
            "$.position.constraints",
        )
    shape, rng = position.shape, random.Random(options.seed)
    if options.steps == "fewest":
        changing = [t for t in _single_steps(shape, rng) if apply(t, cells) != cells]
        if not changing:
            raise BadPosition("This board looks the same after every step.", "$.position.grids")
        best = rng.choice(changing)
    elif options.steps == "any":
        best = _random_transform(shape, rng, rng.sample)
    else:
        best = yield from _longest_transform(cells, shape, rng)
    found = apply(best, cells)
    shortest = _shortest(cells, found, shape) or normalise_unused_digits(best, cells)
    return Disguise(
        write_cells(found), shortest, steps(shortest, shape), shape.size <= LARGEST,
        describe_transform(shortest, shape, cells), not_compared=names_of(position.constraints),
    )  # fmt: skip


_Order = Callable[[range, int], list[int]]


def line_order(blocks: int, inside: int, order: _Order) -> tuple[int, ...]:
    """An order of lines that keeps the blocks together, blocks and lines in a random `order`."""
    return tuple(
        block * inside + i
        for block in order(range(blocks), blocks)
        for i in order(range(inside), inside)
    )


def swap_lines(line: list[int], i: int, j: int, length: int) -> None:
    """Swap two blocks of `length` lines in an order of lines."""
    line[i : i + length], line[j : j + length] = line[j : j + length], line[i : i + length]


def _random_transform(shape: Shape, rng: random.Random, order: _Order) -> Transform:
    """A transform whose orders of blocks and of lines are drawn by `order`; symbols uniformly."""
    turn = shape.square and (order is not rng.sample or rng.random() < 0.5)
    return Transform(
        turn, line_order(shape.cols, shape.rows, order), line_order(shape.rows, shape.cols, order),
        (0, *rng.sample(range(1, shape.size + 1), shape.size)),
    )  # fmt: skip


def _longest_transform(cells: Cells, shape: Shape, rng: random.Random) -> Job[Transform]:
    """A transform with the most steps: every order is a single cycle.

    Fewer may do the same where the board is symmetric, so then several are tried.
    """

    def cycle(places: range, count: int) -> list[int]:
        line, order = rng.sample(places, count), [0] * count
        for a, b in zip(line, [*line[1:], line[0]], strict=True):
            order[a] = b
        return order

    best, most = identity(shape.size), -1
    for tried in range(_TRIES):
        t = _random_transform(shape, rng, cycle)
        length = cost(_shortest(cells, apply(t, cells), shape) or t, shape)
        if length > most:
            best, most = t, length
        if most == _most_steps(shape):
            break
        yield Progress(tried, _TRIES, f"{most} steps so far")
    return best


def _most_steps(shape: Shape) -> int:
    """The most steps of any transform: cycles through all, a transposition, a relabelling."""
    rows = shape.cols - 1 + shape.cols * (shape.rows - 1)
    cols = shape.rows - 1 + shape.rows * (shape.cols - 1)
    return rows + cols + shape.square + 1


def _shortest(a: Cells, b: Cells, shape: Shape) -> Transform | None:
    return shortest_transform(a, b, shape, labelled=False) if shape.size <= LARGEST else None


def _single_steps(shape: Shape, rng: random.Random) -> Iterator[Transform]:
    """Every transposition and swap, and one relabelling."""
    n, still = shape.size, identity(shape.size)
    if shape.square:
        yield replace(still, transpose=True)
    for blocks, inside, side in (
        (shape.cols, shape.rows, "rows"),
        (shape.rows, shape.cols, "cols"),
    ):
        swaps = [(a * inside, b * inside, inside) for a, b in _pairs(blocks)]
        swaps += [(i + a, i + b, 1) for i in range(0, n, inside) for a, b in _pairs(inside)]
        for a, b, length in swaps:
            line = list(range(n))
            swap_lines(line, a, b, length)
            yield replace(still, **{side: tuple(line)})
    yield replace(still, digits=(0, *rng.sample(range(1, n + 1), n)))


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for b in range(count) for a in range(b))
