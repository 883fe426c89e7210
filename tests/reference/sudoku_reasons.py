"""Reasons why two 9×9 boards differ, each counted again from its own definition."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product
from typing import Any

from reference.sudoku import least_band


def holds(because: Any, a: str, b: str) -> bool:
    """Whether the claim is true of these two boards, and tells them apart."""
    if because.kind in ("refinement", "certificate"):
        marks = because.first_lists[0] if because.kind == "certificate" else []
        return replay(a, b, 3, 3, marks)
    return COUNTED[because.kind](because, a, b)


def lines(board: str) -> list[list[str]]:
    """Rows, then columns, as lists of nine."""
    rows = [list(board[i : i + 9]) for i in range(0, 81, 9)]
    return rows + [list(col) for col in zip(*rows, strict=True)]


def minilines(board: str) -> list[list[str]]:
    """The 54 pieces of a line in a box."""
    return [line[i : i + 3] for line in lines(board) for i in (0, 3, 6)]


def _givens(because: Any, a: str, b: str) -> bool:
    x, y = (sum(d != "." for d in board) for board in (a, b))
    return (because.first, because.second) == (x, y) and x != y


def _symbols(because: Any, a: str, b: str) -> bool:
    x, y = (sorted((board.count(d) for d in "123456789"), reverse=True) for board in (a, b))
    return (because.first_lists, because.second_lists) == ([x], [y]) and x != y


def _lines(because: Any, a: str, b: str) -> bool:
    counted = []
    for board in (a, b):
        counts = [sum(d != "." for d in line) for line in lines(board)]
        chutes = [sorted(counts[i : i + 3]) for i in range(0, 18, 3)]
        counted.append(sorted([sorted(chutes[:3]), sorted(chutes[3:])]))
    flat = [[chute for kind in kinds for chute in kind] for kinds in counted]
    return [because.first_lists, because.second_lists] == flat and flat[0] != flat[1]


_SENTENCE = re.compile(
    r"Call a row's or column's part inside one box a strip\. "
    r"(?:No two symbols|(\d+) pairs? of symbols \(.*\)) of the first board shares? (?:exactly )?"
    r"(no|\d+) strips?, (?:no two|(\d+) pairs? of symbols \(.*\)) of the second\."
)


def _meetings(because: Any, a: str, b: str) -> bool:
    shared = [
        {(x, y): sum(x in piece and y in piece for piece in minilines(board))
         for x, y in combinations("123456789", 2)} for board in (a, b)
    ]  # fmt: skip
    counts = [Counter(one.values()) for one in shared]
    most = max(k for k in counts[0] | counts[1] if counts[0][k] != counts[1][k])
    pairs = [[(int(x), int(y)) for (x, y), n in one.items() if n == most] for one in shared]
    counted = because.meetings
    stated = _SENTENCE.fullmatch(because.text)
    if not stated or [int((stated[i] or "0").replace("no", "0")) for i in (2, 1, 3)] != [
        most, *map(len, pairs)
    ]:  # fmt: skip
        return False
    return [counted.count, counted.first_pairs, counted.second_pairs] == [most, *pairs] and [
        because.first, because.second
    ] == [counted.first, counted.second] == list(map(len, pairs))  # fmt: skip


def _table(because: Any, a: str, b: str) -> bool:
    counted = []
    for board in (a, b):
        met = Counter(pair for piece in minilines(board) for pair in permutations(piece, 2))
        rows = [sorted(met[x, y] for y in "123456789") for x in "123456789"]
        counted.append(sorted(rows))
    lists = [sorted(because.first_lists), sorted(because.second_lists)]
    return lists == counted and counted[0] != counted[1]


def crossed(board: str) -> int:
    """Rectangles in two boxes that hold two symbols crosswise."""
    count = 0
    for (r, s), (c, e) in product(combinations(range(9), 2), combinations(range(9), 2)):
        if (r // 3 == s // 3) == (c // 3 == e // 3):
            continue
        p, q, u, v = (board[9 * i + k] for i, k in ((r, c), (r, e), (s, c), (s, e)))
        count += p == v and q == u and "." not in p + q
    return count


def _rectangles(because: Any, a: str, b: str) -> bool:
    x, y = crossed(a), crossed(b)
    return (because.first, because.second) == (x, y) and x != y


def strings(one: list[str], other: list[str]) -> list[tuple[int, bool]]:
    """Rings and chains of two lines laid over each other: their lengths in symbols."""
    edges = [(x, y) for x, y in zip(one, other, strict=True) if "." not in x + y]
    found = []
    while edges:
        walk = list(edges.pop())
        grown = True
        while grown:
            grown = False
            for edge in edges:
                if edge[0] == walk[-1] or edge[1] == walk[0]:
                    edges.remove(edge)
                    walk = [*walk, edge[1]] if edge[0] == walk[-1] else [edge[0], *walk]
                    grown = True
                    break
        ring = walk[0] == walk[-1]
        found.append((len(walk) - ring, ring))
    return sorted(found)


def _cycles(because: Any, a: str, b: str) -> bool:
    counted = [Counter[tuple[bool, str]](), Counter[tuple[bool, str]]()]
    for board, count in zip((a, b), counted, strict=True):
        every = lines(board)
        for i, k in combinations(range(18), 2):
            if i // 9 == k // 9:
                count[i // 3 == k // 3, str(strings(every[i], every[k]))] += 1
    near = "of one band or stack" in because.text
    lengths = [n for (n,) in because.first_lists]
    rest = ("ings of" in because.text, "hains of" in because.text)
    for kind in counted[0] | counted[1]:
        parts = [part for part in kind[1].strip("[]").split("), (") if part]
        sizes = [int(part.strip("()").split(",")[0]) for part in parts]
        kinds = ("True" in kind[1], "False" in kind[1])
        counts = (counted[0][kind], counted[1][kind])
        meant = kind[0] == near and sorted(sizes) == sorted(lengths) and kinds == rest
        if meant and counts == (because.first, because.second) and counts[0] != counts[1]:
            return True
    return False


def _bands(because: Any, a: str, b: str) -> bool:
    counted = []
    for board in (a, b):
        every = lines(board)
        bands = [bytes(int(d) for line in every[i : i + 3] for d in line) for i in range(0, 18, 3)]
        counted.append(sorted(least_band(band)[0] for band in bands))
    x, y = because.first_lists[0], because.second_lists[0]
    alike = sorted(Counter(x).values()) == sorted(Counter(counted[0]).values())
    return counted[0] != counted[1] and x != y and alike


COUNTED: dict[str, Callable[[Any, str, str], bool]] = {
    "givens": _givens, "symbols": _symbols, "lines": _lines, "meetings": _meetings, "table": _table,
    "rectangles": _rectangles, "cycles": _cycles, "bands": _bands,
}  # fmt: skip


def relations(board: str, rows: int, cols: int) -> tuple[list[list[Any]], list[list[Any]]]:
    """For two things how they relate; for each its pieces of lines, as pairs of things."""
    n = rows * cols
    lines = [board[i * n : i * n + n] for i in range(n)] + [board[i::n] for i in range(n)]
    symbol = {s: 2 * n + i for i, s in enumerate("123456789abcdefg"[:n])}
    pieces: list[list[Any]] = [[] for _ in range(3 * n)]
    related: list[list[Any]] = [[0] * (3 * n) for _ in range(3 * n)]
    for x, line in enumerate(lines):
        first, width, chute = (n, cols, rows) if x < n else (0, rows, cols)
        for at in range(0, n, width):
            there = ((first + i, line[i]) for i in range(at, at + width) if line[i] in symbol)
            pieces[x].append([(y, symbol[s]) for y, s in there])
            for _, s in pieces[x][-1]:
                pieces[s].append([(x, other) for _, other in pieces[x][-1]])
                for _, other in pieces[x][-1]:
                    related[s][other] += 1
        for y in range(x // n * n, x // n * n + n):
            over = dict(zip(line, lines[y], strict=True))
            related[x][y] = (x // chute == y // chute, walks(over, n))
    return related, pieces


def walks(over: dict[str, str], n: int) -> list[tuple[int, int]]:
    """How many symbols get anywhere in 1, 2, … steps, and how many of them back to themselves."""
    reach, counts = {x: y for x, y in over.items() if "." not in x + y}, []
    for _ in range(n):
        counts.append((len(reach), sum(x == y for x, y in reach.items())))
        reach = {x: over[y] for x, y in reach.items() if over.get(y, ".") != "."}
    return counts


def described(facts: tuple[Any, Any], was: list[str]) -> list[str]:
    """Every thing anew: what it was, how it relates to the others, and what its pieces hold."""
    return [
        repr((was[x], sorted((repr(how), was[y]) for y, how in enumerate(related)),
              sorted(sorted((was[y], was[s]) for y, s in piece) for piece in pieces)))
        for x, (related, pieces) in enumerate(zip(*facts, strict=True))
    ]  # fmt: skip


def apart(a: Any, b: Any, pairs: Sequence[tuple[int, int]], things: int) -> Any:
    """True if descriptions distinguish the boards; else what each thing is called in the end."""
    kinds, now = 0, [["s" if 3 * x >= 2 * things else "l" for x in range(things)] for _ in (a, b)]
    for i, pair in enumerate(pairs):
        now[0][pair[0]], now[1][pair[1]] = f"m{i}", f"m{i}"
    while kinds < len(set(now[0])) and sorted(now[0]) == sorted(now[1]):
        kinds = len(set(now[0]))
        new = [described(a, now[0]), described(b, now[1])]
        names = {text: f"{i:03d}" for i, text in enumerate(sorted({*new[0], *new[1]}))}
        now = [[names[text] for text in side] for side in new]
    return True if sorted(now[0]) != sorted(now[1]) else now


def replay(a: str, b: str, rows: int, cols: int, choices: Sequence[int]) -> bool:
    """Whether the certificate holds."""
    first, second = relations(a, rows, cols), relations(b, rows, cols)
    waiting: list[tuple[tuple[int, int], ...]] = [()]
    for pairs in waiting:
        found = apart(first, second, pairs, 3 * rows * cols)
        if found is not True and len(pairs) == len(choices):
            return False
        if found is not True:
            mark = choices[len(pairs)]
            waiting += [(*pairs, (mark, y)) for y, c in enumerate(found[1]) if c == found[0][mark]]
    return True
