"""The worker behind the page: questions in turn, cancels, and a worker that dies or goes silent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from browser import ROOT, KeptPages, Watch, open_engine
from cluewise import service
from sampling import sample

pytestmark = pytest.mark.own_worker

SMALL = {"rules": {"pegs": 2, "colours": 3}}
BULLS = {"rules": {"pegs": 4, "colours": 10, "repeat": False}}
LARGE = {
    "rules": {"pegs": 6, "colours": 9},
    "clues": [{"guess": "001122", "exact": 1, "partial": 1}],
}


@pytest.fixture(scope="module")
def started(module_pages: KeptPages, site: str) -> Page:
    """A page with a ready engine and nothing else."""
    page = module_pages("vercel.json")
    open_engine(page, site)
    return page


@pytest.fixture
def engine(started: Page, kept_page: KeptPages) -> Page:
    """The module's page: its engine has no question open, and `phases` is empty."""
    started.evaluate("() => { phases.length = 0; }")
    return started


# Hung workers are replaced after 6 s; patience.test.mjs has how the limit follows the device.
IMPATIENT = """async () => {
  const { Patience } = await import(new URL("engine/patience.js", document.baseURI));
  const [least, times] = [6000, 0].map((n) => ({ turn: n, first: n }));
  globalThis.parts = { patience: () => new Patience({ least, times }) };
}"""


def ask(page: Page, want: str, position: object, desk: str = "code") -> Any:
    """The answer or the fault."""
    return page.evaluate(
        "([desk, want, position]) => ask(desk, want, position)", [desk, want, position]
    )


def test_an_answer_is_the_same_as_in_the_terminal(engine: Page) -> None:
    from cluewise import run

    answer = ask(engine, "remaining", SMALL)
    assert answer["result"] == run({"desk": "code", "want": "remaining", "position": SMALL})


def test_a_bad_position_is_a_fault_with_its_place(engine: Page) -> None:
    fault = ask(
        engine, "remaining", {"rules": {"pegs": 2, "colours": 3}, "clues": [{"guess": "09"}]}
    )
    assert fault["kind"] == "bad_position"
    assert fault["where"].startswith("$.position.clues[0]")
    assert ask(engine, "remaining", SMALL)["result"]["count"] == 9


def test_a_cancel_settles_at_once_and_the_next_answer_comes(engine: Page) -> None:
    found = engine.evaluate(
        """async ([bulls, small]) => {
          const options = { criterion: "optimal" };
          let onProgress;
          const working = new Promise((resolve) => { onProgress = resolve; });
          const request = { desk: "code", want: "strategy", position: bulls, options };
          const job = engine.ask(request, { onProgress });
          await working;
          job.cancel();
          const kind = await job.promise.catch((fault) => fault.kind);
          const next = await ask("code", "remaining", small);
          return { kind, count: next.result.count };
        }""",
        [BULLS, SMALL],
    )
    assert (found["kind"], found["count"]) == ("stopped", 9)


def test_a_newer_question_overtakes_an_older_one_which_then_ends(engine: Page) -> None:
    order = engine.evaluate(
        """async ([large, small]) => {
          const order = [];
          let onProgress;
          const working = new Promise((resolve) => { onProgress = resolve; });
          const asked = { desk: "code", want: "advise", position: large };
          const slow = engine.ask(asked, { onProgress });
          const a = slow.promise.then(() => order.push("older"));
          await working;
          const quick = engine.ask({ desk: "code", want: "remaining", position: small });
          const b = quick.promise.then(() => order.push("newer"));
          await Promise.all([a, b]);
          return order;
        }""",
        [LARGE, SMALL],
    )
    assert order == ["newer", "older"]


HARMS = [
    "for (;;) {}",  # busy for ever
    "self.close()",  # gone without a word
    "throw new Error('broken on purpose')",
]


def test_a_worker_that_dies_or_goes_silent_is_replaced_and_asked_again(
    page: Page, site: str
) -> None:
    open_engine(page, site, before=IMPATIENT)
    for replaced, harm in enumerate(HARMS, 1):
        page.workers[-1].evaluate(f"() => {{ setTimeout(() => {{ {harm} }}, 0); }}")
        answer = ask(page, "remaining", SMALL)
        assert answer["result"]["count"] == 9
        names = page.evaluate("phases.map((phase) => phase.name)")
        assert names.count("ready") == 1 + replaced, harm


def test_a_restart_by_hand_asks_again_what_was_outstanding(engine: Page) -> None:
    count = engine.evaluate(
        """async (small) => {
          const job = engine.ask({ desk: "code", want: "remaining", position: small });
          engine.restart();
          return (await job.promise).result.count;
        }""",
        SMALL,
    )
    assert count == 9


def test_arrays_arrive_as_typed_arrays(engine: Page) -> None:
    kinds = engine.evaluate(
        """async () => {
          const question = { desk: "scan", want: "classes", position: { region: 364 } };
          const { arrays } = await engine.ask({ ...question, options: { drawing: true } }).promise;
          return Object.values(arrays).map((array) => [ArrayBuffer.isView(array), !!array.length]);
        }"""
    )
    assert kinds
    assert all(kind == [True, True] for kind in kinds)


