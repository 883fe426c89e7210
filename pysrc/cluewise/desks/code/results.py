"""Options and results of the verbs as types; flags, JSON schema and page are derived from them.

One file, as on every desk, and a long one: each field carries its sentence for the contract page.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cluewise.core.desk import TEXT_FILE, doc
from cluewise.core.results import BadLine
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position, Rules
from cluewise.desks.code.tree import Branch

StrategyText = Annotated[str, Meta(max_length=8_000_000)]
Criterion = Literal["entropy", "minmax", "minavg", "maxparts", "guesses", "within"]


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options are frozen and forbid unknown fields."""


class AdviseOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """What to rank guesses by, and which to show."""

    criterion: Annotated[
        Criterion,
        doc(
            "entropy (bits), minmax (worst case), minavg (average), maxparts, guesses, "
            "within (codes found within `rows`)"
        ),
    ] = "entropy"
    rows: Annotated[
        Annotated[int, Meta(ge=1, le=40)] | None,
        doc("for within: guesses that may still be made, the next one included"),
    ] = None
    consistent_only: Annotated[bool, doc("only guesses that can be the secret")] = False
    top: Annotated[int, doc("how many options to show", ge=1, le=100_000)] = 10
    mine: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("a guess of your own to compare with the best"),
    ] = None
    merge: Annotated[
        bool, doc("count guesses that every code left answers alike as one question")
    ] = False
    guesses: Annotated[bool, doc("say what each option costs in guesses")] = True
    seconds: Annotated[
        Annotated[float, Meta(ge=0, le=86_400)] | None, doc("after that time costs stay brackets")
    ] = None
    settle: Annotated[bool, doc("work out every cost exactly, however long it takes")] = False
    exact: Annotated[
        bool, doc("count everything, however long it takes, where that is possible")
    ] = False


class Guesses(msgspec.Struct, frozen=True, omit_defaults=True):
    """Guesses from here to the win, this one included, by the best play found."""

    exact: bool
    """Whether no strategy needs fewer on average; otherwise a bracket is given."""
    expected: float | None = None
    """The least average over the codes left."""
    worst: int | None = None
    """The worst case of the strategy with that average."""
    low: float | None = None
    """Lower bound of the average."""
    high: float | None = None
    """Upper bound of the average, that of a known strategy."""
    fraction: str | None = None
    """Where codes have weights: the exact average as a fraction, `"926/208"` in lowest terms."""


class Within(msgspec.Struct, frozen=True, omit_defaults=True):
    """Codes that the best play finds within the rows that are left, if the option comes next."""

    rows: int
    """Guesses that may be made, the option included."""
    exact: bool
    """Whether no play finds more; else there is a bracket."""
    codes: int | None = None
    """The most codes that one strategy finds; divided by `remaining` it is the chance to win. With
    a prior it is their weight, and the chance is that divided by `weight` of the advice."""
    low: int | None = None
    """A strategy that is known finds so many."""
    high: int | None = None
    """No strategy finds more."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guess and its partition of the remaining codes."""

    guess: str
    """The guess."""
    bits: float
    """The expected information of the answer, in bits."""
    expected_left: float
    """Codes left on average, Σn²/N; a winning answer counts as one left."""
    worst: int
    """Codes left after the answer that leaves most."""
    parts: int
    """The number of possible answers."""
    possible: bool
    """Whether the guess can itself be the secret."""
    answers: dict[str, int]
    """How many codes each possible answer leaves."""
    same: int
    """The number of equivalent guesses in its class; 1 if guesses were searched for (`tried`)."""
    guesses: Guesses | None = None
    """Its cost in guesses; absent if that takes too long to bound."""
    within: Within | None = None
    """By within: how many codes are found within the rows."""
    weights: dict[str, int] | None = None
    """Where codes have weights: the weight of the codes behind each answer."""


