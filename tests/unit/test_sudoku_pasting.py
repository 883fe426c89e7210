"""What people paste: tables, drawings, lists, packed links; what is said of the unreadable."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.links import write_link
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.formats.text import MOST, read_text
from cluewise.desks.sudoku.position import Shape

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [PUZZLE[i : i + 9] for i in range(0, 81, 9)]
SOLVED_ROWS = [SOLVED[i : i + 9] for i in range(0, 81, 9)]


def rows(text: Callable[[str], str], blank: str = ".") -> str:
    return "\n".join(text(row.replace(".", blank)) for row in ROWS)


def table(mark: str, blank: str = "") -> str:
    return "\n".join(mark.join(c if c != "." else blank for c in row) for row in ROWS)


def boxed(row: str, bar: str, between: str = "") -> str:
    return bar.join(between.join(row[i : i + 3]) for i in (0, 3, 6))


def framed(top: str, band: str, low: str, bar: str, blank: str) -> str:
    lines = [f"{bar} {boxed(r.replace('.', blank), f' {bar} ', ' ')} {bar}" for r in ROWS]
    return "\n".join([top, *lines[:3], band, *lines[3:6], band, *lines[6:], low])


def solo(board: str) -> str:
    """The description of Solo: runs of blanks as letters, `_` between neighbouring numbers."""
    runs = re.sub(r"[.]+", lambda run: chr(96 + len(run[0])), board)
    return re.sub(r"(?<=\d)(?=\d)", "_", runs)


DOUBLE = "║".join(["{}│{}│{}"] * 3)
CELLS = "\n".join(
    ["╔═╤═╤═╦═╤═╤═╦═╤═╤═╗"]
    + [f"║{DOUBLE.format(*row.replace('.', ' '))}║\n╟─┼─┼─╫─┼─┼─╫─┼─┼─╢" for row in ROWS]
)
NOTES = """
.----------------.--------------.--------------.
| 5    3    124  | 26  7   2468 | 1489 1249 248 |
| 6    247  247  | 1   9   5    | 3478 234 2478 |
| 12   9    8    | 23  34  24   | 13457 6  247  |
:----------------+--------------+---------------:
| 8    125  1259 | 579 6   147  | 4579 2459 3   |
| 4    25   2569 | 8   25  3    | 579  259  1   |
| 7    15   1359 | 59  2   14   | 4589 459  6   |
:----------------+--------------+---------------:
| 139  6    134579 | 357 35 78  | 2    8    14  |
| 23   278  237  | 4   1   9    | 36   23   5   |
| 123  1245 12345 | 2356 8  26  | 146  7    9   |
'----------------'--------------'---------------'
"""

STATE = PUZZLE[:2] + "46" + PUZZLE[4:]
FRAMED = framed("*-----------*", "|---+---+---|", "*-----------*", "|", ".")

DRAWINGS = {
    "a byte order mark": "\ufeff" + PUZZLE,
    "Windows line ends": rows(str).replace("\n", "\r\n"),
    "old Mac line ends": rows(str).replace("\n", "\r"),
    "two-byte characters": "\0".join(PUZZLE),
    "x for a blank": rows(str, "X"),
    "dashes for blanks": rows(lambda r: " ".join(r), "-"),
    "dashes for blanks and frames": f"---+---+---\n{rows(lambda r: boxed(r, '|'), '-')}",
    "emoji digits": "".join("⬜" if c == "." else f"{c}\ufe0f\u20e3" for c in PUZZLE),
    "Arabic digits": PUZZLE.translate(str.maketrans("123456789", "١٢٣٤٥٦٧٨٩")),
    "wide digits": PUZZLE.translate(str.maketrans("123456789.", "１２３４５６７８９．")),
    "hard spaces": rows(lambda r: "\u00a0".join(r)),
    "commas, nothing for a blank": table(","),
    "semicolons": table(";"),
    "a copied table": table("\t"),
    "quoted fields": table('","').replace("\n", '"\n"').join('""'),
    "numbers in brackets": json.dumps([[int(c) for c in r.replace(".", "0")] for r in ROWS]),
    "quoted rows": json.dumps(ROWS, indent=1),
    "an array in C": rows(lambda r: "{" + ", ".join(r) + "},", "0"),
    "Markdown": rows(lambda r: f"| {' | '.join(r)} |", " ").replace("\n", f"\n{'|---' * 9}|\n", 1),
    "spaces for blanks": rows(str, " "),
    "spaces for blanks, spread": rows(lambda r: " ".join(r), " "),
    "a frame, spaces for blanks": framed("+-------+", "+-------+", "+-------+", "|", " "),
    "a frame of dots": framed(".-------.", ":-------:", "'-------'", "|", "."),
    "a frame of stars": framed("*-----------*", "|---+---+---|", "*-----------*", "|", "."),
    "box drawing": framed("┌──────┐", "├──────┤", "└──────┘", "│", "."),
    "every cell framed": CELLS,
    "notes": NOTES,
    "notes in any order": NOTES.replace("124 ", "421 ").replace("13457", "73145"),
    "givens, state and notes": f"{FRAMED}\n\n{FRAMED.replace('5 3 .', '5 3 4')}\n\n{NOTES}",
    "givens and notes": f"{FRAMED}\n{NOTES}",
    "givens, state and notes without frames": "\n".join(
        [*ROWS, "", STATE[:9], *ROWS[1:], "", NOTES]),
    "a size before": "3x3:" + PUZZLE,
    "a Solo game id": f"Game: 3x3:{solo(PUZZLE)}",
    "a link to Solo": f"https://www.chiark.greenend.org.uk/puzzles/js/solo.html#3x3:{solo(PUZZLE)}",
    "labels": "    1 2 3  4 5 6  7 8 9\n" + "\n".join(
        f"{'ABCDEFGHI'[i]} | {boxed(r, ' | ', ' ')} |" for i, r in enumerate(ROWS)),
    "numbered rows": "\n".join(f"R{i}: {r}" for i, r in enumerate(ROWS, 1)),
    "empty lines between rows": rows(str).replace("\n", "\n\n"),
    "quoted mail": rows(lambda r: "> " + r),
    "a fenced block": f"```\n{rows(str)}\n```",
    "remarks behind rows": rows(lambda r: r + "  # a remark"),
    "rows on one line": " ".join(ROWS),
    "rows between slashes": "/".join(ROWS),
    "cells on one line": ",".join(PUZZLE),
    "a line that broke": PUZZLE[:40] + "\n" + PUZZLE[40:],
    "sections of .sdk": "#AMe\n#Uhttp://example.org/x\n[Puzzle]\n" + rows(str) + "\n[State]\n"
                        + "\n".join(SOLVED_ROWS),
    "one line in a section": "[Puzzle]\n" + PUZZLE,
    "a label before": "Inkala: " + PUZZLE,
    "a table with numbers first": f"id,puzzle,solution\n1,{PUZZLE.replace('.', '0')},{SOLVED}\n",
    "a library line": f":0100:7:{PUZZLE}::r1c1:",
    "an XML attribute": f'<game data="{PUZZLE.replace(".", "0")}"/>',
    "a position in JSON": json.dumps({"desk": "sudoku", "grids": [PUZZLE]}),
    "a link behind a board": f"{PUZZLE} # from https://example.org/1",
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_people_paste_is_read_and_nothing_is_complained_of(name: str) -> None:
    found = read_text(DRAWINGS[name])
    assert (found.boards, found.bad) == ([PUZZLE], [])


def test_a_copy_in_three_parts_says_what_is_left_out() -> None:
    copy = DRAWINGS["givens, state and notes"]
    words = "grid, givens of a copy in 3 parts, 1 filled-in cells and notes left out"
    assert read_text(copy).format == words
    found = read_text(f"Stuck here:\n{copy}")
    assert (found.boards, [one.line for one in found.bad]) == ([PUZZLE], [1])
    assert len(read_text(f"{FRAMED}\n\n" + "\n".join(SOLVED_ROWS)).boards) == 2


def shifted(symbols: str, box: tuple[int, int]) -> list[list[str]]:
    side = len(symbols)
    return [
        [symbols[(box[1] * (r % box[0]) + r // box[0] + c) % side] for c in range(side)]
        for r in range(side)
    ]


@pytest.mark.parametrize(
    ("symbols", "box", "words"),
    [
        ("1234", (2, 2), "grid"), ("123456", (2, 3), "grid"), ("123456", (3, 2), "grid"),
        ("123456789ABC", (3, 4), "grid"), ("123456789ABCDEFG", (4, 4), "grid"),
        ("0123456789ABCDEF", (4, 4), "grid, symbols 0 to F"),
        ("ABCDEFGHIJKLMNOP", (4, 4), "grid, letters A to P"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXY", (5, 5), "grid, letters A to Y"),
        ("123456789abcdefghijklmnop", (5, 5), "grid"),
        ("123456789abcdefghijklmnopqrstuvwxyzA", (6, 6), "grid"),
    ],
)  # fmt: skip
def test_symbols_of_larger_boards(symbols: str, box: tuple[int, int], words: str) -> None:
    plain = "123456789abcdefghijklmnopqrstuvwxyzA"[: len(symbols)]
    wanted = "".join(map("".join, shifted(plain, box)))
    drawn = "\n".join("".join(row) for row in shifted(symbols, box))
    found = read_text(drawn)
    assert (found.boards, found.shape, found.bad) == ([wanted], Shape(*box), [])
    assert found.format == words
    numbers = "\n".join(
        " ".join(str(plain.index(c) + 1) for c in row) for row in shifted(plain, box)
    )
    assert read_text(numbers).boards == [wanted]


def test_zero_is_a_symbol_only_where_blanks_have_a_mark_of_their_own() -> None:
    row = "0" * 12 + "9AF1"
    assert read_text("\n".join([row] * 16)).boards[0].startswith("............9af1")
    row = "." * 11 + "09AF1"
    assert read_text("\n".join([row] * 16)).boards[0].startswith("...........1abg2")


def test_two_boards_side_by_side_and_one_below_the_other() -> None:
    beside = "\n".join(f"{a}     {b}" for a, b in zip(ROWS, SOLVED_ROWS, strict=True))
    assert read_text(beside).boards == [PUZZLE, SOLVED]
    assert read_text(rows(str) + "\n\n" + "\n".join(SOLVED_ROWS)).boards == [PUZZLE, SOLVED]


SCL = "{ce:[" + ",".join(
    "[" + ",".join("" if c == "." else f"{{v:{c}}}" for c in row) + "]" for row in ROWS
) + "],t:'It\\'s one',re:[[[0,0]]],c2:FFFFFF}"  # fmt: skip
# A digit and the blanks after it, five at most, are one character.
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SHORT = re.sub(
    ".0{0,5}",
    lambda found: DIGITS[int(found[0][0]) + 10 * (len(found[0]) - 1)],
    PUZZLE.replace(".", "0"),
)
WIKI = (  # a position of sudokuwiki's pages with notes; its givens are published beside it
    "S9B2b0304050i0l2c0h0f089f022b060c040e9f069f0e0d2c082g0n9h2d2b03090h0l0e0f040l050h0f2g0d2g092d"
    "090d0f2b2g05080n2d0e0b0g030a0f0i0d080c0h010b040i060g050d0f0i0h0e0701020c"
)
WIKI_GIVENS = "034500000802060400600008000003900004050000090900005800000300008001040605000007120"


@pytest.mark.parametrize(
    ("link", "name", "board"),
    [
        (f"https://sudokupad.app/scl{compress(SCL)}", "SudokuPad", PUZZLE),
        (f"https://app.crackingthecryptic.com/sudoku/ctc{compress(SCL)}?x=1", "SudokuPad", PUZZLE),
        (f"scl{compress(SCL)}", "SudokuPad", PUZZLE),
        ("https://sudokupad.app/classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B", "SudokuPad",
         ".6.91...7..2....15.....4...9..3..........6...4.3...25...4.....8.....87.4..5.7..3."),
        (f"https://sudokupad.app/scf{SHORT}*tName*aMe", "SudokuPad", PUZZLE),
        (f"https://sudokupad.svencodes.com/puzzle/{SHORT}", "SudokuPad", PUZZLE),
        (f"https://www.sudokuwiki.org/sudoku.htm?bd={WIKI}", "sudokuwiki",
         WIKI_GIVENS.replace("0", ".")),
        (f"https://sudokuexchange.com/play/?s={','.join(PUZZLE)}&d=3", "sudokuexchange", PUZZLE),
        (f"https://sudoku.coach/en/play/{PUZZLE.replace('.', '0')}", "sudoku.coach", PUZZLE),
        (f"Look: (https://www.sudokuwiki.org/sudoku.htm?bd={PUZZLE}).", "sudokuwiki", PUZZLE),
    ],
)  # fmt: skip
def test_links_that_carry_a_board(link: str, name: str, board: str) -> None:
    found = read_text(link)
    assert (found.format, found.boards, found.bad) == (f"{name} link", [board], [])


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https://app.crackingthecryptic.com/sudoku/2hbP8JLgG9", "SudokuPad keeps (2hbP8JLgG9)"),
        ("https://f-puzzles.com/?id=yy6jxm5t", "only names a puzzle that f-puzzles.com keeps"),
        ("https://tinyurl.com/abc", "shortened link of tinyurl.com"),
        ("https://example.org/a", "This link of example.org carries no board"),
        ("https://sudokuexchange.com/play/?s=123", "no board of 81 cells"),
        ("https://a.example/#/sudoku/1/q1ZKz", "link of this page itself"),
        ("https://sudokupad.app/sclN4IgzglgXgpiBcBOANCA5gJwgEw", "cut short"),
    ],
)
def test_links_that_carry_none_are_told_apart_by_kind(link: str, words: str) -> None:
    (unread,) = read_text("first\t" + link).bad[-1:]
    assert words in unread.why
    assert (unread.line, unread.column) == (1, 7)


DIAGONALS = [(Constraint("diagonal"), Constraint("antidiagonal"))]


@pytest.mark.parametrize(
    ("game", "shape", "board", "rules"),
    [
        ("2x2:1a2d3f_4a", Shape(2, 2), "1.2....3......4.", [()]),
        ("2x3:1z6h", Shape(2, 3), "1" + "." * 26 + "6" + "." * 8, [()]),
        ("3x2:1z6h", Shape(3, 2), "1" + "." * 26 + "6" + "." * 8, [()]),
        ("4x4dt:16_10" + "z" * 9 + "t", Shape(4, 4), "ga" + "." * 254, [()]),
        (f"3x3x:{solo(PUZZLE)}", Shape(3, 3), PUZZLE, DIAGONALS),
    ],
)  # fmt: skip
def test_solo_game_ids_have_their_own_boxes(
    game: str, shape: Shape, board: str, rules: list[tuple[Constraint, ...]]
) -> None:
    found = read_text(game, Shape(2, 3))
    assert found == ("Solo game id", shape, [board], [], rules)


def test_boards_with_other_boxes_than_the_first_are_named() -> None:
    found = read_text("2x3:1z6h\n3x2:1z6h")
    assert (len(found.boards), found.shape) == (1, Shape(2, 3))
    assert (found.bad[0].line, "boxes of 3×2" in found.bad[0].why) == (2, True)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (f"9j:{solo(PUZZLE)},a2b3", "jigsaw variant"),
        (f"3x3kx:{solo(PUZZLE)},a2b3", "killer variant"),
        ("3x3db#123456789", "random seed"),
        ("https://a.example/solo.html#3x3%2312", "random seed"),
        ("3x3:a10b", "“10” at character 6"),
        ("3x3:a7!b", "“!” at character 7"),
        ("4x4:" + "a1" * 127, "254 cells, and a 16×16 board has 256"),
        ("3x3::k:3840:3840:1", "JSudoku killer string"),
        ("7x2:a", "blocks of 7×2"),
    ],
)
def test_game_ids_that_make_no_board_are_refused_by_name_and_place(game: str, words: str) -> None:
    found = read_text(f"Game {game}")
    assert found.boards == []
    assert [(one.line, one.column) for one in found.bad] == [(1, 6)]
    assert words in found.bad[0].why
    assert found.format == "Solo game id"


LINK = write_link(PUZZLE, 9, "f-puzzles")
PACKED = LINK.partition("load=")[2]
assert "+" in PACKED


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PACKED, "f-puzzles link"),
        (f"?load={PACKED}", "f-puzzles link"),
        (compress(SCL), "SudokuPad link"),
        (write_link(PUZZLE, 9, "penpa").partition("#")[2], "Penpa link"),
        (PACKED.replace("+", " "), "f-puzzles link"),
        (LINK.replace("+", " "), "f-puzzles link"),
        (LINK.replace("+", "%20"), "f-puzzles link"),
        (f"{LINK} is it hard".replace("+", " "), "f-puzzles link"),
        (write_link(PUZZLE, 9, "SudokuPad").replace("+", " "), "SudokuPad link"),
        (write_link(PUZZLE, 9, "penpa").replace("+", " "), "Penpa link"),
    ],
)
def test_packed_boards_without_an_address_or_with_blanks_for_pluses(text: str, name: str) -> None:
    found = read_text(text)
    assert (found.format, found.boards, found.bad) == (name, [PUZZLE], [])


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        (PUZZLE[:80], 1, 81, "has 81 characters, this one has 80; it ends in row 9, column 8"),
        (PUZZLE + "1", 1, 82, "this one has 82"),
        (f"7,{PUZZLE[:40]}A{PUZZLE[41:]}", 1, 43, "'A' in row 5, column 5"),
        ("\n".join([*ROWS[:3], ROWS[3][:8], *ROWS[4:]]), 4, 9, "Row 4 has 8 cells, not 9"),
        ("\n".join([*ROWS[:3], ROWS[3] + "1", *ROWS[4:]]), 4, 10, "Row 4 has 10 cells, not 9"),
        ("\n".join(ROWS[:8]), 8, 1, "has 9 rows, here are 8"),
        (framed("+---+", "+---+", "+---+", "|", ".").replace("4 . .", "4 . $"), 7, 7,
         "'$' in row 5, column 3"),
        ("\n".join(["1234567"] * 7), 1, 1, "Rows of 7 cells make no board"),
        ("hello", 1, 1, "There is no board here"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_has_line_column_and_place_on_the_board(
    text: str, line: int, column: int, words: str
) -> None:
    found = read_text(text)
    assert found.boards == []
    assert (found.bad[0].line, found.bad[0].column) == (line, column)
    assert words in found.bad[0].why


def test_a_row_too_few_spoils_its_own_board_only() -> None:
    text = "\n".join(ROWS[:8]) + "\n\n" + "\n".join(SOLVED_ROWS)
    found = read_text(text)
    assert found.boards == [SOLVED]
    assert [(p.line, p.why) for p in found.bad] == [(8, "A 9×9 board has 9 rows, here are 8.")]


@pytest.mark.parametrize("first", ["1234341221434321", "1234\n3412\n2143\n4321\n"])
def test_boards_of_two_sizes_are_told_apart_by_line(first: str) -> None:
    found = read_text(f"{first}\n{PUZZLE if len(first) == 16 else rows(str)}\n")
    assert found.boards == ["1234341221434321"]
    assert "This is a 9×9 board, and the first one is 4×4" in found.bad[0].why
    assert found.bad[0].line == (2 if len(first) == 16 else 6)


def test_prose_round_a_board_is_reported_and_the_board_is_read() -> None:
    found = read_text(f"Here is mine:\n{rows(str)}\nIs it hard?")
    assert found.boards == [PUZZLE]
    assert [(p.line, p.column) for p in found.bad] == [(1, 1), (11, 1)]


def test_a_long_text_is_read_up_to_a_limit_and_says_so() -> None:
    found = read_text((PUZZLE + "\n") * (MOST + 1))
    assert len(found.boards) == MOST
    assert (found.bad[0].line, "A list takes" in found.bad[0].why) == (MOST + 1, True)


def test_the_box_in_hand_is_kept_where_it_fits() -> None:
    board = "1" + "." * 35
    assert read_text(board).shape == Shape(2, 3)
    assert read_text(board, Shape(3, 2)).shape == Shape(3, 2)
    assert read_text("." * 144, Shape(2, 6)).shape == Shape(2, 6)
