"""Boards with constraints beyond rows, columns and boxes as structures, and maps between them.

A symmetry here is a map of cells that takes every constraint to one of its kind, with a renaming
of symbols that the constraints allow: any renaming where they only say what differs; none where
sizes count, except the reversal (1↔9, 2↔8, …) that turns thermometers round and takes a cage's sum
to its complement; within odd and within even symbols where only parity counts. The group is found
from the constraints: it may hold maps that no plain sudoku allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain as chain_of
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.structures import Chain, Map, Structure, chain, find
from cluewise.desks.sudoku.houses import apart, implied, pairs
from cluewise.desks.sudoku.position import Cells, Shape

Renaming = Literal["any", "parity", "sizes", "none"]
Piece: TypeAlias = tuple[tuple[object, ...], tuple[tuple[int, ...], ...]]
_SIZES = ("killer", "thermometer", "arrow", "renban", "nonconsecutive")
_DIFFER, _NEXT, _GIVEN, _ROLE = 1, 2, 4, 8  # colours of relations; an odd sum of the first two


class Board(NamedTuple):
    """A board and what is asked beyond rows, columns and boxes."""

    cells: Cells
    constraints: tuple[Constraint, ...]


def compared(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Those that comparing takes into account: all but those known by name alone."""
    return [one for one in constraints if one.kind != "other"]


def renaming(constraints: Iterable[Constraint]) -> Renaming:
    """Which renamings of symbols the constraints allow."""
    kinds = {one.kind for one in constraints if one.kind != "killer" or one.sum is not None}
    if kinds & set(_SIZES):
        return "sizes"
    return "parity" if kinds & {"even", "odd"} else "any"


def structure(board: Board, shape: Shape, symbols: Renaming) -> Structure:
    """Cells, one point for each piece of a constraint, one for each symbol; and how they relate."""
    n, cells = shape.size, shape.cells
    rules = compared(board.constraints)
    links: list[dict[int, int]] = [{} for _ in range(cells)]
    left = (combinations(house.cells, 2) for house in implied(rules, *shape))
    for a, b in chain_of(pairs(rules, *shape), *left):
        links[a][b] = links[b][a] = _DIFFER
    if any(one.kind == "nonconsecutive" for one in rules):
        for a, b in apart(((0, 1), (1, 0)), n):
            links[a][b] = links[b][a] = links[a].get(b, 0) | _NEXT
    colours: list[int] = [0] * cells
    for name, roles in sorted(_pieces(rules), key=repr):
        _point(links, colours, _colour(name), roles)
    given = [tuple(i for i, d in enumerate(board.cells) if d == s) for s in range(1, n + 1)]
    for s, places in enumerate(given, 1):
        if places:
            kind = {"any": 0, "parity": s % 2}.get(symbols, s)
            _point(links, colours, _colour(("symbol", kind)), [places])
    return Structure(colours, links)


def _point(
    links: list[dict[int, int]], colours: list[int], colour: int, roles: Sequence[Sequence[int]]
) -> None:
    """One more point, related to the cells of its roles."""
    mine: dict[int, int] = {}
    for role, cells in enumerate(roles):
        for cell in cells:
            mine[cell] = links[cell][len(links)] = _ROLE + role
    links.append(mine)
    colours.append(colour)


_COLOURS: dict[tuple[object, ...], int] = {}


def _colour(name: tuple[object, ...]) -> int:
    return _COLOURS.setdefault(name, len(_COLOURS) + 1)


def _pieces(rules: Iterable[Constraint]) -> list[Piece]:
    """What a constraint says beyond differing pairs: a name, and its cells by their roles."""
    found: list[Piece] = []
    for one in rules:
        kind, cells = one.kind, one.cells
        if kind == "killer" and one.sum is not None:
            found.append((("killer", one.sum), (cells,)))
        elif kind == "thermometer":
            found.append(((kind,), tuple((cell,) for cell in cells)))
        elif kind == "arrow":
            found.append((("arrow",), (cells[:1], cells[1:])))
        elif kind == "palindrome":
            half = len(cells) // 2
            found += [(("equal",), (tuple({cells[i], cells[-1 - i]}),)) for i in range(half)]
        elif kind in ("renban", "even", "odd"):
            found += [((kind,), (part,)) for part in _parts(one)]
    return list(dict.fromkeys(found))


def _parts(one: Constraint) -> list[tuple[int, ...]]:
    """A renban line is one piece, of even or odd cells each is one."""
    return [tuple(sorted(one.cells))] if one.kind == "renban" else [(c,) for c in one.cells]


def reversed_board(board: Board, shape: Shape) -> Board | None:
    """The board with the symbols' order turned round; None if its constraints do not allow that."""
    n = shape.size
    turned = []
    for one in compared(board.constraints):
        if one.kind == "arrow":
            return None
        turned.append(_reversed(one, n))
    return Board(bytes(n + 1 - d if d else 0 for d in board.cells), tuple(turned))