class Mine(Option, frozen=True, kw_only=True):
    """The player's own guess: its place (1 = as good as the best), its class, what it loses.

    Of two equal guesses the one that can be the secret stands before the one that cannot.
    """

    rank: int
    """Its place among the `kept` classes, from 1: 1 is as good as the best."""
    like: str
    """The representative of its class."""
    bits_lost: float
    """Bits that the first option gives more."""
    rank_to: int | None = None
    """If only bounds of the place are known: `rank` is the lower, this the upper one."""


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Options, best first.

    Where not every guess was counted on every code left, `exact` is false. `sample`: how many
    codes the numbers come from (with `gap`: the choice); `error`: the bits shown are within that
    of the true ones, 19 times in 20, and 0 says they are exact; `tried`: how many guesses were
    compared, where they had to be searched for; `gap`: all were compared on the sample, and one
    that it ranked too low could tell that many bits more. `bound`: no guess tells more bits than
    that; proved where all codes left were counted (`error` 0), otherwise from a sample with five
    standard errors added. `unmerged`: where classes with the same answers throughout were merged,
    how many there were before.
    """

    remaining: int
    """Codes that fit all clues."""
    criterion: Criterion
    """What the options are ranked by."""
    candidates: int
    """Guesses that are allowed."""
    kept: int
    """Classes among them; where `tried` is given, guesses compared."""
    ties: int
    """Options with exactly the best score."""
    exact: bool
    """Whether every question was counted on every code left."""
    options: list[Option]
    """Best first: by score, compared exactly, then possible ones, then by their symbols."""
    sample: int | None = None
    """Codes that the numbers come from, with `gap` those of the choice; absent where `exact`."""
    error: float | None = None
    """The bits shown are within that of the true ones, 19 times in 20; 0: they are exact."""
    tried: int | None = None
    """Guesses that were compared, where there are too many to compare all."""
    gap: float | None = None
    """A guess that the sample ranked too low could give that many bits more."""
    bound: float | None = None
    """No guess gives more bits than that; absent where `exact`, and where not ranked by bits."""
    mine: Mine | None = None
    """The guess of your own, where one was given."""
    unmerged: int | None = None
    """Classes before those with the same answers throughout were merged, where that matters."""
    questions: int | None = None
    """Classes of guesses that some code left answers differently; null where not compared."""
    least: Guesses | None = None
    """By guesses: bounds of what the best of all guesses costs."""
    weight: int | None = None
    """Where codes have weights: the weight of all codes left; averages are weighted."""


class RemainingOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How much of the list to give."""

    top: Annotated[int, doc("how many codes to list", ge=0, le=1_000_000)] = 10
    colours: Annotated[
        bool, doc("count each colour among the codes left, up to 10 000 of them")
    ] = False


