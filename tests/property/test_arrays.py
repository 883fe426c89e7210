"""The array functions have the results of the verbs and name invalid arguments."""

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import cluewise
import cluewise.sudoku
from asking import ask as verb
from asking import vectors
from cluewise import arrays
from cluewise.desks.code.position import FEEDBACKS, Rules, answer
from cluewise.errors import BadInput, BadPosition, CluewiseError, Contradiction

POSITIONS = vectors("positions")
FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EMPTY, CLASH = "." * 81, "11" + "." * 79


def boards_of(lines: list[str]) -> Any:
    text = "".join(lines).replace(".", "0")
    return (np.frombuffer(text.encode(), np.uint8) - 48).reshape(-1, 81)


def text_of(row: Any) -> str:
    return "".join(str(d or ".") for d in row.tolist())


@pytest.fixture(scope="module")
def lines() -> list[str]:
    grid = verb("sudoku", "generate", seed=3)["grid"]
    some = [FIRST, grid, CLASH, EMPTY, "." * 79 + "12", grid[:40] + "." * 41]
    drawn = [
        verb("sudoku", "disguise", {"grids": [some[i % 2]]}, seed=i)["grid"] for i in range(20)
    ]
    return [*some, *drawn, FIRST]


@pytest.mark.parametrize("convention", ["straight", "pattern-first", "solution-carried"])
def test_forms_equal_those_of_the_list_verb(lines: list[str], convention: str) -> None:
    found = arrays.canon(boards_of(lines), convention)  # type: ignore[arg-type]
    said = verb("sudoku", "group", lines=lines, task="canon", convention=convention)["answers"]
    assert ["" if 255 in row else text_of(row) for row in found] == said


def test_keys_classes_solutions_and_numbers_equal_those_of_the_verbs(lines: list[str]) -> None:
    boards = boards_of(lines)
    said = verb("sudoku", "group", lines=lines)
    classes, firsts = arrays.group(boards)
    assert [None if k < 0 else k for k in classes.tolist()] == said["classes"]
    assert firsts.tolist() == said["firsts"]
    keys = arrays.keys(boards)
    assert [bytes(keys[i]).hex() for i in firsts] == said["keys"]
    counts, found = arrays.solve(boards)
    for i, line in enumerate(lines[:12]):
        one = verb("sudoku", "solve", {"grids": [line]})
        assert min(counts[i], 2) == {"0": 0, "1": 1, ">=2": 2}[one["solutions"]]
        assert [text_of(row) for row in found[i] if row.any()] == one["found"]
    numbers = arrays.number(boards[:8])
    for line, number in zip(lines[:8], numbers.tolist(), strict=True):
        try:
            assert number == verb("sudoku", "number", {"grids": [line]})["number"]
        except CluewiseError:
            assert number == 0


