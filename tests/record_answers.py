"""Record what Python answers to the questions that the page's Node tests ask.

    python tests/record_answers.py            # every desk
    python tests/record_answers.py code rack

Runs the tests in tests/page/ that open a desk with CLUEWISE_RECORD=1: each question without a
recorded answer is put to the package, and its answer joins tests/vectors/page_answers_<desk>.json.
The file is written anew, so that answers which no test uses are dropped.
tests/contract/test_answers.py recomputes every answer, so that none of them becomes stale.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from cluewise import service
from cluewise.core.work import finish
from cluewise.desks import NAMES as DESKS
from cluewise.errors import CluewiseError

ROOT = Path(__file__).resolve().parents[1]
VECTORS = ROOT / "tests" / "vectors"
MOST_NUMBERS = 3000  # of the arrays next to an answer


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """`{"result": …}` or `{"error": {"kind", "message", "where"}}`, as JSON reads it back.

    Arrays come as `"arrays": {"tiles": ["i", 4, 2]}` while they are short; without them the page
    draws no areas. A limit in seconds is lifted, so that the answer is the same on every machine.
    """
    options = dict(request.get("options", {}))
    if "seconds" in options:
        options["seconds"] = 3600
    try:
        found = finish(service.start({**request, "options": options}))
    except CluewiseError as problem:
        return {"error": {key: getattr(problem, key) for key in ("kind", "message", "where")}}
    arrays = {name: [array.typecode, *array] for name, array in found.arrays.items()}
    short = arrays and sum(map(len, arrays.values())) <= MOST_NUMBERS
    answered = {"result": found.result} | ({"arrays": arrays} if short else {})
    whole: dict[str, Any] = json.loads(json.dumps(answered))
    return whole


def recorded(desk: str) -> list[dict[str, Any]]:
    """The recorded answers of a desk: `[{"ask": {"desk", "want", …}, "result": …}, …]`."""
    path = VECTORS / f"page_answers_{desk}.json"
    found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return found


def record(desks: list[str]) -> int:
    """Write the answers of these desks anew; the exit status of the tests that ask for them."""
    for desk in desks:
        (VECTORS / f"page_answers_{desk}.json").unlink(missing_ok=True)
    files = sorted((ROOT / "tests" / "page").glob("*.test.mjs"))
    tests = [str(path) for path in files if '"./desk.mjs"' in path.read_text()]
    environment = os.environ | {"CLUEWISE_RECORD": "1", "CLUEWISE_PYTHON": sys.executable}
    command = [
        "node",
        "--import",
        "./tests/page/typescript.mjs",
        "--test",
        "--test-concurrency=1",
        *tests,
    ]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main() -> None:
    """Record, or answer lines of JSON with `--answer`."""
    if sys.argv[1:] == ["--answer"]:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line)), separators=(",", ":")), flush=True)
        return
    sys.exit(record(sys.argv[1:] or list(DESKS)))


if __name__ == "__main__":
    main()
