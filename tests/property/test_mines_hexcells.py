"""Hexcells levels: arrangements and counts on mines, read, reasoned with and written."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

import msgspec
import pytest

from asking import ask_mines
from cluewise import links
from cluewise.core.work import finish
from cluewise.desks.mines import DESK
from cluewise.desks.mines.arrangement import Spot
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.hexcells import AROUND, LINES, SIDE
from cluewise.desks.mines.position import Position, Revealed, check, clue_names
from cluewise.desks.mines.results import (
    ExplainOptions,
    HintOptions,
    ProofOptions,
    RateOptions,
    SolveOptions,
    WriteOptions,
)
from cluewise.desks.mines.sealing import sealed
from cluewise.desks.mines.verbs.explain import explain
from cluewise.desks.mines.verbs.files import write
from cluewise.desks.mines.verbs.hint import hint
from cluewise.desks.mines.verbs.proof import proof
from cluewise.desks.mines.verbs.rate import rate
from cluewise.desks.mines.verbs.solve import solve
from cluewise.errors import BadNotation, BadPosition, CluewiseError
from reference.mines_boards import forced as split_forced
from reference.mines_boards import layouts
from reference.veripb import refuted

At = tuple[int, int]


def is_one_run(sequence: Sequence[bool | None], *, ring: bool) -> bool:
    """Return whether the mines of a sequence are one run; None is a gap, a ring has no ends."""
    before = [sequence[-1] if ring else None, *sequence[:-1]]
    return sum(bool(here) and not there for here, there in zip(sequence, before, strict=True)) < 2


def form_of(sequence: Sequence[bool | None], *, ring: bool) -> str:
    plain = sum(map(bool, sequence)) < 2
    return "+" if plain else "c" if is_one_run(sequence, ring=ring) or all(sequence) else "n"


def random_level(seed: int) -> str:
    """Return the text of a level of ten cells whose forms are those of its mines."""
    dice = random.Random(seed)
    patch = [(14 + x, 14 + y) for x in range(4) for y in range(7) if (x + y) % 2 == 0]
    cells = sorted(dice.sample(patch, 10), key=lambda at: at[::-1])
    mines = set(dice.sample(cells, 4))
    marks: dict[At, str] = {}
    for x, y in cells:
        places = [(x + dx, y + dy) for dx, dy in AROUND]
        ring = [place in mines if place in cells else None for place in places]
        form = dice.choice((form_of(ring, ring=True), "+", "."))
        sign = ("x" + form.replace("c", "+").replace("n", "+")) if (x, y) in mines else "o" + form
        marks[x, y] = sign
    for sign, (dx, dy) in LINES.items():
        x, y = dice.choice(cells)
        while (x, y) in cells:
            x, y = x - dx, y - dy
        line = [at for k in range(1, SIDE) if (at := (x + k * dx, y + k * dy)) in cells]
        form = form_of([at in mines for at in line], ring=False)
        marks.setdefault((x, y), sign + form)
    return level(marks)


def level(marks: dict[At, str]) -> str:
    rows = ["".join(marks.get((x, y), "..") for x in range(SIDE)) for y in range(SIDE)]
    return "\n".join(["Some words.", "Hexcells level v1", "A title", "An author", "", "", *rows])


def opened(puzzle: Position, cells: Collection[int]) -> Position:
    """Return the sealed puzzle with these cells known."""
    mines, secret = set(puzzle.mines or ()), set(puzzle.secret)
    shown = tuple(
        Revealed(c, None if c in secret else sum(n in mines for n in puzzle.neighbours[c]))
        for c in sorted(cells) if c not in mines
    )  # fmt: skip
    flags = tuple(c for c in sorted(cells) if c in mines)
    return sealed(msgspec.structs.replace(puzzle, revealed=shown, flags=flags, start=()))


def find_layouts(position: Position, puzzle: Position) -> list[frozenset[int]]:
    """Return every layout that satisfies all clues, by enumeration."""
    at = [(round(2 * x / 1000 / 3**0.5), round(2 * y / 1000)) for x, y in puzzle.pos or ()]
    plain = msgspec.structs.replace(position, sealed=None, mines=None, secret=())
    found = []
    for mines in layouts(plain):
        holds = [sum(c in mines for c in s.cells) == s.count
                 for s in position.spots if s.cell in position.flags]  # fmt: skip
        for group in position.groups:
            line = [c in mines for c in group.cells]
            if group.form and sum(line) > 1:
                holds.append(is_one_run(line, ring=False) is (group.form == "together"))
        for one in position.revealed:
            form = position.forms.get(str(one.cell))
            around = [(at[one.cell][0] + dx, at[one.cell][1] + dy) for dx, dy in AROUND]
            ring = [at.index(p) in mines if p in at else None for p in around]
            if form and one.number is not None and one.number > 1:
                holds.append((is_one_run(ring, ring=True) or all(ring)) is (form == "together"))
        if all(holds):
            found.append(mines)
    return found


@pytest.mark.parametrize("seed", range(24))
def test_forced_cells_and_probabilities_equal_brute_force(seed: int) -> None:
    puzzle = read(random_level(seed))
    check(puzzle)
    known = random.Random(-seed).sample(range(len(puzzle.neighbours)), seed % 5)
    position = opened(puzzle, known)
    every = find_layouts(position, puzzle)
    found = finish(solve(position, SolveOptions()))
    assert found.solutions == str(len(every))
    for cell, chance in enumerate(found.probability):
        if chance is not None:
            share = sum(cell in mines for mines in every) / len(every)
            assert chance == pytest.approx(share)
            assert (cell in found.safe, cell in found.mines) == (share == 0, share == 1)
            verdict = finish(explain(position, ExplainOptions(cell))).verdict
            assert verdict == ("safe" if share == 0 else "mine" if share == 1 else "open")


@pytest.mark.parametrize("seed", range(24))
def test_hint_is_correct_and_exists_whenever_a_cell_is_forced(seed: int) -> None:
    puzzle = read(random_level(seed))
    known: set[int] = set()
    while len(known) < len(puzzle.neighbours):
        position = opened(puzzle, known)
        found = finish(hint(position, HintOptions(4)))
        solved = finish(solve(position, SolveOptions()))
        assert found.move is bool(solved.safe or solved.mines)
        if not found.move:
            return
        assert found.cells
        assert set(found.cells) <= set(solved.safe if found.verdict == "safe" else solved.mines)
        assert found.clues
        known |= set(found.cells)


@pytest.mark.parametrize("seed", range(8))
def test_level_survives_reading_and_writing(seed: int) -> None:
    text = random_level(seed)
    puzzle = sealed(read(text))
    assert links.decode(links.encode(puzzle)) == read(text)
    again = finish(write(puzzle, WriteOptions(format="hexcells", author="An author"))).text
    assert again.splitlines() == text.splitlines()[1:]
    assert sealed(read(again)) == puzzle


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda text: text.replace("A title\nAn author\n\n\n", "\n" * 4 + "x"), "line 7"),
        (lambda text: text[:2000], "line 7"),
        (lambda text: text.replace("o+", "oq", 1).replace("on", "oq", 1), "column"),
    ],
)
def test_damaged_levels_are_refused_with_the_place(change: object, where: str) -> None:
    text = next(t for t in map(random_level, range(9)) if "o+" in t)
    with pytest.raises(BadNotation) as refused:
        read(change(text))  # type: ignore[operator]  # a lambda
    assert where in refused.value.where


def forced(position: Position, puzzle: Position) -> dict[int, bool]:
    """Return whether each closed cell that is equal in every layout is a mine."""
    safe, mines = split_forced(position, find_layouts(position, puzzle))
    return dict.fromkeys(safe, False) | dict.fromkeys(mines, True)


@pytest.mark.parametrize("seed", range(12))
def test_waves_equal_brute_force_and_the_path_opens_the_same_cells(seed: int) -> None:
    puzzle = read(random_level(seed))
    safe = set(range(len(puzzle.neighbours))) - set(puzzle.mines or ())
    known = {r.cell for r in puzzle.revealed} | set(puzzle.flags)
    waves = 0
    while not safe <= known and (sure := forced(opened(puzzle, known), puzzle)):
        known |= set(sure)
        waves += not all(sure.values())
    found = finish(rate(puzzle, RateOptions(path=True)))
    assert (found.waves, found.no_guess) == (waves, safe <= known)
    assert found.path is not None
    decided = {cell for move in found.path for cell in move.cells}
    assert known & safe == {r.cell for r in puzzle.revealed} | decided & safe
    assert (found.hardest is not None) is (found.no_guess and bool(found.path))


@pytest.mark.parametrize("seed", range(8))
def test_proof_of_a_forced_cell_is_accepted(seed: int) -> None:
    puzzle = read(random_level(seed))
    position = opened(puzzle, {r.cell for r in puzzle.revealed} | set(puzzle.flags))
    for cell, mine in forced(position, puzzle).items():
        found = finish(proof(position, ProofOptions(cell=cell)))
        assert found.verdict == ("mine" if mine else "safe")
        assert set(found.clues) <= set(clue_names(position))
        assert refuted(found.formula, found.proof)


def test_verbs_for_plain_counts_refuse_arrangements() -> None:
    position = sealed(read(random_level(1)))
    for want in ("guess", "doubt", "proof", "author", "write"):
        options = {"whole": True} if want == "proof" else {}
        with pytest.raises(CluewiseError, match="arrangements or counts on mines"):
            ask_mines(want, position, **options)


def test_invalid_forms_and_counts_are_refused() -> None:
    puzzle = read(random_level(2))
    wrong = [
        msgspec.structs.replace(puzzle, forms={"one": "apart"}),
        msgspec.structs.replace(puzzle, forms={"99": "apart"}),
        msgspec.structs.replace(puzzle, forms={"9" * 5000: "apart"}),
        msgspec.structs.replace(puzzle, spots=(Spot(0, (1, 2), 3),)),
        msgspec.structs.replace(puzzle, spots=(Spot(99, (1, 2), 1),)),
    ]
    for position in wrong:
        with pytest.raises(BadPosition):
            check(position)
    assert DESK.check is check
