"""A game in other notations, in and out, and as pins to share, without a guess or the code.

Codes in the signs that people write are read wherever a guess is expected, and positions in JSON
with the field names of other programs.

>>> read_history(Position(), "1. 0011 1A2B\\n2. 2 3 4 5: 1 black").clues[1]
Clue(guess='2345', exact=1, partial=0, ignored=False, marks=None, sum=None, won=False)
>>> read_history(Position(), "RGBY ++-\\nRRGO --").signs
['R', 'G', 'B', 'Y', 'O', 'P']
>>> print(write_share(Position(clues=(Clue("0011", 1, 2), Clue("2345", 4, 0)))), end="")
Mastermind: 2 guesses
⚫⚪⚪·
⚫⚫⚫⚫
>>> read_codes(Position(), ("RGBY", "RRGG"))
['0123', '0011']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from cluewise.core.results import BadLine
from cluewise.desks.code.clue import MOST_PEGS, Clue
from cluewise.desks.code.formats.answers import EITHER, ONE_PER_PEG, PLAIN, NotationStyle
from cluewise.desks.code.formats.colour_names import (
    Kind,
    read_code,
    read_colours_of_kind,
    signs_for,
)
from cluewise.desks.code.formats.foreign import read_clue, rows_of_json, rows_of_value, split_rows
from cluewise.desks.code.formats.rows import Line, Unread, lines_of, read_line, starts_of, style_of
from cluewise.desks.code.position import (
    BLANK,
    GAMES,
    MOST_CLUES,
    MOST_COLOURS,
    SYMBOLS,
    Position,
    Rules,
    check_rules,
    check_signs,
    guess_error,
)
from cluewise.desks.code.results import Pasted, Reading
from cluewise.errors import BadNotation, CluewiseError

KINDS: tuple[Kind, ...] = ("emoji", "names", "letters")


@dataclass(frozen=True, slots=True)
class _Interpretation:
    """A way to read a text: the game it would be, what its signs are, what that gives."""

    rules: Rules
    signs: tuple[str, ...]
    clues: list[Clue]
    bad: list[BadLine]

    def reading(self) -> Reading:
        return Reading(self.rules, self.clues, len(self.bad), list(self.signs))


def read_history(position: Position, text: str) -> Pasted:
    """Clues and bad lines of a pasted history, one guess a line; empty lines and `//` are skipped.

    Where a bad line is a row of other rules or in other signs, no clue is taken: `instead` then
    holds what could be meant, the likeliest first. A position without clues takes other signs of
    its own rules at once, and `signs` says which. Never raises.
    """
    text = rows_of_json(text) or text
    whole = lines_of(text)
    lines = split_rows(position.rules, whole, position.signs, style_of(text))
    style = style_of(text if lines == whole else "\n".join(line.text for line in lines))
    own = _read(position.rules, lines, position.signs, style)
    if position.signs and own.bad and not any(s.isdigit() for s in position.signs):
        plain = _read(position.rules, lines, (), style)
        own = plain if len(plain.bad) < len(own.bad) else own
        own = _Interpretation(own.rules, position.signs, own.clues, own.bad)
    ways = list(_others(position, lines, style)) if own.bad else []
    marked = {b.line: b for way in ways for b in way.bad if b.why in (EITHER, ONE_PER_PEG)}
    own = _Interpretation(own.rules, own.signs, own.clues, [marked.get(b.line, b) for b in own.bad])
    others = [way for way in ways if way.clues]
    better = [way for way in others if len(way.bad) < len(own.bad)]
    at_once = not position.clues and not position.signs and not own.clues
    if better and at_once and better[0].rules == position.rules:
        return Pasted(better[0].clues, better[0].bad, [], list(better[0].signs))
    foreign = [line for line in own.bad if _is_foreign(position.rules, line.text, style)]
    if not better and not foreign:
        return Pasted(own.clues, own.bad, [], [])
    instead = [way.reading() for way in (others if foreign else better)]
    if own.clues:
        instead.append(_Interpretation(own.rules, position.signs, own.clues, own.bad).reading())
    return Pasted([], own.bad, instead, [])


def read_game(text: str) -> Position:
    """The position of a text that writes a whole game, its rules and signs found from the rows.

    Raises `BadNotation` with the line that cannot be read.
    """
    found = read_history(Position(), text)
    if found.clues and not found.bad:
        return Position(clues=tuple(found.clues), signs=tuple(found.signs))
    for way in found.instead:
        if way.clues and not way.missed:
            return Position(way.rules, tuple(way.clues), signs=tuple(way.signs))
    if not found.bad:
        raise BadNotation("There is no guess in this text.", "$.position")
    bad = found.bad[0]
    raise BadNotation(f"Line {bad.line}, column {bad.column}: {bad.why}", "$.position")


def _read(
    rules: Rules, lines: Sequence[Line], signs: tuple[str, ...], style: NotationStyle
) -> _Interpretation:
    clues: list[Clue] = []
    bad: list[BadLine] = []
    for line in lines:
        read = read_line(rules, line.text, signs, style)
        if isinstance(read, Clue) and len(clues) == MOST_CLUES:
            read = Unread(f"A game has at most {MOST_CLUES} clues here.", 1)
        if isinstance(read, Clue):
            clues.append(read)
        else:
            bad.append(BadLine(line.number, line.offset + read.column, line.text[:200], read.why))
    return _Interpretation(rules, signs, clues, bad)


# ---- other games and other signs ----------------------------------------------------------


def _others(
    position: Position, lines: Sequence[Line], style: NotationStyle
) -> Iterator[_Interpretation]:
    """Other ways to read the text, the likeliest first; some give no row."""
    rules, found = position.rules, dict[tuple[Rules, tuple[str, ...]], _Interpretation]()
    for other, signs in [
        *_ones(rules, lines, style),
        *((other, ()) for other in _other_rules(rules, lines, style)),
        *(way for kind in KINDS for way in games_of_kind(rules, lines, kind)),
    ]:
        way = _read(other, lines, signs, style)
        found.setdefault((other, signs), way)
    yield from found.values()


def _is_foreign(rules: Rules, line: str, style: NotationStyle) -> bool:
    read = read_line(rules, line, (), style)
    return isinstance(read, Unread) and _read_freely(line, style) is not None


def _read_freely(line: str, style: NotationStyle = PLAIN) -> Clue | None:
    """The line as a row of any rules at all; None if it is none. Its guess shows a digit."""
    for pegs in range(1, MOST_PEGS + 1):
        read = read_line(Rules(pegs, MOST_COLOURS, blanks=True), line, (), style)
        if isinstance(read, Clue) and re.search(r"\d", read.guess):
            return read
    return None


def _other_rules(rules: Rules, lines: Sequence[Line], style: NotationStyle) -> list[Rules]:
    """The rules in which most rows of the text make sense: known ones first, else the least."""
    read = [clue for line in lines if (clue := _read_freely(line.text, style))]
    guesses = [clue.guess for clue in read]
    most = max((SYMBOLS.find(symbol) for guess in guesses for symbol in guess), default=0) + 1
    return _rules_for(rules, guesses, most)


def _ones(
    rules: Rules, lines: Sequence[Line], style: NotationStyle
) -> list[tuple[Rules, tuple[str, ...]]]:
    """The text with its lowest digit 1, where no 0 is written and the rules would have one."""
    read = [clue for line in lines if (clue := _read_freely(line.text, style))]
    guesses = [clue.guess for clue in read]
    shown = set("".join(guesses)) - {BLANK}
    if not shown or "0" in shown or not all(s.isdigit() for s in shown):
        return []
    most = max(map(int, shown))
    if most == 9 and all(len(set(guess)) == len(guess) for guess in guesses):
        return []  # more likely digits 0 to 9
    less = [g.translate(str.maketrans("123456789", SYMBOLS[:9])) for g in guesses]
    return [(r, signs_for("ones", [], r.colours)) for r in _rules_for(rules, less, most)]


def games_of_kind(
    rules: Rules, lines: Sequence[Line], kind: Kind
) -> list[tuple[Rules, tuple[str, ...]]]:
    """The game that guesses in this kind of signs would be of."""
    rows = [_best_start(kind, line.text, rules.pegs) for line in lines]
    lengths = Counter(len(row) for row in rows if len(row) > 1)
    if not lengths:
        return []
    pegs = max(lengths, key=lambda n: (lengths[n], n == rules.pegs))
    guesses = [row for row in rows if len(row) == pegs]
    seen = list(dict.fromkeys(sign for row in guesses for sign in row))
    if len(seen) > MOST_COLOURS:
        return []
    plain = ["".join(SYMBOLS[seen.index(sign)] for sign in row) for row in guesses]
    least = max(len(seen), _last_letter(kind, seen))
    return [(r, signs_for(kind, seen, r.colours)) for r in _rules_for(rules, plain, least)]


def _best_start(kind: Kind, line: str, pegs: int) -> list[str]:
    """The signs of the first beginning that has any, those of the right number before others."""
    found = [read_colours_of_kind(kind, line[:400], start, pegs) for start in starts_of(line[:400])]
    return min(found, key=lambda row: (len(row) != pegs, not row), default=[])


def _last_letter(kind: Kind, seen: Sequence[str]) -> int:
    """How many letters A, B, C … there must be, where the signs are the first of these."""
    if kind == "letters" and set(seen) <= set("ABCDEFGH"):
        most = max("ABCDEFGH".index(sign) for sign in seen) + 1
        return most if most <= 6 else len(seen)
    return 0


def _rules_for(rules: Rules, guesses: Sequence[str], most: int) -> list[Rules]:
    """The rules of guesses that show `most` colours: ours, a known game's, or the least."""
    lengths = {len(guess) for guess in guesses}
    if len(lengths) != 1:
        return []
    pegs, shown = lengths.pop(), "".join(guesses)
    if not 1 <= pegs <= MOST_PEGS or most > MOST_COLOURS:
        return []
    repeat = any(guess_error(Rules(pegs, MOST_COLOURS, False, True), guess) for guess in guesses)
    blanks = rules.blanks or BLANK in shown
    if pegs == rules.pegs and most <= rules.colours and repeat <= rules.repeat:
        own = Rules(pegs, rules.colours, rules.repeat, blanks, rules.feedback, rules.leading_zero)
        return [own]
    known = [g for g in GAMES.values() if g.pegs == pegs and g.colours >= most]
    fitting = [g for g in known if g.repeat or not repeat]
    least = fitting[0] if fitting else Rules(pegs, max(most, 2), repeat)
    return [Rules(pegs, least.colours, least.repeat, blanks, rules.feedback)]


