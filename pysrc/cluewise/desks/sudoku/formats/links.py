"""Links of other sites as boards, and boards as links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats import sudokupad
from cluewise.desks.sudoku.formats.characters import SIDES
from cluewise.desks.sudoku.formats.constraints import write_fpuzzles_constraints
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.formats.names import read_name
from cluewise.desks.sudoku.formats.penpa import read_penpa
from cluewise.desks.sudoku.formats.penpa_write import write_penpa
from cluewise.desks.sudoku.formats.strings import (
    SOLO,
    SOLO_PATTERN,
    Puzzle,
    is_labelled_board,
    read_solo,
    read_string,
)
from cluewise.desks.sudoku.formats.sudoku_coach import PREFIX, read_sudoku_coach, write_sudoku_coach
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

_LINK = re.compile(
    r"(?:https?|sudokupad)://[^\s<>\"]+"
    r"|(?<![\w.-])(?:[\w-]+\.)+(?:com|org|app|coach|net|io)/[^\s<>\"]+"
    r"|(?<!\S)(?:fpuz(?:zles)?|scl|ctc|scf|classic|SCv7_32_)[A-Za-z0-9+/_=%-]{24,}"
    r"|(?<!\S)(?:\??load=)?N4[A-Za-z0-9+/_=%-]{14,}"  # LZ-string of JSON: "{" becomes N4
    r"|(?<!\S)(?:\??m=\w+&)?p=[A-Za-z0-9+/=%]{24,}"
    r"|(?<!\S)#/sudoku/[A-Za-z-]+"
    r"|" + SOLO_PATTERN,
)
_MORE = re.compile(r"(?: [A-Za-z0-9+/_=%&?-]+)+")  # what follows a plus that became a blank
_GAME_ID = re.compile(r"(?:^|/solo(?:\.html)?[#?])(\d.*)")
_HINT = re.compile(r"/|[:#=]|%23|N4|fpuz|scl|ctc|scf|classic|SCv7_32_")
_PREFIX = re.compile(r"(fpuz(?:zles)?|scl|ctc|scf|classic)(.{16,})", re.DOTALL)
_SHORTENERS = ("tinyurl.com", "bit.ly", "t.co", "is.gd", "goo.gl")
_PAD = ("sudokupad", "crackingthecryptic", "svencodes")
_MOST_WORDS = 12  # words behind a broken link that are tried as no part of it
_MARKS = 4  # marks behind a link that are tried as a part of it
_COPY = "Open it there, and copy the board itself or a link that carries it."


class Link(NamedTuple):
    """A link in a line: its place (from 0), the site, and its puzzle or why there is none."""

    start: int
    end: int
    site: str
    puzzle: Puzzle | None
    problem: str = ""


def links_in(line: str) -> Iterator[Link]:
    """The links of a line, packed boards without an address, and ids, with the board of each.

    A blank within a link is read as the plus that some program has decoded to it.
    """
    if not _HINT.search(line):
        return
    end = 0
    for match in _LINK.finditer(line):
        whole = match[0]
        if match.start() < end or (whole[0].isdecimal() and is_labelled_board(_bare(whole))):
            continue
        link = _link(match.start(), whole)
        if link.problem and whole[:2] == "N4" and len(whole) in SIDES:
            continue  # a board of many symbols
        if link.problem:
            link = _with_pluses(line, match) or link
        end = link.end
        yield link


def _with_pluses(line: str, match: re.Match[str]) -> Link | None:
    """The link with a plus for each blank in it; None if that has no board either."""
    more = _MORE.match(line, match.end())
    parts = more[0].split(" ")[1:] if more else []
    for count in range(len(parts), max(0, len(parts) - _MOST_WORDS), -1):
        link = _link(match.start(), "+".join([match[0], *parts[:count]]))
        if link.puzzle:
            return link
    return None


def _link(start: int, whole: str) -> Link:
    """The link that begins there; marks behind it are a sentence's, unless they are its blanks."""
    bare = _bare(whole)
    problem = ""
    for text in dict.fromkeys([*(whole[: len(whole) - n] for n in range(_MARKS)), bare]):
        if len(text) < len(bare):
            continue
        try:
            return Link(start, start + len(text), *_read(text))
        except BadNotation as error:
            problem = error.message
    site = SOLO if _GAME_ID.search(bare) else ""
    return Link(start, start + len(bare), site, None, problem)


