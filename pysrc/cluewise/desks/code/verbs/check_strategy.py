"""The verb `check`: plays every code with a given strategy, and compares two strategies."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.encoding import count_codes, pack, unpack
from cluewise.desks.code.engine.state import State, is_countable, load, load_consistent
from cluewise.desks.code.formats.strategy_text import Node, Source, read_strategy
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import (
    CheckedStrategy,
    CheckOptions,
    StrategyComparison,
    StrategyProblem,
)
from cluewise.errors import TooLarge
from cluewise.kernel import kernel

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
        load_consistent(state)
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
    played = Played(source, state.frame.get(state.secrets, "Q", state.n), state.weights)
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
    for answer, codes in cells.items():
        if answer not in taken:
            many = "1 code is" if len(codes) == 1 else f"{len(codes):,} codes are"
            message = f"No guess follows {names[answer]} to {node.guess}: {many} not found."
            played.report("missing", message, node.at, len(codes))
