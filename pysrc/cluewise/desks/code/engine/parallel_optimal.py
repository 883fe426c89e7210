"""Parallel branch and bound for the least total of a large set of codes.

The cells of the first guess are independent subproblems: their codes follow from the clues, and the
least total of a cell does not depend on the others. A TASK is self-contained, so that any process
can solve it, in any order.

A SUBPROBLEM is one cell of the first guess, solved by batches of tasks. A small one is a single
task. One of more than `CUT` codes takes two batches: first the cells of two guesses, the one with
the most even split and the one with the least lower bound; then, with the better of their totals as
the cutoff, every other guess that the look-ahead does not refute, a task each. Cutoffs depend on
bounds and totals alone, never on timing: any number of workers finds the same strategy.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.optimal import (
    NEVER,
    Cells,
    Codes,
    RootProgress,
    Search,
    remaining_depth,
)
from cluewise.desks.code.engine.state import cell_names, load, load_space, pack_guesses, unpack
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import Branch
from cluewise.kernel import kernel

if TYPE_CHECKING:  # loaded at run time only where tasks go to workers
    from cluewise.core.work import Pause

LARGE = 2000
"""Sets of more codes are divided into subproblems; smaller ones would not gain."""
CUT = 1000
"""Sets of more codes are cut; one of 720 takes a third of a second."""
_OWN = 100  # cells of more codes are tasks of their own


class Task(msgspec.Struct, frozen=True):
    """A search for the least total of the codes consistent with the clues.

    Each code in at most `depth` guesses; `limit` is the cutoff. With a guess only some of its cells
    are searched: `cells` are pairs of a cell's number and a lower bound of its total; `depth` and
    `limit` then apply below the guess.
    """

    rules: Rules
    clues: tuple[Clue, ...]
    depth: int
    limit: int
    consistent_only: bool
    guess: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class TaskResult(msgspec.Struct, frozen=True):
    """A task's total (from the limit on a lower bound), its worst case and its decision tree.

    The root of the tree of a task with a guess is that guess, with the answers of the cells.
    """

    total: int
    worst: int
    tree: Branch | None = None


def solve_task(task: Task, watch: Callable[[Search], object] | None = None) -> Job[TaskResult]:
    """Solve a task; `watch` is called with the search before it starts."""
    with kernel().frame() as frame:
        state = yield from load(frame, task.rules, task.clues)
        yield from load_space(state)
        search = Search(state, task.consistent_only)
        if watch is not None:
            watch(search)
        if task.guess:
            return (yield from _solve_cells(search, task))
        secrets, path = state.codes(), search.clues()
        total = yield from search.total(secrets, path, task.depth, task.limit, 1)
        if total >= task.limit:
            return TaskResult(total, 0)
        worst = search.deep
        return TaskResult(total, worst, (yield from search.tree(secrets, path, task.depth)))


def _solve_cells(search: Search, task: Task) -> Job[TaskResult]:
    """Solve a task's cells, small ones first: they are cheap to refute."""
    state, word = search.state, pack_guesses([task.guess])
    path, bounds = search.clues() + word, dict(task.cells)
    sets = {c: words for c, words in state.split(word[0], state.codes()) if c in bounds}
    cost, worst = sum(bounds.values()), 0
    for cell, words in sorted(sets.items(), key=lambda item: len(item[1])):
        room = task.limit - (cost - bounds[cell])
        cost += (yield from search.total(words, path, task.depth, room, 1)) - bounds[cell]
        worst = max(worst, search.deep)
        if cost >= task.limit:
            return TaskResult(cost, 0)
    names, answers = cell_names(task.rules), dict[str, Branch]()
    for cell, words in sets.items():
        answers[names[cell]] = yield from search.tree(words, path, task.depth)
    return TaskResult(cost, worst, Branch(task.guess, sum(map(len, sets.values())), answers))


def solve_task_json(task: Any) -> Job[Any]:
    """Solve a task in a process that receives it as JSON values."""
    return msgspec.to_builtins((yield from solve_task(msgspec.convert(task, Task))))


class GuessBounds(NamedTuple):
    """A guess with a lower bound of its total, and the bounds and sizes of its cells."""

    guess: str
    bound: int
    bounds: dict[int, int]
    sizes: dict[int, int]


BatchJob: TypeAlias = Generator[Progress | Sequence[Task], Sequence[TaskResult], TaskResult]
"""Yields progress and batches of tasks; a batch's results are sent back to it."""


