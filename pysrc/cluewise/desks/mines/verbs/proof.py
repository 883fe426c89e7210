"""A forced cell's proof as files that anybody's checker can read."""

from __future__ import annotations

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.engine.arrangements import Expanded, expanded, is_arranged
from cluewise.desks.mines.engine.clues import answer, asked_cells
from cluewise.desks.mines.engine.simplex import open_simplex
from cluewise.desks.mines.engine.techniques import Count, rounded_certificate
from cluewise.desks.mines.formats.veripb import case_split_proof, cutting_planes_proof, formula
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.results import ExplainOptions, Proof, ProofOptions
from cluewise.desks.mines.verbs.explain import explain
from cluewise.desks.mines.verbs.proof_whole import whole_proof
from cluewise.errors import BadOption


def proof(position: Position, options: ProofOptions) -> Job[Proof]:
    """The formula and its refutation, for a cell or for the whole level.

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
    named = dict.fromkeys(_real_name(wide, clue) for clue in found.clues)
    return msgspec.structs.replace(found, clues=list(named))


def _real_name(wide: Expanded, clue: str) -> str:
    """The clue's name on the real board."""
    kind, _, index = clue.partition(":")
    return wide.owners[int(index)] if kind == "group" else clue


def _cell_proof(position: Position, cell: int) -> Job[Proof]:
    """From the clues that `explain` names: a sum where there is one, else case by case."""
    if cell < 0:
        raise BadOption(f"There is no cell {cell}.", "$.options.cell")
    reason = yield from explain(position, ExplainOptions(cell))
    if reason.verdict == "open":
        raise BadOption("Both are possible: there is nothing to prove.", "$.options.cell")
    board, value = graph(position), int(reason.verdict == "mine")
    opened = {r.cell for r in position.revealed}
    counts = [
        ([c for c in asked_cells(position, board, name) if c not in opened],
         answer(position, board, name))
        for name in reason.clues
    ]  # fmt: skip
    with open_simplex(position) as sums:
        chosen = {name: sums.names.index(name) for name in reason.clues}
        every = sum(1 << i for i in chosen.values())
        rough = yield from sums.refuted(every, cell, 1 - value)
    if rough is not None:
        order = list(chosen.values())
        masks = {
            k: Count(sum(1 << c for c in cells), need) for k, (cells, need) in enumerate(counts)
        }
        near = {order.index(i): w for i, w in rough.items()}
        near |= _flag_weights(near, masks, reason.clues)
        total = rounded_certificate(masks, near, cell, 1 - value) if near else None
        if total is not None:
            text = cutting_planes_proof(counts, total.weights, cell, 1 - value)
            return Proof(reason.verdict, reason.clues, formula(counts, cell, 1 - value), text)
    text = case_split_proof(counts, cell, 1 - value)
    return Proof(reason.verdict, reason.clues, formula(counts, cell, 1 - value), text)


def _flag_weights(
    near: dict[int, float], masks: dict[int, Count], clues: list[str]
) -> dict[int, float]:
    """Flags are mines: each takes its cell out of the sum."""
    found = {}
    for k, name in enumerate(clues):
        if name.startswith("flag:"):
            cell = next(iter(bit_indices(masks[k].mask)))
            often = sum(w for q, w in near.items() if masks[q].mask >> cell & 1)
            if abs(often) > 1e-6:
                found[k] = -often
    return found
