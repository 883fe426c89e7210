"""Isomorphisms and automorphism groups of graphs with coloured vertices and coloured arcs.

>>> path = Structure([0, 0, 0], [{1: 1}, {0: 1, 2: 1}, {1: 1}])
>>> find(path, path), chain(path, 3).order
([0, 1, 2], 2)

The kernel finds canonical labellings and groups by partition refinement and search (structure.c,
after McKay and Piperno 2014); an isomorphism is checked here arc by arc.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import NamedTuple

from cluewise.errors import TooLarge
from cluewise.kernel.call import kernel

Map = list[int]  # point → image
_ROOM = 24 << 20
_MOST_GENERATORS = 600


class Structure:
    """A coloured graph: `colours[p]` of every point; `links[p][q]` the colour of an arc, if any.

    Where there is an arc from p to q there is one back, and either colour determines the other.
    """

    def __init__(self, colours: Sequence[int], links: Sequence[dict[int, int]]) -> None:
        self.colours, self.links = colours, links

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and (self.colours, self.links) == (
            other.colours, other.links)  # fmt: skip

    __hash__ = object.__hash__

    @cached_property
    def places(self) -> Map:
        """The place of every point in a canonical order."""
        return self._search(by_index=False)[0]

    @cached_property
    def generators(self) -> list[Map]:
        """Maps of the structure to itself: a strong generating set for its points in order."""
        return self._search(by_index=True)[1]

    def _search(self, *, by_index: bool) -> tuple[Map, list[Map]]:
        points, starts = len(self.colours), [0]
        for links in self.links:
            starts.append(starts[-1] + len(links))
        targets = array("I", [q for links in self.links for q in links])
        kinds = array("I", [colour for links in self.links for colour in links.values()])
        with kernel().frame() as frame:
            places, factors = frame.reserve(4 * points), frame.reserve(4 * points + 4)
            generators = frame.reserve(4 * points * _MOST_GENERATORS)
            try:
                made = frame.call(
                    "sudoku_structure", points=points,
                    colours=frame.put(array("Q", self.colours)),
                    starts=frame.put(array("I", starts)), arcs=len(kinds),
                    targets=frame.put(targets), kinds=frame.put(kinds), by_index=int(by_index),
                    places=places, factors=factors, generators=generators,
                    most=_MOST_GENERATORS, work=frame.reserve(_ROOM), room=_ROOM,
                )  # fmt: skip
            except TooLarge:
                raise TooLarge(_TOO_REGULAR) from None
            data = frame.get(generators, "I", points * made).tolist()
            maps = [data[i : i + points] for i in range(0, len(data), points)]
            return frame.get(places, "I", points).tolist(), maps


_TOO_REGULAR = "These constraints are so regular that comparing would take too long."


class DisjointSets:
    """A partition of points into disjoint sets: union-find with path halving.

    A set is represented by its least member; points that were never joined are sets of their own.
    """

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def find(self, point: int) -> int:
        """The least member of a point's set."""
        parent = self._parent
        while point in parent:
            parent[point] = parent.get(parent[point], parent[point])
            point = parent[point]
        return point

    def union(self, a: int, b: int) -> None:
        """Join the sets of two points."""
        low, high = sorted((self.find(a), self.find(b)))
        if low != high:
            self._parent[high] = low

    def members(self, point: int) -> list[int]:
        """All members of a point's set, ascending."""
        root = self.find(point)
        return [root, *sorted(other for other in self._parent if self.find(other) == root)]

    def sets(self) -> list[list[int]]:
        """The sets of more than one point, each ascending, by their least members."""
        found: dict[int, list[int]] = {}
        for point in sorted(self._parent):
            found.setdefault(self.find(point), []).append(point)
        return [[root, *others] for root, others in sorted(found.items())]


def find(a: Structure, b: Structure) -> Map | None:
    """An isomorphism from a to b; None if there is none."""
    if sorted(a.colours) != sorted(b.colours):
        return None
    at = {place: q for q, place in enumerate(b.places)}
    images = [at[place] for place in a.places]
    for p, q in enumerate(images):
        if a.colours[p] != b.colours[q]:
            return None
        if {images[x]: colour for x, colour in a.links[p].items()} != b.links[q]:
            return None
    return images


def keep_points(images: Map, a: Structure) -> Map:
    """The product of an automorphism of a and the map, chosen to fix points greedily in order.

    A fixed point gets a colour of its own, so that later automorphisms fix it as well.
    """
    colours, left = [*a.colours], a.generators
    for p in range(len(images)):
        if all(g[p] == p for g in left):
            continue
        orbit = _transversal(p, left, len(images))
        automorphism = next((g for q, g in orbit.items() if images[q] == p), None)
        if automorphism is not None:
            images = [images[x] for x in automorphism]
            colours[p] = max(colours) + 1
            left = Structure([*colours], a.links).generators
    return images


class StabiliserChain(NamedTuple):
    """An automorphism group by a stabiliser chain (Schreier and Sims).

    `orbits[i]` is the transversal of level i: `orbits[i][j]` fixes all points before i and takes i
    to j. Every element is a unique product of one map of each level, the last level's first.
    """

    generators: list[Map]
    orbits: list[dict[int, Map]]

    @property
    def order(self) -> int:
        """The order of the group."""
        return prod(map(len, self.orbits))


def chain(s: Structure, base: int) -> StabiliserChain:
    """The stabiliser chain of the automorphism group on the first `base` points."""
    left, orbits = s.generators, []
    for i in range(base):
        orbits.append(_transversal(i, left, len(s.colours)))
        left = [g for g in left if g[i] == i]
    return StabiliserChain(s.generators, orbits)


def orbit_of(start: int, generators: Sequence[Map]) -> set[int]:
    """The orbit of a point."""
    found, queue = {start}, [start]
    for p in queue:
        fresh = {g[p] for g in generators} - found
        found |= fresh
        queue += fresh
    return found


def _transversal(start: int, generators: Sequence[Map], points: int) -> dict[int, Map]:
    """The transversal of a point's orbit: for each point of it a map that takes `start` there."""
    found = {start: list(range(points))}
    queue = [start]
    for p in queue:
        for g in generators:
            if g[p] not in found:
                found[g[p]] = [g[x] for x in found[p]]
                queue.append(g[p])
    return found
