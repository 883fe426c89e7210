"""The level editor: verdicts after strokes against full ratings, repairs against full solving."""

import json
import random
from operator import attrgetter
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise.core.desk import NoOptions
from cluewise.core.work import finish
from cluewise.desks.mines.engine.playthrough import counted
from cluewise.desks.mines.position import Position, Rectangle, Revealed, graph, number_of
from cluewise.desks.mines.results import (
    AuthorOptions,
    Change,
    Freeing,
    GenerateOptions,
    RateOptions,
)
from cluewise.desks.mines.verbs.author import author
from cluewise.desks.mines.verbs.files import examples
from cluewise.desks.mines.verbs.generate import generate
from cluewise.desks.mines.verbs.rate import rate
from cluewise.errors import BadOption

CHANGES: tuple[Change, ...] = ("number", "open", "clear", "mine")
KINDS = ("combination-lock", "corner-bite", "holey", "colours", "hex", "triangle", "torus")


def empty_board(kind: str, size: int, seed: int = 0) -> Position:
    return finish(
        generate(Position(), GenerateOptions(board=kind, size=size, seed=seed, empty=True))  # type: ignore[arg-type]  # a kind by name
    )


def with_layout(position: Position, mines: set[int], secret: set[int], start: set[int]) -> Position:
    """Return the board with another layout and its counts, as after a stroke."""
    board = graph(position)
    groups = counted(board.groups, frozenset(mines))
    own = len(groups) - len(position.groups)
    rectangle = position.board and Rectangle(
        position.board.kind, position.board.width, position.board.height,
        tuple(g.count for g in groups[:own] if g.kind == "row"),
        tuple(g.count for g in groups[:own] if g.kind == "column"), len(mines),
    )  # fmt: skip
    made = msgspec.structs.replace(
        position, board=rectangle, groups=groups[own:], mines=tuple(sorted(mines)),
        secret=tuple(sorted(secret - mines)), revealed=(),
    )  # fmt: skip
    shown = tuple(
        Revealed(c, None if c in secret else number_of(made, c)) for c in sorted(start - mines)
    )
    return msgspec.structs.replace(made, revealed=shown)


