"""Work in pieces: the same bytes wherever it is done, and nothing lost when something breaks."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from cluewise import service
from cluewise.cli import bulk
from cluewise.core.version import build_hash
from cluewise.core.work import Backend, finish
from cluewise.desks.sudoku.lists.output import ResultWriter
from cluewise.errors import BadInput, HostFailure
from cluewise.parallel.cache import SqliteResultCache
from cluewise.parallel.pool import (
    DaskCluster,
    InProcess,
    ProcessPool,
    TaskResult,
    max_in_flight,
    run_tasks,
)
from commands import ENVIRONMENT, interruptible
from parallel_tasks import (
    counted,
    dies_on_three,
    fails_on_three,
    fails_once,
    passes_when_open,
    square,
)
from selection import sample

TESTS = Path(__file__).resolve().parents[1]


class Machines:
    """A real scheduler and real workers of it, each a process of its own."""

    LOCAL = ("--host", "127.0.0.1", "--no-dashboard")

    def __init__(self, workers: int) -> None:
        self._processes: list[subprocess.Popen[str]] = []
        self._readers: list[threading.Thread] = []
        self.address = ""
        self.begin(workers)

    def begin(self, workers: int) -> None:
        """The scheduler, where it was if there was one, and its workers."""
        port = self.address.rpartition(":")[2] or "0"
        self.address = self._start("scheduler", "--port", port, until="Scheduler at: ")
        for _ in range(workers):
            plain = (self.address, "--nthreads", "1", "--no-nanny")
            self._start("worker", *plain, until="Registered to: ")

    def _start(self, kind: str, *arguments: str, until: str) -> str:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *self.LOCAL, *arguments],
            env=ENVIRONMENT, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._processes.append(process)
        assert process.stderr is not None
        giving_up = threading.Timer(90, process.kill)
        giving_up.start()
        for line in process.stderr:
            if until in line:
                giving_up.cancel()
                self._readers.append(threading.Thread(target=process.stderr.read, daemon=True))
                self._readers[-1].start()
                return line.rpartition(until)[2].split()[0]
        raise AssertionError(f"{kind} said nothing of {until!r}")

    def end(self) -> None:
        """All of them, at once."""
        for process in reversed(self._processes):
            process.kill()
            process.wait(timeout=30)
        for process, reader in zip(self._processes, self._readers, strict=True):
            reader.join(timeout=30)
            assert process.stderr is not None
            process.stderr.close()
        self._processes.clear()
        self._readers.clear()


@pytest.fixture
def machines() -> Iterator[Machines]:
    machines = Machines(2)
    yield machines
    machines.end()


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    machines = Machines(2)
    yield machines.address
    machines.end()


@pytest.fixture(params=["here", "cores", "cluster"])
def backend(request: pytest.FixtureRequest) -> Backend:
    if request.param == "cluster":
        return DaskCluster(request.getfixturevalue("cluster"))
    return InProcess() if request.param == "here" else ProcessPool(2)


def test_results_are_in_order_on_every_backend(backend: Backend) -> None:
    found = list(run_tasks(square, ((n,) for n in range(30)), backend))
    assert found == [TaskResult(n, [n * n, 0]) for n in range(30)]


def test_task_can_depend_on_earlier_results(backend: Backend) -> None:
    """`None` in the place of a piece: there is none before another result is back."""
    known = [2]

    def pieces() -> Iterator[tuple[int] | None]:
        for asked in range(4):
            while len(known) <= asked:
                yield None
            yield (known[asked],)

    known.extend(done.value[0] for done in run_tasks(square, pieces(), backend))
    assert known == [2, 4, 16, 256, 65_536]


def test_second_failure_is_reported_and_other_tasks_continue(backend: Backend) -> None:
    found = list(run_tasks(fails_on_three, ((n,) for n in range(6)), backend))
    assert [done.value for done in found] == [0, 1, 2, None, 4, 5]
    assert [done.error for done in found if done.error] == ["ValueError: three"]


def test_failed_task_is_retried(backend: Backend, tmp_path: Path) -> None:
    found = list(run_tasks(fails_once, ((n, str(tmp_path)) for n in range(6)), backend))
    assert found == [TaskResult(n, n) for n in range(6)]


def run_with_killed_worker(backend: Backend, folder: Path) -> list[TaskResult]:
    found = list(run_tasks(dies_on_three, ((n, str(folder), False) for n in range(12)), backend))
    assert (folder / "died").exists()
    return found


def test_tasks_of_a_killed_worker_are_rerun(tmp_path: Path) -> None:
    assert run_with_killed_worker(ProcessPool(2), tmp_path) == [TaskResult(n, n) for n in range(12)]


@pytest.mark.sampled(of="lost machines")
def test_tasks_of_a_killed_cluster_worker_are_rerun(machines: Machines, tmp_path: Path) -> None:
    found = run_with_killed_worker(DaskCluster(machines.address), tmp_path)
    assert found == [TaskResult(n, n) for n in range(12)]


@pytest.mark.sampled(of="lost machines")
def test_lost_cluster_scheduler_is_reported_and_results_stay_cached(
    machines: Machines, tmp_path: Path
) -> None:
    (tmp_path / "shut").touch()
    pieces = [(n, str(tmp_path)) for n in range(4)]
    with SqliteResultCache(tmp_path / "kept.sqlite") as cache:
        running = run_tasks(passes_when_open, iter(pieces), DaskCluster(machines.address), cache)
        assert next(running) == TaskResult(0, 0)
        machines.end()
        with pytest.raises(HostFailure, match=r"no longer answers\. Stored results"):
            next(running)
        (tmp_path / "shut").unlink()
        again = list(run_tasks(passes_when_open, iter(pieces), InProcess(), cache))
    assert again == [TaskResult(0, 0, cached=True), *(TaskResult(n, n) for n in range(1, 4))]


@pytest.mark.sampled(of="lost machines")
def test_restarted_cluster_scheduler_gets_the_lost_tasks_again(
    machines: Machines, tmp_path: Path
) -> None:
    (tmp_path / "shut").touch()
    pieces = ((n, str(tmp_path)) for n in range(6))
    running = run_tasks(passes_when_open, pieces, DaskCluster(machines.address))
    assert next(running) == TaskResult(0, 0)
    machines.end()
    (tmp_path / "shut").unlink()
    machines.begin(2)
    assert list(running) == [TaskResult(n, n) for n in range(1, 6)]


def test_task_that_crashes_every_worker_fails_and_others_continue(tmp_path: Path) -> None:
    pieces = ((n, str(tmp_path), True) for n in range(8))
    found = list(run_tasks(dies_on_three, pieces, ProcessPool(2)))
    assert [done.value for done in found] == [0, 1, 2, None, 4, 5, 6, 7]
    assert "crashed" in found[3].error


class _Dead(Executor):
    """Workers that die before they take anything up."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenExecutor("gone")

    def shutdown(self, *_: Any, **__: Any) -> None:
        return


