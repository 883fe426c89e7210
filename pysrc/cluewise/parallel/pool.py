"""Task scheduler: runs tasks in this process, on all cores or on a Dask cluster, results in order.

>>> [done.value for done in run_tasks(pow, [(2, 3), (2, 4)], InProcess())]
[8, 16]

A task is the argument tuple of one call. Results are yielded in the order of the tasks, so they do
not depend on the workers. The number of tasks in flight is bounded (`max_in_flight`), so memory
does not grow with the list. A failed task is retried once; a second failure is reported as its
result and the others continue. Tasks of a worker that died run again.

A long function is a job (see `core.work`); the page's workers can stop it between steps. A task may
depend on earlier results: the iterator yields `None` while the next task is not yet known.

One file: backends and scheduler share the handling of lost workers.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cluewise.core.work import Backend, Pause, Progress, ResultCache, as_job
from cluewise.errors import HostFailure

MIN_PER_WORKER = 2  # tasks in flight: one running, one queued
PER_WORKER = 8  # … with few workers, so that a long task does not leave the others idle
MAX_AHEAD = 64  # … but for this reason at most that many in total
MAX_ATTEMPTS = 2
POLL_INTERVAL_S = 1.0  # seconds between checks whether the workers are alive
MAX_WORKER_CRASHES = 2  # crashes of workers with a task until it fails


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of a task, or its error after the last attempt.

    `number` counts tasks from 0. `cached`: the result comes from the cache.
    """

    number: int
    value: Any
    error: str = ""
    cached: bool = False


class CooperativeExecutor(Executor):
    """An executor in a process that must not block: the caller runs its jobs by `step`."""

    progress: Progress | None = None  # progress of the running task

    def step(self) -> bool:
        """Run a task for one step; return False if none is left for this process."""
        raise NotImplementedError


class InProcess(Backend):
    """Runs tasks in this process when they are submitted."""

    workers = 1

    def open(self) -> Executor:
        """Return an executor whose futures are done."""
        return _AtOnce()


class _AtOnce(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:
            future.set_exception(problem)
        return future


@dataclass(frozen=True, slots=True)
class ProcessPool(Backend):
    """Runs tasks in processes, each with its own kernel: `ProcessPool(4)`.

    The workers ignore Ctrl-C; the main process ends them.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)

    def open(self) -> Executor:
        """Return a pool of new processes."""
        # not available in the page, which never calls this
        from concurrent.futures import ProcessPoolExecutor

        ignore_sigint = (signal.SIGINT, signal.SIG_IGN)
        executor = ProcessPoolExecutor(self.workers, _context(), signal.signal, ignore_sigint)
        with _sigint_blocked():  # forks of this process, if any, start with the first task
            executor.submit(int)
        return executor

    def close(self, executor: Executor) -> None:
        """Terminate the processes.

        A process terminated while it writes leaves half a result in the pipe, and the pool would
        wait for the rest for ever. So the write end of the result pipe is closed here, and the pool
        reads the end of file. It closes the pipe of the calls itself; closing that one twice would
        race and could close another file.
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


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Let processes start that ignore Ctrl-C from the beginning; for this one it stays pending."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> Any:
    """Return the multiprocessing context: fork, a fork server with the package loaded, or spawn.

    Two forks of this process are ready after 0.02 s, two of the server after 0.24 s, but a lock
    held by another thread stays locked in a fork, so that is used only where there is no other.
    The server loads this process's modules while the first tasks are prepared.
    """
    import multiprocessing

    methods = multiprocessing.get_all_start_methods()
    if "fork" in methods and _count_threads() == 1:
        return multiprocessing.get_context("fork")
    if "forkserver" not in methods:  # Windows
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    loaded = [
        name for name in sys.modules if name.partition(".")[0] == __package__.partition(".")[0]
    ]
    context.set_forkserver_preload(loaded)
    with _sigint_blocked():
        forkserver.ensure_running()
    return context


def _count_threads() -> int:
    """Return the number of threads of this process, also of libraries; 0 if it is not known."""
    try:
        return len(os.listdir("/proc/self/task"))  # Linux
    except OSError:
        return 0


@dataclass(frozen=True, slots=True)
class DaskCluster(Backend):
    """A Dask cluster by its scheduler's address: `DaskCluster("tcp://127.0.0.1:8786")`.

    Its workers need Cluewise installed. Dask itself reruns the tasks of a worker that died. Tasks
    lost by a restart of the scheduler are submitted again.
    """

    address: str
    workers: int = 64  # tasks are small, so a few too many in flight cost little

    def open(self) -> Executor:
        """Return an executor of a client of that scheduler."""
        from distributed import Client  # the extra `cluster`

        connect: Any = Client  # it ships no types
        # pure=False: a retried task is a new one, not the cached failure
        executor: Executor = connect(self.address, timeout="10s").get_executor(pure=False)
        return executor

    def close(self, executor: Executor) -> None:
        """Disconnect; the scheduler drops tasks of this client only."""
        executor._client.close()  # type: ignore[attr-defined]  # distributed.cfexecutor has it

    def gone(self, executor: Executor) -> str:
        """Return an error once Dask has closed the client, 10 s after it lost the scheduler."""
        client: Any = executor._client  # type: ignore[attr-defined]
        if client.status not in ("closing", "closed"):
            return ""
        return f"The scheduler at {self.address} no longer answers."


@dataclass(slots=True)
class _Task:
    number: int
    arguments: tuple[Any, ...]
    key: str
    future: Future[Any] | None = None
    cached: bytes | None = None
    tries: int = 0
    deaths: int = 0


def max_in_flight(workers: int) -> int:
    """Return the number of tasks submitted and not yet yielded, by number of workers.

    >>> [max_in_flight(n) for n in (1, 2, 4, 64)]
    [2, 16, 32, 128]

    Results are yielded in order, so with two tasks per worker a long one soon leaves the others
    idle: two cores made puzzles 1.65 times as fast; with eight tasks per worker, 1.9 times.
    """
    if workers == 1:
        return MIN_PER_WORKER
    return max(MIN_PER_WORKER * workers, min(PER_WORKER * workers, MAX_AHEAD))


def run_tasks(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...] | None],
    backend: Backend,
    cache: ResultCache | None = None,
) -> Iterator[TaskResult]:
    """Yield the results of `function(*task)` for every task, in order.

    The function must be importable in another process and return JSON values. With a `cache`,
    stored results are reused and new ones stored. Closing the iterator, or Ctrl-C, ends the
    workers.
    """
    with closing(run_tasks_cooperatively(function, tasks, backend, cache)) as found:
        for done in found:
            if isinstance(done, TaskResult):
                yield done


