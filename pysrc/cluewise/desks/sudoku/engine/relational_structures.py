"""Maps that keep a structure: points with colours, and coloured relations between two of them.

>>> from cluewise.core.work import finish
>>> path = Structure([0, 0, 0], [{1: 1}, {0: 1, 2: 1}, {1: 1}])
>>> find(path, path), finish(chain(path, 3)).order
([0, 1, 2], 2)

Isomorphism by backtracking with forward checking (Haralick & Elliott 1980) after colour refinement:
domains are bit sets, and the point with the smallest one is assigned next. The group is found as a
stabiliser chain (Sims 1970): for each point its orbit while all points before it stay. Complete;
exponential in the worst case, so `TooLarge` is raised after 200 000 assignments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.errors import TooLarge

Map = list[int]  # point → image
_MOST = 200_000  # choices of one search


@dataclass(frozen=True)
class Structure:
    """`colours[p]` of every point; `links[p][q]` the colour of the relation from p to q, if any."""

    colours: Sequence[int]
    links: Sequence[dict[int, int]]

    @property
    def points(self) -> int:
        """How many there are."""
        return len(self.colours)

    @cached_property
    def masks(self) -> list[dict[int, int]]:
        """`masks[p][colour]`: the points that stand in that relation to p, as bits; 0 is none."""
        everything = (1 << self.points) - 1
        found = []
        for p, links in enumerate(self.links):
            mine: dict[int, int] = {0: everything & ~(1 << p)}
            for q, colour in links.items():
                mine[colour] = mine.get(colour, 0) | 1 << q
                mine[0] &= ~(1 << q)
            found.append(mine)
        return found


def find(a: Structure, b: Structure) -> Map | None:
    """A map of a's points to b's that keeps colours and relations; None if there is none."""
    domains = refine_domains(a, b)
    return _search(a, b, domains, list(range(a.points)), [_MOST]) if domains else None


def refine_domains(a: Structure, b: Structure) -> list[int] | None:
    """For each point of a the points of b it may go to, by colours refined until they stay."""
    if a.points != b.points:
        return None
    x, y = list(a.colours), list(b.colours)
    classes = len(set(x))
    while True:
        names: dict[object, int] = {}
        x, y = _refined(a, x, names), _refined(b, y, names)
        if sorted(x) != sorted(y):
            return None
        if len(names) == classes:
            break
        classes = len(names)
    bits: dict[int, int] = {}
    for q, colour in enumerate(y):
        bits[colour] = bits.get(colour, 0) | 1 << q
    return [bits[colour] for colour in x]


def _refined(s: Structure, colours: list[int], names: dict[object, int]) -> list[int]:
    """Every point named by its colour and those of its relations; equal names, equal colours."""
    out = []
    for p, links in enumerate(s.links):
        around = sorted((colour, colours[q]) for q, colour in links.items())
        out.append(names.setdefault((colours[p], tuple(around)), len(names)))
    return out


def _search(
    a: Structure, b: Structure, domains: list[int], left: list[int], budget: list[int]
) -> Map | None:
    """A map within the domains; `left` are the points not chosen yet."""
    settled = _settled(a, b, domains, left)
    if settled is None:
        return None
    domains, left = settled
    if not left:
        return _whole(a, b, domains)
    at = min(left, key=lambda p: domains[p].bit_count())
    rest = [p for p in left if p != at]
    for image in bit_indices(domains[at]):
        budget[0] -= 1
        if budget[0] < 0:
            raise TooLarge("These constraints are so regular that comparing would take too long.")
        narrowed = assign_and_propagate(a, b, domains, rest, at, image)
        found = _search(a, b, narrowed, rest, budget) if narrowed else None
        if found:
            return found
    return None


def _settled(
    a: Structure, b: Structure, domains: list[int], left: list[int]
) -> tuple[list[int], list[int]] | None:
    """The domains after all points with one image have gone there, and the points with more."""
    while any(domains[p].bit_count() > 1 for p in left):
        at = next((p for p in left if domains[p].bit_count() == 1), None)
        if at is None:
            return domains, left
        left = [p for p in left if p != at]
        narrowed = assign_and_propagate(a, b, domains, left, at, domains[at].bit_length() - 1)
        if not narrowed:
            return None
        domains = narrowed
    return domains, []


def assign_and_propagate(
    a: Structure, b: Structure, domains: list[int], rest: list[int], at: int, image: int
) -> list[int] | None:
    """The domains once `at` goes to `image`; None if a point has nowhere left to go."""
    narrowed = domains.copy()
    narrowed[at] = 1 << image
    links, masks = a.links[at], b.masks[image]
    for p in rest:
        narrowed[p] &= masks.get(links.get(p, 0), 0)
        if not narrowed[p]:
            return None
    return narrowed


def _whole(a: Structure, b: Structure, domains: list[int]) -> Map | None:
    """The map that single images make, if it keeps every relation."""
    images = [mask.bit_length() - 1 for mask in domains]
    if len(set(images)) < len(images):
        return None
    for p, links in enumerate(a.links):
        there = b.links[images[p]]
        if len(there) != len(links) or any(there.get(images[q]) != c for q, c in links.items()):
            return None
    return images


class StabiliserChain(NamedTuple):
    """The group of a structure, point by point: `orbits[i][j]` fixes all points before i and takes
    i to j. Every element is one product of one map of each orbit, the last point's first.
    """

    generators: list[Map]
    orbits: list[dict[int, Map]]

    @property
    def order(self) -> int:
        """How many maps there are."""
        count = 1
        for orbit in self.orbits:
            count *= len(orbit)
        return count


def chain(s: Structure, base: int) -> Job[StabiliserChain]:
    """A job: all maps of a structure to itself; only the first `base` points' orbits are kept.

    The other points must go where those leave no choice.
    """
    domains = refine_domains(s, s)
    assert domains, "a structure can be taken to itself"
    steps = [domains]
    for i in range(base):
        rest = list(range(i + 1, s.points))
        narrowed = assign_and_propagate(s, s, steps[-1], rest, i, i)
        assert narrowed, "nothing has moved"
        steps.append(narrowed)
    generators: list[Map] = []
    budget = [_MOST]
    orbits = []
    for i in reversed(range(base)):
        orbits.append(_orbit(s, i, steps[i], generators, budget))
        yield Progress(base - i, base, "symmetries")
    return StabiliserChain(generators, orbits[::-1])


def _orbit(
    s: Structure, i: int, domains: list[int], generators: list[Map], budget: list[int]
) -> dict[int, Map]:
    """Where i can go while all points before it stay; new generators are added to the list."""
    rest = list(range(i + 1, s.points))
    orbit = _reached(i, generators, s.points)
    hopeless: set[int] = set()
    for j in bit_indices(domains[i]):
        if j < i or j in orbit or j in hopeless:
            continue
        narrowed = assign_and_propagate(s, s, domains, rest, i, j)
        found = _search(s, s, narrowed, rest, budget) if narrowed and rest else None
        if found:
            generators.append(found)
            orbit = _reached(i, generators, s.points)
        else:  # then nothing of j's own orbit can be reached
            hopeless |= _reached(j, generators, s.points).keys()
    return orbit


def _reached(start: int, generators: Sequence[Map], points: int) -> dict[int, Map]:
    """The orbit of a point, with a map that takes it to each."""
    found = {start: list(range(points))}
    queue = [start]
    for p in queue:
        for g in generators:
            if g[p] not in found:
                found[g[p]] = [g[x] for x in found[p]]
                queue.append(g[p])
    return found
