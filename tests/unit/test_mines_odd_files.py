"""Files of the mine game that are out of the ordinary: read as they are meant, or refused."""

from collections.abc import Sequence

import msgspec
import pytest

from cluewise.desks.mines.drawing import svg
from cluewise.desks.mines.formats.puz.label_layout import label_places
from cluewise.desks.mines.formats.puz.read import read_puz
from cluewise.desks.mines.position import Group
from cluewise.desks.mines.puzzles import bundled
from cluewise.errors import BadNotation, TooLarge


def file(nodes: Sequence[str], more: str = "") -> str:
    body = "\n".join(f"<NODE><ID>{i}</ID>{node}</NODE>" for i, node in enumerate(nodes))
    return f"<PUZZLE>\n<GRAPH>\n{body}\n</GRAPH>{more}</PUZZLE>"


BESIDE = ("<EDGES>1</EDGES><POS>0,0</POS>", "<EDGES>0</EDGES><POS>10,0</POS>")


def test_a_board_with_too_many_cells_is_refused_at_the_line_of_the_first_too_many() -> None:
    nodes = ["<EDGES></EDGES><POS>0,0</POS>"] * 1001
    with pytest.raises(TooLarge, match="This board has 1001 cells; 1000 is the limit") as refused:
        read_puz(file(nodes))
    assert refused.value.where == "line 1003"


def test_too_many_hints_are_refused_at_their_line() -> None:
    hints = "<HINT_LIST>" + "<HINT><IDS>0</IDS></HINT>\n" * 400 + "</HINT_LIST>"
    with pytest.raises(TooLarge, match="more than 348 hints"):
        read_puz(file(BESIDE, hints))


def test_a_cell_without_a_place_is_read_all_the_same() -> None:
    for place in ("", "<POS></POS>", "<POS> </POS>"):
        position = read_puz(file((BESIDE[0], f"<EDGES>0</EDGES>{place}")))
        assert position.neighbours == ((1,), (0,))
        assert len(position.pos or ()) == 2


def test_a_hanging_comma_names_no_cell_and_a_line_of_no_cells_is_a_line() -> None:
    position = read_puz(file(("<EDGES>1,</EDGES><POS>0,0</POS>", BESIDE[1])))
    assert position.neighbours == ((1,), (0,))
    lines = "<COLUMN_HINT_LIST><COLUMN_HINT><IDS></IDS></COLUMN_HINT></COLUMN_HINT_LIST>"
    position = read_puz(file(BESIDE, lines))
    assert [(g.cells, g.kind) for g in position.groups if g.kind == "line"] == [((), "line")]


def test_an_edge_that_leads_one_way_alone_is_refused_or_read_with_its_line() -> None:
    with pytest.raises(BadNotation) as refused:
        read_puz(file(("<EDGES>9</EDGES><POS>0,0</POS>", BESIDE[1])))
    assert refused.value.where == "line 3"


def test_counts_of_no_cells_stand_below_the_board_apart_from_each_other() -> None:
    middles = [(0.0, 0.0), (10.0, 0.0)]
    found = label_places([Group((), 0, "line")] * 3, middles, [5.0, 5.0], 10.0)
    assert len(set(found)) == 3
    assert all(at is not None and at[1] >= 10.0 for at in found)


@pytest.mark.parametrize("example", bundled(), ids=lambda e: e.title)
def test_a_drawing_has_every_cell_of_every_kind_of_board(example: object) -> None:
    position = example.position  # type: ignore[attr-defined]  # an example
    drawn = svg(position)
    cells = len(position.neighbours) or position.board.width * position.board.height
    assert drawn.count("<polygon") + drawn.count("<path") + drawn.count("<rect") >= cells
    one = msgspec.structs.replace(position, groups=(Group((0,), 1, "line"),))
    assert svg(one).count("<text") >= 1
