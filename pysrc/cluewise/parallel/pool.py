"""Many pieces of work on any executor: in this process, on all cores, on a cluster.

>>> [done.value for done in run_tasks(pow, [(2, 3), (2, 4)], InProcess())]
[8, 16]

A piece is the arguments of one call. Results come back in the order of the pieces, so the output
does not depend on which worker finished first. The number of tasks in flight
is bounded (`max_in_flight`), so an endless list takes no more memory than a short one. A piece that
fails is tried again, by another worker if there is one; one that fails twice is reported as failed
and the others go on. The pieces of a worker that dies run again.

A function that takes long is a job (see `core.work`), which a worker of the page can stop in the
middle; elsewhere it runs to its end.

What a piece is may follow from the result of others: in place of a piece, `None` says that there is
none before another result is back.

One file: who does the work, and who hands it out and must know what each of them can lose.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cluewise.core.executor import Crew, Shelf
from cluewise.core.work import Pause, Progress, as_job
from cluewise.errors import HostFailure

LEAST = 2  # pieces under way a worker: one at work, one waiting
AHEAD = 8  # … where few share the work: some to go on with while the first in line takes long
MOST = 64  # … but no more than that in all, for that reason
MAX_ATTEMPTS = 2
POLL_INTERVAL = 1.0  # seconds until somebody looks whether the others are still there
MAX_WORKER_CRASHES = 2  # workers that a piece may have taken with it before it is given up


@dataclass(frozen=True, slots=True)
class TaskResult:
    """A piece's result, or after its last try the sentence that says why there is none.

    `number` counts pieces from 0. `kept` says that the result came from the cache.
    """

    number: int
    value: Any
    error: str = ""
    kept: bool = False


class CooperativeExecutor(Executor):
    """An executor in a process that must not stand still: its `step` does some of the work.

    It is given jobs as they are, and steps them itself.
    """

    said: Progress | None = None  # by the piece at hand

    def step(self) -> bool:
        """Work for a moment; False if all there is has been taken by others."""
        raise NotImplementedError


class InProcess:
    """In this process, one piece after the other, at once when it is handed in."""

    workers = 1

    def open(self) -> Executor:
        """An executor whose futures are done."""
        return _AtOnce()

    def close(self, executor: Executor) -> None:
        """Nothing is under way."""

    def gone(self, executor: Executor) -> str:
        """It is where this is."""
        return ""


class _AtOnce(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:
            future.set_exception(problem)
        return future


@dataclass(frozen=True, slots=True)
class ProcessPool:
    """This machine's cores, each a process of its own with its own kernel: `ProcessPool(4)`.

    Ctrl-C is for the process that hands out the work: the workers do not hear it, they are ended.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)

    def open(self) -> Executor:
        """A pool of fresh processes."""
        # The page has none, and never comes here.
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(self.workers, _context(), _ignore_sigint)

    def close(self, executor: Executor) -> None:
        """End the processes; idle ones end by themselves.

        One that is ended while it writes leaves half a result, and the pool would wait for the
        other half until this process ends, and then for ever. So what only the processes use of
        that pipe is closed here as well: the pool finds the end, and closes the pipe of the calls
        itself (two that close the same pipe would race, and the later one may close another's).
        """
        processes = list((getattr(executor, "_processes", None) or {}).values())
        results = getattr(executor, "_result_queue", None)
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)
        writer = getattr(results, "_writer", None)
        if writer is not None:
            writer.close()

    def gone(self, executor: Executor) -> str:
        """A pool that broke says so itself, and a fresh one takes its place."""
        return ""


def _ignore_sigint() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _context() -> Any:
    """How processes are started: where the system can, by one that has loaded all before.

    It loads what is loaded here while this process prepares the first pieces; each worker is then
    a copy of it, and has nothing to load. A copy of this process itself would be as quick, but a
    lock that one of its threads holds would stay shut in the copy.
    """
    import multiprocessing

    if "forkserver" not in multiprocessing.get_all_start_methods():  # Windows
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    loaded = [
        name for name in sys.modules if name.partition(".")[0] == __package__.partition(".")[0]
    ]
    context.set_forkserver_preload(loaded)
    # It must not hear Ctrl-C either, from its very beginning; the signal waits for this process.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


