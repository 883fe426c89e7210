"""Do clues hold together, and how do the codes that fit them answer another guess?"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job
from cluewise.desks.code.engine.state import sliced
from cluewise.desks.code.engine.words import pack, pack_answers, pack_guesses, pack_rules, unpack
from cluewise.desks.code.position import Clue, Rules
from cluewise.kernel import Frame

_ROOM = 1 << 17  # codes listed at a time


class Finder:
    """Searches for the codes that fit clues, a slice of first colours at a time."""

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.frame = frame
        self.rules = rules
        self.packed = pack_rules(rules)
        self.depth = max(0, rules.pegs - 4)
        self.slices = rules.colours**self.depth
        self.out = frame.reserve(8 * _ROOM)
        self.answers = frame.reserve(_ROOM)
        self.total = frame.reserve(8)

    def first(self, clues: Sequence[Clue], most: int) -> Job[list[str]]:
        """The first `most` codes that fit, ascending; one is enough to know that clues hold."""
        found: list[str] = []
        with self.frame.kernel.frame() as scratch:
            put = (
                scratch.put(pack_guesses(c.guess for c in clues)),
                scratch.put(pack_answers(clues)),
            )

            def step(first: int, last: int) -> None:
                left = min(most - len(found), _ROOM)
                if left <= 0:
                    return
                got = self._search(put, len(clues), first, last, left, left)
                words = self.frame.get(self.out, "Q", got)
                found.extend(unpack(word, self.rules.pegs) for word in words)

            yield from sliced(self.slices, 1, "looking for codes that fit", step)
        return found

    def holds(self, clues: Sequence[Clue]) -> Job[bool]:
        """Whether some code fits all these clues."""
        return len((yield from self.first(clues, 1))) > 0

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        """How many codes fit all these clues."""
        self.frame.write(self.total, bytes(8))
        with self.frame.kernel.frame() as scratch:
            put = (
                scratch.put(pack_guesses(c.guess for c in clues)),
                scratch.put(pack_answers(clues)),
            )

            def step(first: int, last: int) -> None:
                self._search(put, len(clues), first, last, 0, 0)

            yield from sliced(self.slices, 1, "counting the codes that fit", step)
        return int(self.frame.get(self.total, "Q", 1)[0])

    def answers_to(self, guess: str, clues: Sequence[Clue]) -> Job[dict[tuple[int, int], int]]:
        """How many of the codes that fit would answer so: `{(0, 0): 12, …}`, ascending."""
        tally = [0] * 256
        with self.frame.kernel.frame() as scratch:
            put = (
                scratch.put(pack_guesses(c.guess for c in clues)),
                scratch.put(pack_answers(clues)),
            )
            asked = scratch.put(array("Q", [pack(guess)]))

            def step(first: int, last: int) -> None:
                for one in range(first, last):
                    got = self._search(put, len(clues), one, one + 1, _ROOM, 0)
                    self.frame.call("code_answers", self.packed, asked, self.out, got, self.answers)
                    answers = self.frame.get(self.answers, "B", got).tobytes()
                    for answer in set(answers):
                        tally[answer] += answers.count(answer)

            yield from sliced(self.slices, 1, "counting answers", step)
        return {(a >> 4, a & 15): n for a, n in enumerate(tally) if n}

    def _search(
        self, put: tuple[int, int], clues: int, first: int, last: int, room: int, stop: int
    ) -> int:
        return self.frame.call(
            "code_secrets", self.packed, *put, clues, self.depth, first, last, self.out, room,
            stop, self.total,
        )  # fmt: skip
