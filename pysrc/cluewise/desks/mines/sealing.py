"""A puzzle's solution, open or sealed."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from cluewise.core.seal import seal, unseal
from cluewise.desks.mines.position import Position, check
from cluewise.errors import BadPosition

PURPOSE = "mines"
Solution: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def solution(position: Position) -> Solution | None:
    """Mines and secret cells, unsealed where need be; None if the position has neither.

    Raises BadPosition if what is sealed does not fit the board.
    """
    if position.mines is not None:
        return position.mines, position.secret
    if position.sealed is None:
        return None
    opened = with_mines(position)
    assert opened.mines is not None
    return opened.mines, opened.secret


def with_mines(position: Position) -> Position:
    """The puzzle with its solution in the open; the same position if nothing is sealed."""
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
    """The puzzle with its solution sealed, fit for links; unchanged if there is none."""
    if position.mines is None:
        return position
    shut = seal(msgspec.json.encode((position.mines, position.secret)).decode(), PURPOSE)
    return msgspec.structs.replace(position, mines=None, secret=(), sealed=shut)


def to_link(position: Position) -> Position:
    """The position as it travels in a link: its solution sealed, its rating left behind."""
    return sealed(msgspec.structs.replace(position, rating=None))

