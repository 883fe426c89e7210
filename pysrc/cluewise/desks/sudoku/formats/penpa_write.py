"""Links of Penpa, written: givens, borders of boxes or regions, cages, thermometers, arrows."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.constraints import regions_of
from cluewise.desks.sudoku.formats.penpa import THICK
from cluewise.desks.sudoku.position import SYMBOLS

CARRIED = frozenset(("diagonal", "antidiagonal", "diagonals", "regions", "killer", "thermometer",
                     "arrow"))  # fmt: skip
_SIDE = 38  # pixels of a cell
_DASHED, _CAGE = 12, 10  # styles of lines
_SITE = "https://swaroopg92.github.io/penpa-edit/#m=solve&p="
_NAMES = ("R", "U", "8", "S", "N", "1", "Y", "F", "2", "T", "3", "D", "0", "5", "L", "E", "W", "C",
           "4", "6", "7")  # fmt: skip
_LISTS = "T3D0567"
_GOALS = ("surface", "number", "loopline", "ignoreloopline", "loopedge", "ignoreborder", "wall",
          "square", "circle", "tri", "arrow", "math", "battleship", "tent", "star", "akari",
          "mine")  # fmt: skip


class _Points(NamedTuple):
    """Penpa's numbers for the middles and corners of a board's cells."""

    size: int

    @property
    def wide(self) -> int:
        return self.size + 4

    def middle(self, cell: int) -> int:
        return (cell // self.size + 2) * self.wide + cell % self.size + 2

    def crossing(self, row: int, col: int) -> int:
        """Where lines cross; 0, 0 is the board's upper left corner."""
        return self.wide**2 + (row + 1) * self.wide + col + 1

    def corner(self, cell: int, which: int) -> int:
        """0 to 3: upper left, upper right, lower left, lower right, within the cell."""
        return 4 * (self.wide**2 + self.middle(cell)) + which


def write_penpa(board: str, size: int, constraints: Sequence[Constraint]) -> str:
    """A link that opens the board there.

    >>> write_penpa("." * 81, 9, [])[:51]
    'https://swaroopg92.github.io/penpa-edit/#m=solve&p='
    """
    points = _Points(size)
    text = "\n".join(_lines(board, points, [c for c in constraints if c.kind in CARRIED]))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return _SITE + b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def _lines(board: str, points: _Points, constraints: Sequence[Constraint]) -> Iterator[str]:
    """The file's lines, as version 3.1 writes them."""
    size = points.size
    kinds = {one.kind for one in constraints}
    falling, rising = (int(bool({name, "diagonals"} & kinds)) for name in
                       ("diagonal", "antidiagonal"))  # fmt: skip
    half = size // 2
    centre = points.middle(half * size + half) if size % 2 else points.crossing(half, half)
    side = (size + 1) * _SIDE
    yield (f"{'sudoku' if size == 9 else 'square'},{size},{size},{_SIDE},0,1,1,{side},{side},"
           f"{centre},{centre},{falling},0,0,{rising},Title: ,Author: ,,,OFF,false")  # fmt: skip
    yield "[0,0,0,0]"
    yield '["1","2","1"]~zS~["",1]'
    empty: dict[str, Any] = {sign: [] if sign in _LISTS else {} for sign in _NAMES}
    empty |= {sign: {"z_": []} for sign in "RU8"}
    yield _short(empty | _drawn(board, points, constraints, falling, rising))
    yield ""
    middles = [points.middle(cell) for cell in range(size * size)]
    steps = [middles[0], *(b - a for a, b in pairwise(middles))]
    yield json.dumps(steps, separators=(",", ":"))
    yield "[]"
    yield json.dumps({f"sol_{goal}": False for goal in _GOALS}, separators=(",", ":"))
    yield from ('"x"', '"x"', "[3,1,4]", _modes(), '"x"', "0", _short(empty), "x")
    goals = {f"sol_or_{goal}": False for goal in _GOALS if not goal.startswith("ignore")}
    yield json.dumps(goals, separators=(",", ":"))
    yield from ("[]", "false")


