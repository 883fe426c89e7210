"""The Python side of the page's workers: jobs stepped as the worker steps them, and the console.

Also the types of messages that are made from it.
"""

import ast
import asyncio
import json
from array import array
from collections.abc import Generator
from typing import Any

import pytest

from asking import vectors
from cluewise import desks, service
from cluewise.browser import worker
from cluewise.browser.console import LONGEST, ConsoleError, InteractiveConsole, help_text
from cluewise.core.work import Progress, ResultWithArrays
from cluewise.errors import TooLarge
from wasm_build.codegen import page_types

SMALL = {"rules": {"pegs": 2, "colours": 3}}


def ask(**fields: Any) -> str:
    """An `Ask` as the page sends it."""
    return json.dumps({"type": "ask", "id": 7, "desk": "code", "want": "remaining", **fields})


def run_to_end(jobs: worker.JobRunner, number: int) -> dict[str, Any]:
    """The message that ends the job; what comes before is progress."""
    while True:
        text = jobs.step(number)
        message = json.loads(text) if text else {"type": "progress"}
        if message["type"] != "progress":
            return dict(message)


def job_of(
    monkeypatch: pytest.MonkeyPatch, steps: Generator[Progress, None, ResultWithArrays[Any]]
) -> worker.JobRunner:
    """Jobs with one, number 7, that runs these steps."""
    monkeypatch.setattr(service, "start", lambda request: steps)
    jobs = worker.JobRunner()
    jobs.begin(ask())
    return jobs


def test_generated_types_are_up_to_date() -> None:
    there = {p.name: p.read_text() for p in page_types.TARGET.glob("*.*")}
    assert there == page_types.all_types(), "run python -m wasm_build.codegen.page_types"


def test_every_verb_has_types_of_options_and_result() -> None:
    for name in desks.available():
        text = page_types.desk_types(name)
        for verb in desks.load(name).verbs:
            title = "".join(word.capitalize() for word in verb.name.split("_"))
            for part in (f"{title}Options", f"{title}Result"):
                assert f"interface {part} " in text or f"type {part} = " in text


def test_request_ends_with_its_result() -> None:
    jobs = worker.JobRunner()
    number = jobs.begin(ask(position=SMALL))
    message = run_to_end(jobs, number)
    assert (message["type"], message["id"], message["result"]["count"]) == ("result", 7, 9)


def test_text_sent_as_bytes_is_answered_as_bytes() -> None:
    jobs = worker.JobRunner()
    given = b"1" + b"." * 80
    jobs.text_buffer(len(given))[:] = array("B", given)
    options = {"task": "canon", "joined": True}
    message = run_to_end(jobs, jobs.begin(ask(desk="sudoku", want="group", options=options)))
    assert (message["result"]["text"], message["result"]["bad"]) == ("", [])
    assert jobs.arrays(7)["text"].tobytes() == b"." * 80 + b"1"


def test_bad_position_ends_with_a_fault_and_its_path() -> None:
    jobs = worker.JobRunner()
    message = run_to_end(jobs, jobs.begin(ask(position={"rules": {"pegs": 99}})))
    assert message["type"] == "fault"
    assert message["kind"] == "bad_position"
    assert message["where"].startswith("$.position.rules")


def test_named_error_during_a_job_keeps_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays[Any]]:
        yield Progress(0, 1)
        raise TooLarge("Too many.", "$.position")

    assert run_to_end(job_of(monkeypatch, steps()), 7)["kind"] == "too_large"


def test_internal_error_is_a_fault_without_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays[Any]]:
        yield Progress(0, 1)
        raise ZeroDivisionError("of ours")

    message = run_to_end(job_of(monkeypatch, steps()), 7)
    assert message["kind"] == "internal"
    assert "ZeroDivisionError" in message["message"]


def test_cancel_closes_the_job_and_answers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    def steps() -> Generator[Progress, None, ResultWithArrays[Any]]:
        try:
            while True:
                yield Progress(0, None)
        finally:
            closed.append(True)

    jobs = job_of(monkeypatch, steps())
    jobs.step(7)
    text = jobs.cancel(7)
    assert text is not None
    assert json.loads(text)["kind"] == "stopped"
    assert closed == [True]
    assert jobs.cancel(7) is None


def test_best_result_between_reports_is_sent_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays[Any]]:
        yield Progress(1, 3)
        yield Progress(2, 3, best="good")
        yield Progress(3, 3)
        return ResultWithArrays("done", {})

    monkeypatch.setattr(worker, "TURN", 0.0)  # a step a turn
    jobs = job_of(monkeypatch, steps())
    monkeypatch.setattr(worker, "REPORT", 3600.0)
    assert jobs.step(7) is None
    assert jobs.step(7) is None
    monkeypatch.setattr(worker, "REPORT", -1.0)
    progress = json.loads(jobs.step(7) or "")
    assert (progress["done"], progress["best"]) == (3, "good")
    assert run_to_end(jobs, 7)["result"] == "done"