class _Hopeless(Backend):
    """A backend of such workers."""

    workers = 2

    def open(self) -> Executor:
        return _Dead()


def test_workers_that_crash_at_their_start_are_given_up() -> None:
    with pytest.raises(BrokenExecutor, match="as soon as they start"):
        list(run_tasks(len, iter([("ab",), ("abc",)]), _Hopeless()))


def test_tasks_in_flight_are_bounded() -> None:
    taken: list[int] = []

    def endless() -> Iterator[tuple[int]]:
        for n in range(10**9):
            taken.append(n)
            yield (n,)

    work = run_tasks(square, endless(), InProcess())
    for _ in range(5):
        next(work)
    work.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(taken) <= 8


class Slow(Future[Any]):
    """A future without a result until `result()` is called, which first calls `asked`."""

    def __init__(self, asked: Callable[[], object]) -> None:
        super().__init__()
        self.asked = asked

    def result(self, timeout: float | None = None) -> Any:
        self.asked()
        return super().result(timeout)


class FirstIsSlow(Executor, Backend):
    """A backend of two and its executor: the first piece ends only when its result is requested."""

    workers = 2

    def __init__(self, asked: Callable[[], object] = lambda: None) -> None:
        self.taken: list[Future[Any]] = []
        self.asked = asked

    def open(self) -> Executor:
        return self

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future() if self.taken else Slow(self.asked)
        if self.taken:
            future.set_result(fn(*args, **kwargs))
        self.taken.append(future)
        return future


