"""Notations of boards: reading, writing, names of cells and groups."""

from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise import links
from cluewise.desks.mines.cell_names import cell_name, clue_text, group_text
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.puz.write import write_puz
from cluewise.desks.mines.position import Group, Position, graph
from cluewise.desks.mines.sealing import sealed, with_mines
from cluewise.errors import BadInput, BadPosition
from cluewise.service import run, to_plain
from reference.mines_puz import lock_file

CASES = vectors("mines_cases")

SMALL = """<PUZZLE>
 <ID>p1</ID><META><AUTHOR>N. N.</AUTHOR></META><TITLE>Two &amp; two</TITLE>
 <GRAPH>
  <NODE><ID>a</ID><EDGES>b,c</EDGES><POS>0,0.5</POS><REVEALED>True</REVEALED><GLOW>1</GLOW></NODE>
  <NODE><ID>b</ID><EDGES>a</EDGES><POS>1,0</POS><HAS_MINE>true</HAS_MINE></NODE>
  <NODE><ID>c</ID><EDGES>a,b</EDGES><POS>2,0</POS><SECRET>true</SECRET></NODE>
 </GRAPH>
 <COLUMN_HINT_LIST><COLUMN_HINT><IDS>a,b</IDS><TEXT_LOCATION>0,-1</TEXT_LOCATION>
 <TEXT_ROTATION>90</TEXT_ROTATION></COLUMN_HINT></COLUMN_HINT_LIST>
 <HINT_LIST><HINT><IDS>b,c</IDS><COLOR>RED</COLOR><IS_DARK>true</IS_DARK></HINT></HINT_LIST>
 <CORNER_FLAG>1</CORNER_FLAG>
</PUZZLE>"""


def test_puz_file_is_read_with_computed_counts() -> None:
    position = read(SMALL)
    assert position.title == "Two & two"
    assert position.neighbours == ((1, 2), (0,), (0, 1))
    assert [(g.kind, g.cells, g.count, g.colour) for g in position.groups] == [
        ("line", (0, 1), 1, None), ("colour", (1, 2), 1, "RED"),
        ("rest", (0,), 0, "GREY"), ("total", (0, 1, 2), 1, None),
    ]  # fmt: skip
    assert position.groups[0].label == (0, -10, 90)
    assert (position.unit, position.pos) == (11, ((0, 5), (10, 0), (20, 0)))
    assert [(r.cell, r.number) for r in position.revealed] == [(0, 1)]
    assert (position.mines, position.secret) == ((1,), (2,))
    assert position.puz is not None
    assert position.puz.node_ids == ("a", "b", "c")
    assert ("PUZZLE/GRAPH/NODE[0]", "<GLOW>1</GLOW>") in position.puz.unknown


def test_typed_boards_are_read() -> None:
    puzzle = read(".*.\n?.*")
    assert puzzle.mines == (1, 5)
    assert puzzle.secret == (3,)
    assert puzzle.board is not None
    assert (puzzle.board.rows, puzzle.board.columns, puzzle.board.total) == ((1, 1), (0, 1, 1), 2)
    play = read("1 # !\n? # #\ntotal 2\nrows 1 -")
    assert [(r.cell, r.number) for r in play.revealed] == [(0, 1), (3, None)]
    assert play.flags == (2,)
    assert [g.kind for g in graph(play).groups] == ["row", "total"]


def test_sealed_solution_is_hidden_and_recovered() -> None:
    puzzle = Position(neighbours=((1,), (0,)), mines=(1,), secret=(0,))
    shut = sealed(puzzle)
    assert shut.mines is None
    assert with_mines(shut) == puzzle
    assert sealed(shut) is shut
    damaged = msgspec.structs.replace(shut, neighbours=((),))
    with pytest.raises(BadPosition, match="does not fit"):
        with_mines(damaged)
    rated = run({"desk": "mines", "want": "rate", "position": to_plain(shut)})
    assert rated["waves"] == 0


def test_fractional_coordinates_become_integers_in_links() -> None:
    position = Position(neighbours=((), ()), pos=((0, 0), (0.5, 0.25)))
    again = links.decode(links.encode(position))
    assert (again.unit, again.pos) == (1000, ((0, 0), (500, 250)))


def test_only_puzzles_can_be_written() -> None:
    with pytest.raises(BadInput):
        write_puz(Position(neighbours=((),)))


@pytest.mark.parametrize(
    ("pos", "unit", "name"), CASES["cells on a grid of squares have a letter and a number"]
)
def test_cells_on_a_grid_of_squares_have_a_letter_and_a_number(
    pos: Any, unit: int, name: str
) -> None:
    position = Position(
        neighbours=((1,), (0,), ()),
        pos=pos and tuple(map(tuple, pos)),
        unit=unit,
        groups=(Group((2,), 1, "column"),),
    )
    assert cell_name(position, 2) == name
    spoken = group_text(position, graph(position), 0)
    assert spoken == (f"column {name[0]}" if name[0] != "c" else "column 1")
    assert clue_text(msgspec.structs.replace(position, flags=(2,)), graph(position), "flag:2") == (
        f"the flag at {name}"
    )


@pytest.mark.parametrize(("pitch", "half"), [(10, 4.8), (10, 5.0), (1, 0.5), (1.25, 0.6)])
def test_cells_of_a_puz_grid_have_unit_spacing_and_grid_names(pitch: float, half: float) -> None:
    position = read(lock_file("*.." * 48, pitch, half))
    assert position.pos is not None
    assert (position.pos[1][0] - position.pos[0][0]) / position.unit == 1
    assert cell_name(position, 14) == "C2"
    board = graph(position)
    names = [group_text(position, board, i) for i in range(len(board.groups))]
    assert names[:2] == ["column A", "column B"]
    assert names[12:14] == ["row 1", "row 2"]
    assert len(set(names)) == len(names)
    again = read(write_puz(position))
    assert again.pos is not None
    for here, there in zip(position.pos, again.pos, strict=True):
        assert [n / position.unit for n in here] == [n / again.unit for n in there]


def test_names_of_groups_are_unique() -> None:
    groups = tuple(
        Group((c,), 0, kind, colour, dark)
        for c, (kind, colour, dark) in enumerate(
            [("colour", "RED", False), ("colour", "RED", True), ("colour", "RED", False),
             ("colour", "GREY", True), ("set", None, False), ("row", None, False),
             ("row", None, False)]
        )
    )  # fmt: skip
    position = Position(
        neighbours=((),) * 7, groups=groups, pos=tuple((i % 7, 0) for i in range(7))
    )
    names = [group_text(position, graph(position), i) for i in range(7)]
    assert names == ["the red shape (1)", "the dark red shape", "the red shape (2)",
                     "the black shape", "group 1", "row 1 (1)", "row 1 (2)"]  # fmt: skip


def test_names_equal_the_vectors_of_the_page() -> None:
    cases = vectors("mines-names")["cases"]
    assert len(cases) > 8
    for case in cases:
        position = msgspec.convert(case["position"], Position)
        board = graph(position)
        assert [cell_name(position, c) for c in range(board.cells)] == case["cells"]
        names = [group_text(position, board, i) for i in range(len(board.groups))]
        assert names == case["groups"]
