"""Writer of the .puz level format: every section and field that the game and its readers expect.

Fields that were read are written unchanged; those that a board made here lacks get defaults: an ID
from a hash of its content, the seven tags of META, tiles ten units apart that do not touch, places
for the counts. A campaign is an archive of levels, each of which leads to the next.
"""

from __future__ import annotations

import io
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from cluewise.desks.mines.engine.arrangements import refuse_arranged
from cluewise.desks.mines.formats.puz.label_layout import label_places, lit_corners
from cluewise.desks.mines.formats.puz.read import COLOURS, OPENED
from cluewise.desks.mines.formats.puz.xml_reader import tag
from cluewise.desks.mines.position import (
    Graph,
    Group,
    Look,
    Number,
    Point,
    Position,
    Puz,
    graph,
)
from cluewise.desks.mines.results import CampaignLevel
from cluewise.desks.mines.sealing import with_mines
from cluewise.errors import BadInput

PITCH = 10  # units of a file from tile to tile
SHRINK = 0.96  # tiles of our own boards do not touch
DATE = (2018, 1, 1, 0, 0, 0)  # the same puzzles give the same bytes
BARS = "▁▂▃▄▅▆▇█"
SQUARE = ((-5, -5), (5, -5), (5, 5), (-5, 5))
META = (("TILE_TEXT", ""), ("NEXT_PUZZLE_ID", ""), ("UNLOCKED_BY_AMOUNT", "false"),
        ("REQUIRE_ALL_UNLOCK_PUZZLES", "true"), ("REQUIRE_PERFECT", "false"),
        ("UNLOCK_PUZZLES", ""), ("UNLOCK_AMOUNT", "0"))  # fmt: skip
TITLE = "Mine board"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def write_puz(position: Position) -> str:
    """Return the puzzle as a .puz file; reading and writing it again gives the same bytes.

    Raises BadInput for a position without its mines.
    """
    puzzle = with_mines(position)
    refuse_arranged(puzzle)
    if puzzle.mines is None:
        raise BadInput(
            "Only a puzzle can be written as .puz: the mines of this board are not known."
        )
    return _Writer(puzzle).text()


def level_id(position: Position) -> str:
    """Return the ID of a level: its own, or `Y` and a hash of its content in base 36."""
    if position.puz and position.puz.id:
        return position.puz.id
    board, known = graph(position), with_mines(position)
    content = (board.neighbours, [g.cells for g in board.groups], known.mines, known.secret,
            position.start or [r.cell for r in position.revealed])  # fmt: skip
    data = msgspec.json.encode(content)
    number = zlib.crc32(data) << 32 | zlib.crc32(data[::-1])
    name = ""
    while number:
        number, digit = divmod(number, len(DIGITS))
        name = DIGITS[digit] + name
    return f"Y{name or '0'}"


def listed_as(position: Position, name: str | None, meta: Mapping[str, str | None]) -> Position:
    """Return the puzzle with that ID and those tags of META; None leaves one unchanged."""
    extras = position.puz or Puz()
    texts = {k: v for k, v in meta.items() if v is not None}
    if not texts and name is None:
        return position
    merged = tuple((dict(extras.meta or ()) | texts).items())
    puz = msgspec.structs.replace(extras, id=name or extras.id, meta=merged)
    return msgspec.structs.replace(position, puz=puz)


