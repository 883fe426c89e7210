"""What is drawn on a board (lines, arrows, dots, circles, words) as constraints.

>>> from cluewise.desks.sudoku.formats.rule_sentences import read_rules
>>> dot = {"center": [0.5, 1], "width": 0.3, "height": 0.3, "rounded": True,
...        "backgroundColor": "#000000"}
>>> rules = read_rules("A black dot separates digits in a 1:2 ratio.")
>>> [(one.kind, one.cells) for one in read_drawings({"overlays": [dot]}, 9, rules)]
[('ratio', (0, 1))]

The text of the rules says what a line or a mark means. Without a text only those forms are read
that every program draws alike: bulbs with lines, circles with arrows, dots, X and V, grey circles
and squares. Coordinates count cells from the upper left corner of the board, rows first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import floor
from typing import Any

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.drawing_parts import (
    BLACK,
    GREY,
    WHITE,
    Mark,
    Point,
    cells_of,
    connected,
    from_border,
    hue_distance,
    hue_of,
    is_alike,
    is_middle,
    is_straight,
    is_whole,
    items_of,
    join_lines,
    number_of,
    point_of,
    strokes_of,
)
from cluewise.desks.sudoku.formats.rule_sentences import COLOURS, Rule, Rules

_BY_COLOUR = ("whispers", "renban", "palindrome", "entropic", "regionsum", "zipper")
_BY_ENDS = ("thermometer", "slow", "between")
_LOOPS = ("renban", "regionsum", "entropic")
_OUTSIDE = ("sandwich", "xsum", "skyscraper")


def read_drawings(
    puzzle: dict[str, Any], size: int, rules: Rules | None, boxes: Sequence[int] = ()
) -> list[Constraint]:
    """The constraints that are drawn, those that only the text states, and the rest by name.

    `puzzle` has SudokuPad's keys, long or short; `rules` is None where the puzzle has no text;
    `boxes` has the region of each cell.
    """
    return _Reader(puzzle, size, rules, boxes or [0] * size**2).read()


class _Reader:
    def __init__(
        self, puzzle: dict[str, Any], size: int, rules: Rules | None, boxes: Sequence[int]
    ) -> None:
        self.size, self.rules, self.boxes = size, rules, boxes
        self.known = rules.known if rules else []
        self.kinds = {rule.kind for rule in self.known}
        self.found: list[Constraint] = []
        self.rest: set[str] = set()
        self.marks = [
            mark for key in ("underlays", "overlays") for mark in self._marks(puzzle, key)
        ]
        self.strokes = list(strokes_of(puzzle, "lines"))
        self.arrows = list(strokes_of(puzzle, "arrows"))
        self.used: set[Mark] = set()

    def read(self) -> list[Constraint]:
        self._whole_board()
        self._arrows()
        self._lines()
        self._marked()
        self._outside()
        if self.rules is not None and not self.rules.unknown:
            # All sentences are read: what none of them is about is an ornament.
            lines = self.kinds.intersection((*_BY_COLOUR, *_BY_ENDS))
            if not lines:
                self.rest.discard("drawn lines")
            if not self.kinds.intersection((*_OUTSIDE, "little", "regions", "even circle",
                                            "even square", "odd circle",
                                            "odd square")):  # fmt: skip
                self.rest.discard("drawn shapes")
            if "arrow" not in self.kinds and "little" not in self.kinds:
                self.rest.discard("drawn arrows")
        return [*self.found, *(Constraint("other", name=name) for name in sorted(self.rest))]

    def _has(self, *kinds: str) -> bool:
        """Whether the text states one of the rules; where there is no text, forms speak."""
        return self.rules is None or bool(self.kinds.intersection(kinds))

    def _add(self, kind: str, cells: Sequence[int], **more: Any) -> None:
        self.found.append(Constraint(kind, tuple(cells), **more))  # type: ignore[arg-type]

    def _marks(self, puzzle: dict[str, Any], key: str) -> Iterator[Mark]:
        for one in items_of(puzzle, key):
            place = point_of(one.get("center"))
            width, height = number_of(one.get("width")), number_of(one.get("height"))
            if place is None:
                self.rest.add("drawn shapes")
                continue
            fill = hue_of(one.get("backgroundColor"))
            text = "" if one.get("text") in (None, {}) else str(one.get("text")).strip()
            yield Mark(
                *place, width or 0, height or 0, one.get("rounded") in (True, "t"), text, fill
            )

    def _whole_board(self) -> None:
        """Rules about all cells, and diagonals."""
        size = self.size
        for kind in ("antiknight", "antiking", "nonconsecutive", "disjoint"):
            if kind in self.kinds:
                self._add(kind, ())
        for rule in self.known:
            if rule.kind == "all dots":
                if "white" in rule.colours:
                    self._add("nonconsecutive", ())
                if "black" in rule.colours:
                    self._add("negative", (), of="ratio")
            elif rule.kind == "all xv":
                self._add("negative", (), of="xv")
        drawn: dict[str, Any] = {}
        for stroke in self.strokes:
            ends = {(round(2 * r) / 2, round(2 * c) / 2) for r, c in (stroke[0][0], stroke[0][-1])}
            for margin in (0.0, 0.5):
                low, high = margin, size - margin
                if len(stroke[0]) == 2 or margin:
                    if ends == {(low, low), (high, high)} and is_straight(stroke[0]):
                        drawn.setdefault("diagonal", stroke)
                    elif ends == {(low, high), (high, low)} and is_straight(stroke[0]):
                        drawn.setdefault("antidiagonal", stroke)
        if "diagonals" in self.kinds:
            self._add("diagonals", ())
        elif "diagonal" in self.kinds or (self.rules is None and drawn):
            for kind in drawn:
                self._add(kind, ())
            if not drawn:
                self.rest.add("marked diagonals")
        if self.kinds & {"diagonals", "diagonal"} or self.rules is None:
            self.strokes = [one for one in self.strokes if one not in drawn.values()]

    def _arrows(self) -> None:
        """Arrows with circles; those outside the board belong to sums of diagonals."""
        heads = [mark for mark in self.marks if mark.rounded and not mark.text]
        whole: list[tuple[int, tuple[int, ...]]] = []
        branches: list[tuple[int, ...]] = []
        for points, _ in self.arrows:
            if not all(self._inside(point) for point in points):
                self._little(points)
                continue
            cells = cells_of(points, self.size)
            head = next(
                (mark for mark in heads if cells and cells[0] in mark.covered(self.size)), None
            )
            covered = head.covered(self.size) if head else ()
            shaft = tuple(cell for cell in cells if cell not in covered)
            if not shaft or len(covered) > 4 or not self._has("arrow"):
                self.rest.add("drawn arrows")
            elif head:
                self.used.add(head)
                whole.append((len(covered), (*covered, *shaft)))
            else:
                branches.append(cells)
        count = -1
        while branches and count != len(branches):  # a branch has the way from the circle to it
            count = len(branches)
            for branch in list(branches):
                stem = next((one for one in whole if branch[0] in one[1][one[0] :]), None)
                if stem:
                    way = stem[1][: stem[1].index(branch[0])]
                    whole.append((stem[0], way + branch))
                    branches.remove(branch)
        if branches:
            self.rest.add("drawn arrows")
        for length, cells in whole:
            self._add("arrow", cells, head=length)
        if "arrow" in self.kinds:  # circles without an arrow belong to the same rule
            self.used.update(mark for mark in heads if mark.hue == WHITE and mark.cell(self.size)
                             is not None
                             and not self.kinds & {"even circle", "odd circle"})  # fmt: skip

    def _inside(self, point: Point) -> bool:
        return all(0 <= x <= self.size for x in point)

    def _little(self, points: list[Point]) -> None:
        """The sum of the diagonal that an arrow outside the board points along."""
        (r, c), (s, d) = points[0], points[-1]
        step = ((s > r) - (s < r), (d > c) - (d < c))
        clues = [mark for mark in self.marks if mark.text.isdecimal()
                 and not (self._inside((mark.row, mark.col)))
                 and max(abs(mark.row - r), abs(mark.col - c)) < 1.1]  # fmt: skip
        clues.sort(key=lambda mark: abs(mark.row - r) + abs(mark.col - c))
        if not self._has("little") or 0 in step or not clues:
            self.rest.add("drawn arrows")
            return
        row, col = floor(r), floor(c)
        line: list[int] = []
        for _ in range(2 * self.size):
            if 0 <= row < self.size and 0 <= col < self.size:
                line.append(row * self.size + col)
            elif line:
                break
            row, col = row + step[0], col + step[1]
        if line:
            self.used.add(clues[0])
            self._add("little", line, sum=int(clues[0].text[:4]))
        else:
            self.rest.add("drawn arrows")

    def _lines(self) -> None:
        lines: dict[tuple[int, ...], list[int]] = {}
        for points, hue in self.strokes:
            cells = cells_of(points, self.size)
            if len(cells) > 1:
                same = cells if cells in lines else cells[::-1]
                lines.setdefault(same if same in lines else cells, []).extend(
                    [] if hue is None else [hue]
                )
            elif not cells or self.rules is None:
                self.rest.add("drawn lines")
        self._thermometers(lines)
        between = self._has("between") and self.rules is not None
        circles = {mark.cell(self.size): mark for mark in self.marks
                   if mark.rounded and not mark.text
                   and 0.4 < mark.width < 1}  # fmt: skip
        for cells in list(lines):
            if between and len(cells) > 2 and cells[0] in circles and cells[-1] in circles:
                self.used.update((circles[cells[0]], circles[cells[-1]]))
                self._add("between", cells)
                del lines[cells]
        by_rules: dict[tuple[Rule, ...], list[tuple[int, ...]]] = {}
        for cells, hues in lines.items():
            rules = self._rules_of(hues)
            if rules:
                by_rules.setdefault(rules, []).append(cells)
            else:
                self.rest.add("drawn lines")
        for rules, some in by_rules.items():
            for rule in rules:
                self._add_lines(rule, some)

    def _thermometers(self, lines: dict[tuple[int, ...], list[int]]) -> None:
        """Lines from a bulb, and branches of such lines."""
        kind = "slow" if "slow" in self.kinds else "thermometer"
        if not self._has(kind):
            return
        bulbs = {mark.cell(self.size): mark for mark in self.marks
                 if mark.rounded and not mark.text and 0.5 < mark.width < 1
                 and mark.hue not in (None, WHITE)}  # fmt: skip
        hues: list[int | None] = []
        reached: set[int] = set()
        more = True
        while more:
            more = False
            for cells, own in list(lines.items()):
                ends = [way for way in (cells, cells[::-1])
                        if (way[0] in bulbs and is_alike(own, bulbs[way[0]].hue))
                        or (way[0] in reached and set(own) & set(hues))]  # fmt: skip
                starts = [way for way in ends if way[0] in bulbs] or ends
                if len(starts) == 1:
                    if starts[0][0] in bulbs:
                        self.used.add(bulbs[starts[0][0]])
                    hues.extend(own)
                    reached.update(cells)
                    self._add(kind, starts[0])
                    del lines[cells]
                    more = True

    def _rules_of(self, hues: list[int]) -> tuple[Rule, ...]:
        """The rules of lines in these hues: those that name the nearest colour, else all that name
        no colour.
        """
        rules = [rule for rule in self.known if rule.kind in _BY_COLOUR]
        named = {colour for rule in rules for colour in rule.colours}
        near = sorted(
            (hue_distance(hue, COLOURS[colour]), colour) for hue in hues for colour in named
        )
        if near and near[0][0] <= 45:
            hue = COLOURS[near[0][1]]
            return tuple(rule for rule in rules if any(COLOURS[c] == hue for c in rule.colours))
        free = tuple(rule for rule in rules if not rule.colours)
        return free if len(free) == 1 or len({rule.kind for rule in rules}) == len(free) else ()

    def _add_lines(self, rule: Rule, lines: list[tuple[int, ...]]) -> None:
        """The constraints of lines of one rule; two pieces that share an end are one line."""
        ends = [cell for cells in lines for cell in {cells[0], cells[-1]}]
        pieces = lines if rule.kind == "whispers" else join_lines(lines, {
            cell for cell in ends if ends.count(cell) == 2})  # fmt: skip
        for cells in pieces:
            loop = cells[0] == cells[-1]
            one = cells[:-1] if loop else cells
            branch = any(end in other[1:-1] for other in pieces if other is not cells
                         for end in (cells[0], cells[-1]))  # fmt: skip
            branch = branch or max(map(ends.count, cells)) > 2
            if rule.kind == "whispers":
                self._add("whispers", cells, value=rule.value)
            elif branch or len(set(one)) < len(one) or (loop and rule.kind not in _LOOPS):
                self.rest.add("drawn lines")
            else:
                again = one[:2] if loop and rule.kind == "entropic" else ()
                self._add(rule.kind, (*(from_border(one, self.boxes) if loop else one), *again))

    def _marked(self) -> None:
        """Dots, X and V, quadruples, marked cells, shaded regions."""
        size = self.size
        shaded: dict[int | None, set[int]] = {}
        for mark in self.marks:
            if mark in self.used or not self._inside((mark.row, mark.col)):
                continue
            cell = mark.cell(size)
            if cell is not None and not mark.text:
                if min(mark.width, mark.height) >= 0.95:
                    shaded.setdefault(mark.hue, set()).add(cell)
                elif 0.4 < mark.width < 0.95 and 0.4 < mark.height < 0.95:
                    self._in_cell(mark, cell)
                elif mark.width and mark.hue is not None:
                    self.rest.add("drawn shapes")
            elif not self._between_cells(mark):
                self.rest.add("drawn words" if mark.text else "drawn shapes")
        for part in (part for cells in shaded.values() for part in connected(cells, size)):
            if "regions" in self.kinds and len(part) == size:
                self._add("house", part)
            else:
                self.rest.add("drawn shapes")

    def _in_cell(self, mark: Mark, cell: int) -> None:
        """A circle or a square in a cell: odd or even."""
        shape = "circle" if mark.rounded else "square"
        stated = [parity for parity in ("even", "odd") if f"{parity} {shape}" in self.kinds]
        if self.rules is None and mark.hue == GREY:
            stated = ["odd" if mark.rounded else "even"]
        if len(stated) == 1:
            self._add(stated[0], (cell,))
        else:
            self.rest.add("drawn shapes")

    def _between_cells(self, mark: Mark) -> bool:
        """Add what a mark between two or four cells says; False for other marks."""
        size, r, c = self.size, mark.row, mark.col
        if is_whole(r) and is_whole(c) and 0 < round(r) < size and 0 < round(c) < size:
            values = tuple(int(x) for x in re.findall(r"\d", mark.text))
            if not values or not self._has("quadruple") or re.search(r"[^\d\s,]", mark.text):
                return False
            at = (round(r) - 1) * size + round(c) - 1
            self._add("quadruple", (at, at + 1, at + size, at + size + 1), values=values)
            return True
        if is_whole(r) == is_whole(c) or not (is_middle(r) or is_middle(c)):
            return False
        upright = is_whole(r)
        if not 0 < round(r if upright else c) < size:
            return False
        first = (round(r) - 1) * size + floor(c) if upright else floor(r) * size + round(c) - 1
        pair = (first, first + (size if upright else 1))
        text = mark.text.upper()
        if text in ("X", "V", "Ⅹ", "Ⅴ"):
            if self._has("xv"):
                self._add("xv", pair, value=10 if text in "XⅩ" else 5)
            return self._has("xv")
        if (
            not mark.rounded
            or max(mark.width, mark.height) > 0.6
            or (text and not text.isdecimal())
        ):
            return False
        kind = {BLACK: "ratio", WHITE: "difference"}.get(mark.hue or 0, "")
        if not kind or not self._has(kind):
            return False
        self._add(kind, pair, value=int(text) if text else None)
        return True

    def _outside(self) -> None:
        """Numbers outside the board: clues of rows and columns."""
        size = self.size
        kinds = [kind for kind in _OUTSIDE if kind in self.kinds]
        for mark in self.marks:
            if mark in self.used or self._inside((mark.row, mark.col)) or not mark.text:
                continue
            row, col = floor(mark.row), floor(mark.col)
            line = range(row * size, row * size + size) if 0 <= row < size else (
                range(col, size * size, size) if 0 <= col < size else range(0))  # fmt: skip
            if len(kinds) != 1 or not line or not mark.text.isdecimal():
                self.rest.add("drawn words")
                continue
            cells = tuple(line)[:: -1 if row >= size or (0 <= row < size and col >= size) else 1]
            where = {"value" if kinds[0] == "skyscraper" else "sum": int(mark.text[:4])}
            self._add(kinds[0], cells, **where)
