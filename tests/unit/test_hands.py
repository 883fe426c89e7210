"""Work that the page's workers share: pieces are lent out and the same bytes come back."""

import json
from typing import Any

import pytest

from cluewise import service
from cluewise.browser import worker
from cluewise.core.work import Job, Pause, Progress
from cluewise.desks.rack.engine import racing
from cluewise.parallel import cooperative
from cluewise.parallel.cooperative import CooperativePool
from cluewise.parallel.pool import TaskResult, run_tasks_cooperatively, run_to_completion
from parallel_tasks import square

BOARD = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
TABLE = service.run(
    {"desk": "rack", "want": "deal", "options": {"mission": 4, "players": 4, "seat": 0, "seed": 5}}
)["position"]
MINE = [{"wire": wire} for wire in ("1", "1", "2", "2", "3", "4")]
FEW_DEALS = {"wires": {"blue": [1, 4]}, "stands": [{"slots": MINE}, *[{"slots": [{}] * 5}] * 2]}

SPOTS = {
    "range": 11,
    "spots": [[3200 + 37 * i % 53, 3200 + 23 * i % 61] for i in range(11)],
    "here": [3210, 3210],
}


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is one step, so that no worker does a small question alone; small pieces."""
    monkeypatch.setattr(worker, "TURN", 0)
    monkeypatch.setattr(racing, "DEFAULT_GAMES", 96)
    monkeypatch.setattr("cluewise.desks.code.verbs.strategy.LARGE", 100)
    monkeypatch.setattr("cluewise.desks.code.engine.parallel_optimal.CUT", 60)
    monkeypatch.setattr("cluewise.desks.code.engine.parallel_optimal._OWN", 20)


def double(number: int) -> Job[int]:
    """A piece that takes three steps."""
    for step in range(2):
        yield Progress(step, 2)
    if number == 3:
        raise ValueError("three")
    return 2 * number


class Page:
    """A first worker, the other workers, and the page's scheduler between them."""

    def __init__(self, others: int, **ask: Any) -> None:
        self.first = worker.JobRunner()
        self.first.begin(json.dumps({"type": "ask", "id": 7, "workers": 1 + others, **ask}))
        self.others = [worker.JobRunner() for _ in range(others)]
        self.free, self.busy = list(range(others)), dict[int, int]()
        self.pieces = self.waits = 0

    def run(self) -> dict[str, Any]:
        """The message that ends the question."""
        while True:
            text = self.first.step(7)
            message = json.loads(text) if text else {"type": "progress"}
            if message["type"] != "progress":
                return dict(message)
            for message in json.loads(self.first.due(7)):
                self.hear(message)
            for which, number in list(self.busy.items()):
                self.step(which, number)

    def hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "shares":
            for _ in self.free:
                self.first.lend(7)
        elif message["type"] == "piece":
            which = self.free.pop()
            self.busy[which] = message["number"]
            call = {name: message[name] for name in ("function", "arguments")}
            self.others[which].begin(json.dumps({"type": "call", "id": message["number"], **call}))
            self.pieces += 1
        else:
            assert message["type"] == "waits"
            self.waits += 1

    def step(self, which: int, number: int) -> None:
        text = self.others[which].step(number)
        message = json.loads(text) if text else {"type": "progress"}
        if message["type"] == "progress":
            return
        del self.busy[which]
        self.free.append(which)
        given = {"value": message.get("result"), "error": message.get("message", "")}
        self.first.give(json.dumps({"type": "given", "id": 7, "number": number, **given}))
        self.first.lend(7)


def request_of(desk: str, want: str, position: Any = None, **options: Any) -> dict[str, Any]:
    return {"desk": desk, "want": want, "position": position or {}, "options": options}


