"""The least total of a large set of codes, answer by answer of its first guess.

What an answer leaves is a question by itself: its codes follow from the clues, and how few guesses
they take does not depend on what the other answers leave. So these are pieces that other processes
can work out. Only the limit above which a piece need not go comes from outside, and it comes from
the bounds of a look ahead alone: the same strategy is found by any number of workers in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.optimal import NEVER, RootProgress, Search, Words, remaining_depth
from cluewise.desks.code.engine.state import cell_names, unpack
from cluewise.desks.code.engine.subproblems import (
    Subproblem,
    SubproblemQueue,
    Task,
    TaskResult,
    make_subproblem,
    solve_task,
)
from cluewise.desks.code.tree import Branch

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.work import Pause

LARGE = 2000
"""Sets of more codes are worked out answer by answer; for smaller ones that is no gain."""

Others: TypeAlias = "Callable[[Iterator[Task | None]], Generator[TaskResult | Pause, None, None]]"
"""The parts of pieces, in the pieces' order, worked out elsewhere; pauses until they are. `None` in
place of a piece: there is none before another part is back."""


class ParallelOptimal(Search):
    """A search whose first guess is chosen here, and whose answers are worked out in pieces.

    By `others`, without them here, one after the other.
    """

    others: Others | None = None
    inner: Search | None = None
    course: Subproblem | None = None
    strategy: Branch | None = None

    def _try(
        self,
        secrets: Words,
        path: Words,
        guess: int,
        bounds: Words,
        depth: int,
        stage: RootProgress,
    ) -> Job[int]:
        stage.cost = bounds[0]
        word = self.frame.get(self.state.space + 8 * guess, "Q", 1)
        sets = sorted(self.state.split(word[0], secrets), key=lambda item: len(item[1]))
        if self.others is not None:
            sets.reverse()  # the longest are begun first
        courses = {cell: self._course(word, cell, stage, bounds, remaining_depth(depth), len(words))
                   for cell, words in sets}  # fmt: skip
        with closing(self._found(list(courses.values()), stage)) as found:
            for one in found:
                if not isinstance(one, Subproblem):
                    yield one
                    continue
                assert one.found is not None
                stage.cost += one.found.total - one.first_bound
                stage.solved += one.n
                if stage.cost >= stage.limit:
                    return stage.cost
        parts = {cell: one.found for cell, one in courses.items() if one.found is not None}
        self.deep = 1 + max((part.worst for part in parts.values()), default=0)
        self.strategy = self._joined(word, len(secrets), parts)
        return stage.cost

    def _course(
        self, word: Words, cell: int, stage: RootProgress, bounds: Words, depth: int, n: int
    ) -> Subproblem:
        rules = self.state.rules
        exact, partial = rules.answers()[cell]
        clue = Clue(unpack(word[0], rules.pegs), exact, partial)
        limit = min(NEVER, stage.limit - (bounds[0] - bounds[1 + cell]))
        clues = (*self.state.clues[len(rules.given()) :], clue)
        piece = Task(rules, clues, depth, limit, bool(self.consistent_only))
        return make_subproblem(piece, n, bounds[1 + cell])

    def _found(
        self, courses: Sequence[Subproblem], stage: RootProgress
    ) -> Generator[Progress | Subproblem, None, None]:
        """The courses as they finish, whichever worker computes their pieces."""
        line = SubproblemQueue(courses)
        for one in courses:
            yield from one.fill()
        with ExitStack() as stack:
            shared = None
            if self.others is not None:
                shared = stack.enter_context(closing(self.others(line)))
            while open_ := [one for one in courses if one.found is None]:
                self.course = open_[0]
                stage.cell, stage.cell_bound = self.course.n, self.course.first_bound
                yield self.progress()
                part = yield from self._here(line) if shared is None else self._there(shared)
                one = yield from line.take(part)
                if one.found is not None:
                    stage.cell = stage.cell_bound = 0
                    self.course = None
                    yield one

    def _here(self, line: SubproblemQueue) -> Job[TaskResult]:
        piece = next(line)
        assert piece is not None
        try:
            job = solve_task(piece, self._watch)
            return (yield from map_progress(job, lambda _: self.progress()))
        finally:
            self.inner = None

    def _watch(self, search: Search) -> None:
        self.inner = search

    def _there(self, shared: Iterator[TaskResult | Pause]) -> Job[TaskResult]:
        """The next part that others work out."""
        while not isinstance(found := next(shared), TaskResult):
            yield replace(self.progress(), waits=found.idle)
        return found

    def _joined(self, word: Words, n: int, found: dict[int, TaskResult]) -> Branch:
        """The first guess over what is played after each answer, in the answers' order."""
        names = cell_names(self.state.rules)
        answers = {names[cell]: found[cell].tree for cell in sorted(found)}
        guess = unpack(word[0], self.state.rules.pegs)
        return Branch(guess, n, {name: tree for name, tree in answers.items() if tree})

    def bound_at(self, level: int) -> int:
        """The same with the course at hand below."""
        if level != 1 or self.course is None:
            return super().bound_at(level)
        below = 0 if self.inner is None or self.course.is_cut else self.inner.bound_at(0)
        return max(self.course.bound, below)

    def share_at(self, level: int) -> float:
        """The same with the course at hand below."""
        if level != 1 or self.course is None:
            return super().share_at(level)
        if self.inner is None or self.course.is_cut:
            return self.course.share()
        return self.inner.share_at(0)

    def tree(self, secrets: Words, path: Words, depth: int) -> Job[Branch]:
        """The strategy that was put together; of few codes, that of the solver."""
        if self.strategy is None:
            return (yield from super().tree(secrets, path, depth))
        return self.strategy
