"""Boards made at random and in disguise, least forms of large ones, sentences for witnesses."""

import json
import random
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask_grids as ask
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.position import NINE, SYMBOLS, Shape, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import PuzzleForms
from cluewise.desks.sudoku.transform import Transform, apply, identity, steps
from cluewise.desks.sudoku.transform_text import describe_transform
from cluewise.desks.sudoku.verbs import puzzle as making
from cluewise.desks.sudoku.verbs import variants
from cluewise.errors import BadOption, TooLarge
from cluewise.service import run, start
from commands import Command
from reference.sudoku import orders_of
from reference.sudoku_boards import play


@pytest.mark.parametrize("box", [(r, c) for r in range(2, 7) for c in range(2, 7)])
def test_a_grid_of_every_box_up_to_six_by_six_keeps_the_rules(box: tuple[int, int]) -> None:
    grid = ask("generate", box=box, seed=4)["grid"]
    shape = Shape(*box)
    assert "." not in grid
    assert not conflict(read_cells(grid, shape), shape)
    assert ask("generate", box=box, seed=4)["grid"] == grid
    assert ask("generate", box=box, seed=5)["grid"] != grid


@pytest.mark.parametrize("box", [(4, 4), (5, 5)])
def test_a_large_puzzle_has_one_solution_and_its_pattern(box: tuple[int, int]) -> None:
    shape = Shape(*box)
    found = ask("puzzle", box=box, seed=2, symmetry="half-turn", clues=shape.cells // 2 + 10)
    cells = read_cells(found["puzzle"], shape)
    assert finish(solutions(cells, shape)).number == 1
    pattern = [value > 0 for value in cells]
    assert pattern == pattern[::-1]
    assert sum(pattern) == found["clues"] == shape.cells // 2 + 10
    assert found == ask("puzzle", box=box, seed=2, symmetry="half-turn", clues=found["clues"])


@pytest.mark.sampled(of="sudoku, brute force")
def test_a_minimal_puzzle_of_sixteen_symbols_is_minimal() -> None:
    shape = Shape(4, 4)
    found = ask("puzzle", box=(4, 4), seed=1, minimal=True)
    cells = read_cells(found["puzzle"], shape)
    assert found["minimal"]
    assert finish(solutions(cells, shape)).number == 1
    for at in [i for i, value in enumerate(cells) if value][::7]:
        fewer = cells[:at] + b"\0" + cells[at + 1 :]
        assert finish(solutions(fewer, shape)).number == 2


def test_what_cannot_be_proved_minimal_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_PATIENCE", {36: 1})
    monkeypatch.setattr(making, "_TRIES", {36: 1})
    assert not ask("puzzle", box=(4, 4))["minimal"]
    with pytest.raises(TooLarge, match="whether one of them is minimal takes too long"):
        ask("puzzle", box=(4, 4), minimal=True)


def test_very_few_givens_have_an_expectation_in_progress_and_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "_RARE_TRIES", 400)
    request = {"desk": "sudoku", "want": "puzzle", "options": {"clues": 18}}
    assert "none had fewer" in next(iter(start(request))).note
    with pytest.raises(TooLarge, match="to be expected: of 300 000"):
        run(request)


def test_a_puzzle_with_21_givens_is_found_among_many_and_is_minimal() -> None:
    found = ask("puzzle", box=(3, 3), clues=21, seed=1)
    cells = read_cells(found["puzzle"], Shape(3, 3))
    assert (found["clues"], found["minimal"], 81 - cells.count(0)) == (21, True, 21)
    assert finish(solutions(cells, Shape(3, 3))).number == 1
    for at in [i for i, value in enumerate(cells) if value]:
        fewer = cells[:at] + b"\0" + cells[at + 1 :]
        assert finish(solutions(fewer, Shape(3, 3))).number == 2


def test_three_givens_never_leave_one_solution_on_4x4() -> None:
    shape = Shape(2, 2)
    for grid in ("1234341221434321", "1234341223414123"):  # the two classes of all 288 grids
        cells = read_cells(grid, shape)
        for kept in combinations(range(16), 3):
            board = bytes(value if i in kept else 0 for i, value in enumerate(cells))
            assert finish(solutions(board, shape)).number == 2


SEVENTEEN = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000010400000000020000000000050604008000300001090000300400200050100000000807000",
]
TWENTY_TWO = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


def test_a_puzzle_of_few_givens_is_taken_from_known_ones() -> None:
    source = ["# a list", *SEVENTEEN, TWENTY_TWO, "1" * 81, "." * 81, f"{TWENTY_TWO} hard"]
    taken = {
        ask("puzzle", box=(3, 3), source=source, clues=17, minimal=True, seed=seed)["line"]
        for seed in range(12)
    }
    assert taken == {1, 2}
    found = ask("puzzle", box=(3, 3), source=source, clues=17)
    assert found["puzzle"] == source[found["line"]].replace("0", ".")
    assert (found["clues"], found["minimal"]) == (17, True)
    assert ask("puzzle", box=(3, 3), source=source, clues=22)["line"] in (3, 6)


