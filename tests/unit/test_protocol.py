"""The worker's Python half, stepped as the page's worker steps it, and the types made from it."""

import json
from array import array
from collections.abc import Generator
from typing import Any

import pytest

from cluewise import desks, service
from cluewise.browser import worker
from cluewise.core.work import Progress, ResultWithArrays
from cluewise.errors import TooLarge
from wasm_build.codegen import page_types

SMALL = {"rules": {"pegs": 2, "colours": 3}}


def ask(**fields: Any) -> str:
    """An `Ask` as the page sends it."""
    return json.dumps({"type": "ask", "id": 7, "desk": "code", "want": "remaining", **fields})


def ended(jobs: worker.JobRunner, number: int) -> dict[str, Any]:
    """The message that ends the job; what comes before is progress."""
    while True:
        text = jobs.step(number)
        message = json.loads(text) if text else {"type": "progress"}
        if message["type"] != "progress":
            return dict(message)


def job_of(
    monkeypatch: pytest.MonkeyPatch, steps: Generator[Progress, None, ResultWithArrays]
) -> worker.JobRunner:
    """Jobs with one, number 7, that runs these steps."""
    monkeypatch.setattr(service, "start", lambda request: steps)
    jobs = worker.JobRunner()
    jobs.begin(ask())
    return jobs


def test_the_committed_types_are_those_that_python_gives() -> None:
    there = {p.name: p.read_text() for p in page_types.TARGET.glob("*.*")}
    assert there == page_types.all_types(), "run python -m wasm_build.codegen.page_types"


def test_every_verb_of_every_desk_has_types_for_its_options_and_result() -> None:
    for name in desks.available():
        text = page_types.desk_types(name)
        for verb in desks.load(name).verbs:
            title = "".join(word.capitalize() for word in verb.name.split("_"))
            for part in (f"{title}Options", f"{title}Result"):
                assert f"interface {part} " in text or f"type {part} = " in text


def test_a_question_ends_with_its_result() -> None:
    jobs = worker.JobRunner()
    number = jobs.begin(ask(position=SMALL))
    message = ended(jobs, number)
    assert (message["type"], message["id"], message["result"]["count"]) == ("result", 7, 9)


def test_a_text_that_is_given_as_bytes_is_answered_as_bytes() -> None:
    jobs = worker.JobRunner()
    given = b"1" + b"." * 80
    jobs.text_buffer(len(given))[:] = array("B", given)
    options = {"task": "canon", "joined": True}
    message = ended(jobs, jobs.begin(ask(desk="sudoku", want="group", options=options)))
    assert (message["result"]["text"], message["result"]["bad"]) == ("", [])
    assert jobs.arrays(7)["text"].tobytes() == b"." * 80 + b"1"


def test_a_bad_position_ends_with_a_fault_and_its_place() -> None:
    jobs = worker.JobRunner()
    message = ended(jobs, jobs.begin(ask(position={"rules": {"pegs": 99}})))
    assert message["type"] == "fault"
    assert message["kind"] == "bad_position"
    assert message["where"].startswith("$.position.rules")


def test_a_named_error_in_the_middle_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays]:
        yield Progress(0, 1)
        raise TooLarge("Too many.", "$.position")

    assert ended(job_of(monkeypatch, steps()), 7)["kind"] == "too_large"


def test_a_mistake_of_ours_is_a_fault_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays]:
        yield Progress(0, 1)
        raise ZeroDivisionError("of ours")

    message = ended(job_of(monkeypatch, steps()), 7)
    assert message["kind"] == "internal"
    assert "ZeroDivisionError" in message["message"]


def test_cancel_closes_the_job_and_answers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    def steps() -> Generator[Progress, None, ResultWithArrays]:
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


def test_a_best_result_between_two_reports_is_told_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays]:
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
    told = json.loads(jobs.step(7) or "")
    assert (told["done"], told["best"]) == (3, "good")
    assert ended(jobs, 7)["result"] == "done"


def test_arrays_stay_out_of_the_json_and_are_handed_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def steps() -> Generator[Progress, None, ResultWithArrays]:
        yield Progress(0, 1)
        return ResultWithArrays({"n": 1}, {"cells": b"abc"})

    jobs = job_of(monkeypatch, steps())
    assert ended(jobs, 7) == {"type": "result", "id": 7, "result": {"n": 1}}
    assert jobs.arrays(7) == {"cells": b"abc"}
    assert jobs.arrays(7) == {}


def test_a_desk_is_made_ready_by_name_and_any_other_name_is_let_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(desks, "load", loaded.append)
    jobs = worker.JobRunner()
    for name in ("sudoku", "chess", "../x", ""):
        jobs.prepare(name)
    assert loaded == ["sudoku"]
