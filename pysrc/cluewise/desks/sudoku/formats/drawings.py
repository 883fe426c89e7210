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
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.rule_sentences import COLOURS, Rule, Rules

_GREY, _BLACK, _WHITE = -1, -2, -3
_CSS = {"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000",
        "blue": "#0000ff", "gray": "#808080", "grey": "#808080", "purple": "#800080",
        "orange": "#ffa500", "yellow": "#ffff00", "pink": "#ffc0cb"}  # fmt: skip
_SHORT = {"wp": "wayPoints", "c": "color", "ct": "center", "w": "width", "h": "height",
          "r": "rounded", "te": "text", "c1": "borderColor", "c2": "backgroundColor"}  # fmt: skip
_BY_COLOUR = ("whispers", "renban", "palindrome", "entropic", "regionsum", "zipper")
_BY_ENDS = ("thermometer", "slow", "between")
_LOOPS = ("renban", "regionsum", "entropic")
_OUTSIDE = ("sandwich", "xsum", "skyscraper")


class Line(NamedTuple):
    """A line through cells, with the hues in which it is drawn."""

    cells: tuple[int, ...]
    hues: tuple[int, ...]


class Mark(NamedTuple):
    """A circle, a rectangle or a word with its centre."""

    row: float
    col: float
    width: float
    height: float
    rounded: bool
    text: str
    hue: int | None
    """The hue of its inside; None where it is not filled."""

    def cell(self, size: int) -> int | None:
        """The cell in whose middle it stands; None for other places."""
        inside = 0 < self.row < size and 0 < self.col < size
        return floor(self.row) * size + floor(self.col) if (
            inside and _middle(self.row) and _middle(self.col)) else None  # fmt: skip


def _middle(x: float) -> bool:
    return 0.35 < x % 1 < 0.65


def _whole(x: float) -> bool:
    return not 0.1 < x % 1 < 0.9


def hue_of(colour: Any) -> int | None:
    """The hue in degrees; -1 of grey, -2 of black, -3 of white; None of what is invisible.

    >>> hue_of("#67f067ff"), hue_of("CFCFCF"), hue_of("none")
    (120, -1, None)
    """
    text = str(colour).strip().lower()
    text = {"#0": "#000000", "#f": "#ffffff"}.get(text, _CSS.get(text, text))
    numbers = re.match(r"rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[, /]+([\d.]+))?", text)
    if numbers:
        red, green, blue = (float(numbers[i]) for i in (1, 2, 3))
        alpha = float(numbers[4] or 1)
    else:
        digits = text.removeprefix("#")
        digits = digits.zfill(6) if digits.isdecimal() and len(digits) < 6 and "#" not in text else digits
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        if not re.fullmatch(r"[0-9a-f]{6}(?:[0-9a-f]{2})?", digits):
            return None
        red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
        alpha = int(digits[6:] or "ff", 16) / 255
    if alpha < 0.05:
        return None
    high, low = max(red, green, blue), min(red, green, blue)
    if high - low < max(0.12 * high, 12):
        return _WHITE if low > 244 else _BLACK if high < 60 else _GREY
    spread = high - low
    sector = ((green - blue) / spread % 6 if high == red else
              (blue - red) / spread + 2 if high == green else (red - green) / spread + 4)  # fmt: skip
    return round(60 * sector) % 360