class Subproblem:
    """A cell of `n` codes; `bound` is a lower bound of its total, `found` its result."""

    def __init__(self, task: Task, n: int, bound: int) -> None:
        self.task, self.n, self.bound = task, n, bound
        self.first_bound = bound
        self.is_cut = n > CUT
        self.found: TaskResult | None = None
        self.waiting: deque[Task] = deque()
        self._best = TaskResult(task.limit, 0)
        self._job = self._solve_by_guesses() if self.is_cut else self._solve_at_once()
        self._batches = self._batch_size = 0
        self._results: list[TaskResult] = []

    def fill(self) -> Job[None]:
        """Queue the next batch once the last one has all its results."""
        if len(self._results) < self._batch_size:
            return
        results, self._results = self._results, []
        try:
            batch = self._job.send(results) if self._batches else next(self._job)
            while isinstance(batch, Progress):
                yield batch
                batch = next(self._job)
        except StopIteration as stop:
            self.found = stop.value
            return
        self.waiting.extend(batch)
        self._batches, self._batch_size = self._batches + 1, len(batch)

    def take(self, result: TaskResult) -> None:
        """Add the result of the next task."""
        self._results.append(result)

    def share(self) -> float:
        """Return the share of a cut subproblem that is done, 0 … 1; a batch counts as a half."""
        return (self._batches - 1 + len(self._results) / max(1, self._batch_size)) / 2

    def _solve_at_once(self) -> BatchJob:
        [result] = yield [self.task]
        return result

    def _solve_by_guesses(self) -> BatchJob:
        rows = yield from self._look_ahead()
        self._raise_bound(rows)
        rows[1:] = sorted(rows[1:], key=lambda row: row.bound)
        first = rows[:2]
        pairs = [(row, task) for row in first for task in self._tasks_of(row)]
        pairs.sort(key=lambda pair: -max(pair[0].sizes[c] for c, _ in pair[1].cells))
        yield from self._improve(first, pairs)
        others = [row for row in rows[2:] if row.bound < self._best.total]
        self._raise_bound(others)
        pairs = [(row, self._task(row, set(row.sizes))) for row in others]
        yield from self._improve(others, pairs)
        return self._best

    def _raise_bound(self, rows: Sequence[GuessBounds]) -> None:
        """Raise the bound to the least one of the open guesses and the best total."""
        self.bound = max(self.bound, min([self._best.total, *(row.bound for row in rows)]))

    def _look_ahead(self) -> Job[list[GuessBounds]]:
        """Return the guesses that the look-ahead does not refute, the most even split first."""
        task = self.task
        with kernel().frame() as frame:
            state = yield from load(frame, task.rules, task.clues)
            yield from load_space(state)
            search = Search(state, task.consistent_only)
            secrets, path = state.codes(), search.clues()
            ranked = search.candidates(secrets, path, task.depth, task.limit)
            guesses = [guess for _, guess in ranked]
            looked = yield from search.look(secrets, path, guesses, task.depth, task.limit)
            rows = []
            for bounds, guess in looked:
                word = search.word(guess)
                sizes = {cell: len(words) for cell, words in state.split(word, secrets)}
                text = unpack(word, task.rules.pegs)
                low = {cell: bounds[1 + cell] for cell in sizes}
                rows.append(GuessBounds(text, bounds[0], low, sizes))
            return rows

    def _tasks_of(self, row: GuessBounds) -> list[Task]:
        """Divide a guess into tasks: one for each large cell, one for all others."""
        large = {cell for cell, size in row.sizes.items() if size > _OWN}
        groups = [*({cell} for cell in sorted(large)), set(row.sizes) - large]
        return [self._task(row, some) for some in groups if some]

    def _task(self, row: GuessBounds, some: set[int]) -> Task:
        """Return the task of some cells of a guess."""
        cells = tuple((cell, row.bounds[cell]) for cell in sorted(some))
        limit = self._best.total - row.bound + sum(bound for _, bound in cells)
        depth = remaining_depth(self.task.depth)
        return msgspec.structs.replace(
            self.task, depth=depth, limit=min(NEVER, limit), guess=row.guess, cells=cells
        )

    def _improve(
        self, rows: Sequence[GuessBounds], pairs: Sequence[tuple[GuessBounds, Task]]
    ) -> BatchJob:
        """Yield the tasks of some guesses as a batch and keep the best; the first of equal ones."""
        if not pairs:
            return self._best
        results = yield [task for _, task in pairs]
        for row in rows:
            mine = [
                (task, result)
                for (own, task), result in zip(pairs, results, strict=True)
                if own is row
            ]
            gained = sum(result.total - sum(b for _, b in task.cells) for task, result in mine)
            trees = [result.tree for _, result in mine if result.tree]
            if row.bound + gained < self._best.total and len(trees) == len(mine):
                worst = 1 + max(result.worst for _, result in mine)
                answers = {name: child for tree in trees for name, child in tree.answers.items()}
                branch = join_branches(self.task.rules, row.guess, self.n, answers)
                self._best = TaskResult(row.bound + gained, worst, branch)
        return self._best


def join_branches(rules: Rules, guess: str, n: int, answers: Mapping[str, Branch]) -> Branch:
    """Return the tree of a guess over the trees of its answers, in the answers' order."""
    order = (name for name in cell_names(rules) if name in answers)
    return Branch(guess, n, {name: answers[name] for name in order})


