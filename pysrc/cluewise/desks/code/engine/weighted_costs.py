"""Least weighted totals, for codes that are not equally likely.

    T(S) = sum of w over S + min over guesses of the sum of T over the cells but the win

Depth-first branch and bound over sets of codes with a transposition table. Lower bound of a guess
(code_weighted_bounds): below each answer a complete tree that finds the heaviest code first, then
the next K, then K² (K answers besides the win). A cell is bounded by the least bound of all
guesses before it is searched.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.guess_classes import canonical_guesses
from cluewise.desks.code.engine.optimal import Codes, MemoEntry
from cluewise.desks.code.engine.state import State, cell_names, pack_guesses, unpack
from cluewise.desks.code.tree import Branch

NEVER = 1 << 60
_REPORT_INTERVAL_S = 0.03
_NOTE = "weighing guesses to the end"
_MIN_CANONICAL = 24  # larger sets are branched on canonical guesses only


class WeightedCosts:
    """A search from one state; `weights` by packed code, integers >= 0.

    Sets of codes are in the order of `members`. A search raises `TimeoutError` at the `deadline`,
    or after `work` guesses have been searched.
    """

    def __init__(self, state: State, weights: Mapping[int, int], consistent_only: bool) -> None:
        self.state, self.weights, self.consistent_only = state, weights, consistent_only
        self.memo: dict[bytes, MemoEntry] = {}
        self.deadline: float | None = None
        self.work: int | None = None
        self._bounds: dict[bytes, int] = {}
        self._reported = time.perf_counter()

    def members(self) -> Codes:
        """Return the codes of the state, the heaviest first."""
        return array("Q", sorted(self.state.codes(), key=lambda code: (-self.weights[code], code)))

    def path(self) -> Codes:
        """Return the guesses of the clues, and the codes that no symmetry may move."""
        return pack_guesses(clue.guess for clue in self.state.clues)

    def weight(self, codes: Sequence[int]) -> int:
        """Return the sum of the weights."""
        return sum(self.weights[code] for code in codes)

    def _total_of_few(self, codes: Codes) -> int:
        """Return the least total of at most two codes: the heavier one is guessed first."""
        return sum(self.weights[code] * depth for depth, code in enumerate(codes, 1))

    def solve(self, codes: Codes, path: Codes, cutoff: int = NEVER) -> Job[MemoEntry]:
        """Find the least total if it is below the cutoff, else a lower bound from the cutoff on."""
        key = codes.tobytes()
        known = self.memo.get(key)
        if known is not None and (known.exact or known.value >= cutoff):
            return known
        if len(codes) <= 2:
            return MemoEntry(self._total_of_few(codes), True, codes[0], len(codes))
        best = MemoEntry(cutoff, False, 0)
        seen = set[tuple[bytes, ...]]()
        for bound, guess in self.candidates(codes, path, cutoff):
            if bound >= best.value:
                break
            cells = [cell for _, cell in self.state.split(guess, codes)]
            partition = tuple(sorted(cell.tobytes() for cell in cells))
            if partition not in seen:
                seen.add(partition)
                found = yield from self._solve_cells(codes, guess, cells, path, best.value)
                best = found if found.value < best.value else best
        self.memo[key] = best
        return best

    def solve_guess(self, guess: int, cutoff: int = NEVER) -> Job[MemoEntry]:
        """Find the least total of all codes after a guess that they do not all answer alike."""
        codes = self.members()
        cells = [cell for _, cell in self.state.split(guess, codes)]
        return (yield from self._solve_cells(codes, guess, cells, self.path(), cutoff))

    def _solve_cells(
        self, codes: Codes, guess: int, cells: list[Codes], path: Codes, cutoff: int
    ) -> Job[MemoEntry]:
        """Find the total after a guess, its cells small ones first, if it is below the cutoff."""
        yield from self._report()
        cells.sort(key=len)
        bounds = [self.lower_bound(cell) for cell in cells]
        total, worst = self.weight(codes) + sum(bounds), 1
        longer = path + array("Q", [guess])
        for cell, bound in zip(cells, bounds, strict=True):
            if total >= cutoff:
                break
            found = yield from self.solve(cell, longer, cutoff - total + bound)
            total, worst = total + found.value - bound, max(worst, 1 + found.worst)
        return MemoEntry(total, total < cutoff, guess, worst)

    def _report(self) -> Job[None]:
        """Count a searched guess and yield progress if the last report is some time ago."""
        if self.work is not None:
            self.work -= 1
            if self.work < 0:
                raise TimeoutError
        now = time.perf_counter()
        if now - self._reported > _REPORT_INTERVAL_S:
            self._reported = now
            if self.deadline is not None and now > self.deadline:
                raise TimeoutError
            yield Progress(len(self.memo), None, _NOTE)

    # ---- bounds -----------------------------------------------------------------------------

    def lower_bounds(self, codes: Codes, guesses: Sequence[int]) -> Codes:
        """Bound the total below after each first guess; -1 if all codes answer it alike."""
        with self.state.frame.kernel.frame() as scratch:
            out = scratch.reserve(8 * len(guesses))
            scratch.call(
                "code_weighted_bounds", self.state.packed, scratch.put(codes),
                scratch.put(array("q", (self.weights[code] for code in codes))), len(codes),
                scratch.put(array("Q", guesses)), len(guesses), out,
            )  # fmt: skip
            return scratch.get(out, "q", len(guesses))

    def lower_bound(self, codes: Codes) -> int:
        """Bound the least total below: the least bound of all guesses."""
        if len(codes) <= 2:
            return self._total_of_few(codes)
        key = codes.tobytes()
        if key not in self._bounds:
            guesses = codes if self.consistent_only else self.state.every_guess()
            self._bounds[key] = min(b for b in self.lower_bounds(codes, guesses) if b >= 0)
        return self._bounds[key]

    def candidates(self, codes: Codes, path: Codes, cutoff: int) -> list[tuple[int, int]]:
        """Return the guesses with a bound below the cutoff as (bound, guess), in search order.

        The least bound first; among equal ones those that can be the secret.
        """
        guesses, inside = self.state.every_guess(), set(codes)
        if len(codes) > _MIN_CANONICAL:
            numbers = canonical_guesses(self.state, path, array("Q", sorted(codes)), 0)
            guesses = array("Q", (guesses[number] for number in numbers))
        if self.consistent_only:
            guesses = array("Q", (guess for guess in guesses if guess in inside))
        found = zip(self.lower_bounds(codes, guesses), guesses, strict=True)
        kept = ((bound, guess) for bound, guess in found if 0 <= bound < cutoff)
        return sorted(kept, key=lambda one: (one[0], one[1] not in inside, one[1]))

    def upper_bound(self, codes: Codes, path: Codes, guess: int | None = None) -> int:
        """Return the total of the strategy that takes the guess with the least bound each time.

        `path`: guesses that all these codes answer alike; `guess`: the first guess, if given.
        """
        first = self._greedy_guess(codes, path) if guess is None else guess
        total, stack = 0, [(first, codes, path)]
        while stack:
            guess, codes, path = stack.pop()
            total += self.weight(codes)
            longer = path + array("Q", [guess])
            for _, cell in self.state.split(guess, codes) if len(codes) > 1 else ():
                stack.append((self._greedy_guess(cell, longer), cell, longer))
        return total

    def _greedy_guess(self, codes: Codes, path: Codes) -> int:
        known = self.memo.get(codes.tobytes())
        if len(codes) <= 2:
            return codes[0]
        if known is not None and known.exact:
            return known.guess
        return self.candidates(codes, path, NEVER)[0][1]

    # ---- the tree ---------------------------------------------------------------------------

    def tree(self, codes: Codes) -> Branch:
        """Return the optimal strategy of a solved set."""
        rules, names = self.state.rules, cell_names(self.state.rules)
        guess = codes[0] if len(codes) <= 2 else self.memo[codes.tobytes()].guess
        branch = Branch(unpack(guess, rules.pegs), len(codes), {})
        if len(codes) > 1:
            for number, cell in self.state.split(guess, codes):
                branch.answers[names[number]] = self.tree(cell)
        return branch
