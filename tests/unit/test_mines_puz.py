"""The game's .puz files: lossless reading and writing, odd files, valid output."""

import random
import re
from collections.abc import Sequence

import msgspec
import pytest

from cluewise.desks.mines.drawing import svg
from cluewise.desks.mines.engine.playthrough import counted
from cluewise.desks.mines.formats.puz.label_layout import label_places
from cluewise.desks.mines.formats.puz.read import OPENED, read_puz
from cluewise.desks.mines.formats.puz.write import level_id, write_puz
from cluewise.desks.mines.generator.board_shapes import KINDS, template
from cluewise.desks.mines.position import Group, Position, Rectangle, Revealed, graph
from cluewise.desks.mines.sealing import to_link, with_mines
from cluewise.desks.mines.verbs.files import bundled
from cluewise.errors import BadNotation, TooLarge
from cluewise.service import run, to_plain
from reference.mines_boards import position_of, puzzles
from reference.mines_puz import faults, inner, tags

FULL = """<PUZZLE>
 <ID>Yfull1</ID>
 <META><TILE_TEXT>FUL</TILE_TEXT><NEXT_PUZZLE_ID/><UNLOCKED_BY_AMOUNT>false</UNLOCKED_BY_AMOUNT>
 <REQUIRE_ALL_UNLOCK_PUZZLES>true</REQUIRE_ALL_UNLOCK_PUZZLES><REQUIRE_PERFECT>false</REQUIRE_PERFECT>
 <UNLOCK_PUZZLES>10</UNLOCK_PUZZLES><UNLOCK_AMOUNT>0</UNLOCK_AMOUNT><AUTHOR>N. &#233;</AUTHOR>
 <SCORE>25.5</SCORE><MORE><A>1</A></MORE></META>
 <TITLE><![CDATA[Tags & <all>]]></TITLE>
 <GRAPH>
  <NODE><ID>-4</ID><EDGES>7,12</EDGES><POS>0,304.5418453393238</POS>
   <POLY><POINTS>-4.8,-4.8,4.8,-4.8,4.8,4.8,-4.8,1.6E-15</POINTS><HIGHLIGHTS>3,0,1</HIGHLIGHTS>
   <HIGHLIGHTS_TAPER_START>true</HIGHLIGHTS_TAPER_START>
   <HIGHLIGHTS_TAPER_END>false</HIGHLIGHTS_TAPER_END><SHEEN>2</SHEEN></POLY>
   <X_SCALING>0.5</X_SCALING><Y_SCALING>0.25</Y_SCALING><REVEALED>True</REVEALED>
   <HAS_MINE>False</HAS_MINE><SECRET>False</SECRET><GLOW>1</GLOW></NODE>
  <NODE><ID>7</ID><EDGES>-4</EDGES><POS>10,0</POS>
   <POLY><POINTS>-5.0,-5.0,5.0,-5.0,5.0,5.0</POINTS></POLY><HAS_MINE>true</HAS_MINE></NODE>
  <NODE><ID>12</ID><EDGES></EDGES><POS>20,0</POS>
   <POLY><POINTS>-5,-5,5,-5,5,5,-5,5</POINTS><HIGHLIGHTS>0,1,2</HIGHLIGHTS></POLY>
   <SECRET>True</SECRET></NODE>
 </GRAPH>
 <HINT_LIST>
  <HINT><IDS>7</IDS><COLOR>RED</COLOR><IS_DARK>true</IS_DARK></HINT>
  <HINT><IDS>7,-4</IDS><COLOR>TEAL</COLOR><IS_DARK>1</IS_DARK><WARM>no</WARM></HINT>
 </HINT_LIST>
 <COLUMN_HINT_LIST>
  <COLUMN_HINT><IDS>-4,7</IDS><TEXT_LOCATION>-10,0</TEXT_LOCATION><TEXT_ROTATION>30.5</TEXT_ROTATION>
   <TEXT_SIZE_FACTOR>0.8</TEXT_SIZE_FACTOR><BENT>true</BENT><SHADE>3</SHADE></COLUMN_HINT>
 </COLUMN_HINT_LIST>
 <TEXT>Corners &lt;touch&gt;.</TEXT>
 <TEXT_POS>3.0,4.5</TEXT_POS>
 <CORNER_FLAG>true</CORNER_FLAG>
 <FUTURE a="1"><B/></FUTURE>
</PUZZLE>"""


