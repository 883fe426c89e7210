"""The verb `puzzle`: puzzles with one solution, from a random grid, a given one or a list."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import Constraint, of_board, scope_of
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.engine.solver import solutions, solutions_within
from cluewise.desks.sudoku.engine.variant_solver import (
    find_random_solution,
    solve_variant,
    solve_variant_within,
)
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import Puzzle, PuzzleOptions, Symmetry
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadInput, BadOption, BadPosition, TooLarge

Rules: TypeAlias = tuple[Constraint, ...]

# By symbols: the most removal orders of a request, and the most nodes of one search. Whether a
# large board has one solution can take any time; a given for which that is undecided stays.
_TRIES = {9: 2000, 12: 100, 16: 30, 36: 3}
_PATIENCE = {9: 1 << 20, 16: 10_000, 36: 300}
_VARIANT_PATIENCE = 10_000  # nodes of the solver of boards with constraints


def _by_size(table: dict[int, int], shape: Shape) -> int:
    return next(value for most, value in table.items() if shape.size <= most)


def puzzle(position: Position, options: PuzzleOptions) -> Job[Puzzle]:
    """A puzzle with one solution, from a random grid or from the position's complete one.

    With constraints the solution is the only grid that obeys them. Those known by name alone have
    no effect.

    Without `clues` givens are removed until none can be. With `clues` several orders are tried
    and removal stops at that number; `TooLarge` if none of them reaches it, or if nothing could
    be proved minimal, as with more than 16 symbols.
    """
    scope, rng = scope_of(of_board(position.constraints, 0)), random.Random(options.seed)
    _check(options, position.shape, scope.rules)
    if options.source:
        return scope.label((yield from from_source(options, position.shape, rng, scope.rules)))
    return scope.label((yield from _from_grid(position, options, rng, scope.rules)))


def _from_grid(
    position: Position, options: PuzzleOptions, rng: random.Random, rules: Rules
) -> Job[Puzzle]:
    shape = position.shape
    given = boards(position, 1)[0] if position.grids else None
    if given is not None and not is_complete(given):
        raise BadOption("A puzzle is made from a complete grid; this one has blanks.", "$.position")
    wrong = violation(given, rules, shape) if given is not None else ""
    if wrong:
        raise BadPosition(f"The grid breaks the rules. {wrong}", "$.position.grids[0]")
    if _is_rare(options, shape) and not rules:
        puzzle, grid = yield from _rare(given, options.clues or 0, rng)
        return Puzzle(write_cells(puzzle), write_cells(grid), options.clues or 0, True)
    orbits = _orbits(options.symmetry, shape)
    best, tries, undecided = shape.cells, _by_size(_TRIES, shape), 0
    for attempt in range(tries):
        grid = given if given is not None else (yield from random_grid(rules, shape, rng))
        found = yield from _remove(grid, shape, rules, orbits, options, rng)
        clues = shape.cells - found.count(0)
        best = min(best, clues)
        if options.clues in (None, clues):
            proved = yield from _is_minimal(found, shape, rules)
            if proved or not options.minimal:
                return Puzzle(write_cells(found), write_cells(grid), clues, bool(proved))
            undecided += proved is None
        yield Progress(attempt, tries, f"fewest so far: {best} givens")
    if undecided == tries:
        raise TooLarge(
            f"Puzzles of {shape} are made in seconds (the fewest givens were {best}), but whether "
            "one of them is minimal takes too long to settle. Leave out “minimal”."
        )
    what = "minimal puzzle" if options.clues is None else f"puzzle with {options.clues} givens"
    raise TooLarge(
        f"No such {what} in {tries} tries; the fewest givens were {best}. "
        "Try another seed, more givens or no symmetry."
    )


def random_grid(rules: Rules, shape: Shape, rng: random.Random) -> Job[Cells]:
    """A random complete grid that obeys the rules; raises `BadPosition` if there is none."""
    if not rules:
        return (yield from random_boards.grid(shape, rng))
    found = yield from find_random_solution(rules, shape, rng, _VARIANT_PATIENCE)
    if found is None:
        raise BadPosition("No grid obeys these constraints.", "$.position.constraints")
    return found


def _patience(shape: Shape, rules: Rules) -> int:
    return _VARIANT_PATIENCE if rules else _by_size(_PATIENCE, shape)


def _is_unique(cells: Cells, shape: Shape, rules: Rules, patience: int) -> Job[bool | None]:
    """Whether the board has one solution; None if that takes more than `patience` nodes."""
    found = yield from (
        solve_variant_within(cells, rules, shape, patience)
        if rules
        else solutions_within(cells, shape, patience)
    )
    return found and found.number == 1


def _check(options: PuzzleOptions, shape: Shape, rules: Rules) -> None:
    least, why = _FEWEST.get(shape, (shape.size - 1, _TWO_SYMBOLS))
    if options.clues is not None and options.clues < least and not rules:
        raise BadOption(
            f"No {shape} puzzle with one solution has fewer than {least} givens: {why}.",
            "$.options.clues",
        )
    if options.clues is not None and options.clues > shape.cells:
        raise BadOption(f"A {shape} board has only {shape.cells} cells.", "$.options.clues")
    if not shape.square and options.symmetry in ("quarter-turn", "diagonal", "antidiagonal"):
        raise BadOption(
            f"A board of boxes with {shape.rows} rows and {shape.cols} columns cannot have "
            f"the symmetry {options.symmetry}.",
            "$.options.symmetry",
        )


# The fewest givens of a puzzle with one solution, and the source.
_TWO_SYMBOLS = "two symbols that do not occur could change places"
_FEWEST = {
    NINE: (17, "McGuire, Tugemann and Civario searched all grids for 16 (2012)"),
    Shape(2, 2): (4, "all 288 grids have been tried"),
}
_COMMON = 22  # givens; one minimal puzzle in thirty has as few
_RARE_TRIES = 200_000
_BATCH = 200  # puzzles a call of the kernel: 15 to 50 ms
_EXPECT = (
    "of 300 000 puzzles made by removing givens at random 648 had 21, 13 had 20 and none had fewer"
)


def _is_rare(options: PuzzleOptions, shape: Shape) -> bool:
    """Whether so few givens are requested that only very many tries can have them."""
    few = options.clues is not None and options.clues < _COMMON
    return few and shape == NINE and options.symmetry == "none"


def _rare(given: Cells | None, clues: int, rng: random.Random) -> Job[tuple[Cells, Cells]]:
    """A minimal 9×9 puzzle with very few givens, and its grid, found among many random ones."""
    best = NINE.cells
    for done in range(0, _RARE_TRIES, _BATCH):
        grids = given * _BATCH if given is not None else random_boards.grids(_BATCH, rng)
        puzzles, counts = random_boards.minimal(grids, _BATCH, rng)
        best = min(best, *counts)
        if clues in counts:
            cells = slice(NINE.cells * counts.index(clues), NINE.cells * (counts.index(clues) + 1))
            return puzzles[cells], grids[cells]
        note = f"fewest so far: {best} givens; {_EXPECT}"
        yield Progress(done + _BATCH, _RARE_TRIES, note)
    raise TooLarge(
        f"No puzzle with {clues} givens in {_RARE_TRIES:,} tries".replace(",", " ")
        + f"; the fewest were {best}. That is to be expected: {_EXPECT}. "
        "Try more givens, or open a list of known puzzles."
    )


def _remove(
    grid: Cells,
    shape: Shape,
    rules: Rules,
    orbits: list[list[int]],
    options: PuzzleOptions,
    rng: random.Random,
) -> Job[Cells]:
    """Remove givens orbit by orbit in a random order while there is one solution."""
    if shape == NINE and options.symmetry == "none" and options.clues is None and not rules:
        return random_boards.minimal(grid, 1, rng)[0]
    patience = _patience(shape, rules)
    order = rng.sample(orbits, len(orbits))
    board, left = bytearray(grid), shape.cells
    least = options.clues if options.clues is not None and not options.minimal else 0
    for i, orbit in enumerate(order):
        if left - len(orbit) < least:
            continue
        for at in orbit:
            board[at] = 0
        unique = (yield from _is_unique(bytes(board), shape, rules, patience)) is True
        if not unique:
            for at in orbit:
                board[at] = grid[at]
        left -= len(orbit) * unique
        if shape != NINE or rules or i % 20 == 0:
            yield Progress(i, len(order), f"{left} givens")
    return bytes(board)


def _is_minimal(board: Cells, shape: Shape, rules: Rules) -> Job[bool | None]:
    """Whether no given can be removed; None if that is undecided for one of them."""
    for at, value in enumerate(board):
        if value:
            fewer = board[:at] + b"\0" + board[at + 1 :]
            patience = 10 * _patience(shape, rules)
            unique = yield from _is_unique(fewer, shape, rules, patience)
            if unique is not False:
                return None if unique is None else False
            if shape != NINE or rules:
                yield Progress(at, shape.cells, "checking that no given can go")
    return True


def from_source(
    options: PuzzleOptions, shape: Shape, rng: random.Random, rules: Rules = ()
) -> Job[Puzzle]:
    """A random one of the source's puzzles that fit the options and have one solution."""
    fitting = [
        (line, cells)
        for line, text in enumerate(options.source)
        if (cells := _cells_of(text, shape)) and _fits(cells, shape, rules, options)
    ]
    rng.shuffle(fitting)
    for tried, (line, cells) in enumerate(fitting):
        solved = yield from (
            solve_variant(cells, rules, shape) if rules else solutions(cells, shape)
        )
        if solved.number != 1:
            continue
        minimal = bool((yield from _is_minimal(cells, shape, rules)))
        if minimal or not options.minimal:
            solution, clues = write_cells(solved.found[0]), shape.cells - cells.count(0)
            return Puzzle(write_cells(cells), solution, clues, minimal, line)
        yield Progress(tried, len(fitting), "puzzles looked at")
    raise TooLarge(
        f"None of the {len(options.source)} lines of the source is such a puzzle with one solution."
    )


