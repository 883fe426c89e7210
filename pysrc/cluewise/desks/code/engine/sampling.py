"""Counting and drawing codes of rules too large to go through: colour by colour (count.c).

A dynamic program over the colours: a state is the pegs taken and the matches of every clue so far.
Counts are exact; codes are drawn uniformly, backwards through the states. Cost: O(states 2^pegs) a
colour; beyond `_MEMORY` bytes of states `TooLarge`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from zlib import crc32

import msgspec

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.encoding import pack, pack_answers, pack_guesses, pack_rules
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.position import Rules
from cluewise.errors import TooLarge
from cluewise.kernel import Frame

MOST_CLUES = 5
"""With more clues a search is faster: they leave few codes and many states."""
_BLOCK = 256  # codes drawn in one kernel call: some 5 ms
_TURNS = 40  # draws, each of four times as many codes as are asked for
_STRIDE = 1 << 24  # between the seeds of two draws
_MEMORY = 40 << 20  # bytes, some 1.7 million states
_SEEDS = 1 << 30  # and a few turns more: the kernel takes 31 bits


def seed_of(rules: Rules, clues: Sequence[Clue], use: str) -> int:
    """A seed of this position's own for one use of it: its numbers tell nothing of another's.

    Positions that are alike but for colours and pegs have different ones. (The number of codes
    left was the seed once, which like positions have in common: 200 games of p6c10r have 111
    different numbers, and their errors went together a little.)
    """
    rows = sorted(f"{clue.guess} {clue.answer}" for clue in clues)
    return crc32(msgspec.json.encode((rules, rows, use))) % _SEEDS


class CodeCounter:
    """Codes that fit up to seven clues, counted by dealing colours to pegs.

    Every method raises `TooLarge` when there are too many states or clues.
    """

    def __init__(self, frame: Frame, rules: Rules) -> None:
        self.frame = frame
        self.rules = rules
        self.packed = pack_rules(rules)

    def answers_to(
        self, guess: str | None, clues: Sequence[Clue]
    ) -> Job[dict[tuple[int, int], int]]:
        """How many of the codes that fit give each answer to a guess; without one, (0, 0): all."""
        with self.frame.kernel.frame() as scratch:
            memory = yield from self._deal(scratch, guess, clues)
            out = scratch.reserve(8 * 256)
            scratch.call("code_counter_cells", memory, out)
            cells = scratch.get(out, "Q", 256)
        return {(a >> 4, a & 15): int(n) for a, n in enumerate(cells) if n}

    def answers_one_by_one(
        self, guess: str, clues: Sequence[Clue]
    ) -> Job[dict[tuple[int, int], int]]:
        """The same as `answers_to`, a count for every answer: many clues make this the faster."""
        found = {}
        for done, answer in enumerate(self.rules.answers()):
            yield Progress(done, None, "counting answers")
            count = yield from self.count([*clues, Clue(guess, *answer)])
            if count:
                found[answer] = count
        return found

    def count(self, clues: Sequence[Clue]) -> Job[int]:
        """How many codes fit."""
        return sum((yield from self.answers_to(None, clues)).values())

    def draw(self, clues: Sequence[Clue], count: int, seed: int) -> Job[array[int]]:
        """That many codes that fit, each drawn with the same chances, as kernel words."""
        with self.frame.kernel.frame() as scratch:
            memory = yield from self._deal(scratch, None, clues)
            out = scratch.reserve(8 * count)
            for done in range(0, count, _BLOCK):  # fixed blocks: the same draw on any machine
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
    """`count` codes that fit, each drawn with the same chances; for any number of clues.

    More clues than can be counted by colours: those that say least are used to throw away draws.
    Raises `TooLarge` where hardly a draw is left.
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
    state = State(frame, rules, counter.packed, others)
    kept: array[int] = array("Q")
    for turn in range(_TURNS):
        drawn = yield from counter.draw(first, 4 * count, seed + turn * _STRIDE)
        fits = state.fitting(drawn)
        kept.extend(word for word, fit in zip(drawn, fits, strict=True) if fit)
        if len(kept) >= count:
            return kept[:count]
    raise TooLarge("So many rows leave so many codes that no fair sample of them could be drawn.")