@pytest.mark.parametrize("feedback", FEEDBACKS)
def test_answers_and_sizes_equal_those_of_the_game(feedback: str) -> None:
    rules = {"pegs": 3, "colours": 5, "feedback": feedback, "blanks": True}
    codes = arrays.remaining({"rules": rules})
    assert codes.tolist() == [[i // 25, i // 5 % 5, i % 5] for i in range(125)]
    rng = np.random.default_rng(5)
    guesses = rng.integers(0, 6, (20, 3)).astype(np.uint8)
    guesses[guesses == 5] = 255
    matrix = arrays.answers(guesses, codes, rules)
    sizes = arrays.partition_sizes(guesses, codes, rules)
    checked = Rules(**rules)  # type: ignore[arg-type]
    texts = ["".join("." if c == 255 else str(c) for c in row) for row in guesses.tolist()]
    for i, guess in enumerate(texts):
        pairs = [answer(checked, guess, "".join(map(str, code))) for code in codes.tolist()]
        assert [divmod(int(a), 16) for a in matrix[i]] == pairs
        names = [checked.answer_name(pair) for pair in pairs]
        assert sizes.sizes[i].tolist() == [names.count(name) for name in sizes.answers]


def test_remaining_codes_equal_the_verbs_with_clues_and_priors() -> None:
    for position in POSITIONS["code"]:
        try:
            said = verb("code", "remaining", position, top=1_000_000)
        except CluewiseError:
            continue
        if said["count"] > 100_000:
            continue
        found = arrays.remaining(position)
        symbols = "0123456789ABCDEF"
        assert ["".join(symbols[c] for c in row) for row in found.tolist()] == said["codes"]


def test_the_posterior_has_the_verbs_chances_and_names() -> None:
    for position in POSITIONS["rack"]:
        try:
            said = verb("rack", "posterior", position)
        except CluewiseError:
            with pytest.raises(CluewiseError):
                arrays.posterior(position)
            continue
        found = arrays.posterior(position)
        assert found.axes == ("stand", "slot", "wire")
        for s, stand in enumerate(said["stands"]):
            rest = found.chances[s, len(stand["slots"]) :]
            assert np.isnan(rest).all()
            for i, slot in enumerate(stand["slots"]):
                row = dict(zip(found.wires, found.chances[s, i].tolist(), strict=True))
                if slot is None:
                    assert all(map(math.isnan, row.values()))
                else:
                    assert {name: chance for name, chance in row.items() if chance} == slot


def test_every_tile_has_the_verbs_class_and_information() -> None:
    position = {"region": 364}
    found = arrays.classes(position)
    said = verb("scan", "classes", position, list=True)
    assert found.labels.max() + 1 == said["classes"]
    assert found.information.max() == said["max_bits"]
    for one in said["list"][::7]:
        covered = np.zeros(found.labels.shape, bool)
        for x0, y0, x1, y1 in one["rects"]:
            covered[y0 - found.origin[1] : y1 + 1 - found.origin[1],
                    x0 - found.origin[0] : x1 + 1 - found.origin[0]] = True  # fmt: skip
        assert (found.labels[covered] == found.labels[covered][0]).all()
        assert covered.sum() == (found.labels == found.labels[covered][0]).sum() == one["tiles"]
        assert (found.information[covered] == one["bits"]).all()


def test_chances_of_mines_have_the_boards_shape() -> None:
    board = {"board": {"kind": "square", "width": 4, "height": 3, "total": 3},
             "revealed": [{"cell": 5, "number": 1}]}  # fmt: skip
    for position in [board, *POSITIONS["mines"]]:
        said = verb("mines", "solve", position)["probability"]
        found = arrays.probabilities(position)
        size = position.get("board")
        assert found.shape == ((size["height"], size["width"]) if size else (len(said),))
        assert [None if math.isnan(p) else p for p in found.ravel().tolist()] == said


@pytest.mark.parametrize("layout", ["fortran", "strided", "int64", "read-only", "list"])
def test_any_memory_layout_and_integer_dtype_gives_the_same(lines: list[str], layout: str) -> None:
    boards = boards_of(lines[:8])
    given: Any = {
        "fortran": np.asfortranarray(boards),
        "strided": np.repeat(boards, 2, 0)[::2],
        "int64": boards.astype(np.int64),
        "read-only": np.frombuffer(boards.tobytes(), np.uint8).reshape(-1, 81),
        "list": boards.tolist(),
    }[layout]
    for function in (arrays.canon, arrays.keys, arrays.number):
        assert (function(given) == function(boards)).all()


def test_empty_inputs_give_empty_arrays_of_the_right_shape() -> None:
    nothing: Any
    for nothing in ([], np.zeros((0, 81), np.uint8)):
        assert arrays.canon(nothing).shape == (0, 81)
        assert arrays.keys(nothing).shape == (0, 16)
        assert arrays.solve(nothing).found.shape == (0, 2, 81)
        assert arrays.number(nothing).shape == arrays.group(nothing).firsts.shape == (0,)
    assert arrays.answers([], [[0, 1]]).shape == (0, 1)
    assert arrays.answers([[0, 1]], []).shape == (1, 0)
    assert arrays.partition_sizes([[0, 1]], []).sizes.sum() == 0
    clues = [{"guess": "0000", "exact": 4}, {"guess": "1111", "exact": 4}]
    assert arrays.remaining({"clues": clues}).shape == (0, 4)


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda: arrays.canon(np.zeros((2, 80), np.uint8)), "(2, 80)"),
        (lambda: arrays.canon(np.zeros(81, np.uint8)), "(81,)"),
        (lambda: arrays.canon(np.zeros((2, 81))), "float64"),
        (lambda: arrays.keys([[0] * 80 + [10]]), "boards[0, 80]"),
        (lambda: arrays.solve([[0] * 80 + [-1]]), "boards[0, 80]"),
        (lambda: arrays.number([[0] * 81, [0]]), "boards"),
        (lambda: arrays.answers([[0, 6]], [[0, 1]], {"pegs": 2}), "guesses[0, 1]"),
        (lambda: arrays.answers([[0, 1]], [[0, 255]]), "codes[0, 1]"),
        (lambda: arrays.answers([[0, 1]], [[0, 1, 2]]), "codes"),
        (lambda: arrays.answers([[0, 0]], [[0, 1]], {"pegs": 2, "repeat": False}), "guesses[0]"),
    ],
)  # fmt: skip
def test_wrong_shape_dtype_or_value_is_named(call: Any, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()
    assert place in caught.value.message


def test_contradictions_equal_those_of_the_verbs() -> None:
    with pytest.raises(BadPosition):
        arrays.answers([[0]], [[0]], {"pegs": 9})
    one = {"board": {"kind": "square", "width": 2, "height": 1, "total": 2}}
    with pytest.raises(Contradiction):
        arrays.probabilities({**one, "revealed": [{"cell": 0, "number": 0}]})


def test_first_advice_loads_no_numpy() -> None:
    ask = """
import sys, cluewise
for desk, want in [("code", "advise"), ("rack", "mission"), ("scan", "next"),
                   ("mines", "examples"), ("sudoku", "generate")]:
    position = {"region": 364} if desk == "scan" else {}
    cluewise.run({"desk": desk, "want": want, "position": position})
import cluewise.code, cluewise.sudoku
assert not [name for name in sys.modules if name.partition(".")[0] == "numpy"]
"""
    subprocess.run([sys.executable, "-c", ask], check=True, timeout=120)


def test_verbs_for_lists_take_arrays(lines: list[str]) -> None:
    boards = boards_of(lines[:8])
    texts: Any = np.array(lines[:8])
    found = cluewise.sudoku.group(lines=boards)
    assert found.keys == cluewise.sudoku.group(lines=texts).keys
    assert found.classes == [None if k < 0 else k for k in arrays.group(boards).classes.tolist()]
    with pytest.raises(BadInput):
        cluewise.sudoku.group(lines=boards.astype(np.int64) - 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_study_has_a_column_per_field_and_a_row_per_position(jobs: int) -> None:
    clues = [{"guess": "0000", "exact": 4}, {"guess": "1111", "exact": 4}]
    positions = [{}, {"rules": {"pegs": 2}}, {"rules": {"pegs": 99}}, {"clues": clues}]
    found = cluewise.study("code", "remaining", iter(positions), jobs=jobs, top=2)
    assert found["count"][:2].tolist() == [1296, 36]
    assert math.isnan(found["count"][2])
    assert found["codes"].tolist() == [["0000", "0001"], ["00", "01"], None, []]
    assert [bool(text) for text in found["error"]] == [False, False, True, False]
    assert {name: column.shape for name, column in found.items()}.popitem()[1] == (4,)


def test_columns_have_the_dtype_of_their_values() -> None:
    boards = [{"grids": [FIRST]}, {"grids": [EMPTY]}]
    found = cluewise.study("sudoku", "solve", boards, jobs=1)
    assert found["solutions"].tolist() == ["1", ">=2"]
    assert found["solution"].tolist()[1] == ""
    count = cluewise.study("code", "remaining", [{}], jobs=1)["count"]
    assert count.dtype == np.int64
    assert cluewise.study("code", "remaining", [], jobs=1)["error"].shape == (0,)
    with pytest.raises(CluewiseError):
        cluewise.study("code", "nonsense", [{}])


def test_study_runs_on_a_cluster() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        found = cluewise.study("code", "remaining", [{}] * 3, cluster=cluster.scheduler_address)
    assert found["count"].tolist() == [1296] * 3
