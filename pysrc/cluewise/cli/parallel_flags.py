"""The flags `--jobs`, `--cluster` and `--resume`: where parallel tasks run, and their result cache.

    cluewise mines rate FOLDER --jobs 4
    cluewise mines rate FOLDER --cluster tcp://127.0.0.1:8786 --resume rated.sqlite

The answers do not depend on where the tasks run.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from cluewise import service
from cluewise.cli.drive import Show, finished, print_result
from cluewise.core.work import Backend
from cluewise.errors import BadOption
from cluewise.parallel.pool import DaskCluster, InProcess, ProcessPool
from cluewise.parallel.tasks import ParallelContext

EACH = 4  # tasks per process at least: starting one takes a tenth of a second

ParallelFlags = dict[str, Any]  # the values of the three flags by name
_JOBS = Annotated[
    int | None, typer.Option("--jobs", help="Number of processes for folders and long work.", min=1)
]
_CLUSTER = Annotated[
    str | None, typer.Option("--cluster", help="Run the work on a Dask cluster: tcp://HOST:PORT.")
]
_RESUME = Annotated[
    Path | None,
    typer.Option("--resume", help="Store finished results in this file and reuse them."),
]


def parameters() -> list[inspect.Parameter]:
    """Return the three flags as parameters of a command's signature."""
    kinds = {"jobs": _JOBS, "cluster": _CLUSTER, "resume": _RESUME}
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(n, keyword, default=None, annotation=k) for n, k in kinds.items()]


def with_parallel_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter `parallel` of a typer command, which gets the values, by the flags."""

    @wraps(command)
    def wrapped(**given: Any) -> None:
        parallel = pop_parallel_flags(given)
        command(**given, parallel=parallel)

    signature = inspect.signature(command, eval_str=True)
    own = [
        part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in signature.parameters.values()
    ]
    at = [part.name for part in own].index("parallel")
    own[at : at + 1] = parameters()
    wrapped.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]  # read by typer
    wrapped.__annotations__ = {part.name: part.annotation for part in own}
    return wrapped


@contextmanager
def workers(
    tasks: int, jobs: int | None = None, cluster: str | None = None, resume: Path | None = None
) -> Iterator[ParallelContext]:
    """`with workers(len(files), jobs=4) as context:` opens the workers and the cache of the flags.

    Without `jobs`: up to all cores for many tasks, this process for a few.
    """
    if jobs is not None and cluster is not None:
        raise BadOption("Use either --jobs or --cluster, not both.", "--cluster")
    with ExitStack() as stack:
        cache = None
        if resume is not None:
            from cluewise.parallel.cache import SqliteResultCache  # sqlite3 is only needed here

            cache = stack.enter_context(SqliteResultCache(resume))
        yield ParallelContext(_backend(tasks, jobs, cluster), cache)


def run_parallel(asked: service.Request, as_json: bool, show: Show | None, **flags: Any) -> None:
    """Run a verb with parallel tasks and print its answer; `flags` are the three flags."""
    assert asked.verb.tasks is not None
    with workers(asked.verb.tasks(asked.position, asked.options), **flags) as context:
        print_result(
            asked.position, finished(service.outcome(asked, context)).result, as_json, show
        )


def _backend(tasks: int, jobs: int | None, cluster: str | None) -> Backend:
    if cluster is not None:
        try:
            import distributed  # noqa: F401 - reported before the first task starts
        except ImportError:
            message = "--cluster needs an extra package: python -m pip install 'cluewise[cluster]'."
            raise BadOption(message, "--cluster") from None
        return DaskCluster(cluster)
    most = jobs if jobs is not None else min(os.cpu_count() or 1, tasks // EACH)
    return ProcessPool(min(most, tasks)) if min(most, tasks) > 1 else InProcess()


def pop_parallel_flags(flags: dict[str, Any]) -> ParallelFlags:
    """Remove the three flags from a command's values and return them."""
    return {name: flags.pop(name, None) for name in ("jobs", "cluster", "resume")}
