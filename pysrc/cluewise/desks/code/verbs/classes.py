"""The verb `classes`: how many guesses each filter keeps of all, and which."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.code.engine.encoding import count_guesses
from cluewise.desks.code.engine.guess_classes import (
    constraint_forest,
    filter_guesses,
    join_excluded,
    partition,
)
from cluewise.desks.code.engine.state import is_countable, load, load_consistent
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import ClassCounts, ClassesOptions
from cluewise.errors import TooLarge
from cluewise.kernel import kernel


def classes(position: Position, options: ClassesOptions) -> Job[ClassCounts]:
    """How many of all guesses each equivalence keeps, and the guesses that one of them keeps.

    `chain` is never less than `join` and sometimes more. `partition` is None over the limit.
    """
    rules = position.rules
    if not is_countable(rules):
        raise TooLarge(f"{count_guesses(rules):,} guesses are too many to sort into classes.")
    clues = [position.clues[i] for i in position.counted()]
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues, position.prior)
        load_consistent(state)
        parent = yield from constraint_forest(state)
        counts: dict[str, int] = {}
        listed = options.filter
        out = frame.reserve(4 * state.guesses)
        chosen = []
        for name in ("excluded", "colour", "constraint", "chain", "join"):
            if name == "join":
                yield from join_excluded(state, parent)
            at = out if name == listed else 0
            counts[name] = yield from filter_guesses(state, parent, name, at)
            if at:
                chosen = [state.guess(g) for g in frame.get(out, "I", counts[name])]
        parts = yield from partition(state, options.limit)
        if listed == "partition":
            chosen = [state.guess(g) for g in parts or ()]
        number = None if parts is None else len(parts)
        return ClassCounts(**counts, partition=number, representatives=chosen)
