"""Mine boards from screenshots: complete readings, and doubtful tiles and numbers listed."""

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace
from PIL import Image, ImageDraw

from cluewise import service
from cluewise.core import svg
from cluewise.desks.mines import drawing
from cluewise.desks.mines.ocr import groups
from cluewise.desks.mines.position import Group, Position, Rectangle, Revealed, graph
from cluewise.errors import BadInput
from commands import Command
from reference.mines_pictures import LOOKS, drawn, worn
from reference.sudoku_boards import options

KINDS = ("corner-bite", "hex", "colours", "combination-lock", "holey")
# Of a board with mines in cells 1, 8 and 11.
GRID = Position(
    board=Rectangle("square", 4, 3, rows=(1, None, 2), columns=(None, 1, 0, 1)),
    revealed=(Revealed(0, 1), Revealed(5, 2), Revealed(6, None), Revealed(10, 1)), flags=(1,),
)  # fmt: skip


def read(picture: Image.Image) -> Any:
    return service.run({"desk": "mines", "want": "photo", "options": options(picture)})


def position_of(found: Any) -> Position:
    return convert(found["position"], Position)


def played(kind: str, seed: int) -> Position:
    """Return a generated board in the middle of a game."""
    rng = random.Random(seed)
    wish = {"board": kind, "seed": seed, "size": 4 if kind == "hex" else 7}
    made = convert(service.run({"desk": "mines", "want": "generate", "options": wish}), Position)
    board, mines = graph(made), set(made.mines or ())
    opened = [c for c in range(board.cells) if c not in mines and rng.random() < 0.5]
    numbers = tuple(
        Revealed(c, None if rng.random() < 0.1 else len(mines & set(board.neighbours[c])))
        for c in opened
    )
    flags = tuple(sorted(c for c in mines if rng.random() < 0.3))
    return replace(made, revealed=numbers, flags=flags, mines=None, secret=(), rating=None)


def cells(position: Position) -> dict[int, object]:
    shown: dict[int, object] = {one.cell: one.number for one in position.revealed}
    return shown | dict.fromkeys(position.flags, "flag")


def counts(position: Position) -> set[tuple[frozenset[int], int]]:
    """Return the counted sets; open cells of a colour are mine-free and may be missing."""
    opened = {one.cell for one in position.revealed}
    groups = [g for g in graph(position).groups if g.kind != "total"]
    return {(frozenset(g.cells) - (opened if g.colour else set()), g.count) for g in groups}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", KINDS)
def test_drawn_board_is_read_completely_in_every_theme(kind: str, look: str) -> None:
    seed = KINDS.index(kind)
    board, rng = played(kind, seed), random.Random(seed)
    picture = drawn(board, look, rng.uniform(36, 60), rng.choice((0, 0.25, 0.5)))
    for seen in (picture, worn(picture, 0.6, rng.uniform(0.9, 1.3), 85)):
        found = read(seen)
        assert graph(position_of(found)).neighbours == graph(board).neighbours
        assert cells(position_of(found)) == cells(board)
        # The small count of a colour may be too blurred to be read: it is then listed.
        opened = {one.cell for one in board.revealed}
        asked = {frozenset(one["cells"]) - opened for one in found["uncounted"]}
        read_counts = counts(position_of(found))
        assert read_counts <= counts(board)
        assert {these for these, _ in counts(board) - read_counts} == asked
        assert (found["unread"], found["unplaced"]) == ([], [])
        assert found["consistent"]


def test_reader_and_drawing_use_the_same_colours() -> None:
    assert {name: svg.PEGS[tint] for name, tint in drawing.TINTS.items()} == groups.TINTS
    assert (groups.SURFACE, groups.WOOD) == (svg.SURFACE, svg.WOOD)


@pytest.mark.parametrize("look", LOOKS)
def test_drawn_colours_are_read_with_their_names(look: str) -> None:
    group = Group((0, 1, 4, 5), 2, "colour", "RED")
    board = replace(GRID, groups=(group, Group((2, 3), 1, "colour", "BLUE")), revealed=(), flags=())
    found = position_of(read(drawn(board, look, 72)))
    assert [(g.cells, g.count, g.colour) for g in found.groups] == [
        (g.cells, g.count, g.colour) for g in board.groups
    ]


def test_rectangle_is_read_in_short_form_with_its_counts() -> None:
    found = read(drawn(GRID, "light", 44))
    assert position_of(found) == GRID
    assert len(found["middles"]) == 12
    assert found["pitch"] == pytest.approx(44, abs=0.2)


@pytest.mark.parametrize("shape", ["Z", "##"])
def test_unclear_tile_is_listed_as_doubtful(shape: str) -> None:
    picture = drawn(GRID, "dark", 48)
    x, y = read(picture)["middles"][5]
    pen = ImageDraw.Draw(picture)
    pen.rectangle((x - 14, y - 14, x + 14, y + 14), picture.getpixel((int(x) - 16, int(y))))
    pen.text((x, y), shape, "white", font_size=20, anchor="mm")
    assert 5 in read(picture)["doubtful"]


def test_number_off_all_lines_is_listed_and_not_used() -> None:
    picture = drawn(GRID, "light", 48)
    wide = Image.new("RGB", (picture.width + 120, picture.height), "white")
    wide.paste(picture)
    pen = ImageDraw.Draw(wide)
    pen.text((picture.width + 20, 12), "13", "black", font_size=24, anchor="mm")
    found = read(wide)
    assert [one["number"] for one in found["unplaced"]] == [13]
    assert position_of(found) == GRID


def test_colour_without_a_count_is_listed_as_uncounted() -> None:
    board = replace(
        GRID, groups=(Group((0, 1, 4, 5), 2, "colour", "GREEN"),), revealed=(), flags=()
    )
    picture = drawn(board, "light", 60)
    x, y = read(picture)["middles"][0]
    pen = ImageDraw.Draw(picture)
    face = picture.getpixel((int(x), int(y)))
    pen.rectangle((x - 26, y - 26, x + 26, y + 26), face)
    found = read(picture)
    assert found["position"].get("groups", []) == []
    assert [(one["colour"], one["cells"]) for one in found["uncounted"]] == [
        ("GREEN", [0, 1, 4, 5])
    ]


def test_contradictory_board_is_marked_as_inconsistent() -> None:
    board = replace(GRID, revealed=(Revealed(0, 3),), board=Rectangle("square", 4, 3, (0, 0, 0)))
    assert not read(drawn(board, "dark", 44))["consistent"]


def test_picture_without_tiles_is_refused() -> None:
    for picture in (Image.new("L", (300, 200), 255), Image.effect_noise((200, 150), 60)):
        with pytest.raises(BadInput, match="No board was found"):
            read(picture)


def test_terminal_reads_and_imports_screenshots(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "shot.png"
    drawn(GRID, "game", 44).save(file)
    status, out, err = command("mines", "photo", str(file))
    assert (status, out, err) == (0, "12 square tiles: 4 open, 1 flag, 5 counts.\n", "")
    status, out, _ = command("mines", "import", str(file))
    assert status == 0
    assert '"width":4' in out.replace(" ", "")