def _reversed(one: Constraint, n: int) -> Constraint:
    if one.kind == "killer" and one.sum is not None:
        return Constraint("killer", one.cells, len(one.cells) * (n + 1) - one.sum)
    if one.kind == "thermometer":
        return Constraint("thermometer", one.cells[::-1])
    if one.kind in ("even", "odd") and n % 2 == 0:
        return Constraint("odd" if one.kind == "even" else "even", one.cells)
    return one


def turns(symbols: Renaming, shape: Shape) -> bool:
    """Whether the reversal is a renaming of its own that has to be tried."""
    return symbols == "sizes" or (symbols == "parity" and shape.size % 2 == 0)


class Move(NamedTuple):
    """`out[i] = digits[board[cells[i]]]`: the source of every cell, what each symbol becomes."""

    cells: tuple[int, ...]
    digits: tuple[int, ...]


class Group(NamedTuple):
    """A board's symmetries: those without the reversal as a chain, and one with it if any is."""

    upright: Chain
    turned: Map | None
    structure: Structure

    @property
    def order(self) -> int:
        """How many there are."""
        return self.upright.order * (1 if self.turned is None else 2)


def group(board: Board, shape: Shape, symbols: Renaming) -> Job[Group]:
    """A job: the board's symmetries with its constraints; a blank one has those of the constraints.

    Raises `TooLarge` where the search would take too long.
    """
    mine = structure(board, shape, symbols)
    found = yield from chain(mine, mine.points)
    turned = None
    back = reversed_board(board, shape) if turns(symbols, shape) else None
    if back:
        turned = find(mine, structure(back, shape, symbols))
    return Group(found, turned, mine)


def cell_maps(board: Board, shape: Shape) -> Job[int]:
    """A job: how many maps of cells that keep all constraints, whatever the givens."""
    blank = Board(bytes(shape.cells), board.constraints)
    symbols = renaming(compared(board.constraints))
    plain = structure(blank, shape, "none" if symbols == "sizes" else "parity"
                      if symbols == "parity" else "any")  # fmt: skip
    count = (yield from chain(plain, shape.cells)).order
    back = reversed_board(blank, shape) if turns(symbols, shape) else None
    if back is None:
        return count
    there = structure(back, shape, symbols)
    here = structure(blank, shape, symbols)
    if here == there or find(here, there) is None:
        return count
    return 2 * count


def witness(a: Board, b: Board, shape: Shape, symbols: Renaming) -> Move | None:
    """A move that takes the first board with its constraints to the second; None if none does."""
    there = structure(b, shape, symbols)
    found = find(structure(a, shape, symbols), there)
    if found:
        return move(found, a, b, shape)
    back = reversed_board(a, shape) if turns(symbols, shape) else None
    found = find(structure(back, shape, symbols), there) if back else None
    if not found or not back:
        return None
    plain = move(found, back, b, shape)
    n = shape.size
    return Move(plain.cells, (0, *(plain.digits[n + 1 - d] for d in range(1, n + 1))))


def move(found: Map, a: Board, b: Board, shape: Shape) -> Move:
    """A map of points as a move: sources of cells, and the renaming that the givens ask."""
    cells = sources_of(found, shape)
    return Move(cells, renamed(cells, a.cells, b.cells, shape))


def sources_of(found: Map, shape: Shape) -> tuple[int, ...]:
    """The source of every cell, out of a map of points that says where each goes."""
    cells = [0] * shape.cells
    for source, target in enumerate(found[: shape.cells]):
        cells[target] = source
    return tuple(cells)


def renamed(sources: Sequence[int], a: Cells, b: Cells, shape: Shape) -> tuple[int, ...]:
    """What each symbol becomes where a's cells have come to b's.

    A symbol that does not occur keeps its name where it can, else its parity.
    """
    digits: dict[int, int] = {0: 0}
    for target, source in enumerate(sources):
        digits[a[source]] = b[target]
    symbols = range(1, shape.size + 1)
    free = [d for d in symbols if d not in digits.values()]
    for d in [d for d in symbols if d not in digits and d in free]:
        digits[d] = d
        free.remove(d)
    for d in symbols:
        if d not in digits:
            digits[d] = next((x for x in free if (x - d) % 2 == 0), free[0])
            free.remove(digits[d])
    return tuple(digits[d] for d in range(shape.size + 1))


def turn(board: Board, shape: Shape, symbols: Renaming) -> Move | None:
    """A symmetry of the constraints that reverses the symbols, whatever the givens."""
    blank = Board(bytes(shape.cells), board.constraints)
    back = reversed_board(blank, shape) if turns(symbols, shape) else None
    if back is None:
        return None
    there = structure(back, shape, symbols)
    found = find(structure(blank, shape, symbols), there)
    backwards = (0, *range(shape.size, 0, -1))
    return None if found is None else Move(sources_of(found, shape), backwards)


def moved(t: Move, cells: Cells) -> Cells:
    """The board that a move makes of `cells`."""
    return bytes([t.digits[cells[source]] for source in t.cells])
