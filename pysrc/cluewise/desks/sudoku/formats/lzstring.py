"""LZ-string in base64, as f-puzzles and SudokuPad put it into links; both ways.

>>> decompress(compress('{"size":9}'))
'{"size":9}'

LZW over UTF-16 units with a code width that grows. Two special codes introduce a new 8-bit or
16-bit character, a third ends the text. Bits of a code come least significant first; six bits make
a base64 character, most significant first. Format by pieroxy (lz-string, 2013); written anew.
"""

from __future__ import annotations

from cluewise.errors import BadNotation

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE = {symbol: i for i, symbol in enumerate(_ALPHABET)} | {"-": 62, "_": 63}
_BYTE, _WIDE, _END = 0, 1, 2
LIMIT = 1 << 20  # characters; a puzzle has a few thousand


class _Bits:
    """Bits of a base64 text, one after another."""

    def __init__(self, text: str) -> None:
        try:
            self._values = [_VALUE[c] for c in text.strip().rstrip("=")]
        except KeyError as problem:
            raise BadNotation(f"{problem.args[0]!r} cannot stand in a puzzle link.") from None
        self._at = 0

    def take(self, count: int) -> int:
        value = 0
        for i in range(count):
            index, bit = divmod(self._at, 6)
            if index >= len(self._values):
                raise BadNotation("The puzzle link is cut short.")
            value |= (self._values[index] >> (5 - bit) & 1) << i
            self._at += 1
        return value


def decompress(text: str) -> str:
    """The text behind a base64 LZ-string. Raises `BadNotation` if it is damaged or huge."""
    bits = _Bits(text)
    first = bits.take(2)
    if first == _END:
        return ""
    before = _character(bits, first)
    phrases: list[str] = ["", "", "", before]  # the special codes' places, then the first
    out, length, width, room = [before], 1, 3, 4

    def grow() -> None:
        nonlocal width, room
        room -= 1
        if room == 0:
            room, width = 1 << width, width + 1

    while True:
        code = bits.take(width)
        if code == _END:
            return "".join(out)
        if code in (_BYTE, _WIDE):
            phrase = _character(bits, code)
            phrases.append(phrase)
            grow()
        elif code < len(phrases):
            phrase = phrases[code]
        elif code == len(phrases):
            phrase = before + before[0]
        else:
            raise BadNotation("The puzzle link is damaged.")
        out.append(phrase)
        length += len(phrase)
        if length > LIMIT:
            raise BadNotation("The puzzle link unpacks to more than a puzzle.")
        phrases.append(before + phrase[0])
        grow()
        before = phrase


def _character(bits: _Bits, code: int) -> str:
    if code not in (_BYTE, _WIDE):
        raise BadNotation("The puzzle link is damaged.")
    return chr(bits.take(8 if code == _BYTE else 16))


def compress(text: str) -> str:
    """The base64 LZ-string of a text."""
    bits: list[int] = []
    codes: dict[str, int] = {}
    fresh: set[str] = set()
    width, room = 2, 2

    def put(value: int, count: int) -> None:
        bits.extend(value >> i & 1 for i in range(count))

    def tick() -> None:
        nonlocal width, room
        room -= 1
        if room == 0:
            room, width = 1 << width, width + 1

    def emit(phrase: str) -> None:
        if phrase in fresh:
            wide = ord(phrase) > 255
            put(_WIDE if wide else _BYTE, width)
            put(ord(phrase), 16 if wide else 8)
            tick()
            fresh.remove(phrase)
        else:
            put(codes[phrase], width)
        tick()

    phrase = ""
    for character in text:
        if character not in codes:
            codes[character] = len(codes) + 3
            fresh.add(character)
        if phrase + character in codes:
            phrase += character
            continue
        emit(phrase)
        codes[phrase + character] = len(codes) + 3
        phrase = character
    if phrase:
        emit(phrase)
    put(_END, width)
    bits += [0] * (-len(bits) % 6 or 6)
    sixes = [bits[i : i + 6] for i in range(0, len(bits), 6)]
    body = "".join(_ALPHABET[int("".join(map(str, six)), 2)] for six in sixes)
    return body + "=" * (-len(body) % 4)
