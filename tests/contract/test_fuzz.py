"""Whatever comes in, every verb of every desk gives a result or a named error with its place.

No text makes a reader think for long: what is read is read in one pass, whatever it repeats.
"""

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from cluewise import desks, links, service
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.errors import BadLink, CluewiseError
from cluewise.kernel import kernel
from contract import fuzz

EVERY = pytest.mark.parametrize("name", desks.available())
FUZZING = fuzz.MUTATIONS >= 10_000
LENGTH = 500_000 if FUZZING else 40_000  # characters
TRIED = 10**6 if FUZZING else 60  # texts a door
# Seconds of this process alone: for one request, whose slices aim at 0.05, only a hang takes longer
# on a slow machine; for one text a pattern that tries everything needs minutes.
REQUEST_LIMIT, TEXT_LIMIT = 60.0, 20.0 if FUZZING else 8.0


@contextmanager
def time_limit(what: object, seconds: float) -> Iterator[None]:
    """Fail if the request or reading takes longer than the limit."""

    def hung(*_: object) -> None:
        raise TimeoutError(f"no answer within {seconds} s: {what!s:.2000}")

    before = signal.signal(signal.SIGVTALRM, hung)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


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
def test_verbs_give_a_result_or_a_named_error_and_free_memory(name: str) -> None:
    dice = random.Random(20_261_120)
    known = fuzz.texts(name)
    if name == "sudoku":  # the table of grids' numbers is laid out once and stays
        service.run({"desk": name, "want": "grid", "options": {"number": 1}})
    free = kernel().free()
    ends: dict[str, int] = {}
    for _ in range(fuzz.MUTATIONS):
        asked = fuzz.request(name, known, dice)
        with time_limit(asked, REQUEST_LIMIT):
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
        with time_limit(text, REQUEST_LIMIT):
            try:
                desk.check(desk.from_text(text))
                read += 1
            except CluewiseError:
                continue
    assert read >= fuzz.MUTATIONS // 50


@EVERY
def test_mutated_links_give_a_position_or_a_message(name: str) -> None:
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


def test_constraints_in_a_link_are_read_or_refused_with_a_message() -> None:
    dice = random.Random(18)
    named = refused = 0
    for _ in range(fuzz.MUTATIONS):
        puzzle = fuzz.BEGUN["f-puzzle"]
        for _ in range(dice.randrange(4)):
            puzzle = fuzz.mutate(puzzle, dice)
        text = f"https://www.f-puzzles.com/?load={compress(json.dumps(puzzle))}"
        asked = {"desk": "sudoku", "want": "paste", "options": {"text": text, "same": True}}
        with time_limit(asked, REQUEST_LIMIT):
            found = service.run(asked)
        assert found["grids"] or found["bad"], puzzle
        named += any(found.get("constraints") or [])
        refused += bool(found["bad"])
        assert all(p["text"] for p in found["bad"]), puzzle
    assert named > fuzz.MUTATIONS // 4
    assert refused > fuzz.MUTATIONS // 20


def sample_texts(seed: int) -> list[str]:
    every = list(texts(LENGTH))
    return random.Random(seed).sample(every, min(TRIED, len(every)))


def text_options() -> Iterator[tuple[str, str, str, bool]]:
    """Yield desk, verb and option of every option that is a text or a list of texts."""
    for name in desks.available():
        for verb in desks.load(name).verbs:
            schema = msgspec.json.schema(verb.options)
            fields = schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
            for option, field in fields.items():
                for kind in field.get("anyOf", [field]):
                    items = kind.get("items") or {}
                    if kind.get("type") == "string" and "enum" not in kind:
                        yield name, verb.name, option, False
                    elif items is not True and items.get("type") == "string":
                        yield name, verb.name, option, True


@pytest.mark.parametrize(("desk", "want", "option", "many"), list(text_options()))
def test_text_options_are_read_in_linear_time(
    desk: str, want: str, option: str, many: bool
) -> None:
    position = fuzz.BASES[desk][0]
    for text in sample_texts(34):
        value: Any = text.split("\n")[:100_000] if many else text
        request = {"desk": desk, "want": want, "position": position, "options": {option: value}}
        with time_limit(text, TEXT_LIMIT):
            said = error_message(request)
        assert len(said) < 1000, "a sentence does not quote a whole file"


def error_message(request: dict[str, Any]) -> str:
    """Return the error of a request; "" if it has a result, or none within 200 slices."""
    job = service.start(request)
    try:
        for _ in range(200):
            next(job)
    except StopIteration:
        return ""
    except CluewiseError as problem:
        return problem.message
    finally:
        job.close()
    return ""


def test_links_are_read_in_linear_time() -> None:
    for text in sample_texts(35):
        for whole in (text, f"#/code/1/{text}", f"https://a.org/{text}#/code/1/abc"):
            with time_limit(whole, TEXT_LIMIT), pytest.raises(BadLink):
                links.decode(whole)


@pytest.mark.parametrize("desk", desks.available())
def test_texts_of_a_position_are_checked_in_linear_time(desk: str) -> None:
    base = fuzz.BASES[desk][0]
    for text in sample_texts(36)[:40]:
        for key in (*base, text[:1000]):
            with time_limit(text, TEXT_LIMIT), pytest.raises(CluewiseError):
                service.run({"desk": desk, "want": "doubt", "position": {**base, key: [text]}})


RUNS = [
    *("\n", " ", "\t", "\r\n", "\r", " \n", "\n ", "\u00a0", "\u2028"),
    *("0", "1", "9", "a", "A", "z", "½", "٣", "●", "○"),
    *(".", ",", ";", ":", "-", "_", "+", "=", "*", "#", "?", "!", "|", "&", "%", "~"),
    *("(", ")", "[", "]", "{", "}", "<", ">", "/", "\\", "'", '"'),
    *("0 ", "1,", "1, ", "1 2 ", "12,", "a ", "a.", "a-", "a=", "a/", "x=&", "-1 ", "1.5,", "1e9"),
    *("1\n", "12\n", "a\n", "0011 1A1B\n", "3121, 3445\n", "1 ?4 i5\n", "..#\n", ".*.\n", "[a]\n"),
    *("<a>", "<a ", "</", "<!--", "&lt;", "%20", "'\\", '"\\', "{ce:", '{"a":', "[["),
    *("http://", "http://a", "www.a.", "fpuz", "S9B", "#A\n", "row 1 ", "rows 1 ", "guess 1 "),
    *("ignored ", "1 a ", "1A", "i5 ", "?7 ", "+7 ", "|+7 ", "bwx", "— "),
]
STARTS = [
    *("", "<", "<!--", "'", '"', "(", "[", "{ce:", "1", "a", "-", "http://a.com/", "fpuz"),
    *("0011", "0011 1A1B", "3121, 3445", "1 ?4 i5 2x ? | +7", "..#\n.#.", "#/code/1/"),
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
]
SHORT = ["\n", " ", "0", "a", ".", "-", "(", ")", ",", "\\", "'", "=", "<", "a.", "1,"]


def texts(length: int) -> Iterator[str]:
    """Every text, of about that length: 380 of them."""
    for run in RUNS:
        yield run * (length // len(run))
    for start in STARTS:
        for run in SHORT:
            yield start + run * (length // len(run)) + "~"
    for end in STARTS[13:]:
        yield from (run * (length // len(run)) + end for run in SHORT)
