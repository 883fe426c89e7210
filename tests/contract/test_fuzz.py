"""Whatever comes in, every verb of every desk gives a result or a named error with its place."""

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cluewise import desks, links, service
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.errors import BadLink, CluewiseError
from cluewise.kernel import kernel
from contract import fuzz

EVERY = pytest.mark.parametrize("name", desks.available())
LIMIT = 60  # s for one slice; the aim is 0.05, this only tells a slow machine from a hang


@contextmanager
def limited(asked: dict[str, Any]) -> Iterator[None]:
    """Fails if one request goes on for ever."""

    def hung(*_: object) -> None:
        raise TimeoutError(f"no answer within {LIMIT} s: {asked}")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(asked: dict[str, Any], slices: int) -> CluewiseError | str:
    """`result`, `stopped` after so many slices, or the error."""
    job = service.start(asked)
    try:
        for _ in range(slices):
            next(job)
    except StopIteration:
        return "result"
    except CluewiseError as problem:
        return problem
    finally:
        job.close()
    return "stopped"


@EVERY
def test_every_verb_gives_a_result_or_a_named_error_and_its_memory_back(name: str) -> None:
    dice = random.Random(20_261_120)
    known = fuzz.texts(name)
    if name == "sudoku":  # the table of grids' numbers is laid out once and stays
        service.run({"desk": name, "want": "grid", "options": {"number": 1}})
    free = kernel().free()
    ends: dict[str, int] = {}
    for _ in range(fuzz.MUTATIONS):
        asked = fuzz.request(name, known, dice)
        with limited(asked):
            end = outcome(asked, dice.choice([1, 5, 20]))
        kind = end if isinstance(end, str) else end.kind
        ends[kind] = ends.get(kind, 0) + 1
        if not isinstance(end, str):
            assert end.message.endswith((".", "?")), (asked, end.message)
            assert end.where.startswith(("$", "line ")), (asked, end.where)
            assert end.kind != "host", (asked, end.message)
        assert kernel().free() == free, asked
    assert ends["result"] > fuzz.MUTATIONS // 20
    assert ends["bad_position"] > fuzz.MUTATIONS // 20


@EVERY
def test_mutated_texts_give_a_position_or_a_named_error(name: str) -> None:
    desk, dice, known = desks.load(name), random.Random(20_261_126), fuzz.texts(name)
    assert desk.from_text is not None
    read = 0
    for _ in range(fuzz.MUTATIONS):
        text = fuzz.text(known, dice)
        with limited({"desk": name, "text": text}):
            try:
                desk.check(desk.from_text(text))
                read += 1
            except CluewiseError:
                continue
    assert read >= fuzz.MUTATIONS // 50


@EVERY
def test_mutated_links_give_a_position_or_a_sentence(name: str) -> None:
    dice = random.Random(7)
    desk = desks.load(name)
    whole = [links.encode(service.read_position(desk, p)) for p in fuzz.POSITIONS[name]]
    refused = silent = 0
    for _ in range(fuzz.MUTATIONS):
        try:
            links.decode(fuzz.text(whole, dice))
        except BadLink as problem:
            refused += 1
            silent += not problem.message
    assert silent == 0
    assert refused > fuzz.MUTATIONS // 4


def test_lists_of_constraints_in_a_link_are_named_or_refused_in_words() -> None:
    dice = random.Random(18)
    named = refused = 0
    for _ in range(fuzz.MUTATIONS):
        puzzle = fuzz.BEGUN["f-puzzle"]
        for _ in range(dice.randrange(4)):
            puzzle = fuzz.mutated(puzzle, dice)
        text = f"https://www.f-puzzles.com/?load={compress(json.dumps(puzzle))}"
        asked = {"desk": "sudoku", "want": "paste", "options": {"text": text, "same": True}}
        with limited(asked):
            found = service.run(asked)
        assert found["grids"] or found["bad"], puzzle
        named += any(found.get("constraints") or [])
        refused += bool(found["bad"])
        assert all(p["text"] for p in found["bad"]), puzzle
    assert named > fuzz.MUTATIONS // 4
    assert refused > fuzz.MUTATIONS // 20
