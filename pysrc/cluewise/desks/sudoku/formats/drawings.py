"""Constraints that are only drawn on a board: lines, arrows, dots, circles, texts.

>>> from cluewise.desks.sudoku.formats.rule_sentences import read_rules
>>> dot = {"center": [0.5, 1], "width": 0.3, "height": 0.3, "rounded": True,
...        "backgroundColor": "#000000"}
>>> rules = read_rules("A black dot separates digits in a 1:2 ratio.")
>>> [(one.kind, one.cells) for one in read_drawings({"overlays": [dot]}, 9, rules)]
[('ratio', (0, 1))]

A rule-based classifier. The sentences of the puzzle's rules (`rule_sentences`) state the kinds of
constraints; form, place and hue assign each drawn object to one of them. Without rules
only the forms that every program draws alike are classified: bulbs with lines, circles with arrows,
dots, X and V, grey circles and squares. Objects without a kind become `other` constraints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import floor
from typing import Any

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.drawing_parts import (
    BLACK,
    GREY,
    WHITE,
    Overlay,
    Point,
    cells_of,
    clued_line,
    connected_components,
    diagonal_kind,
    has_similar_hue,
    hue_distance,
    is_border,
    is_middle,
    join_lines,
    read_overlays,
    read_polylines,
    rotate_to_border,
)
from cluewise.desks.sudoku.formats.rule_sentences import COLOURS, Rule, Rules

_BY_COLOUR = ("whispers", "renban", "palindrome", "entropic", "regionsum", "zipper")
_BY_ENDS = ("thermometer", "slow", "between")
_LOOPS = ("renban", "regionsum", "entropic")
_OUTSIDE = ("sandwich", "xsum", "skyscraper")
_LARGEST_DISTANCE = 45  # degrees between a line's hue and the colour that a rule names
# The kinds without which drawn objects are ornaments, where all sentences are understood.
_NEEDED = {
    "drawn lines": (*_BY_COLOUR, *_BY_ENDS),
    "drawn shapes": (*_OUTSIDE, "little", "regions", "even circle", "even square", "odd circle",
                     "odd square"),
    "drawn arrows": ("arrow", "little"),
}  # fmt: skip


def read_drawings(
    puzzle: dict[str, Any], size: int, rules: Rules | None, boxes: Sequence[int] = ()
) -> list[Constraint]:
    """The constraints that are drawn, those that only the text states, and the rest by name.

    `puzzle` has SudokuPad's keys, long or short; `rules` is None where the puzzle has no text;
    `boxes` has the region of each cell.
    """
    return _Classifier(puzzle, size, rules, boxes or [0] * size**2).classify()


class _Classifier:
    """Each step takes the objects that it explains, so their order matters."""

    def __init__(
        self, puzzle: dict[str, Any], size: int, rules: Rules | None, boxes: Sequence[int]
    ) -> None:
        self.size, self.rules, self.boxes = size, rules, boxes
        self.stated = rules.known if rules else []
        self.kinds = {rule.kind for rule in self.stated}
        self.constraints: list[Constraint] = []
        self.unexplained: set[str] = set()
        overlays = list(read_overlays(puzzle))
        self.overlays = [one for one in overlays if one]
        if None in overlays:
            self.unexplained.add("drawn shapes")
        self.lines = list(read_polylines(puzzle, "lines"))
        self.arrows = list(read_polylines(puzzle, "arrows"))
        self.used: set[Overlay] = set()

    def classify(self) -> list[Constraint]:
        self._add_global()
        self._add_diagonals()
        self._add_arrows()
        self._add_lines()
        self._add_marks()
        self._add_outside_clues()
        if self.rules is not None and not self.rules.unknown:
            self.unexplained -= {
                name for name, kinds in _NEEDED.items() if self.kinds.isdisjoint(kinds)
            }
        others = (Constraint("other", name=name) for name in sorted(self.unexplained))
        return [*self.constraints, *others]

    def _may_have(self, *kinds: str) -> bool:
        """Whether the text states one of these kinds; without a text any form may be one."""
        return self.rules is None or not self.kinds.isdisjoint(kinds)

    def _add(self, kind: str, cells: Sequence[int] = (), **fields: Any) -> None:
        self.constraints.append(Constraint(kind, tuple(cells), **fields))  # type: ignore[arg-type]

    def _is_inside(self, point: Point) -> bool:
        return all(0 <= x <= self.size for x in point)

    def _add_global(self) -> None:
        """Rules about the whole board, which only the text states."""
        for kind in ("antiknight", "antiking", "nonconsecutive", "disjoint"):
            if kind in self.kinds:
                self._add(kind)
        for rule in self.stated:
            if rule.kind == "all dots":
                if "white" in rule.colours:
                    self._add("nonconsecutive")
                if "black" in rule.colours:
                    self._add("negative", of="ratio")
            elif rule.kind == "all xv":
                self._add("negative", of="xv")

    def _add_diagonals(self) -> None:
        drawn: dict[str, Any] = {}
        for line in self.lines:
            kind = diagonal_kind(line.points, self.size)
            if kind:
                drawn.setdefault(kind, line)
        if "diagonals" in self.kinds:
            self._add("diagonals")
        elif "diagonal" in self.kinds or self.rules is None:
            for kind in drawn:
                self._add(kind)
            if not drawn and self.rules is not None:
                self.unexplained.add("marked diagonals")
        if self._may_have("diagonals", "diagonal"):
            self.lines = [line for line in self.lines if line not in drawn.values()]

    # -- arrows ------------------------------------------------------------------------------------

    def _add_arrows(self) -> None:
        """Arrows with circles; those outside the board belong to sums of diagonals."""
        circles = [one for one in self.overlays if one.rounded and not one.text]
        arrows: list[tuple[int, tuple[int, ...]]] = []  # cells of the head; head and shaft
        branches: list[tuple[int, ...]] = []
        for points, _ in self.arrows:
            if not all(map(self._is_inside, points)):
                self._add_little_killer(points)
                continue
            cells = cells_of(points, self.size)
            circle = next(
                (one for one in circles if cells and cells[0] in one.covered(self.size)), None
            )
            head = circle.covered(self.size) if circle else ()
            shaft = tuple(cell for cell in cells if cell not in head)
            if not shaft or len(head) > 4 or not self._may_have("arrow"):
                self.unexplained.add("drawn arrows")
            elif circle:
                self.used.add(circle)
                arrows.append((len(head), (*head, *shaft)))
            else:
                branches.append(cells)
        count = -1
        while branches and count != len(branches):
            count = len(branches)
            for branch in list(branches):
                stem = next((one for one in arrows if branch[0] in one[1][one[0] :]), None)
                if stem:  # a branch is an arrow that begins with the cells from the circle to it
                    arrows.append((stem[0], stem[1][: stem[1].index(branch[0])] + branch))
                    branches.remove(branch)
        if branches:
            self.unexplained.add("drawn arrows")
        for length, cells in arrows:
            self._add("arrow", cells, head=length)
        if "arrow" in self.kinds and not self.kinds & {"even circle", "odd circle"}:
            # circles without an arrow belong to the same rule
            self.used.update(one for one in circles if one.hue == WHITE and one.cell(self.size)
                             is not None)  # fmt: skip

    def _add_little_killer(self, points: list[Point]) -> None:
        """The sum of the diagonal that an arrow outside the board points along."""
        (r, c), (s, d) = points[0], points[-1]
        down, right = ((s > r) - (s < r), (d > c) - (d < c))
        clues = [one for one in self.overlays if one.text.isdecimal()
                 and not self._is_inside((one.row, one.col))
                 and max(abs(one.row - r), abs(one.col - c)) < 1.1]  # fmt: skip
        cells = [
            (floor(r) + i * down) * self.size + floor(c) + i * right
            for i in range(2 * self.size)
            if 0 <= floor(r) + i * down < self.size and 0 <= floor(c) + i * right < self.size
        ]
        if not self._may_have("little") or 0 in (down, right) or not clues or not cells:
            self.unexplained.add("drawn arrows")
            return
        clue = min(clues, key=lambda one: abs(one.row - r) + abs(one.col - c))
        self.used.add(clue)
        self._add("little", cells, sum=int(clue.text[:4]))

    # -- lines -------------------------------------------------------------------------------------

    def _add_lines(self) -> None:
        lines: dict[tuple[int, ...], list[int]] = {}  # the hues of all strokes along a line
        for points, hue in self.lines:
            cells = cells_of(points, self.size)
            if len(cells) > 1:
                key = cells[::-1] if cells not in lines and cells[::-1] in lines else cells
                lines.setdefault(key, []).extend([] if hue is None else [hue])
            elif not cells or self.rules is None:
                self.unexplained.add("drawn lines")
        self._add_thermometers(lines)
        self._add_between_lines(lines)
        by_rules: dict[tuple[Rule, ...], list[tuple[int, ...]]] = {}
        for cells, hues in lines.items():
            rules = self._rules_of(hues)
            if rules:
                by_rules.setdefault(rules, []).append(cells)
            else:
                self.unexplained.add("drawn lines")
        for rules, of_rules in by_rules.items():
            for rule in rules:
                self._add_lines_of(rule, of_rules)

    def _add_between_lines(self, lines: dict[tuple[int, ...], list[int]]) -> None:
        """Take the lines from circle to circle out of `lines`."""
        if "between" not in self.kinds:
            return
        circles = {one.cell(self.size): one for one in self.overlays
                   if one.rounded and not one.text and 0.4 < one.width < 1}  # fmt: skip
        for cells in list(lines):
            if len(cells) > 2 and cells[0] in circles and cells[-1] in circles:
                self.used.update((circles[cells[0]], circles[cells[-1]]))
                self._add("between", cells)
                del lines[cells]

    def _add_thermometers(self, lines: dict[tuple[int, ...], list[int]]) -> None:
        """Take the lines from a bulb, and branches of such lines, out of `lines`."""
        kind = "slow" if "slow" in self.kinds else "thermometer"
        if not self._may_have(kind):
            return
        bulbs = {one.cell(self.size): one for one in self.overlays
                 if one.rounded and not one.text and 0.5 < one.width < 1
                 and one.hue not in (None, WHITE)}  # fmt: skip
        hues: set[int] = set()
        reached: set[int] = set()
        count = -1
        while count != len(lines):
            count = len(lines)
            for cells, own in list(lines.items()):
                from_end = [way for way in (cells, cells[::-1])
                            if (way[0] in bulbs and has_similar_hue(own, bulbs[way[0]].hue))
                            or (way[0] in reached and not hues.isdisjoint(own))]  # fmt: skip
                starts = [way for way in from_end if way[0] in bulbs] or from_end
                if len(starts) == 1:
                    if starts[0][0] in bulbs:
                        self.used.add(bulbs[starts[0][0]])
                    hues.update(own)
                    reached.update(cells)
                    self._add(kind, starts[0])
                    del lines[cells]

    def _rules_of(self, hues: list[int]) -> tuple[Rule, ...]:
        """The rules of lines in these hues: those that name the nearest colour, else all that name
        no colour.
        """
        rules = [rule for rule in self.stated if rule.kind in _BY_COLOUR]
        named = {COLOURS[colour] for rule in rules for colour in rule.colours}
        distance, nearest = min(
            ((hue_distance(hue, colour), colour) for hue in hues for colour in named),
            default=(999, 0),
        )
        if distance <= _LARGEST_DISTANCE:
            return tuple(rule for rule in rules if any(COLOURS[c] == nearest for c in rule.colours))
        free = tuple(rule for rule in rules if not rule.colours)
        return free if len(free) == 1 or len({rule.kind for rule in rules}) == len(free) else ()

    def _add_lines_of(self, rule: Rule, lines: list[tuple[int, ...]]) -> None:
        """The constraints of lines of one rule; two lines that share an end are one."""
        ends = [cell for cells in lines for cell in {cells[0], cells[-1]}]
        if rule.kind == "whispers":  # a rule about pairs of neighbours
            for cells in lines:
                self._add("whispers", cells, value=rule.value)
            return
        joined = join_lines(lines, {cell for cell in ends if ends.count(cell) == 2})
        for cells in joined:
            is_loop = cells[0] == cells[-1]
            once = cells[:-1] if is_loop else cells
            branches = max(map(ends.count, cells)) > 2 or any(
                end in other[1:-1] for other in joined if other is not cells
                for end in (cells[0], cells[-1]))  # fmt: skip
            if branches or len(set(once)) < len(once) or (is_loop and rule.kind not in _LOOPS):
                self.unexplained.add("drawn lines")
                continue
            again = once[:2] if is_loop and rule.kind == "entropic" else ()
            self._add(rule.kind, (*rotate_to_border(once, self.boxes), *again) if is_loop else once)

    # -- overlays ----------------------------------------------------------------------------------

    def _add_marks(self) -> None:
        """Dots, X and V, quadruples, marked cells, shaded regions."""
        shaded: dict[int | None, set[int]] = {}
        for one in self.overlays:
            if one in self.used or not self._is_inside((one.row, one.col)):
                continue
            cell = one.cell(self.size)
            if cell is not None and not one.text:
                if min(one.width, one.height) >= 0.95:
                    shaded.setdefault(one.hue, set()).add(cell)
                elif 0.4 < one.width < 0.95 and 0.4 < one.height < 0.95:
                    self._add_parity(one, cell)
                elif one.width and one.hue is not None:
                    self.unexplained.add("drawn shapes")
            elif not (self._add_quadruple(one) or self._add_pair(one)):
                self.unexplained.add("drawn words" if one.text else "drawn shapes")
        for cells in shaded.values():
            for region in connected_components(cells, self.size):
                if "regions" in self.kinds and len(region) == self.size:
                    self._add("house", region)
                else:
                    self.unexplained.add("drawn shapes")

    def _add_parity(self, one: Overlay, cell: int) -> None:
        """A circle or a square in a cell: odd or even."""
        shape = "circle" if one.rounded else "square"
        stated = [parity for parity in ("even", "odd") if f"{parity} {shape}" in self.kinds]
        if self.rules is None and one.hue == GREY:
            stated = ["odd" if one.rounded else "even"]
        if len(stated) == 1:
            self._add(stated[0], (cell,))
        else:
            self.unexplained.add("drawn shapes")

    def _add_quadruple(self, one: Overlay) -> bool:
        """Whether it is a quadruple: digits where four cells meet."""
        size, row, col = self.size, round(one.row), round(one.col)
        if not (is_border(one.row) and is_border(one.col) and 0 < row < size and 0 < col < size):
            return False
        values = tuple(int(x) for x in re.findall(r"\d", one.text))
        if not values or not self._may_have("quadruple") or re.search(r"[^\d\s,]", one.text):
            return False
        first = (row - 1) * size + col - 1
        self._add("quadruple", (first, first + 1, first + size, first + size + 1), values=values)
        return True

    def _add_pair(self, one: Overlay) -> bool:
        """Whether it is an X, a V or a dot between two cells."""
        size, r, c = self.size, one.row, one.col
        if is_border(r) == is_border(c) or not (is_middle(r) or is_middle(c)):
            return False
        step = size if is_border(r) else 1
        if not 0 < round(r if is_border(r) else c) < size:
            return False
        row, col = (round(r) - 1, floor(c)) if is_border(r) else (floor(r), round(c) - 1)
        pair = (row * size + col, row * size + col + step)
        text = one.text.upper()
        if text in ("X", "V", "Ⅹ", "Ⅴ"):
            if self._may_have("xv"):
                self._add("xv", pair, value=10 if text in "XⅩ" else 5)
            return self._may_have("xv")
        is_dot = one.rounded and max(one.width, one.height) <= 0.6
        kind = {BLACK: "ratio", WHITE: "difference"}.get(one.hue or 0, "")
        if not is_dot or (text and not text.isdecimal()) or not kind or not self._may_have(kind):
            return False
        self._add(kind, pair, value=int(text) if text else None)
        return True

    def _add_outside_clues(self) -> None:
        """Numbers outside the board: clues of rows and columns."""
        kinds = [kind for kind in _OUTSIDE if kind in self.kinds]
        for one in self.overlays:
            if one in self.used or self._is_inside((one.row, one.col)) or not one.text:
                continue
            cells = clued_line(floor(one.row), floor(one.col), self.size)
            if len(kinds) != 1 or not cells or not one.text.isdecimal():
                self.unexplained.add("drawn words")
                continue
            field = "value" if kinds[0] == "skyscraper" else "sum"
            self._add(kinds[0], cells, **{field: int(one.text[:4])})
