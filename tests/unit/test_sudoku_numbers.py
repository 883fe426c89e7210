"""The verbs `number` and `grid`: what they say, and what they refuse."""

import random

import msgspec
import pytest

from asking import ask_grids as ask
from cluewise import links
from cluewise.desks.sudoku.engine import grid_rank as table
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.formats import names
from cluewise.desks.sudoku.formats.names import read_address
from cluewise.desks.sudoku.position import NINE, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply, identity, inverse
from cluewise.errors import BadLink, HostFailure
from cluewise.kernel.files import read

MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
HARD = "574831926612479853983625714435798162796142385821356497157963248368214579249587631"
PUZZLE = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


def test_number_and_transform_give_the_grid_itself() -> None:
    found = ask("number", HARD)
    t = msgspec.convert(found["transform"], Transform)
    assert write_cells(apply(t, read_cells(HARD, NINE))) == found["minlex"]
    assert ask("grid", number=found["number"])["grid"] == found["minlex"]


def test_seven_letters_say_the_same_as_the_number() -> None:
    found = ask("number", MOST)
    assert len(found["code"]) == 7
    for text in (found["code"].upper(), f"{found['number']:,}", f" {found['number']} "):
        assert ask("grid", code=text)["grid"] == MOST


def test_a_puzzle_has_the_number_of_its_solution_and_its_givens_there() -> None:
    found = ask("number", PUZZLE)
    solution = ask("solve", PUZZLE)["solution"]
    assert found["number"] == ask("number", solution)["number"]
    assert found["carried"] == ask("canon", PUZZLE)["solution_carried"]
    assert all(a in (".", b) for a, b in zip(found["carried"], found["minlex"], strict=True))


SCRAMBLED = [
    MOST, LAST, HARD, PUZZLE,
    "645729183172438596893516742456187329387294651921365478539841267264973815718652934",
    ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2.",
]  # fmt: skip


@pytest.mark.parametrize("board", SCRAMBLED)
def test_an_address_names_the_very_board_and_without_its_end_the_class(board: str) -> None:
    found = ask("number", board)
    assert ask("grid", code=found["address"])["grid"] == board
    assert ask("grid", code=found["address"].upper())["grid"] == board
    least = ask("grid", code=found["class_address"])["grid"]
    assert least == (found.get("carried") or found["minlex"])
    assert found["address"].startswith(f"{found['class_address']}-")
    again = ask("number", least)
    assert (again["number"], again["class_address"]) == (found["number"], found["class_address"])


@pytest.mark.parametrize("board", SCRAMBLED)
def test_an_address_is_the_least_of_all_that_serve(board: str) -> None:
    cells = read_cells(board, NINE)
    grid = read_cells(ask("solve", board)["solution"], NINE)
    _, maps = minlex.minlex_maps(grid)
    carried = min(apply(t, cells) for t in maps)
    back = min(names.index_of(inverse(t)) for t in maps if apply(t, cells) == carried)
    found = ask("number", board)
    assert found["address"].endswith(names.letters(back, names.TRANSFORM))
    assert apply(names.transform_of(back), carried) == cells
    if "." in board:
        assert write_cells(carried) == found["carried"] == ask("canon", board)["solution_carried"]


def test_every_transform_has_a_place_of_its_own() -> None:
    rng = random.Random(5)
    places = [
        0,
        names.TRANSFORMS - 1,
        *(rng.randrange(names.TRANSFORMS) for _ in range(300)),
    ]
    for place in places:
        assert names.index_of(names.transform_of(place)) == place
    assert names.transform_of(0) == identity(9)


@pytest.mark.parametrize("board", SCRAMBLED)
def test_a_short_link_names_a_grid_by_its_address(board: str) -> None:
    found = ask("number", board)
    assert links.decode(f"#/sudoku/{found['address']}").grids == (board,)
    whole = f"https://a.example/cluewise/#/sudoku/{found['code']}"
    assert links.decode(whole).grids == (found["minlex"],)


@pytest.mark.parametrize(
    "text", ["#/sudoku/zzzzzzz", "#/sudoku/hello", "#/sudoku/aaaaaaa", "#/code/rspzfgc", "#/x/a"]
)
def test_a_short_link_that_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(BadLink):
        links.decode(text)


def test_a_random_grid_is_drawn_by_its_seed() -> None:
    one, same, other = ask("grid", seed=3), ask("grid", seed=3), ask("grid", seed=4)
    assert one == same
    assert one["number"] != other["number"]
    assert ask("number", one["grid"])["number"] == one["number"]


@pytest.mark.parametrize("change", ["cut", "long", "count"])
def test_a_table_that_does_not_sum_to_all_grids_is_refused(change: str) -> None:
    data = bytearray(read("cluewise.desks.sudoku", "numbers.bin"))
    assert len(data) <= 100_000
    assert len(table.parse(bytes(data))) == 416
    if change == "count":
        data[10] ^= 1
    with pytest.raises(HostFailure, match="damaged"):
        table.parse(bytes({"cut": data[:-1], "long": data + b"\0"}.get(change, data)))


def test_a_long_text_is_no_address_by_its_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(names, "value_of", read.append)
    for text in ("z" * 50_000, "a" * 7 + "-" + "z" * 50_000, "a-" * 50_000):
        assert read_address(text) is None
    assert read == []
