"""Boards in pasted text: strings, drawn grids, tables, .sdk and .sdm files, links.

A text is read as a whole (`read_text`), a line of a list by itself (`read_list_line`).
Errors have a line and a column (from 1), and row and column of the board where there is one; the
rest of the text is still read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cluewise.desks.sudoku.constraints import Constraint, names_of
from cluewise.desks.sudoku.formats.characters import SIDES, sides_of, tidy
from cluewise.desks.sudoku.formats.drawn_boards import (
    COMMENTED,
    NO_BOARDS,
    BoardInText,
    ParseError,
    ParseResult,
    is_frame,
    not_a_row,
    read_rows,
)
from cluewise.desks.sudoku.formats.links import Link, links_in
from cluewise.desks.sudoku.formats.names import Named, looks_like_name, read_name
from cluewise.desks.sudoku.formats.strings import (
    COMMENT,
    SOLO,
    Line,
    Puzzle,
    is_count,
    is_heading,
    likely_shapes,
    read_string,
)
from cluewise.desks.sudoku.houses import region_numbers
from cluewise.desks.sudoku.position import NINE, WITHOUT_BOXES, Shape, conflict, read_cells
from cluewise.errors import BadNotation

MOST = 2000  # boards that a paste box takes; longer lists have the verb `group`
_MOST_LINES = 5000
_LONGEST = 200_000  # characters of a line; links of crowded puzzles have tens of thousands
_MOST_CHARACTERS = 4_000_000
_SECTION = re.compile(r"^\[(\w+)\]$")
_TOO_LONG = f"From here on nothing was read: this takes {MOST} boards. A list takes a million."
_ONE_SIZE = "boards are compared in one size at a time."


class Found(NamedTuple):
    """The boards of a text, its format, and its errors. `constraints[i]` belong to `boards[i]`."""

    format: str
    shape: Shape
    boards: list[str]
    bad: list[ParseError]
    constraints: list[tuple[Constraint, ...]]


def read_text(text: str, shape: Shape | None = None) -> Found:
    """The boards of a text. Raises `BadNotation` only if the text is empty.

    The box follows from the number of cells unless `shape` fits it; for 6×6 that is 2×3, and 3×2
    if the boards break the rules of that and not of this.
    """
    lines = tidy(text[:_MOST_CHARACTERS])
    if not any(line.strip() for line in lines):
        raise BadNotation("There is nothing to read: the text is empty.")
    read, name = _read_lines([line[:_LONGEST] for line in lines[:_MOST_LINES]], shape)
    if (turned := [_with_turned_boxes(placed) for placed in read.boards]) and all(turned):
        read = read._replace(boards=[placed for placed in turned if placed])
    stated = next((placed.shape for placed in read.boards if placed.shape), None)
    found = _shape_of([placed.board for placed in read.boards], stated or shape)
    fitting, bad = [], list(read.bad)
    for placed in read.boards:
        if len(placed.board) == found.cells and placed.shape in (None, found):
            fitting.append(placed)
        else:
            bad.append(ParseError(placed.line, 1, _other_size(placed, found)))
    if len(fitting) > MOST or len(lines) > _MOST_LINES or len(text) > _MOST_CHARACTERS:
        end = fitting[MOST].line if len(fitting) > MOST else min(len(lines), _MOST_LINES) + 1
        bad.append(ParseError(end, 1, _TOO_LONG))
    if not read.boards and not bad:
        bad.append(ParseError(1, 1, "No board was recognised in this text."))
    del fitting[MOST:]
    boards, rules = [one.board for one in fitting], [one.constraints for one in fitting]
    return Found(name, found, boards, sorted(bad), rules)


def _with_turned_boxes(placed: BoardInText) -> BoardInText | None:
    """A board with its boxes' shape, if its regions are boxes with rows and columns exchanged."""
    regions = [one for one in placed.constraints if one.kind == "regions"]
    if placed.shape or len(regions) != 1:
        return None
    rows, cols = sides_of(round(len(placed.board) ** 0.5))
    boxes = region_numbers((), cols, rows)
    if (rows, cols) in WITHOUT_BOXES or tuple(regions[0].cells) != tuple(boxes):
        return None
    others = tuple(one for one in placed.constraints if one.kind != "regions")
    return placed._replace(constraints=others, shape=Shape(cols, rows))


