"""The content of every tile of a screenshot: closed, flagged, a number, a `?`, or a hole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cluewise.desks.mines.ocr.words import SURE, Word, find_words
from cluewise.pictures.image import Array
from cluewise.pictures.network import INKED
from cluewise.pictures.tiles import NEIGHBOURS, TileLattice, clear_parts, patches

INNER = {"square": 0.9, "hex": 0.72, "upright hex": 0.72}  # of a pitch: the patch that is read
CORNER = 0.19  # of a pitch above a tile's middle: there only the count of its colour is
FACE = 0.5  # of the pitch: the patch whose colour is the tile's
ALIKE = 14  # sums of red, green and blue by which tiles of one colour differ
APART = 26  # by which tiles differ from the background at least
LINE = 45  # of a line against what it frames, likewise
CONTRAST = 100  # of a character against its tile, likewise
OPEN = 0.5  # of the tiles of one colour that show a number, or they are closed ones


class Tile(NamedTuple):
    """A tile of the lattice."""

    place: tuple[int, int]
    face: tuple[int, int, int]
    """Its colour; that of closed tiles is the same for all that nearly have it."""
    shows: str
    """closed, flag, number or question."""
    word: Word | None
    """What is written in its middle."""
    corner: Word | None
    """A number in its upper corner, which counts the tiles of its colour."""
    doubtful: bool


def background(rgb: Array, lattice: TileLattice) -> Array:
    """Return the most frequent colour around the tiles, `(3,)`."""
    middles, pitch = lattice.middles(lattice.found), lattice.pitch
    low = np.maximum(middles.min(0) - 1.6 * pitch, 0).astype(int)
    high = (middles.max(0) + 1.6 * pitch).astype(int)
    part = rgb[low[1] : high[1], low[0] : high[0]]
    out = np.ones(part.shape[:2], bool)
    half = 0.5 * pitch
    for x, y in middles - low:
        out[
            max(0, int(y - half)) : int(y + half) + 1, max(0, int(x - half)) : int(x + half) + 1
        ] = 0
    left = part[out] if out.any() else part.reshape(-1, 3)
    coarse = (left >> 3).astype(int) @ np.array([1024, 32, 1])
    values, counts = np.unique(coarse, return_counts=True)
    return np.asarray(np.median(left[coarse == values[counts.argmax()]], axis=0)).astype(int)


def read_tiles(rgb: Array, lattice: TileLattice, ground: Array) -> list[Tile]:
    """Return the tiles of a lattice, sorted by row and column; holes are left out.

    A tile whose surface could not be seen is doubtful.
    """
    seen = {tuple(p) for p in lattice.found.tolist()}
    (x0, y0), (x1, y1) = lattice.found.min(0).tolist(), lattice.found.max(0).tolist()
    places = np.array([(x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)])
    middles = lattice.middles(places)
    inside = (middles >= 0).all(1) & (middles < np.array(rgb.shape[1::-1])).all(1)
    places, middles = places[inside], middles[inside]
    faces = _faces(patches(rgb, middles, max(4, round(FACE * lattice.pitch))))
    words = _words(rgb, lattice, middles, faces)
    off = abs(faces - ground).sum(1)
    was_seen = np.array([tuple(p) in seen for p in places.tolist()])
    written = np.array([central is not None for central, _ in words])
    tile = np.where(off > APART, True, was_seen & written)
    for k in np.flatnonzero(
        written & ~tile
    ).tolist():  # a number on the background, in a frame or not
        tile[k] = _is_framed(rgb, lattice, places[k], {tuple(p) for p in places[tile].tolist()})
    kept = np.flatnonzero(tile)
    was_seen |= off <= APART
    colours, kept_faces = _clusters(faces[kept])
    is_number = np.array([_is_open(words[k][0]) for k in kept])
    out = []
    for k, colour in zip(kept.tolist(), colours.tolist(), strict=True):
        share = float(is_number[colours == colour].mean())
        central, corner = words[k]
        shows, doubtful = _shown(central, share)
        place = (int(places[k][0]), int(places[k][1]))
        r, g, b = kept_faces[colour] if share < OPEN else faces[k]
        face = (int(r), int(g), int(b))
        alike = was_seen[kept][colours == colour].mean()
        out.append(Tile(place, face, shows, central, corner, doubtful or bool(alike < OPEN)))
    return out


def _is_framed(rgb: Array, lattice: TileLattice, place: Array, tiles: set[tuple[int, ...]]) -> bool:
    """Return whether there is a line along every edge of a place that has no tile behind it."""
    middle = lattice.middles(place[None])[0]
    for step in NEIGHBOURS[lattice.kind]:
        if (place[0] + step[0], place[1] + step[1]) in tiles:
            continue
        out = np.array(step) @ lattice.basis
        along = np.array([-out[1], out[0]])
        away, aside = np.linspace(0.4, 0.6, 15)[:, None, None], np.linspace(-0.2, 0.2, 7)[:, None]
        points = np.rint(middle + away * out + aside * along).astype(int)
        x, y = (np.clip(points[..., k], 0, rgb.shape[1 - k] - 1) for k in (0, 1))
        colours = rgb[y, x].astype(int)
        if np.median(np.ptp(colours, axis=0).sum(1)) < LINE:
            return False
    return True


def _shown(word: Word | None, share: float) -> tuple[str, bool]:
    """Return what a tile shows and whether that is doubtful.

    `share`: the share of the tiles of its colour that show a number or a `?`.
    """
    is_open = share >= OPEN
    if word is None:
        return ("question", True) if is_open else ("closed", False)
    unsure = word.chance < SURE
    if not is_open:
        return "flag", _is_open(word) and not unsure
    if word.number is not None:
        return "number", unsure
    return "question", unsure or word.text != "?"


def _is_open(word: Word | None) -> bool:
    return word is not None and (word.number is not None or word.text == "?")


def _faces(patch: Array) -> Array:
    """Return the dominant colour of every patch, `(patches, 3)`.

    The median of the pixels near the patch's edge, as text stands in the middle.
    """
    side = patch.shape[1]
    edge = np.ones((side, side), bool)
    inner = max(1, side // 4)
    edge[inner:-inner, inner:-inner] = False
    return np.median(patch[:, edge], axis=1).astype(int)


def _words(
    rgb: Array, lattice: TileLattice, middles: Array, faces: Array
) -> list[tuple[Word | None, Word | None]]:
    """Return the word in the middle and in the upper corner of every tile."""
    pitch = lattice.pitch
    side = round(INNER[lattice.kind] * pitch)
    patch = patches(rgb, middles, side)
    off = abs(patch.astype(np.int16) - faces[:, None, None].astype(np.int16)).sum(3)
    found: list[tuple[Word | None, Word | None]] = [(None, None)] * len(off)
    upper = round((0.5 * INNER[lattice.kind] - CORNER) * pitch)
    for k, word in _words_of_each(off[:, :upper], 0.1 * pitch, 0.3 * pitch):
        found[k] = None, word
    for k, word in _words_of_each(off, 0.2 * pitch, pitch):
        x, y = (place - (side + 3) / 2 for place in word.middle)
        if max(abs(x), abs(y)) < 0.25 * pitch:
            central, corner = found[k]
            found[k] = (word if central is None else central._replace(chance=0)), corner
    return found


def _words_of_each(off: Array, least: float, most: float) -> Iterator[tuple[int, Word]]:
    """Yield the words of every patch of differences `(patches, height, width)` and its number.

    Their places are those of a patch with a margin of two pixels.
    """
    count, height, width = off.shape
    strongest = off.reshape(count, -1).max(1)
    tall = np.zeros((count, height + 4, width + 4), np.float32)
    tall[:, 2:-2, 2:-2] = off / np.maximum(strongest, CONTRAST)[:, None, None].astype(np.float32)
    tall[strongest < CONTRAST] = 0
    column = tall.reshape(-1, width + 4)
    clear_parts(column, INKED, np.inf, margin=2, every=height + 4)
    for word in find_words(column, max(4.0, least), most):
        top, left, bottom, right = word.box
        k, top = divmod(top, height + 4)
        yield int(k), word._replace(box=(top, left, bottom - k * (height + 4), right))


def _clusters(faces: Array) -> tuple[Array, list[Array]]:
    """Cluster faces of nearly one colour; return each face's cluster and the cluster colours."""
    of = np.zeros(len(faces), int)
    kept: list[Array] = []
    for k, face in enumerate(faces):
        near = [abs(face - other).sum() for other in kept]
        if near and min(near) <= ALIKE:
            of[k] = int(np.argmin(near))
        else:
            of[k] = len(kept)
            kept.append(face)
    return of, [np.median(faces[of == k], axis=0) for k in range(len(kept))]
