"""Runs a job in a terminal, with a progress bar after a second and a clean end on Ctrl-C.

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
Show = Callable[[Any, Any], Any]  # (position, result struct) -> rich renderable
PATIENCE = 1.0  # seconds before a bar appears

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def run_with_progress_bar(job: Generator[Progress, None, R]) -> tuple[R | None, object | None]:
    """Return the job's result and None; after Ctrl-C None and the best result so far."""
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
    """Return a progress bar on standard error that disappears when it stops."""
    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(), console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    bar.add_task("working", total=None)
    bar.start()
    return bar


def finished(job: Generator[Progress, None, R]) -> R:
    """Return the job's result, with a bar; raises `Stopped` after Ctrl-C."""
    result, best = run_with_progress_bar(job)
    if result is None and best is not None:
        raise Stopped("Stopped.")
    return result  # type: ignore[return-value]  # the job was not stopped


def request(desk: str, want: str, position: object = None, **options: object) -> service.Request:
    """Return a parsed request: `request("mines", "rate", puzzle, cap=True)`."""
    return service.parse_request(
        {"desk": desk, "want": want, "position": position, "options": options}
    )


def ask(desk: str, want: str, position: object = None, **options: object) -> Any:
    """Return the service's answer as the verb's struct, with a bar if it takes long."""
    return finished(service.outcome(request(desk, want, position, **options))).result


def answer(asked: service.Request, as_json: bool, show: Show | None) -> None:
    """Run a request and print its result as a table or as one JSON document."""
    found, best = run_with_progress_bar(service.outcome(asked))
    if found is not None:
        print_result(asked.position, found.result, as_json, show)
        return
    if isinstance(best, Stopped):
        fail(best, as_json)
    print_result(asked.position, best, as_json, show)
    fail(Stopped("Stopped. This is the best result so far."), as_json)


def print_result(position: Any, result: Any, as_json: bool, show: Show | None) -> None:
    """Print a result as one JSON document or as the desk's table."""
    if as_json:
        print_json(service.to_plain(result))
    elif show is None:
        out.print_json(json.dumps(service.to_plain(result)))
    else:
        # no_wrap texts are not cut in a narrow terminal
        out.print(show(position, result), crop=False)


def print_position(position: Any) -> None:
    """Print a position with its desk as one JSON document."""
    print_json({"desk": position.desk, "v": position.v, **service.to_plain(position)})


def print_json(value: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def fail(problem: CluewiseError, as_json: bool) -> NoReturn:
    """Print an error to standard error and exit with its status."""
    if as_json:
        typer.echo(json.dumps({"error": document(problem)}, ensure_ascii=False), err=True)
    else:
        where = document(problem)["where"]
        place = "" if where == "$" else f" (at {where})"
        typer.echo(problem.message + place, err=True)
    raise typer.Exit(problem.exit_status)


def document(problem: CluewiseError) -> dict[str, str]:
    """Return an error as plain values: `{"kind", "message", "where"}`.

    Paths are relative to the position, since that is the input: `$.clues[0].guess`.
    """
    where = problem.where.replace("$.position", "$", 1)
    return {"kind": problem.kind, "message": problem.message, "where": where}
