"""How a set of codes is worked out in pieces: at once, or, where it is large, guess by guess.

A piece says all that its part follows from, so that any process can work it out, in any order.
A COURSE asks for pieces in batches; which come next follows from the parts of those before, never
from who worked them out or when. A set that is CUT takes two batches: the cells of two guesses, the
one that splits it most evenly and the one with the least bound; and with the better of their totals
as the limit of all, every other guess that a look ahead leaves, a piece each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.optimal import NEVER, Search, Words, remaining_depth
from cluewise.desks.code.engine.state import cell_names, load, load_space, pack_guesses, unpack
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import Branch
from cluewise.kernel import kernel

CUT = 1000
"""Sets of more codes are cut; one of 720 takes a third of a second."""
_OWN = 100  # cells of more codes are pieces of their own


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


class GuessBounds(NamedTuple):
    """A guess of a set: what it takes at least, and the bounds and sizes of its cells."""

    guess: str
    bound: int
    bounds: dict[int, int]
    sizes: dict[int, int]


class Subproblem:
    """A set of `n` codes as one piece. `found` is its part, once there is one."""

    is_cut = False

    def __init__(self, piece: Task, n: int, bound: int) -> None:
        self.piece, self.n, self.bound = piece, n, bound
        self.first_bound = bound
        self.found: TaskResult | None = None
        self.waiting: deque[Task] = deque()
        self._asked = 0
        self._parts: list[TaskResult] = []

    def fill(self) -> Job[None]:
        """Lay out the next batch, if all parts of the last are there; else nothing happens."""
        if len(self._parts) < self._asked:
            return
        parts, self._parts = self._parts, []
        self.waiting.extend((yield from self._batch(parts)))
        self._asked = len(self.waiting)

    def take(self, part: TaskResult) -> None:
        """The next piece's part."""
        self._parts.append(part)

    def share(self) -> float:
        """How much of it is done, 0 … 1."""
        return 0.0

    def _batch(self, parts: Sequence[TaskResult]) -> Job[Sequence[Task]]:
        yield from ()
        if not parts:
            return [self.piece]
        self.found = parts[0]
        return []