def run_tasks_cooperatively(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...] | None],
    backend: Backend,
    cache: ResultCache | None = None,
) -> Generator[TaskResult | Pause, None, None]:
    """Like `run_tasks`, but yields a `Pause` instead of waiting."""
    scheduler = _Scheduler(function, backend, cache)
    try:
        yield from scheduler.run(iter(tasks))
    finally:
        scheduler.close()


def run_to_completion(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, or run a job to its end, and return the value.

    On a cluster, whose workers cannot be terminated, a job stops between two steps once its task
    has been cancelled.
    """
    needed = _cancellation_check()
    job = as_job(function, *arguments)
    with closing(job):
        while True:
            try:
                next(job)
            except StopIteration as stop:
                return stop.value
            if not needed():
                raise CancelledError


def _cancellation_check() -> Callable[[], bool]:
    """Return a function that tests whether the task is still needed (a cluster may cancel it)."""
    distributed: Any = sys.modules.get("distributed")
    if distributed is None:
        return lambda: True
    try:
        worker = distributed.get_worker()
        task = worker.state.tasks[worker.get_current_task()]
    except (AttributeError, LookupError, ValueError):  # no cluster, or another version of Dask
        return lambda: True
    return lambda: task.state not in ("cancelled", "released", "forgotten")


class _Scheduler:
    def __init__(
        self, function: Callable[..., Any], backend: Backend, cache: ResultCache | None
    ) -> None:
        self._function, self._backend, self._cache = function, backend, cache
        self._executor: Executor | None = None
        self._waiting: deque[_Task] = deque()

    def run(
        self, tasks: Iterator[tuple[Any, ...] | None]
    ) -> Generator[TaskResult | Pause, None, None]:
        number, more = 0, True
        while more or self._waiting:
            while more and len(self._waiting) < max_in_flight(self._backend.workers):
                try:
                    arguments = next(tasks)
                except StopIteration:
                    more = False
                    break
                if arguments is None:
                    assert self._waiting, "no result is pending that a task could depend on"
                    break
                self._take(number, arguments)
                number += 1
            if self._waiting:
                yield (yield from self._first())

    def close(self) -> None:
        """Shut down; results that are finished but not yet reported go to the cache first."""
        for task in self._waiting:
            if self._cache is not None and task.cached is None and _has_result(task):
                assert task.future is not None
                with suppress(HostFailure):  # a full disk was reported before
                    self._cache.put(task.key, msgspec.json.encode(task.future.result()))
        if self._executor is not None:
            with suppress(Exception):  # closing a broken pool may fail
                self._backend.close(self._executor)
            self._executor = None

    def _discard_executor(self) -> None:
        """Replace a broken pool later; its futures keep their results."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None

    def _take(self, number: int, arguments: tuple[Any, ...]) -> None:
        task = _Task(number, arguments, "")
        if self._cache is not None:
            task.key = cache_key(self._function, arguments)
            task.cached = self._cache.get(task.key)
        if task.cached is None:
            self._submit(task)
        self._waiting.append(task)

    def _submit(self, task: _Task) -> None:
        for _ in range(MAX_WORKER_CRASHES + 1):
            if self._executor is None:
                self._executor = self._backend.open()
            try:
                stepped = isinstance(self._executor, CooperativeExecutor)
                call = (self._function,) if stepped else (run_to_completion, self._function)
                task.future = self._executor.submit(*call, *task.arguments)
                return
            except BrokenExecutor:  # it broke after the last result
                self._discard_executor()
        raise BrokenExecutor("the workers crash as soon as they start")

    def _first(self) -> Generator[Pause, None, TaskResult]:
        """Return the result of the first waiting task, with retries."""
        task = self._waiting[0]
        while True:
            if task.cached is not None:
                self._waiting.popleft()
                return TaskResult(task.number, msgspec.json.decode(task.cached), cached=True)
            assert task.future is not None
            while isinstance(self._executor, CooperativeExecutor) and not task.future.done():
                idle = not self._executor.step()
                yield Pause(idle, self._executor.progress)
            try:
                value = self._result(task.future)
            except CancelledError:  # lost by a restarted scheduler, not counted as an attempt
                self._check_alive()
                self._submit(task)
            except BrokenExecutor:
                task.deaths += 1
                if task.deaths > MAX_WORKER_CRASHES:
                    return self._fail(task, "every worker that ran it crashed")
                self._resubmit_after_crash(alone=task.deaths == MAX_WORKER_CRASHES)
            except Exception as problem:
                task.tries += 1
                if task.tries == MAX_ATTEMPTS:
                    return self._fail(task, f"{type(problem).__name__}: {problem}")
                self._submit(task)
            else:
                if self._cache is not None:
                    self._cache.put(task.key, msgspec.json.encode(value))
                self._waiting.popleft()
                return TaskResult(task.number, value)

    def _result(self, future: Future[Any]) -> Any:
        while True:
            try:
                return future.result(POLL_INTERVAL_S)
            except TimeoutError:
                if future.done():
                    raise  # raised by the task itself
                self._check_alive()

    def _check_alive(self) -> None:
        """Raise HostFailure if the workers are lost."""
        why = self._backend.gone(self._executor) if self._executor is not None else ""
        if why:
            raise HostFailure(f"{why} Stored results are kept.")

    def _fail(self, task: _Task, why: str) -> TaskResult:
        self._waiting.popleft()
        return TaskResult(task.number, None, why)

    def _resubmit_after_crash(self, *, alone: bool) -> None:
        """Submit all tasks without a result to new workers; with `alone` the first one separately.

        A crashed worker breaks the whole pool, so the task that caused it is unknown until it runs
        alone.
        """
        self._discard_executor()
        lost = [p for p in self._waiting if p.cached is None and not _has_result(p)]
        self._submit(lost[0])
        if alone and lost[0].future is not None:
            with suppress(Exception):
                lost[0].future.result()
        for task in lost[1:]:
            self._submit(task)


def _has_result(task: _Task) -> bool:
    future = task.future
    if future is None or not future.done() or future.cancelled():
        return False
    return future.exception() is None


def cache_key(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """Return the key of a stored result: a hash of the function's name and its arguments."""
    name = f"{function.__module__}.{function.__qualname__}"
    return hashlib.sha256(msgspec.json.encode([name, arguments], order="sorted")).hexdigest()
