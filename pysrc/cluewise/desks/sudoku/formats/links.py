"""Links of other sites as boards, and boards as links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats import packed
from cluewise.desks.sudoku.formats.characters import SIDES
from cluewise.desks.sudoku.formats.coach import PREFIX, of_coach, to_coach
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.formats.packed import Puzzle
from cluewise.desks.sudoku.formats.penpa import of_penpa
from cluewise.desks.sudoku.formats.penpa_write import to_penpa
from cluewise.desks.sudoku.formats.rules import to_fpuzzles
from cluewise.desks.sudoku.formats.strings import read_string
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

_LINK = re.compile(
    r"(?:https?|sudokupad)://[^\s<>\"]+"
    r"|(?<![\w.-])(?:[\w-]+\.)+(?:com|org|app|coach|net|io)/[^\s<>\"]+"
    r"|(?<!\S)(?:fpuz(?:zles)?|scl|ctc|scf|SCv7_32_)[A-Za-z0-9+/_=%-]{24,}",
)
_PREFIX = re.compile(r"(fpuz(?:zles)?|scl|ctc|scf|classic)(.{16,})", re.DOTALL)
_SHORTENERS = ("tinyurl.com", "bit.ly", "t.co", "is.gd", "goo.gl")
_PAD = ("sudokupad", "crackingthecryptic", "svencodes")
_MARKS = 4  # marks behind a link that are tried as a part of it
_COPY = "Open it there, and copy the board itself or a link that carries it."


class Link(NamedTuple):
    """A link in a line: where it stands (from 0), the site, and its board or why there is none."""

    start: int
    end: int
    site: str
    board: str
    problem: str
    constraints: tuple[Constraint, ...] = ()


def links_in(line: str) -> Iterator[Link]:
    """The links of a line, with the board each carries."""
    if "/" not in line and not re.match(r"\s*(fpuz|scl|ctc|scf|SCv7_32_)", line):
        return
    for match in _LINK.finditer(line):
        yield _link(match.start(), match[0])


def _link(start: int, whole: str) -> Link:
    """The link that begins there; marks behind it are a sentence's, unless they are its blanks."""
    bare = _bare(whole)
    problem = ""
    for text in dict.fromkeys([*(whole[: len(whole) - n] for n in range(_MARKS)), bare]):
        if len(text) < len(bare):
            continue
        try:
            site, found = _read(text)
        except BadNotation as trouble:
            problem = trouble.message
        else:
            rules = tuple(found.constraints)
            return Link(start, start + len(text), site, found.board, "", rules)
    return Link(start, start + len(bare), "", "", problem)


def _bare(text: str) -> str:
    """The link without the marks of the sentence it stands in."""
    opened = {"(", "["} & set(text)
    return text.rstrip(".,;!?'*" if opened else ".,;!?'*)]")


def _read(text: str) -> tuple[str, Puzzle]:
    """`("f-puzzles", Puzzle("..5…", []))`. Raises `BadNotation` that says why there is none."""
    if text.startswith(PREFIX):
        return "sudoku.coach", of_coach(text)
    if "penpa" in text.partition("#")[0].lower():
        return "Penpa", _penpa(text)
    whole = _PREFIX.match(text) if "://" not in text and "/" not in text[:12] else None
    if whole:
        return "SudokuPad", _pad(text)
    address, _, rest = re.sub(r"^\w+://", "", text).partition("?")
    query, _, fragment = rest.partition("#")
    host, _, path = address.partition("#")[0].partition("/")
    pairs = (part.partition("=") for part in query.split("&"))
    fields = {name: _unquoted(value) for name, _, value in pairs}
    site = _site(host.lower().removeprefix("www."))
    if site == "f-puzzles" and "load" in fields:
        return site, packed.from_fpuzzles(fields["load"].replace(" ", "+"))
    state = next((part for part in path.split("/") if part.startswith(PREFIX)), "")
    if site == "sudoku.coach" and state:
        return site, of_coach(state)
    if site == "SudokuPad":
        name = fields.get("puzzleid") or re.sub(r"^(?:sudoku|puzzle)/", "", _unquoted(path))
        return site, _pad(name.strip("/"))
    for value in (*fields.values(), *_unquoted(path).split("/"), _unquoted(fragment)):
        board = packed.from_wiki(value) or _plain(value)
        if board:
            return site, Puzzle(board, [])
    raise BadNotation(_why_not(site, host.lower(), text))


