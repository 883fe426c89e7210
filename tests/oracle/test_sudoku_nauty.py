"""Group orders of random rule sets of 4 to 16 symbols against nauty (McKay & Piperno 2014).

Runs where `pynauty` is installed. A rule set is written down a second time here: one table of
allowed values for every pair of cells, and sums; nauty sees cells, a point for each pair with a
table, one for each sum and one for each symbol of a board.
"""

import math
import random
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest

from asking import ask
from cluewise.errors import BadPosition

nauty = pytest.importorskip("pynauty")

BOXES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5), (5, 2), (3, 4), (4, 3), (2, 6),
         (3, 5), (5, 3), (4, 4)]  # fmt: skip
SEEDS = 60
WHOLE = ["diagonals", "diagonal", "disjoint", "antiknight", "antiking", "nonconsecutive", "windows"]
LOCAL = ["house", "killer", "killer", "arrow", "thermometer", "difference", "ratio", "xv", "cage",
         "even", "odd", "renban", "little"]  # fmt: skip
Rule = dict[str, Any]
Table = frozenset[tuple[int, int]]


def turns(n: int, rng: random.Random) -> list[list[int]]:
    """A group of maps of a square to itself, each as the target of every cell."""
    grid = [divmod(cell, n) for cell in range(n * n)]
    half = [(n - 1 - r) * n + n - 1 - c for r, c in grid]
    mirror = [r * n + n - 1 - c for r, c in grid]
    diagonal = [c * n + r for r, c in grid]
    quarter = [c * n + n - 1 - r for r, c in grid]
    still = list(range(n * n))
    three = [quarter[half[i]] for i in still]
    return rng.choice([[still], [still, half], [still, mirror], [still, diagonal],
                       [still, quarter, half, three]])  # fmt: skip


