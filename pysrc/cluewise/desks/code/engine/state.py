"""Codes and positions as the kernel holds them.

A code is a word: a byte a peg, the first peg on top, 0 for a blank. A position loaded into the
kernel is its guesses, the secrets left, the classes, the scores: all functions for that are jobs
that yield progress at least every 50 ms. Buffers live as long as the frame that was handed in.

>>> hex(pack("0011"))
'0x101020200000000'
>>> unpack(pack("0011"), 4)
'0011'
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb, gcd, perm

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import BLANK, FEEDBACKS, SYMBOLS, Prior, Rules
from cluewise.errors import Contradiction
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

CELLS = CODE.MAX_CELLS
"""Room for the cells of one split in kernel buffers (MAX_CELLS of code.h)."""

_TO_BYTE = {symbol: i for i, symbol in enumerate(BLANK + SYMBOLS)}
_TO_TEXT = bytes((BLANK + SYMBOLS).ljust(256, "?"), "ascii")


def pack(text: str) -> int:
    """The kernel's word of a code or guess that has passed the position's checks."""
    return int.from_bytes(bytes(_TO_BYTE[s] for s in text).ljust(8, b"\0"), "big")


def unpack(word: int, pegs: int) -> str:
    """The text of a kernel word."""
    return word.to_bytes(8, "big")[:pegs].translate(_TO_TEXT).decode("ascii")


def pack_rules(rules: Rules) -> int:
    """The rules as the kernel's one integer (RULES in code.h)."""
    flags = rules.repeat | rules.blanks << 1 | FEEDBACKS.index(rules.feedback) << 2
    return rules.pegs | rules.colours << 4 | flags << 9


def pack_guesses(guesses: Iterable[str]) -> array[int]:
    """Kernel words, `array("Q")`."""
    return array("Q", [pack(guess) for guess in guesses])


UNKNOWN = 15
"""A half of an answer that is not known, as the kernel writes it (code.h)."""


def pack_answers(clues: Iterable[Clue]) -> bytes:
    """One byte a clue: exact in the upper half, partial in the lower, 15 for what is not known."""
    halves = (clue.pair for clue in clues)
    return bytes(
        (UNKNOWN if x is None else x) << 4 | (UNKNOWN if y is None else y) for x, y in halves
    )


@cache
def count_codes(rules: Rules) -> int:
    """How many secrets the rules allow: `count_codes(Rules(4, 10, repeat=False)) == 5040`."""
    every = rules.colours**rules.pegs if rules.repeat else perm(rules.colours, rules.pegs)
    return every if rules.leading_zero else every - every // rules.colours


@cache
def count_guesses(rules: Rules) -> int:
    """How many guesses the rules allow: more than codes where blanks or a first 0 are allowed."""
    if not rules.blanks:
        return count_codes(Rules(rules.pegs, rules.colours, rules.repeat))
    if rules.repeat:
        return int((rules.colours + 1) ** rules.pegs)
    return sum(comb(rules.pegs, k) * perm(rules.colours, k) for k in range(rules.pegs + 1))


@cache
def cell_names(rules: Rules) -> tuple[str, ...]:
    """The answers in the kernel's order of cells: `("0A0B", "0A1B", …)`."""
    return tuple(map(rules.answer_name, rules.answers()))


MOST_CODES = 1 << 20
"""Rules with at most that many codes are counted through code by code."""
MOST_GUESSES = CODE.MOST_GUESSES
"""… and this many guesses, where blanks make more guesses than codes."""

_IMAGES = 1 << 17  # of guesses in one kernel call: some milliseconds


def run_in_slices(
    total: int, first: int, note: str, step: Callable[[int, int], object]
) -> Job[None]:
    """Call `step(from, to)` over 0 … total in slices of about 20 ms."""
    pace = SliceTimer(first)
    done = 0
    while done < total:
        rows = pace.rows(total - done)
        step(done, done + rows)
        pace.took()
        done += rows
        if done < total:
            yield Progress(done, total, note)


def is_countable(rules: Rules) -> bool:
    """Whether the rules are small enough to go through all codes and guesses."""
    return count_codes(rules) <= MOST_CODES and count_guesses(rules) <= MOST_GUESSES