def _other_size(placed: BoardInText, shape: Shape) -> str:
    """The error of a board of another size or box than the first."""
    side = round(len(placed.board) ** 0.5)
    if side == shape.size and placed.shape:
        return (
            f"This board has boxes of {placed.shape.rows}×{placed.shape.cols} cells, and the first "
            f"one of {shape.rows}×{shape.cols}: {_ONE_SIZE}"
        )
    return f"This is a {side}×{side} board, and the first one is {shape}: {_ONE_SIZE}"


def _shape_of(boards: list[str], shape: Shape | None) -> Shape:
    if not boards:
        return shape or NINE
    if shape and shape.cells == len(boards[0]):
        return shape
    usual = Shape(*sides_of(round(len(boards[0]) ** 0.5)))
    if usual in WITHOUT_BOXES:
        return usual
    turned = Shape(usual.cols, usual.rows)
    same = [board for board in boards if len(board) == usual.cells]
    return turned if not _are_legal(same, usual) and _are_legal(same, turned) else usual


def _are_legal(boards: list[str], shape: Shape) -> bool:
    return not any(conflict(read_cells(board, shape), shape) for board in boards)


def _read_lines(lines: list[str], shape: Shape | None) -> tuple[ParseResult, str]:
    """The boards and the name of the format; boards of links are among the others in order."""
    plain, linked, bad = _blank_out_links(lines, shape)
    best, name = _read_plain(plain, shape)
    names = _read_names(plain, [placed.line for _, placed in linked], best, name)
    if names:
        plain = ["" if i in names else line for i, line in enumerate(plain, 1)]
        best, name = _read_plain(plain, shape)
        linked += [("grid number", BoardInText(i, n.board)) for i, n in names.items() if n.board]
        bad += [ParseError(i, n.column, n.problem) for i, n in names.items() if n.problem]
    if linked:
        return _join_links(best, name, linked, bad)
    if not best.boards:
        name = "grid number" if names else _name_without_board(lines) if bad else "unknown"
    if bad and not best.boards and not best.cells:
        best = NO_BOARDS
    name = f"{name}, {best.remark}" if best.remark and best.boards else name
    return best._replace(bad=[*best.bad, *bad]), name


def _name_without_board(lines: list[str]) -> str:
    """The format of a text whose links hold no board: `Solo game id` if all are such, or `link`."""
    sites = {link.site for line in lines for link in links_in(line) if not link.puzzle}
    return SOLO if sites == {SOLO} else "link"


def _read_names(
    lines: list[str], linked: list[int], best: ParseResult, name: str
) -> dict[int, Named]:
    """The lines, from 1, that are numbers or addresses of grids, with the board of each.

    None are, unless every line of the text is one, or has a board or a link of its own: seven
    letters are also words of a sentence, and nine digits a row of a drawing.
    """
    if best.boards and name not in ("list", "string"):
        return {}
    used = {*linked, *(placed.line for placed in best.boards)}
    texts = {
        i: line for i, line in enumerate(lines, 1)
        if i not in used and line.strip() and not line.lstrip().startswith(COMMENT)
    }  # fmt: skip
    if len(texts) > 1 and 1 in texts and (is_heading(lines[0]) or is_count(lines[0])):
        del texts[1]
    if not all(looks_like_name(line) for line in texts.values()):
        return {}
    alone = len(texts) == 1 and not used
    found = {i: read_name(line, alone=alone) for i, line in texts.items()}
    names = {i: named for i, named in found.items() if named}
    rows = sum(named.ambiguous for named in names.values())
    return {} if len(names) < len(texts) or (not used and 2 * rows > len(names)) else names


