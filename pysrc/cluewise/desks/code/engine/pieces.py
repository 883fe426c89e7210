"""Pieces of the search for an optimal strategy: what answers leave, to be played in few guesses.

A piece says all that its part follows from, so that any process can work it out, in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import cell_names, pack_guesses
from cluewise.desks.code.engine.optimal import Search
from cluewise.desks.code.engine.state import load, load_space
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import Branch
from cluewise.kernel import kernel


class Task(msgspec.Struct, frozen=True):
    """What clues leave, to be played in at most `depth` guesses and in all below `limit`.

    With a guess it is what that guess's `cells` leave: the number of each with a bound of its
    total; `depth` and `limit` are for what comes after the guess.
    """

    rules: Rules
    clues: tuple[Clue, ...]
    depth: int
    limit: int
    consistent_only: bool
    guess: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class TaskResult(msgspec.Struct, frozen=True):
    """A piece's total (from the limit on: a bound of it), its most guesses, and how to play it.

    The tree of a piece with a guess begins with that guess and has the answers of its cells.
    """

    total: int
    worst: int
    tree: Branch | None = None


def solve_task(piece: Task, watch: Callable[[Search], object] | None = None) -> Job[TaskResult]:
    """The least total of one piece and its strategy; `watch` is given the search beforehand."""
    with kernel().frame() as frame:
        state = yield from load(frame, piece.rules, piece.clues)
        yield from load_space(state)
        search = Search(state, piece.consistent_only)
        if watch is not None:
            watch(search)
        if piece.guess:
            return (yield from _of_cells(search, piece))
        secrets, path = search.secrets(), search.clues()
        total = yield from search.total(secrets, path, piece.depth, piece.limit, 1)
        if total >= piece.limit:
            return TaskResult(total, 0)
        worst = search.deep
        return TaskResult(total, worst, (yield from search.tree(secrets, path, piece.depth)))


def _of_cells(search: Search, piece: Task) -> Job[TaskResult]:
    """The cells one after the other, small ones first: they are cheap to refute."""
    word = pack_guesses([piece.guess])
    path, bounds = search.clues() + word, dict(piece.cells)
    sets = {c: words for c, words in search.state.split(word[0], search.secrets()) if c in bounds}
    cost, worst = sum(bounds.values()), 0
    for cell, words in sorted(sets.items(), key=lambda item: len(item[1])):
        room = piece.limit - (cost - bounds[cell])
        cost += (yield from search.total(words, path, piece.depth, room, 1)) - bounds[cell]
        worst = max(worst, search.deep)
        if cost >= piece.limit:
            return TaskResult(cost, 0)
    names, answers = cell_names(piece.rules), dict[str, Branch]()
    for cell, words in sets.items():
        answers[names[cell]] = yield from search.tree(words, path, piece.depth)
    return TaskResult(cost, worst, Branch(piece.guess, sum(map(len, sets.values())), answers))


def solve_task_json(piece: Any) -> Job[Any]:
    """A part, for a process that is given the piece as JSON values."""
    return msgspec.to_builtins((yield from solve_task(msgspec.convert(piece, Task))))
