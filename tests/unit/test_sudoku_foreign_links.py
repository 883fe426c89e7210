"""Links of other sites: supported content is read; broken or unsupported content is reported."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from typing import Any

import pytest

from asking import ask_grids, ask_sudoku, vectors
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.constraints import (
    read_fpuzzles_constraints,
    read_sudokupad_constraints,
)
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.formats.penpa import read_penpa
from cluewise.desks.sudoku.formats.penpa_write import write_penpa
from cluewise.desks.sudoku.formats.strings import Puzzle
from cluewise.desks.sudoku.formats.sudoku_coach import PREFIX, read_sudoku_coach, write_sudoku_coach
from cluewise.desks.sudoku.formats.sudokupad import inflate, parse_short_json
from cluewise.errors import BadNotation

CASES = vectors("sudoku_links")

PENPA = CASES["penpa"]["link"]
BLANK = "." * 81
JIGSAW = (0, 1, 1, 1, 0, 0, 1, 2, 0, 3, 2, 2, 3, 3, 3, 2)
DIGITS = "0123456789abcdefghijklmnopqrstuv"


def summaries(found: Any) -> list[tuple[str, tuple[int, ...], int | None]]:
    return [(one.name or one.kind, tuple(one.cells), one.sum) for one in found]


def lines_of(link: str) -> list[str]:
    return inflate(b64decode(link.partition("p=")[2]), raw=True).split("\n")


def test_a_penpa_link_that_penpa_made_is_read_with_its_constraints() -> None:
    found = read_penpa(PENPA.partition("p=")[2])
    assert found.board == "." * 11 + "123" + "." * 67
    assert summaries(found.constraints) == [
        ("diagonals", (), None), ("thermometer", (5, 6, 7, 17, 26), None),
        ("arrow", (32, 33, 34, 43, 52, 61), None), ("killer", (18, 19, 27, 28, 36, 37), 22),
        ("odd", (54,), None), ("even", (63,), None),
        ("difference", (75, 76), None), ("difference", (76, 77), None),
        ("ratio", (78, 79), None), ("ratio", (79, 80), None),
    ]  # fmt: skip


def test_a_penpa_link_that_is_written_draws_what_penpa_itself_draws() -> None:
    read = read_penpa(PENPA.partition("p=")[2])
    ours = lines_of(write_penpa(read.board, 9, read.constraints))
    theirs = lines_of(PENPA)
    assert (ours[0], ours[1], len(ours)) == (theirs[0], theirs[1], len(theirs))

    def drawn(line: str) -> dict[str, str]:
        parts = ("," + line.strip("{}")).split(",z")[1:]
        return {p[0]: ",".join(sorted(p[2:].strip("{}").split(","))) for p in parts if p[0] != "Y"}

    assert drawn(ours[3]) == drawn(theirs[3])


@pytest.mark.parametrize("name", ["coach_site", "coach_half"])
def test_a_string_that_sudoku_coach_made_is_read_without_what_the_solver_filled_in(
    name: str,
) -> None:
    found = ask_grids("paste", text=CASES[name]["text"])
    assert found["grids"] == [CASES[name]["givens"].replace("0", ".")]
    assert "bad" not in found or not found["bad"]
    link = ask_grids(
        "paste", text=f"See https://sudoku.coach/en/play/{CASES[name]['text']}, it is hard."
    )
    assert link["grids"] == found["grids"]


def test_a_board_of_a_size_that_is_not_known_is_refused_in_words() -> None:
    bad = ask_grids("paste", text=CASES["coach_seven"]["text"])["bad"]
    assert [(one["line"], "7 rows and 49 cells" in one["why"]) for one in bad] == [(1, True)]


RULES = [
    Constraint("killer", (0, 1, 10), 12), Constraint("killer", (80,)),
    Constraint("thermometer", (8, 7, 6)), Constraint("arrow", (20, 21, 30)),
    Constraint("diagonals"),
]  # fmt: skip
MORE = [
    Constraint("antiknight"), Constraint("antiking"), Constraint("nonconsecutive"),
    Constraint("palindrome", (40, 41, 50)), Constraint("renban", (60, 61)),
    Constraint("even", (3, 4)), Constraint("odd", (5,)),
]  # fmt: skip


@pytest.mark.parametrize("one", [*RULES, *MORE, Constraint("diagonal"), Constraint("antidiagonal")])
def test_what_is_written_for_sudoku_coach_is_read_again(one: Constraint) -> None:
    link = write_sudoku_coach("5" + BLANK[1:], 9, [one])
    found = read_sudoku_coach(link.rpartition("/")[2])
    assert (found.board, found.constraints) == ("5" + BLANK[1:], [one])


def test_a_cell_that_sudoku_coach_marks_twice_is_marked_once() -> None:
    link = write_sudoku_coach(BLANK, 9, [Constraint("even", (3, 3, 4))])
    assert read_sudoku_coach(link.rpartition("/")[2]).constraints == [Constraint("even", (3, 4))]


@pytest.mark.parametrize("one", [*RULES, Constraint("diagonal"), Constraint("antidiagonal")])
def test_what_is_written_for_penpa_is_read_again(one: Constraint) -> None:
    found = read_penpa(write_penpa("5" + BLANK[1:], 9, [one]).partition("p=")[2])
    assert (found.board, found.constraints) == ("5" + BLANK[1:], [one])


@pytest.mark.parametrize(("size", "board"), [(4, "1...2..........4"), (6, "6" + "." * 35)])
def test_smaller_boards_and_moved_regions_travel_both_ways(size: int, board: str) -> None:
    rules = [Constraint("regions", JIGSAW)] if size == 4 else []
    puzzle = Puzzle(board, rules)
    assert read_penpa(write_penpa(board, size, rules).partition("p=")[2]) == puzzle
    assert read_sudoku_coach(write_sudoku_coach(board, size, rules).rpartition("/")[2]) == puzzle


@pytest.mark.parametrize("cage", [(0, 1, 2, 9, 11, 18, 19, 20), (0, 1, 9, 10, 11), (8, 9)])
def test_a_cage_of_any_form_has_a_closed_outline_within_its_cells(cage: tuple[int, ...]) -> None:
    link = write_penpa(BLANK, 9, [Constraint("killer", cage)])
    assert read_penpa(link.partition("p=")[2]).constraints == [Constraint("killer", cage)]
    edges = lines_of(link)[3].partition("zC:{")[2].partition("}")[0]
    ends = Counter(re.findall(r"\d+", edges.replace(":10", "")))
    assert set(ends.values()) == {2}
    assert {int(end) // 4 - 169 for end in ends} == {13 * (c // 9 + 2) + c % 9 + 2 for c in cage}


@pytest.mark.parametrize("notation", ["f-puzzles", "sudokupad", "sudoku.coach", "penpa"])
@pytest.mark.parametrize(
    "rule",
    [
        {"kind": "xv", "cells": [8, 9], "value": 8},
        *({"kind": kind, "cells": [8, 9], "value": 0} for kind in ("ratio", "difference")),
        {"kind": "whispers", "cells": [8, 9], "value": 0},
        {"kind": "little", "cells": [8, 9], "sum": 0},
        {"kind": "killer", "cells": [8, 9], "sum": 0},
    ],
    ids=lambda rule: rule["kind"],
)
def test_a_number_that_a_site_cannot_express_is_left_out_by_name(
    rule: dict[str, object], notation: str
) -> None:
    position = {"grids": ["1" + BLANK[1:]], "constraints": [rule]}
    written = ask_sudoku("export", position, notation=notation)
    read = ask_sudoku("paste", text=written["text"]).get("constraints", [])
    assert "left_out" in written or read == [[rule]]
    assert not read or read == [[rule]]


@pytest.mark.parametrize("notation", ["f-puzzles", "sudokupad", "sudoku.coach", "penpa"])
@pytest.mark.parametrize("box", [[2, 3], [3, 2], [4, 2], [4, 3]])
def test_a_link_keeps_the_form_of_the_boxes(box: list[int], notation: str) -> None:
    cells = (box[0] * box[1]) ** 2
    if notation == "sudoku.coach" and cells > 81:
        pytest.skip("sudoku.coach has boards up to nine by nine")
    text = ask_sudoku("export", {"box": box, "grids": ["1" + "." * (cells - 1)]}, notation=notation)
    found = ask_sudoku("paste", text=text["text"])
    assert (found["box"], found.get("constraints", [[]])) == (box, [[]])


def test_export_names_constraints_that_a_site_cannot_express() -> None:
    rules = [{"kind": "windows"}, {"kind": "antiknight"}, {"kind": "diagonal"}]
    position = {"grids": [BLANK], "constraints": rules}
    assert ask_sudoku("export", position, notation="penpa")["left_out"] == ["windows", "antiknight"]
    found = ask_sudoku("export", position, notation="sudoku.coach")
    assert found["left_out"] == ["windows"]
    assert found["text"].startswith("https://sudoku.coach/en/construct/" + PREFIX)
    assert "left_out" not in ask_sudoku("export", position, notation="f-puzzles")
    plain = ask_grids("export", "8" + BLANK[1:], notation="sudoku.coach")
    assert plain == {"text": f"https://sudoku.coach/en/play/8{'0' * 80}\n"}
    with pytest.raises(BadNotation, match="up to nine"):
        write_sudoku_coach("." * 256, 16, [])


def coach(puzzle: Any) -> str:
    bits = "".join(f"{byte:08b}" for byte in zlib.compress(json.dumps(puzzle).encode()))
    bits += "0" * (-len(bits) % 5)
    return PREFIX + "".join(DIGITS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def rule(kind: str, *cells: Any, **parameters: Any) -> dict[str, Any]:
    segments = [{"cells": list(part), "parameters": parameters} for part in cells]
    return {"type": kind, "segments": segments}


@pytest.mark.parametrize(
    ("rules", "names"), CASES["a rule of sudoku coach that is not known is kept by its name"]
)
def test_a_rule_of_sudoku_coach_that_is_not_known_is_kept_by_its_name(
    rules: dict[str, Any], names: list[str]
) -> None:
    found = read_sudoku_coach(coach({"gridSize": 9, "givenDigits": "0" * 81, **rules}))
    assert [one.name or one.kind for one in found.constraints] == names


@pytest.mark.parametrize(
    ("text", "error"), CASES["a string of sudoku coach that is broken is refused with its place"]
)
def test_a_string_of_sudoku_coach_that_is_broken_is_refused_with_its_place(
    text: str, error: str
) -> None:
    with pytest.raises(BadNotation, match=error):
        read_sudoku_coach(text)


def penpa(change: dict[str, Any] | None = None, **lines: str) -> str:
    """A blank 4×4 board of Penpa's with something drawn; the board's first cell is point 18."""
    made = lines_of(write_penpa("." * 16, 4, []))
    made[0] = lines.get("heading", made[0])
    made[3] = lines.get("drawn", made[3][:-1] + "".join(
        f",{json.dumps(k)}:{json.dumps(v)}" for k, v in (change or {}).items()) + "}")  # fmt: skip
    made[5] = lines.get("cells", made[5])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress("\n".join(made).encode()) + packer.flush()
    return b64encode(data).decode()


@pytest.mark.parametrize(
    ("change", "names"), CASES["what penpa draws without one meaning is kept by its name"]
)
def test_what_penpa_draws_without_one_meaning_is_kept_by_its_name(
    change: dict[str, Any], names: list[str]
) -> None:
    assert [one.name or one.kind for one in read_penpa(penpa(change)).constraints] == names


def test_rules_in_words_of_a_penpa_link_are_named() -> None:
    heading = "square,4,4,38,0,1,1,190,190,44,44,0,0,0,0,Title: ,Author: ,,{},OFF,false"
    plain = read_penpa(penpa(heading=heading.format("Normal sudoku rules apply.%2D")))
    assert plain.constraints == []
    puzzle = read_penpa(penpa(heading=heading.format("Odd%2C then even.%2DGood luck")))
    assert [one.name for one in puzzle.constraints] == ["rules written in words"]
    assert read_penpa(penpa(heading="square,4,4")).constraints == []


@pytest.mark.parametrize(
    ("data", "error"), CASES["a penpa link that cannot be read is refused in words"]
)
def test_a_penpa_link_that_cannot_be_read_is_refused_in_words(data: str, error: str) -> None:
    with pytest.raises(BadNotation, match=error):
        read_penpa(data)


def test_a_letter_that_penpa_escapes_stays_a_letter() -> None:
    drawn = '{zN:{"18":["zZZ",1,"1"]},zS:zO}'
    assert [one.name for one in read_penpa(penpa(drawn=drawn)).constraints] == [
        "words in cells", "no boxes are drawn"
    ]  # fmt: skip


def test_penpa_links_are_found_in_text_with_their_constraints() -> None:
    found = ask_grids("paste", text=f"From the forum: {PENPA} and {PENPA.replace('#', '?')}")
    assert found["grids"] == ["." * 11 + "123" + "." * 67] * 2
    assert found["constraints"][0] == found["constraints"][1]
    kinds = {one["kind"] for one in found["constraints"][0]}
    assert kinds == {"diagonals", "thermometer", "arrow", "killer", "even", "odd", "difference",
                     "ratio"}  # fmt: skip
    bad = ask_grids("paste", text="https://swaroopg92.github.io/penpa-edit/")["bad"]
    assert "carries no board" in bad[0]["why"]


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "{", "[1,", "[1 2]", "{a 1}", "{a:1 b:2}", "{a:}", "{a:1}}", "[1]]", "]", ",",
        "'never closed", "{a:[1,2}", "[" * 60 + "one" + "]" * 60,
    ],
)  # fmt: skip
def test_text_that_is_no_shortened_json_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadNotation, match="does not hold a board of SudokuPad"):
        parse_short_json(text)


def test_shortened_json_is_read() -> None:
    assert parse_short_json("{ce:[[,{v:5},],[]],t:'a\\nb',on:t}") == {
        "ce": [[{}, {"v": 5}, {}], []], "t": "a\nb", "on": parse_short_json("{a:t}")["a"]
    }  # fmt: skip


def cells_of(found: Any) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.name or one.kind, tuple(one.cells)) for one in found]


@pytest.mark.parametrize(("cage", "expected"), CASES["a drawn cage is read whole or named"])
def test_a_drawn_cage_is_read_whole_or_named(
    cage: Any, expected: tuple[str, tuple[int, ...]]
) -> None:
    name, cells = expected
    assert cells_of(read_sudokupad_constraints({"cages": [cage]}, 9)) == [(name, tuple(cells))]


@pytest.mark.parametrize(
    ("about", "names"),
    [({"norowcol": "t"}, ["rows and columns that do not count"]), ({"norowcol": False}, [])],
)
def test_rows_that_do_not_count_are_named(about: dict[str, Any], names: list[str]) -> None:
    assert [
        name for name, _ in cells_of(read_sudokupad_constraints({"metadata": about}, 9))
    ] == names


def test_more_constraints_than_a_position_holds_are_kept_by_their_names() -> None:
    cages = [{"cells": [f"R{r}C{c}", f"R{r}C{c + 1}"], "value": total}
             for r in range(1, 10) for c in range(1, 9) for total in range(3, 18)]  # fmt: skip
    few = read_fpuzzles_constraints({"grid": [], "killercage": cages[:500]}, 9)
    assert (len(few), few[0]) == (500, Constraint("killer", (0, 1), 3))
    found = read_fpuzzles_constraints({"grid": [], "killercage": cages, "antiknight": True}, 9)
    assert [(one.kind, one.name) for one in found] == [
        ("other", "killer cages"), ("other", "antiknight")
    ]  # fmt: skip


def drawing(puzzle: dict[str, Any], rules: str) -> dict[str, Any]:
    """SudokuPad's form of a puzzle whose drawings are short lists."""
    strokes = {key: [{"wayPoints": [one[i : i + 2] for i in range(0, len(one) - 1, 2)],
                      "color": one[-1]} for one in puzzle.get(key, [])]
               for key in ("lines", "arrows")}  # fmt: skip
    shapes = [{"center": one[:2], "width": one[2], "height": (one + one[2:3])[6],
               "rounded": one[3] == "circle", "backgroundColor": one[4], "text": one[5]}
              for one in puzzle.get("overlays", [])]  # fmt: skip
    cages = [{"cells": [one[:2], one[2:4]], "value": one[4]} for one in puzzle.get("cages", [])]
    return {**strokes, "overlays": shapes, "cages": cages, "metadata": {"rules": rules}}