def test_other_tasks_run_while_the_first_is_slow() -> None:
    done_meanwhile: list[int] = []

    def asked() -> None:
        if not two.taken[0].done():
            done_meanwhile.append(sum(future.done() for future in two.taken))
            two.taken[0].set_result([0, 0])

    two = FirstIsSlow(asked)
    found = list(run_tasks(square, ((n,) for n in range(40)), two))
    assert found == [TaskResult(n, [n * n, 0]) for n in range(40)]
    assert done_meanwhile == [max_in_flight(2) - 1] == [15]


def test_results_behind_a_slow_task_are_cached_when_stopped(tmp_path: Path) -> None:
    def stops() -> None:
        raise KeyboardInterrupt

    pieces = [(n, str(tmp_path)) for n in range(6)]
    with SqliteResultCache(tmp_path / "kept.sqlite") as cache:
        with pytest.raises(KeyboardInterrupt):
            next(run_tasks(counted, pieces, FirstIsSlow(stops), cache))
        assert len(cache) == 5
        found = list(run_tasks(counted, pieces, InProcess(), cache))
    assert [done.value for done in found] == [0, 10, 20, 30, 40, 50]
    assert [done.cached for done in found] == [False, *[True] * 5]


def test_work_resumes_from_the_cache(tmp_path: Path) -> None:
    pieces = [(n, str(tmp_path)) for n in range(6)]
    with SqliteResultCache(tmp_path / "kept.sqlite") as cache:
        begun = run_tasks(counted, pieces, InProcess(), cache)
        for _ in range(3):
            next(begun)
        begun.close()  # type: ignore[attr-defined]  # it is a generator
        before = len(cache)
    with SqliteResultCache(tmp_path / "kept.sqlite") as cache:
        found = list(run_tasks(counted, pieces, InProcess(), cache))
    assert [done.value for done in found] == [0, 10, 20, 30, 40, 50]
    assert [done.cached for done in found].count(True) == before >= 3
    again = (tmp_path / "done").read_text().split()
    assert all(again.count(str(n)) == 1 for n in range(before))


def test_results_of_another_build_are_not_reused(tmp_path: Path) -> None:
    pieces, file = [(n, str(tmp_path)) for n in range(3)], tmp_path / "kept.sqlite"
    with SqliteResultCache(file, build="an older one") as cache:
        list(run_tasks(counted, pieces, InProcess(), cache))
        cache._database.execute("UPDATE pieces SET value = x'2d31'")  # which was wrong
    with SqliteResultCache(file) as cache:
        found = list(run_tasks(counted, pieces, InProcess(), cache))
        assert found == [TaskResult(n, 10 * n) for n in range(3)]
        assert list(run_tasks(counted, pieces, InProcess(), cache)) == [
            TaskResult(n, 10 * n, cached=True) for n in range(3)
        ]
    with SqliteResultCache(file, build="an older one") as cache:
        found = list(run_tasks(counted, pieces, InProcess(), cache))
        assert [done.value for done in found] == [-1] * 3


def test_build_hash_depends_on_code_and_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cluewise.core.version.PACKAGE", tmp_path)
    names = []
    for file, text in (("a.py", "1"), ("a.py", "2"), ("kernel.wasm", "1"), ("notes.txt", "1")):
        (tmp_path / file).write_text(text)
        names.append(build_hash.__wrapped__())
    assert [names.index(name) for name in names] == [0, 1, 2, 2]


