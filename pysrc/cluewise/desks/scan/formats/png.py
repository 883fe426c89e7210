"""Walkability as a PNG: dark or mostly transparent pixels are walls."""

from __future__ import annotations

import zlib

from cluewise.desks.scan.walls import check_size
from cluewise.errors import BadNotation
from cluewise.kernel import kernel

_PNG = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DARK = 128  # below this brightness a pixel is a wall


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
