"""What people paste: tables, drawings, lists, packed links; what is said of the unreadable."""

import pytest

from asking import vectors
from cluewise.desks.sudoku.formats.text import MOST, read_text
from cluewise.desks.sudoku.position import Shape

CASES = vectors("sudoku_pasting")

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
    wanted = "".join(map("".join, shifted(plain, box)))
    drawn = "\n".join("".join(row) for row in shifted(symbols, box))
    found = read_text(drawn)
    assert (found.boards, found.shape, found.bad) == ([wanted], Shape(*box), [])
    assert found.format == words
    numbers = "\n".join(
        " ".join(str(plain.index(c) + 1) for c in row) for row in shifted(plain, box)
    )
    assert read_text(numbers).boards == [wanted]


def test_a_long_text_is_read_up_to_a_limit_and_says_so() -> None:
    found = read_text((PUZZLE + "\n") * (MOST + 1))
    assert len(found.boards) == MOST
    assert (found.bad[0].line, "A list takes" in found.bad[0].why) == (MOST + 1, True)
