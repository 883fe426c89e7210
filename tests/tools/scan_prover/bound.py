"""A proven lower bound for routes."""

import math
import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

LARGE = 13  # spots of a group: each is two that were chosen while orders were compared
MANY, MOST = 32, 48  # spots, of more of which two partitions and one are compared, not three
_WHOLE = 1 << 26  # numbers in a group's fields of whole maps, of which enough are cut off to fit
_LONG = 3 << 29  # the same of all groups: above, one is compared
_MORE = 100  # proved a hundredth beyond the known total: what lies beyond that counts for little
_FIELDS = (46 << 20, 24 << 20, 8 << 20)  # bytes; less where other work holds memory
_SHEETS = 3 << 20  # numbers in all sheets of second scans, 6 MB
_CELLS = 1 << 15  # first scans that are looked at
_FIRST = struct.Struct(f"<3i4x{SCAN.SCAN_PARTS}Q")  # ScanFirst in prover.h
_NOTE = "proving a lower bound"

Place = tuple[int, int]  # of a cell in its grid: column and row
NOWHERE: Place = (-1, -1)  # all cells


@dataclass(slots=True)
class Part:
    """A group of spots and what it takes at least, as a total of ticks."""

    spots: int
    least: int


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of first scans: the bound there, its place in the grid, what answers leave to ask."""

    least: int
    place: Place
    parts: tuple[int, ...]


def lower_bound(frame: Frame, planner: Planner, here: Tile, upper: int) -> Job[int]:
    """The largest total that is proved to be at most any route's; never above `upper`."""
    simple = min(upper, _simple(planner, here, planner.everything))
    try:
        prover = LowerBound(frame, planner, here, upper)
    except TooLarge:
        return simple
    return min(upper, max(simple, (yield from prover.bound())))


def _simple(planner: Planner, here: Tile, spots: int) -> int:
    """Straight to each spot, with a stop each."""
    return planner.straight(here, spots) + planner.stop * spots.bit_count()