class Strokes:
    """A board that random strokes change."""

    def __init__(self, position: Position, seed: int) -> None:
        self.position, self.rng = position, random.Random(seed)
        self.cells = graph(position).cells
        self.mines = {c for c in range(self.cells) if self.rng.random() < 0.35}
        self.secret: set[int] = set()
        self.start = set(self.rng.sample(range(self.cells), max(1, self.cells // 5)))

    def stroke(self) -> Position:
        """Change up to four cells with one brush; return the new position."""
        brush = self.rng.choice((self.mines, self.mines, self.secret, self.start))
        brush ^= set(self.rng.sample(range(self.cells), self.rng.choice((1, 1, 2, 4))))
        self.secret -= self.mines
        self.start -= self.mines
        return with_layout(self.position, self.mines, self.secret, self.start)


verdict_of = attrgetter("no_guess", "waves", "steps", "smooth", "closure_solves", "capped")


def full_rating(position: Position) -> tuple[object, ...]:
    found: tuple[object, ...] = verdict_of(finish(rate(position, RateOptions())))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_after_every_stroke_the_verdict_equals_a_full_rating(kind: str) -> None:
    """150 strokes on each of seven kinds of boards: 1 050 in all."""
    draft = Strokes(empty_board(kind, 4 if kind in ("hex", "triangle") else 5, seed=3), seed=7)
    for _ in range(150):
        position = draft.stroke()
        found = finish(author(position, AuthorOptions()))
        assert verdict_of(found) == full_rating(position)
        closed = {c for c, wave in enumerate(found.wave) if wave is None}
        stuck = {c for region in found.stuck for c in region}
        assert stuck == (set() if found.no_guess else closed)
        assert sum(map(len, found.stuck)) == len(stuck)


def apply_repair(draft: Strokes, one: Freeing) -> Position:
    """Return the board with a repair applied."""
    mines, secret, start = set(draft.mines), set(draft.secret), set(draft.start)
    {"number": secret.discard, "open": start.add, "clear": mines.discard, "mine": mines.add}[
        one.kind
    ](one.cell)
    return with_layout(draft.position, mines, secret - mines, start - mines)


@pytest.mark.parametrize("kind", KINDS)
def test_listed_repairs_are_exactly_those_that_free_their_region(
    kind: str,
) -> None:
    board = empty_board(kind, 4, seed=5)
    fewer = msgspec.structs.replace(board, groups=board.groups[:1])  # so that boards stick
    draft = Strokes(fewer, seed=11)
    checked = 0
    for _ in range(12):
        position = draft.stroke()
        first = finish(author(position, AuthorOptions()))
        for region in first.stuck[:2]:
            found = finish(author(position, AuthorOptions(region=region[-1]))).repairs
            assert found is not None
            listed = {(one.kind, one.cell): one for one in found}
            for cell in range(draft.cells):
                for change in CHANGES:
                    one = listed.get((change, cell))
                    if not is_possible(draft, change, cell, region):
                        assert one is None
                        continue
                    trial = Freeing(change, cell, 0, 0, False)
                    after = finish(author(apply_repair(draft, trial), AuthorOptions()))
                    left = 0 if after.no_guess else sum(after.wave[c] is None for c in region)
                    assert full_rating(apply_repair(draft, trial))[0] == after.no_guess
                    assert (left == 0) == (one is not None and one.left == 0)
                    if one is not None:
                        assert (one.left, one.no_guess) == (left, after.no_guess)
                        checked += 1
    assert checked > 0


REPAIRS = vectors("mines_cases")["repairs"]


@pytest.mark.parametrize("case", REPAIRS, ids=range(len(REPAIRS)))
def test_repairs_and_their_order_equal_brute_force(case: dict[str, Any]) -> None:
    """Stuck regions of boards of up to 10 cells; the repairs are from an enumeration of layouts."""
    position, region = msgspec.convert(case["position"], Position), case["region"]
    found = finish(author(position, AuthorOptions(region=region[0])))
    assert region in found.stuck
    listed = [{"kind": one.kind, "cell": one.cell, "left": one.left, "no_guess": one.no_guess}
              for one in found.repairs or ()]  # fmt: skip
    assert listed == case["repairs"]


def test_initial_flag_stays_known_after_a_mine_is_set_or_cleared() -> None:
    """Without the flag on cell 0, the row of cells 0 to 2 would stay closed after the change."""
    board = Rectangle("square", 3, 1, (2,))
    position = Position(board=board, mines=(0, 2), flags=(0,))
    found = finish(author(position, AuthorOptions(region=1))).repairs
    assert [(one.kind, one.cell) for one in found or ()] == [
        ("open", 1), ("clear", 2), ("mine", 1),
    ]  # fmt: skip


def is_possible(draft: Strokes, kind: str, cell: int, region: list[int]) -> bool:
    """Return whether the change can be made and affects the region."""
    near = cell in region or not set(graph(draft.position).neighbours[cell]).isdisjoint(region)
    if kind == "number":
        return cell in draft.secret and near
    if kind == "clear":
        return cell in region and cell in draft.mines
    return cell in region and cell not in draft.mines


def test_region_is_selected_by_any_of_its_cells() -> None:
    position = with_layout(empty_board("combination-lock", 2), {0, 3}, set(), set())
    found = finish(author(position, AuthorOptions(region=2)))
    assert found.stuck == [[0, 1, 2, 3]]
    assert [(one.kind, one.cell) for one in found.repairs or []][:2] == [("open", 1), ("open", 2)]
    with pytest.raises(BadOption, match="no stuck region"):
        finish(author(position, AuthorOptions(region=9)))


def test_bundled_puzzles_have_no_stuck_region() -> None:
    listed = finish(examples(Position(), NoOptions())).puzzles
    for one in listed[:12]:
        found = finish(author(one.position, AuthorOptions()))
        assert found.no_guess
        assert found.stuck == []
        assert (found.waves, found.steps) == (one.rating.waves, one.rating.steps)


def test_counts_of_an_empty_board_are_zero() -> None:
    for kind in KINDS:
        made = empty_board(kind, 4)
        assert made.mines == ()
        assert all(g.count == 0 for g in graph(made).groups)
        assert json.loads(msgspec.json.encode(made))["mines"] == []