class SplitSubproblem(Subproblem):
    """A large set, guess by guess."""

    is_cut = True

    def __init__(self, piece: Task, n: int, bound: int) -> None:
        super().__init__(piece, n, bound)
        self._best = TaskResult(piece.limit, 0)
        self._batches = 0
        self._pairs: list[tuple[GuessBounds, Task]] = []  # being worked out
        self._rows: list[GuessBounds] = []
        self._later: list[GuessBounds] = []

    def share(self) -> float:
        """The same; each batch counts as a half, and each of its pieces alike."""
        return (self._batches - 1 + len(self._parts) / max(1, self._asked)) / 2

    def _batch(self, parts: Sequence[TaskResult]) -> Job[Sequence[Task]]:
        if parts:
            self._merge(parts)
        self._batches += 1
        if self._batches == 1:
            rows = yield from self._look()
            self._bound_by(rows)
            rows[1:] = sorted(rows[1:], key=lambda row: row.bound)
            self._rows, self._later = rows[:2], rows[2:]
            self._pairs = [(row, piece) for row in self._rows for piece in self._apart(row)]
            self._pairs.sort(key=lambda pair: -max(pair[0].sizes[c] for c, _ in pair[1].cells))
        if self._batches == 2:
            self._rows = [row for row in self._later if row.bound < self._best.total]
            self._bound_by(self._rows)
            self._pairs = [(row, self._piece(row, set(row.sizes))) for row in self._rows]
        if self._batches == 3 or not self._pairs:
            self.found = self._best
            return []
        return [piece for _, piece in self._pairs]

    def _bound_by(self, rows: Sequence[GuessBounds]) -> None:
        """No guess takes less than these and the best one."""
        self.bound = max(self.bound, min([self._best.total, *(row.bound for row in rows)]))

    def _look(self) -> Job[list[GuessBounds]]:
        """The guesses, the most even split first; without those that a look ahead rules out."""
        piece = self.piece
        with kernel().frame() as frame:
            state = yield from load(frame, piece.rules, piece.clues)
            yield from load_space(state)
            search = Search(state, piece.consistent_only)
            secrets, path = search.secrets(), search.clues()
            ranked = search.candidates(secrets, path, piece.depth, piece.limit)
            guesses = [guess for _, guess in ranked]
            looked = yield from search.look(secrets, path, guesses, piece.depth, piece.limit)
            return [_row(search, secrets, guess, bounds) for bounds, guess in looked]

    def _apart(self, row: GuessBounds) -> list[Task]:
        """A guess in pieces: its large cells one by one, the others together."""
        large = {cell for cell, size in row.sizes.items() if size > _OWN}
        groups = [*({cell} for cell in sorted(large)), set(row.sizes) - large]
        return [self._piece(row, some) for some in groups if some]

    def _piece(self, row: GuessBounds, some: set[int]) -> Task:
        """Some cells of a guess."""
        cells = tuple((cell, row.bounds[cell]) for cell in sorted(some))
        limit = self._best.total - row.bound + sum(bound for _, bound in cells)
        depth = remaining_depth(self.piece.depth)
        return msgspec.structs.replace(
            self.piece, depth=depth, limit=min(NEVER, limit), guess=row.guess, cells=cells
        )

    def _merge(self, parts: Sequence[TaskResult]) -> None:
        """Each guess's total from its pieces; the first of the best is the one to play."""
        whose: dict[str, list[tuple[Task, TaskResult]]] = {}
        for (row, piece), part in zip(self._pairs, parts, strict=True):
            whose.setdefault(row.guess, []).append((piece, part))
        best = self._best
        for row in self._rows:
            mine = whose[row.guess]
            gained = sum(part.total - sum(b for _, b in piece.cells) for piece, part in mine)
            trees = [part.tree for _, part in mine if part.tree]
            if row.bound + gained < best.total and len(trees) == len(mine):
                worst = 1 + max(part.worst for _, part in mine)
                best = TaskResult(row.bound + gained, worst, self._joined(row, trees))
        self._best = best

    def _joined(self, row: GuessBounds, trees: Sequence[Branch]) -> Branch:
        """The guess over what is played after each answer, in the answers' order."""
        answers = {name: child for tree in trees for name, child in tree.answers.items()}
        order = (name for name in cell_names(self.piece.rules) if name in answers)
        return Branch(row.guess, self.n, {name: answers[name] for name in order})


def _row(search: Search, secrets: Words, guess: int, bounds: Words) -> GuessBounds:
    word = search.word(guess)
    sizes = {cell: len(words) for cell, words in search.state.split(word, secrets)}
    text = unpack(word, search.state.rules.pegs)
    return GuessBounds(text, bounds[0], {cell: bounds[1 + cell] for cell in sizes}, sizes)


def make_subproblem(piece: Task, n: int, bound: int) -> Subproblem:
    """A set of `n` codes, cut if it is large; `bound` is a lower bound of its total."""
    return (SplitSubproblem if n > CUT else Subproblem)(piece, n, bound)


class SubproblemQueue:
    """The pieces of many courses, those of the first that has any; `None` while none has.

    Anyone who takes pieces from it brings their parts in the same order.
    """

    def __init__(self, courses: Sequence[Subproblem]) -> None:
        self._courses = courses
        self._handed: deque[Subproblem] = deque()

    def __iter__(self) -> Iterator[Task | None]:
        return self

    def __next__(self) -> Task | None:
        for one in self._courses:
            if one.waiting:
                self._handed.append(one)
                return one.waiting.popleft()
        if all(one.found for one in self._courses):
            raise StopIteration
        return None

    def take(self, part: TaskResult) -> Job[Subproblem]:
        """The part of the piece that was handed out first; returns whose it was."""
        one = self._handed.popleft()
        one.take(part)
        yield from one.fill()
        return one
