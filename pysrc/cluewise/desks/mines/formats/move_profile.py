"""A wish as people say it: `3 sum, none deeper, at most 6 counts, rising`."""

from __future__ import annotations

import re
from typing import cast

from cluewise.desks.mines.generator.move_profile import MoveCount, MoveProfile, rank
from cluewise.desks.mines.rating import TECHNIQUES, Technique
from cluewise.errors import BadOption

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


def read_wish(text: str) -> MoveProfile:
    """The wish in a text: parts between commas, in any order.

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
    """The wish's text in its one plain form, which `read_wish` reads back."""
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
