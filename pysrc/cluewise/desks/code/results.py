"""Options and results of the verbs of the code desk: the schema of terminal, JSON and page.

The docstring of a field is its description on the contract page.
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
    """Base of options: frozen; unknown names are refused."""


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
        bool, doc("merge classes of guesses that every remaining code answers alike")
    ] = False
    guesses: Annotated[bool, doc("compute the cost of each option in guesses")] = True
    seconds: Annotated[
        Annotated[float, Meta(ge=0, le=86_400)] | None, doc("time limit; later costs are bounds")
    ] = None
    settle: Annotated[bool, doc("compute every cost exactly, without a time limit")] = False
    exact: Annotated[
        bool, doc("evaluate all guesses on all remaining codes, if that is possible at all")
    ] = False


class Guesses(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cost-to-go: guesses until the win, this one included, by the best strategy found."""

    exact: bool
    """Whether `expected` is optimal; else `low` and `high` bound it."""
    expected: float | None = None
    """The least average over the remaining codes."""
    worst: int | None = None
    """The maximum of the strategy with that average."""
    low: float | None = None
    """Lower bound of the average."""
    high: float | None = None
    """Upper bound: the average of the best strategy found."""
    fraction: str | None = None
    """With weights: the exact average as a fraction in lowest terms, `"463/104"`."""


class Within(msgspec.Struct, frozen=True, omit_defaults=True):
    """Codes found within the remaining rows by the best strategy that begins with the option."""

    rows: int
    """Guesses that are allowed, the option included."""
    exact: bool
    """Whether `codes` is optimal; else `low` and `high` bound it."""
    codes: int | None = None
    """The most codes that one strategy finds: the chance to win is this divided by `remaining`.
    With a prior: their weight; the chance to win is this divided by `weight` of the advice."""
    low: int | None = None
    """Lower bound: found by the best known strategy."""
    high: int | None = None
    """Upper bound for every strategy."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A candidate guess and the partition of the remaining codes by its answers."""

    guess: str
    """The guess."""
    bits: float
    """Expected information of the answer (entropy of the partition), bits."""
    expected_left: float
    """Expected number of remaining codes, Σn²/N; the winning answer leaves one."""
    worst: int
    """Remaining codes in the worst case."""
    parts: int
    """Number of possible answers."""
    possible: bool
    """Whether the guess can be the secret."""
    answers: dict[str, int]
    """Remaining codes after each possible answer."""
    same: int
    """Size of its equivalence class; 1 if guesses were searched for (`tried`)."""
    guesses: Guesses | None = None
    """Its cost in guesses; absent if bounding it would take too long."""
    within: Within | None = None
    """Criterion within: the number of codes found within the rows."""
    weights: dict[str, int] | None = None
    """With weights: the weight of the codes with each answer."""


class Mine(Option, frozen=True, kw_only=True):
    """The player's own guess with its rank and its loss against the best option.

    Of two equal guesses the one that can be the secret ranks first.
    """

    rank: int
    """Its rank among the `kept` classes, from 1; 1 is as good as the best."""
    like: str
    """The representative of its class."""
    bits_lost: float
    """Bits of the first option less its own."""
    rank_to: int | None = None
    """Largest possible rank if only bounds are known; `rank` is then the smallest possible."""


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Options, best first.

    `exact` is false unless every guess was evaluated on every remaining code; `sample`, `error`,
    `tried` and `gap` then describe the approximation. `bound` is an upper bound of the bits of all
    guesses: proved if all remaining codes were counted (`error` 0), otherwise an estimate from a
    sample plus five standard errors.
    """

    remaining: int
    """Codes that satisfy all clues."""
    criterion: Criterion
    """The criterion of the order."""
    candidates: int
    """Number of allowed guesses."""
    kept: int
    """Number of their equivalence classes; with `tried`, of guesses compared."""
    ties: int
    """Number of options with exactly the best score."""
    exact: bool
    """Whether every class was evaluated on every remaining code."""
    options: list[Option]
    """Best first: by score, compared exactly; ties: possible guesses first, then by symbols."""
    sample: int | None = None
    """Size of the sample of codes: with `gap` that of the selection; absent if `exact`."""
    error: float | None = None
    """Half-width of the 95 % confidence interval of the bits; 0: they are exact."""
    tried: int | None = None
    """Number of guesses compared, if there are too many to compare all."""
    gap: float | None = None
    """Bits by which a guess that the sample ranked too low can exceed the first option."""
    bound: float | None = None
    """Upper bound of the bits of all guesses; absent if `exact` or not ranked by bits."""
    mine: Mine | None = None
    """Your own guess, if the option is set."""
    unmerged: int | None = None
    """Number of classes before classes with equal answers were merged, if any were."""
    questions: int | None = None
    """Number of classes of guesses with pairwise different answers; null if not computed."""
    least: Guesses | None = None
    """Criterion guesses: the cost of the best of all guesses, or its bounds."""
    weight: int | None = None
    """With weights: the weight of all remaining codes; averages are weighted."""


class RemainingOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """How many codes to list."""

    top: Annotated[int, doc("how many codes to list", ge=0, le=1_000_000)] = 10
    colours: Annotated[
        bool, doc("count each colour in the remaining codes, at most 10 000 of them")
    ] = False


class Remaining(msgspec.Struct, frozen=True, omit_defaults=True):
    """The codes that satisfy all clues: their number and the first of them."""

    count: int
    """Number of codes that satisfy all clues; 0 is a result, not an error."""
    codes: list[str]
    """The first of them, ascending."""
    holding: list[int] | None = None
    """For each colour the number of codes that contain it: 0 = excluded, `count` = certain."""
    places: list[list[int]] | None = None
    """For each peg and colour the number of codes with that colour there."""


class ClassesOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The filter whose representatives are listed, and the work limit of the partition."""

    filter: Annotated[
        Literal["excluded", "colour", "constraint", "chain", "join", "partition"],
        doc("list the representatives of this filter"),
    ] = "join"
    limit: Annotated[int, doc("most comparisons for the partition", ge=0)] = 200_000_000


