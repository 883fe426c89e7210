"""Advice where not every guess can be compared over every code.

Before the first answer: a handful of really different guesses, whatever the rules. Without clues
all pegs and all colours are alike, so a guess is known by how often its colours come: 8 pegs and 16
colours have 22 different guesses among 4 294 967 296.

Beyond a million codes: guesses are searched for, and each number says what it is. The number of
codes left is exact. Up to ALL of them, all are counted: the numbers are exact, and only that no
other guess is better stays open. With more, the guesses are found on a first sample, put in order
by a second one eight times as large, and shown with the numbers of a third: a sample that chose a
guess flatters it (on 200 histories of p6c10r by 0.03 bits), one that did not doesn't. What no guess
can pass is bounded besides, by all codes or by a sample.
"""

from __future__ import annotations

from array import array
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, log, log2, perm, prod, sqrt

from msgspec.structs import replace

from cluewise.core.information import entropy, expected_remaining
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
    rank_by_brackets,
    too_many,
)
from cluewise.kernel import Frame, kernel

# ---- before the first answer --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern:
    """How often the colours of a guess come, largest first, and how many pegs are blank."""

    blanks: int
    parts: tuple[int, ...]

    def least(self, rules: Rules) -> str:
        """The least guess of the pattern: `Pattern(0, (2, 1, 1)).least(Rules()) == "0012"`."""
        colours = (s * n for s, n in zip(rules.symbols, self.parts, strict=False))
        return BLANK * self.blanks + "".join(colours)

    def size(self, rules: Rules) -> int:
        """How many guesses have the pattern."""
        places = factorial(rules.pegs) // prod(map(factorial, (self.blanks, *self.parts)))
        equal = prod(map(factorial, Tally(self.parts).values()))
        return places * perm(rules.colours, len(self.parts)) // equal


def pattern_of(guess: str) -> Pattern:
    """The pattern of a guess: `pattern_of("0.10") == Pattern(1, (2, 1))`."""
    counts = Tally(guess)
    blanks = counts.pop(BLANK, 0)
    return Pattern(blanks, tuple(sorted(counts.values(), reverse=True)))


def patterns(rules: Rules, blanks: bool) -> list[Pattern]:
    """All patterns of guesses under the rules."""
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
    """Exact advice for the first guess, one option for each pattern."""
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
        ties=sum(_score(o, options.criterion) == _score(best, options.criterion) for o in ranked),
        exact=True,
        options=ranked[: options.top],
        mine=None if own is None else _opening_mine(options, made[own], ranked),
        # No two patterns of a first guess have the same answers throughout.
        questions=None if options.consistent_only else len(ranked),
    )


def _opening_option(counter: CodeCounter, rules: Rules, pattern: Pattern) -> Job[Option]:
    guess = pattern.least(rules)
    cells = yield from counter.answers_to(guess, [])
    masses = list(cells.values())
    return Option(
        guess=guess,
        bits=entropy(masses),
        expected_left=expected_remaining(masses),
        worst=max(masses),
        parts=len(masses),
        possible=pattern.blanks == 0,
        answers={answer_text(*answer): n for answer, n in cells.items()},
        same=pattern.size(rules),
    )


def _score(option: Option, criterion: str) -> float:
    """Smaller is better. Equal splits have equal bits to the last digit (see core.entropy)."""
    if criterion in BY_BITS:
        return -option.bits
    if criterion == "minmax":
        return option.worst
    if criterion == "minavg":
        return sum(n * n for n in option.answers.values())
    return -option.parts


def _key(option: Option, criterion: str) -> tuple[float, bool, str]:
    return _score(option, criterion), not option.possible, option.guess


def _opening_mine(options: AdviseOptions, like: Option, ranked: list[Option]) -> Mine:
    assert options.mine is not None
    mine = _key(like, options.criterion)[:2]
    better = sum(_key(o, options.criterion)[:2] < mine for o in ranked)
    return Mine(
        options.mine, like.bits, like.expected_left, like.worst, like.parts, like.possible,
        like.answers, like.same, rank=better + 1, like=like.guess,
        bits_lost=ranked[0].bits - like.bits,
    )  # fmt: skip