def test_the_terminal_takes_a_puzzle_out_of_a_file(tmp_path: Path, command: Command) -> None:
    name = tmp_path / "known.txt"
    name.write_text("\n".join(SEVENTEEN))
    arguments = ["sudoku", "puzzle", "--source", str(name), "--clues", "17", "--json"]
    ran = command(*arguments)
    assert ran.status == 0
    found = json.loads(ran.out)
    assert found["puzzle"].replace(".", "0") in SEVENTEEN


def test_a_puzzle_is_made_from_the_grid_at_hand() -> None:
    grid = ask("generate", box=(3, 3), seed=8)["grid"]
    found = ask("puzzle", grid)
    assert found["solution"] == grid
    assert all(a in (".", b) for a, b in zip(found["puzzle"], grid, strict=True))


def test_one_verb_makes_what_the_older_ones_make() -> None:
    def ask(want: str, grids: tuple[str, ...] = (), **options: object) -> Any:
        position = {"grids": list(grids)}
        return run({"desk": "sudoku", "want": want, "position": position, "options": options})

    grid = ask("grid", number=1234567890)["grid"]
    assert ask("make", kind="grid", name="1234567890")["board"] == grid
    assert ask("make", kind="grid", seed=3)["board"] == ask("generate", seed=3)["grid"]
    named = ask("make", name="1234567890", seed=5, clues=30)
    older = ask("puzzle", (grid,), seed=5, clues=30)
    assert (named["board"], named["solution"]) == (older["puzzle"], grid)
    again, disguise = (ask(want, (grid,), seed=2, **more) for want, more in (
        ("make", {"kind": "disguise"}), ("disguise", {})))  # fmt: skip
    assert (again["board"], again["steps"]) == (disguise["grid"], disguise["steps"])
    address = ask("number", (named["board"],))["address"]
    assert ask("make", kind="grid", name=address)["board"] == named["board"]
    with pytest.raises(BadOption, match="Grids have the numbers") as found:
        ask("make", kind="grid", name="zzzzzzz")
    assert found.value.where == "$.options.name"


PUZZLE = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


@pytest.mark.parametrize("steps_wanted", ["any", "fewest", "most"])
@pytest.mark.parametrize("seed", range(5))
def test_a_disguise_is_the_same_board_and_its_steps_lead_to_it(
    steps_wanted: str, seed: int
) -> None:
    found = ask("disguise", PUZZLE, seed=seed, steps=steps_wanted)
    assert found == ask("disguise", PUZZLE, seed=seed, steps=steps_wanted)
    t = msgspec.convert(found["transform"], Transform)
    cells = read_cells(PUZZLE, NINE)
    assert write_cells(apply(t, cells)) == found["grid"] != PUZZLE
    for step in steps(t, NINE):
        cells = play(step, cells, NINE)
    assert write_cells(cells) == found["grid"]
    same = ask("same", PUZZLE, found["grid"])
    assert len(same["steps"]) == len(found["steps"])
    assert same["summary"].replace(" with ", " ") == f"Yours is mine {found['summary']}."
    expected = {"fewest": {1}, "most": {18}, "any": set(range(19))}[steps_wanted]
    assert len(found["steps"]) in expected


def test_a_single_step_may_be_of_every_kind() -> None:
    kinds = Counter(
        ask("disguise", PUZZLE, seed=seed, steps="fewest")["steps"][0]["kind"]
        for seed in range(150)
    )
    assert set(kinds) == {
        "transpose", "relabel", "swap rows", "swap columns", "swap bands", "swap stacks",
    }  # fmt: skip


def test_a_symmetric_board_is_disguised_as_far_as_it_can_be() -> None:
    grid = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    found = ask("disguise", grid, steps="most")
    assert found["grid"] != grid
    assert len(ask("same", grid, found["grid"])["steps"]) == len(found["steps"])


@pytest.mark.parametrize(("box", "most"), [((2, 2), 8), ((2, 3), 13), ((4, 4), 32)])
def test_boards_of_every_size_are_disguised(box: tuple[int, int], most: int) -> None:
    grid = ask("generate", box=box)["grid"]
    found = ask("disguise", grid, box=box, steps="most")
    assert len(found["steps"]) <= most
    assert found["shortest"] == (box != (4, 4))
    assert ask("same", grid, found["grid"], box=box)["same"]


STILL = tuple(range(9))