def _bare(text: str) -> str:
    """The link without the punctuation of the sentence around it."""
    opened = {"(", "["} & set(text)
    return text.rstrip(".,;!?'*" if opened else ".,;!?'*)]")


def _read(text: str) -> tuple[str, Puzzle]:
    """The site and the puzzle. Raises `BadNotation` with the reason if there is none."""
    game_id = _GAME_ID.search(text)
    if game_id:
        return SOLO, read_solo(_unquoted(game_id[1]))
    if text.startswith(PREFIX):
        return "sudoku.coach", read_sudoku_coach(text)
    if text.startswith(("N4", "load=", "?load=")):
        return _payload(_unquoted(text.rpartition("load=")[2]).replace(" ", "+"))
    if text.startswith(("p=", "m=", "?m=")):
        return "Penpa", _penpa(f"#{text}")
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
        return site, sudokupad.read_fpuzzles(fields["load"].replace(" ", "+"))
    state = next((part for part in path.split("/") if part.startswith(PREFIX)), "")
    if site == "sudoku.coach" and state:
        return site, read_sudoku_coach(state)
    if site == "SudokuPad":
        name = fields.get("puzzleid") or re.sub(r"^(?:sudoku|puzzle)/", "", _unquoted(path))
        return site, _pad(name.strip("/"))
    for value in (*fields.values(), *_unquoted(path).split("/"), _unquoted(fragment)):
        board = sudokupad.read_sudokuwiki(value) or _plain(value)
        if board:
            return site, Puzzle(board)
    own = re.search(r"#/sudoku/([A-Za-z-]+)$", text)
    named = read_name(own[1], alone=True) if own else None
    if named and named.board:
        return "Cluewise", Puzzle(named.board)
    raise BadNotation(named.problem if named else _why_not(site, host.lower(), text))


def _payload(data: str) -> tuple[str, Puzzle]:
    """The site and the puzzle of packed JSON without an address."""
    try:
        return "f-puzzles", sudokupad.read_fpuzzles(data)
    except BadNotation:
        return "SudokuPad", sudokupad.read_scl(data)


def _penpa(text: str) -> Puzzle:
    """The puzzle of a Penpa address: its fields follow `#`, in old ones `?`."""
    fields = re.split("[?#&]", text)[1:]
    data = next((field[2:] for field in fields if field.startswith("p=")), "")
    if not data:
        raise BadNotation(f"This link of Penpa carries no board. {_COPY}")
    return read_penpa(_unquoted(data).replace(" ", "+"))


def _site(host: str) -> str:
    if any(name in host for name in _PAD):
        return "SudokuPad"
    for name in ("f-puzzles", "sudokuwiki", "sudokuexchange", "sudoku.coach"):
        if name in host:
            return name
    return host


def _pad(name: str) -> Puzzle:
    """The puzzle of a SudokuPad address without the site's name."""
    found = _PREFIX.fullmatch(name)
    kind, data = (found[1], found[2]) if found else ("", name)
    data = _unquoted(data).replace(" ", "+")
    if kind.startswith("fpuz"):
        return sudokupad.read_fpuzzles(data)
    if kind in ("scl", "ctc"):
        return sudokupad.read_scl(data)
    board = sudokupad.read_short(data.partition("*")[0] if kind == "scf" else data) or _plain(data)
    if board:
        return Puzzle(board)
    raise BadNotation(
        f"This link only names a puzzle that SudokuPad keeps ({name[:24]}), and nothing is fetched "
        "from other sites here. Open it there, and copy the board or a link that begins with "
        "fpuzzles, scl or scf."
    )


def _plain(value: str) -> str | None:
    """A board that is in the link unpacked, perhaps with commas."""
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
    """Decode percent signs. (The page's standard library has no urllib.)"""
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), text)


def write_link(board: str, size: int, site: str, constraints: Sequence[Constraint] = ()) -> str:
    """A link that opens the board (size² characters) there.

    Links of f-puzzles and SudokuPad have all supported constraints, those of sudoku.coach and Penpa
    the ones that these sites support.
    """
    if site in ("sudokuwiki", "sudokuexchange") and size != 9:
        raise BadNotation(f"{site} takes 9×9 boards only.")
    digits = board.replace(".", "0")
    if site == "sudokuwiki":
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={digits}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={digits}"
    if site == "sudoku.coach":
        return write_sudoku_coach(board, size, constraints)
    if site == "penpa":
        return write_penpa(board, size, constraints)
    rules, regions = write_fpuzzles_constraints(constraints, size)
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