class Remaining(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many codes fit all clues, and the first of them."""

    count: int
    """How many codes fit; 0 is an answer, not an error."""
    codes: list[str]
    """The first of them, ascending."""
    holding: list[int] | None = None
    """For each colour, in how many of the codes it occurs: 0 means excluded, `count` certain."""
    places: list[list[int]] | None = None
    """For each peg and colour, how many of the codes have the colour there."""


class ClassesOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which filter's guesses to list, and how far to go for the partition."""

    filter: Annotated[
        Literal["excluded", "colour", "constraint", "chain", "join", "partition"],
        doc("whose kept guesses to list"),
    ] = "join"
    limit: Annotated[int, doc("most comparisons to spend on the partition", ge=0)] = 200_000_000


class ClassCounts(msgspec.Struct, frozen=True):
    """How many guesses each filter keeps of all, and the guesses that the chosen one keeps."""

    excluded: int
    """Colours that no code left shows are interchangeable."""
    colour: int
    """The same for colours that no guess has used."""
    constraint: int
    """Up to permutations of pegs and colours that fix the earlier guesses."""
    chain: int
    """Least in both its excluded-colour and its constraint class."""
    join: int
    """Classes of the two together."""
    partition: int | None
    """Equal partitions up to a permutation of the codes left; null over the limit or with unequal
    weights.
    """
    representatives: list[str]
    """The guesses that the chosen filter keeps, ascending."""


class Repair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another answer to one clue with which all clues are consistent."""

    clue: int
    """Which clue, from 0."""
    exact: int | None
    """Its other answer: right places; null if the clue does not have them."""
    partial: int | None
    """Its other answer: right colours elsewhere; null if the clue does not have them."""
    remaining: int
    """Codes that would fit then."""
    distance: int
    """|Δexact| + |Δpartial|, marks that differ, or the sums' difference; nearest first."""
    marks: str | None = None
    """Its marks, under `order` feedback."""
    sum: int | None = None
    """Its sum, under `sum` feedback."""
    won: bool = False
    """Whether the answer is the win, under `sum` feedback."""


SlipKind = Literal["answer", "peg", "swap", "two"]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row as it may have been meant."""

    clue: int
    """Which clue, from 0."""
    guess: str
    """Its guess; another one where a peg was mistyped or two exchanged."""
    exact: int | None
    """Its right places; null if the clue does not have them."""
    partial: int | None
    """Its right colours elsewhere; null if the clue does not have them."""
    marks: str | None = None
    """Its marks, under `order` feedback."""
    sum: int | None = None
    """Its sum, under `sum` feedback."""
    won: bool = False
    """Whether the answer is the win, under `sum` feedback."""


class Slip(msgspec.Struct, frozen=True):
    """What may have gone wrong: `answer` miscounted, a `peg` mistyped, a `swap` of two pegs, or
    answers miscounted in `two` rows, each by one."""

    kind: SlipKind
    """What kind of slip."""
    changes: list[Change]
    """The rows as they may have been meant: one, or two."""
    remaining: int
    """Codes that would fit then."""


class Doubt(msgspec.Struct, frozen=True):
    """Which clues cannot all hold, and what to change; `redundant` clues follow from the rest.

    Each of those alone can go, not always all of them together: `irreducible` clues leave the same
    codes as all clues, and none of them follows from the others among them.
    """

    contradiction: bool
    """Whether no code fits."""
    smallest: list[list[int]]
    """All sets of least size that cannot hold together; [] without a contradiction."""
    repairs: list[Repair]
    """Other answers to one clue that restore consistency: by distance, clue, exact, partial."""
    slips: list[Slip]
    """What may have gone wrong, the likeliest first, 50 at most: guesses and answers. How often
    each kind happens is an assumption; that times the codes that would fit is the order."""
    redundant: list[int]
    """Clues that all the others imply, each taken alone."""
    irreducible: list[int]
    """Clues that leave the same codes as all of them, none of which follows from the others."""
    proved: bool
    """Whether `smallest` are the least sets; false where a limit of tests was reached."""


class PasteOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """A history as text."""

    text: Annotated[str, doc("guesses and answers, one a line", max_length=100_000)]


class Reading(msgspec.Struct, frozen=True):
    """An interpretation of a history: the rules, the clues, the number of bad lines."""

    rules: Rules
    """The rules of the game."""
    clues: list[Clue]
    """The clues."""
    missed: int
    """The number of bad lines."""
    signs: list[str]
    """The signs of the colours, in order; [] for 0-9, a-f."""


class Pasted(msgspec.Struct, frozen=True):
    """The clues of the lines that could be read, in order, and the other lines.

    Where a line is a row of other rules, `clues` is empty and `instead` holds what may be meant.
    """

    clues: list[Clue]
    """The clues in order; [] if some lines are rows of another game."""
    bad: list[BadLine]
    """The lines that could not be read."""
    instead: list[Reading]
    """If lines are rows of another game: its possible interpretations, likeliest first."""
    signs: list[str]
    """The signs of the text if the position has none, else []."""


class DealOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which secret to draw, or a secret of one's own."""

    seed: Annotated[int, doc("same seed, same secret", ge=0, le=2**53)] = 0
    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None, doc("seal this code instead of drawing one")
    ] = None


class Dealt(msgspec.Struct, frozen=True):
    """A game to play: the position with its secret sealed and no clues."""

    sealed: str
    """The sealed secret."""
    position: Position
    """A position of the same rules with the seal and no clues."""


class JudgeOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The guess to answer."""

    guess: Annotated[str, doc("the guess to answer", max_length=64)]
    evil: Annotated[
        bool, doc("no secret is sealed: answer so that most guesses are still needed")
    ] = False


class Judged(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of the sealed secret; with `evil` the answer that costs most guesses."""

    exact: int
    """Right places."""
    partial: int
    """Right colours elsewhere."""
    answer: str
    """The answer as text: `1A2B`, marks `021`, or a sum `3`, `4!`."""
    won: bool
    """Whether the guess is the secret."""
    marks: str | None = None
    """The marks, under `order` feedback."""
    sum: int | None = None
    """The sum, under `sum` feedback."""


class StrategyOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Which strategy to compute, from the position to the end of the game."""

    criterion: Annotated[
        Literal["first", "minmax", "minavg", "entropy", "maxparts", "optimal"],
        doc("how each guess is chosen; optimal = fewest guesses in all, proved"),
    ] = "entropy"
    consistent_only: Annotated[bool, doc("only guesses that can be the secret")] = False
    max_depth: Annotated[
        Annotated[int, Meta(ge=1, le=64)] | None,
        doc("most guesses a game may take (optimal only)"),
    ] = None
    tree: Annotated[bool, doc("give the whole tree of guesses")] = False
    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("a code for which to list the strategy's guesses"),
    ] = None


class Turn(msgspec.Struct, frozen=True):
    """A guess of a strategy, the answer that one code gives, and the codes left before."""

    guess: str
    """The guess of the strategy."""
    answer: str
    """The answer of the code."""
    left: int
    """Codes left before the guess."""


class Strategy(msgspec.Struct, frozen=True):
    """Guesses over all codes, the winning one counted: `histogram[k]` codes take k + 1 guesses.

    `proved`: no strategy that keeps to the options needs fewer guesses in all (optimal), or the
    numbers are those of the rule named (all others). While a search is still running, `bound` is
    what its total cannot go below.
    """

    total: int
    """Guesses over all codes, the winning ones counted."""
    codes: int
    """The number of codes."""
    average: float
    """Guesses a code."""
    worst: int
    """Guesses that the longest game takes."""
    histogram: list[int]
    """Codes found with 1, 2, 3… guesses."""
    proved: bool
    """For optimal: no strategy within the options needs fewer guesses in all."""
    tree: Branch | None
    """The whole tree with the option `tree`, else null."""
    bound: int | None = None
    """Lower bound of the total during a search."""
    weight: int | None = None
    """Where codes have weights: their sum; `total` and `average` are weighted."""
    game: list[Turn] | None = None
    """For `secret`: the guesses until it is found, else null."""


class CheckOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The strategies to play."""

    strategy: Annotated[
        StrategyText,
        doc("a strategy: an indented tree, nested braces or JSON", extra_json_schema=TEXT_FILE),
    ]
    other: Annotated[
        StrategyText | None, doc("a second strategy, to compare", extra_json_schema=TEXT_FILE)
    ] = None


class StrategyProblem(msgspec.Struct, frozen=True):
    """A fault of a strategy and its place in the text."""

    kind: Literal["missing", "inconsistent", "answer", "count"]
    """missing (no guess follows), inconsistent (no code left), answer, or count (codes left)."""
    line: int
    """The line, from 1."""
    column: int
    """The column, from 1."""
    message: str
    """The fault as a sentence."""
    codes: int
    """How many codes are not found because of it."""


class StrategyComparison(msgspec.Struct, frozen=True):
    """The codes that two strategies both find."""

    sooner: int
    """Codes that the first finds with fewer guesses."""
    later: int
    """Codes that the second finds with fewer guesses."""
    same: int
    """Codes that both find with as many."""
    examples: dict[str, list[int]]
    """Codes with the largest differences: guesses of the first and of the second."""


class CheckedStrategy(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a strategy plays every code left; the totals are over the codes it finds."""

    complete: bool
    """Whether it finds every code and nothing in it is wrong."""
    codes: int
    """Codes left."""
    found: int
    """Codes that it finds."""
    total: int
    """Guesses over the codes found, the winning ones counted."""
    average: float | None
    """The same per code found; null: it finds none."""
    worst: int
    """Guesses that the longest game takes."""
    histogram: list[int]
    """Codes found with 1, 2, 3… guesses."""
    lost: int
    """How many codes it does not find."""
    lost_codes: list[str]
    """The first of them."""
    problems: list[StrategyProblem]
    """Its first faults, in the order of the game."""
    faults: int
    """How many faults there are."""
    weight: int | None = None
    """Where codes have weights: that of the codes found; `total` and `average` are weighted."""
    other: CheckedStrategy | None = None
    """The same of the second strategy."""
    comparison: StrategyComparison | None = None
    """Which of the two finds each code sooner."""


class GameValue(msgspec.Struct, frozen=True):
    """The value of the game under best play of both sides; fractions in lowest terms."""

    value: str
    """Expected guesses under best play of both: `"29/12"`, `"2"`."""
    average: float
    """The same as a number."""
    mix: dict[str, str]
    """How often the code maker plays each kind of code, by its least code."""
    even: str
    """Expected guesses where every code is equally likely."""


class CountsOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How many rounds to count, and which rows to show."""

    rounds: Annotated[int, doc("rounds to count", ge=1, le=8)] = 2
    by_second: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("a first guess: count the last round by second guess after it"),
    ] = None


