"""The longest job of every verb that can be long, to be stopped in the middle.

    {"desk": "scan", "want": "fewest", "position": {"region": 364}, "options": {"seconds": 600}}

`STOP` runs one in a page opened by `open_engine`, stops it after `after` ms and asks something
small; it gives how the job ended, the small answer, and the milliseconds from stop to answer.
`STOP_ALL` does so where two workers share the job, once both are at it: it gives the milliseconds
until both have said that they have left it, and of how many questions was heard after that.
"""

import random
from typing import Any


def contradictory(side: int) -> dict[str, Any]:
    """A random square board, a quarter of it open, with one number and one row's count wrong."""
    rng = random.Random(1)
    mined = [[rng.random() < 0.2 for _ in range(side)] for _ in range(side)]
    places = [(r, c) for r in range(side) for c in range(side)]
    opened = rng.sample([(r, c) for r, c in places if not mined[r][c]], side * side // 4)

    def number(r: int, c: int) -> int:
        return sum(mined[a][b] for a, b in places if abs(a - r) < 2 and abs(b - c) < 2)

    rows, columns = (
        [sum(row) for row in mined],
        [sum(column) for column in zip(*mined, strict=True)],
    )
    revealed = [{"cell": r * side + c, "number": number(r, c)} for r, c in sorted(opened)]
    revealed[5]["number"] += 1
    board = {
        "kind": "square", "width": side, "height": side,
        "rows": [*rows[:3], rows[3] + 1, *rows[4:]], "columns": columns, "total": sum(rows),
    }  # fmt: skip
    return {"board": board, "revealed": revealed}


BULLS = {"rules": {"pegs": 4, "colours": 10, "repeat": False}}
SIX = {
    "rules": {"pegs": 6, "colours": 10},
    "clues": [{"guess": "001234", "exact": 1, "partial": 2}],
}
HIDDEN: dict[str, Any] = {"slots": [{}] * 10}
OWN = {"slots": [{"wire": w} for w in ("1", "1", "2", "2", "4", "5", "7", "8", "10", "12")]}
TABLE = {
    "wires": {
        "blue": [1, 12],
        "groups": [
            {"of": ["Y2", "Y5", "Y9"], "drawn": 2},
            {"of": ["R3", "R7", "R11"], "drawn": 2},
        ],
    },
    "stands": [OWN, HIDDEN, HIDDEN, HIDDEN, {"slots": [{}] * 12}],
}
SPOTS = {"range": 20, "spots": [[3000 + 53 * i % 149, 3000 + 89 * i % 151] for i in range(60)]}
LINES = [
    "12345678945678912378912345623156489756489723189723156431264597864597831297831264" + last
    for last in "5."
] * 20_000

LONG: list[dict[str, Any]] = [
    {"desk": "code", "want": "strategy", "position": BULLS, "options": {"criterion": "optimal"}},
    {"desk": "code", "want": "advise", "position": SIX, "options": {"exact": True}},
    {"desk": "code", "want": "counts", "position": SIX, "options": {"rounds": 4}},
    {"desk": "rack", "want": "simulate", "options": {"games": 20_000}},
    {"desk": "rack", "want": "cuts", "position": TABLE, "options": {"every_triple": True}},
    {"desk": "rack", "want": "cuts", "position": TABLE, "options": {"rank": "win", "seconds": 600}},
    {
        "desk": "rack",
        "want": "indicate",
        "position": TABLE,
        "options": {"model": "bayes", "seen_by": "teammates", "samples": 2000},
    },
    {"desk": "scan", "want": "route", "position": SPOTS, "options": {"seconds": 600, "effort": 9}},
    {"desk": "scan", "want": "fewest", "position": SPOTS, "options": {"seconds": 3600}},
    {"desk": "scan", "want": "next", "position": SPOTS, "options": {"effort": 9}},
    {
        "desk": "mines",
        "want": "generate",
        "options": {"board": "combination-lock", "size": 12, "difficulty": "200..300"},
    },
    {
        "desk": "mines",
        "want": "doubt",
        "position": contradictory(24),
        "options": {"redundant": True},
    },
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
    {"desk": "scan", "want": "route", "position": SPOTS, "options": QUICK},
]

# A worker owes an answer to what it was asked, or its word that it has stopped.
STOP_ALL = """async (requests) => {
  const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
  const owes = new Map(), told = new Set(), heard = [];
  let seen = () => {};
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!owes.has(this)) {
      owes.set(this, new Set());
      this.addEventListener("message", ({ data }) => {
        heard.push([data.type, data.id]);
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
