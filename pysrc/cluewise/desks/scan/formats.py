"""Other people's notations: spots as lines of numbers, walkability as text or PNG.

>>> read_spots("1: 2990, 3390\\n(2995 3401 1)")
((2990, 3390, 0), (2995, 3401, 1))
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.position import ScanPosition
from cluewise.desks.scan.results import PasteOptions, PasteResult, WallsOptions, WallsResult
from cluewise.desks.scan.scene import Scene
from cluewise.desks.scan.walls import check_size, pack
from cluewise.errors import BadNotation, BadOption, BadPosition
from cluewise.kernel import kernel

WALL, FREE = "#Xx1", ". 0"
_NUMBERS = re.compile(r"-?\d+")
_NUMBERED = re.compile(r"^\s*\d+\s*[:.)]\s+")
_PNG = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DARK = 128  # below this brightness a pixel is a wall


def read_spots(text: str) -> tuple[tuple[int, int, int], ...]:
    """Spots from lines of two or three numbers; `# …` and empty lines are passed over.

    A leading `3:` or `3.` or `3)` numbers a line and is no coordinate.
    """
    spots = []
    for i, line in enumerate(text.splitlines(), start=1):
        body = _NUMBERED.sub("", line.split("#")[0])
        numbers = [int(n) for n in _NUMBERS.findall(body)]
        if not body.strip():
            continue
        if not 2 <= len(numbers) <= 3 or any(abs(n) > 1 << 30 for n in numbers):
            raise BadNotation(
                f"Expected x, y and perhaps a level, found {line.strip()!r}.", f"line {i}"
            )
        spots.append((numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0))
    return tuple(spots)


def write_spots(spots: Iterable[tuple[int, int, int]]) -> str:
    """The same as lines `x, y, level`."""
    return "".join(f"{x}, {y}, {level}\n" for x, y, level in spots)


def paste(_position: ScanPosition, options: PasteOptions) -> Job[PasteResult]:
    """The verb `paste`: spots from a text."""
    yield Progress(1, 1)
    return PasteResult([list(spot) for spot in read_spots(options.text)])


def run_walls(position: ScanPosition, options: WallsOptions) -> Job[WallsResult]:
    """The verb `walls`: a text grid or a PNG as the position's packed grid."""
    if (options.text is None) == (options.png is None):
        raise BadOption("Give a text grid or a PNG.", "$.options.text")
    yield Progress(0, None, "reading the grid")
    where = "$.options.text" if options.png is None else "$.options.png"
    try:
        if options.png is not None:
            width, rows = read_png(_bytes(options.png))
        else:
            width, rows = read_grid(options.text or "")
        check_size((width, len(rows)), where)
    except BadPosition as problem:
        raise BadNotation(problem.message, where) from None
    at = options.at or _place(position)
    grid = pack(rows, at, (width, len(rows)))
    blocked = sum(row.bit_count() for row in rows)
    return WallsResult(grid, [width, len(rows)], blocked, list(at))


def _place(position: ScanPosition) -> tuple[int, int]:
    """Where a grid goes that nobody placed: its lowest corner at the spots' lowest corner."""
    spots = Scene.of(position).spots
    return (min(s[0] for s in spots), min(s[1] for s in spots)) if spots else (0, 0)


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNotation("This is not base64.", "$.options.png") from None


def read_grid(text: str) -> tuple[int, list[int]]:
    """Width and rows (lowest y first, bit = wall) of a text whose first line is the north."""
    lines = text.strip("\r\n").splitlines()
    width = max((len(line) for line in lines), default=0)
    check_size((width, len(lines)), "$")
    rows = []
    for i, line in enumerate(lines, start=1):
        row = 0
        for x, sign in enumerate(line):
            if sign in WALL:
                row |= 1 << x
            elif sign not in FREE:
                raise BadNotation(
                    f"A grid is written with {WALL} for walls and {FREE!r} for free tiles, "
                    f"not {sign!r}.",
                    f"line {i}, column {x + 1}",
                )
        rows.append(row)
    return width, rows[::-1]