ASKED = [
    request_of("sudoku", "group", lines=[*[BOARD] * 4700, BOARD[:80], *[BOARD] * 99], task="canon"),
    request_of("sudoku", "group", {"box": [2, 2]},
          lines=["1234341221434321", "1...", "4321214334121234", "", "..34"] * 2),
    request_of("sudoku", "duplicates",
          lines=[*[BOARD] * 400, "55" + BOARD[2:], BOARD[:80], "1" + BOARD[1:]]),
    request_of("rack", "simulate", games=60, players=4),
    request_of("rack", "games", games=12, mission=1, players=3),
    request_of("rack", "cuts", TABLE, rank="win"),
    request_of("rack", "cuts", FEW_DEALS, rank="win"),
    request_of("mines", "generate", board="hex", size=3, seed=2, difficulty="9..12"),
    request_of("mines", "generate", size=4, seed=7, wish="2+ subset, none deeper"),
    request_of("scan", "route", SPOTS, seconds=600, effort=1),
    request_of(
        "code", "strategy", {"rules": {"pegs": 3, "colours": 8}}, criterion="optimal", tree=True
    ),
    request_of("code", "strategy", criterion="optimal", tree=True, max_depth=5),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("others", [1, 3])
@pytest.mark.parametrize("request_", ASKED, ids=lambda one: one["want"])
def test_parallel_request_has_the_answer_of_one_worker(
    request_: dict[str, Any], others: int
) -> None:
    page = Page(others, **request_)
    assert page.run() == {"type": "result", "id": 7, "result": service.run(request_)}
    assert page.pieces > 0


def test_request_of_one_task_is_not_parallel() -> None:
    request_ = request_of("sudoku", "group", lines=[BOARD])
    page = Page(2, **request_)
    assert page.run()["result"] == service.run(request_)
    assert page.pieces == 0
    assert page.first.due(7) == "[]"


def test_faults_of_parallel_requests_have_their_path() -> None:
    lines = ["1"] * 9
    fault = Page(
        1, **request_of("sudoku", "group", {"box": [2, 2]}, lines=lines, task="annotate")
    ).run()
    assert (fault["kind"], fault["where"]) == ("bad_option", "$.options.task")
    fault = Page(1, **request_of("rack", "cuts", {**TABLE, "viewer": None}, rank="win")).run()
    assert (fault["kind"], fault["where"]) == ("bad_position", "$.position.viewer")


def test_messages_for_a_finished_request_are_ignored() -> None:
    jobs = worker.JobRunner()
    jobs.lend(5)
    jobs.give(json.dumps({"type": "given", "id": 5, "number": 1, "value": 3}))
    assert jobs.due(5) == "[]"


def test_cancelled_request_drops_its_tasks() -> None:
    page = Page(1, **request_of("sudoku", "group", lines=[BOARD] * 4000, task="canon"))
    while not page.busy:
        page.first.step(7)
        for message in json.loads(page.first.due(7)):
            page.hear(message)
    assert json.loads(page.first.cancel(7) or "")["kind"] == "stopped"
    page.step(0, page.busy[0])  # results that arrive afterwards are discarded


def all_turns(
    backend: CooperativePool, function: Any, count: int
) -> tuple[list[TaskResult], list[bool]]:
    """Return the output, and for every pause whether the worker was idle."""
    done, idle = [], []
    for turn in run_tasks_cooperatively(function, ((n,) for n in range(count)), backend):
        if isinstance(turn, Pause):
            idle.append(turn.idle)
        else:
            done.append(turn)
    return done, idle


def test_cooperative_pool_runs_all_tasks_and_reports_a_second_failure() -> None:
    done, idle = all_turns(CooperativePool(2), double, 5)
    assert [one.value for one in done] == [0, 2, 4, None, 8]
    assert done[3].error == "ValueError: three"
    assert not any(idle)


def test_cooperative_pool_waits_for_leased_tasks_and_reruns_lost_ones() -> None:
    backend = CooperativePool(2)
    running = run_tasks_cooperatively(square, ((n,) for n in range(2)), backend)
    assert next(running) == Pause(idle=False)  # the first is done here
    assert next(running) == TaskResult(0, [0, 0])
    taken = backend.take()
    assert taken == (1, "parallel_tasks:square", (1,))
    assert backend.take() is None
    assert next(running) == Pause(idle=True)
    backend.give(1, None, "its worker died")
    backend.give(1, None, "once more")  # ignored: the piece is answered
    assert [turn for turn in running if isinstance(turn, TaskResult)] == [TaskResult(1, [1, 0])]


def test_closing_ends_the_running_task() -> None:
    backend = CooperativePool(2)
    running = run_tasks_cooperatively(double, ((n,) for n in range(3)), backend)
    assert next(running) == Pause(idle=False, progress=Progress(0, 2))
    running.close()
    assert backend.step() is False


def test_task_is_a_job_or_a_function() -> None:
    assert run_to_completion(double, 4) == 8
    assert run_to_completion(square, 3) == [9, 0]


def test_only_functions_of_the_package_are_called_by_name() -> None:
    assert (
        cooperative.resolve_function("cluewise.parallel.cooperative:resolve_function")
        is cooperative.resolve_function
    )
    with pytest.raises(LookupError, match="not a function of Cluewise"):
        cooperative.resolve_function("os:system")
