"""Explanations of forced cells by the smallest set of counts and an argument from them.

Every result is verified by complete search: the named clues alone force the cell.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

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
from cluewise.desks.mines.rating import TECHNIQUES
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
    value = yield from _verdict(position, board, names, cell)
    if value is None:
        return Explained("open", [], [], None, True)
    with reasoning(position, board, names) as reasons:
        return (yield from reasons.of(cell, value))


class Explainer:
    """Explains cells of one position; made by `reasoning`.

    Layouts found for one cell save queries for the next ones.
    """

    def __init__(
        self, position: Position, board: Graph, names: Sequence[str], oracle: ClueSetOracle | None
    ) -> None:
        self._position, self._board, self._names, self._oracle = position, board, names, oracle

    def of(self, cell: int, value: int, *, crossings: bool = True) -> Job[Explained]:
        """Explain a cell that is known to be forced to `value`.

        On large boards from the clues near the cell, not proved to be the fewest. Without
        `crossings` only by sums and harder arguments.
        """
        if self._oracle is not None:
            case = _ForcedCell(
                self._position, self._board, self._oracle, cell, value, crossings
            )  # fmt: skip
            return (yield from case.explain())
        part = yield from neighbourhood_position(
            self._position, self._board, self._names, cell, value
        )
        with open_oracle(part) as oracle:
            case = _ForcedCell(part, graph(part), oracle, cell, value, crossings)
            found = yield from case.explain()
        return msgspec.structs.replace(found, smallest=len(found.clues) == 1)


@contextmanager
def reasoning(
    position: Position, board: Graph, names: Sequence[str]
) -> Generator[Explainer, None, None]:
    """Open an `Explainer` of a position with the named clues."""
    if is_large(state_of_clues(position, names, board)[0], names):
        yield Explainer(position, board, names, None)
        return
    with open_oracle(position) as oracle:
        yield Explainer(position, board, names, oracle)


@dataclass(frozen=True, slots=True)
class _ForcedCell:
    """A cell that is forced to `value`, with its position and the oracle for sets of clues."""

    position: Position
    board: Graph
    oracle: ClueSetOracle
    cell: int
    value: int
    crossings: bool

    def explain(self) -> Job[Explained]:
        """Return the easiest argument from the fewest counts."""
        verdict: Literal["safe", "mine"] = "mine" if self.value else "safe"
        known = sum(1 << r.cell for r in self.position.revealed)
        least = SmallestExplanation(self.oracle, known, self.cell, self.value)
        (first,) = yield from least.sets()
        found = yield from self._argue(first)
        if found.technique in HARD and first.proved:
            for other in (yield from least.sets(OTHERS)):
                again = yield from self._argue(other)
                found = min(found, again, key=lambda t: TECHNIQUES.index(t.technique or "deeper"))
        return msgspec.structs.replace(found, verdict=verdict)

    def _argue(self, decided: Explanation) -> Job[Explained]:
        """Return the first kind of argument that works with those clues."""
        position, every = self.position, clue_names(self.position)
        chosen_names = {self.oracle.names[i] for i in bit_indices(decided.all)}
        clues = [n for n in every if n in chosen_names]
        found = None
        if self.crossings:
            found = yield from derived(position, self.board, clues, self.cell)
        if found is None or len(found[0]) > LONG:
            sentence = yield from self._sentence(decided)
            if found is None or sentence.technique == "sum":
                found = [sentence], sentence.technique
                clues = [n for n in every if n in sentence.from_]
        steps, technique = found
        return Explained("open", clues, steps, technique, decided.proved)

    def _sentence(self, decided: Explanation) -> Job[Deduction]:
        """Return a single step from all the clues to the cell: a sum, parity, or a contradiction.

        Flags are subtracted from the counts, as a person would do; those that matter are named.
        """
        position, board, oracle, cell, value = (
            self.position, self.board, self.oracle, self.cell, self.value
        )  # fmt: skip
        known = sum(1 << r.cell for r in position.revealed)
        flagged = sum(1 << flag for flag in oracle.flag_of if flag != cell)
        counts = {
            oracle.names[i]: Count(oracle.clue(i).cells & ~known & ~flagged,
                                 oracle.clue(i).want - (oracle.clue(i).cells & flagged).bit_count())
            for i in decided.counts
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


def _verdict(position: Position, board: Graph, names: Sequence[str], cell: int) -> Job[int | None]:
    """Return 1 or 0 if the cell is forced, None if it is open."""
    state, clues = state_of_clues(position, names, board)
    with open_search(board, state, clues) as search:
        safe = yield from search.exists(cell, 0)
        mine = yield from search.exists(cell, 1)
    if not safe and not mine:
        raise Contradiction(CONTRADICTORY)
    return None if safe and mine else int(mine)
