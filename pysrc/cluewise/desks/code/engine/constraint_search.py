"""Consistent codes: counting, sampling and listing them, and counting their answers to a guess.

Small rules: backtracking over the pegs in the kernel (encoding.c), which prunes a prefix as soon as
a clue can no longer be met; a slice fixes the first `pegs - 4` colours. Cost: at worst all codes.

Large rules: dynamic programming over the colours (count.c). A state is the set of pegs filled and
the matches of every clue so far. Counts are exact; codes are sampled uniformly, backwards through
the states. Cost: O(states 2^pegs) a colour; beyond `_MEMORY` bytes of states `TooLarge`.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from zlib import crc32

import msgspec

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.state import (
    MOST_CODES,
    State,
    count_codes,
    pack,
    pack_answers,
    pack_guesses,
    pack_rules,
    run_in_slices,
    unpack,
)
from cluewise.desks.code.position import MOST_LISTED, Prior, Rules, answer
from cluewise.errors import TooLarge
from cluewise.kernel import Frame

# ---- the dynamic program over the colours --------------------------------------------------------


MOST_CLUES = 5
"""With more clues backtracking is faster: few codes are consistent, but states are many."""
_BLOCK = 256  # codes drawn in one kernel call: some 5 ms
_TURNS = 40  # attempts of rejection sampling, each with four times the codes requested
_STRIDE = 1 << 24  # between the seeds of two draws
_MEMORY = 40 << 20  # bytes, some 1.7 million states
_SEEDS = 1 << 30  # the kernel takes 31 bits; strides are added


def random_seed(rules: Rules, clues: Sequence[Clue], use: str) -> int:
    """Return a random seed for one use of a position, independent of other uses and positions.

    Symmetric positions have different seeds. (The number of remaining codes, used as a seed before,
    takes only 111 values in 200 games of p6c10r, so that sampling errors were correlated.)
    """
    rows = sorted(f"{clue.guess} {clue.answer}" for clue in clues)
    return crc32(msgspec.json.encode((rules, rows, use))) % _SEEDS


class CodeCounter:
    """The dynamic program over the colours, for up to `MOST_CLUES` clues.

    Every method raises `TooLarge` when there are too many states or clues.
    """

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.frame = frame
        self.rules = rules
        self.packed = pack_rules(rules)

    def answers_to(
        self, guess: str | None, clues: Sequence[Clue]
    ) -> Job[dict[tuple[int, int], int]]:
        """Count consistent codes by their answer to a guess; without a guess all at (0, 0)."""
        with self.frame.kernel.frame() as scratch:
            memory = yield from self._deal(scratch, guess, clues)
            out = scratch.reserve(8 * 256)
            scratch.call("code_counter_cells", memory, out)
            cells = scratch.get(out, "Q", 256)
        return {(a >> 4, a & 15): int(n) for a, n in enumerate(cells) if n}

    def answers_one_by_one(
        self, guess: str, clues: Sequence[Clue]
    ) -> Job[dict[tuple[int, int], int]]:
        """Count the same by one run for each answer, which is faster with many clues."""
        found = {}
        for done, pair in enumerate(self.rules.answers()):
            yield Progress(done, None, "counting answers")
            count = yield from self.count([*clues, Clue(guess, *pair)])
            if count:
                found[pair] = count
        return found

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        """Count the consistent codes."""
        return sum((yield from self.answers_to(None, clues)).values())

    def draw(self, clues: Sequence[Clue], count: int, seed: int) -> Job[array[int]]:
        """Sample consistent codes uniformly, with replacement, as packed codes."""
        with self.frame.kernel.frame() as scratch:
            memory = yield from self._deal(scratch, None, clues)
            out = scratch.reserve(8 * count)
            for done in range(0, count, _BLOCK):  # fixed blocks: the same sample on any machine
                rows = min(_BLOCK, count - done)
                scratch.call("code_counter_draw", memory, seed + done, rows, out + 8 * done)
                yield Progress(done + rows, count, "drawing codes that fit")
            return scratch.get(out, "Q", count)

    def _deal(self, scratch: Frame, guess: str | None, clues: Sequence[Clue]) -> Job[int]:
        distinct = list(dict.fromkeys((c.guess, c.exact, c.partial) for c in clues))
        asked = [] if guess is None else [guess]
        if len(distinct) + len(asked) > MOST_CLUES:
            raise TooLarge(f"Counting by colours takes at most {MOST_CLUES} clues.")
        distinct += [(c.guess, c.exact, c.partial) for c in self.rules.given()]
        size = min(_MEMORY, scratch.kernel.free() - (1 << 20))
        memory = scratch.reserve(size)
        words = pack_guesses(g for g, _, _ in distinct)
        words.extend(pack(g) for g in asked)
        answers = pack_answers([Clue(*d) for d in distinct]) + bytes(len(asked))
        scratch.call(
            "code_counter_start", memory, size, self.packed, scratch.put(words),
            scratch.put(answers), len(words), len(asked),
        )  # fmt: skip
        pace = SliceTimer(500_000)
        while scratch.call("code_counter_step", memory, pace.rows(1 << 30)):
            pace.took()
            yield Progress(0, None, "counting the codes that fit")
        return memory


def sample_codes(
    frame: Frame, rules: Rules, clues: Sequence[Clue], count: int, seed: int
) -> Job[array[int]]:
    """Sample `count` consistent codes uniformly, with replacement, for any number of clues.

    With more than `MOST_CLUES` clues, rejection sampling: codes consistent with the most selective
    clues are drawn, and those that contradict another clue rejected. Raises `TooLarge` where too
    few are accepted.
    """
    counter = CodeCounter(frame, rules)
    distinct = list(dict.fromkeys(clues))
    if len(distinct) <= MOST_CLUES:
        return (yield from counter.draw(distinct, count, seed))
    sizes = {}
    for clue in distinct:
        sizes[clue] = yield from counter.count([clue])
    ranked = sorted(distinct, key=lambda clue: sizes[clue])
    first, others = ranked[:MOST_CLUES], ranked[MOST_CLUES:]
    state = State(frame, rules, others)
    kept: array[int] = array("Q")
    for turn in range(_TURNS):
        drawn = yield from counter.draw(first, 4 * count, seed + turn * _STRIDE)
        fits = state.consistent(drawn)
        kept.extend(word for word, fit in zip(drawn, fits, strict=True) if fit)
        if len(kept) >= count:
            return kept[:count]
    raise TooLarge("So many rows leave so many codes that no fair sample of them could be drawn.")


# ---- backtracking or dynamic program -------------------------------------------------------------


_FEW = 2  # up to that many clues, all answers to a guess are counted in one run
_ROOM = 1 << 17  # codes listed at a time


class ConsistencySearch:
    """Finds and counts the codes that are consistent with clues.

    Small rules are enumerated by backtracking, a slice of first colours at a time. Large ones are
    counted by the dynamic program, and enumerated only where it needs too many states. Conditions
    of the rules on every code count as clues.
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
        """Return the first `most` consistent codes in ascending order."""
        words = yield from self.packed_codes(clues, most)
        return [unpack(word, self.rules.pegs) for word in words]

    def packed_codes(self, clues: Sequence[Clue], most: int) -> Job[array[int]]:
        """Return the same as packed codes."""
        found, clues = array("Q"), [*self.rules.given(), *clues]
        with self.frame.kernel.frame() as scratch:
            put = self._put(scratch, clues)

            def step(first: int, last: int) -> None:
                room = min(most - len(found), _ROOM)
                if room <= 0:
                    return
                got = self._search(put, len(clues), first, last, room, room)
                if got == _ROOM and last - first > 1:  # the buffer is full: there may be more
                    for one in range(first, last):
                        step(one, one + 1)
                    return
                found.extend(self.frame.get(self.out, "Q", got))

            yield from run_in_slices(self.slices, 1, "looking for codes that fit", step)
        return found

    def holds(self, clues: Sequence[Clue]) -> Job[bool]:
        """Return whether any code is consistent with the clues."""
        if self.counter:
            try:
                return (yield from self.counter.count(clues)) > 0
            except TooLarge:
                pass
        return len((yield from self.first(clues, 1))) > 0

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        """Count the codes that are consistent with the clues."""
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
        """Count consistent codes by their answer to a guess: `{(0, 0): 12, …}`, ascending."""
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
        """Return whether every code consistent with the clues fits the other clue too.

        For large rules a sample is tried for a counterexample first.
        """
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
        """Copy the clues into the kernel's memory."""
        return scratch.put(pack_guesses(c.guess for c in clues)), scratch.put(pack_answers(clues))

    def _search(
        self, put: tuple[int, int], clues: int, first: int, last: int, room: int, stop: int
    ) -> int:
        return self.frame.call(
            "code_secrets", self.packed, *put, clues=clues, depth=self.depth, from_=first, to=last,
            out=self.out, room=room, stop=stop, total=self.total,
        )  # fmt: skip