def _penpa(text: str) -> Puzzle:
    """The puzzle of a Penpa address: its fields stand behind `#`, in old ones behind `?`."""
    fields = re.split("[?#&]", text)[1:]
    data = next((field[2:] for field in fields if field.startswith("p=")), "")
    if not data:
        raise BadNotation(f"This link of Penpa carries no board. {_COPY}")
    return of_penpa(_unquoted(data).replace(" ", "+"))


def _site(host: str) -> str:
    if any(name in host for name in _PAD):
        return "SudokuPad"
    for name in ("f-puzzles", "sudokuwiki", "sudokuexchange", "sudoku.coach"):
        if name in host:
            return name
    return host


def _pad(name: str) -> Puzzle:
    """The puzzle of a SudokuPad address, from what stands after the site's name."""
    found = _PREFIX.fullmatch(name)
    kind, data = (found[1], found[2]) if found else ("", name)
    data = _unquoted(data).replace(" ", "+")
    if kind.startswith("fpuz"):
        return packed.from_fpuzzles(data)
    if kind in ("scl", "ctc"):
        return packed.from_scl(data)
    board = packed.from_short(data.partition("*")[0] if kind == "scf" else data) or _plain(data)
    if board:
        return Puzzle(board, [])
    raise BadNotation(
        f"This link only names a puzzle that SudokuPad keeps ({name[:24]}), and nothing is fetched "
        "from other sites here. Open it there, and copy the board or a link that begins with "
        "fpuzzles, scl or scf."
    )


def _plain(value: str) -> str | None:
    """A board that stands in the link as it is, perhaps with commas."""
    cells = value.replace(",", "")
    if len(cells) not in SIDES or len(cells) < 36:
        return None
    return read_string(cells, Shape(*SIDES[len(cells)])).board


def _why_not(site: str, host: str, text: str) -> str:
    if site == "f-puzzles":
        return f"This link only names a puzzle that f-puzzles.com keeps. {_COPY}"
    if host in _SHORTENERS:
        return f"This is a shortened link of {host}: open it, and copy the address it leads to."
    if re.search(r"#/(?:sudoku|code|rack|scan|mines)/\d", text):
        return "This is a link of this page itself: open it in the address bar."
    if site in ("sudokuwiki", "sudokuexchange", "sudoku.coach"):
        return f"This link of {site} carries no board of 81 cells. {_COPY}"
    return f"This link of {host or 'another site'} carries no board. {_COPY}"


def _unquoted(text: str) -> str:
    """Without percent signs. (urllib would do, but the page's library leaves it out.)"""
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), text)


def write_link(board: str, size: int, site: str, constraints: Sequence[Constraint] = ()) -> str:
    """A link that opens the board (size² characters) there.

    Links of f-puzzles and SudokuPad carry the constraints that are known here, those of
    sudoku.coach and Penpa what their sites have a form for.
    """
    if site in ("sudokuwiki", "sudokuexchange") and size != 9:
        raise BadNotation(f"{site} takes 9×9 boards only.")
    digits = board.replace(".", "0")
    if site == "sudokuwiki":
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={digits}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={digits}"
    if site == "sudoku.coach":
        return to_coach(board, size, constraints)
    if site == "penpa":
        return to_penpa(board, size, constraints)
    rules, regions = to_fpuzzles(constraints, size)
    puzzle = {"size": size, "grid": _cells(board, size, regions), **rules}
    data = compress(json.dumps(puzzle, separators=(",", ":")))
    if site == "f-puzzles":
        return f"https://www.f-puzzles.com/?load={data}"
    return f"https://sudokupad.app/fpuzzles{data}"


def _cells(board: str, size: int, regions: Sequence[int]) -> list[list[dict[str, Any]]]:
    cells: list[dict[str, Any]] = [
        {} if c == "." else {"value": SYMBOLS.index(c) + 1, "given": True} for c in board
    ]
    for cell, region in zip(cells, regions, strict=False):
        cell["region"] = region
    return [cells[i : i + size] for i in range(0, len(cells), size)]
