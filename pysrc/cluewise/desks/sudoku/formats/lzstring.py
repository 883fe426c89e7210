"""LZ-string in base64, the packing of f-puzzles' and SudokuPad's links: both directions.

>>> decompress(compress('{"size":9}'))
'{"size":9}'

LZW over UTF-16 units with a code width that grows: a code has as many bits as the number of phrases
so far. Two special codes introduce a new 8-bit or 16-bit character, a third ends the text. Bits of
a code come least significant first; six bits make a base64 character, most significant first.
Format by pieroxy (lz-string, 2013); written anew.
"""

from __future__ import annotations

from cluewise.errors import BadNotation

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_SIX_BITS = {symbol: f"{i:06b}" for i, symbol in enumerate(_ALPHABET)}
_SIX_BITS |= {"-": _SIX_BITS["+"], "_": _SIX_BITS["/"]}
_BYTE, _WIDE, _END = 0, 1, 2
LIMIT = 1 << 20  # characters; a puzzle has a few thousand


def decompress(text: str) -> str:
    """The text behind a base64 LZ-string. Raises `BadNotation` if it is damaged or huge."""
    try:
        bits = "".join([_SIX_BITS[c] for c in text.strip().rstrip("=")])
    except KeyError as problem:
        raise BadNotation(f"{problem.args[0]!r} cannot stand in a puzzle link.") from None
    at = 0

    def read_bits(count: int) -> int:
        nonlocal at
        if at + count > len(bits):
            raise BadNotation("The puzzle link is cut short.")
        at += count
        return int(bits[at - count : at][::-1], 2)

    phrases = ["", "", ""]  # the places of the special codes
    out: list[str] = []
    length, before = 0, ""
    while (code := read_bits(len(phrases).bit_length())) != _END:
        if code in (_BYTE, _WIDE):
            phrase = chr(read_bits(8 if code == _BYTE else 16))
            phrases.append(phrase)
        elif before and code < len(phrases):
            phrase = phrases[code]
        elif before and code == len(phrases):
            phrase = before + before[0]
        else:
            raise BadNotation("The puzzle link is damaged.")
        out.append(phrase)
        length += len(phrase)
        if length > LIMIT:
            raise BadNotation("The puzzle link unpacks to more than a puzzle.")
        if before:
            phrases.append(before + phrase[0])
        before = phrase
    return "".join(out)


def compress(text: str) -> str:
    """The base64 LZ-string of a text."""
    bits: list[str] = []
    codes: dict[str, int] = {}
    fresh: set[str] = set()
    entries = 2  # of the decoder's dictionary, with the special codes

    def write_bits(value: int, count: int) -> None:
        bits.append(f"{value:0{count}b}"[::-1])

    def emit(phrase: str) -> None:
        nonlocal entries
        if phrase in fresh:
            fresh.remove(phrase)
            wide = ord(phrase) > 255
            write_bits(_WIDE if wide else _BYTE, entries.bit_length())
            write_bits(ord(phrase), 16 if wide else 8)
            entries += 1
        else:
            write_bits(codes[phrase], entries.bit_length())
        entries += 1

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
    write_bits(_END, entries.bit_length())
    data = "".join(bits)
    data += "0" * (6 - len(data) % 6)
    body = "".join(_ALPHABET[int(data[i : i + 6], 2)] for i in range(0, len(data), 6))
    return body + "=" * (-len(body) % 4)
