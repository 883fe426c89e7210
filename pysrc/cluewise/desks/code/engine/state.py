"""Packed codes, and the state of a game in kernel memory.

A code or guess is packed into 64 bits: a byte per peg, the first peg on top, 0 for a blank. A
`State` has the addresses of the remaining secrets and of the space of all guesses, both ascending
arrays of packed codes. Its buffers live as long as the kernel frame that it was loaded into.
Whatever takes long is a job that yields progress at least every 50 ms.

>>> hex(pack("0011"))
'0x101020200000000'
>>> unpack(pack("0011"), 4)
'0011'
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import InitVar, dataclass
from functools import cache, cached_property
from math import comb, gcd, perm

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import BLANK, FEEDBACKS, SYMBOLS, Position, Prior, Rules
from cluewise.errors import Contradiction
from cluewise.kernel import Frame
from cluewise.kernel.layouts import CODE

CELLS = CODE.MAX_CELLS
"""Room for the cells of one split in kernel buffers (MAX_CELLS of code.h)."""

_TO_BYTE = {symbol: i for i, symbol in enumerate(BLANK + SYMBOLS)}
_TO_TEXT = bytes((BLANK + SYMBOLS).ljust(256, "?"), "ascii")


def pack(text: str) -> int:
    """Pack a code or guess that has passed the position's checks."""
    return int.from_bytes(bytes(_TO_BYTE[s] for s in text).ljust(8, b"\0"), "big")


def unpack(code: int, pegs: int) -> str:
    """Return the text of a packed code."""
    return code.to_bytes(8, "big")[:pegs].translate(_TO_TEXT).decode("ascii")


def pack_rules(rules: Rules) -> int:
    """Pack the rules into the integer of every kernel call (RULES in code.h)."""
    flags = rules.repeat | rules.blanks << 1 | FEEDBACKS.index(rules.feedback) << 2
    return rules.pegs | rules.colours << 4 | flags << 9


def pack_guesses(guesses: Iterable[str]) -> array[int]:
    """Pack guesses into an `array("Q")`."""
    return array("Q", [pack(guess) for guess in guesses])


UNKNOWN = 15
"""The kernel's value of an unknown half of an answer (code.h)."""


def pack_answers(clues: Iterable[Clue]) -> bytes:
    """Pack answers into a byte each: exact << 4 | partial, 15 for an unknown half."""
    halves = (clue.pair for clue in clues)
    return bytes(
        (UNKNOWN if x is None else x) << 4 | (UNKNOWN if y is None else y) for x, y in halves
    )


@cache
def count_codes(rules: Rules) -> int:
    """Count the secrets of the rules: `count_codes(Rules(4, 10, repeat=False)) == 5040`."""
    every = rules.colours**rules.pegs if rules.repeat else perm(rules.colours, rules.pegs)
    return every if rules.leading_zero else every - every // rules.colours


@cache
def count_guesses(rules: Rules) -> int:
    """Count the guesses of the rules; blanks and a leading 0 make them more than the codes."""
    if not rules.blanks:
        return count_codes(Rules(rules.pegs, rules.colours, rules.repeat))
    if rules.repeat:
        return int((rules.colours + 1) ** rules.pegs)
    return sum(comb(rules.pegs, k) * perm(rules.colours, k) for k in range(rules.pegs + 1))


@cache
def cell_names(rules: Rules) -> tuple[str, ...]:
    """Return the answers in the kernel's order of cells: `("0A0B", "0A1B", …)`."""
    return tuple(map(rules.answer_name, rules.answers()))


MOST_CODES = 1 << 20
"""Rules with at most that many codes and `MOST_GUESSES` guesses are enumerated."""
MOST_GUESSES = CODE.MOST_GUESSES

_IMAGES_PER_CALL = 1 << 17  # some milliseconds


def run_in_slices(
    total: int, first: int, note: str, step: Callable[[int, int], object]
) -> Job[None]:
    """Call `step(from, to)` over 0 … total in slices of about 20 ms, the first of `first` rows."""
    pace = SliceTimer(first)
    done = 0
    while done < total:
        rows = pace.rows(total - done)
        step(done, done + rows)
        pace.took()
        done += rows
        if done < total:
            yield Progress(done, total, note)


