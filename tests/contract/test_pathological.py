"""No text makes a reader think for long: what is read is read in one pass, whatever it repeats."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from cluewise import desks, links, service
from cluewise.errors import BadLink, CluewiseError
from contract import fuzz

FUZZING = fuzz.MUTATIONS >= 10_000
LENGTH = 500_000 if FUZZING else 40_000  # characters
TRIED = 10**6 if FUZZING else 60  # texts a door
# Seconds of this process alone, for one text; a pattern that tries everything needs minutes.
LIMIT = 20.0 if FUZZING else 8.0


@contextmanager
def limited(what: str) -> Iterator[None]:
    """Fails if a reader is still at it after LIMIT."""

    def hung(*_: object) -> None:
        raise TimeoutError(f"still reading after {LIMIT} s: {what[:60]!r}")

    before = signal.signal(signal.SIGVTALRM, hung)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def some(seed: int) -> list[str]:
    every = list(texts(LENGTH))
    return random.Random(seed).sample(every, min(TRIED, len(every)))


def doors() -> Iterator[tuple[str, str, str, bool]]:
    """Desk, verb and option of everything that takes a text or a list of texts."""
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


@pytest.mark.parametrize(("desk", "want", "option", "many"), list(doors()))
def test_every_option_that_is_a_text_is_read_in_one_pass(
    desk: str, want: str, option: str, many: bool
) -> None:
    position = fuzz.BASES[desk][0]
    for text in some(34):
        value: Any = text.split("\n")[:100_000] if many else text
        request = {"desk": desk, "want": want, "position": position, "options": {option: value}}
        with limited(text):
            said = refusal(request)
        assert len(said) < 1000, "a sentence does not quote a whole file"


def refusal(request: dict[str, Any]) -> str:
    """What the request is refused with; "" for one that is answered, or long under way."""
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


def test_links_are_read_in_one_pass() -> None:
    for text in some(35):
        for whole in (text, f"#/code/1/{text}", f"https://a.org/{text}#/code/1/abc"):
            with limited(whole), pytest.raises(BadLink):
                links.decode(whole)


@pytest.mark.parametrize("desk", desks.available())
def test_names_and_texts_in_a_position_are_checked_in_one_pass(desk: str) -> None:
    base = fuzz.BASES[desk][0]
    for text in some(36)[:40]:
        for key in (*base, text[:1000]):
            with limited(text), pytest.raises(CluewiseError):
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
