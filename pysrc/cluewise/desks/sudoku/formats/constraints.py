"""The constraints in f-puzzles' and SudokuPad's puzzles: those known here, the rest by name.

Nothing that may be a rule is passed over: a key that is neither known nor mere ornament is kept as
an `other` constraint under the name its site has for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cluewise.desks.sudoku.constraints import KINDS, MOST, Constraint, check, names_of
from cluewise.desks.sudoku.formats.characters import sides_of
from cluewise.desks.sudoku.formats.drawing_parts import as_drawings
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
_DRAWINGS = frozenset(("line", "cage", "circle", "rectangle", "text"))
NAMES = {key: KINDS[kind].plural for key, kind in _KINDS.items()} | {
    "cage": "drawn cages", "lockout": "lockout lines", "line": "drawn lines",
    "rectangle": "drawn shapes", "circle": "drawn shapes", "text": "drawn words",
    "nabner": "nabner lines", "modularline": "modular lines", "doublearrow": "double arrows",
    "boxindexer": "box indexers",
}  # fmt: skip
_IN_WORDS = Constraint("other", name="rules written in words")
_CELL = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})")
_TAGS = re.compile(r"(title|author|rules|solution|source|msgcorrect|setter)\s*:", re.IGNORECASE)


def read_fpuzzles_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    """The constraints of an f-puzzles puzzle.

    What is drawn is read as the words say, without what repeats a stated constraint. Drawings and
    words that are not understood are kept by name where the puzzle states no constraint, and
    sentences that change what constraints mean (doublers, wrong clues) everywhere.

    >>> [one.kind for one in read_fpuzzles_constraints({"grid": [], "antiknight": True, "odd":
    ... ["R1C1"]}, 9)]
    ['antiknight', 'other']
    """
    rows = [row if isinstance(row, list) else [] for row in puzzle.get("grid") or []]
    cells = [cell if isinstance(cell, dict) else {} for row in rows for cell in row]
    boxes = regions_of((), size)
    numbers = [cell.get("region", box) for cell, box in zip(cells, boxes, strict=False)]
    found = moved_regions(numbers, size) if numbers else []
    found += _candidates(cells, size)
    for key, value in puzzle.items():
        if value and key not in _ORNAMENTS and key not in _DRAWINGS:
            found += _of_key(key, value, size)
    return tidied([*found, *_drawn(puzzle, size, found)])


def _drawn(puzzle: dict[str, Any], size: int, found: Sequence[Constraint]) -> list[Constraint]:
    """What a puzzle of f-puzzles draws and says in words beyond its constraints."""
    rules = stated([puzzle.get("ruleset")])
    unknown = rules.unknown if rules is not None else []
    drawn = checked(
        read_drawings(as_drawings(puzzle, _CELL), size, rules, regions_of(found, size)), size
    )
    for cage in puzzle.get("cage") or []:
        if isinstance(cage, dict) and not cage.get("fromConstraint"):
            drawn += _pad_cage(
                {**cage, "cells": ",".join(map(str, cage.get("cells") or []))}, size, []
            )
    kinds = {one.kind for one in found}
    if kinds <= {"other", "regions"}:
        odd = [by_name(NAMES[key]) for key in puzzle if key in _DRAWINGS
               and not all(isinstance(one, dict) for one in puzzle[key] or [])]  # fmt: skip
        return [*drawn, *odd, *([_IN_WORDS] if unknown else [])]
    changed = any(_CHANGING.search(sentence) for sentence in unknown)
    new = [one for one in drawn if one.kind not in {"other", "house", *kinds}]
    return [*(new if not unknown else []), *([_IN_WORDS] if changed else [])]


_CHANGING = re.compile(  # sentences after which constraints do not mean what they usually do
    r"doubler|halve[dr]|doubled|count(?:s|ed)? (?:as|double)|\bwrong\b|\bliars?\b|\bincorrect\b"
    r"|\bfalse\b|schr.dinger|\bdraw\b|\bshade\b|\bloop\b"
)


def _candidates(cells: Sequence[dict[str, Any]], size: int) -> list[Constraint]:
    """Pencil marks that the setter has given: cells of equal marks are one constraint."""
    marked: dict[tuple[int, ...], list[int]] = {}
    for i, cell in enumerate(cells):
        marks = cell.get("givenPencilMarks")
        if isinstance(marks, list) and marks:
            numbers = [_number(mark) for mark in marks]
            if any(not 1 <= number <= size for number in numbers):
                return [by_name("candidates")]
            marked.setdefault(tuple(sorted(set(numbers))), []).append(i)
    return [Constraint("candidates", tuple(some), values=v) for v, some in marked.items()]


def _of_key(key: str, value: Any, size: int) -> list[Constraint]:
    """A key's constraints; those that make no sense are one by the key's name."""
    if key in _GLOBAL and value is True:
        return [Constraint(_GLOBAL[key])]  # type: ignore[arg-type]  # the table holds kinds
    name = by_name(NAMES.get(key, f"“{key}”"))
    if not isinstance(value, list):
        return [name]
    if key == "negative":
        return [
            Constraint("negative", of=of) if of in ("ratio", "xv")
            else by_name(f"negative: {NAMES.get(str(of), str(of))}") for of in value
        ]  # fmt: skip
    if key in _SINGLE:
        cells = [one.get("cell") if isinstance(one, dict) else None for one in value]
        return possible([Constraint(_SINGLE[key], named_cells(cells, size))], size) or [name]  # type: ignore[arg-type]
    found = []
    for one in value:
        read = _of_item(key, one, size) if isinstance(one, dict) else None
        kept = None if read is None else possible(read, size)
        found += [name] if kept is None else kept
    return found


def _of_item(key: str, one: dict[str, Any], size: int) -> list[Constraint] | None:
    """The constraints of one item; None if it is not understood."""
    cells, value = named_cells(one.get("cells"), size), _number(one.get("value"))
    if key == "arrow" or key in _LINES:
        lines = one.get("lines")
        if not isinstance(lines, list) or (key in _LINES and not lines):
            return None
        named = [named_cells(line, size) for line in lines]
        if key == "arrow":
            return _arrows(cells, named)
        least = value if key == "whispers" and value > 0 else None
        return [Constraint(_LINES[key], line, value=least) for line in named]  # type: ignore[arg-type]
    if key in _OUTSIDE:
        line = _outside(one.get("cell"), size)
        if value < 0 or not line:
            return [] if line and one.get("value") in (None, "") else None
        where: dict[str, Any] = {"value" if key == "skyscraper" else "sum": value}
        return [Constraint(_OUTSIDE[key], line, **where)]  # type: ignore[arg-type]
    if key in _PAIRS:
        if key == "xv":
            letter = str(one.get("value") or "").upper()
            total = {"X": 10, "V": 5}.get(letter)
            return [Constraint("xv", cells, value=total)] if total else None if letter else []
        return [Constraint(_PAIRS[key], cells, value=value if value > 0 else None)]  # type: ignore[arg-type]
    return _of_cells(key, one, cells, value, size)


def _of_cells(
    key: str, one: dict[str, Any], cells: tuple[int, ...], value: int, size: int
) -> list[Constraint] | None:
    if key == "killercage":
        stated = str(one.get("value") or "").strip()
        return None if stated and value < 0 else [
            Constraint("killer", cells, sum=value if stated else None)]  # fmt: skip
    if key == "littlekillersum":
        return [Constraint("little", cells, sum=value)] if value > 0 else []
    if key == "clone":
        other = named_cells(one.get("cloneCells"), size)
        return [Constraint("clone", cells + other)] if len(cells) == len(other) else None
    if key == "quadruple":
        values = one.get("values")
        numbers = tuple(_number(v) for v in values) if isinstance(values, list) else ()
        return [Constraint("quadruple", cells, values=numbers)] if numbers else []
    return [Constraint(_SETS[key], cells)] if key in _SETS else None  # type: ignore[arg-type]


def _arrows(head: tuple[int, ...], lines: list[tuple[int, ...]]) -> list[Constraint] | None:
    """One constraint a line; an arrow without a line says nothing."""
    found = []
    for line in lines:
        shaft = tuple(cell for cell in line if cell not in head)
        if not head or not line:
            return None
        if shaft:
            found.append(Constraint("arrow", head + shaft, head=len(head)))
    return found


def _outside(name: Any, size: int) -> tuple[int, ...]:
    """The line that a clue outside the board reads, from the clue on; empty for other places."""
    match = _CELL.fullmatch(str(name))
    row, col = (int(match[1]) - 1, int(match[2]) - 1) if match else (0, 0)
    if col in (-1, size) and 0 <= row < size:
        line = tuple(range(row * size, row * size + size))
    elif row in (-1, size) and 0 <= col < size:
        line = tuple(range(col, size * size, size))
    else:
        return ()
    return line[::-1] if size in (row, col) else line


def _number(value: Any) -> int:
    """A number of at most four digits, as number or as text; -1 for anything else."""
    text = str(value).strip() if isinstance(value, str | int) and value is not True else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else -1


def possible(found: list[Constraint], size: int) -> list[Constraint] | None:
    """The constraints if a board of that size can have all of them, else None."""
    try:
        check(found, *sides_of(size))
    except BadPosition:
        return None
    return found


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
    about = puzzle.get("metadata")
    about = about if isinstance(about, dict) else {}
    if about.get("rules"):
        texts.append(about["rules"])
    rules = stated(texts)
    if rules is not None and any(rule.kind == "repeats" for rule in rules.known):
        found = [_repeating(one) for one in found if one.kind != "house"]
    for name in (*_either(puzzle, "global", "global"), *(key for key in _GLOBAL if about.get(key))):
        found += _of_key(str(name), True, size)
    found += checked(read_drawings(puzzle, size, rules, regions_of(found, size)), size)
    if (about.get("norowcol") or puzzle.get("norowcol")) in (True, "t", "true"):
        found.append(by_name("rows and columns that do not count"))
    if rules is not None and rules.unknown:
        found.append(_IN_WORDS)
    return tidied(found)


def stated(texts: Iterable[Any]) -> Rules | None:
    """The rules in words; None where there are none."""
    lines = [str(line) for text in texts for line in (text if isinstance(text, list) else [text])
             if line is not None]  # fmt: skip
    return read_rules("\n".join(lines)) if any(line.strip() for line in lines) else None


def _repeating(one: Constraint) -> Constraint:
    """A cage in which digits may repeat."""
    return Constraint("little", one.cells, sum=one.sum) if one.kind == "killer" else one


def checked(found: Iterable[Constraint], size: int) -> list[Constraint]:
    """Constraints that a board can have; the rest by name."""
    return [one if possible([one], size) is not None else by_name(KINDS[one.kind].plural)
            for one in found]  # fmt: skip


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
    rows, cols = {c // size for c in numbers}, {c % size for c in numbers}
    if 1 in (len(rows), len(cols)) or cage.get("type") in ("rowcol", "box", "region"):
        return []  # in one row or column they differ anyway
    return [Constraint("house", numbers)]


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


def regions_of(constraints: Iterable[Constraint], size: int) -> Sequence[int]:
    """The region of each cell of a board: those that are stated, else the boxes row by row."""
    return region_numbers(constraints, *sides_of(size))


def moved_regions(numbers: Sequence[Any], size: int) -> list[Constraint]:
    """Regions (one number a cell) that are not the boxes."""
    first: dict[Any, int] = {}
    named = tuple(first.setdefault(str(n), len(first)) for n in numbers)
    again: dict[int, int] = {}
    if named == tuple(again.setdefault(b, len(again)) for b in regions_of((), size)):
        return []
    whole = len(named) == size * size and all(named.count(n) == size for n in range(size))
    sound = whole and len(first) == size and all(isinstance(n, int) for n in numbers)
    return [Constraint("regions", named)] if sound else [by_name("moved regions")]


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
    return kept if len(kept) <= MOST // 2 else [by_name(name) for name in names_of(kept)]


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
        elif one.kind == "negative":
            out.setdefault("negative", []).append(one.of)
        elif one.kind == "windows":
            found = [house.cells for house in houses([one], *sides_of(size))]
            for window in found[3 * size :]:
                named = [f"R{i // size + 1}C{i % size + 1}" for i in window]
                out.setdefault("extraregion", []).append({"cells": named})
        elif one.kind in _KEYS:
            _add(out, one, cells)
    return out, regions


def _add(out: dict[str, Any], one: Constraint, cells: list[str]) -> None:
    """A constraint with cells of its own, under f-puzzles' key for it."""
    key, number = _KEYS[one.kind], one.value if one.sum is None else one.sum
    value = {} if number is None else {"value": str(number)}
    items = out.setdefault(key, [])
    if key in _LINES:
        items.append({"lines": [cells], **value})
    elif key in _SINGLE:
        items.extend({"cell": cell} for cell in cells)
    elif key in _OUTSIDE:
        items.append({"cell": _clue_cell(cells), **value})
    elif one.kind == "arrow":
        head = cells[: one.head]
        items.append({"cells": head, "lines": [[head[-1], *cells[one.head :]]]})
    elif one.kind == "clone":
        half = len(cells) // 2
        items.append({"cells": cells[:half], "cloneCells": cells[half:]})
    elif one.kind == "xv":
        items.append({"cells": cells, "value": "X" if one.value == 10 else "V"})
    else:
        values = {"values": list(one.values)} if one.values else {}
        items.append({"cells": cells, **value, **values})


_KEYS = {kind: key for key, kind in _KINDS.items()}


def _clue_cell(cells: Sequence[str]) -> str:
    """The place before the first cell of a line, where its clue stands."""
    (r, c), (s, d) = ([int(x) for x in _CELL.fullmatch(name).groups()] for name in cells[:2])  # type: ignore[union-attr]
    return f"R{2 * r - s}C{2 * c - d}"
