"""The verdict that comes along with a paste is the one that `same` gives by itself."""

from pathlib import Path
from typing import Any

import pytest

from cluewise.service import run
from commands import Command

FIRST = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4."
SECOND = ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2."
OTHER = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BLANK = "." * 81


def paste(text: str, *grids: str, **options: object) -> Any:
    request = {"desk": "sudoku", "want": "paste", "position": {"grids": list(grids)}}
    return run({**request, "options": {"text": text, "same": True, **options}})


def same(first: str, second: str, **options: object) -> Any:
    request = {"desk": "sudoku", "want": "same", "position": {"grids": [first, second]}}
    return run({**request, "options": options})


@pytest.mark.parametrize("second", [SECOND, OTHER, FIRST])
@pytest.mark.parametrize("no_relabel", [False, True])
def test_two_boards_of_a_text(second: str, no_relabel: bool) -> None:
    found = paste(f"{FIRST}\n{second}", no_relabel=no_relabel)
    assert found["grids"] == [FIRST, second]
    assert found["same"] == same(FIRST, second, no_relabel=no_relabel)


@pytest.mark.parametrize("there", [(FIRST,), (FIRST, OTHER), (FIRST, BLANK)])
def test_one_board_beside_the_one_that_stays(there: tuple[str, ...]) -> None:
    assert paste(SECOND, *there, into=1)["same"] == same(FIRST, SECOND)


@pytest.mark.parametrize("there", [(BLANK, FIRST), (OTHER, FIRST)])
def test_one_board_in_the_first_place(there: tuple[str, ...]) -> None:
    assert paste(SECOND, *there, into=0)["same"] == same(SECOND, FIRST)


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


def test_the_terminal_says_it_in_words(command: Command) -> None:
    text = f"{FIRST}\n{SECOND}"
    ran = command("sudoku", "paste", "--text", text, "--same")
    assert ran.status == 0
    assert "The same, in 13 steps:" in ran.out
