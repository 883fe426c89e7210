"""Do clues hold together, and how do the codes that fit them answer another guess?

Small rules: backtracking over the pegs in the kernel, which drops a prefix as soon as a clue cannot
be met any more; a slice is one choice of the first colours (`pegs - 4` of them). Large rules: the
dynamic program of `sampling.CodeCounter` first. Cost: at worst all codes.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import (
    count_codes,
    pack,
    pack_answers,
    pack_guesses,
    pack_rules,
    unpack,
)
from cluewise.desks.code.engine.sampling import CodeCounter
from cluewise.desks.code.engine.state import MOST_CODES, run_in_slices
from cluewise.desks.code.position import Rules, answer
from cluewise.errors import TooLarge
from cluewise.kernel import Frame

_FEW = 2  # up to that many clues, all answers to one guess are counted at once
_ROOM = 1 << 17  # codes listed at a time


class ConsistencySearch:
    """Finds and counts the codes that fit clues.

    Small rules are searched through, a slice of first colours at a time. Large ones are counted
    by dealing colours, and searched through only where that takes too many states. What the rules
    say of every code counts as a clue.
    """

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.frame = frame
        self.rules = rules
        self.packed = pack_rules(rules)
        self.depth = max(0, rules.pegs - 4)
        self.slices = rules.colours**self.depth
        self.out = frame.reserve(8 * _ROOM)
        self.total = frame.reserve(8)
        self.counter = None if count_codes(rules) <= MOST_CODES else CodeCounter(frame, rules)

    def first(self, clues: Sequence[Clue], most: int) -> Job[list[str]]:
        """The first `most` codes that fit, ascending; one is enough to know that clues hold."""
        words = yield from self.words(clues, most)
        return [unpack(word, self.rules.pegs) for word in words]

    def words(self, clues: Sequence[Clue], most: int) -> Job[array[int]]:
        """The same as kernel words."""
        found, clues = array("Q"), [*self.rules.given(), *clues]
        with self.frame.kernel.frame() as scratch:
            put = self._put(scratch, clues)

            def step(first: int, last: int) -> None:
                room = min(most - len(found), _ROOM)
                if room <= 0:
                    return
                got = self._search(put, len(clues), first, last, room, room)
                if got == _ROOM and last - first > 1:  # more may have been found than fit
                    for one in range(first, last):
                        step(one, one + 1)
                    return
                found.extend(self.frame.get(self.out, "Q", got))

            yield from run_in_slices(self.slices, 1, "looking for codes that fit", step)
        return found

    def holds(self, clues: Sequence[Clue]) -> Job[bool]:
        """Whether some code fits all these clues."""
        if self.counter:
            try:
                return (yield from self.counter.count(clues)) > 0
            except TooLarge:
                pass
        return len((yield from self.first(clues, 1))) > 0

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        """How many codes fit all these clues."""
        if self.counter:
            try:
                return (yield from self.counter.count(clues))
            except TooLarge:
                pass
        clues = [*self.rules.given(), *clues]
        self.frame.write(self.total, bytes(8))
        with self.frame.kernel.frame() as scratch:
            put = self._put(scratch, clues)

            def step(first: int, last: int) -> None:
                self._search(put, len(clues), first, last, 0, 0)

            yield from run_in_slices(self.slices, 1, "counting the codes that fit", step)
        return int(self.frame.get(self.total, "Q", 1)[0])

    def answers_to(self, guess: str, clues: Sequence[Clue]) -> Job[dict[tuple[int, int], int]]:
        """How many of the codes that fit would answer so: `{(0, 0): 12, …}`, ascending."""
        if self.counter:
            few = len(clues) <= _FEW
            ask = self.counter.answers_to if few else self.counter.answers_one_by_one
            try:
                return (yield from ask(guess, clues))
            except TooLarge:
                pass
        clues = [*self.rules.given(), *clues]
        with self.frame.kernel.frame() as scratch:
            put = self._put(scratch, clues)
            asked = scratch.put(array("Q", [pack(guess)]))
            tally = scratch.reserve(8 * 256, zero=True)

            def step(first: int, last: int) -> None:
                self.frame.call(
                    "code_secret_answers", self.packed, *put, clues=len(clues), depth=self.depth,
                    from_=first, to=last, asked=asked, tally=tally,
                )  # fmt: skip

            yield from run_in_slices(self.slices, 1, "counting answers", step)
            cells = scratch.get(tally, "Q", 256)
        return {(a >> 4, a & 15): int(n) for a, n in enumerate(cells) if n}

    def implies(self, clues: Sequence[Clue], other: Clue) -> Job[bool]:
        """Whether every code that fits the clues fits the other one too."""
        if self.counter:
            try:
                drawn = yield from self.counter.draw(clues, 64, seed=1)
            except TooLarge:
                drawn = array("Q")
            codes = (unpack(word, self.rules.pegs) for word in drawn)
            if any(not other.agrees(answer(self.rules, other.guess, code)) for code in codes):
                return False
        answers = yield from self.answers_to(other.guess, clues)
        return all(map(other.agrees, answers))

    def _put(self, scratch: Frame, clues: Sequence[Clue]) -> tuple[int, int]:
        """The clues in the kernel's memory."""
        return scratch.put(pack_guesses(c.guess for c in clues)), scratch.put(pack_answers(clues))

    def _search(
        self, put: tuple[int, int], clues: int, first: int, last: int, room: int, stop: int
    ) -> int:
        return self.frame.call(
            "code_secrets", self.packed, *put, clues=clues, depth=self.depth, from_=first, to=last,
            out=self.out, room=room, stop=stop, total=self.total,
        )  # fmt: skip