class SubproblemQueue:
    """Iterates over the tasks of subproblems in their order; `None` while none is waiting.

    Results must be returned in the order of the tasks.
    """

    def __init__(self, subproblems: Sequence[Subproblem]) -> None:
        self._subproblems = subproblems
        self._started: deque[Subproblem] = deque()

    def __iter__(self) -> Iterator[Task | None]:
        return self

    def __next__(self) -> Task | None:
        for one in self._subproblems:
            if one.waiting:
                self._started.append(one)
                return one.waiting.popleft()
        if all(one.found for one in self._subproblems):
            raise StopIteration
        return None

    def take(self, result: TaskResult) -> Job[Subproblem]:
        """Add the result of the oldest open task and return its subproblem."""
        one = self._started.popleft()
        one.take(result)
        yield from one.fill()
        return one


SolveTasks: TypeAlias = (
    "Callable[[Iterator[Task | None]], Generator[TaskResult | Pause, None, None]]"
)
"""Solves tasks on workers and yields their results in the tasks' order, pauses while none is ready.
`None` in place of a task: the next one depends on results still to come."""


class ParallelOptimal(Search):
    """A search that solves the cells of its first guess as subproblems.

    `solve_tasks` solves them on workers; without it they run here, one after another.
    """

    solve_tasks: SolveTasks | None = None
    inner: Search | None = None
    subproblem: Subproblem | None = None
    strategy: Branch | None = None

    def _solve_cells(
        self, path: Codes, cells: Cells, bounds: array[int], depth: int, stage: RootProgress
    ) -> Job[int]:
        guess = unpack(path[-1], self.state.rules.pegs)
        if self.solve_tasks is not None:
            cells = cells[::-1]  # start the longest first
        subproblems = {
            cell: self._subproblem(guess, cell, stage, bounds, depth, len(codes))
            for cell, codes in cells
        }
        with closing(self._solved(list(subproblems.values()), stage)) as found:
            for one in found:
                if not isinstance(one, Subproblem):
                    yield one
                    continue
                assert one.found is not None
                stage.cost += one.found.total - one.first_bound
                stage.solved += one.n
                if stage.cost >= stage.limit:
                    return stage.cost
        results = {cell: one.found for cell, one in subproblems.items() if one.found is not None}
        self.deep = 1 + max((result.worst for result in results.values()), default=0)
        rules, names = self.state.rules, cell_names(self.state.rules)
        answers = {names[cell]: one.tree for cell, one in results.items() if one.tree}
        self.strategy = join_branches(rules, guess, stage.n, answers)
        return stage.cost

    def _subproblem(
        self, guess: str, cell: int, stage: RootProgress, bounds: array[int], depth: int, n: int
    ) -> Subproblem:
        rules = self.state.rules
        clue = Clue(guess, *rules.answers()[cell])
        limit = min(NEVER, stage.limit - (bounds[0] - bounds[1 + cell]))
        clues = (*self.state.clues[len(rules.given()) :], clue)
        task = Task(rules, clues, depth, limit, bool(self.consistent_only))
        return Subproblem(task, n, bounds[1 + cell])

    def _solved(
        self, subproblems: Sequence[Subproblem], stage: RootProgress
    ) -> Generator[Progress | Subproblem, None, None]:
        """Yield the subproblems as they are solved, whichever worker computes their tasks."""
        queue = SubproblemQueue(subproblems)
        for one in subproblems:
            yield from one.fill()
        with ExitStack() as stack:
            shared = None
            if self.solve_tasks is not None:
                shared = stack.enter_context(closing(self.solve_tasks(queue)))
            while open_ := [one for one in subproblems if one.found is None]:
                self.subproblem = open_[0]
                stage.cell, stage.cell_bound = self.subproblem.n, self.subproblem.first_bound
                yield self.progress()
                result = yield from self._receive(shared) if shared else self._run_here(queue)
                one = yield from queue.take(result)
                if one.found is not None:
                    stage.cell = stage.cell_bound = 0
                    self.subproblem = None
                    yield one

    def _run_here(self, queue: SubproblemQueue) -> Job[TaskResult]:
        task = next(queue)
        assert task is not None
        try:
            job = solve_task(task, self._watch)
            return (yield from map_progress(job, lambda _: self.progress()))
        finally:
            self.inner = None

    def _watch(self, search: Search) -> None:
        self.inner = search

    def _receive(self, shared: Iterator[TaskResult | Pause]) -> Job[TaskResult]:
        """Return the next result of the workers."""
        while not isinstance(found := next(shared), TaskResult):
            yield replace(self.progress(), waits=found.idle)
        return found

    def bound_at(self, level: int) -> int:
        """Include the bound of the current subproblem at level 1."""
        if level != 1 or self.subproblem is None:
            return super().bound_at(level)
        below = 0 if self.inner is None or self.subproblem.is_cut else self.inner.bound_at(0)
        return max(self.subproblem.bound, below)

    def share_at(self, level: int) -> float:
        """Include the share of the current subproblem at level 1."""
        if level != 1 or self.subproblem is None:
            return super().share_at(level)
        if self.inner is None or self.subproblem.is_cut:
            return self.subproblem.share()
        return self.inner.share_at(0)

    def tree(self, secrets: Codes, path: Codes, depth: int) -> Job[Branch]:
        """Return the joined strategy of the subproblems; for few codes that of the solver."""
        if self.strategy is None:
            return (yield from super().tree(secrets, path, depth))
        return self.strategy
