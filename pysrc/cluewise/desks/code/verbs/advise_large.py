"""Advice for too many guesses and codes to compare all of them.

Before the first clue all pegs and all colours are equivalent, so a guess is determined by its
pattern, the multiset of its colours' frequencies: 8 pegs and 16 colours have 22 patterns among
4 294 967 296 guesses.

Beyond a million codes guesses are found by hill climbing. The number of remaining codes is exact.
Up to `MAX_LISTED` codes all are counted: the numbers are exact, but a better guess may be missing.
With more, a first sample scores the search, a second one eight times as large ranks the finalists,
and a third gives the numbers shown, since a sample overestimates the guess that it selects (on 200
histories of p6c10r by 0.03 bits). An upper bound of the information of all guesses comes from all
codes or from a sample.
"""

from __future__ import annotations

from array import array
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, log, log2, perm, prod, sqrt

from msgspec.structs import replace

from cluewise.core.information import entropy
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue, answer_text
from cluewise.desks.code.engine.constraint_search import (
    CodeCounter,
    ConsistencySearch,
    random_seed,
    sample_codes,
)
from cluewise.desks.code.engine.guess_classes import first_equals
from cluewise.desks.code.engine.scoring import (
    BY_BITS,
    SURE,
    Scores,
    count_multisets,
    hill_climb,
    most_bits,
    partition_sizes,
    score,
)
from cluewise.desks.code.engine.state import (
    State,
    contradiction,
    count_codes,
    count_guesses,
    load_planes,
    pack,
    pack_guesses,
    unpack,
)
from cluewise.desks.code.position import BLANK, Rules
from cluewise.desks.code.results import Advice, AdviseOptions, Mine, Option
from cluewise.desks.code.verbs.advise_costs import (
    MAX_BOUNDED,
    add_costs,
    as_mine,
    make_option,
    rank_by_brackets,
    too_many,
)
from cluewise.kernel import Frame, kernel

# ---- before the first clue ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern:
    """The frequencies of a guess's colours, largest first, and its number of blanks."""

    blanks: int
    parts: tuple[int, ...]

    def least(self, rules: Rules) -> str:
        """Return the least guess: `Pattern(0, (2, 1, 1)).least(Rules()) == "0012"`."""
        colours = (s * n for s, n in zip(rules.symbols, self.parts, strict=False))
        return BLANK * self.blanks + "".join(colours)

    def size(self, rules: Rules) -> int:
        """Return the number of guesses with the pattern."""
        places = factorial(rules.pegs) // prod(map(factorial, (self.blanks, *self.parts)))
        equal = prod(map(factorial, Tally(self.parts).values()))
        return places * perm(rules.colours, len(self.parts)) // equal


def pattern_of(guess: str) -> Pattern:
    """Return the pattern of a guess: `pattern_of("0.10") == Pattern(1, (2, 1))`."""
    counts = Tally(guess)
    blanks = counts.pop(BLANK, 0)
    return Pattern(blanks, tuple(sorted(counts.values(), reverse=True)))


def patterns(rules: Rules, blanks: bool) -> list[Pattern]:
    """List the patterns of guesses under the rules."""
    largest = rules.pegs if rules.repeat else 1
    return [
        Pattern(empty, parts)
        for empty in range(rules.pegs + 1 if blanks else 1)
        for parts in _partitions(rules.pegs - empty, largest)
        if len(parts) <= rules.colours
    ]


