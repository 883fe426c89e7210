"""Rules in English sentences, by keyword patterns with closed vocabularies.

>>> read_rules("Normal sudoku rules apply. Adjacent digits on a green line differ by at least 5.")
Rules(known=[Rule(kind='whispers', colours=('green',), value=5)], unknown=[])

A clause states a rule if it matches the pattern of the rule and has no words outside the rule's
vocabulary: any other word, such as “or”, “not” or “except”, may change its meaning. A sentence that
is no such clause is split into two at a conjunction, recursively.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Rule(NamedTuple):
    """A rule: its kind, the colours of its lines, and its number.

    Kinds are those of constraints, and `repeats` (digits may repeat in cages), `all dots`,
    `all xv` (every pair that could have a mark has one), `regions` (shaded cells are a house),
    `even circle`, `even square`, `odd circle` and `odd square`.
    """

    kind: str
    colours: tuple[str, ...] = ()
    value: int | None = None


class Rules(NamedTuple):
    """The rules that a text states, and its sentences that are not understood."""

    known: list[Rule]
    unknown: list[str]


_BREAKS = ("; ", " (", ", and ", ": ", ", ", " - ", " – ", " while ", " and ", " but ")
_SIGNS = {
    "\\n": "\n",
    "’": "'",
    "‘": "'",
    "\u00a0": " ",
    "‑": "-",
    "1–": "1-",
    "×": "x",
    "1: 2": "1:2",
    "color": "colour",
}
_WORD = re.compile(r"[^\s,;:()\"“”\[\]{}]+(?::\d)?")


def read_rules(text: str) -> Rules:
    """The rules of a text, and its sentences that are not understood, in lower case."""
    found = Rules([], [])
    for sentence in _split_sentences(text):
        rules = _read_sentence(sentence)
        if rules is None:
            found.unknown.append(sentence)
        else:
            found.known.extend(one for one in rules if one not in found.known)
    return found


def _split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in lower case, with normalised characters."""
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    text = re.sub(
        "[\U0001d400-\U0001d6a3]",
        lambda found: chr(  # bold and slanted letters
            (65, 97)[(ord(found[0]) - 0x1D400) % 52 // 26] + (ord(found[0]) - 0x1D400) % 26
        ),
        text,
    )
    text = text[:8000].lower()
    text = re.sub(r"\b(i)\.(e)\.?|\b(e)\.(g)\.?", r"\1\2\3\4", text)
    for part in re.split(r"[.!?](?=\s|$|[\"”)])|[\n•●▪◦*]+", text):
        whole = re.sub(r"\s+", " ", part).strip(' -–—=_>|\t,;"“”')
        whole = re.sub(r"^(?:\d{1,2}|[a-h])[):] *", "", whole)
        if re.search(r"[a-z]", whole):
            yield whole


def _read_sentence(sentence: str) -> list[Rule] | None:
    """The rules of a sentence as one clause or two; None if it is not understood."""
    rules = _read_clause(sentence)
    if rules is not None:
        return rules
    for mark in _BREAKS:
        for found in re.finditer(re.escape(mark), sentence):
            first = sentence[: found.start()].strip(" ()")
            second = sentence[found.end() :].strip(" ()")
            before = _read_clause(first) if first else None
            after = _read_sentence(second) if before is not None and second else None
            if before is not None and after is not None:
                return before + after
    return None


def _read_clause(sentence: str) -> list[Rule] | None:
    """The rules of a clause, none for one without meaning; None if it is not understood."""
    if any(pattern.fullmatch(sentence) for pattern in _NO_RULES):
        return []
    every = _ALL_GIVEN.search(sentence)
    if every and "not" not in sentence.split() and len(sentence) < len(every[0]) + 30:
        marks = every["marks"] or ""
        if "dot" in marks or "circle" in marks:
            colours = tuple(c for c in ("white", "black") if c in sentence)
            return [Rule("all dots", colours or ("white", "black"))]
        both = {"x", "v"} <= set(re.findall(r"\b[xv]", marks))
        return [Rule("all xv")] if both else None
    words = [word.strip(".'*-–").removeprefix("'") for word in _WORD.findall(sentence)]
    words = [word for word in words if word and word not in "&/"]
    if words and all(word in _LABELS for word in words):
        return []
    if words and _NAMED.issuperset(words):
        slow = "slow" in words
        return [Rule("slow" if slow and kind == "thermometer" else kind)
                for kind, named in _BY_NAME.items() if not named.isdisjoint(words)]  # fmt: skip
    for kind, pattern, more in _PATTERNS:
        vocabulary = f"{more} {_CHESS} {_NOT_REPEAT}" if kind.startswith("anti") else more
        if re.match(pattern, sentence) and _ALWAYS.issuperset(set(words) - set(vocabulary.split())):
            return _rules_of(kind, words, sentence)
    return None


def _rules_of(kind: str, words: list[str], sentence: str) -> list[Rule] | None:
    """The rules of a clause that matches the pattern of a kind; None if it is ambiguous."""
    if kind == "plain":
        return []
    if kind == "antiknight king":
        return [Rule("antiknight"), Rule("antiking")]
    if kind == "even/odd":
        shapes = {
            word.rstrip("sd").rstrip("e") for word in words if word[:6] in ("circle", "square")
        }
        parities = {word for word in words if word in ("even", "odd")}
        if len(shapes) != 1 or len(parities) != 1:
            return None
        shape = "circle" if shapes.pop().startswith("circ") else "square"
        return [Rule(f"{parities.pop()} {shape}")]
    colours = tuple(dict.fromkeys(word for word in words if word in COLOURS))
    if kind == "whispers":
        least = re.search(r"at least (\w+)", sentence)
        number = least[1] if least else ""
        value = int(number) if number.isdecimal() else _NUMBERS.get(number)
        return [Rule(kind, colours, value)] if value else None
    if kind == "diagonal" and not re.search(
        r"marked|indicated|blue|drawn|positive|negative", sentence
    ):
        return (
            [Rule("diagonals")] if re.search(r"both|each|two|either|diagonals", sentence) else None
        )
    if kind in ("ratio", "difference", "xv", "killer", "repeats", "quadruple") or kind in _WHOLE:
        colours = ()
    return [Rule(kind, colours)]


_WHOLE = ("nonconsecutive", "disjoint", "diagonal", "antiknight", "antiking", "little", "sandwich",
          "xsum", "skyscraper", "regions", "thermometer", "slow", "arrow", "between")  # fmt: skip


# -- patterns and vocabularies ---------------------------------------------------------------------


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COLOURS = {
    "red": 0, "orange": 30, "peach": 30, "brown": 30, "gold": 45, "golden": 45, "yellow": 55,
    "lime": 90, "green": 120, "teal": 175, "turquoise": 180, "cyan": 185, "blue": 215,
    "indigo": 255, "lavender": 265, "violet": 275, "purple": 290, "magenta": 305, "pink": 325,
    "grey": -1, "gray": -1, "black": -2, "white": -3, "silver": -1,
}  # fmt: skip
"""The hue of each colour in degrees; -1 of grey, -2 of black, -3 of white."""

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_ALWAYS = _words(
    "a an the any each every all of on in along to from by with at its it it's is are be must "
    "has have having contain contains containing which that this these those their there them "
    "they lies lie both two same line lines cell cells digit digits number numbers value "
    "values always as such also and up i.e ie so rule rules apply applies following where can "
    "will should light dark bright pale coloured thick thin small big given respectively pair "
    "pairs constraint constraints shape shapes only itself within inside through via if s "
    "then also for grid placed additionally addition meaning"
) | frozenset(COLOURS)
_MARKED = ("separated joined connected linked join joins joining separate separates connect "
           "connects between adjacent neighbouring neighboring indicate indicates indicated "
           "marked marks mark means mean other touching across either side share shares "
     "edge")  # fmt: skip
_MAY_REPEAT = "may can repeat allowed permitted other if by such"
_NOT_REPEAT = (
    "not cannot can't don't do does doesn't may never no repeat repeats repeated repeating "
    "repetition "
    "duplicate duplicates different distinct unique without once exactly appear appears more than "
    "be occur"
)
_OUTSIDE = (
    "clue clues outside grid board or give gives show shows indicate indicates equal equals sum "
    "sums total totals add adds row/column row column rows columns corresponding"
)

# Kind, pattern of its clauses, and the other words that they may have.
_PATTERNS: list[tuple[str, str, str]] = [
    ("slow", r"(?=.*thermo)(?=.*(?:slow|stay the same|equal|not decrease|never decrease))",
     "slow tip tips move moving either starting thermo thermos thermometer thermometers increase "
     "increases or stay remain remains may "
     "never not decrease decreases decreasing bulb end equal non-decreasing away moving"),
    ("thermometer", r"(?=.*(?:thermo|bulb))(?=.*(?:increas|ascend|rise|rising))(?!.*slow)",
     "thermo thermos thermometer thermometers increase increases increasing ascend ascends "
     "ascending rise rising strictly bulb bulbs bulbed bulb's round rounded circular end ends "
     "bulb-end tip "
     "tips towards toward order move moving away start starting starts out one strict go goes you"),
    ("repeats", r"(?=.*\bcages?\b)(?=.*(?:may|can) repeat)(?!.*(?:not|n't))",
     "cage cages killer killers sum sums show shows top left corner total totals " + _MAY_REPEAT),
    ("killer", r"(?=.*\bcages?\b)(?=.*(?:sum|add|total|repeat|differ|uniqu|duplicate))"
     r"(?!.*(?:may|can) repeat)(?!.*\bsame\b)",
     "cage cages cage's killer killers outlined dashed dotted printed include some sum sums add "
     "adds indicate indicates total "
     "totals show shows shown stated written displayed clue clues provided indicated top left "
     "top-left upper left-hand hand sometimes corner corners equal equals " + _NOT_REPEAT),
    ("arrow", r"(?=.*\barrows?\b)(?=.*(?:sum|add|total|equal))(?!.*(?:outside|diagonal))",
     "arrow arrows arrow's arrows' sum sums add adds total equal equals circle circles circle's "
     "circled bulb bulbs attached connected corresponding base head shaft start end two-digit "
     "2-digit pill pills read left right left-to-right top bottom down downwards attach found "
     "or include repeats oval circle/pill shown reading allow allows according connecting connects "
     + _MAY_REPEAT),
    ("ratio", r"(?=.*black)(?=.*(?:dot|circle|kropki))"
     r"(?=.*(?:1:2|2:1|1 to 2|2 to 1|doubl|twice|half))",
     "dot dots circle circles kropki 1:2 2:1 1 2 ratio ratios double doubles twice half one "
     "exactly being sits "
     + _MARKED),
    ("difference", r"(?=.*(?:dot|circle|kropki))"
     r"(?=.*(?:consecutive|difference of (?:1|one)|differ by (?:1|one)))"
     r"(?!.*black)",
     "dot dots circle circles kropki consecutive difference differ 1 one form sits " + _MARKED),
    ("xv", r"(?=.*\b(?:x|xs|x's|v|vs|v's|xv)\b)(?=.*(?:\b(?:5|10|five|ten)\b))",
     "x xs x's v vs v's x/v xv or 5 10 five ten sum sums summing add adds adding total totals "
     + _MARKED),
    ("palindrome", r"(?=.*palindrom)(?=.*(?:read|same|identical|palindromes?$))",
     "palindrome palindromes palindromic read reads reading forwards forward backwards backward "
     "either direction directions way ways ends end form forms identical symmetric equidistant "
     "or centre center indicate"),
    ("renban", r"(?=.*(?:renban|consecutive))(?=.*(?:\blines?\b|renban))"
     r"(?=.*(?:order|renban|set|sequence))"
     r"(?!.*(?:dot|every set of))",
     "renban set sets consecutive non-consecutive non-repeating nonrepeating unrepeated order "
     "particular sequence sequences necessarily some series unbroken written string form forms "
     "group arranged but together " + _NOT_REPEAT),
    ("whispers", r"(?=.*(?:\blines?\b|whisper))"
     r"(?=.*(?:differ\w*|apart)\b.*at least|.*at least.*apart)",
     "adjacent neighbouring neighboring neighbours consecutive successive differ differs "
     "difference "
     "least whisper whispers german dutch apart connected joined one another other two three four "
     "five six 2 3 4 5 6 minimum next neighbors directly need neighbouring/adjacent gw dw "
     "differences"),
    ("entropic", r"(?=.*(?:entrop|\blines?\b))(?=.*low)(?=.*(?:mid|medium))(?=.*high)",
     "entropic entropy set sets group groups sequential consecutive contiguous adjacent three 3 "
     "low "
     "middle mid medium high 1 2 3 4 5 6 7 8 9 1-3 4-6 7-9 123 456 789 1/2/3 4/5/6 7/8/9 one "
     "exactly successive run sequence order low-digit string strings"),
    ("regionsum", r"(?=.*(?:box|region))(?=.*(?:sum|total))(?=.*\blines?\b)(?!.*(?:n't|\bnot\b))",
     "box different whose break breaks multiple boxes box's border borders boundary boundaries "
     "boundries region regions sum sums equal "
     "divide divides divided split splits splitting segment segments segmented section sections "
     "into individual individually separate separately total totals passes pass passing crosses "
     "add adds visit visits time times 3x3 enters it's portion portions part parts more than once "
     "one"),
    ("zipper", r"(?=.*(?:zipper|\blines?\b))"
     r"(?=.*(?:equal distance|equidistant|equally distant|same distance))"
     r"(?=.*(?:sum|add))",
     "zipper zippers circled circle dot marked spot equal equally equidistant distant distance "
     "centre center central middle sum sums add "
     "adds total line's away"),
    ("between", r"(?=.*between)(?=.*(?:circle|bulb|end))(?=.*\blines?\b)(?!.*\b(?:or|not)\b)",
     "between either attached connected line's filled placed circle circles circled end ends "
     "endpoints bulb bulbs strictly numerically lie fall "
     "connecting values those at"),
    ("little", r"(?=.*diagonal)(?=.*(?:sum|total|add))"
     r"(?=.*(?:outside|arrow|indicated|little|clue))",
     "diagonal diagonals indicated arrow arrows marked direction little killer killers pointed "
     f"points pointing corresponding along include includes including repeats {_OUTSIDE} "
     + _MAY_REPEAT),
    ("sandwich", r"(?=.*(?:sandwich|between))(?=.*(?:sum|total))(?=.*\b(?:1|one)\b)"
     r"(?=.*\b(?:9|nine)\b)",
     "sandwich sandwiches sandwiched between 1 9 one nine appear appearing " + _OUTSIDE),
    ("xsum", r"(?=.*first x)(?=.*(?:sum|total))(?!.*not\b)",
     "x first x-sum x-sums seen direction being equals placed side it's found " + _OUTSIDE),
    ("skyscraper", r"(?=.*(?:skyscraper|building|visible|tall))(?=.*(?:outside|clue))"
     r"(?=.*(?:seen|visible|see))",
     "skyscraper skyscrapers building buildings height heights visible seen see how many looking "
     "direction viewed when taller tall obscure obscures block blocks hide hides shorter smaller "
     "lower higher behind ones side considered point vantage can be larger them " + _OUTSIDE),
    ("quadruple", r"(?=.*(?:circle|corner|intersection|quad))"
     r"(?=.*(?:surround|touch|around|four|adjacent))"
     r"(?=.*(?:appear|contain|placed|occur))",
     "circle one more than circles circle's circled white corner corners intersection "
     "intersections quadruple "
     "quadruples surround surrounding surrounded touching around four 4 adjacent appear appears "
     "placed at least once clue clues occur between grid where meet"),
    ("even/odd", r"(?=.*(?:circle|square))(?=.*\b(?:even|odd)\b)",
     "circle circles circled square squares even odd opaque solid filled odd/even shaded marked "
     "indicate indicates mark marks"),
    ("antiknight king", r"(?=.*knight)(?=.*king)(?=.*(?:not|n't|no|anti|different))",
     "king king's kings"),
    ("antiknight", r"(?=.*knight)(?=.*(?:not|n't|no|anti|different))(?!.*king)", ""),
    ("antiking", r"(?=.*\bking)(?=.*(?:not|n't|no|anti|different))(?!.*knight)",
     "king king's kings"),
    ("nonconsecutive", r"(?=.*consecutive)(?=.*(?:orthogonal|adjacent|neighbo))"
     r"(?=.*(?:not|n't|\bno\b))"
     r"(?!.*(?:dot|line|diagonal|set))",
     "consecutive orthogonally orthogonal adjacent neighbours neighbors neighbouring neighboring "
     "share edge numerically sharing allowed connected touching other next " + _NOT_REPEAT),
    ("disjoint", r"(?=.*(?:disjoint|position|place))(?=.*box)(?=.*(?:not|n't|once|different))",
     "disjoint group groups position positions relative place box boxes 3x3 respective "
     + _NOT_REPEAT),
    ("regions", r"(?=.*(?:shaded|extra|grey|gray|coloured|highlighted|windo))"
     r"(?=.*(?:region|area|box|square|window))(?=.*(?:1-9|1 to 9|once|repeat))",
     "shaded extra form marked highlighted windoku window windows region regions area areas box "
     "boxes square "
     "squares 3x3 1-9 1 9 four " + _NOT_REPEAT),
    ("diagonal", r"(?=.*diagonal)(?=.*(?:repeat|once|1-9|1 to 9|1-6|differ|uniqu))"
     r"(?!.*(?:outside|arrow|sum|may repeat|adjacent))",
     "diagonal diagonals marked indicated main long major positive negative drawn 1-9 1 9 1-6 1-8 "
     "corner corners main either of " + _NOT_REPEAT),
    ("plain", r"(?=.*(?:sudoku|row))"
     r"(?!.*(?:knight|king|diagonal|shaded|extra|cage|can be|outside))",
     "appear appears 3x2 indicated borders each thick normal standard classic regular usual "
     "classical sudoku irregular jigsaw place places fill "
     "put enter placed put 1-9 1-6 1-8 1-4 1 2 3 4 6 8 9 through exactly one once only row rows "
     "column columns col box boxes region regions outlined marked bordered bold 3x3 2x3 2x2 6x6 "
     "9x9 4x4 8x8 grid no without repetition repeat repeats repeating nonet nonets into empty "
     "or not may cannot can't do that's usual sized house"),
]  # fmt: skip
_CHESS = ("knight knight's knights move moves chess apart away separated reach reached identical "
          "each other see sees see another one single within anti-knight antiknight anti-king "
          "antiking anti diagonally adjacent either share allowed themselves touch touching or "
     "orthogonally ")  # fmt: skip
_ALL_GIVEN = re.compile(
    r"(?:a?l?l (?:possible |of the |the )?"
    r"(?P<marks>(?:white |black |kropki )*(?:dots|circles|clues)"
    r"|(?:xs?|vs?|xv|x's|v's)(?:(?: and | or |/)(?:xs?|vs?|x's|v's))*)(?: and .*)?"
    r" (?:are|have been) (?:given|shown|marked|indicated)"
    r"|negative constraint(?:s)? appl(?:y|ies))"
)
_NO_RULES = [re.compile(pattern) for pattern in (
    r"(?:\(?not all|not every) .{1,60}(?:are|is|have been|has been)(?: necessarily)? "
    r"(?:given|shown|marked|indicated|displayed|clued|drawn)",
    r"(?:not all|without) .{0,25}(?:dots|clues|constraints?)(?: given)?",
    r"(?:there (?:is|are) )?no negative constraints?(?: applies)?",
    r"(?:no |do not |don't )guess.*|guessing is (?:not|never) .*|.*no guessing.*",
    r"(?:have fun|enjoy|good luck|happy (?:solving|puzzling)|thanks?|thank you|cheers|love)\b"
    r".{0,60}",
    r"[^.]*\bdigits (?:may|can) repeat (?:along|on|in)"
    r"(?: (?:such|a|an|the|each|these|this|any|indicated|marked))* "
    r"(?:diagonals?|lines?|arrows?|cages?|thermos?)?,?"
    r"(?: (?:if|when|as|where) (?:allowed|permitted|they).*)?",
    r"(?:these )?digits may repeat if (?:allowed|permitted) by other rules",
    r"(?:these digits|digits|they) can (?:appear|be) in any order",
    r"different (?:\w+ )?lines (?:may|can|do not have to|don't have to|need not) "
    r".{0,40}(?:sums?|totals?)",
    r".*\bfog\b(?!.*line).{0,90}",
    r"(?:placing|entering) (?:a )?correct digits?.{0,90}|correct(?:ly placed)? digits .{0,80}",
    r"(?:one|a) (?:digit|cell|of them|value)?.{0,20} ?is (?:double|twice|half)"
     r"(?: (?:of )?the other)?",
    r"(?:the )?(?:cell )?(?:shading|colou?rs?) (?:is|are) "
    r"(?:just |purely |only )*(?:for aesthetics|aesthetic|cosmetic|decorative).*",
    r"(?:and )?that['’]?s (?:it|all)|rules|lines|circles|the usual rules apply|normal rules apply",
    r"(?:\d+|[a-z])[).:]?", r"(?:eg|for example|ie)\b.*",
)]  # fmt: skip
_LABELS = _words(
    "kropki dot dots pair pairs thermo thermos thermometer thermometers arrow arrows killer "
    "killers cage cages xv x v german dutch whisper whispers line lines renban renbans "
    "palindrome palindromes sudoku anti-knight antiknight anti-king antiking anti knight king "
    "diagonal diagonals little sandwich sum sums region between quadruple quadruples quads "
    "even odd rule rules negative constraint entropic entropy zipper zippers box boxes "
    "circles squares extra skyscraper skyscrapers x-sums x-sum non-consecutive nonconsecutive "
    "slow rules and normal the disjoint groups outside clues segment segments equal kropki's "
    "chess"
) | frozenset(COLOURS)
_NAMED = _LABELS | _words("apply applies standard usual all are rule in place")
_BY_NAME = {  # rules that “standard … rules apply” states
    "thermometer": _words("thermo thermos thermometer thermometers"),
    "arrow": _words("arrow arrows"), "killer": _words("killer cage cages"),
    "difference": _words("kropki"), "ratio": _words("kropki"), "xv": _words("xv"),
    "antiknight": _words("anti-knight antiknight knight"),
    "antiking": _words("anti-king antiking king"), "little": _words("little"),
    "sandwich": _words("sandwich"), "between": _words("between"), "xsum": _words("x-sum x-sums"),
    "skyscraper": _words("skyscraper skyscrapers"), "disjoint": _words("disjoint"),
    "nonconsecutive": _words("nonconsecutive non-consecutive"),
}  # fmt: skip
