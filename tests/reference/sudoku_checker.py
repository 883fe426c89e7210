"""Replays a certificate of "different", in fifty lines of code with definitions of its own."""

from collections.abc import Sequence
from typing import Any


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
    """True if descriptions tell the boards apart; else what each thing is called in the end."""
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
