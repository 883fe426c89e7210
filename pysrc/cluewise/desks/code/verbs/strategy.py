"""The verbs `strategy` and `check`: compute a strategy for all remaining codes, or verify one.

`strategy` builds a greedy or an optimal strategy: totals, histogram, decision tree. `check` plays
every code with a given strategy and lists its faults; with a second one it compares both.
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
    ParallelOptimal,
    SolveTasks,
    Task,
    TaskResult,
    solve_task_json,
)
from cluewise.desks.code.engine.state import (
    State,
    count_codes,
    count_guesses,
    is_countable,
    load_position,
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
"""With more answers (marks of four pegs) the optimum is searched as with weights."""


def strategy(
    position: Position, options: StrategyOptions, sharing: ParallelContext | None = None
) -> Job[Strategy]:
    """Compute a strategy from this position on; with `secret` also the game for that code.

    The cells of the first guess of an optimal strategy are tasks. Raises `Contradiction` if no code
    is left.
    """
    solve = None if sharing is None else partial(_solve_on_workers, sharing)
    if options.secret is None:
        return (yield from _strategy(position, options, solve))
    secret = read_code(position, options.secret)
    why = code_error(position.rules, secret)
    clues = position.counted_clues()
    if not why and not all(c.agrees(answer(position.rules, c.guess, secret)) for c in clues):
        why = f"{position.spelled(secret)} does not fit the clues."
    if why:
        raise BadOption(why, "$.options.secret")
    found = yield from _strategy(position, replace(options, tree=True), solve)
    assert found.tree is not None
    game = list(_turns_to(position.rules, found.tree, secret))
    return replace(found, tree=found.tree if options.tree else None, game=game)


def _turns_to(rules: Rules, tree: Branch, secret: str) -> Iterator[Turn]:
    """The turns of a tree for one code, the last of which is the code."""
    branch: Branch | None = tree
    while branch is not None:
        text = rules.answer_name(answer(rules, branch.guess, secret))
        yield Turn(branch.guess, text, branch.left)
        branch = branch.answers.get(text)


def strategy_tasks(position: Position, options: StrategyOptions) -> int:
    """Return the number of cells of a first guess if these are tasks, else 1."""
    large = options.criterion == "optimal" and count_codes(position.rules) > LARGE
    return len(position.rules.answers()) if large else 1


def _solve_on_workers(
    sharing: ParallelContext, tasks: Iterator[Task | None]
) -> Generator[TaskResult | Pause, None, None]:
    """The results of tasks in the tasks' order."""
    started: list[Task] = []

    def arguments() -> Iterator[tuple[Any] | None]:
        for task in tasks:
            if task is not None:
                started.append(task)
            yield None if task is None else (msgspec.to_builtins(task),)

    def name_of(number: int) -> str:
        clue = started[number].clues[-1]
        return f"What {clue.answer} to {clue.guess} leaves"

    with closing(map_tasks(solve_task_json, arguments(), sharing, name_of)) as steps:
        for step in steps:
            yield msgspec.convert(step.value, TaskResult) if isinstance(step, Result) else step


def _strategy(
    position: Position, options: StrategyOptions, solve: SolveTasks | None
) -> Job[Strategy]:
    if options.max_depth is not None and options.criterion != "optimal":
        raise BadOption("A limit on the depth goes with `optimal` only.", "$.options.max_depth")
    if not is_countable(position.rules) or count_guesses(position.rules) > MOST_CODES:
        raise TooLarge(f"Whole strategies are computed for up to {MOST_CODES:,} guesses.")
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        many_answers = len(position.rules.answers()) > MOST_ANSWERS and options.max_depth is None
        if state.weights or (many_answers and options.criterion == "optimal"):
            return (yield from _weighted(state, options))
        if options.criterion == "optimal":
            return (yield from _optimal(state, options, solve, position.prior is None))
        return (yield from _greedy(state, options.criterion, options))


