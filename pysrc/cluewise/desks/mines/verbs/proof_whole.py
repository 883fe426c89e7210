"""One proof that a level needs no guess: every wave of deductions has its own copy of the cells.

Cell c in wave w is variable w * cells + c + 1, so that no number is used before its cell is proved
safe. The formula has the counts of each wave over the cells unknown by then and, last, that some
claim of some wave fails; the proof derives every claim and adds them to that line.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.playthrough import Puzzle, puzzle_of
from cluewise.desks.mines.engine.simplex import SimplexQuestions, open_simplex
from cluewise.desks.mines.engine.techniques import Count, rounded_certificate
from cluewise.desks.mines.formats.veripb import (
    MOST_CASES,
    Bound,
    clause,
    count_bounds,
    derivation,
    literal,
    proof_file,
    propagated,
    refuting_clauses,
)
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import Proof
from cluewise.desks.mines.verbs.rate_path import position_then
from cluewise.errors import BadOption

Counts = dict[str, tuple[list[int], int]]  # by clue name: unknown cells, mines among them


def whole_proof(position: Position) -> Job[Proof]:
    """The formula and its refutation. Raises BadOption for a puzzle that needs a guess."""
    puzzle, cache = puzzle_of(position), ComponentCache()
    cells, size, waves = puzzle.start[:], puzzle.board.cells, 0
    lines: list[str] = []
    derived: list[tuple[int, list[str]]] = []  # claims as literals, and the steps to each
    while puzzle.has_closed(cells):
        values = yield from cache.forced(puzzle.board, cells)
        assert values is not None  # the puzzle itself is a layout
        if 0 not in values:
            closed = cells.count(UNKNOWN)
            raise BadOption(f"A guess is needed: {closed} cells stay closed.", "$.options.whole")
        counts = _counts(puzzle, cells)
        first, base = len(lines) + 1, waves * size
        for listed, need in counts.values():
            for sign in (1, -1):
                terms = " ".join(f"{sign:+d} x{base + c + 1}" for c in listed)
                lines.append(f"{terms} >= {sign * need} ;")
        claims = {c: v for c, v in enumerate(values) if v >= 0}
        derived += yield from _wave(position_then(position, cells), counts, claims, first, base)
        for cell in claims:
            cells[cell] = puzzle.shows[cell]
        waves += 1
        yield Progress(waves, None, "proving wave by wave")
    last = " ".join(f"+1 {literal(-claim)}" for claim in sorted((c for c, _ in derived), key=abs))
    lines.append(f"{last} >= 1 ;")
    steps, total = list[str](), [f"pol {len(lines)}"]
    for _, made in derived:
        steps += made
        total.append(f"{len(lines) + len(steps)} +")
    steps.append(" ".join([*total, ";"]))
    head = f"* #variable= {waves * size} #constraint= {len(lines)}"
    text = proof_file(len(lines), steps)
    return Proof("no guess", [], "\n".join([head, *lines, ""]), text, waves)


def _counts(puzzle: Puzzle, cells: array[int]) -> Counts:
    """Groups, then numbers by cell, over the cells still unknown; those without any left out."""
    board = puzzle.board
    listed = {f"group:{i}": group.cells for i, group in enumerate(board.groups)}
    listed |= {f"number:{c}": board.neighbours[c] for c, n in enumerate(cells) if n >= 0}
    rest = {name: sorted(c for c in of if cells[c] == UNKNOWN) for name, of in listed.items()}
    return {name: (of, sum(puzzle.shows[c] == FLAG for c in of)) for name, of in rest.items() if of}


def _wave(
    position: Position, counts: Counts, claims: dict[int, int], first: int, base: int
) -> Job[list[tuple[int, list[str]]]]:
    """The claims of a wave as literals, each with its steps: propagation, a sum, or cases."""
    shifted = [([base + c for c in listed], need) for listed, need in counts.values()]
    bounds = count_bounds(shifted)
    found: list[tuple[int, list[str]]] = []
    pending = {base + c + 1 if v else -(base + c + 1): c for c, v in claims.items()}

    def claim(number: int, steps: list[str]) -> None:
        found.append((number, steps))
        bounds.append(({number: 1}, 1))
        del pending[number]

    with open_simplex(position) as sums:
        for by_cases in (False, True):
            for number in list(pending):
                if number not in pending:
                    continue
                _propagate_all(pending, bounds, claim)
                if number not in pending:
                    continue
                cell = pending[number]
                step = yield from _sum(sums, counts, cell, int(number > 0), first, base)
                if step is not None:
                    claim(number, [step])
                elif by_cases:
                    cases = refuting_clauses(bounds, {-number}, [], [MOST_CASES])
                    claim(number, [clause([number, *one]) for one in cases])
                yield Progress(len(found), len(claims), "proving a wave")
    return found


def _propagate_all(
    pending: dict[int, int], bounds: Sequence[Bound], claim: Callable[[int, list[str]], None]
) -> None:
    """Claims that propagation proves, until there is none left."""
    found = True
    while found:
        found = False
        for number in list(pending):
            if propagated(bounds, {-number}) is None:
                claim(number, [clause([number])])
                found = True


def _sum(
    sums: SimplexQuestions, counts: Counts, cell: int, value: int, first: int, base: int
) -> Job[str | None]:
    """The step that adds up counts so that the cell's value is left, None where none was found."""
    rough = yield from sums.refuted((1 << len(sums.names)) - 1, cell, 1 - value)
    place = {name: k for k, name in enumerate(counts)}
    near = {place[sums.names[i]]: w for i, w in (rough or {}).items() if sums.names[i] in place}
    masks = {k: Count(sum(1 << c for c in of), n) for k, (of, n) in enumerate(counts.values())}
    total = rounded_certificate(masks, near, cell, 1 - value) if near else None
    if total is None:
        return None
    sign = 1 if total.total > total.reach(cell, 1 - value)[1] else -1
    weights = {k: sign * w for k, w in total.weights.items()}
    per_cell = {base + c: sign * n for c, n in total.per_cell.items() if c != cell}
    return derivation(first, weights, per_cell)
