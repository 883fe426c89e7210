"""Contradictions: whether a flag is wrong, minimal sets of clues that contradict, their repairs.

The smallest contradictions are smallest MUSes of the clues (core/conflict.py). A repair changes one
clue so that all others can hold; it lies in every MUS, so only their intersection is tried.
"""

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
from cluewise.desks.mines.engine.board import (
    clue_cells,
    clue_count,
    state_of_clues,
    with_clue_count,
)
from cluewise.desks.mines.engine.simplex import ClueSetOracle, open_oracle
from cluewise.desks.mines.position import Position, clue_names, graph
from cluewise.desks.mines.results import Checked, Doubt, DoubtOptions, Repair
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.hint_arranged import fits, forced
from cluewise.errors import Contradiction, TooLarge

COUNTED = 50  # repairs with the smallest change whose layouts are counted


def doubt(position: Position, options: DoubtOptions) -> Job[Doubt]:
    """Return the smallest contradictions and their repairs, else the redundant clues."""
    refuse_arranged(position)
    with open_oracle(position) as oracle:
        names = oracle.names
        everything = (1 << len(names)) - 1
        search = SmallestMuses(len(names), lambda clues: oracle.grow(clues, everything), grown=True)
        smallest = yield from search.run()
        if not smallest:
            redundant = (yield from _redundant(position, oracle)) if options.redundant else []
            return Doubt(False, [], True, [], redundant)
        repairs = yield from _all_repairs(position, oracle, smallest)
    repairs.sort(key=lambda r: (r.distance, names.index(r.clue), r.value or 0))
    for i, repair in enumerate(repairs[:COUNTED]):
        repairs[i] = yield from _counted(position, repair)
    named = [[names[clue] for clue in clues] for clues in smallest]
    return Doubt(True, named, search.proved, repairs, [])


def _all_repairs(
    position: Position, oracle: ClueSetOracle, smallest: list[list[int]]
) -> Job[list[Repair]]:
    """Return the repairs: changes of a clue that occurs in each of the smallest contradictions."""
    everything = (1 << len(oracle.names)) - 1
    repairs: list[Repair] = []
    for clue in bit_indices(reduce(and_, (sum(1 << c for c in clues) for clues in smallest))):
        others = everything & ~(1 << clue)
        if (yield from oracle.fits(others)) is not None:
            repairs += yield from _repairs(position, oracle, clue, others)
    return repairs


def _repairs(
    position: Position, oracle: ClueSetOracle, clue: int, others: int
) -> Job[list[Repair]]:
    """Return the other counts of one clue with which the others, satisfiable together, can hold."""
    board, name = graph(position), oracle.names[clue]
    if name.startswith("flag:"):
        return [Repair(name, None, None, 1)]
    stated = clue_count(position, board, name)
    found: list[Repair] = []
    for value in range(len(clue_cells(board, name)) + 1):
        if value != stated and (yield from oracle.allows(others, clue, value, value)):
            found.append(Repair(name, value, None, abs(value - stated)))
        yield Progress(value + 1, None, "looking for repairs")
    return found


def _counted(position: Position, repair: Repair) -> Job[Repair]:
    """Return the repair with its number of layouts, unless they are too many to count."""
    repaired = with_clue_count(position, repair.clue, repair.value)
    try:
        cells, clues = state_of_clues(repaired, clue_names(repaired))
        found = yield from counting.count(graph(repaired), cells, clues)
    except TooLarge:
        return repair
    return msgspec.structs.replace(repair, remaining=str(found.solutions) if found else "0")


def _redundant(position: Position, oracle: ClueSetOracle) -> Job[list[str]]:
    """Return the clues that the others imply."""
    board, everything = graph(position), (1 << len(oracle.names)) - 1
    found: list[str] = []
    for clue, name in enumerate(oracle.names):
        others, stated = everything & ~(1 << clue), clue_count(position, board, name)
        most = len(clue_cells(board, name))
        fewer = yield from oracle.allows(others, clue, 0, stated - 1)
        if not fewer and not (yield from oracle.allows(others, clue, stated + 1, most)):
            found.append(name)
        yield Progress(clue + 1, len(oracle.names), "looking for redundant clues")
    return found


def check(position: Position, options: NoOptions) -> Job[Checked]:
    """Return whether a flag is wrong, without naming it: by the solution if it is known.

    Otherwise by the layouts that fit the clues: `yes` if none has a mine under every flag, `no` if
    all have, else `unsure`.
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