@pytest.mark.parametrize(
    ("t", "words"),
    [
        (identity(9), "as it stands"),
        (Transform(True, STILL, STILL, tuple(range(10))), "transposed"),
        (Transform(False, (2, 1, 0, 3, 4, 5, 6, 7, 8), STILL, (0, 4, 2, 3, 1, 5, 6, 7, 8, 9)),
         "rows 1 and 3 exchanged, 1↔4"),
        (Transform(False, (1, 2, 0, 3, 4, 5, 6, 7, 8), STILL, (0, 1, 5, 3, 4, 7, 6, 2, 8, 9)),
         "rows 1–3 moved, 2→5→7→2"),
        (Transform(False, STILL, (3, 4, 5, 0, 1, 2, 6, 8, 7), tuple(range(10))),
         "stacks 1 and 2 exchanged, columns 8 and 9 exchanged"),
    ],
)  # fmt: skip
def test_a_witness_is_one_sentence(t: Transform, words: str) -> None:
    assert describe_transform(t) == words


def test_symbols_that_a_board_does_not_use_are_not_described() -> None:
    t = Transform(False, STILL, STILL, (0, 4, 1, 3, 2, 5, 6, 7, 8, 9))
    assert describe_transform(t, NINE, bytes([1, 4, *[0] * 79])) == "1→4→2"
    assert describe_transform(t, NINE, bytes([2, *[0] * 80])) == "2→1"
    assert describe_transform(t, NINE, bytes([3, *[0] * 80])) == "as it stands"


def test_the_sentence_names_all_that_moved() -> None:
    rng = random.Random(3)
    for _ in range(40):
        seed = rng.randrange(1 << 20)
        found = ask("disguise", PUZZLE, seed=seed)
        kinds = {step["kind"] for step in found["steps"]}
        for kind, word in [("transpose", "transposed"), ("swap rows", "row"),
                           ("swap bands", "band"), ("swap stacks", "stack"),
                           ("swap columns", "column")]:  # fmt: skip
            assert (word in found["summary"]) == (kind in kinds), found
    assert describe_transform(identity(4), Shape(2, 2)) == "as it stands"


# ---- least forms of large puzzles


def punched(box: tuple[int, int], seed: int, share: float) -> str:
    grid = ask("generate", box=box, seed=seed)["grid"]
    blank = set(random.Random(3).sample(range(len(grid)), int(share * len(grid))))
    return "".join("." if i in blank else c for i, c in enumerate(grid))


def canon_request(box: tuple[int, int], board: str) -> dict[str, Any]:
    return {"desk": "sudoku", "want": "canon", "position": {"box": box, "grids": [board]}}


def test_both_forms_of_a_25x25_puzzle_are_there_while_its_solution_is_still_looked_for() -> None:
    board = punched((5, 5), 1, 0.6)
    for step in start(canon_request((5, 5), board)):
        if isinstance(step.best, PuzzleForms):
            assert len(step.best.straight) == len(step.best.pattern_first) == 625
            assert step.best.no_carried == "The solution is still being looked for."
            return
    pytest.fail("no progress carried the forms")


def test_the_search_for_a_large_solution_ends_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(variants, "CARRIED_PATIENCE", 300)
    found = run(canon_request((5, 5), punched((5, 5), 1, 0.6)))
    assert found["straight"]
    assert found["pattern_first"]
    assert found["solution_carried"] is None
    assert "was not settled" in found["no_carried"]


def test_a_solution_with_too_many_symmetries_withholds_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from cluewise.desks.sudoku.engine import canonical

    monkeypatch.setattr(canonical, "MOST_CARRIED", 0)
    found = run(canon_request((2, 2), "1234341221434.2."))
    assert found["straight"]
    assert "symmetries" in found["no_carried"]


def carried(puzzle: str, solution: str, rows: int, cols: int) -> str:
    """The least carried puzzle of all ways that make its solution least, one by one."""
    n = rows * cols
    ways = product(
        (False, True) if rows == cols else (False,), orders_of(cols, rows), orders_of(rows, cols)
    )
    found = []
    for turned, down, across in ways:
        at = [c * n + r if turned else r * n + c for r in down for c in across]
        names: dict[str, str] = {".": "."}
        grid = "".join(names.setdefault(solution[i], SYMBOLS[len(names) - 1]) for i in at)
        found.append((grid, "".join(names[puzzle[i]] for i in at).replace(".", "0")))
    return min(found)[1].replace("0", ".")


@pytest.mark.parametrize(
    ("box", "seed"),
    [*(((2, 2), seed) for seed in range(6)), *(((2, 3), seed) for seed in range(3))],
)
def test_a_small_puzzle_is_carried_as_all_ways_one_by_one_carry_it(
    box: tuple[int, int], seed: int
) -> None:
    made = ask("puzzle", box=box, seed=seed)
    found = run(canon_request(box, made["puzzle"]))
    assert found["solution_carried"] == carried(made["puzzle"], made["solution"], *box)
