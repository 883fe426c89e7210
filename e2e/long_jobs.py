"""The longest job of every verb that can take long, to be stopped in progress.

    {"desk": "scan", "want": "fewest", "position": {"region": 364}, "options": {"seconds": 600}}

`STOP` runs one in a page opened by `open_engine`, stops it after `after` ms and sends a small
request; it returns how the job ended, the small answer, and the milliseconds from stop to answer.
`STOP_ALL` does so with two workers, once both have tasks: it returns the milliseconds until both
have confirmed the stop, and the number of requests that sent messages after that.
"""

import json
from pathlib import Path
from typing import Any

LINES = [
    "12345678945678912378912345623156489756489723189723156431264597864597831297831264" + last
    for last in "5."
] * 20_000

LONG: list[dict[str, Any]] = [
    *json.loads(Path(__file__).with_name("positions.json").read_text())["long_jobs"],
    {"desk": "sudoku", "want": "group", "options": {"lines": LINES}},
    {"desk": "sudoku", "want": "group", "options": {"lines": LINES, "task": "solve"}},
]

STOP = """async ([request, after]) => {
  const small = { rules: { pegs: 2, colours: 3 } };
  const job = engine.ask({ position: {}, ...request });
  let ended = "";
  const end = job.promise
    .then(() => "result", (fault) => fault.kind)
    .then((kind) => { ended = kind; });
  await new Promise((resolve) => setTimeout(resolve, after));
  if (ended) return { ended, count: 0, waited: 0 };
  const began = performance.now();
  job.cancel();
  const answer = await ask("code", "remaining", small);
  await end;
  return { ended, count: answer.result.count, waited: performance.now() - began };
}"""

PIECES = {"strategy", "simulate", "group", "generate"}
QUICK = {"seconds": 600, "effort": 0}  # a first route at once, then all allowances
SHARED = [
    *(job for job in LONG if job["want"] in PIECES or "rank" in job.get("options", {})),
    {"desk": "scan", "want": "route", "position": LONG[7]["position"], "options": QUICK},
]

# A worker owes a result of each request, or the confirmation that it has stopped.
STOP_ALL = """async (requests) => {
  const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
  const owes = new Map(), told = new Set(), heard = [];
  let seen = () => {};
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!owes.has(this)) {
      owes.set(this, new Set());
      this.addEventListener("message", ({ data }) => {
        if (data.type !== "pong") heard.push([data.type, data.id]); // of no question
        if (["result", "fault"].includes(data.type)) owes.get(this).delete(data.id);
        seen();
      });
    }
    if (["ask", "call"].includes(message.type)) owes.get(this).add(message.id);
    if (message.type === "cancel" && owes.get(this).has(message.id)) told.add(this);
    post.call(this, message, ...rest);
    seen();
  };
  const when = (holds) => new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`never: ${holds}`)), 120_000);
    seen = () => {
      if (!holds()) return;
      clearTimeout(late);
      seen = () => {};
      resolve(true);
    };
    seen();
  });
  const both = createEngine({ workers: 2 });
  const stops = [];
  for (const request of requests) {
    const atWork = when(() => owes.size === 2 && [...owes.values()].every((one) => one.size));
    let job, ended;
    do {
      job = both.ask({ position: {}, ...request });
      ended = job.promise.then(() => "result", (fault) => fault.kind);
      // Again, if it was over before the second worker was there.
    } while ((await Promise.race([atWork, ended])) !== true);
    const began = performance.now();
    const quiet = when(() => [...owes.values()].every((one) => !one.size));
    told.clear();
    job.cancel();
    const bothTold = told.size === 2;
    await quiet;
    const waited = performance.now() - began;
    heard.length = 0;
    const small = { desk: "code", want: "remaining", position: { rules: { pegs: 2, colours: 3 } } };
    const { count } = (await both.ask(small).promise).result;
    await when(() => heard.some(([type]) => type === "result"));
    const speak = new Set(heard.map(([, id]) => id)).size; // questions of which something was heard
    stops.push({ want: request.want, ended: await ended, bothTold, waited, count, speak });
  }
  both.end();
  Worker.prototype.postMessage = post;
  return stops;
}"""