def test_file_that_is_no_result_cache_is_refused_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("these are somebody's notes, nothing of ours\n" * 50)
    with pytest.raises(BadInput, match="cannot be used"):
        SqliteResultCache(file)
    assert file.read_text().startswith("these are")
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE notes (text TEXT)")
    database.close()
    before = other.read_bytes()
    with pytest.raises(BadInput, match="not a result cache"):
        SqliteResultCache(other)
    assert other.read_bytes() == before


def test_full_disk_is_reported_and_earlier_results_remain(tmp_path: Path) -> None:
    with SqliteResultCache(tmp_path / "kept.sqlite") as cache:
        cache.put("a", b"1")
        cache._database.execute("PRAGMA max_page_count = 1")  # as full as a disk can be
        with pytest.raises(HostFailure, match="Earlier ones are kept"):
            cache.put("b", b"0" * 100_000)
        assert cache.get("a") == b"1"


def test_ctrl_c_ends_the_workers_at_once(tmp_path: Path) -> None:
    code = """
        import sys
        from cluewise.parallel.pool import ProcessPool, run_tasks
        from parallel_tasks import waits
        if __name__ == "__main__":
            try:
                for done in run_tasks(waits, ((n, sys.argv[1]) for n in range(9)), ProcessPool(2)):
                    print(done.number, flush=True)
            except KeyboardInterrupt:
                sys.exit(130)
    """
    with interruptible(tmp_path / "script.py", code, str(tmp_path)) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "0\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
    for mark in tmp_path.glob("begun-*"):
        assert has_exited(int(mark.name.partition("-")[2])), "a worker outlived its master"


@pytest.mark.sampled(of="lost machines")
def test_ctrl_c_stops_the_tasks_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    code = """
        import sys
        from cluewise.parallel.pool import DaskCluster, run_tasks
        from parallel_tasks import steps
        try:
            for done in run_tasks(steps, ((n, sys.argv[1]) for n in range(9)),
            DaskCluster(sys.argv[2])):
                print(done.number, flush=True)
        except KeyboardInterrupt:
            sys.exit(130)
    """
    arguments = str(tmp_path), machines.address
    with interruptible(tmp_path / "script.py", code, *arguments) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "0\n"
        assert wait_until(lambda: len(list(tmp_path.glob("began-*"))) == 3)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
    began = {mark.name.partition("-")[2] for mark in tmp_path.glob("began-*")}
    assert wait_until(lambda: all((tmp_path / f"ended-{n}").exists() for n in began))
    left = run_tasks(square, [(5,)], DaskCluster(machines.address))
    assert next(left) == TaskResult(0, [25, 0]), "the workers are not free for others"
    assert {mark.name.partition("-")[2] for mark in tmp_path.glob("began-*")} == began


def wait_until(true: Callable[[], bool], seconds: float = 60) -> bool:
    ends = time.monotonic() + seconds
    while not true() and time.monotonic() < ends:
        threading.Event().wait(0.05)
    return true()


