"""Constraints of f-puzzles' and SudokuPad's puzzles, read and written.

A key that is neither supported nor an ornament becomes an `other` constraint under the name that
its site has for it, so that no rule is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cluewise.desks.sudoku.constraints import KINDS, MOST, Constraint, check, names_of
from cluewise.desks.sudoku.formats.characters import sides_of
from cluewise.desks.sudoku.formats.drawing_parts import (
    CELL_NAME,
    clued_line,
    convert_fpuzzles_drawings,
    read_place,
)
from cluewise.desks.sudoku.formats.drawings import read_drawings
from cluewise.desks.sudoku.formats.rule_sentences import Rules, read_rules
from cluewise.desks.sudoku.houses import houses, region_numbers
from cluewise.errors import BadPosition

# Keys of f-puzzles that are no rules: the board, who made it, and how it is shown and solved.
_ORNAMENTS = frozenset((
    "size", "grid", "title", "author", "ruleset", "solution", "highlightConflicts",
    "activeConstraints", "disabledlogic", "truecandidatesoptions", "successMessage", "msgcorrect",
    "metadata", "fogofwar", "foglight", "triggereffect", "id", "cosmetics",
))  # fmt: skip
_GLOBAL = {
    "antiknight": "antiknight", "antiking": "antiking", "disjointgroups": "disjoint",
    "nonconsecutive": "nonconsecutive", "diagonal-": "diagonal", "diagonal+": "antidiagonal",
}  # fmt: skip
# Keys of f-puzzles by the form of their items: lines, cells, single cells, two cells with a mark, a
# clue outside the board.
_LINES = {
    "thermometer": "thermometer", "slowthermometer": "slow", "palindrome": "palindrome",
    "renban": "renban", "whispers": "whispers", "entropicline": "entropic",
    "regionsumline": "regionsum", "zipperline": "zipper", "betweenline": "between",
}  # fmt: skip
_SETS = {
    "extraregion": "house", "killercage": "killer", "littlekillersum": "little",
    "quadruple": "quadruple", "clone": "clone", "rowindexer": "rowindex",
    "columnindexer": "columnindex",
}  # fmt: skip
_SINGLE = {"even": "even", "odd": "odd", "minimum": "minimum", "maximum": "maximum"}
_PAIRS = {"ratio": "ratio", "difference": "difference", "xv": "xv"}
_OUTSIDE = {"sandwichsum": "sandwich", "xsum": "xsum", "skyscraper": "skyscraper"}
_KINDS = _LINES | _SETS | _SINGLE | _PAIRS | _OUTSIDE | {"arrow": "arrow"}
_KEYS = {kind: key for key, kind in _KINDS.items()}
_DRAWINGS = frozenset(("line", "cage", "circle", "rectangle", "text"))
NAMES = {key: KINDS[kind].plural for key, kind in _KINDS.items()} | {
    "cage": "drawn cages", "lockout": "lockout lines", "line": "drawn lines",
    "rectangle": "drawn shapes", "circle": "drawn shapes", "text": "drawn words",
    "nabner": "nabner lines", "modularline": "modular lines", "doublearrow": "double arrows",
    "boxindexer": "box indexers",
}  # fmt: skip
WRITTEN_RULES = Constraint("other", name="rules written in words")
_TAGS = re.compile(r"(title|author|rules|solution|source|msgcorrect|setter)\s*:", re.IGNORECASE)


# -- shared by all formats -------------------------------------------------------------------------


def unsupported(name: str) -> Constraint:
    """A constraint of which only the name is known, cut at 100 characters.

    >>> unsupported("little killer").kind
    'other'
    """
    return Constraint("other", name=name[:100])


def if_possible(found: list[Constraint], size: int) -> list[Constraint] | None:
    """The constraints if a board of that size can have all of them, else None."""
    try:
        check(found, *sides_of(size))
    except BadPosition:
        return None
    return found


def normalise(found: Iterable[Constraint]) -> list[Constraint]:
    """Remove repeats and join two diagonals; too many constraints become one per kind, by name."""
    kept = list(dict.fromkeys(found))
    one, other = Constraint("diagonal"), Constraint("antidiagonal")
    if one in kept and other in kept:
        kept[kept.index(one)] = Constraint("diagonals")
        kept.remove(other)
    return kept if len(kept) <= MOST // 2 else [unsupported(name) for name in names_of(kept)]


def read_rule_texts(texts: Iterable[Any]) -> Rules | None:
    """The rules that texts, or lists of texts, state; None where there is no text."""
    lines = [str(line) for text in texts for line in (text if isinstance(text, list) else [text])
             if line is not None]  # fmt: skip
    return read_rules("\n".join(lines)) if any(line.strip() for line in lines) else None


def read_drawn_constraints(
    puzzle: dict[str, Any], size: int, rules: Rules | None, known: Iterable[Constraint]
) -> list[Constraint]:
    """What the drawings of a puzzle mean on a board with the `known` regions.

    `puzzle` has SudokuPad's keys. Those that no board can have become `other` constraints.
    """
    drawn = read_drawings(puzzle, size, rules, regions_of(known, size))
    return [one if if_possible([one], size) is not None else unsupported(KINDS[one.kind].plural)
            for one in drawn]  # fmt: skip


def regions_of(constraints: Iterable[Constraint], size: int) -> Sequence[int]:
    """The region of each cell of a board: those that are stated, else the boxes row by row."""
    return region_numbers(constraints, *sides_of(size))


def read_regions(numbers: Sequence[Any], size: int) -> list[Constraint]:
    """The constraint of regions, one number a cell; none if they are the boxes."""
    first: dict[Any, int] = {}
    named = tuple(first.setdefault(str(n), len(first)) for n in numbers)
    again: dict[int, int] = {}
    if named == tuple(again.setdefault(b, len(again)) for b in regions_of((), size)):
        return []
    whole = len(named) == size * size and all(named.count(n) == size for n in range(size))
    sound = whole and len(first) == size and all(isinstance(n, int) for n in numbers)
    return [Constraint("regions", named)] if sound else [unsupported("moved regions")]


# -- f-puzzles, read -------------------------------------------------------------------------------


def read_fpuzzles_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    """The constraints of an f-puzzles puzzle.

    Drawings are classified by the sentences of the rules, unless they repeat a stated constraint.
    Drawings and sentences that are not understood become `other` constraints if the puzzle states
    no constraint; sentences that change what constraints mean (doublers, wrong clues) always do.

    >>> [one.kind for one in read_fpuzzles_constraints({"grid": [], "antiknight": True, "odd":
    ... ["R1C1"]}, 9)]
    ['antiknight', 'other']
    """
    rows = [row if isinstance(row, list) else [] for row in puzzle.get("grid") or []]
    cells = [cell if isinstance(cell, dict) else {} for row in rows for cell in row]
    boxes = regions_of((), size)
    numbers = [cell.get("region", box) for cell, box in zip(cells, boxes, strict=False)]
    found = read_regions(numbers, size) if numbers else []
    found += _read_candidates(cells, size)
    for key, value in puzzle.items():
        if value and key not in _ORNAMENTS and key not in _DRAWINGS:
            found += _read_key(key, value, size)
    return normalise([*found, *_read_cosmetics(puzzle, size, found)])


def _read_cosmetics(
    puzzle: dict[str, Any], size: int, found: Sequence[Constraint]
) -> list[Constraint]:
    """The constraints that an f-puzzles puzzle only draws or states in sentences."""
    rules = read_rule_texts([puzzle.get("ruleset")])
    unknown = rules.unknown if rules is not None else []
    drawn = read_drawn_constraints(convert_fpuzzles_drawings(puzzle), size, rules, found)
    for cage in puzzle.get("cage") or []:
        if isinstance(cage, dict) and not cage.get("fromConstraint"):
            names = ",".join(map(str, cage.get("cells") or []))
            drawn += _read_cage({**cage, "cells": names}, size, [])
    kinds = {one.kind for one in found}
    if kinds <= {"other", "regions"}:
        odd = [unsupported(NAMES[key]) for key in puzzle if key in _DRAWINGS
               and not all(isinstance(one, dict) for one in puzzle[key] or [])]  # fmt: skip
        return [*drawn, *odd, *([WRITTEN_RULES] if unknown else [])]
    if not unknown:
        return [one for one in drawn if one.kind not in {"other", "house", *kinds}]
    return [WRITTEN_RULES] if any(map(_CHANGING.search, unknown)) else []


_CHANGING = re.compile(  # sentences after which constraints do not mean what they usually do
    r"doubler|halve[dr]|doubled|count(?:s|ed)? (?:as|double)|\bwrong\b|\bliars?\b|\bincorrect\b"
    r"|\bfalse\b|schr.dinger|\bdraw\b|\bshade\b|\bloop\b"
)


def _read_candidates(cells: Sequence[dict[str, Any]], size: int) -> list[Constraint]:
    """Pencil marks that the setter has given: cells of equal marks are one constraint."""
    marked: dict[tuple[int, ...], list[int]] = {}
    for i, cell in enumerate(cells):
        marks = cell.get("givenPencilMarks")
        if isinstance(marks, list) and marks:
            symbols = {_number(mark) or 0 for mark in marks}
            if not all(1 <= symbol <= size for symbol in symbols):
                return [unsupported("candidates")]
            marked.setdefault(tuple(sorted(symbols)), []).append(i)
    return [Constraint("candidates", tuple(some), values=v) for v, some in marked.items()]


def _read_key(key: str, value: Any, size: int) -> list[Constraint]:
    """A key's constraints; those that make no sense are one by the key's name."""
    if key in _GLOBAL and value is True:
        return [Constraint(_GLOBAL[key])]  # type: ignore[arg-type]  # the table holds kinds
    name = unsupported(NAMES.get(key, f"“{key}”"))
    if not isinstance(value, list):
        return [name]
    if key == "negative":
        return [
            Constraint("negative", of=of) if of in ("ratio", "xv")
            else unsupported(f"negative: {NAMES.get(str(of), str(of))}") for of in value
        ]  # fmt: skip
    if key in _SINGLE:
        cells = [one.get("cell") if isinstance(one, dict) else None for one in value]
        marked = Constraint(_SINGLE[key], _read_cells(cells, size))  # type: ignore[arg-type]
        return if_possible([marked], size) or [name]
    found = []
    for one in value:
        read = _read_item(key, one, size) if isinstance(one, dict) else None
        valid = None if read is None else if_possible(read, size)
        found += [name] if valid is None else valid
    return found


def _read_item(key: str, one: dict[str, Any], size: int) -> list[Constraint] | None:
    """The constraints of one item; None if it is not understood."""
    if key not in _KINDS:
        return None
    kind: Any = _KINDS[key]
    cells, value = _read_cells(one.get("cells"), size), _number(one.get("value"))
    text = str(one.get("value") or "").strip()
    if key == "arrow" or key in _LINES:
        lines = one.get("lines")
        if not isinstance(lines, list) or (key in _LINES and not lines):
            return None
        paths = [_read_cells(line, size) for line in lines]
        if key == "arrow":
            return _read_arrows(cells, paths)
        least = value or None if key == "whispers" else None
        return [Constraint(kind, path, value=least) for path in paths]
    if key in _OUTSIDE:
        line = _read_clued_line(one.get("cell"), size)
        if value is None or not line:
            return [] if line and one.get("value") in (None, "") else None
        field: dict[str, Any] = {"value" if key == "skyscraper" else "sum": value}
        return [Constraint(kind, line, **field)]
    if key == "xv":
        total = {"X": 10, "V": 5}.get(text.upper())
        return [Constraint("xv", cells, value=total)] if total else None if text else []
    if key in _PAIRS:
        return [Constraint(kind, cells, value=value or None)]
    if key == "killercage":
        return None if text and value is None else [
            Constraint("killer", cells, sum=value if text else None)]  # fmt: skip
    if key == "littlekillersum":
        return [Constraint("little", cells, sum=value)] if value else []
    if key == "clone":
        other = _read_cells(one.get("cloneCells"), size)
        return [Constraint("clone", cells + other)] if len(cells) == len(other) else None
    if key == "quadruple":
        values = one.get("values")
        symbols = tuple(_number(v) or 0 for v in values) if isinstance(values, list) else ()
        return [Constraint("quadruple", cells, values=symbols)] if symbols else []
    return [Constraint(kind, cells)]


def _read_arrows(head: tuple[int, ...], lines: list[tuple[int, ...]]) -> list[Constraint] | None:
    """One constraint a line; an arrow without a line states nothing."""
    if lines and not (head and all(lines)):
        return None
    shafts = [tuple(cell for cell in line if cell not in head) for line in lines]
    return [Constraint("arrow", head + shaft, head=len(head)) for shaft in shafts if shaft]


def _read_clued_line(name: Any, size: int) -> tuple[int, ...]:
    """The line of a clue in the ring of cells around the board, from the clue on; else empty."""
    row, col = read_place(name) or (0, 0)
    is_beside = (row in (-1, size)) != (col in (-1, size))
    return clued_line(row, col, size) if is_beside else ()


def _number(value: Any) -> int | None:
    """A number of at most four digits, as number or as text; None for anything else."""
    text = str(value).strip() if isinstance(value, str | int) and value is not True else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else None


def _read_cells(names: Any, size: int) -> tuple[int, ...]:
    """Cells by number out of `["R1C1", …]`; empty if one of them is no cell of the board."""
    found = []
    for name in names if isinstance(names, list) else []:
        row, col = read_place(name) or (-1, -1)
        if not (0 <= row < size and 0 <= col < size):
            return ()
        found.append(row * size + col)
    return tuple(found)


# -- SudokuPad, read -------------------------------------------------------------------------------


def read_sudokupad_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    """The constraints of a SudokuPad puzzle with names long or short (`cages` or `ca`)."""
    regions = _list_of(puzzle, "regions", "re")
    numbers: list[Any] = [None] * (size * size)
    for number, cells in enumerate(regions):
        for cell in _read_places(cells, size):
            numbers[cell] = number
    found = read_regions(numbers, size) if regions else []
    texts: list[Any] = []
    for cage in _list_of(puzzle, "cages", "ca"):
        found += _read_cage(cage, size, texts)
    about = puzzle.get("metadata")
    about = about if isinstance(about, dict) else {}
    if about.get("rules"):
        texts.append(about["rules"])
    rules = read_rule_texts(texts)
    if rules is not None and any(rule.kind == "repeats" for rule in rules.known):
        found = [Constraint("little", one.cells, sum=one.sum) if one.kind == "killer" else one
                 for one in found if one.kind != "house"]  # fmt: skip
    for name in (*_list_of(puzzle, "global"), *(key for key in _GLOBAL if about.get(key))):
        found += _read_key(str(name), True, size)
    found += read_drawn_constraints(puzzle, size, rules, found)
    if (about.get("norowcol") or puzzle.get("norowcol")) in (True, "t", "true"):
        found.append(unsupported("rows and columns that do not count"))
    if rules is not None and rules.unknown:
        found.append(WRITTEN_RULES)
    return normalise(found)


def _list_of(puzzle: dict[str, Any], *keys: str) -> list[Any]:
    """What is under the first key that has something."""
    value: Any = next((puzzle[key] for key in keys if puzzle.get(key)), [])
    return value if isinstance(value, list) else [value]


def _read_cage(cage: Any, size: int, texts: list[Any]) -> list[Constraint]:
    """A cage as a constraint; cages without cells carry the title and the rules in words."""
    if not isinstance(cage, dict):
        return [unsupported("drawn cages")]
    places = cage.get("cells") or cage.get("ce") or []
    value = str(cage.get("value", cage.get("v", ""))).strip()
    if not places or _TAGS.match(value):
        if re.match(r"rules\s*:", value, re.IGNORECASE):
            texts.append(value.partition(":")[2])
        return []
    cells = _read_places(places, size)
    if not cells or (value and not value.isdecimal()):
        return [unsupported("drawn cages")]
    if value:
        return [Constraint("killer", cells, int(value[:4]))]
    rows, cols = {c // size for c in cells}, {c % size for c in cells}
    if 1 in (len(rows), len(cols)) or cage.get("type") in ("rowcol", "box", "region"):
        return []  # in one row or column they differ anyway
    return [Constraint("house", cells)]


def _read_places(places: Any, size: int) -> tuple[int, ...]:
    """Cells by number out of `[[0, 0], …]` or `"r1c1,r1c2"`; empty if they make no sense."""
    if isinstance(places, str):
        places = [[int(r) - 1, int(c) - 1] for r, c in CELL_NAME.findall(places)]
    found = []
    for pair in places if isinstance(places, list) else []:
        if not isinstance(pair, list) or len(pair) != 2:
            return ()
        if not all(isinstance(i, int) and 0 <= i < size for i in pair):
            return ()
        found.append(pair[0] * size + pair[1])
    return tuple(found) if len(set(found)) == len(found) <= size else ()


# -- f-puzzles, written ----------------------------------------------------------------------------


def write_fpuzzles_constraints(
    constraints: Iterable[Constraint], size: int
) -> tuple[dict[str, Any], list[Any]]:
    """The constraints under f-puzzles' keys, and a region for each cell (or nothing).

    >>> write_fpuzzles_constraints([Constraint("antiknight"), Constraint("diagonal")], 9)
    ({'antiknight': True, 'diagonal-': True}, [])
    """
    out: dict[str, Any] = {}
    regions: list[Any] = []
    keys = {kind: key for key, kind in _GLOBAL.items()}
    for one in constraints:
        if one.kind == "regions":
            regions = list(one.cells)
        elif one.kind == "diagonals":
            out |= {"diagonal-": True, "diagonal+": True}
        elif one.kind in keys:
            out[keys[one.kind]] = True
        elif one.kind == "negative":
            out.setdefault("negative", []).append(one.of)
        elif one.kind == "windows":
            for window in list(houses([one], *sides_of(size)))[3 * size :]:
                item = {"cells": _cell_names(window.cells, size)}
                out.setdefault("extraregion", []).append(item)
        elif one.kind in _KEYS:
            out.setdefault(_KEYS[one.kind], []).extend(_items(one, size))
    return out, regions


def _cell_names(cells: Iterable[int], size: int) -> list[str]:
    return [f"R{i // size + 1}C{i % size + 1}" for i in cells]


def _items(one: Constraint, size: int) -> list[dict[str, Any]]:
    """A constraint with cells of its own as items of f-puzzles."""
    key, number = _KEYS[one.kind], one.value if one.sum is None else one.sum
    cells = _cell_names(one.cells, size)
    value: dict[str, Any] = {} if number is None else {"value": str(number)}
    if key in _LINES:
        return [{"lines": [cells], **value}]
    if key in _SINGLE:
        return [{"cell": cell} for cell in cells]
    if key in _OUTSIDE:
        (r, c), (s, d) = (divmod(cell, size) for cell in one.cells[:2])
        return [{"cell": f"R{2 * r - s + 1}C{2 * c - d + 1}", **value}]
    if one.kind == "arrow":
        head = cells[: one.head]
        return [{"cells": head, "lines": [[head[-1], *cells[one.head :]]]}]
    if one.kind == "clone":
        half = len(cells) // 2
        return [{"cells": cells[:half], "cloneCells": cells[half:]}]
    if one.kind == "xv":
        return [{"cells": cells, "value": "X" if one.value == 10 else "V"}]
    return [{"cells": cells, **value, **({"values": list(one.values)} if one.values else {})}]
