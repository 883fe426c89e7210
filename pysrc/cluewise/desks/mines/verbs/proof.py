"""VeriPB proof files: of a forced cell, or that a level needs no guess.

A level's proof has its own copy of the cells for every wave of deductions: cell c in wave w is
variable w * cells + c + 1, so that no number is used before its cell is proved safe. The formula
has the counts of each wave over the cells unknown by then and, last, that some claim of some wave
fails; the proof derives every claim and adds them to that line.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.arrangements import expanded, is_arranged
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, clue_cells, clue_count
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.playthrough import Puzzle, puzzle_of
from cluewise.desks.mines.engine.simplex import ClueSetOracle, open_oracle
from cluewise.desks.mines.engine.techniques import Count, LinearCombination, rounded_certificate
from cluewise.desks.mines.formats.veripb import (
    MOST_CASES,
    Bound,
    case_split_proof,
    clause,
    count_bounds,
    count_lines,
    derivation,
    formula,
    literal,
    proof_file,
    propagated,
    refuting_clauses,
)
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.results import ExplainOptions, Proof, ProofOptions
from cluewise.desks.mines.verbs.explain import explain
from cluewise.desks.mines.verbs.rate import position_then
from cluewise.errors import BadOption

Counts = dict[str, tuple[list[int], int]]  # by clue name: unknown cells, mines among them


def proof(position: Position, options: ProofOptions) -> Job[Proof]:
    """Return the formula and its refutation, for a cell or for the whole level.

    Raises BadOption for a cell that is not forced and for a level that needs a guess. A cell's
    arrangements are counts over further variables, numbered after the cells (see arrangements.py).
    """
    if options.whole is (options.cell is not None):
        raise BadOption("Ask for a cell or for the whole level.", "$.options")
    if options.cell is None:
        return (yield from whole_proof(position))
    if not is_arranged(position):
        return (yield from _cell_proof(position, options.cell))
    flags = tuple(flag for flag in position.flags if flag != options.cell)
    wide = expanded(msgspec.structs.replace(position, flags=flags))
    if options.cell >= wide.cells:
        raise BadOption(f"There is no cell {options.cell}.", "$.options.cell")
    found = yield from _cell_proof(wide.position, options.cell)
    named = {f"group:{i}": owner for i, owner in enumerate(wide.owners)}
    clues = dict.fromkeys(named.get(clue, clue) for clue in found.clues)
    return msgspec.structs.replace(found, clues=list(clues))


def _cell_proof(position: Position, cell: int) -> Job[Proof]:
    """Prove from the clues that `explain` names: by a sum if there is one, else by case splits."""
    if cell < 0:
        raise BadOption(f"There is no cell {cell}.", "$.options.cell")
    reason = yield from explain(position, ExplainOptions(cell))
    if reason.verdict == "open":
        raise BadOption("Both are possible: there is nothing to prove.", "$.options.cell")
    board, value = graph(position), int(reason.verdict == "mine")
    opened = {r.cell for r in position.revealed}
    counts: Counts = {
        name: ([c for c in clue_cells(board, name) if c not in opened],
               clue_count(position, board, name))
        for name in reason.clues
    }  # fmt: skip
    with open_oracle(position) as oracle:
        every = sum(1 << oracle.names.index(name) for name in reason.clues)
        total = yield from _refuting_sum(oracle, every, counts, cell, 1 - value)
    listed = list(counts.values())
    if total is not None:
        last = 2 * len(listed) + 1  # the line that supposes the opposite
        text = proof_file(last, [_sum_step(counts, total, cell, value, 1, 0, last)])
    else:
        text = case_split_proof(listed, cell, 1 - value)
    return Proof(reason.verdict, reason.clues, formula(listed, cell, 1 - value), text)


def _refuting_sum(
    oracle: ClueSetOracle, clues: int, counts: Counts, cell: int, value: int
) -> Job[LinearCombination | None]:
    """Return a sum of the counts that excludes the cell's value, None if none was found.

    Flags among the counts are mines: each eliminates its cell from the sum.
    """
    rough = yield from oracle.farkas_weights(clues, cell, value)
    masks = {name: Count(sum(1 << c for c in cells), n) for name, (cells, n) in counts.items()}
    near = {name: w for name, w in (rough or {}).items() if name in counts}
    for flag in (name for name in counts if name.startswith("flag:")):
        often = sum(w for name, w in near.items() if masks[name].mask & masks[flag].mask)
        if abs(often) > 1e-6:
            near[flag] = -often
    return rounded_certificate(masks, near, cell, value) if near else None


def _sum_step(
    counts: Counts, total: LinearCombination, cell: int, value: int, first: int, base: int,
    last: int | None = None,
) -> str:  # fmt: skip
    """Return the step that adds up counts so that the cell's value remains.

    With the line that assumes the other value: so that a contradiction remains.
    """
    sign = 1 if total.total > total.reach(cell, 1 - value)[1] else -1
    place = {name: k for k, name in enumerate(counts)}
    weights = {place[name]: sign * weight for name, weight in total.weights.items()}
    per_cell = {base + c: sign * n for c, n in total.per_cell.items()}
    own = per_cell.get(base + cell, 0)
    if last is None:
        per_cell.pop(base + cell, None)
        return derivation(first, weights, per_cell)
    return derivation(first, weights, per_cell, {cell: last} if (own > 0) is bool(value) else {})


def whole_proof(position: Position) -> Job[Proof]:
    """Prove that a puzzle needs no guess. Raises BadOption if it needs one."""
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
            lines += count_lines([base + c for c in listed], need)
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
    """Return groups, then numbers by cell, over the unknown cells; without empty ones."""
    board = puzzle.board
    listed = {f"group:{i}": group.cells for i, group in enumerate(board.groups)}
    listed |= {f"number:{c}": board.neighbours[c] for c, n in enumerate(cells) if n >= 0}
    rest = {name: sorted(c for c in of if cells[c] == UNKNOWN) for name, of in listed.items()}
    return {name: (of, sum(puzzle.shows[c] == FLAG for c in of)) for name, of in rest.items() if of}


def _wave(
    position: Position, counts: Counts, claims: dict[int, int], first: int, base: int
) -> Job[list[tuple[int, list[str]]]]:
    """Return the claims of a wave as literals with their steps: propagation, a sum, or cases."""
    shifted = [([base + c for c in listed], need) for listed, need in counts.values()]
    bounds = count_bounds(shifted)
    found: list[tuple[int, list[str]]] = []
    pending = {base + c + 1 if v else -(base + c + 1): c for c, v in claims.items()}

    def claim(number: int, steps: list[str]) -> None:
        found.append((number, steps))
        bounds.append(({number: 1}, 1))
        del pending[number]

    with open_oracle(position) as oracle:
        for by_cases in (False, True):
            for number in list(pending):
                if number not in pending:
                    continue
                _propagate_all(pending, bounds, claim)
                if number not in pending:
                    continue
                cell, value = pending[number], int(number > 0)
                every = (1 << len(oracle.names)) - 1
                total = yield from _refuting_sum(oracle, every, counts, cell, 1 - value)
                if total is not None:
                    claim(number, [_sum_step(counts, total, cell, value, first, base)])
                elif by_cases:
                    cases = refuting_clauses(bounds, {-number}, [], [MOST_CASES])
                    claim(number, [clause([number, *one]) for one in cases])
                yield Progress(len(found), len(claims), "proving a wave")
    return found


def _propagate_all(
    pending: dict[int, int], bounds: Sequence[Bound], claim: Callable[[int, list[str]], None]
) -> None:
    """Claim what propagation proves, to a fixpoint."""
    found = True
    while found:
        found = False
        for number in list(pending):
            if propagated(bounds, {-number}) is None:
                claim(number, [clause([number])])
                found = True
