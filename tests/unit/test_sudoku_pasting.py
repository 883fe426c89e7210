"""What people paste: tables, drawings, lists, packed links; what is said of the unreadable."""

import re
from collections.abc import Callable

import pytest

from asking import vectors
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.links import write_link
from cluewise.desks.sudoku.formats.text import MOST, read_text
from cluewise.desks.sudoku.position import Shape

CASES = vectors("sudoku_pasting")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [PUZZLE[i : i + 9] for i in range(0, 81, 9)]
SOLVED_ROWS = [SOLVED[i : i + 9] for i in range(0, 81, 9)]


def rows(text: Callable[[str], str], blank: str = ".") -> str:
    return "\n".join(text(row.replace(".", blank)) for row in ROWS)


def boxed(row: str, bar: str, between: str = "") -> str:
    return bar.join(between.join(row[i : i + 3]) for i in (0, 3, 6))


def framed(top: str, band: str, low: str, bar: str, blank: str) -> str:
    lines = [f"{bar} {boxed(r.replace('.', blank), f' {bar} ', ' ')} {bar}" for r in ROWS]
    return "\n".join([top, *lines[:3], band, *lines[3:6], band, *lines[6:], low])


def solo(board: str) -> str:
    """The description of Solo: runs of blanks as letters, `_` between neighbouring numbers."""
    runs = re.sub(r"[.]+", lambda run: chr(96 + len(run[0])), board)
    return re.sub(r"(?<=\d)(?=\d)", "_", runs)


FRAMED = framed("*-----------*", "|---+---+---|", "*-----------*", "|", ".")

DRAWINGS = CASES["DRAWINGS"]


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


@pytest.mark.parametrize(("symbols", "box", "words"), CASES["symbols of larger boards"])
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


@pytest.mark.parametrize(("link", "name", "board"), CASES["links that carry a board"])
def test_links_that_carry_a_board(link: str, name: str, board: str) -> None:
    found = read_text(link)
    assert (found.format, found.boards, found.bad) == (f"{name} link", [board], [])


@pytest.mark.parametrize(("link", "words"), CASES["links without a board are named by kind"])
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
    ("game", "words"), CASES["game ids that make no board are refused by name and place"]
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
    ("text", "name"), CASES["packed boards without an address or with blanks for pluses"]
)
def test_packed_boards_without_an_address_or_with_blanks_for_pluses(text: str, name: str) -> None:
    found = read_text(text)
    assert (found.format, found.boards, found.bad) == (name, [PUZZLE], [])


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    CASES["what cannot be read has line column and place on the board"],
)
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
