"""What a puzzle's way by few clues is to be like, and how far another way is from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from cluewise.desks.mines.rating import TECHNIQUES, Lack, Move, Technique

ONE = 10  # what one move too few or too many weighs; how hard it is weighs less
THIRDS = 3


class MoveCount(NamedTuple):
    """So many moves of a kind: `MoveCount("sum", 3, 3)`; `most` None is no limit."""

    technique: Technique
    least: int
    most: int | None


class MoveProfile(NamedTuple):
    """How often kinds of moves are wanted, and what no move may go beyond.

    `deepest`: the hardest kind allowed; `widest`: counts that one move may rest on; `rising`: the
    hardest move of each third of the way is no easier than that of the third before, and the last
    third's is harder than the first's.
    """

    times: tuple[MoveCount, ...] = ()
    deepest: Technique | None = None
    widest: int | None = None
    rising: bool = False


def rank(technique: Technique) -> int:
    """How hard a kind is, 0 for one count."""
    return TECHNIQUES.index(technique)


def width(move: Move) -> int:
    """How often a move names a count; flags are given."""
    return move.length or sum(not name.startswith("flag:") for name in move.clues)


def effort_score(moves: Sequence[Move]) -> int:
    """What a way asks of somebody: over its moves, how hard the kind is times its length.

    A move by one count asks nothing, a cross of two counts 4, a sum of four counts 20.

    >>> cross = Move("cross", ["group:0", "group:1", "flag:5"], [1], "mine")
    >>> effort_score([Move("one", ["group:0"], [0], "safe"), cross])
    4
    """
    return sum(rank(move.technique) * width(move) for move in moves)


def profile_like(
    moves: Sequence[Move], compared: Literal["easier", "same", "harder"]
) -> MoveProfile:
    """The profile of a puzzle with these moves, or of one that is slightly easier or harder.

    The hardest kind occurs as often as in the model, the kind before it half to twice as often; no
    move is deeper or names more counts. Harder: one or two more moves of the hardest kind, which
    may name one count more. Easier: one less, or none where there was one.
    """
    often = Counter(move.technique for move in moves)
    kinds = sorted(often, key=rank) or ["one"]
    hardest = kinds[-1]
    widest = max(map(width, moves), default=1)
    if hardest == "one":
        harder = compared == "harder"
        first: tuple[MoveCount, ...] = (MoveCount("subset", 1, 2),) if harder else ()
        return MoveProfile(first, "subset" if harder else "one")
    below = [MoveCount(kind, (often[kind] + 1) // 2, 2 * often[kind]) for kind in kinds[1:-1]][-1:]
    found = often[hardest]
    if compared == "easier" and found == 1:
        deepest = kinds[-2] if len(kinds) > 1 else "one"
        widest = max((width(m) for m in moves if m.technique != hardest), default=1)
        return MoveProfile(tuple(below), deepest, widest)
    least, most = {"easier": (found - 1,) * 2, "same": (found,) * 2,
                   "harder": (found + 1, found + 2)}[compared]  # fmt: skip
    grown = compared == "harder" and rank(hardest) > rank("cross")
    times = (*below, MoveCount(hardest, least, most))
    return MoveProfile(times, hardest, widest + grown)


def profile_gaps(wish: MoveProfile, moves: Sequence[Move]) -> list[Lack]:
    """What keeps a way from the wish, [] where it is as wished."""
    often = Counter(move.technique for move in moves)
    found: list[Lack] = []
    for technique, least, most in wish.times:
        n = often[technique]
        if n < least:
            found.append(Lack("few", n, least, technique))
        elif most is not None and n > most:
            found.append(Lack("many", n, most, technique))
    deep = [m for m in moves if wish.deepest and rank(m.technique) > rank(wish.deepest)]
    if deep:
        found.append(Lack("deep", len(deep), 0, wish.deepest))
    wide = max(map(width, moves), default=0)
    if wish.widest is not None and wide > wish.widest:
        found.append(Lack("wide", wide, wish.widest))
    if wish.rising and (falls := _falls(moves)):
        found.append(Lack("falling", falls, 0))
    return found


def profile_distance(wish: MoveProfile, moves: Sequence[Move]) -> int:
    """How far a way is from the wish: 0 where it is as wished, less where it is nearer.

    A missing move weighs less where another one is nearly as hard, one too deep more the deeper.
    """
    named = {one.technique for one in wish.times}
    spare = sorted((rank(m.technique) for m in moves if m.technique not in named), reverse=True)
    total = 0
    for lack in profile_gaps(wish, moves):
        if lack.kind == "few" and lack.technique:
            for _ in range(lack.wanted - lack.found):
                near = next((r for r in spare if r < rank(lack.technique)), 0)
                if near:
                    spare.remove(near)
                total += ONE + rank(lack.technique) - near
        elif lack.kind == "deep" and lack.technique:
            total += sum(ONE + over for m in moves
                         if (over := rank(m.technique) - rank(lack.technique)) > 0)  # fmt: skip
        else:
            total += ONE * (lack.found - lack.wanted)
    return total


def _falls(moves: Sequence[Move]) -> int:
    """In how many ways it does not rise from third to third; 0 if it does."""
    if len(moves) < THIRDS:
        return 1
    ends = [len(moves) * k // THIRDS for k in range(THIRDS + 1)]
    top = [max((rank(m.technique), width(m)) for m in moves[a:b]) for a, b in pairwise(ends)]
    falls = sum(b < a for a, b in pairwise(top))
    return falls + (top[-1] <= top[0])
