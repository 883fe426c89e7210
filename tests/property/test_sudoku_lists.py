"""Lists against their twins: text in any form, near duplicates against trying everything."""

import contextlib
import hashlib
import io
import os
import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import minlex, near_duplicates, random_boards
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.formats.text import read_list_line
from cluewise.desks.sudoku.lists import answers
from cluewise.desks.sudoku.lists.annotate import ClassNumbering, pack_keys
from cluewise.desks.sudoku.lists.output import ResultWriter
from cluewise.desks.sudoku.position import NINE, Cells, conflict, read_cells, write_cells
from cluewise.desks.sudoku.transform import apply
from cluewise.parallel.pool import InProcess
from cluewise.parallel.tasks import ParallelContext
from reference import sudoku_lists as slow
from reference.sudoku_boards import scrambled as disguised

CASES = vectors("sudoku_cases")

ORACLE = vectors("sudoku")
PUZZLES = [one["puzzle"] for one in ORACLE["puzzles"][:12]]
AGAIN = [one["scramble"]["puzzle"] for one in ORACLE["puzzles"][:12]]
GRIDS = [one["grid"] for one in ORACLE["grids"][:4]]
PUZZLE = PUZZLES[0]
PLAIN = [*PUZZLES, *AGAIN, *GRIDS, "." * 81, "1" + "." * 80, PUZZLE[:80] + "."]
ODD = CASES["ODD"]
BLANKS = ".0*_?"
ENDS = ("", "\n", "\r\n", " # one", ",", ";4.2/1.2", "\t7", "\r")
TASKS = [("group", "straight"), ("canon", "straight"), ("canon", "pattern-first"),
         ("canon", "solution-carried"), ("solve", "straight")]  # fmt: skip


SEEDS = st.integers(0, 1 << 30)  # of lists, which are too long to be printed


def mixed(seed: int) -> list[str]:
    """Some runs of plain lines, longer than a block or shorter, with odd lines between them."""
    rng = random.Random(seed)
    found = []
    for run in rng.choices([0, 1, 3, 99, 100, 101, 230], k=rng.randrange(5)):
        blank, end, odd = rng.choice(BLANKS), rng.choice(ENDS), rng.random() < 0.5
        for _ in range(run):
            each = rng.choice(BLANKS) if odd and rng.random() < 0.1 else blank
            found.append(rng.choice(PLAIN).replace(".", each) + end)
        found += [rng.choice(ODD) + rng.choice(ENDS[:3]) for _ in range(rng.randrange(3))]
    return found


@cache
def alone(line: str, task: str, convention: str, *, first: bool) -> slow.Answer:
    return slow.answer(line, task, convention, first=first)


def each(lines: list[str], how: tuple[str, str], before: int) -> list[slow.Answer]:
    return [alone(line, *how, first=before + i == 0) for i, line in enumerate(lines)]


def asked(lines: list[str], before: int, task: str, convention: str, **more: Any) -> Any:
    options = {"lines": lines, "before": before, "task": task, "convention": convention, **more}
    return service.run({"desk": "sudoku", "want": "group", "options": options})


@pytest.mark.parametrize("how", TASKS)
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS)
def test_lines_that_come_as_one_text_are_answered_alike_by_one_and_by_several(
    how: tuple[str, str], seed: int
) -> None:
    lines = [line.rstrip("\n") for line in mixed(seed)] or [PUZZLE]
    task, convention = how
    options = {"text": "\n".join(lines), "task": task, "convention": convention, "before": 3}
    request = {"desk": "sudoku", "want": "group", "options": options}
    found = asked(lines, 3, task, convention)
    assert service.run(request) == found
    shared = finish(service.outcome(service.parse_request(request), ParallelContext(InProcess())))
    assert service.to_plain(shared.result) == found


@pytest.mark.parametrize("spoilt", ["", "11" + "." * 79, "." * 80, "é" * 81, f"{PUZZLE} x"])
@pytest.mark.parametrize("how", TASKS)
def test_a_block_of_plain_boards_is_answered_as_its_lines_are(how: Any, spoilt: str) -> None:
    plain = [line for seed in range(4) for line in mixed(seed) if answers.plain_boards([line])]
    lines = [line[:81] for line in plain] + [spoilt] * bool(spoilt)
    expected = asked(lines, 0, *how)
    found = asked([], 0, *how, text="\n".join(lines), joined=True)
    texts = found["text"].split("\n")
    if how[0] == "group":
        numbers, firsts = ClassNumbering().numbers(pack_keys(found["text"]))
        assert (numbers, firsts) == (expected["classes"], expected["firsts"])
    else:
        assert texts == expected["answers"]
    assert found["bad"] == expected["bad"]


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=81 * 7))
def test_keys_are_those_of_the_library(data: bytes) -> None:
    boards = [data[at : at + 81].ljust(81, b"\0") for at in range(0, len(data), 81)]
    expected = [hashlib.blake2b(board, digest_size=16).hexdigest() for board in boards]
    assert minlex.keys(b"".join(boards), len(boards)).split() == expected