def _short(drawn: dict[str, Any]) -> str:
    """JSON with every name shortened to `z` and a sign."""
    parts = (f"z{sign}:" + json.dumps(value, separators=(",", ":")).replace('"z_"', "z_")
             for sign, value in drawn.items())  # fmt: skip
    return "{" + ",".join(parts) + "}"


def _modes() -> str:
    """The tools that Penpa selects when it opens the puzzle: numbers in its sudoku mode."""
    tool = ('zM:{mode},zS:["",1],zL:["1",3],zE:["1",3],zW:["",3],zC:["1",10],zN:["1",2],'
            'zY:["circle_L",1],zP:["thermo",""],zB:["",""],"move":["1",""],'
            '"combi":["battleship",""],"sudoku":["1",9]')  # fmt: skip
    tools = (f"z{layer}:{{{tool.format(mode=mode)}}}" for layer, mode in
             (("Q", "zN"), ("A", '"sudoku"')))  # fmt: skip
    return f'{{z9:zA,zG:["1","2","1"],{",".join(tools)}}}'


def _drawn(
    board: str, points: _Points, constraints: Sequence[Constraint], falling: int, rising: int
) -> dict[str, Any]:
    """The drawing, by the sign of each name."""
    size = points.size
    numbers = {str(points.middle(i)): [str(SYMBOLS.index(c) + 1), 1, "1"]
               for i, c in enumerate(board) if c != "."}  # fmt: skip
    edges = dict.fromkeys(_borders(regions_of(constraints, size), points), THICK)
    steps = range(size)
    falls = [(points.crossing(k, k), points.crossing(k + 1, k + 1)) for k in steps if falling]
    rises = [(points.crossing(k + 1, size - 1 - k), points.crossing(k, size - k))
             for k in steps if rising]  # fmt: skip
    edges |= {f"{a},{b}": _DASHED for a, b in falls + rises}
    lines: dict[str, list[list[int]]] = {"thermometer": [], "arrow": [], "killer": []}
    small: dict[str, list[Any]] = {}
    cages: dict[str, int] = {}
    for one in constraints:
        if one.kind in lines:
            lines[one.kind].append([points.middle(cell) for cell in one.cells])
        if one.kind == "killer":
            cages |= dict.fromkeys(_outline(set(one.cells), points), _CAGE)
            if one.sum is not None:
                text = str(one.sum)
                small[str(points.corner(min(one.cells), 0))] = [f"{text:>{2 * len(text) - 1}}", 1]
    return {"N": numbers, "1": small, "T": lines["thermometer"], "3": lines["arrow"], "E": edges,
            "C": cages, "6": lines["killer"]}  # fmt: skip


def _borders(regions: Sequence[int], points: _Points) -> Iterator[str]:
    """The lines between cells of different regions, from crossing to crossing."""
    size = points.size
    for cell, region in enumerate(regions):
        row, col = divmod(cell, size)
        end = points.crossing(row + 1, col + 1)
        if col < size - 1 and regions[cell + 1] != region:
            yield f"{points.crossing(row, col + 1)},{end}"
        if row < size - 1 and regions[cell + size] != region:
            yield f"{points.crossing(row + 1, col)},{end}"


def _outline(cage: set[int], points: _Points) -> Iterator[str]:
    """The lines round a cage, within its cells, from corner to corner."""
    size = points.size
    sides = ((-size, 0, 1), (-1, 0, 2), (1, 1, 3), (size, 2, 3))  # the neighbour, and which corners

    def continues(cell: int, step: int) -> bool:
        wraps = step in (-1, 1) and (cell + step) // size != cell // size
        return cell + step in cage and not wraps

    for cell in sorted(cage):
        for step, a, b in sides:
            if not continues(cell, step):
                yield f"{points.corner(cell, a)},{points.corner(cell, b)}"
        joints = ((1, ((-size, 1, 0), (size, 3, 2))), (size, ((-1, 2, 0), (1, 3, 1))))
        for step, ends in joints:
            if continues(cell, step):
                for side, a, b in ends:
                    if not (continues(cell, side) and continues(cell + step, side)):
                        yield f"{points.corner(cell, a)},{points.corner(cell + step, b)}"