def write_history(position: Position) -> str:
    """The clues as text that `read_history` gives back: `"0011 1A2B\\n"`."""
    return "".join(f"{replace(c, guess=position.spelled(c.guess))}\n" for c in position.clues)


# ---- pins to share -------------------------------------------------------------------------------


_EXACT, _PARTIAL, _NEITHER, _UNTOLD = "⚫", "⚪", "·", "?"


def write_share(position: Position, given: float | None = None) -> str:
    """The game's name, its number of guesses, a row of pins an answer; what was given away."""
    names = {rules: name for name, rules in GAMES.items()}
    name = names.get(position.rules, f"Code breaking ({position.rules.name})")
    clues = position.counted_clues()
    made = f"{len(clues)} guess{'' if len(clues) == 1 else 'es'}"
    end = "" if position.is_solved() else ", not found"
    lines = [f"{name}: {made}{end}", *(pins(clue, position.rules.pegs) for clue in clues)]
    if given is not None:
        lines.append(f"{given:.2f} guesses given away")
    return "".join(line + "\n" for line in lines)


def pins(clue: Clue, pegs: int) -> str:
    """An answer as pins, right places first, marks in their order; `?` for what is not known."""
    if clue.marks is not None:
        return clue.marks.translate(str.maketrans("210", _EXACT + _PARTIAL + _NEITHER))
    if clue.sum is not None:
        return (_EXACT if clue.won else _PARTIAL) * clue.sum + _NEITHER * (pegs - clue.sum)
    exact, partial = clue.exact or 0, clue.partial or 0
    open_end = clue.exact is None or clue.partial is None
    rest = pegs - exact - partial
    return _EXACT * exact + _PARTIAL * partial + (_UNTOLD if open_end else _NEITHER) * rest