@pytest.mark.parametrize("how", TASKS)
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, before=st.sampled_from([0, 7]))
def test_a_list_is_answered_as_each_of_its_lines_would_be(how: Any, seed: int, before: int) -> None:
    lines = mixed(seed)
    texts, problems = finish(answers.answers(lines, before, NINE, *how))
    single = each(lines, how, before)
    assert texts == [one.text for one in single]
    expected = [(i, one.column, one.problem) for i, one in enumerate(single) if one.problem]
    assert problems == expected


@pytest.mark.parametrize("how", TASKS)
@pytest.mark.parametrize("form", ["lines", "unique", "json", "unique json"])
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, cut=st.integers(1, 150))
def test_what_the_terminal_writes_is_what_it_would_line_by_line(
    how: Any, form: str, seed: int, cut: int
) -> None:
    lines = mixed(seed)
    unique, as_json = "unique" in form and how[0] == "group", "json" in form
    written, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(errors):
        out = ResultWriter(how[0], unique=unique, as_json=as_json)
        for at in range(0, len(lines), cut):
            some = lines[at : at + cut]
            text = "".join(line.rstrip("\r\n") + "\n" for line in some)
            out.piece(text, len(some), asked(some, at, *how, joined=True))
        out.end()
    expected = slow.printed(lines, each(lines, how, 0), how[0], unique=unique, as_json=as_json)
    assert (written.getvalue(), errors.getvalue()) == expected


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.sampled_from(ENDS))
def test_boards_that_are_read_at_once_are_those_that_are_read_one_by_one(
    seed: int, end: str
) -> None:
    rng = random.Random(seed)
    lines = ["".join(rng.choices("123456789" + BLANKS, k=81)) + end for _ in range(30)]
    found = answers.plain_boards(lines)
    read = [read_list_line(line, NINE).board or "" for line in lines]
    boards = b"".join(read_cells(board, NINE) for board in read)
    assert found == boards
    dotted = "\n".join(rng.choices(PUZZLES, k=30))
    text = bytearray(ord(rng.choice(BLANKS)) if c == "." else ord(c) for c in dotted)
    expected = minlex.answer_lines(dotted.encode(), 30, "straight", keyed=False)
    assert expected == minlex.answer_lines(text, 30, "straight", keyed=False) is not None
    text[82 * rng.randrange(29) + rng.choice((81, rng.randrange(81)))] = rng.choice(b"/:;\x80 ")
    assert minlex.answer_lines(text, 30, "straight", keyed=False) is None


BOARDS = int(os.environ.get("CLUEWISE_BOARDS", "100000"))  # of the long test


def edited(cells: Cells, rng: random.Random, count: int) -> Cells:
    """The board with `count` cells given, taken away or given another symbol, still legal."""
    for _ in range(1000):
        board = bytearray(cells)
        for at in rng.sample(range(81), count):
            now = board[at]
            if now == 0 and rng.random() < 0.7:
                continue
            board[at] = rng.choice([d for d in range(10) if d != now])
        changed = sum(x != y for x, y in zip(board, cells, strict=True))
        if changed == count and not conflict(bytes(board), NINE):
            return bytes(board)
    raise AssertionError("no such edit was found")


def puzzles(count: int, seed: int) -> list[Cells]:
    """Random minimal puzzles, and every third with some givens more."""
    rng = random.Random(seed)
    data, _ = random_boards.minimal(random_boards.grids(count, rng), count, rng)
    found, _ = solve_nine(data, count)
    out = minlex.split(data)
    for i in range(0, count, 3):
        solution, board = found[162 * i : 162 * i + 81], bytearray(out[i])
        for at in rng.sample(range(81), rng.randrange(40)):
            board[at] = solution[at]
        out[i] = bytes(board)
    return out


