"""What the desk is asked and what it answers, as types: flags, JSON and page follow from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cluewise.desks.code.position import Clue, Position, Rules

Criterion = Literal["entropy", "minmax", "minavg", "maxparts"]


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options are frozen and know all their names."""


class AdviseOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """What to rank guesses by, and which to show."""

    criterion: Annotated[
        Criterion,
        Meta(description="entropy (bits), minmax (worst case), minavg (average), maxparts"),
    ] = "entropy"
    consistent_only: Annotated[bool, Meta(description="only guesses that can be the secret")] = (
        False
    )
    top: Annotated[int, Meta(ge=1, le=100_000, description="how many options to show")] = 10
    mine: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="a guess of your own to compare with the best"),
    ] = None
    merge: Annotated[
        bool, Meta(description="count guesses that every code left answers alike as one question")
    ] = False
    exact: Annotated[
        bool, Meta(description="count everything, however long it takes, where that is possible")
    ] = False


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guess worth asking and what its answers would leave."""

    guess: str
    bits: float
    expected_left: float
    worst: int
    parts: int
    possible: bool
    answers: dict[str, int]
    same: int


class Mine(Option, frozen=True):
    """The player's own guess: its place (1 = as good as the best), its class, what it loses.

    Of two equal guesses the one that can be the secret stands before the one that cannot.
    """

    rank: int
    like: str
    bits_lost: float


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Options, best first.

    Where not every guess was counted on every code left, `exact` is false. `sample`: how many
    codes the numbers come from (with `gap`: the choice); `error`: the bits shown are within that
    of the true ones, 19 times in 20, and 0 says they are exact; `tried`: how many guesses were
    compared, where they had to be searched for; `gap`: all were compared on the sample, and one
    that it ranked too low could tell that many bits more. `unmerged`: where classes with the same
    answers throughout were merged, how many there were before.
    """

    remaining: int
    criterion: Criterion
    candidates: int
    kept: int
    ties: int
    exact: bool
    options: list[Option]
    sample: int | None = None
    error: float | None = None
    tried: int | None = None
    gap: float | None = None
    mine: Mine | None = None
    unmerged: int | None = None


class RemainingOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How much of the list to give."""

    top: Annotated[int, Meta(ge=0, le=1_000_000, description="how many codes to list")] = 10


class Remaining(msgspec.Struct, frozen=True):
    """How many codes fit all clues, and the first of them."""

    count: int
    codes: list[str]


class ClassesOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which filter's guesses to list, and how far to go for the partition."""

    filter: Annotated[
        Literal["excluded", "colour", "constraint", "chain", "join", "partition"],
        Meta(description="whose kept guesses to list"),
    ] = "join"
    limit: Annotated[int, Meta(ge=0, description="most comparisons to spend on the partition")] = (
        200_000_000
    )


class ClassCounts(msgspec.Struct, frozen=True):
    """How many guesses each filter keeps of all, and the guesses that the chosen one keeps."""

    excluded: int
    colour: int
    constraint: int
    chain: int
    join: int
    partition: int | None
    representatives: list[str]


class Repair(msgspec.Struct, frozen=True):
    """Another answer to one clue that would make sense of all."""

    clue: int
    exact: int
    partial: int
    remaining: int
    distance: int


class Doubt(msgspec.Struct, frozen=True):
    """Which clues cannot all hold, and what to change; `redundant` clues follow from the rest.

    Each of those alone can go, not always all of them together: `irreducible` clues leave the same
    codes as all clues, and none of them follows from the others among them.
    """

    contradiction: bool
    smallest: list[list[int]]
    repairs: list[Repair]
    redundant: list[int]
    irreducible: list[int]


class PasteOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """A history as text."""

    text: Annotated[str, Meta(max_length=100_000, description="guesses and answers, one a line")]


class BadLine(msgspec.Struct, frozen=True):
    """A line that could not be read: its number from 1, its text, why, and the column from 1."""

    line: int
    text: str
    reason: str
    column: int


class Reading(msgspec.Struct, frozen=True):
    """A way to read a history: the rules, the clues they give, how many lines they leave out."""

    rules: Rules
    clues: list[Clue]
    missed: int


class Pasted(msgspec.Struct, frozen=True):
    """The clues of the lines that could be read, in order, and the other lines.

    Where a line is a row of other rules, `clues` is empty and `instead` holds what may be meant.
    """

    clues: list[Clue]
    bad: list[BadLine]
    instead: list[Reading]


class DealOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which secret to draw."""

    seed: Annotated[int, Meta(ge=0, le=2**53, description="same seed, same secret")] = 0


class Dealt(msgspec.Struct, frozen=True):
    """A game to play: the position with its secret sealed and no clues."""

    sealed: str
    position: Position


class JudgeOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The guess to answer."""

    guess: Annotated[str, Meta(max_length=64, description="the guess to answer")]