class ClassCounts(msgspec.Struct, frozen=True):
    """The number of classes of guesses by each filter, and representatives of one."""

    excluded: int
    """Classes if colours in no remaining code are interchangeable."""
    colour: int
    """Classes if colours in no guess are interchangeable too."""
    constraint: int
    """Classes under permutations of pegs and colours that fix every earlier guess."""
    chain: int
    """Guesses that are least in both their excluded-colour and their constraint class."""
    join: int
    """Classes of the join of both relations."""
    partition: int | None
    """Classes with equal partitions up to a permutation of the remaining codes; null over the
    limit or with unequal weights.
    """
    representatives: list[str]
    """The representatives of the chosen filter, ascending."""


class Repair(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another answer to one clue with which all clues are consistent."""

    clue: int
    """The clue, from 0."""
    exact: int | None
    """Its other answer: right places; null if the clue does not give them."""
    partial: int | None
    """Its other answer: right colours elsewhere; null if the clue does not give them."""
    remaining: int
    """Remaining codes with the change."""
    distance: int
    """|Δexact| + |Δpartial|, different marks, or the difference of sums; nearest first."""
    marks: str | None = None
    """Its marks, under `order` feedback."""
    sum: int | None = None
    """Its sum, under `sum` feedback."""
    won: bool = False
    """Whether the answer is the win, under `sum` feedback."""


SlipKind = Literal["answer", "peg", "swap", "two"]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A corrected row."""

    clue: int
    """The clue, from 0."""
    guess: str
    """Its guess; another one if a peg was mistyped or two were exchanged."""
    exact: int | None
    """Its right places; null if the clue does not give them."""
    partial: int | None
    """Its right colours elsewhere; null if the clue does not give them."""
    marks: str | None = None
    """Its marks, under `order` feedback."""
    sum: int | None = None
    """Its sum, under `sum` feedback."""
    won: bool = False
    """Whether the answer is the win, under `sum` feedback."""


class Slip(msgspec.Struct, frozen=True):
    """A possible mistake: `answer` miscounted, a `peg` mistyped, a `swap` of two pegs, or
    answers miscounted in `two` rows, each by one."""

    kind: SlipKind
    """The kind of mistake."""
    changes: list[Change]
    """The corrected rows: one or two."""
    remaining: int
    """Remaining codes with the change."""


class Doubt(msgspec.Struct, frozen=True):
    """Minimal conflicts of the clues with repairs, and redundant clues.

    Each of the `redundant` clues is implied by all the others, but not always all of them together
    by the rest. `irreducible`: an equivalent subset without redundant clues.
    """

    contradiction: bool
    """Whether no code satisfies all clues."""
    smallest: list[list[int]]
    """All conflicts of least size; [] if there is no contradiction."""
    repairs: list[Repair]
    """Legal answers to one clue that remove the contradiction; by distance, clue and answer."""
    slips: list[Slip]
    """Possible mistakes, the likeliest first, at most 50. Their order is the assumed frequency of
    their kind times the number of remaining codes."""
    redundant: list[int]
    """Clues that are implied by all the others."""
    irreducible: list[int]
    """A subset of the clues that leaves the same codes, without redundant clues."""
    proved: bool
    """Whether `smallest` is proved to be of least size; false if a limit of tests was reached."""


class PasteOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """A list of guesses and answers as text."""

    text: Annotated[str, doc("guesses and answers, one a line", max_length=100_000)]


class Reading(msgspec.Struct, frozen=True):
    """An interpretation of a text under other rules."""

    rules: Rules
    """The rules."""
    clues: list[Clue]
    """The clues that it gives."""
    missed: int
    """Number of lines that cannot be read."""
    signs: list[str]
    """The signs of the colours in order; [] for 0-9, a-f."""


class Pasted(msgspec.Struct, frozen=True):
    """The clues of the lines that can be read, in order, and the other lines.

    If a line is a row under other rules, `clues` is empty and `instead` lists interpretations.
    """

    clues: list[Clue]
    """The clues in order; [] if some are of another game."""
    bad: list[BadLine]
    """The lines that cannot be read."""
    instead: list[Reading]
    """Interpretations under other rules, the likeliest first."""
    signs: list[str]
    """The signs of the colours in the text if the position has none, else []."""


class DealOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The seed of a random secret, or a given secret."""

    seed: Annotated[int, doc("seed of the random secret", ge=0, le=2**53)] = 0
    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None, doc("seal this code instead of a random one")
    ] = None


class Dealt(msgspec.Struct, frozen=True):
    """A new game: a sealed secret and its position without clues."""

    sealed: str
    """The sealed secret."""
    position: Position
    """The position of the same rules with the sealed secret and no clues."""


class JudgeOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The guess to answer."""

    guess: Annotated[str, doc("the guess to answer", max_length=64)]
    evil: Annotated[
        bool, doc("no secret is sealed: give the answer after which most guesses are needed")
    ] = False


class Judged(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of the sealed secret; with `evil` the answer with the greatest cost-to-go."""

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
    """The strategy to compute, from the position to the end of the game."""

    criterion: Annotated[
        Literal["first", "minmax", "minavg", "entropy", "maxparts", "optimal"],
        doc("how each guess is chosen; optimal = least total of guesses, proved"),
    ] = "entropy"
    consistent_only: Annotated[bool, doc("only guesses that can be the secret")] = False
    max_depth: Annotated[
        Annotated[int, Meta(ge=1, le=64)] | None,
        doc("most guesses per game (optimal only)"),
    ] = None
    tree: Annotated[bool, doc("include the tree of guesses")] = False
    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("list the guesses of the strategy for this secret"),
    ] = None


class Turn(msgspec.Struct, frozen=True):
    """A turn of a game that is played by a strategy."""

    guess: str
    """The guess of the strategy."""
    answer: str
    """The answer of the secret."""
    left: int
    """Remaining codes before the guess."""


class Strategy(msgspec.Struct, frozen=True):
    """The numbers of guesses of a strategy, the winning guess counted.

    `proved`: no strategy within the options has a lower total (optimal); with the other criteria
    the numbers are those of the strategy itself.
    """

    total: int
    """Sum of guesses over all codes."""
    codes: int
    """Number of codes."""
    average: float
    """Guesses per code."""
    worst: int
    """Guesses of the longest game."""
    histogram: list[int]
    """Number of codes found with 1, 2, 3… guesses."""
    proved: bool
    """For optimal: whether no strategy within the options has a lower total."""
    tree: Branch | None
    """The tree of guesses with `tree`, else null."""
    bound: int | None = None
    """Lower bound of the optimal total in an intermediate result."""
    weight: int | None = None
    """With weights: their sum; `total` and `average` are weighted."""
    game: list[Turn] | None = None
    """With `secret`: the turns until it is found, else null."""


class CheckOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The strategies to check."""

    strategy: Annotated[
        StrategyText,
        doc("a strategy: an indented tree, nested braces or JSON", extra_json_schema=TEXT_FILE),
    ]
    other: Annotated[
        StrategyText | None, doc("a second strategy to compare", extra_json_schema=TEXT_FILE)
    ] = None


class StrategyProblem(msgspec.Struct, frozen=True):
    """An error in a strategy with its place in the text."""

    kind: Literal["missing", "inconsistent", "answer", "count"]
    """missing (no guess), inconsistent (no remaining code), answer, count (of remaining codes)."""
    line: int
    """The line, from 1."""
    column: int
    """The column, from 1."""
    message: str
    """The error as a sentence."""
    codes: int
    """Number of codes that are not found because of it."""


class StrategyComparison(msgspec.Struct, frozen=True):
    """Two strategies compared on the codes that both find."""

    sooner: int
    """Number of codes that the first finds with fewer guesses."""
    later: int
    """Number of codes that the second finds with fewer guesses."""
    same: int
    """Number of codes that both find with equally many guesses."""
    examples: dict[str, list[int]]
    """The codes with the largest differences: the guesses of the first and of the second."""


class CheckedStrategy(msgspec.Struct, frozen=True, omit_defaults=True):
    """A strategy played against every remaining code; totals are over the codes it finds."""

    complete: bool
    """Whether it finds every code and has no error."""
    codes: int
    """Number of remaining codes."""
    found: int
    """Number of codes that it finds."""
    total: int
    """Sum of guesses over the codes found, the winning guess counted."""
    average: float | None
    """Guesses per code found; null if it finds none."""
    worst: int
    """Guesses of the longest game."""
    histogram: list[int]
    """Number of codes found with 1, 2, 3… guesses."""
    lost: int
    """Number of codes that it does not find."""
    lost_codes: list[str]
    """The first of them."""
    problems: list[StrategyProblem]
    """The first errors, in the order of the game."""
    faults: int
    """Number of errors."""
    weight: int | None = None
    """With weights: that of the codes found; `total` and `average` are weighted."""
    other: CheckedStrategy | None = None
    """The result of the second strategy."""
    comparison: StrategyComparison | None = None
    """The comparison of both strategies."""


class GameValue(msgspec.Struct, frozen=True):
    """The value of the zero-sum game of code maker and code breaker; fractions in lowest terms."""

    value: str
    """Expected guesses under optimal play of both: `"29/12"`, `"2"`."""
    average: float
    """`value` as a number."""
    mix: dict[str, str]
    """Optimal mixed strategy of the code maker: probability of each class, by its least code."""
    even: str
    """Expected guesses if all codes are equally likely."""


class CountsOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The number of rounds, and the first guess of a breakdown."""

    rounds: Annotated[int, doc("rounds to count", ge=1, le=8)] = 2
    by_second: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("a first guess: count the last round by second guess after it"),
    ] = None


class Counts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Number of inequivalent sequences of guesses in each round, and breakdowns of the last."""

    rounds: list[int]
    """Number of inequivalent sequences of 1, 2, 3… guesses."""
    by_first: dict[str, int]
    """Number of second guesses by first guess."""
    by_second: dict[str, int] | None = None
    """Number of third guesses by second guess."""


class StatesOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The number of rounds, and the limit of states to classify."""

    rounds: Annotated[int, doc("rounds to count", ge=1, le=4)] = 2
    limit: Annotated[int, doc("most states of a round to classify by A, B and STAR", ge=0)] = 20_000


class RoundOfStates(msgspec.Struct, frozen=True):
    """The states after a number of clues with different guesses that some code satisfies.

    The equivalence relations `symmetry`, `A`, `B`, `STAR` are ordered from the finest to the
    coarsest. Equivalent states have the same optimal total of guesses.
    """

    sets: str
    """Number of sets of clues (without order), decimal."""
    irreducible: str | None
    """Number of sets without redundant clues, decimal; null if there are too many to test."""
    distinct: str
    """Number of different sets of remaining codes, decimal."""
    symmetry: int
    """Number of them up to permutations of pegs and colours."""
    A: int | None
    """Number of tables of answers up to the order of rows and columns; null over the limit, as
    for the next two."""
    B: int | None
    """As `A`, up to one permutation of the answers that fixes the win."""
    STAR: int | None
    """As `A`, up to a permutation of the answers for each guess that fixes the win."""
    one: int
    """Classes of `symmetry` with one remaining code."""
    two: int
    """Classes of `symmetry` with two remaining codes."""
    largest: int
    """The largest number of remaining codes."""


class States(msgspec.Struct, frozen=True):
    """Numbers of states after one clue, two clues, …"""

    rounds: list[RoundOfStates]
    """The counts for each number of clues, from 1."""


class EquivalentOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Two guesses of this position, or a second position, to compare."""

    guesses: Annotated[tuple[str, str] | None, doc("two guesses after this position's clues")] = (
        None
    )
    other: Annotated[Position | None, doc("a second position")] = None


Kind = Literal["constraint", "colour", "join", "partition"]


class SameStep(msgspec.Struct, frozen=True):
    """A step to an equivalent guess with its relation and permutation."""

    guess: str
    """The guess after the step."""
    by: Kind
    """The equivalence relation of the step."""
    pegs: list[int] | None
    """Peg i goes to pegs[i]; null for the identity."""
    colours: list[int] | None
    """Colour c becomes colours[c]; null for the identity."""


class Same(msgspec.Struct, frozen=True):
    """Whether two guesses are equivalent in this position, by the finest relation that holds.

    `constraint`: a permutation of pegs and colours that fixes every row; `colour`: a permutation of
    colours in no remaining code; `join`: both in turn; `partition`: a permutation of the remaining
    codes. `same` is null if the first three do not hold and the last is not tested: it would take
    too long, or codes have unequal weights.
    """

    same: bool | None
    """Whether they are equivalent; null if the coarsest relation is not tested."""
    kind: Kind | None
    """The finest relation that holds; null if none does."""
    steps: list[SameStep]
    """The steps from the first guess to the second."""


class SameState(msgspec.Struct, frozen=True):
    """Whether two positions are equivalent states, by the finest relation that holds.

    `codes`: equal sets of remaining codes. `symmetry`: equal up to a permutation of pegs and
    colours. `A`: equal tables of answers up to the order of codes and guesses. `B`: and up to one
    permutation of the answers. `STAR`: and up to one for each guess. Permutations of answers fix
    the win. Equivalent states have the same optimal total of guesses.
    """

    same: bool | None
    """Whether they are equivalent; null if it would take too long or weights are unequal."""
    kind: Literal["codes", "symmetry", "A", "B", "STAR"] | None
    """The finest relation that holds; null if none does."""
    remaining: tuple[int, int]
    """Number of remaining codes of each."""
    pegs: list[int] | None
    """For `symmetry`: peg i goes to pegs[i]; else null."""
    colours: list[int] | None
    """For `symmetry`: colour c becomes colours[c]; else null."""
    left: list[tuple[str, str]] | None
    """For `A`, `B` and `STAR`: each remaining code, ascending, and its image; else null."""
    answers: dict[str, str] | None
    """For `B`: the image of each answer; else null."""


class Equivalent(msgspec.Struct, frozen=True):
    """Whether a permutation of pegs and colours maps one to the other, and the least such.

    h[pegs[i]] = colours[g[i]] for every guess g and its image h. Answers play no part in this
    equivalence; they do in `question` and `state`.
    """

    equivalent: bool
    """Whether a permutation maps one to the other."""
    pegs: list[int] | None
    """Peg i goes to pegs[i]; null if there is none."""
    colours: list[int] | None
    """Colour c becomes colours[c]; null if there is none."""
    answers_agree: bool
    """Whether the answers are equal too."""
    question: Same | None = None
    """For two guesses: whether they are equivalent after the clues of this position."""
    state: SameState | None = None
    """For two positions: whether they are equivalent states, whatever their guesses."""


RelationName = Literal[
    "discrete", "colour", "constraint", "chain", "join", "partition", "state", "cost", "spatial"
]


class RelationsOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """Two guesses to compare, a guess whose class is listed, and the work limit."""

    guesses: Annotated[tuple[str, str] | None, doc("two guesses to compare")] = None
    of: Annotated[
        Annotated[str, Meta(max_length=64)] | None, doc("list the class of this guess")
    ] = None
    relation: Annotated[RelationName, doc("the relation of that class")] = "join"
    top: Annotated[int, doc("most members and permutations to list", ge=1, le=100_000)] = 100
    limit: Annotated[int, doc("most comparisons for partition, state, cost and spatial", ge=0)] = (
        200_000_000
    )


class Relation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One equivalence relation of all guesses after these clues."""

    name: RelationName
    """Its name."""
    classes: int | None
    """The number of classes; null over the limit, with unequal weights, or for spatial if its
    isometries are unknown.
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
    """Colour c becomes colours[c]; null if that is free."""


class CellPair(msgspec.Struct, frozen=True):
    """An answer to the first guess and one to the second that leave states of equal worth."""

    answers: tuple[str, str]
    """The two answers."""
    remaining: tuple[int, int]
    """Number of remaining codes of each."""
    state: bool
    """Whether both leave the same STAR state."""
    totals: tuple[int, int] | None
    """The optimal total of guesses of each; null if not computed."""


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """The relations in which two guesses are equivalent, with a witness of the first."""

    guesses: tuple[str, str]
    """The two guesses."""
    joins: list[RelationName]
    """Every relation in which they are equivalent."""
    open: list[RelationName]
    """The relations that were not computed."""
    first: RelationName | None
    """The finest of these relations except spatial."""
    steps: list[SameStep]
    """The steps from the first guess to the second, for colour to partition."""
    cells: list[CellPair] = []
    """The answers matched one to one, for state and cost, or if no relation holds."""
    totals: tuple[int, int] | None = None
    """The optimal total of guesses after each guess, over all remaining codes."""
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
    """The size of the class; null if the relation was not computed."""
    codes: list[str]
    """Its first members, ascending."""


class Relations(msgspec.Struct, frozen=True, omit_defaults=True):
    """The equivalence relations of guesses on a position, from the finest on."""

    remaining: int
    """The number of remaining codes."""
    guesses: int
    """The number of all guesses."""
    relations: list[Relation]
    """The relations in order; spatial, which is not comparable with the others, is last."""
    filter: list[FilterStep]
    """What the incremental filters keep before the first clue and after each."""
    permutations: list[Eligible]
    """The peg permutations that are eligible now, in order."""
    pair: Compared | None = None
    """For `guesses`: the comparison of both."""
    members: Members | None = None
    """For `of`: the members of its class."""


class ReviewOptions(_Options, frozen=True, forbid_unknown_fields=True):
    """The secret, unless it is sealed or was guessed, and the criterion of the review."""

    secret: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        doc("the secret, if the position has none sealed"),
    ] = None
    criterion: Annotated[
        Literal["entropy", "minmax", "minavg", "maxparts", "guesses"],
        doc("criterion of the best guess"),
    ] = "entropy"
    guesses: Annotated[bool, doc("compute the cost of every guess in guesses")] = False
    seconds: Annotated[
        Annotated[float, Meta(ge=0, le=86_400)] | None,
        doc("time limit per guess; later its cost is bounded"),
    ] = None


class InGuesses(msgspec.Struct, frozen=True):
    """The cost of a guess, in guesses, against that of the best guess.

    In a game that was won: guesses made = `best` of the first turn + sum of `given` - sum of
    `luck`.
    """

    mine: Guesses
    """Guesses until the win, this one included, with optimal play after it."""
    best: Guesses
    """The same for the guess with the least cost."""
    cheapest: str
    """That guess; the player's own if none costs less."""
    given: Guesses
    """Guesses lost by the choice: `mine` - `best`; 0 for the best guess."""
    luck: float | None
    """Guesses saved by the answer against the average; null if a cost is only bounded."""


class Reviewed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One guess of a finished game."""

    guess: str
    """The guess."""
    answer: str
    """Its answer."""
    before: int
    """Remaining codes before it."""
    after: int
    """Remaining codes after it."""
    possible: bool
    """Whether it could have been the secret."""
    bits: float
    """Expected information of its answer, bits: skill."""
    got: float
    """Information of the actual answer, bits."""
    luck: float
    """`got` - `bits`."""
    best: str
    """The best guess of that turn."""
    best_bits: float
    """Expected information of its answer, bits."""
    best_possible: bool
    """Whether the best guess could have been the secret."""
    best_answer: str | None
    """The answer of the best guess, if the secret is known."""
    best_after: int | None
    """Remaining codes after that answer, if the secret is known."""
    loss: float
    """`best_bits` - `bits`; never negative when entropy is the criterion."""
    rank: int
    """Its rank among the classes of guesses, from 1."""
    of: int
    """Number of classes of guesses."""
    exact: bool
    """Whether all of them were evaluated."""
    guesses: InGuesses | None
    """Its cost in guesses if requested and bounded, else null."""
    uncosted: str | None = None
    """Why its cost cannot be bounded, if it was requested."""


class Review(msgspec.Struct, frozen=True):
    """All guesses of a game with the sums of luck and loss."""

    secret: str | None
    """The secret; null if unknown."""
    won: bool
    """Whether the last guess was the secret."""
    guesses: list[Reviewed]
    """The guesses in order."""
    luck: float
    """Sum of `luck`, bits."""
    loss: float
    """Sum of `loss`, bits."""
    given: float | None
    """Sum of `given`, guesses; null if not requested or not known exactly."""
    share: str
    """The game as text to share: the answers as pins, without guesses and codes."""