def has_exited(process: int, seconds: float = 10) -> bool:
    """Return whether a process ends within the time; a zombie counts as ended."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        threading.Event().wait(0.05)
    return False


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """A folder of nine boards; the one in the middle cannot be read."""
    folder = tmp_path / "boards"
    folder.mkdir()
    for i in range(9):
        (folder / f"{i}.txt").write_text(f"{1 + i % 2}..\n...\n..{1 + i % 3}\n")
    (folder / "4.txt").write_text("{")
    return folder


def cluewise(*words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "cluewise", *words]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)
    return ended.returncode, ended.stdout


def run_on_all_backends(*words: str, cluster: str = "") -> tuple[int, str]:
    """Return the output on one core, after comparing it with two cores and a cluster."""
    found = cluewise(*words, "--jobs", "1")
    assert cluewise(*words, "--jobs", "2") == found, words
    if cluster:
        assert cluewise(*words, "--cluster", cluster) == found, words
    return found


@pytest.mark.sampled(10, of="same bytes")
def test_simulation_is_identical_on_one_core_two_cores_and_a_cluster(
    cluster: str,
) -> None:
    games = ("rack", "simulate", "--games", "60", "--players", "4", "--json")
    status, text = run_on_all_backends(*games, cluster=cluster)
    assert (status, json.loads(text)["games"]) == (0, 60)


@pytest.mark.sampled(10, of="same bytes")
def test_levels_are_identical_on_one_and_two_cores(tmp_path: Path) -> None:
    made = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        wish = ("--count", "5", "--size", "6", "--seed", "3", "--jobs", jobs)
        assert cluewise("mines", "levels", str(folder), *wish) == (0, f"5 puzzles in {folder}.\n")
        made.append({file.name: file.read_text() for file in sorted(folder.iterdir())})
    assert made[0] == made[1]
    assert list(made[0]) == [f"combination-lock-{seed:05d}.puz" for seed in range(3, 8)]
    assert len(set(made[0].values())) == 5
    assert cluewise("mines", "levels", str(tmp_path / "3"), "--difficulty", "soft")[0] == 2


@pytest.mark.sampled(10, of="same bytes")
def test_folder_is_answered_identically_and_resumes_from_the_cache(
    boards: Path, tmp_path: Path, cluster: str
) -> None:
    words = "mines", "solve", str(boards), "--json"
    status, text = run_on_all_backends(*words, cluster=cluster)
    assert status == 2
    rows = json.loads(text)["files"]
    assert [row["file"] for row in rows] == [f"{i}.txt" for i in range(9)]
    assert [i for i, row in enumerate(rows) if "error" in row] == [4]
    kept = tmp_path / "kept.sqlite"
    for _ in range(2):
        assert cluewise(*words, "--jobs", "2", "--resume", str(kept)) == (status, text)
        with SqliteResultCache(kept) as cache:
            assert len(cache) == 5  # the eight that could be read are five different boards


@pytest.mark.sampled(10, of="same bytes")
def test_strategies_of_a_folder_are_identical_on_one_and_two_cores(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    for colours in range(3, 9):
        rules = {"desk": "code", "rules": {"pegs": 3, "colours": colours}}
        (folder / f"{colours}.json").write_text(json.dumps(rules))
    asked = ("code", "strategy", str(folder), "--criterion", "optimal")
    status, text = run_on_all_backends(*asked, "--json")
    totals = [row["result"]["total"] for row in json.loads(text)["files"]]
    assert (status, totals[1:5]) == (0, [206, 451, 854, 1474])  # published
    assert "5.js" in cluewise(*asked)[1]


@pytest.fixture
def boards_list(tmp_path: Path) -> Path:
    """A list of three pieces, 9 000 boards by turns; a bad line in the middle."""
    vectors = json.loads((TESTS / "vectors" / "sudoku.json").read_text())
    boards = [case["puzzle"] for case in vectors["puzzles"]]
    lines = [boards[i % len(boards)] for i in range(9_000)]
    lines[4_500] = lines[4_500][:80]
    file = tmp_path / "list.txt"
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.sampled(10, of="same bytes")
@pytest.mark.parametrize("verb", ["solve", "group"])
def test_list_is_answered_identically_on_one_core_two_cores_and_a_cluster(
    boards_list: Path, cluster: str, verb: str
) -> None:
    status, text = run_on_all_backends("sudoku", verb, "--lines", str(boards_list), cluster=cluster)
    assert (status, len(text.splitlines())) == (2, 9_000)
    assert text.splitlines()[4_500].startswith("error: line 4501")


@pytest.mark.sampled(10, of="same bytes")
def test_list_resumes_from_the_cache(boards_list: Path, tmp_path: Path) -> None:
    asked = ("sudoku", "solve", "--lines", str(boards_list))
    kept = tmp_path / "kept.sqlite"
    first = cluewise(*asked, "--jobs", "2", "--resume", str(kept))
    with SqliteResultCache(kept) as cache:
        assert len(cache) == 3
        cache._database.execute("DELETE FROM pieces WHERE rowid = 2")  # stopped before its end
    assert cluewise(*asked, "--resume", str(kept)) == first
    assert cluewise(*asked, "--jobs", "1") == first


def test_failed_lines_are_reported_and_the_others_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(request: dict[str, Any]) -> Any:
        lines = request["options"]["lines"]
        if "bad" in lines:
            raise MemoryError("no room")
        return {"text": "\n".join(lines).upper(), "bad": []}

    monkeypatch.setattr(service, "run", breaks)

    def ask(text: str, before: int) -> dict[str, Any]:
        options = {"lines": text.split(), "before": before, "task": "solve"}
        return {"desk": "sudoku", "want": "group", "options": options}

    out = ResultWriter("solve", unique=False, as_json=False)
    finish(
        bulk.stream_texts(
            iter(["a\n", "b\n", "c\nbad\n", "e"]), ask, out.piece, None, out.lost, jobs=1
        )
    )
    why = "It got no answer: MemoryError: no room"
    errors = [f"error: line {n}: {why}" for n in (3, 4)]
    assert capsys.readouterr().out.splitlines() == ["A", "B", *errors, "E"]
    assert out.bad == 2


def test_workers_start_with_the_loaded_modules() -> None:
    code = (
        "import cluewise.desks.rack.verbs, parallel_tasks;"
        "from cluewise.parallel.pool import ProcessPool, run_tasks;"
        "pieces = [('cluewise.desks.rack.verbs',)];"
        "print([done.value for done in run_tasks(parallel_tasks.loaded, pieces, ProcessPool(1))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == str([hasattr(os, "fork")]), done.stderr


def test_parallel_flags_are_refused_for_one_position_and_together(
    boards: Path,
) -> None:
    cluster, one = ("--cluster", "tcp://127.0.0.1:1"), ("mines", "solve", str(boards / "0.txt"))
    for words in (
        ("sudoku", "solve", "--jobs", "2"),
        ("sudoku", "canon", *cluster),
        (*one, "--jobs", "2"),
        ("mines", "solve", str(boards), "--jobs", "2", *cluster),
    ):
        assert cluewise(*words)[0] == 2, words


LARGE = """
from cluewise.parallel.pool import ProcessPool, run_tasks