def _greedy(
    state: State, criterion: str, options: StrategyOptions, proved: bool = True
) -> Job[Strategy]:
    nodes = yield from build_strategy(state, criterion, options.consistent_only)
    tree = nodes.branches(state.rules) if options.tree else None
    return make_strategy(nodes.histogram(), tree, proved)


def _optimal(
    state: State, options: StrategyOptions, solve: SolveTasks | None, by_clues: bool
) -> Job[Strategy]:
    """Branch and bound from a greedy strategy, which is the progress, with the lower bound.

    `by_clues`: the clues alone determine the remaining codes, so that processes can divide the
    search.
    """
    if count_guesses(state.rules) > MOST_GUESSES and state.n > 400:
        raise TooLarge(f"Optimal strategies are computed for up to {MOST_GUESSES:,} guesses.")
    greedy = yield from _greedy(state, "entropy", options, proved=False)
    search = (ParallelOptimal if by_clues and state.n > LARGE else Search)(
        state, options.consistent_only, lambda bound: replace(greedy, bound=bound)
    )
    if isinstance(search, ParallelOptimal):
        search.solve_tasks = solve
    depth = UNLIMITED if options.max_depth is None else min(options.max_depth, UNLIMITED)
    is_allowed = options.max_depth is None or greedy.worst <= options.max_depth
    limit = greedy.total + 1 if is_allowed else NEVER
    secrets, clues = search.state.codes(), search.clues()
    total = yield from search.total(secrets, clues, depth, limit, 0)
    if total >= NEVER:
        message = f"No strategy finds every code within {options.max_depth} guesses."
        raise BadOption(message, "$.options.max_depth")
    tree = yield from search.tree(secrets, clues, depth)
    found = make_strategy(steps_of(tree), tree if options.tree else None)
    assert found.total == total, (found.total, total)
    return found


def _weighted(state: State, options: StrategyOptions) -> Job[Strategy]:
    """Compute the strategy of least weighted total; the histogram counts codes."""
    if options.criterion != "optimal" or options.max_depth is not None:
        message = "With weights, only the optimal strategy of any depth is worked out."
        raise BadOption(message, "$.options.criterion")
    yield from load_space(state)
    weights = state.weights or dict.fromkeys(state.codes(), 1)
    costs = WeightedCosts(state, weights, options.consistent_only)
    codes = costs.members()
    optimum = yield from costs.solve(codes, costs.path())
    tree, weight = costs.tree(codes), costs.weight(codes)
    found = make_strategy(steps_of(tree), tree if options.tree else None)
    if state.weights is None:
        return found
    return replace(found, total=optimum.value, average=optimum.value / weight, weight=weight)


def make_strategy(steps: Sequence[int], tree: Branch | None, proved: bool = True) -> Strategy:
    """Return the strategy in which `steps[k]` codes take k + 1 guesses."""
    total, codes = sum(k * n for k, n in enumerate(steps, 1)), sum(steps)
    return Strategy(total, codes, total / codes, len(steps), list(steps), proved, tree)


# ---- verification of a strategy -----------------------------------------------------------------

FaultKind: TypeAlias = Literal["missing", "inconsistent", "answer", "count"]
_MAX_LISTED = 20  # problems, and codes that are not found
_PROGRESS_INTERVAL_S = 0.03


def check_strategy(position: Position, options: CheckOptions) -> Job[CheckedStrategy]:
    """Play every remaining code with a strategy; with `other`, count the codes each finds sooner.

    Raises `BadNotation` with line and column if a text is no strategy.
    """
    rules = position.rules
    if not is_countable(rules):
        raise TooLarge(f"A strategy plays every code; there are {count_codes(rules):,}.")
    with kernel().frame() as frame:
        state = yield from load_position(frame, position)
        one = yield from _play_all(state, options.strategy, position, "$.options.strategy")
        if options.other is None:
            return one.result(position)
        two = yield from _play_all(state, options.other, position, "$.options.other")
        return one.result(position, two)


