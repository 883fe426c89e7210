"""The least total of a large set of codes, answer by answer of its first guess, in tasks.

What an answer leaves is a question by itself: its codes follow from the clues, and how few guesses
they take does not depend on what the other answers leave. A task says all that its result follows
from, so that any process can work it out, in any order.

A SUBPROBLEM, what one answer leaves, asks for tasks in batches. A small one is a task. A large one
is CUT by its guesses into two batches: the cells of two guesses, the one that splits it most evenly
and the one with the least bound; and with the better of their totals as the limit of all, every
other guess that a look ahead leaves, a task each. Limits come from these bounds and totals alone:
the same strategy is found by any number of workers in any order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from cluewise.core.work import Job, Progress, map_progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.optimal import NEVER, RootProgress, Search, Words, remaining_depth
from cluewise.desks.code.engine.state import cell_names, load, load_space, pack_guesses, unpack
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import Branch
from cluewise.kernel import kernel

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.work import Pause

LARGE = 2000
"""Sets of more codes are worked out answer by answer; for smaller ones that is no gain."""
CUT = 1000
"""Sets of more codes are cut; one of 720 takes a third of a second."""
_OWN = 100  # cells of more codes are tasks of their own


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
    """A task's total (from the limit on: a bound of it), its most guesses, and how to play it.

    The tree of a task with a guess begins with that guess and has the answers of its cells.
    """

    total: int
    worst: int
    tree: Branch | None = None


def solve_task(task: Task, watch: Callable[[Search], object] | None = None) -> Job[TaskResult]:
    """The least total of one task and its strategy; `watch` is given the search beforehand."""
    with kernel().frame() as frame:
        state = yield from load(frame, task.rules, task.clues)
        yield from load_space(state)
        search = Search(state, task.consistent_only)
        if watch is not None:
            watch(search)
        if task.guess:
            return (yield from _of_cells(search, task))
        secrets, path = state.codes(), search.clues()
        total = yield from search.total(secrets, path, task.depth, task.limit, 1)
        if total >= task.limit:
            return TaskResult(total, 0)
        worst = search.deep
        return TaskResult(total, worst, (yield from search.tree(secrets, path, task.depth)))


def _of_cells(search: Search, task: Task) -> Job[TaskResult]:
    """The cells one after the other, small ones first: they are cheap to refute."""
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
    """A result, for a process that is given the task as JSON values."""
    return msgspec.to_builtins((yield from solve_task(msgspec.convert(task, Task))))


class GuessBounds(NamedTuple):
    """A guess of a set: what it takes at least, and the bounds and sizes of its cells."""

    guess: str
    bound: int
    bounds: dict[int, int]
    sizes: dict[int, int]


Course: TypeAlias = Generator[Progress | Sequence[Task], Sequence[TaskResult], TaskResult]
"""Yields batches of tasks, each of which is answered by their results, and progress."""


class Subproblem:
    """A set of `n` codes; `bound` is a lower bound of its total, `found` is set at its end."""

    def __init__(self, task: Task, n: int, bound: int) -> None:
        self.task, self.n, self.bound = task, n, bound
        self.first_bound = bound
        self.is_cut = n > CUT
        self.found: TaskResult | None = None
        self.waiting: deque[Task] = deque()
        self._best = TaskResult(task.limit, 0)
        self._course = self._by_guesses() if self.is_cut else self._at_once()
        self._batches = self._asked = 0
        self._results: list[TaskResult] = []

    def fill(self) -> Job[None]:
        """Lay out the next batch, if all results of the last are there; else nothing happens."""
        if len(self._results) < self._asked:
            return
        results, self._results = self._results, []
        try:
            batch = self._course.send(results) if self._batches else next(self._course)
            while isinstance(batch, Progress):
                yield batch
                batch = next(self._course)
        except StopIteration as stop:
            self.found = stop.value
            return
        self.waiting.extend(batch)
        self._batches, self._asked = self._batches + 1, len(batch)

    def take(self, result: TaskResult) -> None:
        """The next task's result."""
        self._results.append(result)

    def share(self) -> float:
        """How much of a set that is cut is done, 0 … 1; each batch counts as a half."""
        return (self._batches - 1 + len(self._results) / max(1, self._asked)) / 2

    def _at_once(self) -> Course:
        [result] = yield [self.task]
        return result

    def _by_guesses(self) -> Course:
        rows = yield from self._look()
        self._bound_by(rows)
        rows[1:] = sorted(rows[1:], key=lambda row: row.bound)
        first = rows[:2]
        pairs = [(row, task) for row in first for task in self._by_cells(row)]
        pairs.sort(key=lambda pair: -max(pair[0].sizes[c] for c, _ in pair[1].cells))
        yield from self._improve(first, pairs)
        others = [row for row in rows[2:] if row.bound < self._best.total]
        self._bound_by(others)
        pairs = [(row, self._task(row, set(row.sizes))) for row in others]
        yield from self._improve(others, pairs)
        return self._best

    def _bound_by(self, rows: Sequence[GuessBounds]) -> None:
        """No guess takes less than these and the best one."""
        self.bound = max(self.bound, min([self._best.total, *(row.bound for row in rows)]))

    def _look(self) -> Job[list[GuessBounds]]:
        """The guesses, the most even split first; without those that a look ahead rules out."""
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

    def _by_cells(self, row: GuessBounds) -> list[Task]:
        """A guess as tasks: its large cells one by one, the others together."""
        large = {cell for cell, size in row.sizes.items() if size > _OWN}
        groups = [*({cell} for cell in sorted(large)), set(row.sizes) - large]
        return [self._task(row, some) for some in groups if some]

    def _task(self, row: GuessBounds, some: set[int]) -> Task:
        """Some cells of a guess."""
        cells = tuple((cell, row.bounds[cell]) for cell in sorted(some))
        limit = self._best.total - row.bound + sum(bound for _, bound in cells)
        depth = remaining_depth(self.task.depth)
        return msgspec.structs.replace(
            self.task, depth=depth, limit=min(NEVER, limit), guess=row.guess, cells=cells
        )

    def _improve(
        self, rows: Sequence[GuessBounds], pairs: Sequence[tuple[GuessBounds, Task]]
    ) -> Course:
        """Have the tasks of some guesses done; the first guess of the best is the one to play."""
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
    """The guess over what is played after each answer, in the answers' order."""
    order = (name for name in cell_names(rules) if name in answers)
    return Branch(guess, n, {name: answers[name] for name in order})