class PriorSearch(ConsistencySearch):
    """The same among the codes to which a prior gives a weight.

    Rules with a prior have at most `MOST_LISTED` codes: codes are listed and filtered.
    """

    def __init__(self, frame: Frame, rules: Rules, prior: Prior) -> None:
        super().__init__(frame, rules)
        self.weight = cache(lambda word: prior.weight(unpack(word, rules.pegs)))

    def packed_codes(self, clues: Sequence[Clue], most: int) -> Job[array[int]]:
        words = yield from super().packed_codes(clues, MOST_LISTED)
        return array("Q", islice(filter(self.weight, words), most))

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        return len((yield from self.packed_codes(clues, MOST_LISTED)))

    def answers_to(self, guess: str, clues: Sequence[Clue]) -> Job[dict[tuple[int, int], int]]:
        counts: Counter[tuple[int, int]] = Counter()
        codes = yield from self.first(clues, MOST_LISTED)
        for start in range(0, len(codes), _BLOCK):
            yield Progress(start, len(codes), "counting answers")
            counts.update(answer(self.rules, guess, s) for s in codes[start : start + _BLOCK])
        return dict(sorted(counts.items()))


def search_codes(frame: Frame, rules: Rules, prior: Prior | None) -> ConsistencySearch:
    """Return the search for codes of these rules, without those of weight 0."""
    return ConsistencySearch(frame, rules) if prior is None else PriorSearch(frame, rules, prior)
