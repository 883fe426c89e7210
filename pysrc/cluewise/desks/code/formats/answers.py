"""Answers as people and programs write them: numbers, words, key pegs.

>>> read_answer(Rules(), " -> 1 bull, 2 cows"), read_answer(Rules(), "++-")
((1, 2), (2, 1))

A half that is said not to be known is None: `2 black, whites unknown`, `2A?B`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from cluewise.desks.code.position import Rules

Answer: TypeAlias = tuple[int | None, int | None]

SPLIT = r"[\s:;=|>,/\\()\[\]{}→⇒–—-]*"
"""What may stand between a guess and its answer."""
LABEL = (
    r"(?:results?|responses?|answers?|feedbacks?|grade|score|hints?|reply|clues?|judge|got"
    r"|computer)"
)
_LABELLED = re.compile(rf"{SPLIT}(?:{LABEL}\b)?{SPLIT}", re.IGNORECASE)
_TAIL = re.compile(r"[\"')\]}.!,;|\s]+$")
_DASH = re.compile(r"[\s:=|>]*[-–—]+\s*")
_NUMBERS = re.compile(r"\+?(\d|\?)\s*[\s,;/:+|&-]+\s*\+?(\d|\?)|(\d)(\d)")
_NOTHING = re.compile(
    r"(?:nothing|none|no(?:ne)?\s+(?:match(?:es)?|pegs?|hits?)|misses|miss|-+|[._]+|∅|0)"
)
_COUNT = r"(\d+|\?|no|one|two|three|four|five|six|seven|eight|unknown|all)"
_WORDS = {
    word: n
    for n, word in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven", "eight"))
}
_EXACT = re.compile(
    r"a|x|bulls?|blacks?|blk|reds?|greens?|exact(?:ly)?(?: matches)?|hits?|fijas?|famas?|toros?"
    r"|muertos?|schwarze?[rs]?|noirs?|(?:well|correctly|rightly)[- ]placed|placed?|bien plac[ée]s?"
    r"|(?:digits? |numbers? |pegs? |colou?rs? )?(?:in )?(?:the )?(?:right|correct|exact)"
    r"(?: (?:place|pos(?:ition)?|spot)s?)?|быка?|быков"
)
_PARTIAL = re.compile(
    r"c|o|p|cows?|whites?|wht|yellows?|gr[ae]ys?|partial(?:ly)?(?: matches)?|near(?:ly)?|close"
    r"|picas?|vacas?|toques?|heridos?|wei(?:ß|ss)e?[rs]?|blancs?|mal plac[ée]s?|mis-?placed"
    r"|colou?rs?"
    r"|(?:digits? |numbers? |pegs? |colou?rs? )?(?:in )?(?:the )?wrong[- ](?:place|pos(?:ition)?"
    r"|spot)s?|(?:right|correct) colou?rs?(?:,? (?:in )?(?:the )?wrong (?:place|position|spot))?"
    r"|коров[аы]?"
)
_BEFORE = re.compile(rf"{_COUNT}\s*([^\W\d_][^\d?,;&+/|()]*)")
_AFTER = re.compile(r"([^\W\d_][^\d?,;&+/|():=]*)\s*[:=]?\s*(\d+|\?|unknown)")
_FILLER = re.compile(r"\b(?:and|y|et|und|are|is|pegs?|digits?|numbers?|in|place|the)\b")
_RIGHT = r"(?:right|correct) colou?rs?"
_PLACE = r"(?:columns?|col\b|positions?|pos\b|places?|spots?)"
_LONG_NAMES = (
    (re.compile(rf"{_RIGHT}\s*(?:[&,+]|and|but|in)*\s*(?:the )?wrong {_PLACE}"), "misplaced"),
    (
        re.compile(rf"{_RIGHT}\s*(?:[&,+]|and|in)+\s*(?:the )?(?:(?:right|correct) )?{_PLACE}"),
        "exact",
    ),
)
_EXACT_KEYS, _PARTIAL_KEYS = "●⚫•⬛■✅✔🟢🟩🔴🟥🖤", "○⚪◦⬜□🔄🟡🟨🟠🟧🤍"
_COLOURED, _PALE = "🟢🟩🟡🟨🟠🟧✅✔", "⚫⬛⚪⬜🖤🤍"
_RED = "🔴🟥"
_EITHER = _PALE + _RED + "🟠🟧"
"""A key peg, or a mark that may say that its peg is wrong or right."""
_MISSED = "❌✖·.-_–—×"
ONE_PER_PEG = (
    "These marks say which peg is right, one mark per peg; in this game an answer says only how"
    " many are right. Write two numbers, such as 1A2B."
)
EITHER = "These marks may be one mark per peg or as many key pegs. Write two numbers, such as 1A2B."
_LISTED = {
    "hit": "e", "close": "p", "miss": "", "exact": "e", "near": "p", "none": "", "black": "e",
    "white": "p", "red": "e", "green": "e", "yellow": "p", "bull": "e", "cow": "p", "wrong": "",
    "grey": "", "gray": "", "empty": "", "misplaced": "p", "correct": "e",
}  # fmt: skip


_LISTED_EITHER = ("black", "white", "red")
_LISTED_COLOURED = ("green", "yellow")
_KEY_RUN = re.compile(rf"(?:^|[\s:>=→|-])((?:[{_EITHER}]\ufe0f?)+)\s*$")
_PLUS_MINUS = re.compile(r"[\s:=|>]*([+-](?:\s*[+-])*)\s*")


def uses_plus_minus(lines: Iterable[str]) -> bool:
    """Whether the text writes a sign a peg, so that `--` are two misplaced ones, and no dash."""
    return any(re.search(r"(?<![\d+*])\+[\s+-]*$", line) for line in lines)


def uses_stars(lines: Iterable[str]) -> bool:
    """Whether the text writes `*` for a right place."""
    return any(re.search(r"\*[\s*+]*$", line) for line in lines)


def uses_key_pegs(lines: Iterable[str]) -> bool:
    """Whether the text writes black, white and red key pegs: both colours in an answer, or
    answers of different lengths, which one mark per peg never has."""
    runs = [run[1].replace("\ufe0f", "") for line in lines if (run := _KEY_RUN.search(line))]
    return len({len(run) for run in runs}) > 1 or any(len(set(run)) > 1 for run in runs)


@dataclass(frozen=True, slots=True)
class NotationStyle:
    """What only the whole text shows.

    `plus_minus`: answers are a `+` or `-` a peg. `stars`: a `*` or a `+`, which then is a misplaced
    one. `misplaced_first`: of two numbers the first counts the misplaced. `key_pegs`: answers are
    lists of key pegs, black, white and red.
    """

    plus_minus: bool = False
    stars: bool = False
    misplaced_first: bool = False
    key_pegs: bool = False


PLAIN = NotationStyle()


def read_answer(rules: Rules, text: str, style: NotationStyle = PLAIN) -> Answer | str:
    """Exact and partial of an answer in any usual notation, or the reason why not."""
    if rules.feedback in ("order", "sum"):
        return _read_marks(rules, text) if rules.feedback == "order" else _read_sum(rules, text)
    signs = _PLUS_MINUS.fullmatch(text) if style.plus_minus else None
    if signs:
        return signs[1].count("+"), signs[1].count("-")
    if _DASH.fullmatch(text):
        return 0, 0
    bare = bare_answer(text)
    if not bare:
        return "The answer is missing."
    if re.fullmatch(r"\d+", bare) and rules.feedback == "exact":
        return int(bare), 0
    if _NOTHING.fullmatch(bare):
        return 0, 0
    pair = _NUMBERS.fullmatch(bare)
    if pair:
        halves = _number(pair[1] or pair[3]), _number(pair[2] or pair[4])
        return halves[::-1] if style.misplaced_first else halves
    if re.fullmatch(r"\+\s*\d", bare):
        return int(bare[-1]), 0
    if style.stars and set(bare) <= set("*+ "):
        return bare.count("*"), bare.count("+")
    pegs, keys = rules.pegs, style.key_pegs
    found = _read_words(bare) or _read_keys(bare, pegs, keys) or _read_list(bare, pegs, keys)
    return found or f"{bare[:40]!r} is not an answer such as 1A2B."


_MARKS = str.maketrans("🟩🟢✅🟨🟡🟧⬛⬜⚫⚪❌x.-", "22211100000000")


def _read_marks(rules: Rules, text: str) -> Answer | str:
    """A mark a peg, in digits or squares: `"021"`, `"⬛🟩🟨"`, as a pair of the rules."""
    begun = text[answer_begins(text) :].replace("\ufe0f", "") or text
    marks = re.sub(r"[\s,;|]", "", begun).translate(_MARKS)
    if len(marks) == rules.pegs and not set(marks) - set("012"):
        return divmod(int(marks, 3), 9)
    return f"{text.strip()[:40]!r} is not one mark a peg, such as {'021'.ljust(rules.pegs, '0')}."


def _read_sum(rules: Rules, text: str) -> Answer | str:
    """How many colours match, with `!` where the guess won: `"3"`, `"4!"`."""
    found = re.fullmatch(rf"{SPLIT}(\d)\s*(!?)\s*", text)
    if not found:
        return f"{text.strip()[:40]!r} is not a sum such as 2, or {rules.pegs}! for a win."
    total = int(found[1])
    if found[2] and total != rules.pegs:
        return f"A guess that won has the sum {rules.pegs}, not {total}."
    return rules.win if found[2] else (0, total)


def bare_answer(text: str) -> str:
    """The answer without what stands round it, in small letters."""
    begun = text[answer_begins(text) :]
    return _TAIL.sub("", re.sub(r"^[\"')\]}]*", "", begun)).lower().replace("\ufe0f", "")


def answer_begins(text: str) -> int:
    """Where the answer begins behind dashes, brackets and a label: `" -> result: 1"` is 11."""
    found = _LABELLED.match(text)
    end = found.end() if found else 0
    kept = re.search(r"[-–—]+$", text[:end])  # dashes may be key pegs: `++--` does not begin so
    return end if end < len(text) or not kept else kept.start()


def names_a_count(text: str) -> bool:
    """Whether the text begins with the long name of a count: `Right Color, Wrong Column: 2`."""
    small = text.strip().lower()
    return any(pattern.match(small) for pattern, _ in _LONG_NAMES)


def _number(text: str) -> int | None:
    if text in ("?", "unknown"):
        return None
    return _WORDS[text] if text in _WORDS else int(text)


def _read_words(text: str) -> Answer | None:
    """Numbers with words or letters: `1a2b`, `1 bull 2 cows`, `bulls: 1, cows: 2`, `2b ?w`."""
    for pattern, name in _LONG_NAMES:
        text = pattern.sub(name, text)
    text = re.sub(r"\b(\w+?)s?\s+(?:are |is )?(?:unknown|not known|not said)\b", r"? \1", text)
    for pattern, number_first in ((_BEFORE, True), (_AFTER, False)):
        pairs = [m.groups() if number_first else m.groups()[::-1] for m in pattern.finditer(text)]
        rest = _FILLER.sub("", pattern.sub("", text)).strip(" ,;&+/|-.():?!")
        if pairs and not rest and (found := _sort_words(pairs)):
            return found
    return None


def _sort_words(pairs: Iterable[tuple[str, ...]]) -> Answer | None:
    found: dict[str, int | None] = {}
    named = [(number, _plain(word)) for number, word in pairs]
    letters = {word for _, word in named}
    for number, word in named:
        if word == "b":
            kind = "partial" if "a" in letters else "exact"
        elif word == "w" or _PARTIAL.fullmatch(word):
            kind = "partial"
        elif _EXACT.fullmatch(word):
            kind = "exact"
        else:
            return None
        if kind in found or number == "all":
            return None
        found[kind] = _number(number)
    return found.get("exact", 0), found.get("partial", 0)


def _plain(word: str) -> str:
    """The word alone: `"black pegs and "` is `"black"`."""
    word = re.sub(r"\b(?:and|y|et|und)\s*$", "", word.strip(" -.:"))
    word = re.sub(
        r"\s*\b(?:pegs?|pins?|keys?|digits?|numbers?|match(?:es)?)\s*$", "", word.strip(" -.:,")
    )
    return word.strip(" -.:,")


# ---- key pegs one by one ---------------------------------------------------------------------

_SYSTEMS = (  # letters or signs for exact, for partial, for neither
    ("+", "-", " "),
    ("*", "+", "-._ "),
    ("+", "o", "-._ "),
    ("x", "o", "-._ "),
    ("b", "w", "-._ox "),
    ("r", "w", "-._x "),
    ("!", "?", "-._ "),
    ("✓", "~", "-._x "),
)


def _read_keys(text: str, pegs: int, key_pegs: bool) -> Answer | str | None:
    """Key pegs one by one: `bbw`, `rrw`, `++-`, `●●○`; for one mark per peg the reason why not."""
    signs = re.sub(r"[\s,|]", "", text)
    if len(signs) > 8:
        return None
    for exact, partial, neither in _SYSTEMS:
        if set(signs) <= {exact, partial, *neither} and set(signs) & {exact, partial}:
            return _count_marks(
                ["e" if c == exact else "p" if c == partial else "" for c in signs], pegs
            )
    if not set(signs) <= {*_EXACT_KEYS, *_PARTIAL_KEYS, *_MISSED, *"xo"}:
        return None
    if len(signs) == pegs and len(set(signs)) == 1 and signs[0] in _EITHER and not key_pegs:
        return EITHER
    # With green or yellow marks, black and white are misses; with red ones white is misplaced.
    coloured = bool(set(signs) & set(_COLOURED))
    missed = _MISSED + _PALE if coloured else _MISSED
    if set(signs) & set("🟢🟩✅✔"):
        missed += _RED
    marks = ["" if c in missed else "e" if c in _EXACT_KEYS + "x" else "p" for c in signs]
    if coloured and len(set(marks)) > 1 and ("" in marks or len(marks) == pegs):
        return ONE_PER_PEG
    return marks.count("e"), marks.count("p")


def _count_marks(marks: list[str], pegs: int) -> Answer | str:
    """The counts of marks `e`, `p` and empty, or why they are none.

    A miss before a hit shows that the marks follow the order of the pegs.
    """
    in_order = sorted(marks, key=["e", "p", ""].index)
    if len(marks) == pegs and "" in marks and marks != in_order:
        return ONE_PER_PEG
    return marks.count("e"), marks.count("p")


def _read_list(text: str, pegs: int, key_pegs: bool) -> Answer | str | None:
    """A word a key: `hit, hit, close`; for one word per peg the reason why not."""
    found = re.findall(r"[^\W\d_]+", text)
    if not found or len(found) > 8 or any(word not in _LISTED for word in found):
        return None
    if re.sub(r"[^\W\d_]+", "", text).strip(" ,;|-/[]'\""):
        return None
    if len(found) == pegs and len(set(found)) == 1 and found[0] in _LISTED_EITHER and not key_pegs:
        return EITHER
    coloured = any(word in _LISTED_COLOURED for word in found)
    marks = ["" if coloured and word in _LISTED_EITHER else _LISTED[word] for word in found]
    if len(marks) == pegs and len(set(marks)) > 1 and ("" in marks or coloured):
        return ONE_PER_PEG
    return marks.count("e"), marks.count("p")
