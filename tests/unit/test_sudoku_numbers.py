"""What belongs to a complete grid: numbers, addresses, unavoidable sets, views by other rules.

Also the tool that counts all grids and makes the table of numbers again, on the last bands.
"""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask, ask_grids, vectors
from cluewise import links
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import grid_rank as table
from cluewise.desks.sudoku.engine import minlex, random_boards
from cluewise.desks.sudoku.engine.colour_refinement import rectangles
from cluewise.desks.sudoku.engine.grid_rank import BANDS, CLASSES, GRIDS, parse
from cluewise.desks.sudoku.formats import names
from cluewise.desks.sudoku.formats.names import read_address
from cluewise.desks.sudoku.position import NINE, Shape, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply, identity, inverse
from cluewise.desks.sudoku.verbs.views import KEPT_BY, unavoidable_sets
from cluewise.errors import BadLink, HostFailure
from cluewise.kernel.files import read
from commands import Command
from reference.sudoku import least_views
from reference.sudoku import unavoidable as by_filling
from wasm_build.codegen import grid_counts as tool

MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
HARD = "574831926612479853983625714435798162796142385821356497157963248368214579249587631"
PUZZLE = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."


def test_number_and_transform_give_the_grid_itself() -> None:
    found = ask_grids("number", HARD)
    t = msgspec.convert(found["transform"], Transform)
    assert write_cells(apply(t, read_cells(HARD, NINE))) == found["minlex"]
    assert ask_grids("grid", number=found["number"])["grid"] == found["minlex"]


def test_seven_letters_name_the_same_grid_as_the_number() -> None:
    found = ask_grids("number", MOST)
    assert len(found["code"]) == 7
    for text in (found["code"].upper(), f"{found['number']:,}", f" {found['number']} "):
        assert ask_grids("grid", code=text)["grid"] == MOST


def test_a_puzzle_has_the_number_of_its_solution_and_its_givens_there() -> None:
    found = ask_grids("number", PUZZLE)
    solution = ask_grids("solve", PUZZLE)["solution"]
    assert found["number"] == ask_grids("number", solution)["number"]
    assert found["carried"] == ask_grids("canon", PUZZLE)["solution_carried"]
    assert all(a in (".", b) for a, b in zip(found["carried"], found["minlex"], strict=True))


SCRAMBLED = [
    MOST, LAST, HARD, PUZZLE,
    "645729183172438596893516742456187329387294651921365478539841267264973815718652934",
    ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2.",
]  # fmt: skip


@pytest.mark.parametrize("board", SCRAMBLED)
def test_an_address_names_the_very_board_and_without_its_end_the_class(board: str) -> None:
    found = ask_grids("number", board)
    assert ask_grids("grid", code=found["address"])["grid"] == board
    assert ask_grids("grid", code=found["address"].upper())["grid"] == board
    least = ask_grids("grid", code=found["class_address"])["grid"]
    assert least == (found.get("carried") or found["minlex"])
    assert found["address"].startswith(f"{found['class_address']}-")
    again = ask_grids("number", least)
    assert (again["number"], again["class_address"]) == (found["number"], found["class_address"])


@pytest.mark.parametrize("board", SCRAMBLED)
def test_an_address_is_the_least_of_all_that_serve(board: str) -> None:
    cells = read_cells(board, NINE)
    grid = read_cells(ask_grids("solve", board)["solution"], NINE)
    _, maps = minlex.minlex_maps(grid)
    carried = min(apply(t, cells) for t in maps)
    back = min(names.index_of(inverse(t)) for t in maps if apply(t, cells) == carried)
    found = ask_grids("number", board)
    assert found["address"].endswith(names.letters(back, names.TRANSFORM))
    assert apply(names.transform_of(back), carried) == cells
    if "." in board:
        assert (
            write_cells(carried)
            == found["carried"]
            == ask_grids("canon", board)["solution_carried"]
        )


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
    found = ask_grids("number", board)
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
    one, same, other = (
        ask_grids("grid", seed=3),
        ask_grids("grid", seed=3),
        ask_grids("grid", seed=4),
    )
    assert one == same
    assert one["number"] != other["number"]
    assert ask_grids("number", one["grid"])["number"] == one["number"]


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


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_small_sets_are_all_that_other_fillings_show(box: tuple[int, int], seed: int) -> None:
    shape = Shape(*box)
    grid = finish(random_boards.grid(shape, random.Random(seed)))
    assert unavoidable_sets(grid, shape) == by_filling(grid, *box, 6)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 9))]
)
def test_small_sets_of_nine_symbols_are_all_that_other_fillings_show(seed: int) -> None:
    grid = random_boards.grids(1, random.Random(seed))
    found = unavoidable_sets(grid, NINE)
    assert found == by_filling(grid, 3, 3, 6)
    assert [one for one in found if len(one) == 4] == sorted(rectangles(grid, NINE))


