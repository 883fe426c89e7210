"""Validator of .puz files by patterns over the text, as the game's readers parse it."""

import math
import re
from collections import Counter
from itertools import pairwise

COLOURS = ["RED", "ORANGE", "YELLOW", "GREEN", "BLUE", "INDIGO", "VIOLET", "PINK", "GREY"]
META = ["TILE_TEXT", "NEXT_PUZZLE_ID", "UNLOCKED_BY_AMOUNT", "REQUIRE_ALL_UNLOCK_PUZZLES",
        "REQUIRE_PERFECT", "UNLOCK_PUZZLES", "UNLOCK_AMOUNT"]  # fmt: skip
BOOLEANS = ["REVEALED", "HAS_MINE", "SECRET", "HIGHLIGHTS_TAPER_START", "HIGHLIGHTS_TAPER_END"]
NUMBER = r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?"
Spot = tuple[float, float]


def lock_file(layout: str, pitch: float = 10, half: float = 4.8) -> str:
    """Return a square lock in the form of the published files: every line is a COLUMN_HINT.

    `*` is a mine, `?` a hidden number; `pitch` and `half` are the distance and half side of tiles.
    """
    side = math.isqrt(len(layout))
    places = [(x, y) for y in range(side) for x in range(side)]
    corners = f"{-half},{-half},{half},{-half},{half},{half},{-half},{half}"
    nodes = ""
    for i, (x, y) in enumerate(places):
        near = (j for j, (u, v) in enumerate(places) if max(abs(u - x), abs(v - y)) == 1)
        nodes += (
            f"<NODE><ID>{i}</ID><EDGES>{','.join(map(str, near))}</EDGES>"
            f"<POS>{pitch * x},{pitch * y}</POS><POLY><POINTS>{corners}</POINTS></POLY>"
            f"<HAS_MINE>{layout[i] == '*'}</HAS_MINE><SECRET>{layout[i] == '?'}</SECRET></NODE>"
        )
    lines = [(range(k, side * side, side), (pitch * k, -pitch)) for k in range(side)]
    lines += [(range(k * side, k * side + side), (-pitch, pitch * k)) for k in range(side)]
    hints = "".join(
        f"<COLUMN_HINT><IDS>{','.join(map(str, cells))}</IDS>"
        f"<TEXT_LOCATION>{x},{y}</TEXT_LOCATION></COLUMN_HINT>"
        for cells, (x, y) in lines
    )
    return (
        f"<PUZZLE><ID>Y1</ID><TITLE>A published lock</TITLE><GRAPH>{nodes}</GRAPH>"
        f"<COLUMN_HINT_LIST>{hints}</COLUMN_HINT_LIST></PUZZLE>"
    )


def inner(text: str, tag: str) -> str | None:
    """Return the text between a tag and its end tag, or None."""
    found = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    return found[1] if found else None


def numbers(text: str | None, least: int) -> list[float] | None:
    """Return at least `least` comma-separated numbers, or None for any other text."""
    if text is None or not re.fullmatch(rf"{NUMBER}(?:,{NUMBER})*", text):
        return None
    found = [float(n) for n in text.split(",")]
    return found if len(found) >= least else None


def tags(text: str) -> Counter[str]:
    """Return how often each tag occurs, without false booleans."""
    plain = re.sub(r"<(REVEALED|HAS_MINE|SECRET|BENT)>\s*[Ff]alse\s*</\1>", "", text)
    return Counter(re.findall(r"<([A-Z_]+)/?>", plain))


def inside(spot: Spot, middle: Spot, shape: list[Spot]) -> bool:
    """Return whether a point lies on a tile, by the crossings of a ray."""
    x, y = spot[0] - middle[0], spot[1] - middle[1]
    crossed = 0
    for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed += 1
    return crossed % 2 == 1


