"""Explanations of forced cells by the smallest set of counts and an argument from them.

Every result is verified by complete search: the named clues alone force the cell.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine.arrangements import is_arranged
from cluewise.desks.mines.engine.board import state_of_clues
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.simplex import ClueSetOracle, open_oracle
from cluewise.desks.mines.engine.smallest_explanation import (
    Explanation,
    SmallestExplanation,
    is_large,
    neighbourhood_position,
)
from cluewise.desks.mines.engine.techniques import (
    Count,
    parity,
    rounded_certificate,
    unit_propagation_conflicts,
)
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.desks.mines.rating import TECHNIQUES, verdict_of
from cluewise.desks.mines.results import Deduction, Explained, ExplainOptions
from cluewise.desks.mines.verbs.explain_derivation import derived
from cluewise.desks.mines.verbs.explain_steps import (
    contradiction,
    flags_counted,
    parity_step,
    sum_step,
)
from cluewise.desks.mines.verbs.hint_arranged import explain_arranged
from cluewise.errors import BadOption, Contradiction

HARD = ("weighted", "parity", "suppose", "deeper")  # worth a look at other sets of as few counts
OTHERS = 20  # such sets
LONG = 6  # steps of a chain beyond which one sum is given instead


def explain(position: Position, options: ExplainOptions) -> Job[Explained]:
    """Return the clues and steps that decide a cell. Raises Contradiction if no layout fits.

    A flagged cell is explained as if it had no flag.
    """
    board, cell = graph(position), options.cell
    if cell >= board.cells:
        raise BadOption(f"There is no cell {cell}.", "$.options.cell")
    if any(r.cell == cell for r in position.revealed):
        raise BadOption(f"Cell {cell} is open already.", "$.options.cell")
    if is_arranged(position):
        return (yield from explain_arranged(position, cell))
    names = [n for n in clue_names(position) if n != f"flag:{cell}"]
    value = yield from _forced_value(position, board, names, cell)
    if value is None:
        return Explained("open", [], [], None, True)
    with reasoning(position, names) as reasons:
        return (yield from reasons.of(cell, value))


class Explainer:
    """Explains cells of one position; made by `reasoning`.

    Layouts found for one cell save queries for the next ones. Without an oracle, on large boards,
    each cell is explained from the clues near it, which are not proved to be the fewest.
    """

    def __init__(
        self, position: Position, names: Sequence[str], oracle: ClueSetOracle | None
    ) -> None:
        self._position, self._names, self._oracle = position, names, oracle
        self._board = graph(position)
        self._known = sum(1 << r.cell for r in position.revealed)

    def of(self, cell: int, value: int, *, crossings: bool = True) -> Job[Explained]:
        """Return the easiest argument from the fewest counts for a cell that is forced to `value`.

        Without `crossings` only by sums and harder arguments.
        """
        if self._oracle is None:
            part = yield from neighbourhood_position(self._position, self._names, cell, value)
            with open_oracle(part) as oracle:
                near = Explainer(part, self._names, oracle)
                found = yield from near.of(cell, value, crossings=crossings)
            return msgspec.structs.replace(found, smallest=len(found.clues) == 1)
        least = SmallestExplanation(self._oracle, self._known, cell, value)
        (first,) = yield from least.sets()
        found = yield from self._argue(self._oracle, first, cell, value, crossings)
        if found.technique in HARD and first.proved:
            for other in (yield from least.sets(OTHERS)):
                again = yield from self._argue(self._oracle, other, cell, value, crossings)
                found = min(found, again, key=lambda t: TECHNIQUES.index(t.technique or "deeper"))
        return found

    def _argue(
        self, oracle: ClueSetOracle, decided: Explanation, cell: int, value: int, crossings: bool
    ) -> Job[Explained]:
        """Return the first kind of argument that works with those clues."""
        every = clue_names(self._position)
        chosen = {oracle.names[i] for i in bit_indices(decided.all)}
        clues = [n for n in every if n in chosen]
        found = (yield from derived(self._position, clues, cell)) if crossings else None
        if found is None or len(found[0]) > LONG:
            sentence = yield from self._sentence(oracle, decided, cell, value)
            if found is None or sentence.technique == "sum":
                found = [sentence], sentence.technique
                clues = [n for n in every if n in sentence.from_]
        steps, technique = found
        return Explained(verdict_of(value), clues, steps, technique, decided.proved)

    def _sentence(
        self, oracle: ClueSetOracle, decided: Explanation, cell: int, value: int
    ) -> Job[Deduction]:
        """Return a single step from all the clues to the cell: a sum, parity, or a contradiction.

        Flags are subtracted from the counts, as a person would do; those that matter are named.
        """
        position, board = self._position, self._board
        flagged = sum(1 << flag for flag in oracle.flag_of if flag != cell)
        counts = {
            oracle.names[i]: Count(clue.cells & ~self._known & ~flagged,
                                   clue.want - (clue.cells & flagged).bit_count())
            for i in decided.counts for clue in [oracle.clue(i)]
        }  # fmt: skip
        rough = yield from oracle.farkas_weights(decided.all, cell, 1 - value)
        total = rounded_certificate(counts, rough, cell, 1 - value) if rough else None
        if total is not None:
            return sum_step(position, board, total, cell, value)
        even = parity(counts, cell)
        if even is not None:
            added = [name for name in oracle.names if name in even[0]]
            flags = flags_counted(position, board, dict.fromkeys(added, 1), cell, 2)
            return parity_step(position, board, [*added, *flags], cell, value)
        clues = [oracle.names[i] for i in (*decided.counts, *decided.flags)]
        plain = unit_propagation_conflicts(list(counts.values()), cell, 1 - value)
        return contradiction(position, board, clues, cell, value, "suppose" if plain else "deeper")


@contextmanager
def reasoning(position: Position, names: Sequence[str]) -> Generator[Explainer, None, None]:
    """Open an `Explainer` of a position with the named clues."""
    if is_large(state_of_clues(position, names)[0], names):
        yield Explainer(position, names, None)
        return
    with open_oracle(position) as oracle:
        yield Explainer(position, names, oracle)


def _forced_value(
    position: Position, board: Graph, names: Sequence[str], cell: int
) -> Job[int | None]:
    """Return 1 or 0 if the cell is forced, None if it is open."""
    state, clues = state_of_clues(position, names)
    with open_search(board, state, clues) as search:
        safe = yield from search.exists(cell, 0)
        mine = yield from search.exists(cell, 1)
    if not safe and not mine:
        raise Contradiction(CONTRADICTORY)
    return None if safe and mine else int(mine)