class Counts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Different sequences of guesses, round by round; `by_first` and `by_second` split the last."""

    rounds: list[int]
    """Different sequences of guesses, a number a round."""
    by_first: dict[str, int]
    """Second guesses, by first guess."""
    by_second: dict[str, int] | None = None
    """Third guesses, by second guess."""


class StatesOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How many rounds to count, and the limit of sets whose states are counted."""

    rounds: Annotated[int, doc("rounds to count", ge=1, le=4)] = 2
    limit: Annotated[int, doc("most states of a round to sort into A, B and STAR", ge=0)] = 20_000


class RoundOfStates(msgspec.Struct, frozen=True):
    """What exactly so many clues can leave: with different guesses, and some code that fits them.

    Each kind of sameness is wider than the one before it: `symmetry`, `A`, `B`, `STAR`; states of
    one class of any of them cost the same number of guesses, played as well as can be.
    """

    sets: str
    """Sets of clues, in any order; decimal."""
    irreducible: str | None
    """Those of which no clue follows from the others, decimal; null where too many to try."""
    distinct: str
    """Sets of codes that they leave; decimal."""
    symmetry: int
    """The same up to permutations of pegs and colours."""
    A: int | None
    """States with different tables of answers, whatever order rows and columns are in; null over
    the limit, like the next two."""
    B: int | None
    """The same with one renaming of the answers for the whole table; the win keeps its name."""
    STAR: int | None
    """The same with a renaming for every guess; the win keeps its name."""
    one: int
    """Of `symmetry`: those with one code left."""
    two: int
    """Of `symmetry`: those with two codes left."""
    largest: int
    """The most codes that are left."""


class States(msgspec.Struct, frozen=True):
    """How many states there are after one clue, two clues, …"""

    rounds: list[RoundOfStates]
    """A count for each number of clues, from 1."""


class EquivalentOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Two guesses in this position, or another position to compare this one with."""

    guesses: Annotated[tuple[str, str] | None, doc("two guesses after this position's clues")] = (
        None
    )
    other: Annotated[Position | None, doc("a second position")] = None


Kind = Literal["constraint", "colour", "join", "partition"]


class SameStep(msgspec.Struct, frozen=True):
    """A step to `guess`, by which kind of sameness, and the permutation where there is one."""

    guess: str
    """Where the step leads."""
    by: Kind
    """The kind of sameness of the step."""
    pegs: list[int] | None
    """Peg i goes to pegs[i]; null where nothing moves."""
    colours: list[int] | None
    """Colour c becomes colours[c]; null where nothing moves."""


class Same(msgspec.Struct, frozen=True):
    """Whether two guesses are one question, by the narrowest kind that holds, and the steps.

    `constraint` permutes pegs and colours and keeps every row; `colour` swaps colours that no
    code left shows; `join` is both in turn; `partition` permutes the codes left. `same` is None
    where the first three do not hold and the last is not tested: it would take too long, or codes
    have unequal weights.
    """

    same: bool | None
    """Whether they are one question; null where the widest kind is not tested."""
    kind: Kind | None
    """The narrowest kind that holds; null if none does."""
    steps: list[SameStep]
    """From the first guess to the second."""


class SameState(msgspec.Struct, frozen=True):
    """Whether two positions are one state of the game, by the narrowest kind that holds.

    `codes`: they leave the same codes. `symmetry`: permuting pegs and colours turns the codes that
    one leaves into those of the other. `A`: their tables of answers are the same, but for the order
    of codes and guesses. `B`: and one renaming of the answers. `STAR`: and a renaming for each
    guess. The win keeps its name. One state costs as many guesses as the other, by every kind.
    """

    same: bool | None
    """Whether they are one state; null where it would take too long or weights are unequal."""
    kind: Literal["codes", "symmetry", "A", "B", "STAR"] | None
    """The narrowest kind that holds; null if none does."""
    remaining: tuple[int, int]
    """Codes that each leaves."""
    pegs: list[int] | None
    """For `symmetry`: peg i goes to pegs[i]; else null."""
    colours: list[int] | None
    """For `symmetry`: colour c becomes colours[c]; else null."""
    left: list[tuple[str, str]] | None
    """For `A`, `B` and `STAR`: each code left, ascending, and the one it goes to; else null."""
    answers: dict[str, str] | None
    """For `B`: what each answer is renamed to; else null."""


class Equivalent(msgspec.Struct, frozen=True):
    """Whether a permutation takes one to the other, and the least such: peg i goes to pegs[i].

    h[pegs[i]] = colours[g[i]] for every guess g and its image h. `answers_agree` says whether
    the answers are the same too (they play no part in the equivalence). For two guesses `question`
    says whether they are one question here, answers and all; for two positions `state` says
    whether they leave the same codes, or codes that can be played alike.
    """

    equivalent: bool
    """Whether a permutation takes one to the other."""
    pegs: list[int] | None
    """Peg i goes to pegs[i]; null if there is none."""
    colours: list[int] | None
    """Colour c becomes colours[c]; null if there is none."""
    answers_agree: bool
    """Whether the answers are the same too; they play no part in the equivalence."""
    question: Same | None = None
    """For two guesses: whether their partitions are equivalent here."""
    state: SameState | None = None
    """For two positions: whether they are one state of the game, whatever the guesses."""


RelationName = Literal[
    "discrete", "colour", "constraint", "chain", "join", "partition", "state", "cost", "spatial"
]


class RelationsOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Two guesses to compare, a guess whose class to list, and how far to go."""

    guesses: Annotated[tuple[str, str] | None, doc("two guesses to compare")] = None
    of: Annotated[
        Annotated[str, Meta(max_length=64)] | None, doc("a guess whose class to list")
    ] = None
    relation: Annotated[RelationName, doc("of which relation")] = "join"
    top: Annotated[int, doc("how many members and permutations", ge=1, le=100_000)] = 100
    limit: Annotated[int, doc("most comparisons for partition, state, cost and spatial", ge=0)] = (
        200_000_000
    )


class Relation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One equivalence relation of all guesses after these clues."""

    name: RelationName
    """Its name."""
    classes: int | None
    """The number of classes; null over the limit, with unequal weights, or spatial where its
    isometries are not known.
    """
    inside: list[RelationName]
    """The relations that contain it on this position, equal ones included."""
    size: int | None = None
    """The number of guesses in the class of `of`."""


class FilterStep(msgspec.Struct, frozen=True):
    """What the incremental filters keep after some clues."""

    guess: str | None
    """The guess of the last of these clues; null before the first."""
    free: list[int]
    """Colours that no guess has used and that are not excluded."""
    excluded: list[int]
    """Colours that no remaining code shows."""
    eligible: int
    """Peg permutations that can map every guess to itself."""


class Eligible(msgspec.Struct, frozen=True):
    """A peg permutation that the constraint filter keeps, and the colours that it determines."""

    pegs: list[int]
    """Peg i goes to pegs[i]."""
    colours: list[int | None]
    """Colour c becomes colours[c]; null where that is free."""


class CellPair(msgspec.Struct, frozen=True):
    """An answer to the first guess and one to the second that leave states of equal worth."""

    answers: tuple[str, str]
    """The two answers."""
    remaining: tuple[int, int]
    """How many codes each leaves."""
    state: bool
    """Whether both leave the same STAR state."""
    totals: tuple[int, int] | None
    """The least total of guesses from each; null where that is not computed."""


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which relations join two guesses, with a witness of the first of them."""

    guesses: tuple[str, str]
    """The two guesses."""
    joins: list[RelationName]
    """Every relation in which they are equivalent."""
    open: list[RelationName]
    """The relations that were not computed."""
    first: RelationName | None
    """The first relation that joins them, spatial left out."""
    steps: list[SameStep]
    """From the first guess to the second, for colour to partition."""
    cells: list[CellPair] = []
    """The answers matched one to one, for state and cost, or where no relation holds."""
    totals: tuple[int, int] | None = None
    """Guesses over all remaining codes under best play after each guess."""
    spatial: SameStep | None = None
    """The isometry that maps the first guess to the second, if there is one."""
    exchanged: bool = False
    """Whether pegs and colours are exchanged after that permutation."""