@pytest.mark.service_worker
def test_numpy_comes_to_who_asks_for_it_and_to_nobody_else(page: Page, site: str) -> None:
    open_engine(page, site)
    engine = page
    fetched: list[str] = []
    engine.context.on("request", lambda request: fetched.append(request.url))
    assert ask(engine, "remaining", SMALL)["result"]["count"] == 9
    engine.goto(engine.url.replace("vercel.json", "#/code"))
    engine.wait_for_function("() => navigator.serviceWorker.controller")
    kept = engine.evaluate(
        """async () => {
          const keys = await Promise.all((await caches.keys()).map(async (key) =>
            (await (await caches.open(key)).keys()).map((request) => request.url)));
          return keys.flat();
        }"""
    )
    assert any("/pyodide/runtime.bin" in url for url in kept)
    assert not [url for url in kept + fetched if "numpy-" in url]


# `createEngine`, and how many pieces of shared work have come back since `count.given` was 0.
COUNT = """async () => {
  self.createEngine = (await import(new URL("engine/client.js", document.baseURI))).createEngine;
  const counted = "count" in self;
  self.count = { given: 0 };
  if (counted) return;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "given" && !message.error) count.given++;
    return post.call(this, message, ...rest);
  };
}"""


# Work that two workers share, until both have done some of it. The pool's start takes its time, so
# the same is asked again; what comes back is every answer once.
SHARED = """async ([request, small]) => {
  const answers = new Set();
  const alone = createEngine({ workers: 1 });
  answers.add(JSON.stringify((await alone.ask(request).promise).result));
  alone.end();
  const both = createEngine({ workers: 2 });
  const ends = performance.now() + 120_000;
  while (count.given < 3 && performance.now() < ends)
    answers.add(JSON.stringify((await both.ask(request).promise).result));
  const shared = count.given;
  const { lines, ...rest } = request.options;
  const long = { ...request, options: { ...rest, lines: Array(40).fill(lines).flat() } };
  let onProgress;
  const working = new Promise((resolve) => {
    onProgress = () => count.given > shared && resolve();
  });
  const job = both.ask(long, { onProgress });
  const over = new Promise((resolve) => setTimeout(resolve, 60_000)); // no wait without a limit
  await Promise.race([working, job.promise, over]);
  job.cancel();
  const kind = await job.promise.catch((fault) => fault.kind);
  const left = (await both.ask(small).promise).result.count;
  answers.add(JSON.stringify((await both.ask(request).promise).result));
  both.end();
  return { answers: [...answers], shared, kind, left };
}"""


def test_work_that_two_workers_share_is_answered_in_the_bytes_of_one_and_stops_at_once(
    engine: Page,
) -> None:
    from cluewise import run

    cases = json.loads((ROOT / "tests" / "vectors" / "sudoku.json").read_text())["puzzles"]
    lines = [cases[i % len(cases)]["puzzle"] for i in range(3_000)]
    lines[1_500] = lines[1_500][:80]
    request = {"desk": "sudoku", "want": "group", "options": {"lines": lines, "task": "canon"}}
    small = {"desk": "code", "want": "remaining", "position": SMALL}
    engine.evaluate(COUNT)
    found = engine.evaluate(SHARED, [{"position": {}, **request}, small])
    assert [json.loads(text) for text in found["answers"]] == [run(request)]
    assert found["shared"] >= 3, "the second worker did nothing"
    assert (found["kind"], found["left"]) == ("stopped", 9)
    names = engine.evaluate("phases.map((phase) => phase.name)")
    assert "ready" not in names, "a worker was replaced"


# Questions in turn, by so many workers: again until every worker has answered some, since the pool
# takes its time to start. What comes back is every row of answers once. Then a row is stopped, and
# another one is asked behind which a question of another kind does not wait.
IN_TURN = """async ([requests, small, workers]) => {
  const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
  const post = Worker.prototype.postMessage;
  const known = new Set();
  const answered = new Set();
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.in_turn && !known.has(this)) {
      known.add(this);
      this.addEventListener("message", ({ data }) => data.type === "result" && answered.add(this));
    }
    return post.call(this, message, ...rest);
  };
  const engine = createEngine({ workers });
  const all = () => requests.map((request) => engine.askInTurn(request));
  const answers = new Set();
  const ends = performance.now() + 120_000;
  do {
    const found = await Promise.all(all().map((job) => job.promise));
    answers.add(JSON.stringify(found.map((one) => one.result)));
  } while (answered.size < workers && performance.now() < ends);
  const stopped = all();
  for (const job of stopped) job.cancel();
  const kindOf = (job) => job.promise.then(() => "", (fault) => fault.kind);
  const kinds = await Promise.all(stopped.map(kindOf));
  const order = [];
  const row = all().map((job) => job.promise.then(() => order.push("row")));
  const { count } = (await engine.ask(small).promise).result;
  order.push("small");
  await Promise.all(row);
  engine.end();
  Worker.prototype.postMessage = post;
  return { answers: [...answers], answered: answered.size, kinds, count, last: order.at(-1) };
}"""


