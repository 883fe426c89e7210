"""The verb `review`: the presses of a game, each one's luck separated from its mistake.

A press is judged by the cells open before it. Flags are the player's opinion and are not used.
`win` of a cell and of a position is that of `guess`: the share of the layouts that optimal play
wins. A cell that the clues make safe has no risk: opening another one instead is a needless risk
even if the chance to win cannot be computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, prod
from typing import Literal

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, state
from cluewise.desks.mines.engine.components import ComponentCache
from cluewise.desks.mines.engine.playthrough import answers
from cluewise.desks.mines.position import Position, Revealed, graph
from cluewise.desks.mines.results import (
    Guess,
    GuessOptions,
    Review,
    ReviewedPress,
    ReviewOptions,
)
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.guess import guess
from cluewise.errors import BadPosition, Contradiction, TooLarge

NEAR = 1e-12  # rounding of quotients


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """Return all presses with their chances. Raises BadPosition without presses.

    The position before the first press has the open cells that were not pressed. The result of a
    press is taken from the solution, else from `revealed`; a pressed cell that is not open was a
    mine.
    """
    refuse_arranged(position)
    if not position.presses:
        raise BadPosition("No press of this game was recorded.", "$.presses")
    shown = _results(position)
    pressed = set(position.presses)
    now = msgspec.structs.replace(
        position, flags=(), presses=(),
        revealed=tuple(item for item in position.revealed if item.cell not in pressed),
    )  # fmt: skip
    memory, judged = ComponentCache(), list[ReviewedPress]()
    known = yield from _knowledge(now, options, memory)
    for i, cell in enumerate(position.presses):
        if cell in shown:
            revealed = (*now.revealed, Revealed(cell, shown[cell]))
            now = msgspec.structs.replace(now, revealed=revealed)
        else:
            now = msgspec.structs.replace(now, flags=(*now.flags, cell))
        after = yield from _knowledge(now, options, memory)
        judged.append(_judge(cell, cell not in shown, known, after))
        known = after
        yield Progress(i + 1, len(position.presses), "looking back")
    return _review(now, judged)


def _results(position: Position) -> dict[int, int | None]:
    """Return what every pressed cell without a mine showed."""
    known = solution(position)
    if known is None:
        return {item.cell: item.number for item in position.revealed}
    shows = answers(graph(position), *known)
    return {
        cell: None if shows[cell] == QUESTION else shows[cell]
        for cell in position.presses if shows[cell] != FLAG
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Known:
    """The knowledge before a press: forced values, mine probabilities, and chances to win."""

    forced: list[int]
    risks: list[float] | None
    guess: Guess | None

    @property
    def safe(self) -> int | None:
        """Return a cell that the clues make safe, None if there is none."""
        return next((c for c, value in enumerate(self.forced) if value == 0), None)

    @property
    def win(self) -> float | None:
        """Return the best chance to win."""
        if all(value in (1, -2) for value in self.forced):
            return 1.0
        return None if self.guess is None else self.guess.win


def _knowledge(position: Position, options: ReviewOptions, memory: ComponentCache) -> Job[_Known]:
    board, cells = graph(position), state(position)
    values = yield from memory.forced(board, cells)
    if values is None:
        raise Contradiction(CONTRADICTORY)
    try:
        found = yield from counting.count(board, cells)
    except TooLarge:
        return _Known(values.tolist(), None, None)
    assert found is not None
    risks = [found.mass(c) / found.solutions if mark == UNKNOWN else 0.0
             for c, mark in enumerate(cells)]  # fmt: skip
    best = None
    if found.solutions <= options.layouts:
        asked = GuessOptions(seconds=options.seconds, layouts=options.layouts)
        best = yield from guess(position, asked)
    return _Known(values.tolist(), risks, best)


def _judge(cell: int, mine: bool, known: _Known, then: _Known) -> ReviewedPress:
    after = 0.0 if mine else then.win
    before, risk = known.win, None if known.risks is None else known.risks[cell]
    options = {option.cell: option for option in known.guess.options} if known.guess else {}
    own = options[cell].win if cell in options else None
    kind: Literal["certain", "best", "risky", "mistake", "open"] = "open"
    if known.forced[cell] == 0:
        kind, risk, own = "certain", 0.0, before
    elif known.forced[cell] == 1:
        kind, risk, own = "mistake", 1.0, 0.0
    elif before is not None and own is not None:
        kind = "mistake" if own < before - NEAR else "best"
    elif known.safe is not None:
        kind = "risky"
    best = None
    if kind in ("mistake", "risky"):
        best = known.safe if known.safe is not None else next(iter(options), None)
    decision = None if own is None or before is None else own - before
    luck = None if own is None or after is None else after - own
    return ReviewedPress(cell, mine, risk, kind, before, decision, luck, after, best)


def _review(position: Position, judged: list[ReviewedPress]) -> Review:
    lost = any(press.mine for press in judged)
    known = solution(position)
    mines = frozenset(position.flags if known is None else known[0])
    closed = graph(position).cells - len(position.revealed) - len(mines)
    risks = [press.risk for press in judged]
    computed = [risk for risk in risks if risk is not None]
    return Review(
        judged, "lost" if lost else "open" if closed or known is None else "won",
        sum(press.kind in ("mistake", "risky") for press in judged),
        fsum(press.decision or 0.0 for press in judged),
        fsum(press.luck or 0.0 for press in judged),
        prod(1 - risk for risk in computed) if len(computed) == len(risks) else None,
    )  # fmt: skip
