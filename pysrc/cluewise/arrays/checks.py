"""Checks of what the array functions are given."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cluewise import desks, links, service
from cluewise.core.work import finish
from cluewise.errors import BadInput

Bytes: TypeAlias = "NDArray[np.uint8]"


def rows_of(values: ArrayLike, width: int, most: int, name: str, *, extra: int = 0) -> Bytes:
    """Return values from 0 to `most`, or `extra`, as a contiguous `(n, width)` uint8 array.

    >>> rows_of([[0, 1], [1, 5]], 2, 5, "codes").shape
    (2, 2)

    Raises `BadInput` that names the shape, the dtype or the first wrong value.
    """
    try:
        found = np.asarray(values)
    except ValueError:
        raise BadInput(f"{name} is not an array: its rows differ in length.", name) from None
    if found.shape == (0,):
        found = np.zeros((0, width), np.uint8)
    if found.ndim != 2 or found.shape[1] != width:
        raise BadInput(f"{name} has the shape {found.shape}, not (n, {width}).", name)
    if found.dtype.kind not in "iu":
        raise BadInput(f"{name} has the dtype {found.dtype}, not an integer one.", name)
    signed = found.dtype != np.uint8
    if found.size and (found.max() > most or (signed and found.min() < 0)):
        wrong = np.argwhere((found != extra) & ((found < 0) | (found > most)))
        if len(wrong):
            row, column = (int(i) for i in wrong[0])
            value, place = found[row, column], f"{name}[{row}, {column}]"
            raise BadInput(f"{place} is {value}, not from 0 to {most}.", place)
    return np.ascontiguousarray(found, np.uint8)


def asked(desk: str, want: str, position: Any, **options: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Return the checked position, and the verb's result with its arrays."""
    request = service.parse_request(
        {"desk": desk, "want": want, "position": _plain(desk, position), "options": options}
    )
    found = finish(service.outcome(request))
    return request.position, found.result, found.arrays


def position_of(desk: str, position: Any) -> Any:
    """Return a checked position from a struct, plain values, a link, a text, or None."""
    return service.read_position(desks.load(desk), _plain(desk, position) or {})


def _plain(desk: str, position: Any) -> Any:
    return links.position_of(desk, position) if isinstance(position, str) else position
