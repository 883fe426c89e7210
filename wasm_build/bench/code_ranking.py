"""Measure how often the code desk's first advice is the cheapest guess, and its time.

    python -m wasm_build.bench.code_ranking [--most N]

Every 20th code of Mastermind is played by most bits, which gives 195 positions after 0, 1 and 2
rows. For each distinct position the page's questions are sent to the page's worker in Chromium: the
advice by bits, the ranking by guesses, and that ranking for one option (`place`), which the desk
shows first. The advised guess is compared with the least cost of all guesses, computed under
wasmtime without a limit. Times are wall time in the page; `cpu` is the browser's processor time,
which hardly depends on other load. Each position counts as often as it occurs.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from typing import Any

from playwright.sync_api import Page, sync_playwright

from browser import CHROMIUM, FLAGS, HEADLESS_SHELL, open_engine, served
from cluewise import service
from cluewise.core.benchmark import quantile
from cluewise.desks.code.position import Rules, answer
from cluewise.desks.code.verbs.play import code_at
from wasm_build.bench.start import processor_seconds

STEP, ROWS = 20, 3
QUESTIONS = {"advise": ("advise", {}), "place": ("costs", {"top": 1}), "costs": ("costs", {})}
ASK = """async ([clues, [name, changes]]) => {
  const { page } = await import(new URL("desks/code/page.js", document.baseURI));
  const { position, options } = page.listRequests({ ...page.initial(), clues }, {})[name];
  const before = performance.now();
  const said = await ask("code", "advise", position, { ...options, ...changes });
  return { seconds: (performance.now() - before) / 1000, ...(said.result ?? said) };
}"""


def positions() -> Counter[str]:
    """Return the positions as JSON with their numbers of occurrences."""
    rules, found = Rules(), Counter[str]()
    known: dict[str, str] = {}
    for place in range(0, 1296, STEP):
        secret = code_at(rules, place)
        clues: list[dict[str, Any]] = []
        for _ in range(ROWS):
            text = json.dumps({"clues": clues})
            found[text] += 1
            if clues and clues[-1]["exact"] == rules.pegs:
                continue  # found before: the same position again
            if text not in known:
                known[text] = _ask(clues, top=1, guesses=False)["options"][0]["guess"]
            exact, partial = answer(rules, known[text], secret)
            clues = [*clues, {"guess": known[text], "exact": exact, "partial": partial}]
    return found


def _ask(clues: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    request = {"desk": "code", "want": "advise", "position": {"clues": clues}, "options": options}
    found: dict[str, Any] = service.run(request)
    return found


def measure(page: Page, text: str) -> dict[str, Any]:
    """Return the page's times for one position, and whether its advice is the cheapest."""
    clues = json.loads(text)["clues"]
    found: dict[str, dict[str, Any]] = {}
    spent: dict[str, float] = {}
    for name, question in QUESTIONS.items():
        before = processor_seconds()
        found[name] = page.evaluate(ASK, [clues, question])
        spent[name] = processor_seconds() - before
        if "options" not in found[name]:
            raise RuntimeError(json.dumps(found[name]))
    least = _ask(clues, criterion="guesses", settle=True, top=1)["options"][0]["guesses"]
    costs, bits = found["costs"], found["advise"]["options"][0]
    first = costs["options"][0]
    mine = _ask(clues, criterion="guesses", settle=True, top=1, mine=bits["guess"])["mine"]
    return {
        "settled": bool(costs["criterion"] == "guesses" and costs["least"]["exact"]),
        "cheapest": first["guesses"]["exact"] and first["guesses"]["expected"] == least["expected"],
        "bits_cheapest": mine["guesses"].get("expected") == least["expected"],
        **{name: found[name]["seconds"] for name in found},
        **{f"{name} cpu": spent[name] for name in found},
    }


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, help="number of distinct positions")
    most = parser.parse_args().most
    counted = positions()
    path = next((p for p in (HEADLESS_SHELL, CHROMIUM) if p.exists()), None)
    rows: list[dict[str, Any]] = []
    with served() as address, sync_playwright() as play:
        browser = play.chromium.launch(args=FLAGS, executable_path=path)
        page = browser.new_page()
        page.set_default_timeout(600_000)
        open_engine(page, address)
        page.evaluate(ASK, [[], QUESTIONS["costs"]])  # the first question compiles
        for text, many in counted.most_common(most):
            rows += [measure(page, text)] * many
        browser.close()
    load = os.getloadavg()[0]
    print(f"{len(rows)} positions ({len(counted)} different), load {load:.1f}")
    for name in ("settled", "cheapest", "bits_cheapest"):
        print(f"{name:14} {sum(row[name] for row in rows)} of {len(rows)}")
    for name in [*QUESTIONS, *(f"{name} cpu" for name in QUESTIONS)]:
        seconds = [row[name] for row in rows]
        median, high, worst = (quantile(seconds, share) for share in (0.5, 0.95, 1))
        print(f"{name:14} median {median:.3f} s, p95 {high:.3f} s, worst {worst:.3f} s")


if __name__ == "__main__":
    main()
