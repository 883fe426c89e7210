"""Least weighted totals of guesses, for codes that are not equally likely.

    T(S) = sum of w over S + min over guesses of the sum of T over the cells but the win

Depth-first branch and bound over sets of codes, each solved once. The kernel bounds all guesses of
a set at once: below an answer the heaviest code is found first, the next K after it, then K² (K
answers besides the win). A cell is bounded by the least bound of all guesses before it is solved.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.state import State, cell_names, pack_guesses, unpack
from cluewise.desks.code.tree import Branch

NEVER = 1 << 60
_PAUSE = 0.03  # seconds between reports
_NOTE = "weighing guesses to the end"
_MANY = 24  # with more codes, symmetries of the rows leave out guesses

Members: TypeAlias = "array[int]"


@dataclass(slots=True)
class Known:
    """The least total of a set, or a bound below it; the guess and the worst case where exact."""

    value: int
    exact: bool = False
    guess: int = 0
    worst: int = 0


class WeightedCosts:
    """Searches for least totals of the codes of a state; `weights` by word, integers >= 0."""

    def __init__(self, state: State, weights: Mapping[int, int], consistent_only: bool) -> None:
        self.state, self.weights, self.consistent_only = state, weights, consistent_only
        self.solved: dict[bytes, Known] = {}
        self.looked: dict[bytes, int] = {}
        self.until: float | None = None
        self.work: int | None = None
        """Guesses that may still be looked into; after them a search raises `TimeoutError`."""
        self.reported = time.perf_counter()

    def members(self) -> Members:
        """The codes of the state, the heaviest first."""
        words = self.state.codes()
        return array("Q", sorted(words, key=lambda word: (-self.weights[word], word)))

    def path(self) -> Members:
        """The guesses of the rows, and the codes that no symmetry may move."""
        return pack_guesses(clue.guess for clue in self.state.clues)

    def mass(self, members: Sequence[int]) -> int:
        """The sum of the weights."""
        return sum(self.weights[word] for word in members)

    def total(self, members: Members, path: Members, limit: int = NEVER) -> Job[Known]:
        """The least total if it is below `limit`, else a bound of at least `limit`."""
        key = members.tobytes()
        known = self.solved.get(key)
        if known is not None and (known.exact or known.value >= limit):
            return known
        if len(members) <= 2:
            value = sum(self.weights[word] * step for step, word in enumerate(members, 1))
            return Known(value, True, members[0], len(members))
        best = Known(limit)
        seen = set[tuple[bytes, ...]]()
        for bound, guess in self.candidates(members, path, limit):
            if bound >= best.value:
                break
            cells = [cell for _, cell in self.state.split(guess, members)]
            kind = tuple(sorted(cell.tobytes() for cell in cells))
            if kind not in seen:
                seen.add(kind)
                found = yield from self._of_cells(members, guess, cells, path, best.value)
                best = found if found.value < best.value else best
        self.solved[key] = best
        return best

    def of_guess(self, guess: int, limit: int = NEVER) -> Job[Known]:
        """The least total of all codes if that guess comes first; all answers are not alike."""
        members = self.members()
        cells = [cell for _, cell in self.state.split(guess, members)]
        return (yield from self._of_cells(members, guess, cells, self.path(), limit))

    def _of_cells(
        self, members: Members, guess: int, cells: list[Members], path: Members, limit: int
    ) -> Job[Known]:
        """The least total after a guess that leaves these cells, if it is below `limit`."""
        yield from self._breathe()
        cells.sort(key=len)
        lows = [self.look(cell) for cell in cells]
        total, worst = self.mass(members) + sum(lows), 1
        longer = path + array("Q", [guess])
        for cell, low in zip(cells, lows, strict=True):
            if total >= limit:
                return Known(total)
            known = yield from self.total(cell, longer, limit - total + low)
            total, worst = total + known.value - low, max(worst, 1 + known.worst)
        return Known(total, True, guess, worst) if total < limit else Known(total)

    def _breathe(self) -> Job[None]:
        if self.work is not None:
            self.work -= 1
            if self.work < 0:
                raise TimeoutError
        now = time.perf_counter()
        if now - self.reported > _PAUSE:
            self.reported = now
            if self.until is not None and now > self.until:
                raise TimeoutError
            yield Progress(len(self.solved), None, _NOTE)

    # ---- bounds -----------------------------------------------------------------------------

    def bounds(self, members: Members, guesses: Sequence[int]) -> Members:
        """A lower bound of the total for each first guess; -1: all codes answer it alike."""
        with self.state.frame.kernel.frame() as scratch:
            out = scratch.reserve(8 * len(guesses))
            scratch.call(
                "code_weighted_bounds", self.state.packed, scratch.put(members),
                scratch.put(array("q", (self.weights[word] for word in members))), len(members),
                scratch.put(array("Q", guesses)), len(guesses), out,
            )  # fmt: skip
            return scratch.get(out, "q", len(guesses))

    def look(self, members: Members) -> int:
        """The least bound of all guesses."""
        if len(members) <= 2:
            return sum(self.weights[word] * step for step, word in enumerate(members, 1))
        key = members.tobytes()
        if key not in self.looked:
            guesses = members if self.consistent_only else self._space()
            self.looked[key] = min(b for b in self.bounds(members, guesses) if b >= 0)
        return self.looked[key]

    def candidates(self, members: Members, path: Members, limit: int) -> list[tuple[int, int]]:
        """Bounds below `limit` and guesses, the least first; of equal ones the codes left first."""
        guesses = self._canonical(members, path) if len(members) > _MANY else self._space()
        inside = set(members)
        if self.consistent_only:
            guesses = array("Q", (word for word in guesses if word in inside))
        found = zip(self.bounds(members, guesses), guesses, strict=True)
        kept = ((bound, word) for bound, word in found if 0 <= bound < limit)
        return sorted(kept, key=lambda one: (one[0], one[1] not in inside, one[1]))

    def _space(self) -> Members:
        return self.state.every_guess()

    def _canonical(self, members: Members, path: Members) -> Members:
        """Guesses that no symmetry of the rows turns into a lesser one."""
        state = self.state
        with state.frame.kernel.frame() as scratch:
            out = scratch.reserve(4 * state.guesses)
            many = scratch.call(
                "code_canonical", rules=state.packed, space=state.space, count=state.guesses,
                clues=scratch.put(path), clue_count=len(path),
                secrets=scratch.put(array("Q", sorted(members))), n=len(members),
                consistent_only=0, out=out,
            )  # fmt: skip
            numbers = scratch.get(out, "I", many)
        space = self._space()
        return array("Q", (space[number] for number in numbers))

    def play_on(self, members: Members, path: Members, guess: int | None = None) -> int:
        """The total of a real strategy that begins so: each next guess has the least bound.

        `path`: the guesses that the members answer alike.
        """
        total, stack = 0, [(self._next(members, path) if guess is None else guess, members, path)]
        while stack:
            guess, members, path = stack.pop()
            total += self.mass(members)
            longer = path + array("Q", [guess])
            for _, cell in self.state.split(guess, members) if len(members) > 1 else ():
                stack.append((self._next(cell, longer), cell, longer))
        return total

    def _next(self, members: Members, path: Members) -> int:
        known = self.solved.get(members.tobytes())
        if len(members) <= 2:
            return members[0]
        if known is not None and known.exact:
            return known.guess
        return self.candidates(members, path, NEVER)[0][1]

    # ---- the tree ---------------------------------------------------------------------------

    def tree(self, members: Members) -> Branch:
        """The strategy that was found for a set whose total is known."""
        rules, names = self.state.rules, cell_names(self.state.rules)
        guess = members[0] if len(members) <= 2 else self.solved[members.tobytes()].guess
        branch = Branch(unpack(guess, rules.pegs), len(members), {})
        if len(members) > 1:
            for number, cell in self.state.split(guess, members):
                branch.answers[names[number]] = self.tree(cell)
        return branch