@dataclass
class State:
    """The secrets that fit some clues, in kernel memory; `space` holds all guesses."""

    frame: Frame
    rules: Rules
    packed: int
    clues: Sequence[Clue]
    secrets: int = 0
    n: int = 0
    space: int = 0
    guesses: int = 0
    excluded: int = 0
    weights: dict[int, int] | None = None
    """Weights by word where the codes are not equally likely."""
    unit: int = 1
    """The weight of each code where all weigh alike."""
    _present: int = field(default=-1)

    def words(self, at: int, count: int) -> list[str]:
        """Texts of `count` kernel words from `at`."""
        return [unpack(w, self.rules.pegs) for w in self.frame.get(at, "Q", count)]

    def codes(self) -> array[int]:
        """The remaining codes as kernel words."""
        return self.frame.get(self.secrets, "Q", self.n)

    def every_guess(self) -> array[int]:
        """The guesses of the space as kernel words."""
        return self.frame.get(self.space, "Q", self.guesses)

    def guess(self, place: int) -> str:
        """The guess at that place of the space."""
        return self.words(self.space + 8 * place, 1)[0]

    def fitting(self, words: Sequence[int]) -> bytes:
        """For each guess (a kernel word) 1 if it can be the secret, else 0."""
        fits = bytearray(len(words))
        with self.frame.kernel.frame() as scratch:
            rows = [i for i, word in enumerate(words) if not has_blank(word, self.rules.pegs)]
            at = scratch.put(array("Q", [words[i] for i in rows]))
            out, count = scratch.reserve(len(rows)), len(rows)
            guesses = pack_guesses(clue.guess for clue in self.clues)
            fit = bytearray(b"\1" * count)
            for guess, wanted in zip(guesses, pack_answers(self.clues), strict=True):
                asked = scratch.put(array("Q", [guess]))
                scratch.call("code_answers", self.packed, asked, at, count, out)
                for i, found in enumerate(scratch.get(out, "B", count)):
                    fit[i] &= _is_answer(found, wanted)
        for i, one in zip(rows, fit, strict=True):
            fits[i] = one
        return bytes(fits)

    def place(self, guess: int) -> int:
        """The place in the space of a guess, a kernel word."""
        with self.frame.kernel.frame() as scratch:
            return scratch.call("code_place", self.packed, scratch.put(array("Q", [guess])))

    def with_clues(self, frame: Frame, clues: Sequence[Clue]) -> State:
        """The rules and the space after other clues, without secrets."""
        return State(
            frame, self.rules, self.packed, clues, space=self.space, guesses=self.guesses
        )  # fmt: skip

    def with_codes(self, frame: Frame, clues: Sequence[Clue], codes: array[int]) -> State:
        """The rules and the space after other clues, with these codes remaining."""
        inner = self.with_clues(frame, clues)
        inner.secrets, inner.n = frame.put(codes), len(codes)
        return inner

    def split(self, guess: int, words: Sequence[int]) -> list[tuple[int, array[int]]]:
        """What each answer to a guess but the win leaves of the codes: its number, those codes."""
        with self.frame.kernel.frame() as scratch:
            out, starts = scratch.reserve(8 * len(words)), scratch.reserve(4 * (CELLS + 1))
            asked, at = scratch.put(array("Q", [guess])), scratch.put(array("Q", words))
            cells = scratch.call("code_part", self.packed, asked, at, len(words), out, starts)
            edges = scratch.get(starts, "I", cells + 1)
            parts = scratch.get(out, "Q", len(words))
        spans = ((c, edges[c], edges[c + 1]) for c in range(cells - 1))
        return [(c, parts[first:last]) for c, first, last in spans if first < last]

    def present(self) -> int:
        """The colours that some remaining secret shows, bit 1 for colour 0 and so on."""
        if self._present < 0:
            self._present = self.frame.call("code_present", self.secrets, self.n)
        return self._present


def _is_answer(found: int, wanted: int) -> bool:
    """Whether an answer's byte has the halves that a clue's byte gives."""
    halves = ((found >> 4, wanted >> 4), (found & 15, wanted & 15))
    return all(given in (half, UNKNOWN) for half, given in halves)