@dataclass(frozen=True, slots=True)
class DaskCluster:
    """A Dask cluster by its scheduler's address: `DaskCluster("tcp://127.0.0.1:8786")`.

    Its workers need Cluewise installed. Pieces of a worker that dies are run again by Dask itself;
    where the scheduler is started anew at its address, those that it forgot are handed in again.
    """

    address: str
    workers: int = 64  # pieces are small; a few too many under way cost little

    def open(self) -> Executor:
        """An executor of a client of that scheduler."""
        from distributed import Client  # the extra `cluster`

        connect: Any = Client  # it ships no types
        # Not pure: a piece that is tried again is a new one, not the failure of the first.
        executor: Executor = connect(self.address, timeout="10s").get_executor(pure=False)
        return executor

    def close(self, executor: Executor) -> None:
        """Leave the cluster; the scheduler forgets what only this client wanted."""
        executor._client.close()  # type: ignore[attr-defined]  # distributed.cfexecutor has it

    def gone(self, executor: Executor) -> str:
        """Dask looks for a lost scheduler for ten seconds and then closes the client."""
        client: Any = executor._client  # type: ignore[attr-defined]
        if client.status not in ("closing", "closed"):
            return ""
        return f"The scheduler at {self.address} does not answer any more."


@dataclass(slots=True)
class _Task:
    number: int
    arguments: tuple[Any, ...]
    key: str
    future: Future[Any] | None = None
    kept: bytes | None = None
    tries: int = 0
    deaths: int = 0


def max_in_flight(workers: int) -> int:
    """The number of pieces that are submitted and not yet yielded.

    >>> [max_in_flight(n) for n in (1, 2, 4, 64)]
    [2, 16, 32, 128]

    Results come back in order. With two pieces a worker, one that takes long keeps all others
    idle soon: by the pieces' own times two cores made puzzles 1.65 times as fast, with eight 1.9.
    """
    if workers == 1:
        return LEAST
    return max(LEAST * workers, min(AHEAD * workers, MOST))


def run_tasks(
    function: Callable[..., Any],
    pieces: Iterable[tuple[Any, ...] | None],
    crew: Crew,
    shelf: Shelf | None = None,
) -> Iterator[TaskResult]:
    """`function(*piece)` for every piece, in order.

    The function is one that a fresh process can import, its results are values that JSON can hold.
    With a `shelf`, what is kept there is not worked out again, and what is worked out is kept
    there. Closing the iterator, or Ctrl-C, ends the workers.
    """
    with closing(run_tasks_cooperatively(function, pieces, crew, shelf)) as found:
        for done in found:
            if isinstance(done, TaskResult):
                yield done


def run_tasks_cooperatively(
    function: Callable[..., Any],
    pieces: Iterable[tuple[Any, ...] | None],
    crew: Crew,
    shelf: Shelf | None = None,
) -> Generator[TaskResult | Pause, None, None]:
    """The same with a `Pause` wherever a process that must not stand still has to wait."""
    foreman = _Scheduler(function, crew, shelf)
    try:
        yield from foreman.run(iter(pieces))
    finally:
        foreman.close()