def read_codes(position: Position, texts: Sequence[str]) -> list[str]:
    """The codes as symbols, whether written in symbols or in signs; what is neither stays.

    In a position without signs and clues the signs are found from the texts. There one colour is
    as good as another, so that it does not matter which symbol stands for which sign.
    """
    if not position.signs and not position.clues:
        position = msgspec.structs.replace(position, signs=infer_signs(position.rules, texts))
    return [read_code(position, text) for text in texts]


def infer_signs(rules: Rules, texts: Sequence[str]) -> tuple[str, ...]:
    """The signs in which all these guesses are written; () if there are none or they are symbols.

    Where no code begins with 0, colours differ, and no sign can be matched to one.
    """
    if not rules.leading_zero or not any(guess_error(rules, text) for text in texts):
        return ()
    lines = [Line(i, text) for i, text in enumerate(texts, 1)]
    for kind in KINDS:
        for other, signs in games_of_kind(rules, lines, kind):
            position = Position(rules, signs=signs)
            if other == rules and all(_is_signed(position, text) for text in texts):
                return signs
    return ()


def _is_signed(position: Position, text: str) -> bool:
    code = read_code(position, text)
    return code != text and guess_error(position.rules, code) is None


def from_json(value: Any) -> Any:
    """The position's plain values, from those of other programs as well.

    `clues` may use their field names (`blackPegs`) and show signs; a list of guesses, or an object
    with no field of a position, is read as a whole game. What cannot be read comes back as it is.
    """
    if isinstance(value, dict) and isinstance(value.get("clues"), list | tuple):
        return _in_symbols({**value, "clues": [read_clue(clue) for clue in value["clues"]]})
    if not isinstance(value, list | dict | str):
        return value
    if isinstance(value, list) or (value and not set(value) & set(Position.__struct_fields__)):
        try:
            return msgspec.to_builtins(read_game(rows_of_value(value) or ""))
        except CluewiseError:
            return value
    return value


def _in_symbols(value: dict[str, Any]) -> dict[str, Any]:
    """The same with every clue's guess in symbols, if all of them can be read."""
    guesses = [clue.get("guess") if isinstance(clue, dict) else None for clue in value["clues"]]
    texts = [guess for guess in guesses if isinstance(guess, str)]
    try:
        rules = msgspec.convert(value.get("rules") or {}, Rules)
        signs = msgspec.convert(value.get("signs") or (), tuple[str, ...])
        check_rules(rules)
        check_signs(rules, signs)
    except (CluewiseError, msgspec.ValidationError):
        return value
    if len(texts) < len(guesses) or not any(guess_error(rules, text) for text in texts):
        return value
    signs = signs or infer_signs(rules, texts)
    if not signs:
        return value
    position = Position(rules, signs=signs)
    clues = [{**c, "guess": read_code(position, c["guess"])} for c in value["clues"]]
    return {**value, "signs": list(signs), "clues": clues}
