"""The verb `advise`: rank the next guess by its partition of the remaining codes.

Equivalent guesses are merged (guess_classes.py) and one of each class is scored over all codes.
Beyond `MOST_COMPARISONS` pairs of class and code, a sample first selects the classes to score.
Before the first clue, and beyond a million codes: advise_large.py. Unequal weights:
advise_weighted.py. Ranking by guesses and by rows: advise_costs.py.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from msgspec.structs import replace

from cluewise.core.information import entropy
from cluewise.core.work import Job
from cluewise.desks.code.engine.guess_classes import Classes, join_classes
from cluewise.desks.code.engine.scoring import BY_BITS, Scores, most_bits, partition_sizes, score
from cluewise.desks.code.engine.state import (
    State,
    count_codes,
    count_guesses,
    is_countable,
    load,
    load_planes,
    load_position,
    pack,
    unpack,
)
from cluewise.desks.code.formats.history import read_codes
from cluewise.desks.code.position import Position, Rules, guess_error
from cluewise.desks.code.results import Advice, AdviseOptions, Mine, Option
from cluewise.desks.code.verbs.advise_costs import (
    CostRanking,
    Counted,
    WithinRanking,
    add_costs,
    as_mine,
    bounds,
    cost_of,
    guesses_of,
    lower_bound,
    make_option,
    rank_by_brackets,
    too_many,
    with_costs,
)
from cluewise.desks.code.verbs.advise_large import advise_by_sampling, opening
from cluewise.desks.code.verbs.advise_weighted import WeightedAdvice
from cluewise.errors import BadOption, TooLarge
from cluewise.kernel import kernel

MOST_COMPARISONS = 5_000_000_000
"""Above that many guesses times codes, guesses are screened on a sample first."""
MOST_MERGED = 500_000_000
"""Guesses times codes up to which guesses with equal answers are merged; beyond, they are rare."""
FEW_GUESSES = 40_000
"""Guesses up to which an empty position is scored guess by guess; beyond, by patterns."""
MAX_PATTERNS = 1000
"""Above the number of patterns of any rules."""
SAMPLE = 2048
SCREENED = 2000  # classes that are scored after the screening


def advise(position: Position, options: AdviseOptions) -> Job[Advice]:
    """Return options for the next guess, best first, one for each class of the exact join.

    Exact up to a million codes (beyond: `advise_by_sampling`) and `MOST_COMPARISONS` pairs (beyond:
    screened on a sample). Raises `Contradiction` if no code is left.
    """
    if options.mine is not None:
        options = replace(options, mine=read_codes(position, (options.mine,))[0])
    if options.mine is not None and (why := guess_error(position.rules, options.mine)):
        raise BadOption(why, "$.options.mine")
    rules, clues = position.rules, position.counted_clues()
    if options.criterion == "within":
        if options.rows is None:
            raise BadOption("The criterion within needs the number of rows left.", "$.options.rows")
        return (yield from advise_within(position, options))
    if options.rows is not None:
        raise BadOption("Rows go with the criterion within only.", "$.options.rows")
    if not clues and count_guesses(rules) > FEW_GUESSES and rules.leading_zero:
        if options.criterion == "guesses":
            return (yield from _rank_opening(rules, options))
        return (yield from opening(rules, options))
    if not is_countable(rules):
        return (yield from advise_by_sampling(rules, clues, options))
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        classes = yield from join_classes(state, options.merge, MOST_MERGED)
        unmerged = classes.unmerged
        questions = None if options.consistent_only else classes.questions
        own = _place_mine(state, classes, options)
        if options.consistent_only:
            classes.keep_possible(state)
        if state.weights is not None:
            given = own.unpacked(rules.pegs) if own else None
            found = yield from WeightedAdvice(state, classes, options).run(given)
            return replace(found, unmerged=unmerged, questions=questions)
        planes = yield from load_planes(state, state.secrets, state.n)
        if classes.count * state.n <= MOST_COMPARISONS or options.exact:
            ranked = yield from _count_all(state, classes, planes, options, own)
            found = _advice(ranked, classes.count, options, own)
            if options.criterion == "guesses":
                found = yield from _fewest(ranked, found, classes, options)
            elif options.guesses:
                found = yield from add_costs(state, found, options)
            return replace(found, unmerged=unmerged, questions=questions)
        ranked, gap = yield from _screen(state, classes, planes, options, own)
        found = _advice(ranked, classes.count, options, own)
        if options.criterion == "guesses":
            found = yield from rank_by_brackets(state, found, options)
        elif found.mine is not None:  # its place was counted among the screened guesses only
            found = replace(found, mine=replace(found.mine, rank_to=classes.count))
        bound = None
        if options.criterion == "entropy":
            bound = yield from most_bits(state, planes)
            gap = min(gap, max(0.0, bound - found.options[0].bits))
        return replace(
            found, exact=False, sample=SAMPLE, error=0.0, gap=gap, bound=bound, unmerged=unmerged
        )


def advise_within(position: Position, options: AdviseOptions) -> Job[Advice]:
    """Return advice ranked by the codes found within `options.rows`, without costs in guesses."""
    rules = position.rules
    if not is_countable(rules) or count_guesses(rules) > FEW_GUESSES:
        message = f"Codes found within the rows are counted for up to {FEW_GUESSES:,} guesses; "
        raise TooLarge(f"{message}these rules have {count_guesses(rules):,}.")
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        classes = yield from join_classes(state, options.merge, MOST_MERGED)
        own = _place_mine(state, classes, options)
        if options.consistent_only:
            classes.keep_possible(state)
        if state.weights is None:
            found, shown, likely, highs = yield from _count_all_alike(state, classes, options, own)
        else:
            given = own.unpacked(rules.pegs) if own else None
            weighing = WeightedAdvice(state, classes, options)
            found, shown, likely, highs = yield from weighing.without_rank(given)
        search = WithinRanking(state, classes, options, highs)

        def advice() -> Advice:
            rows = search.best()
            made = [
                replace(o, within=search.text(search.known[row]))
                for o, row in zip(shown(rows), rows, strict=True)
            ]
            return replace(found, options=made, ties=search.ties(), exact=search.settled())

        yield from search.run(likely, advice)
        made = advice()
        if found.mine is not None and own is not None:
            reach = yield from search.of_word(own.word)
            within = search.text(reach)
            made = _rank_mine(made, found.mine, *search.place(reach, own.possible), within=within)
        questions = None if options.consistent_only else classes.questions
        return replace(made, unmerged=classes.unmerged, questions=questions)


def _rank_mine(found: Advice, mine: Mine, first: int, last: int, **costs: object) -> Advice:
    """Return the advice with the rank of the player's guess, `first` to `last`, and its costs."""
    bits_lost = max(0.0, found.options[0].bits - mine.bits)
    to = None if first == last else last
    return replace(found, mine=replace(mine, rank=first, rank_to=to, bits_lost=bits_lost, **costs))


