"""Whether a flag is wrong; which clues contradict each other, and what would mend it."""

from __future__ import annotations

from functools import reduce
from operator import and_

import msgspec

from cluewise.core.conflict import SmallestMuses, bit_indices
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.engine.board import answer, asked_cells, chosen, with_answer
from cluewise.desks.mines.engine.simplex import SimplexQuestions, open_simplex
from cluewise.desks.mines.position import Position, clue_names, graph
from cluewise.desks.mines.results import Checked, Doubt, DoubtOptions, Repair
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.hint_arranged import fits, forced
from cluewise.errors import Contradiction, TooLarge

COUNTED = 50  # repairs, the nearest ones: counting takes longer than finding them


def doubt(position: Position, options: DoubtOptions) -> Job[Doubt]:
    """The smallest contradictions and their repairs, or else which clues say nothing new."""
    refuse_arranged(position)
    with open_simplex(position) as sums:
        names = sums.names
        everything = (1 << len(names)) - 1
        search = SmallestMuses(len(names), lambda clues: sums.most(clues, everything), grown=True)
        smallest = yield from search.run()
        if not smallest:
            redundant = (yield from _redundant(position, sums)) if options.redundant else []
            return Doubt(False, [], True, [], redundant)
        repairs = yield from _all_repairs(position, sums, smallest)
    repairs.sort(key=lambda r: (r.distance, names.index(r.clue), r.value or 0))
    for i, repair in enumerate(repairs[:COUNTED]):
        repairs[i] = yield from _counted(position, repair)
    named = [[names[clue] for clue in clues] for clues in smallest]
    return Doubt(True, named, search.proved, repairs, [])


def _all_repairs(
    position: Position, sums: SimplexQuestions, smallest: list[list[int]]
) -> Job[list[Repair]]:
    """A repair must break every contradiction, so it is in each of the smallest."""
    everything = (1 << len(sums.names)) - 1
    repairs: list[Repair] = []
    for clue in bit_indices(reduce(and_, (sum(1 << c for c in clues) for clues in smallest))):
        others = everything & ~(1 << clue)
        if (yield from sums.fits(others)) is not None:
            repairs += yield from _repairs(position, sums, clue, others)
    return repairs


def _repairs(
    position: Position, sums: SimplexQuestions, clue: int, others: int
) -> Job[list[Repair]]:
    """The other answers to one clue under which all the others hold; without it they do."""
    board, name = graph(position), sums.names[clue]
    if name.startswith("flag:"):
        return [Repair(name, None, None, 1)]
    given = answer(position, board, name)
    found: list[Repair] = []
    for value in range(len(asked_cells(position, board, name)) + 1):
        if value != given and (yield from sums.allows(others, clue, value, value)):
            found.append(Repair(name, value, None, abs(value - given)))
        yield Progress(value + 1, None, "looking for what mends it")
    return found


def _counted(position: Position, repair: Repair) -> Job[Repair]:
    """With the number of layouts that are left, unless they are too many to count."""
    mended = with_answer(position, repair.clue, repair.value)
    board = graph(mended)
    try:
        found = yield from counting.count(board, *chosen(mended, clue_names(mended), board))
    except TooLarge:
        return repair
    return msgspec.structs.replace(repair, remaining=str(found.solutions) if found else "0")


def _redundant(position: Position, sums: SimplexQuestions) -> Job[list[str]]:
    """The clues to which no layout that fits all the others gives another answer."""
    board, everything = graph(position), (1 << len(sums.names)) - 1
    found: list[str] = []
    for clue, name in enumerate(sums.names):
        others, given = everything & ~(1 << clue), answer(position, board, name)
        most = len(asked_cells(position, board, name))
        fewer = yield from sums.allows(others, clue, 0, given - 1)
        if not fewer and not (yield from sums.allows(others, clue, given + 1, most)):
            found.append(name)
        yield Progress(clue + 1, len(sums.names), "looking for clues that say nothing new")
    return found


def check(position: Position, options: NoOptions) -> Job[Checked]:
    """Whether a flag is wrong, without saying which: by the solution where it is known.

    Without one, by the layouts that fit the clues, all flags together: `yes` where none of them
    has a mine under every flag, `no` where all have, else `unsure`.
    """
    known = solution(position)
    if known is not None:
        return Checked("no" if set(position.flags) <= set(known[0]) else "yes")
    if not position.flags:
        return Checked("no")
    values = yield from forced(msgspec.structs.replace(position, flags=()))
    if values is None:
        raise Contradiction(CONTRADICTORY)
    if all(values[f] == 1 for f in position.flags):
        return Checked("no")
    return Checked("unsure" if (yield from fits(position)) else "yes")