def _join_links(
    best: ParseResult, name: str, linked: list[tuple[str, BoardInText]], bad: list[ParseError]
) -> tuple[ParseResult, str]:
    """Boards of links and of the text around them; a line that gives one board twice has one."""
    kinds = list(dict.fromkeys(kind for kind, _ in linked))
    links = kinds[0] if len(kinds) == 1 else "links"
    if len(kinds) > 1 and not all(kind.endswith(" link") for kind in kinds):
        links = ", ".join(kinds)
    places = sorted((placed for _, placed in linked), key=lambda placed: placed.line)
    if not best.boards:
        return ParseResult(places, bad, 0), links
    there = {placed[:2] for placed in places}
    more = [placed for placed in best.boards if placed[:2] not in there]
    lines = {placed.line for placed in places}
    unread = [one for one in best.bad if one.line not in lines]
    boards = sorted([*places, *more], key=lambda placed: placed.line)
    found = best._replace(boards=boards, bad=[*unread, *bad])
    return found, f"{links} and {name}" if more else links


def _read_plain(lines: list[str], shape: Shape | None) -> tuple[ParseResult, str]:
    """The boards of a text without links: one board a line, or boards over several lines."""
    strings = _read_strings(lines, shape)
    has_sections, chosen = _choose_section(lines)
    copies = _read_copies(chosen)
    if copies:
        return copies, "grid"
    # strings that make up half of the characters need no second look
    drawn = read_rows(chosen, shape) if 2 * strings.cells < sum(map(len, lines)) else None
    if drawn and (drawn.cells > strings.cells or (drawn.bad and not strings.cells)):
        has_header = any(re.match(r"#[A-Z]", line) for line in lines)
        return drawn, ".sdk" if has_sections or has_header else "grid"
    many = len(strings.boards) > 1
    return strings, "list" if many else "string" if strings.boards else "unknown"


def _is_comment(line: str) -> bool:
    """Whether a line is a comment and no link of this page."""
    return line.lstrip().startswith(COMMENT) and "#/" not in line[:3]


def _blank_out_links(
    lines: list[str], shape: Shape | None
) -> tuple[list[str], list[tuple[str, BoardInText]], list[ParseError]]:
    """The lines with blanks for their links, the links' boards, and links that hold none."""
    rest: list[str] = []
    found: list[tuple[str, BoardInText]] = []
    bad: list[ParseError] = []
    for number, line in enumerate(lines, 1):
        if _is_comment(line):
            rest.append(line)
            continue
        links = list(links_in(line))
        line = _blank_out(line, links)
        bare = not any(len(word) in SIDES for word in line.split() if len(word) > 35)
        for link in links:
            if link.puzzle:
                board, rules, box = link.puzzle
                placed = BoardInText(number, board, tuple(rules), box)
                found.append((_kind_of(link.site, box), placed))
            elif bare:
                bad.append(ParseError(number, link.start + 1, link.problem))
        rest.append(line)
    return rest, found, bad


def _kind_of(site: str, box: Shape | None) -> str:
    """The name of a link's format; Solo game ids and others that state their box are no “link”."""
    return site if box else f"{site} link"


def _blank_out(line: str, links: list[Link]) -> str:
    """The line with blanks for the links, in one pass: a line may hold thousands."""
    parts, at = [], 0
    for link in links:
        parts += [line[at : link.start], " " * (link.end - link.start)]
        at = link.end
    return "".join([*parts, line[at:]])


def _choose_section(lines: list[str]) -> tuple[bool, list[str]]:
    """The puzzle of an .sdk file with sections; where it has one, its state is left out."""
    names = [found[1].lower() if (found := _SECTION.match(line.strip())) else "" for line in lines]
    if not any(names):
        return False, lines
    chosen = "puzzle" if "puzzle" in names else next(filter(None, names))
    out, current = [], ""
    for line, name in zip(lines, names, strict=True):
        current = name or current
        out.append("" if name or current != chosen else line)
    return True, out


def _read_strings(lines: list[str], shape: Shape | None) -> ParseResult:
    """One board a line, anything before or after it is a comment."""
    shapes = likely_shapes(lines, shape)
    boards, bad = [], []
    for number, line in enumerate(lines, 1):
        if number == 1 and is_heading(line):
            continue
        tried = [read_string(line, one) for one in shapes]
        board = next((one.board for one in tried if one.board), None)
        if board:
            boards.append(BoardInText(number, board))
        elif tried[0].problem:
            bad.append(ParseError(number, tried[0].column, tried[0].problem))
    if not boards and 1 < len(lines) < 5:  # one board, broken into lines on its way here
        whole = read_string(" ".join(lines), shapes[0]).board
        boards, bad = ([BoardInText(1, whole)], []) if whole else (boards, bad)
    return ParseResult(boards, bad, sum(len(placed.board) for placed in boards))