def _cells_of(text: str, shape: Shape) -> Cells | None:
    """The board at the beginning of a line; None if there is none."""
    head = text.strip()[: shape.cells]
    try:
        return read_cells(head, shape)
    except BadInput:
        return None


def _fits(cells: Cells, shape: Shape, rules: Rules, options: PuzzleOptions) -> bool:
    """Whether the board is legal and has so many givens in such a pattern."""
    if options.clues not in (None, shape.cells - cells.count(0)) or is_complete(cells):
        return False
    orbits = _orbits(options.symmetry, shape)
    symmetric = all(len({cells[at] > 0 for at in orbit}) == 1 for orbit in orbits)
    return symmetric and not violation(cells, rules, shape)


def _orbits(symmetry: Symmetry, shape: Shape) -> list[list[int]]:
    """The orbits of the cells under a symmetry, ascending by their first cells."""
    last = shape.size - 1
    moves: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "none": lambda r, c: (r, c),
        "half-turn": lambda r, c: (last - r, last - c),
        "quarter-turn": lambda r, c: (c, last - r),
        "horizontal": lambda r, c: (last - r, c),
        "vertical": lambda r, c: (r, last - c),
        "diagonal": lambda r, c: (c, r),
        "antidiagonal": lambda r, c: (last - c, last - r),
    }
    move, seen, found = moves[symmetry], set[int](), []
    for at in range(shape.cells):
        orbit: list[int] = []
        while at not in seen:
            seen.add(at)
            orbit.append(at)
            r, c = move(*divmod(at, shape.size))
            at = r * shape.size + c
        if orbit:
            found.append(orbit)
    return found