@dataclass
class Playthrough:
    """A strategy applied to all codes: the number of guesses for each code found, and faults."""

    source: Source
    codes: Sequence[int]
    weights: Mapping[int, int] | None = None
    steps: dict[int, int] = field(default_factory=dict)
    problems: list[StrategyProblem] = field(default_factory=list)
    faults: int = 0

    def add_fault(self, kind: FaultKind, message: str, at: int, codes: int = 0) -> None:
        """Count a fault, and list the first ones."""
        self.faults += 1
        if len(self.problems) < _MAX_LISTED:
            line, column = self.source.place(at)
            self.problems.append(StrategyProblem(kind, line, column, message, codes))

    def result(self, position: Position, other: Playthrough | None = None) -> CheckedStrategy:
        """Return the verb's result, with the comparison if there is another strategy."""
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
            lost_codes=[unpack(code, pegs) for code in lost[:_MAX_LISTED]],
            problems=self.problems,
            faults=self.faults,
            weight=weight if self.weights else None,
            other=None if other is None else other.result(position),
            comparison=None if other is None else _compare(self.steps, other.steps, pegs),
        )


def _compare(one: Mapping[int, int], two: Mapping[int, int], pegs: int) -> StrategyComparison:
    """Compare the number of guesses for the codes that both find."""
    gains = {code: two[code] - steps for code, steps in one.items() if code in two}
    largest = sorted(gains, key=lambda code: (-abs(gains[code]), code))
    examples = {unpack(c, pegs): [one[c], two[c]] for c in largest[:_MAX_LISTED] if gains[c]}
    return StrategyComparison(
        sooner=sum(gain > 0 for gain in gains.values()),
        later=sum(gain < 0 for gain in gains.values()),
        same=sum(gain == 0 for gain in gains.values()),
        examples=examples,
    )


def _play_all(state: State, text: str, position: Position, where: str) -> Job[Playthrough]:
    """Apply a strategy to all codes at once: partition them at each node, depth first."""
    rules = state.rules
    source = Source(rules, text, where)
    root = read_strategy(source, position.signs)
    run = Playthrough(source, state.codes(), state.weights)
    names = [rules.answer_name(pair) for pair in rules.answers()]
    stack: list[tuple[Node, Sequence[int], int]] = [(root, run.codes, 1)]
    yielded = time.perf_counter()
    while stack:
        node, codes, step = stack.pop()
        if time.perf_counter() - yielded > _PROGRESS_INTERVAL_S:
            yield Progress(len(run.steps), state.n, "playing every code")
            yielded = time.perf_counter()
        if node.left not in (None, len(codes)):
            message = f"The text says that {node.left:,} codes are left; {len(codes):,} are."
            run.add_fault("count", message, node.at)
        guess = pack(node.guess)
        cells = dict(state.split(guess, codes))
        if sum(map(len, cells.values())) < len(codes):
            run.steps[guess] = step
        stack += reversed([*_next_nodes(run, node, cells, names, step)])
    return run


def _next_nodes(
    run: Playthrough,
    node: Node,
    cells: Mapping[int, Sequence[int]],
    names: Sequence[str],
    step: int,
) -> Iterator[tuple[Node, Sequence[int], int]]:
    """The child nodes with their codes; branches that do not match the cells become faults."""
    seen = set[int]()
    for branch in node.branches:
        name = names[branch.answer]
        if branch.answer == len(names) - 1:
            if branch.child.branches or branch.child.guess != node.guess:
                run.add_fault("answer", f"After {name} the game is over.", branch.at)
        elif branch.answer in seen:
            run.add_fault("answer", f"{name} to {node.guess} is listed twice.", branch.at)
        elif branch.answer not in cells:
            message = f"No code left answers {node.guess} with {name}."
            run.add_fault("inconsistent", message, branch.at)
        else:
            yield branch.child, cells[branch.answer], step + 1
        seen.add(branch.answer)
    for cell, codes in cells.items():
        if cell not in seen:
            many = "1 code is" if len(codes) == 1 else f"{len(codes):,} codes are"
            message = f"No guess follows {names[cell]} to {node.guess}: {many} not found."
            run.add_fault("missing", message, node.at, len(codes))