class Judged(msgspec.Struct, frozen=True):
    """The answer of the sealed secret."""

    exact: int
    partial: int
    answer: str
    won: bool


class StrategyOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which strategy to work out, from the position to the end of the game."""

    criterion: Annotated[
        Literal["first", "minmax", "minavg", "entropy", "maxparts", "optimal"],
        Meta(description="how each guess is chosen; optimal = fewest guesses in all, proved"),
    ] = "entropy"
    consistent_only: Annotated[bool, Meta(description="only guesses that can be the secret")] = (
        False
    )
    max_depth: Annotated[
        Annotated[int, Meta(ge=1, le=64)] | None,
        Meta(description="most guesses a game may take (optimal only)"),
    ] = None
    tree: Annotated[bool, Meta(description="give the whole tree of guesses")] = False


class Branch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guess, how many codes are left before it, and what to do after each answer.

    A win has no entry. An answer that leaves one code leads to a branch without answers.
    """

    guess: str
    left: int
    answers: dict[str, Branch] = {}


class Strategy(msgspec.Struct, frozen=True):
    """Guesses over all codes, the winning one counted: `histogram[k]` codes take k + 1 guesses.

    `proved`: no strategy that keeps to the options needs fewer guesses in all (optimal), or the
    numbers are those of the rule named (all others). While a search is still running, `bound` is
    what its total cannot go below.
    """

    total: int
    codes: int
    average: float
    worst: int
    histogram: list[int]
    proved: bool
    tree: Branch | None
    bound: int | None = None


class CountsOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How many rounds to count, and which rows to show."""

    rounds: Annotated[int, Meta(ge=1, le=8, description="rounds to count")] = 2
    by_second: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="a first guess: count the last round by second guess after it"),
    ] = None


class Counts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Different sequences of guesses, round by round; `by_first` and `by_second` split the last."""

    rounds: list[int]
    by_first: dict[str, int]
    by_second: dict[str, int] | None = None


class EquivalentOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Two guesses in this position, or another position to compare this one with."""

    guesses: Annotated[
        tuple[str, str] | None, Meta(description="two guesses after this position's clues")
    ] = None
    other: Annotated[Position | None, Meta(description="a second position")] = None


Kind = Literal["constraint", "colour", "join", "partition"]


class SameStep(msgspec.Struct, frozen=True):
    """A step to `guess`, by which kind of sameness, and the permutation where there is one."""

    guess: str
    by: Kind
    pegs: list[int] | None
    colours: list[int] | None


class Same(msgspec.Struct, frozen=True):
    """Whether two guesses are one question, by the narrowest kind that holds, and the steps.

    `constraint` permutes pegs and colours and keeps every row; `colour` swaps colours that no
    code left shows; `join` is both in turn; `partition` permutes the codes left. `same` is None
    where the first three do not hold and the last would take too long.
    """

    same: bool | None
    kind: Kind | None
    steps: list[SameStep]


class Equivalent(msgspec.Struct, frozen=True):
    """Whether a permutation takes one to the other, and the least such: peg i goes to pegs[i].

    h[pegs[i]] = colours[g[i]] for every guess g and its image h. `answers_agree` says whether
    the answers are the same too (they play no part in the equivalence). For two guesses `question`
    says whether they are one question here, answers and all.
    """

    equivalent: bool
    pegs: list[int] | None
    colours: list[int] | None
    answers_agree: bool
    question: Same | None = None


class ReviewOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """A finished game: the guesses in order, and the secret unless it is sealed."""

    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="the secret, if the position has none sealed"),
    ] = None
    criterion: Annotated[Criterion, Meta(description="what counts as best")] = "entropy"


class Reviewed(msgspec.Struct, frozen=True):
    """One guess of a finished game.

    `bits`: what the guess could be expected to tell (skill); `best`, `best_bits`: the best guess
    and its bits; `best_answer`, `best_after`: what it would have been answered and would have
    left (where the secret is known). `got`: what the answer that came really told; `luck` = got -
    bits; `loss` = best_bits - bits, never negative when entropy is the criterion. `rank` among
    the `of` different questions.
    """

    guess: str
    answer: str
    before: int
    after: int
    possible: bool
    bits: float
    got: float
    luck: float
    best: str
    best_bits: float
    best_possible: bool
    best_answer: str | None
    best_after: int | None
    loss: float
    rank: int
    of: int
    exact: bool


class Review(msgspec.Struct, frozen=True):
    """All guesses of the game, and luck and loss in all."""

    secret: str | None
    won: bool
    guesses: list[Reviewed]
    luck: float
    loss: float