class Members(msgspec.Struct, frozen=True):
    """The class of a guess in one relation."""

    guess: str
    """The guess of the option `of`."""
    relation: RelationName
    """The relation."""
    count: int | None
    """The size of the class; null where the relation was not computed."""
    codes: list[str]
    """Its first members, ascending."""


class Relations(msgspec.Struct, frozen=True, omit_defaults=True):
    """The equivalence relations of guesses on a position, from the finest on."""

    remaining: int
    """The number of codes that fit."""
    guesses: int
    """The number of all guesses."""
    relations: list[Relation]
    """The relations in order; spatial, which stands next to the others, is the last."""
    filter: list[FilterStep]
    """What the incremental filters keep before the first clue and after each."""
    permutations: list[Eligible]
    """The peg permutations that are eligible now, in order."""
    pair: Compared | None = None
    """For `guesses`: how the two are related."""
    members: Members | None = None
    """For `of`: the members of its class."""


class ReviewOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """A game: the guesses in order, and the secret unless it is sealed or was hit."""

    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("the secret, if the position has none sealed"),
    ] = None
    criterion: Annotated[
        Literal["entropy", "minmax", "minavg", "maxparts", "guesses"], doc("what counts as best")
    ] = "entropy"
    guesses: Annotated[bool, doc("say what every guess cost in guesses")] = False
    seconds: Annotated[
        Annotated[float, Meta(ge=0, le=86_400)] | None,
        doc("a guess may take that long; then its cost stays a bracket"),
    ] = None


class InGuesses(msgspec.Struct, frozen=True):
    """What a guess cost in guesses, against the one that costs least.

    Over a game that was won: guesses made = what the first best needed + all `given` - all `luck`.
    """

    mine: Guesses
    """Guesses to the win, this one included, with best play after it."""
    best: Guesses
    """The same for the guess of least cost."""
    cheapest: str
    """That guess; the player's own if none needs fewer."""
    given: Guesses
    """Guesses given away: `mine` - `best`, 0 for the best."""
    luck: float | None
    """Guesses that the answer saved against the average; null where a cost is only a bracket."""


class Reviewed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One guess of a finished game.

    `bits`: what the guess could be expected to tell (skill); `best`, `best_bits`: the best guess
    and its bits; `best_answer`, `best_after`: what it would have been answered and would have
    left (where the secret is known). `got`: bits that the answer gave; `luck` = got -
    bits; `loss` = best_bits - bits, never negative when entropy is the criterion. `rank` among
    the `of` different questions.
    """

    guess: str
    """The guess that was made."""
    answer: str
    """The answer."""
    before: int
    """Codes left before it."""
    after: int
    """Codes left after it."""
    possible: bool
    """Whether it could have been the secret."""
    bits: float
    """The expected information of the guess: skill."""
    got: float
    """Bits that the answer gave."""
    luck: float
    """`got` - `bits`."""
    best: str
    """The best guess at that moment."""
    best_bits: float
    """The expected information of the best guess."""
    best_possible: bool
    """Whether that could have been the secret."""
    best_answer: str | None
    """Its answer, where the secret is known."""
    best_after: int | None
    """Codes it would have left, where the secret is known."""
    loss: float
    """`best_bits` - `bits`; never negative when entropy is the criterion."""
    rank: int
    """Its place among the different questions, from 1."""
    of: int
    """How many different questions there were."""
    exact: bool
    """Whether all of them were counted."""
    guesses: InGuesses | None
    """Its cost with the option `guesses`, if it can be bounded, else null."""
    uncosted: str | None = None
    """Why its cost cannot be bounded."""


class Review(msgspec.Struct, frozen=True):
    """All guesses of the game, with total luck and loss."""

    secret: str | None
    """The secret, null where it is not known."""
    won: bool
    """Whether the last guess hit."""
    guesses: list[Reviewed]
    """Every guess in order."""
    luck: float
    """Total luck, bits."""
    loss: float
    """Total loss, bits."""
    given: float | None
    """Total loss, guesses; null without the option `guesses` or if not known exactly."""
    share: str
    """A text to share: the answers as pins, without guesses and code."""