def _count_all_alike(
    state: State, classes: Classes, options: AdviseOptions, own: PlayerGuess | None
) -> Job[Counted]:
    assert options.rows is not None
    planes = yield from load_planes(state, state.secrets, state.n)
    ranked = yield from _count_all(state, classes, planes, options, own)

    def shown(rows: Sequence[int]) -> list[Option]:
        sizes = _pick(state, classes.size, rows, classes.count)
        return _options(Ranked(state, ranked.scores, ranked.rows, rows, sizes))

    found = _advice(ranked, classes.count, options, own)
    if state.unit > 1:
        found = replace(found, weight=state.unit * state.n)
    return found, shown, ranked.top, bounds(state, classes, planes, options.rows)


def _rank_opening(rules: Rules, options: AdviseOptions) -> Job[Advice]:
    """Return advice for the first guess, ranked by bounds of the costs."""
    if not is_countable(rules):
        raise too_many(count_codes(rules))
    every = yield from opening(rules, replace(options, top=MAX_PATTERNS))
    low = min(lower_bound(option, rules) for option in every.options)
    with kernel().frame() as frame:
        state = yield from load(frame, rules, ())
        found = replace(every, options=every.options[: options.top])
        return (yield from rank_by_brackets(state, found, options, low))


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scored classes: `rows` of them, then a row for the player's guess if there is one.

    `top`: the best rows, best first; `sizes`: the guesses in their classes.
    """

    state: State
    scores: Scores
    rows: int
    top: Sequence[int]
    sizes: Sequence[int]


def _fewest(ranked: Ranked, found: Advice, classes: Classes, options: AdviseOptions) -> Job[Advice]:
    """Return the advice with the options of least cost; `found` is ranked by bits."""
    state = ranked.state
    cheapest = CostRanking(state, classes, options)

    def advice() -> Advice:
        rows = cheapest.best()
        sizes = _pick(state, classes.size, rows, classes.count)
        options = _options(Ranked(state, ranked.scores, ranked.rows, rows, sizes))
        costs = {o.guess: cheapest.known[row] for o, row in zip(options, rows, strict=True)}
        cost = cheapest.costs.least_cost
        least = None if cost is None else guesses_of(cost, state.n)
        made = replace(found, options=options, ties=cheapest.ties(), least=least)
        return with_costs(made, costs)

    yield from cheapest.run(ranked.top, advice)
    made = advice()
    if made.mine is None:
        return made
    cost = yield from cost_of(cheapest.costs, made.mine)
    first, last = yield from cheapest.place(cost, made.mine.possible)
    return _rank_mine(made, made.mine, first, last, guesses=guesses_of(cost, made.remaining))


@dataclass(frozen=True, slots=True)
class PlayerGuess:
    """The player's guess, the representative of its class, and the size of the class."""

    word: int
    like: int
    same: int
    possible: bool

    def unpacked(self, pegs: int) -> tuple[str, str, int]:
        """Return the guess and that of its class as text, and the size of the class."""
        return unpack(self.word, pegs), unpack(self.like, pegs), self.same