def flat(text: str, name: str) -> list[list[float]]:
    listed = re.findall(rf"<{name}>([^<]*)</{name}>", text)
    return [[float(n) for n in one.split(",")] for one in listed]


def test_every_section_and_field_survives_reading_and_writing() -> None:
    once = write_puz(read_puz(FULL))
    assert tags(once) == tags(FULL)
    for name in ("POINTS", "POS", "TEXT_LOCATION", "TEXT_ROTATION", "TEXT_SIZE_FACTOR",
                 "HIGHLIGHTS", "X_SCALING", "Y_SCALING"):  # fmt: skip
        assert flat(once, name) == flat(FULL, name), name
    for name in ("TEXT_POS", "CORNER_FLAG", "UNLOCK_PUZZLES", "TILE_TEXT", "SCORE", "COLOR", "BENT",
                 "HIGHLIGHTS_TAPER_START", "HIGHLIGHTS_TAPER_END", "IDS", "EDGES"):  # fmt: skip
        assert re.findall(f"<{name}>.*?</{name}>", once) == re.findall(
            f"<{name}>.*?</{name}>", FULL
        )
    assert inner(once, "AUTHOR") == "N. é"
    assert inner(once, "TITLE") == "Tags &amp; &lt;all&gt;"
    assert inner(once, "TEXT") == "Corners &lt;touch&gt;."
    for raw in ("<MORE><A>1</A></MORE>", "<SHEEN>2</SHEEN>", "<GLOW>1</GLOW>", "<WARM>no</WARM>",
                "<SHADE>3</SHADE>", '<FUTURE a="1"><B/></FUTURE>',
                "<IS_DARK>1</IS_DARK>"):  # fmt: skip
        assert once.count(raw) == 1, raw


def test_second_reading_and_writing_changes_nothing() -> None:
    first = read_puz(FULL)
    once = write_puz(first)
    assert read_puz(once) == first
    assert write_puz(read_puz(once)) == once


def test_tiles_without_a_colour_are_counted_and_not_written() -> None:
    position = read_puz(FULL)
    rest = [g for g in position.groups if g.kind == "rest"]
    assert rest == [Group((2,), 0, "rest", "GREY")]
    assert write_puz(position).count("<HINT>") == 2


def test_level_patched_by_the_game_has_the_same_open_cells() -> None:
    nodes = "".join(
        f"<NODE><ID>{i}</ID><EDGES></EDGES><POS>{10 * i},0</POS></NODE>" for i in range(100)
    )
    ((name, listed),) = OPENED.items()
    text = f"<PUZZLE><ID>{name}</ID><TITLE>G</TITLE><GRAPH>{nodes}</GRAPH></PUZZLE>"
    position = read_puz(text)
    assert [r.cell for r in position.revealed] == sorted(int(i) for i in listed.split(","))
    assert "REVEALED" not in write_puz(position)
    assert not read_puz(text.replace(name, "Yother")).revealed


def test_unknown_colours_are_dropped() -> None:
    position = read_puz(FULL)
    assert [(g.colour, g.dark) for g in position.groups if g.kind == "colour"] == [
        ("RED", True), (None, False)
    ]  # fmt: skip


