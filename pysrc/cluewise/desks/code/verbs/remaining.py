"""The verb `remaining`: how many codes fit, and a list of them."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.code.engine.constraint_search import ConsistencySearch
from cluewise.desks.code.engine.state import load
from cluewise.desks.code.position import SYMBOLS, Position
from cluewise.desks.code.results import Remaining, RemainingOptions
from cluewise.kernel import kernel

MOST_COUNTED = 10_000  # codes whose colours are counted


def remaining(position: Position, options: RemainingOptions) -> Job[Remaining]:
    """How many codes fit all clues that count, and the first of them; 0 is an answer too."""
    clues = [position.clues[i] for i in position.counted()]
    with kernel().frame() as frame:
        if position.prior is not None:
            state = yield from load(frame, position.rules, clues, position.prior)
            return Remaining(state.n, state.words(state.secrets, min(options.top, state.n)))
        finder = ConsistencySearch(frame, position.rules)
        count = yield from finder.count(clues)
        if not options.colours or count > MOST_COUNTED:
            codes = yield from finder.first(clues, min(options.top, count))
            return Remaining(count, codes)
        codes = yield from finder.first(clues, count)
    symbols = SYMBOLS[: position.rules.colours]
    places = [[column.count(symbol) for symbol in symbols] for column in _columns(codes, position)]
    holding = [sum(symbol in code for code in codes) for symbol in symbols]
    return Remaining(count, codes[: options.top], holding, places)


def _columns(codes: list[str], position: Position) -> list[str]:
    """The symbols of all codes at each peg: `["01", "23"]` for the codes `02` and `13`."""
    return ["".join(code[peg] for code in codes) for peg in range(position.rules.pegs)]