def _place_mine(state: State, classes: Classes, options: AdviseOptions) -> PlayerGuess | None:
    if options.mine is None:
        return None
    frame, word = state.frame, pack(options.mine)
    number = frame.get(classes.number + 4 * state.place(word), "I", 1)[0]
    like = frame.get(classes.best + 8 * number, "Q", 1)[0]
    same = frame.get(classes.size + 4 * number, "I", 1)[0]
    return PlayerGuess(word, like, same, _is_secret(state, word))


def _is_secret(state: State, word: int) -> bool:
    """Whether the word is among the secrets left."""
    secrets = state.codes()
    place = bisect_left(secrets, word)
    return place < state.n and secrets[place] == word


def _append(state: State, classes: Classes, own: PlayerGuess | None) -> int:
    """Append the player's guess to the classes; return the number of rows to score."""
    if own is None:
        return classes.count
    state.frame.write(classes.best + 8 * classes.count, array("Q", [own.word]))
    state.frame.write(classes.can + classes.count, bytes([own.possible]))
    return classes.count + 1


def _count_all(
    state: State, classes: Classes, planes: int, options: AdviseOptions, own: PlayerGuess | None
) -> Job[Ranked]:
    count = _append(state, classes, own)
    scores = yield from score(
        state, options.criterion, planes, state.n, classes.best, classes.can, count
    )
    top = scores.top(min(options.top, classes.count), classes.count)
    sizes = _pick(state, classes.size, top, classes.count)
    return Ranked(state, scores, classes.count, top, sizes)


def _pick(state: State, at: int, rows: Sequence[int], count: int) -> list[int]:
    """Return some rows of an array of `count` u32."""
    every = state.frame.get(at, "I", count)
    return [every[row] for row in rows]