def as_drawings(puzzle: dict[str, Any], cell: re.Pattern[str]) -> dict[str, Any]:
    """The drawings of a puzzle of f-puzzles under SudokuPad's keys; `cell` reads a cell's name.

    Drawings that f-puzzles has made of a constraint are left out.
    """
    def place(name: Any) -> list[float]:
        found = cell.fullmatch(str(name))
        return [int(found[1]) - 0.5, int(found[2]) - 0.5] if found else []

    out: dict[str, list[dict[str, Any]]] = {"lines": [], "overlays": []}
    for key in ("line", "circle", "rectangle", "text"):
        for one in puzzle.get(key) or []:
            if not isinstance(one, dict) or one.get("fromConstraint") or "fromRangskSolver" in one:
                continue
            if key == "line":
                out["lines"] += [{"wayPoints": list(map(place, line)), "color": one.get("outlineC")}
                                 for line in one.get("lines") or []]  # fmt: skip
                continue
            places = [at for at in map(place, one.get("cells") or []) if at]
            center = [sum(x) / len(places) for x in zip(*places, strict=True)] if places else None
            size = 0.3 if key == "text" else None
            out["overlays"].append({
                "center": center, "width": size or one.get("width"),
                "height": size or one.get("height"), "rounded": key == "circle",
                "text": one.get("value"), "backgroundColor": one.get("baseC"),
            })  # fmt: skip
    return out


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
        self.marks = [mark for key in ("underlays", "overlays") for mark in self._marks(puzzle, key)]
        self.strokes = list(_strokes(puzzle, "lines"))
        self.arrows = list(_strokes(puzzle, "arrows"))
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
                                            "even square", "odd circle", "odd square")):  # fmt: skip
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
        for one in _items(puzzle, key):
            place = _point(one.get("center"))
            width, height = _number(one.get("width")), _number(one.get("height"))
            if place is None:
                self.rest.add("drawn shapes")
                continue
            fill = hue_of(one.get("backgroundColor"))
            text = "" if one.get("text") in (None, {}) else str(one.get("text")).strip()
            yield Mark(*place, width or 0, height or 0, one.get("rounded") in (True, "t"), text, fill)

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
        drawn = {}
        for stroke in self.strokes:
            ends = {(round(2 * r) / 2, round(2 * c) / 2) for r, c in (stroke[0][0], stroke[0][-1])}
            for margin in (0.0, 0.5):
                low, high = margin, size - margin
                if len(stroke[0]) == 2 or margin:
                    if ends == {(low, low), (high, high)} and _straight(stroke[0]):
                        drawn.setdefault("diagonal", stroke)
                    elif ends == {(low, high), (high, low)} and _straight(stroke[0]):
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
            cells = self._cells(points)
            head = next((mark for mark in heads if cells and cells[0] in self._covered(mark)), None)
            covered = self._covered(head) if head else ()
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
            self.used.update(mark for mark in heads if mark.hue == _WHITE and mark.cell(self.size)
                             is not None and not self.kinds & {"even circle", "odd circle"})  # fmt: skip

    def _covered(self, mark: Mark) -> tuple[int, ...]:
        """The cells that a circle or a pill covers, in reading order."""
        rows, cols = round(mark.height + 0.25) or 1, round(mark.width + 0.25) or 1
        top, left = mark.row - rows / 2, mark.col - cols / 2
        if 1 not in (rows, cols) or not 0.4 < min(mark.width, mark.height) < 1:
            return ()
        if not _whole(top) or not _whole(left) or round(top) < 0 or round(left) < 0:
            return ()
        if round(top) + rows > self.size or round(left) + cols > self.size:
            return ()
        return tuple((round(top) + i) * self.size + round(left) + j for i in range(rows) for j in range(cols))

    def _inside(self, point: tuple[float, float]) -> bool:
        return all(0 <= x <= self.size for x in point)

    def _little(self, points: list[tuple[float, float]]) -> None:
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

    def _cells(self, points: list[tuple[float, float]]) -> tuple[int, ...]:
        """The cells of a line from middle to middle; empty for other lines."""
        places = [(floor(r), floor(c)) for r, c in points]
        if any(_whole(x) for point in points for x in point) or not all(map(self._inside, points)):
            return ()
        cells = [places[0][0] * self.size + places[0][1]]
        for (r, c), (s, d) in pairwise(places):
            steps = max(abs(s - r), abs(d - c))
            if steps and {abs(s - r), abs(d - c)} - {0, steps}:
                return ()
            cells += [(r + (s - r) // steps * i) * self.size + c + (d - c) // steps * i
                      for i in range(1, steps + 1)]  # fmt: skip
        return tuple(cells)

    def _lines(self) -> None:
        lines: dict[tuple[int, ...], list[int]] = {}
        for points, hue in self.strokes:
            cells = self._cells(points)
            if len(cells) > 1:
                same = cells if cells in lines else cells[::-1]
                lines.setdefault(same if same in lines else cells, []).extend([] if hue is None else [hue])
            elif not cells or self.rules is None:
                self.rest.add("drawn lines")
        self._thermometers(lines)
        between = self._has("between") and self.rules is not None
        circles = {mark.cell(self.size): mark for mark in self.marks if mark.rounded and not mark.text
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
                 and mark.hue not in (None, _WHITE)}  # fmt: skip
        hues: list[int | None] = []
        reached: set[int] = set()
        more = True
        while more:
            more = False
            for cells, own in list(lines.items()):
                ends = [way for way in (cells, cells[::-1])
                        if (way[0] in bulbs and _alike(own, bulbs[way[0]].hue))
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
        near = sorted((_distance(hue, COLOURS[colour]), colour) for hue in hues for colour in named)
        if near and near[0][0] <= 45:
            hue = COLOURS[near[0][1]]
            return tuple(rule for rule in rules if any(COLOURS[c] == hue for c in rule.colours))
        free = tuple(rule for rule in rules if not rule.colours)
        return free if len(free) == 1 or len({rule.kind for rule in rules}) == len(free) else ()

    def _add_lines(self, rule: Rule, lines: list[tuple[int, ...]]) -> None:
        """The constraints of lines of one rule; two pieces that share an end are one line."""
        ends = [cell for cells in lines for cell in {cells[0], cells[-1]}]
        pieces = lines if rule.kind == "whispers" else _joined(lines, {
            cell for cell in ends if ends.count(cell) == 2})  # fmt: skip
        for cells in pieces:
            loop = cells[0] == cells[-1]
            one = cells[:-1] if loop else cells
            branch = any(end in other[1:-1] for other in pieces if other is not cells
                         for end in (cells[0], cells[-1])) or max(map(ends.count, cells)) > 2  # fmt: skip
            if rule.kind == "whispers":
                self._add("whispers", cells, value=rule.value)
            elif branch or len(set(one)) < len(one) or (loop and rule.kind not in _LOOPS):
                self.rest.add("drawn lines")
            else:
                again = one[:2] if loop and rule.kind == "entropic" else ()
                self._add(rule.kind, (*(self._from_border(one) if loop else one), *again))

    def _from_border(self, loop: tuple[int, ...]) -> tuple[int, ...]:
        """A loop from a cell on whose box it does not end."""
        boxes = self.boxes
        for i in range(len(loop)):
            if boxes[loop[i]] != boxes[loop[i - 1]]:
                return loop[i:] + loop[:i]
        return loop

    def _marked(self) -> None:
        """Dots, X and V, quadruples, marked cells, shaded regions."""
        size = self.size
        shaded: dict[int | None, set[int]] = {}
        for mark in self.marks:
            if mark in self.used:
                continue
            if not self._inside((mark.row, mark.col)):
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
        regions = "regions" in self.kinds
        for cells in shaded.values():
            if not regions:
                self.rest.add("drawn shapes")
                continue
            for part in _connected(cells, size):
                if len(part) == size:
                    self._add("house", part)
                else:
                    self.rest.add("drawn shapes")

    def _in_cell(self, mark: Mark, cell: int) -> None:
        """A circle or a square in a cell: odd or even."""
        shape = "circle" if mark.rounded else "square"
        stated = [parity for parity in ("even", "odd") if f"{parity} {shape}" in self.kinds]
        if self.rules is None and mark.hue == _GREY:
            stated = ["odd" if mark.rounded else "even"]
        if len(stated) == 1:
            self._add(stated[0], (cell,))
        else:
            self.rest.add("drawn shapes")

    def _between_cells(self, mark: Mark) -> bool:
        """Add what a mark between two or four cells says; False for other marks."""
        size, r, c = self.size, mark.row, mark.col
        if _whole(r) and _whole(c) and 0 < round(r) < size and 0 < round(c) < size:
            values = tuple(int(x) for x in re.findall(r"\d", mark.text))
            if not values or not self._has("quadruple") or re.search(r"[^\d\s,]", mark.text):
                return False
            at = (round(r) - 1) * size + round(c) - 1
            self._add("quadruple", (at, at + 1, at + size, at + size + 1), values=values)
            return True
        if _whole(r) == _whole(c) or not (_middle(r) or _middle(c)):
            return False
        upright = _whole(r)
        if not 0 < round(r if upright else c) < size:
            return False
        first = (round(r) - 1) * size + floor(c) if upright else floor(r) * size + round(c) - 1
        pair = (first, first + (size if upright else 1))
        text = mark.text.upper()
        if text in ("X", "V", "Ⅹ", "Ⅴ"):
            if self._has("xv"):
                self._add("xv", pair, value=10 if text in "XⅩ" else 5)
            return self._has("xv")
        if not mark.rounded or max(mark.width, mark.height) > 0.6 or (text and not text.isdecimal()):
            return False
        kind = {_BLACK: "ratio", _WHITE: "difference"}.get(mark.hue or 0, "")
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


def _items(puzzle: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The drawings under a key or its first letter, with their names in full."""
    some = puzzle.get(key) or puzzle.get(key[0]) or []
    for one in some if isinstance(some, list) else []:
        if isinstance(one, dict):
            yield {_SHORT.get(name, name): value for name, value in one.items()}


def _strokes(puzzle: dict[str, Any], key: str) -> Iterator[tuple[list[tuple[float, float]], int | None]]:
    for one in _items(puzzle, key):
        points = [_point(point) for point in one.get("wayPoints") or []]
        kept = [point for point in points if point is not None]
        if len(kept) > 1:
            yield kept, hue_of(one.get("color"))


def _point(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    row, col = (_number(x) for x in value)
    return None if row is None or col is None else (row, col)


def _number(value: Any) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 100 else None
    return None


def _straight(points: list[tuple[float, float]]) -> bool:
    """Whether all steps go in one diagonal direction."""
    steps = [(s - r, d - c) for (r, c), (s, d) in pairwise(points)]
    return all(abs(abs(r) - abs(c)) < 0.1 for r, c in steps)


def _distance(hue: int, other: int) -> int:
    """Degrees between two hues; grey and black are close to each other alone."""
    if hue < 0 or other < 0:
        return 0 if hue == other else 40 if {hue, other} == {_GREY, _BLACK} else 999
    return min((hue - other) % 360, (other - hue) % 360)


def _alike(hues: Iterable[int], other: int | None) -> bool:
    return other is not None and any(_distance(hue, other) <= 20 for hue in hues)


def _joined(lines: Sequence[tuple[int, ...]], joins: set[int]) -> list[tuple[int, ...]]:
    """Lines put together where they share an end that is one of `joins`."""
    rest, done = list(lines), []
    while rest:
        line = rest.pop(0)
        while line[0] != line[-1] and (more := next(
            (other for other in rest if {other[0], other[-1]} & {line[0], line[-1]} & joins
             and other[0] != other[-1]), None)):  # fmt: skip
            rest.remove(more)
            if not {more[0], more[-1]} & {line[-1]} & joins:
                line = line[::-1]
            line += (more if more[0] == line[-1] else more[::-1])[1:]
        done.append(line)
    return done


def _connected(cells: set[int], size: int) -> Iterator[list[int]]:
    """The parts of a set of cells that touch at their sides, each ascending."""
    left = set(cells)
    while left:
        part, queue = set(), [min(left)]
        while queue:
            cell = queue.pop()
            if cell in left:
                left.discard(cell)
                part.add(cell)
                row, col = divmod(cell, size)
                queue += [cell - size, cell + size]
                queue += [cell - 1] * (col > 0) + [cell + 1] * (col < size - 1)
        yield sorted(part)
