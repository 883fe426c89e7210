"""Optimal strategies: branch and bound for the least total number of guesses.

At the first `_UPPER` guesses this module branches on canonical guesses, ordered and pruned by the
lower bounds of a look-ahead of one guess (root_guesses.c); below, and for sets of at most `_SMALL`
codes, the kernel solves a whole set (optimal.c).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.engine.guess_classes import canonical_guesses
from cluewise.desks.code.engine.state import CELLS, Budget, State, cell_names, pack_guesses, unpack
from cluewise.desks.code.tree import Branch
from cluewise.errors import TooLarge
from cluewise.kernel.layouts import CODE

NEVER = CODE.NEVER
UNLIMITED = CODE.UNLIMITED
_UPPER = 2
_SMALL = 450
"""The kernel solves sets up to that size in one frame, which costs less than a frame for every
second guess (p4c6r with a limit of 48 takes 3.4 times as long, p4c10n with 320 2.3 times); in one
frame, sets of 720 and 1260 codes of p4c10n take four times as long."""
_DEAR = 100
"""Results of larger sets are kept here too, since entries of the solver's transposition table are
overwritten: solving such sets again to build the tree took a quarter of the time of p4c10n."""
_PAUSE = 0.03  # seconds between reports
_SLICE = 400_000
"""Units of the kernel's work in a slice of a limited search, 2 to 5 ms. A constant, so that a limit
on the work ends a search at the same place on every machine."""
MOST_GUESSES = 8192
MOST_PAIRS = 30_000_000  # guesses times secrets of a set that goes to the solver at once

Codes: TypeAlias = "array[int]"
"""Codes or guesses as the kernel holds them, `array("Q")` (`pack` of state.py)."""
Cells: TypeAlias = "list[tuple[int, Codes]]"
"""Numbers of cells and their codes, small cells first: they are cheap to refute."""


@dataclass
class MemoEntry:
    """A searched set: its least total if `exact`, else a lower bound; the best guess (here its
    number) and the worst case of that strategy."""

    value: int
    exact: bool
    guess: int
    worst: int = 0


@dataclass
class RootProgress:
    """The state of the branch at one of the first guesses, for progress and the lower bound."""

    n: int
    others: int  # least lower bound of the guesses still to be tried
    limit: int
    tried: int
    trying: int
    cost: int = 0  # lower bound of the current guess
    cell_bound: int = 0  # of which for the current cell
    cell: int = 0
    solved: int = 0


class Search:
    """A search for the least total from a state.

    Sets of up to `imaged` codes are identified up to permutations of pegs and colours by their
    canonical form; 0: no sets are.
    """

    def __init__(
        self,
        state: State,
        consistent_only: bool,
        report: Callable[[int], object] | None = None,
        size: int = 40 << 20,
        imaged: int = CODE.MOST_IMAGED,
    ) -> None:
        self.report = report
        self.state = state
        self.frame = state.frame
        self.consistent_only = int(consistent_only)
        self.known: dict[tuple[bytes, int], MemoEntry] = {}
        self.reported = time.perf_counter()
        self.bound = 0
        self.deep = 0  # worst case of the last strategy found
        self.stages: list[RootProgress] = []
        self.size, self.imaged = size, imaged

    @cached_property
    def solver(self) -> int:
        """The kernel's solver. First use it while no scratch frame is open: it outlives them."""
        bits = 21 if self.state.n > 2000 else 18
        memo = self.frame.reserve(CODE.TableEntry << bits, zero=True)
        size = min(self.size, self.frame.kernel.free() - (6 << 20))
        if size < 4 << 20:
            raise TooLarge("There is not enough memory left for an optimal strategy.")
        solver = self.frame.reserve(size)
        self.frame.call(
            "code_solver_start", solver, size, self.state.packed, memo, bits,
            self.consistent_only, self.imaged,
        )  # fmt: skip
        return solver

    def nodes(self) -> int:
        """Return the number of sets the kernel has searched."""
        return self.frame.call("code_solver_nodes", self.solver)

    def clues(self) -> Codes:
        """Return the guesses of the state's clues as packed codes."""
        return pack_guesses(clue.guess for clue in self.state.clues)

    # ---- limited searches of one frame ------------------------------------------------------

    def load_frame(self, space: int, guesses: int, codes: int, n: int) -> None:
        """Make `n` ascending codes the solver's frame, with every guess of the space."""
        solver = self.solver
        with self.frame.kernel.frame() as scratch:
            every = scratch.put(array("I", range(guesses)))
            self.frame.call(
                "code_solver_frame", solver, space, guesses, codes, n, every, guesses
            )  # fmt: skip

    def run(self, step: str, budget: Budget, note: str) -> Job[int | None]:
        """Run the search that was begun on the frame; return its value, None if it is cut short."""
        while self.frame.call(step, self.solver, _SLICE):
            if budget.work is not None:
                budget.work -= _SLICE
            if budget.is_spent():
                return None
            yield Progress(0, None, note)
        return self.frame.call("code_solver_value", self.solver)

    # ---- totals ---------------------------------------------------------------------------

    def total(self, secrets: Codes, path: Codes, depth: int, limit: int, level: int) -> Job[int]:
        """Return the least total of a set if below `limit`, else a lower bound from `limit` on."""
        n = len(secrets)
        if n <= 2 or depth < 2:
            self.deep = n
            return 2 * n - 1 if depth >= n else NEVER
        key = (secrets.tobytes(), depth)
        known = self.known.get(key)
        if known and (known.exact or known.value >= limit):
            self.deep = known.worst
            return known.value
        if level >= _UPPER or n <= _SMALL:
            value = yield from self._in_kernel(secrets, path, depth, limit)
            if value < limit and n > _DEAR:
                guess = self._table_guess(secrets, depth) - 1
                self.known[key] = MemoEntry(value, True, guess, self.deep)
            return value
        value, guess, self.deep = yield from self._solve_by_guesses(secrets, path, depth, limit)
        self.known[key] = MemoEntry(value, guess >= 0, guess, self.deep)
        return value

    def solve(self, secrets: Codes, path: Codes, limit: int) -> Job[tuple[int, int]]:
        """Return total and worst case of a set after these guesses; from `limit` on a bound."""
        value = yield from self.total(secrets, path, UNLIMITED, limit, min(len(path), _UPPER))
        return value, self.deep

    def _in_kernel(self, secrets: Codes, path: Codes, depth: int, limit: int) -> Job[int]:
        state, frame, solver = self.state, self.frame, self.solver
        if len(secrets) * state.guesses > MOST_PAIRS:
            raise TooLarge("This position is too large for an optimal strategy.")
        canonical = canonical_guesses(state, path, secrets, self.consistent_only)
        with frame.kernel.frame() as scratch:
            frame.call(
                "code_solver_frame", solver, state.space, state.guesses, scratch.put(secrets),
                len(secrets), scratch.put(canonical), len(canonical),
            )  # fmt: skip
        frame.call("code_solver_begin", solver, depth, limit)
        pace = SliceTimer(200_000, _PAUSE / 2)
        while frame.call("code_solver_step", solver, pace.rows(1 << 30)):
            pace.took()
            yield from self._breathe()
        yield from self._breathe()  # many small sets add up as well
        self.deep = frame.call("code_solver_worst", solver)
        return frame.call("code_solver_value", solver)

    def _breathe(self) -> Job[None]:
        """Yield progress if the last report is `_PAUSE` ago."""
        now = time.perf_counter()
        if now - self.reported > _PAUSE:
            self.reported = now
            yield self.progress()

    def progress(self) -> Progress:
        """Return the share of the search that is done and the lower bound of the total."""
        self.bound = max(self.bound, self.bound_at(0))
        note = f"at least {self.bound} guesses in all" if self.bound else "computing bounds"
        best = None if self.report is None else self.report(self.bound)
        return Progress(self.share_at(0) * self.state.n, self.state.n, note, best)

    def bound_at(self, level: int) -> int:
        """Return the lower bound that the branches of a level and below prove so far."""
        if level >= len(self.stages):
            return 0
        stage = self.stages[level]
        cell = max(stage.cell_bound, self.bound_at(level + 1))
        return min(stage.cost - stage.cell_bound + cell, stage.others, stage.limit)

    def share_at(self, level: int) -> float:
        """Return the share of a level's guesses that is done, 0 … 1."""
        if level >= len(self.stages):
            return 0.0
        stage = self.stages[level]
        secrets = stage.solved + stage.cell * self.share_at(level + 1)
        return min(1.0, (stage.tried + secrets / stage.n) / stage.trying)

    def _solve_by_guesses(
        self, secrets: Codes, path: Codes, depth: int, limit: int
    ) -> Job[tuple[int, int, int]]:
        """Return the total, the best guess's number (-1 if only a bound is known), the worst case.

        The guess with the most even split is solved first; with its total as the cutoff, the
        look-ahead refutes most others.
        """
        candidates = self.candidates(secrets, path, depth, limit)
        best, chosen, deep = limit, -1, 0
        for part, waiting in ((candidates[:1], candidates[1:]), (candidates[1:], [])):
            guesses = [guess for _, guess in part]
            looked = yield from self.look(secrets, path, guesses, depth, best)
            looked.sort(key=lambda row: row[0][0])
            for i, (bounds, guess) in enumerate(looked):
                if bounds[0] >= best:
                    break
                word = self.frame.get(self.state.space + 8 * guess, "Q", 1)
                cells = sorted(self.state.split(word[0], secrets), key=lambda cell: len(cell[1]))
                self.stages.append(_stage(len(secrets), looked, i, waiting, best))
                value = yield from self._solve_cells(
                    path + word, cells, bounds, remaining_depth(depth), self.stages[-1]
                )
                self.stages.pop()
                if value < best:
                    best, chosen, deep = value, guess, self.deep
        return best, chosen, deep

    def candidates(
        self, secrets: Codes, path: Codes, depth: int, limit: int
    ) -> list[tuple[int, int]]:
        """Return bounds and numbers of the canonical guesses, the most even split first."""
        state, n = self.state, len(secrets)
        guesses = canonical_guesses(state, path, secrets, self.consistent_only)
        many = len(guesses)
        with self.frame.kernel.frame() as scratch:
            planes = scratch.reserve(8 * scratch.call("code_plane_words", state.packed, n))
            columns = scratch.reserve(8 * state.rules.pegs * ((n + 63) // 64))
            bounds = scratch.reserve(8 * many)
            scratch.call(
                "code_bounds", rules=state.packed, secrets=scratch.put(secrets), n=n,
                space=state.space, guesses=scratch.put(guesses), count=many, depth=depth,
                planes=planes, columns=columns, out=bounds,
            )  # fmt: skip
            flat = scratch.get(bounds, "i", 2 * many)
        rows = sorted(zip(flat[1::2], guesses, flat[::2], strict=True))
        return [(bound, guess) for _, guess, bound in rows if bound < limit]

    def look(
        self,
        secrets: Codes,
        path: Codes,
        guesses: Sequence[int],
        depth: int,
        limit: int,
    ) -> Job[list[tuple[array[int], int]]]:
        """Return the guesses with a bound below the limit: the bound, its cells' bounds, the guess.

        The bounds are those of the look-ahead (code_look of solver.h).
        """
        state, n, count = self.state, len(secrets), len(guesses)
        kept: list[tuple[array[int], int]] = []
        with self.frame.kernel.frame() as scratch:
            at, clues = scratch.put(secrets), scratch.put(path)
            asked = scratch.put(array("I", guesses))
            memory = scratch.reserve(
                scratch.call("code_look_bytes", state.packed, state.guesses, n)
            )
            wide = 1 + CELLS
            out = scratch.reserve(4 * wide * count)
            pace, done = SliceTimer(1 if n > 300 else 64), 0
            while done < count:
                rows = pace.rows(count - done)
                scratch.call(
                    "code_look", rules=state.packed, space=state.space, count=state.guesses,
                    clues=clues, clue_count=len(path), secrets=at, n=n, guesses=asked,
                    from_=done, to=done + rows, depth=depth, limit=limit,
                    consistent_only=self.consistent_only, scratch=memory, totals=out,
                )  # fmt: skip
                pace.took()
                flat = scratch.get(out, "i", wide * rows)
                for row in range(rows):
                    bounds = flat[row * wide : (row + 1) * wide]
                    if bounds[0] < limit:
                        kept.append((bounds, guesses[done + row]))
                done += rows
                yield from self._breathe()
        return kept

    def _solve_cells(
        self, path: Codes, cells: Cells, bounds: array[int], depth: int, stage: RootProgress
    ) -> Job[int]:
        """Return the total of the last guess of the path if below the limit, cell by cell."""
        level, worst = len(self.stages), 1
        for cell, members in cells:
            stage.cell, stage.cell_bound = len(members), bounds[1 + cell]
            share = stage.limit - (stage.cost - stage.cell_bound)
            value = yield from self.total(members, path, depth, share, level)
            stage.cost += value - stage.cell_bound
            worst = max(worst, 1 + self.deep)
            stage.solved += len(members)
            stage.cell = stage.cell_bound = 0
            if stage.cost >= stage.limit:
                break
        self.deep = worst
        return stage.cost

    # ---- the tree ---------------------------------------------------------------------------

    def tree(self, secrets: Codes, path: Codes, depth: int) -> Job[Branch]:
        """Return the optimal strategy of a set whose total is solved."""
        guess = yield from self._choose(secrets, path, depth)
        word = array("Q", [guess])
        pegs, names = self.state.rules.pegs, cell_names(self.state.rules)
        branch = Branch(unpack(guess, pegs), len(secrets), {})
        yield from self._breathe()
        if len(secrets) > 1:
            longer = path + word
            for cell, members in self.state.split(guess, secrets):
                child = yield from self.tree(members, longer, remaining_depth(depth))
                branch.answers[names[cell]] = child
        return branch

    def _choose(self, secrets: Codes, path: Codes, depth: int) -> Job[int]:
        """Return the best guess of a set: by closed form, from the tables, or by a new search."""
        if len(secrets) <= 2:
            return secrets[0]
        known = self.known.get((secrets.tobytes(), depth))
        if known is not None and known.exact:
            return self.word(known.guess)
        with self.frame.kernel.frame() as scratch:
            at = scratch.put(secrets)
            perfect = scratch.call("code_tells_all", self.state.packed, at, len(secrets))
        if perfect:
            return secrets[perfect - 1]
        if len(secrets) == 3 and depth >= 3:
            return secrets[0]
        number = self._table_guess(secrets, depth)
        if number == 0:
            yield from self._in_kernel(secrets, path, depth, NEVER)
            number = self._table_guess(secrets, depth)
        return self.word(number - 1)

    def _table_guess(self, secrets: Codes, depth: int) -> int:
        solver = self.solver
        with self.frame.kernel.frame() as scratch:
            at = scratch.put(secrets)
            return scratch.call("code_solver_guess", solver, at, len(secrets), depth)

    def word(self, number: int) -> int:
        """Return the guess with that number as a packed code."""
        return int(self.frame.get(self.state.space + 8 * number, "Q", 1)[0])


def _stage(
    n: int,
    looked: Sequence[tuple[array[int], int]],
    at: int,
    waiting: Sequence[tuple[int, int]],
    best: int,
) -> RootProgress:
    """Return the progress before a guess is searched, with the least bound of the others."""
    later = [bound for bound, _ in waiting] + [bounds[0] for bounds, _ in looked[at + 1 :]]
    least, trying = min(later, default=best), len(looked) + len(waiting)
    return RootProgress(n, least, best, at, trying, cost=looked[at][0][0])


def remaining_depth(depth: int) -> int:
    """Return the depth limit after one guess."""
    return depth if depth == UNLIMITED else depth - 1
