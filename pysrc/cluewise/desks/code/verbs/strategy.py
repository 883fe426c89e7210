"""The verb `strategy`: how many guesses a way of playing takes over all codes, and its tree."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Any

import msgspec
from msgspec.structs import replace

from cluewise.core.desk import Parallelism
from cluewise.core.work import Crew, Job, Shelf
from cluewise.desks.code.engine.encoding import count_codes, count_guesses
from cluewise.desks.code.engine.optimal import MOST_GUESSES, NEVER, UNLIMITED, Search
from cluewise.desks.code.engine.parallel_optimal import LARGE, Others, ParallelOptimal
from cluewise.desks.code.engine.state import State, is_countable, load, load_consistent, load_space
from cluewise.desks.code.engine.subproblems import Task, TaskResult, solve_task_json
from cluewise.desks.code.engine.tree import MOST_CODES, build_strategy
from cluewise.desks.code.engine.weighted_costs import WeightedCosts
from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.position import Position, Rules, answer, code_error
from cluewise.desks.code.results import Strategy, StrategyOptions, Turn
from cluewise.desks.code.tree import Branch, steps_of
from cluewise.errors import BadOption, HostFailure, TooLarge
from cluewise.kernel import kernel

MOST_ANSWERS = 32
"""With more answers, marks of four pegs, guesses are weighed one by one."""


def strategy(position: Position, options: StrategyOptions) -> Job[Strategy]:
    """What the strategy needs from this position to the end; raises `Contradiction` if none."""
    return (yield from _with_game(position, options, None))


def shared_out(
    position: Position, options: StrategyOptions, crew: Crew, shelf: Shelf | None = None
) -> Job[Strategy]:
    """The same; what the answers to an optimal strategy's first guess leave goes to a crew."""
    from cluewise.core.work import Pause
    from cluewise.parallel.pool import run_tasks_cooperatively

    def parts(pieces: Iterator[Task | None]) -> Generator[TaskResult | Pause, None, None]:
        asked: list[Task] = []

        def plain() -> Iterator[tuple[Any] | None]:
            for piece in pieces:
                if piece is not None:
                    asked.append(piece)
                yield None if piece is None else (msgspec.to_builtins(piece),)

        with closing(run_tasks_cooperatively(solve_task_json, plain(), crew, shelf)) as found:
            for done in found:
                if isinstance(done, Pause):
                    yield done
                    continue
                if done.error:
                    clue = asked[done.number].clues[-1]
                    problem = (
                        f"What {clue.answer} to {clue.guess} leaves failed twice: {done.error}."
                    )
                    raise HostFailure(problem)
                yield msgspec.convert(done.value, TaskResult)

    return (yield from _with_game(position, options, parts))


def _pieces(position: Position, options: StrategyOptions) -> int:
    """Answers to a first guess, where these are worked out one by one."""
    large = options.criterion == "optimal" and count_codes(position.rules) > LARGE
    return len(position.rules.answers()) if large else 1


SHARED: Parallelism[Position, StrategyOptions] = Parallelism(_pieces, shared_out)


def _with_game(
    position: Position, options: StrategyOptions, others: Others | None
) -> Job[Strategy]:
    """The strategy, with the guesses for `secret` where one is given."""
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


def _strategy(position: Position, options: StrategyOptions, others: Others | None) -> Job[Strategy]:
    if options.max_depth is not None and options.criterion != "optimal":
        raise BadOption("A limit on the depth goes with `optimal` only.", "$.options.max_depth")
    if not is_countable(position.rules) or count_guesses(position.rules) > MOST_CODES:
        raise TooLarge(f"Whole strategies are computed for up to {MOST_CODES:,} guesses.")
    clues = [position.clues[i] for i in position.counted()]
    with kernel().frame() as frame:
        state = yield from load(frame, position.rules, clues, position.prior)
        load_consistent(state)
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
    secrets, clues = search.secrets(), search.clues()
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
    weights = state.weights or dict.fromkeys(state.frame.get(state.secrets, "Q", state.n), 1)
    costs = WeightedCosts(state, weights, options.consistent_only)
    members = costs.members()
    found = yield from costs.total(members, costs.path())
    tree, weight = costs.tree(members), costs.mass(members)
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