def run_to_completion(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's value; a job's is that at its end.

    On a cluster a job ends between two steps when no one wants it any more: a worker there outlives
    who asked, and cannot be ended like a process of one's own.
    """
    wanted = _wanted()
    job = as_job(function, *arguments)
    with closing(job):
        while True:
            try:
                next(job)
            except StopIteration as stop:
                return stop.value
            if not wanted():
                raise CancelledError


def _wanted() -> Callable[[], bool]:
    """Whether this process is still to do what it does: a cluster's worker may be forbidden to."""
    distributed: Any = sys.modules.get("distributed")
    if distributed is None:
        return lambda: True
    try:
        worker = distributed.get_worker()
        task = worker.state.tasks[worker.get_current_task()]
    except (AttributeError, LookupError, ValueError):  # no worker of a cluster, or another version
        return lambda: True
    return lambda: task.state not in ("cancelled", "released", "forgotten")


class _Scheduler:
    def __init__(self, function: Callable[..., Any], crew: Crew, shelf: Shelf | None) -> None:
        self._function, self._crew, self._shelf = function, crew, shelf
        self._executor: Executor | None = None
        self._waiting: deque[_Task] = deque()

    def run(
        self, pieces: Iterator[tuple[Any, ...] | None]
    ) -> Generator[TaskResult | Pause, None, None]:
        number, more = 0, True
        while more or self._waiting:
            while more and len(self._waiting) < max_in_flight(self._crew.workers):
                try:
                    arguments = next(pieces)
                except StopIteration:
                    more = False
                    break
                if arguments is None:
                    assert self._waiting, "no result is on its way that a piece could wait for"
                    break
                self._take(number, arguments)
                number += 1
            if self._waiting:
                yield (yield from self._first())

    def close(self) -> None:
        """Shut down; results that are finished but not yet reported go to the cache first."""
        for piece in self._waiting:
            if self._shelf is not None and piece.kept is None and _has_result(piece):
                assert piece.future is not None
                with suppress(HostFailure):  # a full disk has been said, or no caller waits
                    self._shelf.put(piece.key, msgspec.json.encode(piece.future.result()))
        if self._executor is not None:
            with suppress(Exception):  # a pool that broke may not want to be closed
                self._crew.close(self._executor)
            self._executor = None

    def _discard_executor(self) -> None:
        """A broken pool ends its processes by itself, and its futures keep what they hold."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None

    def _take(self, number: int, arguments: tuple[Any, ...]) -> None:
        piece = _Task(number, arguments, "")
        if self._shelf is not None:
            piece.key = cache_key(self._function, arguments)
            piece.kept = self._shelf.get(piece.key)
        if piece.kept is None:
            self._submit(piece)
        self._waiting.append(piece)

    def _submit(self, piece: _Task) -> None:
        for _ in range(MAX_WORKER_CRASHES + 1):
            if self._executor is None:
                self._executor = self._crew.open()
            try:
                stepped = isinstance(self._executor, CooperativeExecutor)
                call = (self._function,) if stepped else (run_to_completion, self._function)
                piece.future = self._executor.submit(*call, *piece.arguments)
                return
            except BrokenExecutor:  # it died since the last piece came back
                self._discard_executor()
        raise BrokenExecutor("the workers die as soon as they are started")

    def _first(self) -> Generator[Pause, None, TaskResult]:
        """The first waiting piece's end; until it has one, it is tried again."""
        piece = self._waiting[0]
        while True:
            if piece.kept is not None:
                self._waiting.popleft()
                return TaskResult(piece.number, msgspec.json.decode(piece.kept), kept=True)
            assert piece.future is not None
            while isinstance(self._executor, CooperativeExecutor) and not piece.future.done():
                idle = not self._executor.step()
                yield Pause(idle, self._executor.said)
            try:
                value = self._result(piece.future)
            except CancelledError:  # forgotten by a scheduler that was lost, by no fault of its own
                self._check_alive()
                self._submit(piece)
            except BrokenExecutor:
                piece.deaths += 1
                if piece.deaths > MAX_WORKER_CRASHES:
                    return self._fail(piece, "every worker that took it died")
                self._resubmit_after_crash(alone=piece.deaths == MAX_WORKER_CRASHES)
            except Exception as problem:
                piece.tries += 1
                if piece.tries == MAX_ATTEMPTS:
                    return self._fail(piece, f"{type(problem).__name__}: {problem}")
                self._submit(piece)
            else:
                if self._shelf is not None:
                    self._shelf.put(piece.key, msgspec.json.encode(value))
                self._waiting.popleft()
                return TaskResult(piece.number, value)

    def _result(self, future: Future[Any]) -> Any:
        while True:
            try:
                return future.result(POLL_INTERVAL)
            except TimeoutError:
                if future.done():
                    raise  # the piece's own
                self._check_alive()

    def _check_alive(self) -> None:
        """HostFailure where nothing can come any more."""
        why = self._crew.gone(self._executor) if self._executor is not None else ""
        if why:
            raise HostFailure(f"{why} What was kept until then stays kept.")

    def _fail(self, piece: _Task, why: str) -> TaskResult:
        self._waiting.popleft()
        return TaskResult(piece.number, None, why)

    def _resubmit_after_crash(self, *, alone: bool) -> None:
        """Everything that has no result goes to fresh workers; the first piece alone if need be.

        A dead worker breaks the whole pool, so no one knows whose piece it was. Alone it shows.
        """
        self._discard_executor()
        lost = [p for p in self._waiting if p.kept is None and not _has_result(p)]
        self._submit(lost[0])
        if alone and lost[0].future is not None:
            with suppress(Exception):
                lost[0].future.result()
        for piece in lost[1:]:
            self._submit(piece)


def _has_result(piece: _Task) -> bool:
    future = piece.future
    if future is None or not future.done() or future.cancelled():
        return False
    return future.exception() is None


def cache_key(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """What a kept result is found by: a hash of the function's name and the arguments as JSON."""
    name = f"{function.__module__}.{function.__qualname__}"
    return hashlib.sha256(msgspec.json.encode([name, arguments], order="sorted")).hexdigest()