def _screen(
    state: State, classes: Classes, planes: int, options: AdviseOptions, own: PlayerGuess | None
) -> Job[tuple[Ranked, float]]:
    """Score all classes on a sample, then the best of them on all codes.

    Also returns the possible loss: the numbers are exact, but a better guess may be missing.
    """
    frame = state.frame
    sample = frame.reserve(8 * SAMPLE)
    frame.call("code_sample", state.secrets, state.n, SAMPLE, state.n & 0x7FFFFFFF, sample)
    with frame.kernel.frame() as scratch:
        inner = State(scratch, state.rules, state.clues)
        few = yield from load_planes(inner, sample, SAMPLE)
        rough = yield from score(
            inner, options.criterion, few, SAMPLE, classes.best, classes.can, classes.count
        )
        keep = max(64, min(SCREENED, 1_000_000_000 // state.n))
        rows = rough.top(min(keep, classes.count), classes.count)
        guesses = [rough.guess(row) for row in rows]
        can = bytes(rough.possible(row) for row in rows)
        guessed = [rough.value(row, state.n) for row in rows]
    size = _pick(state, classes.size, rows, classes.count)
    extra = [] if own is None else [own.word]
    at = frame.put(array("Q", guesses + extra))
    can_at = frame.put(can + bytes(own.possible for _ in extra) if own else can)
    scores = yield from score(
        state, options.criterion, planes, state.n, at, can_at, len(guesses) + len(extra)
    )
    top = scores.top(min(options.top, len(guesses)), len(guesses))
    exactly = [scores.value(row, state.n) for row in range(len(guesses))]
    sizes = [size[row] for row in top]
    return Ranked(state, scores, len(guesses), top, sizes), _possible_loss(guessed, exactly)


def _possible_loss(guessed: Sequence[float], exactly: Sequence[float]) -> float:
    """Return how much better a guess may be that the sample ranked too low.

    Its estimate is at most that of the last guess kept; the bias and four standard deviations of
    the error are added, both measured on the guesses kept.
    """
    errors = [exact - rough for rough, exact in zip(guessed, exactly, strict=True)]
    return max(0.0, guessed[-1] + fmean(errors) + 4 * pstdev(errors) - max(exactly))


def _advice(ranked: Ranked, kept: int, options: AdviseOptions, own: PlayerGuess | None) -> Advice:
    state, made = ranked.state, _options(ranked)
    return Advice(
        remaining=state.n,
        criterion=options.criterion,
        candidates=state.n if options.consistent_only else state.guesses,
        kept=kept,
        ties=ranked.scores.standing(ranked.top[0], ranked.rows).same,
        exact=True,
        options=made,
        mine=None if own is None else _mine(ranked, made[0], own),
    )


def _options(ranked: Ranked) -> list[Option]:
    """Return the options of the best rows; exact ties get the same double of bits."""
    state, scores = ranked.state, ranked.scores
    words = [scores.guess(row) for row in ranked.top]
    bits: dict[int, float] = {}
    made = []
    for row, word, same, answers in zip(
        ranked.top, words, ranked.sizes, partition_sizes(scores, words), strict=True
    ):
        found = entropy(answers.values())
        if scores.criterion in BY_BITS:
            found = bits.setdefault(scores.scores(row, 1)[0], found)
        guess = unpack(word, state.rules.pegs)
        made.append(make_option(guess, found, answers, scores.possible(row), same))
    return made


def _mine(ranked: Ranked, best: Option, own: PlayerGuess) -> Mine:
    scores = ranked.scores
    answers = partition_sizes(scores, [own.word])[0]
    standing = scores.standing(ranked.rows, ranked.rows)
    equal = standing.better == 0 and standing.same > 0 and scores.criterion in BY_BITS
    bits = best.bits if equal else entropy(answers.values())
    pegs = ranked.state.rules.pegs
    option = make_option(unpack(own.word, pegs), bits, answers, own.possible, own.same)
    return as_mine(option, unpack(own.like, pegs), standing.rank, best.bits - bits)
