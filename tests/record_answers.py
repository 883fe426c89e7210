"""Record Python's answers to the questions of the page's Node tests.

    python tests/record_answers.py            # every desk
    python tests/record_answers.py code rack

Runs the tests in tests/page/ that open a desk with CLUEWISE_RECORD=1: each question without a
recorded answer is answered by the package and added to tests/vectors/page_answers_<desk>.json. The
file is rewritten, so that answers which no test uses are dropped. tests/contract/test_answers.py
recomputes every answer, so that none becomes stale. Run `make dist` first: the page's modules
import generated files.
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
GENERATED = ROOT / "web" / "types" / "shapes.js"  # imported by the page's modules
MOST_NUMBERS = 3000  # of the arrays next to an answer


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return `{"result": …}` or `{"error": {"kind", "message", "where"}}` as JSON values.

    Short arrays are included as `"arrays": {"tiles": ["i", 4, 2]}`; the page draws areas from them.
    A limit in seconds is raised to an hour, so that the answer does not depend on the machine.
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
    row: dict[str, Any] = {"result": found.result} | ({"arrays": arrays} if short else {})
    return dict(json.loads(json.dumps(row)))


def recorded(desk: str) -> list[dict[str, Any]]:
    """Return the recorded answers of a desk: `[{"ask": {"desk", "want", …}, "result": …}, …]`."""
    path = VECTORS / f"page_answers_{desk}.json"
    found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return found


def record(desks: list[str]) -> int:
    """Record the answers of these desks anew; return the exit status of the Node tests."""
    if not GENERATED.exists():
        sys.exit(f"{GENERATED.relative_to(ROOT)} is missing. Run make dist first.")
    for desk in desks:
        (VECTORS / f"page_answers_{desk}.json").unlink(missing_ok=True)
    files = sorted((ROOT / "tests" / "page").glob("*.test.mjs"))
    tests = [str(path) for path in files if '"./desk.mjs"' in path.read_text()]
    environment = os.environ | {"CLUEWISE_RECORD": "1", "CLUEWISE_PYTHON": sys.executable}
    command = ["node", "--import", "./tests/page/typescript.mjs", "--test", "--test-concurrency=1"]
    return subprocess.run([*command, *tests], cwd=ROOT, env=environment, check=False).returncode


def main() -> None:
    """Record; with `--answer`, answer requests on standard input, one JSON document per line."""
    if sys.argv[1:] == ["--answer"]:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line)), separators=(",", ":")), flush=True)
        return
    sys.exit(record(sys.argv[1:] or list(DESKS)))


if __name__ == "__main__":
    main()