def _partitions(n: int, largest: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def opening(rules: Rules, options: AdviseOptions) -> Job[Advice]:
    """Return exact advice for the first guess, one option per pattern."""
    every = patterns(rules, rules.blanks)
    allowed = [p for p in every if not (options.consistent_only and p.blanks)]
    made: dict[Pattern, Option] = {}
    own = None if options.mine is None else pattern_of(options.mine)
    with kernel().frame() as frame:
        counter = CodeCounter(frame, rules)
        for done, pattern in enumerate({*allowed, *([own] if own else [])}):
            yield Progress(done, len(every), "comparing first guesses")
            made[pattern] = yield from _opening_option(counter, rules, pattern)
    ranked = sorted((made[p] for p in allowed), key=lambda o: _key(o, options.criterion))
    best = ranked[0]
    return Advice(
        remaining=count_codes(rules),
        criterion=options.criterion,
        candidates=count_codes(rules) if options.consistent_only else count_guesses(rules),
        kept=len(ranked),
        ties=sum(
            _criterion_value(o, options.criterion) == _criterion_value(best, options.criterion)
            for o in ranked
        ),
        exact=True,
        options=ranked[: options.top],
        mine=None if own is None else _opening_mine(options, made[own], ranked),
        # No two patterns have equal partitions.
        questions=None if options.consistent_only else len(ranked),
    )


def _opening_option(counter: CodeCounter, rules: Rules, pattern: Pattern) -> Job[Option]:
    guess = pattern.least(rules)
    cells = yield from counter.answers_to(guess, [])
    answers = {answer_text(*answer): n for answer, n in cells.items()}
    bits = entropy(answers.values())
    return make_option(guess, bits, answers, pattern.blanks == 0, pattern.size(rules))


def _criterion_value(option: Option, criterion: str) -> float:
    """Return the score, less is better; equal partitions have equal doubles (core.information)."""
    if criterion in BY_BITS:
        return -option.bits
    if criterion == "minmax":
        return option.worst
    if criterion == "minavg":
        return sum(n * n for n in option.answers.values())
    return -option.parts


def _key(option: Option, criterion: str) -> tuple[float, bool, str]:
    return _criterion_value(option, criterion), not option.possible, option.guess


def _opening_mine(options: AdviseOptions, like: Option, ranked: list[Option]) -> Mine:
    assert options.mine is not None
    key = _key(like, options.criterion)[:2]
    rank = 1 + sum(_key(o, options.criterion)[:2] < key for o in ranked)
    own = replace(like, guess=options.mine)
    return as_mine(own, like.guess, rank, ranked[0].bits - like.bits)


# ---- by hill climbing ---------------------------------------------------------------------------

MAX_LISTED = 20_000
"""Codes left up to which all of them are counted."""
SAMPLE = 4096  # codes that score the search
RANK_SAMPLE = 8 * SAMPLE
SHOWN_SAMPLE = 20 * SAMPLE  # its error is about MAX_ERROR; if it is larger, more codes are drawn
MAX_SAMPLE = 64 * SAMPLE
MAX_ERROR = 0.010  # bits
MOST_MULTISETS = 50_000  # with more, the first sample bounds the information of all guesses
FINALISTS = 32
_STANDARD_ERRORS = 2.33
"""Half the width of the interval. 1.96 cover the true bits 19 times in 20; 2.33 do 98 times in 100,
so that fewer than 188 of 200 games are covered once in some 4 000 times."""


def advise_by_sampling(rules: Rules, clues: Sequence[Clue], options: AdviseOptions) -> Job[Advice]:
    """Return advice with estimated numbers; raises `Contradiction` if no code is left."""
    with kernel().frame() as frame:
        finder = ConsistencySearch(frame, rules)
        n = yield from finder.count(clues)
        if n == 0:
            raise contradiction()
        by_guesses = options.criterion == "guesses"
        if by_guesses and n > MAX_BOUNDED:
            raise too_many(n)
        listed = n <= MAX_LISTED
        finalists = max(FINALISTS, options.top)
        if listed or by_guesses:
            every = yield from finder.packed_codes(clues, n)
        if listed:
            first = second = yield from _load(frame, rules, clues, every)
        else:
            first = yield from _load_sample(frame, rules, clues, SAMPLE, "search")
        tried = yield from _search(*first, options)
        best = yield from _distinct(first[0], tried, finalists)
        own = [] if options.mine is None else [pack(options.mine)]
        if not listed:
            second = yield from _load_sample(frame, rules, clues, RANK_SAMPLE, "order")
        order = yield from _score_guesses(*second, options.criterion, [*best, *own])
        shown = order
        if not listed:
            shown = yield from _score_on_third_sample(second[0], order, len(best), options)
        ranked = replace(options, top=finalists) if by_guesses and listed else options
        found = _advice(order, shown, len(best), len(tried), n, ranked)
        if by_guesses:
            state = _state(frame, rules, clues, every)
            return (yield from rank_by_brackets(state, found, options))
        if options.guesses and listed:
            found = yield from add_costs(second[0], found, options)
        if options.criterion != "entropy":
            return found
        codes = second if listed or count_multisets(rules) <= MOST_MULTISETS else first
        bound = yield from most_bits(*codes, 0.0 if listed else SURE)
        return replace(found, bound=min(log2(n), bound))


def _score_on_third_sample(
    state: State, order: Scores, count: int, options: AdviseOptions
) -> Job[Scores]:
    """Score the same guesses over an independent sample, large enough for `MAX_ERROR`."""
    words = [order.guess(row) for row in range(order.count)]
    rows = [words[row] for row in _rows(order, count, options)]
    size, clues = SHOWN_SAMPLE, state.clues[len(state.rules.given()) :]
    while True:
        sample = yield from _load_sample(state.frame, state.rules, clues, size, "numbers")
        shown = yield from _score_guesses(*sample, options.criterion, words)
        error = max(_error(sizes, size) for sizes in partition_sizes(shown, rows))
        if error <= MAX_ERROR or size >= MAX_SAMPLE:
            return shown
        size = min(MAX_SAMPLE, int(1.02 * size * (error / MAX_ERROR) ** 2) + 1)


def _load_sample(
    frame: Frame, rules: Rules, clues: Sequence[Clue], size: int, purpose: str
) -> Job[tuple[State, int]]:
    """Draw `size` codes; return their state and bit planes."""
    seed = random_seed(rules, clues, purpose)
    codes = yield from sample_codes(frame, rules, clues, size, seed)
    return (yield from _load(frame, rules, clues, codes))


def _load(
    frame: Frame, rules: Rules, clues: Sequence[Clue], codes: array[int]
) -> Job[tuple[State, int]]:
    """Return the state of some codes, and their bit planes."""
    state = _state(frame, rules, clues, codes)
    return state, (yield from load_planes(state, state.secrets, state.n))


def _state(frame: Frame, rules: Rules, clues: Sequence[Clue], words: array[int]) -> State:
    ordered = array("Q", sorted(words))
    every = [*rules.given(), *clues]
    return State(frame, rules, every, frame.put(ordered), len(ordered))


def _search(state: State, planes: int, options: AdviseOptions) -> Job[dict[int, int]]:
    asked = pack_guesses(c.guess for c in state.clues if state.rules.blanks or "." not in c.guess)
    return (yield from hill_climb(state, planes, options.criterion, options.consistent_only, asked))


def _distinct(state: State, tried: Mapping[int, int], most: int) -> Job[list[int]]:
    """Return the best guesses, best first, one of each set with equal answers."""
    fits = dict(zip(tried, state.consistent(list(tried)), strict=True))
    ranked = sorted(tried, key=lambda word: (tried[word], not fits[word], word))[: 8 * most]
    with state.frame.kernel.frame() as scratch:
        at = scratch.put(array("Q", ranked))
        first = yield from first_equals(state, at, len(ranked))
    return [ranked[place] for place in dict.fromkeys(first)][:most]


def _score_guesses(state: State, planes: int, criterion: str, words: Sequence[int]) -> Job[Scores]:
    at, can = state.frame.put(array("Q", words)), state.frame.put(state.consistent(words))
    return (yield from score(state, criterion, planes, state.n, at, can, len(words)))


def _advice(
    order: Scores, shown: Scores, count: int, tried: int, n: int, options: AdviseOptions
) -> Advice:
    """Return the advice; rows from `count` on are the player's guess."""
    rows = _rows(order, count, options)
    top = rows[: min(options.top, count)]
    cells = partition_sizes(shown, [shown.guess(row) for row in rows])
    made = [_option(shown, row, split, n) for row, split in zip(rows, cells, strict=True)]
    exact = shown.n == n
    mine = None
    if options.mine is not None:
        own, rank = made[-1], order.standing(count, count).rank
        mine = as_mine(own, own.guess, rank, max(0.0, made[0].bits - own.bits), tried)
    return Advice(
        remaining=n,
        criterion=options.criterion,
        candidates=n if options.consistent_only else count_guesses(shown.state.rules),
        kept=tried,
        ties=order.standing(top[0], count).same,
        exact=False,
        options=made[: len(top)],
        sample=shown.n,
        error=0.0 if exact else max(_error(split, shown.n) for split in cells),
        tried=tried,
        mine=mine,
    )


def _rows(order: Scores, count: int, options: AdviseOptions) -> list[int]:
    """Return the rows that are shown, best first, then the player's guess."""
    top = order.top(min(options.top, count), count)
    return [*top, *([] if options.mine is None else [count])]


def _option(shown: Scores, row: int, split: Mapping[str, int], n: int) -> Option:
    guess = unpack(shown.guess(row), shown.state.rules.pegs)
    return make_option(guess, _bits(split, n), scaled(split, n), shown.possible(row), 1)


def scaled(cells: Mapping[str, int], n: int) -> dict[str, int]:
    """Scale counts to the sum n by the largest remainder method: `{"a": 1, "b": 1}, 3 → 2, 1`."""
    whole = sum(cells.values())
    if whole == n:
        return dict(cells)
    floors = {name: count * n // whole for name, count in cells.items()}
    rest = sorted(cells, key=lambda name: (-(cells[name] * n % whole), name))
    for name in rest[: n - sum(floors.values())]:
        floors[name] += 1
    return {name: count for name, count in floors.items() if count}


def _bits(cells: Mapping[str, int], n: int) -> float:
    """Estimate the bits of a partition from a sample, corrected for bias (Miller & Madow 1955)."""
    m = sum(cells.values())
    if m == n:
        return entropy(cells.values())
    return min(log2(n), entropy(cells.values()) + (len(cells) - 1) / (2 * m * log(2)))


def _error(cells: Mapping[str, int], m: int) -> float:
    """Return half the width of the interval that covers the true bits 19 times in 20."""
    shares = [count / m for count in cells.values()]
    mean = -sum(p * log2(p) for p in shares)
    return _STANDARD_ERRORS * sqrt(sum(p * (log2(p) + mean) ** 2 for p in shares) / m)
