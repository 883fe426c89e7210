"""The verbs on boards with constraints: the transforms are the symmetries of the constraints."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import Constraint, of_board, scope_of, supported
from cluewise.desks.sudoku.engine import variant_minlex
from cluewise.desks.sudoku.engine.canonical import MOST_CARRIED, least_image
from cluewise.desks.sudoku.engine.minlex import Form
from cluewise.desks.sudoku.engine.normal_form import Renaming, normal_form_of
from cluewise.desks.sudoku.engine.solver import Solutions
from cluewise.desks.sudoku.engine.structures import StabiliserChain
from cluewise.desks.sudoku.engine.variant_solver import implied_houses, solve_variant_within
from cluewise.desks.sudoku.engine.variants import (
    Board,
    cell_maps,
    move,
    renamed,
    renaming,
    sources_of,
    symmetry_group,
    witness,
)
from cluewise.desks.sudoku.position import (
    SYMBOLS,
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import (
    Automorphisms,
    Because,
    GridForm,
    PuzzleForms,
    PuzzleTransforms,
    Same,
)
from cluewise.desks.sudoku.transform import (
    Step,
    Transform,
    apply,
    compose,
    cycles,
    elements,
    few_generators,
    identity,
    inverse,
    keeps_chutes,
    key,
    of_cells,
    sources,
    steps,
)
from cluewise.desks.sudoku.transform_text import sentence
from cluewise.desks.sudoku.verbs.same_reasons import givens, names
from cluewise.desks.sudoku.verbs.same_reasons import symbols as symbol_counts
from cluewise.errors import TooLarge

_MOST_ENUMERATED = 3000  # elements of a group that are candidates for steps
_MOST_MOVES = 200  # of these that move the fewest cells
CARRIED_PATIENCE = 20_000  # nodes of the search: up to ten seconds for a board of 25×25


def is_variant(position: Position) -> bool:
    """Whether the position has constraints that a comparison takes into account."""
    return bool(supported(position.constraints))


def _boards(position: Position, count: int) -> list[Board]:
    """Exactly `count` legal boards of the position, with their constraints."""
    return [
        Board(cells, supported(of_board(position.constraints, i)))
        for i, cells in enumerate(boards(position, count))
    ]


def _find_implied(boards: Iterable[Board], shape: Shape) -> Job[tuple[tuple[int, ...], ...]]:
    """Find the implied houses of the boards with progress, for the cache; those of the last one."""
    found: tuple[tuple[int, ...], ...] = ()
    for board in boards:
        found = yield from implied_houses(board.constraints, shape)
    return found


def same(position: Position, *, labelled: bool) -> Job[Same]:
    """`same` under the cell maps that take the first board's constraints to the second's."""
    a, b = _boards(position, 2)
    shape, scope = position.shape, scope_of(position.constraints)
    yield from _find_implied((a, b), shape)
    symbols: Renaming = "none" if labelled else renaming(shape, a, b)
    maps = cell_maps(Board(bytes(shape.cells), a.constraints), shape)
    t = witness(a, b, shape, symbols)
    if t is None:
        because = _why_different(a, b, shape, symbols, maps)
        return scope.label(Same(False, because=because, cell_maps=maps))
    assert apply(t, a.cells) == b.cells, "a witness must take the first board to the second"
    count = symmetry_group(a, shape, symbols).order
    path = _steps(t, a, b, shape, symbols)
    summary = sentence(t, shape, a.cells)
    return scope.label(Same(True, t, path, False, count, summary, cell_maps=maps))


def _why_different(a: Board, b: Board, shape: Shape, symbols: Renaming, maps: int) -> Because:
    """The simplest reason: the constraints themselves, counted givens, or all maps tried."""
    blank = bytes(shape.cells)
    if witness(Board(blank, a.constraints), Board(blank, b.constraints), shape, symbols) is None:
        return Because("constraints", "No map of cells takes the first board's constraints to the "
                       "second's.")  # fmt: skip
    for reason in (givens, symbol_counts if symbols != "none" else names):
        found = reason(a.cells, b.cells, shape)
        if found:
            return found
    n = f"{maps:,}".replace(",", "\u00a0")
    called = {
        "any": "with any renaming of symbols", "parity": "with symbols renamed within their parity",
        "sizes": "with symbols as they are, or all turned round (1↔9 and so on)",
        "none": "with symbols as they are",
    }[symbols].replace("9", SYMBOLS[shape.size - 1])  # fmt: skip
    keeping = "Only leaving all cells in place keeps the constraints, and that does not take"
    if maps > 1:
        keeping = f"{n} maps of cells keep the constraints, and none of them takes"
    text = f"{keeping} the first board to the second, {called}."
    return Because("constraints", text, maps)


# -- steps ---------------------------------------------------------------------------------------


def _steps(t: Transform, a: Board, b: Board, shape: Shape, symbols: Renaming) -> list[Step]:
    """The witness as steps each of which preserves the constraints.

    Where the boards have constraints in different places, those with cells of their own move with
    their cells; if others would not be preserved on the way, the whole is one step.
    """
    n = shape.size
    still = tuple(range(n + 1))
    if symbols != "any" and t.digits != still:
        return [_step(t, shape)]  # a reversal of symbols may need the cells to move as well
    lines = of_cells(sources(t), still, n)
    moves = [] if lines == identity(n) else [lines]
    if moves and normal_form_of(a.constraints, shape) == normal_form_of(b.constraints, shape):
        moves = _factor(lines, Board(bytes(shape.cells), a.constraints), shape, symbols)
    elif moves and keeps_chutes(lines, shape) and _are_local((*a.constraints, *b.constraints)):
        return steps(t, shape)
    line = tuple(range(n))
    renamed = Transform(False, line, line, t.digits)
    return [*(_step(one, shape) for one in moves), *steps(renamed, shape)]


def _are_local(constraints: Iterable[Constraint]) -> bool:
    """Whether all move with their cells, so that any plain step preserves them."""
    return all(one.cells and one.kind != "regions" for one in constraints)


def _factor(t: Transform, blank: Board, shape: Shape, symbols: Renaming) -> list[Transform]:
    """The map as a product of symmetries that move few cells, found greedily: the next factor is
    the one that leaves the fewest cells out of place.
    """
    still = tuple(range(shape.size + 1))
    factors = [of_cells(m, still, shape.size) for m in _smallest_moves(blank, shape, symbols)]
    found: list[Transform] = []
    rest = t
    while _moved(sources(rest)):
        best = min(
            (compose(inverse(one), rest) for one in factors),
            key=lambda one: _moved(sources(one)), default=rest,
        )  # fmt: skip
        if _moved(sources(best)) >= _moved(sources(rest)):
            return [*found, rest]
        found.append(compose(rest, inverse(best)))
        rest = best
    return found


def _moved(cells: tuple[int, ...]) -> int:
    """How many cells a map moves."""
    return sum(source != i for i, source in enumerate(cells))


def _smallest_moves(blank: Board, shape: Shape, symbols: Renaming) -> list[tuple[int, ...]]:
    """The symmetries that move the fewest cells; of a large group, those of its transversals."""
    found = _elements(symmetry_group(blank, shape, symbols).chain, shape.cells, _MOST_ENUMERATED)
    moving = [one for one in found if _moved(one)]
    return sorted(moving, key=lambda one: (_moved(one), one))[:_MOST_MOVES]


def _elements(chain: StabiliserChain, cells: int, limit: int) -> list[tuple[int, ...]]:
    """All elements as maps of cells; of more than `limit` only those of the transversals."""
    if chain.order > limit:
        return [tuple(m[:cells]) for orbit in chain.orbits[:cells] for m in orbit.values()]
    found = [tuple(range(cells))]
    for orbit in reversed(chain.orbits[:cells]):
        found = [tuple(m[x] for x in one) for one in found for m in orbit.values()]
    return found


def _step(t: Transform, shape: Shape) -> Step:
    """The transform as a single step."""
    if keeps_chutes(t, shape):
        plain = steps(t, shape)
        if len(plain) == 1:
            return plain[0]
    return Step("move", None, None, _describe_move(t, shape), t)


def _describe_move(t: Transform, shape: Shape) -> str:
    n = shape.size
    isometry = _isometry(t, n)
    whole = _ISOMETRIES.get(isometry, "") if isometry else ""
    parts = [whole] if whole else []
    if not whole and t.cells:
        shown = cycles(inverse(t).cells, lambda i: f"r{i // n + 1}c{i % n + 1}")
        parts.append(f"move cells {', '.join(shown[:4])}" + (
            f" and {len(shown) - 4} more rings" if len(shown) > 4 else ""))  # fmt: skip
    elif not whole:
        back = inverse(Transform(False, t.rows, t.cols, t.digits))
        parts += ["transpose"] if t.transpose else []
        for name, line in (("rows", back.rows), ("columns", back.cols)):
            shown = cycles(line, lambda i: str(i + 1))
            parts += [f"move {name} {', '.join(shown)}"] if shown else []
    if t.digits != tuple(range(n + 1)):
        shown = cycles(t.digits, lambda i: SYMBOLS[i - 1])
        parts.append(f"relabel {', '.join(shown)}")
    text = " and ".join(parts)
    return text[:1].upper() + text[1:] + (", at once" if len(parts) > 1 else "")


# By transposition, reversed rows and reversed columns.
_ISOMETRIES = {
    (False, True, True): "turn the board by half", (False, True, False): "mirror top and bottom",
    (False, False, True): "mirror left and right", (True, False, False): "transpose",
    (True, True, True): "mirror at the rising diagonal",
    (True, False, True): "turn the board clockwise",
    (True, True, False): "turn the board anticlockwise",
}  # fmt: skip


def _isometry(t: Transform, n: int) -> tuple[bool, bool, bool] | None:
    """The isometry of the square that this is: a rotation or reflection; None for another map."""
    line = tuple(range(n))
    is_reversed = {line: False, line[::-1]: True}
    if t.cells or t.rows not in is_reversed or t.cols not in is_reversed:
        return None
    return t.transpose, is_reversed[t.rows], is_reversed[t.cols]


# -- symmetries and least forms --------------------------------------------------------------------


def automorphisms(position: Position, limit: int, *, of_constraints: bool) -> Job[Automorphisms]:
    """The symmetries of a board with its constraints, or of the constraints whatever the givens."""
    shape, n = position.shape, position.shape.size
    if of_constraints:
        position = replace(position, grids=("." * shape.cells,))
    scope = scope_of(of_board(position.constraints, 0))
    (board,) = _boards(position, 1)
    implied = yield from _find_implied((board,), shape)
    symbols = renaming(shape, board)
    found = symmetry_group(board, shape, symbols)
    moves = [move(g, board, board, shape) for g in found.chain.generators]
    if found.reversing:
        cells = sources_of(found.reversing, shape)
        digits = renamed(cells, board.cells, board.cells, shape)
        if symbols == "sizes" or not any(board.cells):
            digits = (0, *range(n, 0, -1))
        moves.append(of_cells(cells, digits, n))
    maps = cell_maps(board, shape)
    order = maps if of_constraints else found.order
    generators = few_generators(moves, n, order)
    listed, complete = elements(generators, n, limit) if limit else ([], False)
    return scope.label(Automorphisms(
        order, generators, sorted(listed, key=key), complete,
        [list(cells) for cells in implied] if of_constraints else None, cell_maps=maps,
    ))  # fmt: skip


def canon(position: Position) -> Job[GridForm | PuzzleForms]:
    """Least forms under the symmetries that preserve the constraints."""
    (board,), shape = _boards(position, 1), position.shape
    scope = scope_of(of_board(position.constraints, 0))
    yield from _find_implied((board,), shape)
    straight = yield from variant_minlex.least_form(board, shape, "straight")
    first = straight.transform
    if is_complete(board.cells):
        return scope.label(GridForm(write_cells(straight.cells), straight.ties, first))
    pattern = yield from variant_minlex.least_form(board, shape, "pattern-first")
    solution, carried, why = yield from _carried(board, shape)
    third = carried and carried.transform
    transforms = PuzzleTransforms(first, pattern.transform, third)
    return scope.label(PuzzleForms(
        write_cells(straight.cells), write_cells(pattern.cells),
        carried and write_cells(carried.cells), straight.ties, transforms,
        None if solution is None else write_cells(solution), why,
    ))  # fmt: skip


def why_no_carried(solved: Solutions | None) -> str:
    """Why a puzzle has no carried form; empty if it has one solution. None: not settled."""
    if solved is None:
        return (
            f"Whether it has one solution was not settled within {CARRIED_PATIENCE} steps of the "
            "search, so this form is not known."
        )
    number = {0: "no solution", 1: ""}.get(solved.number, "several solutions")
    return number and f"It has {number}, so it has no carried form."


def _carried(board: Board, shape: Shape) -> Job[tuple[Cells | None, Form | None, str]]:
    """The only solution, the puzzle carried to its least form (the least one over its symmetries),
    and why either is missing.
    """
    solution = None
    try:
        solved = yield from solve_variant_within(
            board.cells, board.constraints, shape, CARRIED_PATIENCE
        )
        why = why_no_carried(solved)
        if solved is None or why:
            return None, None, why
        solution = solved.found[0]
        whole = Board(solution, board.constraints)
        form = yield from variant_minlex.least_form(whole, shape, "straight")
        found = symmetry_group(whole, shape, renaming(shape, board))
        if found.order > MOST_CARRIED:
            why = f"The solution has {found.order} symmetries, more than {MOST_CARRIED}."
            return solution, None, why
    except TooLarge as problem:
        return solution, None, problem.message
    maps = _elements(found.chain, shape.cells, MOST_CARRIED)
    if found.reversing:
        reversing = sources_of(found.reversing, shape)
        maps += [tuple(reversing[x] for x in one) for one in maps]
    symmetries = [
        of_cells(one, renamed(one, solution, solution, shape), shape.size) for one in maps
    ]
    return solution, (yield from least_image(board.cells, symmetries, form.transform)), ""