class LowerBound:
    """The kernel's memory for exact plans of groups, and for what they take together."""

    def __init__(self, frame: Frame, planner: Planner, here: Tile, upper: int) -> None:
        self.frame, self.planner, self.here, self.known = frame, planner, here, upper
        self.upper = upper + upper // _MORE
        self.address = planner.address
        self.exact = frame.reserve(frame.call("scan_exact_bytes"))
        self.out = frame.reserve(SCAN.ScanAction)
        self.group, self.set, self.which = (frame.reserve(16) for _ in range(3))
        self.everything = frame.reserve(8)
        frame.write(self.everything, array("Q", [planner.everything]))
        self.room = frame.call("scan_sheet", self.address, self.everything)
        self.first = frame.reserve(2 * self.room)
        self.count = max(1, _SHEETS // self.room)
        self.seconds = frame.reserve(2 * self.count * self.room)
        self.listed = frame.reserve(_FIRST.size * _CELLS)
        self.fields, length = frame.reserve_most(_FIELDS)
        self.fits = length // 2
        self.pace = SliceTimer(first=50_000)

    def bound(self) -> Job[int]:
        """The bound of a few partitions together, of as few groups as there is memory for."""
        best, firsts, count = 0, dict[Place, int](), self.planner.everything.bit_count()
        for number in range(self._fewest(), count // 4 + 1):
            compared = self._compared(number)
            for rank, parts in enumerate((yield from self.partitions(number))[:compared]):
                whole = yield from self.pairs(parts)
                best = max(best, sum(part.least for part in parts))
                if whole:
                    found = yield from self.together(parts)
                    firsts = _both(firsts, found) if firsts else found
                    best = max(best, min(firsts.values(), default=self.upper))
                if best >= self.known or (rank == compared - 1 and firsts):
                    return best
                if not whole and rank == 0:
                    break
        return best

    def _fewest(self) -> int:
        """How many groups are tried first: of many spots, no larger ones than are likely to fit."""
        count = self.planner.everything.bit_count()
        number = -(-count // LARGE)
        while count > MANY and self.room << -(-count // number) > _WHOLE:
            number += 1
        return number

    def _compared(self, number: int) -> int:
        """How many partitions into so many groups are looked at closely, so that it ends soon."""
        count = self.planner.everything.bit_count()
        whole = number * (self.room << -(-count // number))
        if count > MOST or whole > _LONG:
            return 1
        return 2 if count > MANY else 3

    # ---- groups one by one ---------------------------------------------------------------

    def partitions(self, number: int) -> Job[list[list[Part]]]:
        """Twice so many small groups by several orders; those that take most together first."""
        made = []
        for groups in _partitions(self.planner, self.here, number):
            parts = [Part(group, _simple(self.planner, self.here, group)) for group in groups]
            for part in parts:
                yield from self.prove(parts, part)
            made.append(parts)
        return sorted(made, key=lambda parts: -sum(p.least for p in parts))

    def prove(self, parts: Sequence[Part], part: Part, *, together: bool = False) -> Job[bool]:
        """Find what a group takes while it is less than what the others leave of the total."""
        frame, left = self.frame, self.upper - sum(p.least for p in parts if p is not part)
        frame.write(self.group, array("Q", [part.spots]))
        of = self.everything if together else 0
        x, y = self.here
        try:
            frame.call(
                "scan_exact", exact=self.exact, plan=self.address, set=self.group, x=x, y=y,
                upper=max(left, 1), of=of, pool=self.fields, room=self.fits,
            )  # fmt: skip
            while not frame.call("scan_exact_run", self.exact, self.pace.rows(1 << 26)):
                self.pace.took()
                yield Progress(0, None, _NOTE)
        except TooLarge:
            return False
        self.pace.took()
        part.least = max(part.least, frame.call("scan_exact_value", self.exact, self.out))
        yield Progress(0, None, _NOTE)
        return True

    # ---- groups that agree on the first two scans -----------------------------------------

    def together(self, parts: list[Part]) -> Job[dict[Place, int]]:
        """What each cell of first scans leads to at least, where that is less than is known."""
        try:
            cells = self.cells()
        except TooLarge:  # more first scans than are looked at
            return {NOWHERE: sum(part.least for part in parts)}
        sets = _most_wanted(cells, self.count)
        for number, spots in enumerate(sets):
            self.begin(self._sheet(number), spots)
        for part in parts:
            yield from self.prove(parts, part, together=True)  # fits: it fitted with less known
            for number, spots in enumerate(sets):
                self.add(self._sheet(number), spots)
            yield Progress(0, None, _NOTE)
        return (yield from self._least(cells, sets))

    def pairs(self, parts: list[Part]) -> Job[bool]:
        """Make each two groups one, and add up what all take by first scan; False: no room."""
        self.begin(self.first, self.planner.everything)
        for pair in [parts[i : i + 2] for i in range(0, len(parts), 2)]:
            one = Part(pair[0].spots | pair[1].spots, pair[0].least + pair[1].least)
            parts[:] = [one, *(p for p in parts if p not in pair)]
            if not (yield from self.prove(parts, one, together=True)):
                return False
            self.add(self.first, self.planner.everything)
        return True

    def _least(self, cells: list[_Cell], sets: list[int]) -> Job[dict[Place, int]]:
        """What each first scan leads to at least, with what its second scans take."""
        for number, spots in enumerate(sets):
            self._ask("scan_bound_field_walk", spots, self._sheet(number))
            yield Progress(0, None, _NOTE)
        return {cell.place: max(cell.least, self._second(cell, sets)) for cell in cells}

    def _second(self, cell: _Cell, sets: list[int]) -> int:
        """What a first scan in a cell takes at least; 0 where an answer has no sheet."""
        wanted = [part if part & (part - 1) else 0 for part in cell.parts]
        if any(part and part not in sets for part in wanted):
            return 0
        which = [sets.index(part) if part else -1 for part in wanted]
        self.frame.write(self.which, array("i", which))
        return self.frame.call(
            "scan_bound_field_second", self.exact, self.everything, *self.here, *cell.place,
            limit=self.upper, memory=self.seconds, room=self.room, sheets=self.count,
            which=self.which,
        )  # fmt: skip

    # ---- sheets ---------------------------------------------------------------------------

    def _sheet(self, number: int) -> int:
        return self.seconds + 2 * number * self.room

    def _ask(self, name: str, spots: int, sheet: int) -> None:
        self.frame.write(self.set, array("Q", [spots]))
        of = self.exact if name == "scan_bound_field_add" else self.address
        self.frame.call(name, of, self.everything, self.set, sheet, self.room)

    def begin(self, sheet: int, spots: int) -> None:
        self._ask("scan_bound_field_begin", spots, sheet)

    def add(self, sheet: int, spots: int) -> None:
        self._ask("scan_bound_field_add", spots, sheet)

    def cells(self) -> list[_Cell]:
        """The cells where a first scan may lead to less than the known total, the least first."""
        count = self.frame.call(
            "scan_bound_field_cells", self.address, self.everything, *self.here, limit=self.upper,
            memory=self.first, room=self.room, out=self.listed, most=_CELLS,
        )  # fmt: skip
        data = bytes(self.frame.get(self.listed, "B", count * _FIRST.size))
        found = [_Cell(least, (x, y), tuple(p)) for least, x, y, *p in _FIRST.iter_unpack(data)]
        return sorted(found, key=lambda cell: cell.least)


def _both(one: dict[Place, int], two: dict[Place, int]) -> dict[Place, int]:
    """The better bound of each first scan; one that is missing leads to no less than is known."""
    return {place: max(one[place], two[place]) for place in one.keys() & two.keys()}


def _most_wanted(cells: list[_Cell], room: int) -> list[int]:
    """What answers leave after the first scans that promise least, as many as there is room for."""
    sets: list[int] = []
    for cell in cells:
        new = [p for p in cell.parts if p & (p - 1) and p not in sets]
        if len(sets) + len(new) > room:
            break
        sets += new
    return sets


def _partitions(planner: Planner, here: Tile, half: int) -> Iterator[list[int]]:
    """The spots by several orders in twice so many groups: runs, or by turns."""
    spots, (x, y) = planner.spots, here
    orders: list[tuple[bool, Callable[[tuple[int, int, int]], float]]] = [
        (False, lambda s: max(abs(s[0] - x), abs(s[1] - y))),
        (True, lambda s: s[0]),
        (True, lambda s: max(abs(s[0] - x), abs(s[1] - y))),
        (True, lambda s: math.atan2(s[1] - y, s[0] - x)),
        (True, lambda s: s[1]),
        (True, lambda s: s[0] + s[1]),
        (True, lambda s: s[0] - s[1]),
    ]
    for by_turns, key in orders:
        groups = [0] * (2 * half)
        for place, j in enumerate(sorted(range(len(spots)), key=lambda j: (key(spots[j]), j))):
            turn = place % (2 * half)
            group = 2 * (turn % half) + turn // half if by_turns else place * 2 * half // len(spots)
            groups[group] |= 1 << j
        yield groups