def in_words(one: Constraint) -> str:
    more = [("sum", one.sum), ("value", one.value), ("values", " ".join(map(str, one.values))),
            ("head", one.head if one.head > 1 else None), ("of", one.of)]  # fmt: skip
    fields = [f"{name} {value}" for name, value in more if value not in (None, "")]
    return " ".join([one.name or one.kind, *map(str, one.cells), *fields])


@pytest.mark.parametrize(("rules", "puzzle", "expected"), CASES["drawings"])
def test_drawings_are_classified_by_the_rules(
    rules: str, puzzle: dict[str, Any], expected: list[str]
) -> None:
    read = read_sudokupad_constraints(drawing(puzzle, rules), 9)
    assert sorted(map(in_words, read)) == sorted(expected)


def test_the_cells_drawings_of_f_puzzles_are_read_unless_a_constraint_has_drawn_them() -> None:
    line = {"lines": [["R1C1", "R1C2"]], "outlineC": "#67f067"}
    stated = {**line, "fromConstraint": "Whispers"}
    puzzle: dict[str, Any] = {"grid": [], "antiknight": True, "line": [line, stated],
              "ruleset": "Adjacent digits on a green line differ by at least 4."}  # fmt: skip
    assert read_fpuzzles_constraints(puzzle, 9) == [
        Constraint("antiknight"), Constraint("whispers", (0, 1), value=4)
    ]  # fmt: skip
    del puzzle["line"][0]
    assert read_fpuzzles_constraints(puzzle, 9) == [Constraint("antiknight")]
    puzzle["ruleset"] += " One cell of each row is a doubler."
    assert cells_of(read_fpuzzles_constraints(puzzle, 9)) == [
        ("antiknight", ()), ("rules written in words", ())
    ]  # fmt: skip


def test_symbol_with_thousands_of_digits_is_refused() -> None:
    board = {"size": 9, "grid": [[{"value": "9" * 5000, "given": True}] * 9] * 9}
    link = "https://www.f-puzzles.com/?load=" + compress(json.dumps(board))
    (bad,) = ask_sudoku("paste", {}, text=link)["bad"]
    assert "in row 1, column 1" in bad["why"]
    assert len(bad["why"]) < 120
