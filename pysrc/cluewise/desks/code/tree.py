"""A way of playing as a tree of guesses.

>>> steps_of(Branch("0", 2, {"0A0B": Branch("1", 1)}))
[1, 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec


class Branch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guess, how many codes are left before it, and what to do after each answer.

    A win has no entry. An answer that leaves one code leads to a branch without answers.
    """

    guess: str
    """What to ask."""
    left: int
    """Codes left before the guess."""
    answers: dict[str, Branch] = {}
    """What to ask after each answer; a win has no entry."""


def found_after(tree: Branch) -> Iterator[tuple[str, int]]:
    """Each code that a branch finds with its guess, and after how many guesses.

    A branch whose answers do not account for all codes left finds one itself.
    """
    stack = [(tree, 1)]
    while stack:
        branch, depth = stack.pop()
        if branch.left > sum(child.left for child in branch.answers.values()):
            yield branch.guess, depth
        stack += ((child, depth + 1) for child in branch.answers.values())


def steps_of(tree: Branch) -> list[int]:
    """How many codes each number of guesses finds: `[1, 13, …]`."""
    counts = Counter(depth for _, depth in found_after(tree))
    return [counts[depth] for depth in range(1, max(counts, default=0) + 1)]


def tree_text(tree: Branch) -> Iterator[str]:
    """The tree as indented lines: `0012 (1296)`, then `  0A0B 3345 (81)` and so on."""
    stack = [(tree, "", "")]
    while stack:
        branch, answer, indent = stack.pop()
        yield f"{indent}{answer}{branch.guess} ({branch.left})"
        for name, child in reversed(branch.answers.items()):
            stack.append((child, f"{name} ", indent + "  "))
