"""The posterior of hidden wires as one array."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluewise.arrays.checks import asked


class WireChances(NamedTuple):
    """The result of `posterior`."""

    chances: NDArray[np.float64]
    """`(stands, slots, wires)`: the chance that the wire is in the slot, each slot's sum 1. NaN for
    slots whose wire the viewer knows and where a stand is shorter than the longest."""
    axes: tuple[str, str, str]
    """Names of the axes: `("stand", "slot", "wire")`."""
    wires: tuple[str, ...]
    """What each place of the last axis stands for: `("1", "2", …)`."""


def posterior(position: Any = None, model: str = "bayes") -> WireChances:
    """Return the chances of `rack.posterior` as `(stands, slots, wires)` float64.

    Raises `BadPosition`, and `Contradiction` if no deal fits.
    """
    _, found, _ = asked("rack", "posterior", position, model=model)
    stands = [stand.slots for stand in found.stands]
    names = {name for slots in stands for slot in slots if slot for name in slot}
    wires = tuple(sorted(names, key=_by_value))
    place = {name: i for i, name in enumerate(wires)}
    shape = len(stands), max(map(len, stands), default=0), len(wires)
    chances = np.full(shape, np.nan)
    for s, slots in enumerate(stands):
        for i, slot in enumerate(slots):
            if slot is not None:
                chances[s, i] = 0.0
                for name, chance in slot.items():
                    chances[s, i, place[name]] = chance
    return WireChances(chances, ("stand", "slot", "wire"), wires)


def _by_value(name: str) -> tuple[int, int, str]:
    """Sort blue wires by number, then yellow and red ones."""
    return (0, int(name), "") if name.isdigit() else (1, 0, name)
