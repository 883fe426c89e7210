"""Reads and writes whole games: pasted histories, positions of other programs, pins to share.

A text is parsed under the position's rules and signs. If lines fail, it is parsed under other
interpretations as well: digits from 1, other rules, signs of each kind (`colour_names.Kind`). The
rules of an interpretation are inferred from the guesses: the position's own, a known game's, or the
smallest that allow them.

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
from typing import Any, TypeAlias

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
Game: TypeAlias = tuple[Rules, tuple[str, ...]]
"""Rules and signs."""


@dataclass(frozen=True, slots=True)
class _Interpretation:
    """A text parsed under some rules and signs."""

    rules: Rules
    signs: tuple[str, ...]
    clues: list[Clue]
    bad: list[BadLine]

    def reading(self) -> Reading:
        return Reading(self.rules, self.clues, len(self.bad), list(self.signs))


def read_history(position: Position, text: str) -> Pasted:
    """Return the clues and bad lines of a pasted history; never raises.

    If a bad line is a row of other rules or signs, there are no clues, and `instead` has the
    possible interpretations, likeliest first. For a position without clues, an interpretation of
    its own rules in other signs is returned at once, with these `signs`.
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
    found = list(_other_interpretations(position, lines, style)) if own.bad else []
    # The reason of an answer with a mark per peg is more useful than that of a guess.
    marked = {b.line: b for other in found for b in other.bad if b.why in (EITHER, ONE_PER_PEG)}
    own = _Interpretation(own.rules, own.signs, own.clues, [marked.get(b.line, b) for b in own.bad])
    others = [other for other in found if other.clues]
    better = [other for other in others if len(other.bad) < len(own.bad)]
    at_once = not position.clues and not position.signs and not own.clues
    if better and at_once and better[0].rules == position.rules:
        return Pasted(better[0].clues, better[0].bad, [], list(better[0].signs))
    foreign = [line for line in own.bad if _is_foreign(position.rules, line.text, style)]
    if not better and not foreign:
        return Pasted(own.clues, own.bad, [], [])
    instead = [other.reading() for other in (others if foreign else better)]
    if own.clues:
        instead.append(_Interpretation(own.rules, position.signs, own.clues, own.bad).reading())
    return Pasted([], own.bad, instead, [])


def read_game(text: str) -> Position:
    """Return the position of a game as text, with rules and signs inferred from the rows.

    Raises `BadNotation` with the first line that is no row.
    """
    found = read_history(Position(), text)
    if found.clues and not found.bad:
        return Position(clues=tuple(found.clues), signs=tuple(found.signs))
    for reading in found.instead:
        if reading.clues and not reading.missed:
            return Position(reading.rules, tuple(reading.clues), signs=tuple(reading.signs))
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


# ---- other rules and other signs ----------------------------------------------------------


def _other_interpretations(
    position: Position, lines: Sequence[Line], style: NotationStyle
) -> Iterator[_Interpretation]:
    """Other interpretations of the text, likeliest first; some have no row."""
    rules = position.rules
    digits = [clue.guess for line in lines if (clue := _read_digits(line.text, style))]
    found: dict[Game, None] = dict.fromkeys([
        *_digits_from_one(rules, digits),
        *((other, ()) for other in _other_rules(rules, digits)),
        *(game for kind in KINDS for game in games_of_kind(rules, lines, kind)),
    ])  # fmt: skip
    for other, signs in found:
        yield _read(other, lines, signs, style)


def _is_foreign(rules: Rules, line: str, style: NotationStyle) -> bool:
    """Whether the line is a row of other rules only."""
    read = read_line(rules, line, (), style)
    return isinstance(read, Unread) and _read_digits(line, style) is not None


def _read_digits(line: str, style: NotationStyle = PLAIN) -> Clue | None:
    """Return the line as a row of some rules whose guess has a digit; None if it is none."""
    for pegs in range(1, MOST_PEGS + 1):
        read = read_line(Rules(pegs, MOST_COLOURS, blanks=True), line, (), style)
        if isinstance(read, Clue) and re.search(r"\d", read.guess):
            return read
    return None


def _other_rules(rules: Rules, guesses: Sequence[str]) -> list[Rules]:
    """Return the rules of guesses in digits; [] if they differ in length."""
    most = max((SYMBOLS.find(symbol) for guess in guesses for symbol in guess), default=0) + 1
    return _rules_for(rules, guesses, most)