def sparse(count: int, seed: int) -> list[Cells]:
    """Boards of a few givens: many symmetries, empty lines, equal lines."""
    rng, out = random.Random(seed), []
    for _ in range(count):
        board = bytearray(81)
        for at in rng.sample(range(81), rng.randrange(9)):
            board[at] = rng.randint(1, 4)
            if conflict(bytes(board), NINE):
                board[at] = 0
        out.append(bytes(board))
    return out


def planted(boards: list[Cells], seed: int) -> tuple[list[Cells], set[tuple[int, int]]]:
    """Boards, disguised copies of some with one or two edits behind them, and the pairs."""
    rng, out, placed = random.Random(seed), list(boards), set[tuple[int, int]]()
    for i in rng.sample(range(len(boards)), max(1, len(boards) // 10)):
        placed.add((i, len(out)))
        out.append(disguised(edited(boards[i], rng, rng.randint(1, 2)), rng))
    return out, placed


def least(texts: Iterable[str]) -> list[str]:
    cells = [read_cells(text, NINE) for text in texts]
    whole = minlex.puzzle_forms(b"".join(cells), len(cells), "straight")[0]
    return [write_cells(piece) for piece in minlex.split(whole)]


def between(a: Cells, b: Cells) -> near_duplicates.Pair | None:
    found = finish(near_duplicates.near_pairs([a, b], 2))
    assert not found.unsettled
    return found.pairs[0] if found.pairs else None


def test_edits_between_two_boards_are_those_of_trying_every_transform() -> None:
    rng = random.Random(11)
    for k, a in enumerate([*puzzles(30, 1), *sparse(60, 2)]):
        b = disguised(edited(a, rng, k % 4), rng)
        truth = slow.edits(write_cells(a), write_cells(b), 2)
        found = between(a, b)
        assert truth <= k % 4
        assert (found.edits if found else 3) == truth
        if found:
            moved = apply(found.transform, a)
            assert sum(x != y for x, y in zip(moved, b, strict=True)) == truth


@pytest.mark.parametrize("most", [0, 1, 2])
def test_pairs_of_a_list_are_those_of_comparing_all(most: int) -> None:
    boards, placed = planted([*puzzles(60, 3), *sparse(12, 4)], 6)
    texts = [write_cells(b) for b in boards]
    found = finish(near_duplicates.near_pairs(boards, most))
    assert not found.unsettled
    assert {p[:3] for p in found.pairs} == slow.near_pairs(texts, most, least)
    if most == 2:
        assert placed <= {p[:2] for p in found.pairs}
    for p in found.pairs:
        moved = apply(p.transform, boards[p.first])
        assert sum(x != y for x, y in zip(moved, boards[p.second], strict=True)) == p.edits


@pytest.mark.long
def test_planted_edits_in_a_hundred_thousand_boards_are_all_found_and_none_is_false() -> None:
    boards, placed = planted(puzzles(BOARDS * 91 // 100, 21), 22)
    assert len(boards) >= BOARDS
    found = finish(near_duplicates.near_pairs(boards, 2))
    assert not found.unsettled
    assert placed <= {p[:2] for p in found.pairs}
    half = BOARDS // 2  # all of them puzzles, none planted
    alike = minlex.puzzle_forms(b"".join(boards[:half]), half, "straight")[0]
    assert len(set(minlex.split(alike))) == half
    assert not [p for p in found.pairs if p.edits == 0 and p[:2] not in placed]


FAMILY = (
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    "123456789456789123789123456231564978564897312897231645312645897645978231978312564",
)


@pytest.mark.parametrize("text", FAMILY)
def test_puzzles_of_one_grid_are_compared_over_all_its_automorphisms(text: str) -> None:
    rng = random.Random(text)
    (grid,) = minlex.split(minlex.minlex(read_cells(text, NINE), 1)[0])
    kept = [set(rng.sample(range(81), 30)) for _ in range(12)]
    boards = [bytes(d if i in these else 0 for i, d in enumerate(grid)) for these in kept]
    masks, maps = list(map(near_duplicates.mask_of, boards)), minlex.minlex_map_bytes(grid)[1]
    automorphisms = minlex.minlex_maps(grid)[1]
    assert len(automorphisms) > 1
    for i, board in enumerate(boards):
        images = [apply(t, board) for t in automorphisms]
        for k, (off, which) in enumerate(near_duplicates.mask_distances(masks[i], masks, maps)):
            counts = [sum((x > 0) != (y > 0) for x, y in zip(image, boards[k], strict=True))
                      for image in images]  # fmt: skip
            assert (off, counts[which]) == (min(counts), min(counts))
