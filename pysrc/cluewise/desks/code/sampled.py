"""Advice beyond a million codes: guesses from a pool, judged by a sample, and said so.

The number of codes left is exact. The codes of the sample are drawn with equal chances; the
pool holds codes that fit and guesses at random. Answers, worst case and expected size are the
sample's, scaled to all codes left.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import log, log2, sqrt

from cluewise.core.information import entropy, expected_size
from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.count import Finder
from cluewise.desks.code.engine.large import Counter
from cluewise.desks.code.engine.scoring import Scores, cells_of, score
from cluewise.desks.code.engine.state import State, load_planes
from cluewise.desks.code.engine.words import (
    count_guesses,
    pack,
    pack_answers,
    pack_guesses,
    pack_rules,
    unpack,
)
from cluewise.desks.code.position import Clue, Rules
from cluewise.desks.code.results import Advice, AdviseOptions, Mine, Option
from cluewise.errors import Contradiction, TooLarge
from cluewise.kernel import kernel

SAMPLE = 4096
POOL = 1536  # codes that fit, and as many guesses at random
_ALL = 20_000  # up to that many codes left, all of them are the sample
_LISTED = 400_000


def sampled(rules: Rules, clues: Sequence[Clue], options: AdviseOptions) -> Job[Advice]:
    """Advice that says how many codes it looked at; raises `Contradiction` if none is left."""
    with kernel().frame() as frame:
        finder = Finder(frame, rules)
        n = yield from finder.count(clues)
        if n == 0:
            message = "No code fits all the clues; ask `doubt` which of them to look at again."
            raise Contradiction(message, "$.clues")
        sample = yield from _draw(finder, clues, n)
        state = State(frame, rules, pack_rules(rules), clues, frame.put(sample), len(sample))
        planes = yield from load_planes(state, state.secrets, state.n)
        rows, same = yield from _pool(state, planes, sample, options)
        every = rows if options.mine is None else [*rows, pack(options.mine)]
        yield Progress(0, None, "comparing guesses")
        at, can = frame.put(array("Q", every)), frame.put(_fitting(state, every))
        scores = yield from score(state, options.criterion, planes, state.n, at, can, len(every))
        return _advice(scores, rows, same, n, options)


def _fitting(state: State, rows: Sequence[int]) -> bytes:
    """For each guess 1 if it can be the secret, else 0."""
    codes = [row for row, word in enumerate(rows) if not _has_blank(word, state.rules.pegs)]
    fits = bytearray(len(rows))
    with state.frame.kernel.frame() as scratch:
        words = scratch.put(array("Q", [rows[row] for row in codes]))
        out = scratch.reserve(len(codes))
        open_rows = list(range(len(codes)))
        for guess, told in zip(
            pack_guesses(c.guess for c in state.clues), pack_answers(state.clues), strict=True
        ):
            at = scratch.put(array("Q", [guess]))
            scratch.call("code_answers", state.packed, at, words, len(codes), out)
            answers = scratch.get(out, "B", len(codes))
            open_rows = [i for i in open_rows if answers[i] == told]
    for i in open_rows:
        fits[codes[i]] = 1
    return bytes(fits)


def _has_blank(word: int, pegs: int) -> bool:
    return 0 in word.to_bytes(8, "big")[:pegs]


def _draw(finder: Finder, clues: Sequence[Clue], n: int) -> Job[array[int]]:
    """The sample as ascending kernel words; all codes if there are few."""
    if n > _ALL and finder.counter is not None:
        try:
            drawn = yield from finder.counter.draw(clues, SAMPLE, seed=n & 0xFFFF)
            return array("Q", sorted(drawn))
        except TooLarge:
            pass  # many clues: few codes, listed below
    words = yield from finder.words(clues, min(n, _LISTED))
    return words[:: max(1, len(words) // SAMPLE) if n > _ALL else 1]


def _pool(
    state: State, planes: int, sample: array[int], options: AdviseOptions
) -> Job[tuple[list[int], list[int]]]:
    """Guesses to compare, each different kind once (the least), and how many of its kind."""
    rules = state.rules
    chosen = set(sample[:: max(1, len(sample) // POOL)])
    if not options.consistent_only:
        chosen.update((yield from Counter(state.frame, rules).draw((), POOL, seed=1)))
        chosen.update(pack_guesses(clue.guess for clue in state.clues))
    members = set(sample)
    guesses = sorted(chosen, key=lambda word: (word not in members, word))
    with state.frame.kernel.frame() as scratch:
        hashes = scratch.reserve(8 * len(guesses))
        at = scratch.put(array("Q", guesses))
        scratch.call("code_vectors", state.packed, planes, state.n, at, 0, len(guesses), hashes)
        kinds = scratch.get(hashes, "Q", len(guesses))
    rows: dict[int, int] = {}
    same: dict[int, int] = {}
    for kind, guess in zip(kinds, guesses, strict=True):
        rows.setdefault(kind, guess)
        same[kind] = same.get(kind, 0) + 1
    return list(rows.values()), list(same.values())


def _advice(
    scores: Scores, rows: Sequence[int], same: Sequence[int], n: int, options: AdviseOptions
) -> Advice:
    rules, count = scores.state.rules, len(rows)
    top = scores.top(min(options.top, count), count)
    cells = cells_of(scores, [rows[row] for row in top])
    made = [
        _option(unpack(rows[row], rules.pegs), split, n, scores.possible(row), same[row])
        for row, split in zip(top, cells, strict=True)
    ]
    return Advice(
        remaining=n,
        criterion=options.criterion,
        candidates=n if options.consistent_only else count_guesses(rules),
        kept=count,
        ties=scores.standing(top[0], count).same,
        exact=False,
        options=made,
        sample=scores.n,
        error=_error(cells[0], scores.n),
        mine=None if options.mine is None else _mine(scores, options.mine, made, n, count),
    )


def _option(guess: str, cells: Mapping[str, int], n: int, possible: bool, same: int) -> Option:
    answers = scaled(cells, n)
    masses = list(answers.values())
    return Option(
        guess, entropy(cells.values()), expected_size(masses), max(masses), len(masses), possible,
        answers, same,
    )  # fmt: skip


def _mine(scores: Scores, guess: str, made: Sequence[Option], n: int, row: int) -> Mine:
    cells = cells_of(scores, [scores.word(row)])[0]
    option = _option(guess, cells, n, scores.possible(row), 1)
    return Mine(
        option.guess, option.bits, option.expected_left, option.worst, option.parts,
        option.possible, option.answers, 1, scores.standing(row, row).rank, guess,
        max(0.0, made[0].bits - option.bits),
    )  # fmt: skip


def scaled(cells: Mapping[str, int], n: int) -> dict[str, int]:
    """Whole numbers in the same proportions that add up to n: `{"a": 1, "b": 1}, 3 → 2, 1`.

    The largest remainders are rounded up. No cell that was met becomes empty if n allows.
    """
    whole = sum(cells.values())
    if whole == n:
        return dict(cells)
    floors = {name: count * n // whole for name, count in cells.items()}
    rest = sorted(cells, key=lambda name: (-(cells[name] * n % whole), name))
    for name in rest[: n - sum(floors.values())]:
        floors[name] += 1
    return {name: count for name, count in floors.items() if count}


def _error(cells: Mapping[str, int], m: int) -> float:
    """Two standard errors of the sample's bits, and its bias (Miller and Madow)."""
    shares = [count / m for count in cells.values()]
    mean = -sum(p * log2(p) for p in shares)
    variance = sum(p * (log2(p) + mean) ** 2 for p in shares)
    return 2 * sqrt(variance / m) + (len(shares) - 1) / (2 * m * log(2))