# ---- by search ----------------------------------------------------------------------------------

ALL = 20_000
"""Up to that many codes left, all of them are counted."""
SAMPLE = 4096
LARGER = 8 * SAMPLE
LARGEST = 20 * SAMPLE  # the numbers shown are then within some 0.010 bits,
ERROR = 0.010  # and where they are not, more codes are drawn
MOST = 64 * SAMPLE
MOST_MULTISETS = 50_000  # with more, the first sample bounds the information of all guesses
FINALISTS = 32
_WIDTH = 2.33
"""Standard errors. 1.96 hold the true bits 19 times in 20; 2.33 do 98 times in 100, so that fewer
than 188 of 200 games are covered once in some 4 000 times."""


def advise_by_sampling(rules: Rules, clues: Sequence[Clue], options: AdviseOptions) -> Job[Advice]:
    """Advice that says how its numbers came about; raises `Contradiction` if no code is left."""
    with kernel().frame() as frame:
        finder = ConsistencySearch(frame, rules)
        n = yield from finder.count(clues)
        if n == 0:
            raise contradiction()
        by_guesses = options.criterion == "guesses"
        if by_guesses and n > MAX_BOUNDED:
            raise too_many(n)
        few = by_guesses and n <= ALL
        wanted = replace(options, top=max(FINALISTS, options.top)) if few else options
        if n <= ALL or by_guesses:
            every = yield from finder.packed_codes(clues, n)
        if n <= ALL:
            chosen = second = yield from _judges(frame, rules, clues, every)
        else:
            first = yield from sample_codes(
                frame, rules, clues, SAMPLE, random_seed(rules, clues, "search")
            )
            chosen = yield from _judges(frame, rules, clues, first)
        tried = yield from _search(*chosen, options)
        best = yield from _different(chosen[0], tried, max(FINALISTS, options.top))
        own = [] if options.mine is None else [pack(options.mine)]
        if n > ALL:
            more = yield from sample_codes(
                frame, rules, clues, LARGER, random_seed(rules, clues, "order")
            )
            second = yield from _judges(frame, rules, clues, more)
        order = yield from _scored(*second, options.criterion, [*best, *own])
        shown = order
        if n > ALL:
            shown = yield from _fresh(second[0], order, len(best), n, options)
        found = _advice(order, shown, len(best), len(tried), n, wanted)
        if by_guesses:
            state = _state(frame, rules, clues, every)
            return (yield from rank_by_brackets(state, found, options))
        if options.guesses and n <= ALL:
            found = yield from add_costs(second[0], found, options)
        if options.criterion != "entropy":
            return found
        judges = second if n <= ALL or count_multisets(rules) <= MOST_MULTISETS else chosen
        bound = yield from most_bits(*judges, SURE if n > ALL else 0.0)
        return replace(found, bound=min(log2(n), bound))


def _fresh(state: State, order: Scores, count: int, n: int, options: AdviseOptions) -> Job[Scores]:
    """Score the same guesses over an independent sample, large enough for an error of ERROR."""
    words = [order.guess(row) for row in range(order.count)]
    own = [words[row] for row in _rows(order, count, options)]
    codes, clues = LARGEST, state.clues[len(state.rules.given()) :]
    seed = random_seed(state.rules, clues, "numbers")
    while True:
        drawn = yield from sample_codes(state.frame, state.rules, clues, codes, seed)
        judges = yield from _judges(state.frame, state.rules, clues, drawn)
        shown = yield from _scored(*judges, options.criterion, words)
        error = max(_error(sizes, codes) for sizes in partition_sizes(shown, own))
        if error <= ERROR or codes >= MOST:
            return shown
        codes = min(MOST, int(1.02 * codes * (error / ERROR) ** 2) + 1)