@dataclass
class Budget:
    """What searches may spend in all: units of the kernel's work, seconds; None: no limit."""

    work: int | None
    seconds: InitVar[float | None] = None

    def __post_init__(self, seconds: float | None) -> None:
        self.deadline = None if seconds is None else time.perf_counter() + seconds

    def is_spent(self) -> bool:
        """Whether the work or the time has run out."""
        if self.work is not None and self.work <= 0:
            return True
        return self.deadline is not None and time.perf_counter() > self.deadline


def is_countable(rules: Rules) -> bool:
    """Whether the rules are small enough to enumerate all codes and guesses."""
    return count_codes(rules) <= MOST_CODES and count_guesses(rules) <= MOST_GUESSES


@dataclass
class State:
    """The secrets consistent with some clues, and the space of all guesses, in kernel memory.

    `secrets`, `space`: addresses of `n` and `guesses` packed codes; 0 until they are loaded.
    """

    frame: Frame
    rules: Rules
    clues: Sequence[Clue]
    secrets: int = 0
    n: int = 0
    space: int = 0
    guesses: int = 0
    weights: dict[int, int] | None = None
    """Weights by packed code where the codes are not equally likely."""
    unit: int = 1
    """The weight of every code where all are equally likely."""

    @cached_property
    def packed(self) -> int:
        """The rules as kernel calls take them."""
        return pack_rules(self.rules)

    @cached_property
    def present(self) -> int:
        """The colours that occur in a remaining secret: bit 1 for colour 0 and so on."""
        return self.frame.call("code_present", self.secrets, self.n)

    def texts(self, at: int, count: int) -> list[str]:
        """Return the texts of `count` packed codes at an address."""
        return [unpack(code, self.rules.pegs) for code in self.frame.get(at, "Q", count)]

    def codes(self) -> array[int]:
        """Return the remaining codes, packed."""
        return self.frame.get(self.secrets, "Q", self.n)

    def every_guess(self) -> array[int]:
        """Return the guesses of the space, packed."""
        return self.frame.get(self.space, "Q", self.guesses)

    def guess(self, place: int) -> str:
        """Return the guess at that place of the space."""
        return self.texts(self.space + 8 * place, 1)[0]

    def place(self, guess: int) -> int:
        """Return the place in the space of a packed guess."""
        with self.frame.kernel.frame() as scratch:
            return scratch.call("code_place", self.packed, scratch.put(array("Q", [guess])))

    def consistent(self, guesses: Sequence[int]) -> bytes:
        """Return for each packed guess 1 if it is a code that agrees with all clues, else 0.

        Compares pairs of counts (`Clue.agrees`): not for `order` and `sum` with `leading_zero`
        off, where the clue of the rules is about right places only.
        """
        found = bytearray(len(guesses))
        rows = [i for i, guess in enumerate(guesses) if not has_blank(guess, self.rules.pegs)]
        agree = int.from_bytes(b"\1" * len(rows), "big")
        with self.frame.kernel.frame() as scratch:
            at, out = (
                scratch.put(array("Q", [guesses[i] for i in rows])),
                scratch.reserve(len(rows)),
            )
            for clue in self.clues:
                flags = bytes(clue.agrees((answer >> 4, answer & 15)) for answer in range(256))
                asked = scratch.put(pack_guesses([clue.guess]))
                scratch.call("code_answers", self.packed, asked, at, len(rows), out)
                answers = bytes(scratch.get(out, "B", len(rows)))
                agree &= int.from_bytes(answers.translate(flags), "big")
        for i, one in zip(rows, agree.to_bytes(len(rows), "big"), strict=True):
            found[i] = one
        return bytes(found)

    def with_clues(self, frame: Frame, clues: Sequence[Clue]) -> State:
        """Return a state of the same space after other clues, without secrets."""
        return State(frame, self.rules, clues, space=self.space, guesses=self.guesses)

    def with_codes(self, frame: Frame, clues: Sequence[Clue], codes: array[int]) -> State:
        """Return a state of the same space after other clues, with these codes remaining."""
        inner = self.with_clues(frame, clues)
        inner.secrets, inner.n = frame.put(codes), len(codes)
        return inner

    def split(self, guess: int, codes: Sequence[int]) -> list[tuple[int, array[int]]]:
        """Partition packed codes by their answer to a guess.

        Returns the number and the codes of each cell that is not empty; the win is left out.
        """
        with self.frame.kernel.frame() as scratch:
            out, starts = scratch.reserve(8 * len(codes)), scratch.reserve(4 * (CELLS + 1))
            asked, at = scratch.put(array("Q", [guess])), scratch.put(array("Q", codes))
            cells = scratch.call("code_part", self.packed, asked, at, len(codes), out, starts)
            edges = scratch.get(starts, "I", cells + 1)
            sorted_codes = scratch.get(out, "Q", len(codes))
        spans = ((c, edges[c], edges[c + 1]) for c in range(cells - 1))
        return [(c, sorted_codes[first:last]) for c, first, last in spans if first < last]


