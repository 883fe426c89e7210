"""A puzzle's solution, open or sealed (obscured, for links)."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from cluewise.core.seal import seal, unseal
from cluewise.desks.mines.position import WIDEST, Number, Point, Position, check
from cluewise.errors import BadPosition

PURPOSE = "mines"
Solution: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def solution(position: Position) -> Solution | None:
    """Return the mines and secret cells, unsealed if necessary; None if the position has neither.

    Raises BadPosition if the sealed solution does not fit the board.
    """
    if position.mines is not None:
        return position.mines, position.secret
    if position.sealed is None:
        return None
    opened = with_mines(position)
    assert opened.mines is not None
    return opened.mines, opened.secret


def with_mines(position: Position) -> Position:
    """Return the puzzle with its solution unsealed; the same position if nothing is sealed."""
    if position.sealed is None:
        return position
    text = unseal(position.sealed, PURPOSE)
    try:
        mines, secret = msgspec.json.decode(text, type=tuple[tuple[int, ...], tuple[int, ...]])
        opened = msgspec.structs.replace(position, sealed=None, mines=mines, secret=secret)
        check(opened)
    except (msgspec.MsgspecError, BadPosition):
        raise BadPosition("The sealed solution does not fit this board.", "$.sealed") from None
    return opened


def sealed(position: Position) -> Position:
    """Return the puzzle with its solution sealed; the same position if it has none."""
    if position.mines is None:
        return position
    shut = seal(msgspec.json.encode((position.mines, position.secret)).decode(), PURPOSE)
    return msgspec.structs.replace(position, mines=None, secret=(), sealed=shut)


FINE = 1000  # parts of a unit that a link keeps of places that are fractions


def to_link(position: Position) -> Position:
    """Return the position for a link: solution sealed, places as integers, without rating."""
    shut = sealed(msgspec.structs.replace(position, rating=None))
    if all(isinstance(n, int) or n.is_integer() for n in _measures(shut)):
        return shut

    fine = max(1, min(FINE, WIDEST // shut.unit))

    def scaled(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((round(x * fine), round(y * fine)) for x, y in points)

    def label(at: tuple[Number, Number, Number]) -> tuple[Number, Number, Number]:
        return (*scaled((at[:2],))[0], round(at[2]))

    puz = shut.puz and msgspec.structs.replace(shut.puz, scale=shut.puz.scale * fine)
    return msgspec.structs.replace(
        shut,
        unit=shut.unit * fine,
        pos=None if shut.pos is None else scaled(shut.pos),
        polygons=None if shut.polygons is None else tuple(scaled(p) for p in shut.polygons),
        groups=tuple(
            g if g.label is None else msgspec.structs.replace(g, label=label(g.label))
            for g in shut.groups
        ),
        puz=puz,
    )


def _measures(position: Position) -> list[Number]:
    points = list(position.pos or ())
    for polygon in position.polygons or ():
        points += polygon
    found = [n for point in points for n in point]
    return found + [n for g in position.groups for n in g.label or ()]
