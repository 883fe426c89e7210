"""When clues contradict: which of them cannot all hold, and which slips would explain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from cluewise.core.conflict import Fits, SmallestMuses, bit_indices
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.constraint_search import ConsistencySearch
from cluewise.desks.code.position import Position, Rules, answer
from cluewise.desks.code.results import Doubt, Repair
from cluewise.desks.code.verbs.doubt_slips import answer_distance, find_slips
from cluewise.kernel import kernel

_MOST_CONFLICTS = 10_000

Halves: TypeAlias = tuple[int | None, int | None]
"""The halves of an answer; None is not reported."""


def doubt(position: Position, options: NoOptions) -> Job[Doubt]:
    """The smallest sets of clues that cannot hold together, what mends them, and redundant clues.

    Clues are named by their place in the position; ignored ones count nowhere. A clue is
    redundant if all the others imply it (anything is implied by clues that contradict). Of clues
    that imply each other the later ones are left out of `irreducible`.
    """
    places = position.counted()
    clues = [position.clues[i] for i in places]
    with kernel().frame() as frame:
        finder = ConsistencySearch(frame, position.rules)
        search = SmallestMuses(len(clues), _fits(finder, clues))
        smallest = yield from search.run(_MOST_CONFLICTS)
        if smallest:
            repairs, idle = yield from _mend(finder, clues, places)
            slips = yield from find_slips(finder, clues, places)
            kept = smallest[0]
        else:
            repairs, slips, idle = [], [], (yield from _redundant(finder, clues))
            kept = yield from _irreducible(finder, clues, idle)
    named = [[places[i] for i in conflict] for conflict in smallest]
    rest = [places[i] for i in idle], [places[i] for i in kept]
    return Doubt(bool(smallest), named, repairs, slips, *rest, search.proved)


def _fits(finder: ConsistencySearch, clues: Sequence[Clue]) -> Fits:
    """Whether a set of clues holds; where a code is at hand, all the clues that it fits."""

    def fits(chosen: int) -> Job[int | None]:
        asked = [clues[i] for i in bit_indices(chosen)]
        if not (yield from finder.holds(asked)):
            return None
        if finder.counter is not None:
            return chosen
        code = (yield from finder.first(asked, 1))[0]
        return sum(1 << i for i in _fitting(finder.rules, clues, code))

    return fits


def _mend(
    finder: ConsistencySearch, clues: Sequence[Clue], places: Sequence[int]
) -> Job[tuple[list[Repair], list[int]]]:
    """Other answers to one clue that make sense of all; clues whose others contradict already."""
    repairs: list[Repair] = []
    idle: list[int] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), "trying other answers")
        answers = yield from finder.answers_to(clue.guess, [*clues[:i], *clues[i + 1 :]])
        repairs += (
            _repair(finder.rules, places[i], clue, *item)
            for item in _count_halves(clue, answers).items()
        )
        if not answers:  # the clue's own answer cannot be among them
            idle.append(i)
    repairs.sort(key=lambda r: (r.distance, r.clue, r.exact or 0, r.partial or 0, r.marks or ""))
    return repairs, idle


def _redundant(finder: ConsistencySearch, clues: Sequence[Clue]) -> Job[list[int]]:
    idle: list[int] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), "looking for clues that add nothing")
        if (yield from finder.implies([*clues[:i], *clues[i + 1 :]], clue)):
            idle.append(i)
    return idle


def _irreducible(
    finder: ConsistencySearch, clues: Sequence[Clue], idle: Sequence[int]
) -> Job[list[int]]:
    """Clues that say as much as all of them; redundant ones are left out, the last first."""
    kept = list(range(len(clues)))
    for i in reversed(idle):
        if (yield from finder.implies([clues[j] for j in kept if j != i], clues[i])):
            kept.remove(i)
    return kept


def _count_halves(clue: Clue, answers: Mapping[tuple[int, int], int]) -> Counter[Halves]:
    """The answers with the codes that give them, in those halves that the clue gives."""
    counts: Counter[Halves] = Counter()
    for (exact, partial), codes in answers.items():
        known = (None if clue.pair[0] is None else exact, None if clue.pair[1] is None else partial)
        counts[known] += codes
    return counts


def _repair(rules: Rules, place: int, clue: Clue, answer: Halves, remaining: int) -> Repair:
    row = rules.clue(clue.guess, answer)
    distance = answer_distance(clue, row)
    return Repair(
        place, row.exact, row.partial, remaining, distance, row.marks, row.sum, row.won
    )  # fmt: skip


def _fitting(rules: Rules, clues: Sequence[Clue], code: str) -> list[int]:
    """The clues that a code fits."""
    return [i for i, c in enumerate(clues) if c.agrees(answer(rules, c.guess, code))]
