"""The least total number of guesses, proved: the first guesses here, the rest in the kernel.

Up to two guesses deep (`_UPPER`) this module chooses among canonical guesses, each bounded by a
look one guess ahead; from there on the kernel's solver takes a whole set of secrets (optimal.c).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.engine.state import CELLS, State, cell_names, pack_guesses, unpack
from cluewise.desks.code.tree import Branch
from cluewise.errors import TooLarge
from cluewise.kernel.layouts import CODE

NEVER = CODE.NEVER
UNLIMITED = CODE.UNLIMITED
_UPPER = 2
_SMALL = 450
"""Sets up to that size go to the solver at once: one frame costs less than one for every second
guess (p4c6r with 48: 3.4 times as long; p4c10n with 320: 2.3 times; what 720 and 1260 codes of
p4c10n take: all at once four times as long)."""
_DEAR = 100
"""What is found out about larger sets is kept here: the solver's memo forgets, and computing such a
set again only to build its tree took p4c10n a quarter of the time."""
_PAUSE = 0.03  # seconds between reports
MOST_GUESSES = 8192
MOST_PAIRS = 30_000_000  # guesses times secrets of a set that goes to the solver at once

Words: TypeAlias = "array[int]"


@dataclass
class MemoEntry:
    """What was found out about a set: its total or a bound, and the guess that does it."""

    value: int
    exact: bool
    guess: int
    worst: int = 0


@dataclass
class RootProgress:
    """Where the choice of a first or second guess stands, for progress and for the bound."""

    n: int
    others: int  # no guess still to be tried takes less than that in all
    limit: int
    tried: int
    trying: int
    cost: int = 0  # of the guess at hand: what it takes at least
    cell_bound: int = 0  # the share of the answer at hand in that
    cell: int = 0
    solved: int = 0


class Search:
    """One search for the least total from a state.

    Sets of up to `imaged` codes that permuting pegs and colours turns into each other are solved
    once; 0: every set by itself.
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
        self.deep = 0  # the worst case of the way that was found last
        self.stages: list[RootProgress] = []
        self.size, self.imaged = size, imaged

    @cached_property
    def solver(self) -> int:
        """The kernel's solver. Ask for it while no scratch frame is open: it stays."""
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
        """How many sets the kernel has looked into so far."""
        return self.frame.call("code_solver_nodes", self.solver)

    def clues(self) -> Words:
        """The state's earlier guesses as words."""
        return pack_guesses(clue.guess for clue in self.state.clues)

    # ---- totals ---------------------------------------------------------------------------

    def total(self, secrets: Words, path: Words, depth: int, limit: int, level: int) -> Job[int]:
        """The least total of a set if below `limit`, else a lower bound of at least `limit`."""
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
                guess = self._remembered(secrets, depth) - 1
                self.known[key] = MemoEntry(value, True, guess, self.deep)
            return value
        value, guess, self.deep = yield from self._by_guesses(secrets, path, depth, limit)
        self.known[key] = MemoEntry(value, guess >= 0, guess, self.deep)
        return value

    def solve(self, secrets: Words, path: Words, limit: int) -> Job[tuple[int, int]]:
        """Total and worst case of a set after these guesses; from `limit` on a bound of it."""
        value = yield from self.total(secrets, path, UNLIMITED, limit, min(len(path), _UPPER))
        return value, self.deep

    def _in_kernel(self, secrets: Words, path: Words, depth: int, limit: int) -> Job[int]:
        state, frame, solver = self.state, self.frame, self.solver
        if len(secrets) * state.guesses > MOST_PAIRS:
            raise TooLarge("This position is too large for an optimal strategy.")
        with frame.kernel.frame() as scratch:
            at = scratch.put(secrets)
            canonical = scratch.reserve(4 * state.guesses)
            many = self._canonical(scratch.put(path), len(path), at, len(secrets), canonical)
            frame.call(
                "code_solver_frame", solver, state.space, state.guesses, at, len(secrets),
                canonical, many,
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
        """Report if the last report is some time ago."""
        now = time.perf_counter()
        if now - self.reported > _PAUSE:
            self.reported = now
            yield self.progress()

    def progress(self) -> Progress:
        """How far the first guesses have come, and what the total cannot go below."""
        self.bound = max(self.bound, self.bound_at(0))
        note = f"at least {self.bound} guesses in all" if self.bound else "bounding"
        best = None if self.report is None else self.report(self.bound)
        return Progress(self.share_at(0) * self.state.n, self.state.n, note, best)

    def bound_at(self, level: int) -> int:
        """What the guesses of a level and below cannot go below, as far as they have come."""
        if level >= len(self.stages):
            return 0
        stage = self.stages[level]
        cell = max(stage.cell_bound, self.bound_at(level + 1))
        return min(stage.cost - stage.cell_bound + cell, stage.others, stage.limit)

    def share_at(self, level: int) -> float:
        """How much of the guesses of a level is done, 0 … 1."""
        if level >= len(self.stages):
            return 0.0
        stage = self.stages[level]
        secrets = stage.solved + stage.cell * self.share_at(level + 1)
        return min(1.0, (stage.tried + secrets / stage.n) / stage.trying)

    def _canonical(self, path: int, clues: int, secrets: int, n: int, out: int) -> int:
        state = self.state
        return self.frame.call(
            "code_canonical", rules=state.packed, space=state.space, count=state.guesses,
            clues=path, clue_count=clues, secrets=secrets, n=n,
            consistent_only=self.consistent_only, out=out,
        )  # fmt: skip

    def _by_guesses(
        self, secrets: Words, path: Words, depth: int, limit: int
    ) -> Job[tuple[int, int, int]]:
        """The total, the number of the guess that does it (-1 if only a bound is known), the worst.

        The most even split is worked out first; with its total as the limit, a look ahead rules
        out most others.
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
                self.stages.append(_stage(len(secrets), looked, i, waiting, best))
                value = yield from self._try(secrets, path, guess, bounds, depth, self.stages[-1])
                self.stages.pop()
                if value < best:
                    best, chosen, deep = value, guess, self.deep
        return best, chosen, deep

    def candidates(
        self, secrets: Words, path: Words, depth: int, limit: int
    ) -> list[tuple[int, int]]:
        """Bounds and numbers of the canonical guesses, the most even split first."""
        state, n = self.state, len(secrets)
        with self.frame.kernel.frame() as scratch:
            at, out = scratch.put(secrets), scratch.reserve(4 * state.guesses)
            many = self._canonical(scratch.put(path), len(path), at, n, out)
            planes = scratch.reserve(8 * scratch.call("code_plane_words", state.packed, n))
            columns = scratch.reserve(8 * state.rules.pegs * ((n + 63) // 64))
            bounds = scratch.reserve(8 * many)
            scratch.call(
                "code_bounds", rules=state.packed, secrets=at, n=n, space=state.space,
                guesses=out, count=many, depth=depth, planes=planes, columns=columns, out=bounds,
            )  # fmt: skip
            guesses = scratch.get(out, "I", many)
            flat = scratch.get(bounds, "i", 2 * many)
        rows = sorted(zip(flat[1::2], guesses, flat[::2], strict=True))
        return [(bound, guess) for _, guess, bound in rows if bound < limit]

    def look(
        self, secrets: Words, path: Words, guesses: Sequence[int], depth: int, limit: int
    ) -> Job[list[tuple[Words, int]]]:
        """Each guess with its bound and its cells' bounds; those over the limit are left out."""
        state, n, count = self.state, len(secrets), len(guesses)
        kept: list[tuple[Words, int]] = []
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

    def _try(
        self,
        secrets: Words,
        path: Words,
        guess: int,
        bounds: Words,
        depth: int,
        stage: RootProgress,
    ) -> Job[int]:
        """What the guess takes in all if below the limit, cell by cell, small cells first."""
        stage.cost = bounds[0]
        level, worst = len(self.stages), 1
        word = self.frame.get(self.state.space + 8 * guess, "Q", 1)
        for cell, members in sorted(
            self.state.split(word[0], secrets), key=lambda item: len(item[1])
        ):
            stage.cell, stage.cell_bound = len(members), bounds[1 + cell]
            share = stage.limit - (stage.cost - stage.cell_bound)
            value = yield from self.total(
                members, path + word, remaining_depth(depth), share, level
            )
            stage.cost += value - stage.cell_bound
            worst = max(worst, 1 + self.deep)
            stage.solved += len(members)
            stage.cell = stage.cell_bound = 0
            if stage.cost >= stage.limit:
                break
        self.deep = worst
        return stage.cost

    # ---- the tree ---------------------------------------------------------------------------

    def tree(self, secrets: Words, path: Words, depth: int) -> Job[Branch]:
        """The strategy that was found, from a set whose total has been worked out."""
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

    def _choose(self, secrets: Words, path: Words, depth: int) -> Job[int]:
        """The guess of the strategy for a set: closed forms, what is known, or a fresh look."""
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
        number = self._remembered(secrets, depth)
        if number == 0:
            yield from self._in_kernel(secrets, path, depth, NEVER)
            number = self._remembered(secrets, depth)
        return self.word(number - 1)

    def _remembered(self, secrets: Words, depth: int) -> int:
        solver = self.solver
        with self.frame.kernel.frame() as scratch:
            at = scratch.put(secrets)
            return scratch.call("code_solver_guess", solver, at, len(secrets), depth)

    def word(self, number: int) -> int:
        """The guess of that number as the kernel's word."""
        return int(self.frame.get(self.state.space + 8 * number, "Q", 1)[0])


def _stage(
    n: int,
    looked: Sequence[tuple[Words, int]],
    at: int,
    waiting: Sequence[tuple[int, int]],
    best: int,
) -> RootProgress:
    """The stage of a guess that is tried: what the others take at least, looked at or not yet."""
    later = [bound for bound, _ in waiting] + [bounds[0] for bounds, _ in looked[at + 1 :]]
    return RootProgress(n, min(later, default=best), best, at, len(looked) + len(waiting))


def remaining_depth(depth: int) -> int:
    """The depth that is left after one guess."""
    return depth if depth == UNLIMITED else depth - 1