LONG = pytest.mark.long


@pytest.mark.parametrize("workers", [pytest.param(1, marks=LONG), 2, pytest.param(4, marks=LONG)])
def test_questions_in_turn_are_answered_by_all_workers_in_the_bytes_of_one(
    engine: Page, workers: int
) -> None:
    from cluewise import run

    cases = json.loads((ROOT / "tests" / "vectors" / "sudoku.json").read_text())["puzzles"]
    lines = [cases[i % len(cases)]["puzzle"] for i in range(24_000)]
    lines[7_000] = lines[7_000][:80]
    requests = [
        {"desk": "sudoku", "want": "group", "position": {},
         "options": {"text": "\n".join(lines[at : at + 2_000]), "before": at}}
        for at in range(0, len(lines), 2_000)
    ]  # fmt: skip
    small = {"desk": "code", "want": "remaining", "position": SMALL}
    found = engine.evaluate(IN_TURN, [requests, small, workers])
    assert [json.loads(text) for text in found["answers"]] == [[run(one) for one in requests]]
    assert found["answered"] == workers, "a worker did nothing"
    assert found["kinds"] == ["stopped"] * len(requests)
    assert (found["count"], found["last"]) == (9, "row")


# Every kind of question that has pieces, by one worker, then by two until the second has brought
# some of it; what comes back is every answer once.
EVERY_KIND = """async (requests) => {
  const alone = createEngine({ workers: 1 });
  const both = createEngine({ workers: 2 });
  const found = [];
  for (const request of requests) {
    const answers = new Set([JSON.stringify((await alone.ask(request).promise).result)]);
    const ends = performance.now() + 120_000;
    count.given = 0;
    do answers.add(JSON.stringify((await both.ask(request).promise).result));
    while (!count.given && performance.now() < ends);
    found.push({ answers: [...answers], given: count.given });
  }
  alone.end();
  both.end();
  return found;
}"""


def dealt() -> Any:
    """A table of mission 4 with its first tokens, of four players."""
    options = {"mission": 4, "players": 4, "seat": 0, "seed": 5}
    return service.run({"desk": "rack", "want": "deal", "options": options})["position"]


def test_whatever_falls_into_pieces_is_answered_in_the_same_bytes_by_one_worker_and_by_two(
    engine: Page,
) -> None:
    """And as in the terminal, though its Python may be another: they add floats differently."""
    cases = json.loads((ROOT / "tests" / "vectors" / "sudoku.json").read_text())["puzzles"]
    lines = [cases[i % len(cases)]["puzzle"] for i in range(2_000)]
    kinds: list[dict[str, Any]] = [
        {"desk": "sudoku", "want": "duplicates", "options": {"lines": lines}},
        {"desk": "code", "want": "strategy", "position": {"rules": {"pegs": 4, "colours": 7}},
         "options": {"criterion": "optimal"}},
        {"desk": "rack", "want": "simulate", "options": {"games": 75, "players": 4}},
        {"desk": "rack", "want": "games",
         "options": {"games": 30, "mission": 4, "players": 4}},
        {"desk": "rack", "want": "cuts", "position": dealt(), "options": {"rank": "win"}},
        {"desk": "mines", "want": "generate",
         "options": {"board": "hex", "size": 3, "seed": 2, "difficulty": "9..12"}},
        {"desk": "mines", "want": "generate",
         "options": {"size": 6, "seed": 3, "wish": "2 cross, none deeper, at most 6 counts"}},
        {"desk": "scan", "want": "route", "position": {"region": 364, "here": [2990, 3390]},
         "options": {"seconds": 600}},
    ]  # fmt: skip
    some = sample(kinds, 2, kind="kinds of shared work")
    requests = [{"position": {}, "options": {}, **kind} for kind in some]
    engine.evaluate(COUNT)
    found = engine.evaluate(EVERY_KIND, requests)
    for request, one in zip(requests, found, strict=True):
        name = request["desk"], request["want"]
        assert len(one["answers"]) == 1, name
        assert json.loads(one["answers"][0]) == service.run(request), name
        assert one["given"] > 0, (name, "the second worker did nothing")


# The mark that a stub sets (wasm_build/site/thin.mjs), set by the first question of a thin module.
MISSES = """
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { missed } = (made.instance ?? made).exports;
  if (missed)
    addEventListener("message", ({ data }) => { if (data.type === "ask") missed.value = 1; });
  return made;
};
"""


def test_a_question_that_needs_a_missing_function_is_answered_by_the_whole_module(
    page: Page, watch: Watch, site: str
) -> None:
    watch.allow("Fetching the whole of Pyodide")

    def missing(route: Route) -> None:
        text = route.fetch().text()
        route.fulfill(body=MISSES + text, content_type="text/javascript")

    page.route("**/engine/worker.js", missing)
    with page.expect_request("**/pyodide/pyodide.asm.bin"):
        open_engine(page, site)
        found = page.evaluate("ask('code', 'remaining', {}, {})")
    assert found["result"]["count"] == 1296
    assert page.evaluate("performance.getEntriesByName('python_missed').length") == 1