@pytest.mark.parametrize("grid", [LAST, pytest.param(MOST, marks=pytest.mark.long)])
def test_symmetric_grids_have_all_their_small_sets(grid: str) -> None:
    cells = read_cells(grid, NINE)
    assert unavoidable_sets(cells, NINE) == by_filling(cells, 3, 3, 6)


# Counted by a program that tries all pairs of row and column orders.
CASES: list[Any] = vectors("sudoku_cases")["views"]["grids"]
GRID = CASES[2]["grid"]


@pytest.mark.parametrize("case", CASES)
def test_the_ways_are_those_of_an_independent_program_and_examples_obey(case: Any) -> None:
    found = ask_grids("views", case["grid"])["views"]
    assert [one["kind"] for one in found] == list(KEPT_BY)
    for one in found:
        assert one["ways"] == case[one["kind"]]
        if not one["ways"]:
            assert one["example"] is one["transform"] is None
            continue
        transform = msgspec.convert(one["transform"], Transform)
        assert write_cells(apply(transform, read_cells(case["grid"], NINE))) == one["example"]
        position = {"grids": [one["example"]], "constraints": [{"kind": one["kind"]}]}
        assert ask("sudoku", "solve", position)["solutions"] == "1"


@pytest.mark.sampled(of="sudoku, views")
@pytest.mark.parametrize("kind", KEPT_BY)
def test_counts_and_least_examples_are_those_of_trying_every_map(kind: str) -> None:
    count, least = least_views(GRID, kind)
    (found,) = (one for one in ask_grids("views", GRID)["views"] if one["kind"] == kind)
    assert found["ways"] * KEPT_BY[found["kind"]] == count
    assert (found["example"] or "") == least


def test_the_terminal_prints_a_line_for_each_rule(command: Command) -> None:
    ran = command("sudoku", "views", "-", text=json.dumps({"grids": [GRID]}))
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert [line.split()[:3] for line in lines[::2]] == [
        ["diagonals", "1", "way"], ["disjoint", "0", "ways"], ["antiking", "30", "ways"],
    ]  # fmt: skip


ROOT = Path(__file__).resolve().parents[2]

TABLE = read("cluewise.desks.sudoku", "numbers.bin")
# Bands, their automorphisms, their grids and their fourth rows with grids, as counted for the first
# table by another program, which agreed with the Virtual-catalog-DLL band for band, row for row,
# and with gsf's counts of bands 1 and 6 and of those without grids.
BAND_COUNTS = [
    tuple(map(int, line.split(",")))
    for line in (ROOT / "tests" / "vectors" / "sudoku_bands.csv").read_text().splitlines()[1:]
]


def test_the_table_has_the_published_count_of_every_band() -> None:
    totals = [band.sums[-1] for band in parse(TABLE)]
    assert totals == [grids for _, _, grids, _ in BAND_COUNTS]
    assert (len(totals), sum(totals)) == (BANDS, GRIDS)
    assert sum(rows for *_, rows in BAND_COUNTS) == 652_408
    assert sum(CLASSES.values()) == GRIDS


@pytest.mark.parametrize("band", [380, 394, 411, 416])
def test_a_band_counted_anew_makes_its_piece_of_the_table(band: int) -> None:
    found = tool.count_band(band)
    pieces = [tool.encode_band(found, rows) for rows, _ in parse(TABLE)[band - 1 : band]]
    assert pieces[0] in TABLE
    _, _, grids, rows = BAND_COUNTS[band - 1]
    assert (sum(found.grids), sum(n > 0 for n in found.grids)) == (grids, rows)
    assert sum(found.orders.values()) <= grids


def test_counting_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "415.part").write_text("{half a")  # of a count that was stopped in the middle
    (tmp_path / "414.json").write_text(json.dumps(tool.BandCounts([0], [0], {})._asdict()))
    tool.count(413, 416, 1, tmp_path)
    printed = capsys.readouterr().out
    assert "3/3" in printed
    assert "band 414 " not in printed
    assert tool.load_band(412, tmp_path) is None
    last = tool.load_band(416, tmp_path)
    assert last is not None
    assert (sum(last.grids), last.orders) == (1, {72: 1})
    assert not list(tmp_path.glob("*.part"))


def test_a_count_that_differs_is_named_and_a_missing_one_refused(tmp_path: Path) -> None:
    tool.count(416, 416, 1, tmp_path)
    assert list(tool.check(tmp_path)) == []
    found = json.loads((tmp_path / "416.json").read_text())
    found["grids"][-1] += 1
    (tmp_path / "416.json").write_text(json.dumps(found))
    assert list(tool.check(tmp_path)) == ["Band 416 does not agree."]
    with pytest.raises(SystemExit, match="Band 1 has not been counted"):
        tool.table(tmp_path, None)
