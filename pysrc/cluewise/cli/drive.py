"""Driving a job in a terminal: a bar when it takes long, Ctrl-C that ends cleanly.

Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from typing import Any, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from cluewise import service
from cluewise.core.work import Progress
from cluewise.errors import CluewiseError, Stopped

R = TypeVar("R")
Show = Callable[[Any, Any], Any]  # a position and the struct of a result: what rich prints
PATIENCE = 1.0  # seconds before a bar appears

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def run_with_progress_bar(job: Generator[Progress, None, R]) -> tuple[R | None, object | None]:
    """The job's result and None; or, after Ctrl-C, None and the best that was found so far."""
    began, best, bar = time.monotonic(), None, None
    try:
        while True:
            step = next(job)
            best = step.best if step.best is not None else best
            if bar is None and time.monotonic() - began >= PATIENCE:
                bar = _bar()
            if bar is not None:
                note = step.note or "working"
                bar.update(bar.task_ids[0], completed=step.done, total=step.total, description=note)
    except StopIteration as stop:
        return stop.value, None
    except KeyboardInterrupt:
        job.close()
        return None, best if best is not None else Stopped("Stopped.")
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Bar:
    """A bar on standard error with the time that is left; gone when it stops."""
    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(), console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    bar.add_task("working", total=None)
    bar.start()
    return bar


def finished(job: Generator[Progress, None, R]) -> R:
    """The job's result under a bar; after Ctrl-C `Stopped`."""
    result, best = run_with_progress_bar(job)
    if result is None and best is not None:
        raise Stopped("Stopped.")
    return result  # type: ignore[return-value]  # a job that ended without being stopped


def request(desk: str, want: str, position: object = None, **options: object) -> service.Request:
    """A request that was understood: `request("mines", "rate", puzzle, cap=True)`."""
    return service.parse_request(
        {"desk": desk, "want": want, "position": position, "options": options}
    )


def ask(desk: str, want: str, position: object = None, **options: object) -> Any:
    """What the service answers, as the verb's own struct; under a bar if it takes long."""
    return finished(service.outcome(request(desk, want, position, **options))).result


def answer(asked: service.Request, as_json: bool, show: Show | None) -> None:
    """Run a request and print its result, for people or as one JSON document."""
    found, best = run_with_progress_bar(service.outcome(asked))
    if found is not None:
        print_result(asked.position, found.result, as_json, show)
        return
    if isinstance(best, Stopped):
        fail(best, as_json)
    print_result(asked.position, best, as_json, show)
    fail(Stopped("Stopped; this is the best found so far."), as_json)


def print_result(position: Any, result: Any, as_json: bool, show: Show | None) -> None:
    """One JSON document on standard output, or the desk's table."""
    if as_json:
        print_json(service.to_plain(result))
    elif show is None:
        out.print_json(json.dumps(service.to_plain(result)))
    else:
        # What a desk marks as one line stays one, however narrow the terminal.
        out.print(show(position, result), crop=False)


def print_position(position: Any) -> None:
    """A position as one JSON document that says its desk."""
    print_json({"desk": position.desk, "v": position.v, **service.to_plain(position)})


def print_json(value: Any) -> None:
    """One JSON document and nothing else."""
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def fail(problem: CluewiseError, as_json: bool) -> NoReturn:
    """Say what is wrong on standard error and end with the error's exit status."""
    if as_json:
        typer.echo(json.dumps({"error": document(problem)}, ensure_ascii=False), err=True)
    else:
        where = document(problem)["where"]
        place = "" if where == "$" else f" (at {where})"
        typer.echo(problem.message + place, err=True)
    raise typer.Exit(problem.exit_status)


def document(problem: CluewiseError) -> dict[str, str]:
    """An error as JSON has it: `{"kind", "message", "where"}`.

    What was given is the position, so places count from there: `$.clues[0].guess`.
    """
    where = problem.where.replace("$.position", "$", 1)
    return {"kind": problem.kind, "message": problem.message, "where": where}