class _Writer:
    """Writer of one file: the puzzle in the file's units, and the lines of each section."""

    def __init__(self, puzzle: Position) -> None:
        self.puzzle, self.board = puzzle, graph(puzzle)
        self.extras = puzzle.puz or Puz()
        self.ids = self.extras.node_ids or tuple(str(i) for i in range(self.board.cells))
        self.places = [self.place(p) for p in self.middles()]
        self.shapes = self.polygons()
        self.mines, self.secret = frozenset(puzzle.mines or ()), frozenset(puzzle.secret)
        opened = puzzle.start if puzzle.start is not None else [r.cell for r in puzzle.revealed]
        by_game = OPENED.get(self.extras.id, "").split(",")
        self.opened = {c for c in opened if self.ids[c] not in by_game}

    # ------------------------------------------------------------ measures

    def middles(self) -> Sequence[Point]:
        """Return the places of the cells, in units of the position."""
        if self.puzzle.pos is not None:
            return self.puzzle.pos
        unit, cells = self.puzzle.unit, range(self.board.cells)
        wide = self.puzzle.board.width if self.puzzle.board else math.isqrt(len(cells) - 1) + 1
        return [(c % wide * unit, c // wide * unit) for c in cells]

    def measure(self, value: Number) -> Decimal:
        """Return a length of the position in units of the file."""
        if self.extras.scale:
            return Decimal(repr(value)) / self.extras.scale
        return round(Decimal(repr(value)) * PITCH / self.puzzle.unit, 4)

    def place(self, point: Point) -> tuple[Decimal, Decimal]:
        """Return a point in units of the file."""
        return self.measure(point[0]), self.measure(point[1])

    def polygons(self) -> list[tuple[tuple[Decimal, Decimal], ...]]:
        """Return every cell's shape in units of the file; squares if the position has none."""
        step = PITCH if not self.extras.scale else self.measure(self.puzzle.unit)
        shrink = Decimal(1) if self.extras.scale else Decimal(repr(SHRINK))
        kinds = [
            tuple((round(x * shrink, 4), round(y * shrink, 4)) if shrink != 1 else (x, y)
                  for x, y in map(self.place, shape))
            for shape in self.puzzle.polygons or ()
        ]  # fmt: skip
        if not kinds:
            half = Decimal(repr(SHRINK)) * step / PITCH
            kinds = [tuple((x * half, y * half) for x, y in SQUARE)]
        which = self.puzzle.polygon_of or (0,) * self.board.cells
        return [kinds[k] for k in which]

    # ------------------------------------------------------------ the file

    def text(self) -> str:
        """Return the file."""
        corner = self.extras.corner_flag
        if corner is None:
            corner = "true" if corners_touch(self.board, self.shapes) else "false"
        lines = [
            "<PUZZLE>",
            tag(1, "ID", level_id(self.puzzle)),
            "  <META>",
            *(tag(2, name, text) for name, text in self.meta()),
            *self.unknown("PUZZLE/META", 2),
            "  </META>",
            tag(1, "TITLE", self.puzzle.title or TITLE),
            *self.unknown("PUZZLE", 1),
            "  <GRAPH>",
            *self.unknown("PUZZLE/GRAPH", 2),
            *(line for cell in range(self.board.cells) for line in self.node(cell)),
            "  </GRAPH>",
            *self.colours(),
            *self.lines(),
            tag(1, "TEXT", self.extras.text or ""),
            tag(1, "TEXT_POS", self.extras.text_pos or "0.0,0.0"),
            tag(1, "CORNER_FLAG", corner),
            "</PUZZLE>",
            "",
        ]
        return "\n".join(lines)

    def unknown(self, path: str, depth: int) -> list[str]:
        """Return the lines of unknown elements that were read at this path."""
        return ["  " * depth + raw for where, raw in self.extras.unknown if where == path]

    def meta(self) -> Sequence[tuple[str, str]]:
        """Return the seven tags of the level list, and others that were read."""
        held = dict(self.extras.meta or ())
        held.setdefault("TILE_TEXT", _tile(self.puzzle.title or TITLE))
        order = [name for name, _ in self.extras.meta or ()]
        order += [name for name, _ in META if name not in order]
        return [(name, held.get(name, dict(META).get(name, ""))) for name in order]

    def node(self, cell: int) -> list[str]:
        """Return the lines of one tile."""
        path = f"PUZZLE/GRAPH/NODE[{cell}]"
        look = self.look(cell)
        lines = [
            "    <NODE>",
            tag(3, "ID", self.ids[cell]),
            tag(3, "EDGES", self.named(self.board.neighbours[cell])),
            tag(3, "POS", _flat([self.places[cell]])),
            "      <POLY>",
            tag(4, "POINTS", _flat(self.shapes[cell])),
        ]
        for name, text in (("HIGHLIGHTS", look.highlights), ("HIGHLIGHTS_TAPER_START", look.start),
                           ("HIGHLIGHTS_TAPER_END", look.end)):  # fmt: skip
            lines += [] if text is None else [tag(4, name, text)]
        lines += [*self.unknown(f"{path}/POLY", 4), "      </POLY>"]
        for name, text in (("X_SCALING", look.x_scaling), ("Y_SCALING", look.y_scaling)):
            lines += [] if text is None else [tag(3, name, text)]
        for name, cells in (("REVEALED", self.opened), ("HAS_MINE", self.mines),
                            ("SECRET", self.secret)):  # fmt: skip
            lines += [tag(3, name, "true")] if cell in cells else []
        return [*lines, *self.unknown(path, 3), "    </NODE>"]

    def look(self, cell: int) -> Look:
        """Return how a tile is lit: as it was read, or as squares are."""
        if self.extras.looks:
            return self.extras.looks[self.extras.look_of[cell] if self.extras.look_of else 0]
        if self.extras.scale:
            return Look()
        shape = [(float(x), float(y)) for x, y in self.shapes[cell]]
        return Look(lit_corners(shape), "true", "true")

    def named(self, cells: Sequence[int]) -> str:
        """Return the IDs of cells."""
        return ",".join(self.ids[c] for c in cells)

    def colours(self) -> list[str]:
        """Return the coloured sets; the game itself counts the tiles without a colour."""
        lines = ["  <HINT_LIST>", *self.unknown("PUZZLE/HINT_LIST", 2)]
        groups = [g for g in self.board.groups if _is_hint(g)]
        used = {g.colour for g in groups}
        free = [c for c in COLOURS if c not in used] or list(COLOURS)
        for i, group in enumerate(groups):
            lines += ["    <HINT>", tag(3, "IDS", self.named(group.cells))]
            raw = self.unknown(f"PUZZLE/HINT_LIST/HINT[{i}]", 3)
            if group.colour or not any("<COLOR" in r.upper() for r in raw):
                # Readers of the format need a COLOR: one that no other set has.
                colour = group.colour or (free.pop(0) if len(free) > 1 else free[0])
                lines.append(tag(3, "COLOR", colour))
            if not any("IS_DARK" in r.upper() for r in raw):
                lines.append(tag(3, "IS_DARK", "true" if group.dark else "false"))
            lines += [*raw, "    </HINT>"]
        return [*lines, "  </HINT_LIST>"]

    def lines(self) -> list[str]:
        """Return the counts next to the board, each with its place."""
        groups = [
            g for g in self.board.groups if g.kind not in ("total", "rest") and not _is_hint(g)
        ]
        lines = ["  <COLUMN_HINT_LIST>", *self.unknown("PUZZLE/COLUMN_HINT_LIST", 2)]
        for i, (group, at) in enumerate(zip(groups, self.label_places(groups), strict=True)):
            turn = group.label[2] if group.label else 0
            lines += [
                "    <COLUMN_HINT>",
                tag(3, "IDS", self.named(group.cells)),
                tag(3, "TEXT_LOCATION", _flat([at])),
                tag(3, "TEXT_ROTATION", repr(float(turn))),
                tag(3, "TEXT_SIZE_FACTOR", repr(float(group.text_size))),
                *([tag(3, "BENT", "true")] if group.bent else []),
                *self.unknown(f"PUZZLE/COLUMN_HINT_LIST/COLUMN_HINT[{i}]", 3),
                "    </COLUMN_HINT>",
            ]
        return [*lines, "  </COLUMN_HINT_LIST>"]

    def label_places(self, groups: Sequence[Group]) -> list[tuple[Decimal, Decimal]]:
        """Return the place of each count, in units of the file."""
        step = float(self.measure(self.puzzle.unit))
        middles = [(float(x), float(y)) for x, y in self.places]
        radius = [max(math.hypot(float(x), float(y)) for x, y in s) for s in self.shapes]
        given = [None if g.label is None else self.place((g.label[0], g.label[1])) for g in groups]
        measured = [
            g if at is None else msgspec.structs.replace(g, label=(float(at[0]), float(at[1]), 0))
            for g, at in zip(groups, given, strict=True)
        ]
        placed = label_places(measured, middles, radius, step)
        found: list[tuple[Decimal, Decimal]] = []
        for at, own in zip(given, placed, strict=True):
            if at is not None:
                found.append(at)
            elif own is not None:
                x, y = own
                found.append((Decimal(repr(round(x, 4))), Decimal(repr(round(y, 4)))))
        return found


def _is_hint(group: Group) -> bool:
    """Return whether a file has the group as a coloured set, not as a line."""
    return group.kind == "colour" or (group.colour is not None and group.kind != "rest")


def corners_touch(board: Graph, shapes: Sequence[Sequence[object]]) -> bool:
    """Return whether tiles that share only a corner are neighbours."""
    return any(len(near) > len(shape) for near, shape in zip(board.neighbours, shapes, strict=True))


def _tile(title: str) -> str:
    """Return a default text of at most three characters for the level list."""
    words = re.findall(r"\w+", title)
    letters = "".join(w[0] for w in words) if len(words) > 1 else "".join(words)
    return letters[:3].upper()


def _flat(points: Sequence[tuple[Decimal, Decimal]]) -> str:
    """Return `x0,y0,x1,y1`."""
    return ",".join(_number(n) for point in points for n in point)


def _number(value: Decimal) -> str:
    if value == 0:
        return "0"
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def write_campaign(levels: Sequence[CampaignLevel]) -> bytes:
    """Return a .zip with the levels in order, and `campaign.txt` with the order and every curve.

    Raises BadInput if two levels have one ID: the game would show only one of them.
    """
    import zipfile  # the page starts without it

    ids = [level_id(level.puzzle) for level in levels]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            both = f"Levels {ids.index(name) + 1} and {i + 1}"
            raise BadInput(f"{both} have the same ID {name}: the game would show only one of them.")
    lines = ["order  id  score  title  curve"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # stored as they are: the same bytes everywhere
        for i, (level, name) in enumerate(zip(levels, ids, strict=True)):
            after = ids[i + 1] if i + 1 < len(ids) else ""
            text = write_puz(listed_as(level.puzzle, name, {"NEXT_PUZZLE_ID": after}))
            archive.writestr(zipfile.ZipInfo(f"{i + 1:03d}-{name}.puz", DATE), text)
            score = "–" if level.score is None else f"{level.score:.2f}"
            curve = "".join(BARS[min(step, 8) - 1] for step in level.steps)
            lines.append(f"{i + 1}  {name}  {score}  {level.puzzle.title or '–'}  {curve}")
        archive.writestr(zipfile.ZipInfo("campaign.txt", DATE), "\n".join(lines) + "\n")
    return out.getvalue()
