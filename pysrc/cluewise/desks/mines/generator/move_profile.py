"""Profiles of moves: how often each kind of deduction occurs in a puzzle's solution path.

Parses and prints profiles such as `3 sum, none deeper, at most 6 counts, rising`, and measures the
distance of a path from a profile.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, cast

from cluewise.desks.mines.rating import TECHNIQUES, Lack, Move, Technique
from cluewise.errors import BadOption

ONE = 10  # distance of one move too few or too many; its rank adds less
THIRDS = 3
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PATH = "$.options.wish"
_KINDS = "|".join(TECHNIQUES)
_TIMES = re.compile(
    rf"(?P<least>\d{{1,3}}|{'|'.join(WORDS)})\s*(?P<open>\+|\.\.\s*(?P<most>\d{{1,3}}))?\s+"
    rf"(?P<kind>{_KINDS})s?(\s+(step|move)s?)?"
)
_DEEPEST = re.compile(rf"none (deeper|harder)( than (?P<kind>{_KINDS}))?")
_WIDEST = re.compile(r"at most (?P<most>\d{1,3}) counts?")
_RISING = re.compile(r"(curve )?rising")


class MoveCount(NamedTuple):
    """A number of moves of a kind: `MoveCount("sum", 3, 3)`; `most` None is no limit."""

    technique: Technique
    least: int
    most: int | None


class MoveProfile(NamedTuple):
    """How often kinds of moves occur, and limits of every move.

    `deepest`: the hardest kind allowed; `widest`: the most counts that a move may use; `rising`:
    the hardest move of each third of the path is at least as hard as that of the third before, and
    the last third's is harder than the first's.
    """

    times: tuple[MoveCount, ...] = ()
    deepest: Technique | None = None
    widest: int | None = None
    rising: bool = False


def rank(technique: Technique) -> int:
    """Return the difficulty of a kind, 0 for one count."""
    return TECHNIQUES.index(technique)


def width(move: Move) -> int:
    """Return how often a move names a count; flags do not count."""
    return move.length or sum(not name.startswith("flag:") for name in move.clues)


def effort_score(moves: Sequence[Move]) -> int:
    """Return the sum over the moves of rank times length.

    A move by one count adds 0, a cross of two counts 4, a sum of four counts 20.

    >>> cross = Move("cross", ["group:0", "group:1", "flag:5"], [1], "mine")
    >>> effort_score([Move("one", ["group:0"], [0], "safe"), cross])
    4
    """
    return sum(rank(move.technique) * width(move) for move in moves)


def profile_like(
    moves: Sequence[Move], compared: Literal["easier", "same", "harder"]
) -> MoveProfile:
    """Return the profile of a puzzle with these moves, or of a slightly easier or harder one.

    The hardest kind occurs as often as in the model, the kind before it half to twice as often; no
    move is deeper or names more counts. Harder: one or two more moves of the hardest kind, which
    may name one count more. Easier: one less, or none if there was one.
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
    """List the differences of a path from the profile, [] if it matches."""
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
    """Return the distance of a path from the profile, 0 if it matches.

    A missing move weighs less if another one is nearly as hard; a move too deep by its excess.
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
    """Return the number of violations of `rising`."""
    if len(moves) < THIRDS:
        return 1
    ends = [len(moves) * k // THIRDS for k in range(THIRDS + 1)]
    top = [max((rank(m.technique), width(m)) for m in moves[a:b]) for a, b in pairwise(ends)]
    falls = sum(b < a for a, b in pairwise(top))
    return falls + (top[-1] <= top[0])


def read_wish(text: str) -> MoveProfile:
    """Parse a profile: parts separated by commas, in any order.

    `3 sum`, `3+ sum`, `2..4 chain steps`, `no parity`: so many moves of a kind. `none deeper`: no
    move harder than the hardest kind named, or `none deeper than chain`. `at most 6 counts`: no
    move rests on more. `rising`: harder towards the end. Raises BadOption with the part that is
    none of these.
    """
    times: dict[Technique, MoveCount] = {}
    deepest: Technique | None = None
    none_deeper, widest, rising = False, None, False
    for part in filter(None, (" ".join(p.lower().split()) for p in text.split(","))):
        if found := _TIMES.fullmatch(part):
            one = _times(found)
            if one.technique in times:
                raise BadOption(f"“{part}”: {one.technique} was wished for already.", PATH)
            times[one.technique] = one
        elif found := _DEEPEST.fullmatch(part):
            none_deeper, deepest = True, cast("Technique | None", found["kind"])
        elif found := _WIDEST.fullmatch(part):
            widest = int(found["most"])
        elif _RISING.fullmatch(part):
            rising = True
        else:
            raise BadOption(
                f"“{part}” is not a wish. Say how many moves of a kind ({', '.join(TECHNIQUES)}), "
                "such as “3 sum”, “none deeper”, “at most 6 counts” or “rising”.", PATH
            )  # fmt: skip
    wanted = [t for t in TECHNIQUES if t in times and times[t].most != 0]
    if none_deeper and deepest is None:
        if not wanted:
            raise BadOption("“none deeper”: than what? Name a kind of move, such as “sum”.", PATH)
        deepest = wanted[-1]
    if deepest and wanted and times[wanted[-1]].least and rank(wanted[-1]) > rank(deepest):
        raise BadOption(f"{wanted[-1]} is deeper than {deepest}: choose one of them.", PATH)
    wish = MoveProfile(tuple(times[t] for t in TECHNIQUES if t in times), deepest, widest, rising)
    if wish == MoveProfile():
        raise BadOption("The wish is empty. Say for example “3 sum, none deeper, rising”.", PATH)
    return wish


def _times(found: re.Match[str]) -> MoveCount:
    word = found["least"]
    least = WORDS.index(word) if word in WORDS else int(word)
    most = least
    if found["most"] is not None:
        most = int(found["most"])
        if most < least:
            raise BadOption(f"“{found[0]}”: the larger number comes last.", PATH)
    return MoveCount(
        cast("Technique", found["kind"]), least, None if found["open"] == "+" else most
    )


def write_wish(wish: MoveProfile) -> str:
    """Return the profile's canonical text, which `read_wish` parses."""
    parts = []
    for technique, least, most in wish.times:
        often = f"{least}+" if most is None else str(least) if most == least else f"{least}..{most}"
        parts.append(f"{often} {technique}")
    if wish.deepest is not None:
        parts.append(f"none deeper than {wish.deepest}")
    if wish.widest is not None:
        parts.append(f"at most {wish.widest} counts")
    if wish.rising:
        parts.append("rising")
    return ", ".join(parts)
