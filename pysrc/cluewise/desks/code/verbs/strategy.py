"""The verbs `strategy` and `check`: a way of playing over all codes, worked out or given.

`strategy` works one out: how many guesses it takes, and its tree. `check` plays every code with a
strategy that is given, and compares two.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from cluewise.core.work import Job, Pause, Progress
from cluewise.desks.code.engine.optimal import MOST_GUESSES, NEVER, UNLIMITED, Search
from cluewise.desks.code.engine.parallel_optimal import (
    LARGE,
    Others,
    ParallelOptimal,
    Task,
    TaskResult,
    solve_task_json,
)
from cluewise.desks.code.engine.state import (
    State,
    check_consistent,
    count_codes,
    count_guesses,
    is_countable,
    load,
    load_space,
    pack,
    unpack,
)
from cluewise.desks.code.engine.tree import MOST_CODES, build_strategy
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.position import Position, Rules, answer, code_error
from cluewise.desks.code.results import (
    CheckedStrategy,
    CheckOptions,
    Strategy,
    StrategyComparison,
    StrategyOptions,
    StrategyProblem,
    Turn,
)
from cluewise.desks.code.tree import Branch, Node, Source, read_strategy, steps_of
from cluewise.errors import BadOption, TooLarge
from cluewise.kernel import kernel
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

MOST_ANSWERS = 32
"""With more answers, marks of four pegs, guesses are weighed one by one."""


def strategy(
    position: Position, options: StrategyOptions, sharing: ParallelContext | None = None
) -> Job[Strategy]:
    """What the strategy needs from this position to the end; raises `Contradiction` if none.

    `secret`: with the guesses for it. What the answers to an optimal strategy's first guess leave
    are tasks.
    """
    others = None if sharing is None else partial(_parts, sharing)
    if options.secret is None:
        return (yield from _strategy(position, options, others))
    secret = read_code(position, options.secret)
    why = code_error(position.rules, secret)
    clues = [position.clues[i] for i in position.counted()]
    if not why and not all(c.agrees(answer(position.rules, c.guess, secret)) for c in clues):
        why = f"{position.spelled(secret)} does not fit the clues."
    if why:
        raise BadOption(why, "$.options.secret")
    whole = msgspec.structs.replace(options, tree=True)
    found = yield from _strategy(position, whole, others)
    assert found.tree is not None
    game = list(_turns(position.rules, found.tree, secret))
    return msgspec.structs.replace(found, tree=found.tree if options.tree else None, game=game)


def _turns(rules: Rules, tree: Branch, secret: str) -> Iterator[Turn]:
    """The guesses of the tree for one code, down to the code itself."""
    branch: Branch | None = tree
    while branch is not None:
        text = rules.answer_name(answer(rules, branch.guess, secret))
        yield Turn(branch.guess, text, branch.left)
        branch = branch.answers.get(text)


def strategy_tasks(position: Position, options: StrategyOptions) -> int:
    """Answers to a first guess, where these are worked out one by one."""
    large = options.criterion == "optimal" and count_codes(position.rules) > LARGE
    return len(position.rules.answers()) if large else 1


def _parts(
    sharing: ParallelContext, pieces: Iterator[Task | None]
) -> Generator[TaskResult | Pause, None, None]:
    """The results of tasks that the workers solve."""
    asked: list[Task] = []

    def plain() -> Iterator[tuple[Any] | None]:
        for piece in pieces:
            if piece is not None:
                asked.append(piece)
            yield None if piece is None else (msgspec.to_builtins(piece),)

    def name_of(number: int) -> str:
        clue = asked[number].clues[-1]
        return f"What {clue.answer} to {clue.guess} leaves"

    with closing(map_tasks(solve_task_json, plain(), sharing, name_of)) as steps:
        for step in steps:
            yield msgspec.convert(step.value, TaskResult) if isinstance(step, Result) else step


def _strategy(position: Position, options: StrategyOptions, others: Others | None) -> Job[Strategy]:
    if options.max_depth is not None and options.criterion != "optimal":
        raise BadOption("A limit on the depth goes with `optimal` only.", "$.options.max_depth")
    if not is_countable(position.rules) or count_guesses(position.rules) > MOST_CODES:
        raise TooLarge(f"Whole strategies are computed for up to {MOST_CODES:,} guesses.")
    clues = [position.clues[i] for i in position.counted()]
    with kernel().frame() as frame:
        state = yield from load(frame, position.rules, clues, position.prior)
        check_consistent(state)
        many_answers = len(position.rules.answers()) > MOST_ANSWERS and options.max_depth is None
        if state.weights or (many_answers and options.criterion == "optimal"):
            return (yield from _weighted(state, options))
        if options.criterion == "optimal":
            return (yield from _optimal(state, options, others, position.prior is None))
        grown = yield from build_strategy(state, options.criterion, options.consistent_only)
        tree = grown.branches(position.rules) if options.tree else None
        return make_strategy(grown.histogram(), tree)


def _optimal(
    state: State, options: StrategyOptions, others: Others | None, by_clues: bool
) -> Job[Strategy]:
    """Branch and bound below the best rule of thumb; progress carries that and a bound.

    `by_clues`: the clues alone say which codes are left, so that processes can share the search.
    """
    if count_guesses(state.rules) > MOST_GUESSES and state.n > 400:
        raise TooLarge(f"Optimal strategies are computed for up to {MOST_GUESSES:,} guesses.")
    known = yield from _rule_of_thumb(state, options)
    search = (ParallelOptimal if by_clues and state.n > LARGE else Search)(
        state, options.consistent_only, lambda bound: msgspec.structs.replace(known, bound=bound)
    )
    if isinstance(search, ParallelOptimal):
        search.others = others
    depth = UNLIMITED if options.max_depth is None else min(options.max_depth, UNLIMITED)
    fits = options.max_depth is None or known.worst <= options.max_depth
    limit = known.total + 1 if fits else NEVER
    secrets, clues = search.state.codes(), search.clues()
    total = yield from search.total(secrets, clues, depth, limit, 0)
    if total >= NEVER:
        message = f"No strategy finds every code within {options.max_depth} guesses."
        raise BadOption(message, "$.options.max_depth")
    tree = yield from search.tree(secrets, clues, depth)
    made = make_strategy(steps_of(tree), tree if options.tree else None)
    assert made.total == total, (made.total, total)
    return made


def _weighted(state: State, options: StrategyOptions) -> Job[Strategy]:
    """The strategy of least weighted total; the histogram counts codes."""
    if options.criterion != "optimal" or options.max_depth is not None:
        message = "With weights, only the optimal strategy of any depth is worked out."
        raise BadOption(message, "$.options.criterion")
    yield from load_space(state)
    weights = state.weights or dict.fromkeys(state.codes(), 1)
    costs = WeightedCosts(state, weights, options.consistent_only)
    members = costs.members()
    found = yield from costs.solve(members, costs.path())
    tree, weight = costs.tree(members), costs.weight(members)
    made = make_strategy(steps_of(tree), tree if options.tree else None)
    if state.weights is None:
        return made
    return replace(made, total=found.value, average=found.value / weight, weight=weight)


def _rule_of_thumb(state: State, options: StrategyOptions) -> Job[Strategy]:
    """A good strategy at once: what an optimal one must beat."""
    yield from load_space(state)
    grown = yield from build_strategy(state, "entropy", options.consistent_only)
    tree = grown.branches(state.rules) if options.tree else None
    return make_strategy(grown.histogram(), tree, proved=False)


def make_strategy(steps: Sequence[int], tree: Branch | None, proved: bool = True) -> Strategy:
    """The strategy in which `steps[k]` codes take k + 1 guesses."""
    total, codes = sum(k * n for k, n in enumerate(steps, 1)), sum(steps)
    return Strategy(total, codes, total / codes, len(steps), list(steps), proved, tree)


# ---- a strategy that is given -------------------------------------------------------------------

FaultKind: TypeAlias = Literal["missing", "inconsistent", "answer", "count"]
_LISTED = 20  # problems, and codes that are not found
_PAUSE = 0.03  # seconds between reports


def check_strategy(position: Position, options: CheckOptions) -> Job[CheckedStrategy]:
    """How the strategy plays every code left; with `other`, the codes that each finds sooner.

    Raises `BadNotation` with line and column where a text cannot be read.
    """
    rules, clues = position.rules, [position.clues[i] for i in position.counted()]
    if not is_countable(rules):
        raise TooLarge(f"A strategy plays every code; there are {count_codes(rules):,}.")
    with kernel().frame() as frame:
        state = yield from load(frame, rules, clues, position.prior)
        check_consistent(state)
        one = yield from _play_all(state, options.strategy, position, "$.options.strategy")
        if options.other is None:
            return one.result(position)
        two = yield from _play_all(state, options.other, position, "$.options.other")
        return one.result(position, two)


@dataclass
class Played:
    """A strategy played through: the steps of the codes it finds, and its faults."""

    source: Source
    codes: Sequence[int]
    weights: Mapping[int, int] | None = None
    steps: dict[int, int] = field(default_factory=dict)
    problems: list[StrategyProblem] = field(default_factory=list)
    faults: int = 0

    def report(self, kind: FaultKind, message: str, at: int, codes: int = 0) -> None:
        """Note a fault; the first are listed."""
        self.faults += 1
        if len(self.problems) < _LISTED:
            line, column = self.source.place(at)
            self.problems.append(StrategyProblem(kind, line, column, message, codes))

    def result(self, position: Position, other: Played | None = None) -> CheckedStrategy:
        """What is shown of it."""
        pegs, found = position.rules.pegs, len(self.steps)
        lost = [code for code in self.codes if code not in self.steps]
        weights = self.weights or dict.fromkeys(self.codes, 1)
        total = sum(weights[code] * steps for code, steps in self.steps.items())
        weight, worst = sum(weights[c] for c in self.steps), max(self.steps.values(), default=0)
        histogram = [0] * worst
        for steps in self.steps.values():
            histogram[steps - 1] += 1
        return CheckedStrategy(
            complete=not lost and not self.faults,
            codes=len(self.codes),
            found=found,
            total=total,
            average=total / weight if found else None,
            worst=worst,
            histogram=histogram,
            lost=len(lost),
            lost_codes=[unpack(code, pegs) for code in lost[:_LISTED]],
            problems=self.problems,
            faults=self.faults,
            weight=weight if self.weights else None,
            other=None if other is None else other.result(position),
            comparison=None if other is None else _compare(self.steps, other.steps, pegs),
        )


def _compare(one: Mapping[int, int], two: Mapping[int, int], pegs: int) -> StrategyComparison:
    """The codes that both find, by which of the two finds them first."""
    gains = {code: two[code] - steps for code, steps in one.items() if code in two}
    largest = sorted(gains, key=lambda code: (-abs(gains[code]), code))
    examples = {unpack(c, pegs): [one[c], two[c]] for c in largest[:_LISTED] if gains[c]}
    return StrategyComparison(
        sooner=sum(gain > 0 for gain in gains.values()),
        later=sum(gain < 0 for gain in gains.values()),
        same=sum(gain == 0 for gain in gains.values()),
        examples=examples,
    )


def _play_all(state: State, text: str, position: Position, where: str) -> Job[Played]:
    """Play all codes of the state at once, cell by cell."""
    rules = state.rules
    source = Source(rules, text, where)
    root = read_strategy(source, position.signs)
    played = Played(source, state.codes(), state.weights)
    names = [rules.answer_name(pair) for pair in rules.answers()]
    stack: list[tuple[Node, Sequence[int], int]] = [(root, played.codes, 1)]
    reported = time.perf_counter()
    while stack:
        node, codes, step = stack.pop()
        if time.perf_counter() - reported > _PAUSE:
            yield Progress(len(played.steps), state.n, "playing every code")
            reported = time.perf_counter()
        if node.left not in (None, len(codes)):
            message = f"The text says that {node.left:,} codes are left; {len(codes):,} are."
            played.report("count", message, node.at)
        word = pack(node.guess)
        cells = dict(state.split(word, codes))
        if sum(map(len, cells.values())) < len(codes):
            played.steps[word] = step
        stack += reversed([*_follow(played, node, cells, names, step)])
    return played


def _follow(
    played: Played, node: Node, cells: Mapping[int, Sequence[int]], names: Sequence[str], step: int
) -> Iterator[tuple[Node, Sequence[int], int]]:
    """The next guesses with the codes that each is played for; reports branches that are wrong."""
    taken = set[int]()
    for branch in node.branches:
        name = names[branch.answer]
        if branch.answer == len(names) - 1:
            if branch.then.branches or branch.then.guess != node.guess:
                played.report("answer", f"After {name} the game is over.", branch.at)
        elif branch.answer in taken:
            played.report("answer", f"{name} to {node.guess} is listed twice.", branch.at)
        elif branch.answer not in cells:
            message = f"No code left answers {node.guess} with {name}."
            played.report("inconsistent", message, branch.at)
        else:
            yield branch.then, cells[branch.answer], step + 1
        taken.add(branch.answer)
    for cell, codes in cells.items():
        if cell not in taken:
            many = "1 code is" if len(codes) == 1 else f"{len(codes):,} codes are"
            message = f"No guess follows {names[cell]} to {node.guess}: {many} not found."
            played.report("missing", message, node.at, len(codes))
