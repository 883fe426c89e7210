"""The constraints in f-puzzles' and SudokuPad's puzzles: those known here, the rest by name.

Nothing that may be a rule is passed over: a key that is neither known nor mere ornament is kept as
an `other` constraint under the name its site has for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cluewise.desks.sudoku.constraints import MOST, Constraint, words
from cluewise.desks.sudoku.formats.characters import SIDES
from cluewise.desks.sudoku.houses import houses

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
_LINES = {"thermometer": 2, "arrow": 2, "palindrome": 2, "renban": 1}  # kinds, fewest cells
NAMES = {
    "littlekillersum": "little killer sums", "arrow": "arrows", "cage": "drawn cages",
    "ratio": "ratio dots", "difference": "difference dots", "xv": "XV pairs",
    "thermometer": "thermometers", "palindrome": "palindromes", "sandwichsum": "sandwich sums",
    "even": "even cells", "odd": "odd cells", "clone": "clones", "quadruple": "quadruples",
    "betweenline": "between lines", "lockout": "lockout lines", "minimum": "minimum cells",
    "maximum": "maximum cells", "line": "drawn lines", "rectangle": "drawn shapes",
    "circle": "drawn shapes", "text": "drawn words", "renban": "renban lines",
    "whispers": "whisper lines", "regionsumline": "region sum lines", "xsum": "X-sums",
    "skyscraper": "skyscrapers", "entropicline": "entropic lines", "nabner": "nabner lines",
    "modularline": "modular lines", "doublearrow": "double arrows", "slowthermometer": "slow "
    "thermometers", "zipperline": "zipper lines", "rowindexer": "row indexers",
    "columnindexer": "column indexers", "boxindexer": "box indexers",
}  # fmt: skip
_IN_WORDS = Constraint("other", name="rules written in words")
_PLAIN = re.compile(  # what a text says that only repeats the rules of every sudoku
    r"(?:(?:normal|standard|classic|usual)\s+)?(?:6x6\s+|9x9\s+|irregular\s+)?sudoku(?:\s+rules?)?"
    r"(?:\s+apply)?|normal rules apply|fill the grid with (?:the )?(?:digits|numbers) 1-\d+"
    r"(?: so that| such that)?(?: no digit repeats| each digit appears once)?"
    r"(?: in (?:a|any|every|each) row,? column,? (?:or|and) (?:box|region))?",
    re.IGNORECASE,
)
_CELL = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})")
_TAGS = re.compile(r"(title|author|rules|solution|source|msgcorrect|setter)\s*:", re.IGNORECASE)


def read_fpuzzles_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    """The constraints of an f-puzzles puzzle.

    >>> [one.kind for one in read_fpuzzles_constraints({"grid": [], "antiknight": True, "odd":
    ... ["R1C1"]}, 9)]
    ['antiknight', 'other']
    """
    rows = [row if isinstance(row, list) else [] for row in puzzle.get("grid") or []]
    cells = [cell if isinstance(cell, dict) else {} for row in rows for cell in row]
    boxes = box_numbers(size)
    numbers = [cell.get("region", box) for cell, box in zip(cells, boxes, strict=False)]
    found = moved_regions(numbers, size) if numbers else []
    for key, value in puzzle.items():
        if value and key not in _ORNAMENTS:
            found += _of_key(key, value, size)
    return tidied([*found, *in_words(puzzle.get("ruleset"))])


def _of_key(key: str, value: Any, size: int) -> list[Constraint]:
    if key in _GLOBAL and value is True:
        return [Constraint(_GLOBAL[key])]  # type: ignore[arg-type]  # the table holds kinds
    if key == "extraregion" and isinstance(value, list):
        return [_cells("house", one, "extra regions", size) for one in value]
    if key == "killercage" and isinstance(value, list):
        return [_cells("killer", one, "killer cages", size) for one in value]
    if key in _LINES and isinstance(value, list):
        return [found for one in value for found in _lines(key, one, size)]
    if key in ("even", "odd") and isinstance(value, list):
        marked = [one.get("cell") if isinstance(one, dict) else None for one in value]
        cells = named_cells(marked, size)
        if not cells or len(set(cells)) < len(cells):
            return [by_name(NAMES[key])]
        return [Constraint("even" if key == "even" else "odd", cells)]
    if key == "negative" and isinstance(value, list):
        return [by_name(f"negative: {NAMES.get(str(name), str(name))}") for name in value]
    return [by_name(NAMES.get(key, f"“{key}”"))]


def _cells(kind: Any, one: Any, name: str, size: int) -> Constraint:
    """A constraint on cells; one that makes no sense is kept by its name."""
    cells = named_cells(one.get("cells") if isinstance(one, dict) else None, size)
    if not 1 <= len(cells) <= size or len(set(cells)) < len(cells):
        return by_name(name)
    total = str(one.get("value", "")).strip()
    if kind == "killer" and total and not total.isdecimal():
        return by_name(name)
    return Constraint(kind, cells, int(total[:4]) if kind == "killer" and total else None)


def _lines(key: str, one: Any, size: int) -> list[Constraint]:
    """Thermometers, arrows, palindromes and renbans; one that makes no sense by its name."""
    lines = one.get("lines") if isinstance(one, dict) else None
    found = []
    for line in lines if isinstance(lines, list) else []:
        cells = named_cells(line, size)
        if key == "arrow" and named_cells(one.get("cells"), size) != cells[:1]:
            return [by_name(NAMES[key])]  # the sum of several cells
        most = size if key in ("thermometer", "renban") else size * size
        if not _LINES[key] <= len(cells) <= most or len(set(cells)) < len(cells):
            return [by_name(NAMES[key])]
        found.append(Constraint(key, cells))  # type: ignore[arg-type]  # the table holds kinds
    return found or [by_name(NAMES[key])]


def named_cells(cells: Any, size: int) -> tuple[int, ...]:
    """Cells by number out of `["R1C1", …]`; empty if one of them is no cell of the board."""
    found = []
    for name in cells if isinstance(cells, list) else []:
        match = _CELL.fullmatch(str(name))
        row, col = (int(match[1]), int(match[2])) if match else (0, 0)
        if not (1 <= row <= size and 1 <= col <= size):
            return ()
        found.append((row - 1) * size + col - 1)
    return tuple(found)


def read_sudokupad_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    """The constraints of a SudokuPad puzzle with names long or short (`cages` or `ca`)."""
    found = _pad_regions(_either(puzzle, "regions", "re"), size)
    texts: list[Any] = []
    for cage in _either(puzzle, "cages", "ca"):
        found += _pad_cage(cage, size, texts)
    drawn = (("lines", "l", "drawn lines"), ("arrows", "a", "drawn arrows"),
             ("overlays", "o", "drawn shapes"), ("underlays", "u", "drawn shapes"))  # fmt: skip
    found += [by_name(name) for long, short, name in drawn if _either(puzzle, long, short)]
    for name in _either(puzzle, "global", "global"):
        found += _of_key(str(name), True, size)
    about = puzzle.get("metadata")
    if isinstance(about, dict):
        texts.append(about.get("rules"))
        if about.get("norowcol") in (True, "t", "true"):
            found.append(by_name("rows and columns that do not count"))
    for text in texts:
        found += in_words(text)
    return tidied(found)


def _either(puzzle: dict[str, Any], long: str, short: str) -> list[Any]:
    value = puzzle.get(long) or puzzle.get(short) or []
    return value if isinstance(value, list) else [value]


def _pad_cage(cage: Any, size: int, texts: list[Any]) -> list[Constraint]:
    """A cage as a constraint; cages without cells carry the title and the rules in words."""
    if not isinstance(cage, dict):
        return [by_name("drawn cages")]
    cells = cage.get("cells") or cage.get("ce") or []
    value = str(cage.get("value", cage.get("v", ""))).strip()
    if not cells or _TAGS.match(value):
        if re.match(r"rules\s*:", value, re.IGNORECASE):
            texts.append(value.partition(":")[2])
        return []
    numbers = _pairs(cells, size)
    if not numbers:
        return [by_name("drawn cages")]
    if value:
        return [Constraint("killer", numbers, int(value[:4]))] if value.isdecimal() else [
            by_name("drawn cages")]  # fmt: skip
    if _is_line(numbers, size) or cage.get("type") in ("rowcol", "box", "region"):
        return []
    return [Constraint("house", numbers)]


def _is_line(cells: Sequence[int], size: int) -> bool:
    """Whether the cells lie in one row or column, where they differ anyway."""
    return len({c // size for c in cells}) == 1 or len({c % size for c in cells}) == 1


def _pairs(cells: Any, size: int) -> tuple[int, ...]:
    """Cells by number out of `[[0, 0], …]` or `"r1c1,r1c2"`; empty if they make no sense."""
    if isinstance(cells, str):
        cells = [[int(r) - 1, int(c) - 1] for r, c in _CELL.findall(cells)]
    found = []
    for pair in cells if isinstance(cells, list) else []:
        if not isinstance(pair, list) or len(pair) != 2:
            return ()
        if not all(isinstance(i, int) and 0 <= i < size for i in pair):
            return ()
        found.append(pair[0] * size + pair[1])
    return tuple(found) if len(set(found)) == len(found) <= size else ()


def _pad_regions(regions: list[Any], size: int) -> list[Constraint]:
    if not regions:
        return []
    numbers: list[Any] = [None] * (size * size)
    for number, cells in enumerate(regions):
        for cell in _pairs(cells, size):
            numbers[cell] = number
    return moved_regions(numbers, size)


def box_numbers(size: int) -> list[int]:
    """The box of every cell, numbered row by row."""
    rows, cols = SIDES[size * size]
    return [i // size // rows * rows + i % size // cols for i in range(size * size)]


def moved_regions(numbers: Sequence[Any], size: int) -> list[Constraint]:
    """Regions (one number a cell) that are not the boxes."""
    first: dict[Any, int] = {}
    named = tuple(first.setdefault(str(n), len(first)) for n in numbers)
    again: dict[int, int] = {}
    if named == tuple(again.setdefault(b, len(again)) for b in box_numbers(size)):
        return []
    whole = len(named) == size * size and all(named.count(n) == size for n in range(size))
    sound = whole and len(first) == size and all(isinstance(n, int) for n in numbers)
    return [Constraint("regions", named)] if sound else [by_name("moved regions")]


def in_words(text: Any) -> list[Constraint]:
    """Rules that a person wrote, unless they only say that the usual ones apply."""
    if not isinstance(text, str):
        return []
    rest = re.sub(r"[\W_]+", "", _PLAIN.sub("", text[:5000].replace("\\n", "\n")))
    return [_IN_WORDS] if rest else []


def by_name(name: str) -> Constraint:
    """A constraint that nothing is known of but its name, cut at 100 characters.

    >>> by_name("little killer").kind
    'other'
    """
    return Constraint("other", name=name[:100])


def tidied(found: Iterable[Constraint]) -> list[Constraint]:
    """Each constraint once; two diagonals are one kind; too many are one by name."""
    kept = list(dict.fromkeys(found))
    one, other = Constraint("diagonal"), Constraint("antidiagonal")
    if one in kept and other in kept:
        kept[kept.index(one)] = Constraint("diagonals")
        kept.remove(other)
    return kept if len(kept) <= MOST // 2 else list(_all_by_name(kept))


def _all_by_name(found: Iterable[Constraint]) -> Iterator[Constraint]:
    yield from (by_name(name) for name in words(found))


def write_fpuzzles_constraints(
    constraints: Iterable[Constraint], size: int
) -> tuple[dict[str, Any], list[Any]]:
    """What f-puzzles calls the constraints: its keys, and a region for each cell (or nothing).

    >>> write_fpuzzles_constraints([Constraint("antiknight"), Constraint("diagonal")], 9)
    ({'antiknight': True, 'diagonal-': True}, [])
    """
    out: dict[str, Any] = {}
    regions: list[Any] = []
    names = {kind: key for key, kind in _GLOBAL.items()}
    for one in constraints:
        cells = [f"R{i // size + 1}C{i % size + 1}" for i in one.cells]
        if one.kind == "regions":
            regions = list(one.cells)
        elif one.kind == "diagonals":
            out |= {"diagonal-": True, "diagonal+": True}
        elif one.kind in names:
            out[names[one.kind]] = True
        elif one.kind == "windows":
            found = [house.cells for house in houses([one], *SIDES[size * size])]
            for window in found[3 * size :]:
                named = [f"R{i // size + 1}C{i % size + 1}" for i in window]
                out.setdefault("extraregion", []).append({"cells": named})
        else:
            _add(out, one, cells)
    return out, regions


def _add(out: dict[str, Any], one: Constraint, cells: list[str]) -> None:
    """A constraint with cells of its own, under f-puzzles' key for it."""
    if one.kind == "house":
        out.setdefault("extraregion", []).append({"cells": cells})
    elif one.kind == "killer":
        value = {} if one.sum is None else {"value": str(one.sum)}
        out.setdefault("killercage", []).append({"cells": cells, **value})
    elif one.kind in ("even", "odd"):
        out.setdefault(one.kind, []).extend({"cell": cell} for cell in cells)
    elif one.kind == "arrow":
        out.setdefault("arrow", []).append({"cells": cells[:1], "lines": [cells]})
    elif one.kind in _LINES:
        out.setdefault(one.kind, []).append({"lines": [cells]})