def _digits_from_one(rules: Rules, guesses: Sequence[str]) -> list[Game]:
    """Return the game of guesses without a 0 if their digits may begin with 1."""
    shown = set("".join(guesses)) - {BLANK}
    if not shown or "0" in shown or not all(s.isdigit() for s in shown):
        return []
    most = max(map(int, shown))
    if most == 9 and all(len(set(guess)) == len(guess) for guess in guesses):
        return []  # more likely digits 0 to 9
    symbols = [g.translate(str.maketrans("123456789", SYMBOLS[:9])) for g in guesses]
    return [(r, signs_for("ones", [], r.colours)) for r in _rules_for(rules, symbols, most)]


def games_of_kind(rules: Rules, lines: Sequence[Line], kind: Kind) -> list[Game]:
    """Return the game of guesses in this kind of signs; [] if there are none."""
    rows = [_best_start(kind, line.text, rules.pegs) for line in lines]
    lengths = Counter(len(row) for row in rows if len(row) > 1)
    if not lengths:
        return []
    pegs = max(lengths, key=lambda n: (lengths[n], n == rules.pegs))
    guesses = [row for row in rows if len(row) == pegs]
    seen = list(dict.fromkeys(sign for row in guesses for sign in row))
    if len(seen) > MOST_COLOURS:
        return []
    symbols = ["".join(SYMBOLS[seen.index(sign)] for sign in row) for row in guesses]
    least = max(len(seen), _least_letters(kind, seen))
    return [(r, signs_for(kind, seen, r.colours)) for r in _rules_for(rules, symbols, least)]


def _best_start(kind: Kind, line: str, pegs: int) -> list[str]:
    """Return the signs of the likeliest start that has any, of the right number if possible."""
    found = [read_colours_of_kind(kind, line[:400], start, pegs) for start in starts_of(line[:400])]
    return min(found, key=lambda row: (len(row) != pegs, not row), default=[])


def _least_letters(kind: Kind, seen: Sequence[str]) -> int:
    """Return the least number of colours if the signs are of the letters A, B, C …; else 0."""
    if kind == "letters" and set(seen) <= set("ABCDEFGH"):
        most = max("ABCDEFGH".index(sign) for sign in seen) + 1
        return most if most <= 6 else len(seen)
    return 0


def _rules_for(rules: Rules, guesses: Sequence[str], most: int) -> list[Rules]:
    """Return the rules of guesses with `most` colours: ours, a known game's, or the smallest."""
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
    """Write the clues as text for `read_history`: `"0011 1A2B\\n"`."""
    return "".join(f"{replace(c, guess=position.spelled(c.guess))}\n" for c in position.clues)


# ---- pins to share -------------------------------------------------------------------------------


_EXACT, _PARTIAL, _NEITHER, _UNKNOWN = "⚫", "⚪", "·", "?"


def write_share(position: Position, given: float | None = None) -> str:
    """Write the game's name, the number of guesses, a row of pins per answer, and the loss."""
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
    """Return an answer as pins, exact ones first, marks in their order; `?`: unknown."""
    if clue.marks is not None:
        return clue.marks.translate(str.maketrans("210", _EXACT + _PARTIAL + _NEITHER))
    if clue.sum is not None:
        return (_EXACT if clue.won else _PARTIAL) * clue.sum + _NEITHER * (pegs - clue.sum)
    exact, partial = clue.exact or 0, clue.partial or 0
    rest = _UNKNOWN if None in (clue.exact, clue.partial) else _NEITHER
    return _EXACT * exact + _PARTIAL * partial + rest * (pegs - exact - partial)


# ---- codes and positions -----------------------------------------------------------------------


def read_codes(position: Position, texts: Sequence[str]) -> list[str]:
    """Return the codes in symbols, from symbols or signs; other texts unchanged.

    For a position without signs and clues the signs are inferred from the texts: all colours are
    equivalent there, so any assignment of symbols to signs will do.
    """
    if not position.signs and not position.clues:
        position = replace(position, signs=infer_signs(position.rules, texts))
    return [read_code(position, text) for text in texts]


def infer_signs(rules: Rules, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the signs in which all guesses are written; () if there are none or all are symbols.

    If no code begins with 0, the colours are not equivalent, so no signs are inferred.
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
    """Convert the JSON value of a position, also of other programs; other values are unchanged.

    `clues` may have their field names (`blackPegs`) and signs; a list of guesses, or an object
    without any field of a position, is read as a whole game.
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
    """Convert the guesses of all clues to symbols, if all can be read."""
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