def local_rule(kind: str, n: int, rng: random.Random) -> Rule:
    """A constraint on connected or scattered cells."""
    if kind in ("even", "odd"):
        return {"kind": kind, "cells": [rng.randrange(n * n)]}
    if kind in ("difference", "ratio", "xv"):
        a, step = rng.randrange(n * n - n), rng.choice((1, n))
        a -= step == 1 and a % n == n - 1
        more = {"value": rng.choice((5, 10))} if kind == "xv" else {}
        return {"kind": kind, "cells": [a, a + step], **more}
    if kind == "house":
        return {"kind": kind, "cells": rng.sample(range(n * n), n)}
    at, line = rng.randrange(n * n), list[int]()
    while len(line) < rng.randint(2, min(n - 1, 5)):
        line.append(at)
        r, c = divmod(at, n)
        steps = [(r + y, c + x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        near = [
            (y, x) for y, x in steps if max(y, x) < n and min(y, x) >= 0 and y * n + x not in line
        ]
        if not near:
            break
        y, x = rng.choice(near)
        at = y * n + x
    if kind == "cage" or len(line) < 3:
        return {"kind": "killer", "cells": line}
    if kind in ("killer", "little"):
        return {
            "kind": kind,
            "cells": line,
            "sum": rng.randint(len(line) + 3, len(line) * n // 2 + 3),
        }
    return {"kind": kind, "cells": line}


def rule_set(box: tuple[int, int], seed: int) -> tuple[list[Rule], list[list[int]]]:
    """Random rules, most of them symmetric, and the stated houses."""
    rng = random.Random(f"{box} {seed}")
    n = box[0] * box[1]
    region = [c // n // box[0] * box[0] + c % n // box[1] for c in range(n * n)]
    images, rules = turns(n, rng), list[Rule]()
    if rng.random() < 0.3 or box[0] == 1:
        region = region if rng.random() < 0.5 else [(c // n + 2 * c) % n for c in range(n * n)]
        for _ in range(rng.randint(0, 4)):
            a, b = rng.sample(range(n * n), 2)
            region[a], region[b] = region[b], region[a]
        rules.append({"kind": "regions", "cells": region})
    kinds = [k for k in WHOLE if k != "windows" or box[0] == box[1]]
    kinds = [k for k in kinds if k != "disjoint" or rng.random() < 0.4]
    rules += [{"kind": kind} for kind in rng.sample(kinds, rng.choice((0, 0, 1, 1, 2, 3)))]
    for _ in range(rng.choice((0, 0, 1, 2, 3, 5))):
        one = local_rule(rng.choice(LOCAL), n, rng)
        rules += [{**one, "cells": [way[cell] for cell in one["cells"]]} for way in images]
    houses = [list(range(i * n, i * n + n)) for i in range(n)]
    houses += [list(range(i, n * n, n)) for i in range(n)]
    houses += [[c for c in range(n * n) if region[c] == k] for k in set(region)]
    for one in rules:
        name = one["kind"]
        if name in ("diagonal", "diagonals"):
            houses.append([i * (n + 1) for i in range(n)])
        if name == "diagonals":
            houses.append([(i + 1) * (n - 1) for i in range(n)])
        if name == "disjoint":
            houses += [[c for c in range(n * n) if (c // n % box[0], c % n % box[1]) == (r, k)]
                       for r in range(box[0]) for k in range(box[1])]  # fmt: skip
        if name == "windows":
            places = [[i for i in range(n) if i // (box[0] + 1) == k and i % (box[0] + 1)]
                      for k in range(box[0])]  # fmt: skip
            houses += [[r * n + c for r in a for c in b] for a in places[:-1] for b in places[:-1]]
        if name == "house" or (name in ("killer", "renban") and len(one["cells"]) == n):
            houses.append(one["cells"])
    return rules, houses


def tables(rules: list[Rule], houses: list[list[int]], n: int) -> dict[tuple[int, int], Table]:
    """For every ordered pair of cells that is restricted, its allowed values."""
    values = [(x, y) for x in range(1, n + 1) for y in range(1, n + 1)]
    found: dict[tuple[int, int], Table] = {}
    known: dict[Any, Table] = {}

    def restrict(a: int, b: int, allowed: Any) -> None:
        key = allowed.__code__, allowed.__defaults__
        if key not in known:
            known[key] = frozenset(pair for pair in values if allowed(*pair))
            known[key, "turned"] = frozenset((y, x) for x, y in known[key])
        for pair, table in (((a, b), known[key]), ((b, a), known[key, "turned"])):
            if found.get(pair) is not table:
                found[pair] = found[pair] & table if pair in found else table

    def differ(x: int, y: int) -> bool:
        return x != y

    near = [
        (c, c + s) for c in range(n * n) for s in (1, n) if c + s < n * n and (s > 1 or (c + 1) % n)
    ]
    marked: dict[str, set[tuple[int, int]]] = {}
    for one in rules:
        if one["kind"] in ("difference", "ratio", "xv"):
            marked.setdefault(one["kind"], set()).add(tuple(sorted(one["cells"])))
    above: dict[int, set[int]] = {}
    for cells in [
        *houses,
        *(one["cells"] for one in rules if one["kind"] in ("killer", "house", "renban")),
    ]:
        for a, b in combinations(cells, 2):
            restrict(a, b, differ)
    for one in rules:
        kind, cells = one["kind"], one.get("cells", [])
        if kind in ("antiknight", "antiking"):
            for a, b in combinations(range(n * n), 2):
                steps = sorted((abs(a // n - b // n), abs(a % n - b % n)))
                if steps == ([1, 2] if kind == "antiknight" else [1, 1]):
                    restrict(a, b, differ)
        elif kind == "nonconsecutive":
            for a, b in set(near) - marked.get("difference", set()) - marked.get("ratio", set()):
                restrict(a, b, lambda x, y: abs(x - y) != 1)
        elif kind == "thermometer":
            for a, b in pairwise(cells):
                above.setdefault(a, set()).add(b)
        elif kind == "difference" or (kind == "renban" and len(cells) == 2):
            restrict(cells[0], cells[1], lambda x, y: abs(x - y) == 1)
        elif kind == "ratio":
            restrict(cells[0], cells[1], lambda x, y: x == 2 * y or y == 2 * x)
        elif kind == "xv":
            restrict(cells[0], cells[1], lambda x, y, s=one["value"]: x + y == s)
    for start in above:
        reached, queue = set[int](), [start]
        while queue:
            fresh = above.get(queue.pop(), set()) - reached
            reached |= fresh
            queue += fresh
        for end in reached:
            restrict(start, end, lambda x, y: x < y) if start != end else None
    return found


def pieces(rules: list[Rule], n: int) -> Iterator[tuple[Any, frozenset[tuple[int, int]]]]:
    """What is not about pairs: a colour, and cells with the part each plays in it."""
    masks: dict[int, set[int]] = {}
    for one in rules:
        kind, cells = one["kind"], one.get("cells", [])
        parts = frozenset((cell, 1) for cell in cells)
        if kind in ("even", "odd"):
            masks.setdefault(cells[0], set(range(1, n + 1))).intersection_update(
                range(1 + (kind == "even"), n + 1, 2))  # fmt: skip
        elif kind in ("killer", "little") and "sum" in one:
            yield ("sum", one["sum"]), parts
        elif kind == "arrow":
            yield ("sum", 0), frozenset({(cells[0], -1), *((cell, 1) for cell in cells[1:])})
        elif kind == "renban" and 2 < len(cells) < n:
            yield "run", parts
    yield from ((("mask", frozenset(some)), frozenset({(cell, 1)})) for cell, some in masks.items())


def backwards(colour: Any, parts: Any, n: int) -> Any:
    """A piece with the order of symbols reversed."""
    if colour[0] == "sum":
        total = sum(factor for _, factor in parts) * (n + 1) - colour[1]
        return ("sum", total), parts
    if colour[0] == "mask":
        return ("mask", frozenset(n + 1 - x for x in colour[1])), parts
    return colour, parts


class Points:
    """A graph for nauty: coloured points, and edges between them."""

    def __init__(self, cells: int) -> None:
        self.colours: list[Any] = ["cell"] * cells
        self.edges: dict[int, list[int]] = {}

    def add(self, colour: Any, *near: int) -> int:
        """Return a new point of a colour with edges to others."""
        self.colours.append(colour)
        self.edges[len(self.colours) - 1] = list(near)
        return len(self.colours) - 1

    def graph(self) -> tuple[list[tuple[str, int]], Any]:
        """Return the sizes of the colour classes, and nauty's graph."""
        classes: dict[str, set[int]] = {}
        for point, colour in enumerate(self.colours):
            classes.setdefault(name(colour), set()).add(point)
        parts = [classes[k] for k in sorted(classes)]
        sizes = [(k, len(classes[k])) for k in sorted(classes)]
        return sizes, nauty.Graph(
            len(self.colours), adjacency_dict=self.edges, vertex_coloring=parts
        )


def name(colour: Any) -> str:
    """A string that is equal for equal colours; sets have no order of their own."""
    if isinstance(colour, frozenset):
        return str(sorted(colour))
    return str([name(one) for one in colour]) if isinstance(colour, tuple) else str(colour)


def graph(pairs: Any, groups: Any, n: int, symbols: list[tuple[Any, list[int]]]) -> Any:
    """Return the graph of a board; a pair that only differs is an edge."""
    points = Points(n * n)
    differ = frozenset((x, y) for x in range(n) for y in range(n) if x != y)
    differ = frozenset((x + 1, y + 1) for x, y in differ)
    for (a, b), table in pairs.items():
        if table == differ:
            points.edges.setdefault(a, []).append(b)
        elif a < b:
            points.add(pairs[b, a], b, points.add(table, a))
    for colour, parts in groups:
        roles = [
            points.add((colour, f), *(c for c, g in parts if f == g)) for f in {f for _, f in parts}
        ]
        points.add(colour, *roles)
    for colour, cells in symbols:
        points.add(("symbol", colour), *cells)
    return points.graph()


def order(one: Any) -> float:
    """The number of maps of a graph to itself."""
    _, mantissa, exponent, _, _ = nauty.autgrp(one[1])
    return float(mantissa * 10**exponent)


def counts(pairs: Any, groups: Any, n: int, board: str, sizes: bool, parity: bool) -> float:
    """The number of symmetries of a board with constraints."""
    values = [int(c, 36) if c != "." else 0 for c in board]
    colour = (lambda d: d) if sizes else (lambda d: d % 2) if parity else (lambda d: 0)

    def symbols(back: bool) -> list[tuple[Any, list[int]]]:
        return [(colour(n + 1 - d if back else d), [i for i, v in enumerate(values) if v == d])
                for d in range(1, n + 1) if d in values]  # fmt: skip

    own = graph(pairs, groups, n, symbols(False))
    if not (sizes or (parity and n % 2 == 0)):
        return order(own)
    turned = {pair: frozenset((n + 1 - x, n + 1 - y) for x, y in t) for pair, t in pairs.items()}
    reverse = {backwards(colour, parts, n) for colour, parts in groups}
    same = (turned, reverse, symbols(True)) == (pairs, groups, symbols(False))
    other = graph(turned, reverse, n, symbols(True))
    isomorphic = own[0] == other[0] and nauty.certificate(own[1]) == nauty.certificate(other[1])
    return order(own) * (2 if isomorphic and not (same and "." * n * n == board) else 1)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box[0]}x{box[1]}")
def test_group_orders_equal_those_of_nauty(box: tuple[int, int], seed: int) -> None:
    n = box[0] * box[1]
    rules, houses = rule_set(box, seed)
    position = {"box": list(box), "constraints": rules}
    found = ask("sudoku", "automorphisms", position, of="constraints", limit=0)
    pairs = tables(rules, [*houses, *found["implied"]], n)
    groups = set(pieces(rules, n))
    every = tables([], [[0, 1]], n)[0, 1]
    masks = {c[1] for c, _ in groups if c[0] == "mask"}
    sizes = any(t != every for t in pairs.values()) or any(c[0] != "mask" for c, _ in groups)
    assert math.isclose(found["count"], counts(pairs, groups, n, "." * n * n, sizes, bool(masks)))
    rng = random.Random(seed)
    board = ["."] * (n * n)
    for cell in rng.sample(range(n * n), rng.randint(1, n)):
        near = {board[b] for a, b in pairs if a == cell}
        board[cell] = rng.choice(sorted(set("123456789abcdefg"[:n]) - near) or ["."])
    try:
        found = ask("sudoku", "automorphisms", {**position, "grids": ["".join(board)]}, limit=0)
    except BadPosition:
        return
    if not rules:
        sizes = False
    assert math.isclose(
        found["count"], counts(pairs, groups, n, "".join(board), sizes, bool(masks))
    )