def _judges(
    frame: Frame, rules: Rules, clues: Sequence[Clue], words: array[int]
) -> Job[tuple[State, int]]:
    """Codes to judge guesses by, and their planes."""
    state = _state(frame, rules, clues, words)
    return state, (yield from load_planes(state, state.secrets, state.n))


def _state(frame: Frame, rules: Rules, clues: Sequence[Clue], words: array[int]) -> State:
    ordered = array("Q", sorted(words))
    every = [*rules.given(), *clues]
    return State(frame, rules, every, frame.put(ordered), len(ordered))


def _search(state: State, planes: int, options: AdviseOptions) -> Job[dict[int, int]]:
    asked = pack_guesses(c.guess for c in state.clues if state.rules.blanks or "." not in c.guess)
    return (yield from hill_climb(state, planes, options.criterion, options.consistent_only, asked))


def _different(state: State, tried: Mapping[int, int], most: int) -> Job[list[int]]:
    """The best of the guesses, best first, each different question once (the first of its kind)."""
    fits = dict(zip(tried, state.consistent(list(tried)), strict=True))
    ranked = sorted(tried, key=lambda word: (tried[word], not fits[word], word))[: 8 * most]
    with state.frame.kernel.frame() as scratch:
        at = scratch.put(array("Q", ranked))
        first = yield from first_equals(state, at, len(ranked))
    return [ranked[place] for place in dict.fromkeys(first)][:most]


def _scored(state: State, planes: int, criterion: str, words: Sequence[int]) -> Job[Scores]:
    at, can = state.frame.put(array("Q", words)), state.frame.put(state.consistent(words))
    return (yield from score(state, criterion, planes, state.n, at, can, len(words)))


def _advice(
    order: Scores, shown: Scores, count: int, tried: int, n: int, options: AdviseOptions
) -> Advice:
    """The first `count` rows are the guesses found; a row after them is the player's own."""
    rows = _rows(order, count, options)
    top = rows[: min(options.top, count)]
    cells = partition_sizes(shown, [shown.guess(row) for row in rows])
    made = [_option(shown, row, split, n) for row, split in zip(rows, cells, strict=True)]
    exact = shown.n == n
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
        mine=None if options.mine is None else _mine(order, made, count, tried),
    )


def _rows(order: Scores, count: int, options: AdviseOptions) -> list[int]:
    """The rows that are shown, best first; the player's own after them."""
    top = order.top(min(options.top, count), count)
    return [*top, *([] if options.mine is None else [count])]


def _option(shown: Scores, row: int, split: Mapping[str, int], n: int) -> Option:
    answers = scaled(split, n)
    masses = list(answers.values())
    return Option(
        unpack(shown.guess(row), shown.state.rules.pegs), _bits(split, n),
        expected_remaining(masses), max(masses), len(masses), shown.possible(row), answers, 1,
    )  # fmt: skip


def _mine(order: Scores, made: Sequence[Option], count: int, tried: int) -> Mine:
    option = made[-1]
    return Mine(
        option.guess, option.bits, option.expected_left, option.worst, option.parts,
        option.possible, option.answers, 1, rank=order.standing(count, count).rank,
        like=option.guess, bits_lost=max(0.0, made[0].bits - option.bits), rank_to=tried,
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


def _bits(cells: Mapping[str, int], n: int) -> float:
    """The bits that a split of a sample stands for, its bias taken off (Miller and Madow)."""
    m = sum(cells.values())
    if m == n:
        return entropy(cells.values())
    return min(log2(n), entropy(cells.values()) + (len(cells) - 1) / (2 * m * log(2)))


def _error(cells: Mapping[str, int], m: int) -> float:
    """Half the width of the interval that holds the true bits 19 times in 20."""
    shares = [count / m for count in cells.values()]
    mean = -sum(p * log2(p) for p in shares)
    return _WIDTH * sqrt(sum(p * (log2(p) + mean) ** 2 for p in shares) / m)