@pytest.mark.parametrize("block", range(7))
def test_generated_boards_are_valid_files(block: int) -> None:
    """Eighty boards of every kind and size: 560 files."""
    kind = sorted(KINDS)[block]
    levels: dict[str, str] = {}
    for seed in range(80):
        rng = random.Random(seed)
        sizes = range(2, {"hex": 6, "triangle": 9}.get(kind, 11))
        base = template(kind, rng.choice(sizes), rng)
        cells = graph(base.frame).cells
        mines = frozenset(rng.sample(range(cells), cells // 3))
        groups = counted(base.sets, mines)
        free = [c for c in range(cells) if c not in mines]
        secret = frozenset(c for c in free if rng.random() < 0.2)
        start = [c for c in free if rng.random() < 0.1]
        lists = graph(base.frame).neighbours
        position = msgspec.structs.replace(
            base.frame, mines=tuple(sorted(mines)), secret=tuple(sorted(secret)),
            revealed=tuple(
                Revealed(c, None if c in secret else sum(n in mines for n in lists[c]))
                for c in start
            ),
        )  # fmt: skip
        position = framed(position, groups)
        text = write_puz(position)
        assert faults(text) == [], (kind, seed)
        assert levels.setdefault(level_id(position), text) == text
        again = read_puz(text)
        assert write_puz(again) == text
        assert graph(again).neighbours == lists
        assert frozenset(again.mines or ()) == mines
        assert frozenset(again.secret) == secret
        expected = {(frozenset(g.cells), g.count) for g in graph(position).groups}
        read = {(frozenset(g.cells), g.count) for g in again.groups}
        assert expected <= read
        assert read - expected <= {(frozenset(range(cells)), len(mines))}
    assert len(levels) > 60  # the smallest boards occur repeatedly


def framed(position: Position, groups: tuple[Group, ...]) -> Position:
    """Return the position with its counts, in short form if the board has one."""
    if position.board is None:
        return msgspec.structs.replace(position, groups=groups)
    board, total = position.board, groups[-1].count
    rows = tuple(g.count for g in groups if g.kind == "row")
    columns = tuple(g.count for g in groups if g.kind == "column")
    short = Rectangle(board.kind, board.width, board.height, rows, columns, total)
    return msgspec.structs.replace(position, board=short)


@pytest.mark.parametrize("example", bundled(), ids=lambda e: e.title)
def test_bundled_puzzles_are_valid_files_and_survive_a_link(example: object) -> None:
    puzzle: Position = example.position  # type: ignore[attr-defined] # an Example
    text = write_puz(puzzle)
    assert faults(text) == []
    travelled = with_mines(to_link(read_puz(text)))
    assert write_puz(travelled) == text


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda p: str(p["id"]))
def test_boards_without_coordinates_or_with_any_sets_are_valid_files(
    puzzle: dict[str, object],
) -> None:
    position = position_of(puzzle)
    text = write_puz(position)
    assert faults(text) == []
    again = read_puz(text)
    assert write_puz(again) == text
    assert (again.neighbours, again.mines) == (position.neighbours, position.mines)


def test_fields_of_the_level_list_can_be_set() -> None:
    plain = to_plain(bundled()[0].position)
    options = {"id": "Ymine1", "next": "Ymine2", "tile": "M1", "author": "N. N."}
    asked = {"desk": "mines", "want": "write", "position": plain, "options": options}
    text = run(asked)["text"]
    found = [inner(text, t) for t in ("ID", "NEXT_PUZZLE_ID", "TILE_TEXT", "AUTHOR")]
    assert found == list(options.values())
    assert faults(text) == []
    last = run({**asked, "options": {**options, "next": ""}})["text"]
    assert inner(last, "NEXT_PUZZLE_ID") == ""


def test_coloured_sets_are_written_with_distinct_colours() -> None:
    groups = (Group((0,), 1, "colour"), Group((1,), 0, "set", "RED"), Group((2,), 0, "colour"))
    position = Position(neighbours=((),) * 4, groups=groups, mines=(0,))
    text = write_puz(position)
    colours = re.findall(r"<COLOR>(.*)</COLOR>", text)
    assert len(set(colours)) == text.count("<HINT>") == 3
    assert colours[1] == "RED"
    assert "<COLUMN_HINT>" not in text
    assert write_puz(read_puz(text)) == text


def file(nodes: Sequence[str], more: str = "") -> str:
    body = "\n".join(f"<NODE><ID>{i}</ID>{node}</NODE>" for i, node in enumerate(nodes))
    return f"<PUZZLE>\n<GRAPH>\n{body}\n</GRAPH>{more}</PUZZLE>"


ADJACENT = ("<EDGES>1</EDGES><POS>0,0</POS>", "<EDGES>0</EDGES><POS>10,0</POS>")


def test_board_with_too_many_cells_is_refused_with_the_line() -> None:
    nodes = ["<EDGES></EDGES><POS>0,0</POS>"] * 1001
    with pytest.raises(TooLarge, match="This board has 1001 cells; 1000 is the limit") as refused:
        read_puz(file(nodes))
    assert refused.value.where == "line 1003"


def test_too_many_hints_are_refused() -> None:
    hints = "<HINT_LIST>" + "<HINT><IDS>0</IDS></HINT>\n" * 400 + "</HINT_LIST>"
    with pytest.raises(TooLarge, match="more than 348 hints"):
        read_puz(file(ADJACENT, hints))


def test_cell_without_coordinates_is_read() -> None:
    for place in ("", "<POS></POS>", "<POS> </POS>"):
        position = read_puz(file((ADJACENT[0], f"<EDGES>0</EDGES>{place}")))
        assert position.neighbours == ((1,), (0,))
        assert len(position.pos or ()) == 2


def test_numbers_with_extreme_exponents_are_refused_or_read() -> None:
    place = "<EDGES>1</EDGES><POS>1e{},0</POS>"
    for power in ("999", "9" * 5000):
        with pytest.raises(BadNotation, match="<POS> has a number beyond") as refused:
            read_puz(file((place.format(power), ADJACENT[1])))
        assert refused.value.where == "line 3"
    assert read_puz(file((place.format("-" + "9" * 5000), ADJACENT[1]))).neighbours == ((1,), (0,))


def test_trailing_commas_and_lines_without_cells_are_read() -> None:
    position = read_puz(file(("<EDGES>1,</EDGES><POS>0,0</POS>", ADJACENT[1])))
    assert position.neighbours == ((1,), (0,))
    lines = "<COLUMN_HINT_LIST><COLUMN_HINT><IDS></IDS></COLUMN_HINT></COLUMN_HINT_LIST>"
    position = read_puz(file(ADJACENT, lines))
    assert [(g.cells, g.kind) for g in position.groups if g.kind == "line"] == [((), "line")]


def test_edge_to_an_unknown_cell_is_refused_with_its_line() -> None:
    with pytest.raises(BadNotation) as refused:
        read_puz(file(("<EDGES>9</EDGES><POS>0,0</POS>", ADJACENT[1])))
    assert refused.value.where == "line 3"


def test_labels_of_lines_without_cells_are_distinct_and_below_the_board() -> None:
    middles = [(0.0, 0.0), (10.0, 0.0)]
    found = label_places([Group((), 0, "line")] * 3, middles, [5.0, 5.0], 10.0)
    assert len(set(found)) == 3
    assert all(at is not None and at[1] >= 10.0 for at in found)


@pytest.mark.parametrize("example", bundled(), ids=lambda e: e.title)
def test_drawing_has_every_cell_of_the_board(example: object) -> None:
    position = example.position  # type: ignore[attr-defined]  # an example
    drawn = svg(position)
    cells = len(position.neighbours) or position.board.width * position.board.height
    assert drawn.count("<polygon") + drawn.count("<path") + drawn.count("<rect") >= cells
    one = msgspec.structs.replace(position, groups=(Group((0,), 1, "line"),))
    assert svg(one).count("<text") >= 1
