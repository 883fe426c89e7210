"""The verb `strategy`: how many guesses a way of playing takes over all codes, and its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cluewise.core.work import Job
from cluewise.desks.code.engine.state import is_countable, load, load_some
from cluewise.desks.code.engine.tree import MOST_CODES, branches, grow, histogram
from cluewise.desks.code.engine.words import count_guesses
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import Branch, Strategy, StrategyOptions
from cluewise.errors import BadOption, TooLarge
from cluewise.kernel import kernel


def strategy(position: Position, options: StrategyOptions) -> Job[Strategy]:
    """What the strategy needs from this position to the end; raises `Contradiction` if none."""
    if options.max_depth is not None and options.criterion != "optimal":
        raise BadOption("A limit on the depth goes with `optimal` only.", "$.options.max_depth")
    if not is_countable(position.rules) or count_guesses(position.rules) > MOST_CODES:
        raise TooLarge(f"Whole strategies are worked out for up to {MOST_CODES:,} guesses.")
    clues = [position.clues[i] for i in position.counted()]
    with kernel().frame() as frame:
        state = yield from load(frame, position.rules, clues)
        load_some(state)
        nodes = yield from grow(state, options.criterion, options.consistent_only)
        tree = branches(state, nodes) if options.tree else None
        return make_strategy(histogram(nodes), tree)


def make_strategy(steps: Sequence[int], tree: Branch | None, proved: bool = True) -> Strategy:
    """The strategy in which `steps[k]` codes take k + 1 guesses."""
    total, codes = sum(k * n for k, n in enumerate(steps, 1)), sum(steps)
    return Strategy(total, codes, total / codes, len(steps), list(steps), proved, tree)


def tree_text(tree: Branch) -> Iterator[str]:
    """The tree as indented lines: `0012 (1296)`, then `  0A0B 3345 (81)` and so on."""
    stack = [(tree, "", "")]
    while stack:
        branch, answer, indent = stack.pop()
        yield f"{indent}{answer}{branch.guess} ({branch.left})"
        for name, child in reversed(branch.answers.items()):
            stack.append((child, f"{name} ", indent + "  "))
