"""Proof files are accepted by an independent checker, which rejects altered ones."""

from itertools import islice

import msgspec
import pytest

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.mines.bench import position_of, states
from cluewise.desks.mines.engine.board import UNKNOWN
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.mines.position import Group, Position, graph
from cluewise.desks.mines.results import Example, ProofOptions, SolveOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.desks.mines.verbs.files import bundled
from cluewise.desks.mines.verbs.proof import proof
from cluewise.desks.mines.verbs.solve import solve
from cluewise.errors import BadOption
from reference.mines_boards import forced, layouts, lock_of, published, random_position
from reference.mines_steps import random_board
from reference.veripb import refuted

CASES = vectors("mines_cases")
# Cell 3 is decided by parity only, cells 0 to 2 by sums.
PARITY = Position(
    neighbours=((),) * 4, groups=(Group((0, 1), 1), Group((1, 2), 1), Group((0, 2, 3), 2))
)


def count_sum_proofs(position: Position, cells: list[int]) -> int:
    """Check the proof of each cell; return how many are by a sum."""
    sums = 0
    for cell in cells:
        answer = finish(proof(position, ProofOptions(cell)))
        assert refuted(answer.formula, answer.proof), (cell, answer)
        sums += "\npol " in answer.proof
    return sums


@pytest.mark.parametrize("block", range(4))
def test_every_forced_cell_has_a_proof_accepted_by_the_checker(block: int) -> None:
    for seed in range(block * 40 + 1, block * 40 + 41):
        position = random_position(seed, 12)
        truth = layouts(position)
        if truth:
            safe, mines = forced(position, truth)
            count_sum_proofs(position, safe + mines)
    for seed in range(block * 8, block * 8 + 8):
        position = random_board(seed)
        found = finish(solve(position, SolveOptions()))
        count_sum_proofs(position, found.safe + found.mines)


def test_every_forced_cell_of_a_published_wave_is_proved_by_a_sum() -> None:
    lock = next(b for b in published() if "12x12-with-score-72.13" in b["name"])
    puzzle = puzzle_of(lock_of(lock))
    cells, found = next(islice(states(puzzle), 8, None))
    decided = [c for c, m in enumerate(cells)
               if m == UNKNOWN and found.mass(c) in (0, found.solutions)]  # fmt: skip
    assert count_sum_proofs(position_of(puzzle.board, cells), decided) == len(decided) > 10


def test_cell_without_a_sum_is_proved_by_cases() -> None:
    answer = finish(proof(PARITY, ProofOptions(3)))
    assert "\nrup " in answer.proof
    assert refuted(answer.formula, answer.proof)


def test_checker_rejects_a_proof_of_another_formula() -> None:
    good = finish(proof(PARITY, ProofOptions(1)))
    assert refuted(good.formula, good.proof)
    assert not refuted(good.formula.replace(">= 2", ">= 1", 1), good.proof)
    assert not refuted(good.formula, good.proof
                       .replace("UNSAT : 8", "UNSAT : 1"))  # fmt: skip
    assert graph(PARITY).cells == 4


@pytest.mark.parametrize(("old", "new"), CASES["the checker refuses what breaks the grammar"])
def test_checker_rejects_a_malformed_proof(old: str, new: str) -> None:
    good = finish(proof(PARITY, ProofOptions(3)))
    assert refuted(good.formula, good.proof)
    assert old in good.proof
    assert not refuted(good.formula, good.proof.replace(old, new))


def test_undecided_cell_has_no_proof() -> None:
    position = Position(neighbours=((), ()), groups=(Group((0, 1), 1),))
    with pytest.raises(BadOption, match="nothing to prove"):
        finish(proof(position, ProofOptions(0)))


def constraint_lines(formula: str) -> list[str]:
    return [line for line in formula.splitlines() if not line.startswith("*")]


def test_whole_level_has_the_known_formula_and_an_accepted_proof() -> None:
    case = CASES["whole"]
    found = finish(proof(msgspec.convert(case["position"], Position), ProofOptions(whole=True)))
    assert (found.verdict, found.waves, found.clues) == ("no guess", case["waves"], [])
    assert constraint_lines(found.formula) == constraint_lines(case["formula"])
    assert refuted(found.formula, found.proof)
    step = next(line for line in found.proof.splitlines() if line.startswith("rup"))
    turned = step.replace("+1 x", "+1 ~x") if "~" not in step else step.replace("~", "")
    assert not refuted(found.formula, found.proof.replace(step, turned, 1))


@pytest.mark.parametrize(
    "entry", [e for e in bundled() if e.cells <= 60][:3], ids=lambda e: e.title
)
def test_bundled_levels_are_proved_as_a_whole(entry: Example) -> None:
    found = finish(proof(with_mines(entry.position), ProofOptions(whole=True)))
    assert refuted(found.formula, found.proof)


def test_level_that_needs_a_guess_has_no_whole_proof() -> None:
    stuck = Position(neighbours=((), ()), groups=(Group((0, 1), 1),), mines=(1,), start=())
    with pytest.raises(BadOption, match=r"A guess is needed: 2 cells stay closed\."):
        finish(proof(stuck, ProofOptions(whole=True)))
    for options in (ProofOptions(), ProofOptions(0, whole=True), ProofOptions(-1)):
        with pytest.raises(BadOption):
            finish(proof(stuck, options))
