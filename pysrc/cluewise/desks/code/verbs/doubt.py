"""The verbs `remaining` and `doubt`: the codes that fit, and contradictory clues.

`remaining` counts the codes that fit and lists some of them. `doubt` lists the minimal
unsatisfiable subsets of the clues and the slips that explain the contradiction: a wrong answer, one
peg mistyped, two pegs exchanged, or wrong answers in two rows. Slips are ranked by their posterior:
prior (the constants below: assumptions, not measured) times the number of codes that would fit.

>>> [kind for kind, _ in slip_candidates(Rules(), Clue("0011", 1, 0))][:3]
['answer', 'answer', 'answer']
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from cluewise.core.conflict import Fits, SmallestMuses, bit_indices
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.constraint_search import (
    ConsistencySearch,
    random_seed,
    sample_codes,
    search_codes,
)
from cluewise.desks.code.engine.scoring import neighbours
from cluewise.desks.code.engine.state import (
    CELLS,
    State,
    count_codes,
    load_planes,
    pack,
    pack_guesses,
    unpack,
)
from cluewise.desks.code.position import SYMBOLS, Position, Rules, answer
from cluewise.desks.code.results import (
    Change,
    Doubt,
    Remaining,
    RemainingOptions,
    Repair,
    Slip,
    SlipKind,
)
from cluewise.kernel import kernel

MAX_COUNTED = 10_000  # codes whose colours are counted


def remaining(position: Position, options: RemainingOptions) -> Job[Remaining]:
    """Count the codes that fit all clues that count, and list the first; 0 is no error."""
    clues = position.counted_clues()
    with kernel().frame() as frame:
        finder = search_codes(frame, position.rules, position.prior)
        count = yield from finder.count(clues)
        if not options.colours or count > MAX_COUNTED:
            codes = yield from finder.first(clues, min(options.top, count))
            return Remaining(count, codes)
        codes = yield from finder.first(clues, count)
    symbols = SYMBOLS[: position.rules.colours]
    columns = ["".join(code[peg] for code in codes) for peg in range(position.rules.pegs)]
    places = [[column.count(symbol) for symbol in symbols] for column in columns]
    holding = [sum(symbol in code for code in codes) for symbol in symbols]
    return Remaining(count, codes[: options.top], holding, places)


_MAX_CONFLICTS = 10_000

Halves: TypeAlias = tuple[int | None, int | None]
"""The halves of an answer; None: unknown."""


def doubt(position: Position, options: NoOptions) -> Job[Doubt]:
    """Find the minimal conflicts with their repairs, or the redundant clues if there is none.

    Clues are named by their place in the position; ignored ones count nowhere. A clue is
    redundant if all the others imply it (anything is implied by clues that contradict). Of clues
    that imply each other the later ones are left out of `irreducible`.
    """
    places = position.counted()
    clues = [position.clues[i] for i in places]
    with kernel().frame() as frame:
        finder = search_codes(frame, position.rules, position.prior)
        search = SmallestMuses(len(clues), _fits(finder, clues))
        smallest = yield from search.run(_MAX_CONFLICTS)
        if smallest:
            repairs, idle = yield from _repairs(finder, clues, places)
            slips = yield from find_slips(finder, clues, places)
            kept = smallest[0]
        else:
            repairs, slips, idle = [], [], (yield from _redundant(finder, clues))
            kept = yield from _irreducible(finder, clues, idle)
    named = [[places[i] for i in conflict] for conflict in smallest]
    rest = [places[i] for i in idle], [places[i] for i in kept]
    return Doubt(bool(smallest), named, repairs, slips, *rest, search.proved)


def _fits(finder: ConsistencySearch, clues: Sequence[Clue]) -> Fits:
    """Return a consistency test of clue sets for `SmallestMuses`.

    Where codes are not counted, a consistent set is extended by all clues that its first code fits.
    """

    def fits(chosen: int) -> Job[int | None]:
        asked = [clues[i] for i in bit_indices(chosen)]
        if not (yield from finder.holds(asked)):
            return None
        if finder.counter is not None:
            return chosen
        code = (yield from finder.first(asked, 1))[0]
        fitting = (clue.agrees(answer(finder.rules, clue.guess, code)) for clue in clues)
        return sum(1 << i for i, fit in enumerate(fitting) if fit)

    return fits


def _repairs(
    finder: ConsistencySearch, clues: Sequence[Clue], places: Sequence[int]
) -> Job[tuple[list[Repair], list[int]]]:
    """Return the changed answers of one clue that restore consistency, nearest first.

    The second list has the clues that no changed answer repairs: the others conflict already.
    """
    repairs: list[Repair] = []
    idle: list[int] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), "trying other answers")
        answers = yield from finder.answers_to(clue.guess, [*clues[:i], *clues[i + 1 :]])
        counts: Counter[Halves] = Counter()
        for pair, codes in answers.items():
            counts[_reported(clue, pair)] += codes
        for halves, remaining in counts.items():
            row = finder.rules.clue(clue.guess, halves)
            result = row.exact, row.partial, remaining, answer_distance(clue, row)
            repairs.append(Repair(places[i], *result, row.marks, row.sum, row.won))
        if not answers:  # the clue's own answer cannot be among them
            idle.append(i)
    repairs.sort(key=lambda r: (r.distance, r.clue, r.exact or 0, r.partial or 0, r.marks or ""))
    return repairs, idle


def _redundant(finder: ConsistencySearch, clues: Sequence[Clue]) -> Job[list[int]]:
    idle: list[int] = []
    for i, clue in enumerate(clues):
        yield Progress(i, len(clues), "looking for clues that add nothing")
        if (yield from finder.implies([*clues[:i], *clues[i + 1 :]], clue)):
            idle.append(i)
    return idle


def _irreducible(
    finder: ConsistencySearch, clues: Sequence[Clue], idle: Sequence[int]
) -> Job[list[int]]:
    """Return an irreducible set that implies all clues: delete redundant ones, last first."""
    kept = list(range(len(clues)))
    for i in reversed(idle):
        if (yield from finder.implies([clues[j] for j in kept if j != i], clues[i])):
            kept.remove(i)
    return kept


def _reported(clue: Clue, pair: tuple[int, int]) -> Halves:
    """Return an answer with None for the halves that are unknown in the clue."""
    exact, partial = clue.pair
    return None if exact is None else pair[0], None if partial is None else pair[1]


# ---- slips: their prior and posterior ------------------------------------------------------------


KIND_PRIOR = {"answer": 0.55, "peg": 0.3, "swap": 0.15}
"""The probability of each kind of slip in a wrong row."""
SECOND_ROW_PRIOR = 0.02
"""The probability that a second row is wrong."""
DISTANCE_RATIO = 4.0
"""How many times less likely an answer is per unit of distance."""
ADJACENT_RATIO = 3.0
"""How many times likelier adjacent pegs are exchanged than two others."""
MAX_SLIPS = 50
_MAX_LISTED = 20_000  # codes that fit the other rows, up to which all are compared
_SAMPLE = 4096
_MAX_FULL_COUNTS = 16  # slips of a row, chosen by a sample, whose codes are counted
_PAIR_WORK = 40_000_000  # codes compared for two rows if a slip in one row is an explanation


@dataclass(frozen=True, slots=True)
class ScoredSlip:
    """A slip with its weight, the unnormalized posterior: prior times remaining codes."""

    weight: float
    slip: Slip


def find_slips(
    finder: ConsistencySearch, clues: Sequence[Clue], places: Sequence[int]
) -> Job[list[Slip]]:
    """Return the slips that explain contradictory clues, likeliest first, at most MAX_SLIPS."""
    found: list[ScoredSlip] = []
    for i in range(len(clues)):
        yield Progress(i, len(clues), "trying slips of the hand")
        found += yield from _slips_in_row(finder, clues, places, i)
    rows = len(clues)
    work = count_codes(finder.rules) * rows * (rows - 1) * 4
    if not found or work <= _PAIR_WORK:
        found += yield from _slips_in_two_rows(finder, clues, places)
    found.sort(key=lambda one: (-one.weight, *map(_change_order, one.slip.changes)))
    return [one.slip for one in found[:MAX_SLIPS]]


def _change_order(change: Change) -> tuple[int, str, int, int]:
    return change.clue, change.guess, change.exact or 0, change.partial or 0


def slip_candidates(rules: Rules, clue: Clue) -> Iterator[tuple[SlipKind, tuple[Clue, float]]]:
    """The slips of one row: the kind, the correct row, and its prior probability."""
    answers = {
        other: DISTANCE_RATIO ** -_distance(clue, other) for other in _other_answers(rules, clue)
    }
    pegs, swaps = {}, {}
    for word in neighbours(rules, pack(clue.guess)):
        guess = unpack(word, rules.pegs)
        changed = [i for i, (a, b) in enumerate(zip(guess, clue.guess, strict=True)) if a != b]
        other = rules.clue(guess, clue.pair)
        if len(changed) == 1:
            pegs[other] = 1.0
        else:
            swaps[other] = ADJACENT_RATIO if changed[1] == changed[0] + 1 else 1.0
    kinds: dict[SlipKind, dict[Clue, float]] = {"answer": answers, "peg": pegs, "swap": swaps}
    for kind, weights in kinds.items():
        total = sum(weights.values())
        for other, weight in weights.items():
            yield kind, (other, KIND_PRIOR[kind] * weight / total)


def _other_answers(rules: Rules, clue: Clue) -> list[Clue]:
    """Return the clue with each other answer, in its known halves."""
    others = {_reported(clue, pair) for pair in rules.answers()} - {clue.pair}
    ordered = sorted(others, key=lambda halves: tuple(half or 0 for half in halves))
    return [rules.clue(clue.guess, halves) for halves in ordered]


def _distance(clue: Clue, other: Clue) -> int:
    """Return the distance of two answers, where exchanged halves count as one miscount."""
    if (clue.exact, clue.partial) == (other.partial, other.exact):
        return 1
    return answer_distance(clue, other)


def answer_distance(clue: Clue, other: Clue) -> int:
    """Return the L1 distance of two answers, or for marks per peg the Hamming distance."""
    if clue.marks is not None and other.marks is not None:
        return sum(a != b for a, b in zip(clue.marks, other.marks, strict=True))
    if clue.sum is not None and other.sum is not None:
        return abs(clue.sum - other.sum)
    halves = zip(clue.pair, other.pair, strict=True)
    return sum(abs((a or 0) - (b or 0)) for a, b in halves)


def _slips_in_row(
    finder: ConsistencySearch, clues: Sequence[Clue], places: Sequence[int], i: int
) -> Job[list[ScoredSlip]]:
    """Return the slips of one row that restore consistency."""
    others = [*clues[:i], *clues[i + 1 :]]
    total = yield from finder.count(others)
    if not total:
        return []
    slips = list(slip_candidates(finder.rules, clues[i]))
    rows = [row for _, (row, _) in slips]
    if total <= _MAX_LISTED or finder.counter is None:
        codes = yield from finder.packed_codes(others, total)
        counts = yield from _counts(finder.rules, codes, rows)
    else:
        seed = random_seed(finder.rules, others, "slips")
        codes = yield from sample_codes(finder.frame, finder.rules, others, _SAMPLE, seed)
        sampled = yield from _counts(finder.rules, codes, rows)
        likely = sorted(range(len(slips)), key=lambda k: -slips[k][1][1] * sampled[k])
        counts = [0] * len(slips)
        for k in likely[:_MAX_FULL_COUNTS]:
            if sampled[k]:
                counts[k] = yield from finder.count([*others, rows[k]])
    return [
        ScoredSlip(prior * count, Slip(kind, [_change(places[i], row)], count))
        for (kind, (row, prior)), count in zip(slips, counts, strict=True)
        if count
    ]


def _counts(rules: Rules, codes: array[int], rows: Sequence[Clue]) -> Job[list[int]]:
    """Count for each row the codes that fit it."""
    guesses = list(dict.fromkeys(row.guess for row in rows))
    answers = rules.answers()
    with kernel().frame() as frame:
        n, at = len(codes), frame.put(codes)
        state = State(frame, rules, [], at, n)
        planes = yield from load_planes(state, at, n)
        columns = frame.reserve(8 * rules.pegs * ((n + 63) // 64))
        words, out = frame.put(pack_guesses(guesses)), frame.reserve(4 * CELLS * len(guesses))
        frame.call("code_split", state.packed, planes, n, words, len(guesses), columns, out)
        flat = frame.get(out, "I", CELLS * len(guesses))
    cells = {guess: flat[k * CELLS : (k + 1) * CELLS] for k, guess in enumerate(guesses)}
    return [
        sum(c for c, got in zip(cells[row.guess], answers, strict=False) if row.agrees(got))
        for row in rows
    ]


def _slips_in_two_rows(
    finder: ConsistencySearch, clues: Sequence[Clue], places: Sequence[int]
) -> Job[list[ScoredSlip]]:
    """Return pairs of answers at distance 1 that restore consistency together, but not alone."""
    near = [
        [
            (row, prior)
            for kind, (row, prior) in slip_candidates(finder.rules, clue)
            if kind == "answer" and _distance(clue, row) == 1
        ]
        for clue in clues
    ]
    found = []
    for i, j in combinations(range(len(clues)), 2):
        yield Progress(i, len(clues), "trying slips in two rows")
        rest = [clue for k, clue in enumerate(clues) if k not in (i, j)]
        if not (yield from finder.holds(rest)):
            continue
        for one, one_prior in near[i]:
            answers = yield from finder.answers_to(clues[j].guess, [*rest, one])
            for two, two_prior in near[j]:
                count = sum(n for got, n in answers.items() if two.agrees(got))
                if count:
                    changes = [_change(places[i], one), _change(places[j], two)]
                    weight = SECOND_ROW_PRIOR * one_prior * two_prior * count
                    found.append(ScoredSlip(weight, Slip("two", changes, count)))
    return found


def _change(place: int, row: Clue) -> Change:
    return Change(place, row.guess, row.exact, row.partial, row.marks, row.sum, row.won)