if __name__ == "__main__":
    for _ in range(3):
        found = run_tasks(bytes, ((3_000_000,) for _ in range(100)), ProcessPool(2))
        next(found)
        found.close()
"""


def test_stopping_while_large_results_are_written_does_not_hang(tmp_path: Path) -> None:
    """A process that is ended in the middle of a result must not be waited for."""
    script = tmp_path / "large.py"
    script.write_text(LARGE)
    for _ in sample(range(3)):
        subprocess.run([sys.executable, str(script)], env=ENVIRONMENT, timeout=100, check=True)


def test_each_end_of_a_pools_pipes_is_closed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Any] = []
    fell: list[object] = []
    close = Connection._close  # type: ignore[attr-defined]

    def slowly(end: Any) -> None:
        ends.append(end)
        if threading.current_thread() is not threading.main_thread():
            threading.Event().wait(0.5)
        close(end)

    before = set(threading.enumerate())
    monkeypatch.setattr(Connection, "_close", slowly)
    monkeypatch.setattr(threading, "excepthook", fell.append)
    assert len(list(run_tasks(square, ((n,) for n in range(3)), ProcessPool(1)))) == 3
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
        assert not thread.is_alive()
    assert (len(ends), fell) == (len({id(end) for end in ends}), [])
    assert ends