def load(
    frame: Frame, rules: Rules, clues: Sequence[Clue], prior: Prior | None = None
) -> Job[State]:
    """The state of these clues: its secrets in ascending order; n = 0 if they contradict.

    What the rules say of every code stands before the clues, as one of them. Codes of weight 0 are
    left out; codes with a weight of their own stand behind the clues, as guesses without an answer,
    so that no symmetry moves them.
    """
    clues = [*rules.given(), *clues]
    state = State(frame, rules, pack_rules(rules), clues)
    room = count_codes(rules)
    state.secrets = frame.reserve(8 * room)
    guesses = frame.put(pack_guesses(clue.guess for clue in clues))
    answers = frame.put(pack_answers(clues))
    total = frame.reserve(8, zero=True)
    depth = max(0, rules.pegs - 5)

    def step(first: int, last: int) -> None:
        state.n += frame.call(
            "code_secrets", rules=state.packed, guesses=guesses, answers=answers,
            clues=len(clues), depth=depth, from_=first, to=last,
            out=state.secrets + 8 * state.n, room=room - state.n, stop=0, total=total,
        )  # fmt: skip

    yield from run_in_slices(rules.colours**depth, 1, "finding the codes that fit", step)
    if prior is not None:
        words = state.codes()
        weights = {word: prior.weight(unpack(word, rules.pegs)) for word in words}
        kept = array("Q", [word for word in words if weights[word]])
        state.unit = gcd(*(weights[word] for word in kept)) or 1
        if any(weights[word] != state.unit for word in kept):
            state.weights, state.unit = {word: weights[word] for word in kept}, 1
        frame.write(state.secrets, kept)
        state.n = len(kept)
        state.clues = [*clues, *(Clue(code, None, None) for code in prior.codes)]
    return state


def load_consistent(state: State) -> None:
    """Raise `Contradiction` if no secret is left."""
    if state.n == 0:
        message = "No code fits all the clues; ask `doubt` which of them to look at again."
        raise Contradiction(message, "$.clues")


def load_space(state: State) -> Job[None]:
    """Fill `space` with all guesses in ascending order."""
    frame = state.frame
    state.guesses = count_guesses(state.rules)
    state.space = frame.reserve(8 * state.guesses)

    def step(first: int, last: int) -> None:
        frame.call("code_space", state.packed, first, last, state.space + 8 * first)

    yield from run_in_slices(state.guesses, 1 << 18, "listing the guesses", step)


def load_planes(state: State, words: int, n: int) -> Job[int]:
    """The address of the bit planes of `n` secrets at `words`."""
    frame = state.frame
    planes = frame.reserve(8 * frame.call("code_plane_words", state.packed, n))

    def step(first: int, last: int) -> None:
        frame.call("code_planes", state.packed, words, n, planes, first, last)

    yield from run_in_slices((n + 63) // 64, 4096, "preparing the comparison", step)
    return planes


def excluded_colours(state: State) -> int:
    """Bits of the colours no remaining secret shows, with bit 0 where blanks are allowed."""
    every = (2 << state.rules.colours) - 2
    return (every & ~state.present()) | (1 if state.rules.blanks else 0)


def free_colours(state: State) -> int:
    """Bits of the colours that no clue's guess shows and that are not excluded."""
    shown = 0
    for word in pack_guesses(clue.guess for clue in state.clues):
        for byte in word.to_bytes(8, "big"):
            shown |= 1 << byte
    return (2 << state.rules.colours) - 2 & ~shown & ~excluded_colours(state)


def has_blank(word: int, pegs: int) -> bool:
    """Whether a guess leaves a peg empty."""
    return 0 in word.to_bytes(8, "big")[:pegs]


def unite(state: State, parent: int, symmetries: int, many: int, note: str) -> Job[None]:
    """Join all guesses with their images under the symmetries, which lie in the kernel."""

    def step(first: int, last: int) -> None:
        state.frame.call(
            "code_unite", state.packed, state.space, parent, symmetries, many, first, last
        )

    if many:
        yield from run_in_slices(state.guesses, max(_IMAGES // many, 1), note, step)
