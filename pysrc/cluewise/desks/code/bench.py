"""The desk's benchmarks; the names are fixed, the numbers are the machine's."""

from __future__ import annotations

from collections.abc import Callable

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.scoring import score
from cluewise.desks.code.engine.state import State, load, load_planes, load_space
from cluewise.desks.code.position import Position, Rules
from cluewise.desks.code.results import AdviseOptions, ClassesOptions, StrategyOptions
from cluewise.desks.code.verbs.advise import advise
from cluewise.desks.code.verbs.relations import classes
from cluewise.desks.code.verbs.strategy import strategy
from cluewise.kernel import kernel

_MASTERMIND = Position(Rules(4, 6))
_BULLS = Position(Rules(4, 10, repeat=False))
_BULLS_1440 = Position(_BULLS.rules, (Clue("0123", 0, 1),))


def _pairs() -> Work:
    """Every guess against every code of Bulls & Cows: cells and scores of 5040 guesses."""

    def run() -> None:
        with kernel().frame() as frame:
            state = finish(load(frame, _BULLS.rules, ()))
            finish(load_space(state))
            _score_all(state)

    return work_of(5040 * 5040, run)


def _score_all(state: State) -> None:
    planes = finish(load_planes(state, state.secrets, state.n))
    can = state.frame.reserve(state.guesses)
    finish(score(state, "minavg", planes, state.n, state.space, can, state.guesses))


def _advise() -> Work:
    return work_of(1, lambda: finish(advise(_BULLS_1440, AdviseOptions(guesses=False))))


def _strategy(position: Position, criterion: str) -> Callable[[], Work]:
    options = StrategyOptions(criterion=criterion)  # type: ignore[arg-type]  # a Literal
    return lambda: lambda: finish(strategy(position, options)).codes


def _join() -> Work:
    return work_of(
        5040, lambda: finish(classes(_BULLS_1440, ClassesOptions(filter="join", limit=0)))
    )


ROWS = [
    Benchmark("code.pairs.p4c10n", "pairs", _pairs),
    Benchmark("code.advise.p4c10n.1440", "answers", _advise),
    Benchmark("code.strategy.entropy.p4c6r", "codes", _strategy(_MASTERMIND, "entropy")),
    Benchmark("code.strategy.entropy.p4c10n", "codes", _strategy(_BULLS, "entropy")),
    Benchmark("code.strategy.optimal.p4c6r", "codes", _strategy(_MASTERMIND, "optimal")),
    Benchmark("code.classes.join.p4c10n", "guesses", _join),
]