# -- copies of one puzzle in parts, as Simple Sudoku and HoDoKu make them: givens, state, notes ----

_ROW = re.compile(r"[\d.\s|*_?:+'!-]+")


def _read_copies(lines: list[str]) -> ParseResult | None:
    """The givens of each copy in three parts, or in two of which the second has notes.

    None unless all rows of the text belong to such copies. The digits of the state include the
    givens; the last part has a note in some cell, and its digits include the givens, too.
    """
    rows = [
        (number, line) for number, line in enumerate(lines, 1)
        if _ROW.fullmatch(line) and re.search(r"[\d.]", line) and not is_frame(line)
    ]  # fmt: skip
    for count in (3, 2):
        size = count * NINE.size
        if not rows or len(rows) % size:
            continue
        copies = [_read_copy(rows[at : at + size]) for at in range(0, len(rows), size)]
        found = [copy for copy in copies if copy]
        if len(found) == len(copies):
            used = {number for number, _ in rows}
            bad = [
                not_a_row(i, line, NINE.size) for i, line in enumerate(lines, 1)
                if i not in used and re.search(r"\w", line)
                and not line.lstrip().startswith(COMMENTED)
            ]  # fmt: skip
            filled = sum(n for _, n in found)
            also = f"{filled} filled-in cells and " if filled else ""
            remark = f"givens of a copy in {count} parts, {also}notes left out"
            return ParseResult([placed for placed, _ in found], bad, 81 * len(found), remark)
    return None


def _read_copy(rows: list[tuple[int, str]]) -> tuple[BoardInText, int] | None:
    """The givens of one copy and the number of cells filled in since; None if it is no copy."""
    parts = []
    for at in range(0, len(rows), NINE.size):
        read = read_rows([line for _, line in rows[at : at + NINE.size]], None)
        if read.bad or len(read.boards) != 1 or len(read.boards[0].board) != NINE.cells:
            return None
        parts.append((read.boards[0].board, "notes" in read.remark))
    givens = parts[0][0]
    if parts[0][1] or not parts[-1][1] or not all(_includes(board, givens) for board, _ in parts):
        return None
    state = parts[-2][0] if len(parts) > 2 else givens
    return BoardInText(rows[0][0], givens), givens.count(".") - state.count(".")


def _includes(board: str, givens: str) -> bool:
    return all(given in (".", cell) for given, cell in zip(givens, board, strict=True))


# -- lines of lists -----------------------------------------------------------------------------


def read_list_line(line: str, shape: Shape) -> Line:
    """The first board of that shape in a line, or what is wrong with the line.

    Lists compare plain boards: a link that carries rules is an error that names them.
    """
    if _is_comment(line):
        return read_string(line, shape)
    failed: Link | None = None
    for link in links_in(line):
        before = read_string(line[: link.start], shape)
        if before.board:
            return before
        if link.puzzle:
            return _board_of_link(link, link.puzzle, shape)
        failed = failed or link
    named = read_name(line, alone=False) if shape == NINE else None
    if named and named.board:
        return Line(named.board)
    found = read_string(line, shape)
    if found.board is None and failed:
        return Line(None, failed.start + 1, failed.problem)
    if found.board is None and named:
        return Line(None, named.column, named.problem)
    return found


def _board_of_link(link: Link, puzzle: Puzzle, shape: Shape) -> Line:
    what, own = _kind_of(link.site, puzzle.shape), puzzle.shape
    if len(puzzle.board) != shape.cells or own not in (None, shape):
        side = round(len(puzzle.board) ** 0.5)
        box = f" with boxes of {own.rows}×{own.cols}" if own else ""
        why = f"This {what} has a {side}×{side} board{box}; the list has {shape} boards."
        return Line(None, link.start + 1, why)
    if puzzle.constraints:
        names = ", ".join(names_of(puzzle.constraints))
        why = f"This {what} has rules that lists leave out: {names}. Paste it as a single board."
        return Line(None, link.start + 1, why)
    return Line(puzzle.board)
