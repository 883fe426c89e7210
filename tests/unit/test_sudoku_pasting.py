"""Pasted text: notations in and out, and the verdict that comes along with two boards."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_grids as ask
from asking import vectors
from cluewise.desks.sudoku.formats.lzstring import LIMIT, compress, decompress
from cluewise.desks.sudoku.formats.text import MOST, read_text
from cluewise.desks.sudoku.formats.write import write_text
from cluewise.desks.sudoku.position import Shape
from cluewise.errors import BadNotation
from commands import Command

CASES = vectors("sudoku_cases")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def shifted(symbols: str, box: tuple[int, int]) -> list[list[str]]:
    side = len(symbols)
    return [
        [symbols[(box[1] * (r % box[0]) + r // box[0] + c) % side] for c in range(side)]
        for r in range(side)
    ]


@pytest.mark.parametrize(("symbols", "box", "words"), CASES["symbols of larger boards"])
def test_symbols_of_larger_boards(symbols: str, box: tuple[int, int], words: str) -> None:
    plain = "123456789abcdefghijklmnopqrstuvwxyzA"[: len(symbols)]
    expected = "".join(map("".join, shifted(plain, box)))
    drawn = "\n".join("".join(row) for row in shifted(symbols, box))
    found = read_text(drawn)
    assert (found.boards, found.shape, found.bad) == ([expected], Shape(*box), [])
    assert found.format == words
    numbers = "\n".join(
        " ".join(str(plain.index(c) + 1) for c in row) for row in shifted(plain, box)
    )
    assert read_text(numbers).boards == [expected]


def test_a_long_text_is_read_up_to_a_reported_limit() -> None:
    found = read_text((PUZZLE + "\n") * (MOST + 1))
    assert len(found.boards) == MOST
    assert (found.bad[0].line, "A list takes" in found.bad[0].why) == (MOST + 1, True)


FIRST = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."
SECOND = ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2."
OTHER = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BLANK = "." * 81


def test_x_is_a_blank_of_a_board_in_letters() -> None:
    text = "".join("x" if c == "." else chr(64 + int(c)) for c in OTHER)
    assert read_text(text).boards == [OTHER]


def paste(text: str, *grids: str, **options: Any) -> Any:
    return ask("paste", *grids, text=text, same=True, **options)


@pytest.mark.parametrize("second", [SECOND, OTHER, FIRST])
@pytest.mark.parametrize("no_relabel", [False, True])
def test_two_boards_of_a_text(second: str, no_relabel: bool) -> None:
    found = paste(f"{FIRST}\n{second}", no_relabel=no_relabel)
    assert found["grids"] == [FIRST, second]
    assert found["same"] == ask("same", FIRST, second, no_relabel=no_relabel)


@pytest.mark.parametrize("there", [(FIRST,), (FIRST, OTHER), (FIRST, BLANK)])
def test_one_board_is_compared_with_the_remaining_one(there: tuple[str, ...]) -> None:
    assert paste(SECOND, *there, into=1)["same"] == ask("same", FIRST, SECOND)


@pytest.mark.parametrize("there", [(BLANK, FIRST), (OTHER, FIRST)])
def test_one_board_in_the_first_place(there: tuple[str, ...]) -> None:
    assert paste(SECOND, *there, into=0)["same"] == ask("same", SECOND, FIRST)


@pytest.mark.parametrize("verb", ["canon", "generate", "puzzle", "export", "paste"])
def test_a_narrow_terminal_leaves_boards_whole(
    verb: str, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = tmp_path / "position.json"
    there.write_text("{}" if verb in ("generate", "puzzle") else f'{{"grids": ["{FIRST}"]}}')
    more = {"generate": ["--seed", "1"], "puzzle": ["--seed", "1"], "paste": ["--text", FIRST]}
    monkeypatch.setenv("COLUMNS", "40")
    ran = command("sudoku", verb, str(there), *more.get(verb, []))
    assert ran.status == 0
    words = ran.out.split()
    assert any(len(word) == 81 and set(word) <= set("123456789.") for word in words)


def test_the_terminal_has_sentences(command: Command) -> None:
    text = f"{FIRST}\n{SECOND}"
    ran = command("sudoku", "paste", "--text", text, "--same")
    assert ran.status == 0
    assert "The same, in 13 steps:" in ran.out


TEXTS = st.text(alphabet=st.characters(max_codepoint=0x3000), max_size=300)


@pytest.mark.parametrize(
    ("plain", "packed"),
    [
        ("Hello, world!", "BIUwNmD2A0AEDukBOYAmBCIA"),
        ("hello, i am a 猫", "BYUwNmD2A0AECWsCGBbZtDUzkA=="),
    ],
)
def test_packing_agrees_with_published_samples(plain: str, packed: str) -> None:
    assert compress(plain) == packed
    assert decompress(packed) == plain


@given(TEXTS)
@settings(deadline=None, max_examples=100)
def test_packing_comes_back(text: str) -> None:
    assert decompress(compress(text)) == text


@given(st.text(alphabet="ABCabc012+/=-_N4Ig", max_size=60))
@settings(deadline=None, max_examples=200)
def test_damaged_packing_is_refused_or_read_never_more(text: str) -> None:
    with suppress(BadNotation):
        assert len(decompress(text)) <= LIMIT


@pytest.mark.parametrize(
    "notation",
    ["string", "zeros", "grid", "sdk", "sdm", "sudokuwiki", "sudokuexchange", "f-puzzles",
     "sudokupad"],
)  # fmt: skip
def test_every_notation_comes_back(notation: Any) -> None:
    text = ask("export", PUZZLE, notation=notation)["text"]
    assert read_text(text).boards == [PUZZLE]


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
@pytest.mark.parametrize("notation", ["string", "grid", "f-puzzles"])
def test_other_sizes_come_back(box: tuple[int, int], notation: Any) -> None:
    shape = Shape(*box)
    board = "1" + "." * (shape.cells - 2) + "2"
    found = read_text(write_text([board], shape, notation), shape)
    assert (found.boards, found.shape) == ([board], shape)
