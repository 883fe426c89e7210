"""Advice before the first answer: a handful of really different guesses, whatever the rules.

Without clues all pegs and all colours are alike, so a guess is known by how often its colours
come: 8 pegs and 16 colours have 22 different guesses among 4 294 967 296.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, perm, prod

from cluewise.core.information import entropy, expected_remaining
from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import answer_text
from cluewise.desks.code.engine.constraint_search import CodeCounter
from cluewise.desks.code.engine.encoding import count_codes, count_guesses
from cluewise.desks.code.engine.scoring import BY_BITS
from cluewise.desks.code.position import BLANK, Rules
from cluewise.desks.code.results import Advice, AdviseOptions, Mine, Option
from cluewise.kernel import kernel


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
            made[pattern] = yield from _option(counter, rules, pattern)
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
        mine=None if own is None else _mine(options, made[own], ranked),
        # No two patterns of a first guess have the same answers throughout.
        questions=None if options.consistent_only else len(ranked),
    )


def _option(counter: CodeCounter, rules: Rules, pattern: Pattern) -> Job[Option]:
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


def _mine(options: AdviseOptions, like: Option, ranked: list[Option]) -> Mine:
    assert options.mine is not None
    mine = _key(like, options.criterion)[:2]
    better = sum(_key(o, options.criterion)[:2] < mine for o in ranked)
    return Mine(
        options.mine, like.bits, like.expected_left, like.worst, like.parts, like.possible,
        like.answers, like.same, rank=better + 1, like=like.guess,
        bits_lost=ranked[0].bits - like.bits,
    )  # fmt: skip
