"""The least total of a large set of codes, answer by answer of its first guess.

What an answer leaves is a question by itself: its codes follow from the clues, and how few guesses
they take does not depend on what the other answers leave. So these are pieces that other processes
can work out. Only the limit above which a piece need not go comes from outside, and it comes from
the bounds of a look ahead alone: the same strategy is found whoever works, in whatever order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from cluewise.core.work import Job
from cluewise.desks.code.engine.optimal import NEVER, Search, Stage, Words, after
from cluewise.desks.code.engine.state import load, load_space
from cluewise.desks.code.engine.words import cell_names, unpack
from cluewise.desks.code.position import Clue, Rules
from cluewise.desks.code.tree import Branch
from cluewise.kernel import kernel

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.many import Pause

LARGE = 2000
"""Sets of more codes are worked out answer by answer; for smaller ones that is no gain."""


class Piece(msgspec.Struct, frozen=True):
    """What an answer leaves, to be played in at most `depth` guesses and in all below `limit`."""

    rules: Rules
    clues: tuple[Clue, ...]
    depth: int
    limit: int
    consistent_only: bool


class Part(msgspec.Struct, frozen=True):
    """A piece's total (from the limit on: a bound of it), its most guesses, and how to play it."""

    total: int
    worst: int
    tree: Branch | None = None


Others: TypeAlias = "Callable[[Sequence[Piece]], Iterator[Part | Pause]]"
"""The parts of many pieces, in the pieces' order, worked out elsewhere; pauses until they are."""


def part(piece: Piece, outer: Apart | None = None) -> Job[Part]:
    """The least total of one piece and its strategy."""
    with kernel().frame() as frame:
        state = yield from load(frame, piece.rules, piece.clues)
        yield from load_space(state)
        search = Search(state, piece.consistent_only)
        if outer is not None:
            outer.inner = search
        secrets, path = search.secrets(), search.clues()
        total = yield from search.total(secrets, path, piece.depth, piece.limit, 1)
        if total >= piece.limit:
            return Part(total, 0)
        worst = search.deep
        return Part(total, worst, (yield from search.tree(secrets, path, piece.depth)))


def worked_out(piece: Any) -> Job[Any]:
    """The same for a process that is given the piece as JSON values."""
    return msgspec.to_builtins((yield from part(msgspec.convert(piece, Piece))))


class Apart(Search):
    """A search whose first guess is chosen here, and whose answers are pieces.

    They are worked out by `others`, without it here, one after the other.
    """

    others: Others | None = None
    inner: Search | None = None
    strategy: Branch | None = None

    def _try(
        self, secrets: Words, path: Words, guess: int, bounds: Words, depth: int, stage: Stage
    ) -> Job[int]:
        stage.cost = bounds[0]
        word = self.frame.get(self.state.space + 8 * guess, "Q", 1)
        sets = sorted(self.split(secrets, word), key=lambda item: len(item[1]))
        if self.others is not None:
            sets.reverse()  # the longest are begun first
        pieces = [self._piece(word, cell, stage, bounds, after(depth)) for cell, _ in sets]
        shared = None if self.others is None else self.others(pieces)
        found: dict[int, Part] = {}
        for (cell, members), piece in zip(sets, pieces, strict=True):
            stage.cell, stage.cell_bound = len(members), bounds[1 + cell]
            if shared is None:
                found[cell] = yield from self._here(piece)
            else:
                yield self.progress()
                found[cell] = yield from self._there(shared)
            stage.cost += found[cell].total - stage.cell_bound
            stage.solved += len(members)
            stage.cell = stage.cell_bound = 0
            if stage.cost >= stage.limit:
                return stage.cost
        self.deep = 1 + max((one.worst for one in found.values()), default=0)
        self.strategy = self._joined(word, len(secrets), found)
        return stage.cost

    def _piece(self, word: Words, cell: int, stage: Stage, bounds: Words, depth: int) -> Piece:
        rules = self.state.rules
        exact, partial = rules.answers()[cell]
        clue = Clue(unpack(word[0], rules.pegs), exact, partial)
        limit = min(NEVER, stage.limit - (bounds[0] - bounds[1 + cell]))
        given = len(rules.given())
        clues = (*self.state.clues[given:], clue)
        return Piece(rules, clues, depth, limit, bool(self.consistent_only))

    def _here(self, piece: Piece) -> Job[Part]:
        job = part(piece, self)
        try:
            while True:
                next(job)
                yield self.progress()
        except StopIteration as stop:
            found: Part = stop.value
            return found
        finally:
            self.inner = None
            job.close()

    def _there(self, shared: Iterator[Part | Pause]) -> Job[Part]:
        """The next part that others work out."""
        while not isinstance(found := next(shared), Part):
            yield replace(self.progress(), waits=found.idle)
        return found

    def _joined(self, word: Words, n: int, found: dict[int, Part]) -> Branch:
        """The first guess over what is played after each answer, in the answers' order."""
        names = cell_names(self.state.rules)
        answers = {names[cell]: found[cell].tree for cell in sorted(found)}
        guess = unpack(word[0], self.state.rules.pegs)
        return Branch(guess, n, {name: tree for name, tree in answers.items() if tree})

    def bound_at(self, level: int) -> int:
        """The same with the piece at hand below."""
        if level == 1 and self.inner is not None:
            return self.inner.bound_at(0)
        return super().bound_at(level)

    def share_at(self, level: int) -> float:
        """The same with the piece at hand below."""
        if level == 1 and self.inner is not None:
            return self.inner.share_at(0)
        return super().share_at(level)

    def tree(self, secrets: Words, path: Words, depth: int) -> Job[Branch]:
        """The strategy that was put together; of few codes, that of the solver."""
        if self.strategy is None:
            return (yield from super().tree(secrets, path, depth))
        return self.strategy
