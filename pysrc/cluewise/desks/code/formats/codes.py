"""Codes in the signs that people write, wherever a guess is expected; other field names in JSON.

>>> read_codes(Position(), ("RGBY", "RRGG"))
['0123', '0011']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cluewise.desks.code.formats.colour_names import read_code
from cluewise.desks.code.formats.foreign import read_clue, rows_of_value
from cluewise.desks.code.formats.history import KINDS, games_of_kind, read_game
from cluewise.desks.code.formats.rows import Line
from cluewise.desks.code.position import Position, Rules, check_rules, check_signs, guess_error
from cluewise.errors import CluewiseError


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
