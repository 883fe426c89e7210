"""The worker of a page: shared work, silence, a function that is missing, and stopped long jobs."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from browser import DIST, ROOT, WHOLE, KeptPages, open_engine, served
from cluewise import desks, run
from long_jobs import LONG, STOP, STOP_ALL
from long_jobs import SHARED as SHARED_JOBS
from worker_pool import PoolServer

pytestmark = pytest.mark.own_worker

SMALL = {"rules": {"pegs": 2, "colours": 3}}


@pytest.fixture(scope="module")
def started(module_pages: KeptPages, site: str) -> Page:
    page = module_pages("vercel.json")
    open_engine(page, site)
    return page


@pytest.fixture
def engine(started: Page, kept_page: KeptPages) -> Page:
    """The module's page: its engine has no question open, and `phases` is empty."""
    started.evaluate("() => { phases.length = 0; }")
    return started


# Hung workers are replaced after 6 s; watchdog.test.mjs has how the limit follows the device.
IMPATIENT = """async () => {
  const { Watchdog } = await import(new URL("engine/watchdog.js", document.baseURI));
  const [least, times] = [6000, 0].map((n) => ({ turn: n, first: n }));
  globalThis.parts = { watchdog: () => new Watchdog({ least, times }) };
}"""


def ask(page: Page, want: str, position: object, desk: str = "code") -> Any:
    return page.evaluate(
        "([desk, want, position]) => ask(desk, want, position)", [desk, want, position]
    )


def test_silent_worker_is_replaced_and_its_request_repeated(page: Page, site: str) -> None:
    open_engine(page, site, before=IMPATIENT)
    page.workers[-1].evaluate("() => { setTimeout(() => { for (;;) {} }, 0); }")
    assert ask(page, "remaining", SMALL)["result"]["count"] == 9
    assert page.evaluate("phases.map((phase) => phase.name)").count("ready") == 2


# Work that two workers share, until both have done some of it. The pool's start takes its time, so
# the same is asked again; what comes back is every answer once.
SHARED = """async ([request, small]) => {
  const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
  const count = { given: 0 };  // pieces that have come back
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "given" && !message.error) count.given++;
    return post.call(this, message, ...rest);
  };
  const answers = new Set();
  const both = createEngine({ workers: 2 });
  const ends = performance.now() + 120_000;
  while (count.given < 3 && performance.now() < ends)
    answers.add(JSON.stringify((await both.ask(request).promise).result));
  const shared = count.given;
  const { lines, ...rest } = request.options;
  const long = { ...request, options: { ...rest, lines: Array(40).fill(lines).flat() } };
  const stopShared = async () => {
    const before = count.given;
    let onProgress;
    const working = new Promise((resolve) => {
      onProgress = () => count.given > before && resolve();
    });
    const job = both.ask(long, { onProgress });
    const over = new Promise((resolve) => setTimeout(resolve, 60_000)); // no wait without a limit
    await Promise.race([working, job.promise, over]);
    job.cancel();
    return job.promise.then(() => "ended", (fault) => fault.kind);
  };
  let kind = "ended"; // a busy machine may solve all of it before the second worker returns a part
  for (let tries = 0; tries < 4 && kind === "ended"; tries++) kind = await stopShared();
  const left = (await both.ask(small).promise).result.count;
  answers.add(JSON.stringify((await both.ask(request).promise).result));
  both.end();
  Worker.prototype.postMessage = post;
  return { answers: [...answers], shared, kind, left };
}"""


def test_two_workers_give_the_answer_of_one_and_stop_at_once(
    engine: Page,
) -> None:
    cases = json.loads((ROOT / "tests" / "vectors" / "sudoku.json").read_text())["puzzles"]
    lines = [cases[i % len(cases)]["puzzle"] for i in range(3_000)]
    lines[1_500] = lines[1_500][:80]
    request = {"desk": "sudoku", "want": "group", "options": {"lines": lines, "task": "canon"}}
    small = {"desk": "code", "want": "remaining", "position": SMALL}
    found = engine.evaluate(SHARED, [{"position": {}, **request}, small])
    assert [json.loads(text) for text in found["answers"]] == [run(request)]
    assert found["shared"] >= 3, "the second worker did nothing"
    assert (found["kind"], found["left"]) == ("stopped", 9)
    names = engine.evaluate("phases.map((phase) => phase.name)")
    assert "ready" not in names, "a worker was replaced"


# The module of a start without one more function, which questions call and the start does not.
REMOVE = """
import fs from "node:fs";
import zlib from "node:zlib";
import { keptBy, thin } from "./wasm_build/site/thin.mjs";
import * as wasm from "./wasm_build/site/wasm.mjs";
const [name, to] = process.argv.slice(1);
const whole = fs.readFileSync("node_modules/pyodide/pyodide.asm.wasm");
const kept = keptBy(whole, fs.readFileSync("wasm_build/site/runtime-profile.txt", "utf8"));
const { index } = wasm.exports(whole).find((one) => one.name === name);
if (!kept.delete(index - wasm.imported(whole).functions)) throw new Error(`${name} is not kept`);
fs.writeFileSync(to, zlib.gzipSync(thin(whole, kept), { level: 1 }));
"""


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site with a module that lacks log2, which advice calls."""
    folder = tmp_path_factory.mktemp("lacking") / "site"
    shutil.copytree(DIST, folder, copy_function=os.link)
    runtime = folder / "pyodide/runtime.bin"
    runtime.unlink()
    command = ["node", "--input-type=module", "-e", REMOVE, "log2", str(runtime)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    for script in [folder / "app.js", *folder.rglob("engine/*.js"), *folder.glob("parts/*.js")]:
        text = script.read_text()
        sized = re.sub(r'("pyodide/runtime\.bin": ?)\d+', rf"\g<1>{runtime.stat().st_size}", text)
        if sized != text:
            script.unlink()
            script.write_text(sized)
    with served(PoolServer, folder) as address:
        yield address


MISSED = "performance.getEntriesByName('python_missed').length"


@pytest.mark.skipif(WHOLE, reason="the whole module misses no function")
def test_missing_function_loads_the_whole_module(
    watched: Callable[..., Page], lacking: str
) -> None:
    page = watched(lacking)
    ready = open_engine(page, lacking)
    assert (ready["desks"][0], page.evaluate(MISSED)) == ("code", 0)
    expected = run({"desk": "code", "want": "advise", "position": SMALL})
    assert [ask(page, "advise", SMALL)["result"] for _ in range(2)] == [expected, expected]
    assert page.evaluate(MISSED) == 1


@pytest.mark.long
@pytest.mark.parametrize("desk", desks.available())
def test_long_job_is_stopped_without_ending_its_worker(page: Page, site: str, desk: str) -> None:
    open_engine(page, site)
    jobs = [job for job in LONG if job["desk"] == desk]
    assert jobs
    for job in jobs:
        found: Any = page.evaluate(STOP, [job, 60])
        assert (found["ended"], found["count"]) == ("stopped", 9), job["want"]
    names = page.evaluate("phases.map((phase) => phase.name)")
    assert names.count("ready") == 1, "the worker was replaced"


@pytest.mark.long
def test_both_workers_of_a_parallel_job_stop(page: Page, site: str) -> None:
    open_engine(page, site)
    stops: Any = page.evaluate(STOP_ALL, SHARED_JOBS)
    wants = ["strategy", "simulate", "cuts", "generate", "group", "group", "route"]
    assert [one["want"] for one in stops] == wants
    for one in stops:
        assert (one["ended"], one["count"]) == ("stopped", 9), one
        assert one["bothTold"], one
        assert one["speak"] == 1, "of the small question alone"