def load(
    frame: Frame, rules: Rules, clues: Sequence[Clue], prior: Prior | None = None
) -> Job[State]:
    """Load the state after these clues: its secrets ascend; n = 0 if the clues contradict.

    The clue that the rules imply, if any, is put first. Codes of weight 0 are left out. Codes with
    a weight of their own are appended as guesses without an answer, so that no symmetry moves them.
    """
    clues = [*rules.given(), *clues]
    state = State(frame, rules, clues)
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
        weights = {code: prior.weight(unpack(code, rules.pegs)) for code in state.codes()}
        weights = {code: weight for code, weight in weights.items() if weight}
        kept = array("Q", weights)
        state.unit = gcd(*weights.values()) or 1
        if any(weight != state.unit for weight in weights.values()):
            state.weights, state.unit = weights, 1
        frame.write(state.secrets, kept)
        state.n = len(kept)
        state.clues = [*clues, *(Clue(code, None, None) for code in prior.codes)]
    return state


def load_position(frame: Frame, position: Position) -> Job[State]:
    """Load the state of a position; raises `Contradiction` if no code is consistent."""
    state = yield from load(frame, position.rules, position.counted_clues(), position.prior)
    if state.n == 0:
        raise contradiction()
    return state


def contradiction() -> Contradiction:
    """Return the error of clues that no code fits."""
    message = "No code fits all the clues; ask `doubt` which of them to look at again."
    return Contradiction(message, "$.clues")


def load_space(state: State) -> Job[None]:
    """Load the space: all guesses in ascending order."""
    frame = state.frame
    state.guesses = count_guesses(state.rules)
    state.space = frame.reserve(8 * state.guesses)

    def step(first: int, last: int) -> None:
        frame.call("code_space", state.packed, first, last, state.space + 8 * first)

    yield from run_in_slices(state.guesses, 1 << 18, "listing the guesses", step)


def load_planes(state: State, codes: int, n: int) -> Job[int]:
    """Build the bit planes (PLANES in code.h) of `n` codes at an address; return their address."""
    frame = state.frame
    planes = frame.reserve(8 * frame.call("code_plane_words", state.packed, n))

    def step(first: int, last: int) -> None:
        frame.call("code_planes", state.packed, codes, n, planes, first, last)

    yield from run_in_slices((n + 63) // 64, 4096, "preparing the comparison", step)
    return planes


def excluded_colours(state: State) -> int:
    """Return the bits of the colours in no remaining secret; blanks (bit 0) are among them."""
    every = (2 << state.rules.colours) - 2
    return (every & ~state.present) | state.rules.blanks


def free_colours(state: State) -> int:
    """Return the bits of the colours that no earlier guess used and that are not excluded."""
    shown = 0
    for symbol in set().union(*(clue.guess for clue in state.clues)):
        shown |= 1 << _TO_BYTE[symbol]
    return (2 << state.rules.colours) - 2 & ~shown & ~excluded_colours(state)


def has_blank(guess: int, pegs: int) -> bool:
    """Whether a packed guess leaves a peg empty."""
    return 0 in guess.to_bytes(8, "big")[:pegs]


def unite_orbits(state: State, parent: int, symmetries: int, many: int, note: str) -> Job[None]:
    """Join every guess with its images under `many` symmetries in a union-find forest."""

    def step(first: int, last: int) -> None:
        state.frame.call(
            "code_unite", state.packed, state.space, parent, symmetries, many, first, last
        )

    if many:
        yield from run_in_slices(state.guesses, max(_IMAGES_PER_CALL // many, 1), note, step)