class SubproblemQueue:
    """The tasks of many subproblems, those of the first that has any; `None` while none has.

    Anyone who takes tasks from it brings their results in the same order.
    """

    def __init__(self, subproblems: Sequence[Subproblem]) -> None:
        self._subproblems = subproblems
        self._handed: deque[Subproblem] = deque()

    def __iter__(self) -> Iterator[Task | None]:
        return self

    def __next__(self) -> Task | None:
        for one in self._subproblems:
            if one.waiting:
                self._handed.append(one)
                return one.waiting.popleft()
        if all(one.found for one in self._subproblems):
            raise StopIteration
        return None

    def take(self, result: TaskResult) -> Job[Subproblem]:
        """The result of the task that was handed out first; returns whose it was."""
        one = self._handed.popleft()
        one.take(result)
        yield from one.fill()
        return one


Others: TypeAlias = "Callable[[Iterator[Task | None]], Generator[TaskResult | Pause, None, None]]"
"""Results of tasks, in the tasks' order, worked out elsewhere; pauses until they are. `None` in
place of a task: there is none before another result is back."""


class ParallelOptimal(Search):
    """A search whose first guess is chosen here, and whose answers are worked out as subproblems.

    By `others`, without them here, one after the other.
    """

    others: Others | None = None
    inner: Search | None = None
    subproblem: Subproblem | None = None
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
        after = remaining_depth(depth)
        subproblems = {
            cell: self._subproblem(word, cell, stage, bounds, after, len(words))
            for cell, words in sets
        }
        with closing(self._found(list(subproblems.values()), stage)) as found:
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
        text = unpack(word[0], rules.pegs)
        self.strategy = join_branches(rules, text, len(secrets), answers)
        return stage.cost

    def _subproblem(
        self, word: Words, cell: int, stage: RootProgress, bounds: Words, depth: int, n: int
    ) -> Subproblem:
        rules = self.state.rules
        exact, partial = rules.answers()[cell]
        clue = Clue(unpack(word[0], rules.pegs), exact, partial)
        limit = min(NEVER, stage.limit - (bounds[0] - bounds[1 + cell]))
        clues = (*self.state.clues[len(rules.given()) :], clue)
        task = Task(rules, clues, depth, limit, bool(self.consistent_only))
        return Subproblem(task, n, bounds[1 + cell])

    def _found(
        self, subproblems: Sequence[Subproblem], stage: RootProgress
    ) -> Generator[Progress | Subproblem, None, None]:
        """The subproblems as they finish, whichever worker computes their tasks."""
        queue = SubproblemQueue(subproblems)
        for one in subproblems:
            yield from one.fill()
        with ExitStack() as stack:
            shared = None
            if self.others is not None:
                shared = stack.enter_context(closing(self.others(queue)))
            while open_ := [one for one in subproblems if one.found is None]:
                self.subproblem = open_[0]
                stage.cell, stage.cell_bound = self.subproblem.n, self.subproblem.first_bound
                yield self.progress()
                result = yield from self._here(queue) if shared is None else self._there(shared)
                one = yield from queue.take(result)
                if one.found is not None:
                    stage.cell = stage.cell_bound = 0
                    self.subproblem = None
                    yield one

    def _here(self, queue: SubproblemQueue) -> Job[TaskResult]:
        task = next(queue)
        assert task is not None
        try:
            job = solve_task(task, self._watch)
            return (yield from map_progress(job, lambda _: self.progress()))
        finally:
            self.inner = None

    def _watch(self, search: Search) -> None:
        self.inner = search

    def _there(self, shared: Iterator[TaskResult | Pause]) -> Job[TaskResult]:
        """The next result of the others."""
        while not isinstance(found := next(shared), TaskResult):
            yield replace(self.progress(), waits=found.idle)
        return found

    def bound_at(self, level: int) -> int:
        """The same with the subproblem at hand below."""
        if level != 1 or self.subproblem is None:
            return super().bound_at(level)
        below = 0 if self.inner is None or self.subproblem.is_cut else self.inner.bound_at(0)
        return max(self.subproblem.bound, below)

    def share_at(self, level: int) -> float:
        """The same with the subproblem at hand below."""
        if level != 1 or self.subproblem is None:
            return super().share_at(level)
        if self.inner is None or self.subproblem.is_cut:
            return self.subproblem.share()
        return self.inner.share_at(0)

    def tree(self, secrets: Words, path: Words, depth: int) -> Job[Branch]:
        """The strategy that was put together; of few codes, that of the solver."""
        if self.strategy is None:
            return (yield from super().tree(secrets, path, depth))
        return self.strategy