def test_arrays_are_not_in_the_json_and_are_returned_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays[Any]]:
        yield Progress(0, 1)
        return ResultWithArrays({"n": 1}, {"cells": b"abc"})

    jobs = job_of(monkeypatch, steps())
    assert run_to_end(jobs, 7) == {"type": "result", "id": 7, "result": {"n": 1}}
    assert jobs.arrays(7) == {"cells": b"abc"}
    assert jobs.arrays(7) == {}


def test_prepare_loads_a_desk_and_ignores_other_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(desks, "load", loaded.append)
    jobs = worker.JobRunner()
    for name in ("sudoku", "chess", "../x", ""):
        jobs.prepare(name)
    assert loaded == ["sudoku"]


CASES = vectors("cases")["console"]


def run(prompt: InteractiveConsole, source: str) -> str | None:
    return asyncio.run(prompt.run(source))


@pytest.mark.parametrize(
    ("source", "more"), CASES["enter runs what is complete and goes on with what is not"]
)
def test_complete_source_runs_and_incomplete_source_continues(source: str, more: bool) -> None:
    assert InteractiveConsole().wants_more(source) is more


def test_value_is_that_of_the_last_expression() -> None:
    prompt = InteractiveConsole({"six": 6})
    assert run(prompt, "seven = 7\nsix * seven") == "42"
    assert run(prompt, "_ + 1") == "43"
    assert run(prompt, "seven = 8") is None
    assert run(prompt, "None") is None
    assert run(prompt, "'text'") == "'text'"


def test_dictionaries_keep_their_order_over_several_lines() -> None:
    value = run(InteractiveConsole(), "{'zebra' * 9: 1, 'ape' * 15: 2}")
    assert value is not None
    assert value.index("zebra") < value.index("ape")
    assert "\n" in value


def test_large_values_are_formatted_over_lines() -> None:
    value = run(
        InteractiveConsole(),
        "{'list': list(range(40)), 'nested': {'name': 'x' * 60, 'more': 'y' * 20}}",
    )
    assert value is not None
    lines = value.split("\n")
    assert lines[0] == "{"
    assert lines[1] == "  'list': ["
    assert lines[2].startswith("    0, 1, 2, 3")
    assert lines[-2] == "  },"
    assert max(map(len, lines)) <= 88
    assert ast.literal_eval(value)["list"] == list(range(40))


def test_recursive_list_is_shown() -> None:
    assert "[...]" in (run(InteractiveConsole(), "x = ['y' * 90]\nx.append(x)\nx") or "")


def test_await_works_at_the_top_level() -> None:
    source = "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5\nawait f()"
    assert run(InteractiveConsole(), source) == "5"
    assert run(InteractiveConsole(), "import asyncio\nx = await asyncio.sleep(0, 9)\nx") == "9"


def test_traceback_shows_the_input_and_no_frames_of_the_console() -> None:
    prompt = InteractiveConsole()
    with pytest.raises(ConsoleError) as caught:
        run(prompt, "def half(n):\n    return n / 0\nhalf(3)")
    text = str(caught.value)
    assert text.startswith("Traceback")
    assert "ZeroDivisionError: division by zero" in text
    assert "return n / 0" in text
    assert "console.py" not in text


def test_traceback_shows_lines_of_earlier_inputs() -> None:
    prompt = InteractiveConsole()
    run(prompt, "def half(n):\n    return n / 0")
    with pytest.raises(ConsoleError, match="return n / 0"):
        run(prompt, "half(3)")


@pytest.mark.parametrize(("source", "said"), CASES["mistakes come back as text"])
def test_errors_are_returned_as_text(source: str, said: str) -> None:
    prompt = InteractiveConsole()
    with pytest.raises(ConsoleError, match=said):
        run(prompt, source)
    assert run(prompt, "1") == "1"


def test_long_value_is_truncated() -> None:
    value = run(InteractiveConsole(), "'x' * 1_000_000")
    assert value is not None
    assert len(value) < LONGEST + 100
    assert value.endswith("characters more")


def test_console_can_run_requests() -> None:
    import cluewise

    prompt = InteractiveConsole({"run": cluewise.run})
    asked = 'run({"desk": "code", "want": "remaining", "position": {}})["count"]'
    assert run(prompt, asked) == "1296"


def test_an_array_is_shown_as_a_table_with_its_shape_and_dtype() -> None:
    source = "import numpy as np; np.arange(6, dtype=np.uint8).reshape(2, 3)"
    assert asyncio.run(InteractiveConsole().run(source)) == "2×3 uint8\n[[0 1 2]\n [3 4 5]]"


def test_help_of_a_desk_lists_its_array_functions() -> None:
    last = help_text("sudoku").splitlines()[-1]
    assert last == "With numpy arrays, from cluewise.arrays: canon, keys, group, solve, number."