def faults(text: str) -> list[str]:
    """Return a description of every violated rule."""
    bad: list[str] = []
    before = text.partition("<GRAPH>")[0]
    if not re.fullmatch(r"[A-Za-z0-9]+", inner(before, "ID") or ""):
        bad.append("ID is not letters and digits")
    if not (inner(text, "TITLE") or "").strip():
        bad.append("no TITLE")
    meta = inner(text, "META") or ""
    bad += [f"META lacks {name}" for name in META if inner(meta, name) is None]
    if len(inner(meta, "TILE_TEXT") or "") > 3:
        bad.append("TILE_TEXT is longer than three characters")
    nodes = re.findall(r"<NODE>(.*?)</NODE>", inner(text, "GRAPH") or "", re.DOTALL)
    if not nodes:
        return [*bad, "no NODE"]
    ids = [inner(node, "ID") or "" for node in nodes]
    bad += [f"node ID {i!r} is no whole number" for i in ids if not re.fullmatch(r"-?\d+", i)]
    bad += [f"node ID {i} twice" for i, n in Counter(ids).items() if n > 1]
    tiles: list[tuple[Spot, list[Spot]]] = []
    for name, node in zip(ids, nodes, strict=True):
        bad += [f"node {name}: {fault}" for fault in node_faults(node, set(ids))]
        at, flat = numbers(inner(node, "POS"), 2), numbers(inner(node, "POINTS"), 6)
        if at and flat:
            tiles.append(((at[0], at[1]), list(zip(flat[::2], flat[1::2], strict=False))))
    for name in ("HINT_LIST", "COLUMN_HINT_LIST", "TEXT", "TEXT_POS", "CORNER_FLAG"):
        if f"<{name}>" not in text and f"<{name}/>" not in text:
            bad.append(f"no {name}")
    for hint in re.findall(r"<HINT>(.*?)</HINT>", text, re.DOTALL):
        bad += ids_faults(hint, set(ids), "HINT")
        if inner(hint, "COLOR") not in COLOURS:
            bad.append("HINT of no known COLOR")
        if (inner(hint, "IS_DARK") or "").lower() not in ("true", "false"):
            bad.append("HINT without IS_DARK")
    return bad + line_faults(text, set(ids), tiles)


def node_faults(node: str, ids: set[str]) -> list[str]:
    """Return the violated rules of one tile."""
    bad: list[str] = []
    edges = inner(node, "EDGES")
    if edges is None or (edges and not set(edges.split(",")) <= ids):
        bad.append("EDGES")
    if len(numbers(inner(node, "POS"), 2) or ()) != 2:
        bad.append("POS is not x,y")
    flat = numbers(inner(node, "POINTS"), 6)
    if flat is None or len(flat) % 2:
        bad.append("POINTS is no flat list with commas")
    elif inner(node, "POLY") is None:
        bad.append("POINTS outside POLY")
    lit, corners = inner(node, "HIGHLIGHTS"), len(flat or ()) // 2
    if lit is not None and not consecutive([int(n) for n in lit.split(",")], corners):
        bad.append("HIGHLIGHTS are no consecutive corners")
    bad += [b for b in BOOLEANS if (inner(node, b) or "true").lower() not in ("true", "false")]
    if (inner(node, "REVEALED"), inner(node, "HAS_MINE")) == ("true", "true"):
        bad.append("a mine is open")
    return bad


def consecutive(order: list[int], corners: int) -> bool:
    """Return whether corner numbers are consecutive in either direction, modulo the corners."""
    if not corners or len(order) < 2 or not all(0 <= n < corners for n in order):
        return False
    return {(b - a) % corners for a, b in pairwise(order)} in ({1}, {corners - 1})


def ids_faults(hint: str, ids: set[str], name: str) -> list[str]:
    """Return the violated rules of the cells of a hint: existing, each once."""
    listed = [i for i in (inner(hint, "IDS") or "").split(",") if i]
    return [] if set(listed) <= ids and len(set(listed)) == len(listed) else [f"{name}: IDS"]


def line_faults(text: str, ids: set[str], tiles: list[tuple[Spot, list[Spot]]]) -> list[str]:
    """Return the violated rules of labels; none may lie on a tile or on another label."""
    bad: list[str] = []
    seen: list[Spot] = []
    for hint in re.findall(r"<COLUMN_HINT>(.*?)</COLUMN_HINT>", text, re.DOTALL):
        bad += ids_faults(hint, ids, "COLUMN_HINT")
        for name in ("TEXT_ROTATION", "TEXT_SIZE_FACTOR"):
            if len(numbers(inner(hint, name), 1) or ()) != 1:
                bad.append(f"COLUMN_HINT without {name}")
        at = numbers(inner(hint, "TEXT_LOCATION"), 2)
        if at is None or len(at) != 2:
            bad.append("COLUMN_HINT without TEXT_LOCATION")
            continue
        spot = at[0], at[1]
        if any(inside(spot, middle, shape) for middle, shape in tiles):
            bad.append(f"a count at {spot} lies on a tile")
        if any(math.dist(spot, other) < 4 for other in seen):
            bad.append(f"two counts at {spot}")
        seen.append(spot)
    return bad