def write_grid(width: int, rows: list[int]) -> str:
    """The same as text, `#` and `.`."""
    lines = ("".join("#" if row >> x & 1 else "." for x in range(width)) for row in rows[::-1])
    return "\n".join(lines) + "\n"


def read_png(data: bytes) -> tuple[int, list[int]]:
    """Width and rows (lowest y first) of a PNG: dark or mostly transparent pixels are walls.

    Reads 8-bit grey, RGB, palette and alpha, not interlaced (Portable Network Graphics, third
    edition). Raises `BadNotation` for anything else, with what it is.
    """
    if not data.startswith(_PNG):
        raise BadNotation("This is not a PNG: its first bytes are not a PNG's.", "$.options.png")
    chunks = _chunks(data)
    head = chunks.get("IHDR", b"")
    if len(head) != 13 or "IDAT" not in chunks:
        raise BadNotation("This PNG is cut short or damaged.", "$.options.png")
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    depth, colour, interlaced = head[8], head[9], head[12]
    check_size((width, height), "$.options.png")
    if depth != 8 or colour not in _CHANNELS or interlaced:
        raise BadNotation(
            "Only PNGs with 8 bits a channel and without interlacing are read; "
            f"this one has {depth} bits{' and is interlaced' if interlaced else ''}.",
            "$.options.png",
        )
    line = width * _CHANNELS[colour] + 1
    pixels = _unfilter(_inflate(chunks["IDAT"], line * height), line, height, _CHANNELS[colour])
    dark = _dark_of(colour, chunks)
    return width, [_row(pixels[y], dark, _CHANNELS[colour]) for y in range(height - 1, -1, -1)]


def _chunks(data: bytes) -> dict[str, bytes]:
    """The chunks by name, those of one name joined; a wrong checksum is damage."""
    found: dict[str, list[bytes]] = {}
    at = len(_PNG)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if zlib.crc32(data[at + 4 : at + 8] + body).to_bytes(4, "big") != check:
            raise BadNotation("This PNG is cut short or damaged.", "$.options.png")
        found.setdefault(data[at + 4 : at + 8].decode("latin-1"), []).append(body)
        at += 12 + length
    return {name: b"".join(parts) for name, parts in found.items()}


def _inflate(data: bytes, length: int) -> bytes:
    try:
        pixels = zlib.decompressobj().decompress(data, length)
    except zlib.error:
        pixels = b""
    if len(pixels) != length:
        raise BadNotation("This PNG's pixels are cut short or damaged.", "$.options.png")
    return pixels


def _unfilter(data: bytes, line: int, height: int, channels: int) -> list[bytes]:
    """The rows without PNG's prediction filters, which the kernel undoes in place."""
    with kernel().frame() as frame:
        at = frame.put(data)
        if frame.call("scan_unfilter", at, line, height, channels):
            raise BadNotation("This PNG uses a filter that does not exist.", "$.options.png")
        plain = frame.get(at, "B", len(data)).tobytes()
    return [plain[y * line + 1 : (y + 1) * line] for y in range(height)]


def _dark_of(colour: int, chunks: dict[str, bytes]) -> bytes:
    """For palettes: per index whether the colour is a wall."""
    if colour != 3:
        return b""
    palette, alpha = chunks.get("PLTE", b""), chunks.get("tRNS", b"")
    entries = [palette[i : i + 3] for i in range(0, len(palette) - 2, 3)]
    table = [
        sum(entry) < 3 * _DARK or (i < len(alpha) and alpha[i] < _DARK)
        for i, entry in enumerate(entries)
    ]
    return bytes(table + [True] * (256 - len(table)))[:256]


def _row(pixels: bytes, dark: bytes, channels: int) -> int:
    """A row's walls as bits, lowest x first."""
    if dark:
        walls = pixels.translate(dark)
        return sum(1 << x for x, wall in enumerate(walls) if wall)
    alpha = channels in (2, 4)
    bright = channels - alpha
    return sum(
        1 << (i // channels)
        for i in range(0, len(pixels), channels)
        if sum(pixels[i : i + bright]) < bright * _DARK or (alpha and pixels[i + bright] < _DARK)
    )
