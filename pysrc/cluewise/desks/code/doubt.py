"""When clues contradict: which of them cannot all hold, and which other answer would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress, finish
from cluewise.desks.code.engine.count import Finder
from cluewise.desks.code.position import Clue, Position, Rules, answer
from cluewise.desks.code.results import Doubt, Repair
from cluewise.kernel import kernel


def doubt(position: Position, options: NoOptions) -> Job[Doubt]:
    """The smallest sets of clues that cannot hold together, repairs, and redundant clues.

    Clues are named by their place in the position; ignored ones count nowhere. A clue is
    redundant if all the others imply it (anything is implied by clues that contradict). Of clues
    that imply each other the later ones are left out of `irreducible`.
    """
    places = position.counted()
    clues = [position.clues[i] for i in places]
    with kernel().frame() as frame:
        finder = Finder(frame, position.rules)
        consistent = yield from finder.holds(clues)
        smallest = [] if consistent else (yield from _smallest(finder, clues))
        repairs: list[Repair] = []
        redundant: list[int] = []
        for i, clue in enumerate(clues):
            yield Progress(i, len(clues), "trying other answers")
            others = clues[:i] + clues[i + 1 :]
            if consistent:
                implied = yield from finder.implies(others, clue)
            else:
                answers = yield from finder.answers_to(clue.guess, others)
                repairs += (_repair(places[i], clue, *item) for item in answers.items())
                implied = not answers  # the clue itself cannot be among them
            if implied:
                redundant.append(places[i])
        kept = smallest[0] if smallest else list(range(len(clues)))
        for i in reversed([places.index(place) for place in redundant] if consistent else []):
            others = [clues[j] for j in kept if j != i]
            if (yield from finder.implies(others, clues[i])):
                kept.remove(i)
    repairs.sort(key=lambda r: (r.distance, r.clue, r.exact, r.partial))
    named = [[places[i] for i in conflict] for conflict in smallest]
    return Doubt(not consistent, named, repairs, redundant, [places[i] for i in kept])


def is_contradictory(rules: Rules, clues: Sequence[Clue]) -> bool:
    """Whether the clues, as constraints on the secret, leave no code."""
    return finish(doubt(Position(rules, tuple(clues)), NoOptions())).contradiction


def redundant(rules: Rules, clues: Sequence[Clue]) -> list[int]:
    """Places of the clues that all the others imply, ascending: `[0, 2]`."""
    return finish(doubt(Position(rules, tuple(clues)), NoOptions())).redundant


def is_irreducible(rules: Rules, clues: Sequence[Clue]) -> bool:
    """Whether none of the clues is redundant: each rules out a code that the others allow."""
    return not redundant(rules, clues)


def _repair(place: int, clue: Clue, answer: tuple[int, int], remaining: int) -> Repair:
    exact, partial = answer
    distance = abs(exact - clue.exact) + abs(partial - clue.partial)
    return Repair(place, exact, partial, remaining, distance)


def _smallest(finder: Finder, clues: Sequence[Clue]) -> Job[list[list[int]]]:
    """All conflicts of least size. Sets that fit one code together are not tried again."""
    holding: list[frozenset[int]] = []
    for size in range(1, len(clues) + 1):
        found: list[list[int]] = []
        for tried, subset in enumerate(combinations(range(len(clues)), size)):
            if any(known.issuperset(subset) for known in holding):
                continue
            yield Progress(tried, None, f"looking for {size} clues that cannot all hold")
            chosen = [clues[i] for i in subset]
            if not (yield from finder.holds(chosen)):
                found.append(list(subset))
            elif finder.counter is None:
                code = (yield from finder.first(chosen, 1))[0]
                holding.append(frozenset(_fitting(finder.rules, clues, code)))
        if found:
            return found
    return []


def _fitting(rules: Rules, clues: Sequence[Clue], code: str) -> list[int]:
    """The clues that a code fits."""
    return [i for i, c in enumerate(clues) if answer(rules, c.guess, code) == (c.exact, c.partial)]
