"""Reads answers in the notations of people and programs: numbers, words, key pegs.

The notations are tried in a fixed order by regular expressions; the first that matches is used.
What only the whole text shows, such as `-` for a misplaced peg, is in a `NotationStyle`.

>>> read_answer(Rules(), " -> 1 bull, 2 cows"), read_answer(Rules(), "++-")
((1, 2), (2, 1))

An unknown half is None: `2 black, whites unknown` and `2A?B` are (2, None).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cluewise.desks.code.position import Rules

Answer: TypeAlias = tuple[int | None, int | None]

SPLIT = r"[\s:;=|>,/\\()\[\]{}→⇒–—-]*"
"""Separators between a guess and its answer."""
LABEL = (
    r"(?:results?|responses?|answers?|feedbacks?|grade|score|hints?|reply|clues?|judge|got"
    r"|computer)"
)
_LABELLED = re.compile(rf"{SPLIT}(?:{LABEL}\b)?{SPLIT}", re.IGNORECASE)
_END = re.compile(r"[\"')\]}.!,;|\s]+$")
_DASH = re.compile(r"[\s:=|>]*[-–—]+\s*")
_NUMBERS = re.compile(r"\+?(\d|\?)\s*[\s,;/:+|&-]+\s*\+?(\d|\?)|(\d)(\d)")
_ZERO = re.compile(
    r"(?:nothing|none|no(?:ne)?\s+(?:match(?:es)?|pegs?|hits?)|misses|miss|-+|[._]+|∅|0)"
)
_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_COUNT = rf"(\d+|\?|{'|'.join(_NUMBER_WORDS)}|unknown|all)"
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
_COUNT_THEN_NAME = re.compile(rf"{_COUNT}\s*([^\W\d_][^\d?,;&+/|()]*)")
_NAME_THEN_COUNT = re.compile(r"([^\W\d_][^\d?,;&+/|():=]*)\s*[:=]?\s*(\d+|\?|unknown)")
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
_AMBIGUOUS = _PALE + _RED + "🟠🟧"
"""Key pegs that other programs use as marks of single pegs, right or wrong."""
_MISSED = "❌✖·.-_–—×"
ONE_PER_PEG = (
    "These marks say which peg is right, one mark per peg; in this game an answer says only how"
    " many are right. Write two numbers, such as 1A2B."
)
EITHER = "These marks may be one mark per peg or as many key pegs. Write two numbers, such as 1A2B."
_KEY_WORDS = {
    "hit": "e", "close": "p", "miss": "", "exact": "e", "near": "p", "none": "", "black": "e",
    "white": "p", "red": "e", "green": "e", "yellow": "p", "bull": "e", "cow": "p", "wrong": "",
    "grey": "", "gray": "", "empty": "", "misplaced": "p", "correct": "e",
}  # fmt: skip
"""A word per key peg: e exact, p partial."""
_AMBIGUOUS_WORDS = ("black", "white", "red")
_COLOURED_WORDS = ("green", "yellow")
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
_MARKS = str.maketrans("🟩🟢✅🟨🟡🟧⬛⬜⚫⚪❌x.-", "22211100000000")
_KEY_RUN = re.compile(rf"(?:^|[\s:>=→|-])((?:[{_AMBIGUOUS}]\ufe0f?)+)\s*$")
_PLUS_MINUS = re.compile(r"[\s:=|>]*([+-](?:\s*[+-])*)\s*")


def uses_plus_minus(lines: Iterable[str]) -> bool:
    """Whether answers are a sign per key peg, so that `--` is two misplaced pegs, not a dash."""
    return any(re.search(r"(?<![\d+*])\+[\s+-]*$", line) for line in lines)


def uses_stars(lines: Iterable[str]) -> bool:
    """Whether `*` is a peg in the right place."""
    return any(re.search(r"\*[\s*+]*$", line) for line in lines)


def uses_key_pegs(lines: Iterable[str]) -> bool:
    """Whether black, white and red signs are key pegs: an answer has two colours, or answers
    differ in length, which never occurs with one mark per peg."""
    runs = [run[1].replace("\ufe0f", "") for line in lines if (run := _KEY_RUN.search(line))]
    return len({len(run) for run in runs}) > 1 or any(len(set(run)) > 1 for run in runs)


@dataclass(frozen=True, slots=True)
class NotationStyle:
    """The notation of answers, inferred from the whole text.

    `plus_minus`: `+` exact, `-` misplaced. `stars`: `*` exact, `+` misplaced. `misplaced_first`: of
    two numbers the first counts the misplaced pegs. `key_pegs`: black, white and red signs are key
    pegs.
    """

    plus_minus: bool = False
    stars: bool = False
    misplaced_first: bool = False
    key_pegs: bool = False


PLAIN = NotationStyle()


def read_answer(rules: Rules, text: str, style: NotationStyle = PLAIN) -> Answer | str:
    """Return the exact and the partial count of an answer, or a sentence why it has none."""
    if rules.feedback == "order":
        return _read_marks(rules, text)
    if rules.feedback == "sum":
        return _read_sum(rules, text)
    signs = _PLUS_MINUS.fullmatch(text) if style.plus_minus else None
    if signs:
        return signs[1].count("+"), signs[1].count("-")
    if _DASH.fullmatch(text):
        return 0, 0
    bare = _strip(text)
    if not bare:
        return "The answer is missing."
    if re.fullmatch(r"\d+", bare) and rules.feedback == "exact":
        return int(bare), 0
    if _ZERO.fullmatch(bare):
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


def _read_marks(rules: Rules, text: str) -> Answer | str:
    """Read a mark per peg, digits or squares: `"021"`, `"⬛🟩🟨"`; the pair of `Rules.answers`."""
    body = text[answer_begins(text) :].replace("\ufe0f", "") or text
    marks = re.sub(r"[\s,;|]", "", body).translate(_MARKS)
    if len(marks) == rules.pegs and not set(marks) - set("012"):
        return divmod(int(marks, 3), 9)
    return f"{text.strip()[:40]!r} is not one mark a peg, such as {'021'.ljust(rules.pegs, '0')}."


def _read_sum(rules: Rules, text: str) -> Answer | str:
    """Read the number of matching colours, with `!` after a win: `"3"`, `"4!"`."""
    found = re.fullmatch(rf"{SPLIT}(\d)\s*(!?)\s*", text)
    if not found:
        return f"{text.strip()[:40]!r} is not a sum such as 2, or {rules.pegs}! for a win."
    total = int(found[1])
    if found[2] and total != rules.pegs:
        return f"A guess that won has the sum {rules.pegs}, not {total}."
    return rules.win if found[2] else (0, total)


def _strip(text: str) -> str:
    """Return the answer in lower case, without label, brackets and final punctuation."""
    body = re.sub(r"^[\"')\]}]*", "", text[answer_begins(text) :])
    return _END.sub("", body).lower().replace("\ufe0f", "")


def answer_begins(text: str) -> int:
    """Return the start of the answer after dashes, brackets and a label: 11 in `" -> result: 1"`.

    A text of separators only may end in dashes that are key pegs; these are the answer.
    """
    match = _LABELLED.match(text)
    end = match.end() if match else 0
    dashes = re.search(r"[-–—]+$", text[:end])
    return dashes.start() if dashes and end == len(text) else end


def names_a_count(text: str) -> bool:
    """Whether the text begins with a long name of one count: `Right Color, Wrong Column: 2`."""
    small = text.strip().lower()
    return any(pattern.match(small) for pattern, _ in _LONG_NAMES)


def _number(text: str) -> int | None:
    if text in ("?", "unknown"):
        return None
    return _NUMBER_WORDS.index(text) if text in _NUMBER_WORDS else int(text)


def _read_words(text: str) -> Answer | None:
    """Read counts with names: `1a2b`, `1 bull 2 cows`, `bulls: 1, cows: 2`, `2b ?w`."""
    for pattern, name in _LONG_NAMES:
        text = pattern.sub(name, text)
    text = re.sub(r"\b(\w+?)s?\s+(?:are |is )?(?:unknown|not known|not said)\b", r"? \1", text)
    for pattern, step in ((_COUNT_THEN_NAME, 1), (_NAME_THEN_COUNT, -1)):
        pairs = [match.groups()[::step] for match in pattern.finditer(text)]
        rest = _FILLER.sub("", pattern.sub("", text)).strip(" ,;&+/|-.():?!")
        if pairs and not rest and (answer := _answer_of_counts(pairs)):
            return answer
    return None


def _answer_of_counts(pairs: Iterable[tuple[str, ...]]) -> Answer | None:
    """Return the answer of pairs of count and name; None if a name is unknown or occurs twice."""
    counts: dict[str, int | None] = {}
    named = [(number, _strip_nouns(name)) for number, name in pairs]
    names = {name for _, name in named}
    for number, name in named:
        if name == "b":  # black, or the B of 1A2B
            kind = "partial" if "a" in names else "exact"
        elif name == "w" or _PARTIAL.fullmatch(name):
            kind = "partial"
        elif _EXACT.fullmatch(name):
            kind = "exact"
        else:
            return None
        if kind in counts or number == "all":
            return None
        counts[kind] = _number(number)
    return counts.get("exact", 0), counts.get("partial", 0)


def _strip_nouns(name: str) -> str:
    """Return the name of a count without noun and conjunction: `"black pegs and "` is `"black"`."""
    name = re.sub(r"\b(?:and|y|et|und)\s*$", "", name.strip(" -.:")).strip(" -.:,")
    noun = r"\s*\b(?:pegs?|pins?|keys?|digits?|numbers?|match(?:es)?)\s*$"
    return re.sub(noun, "", name).strip(" -.:,")


# ---- lists of key pegs ------------------------------------------------------------------------


def _read_keys(text: str, pegs: int, key_pegs: bool) -> Answer | str | None:
    """Read a sign per key peg: `bbw`, `rrw`, `++-`, `●●○`; for one mark per peg why not."""
    signs = re.sub(r"[\s,|]", "", text)
    if len(signs) > 8:
        return None
    for exact, partial, neither in _SYSTEMS:
        if set(signs) <= {exact, partial, *neither} and set(signs) & {exact, partial}:
            marks = ["e" if c == exact else "p" if c == partial else "" for c in signs]
            # A miss before a hit: the marks are in the order of the pegs.
            in_order = sorted(marks, key=["e", "p", ""].index)
            return _count(marks, len(marks) == pegs and "" in marks and marks != in_order)
    if not set(signs) <= {*_EXACT_KEYS, *_PARTIAL_KEYS, *_MISSED, *"xo"}:
        return None
    if _is_ambiguous(signs, _AMBIGUOUS, pegs) and not key_pegs:
        return EITHER
    # With green or yellow marks, black and white are misses; with red ones white is misplaced.
    coloured = bool(set(signs) & set(_COLOURED))
    missed = _MISSED + _PALE if coloured else _MISSED
    if set(signs) & set("🟢🟩✅✔"):
        missed += _RED
    marks = ["" if c in missed else "e" if c in _EXACT_KEYS + "x" else "p" for c in signs]
    one_per_peg = coloured and len(set(marks)) > 1 and ("" in marks or len(marks) == pegs)
    return _count(marks, one_per_peg)


def _is_ambiguous(keys: Sequence[str], ambiguous: Sequence[str], pegs: int) -> bool:
    """Whether equal keys, as many as pegs, may be key pegs or marks of single pegs."""
    return len(keys) == pegs and len(set(keys)) == 1 and keys[0] in ambiguous


def _count(marks: Sequence[str], one_per_peg: bool) -> Answer | str:
    """Return the counts of marks `e`, `p` and `""`; for one mark per peg why there are none."""
    return ONE_PER_PEG if one_per_peg else (marks.count("e"), marks.count("p"))


def _read_list(text: str, pegs: int, key_pegs: bool) -> Answer | str | None:
    """Read a word per key peg: `hit, hit, close`; for one word per peg why not."""
    words = re.findall(r"[^\W\d_]+", text)
    if not words or len(words) > 8 or any(word not in _KEY_WORDS for word in words):
        return None
    if re.sub(r"[^\W\d_]+", "", text).strip(" ,;|-/[]'\""):
        return None
    if _is_ambiguous(words, _AMBIGUOUS_WORDS, pegs) and not key_pegs:
        return EITHER
    coloured = any(word in _COLOURED_WORDS for word in words)
    marks = ["" if coloured and word in _AMBIGUOUS_WORDS else _KEY_WORDS[word] for word in words]
    return _count(marks, len(marks) == pegs and len(set(marks)) > 1 and ("" in marks or coloured))
