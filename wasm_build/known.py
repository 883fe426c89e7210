"""What a desk asks when it or an example of the home page is opened, answered by the build.

They equal what the package computes for the same questions, so that the first advice needs no
Python; a test compares both. A module for a desk's first position, engine/known/<desk>.js, and one
for each example, engine/known/<desk>-<n>.js, to which the first refers by name:

    export default {'["advise",{"rules":…},{"top":10}]':
                    {"result": {…}, "arrays": {"bits": ["d", "AAAA…"]}},
                    '["advise",{"clues":…},{"top":10}]': "code-1"}
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cluewise import desks, service
from cluewise.core.work import Answer, finish

HERE = Path(__file__).resolve().parent
PORTABLE = "bBhHiIfd"
LARGEST = 64_000  # bytes of one answer's arrays; what is larger waits for Python


def questions(site: Path) -> dict[str, list[list[dict[str, Any]]]]:
    """What each page asks first, a list for each position: `{"code": [[{"want", …}, …], …], …}`."""
    done = subprocess.run(
        ["node", str(HERE / "questions.mjs"), str(site), *desks.available()],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"The desks' pages did not say what they ask:\n{done.stderr}")
    found: dict[str, list[list[dict[str, Any]]]] = json.loads(done.stdout)
    return found


def modules(site: Path) -> dict[str, bytes]:
    """Those files by name; `site` holds the page's scripts as they will stand in dist/."""
    made = {}
    for desk, (first, *examples) in questions(site).items():
        known: dict[str, Any] = _answers(desk, first)
        for n, asked in enumerate(examples, 1):
            name, answers = f"{desk}-{n}", _answers(desk, asked)
            new = {key: answer for key, answer in answers.items() if key not in known}
            if new:
                known.update(dict.fromkeys(new, name))
                made[f"engine/known/{name}.js"] = _module(new)
        made[f"engine/known/{desk}.js"] = _module(known)
    return made


def _answers(desk: str, asked: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The answers by signature; without those that are too large."""
    answers = {}
    for question in asked:
        answer = finish(service.start(unhurried({"desk": desk, **question})))
        if _fits(answer):
            answers[signature(question)] = _packed(answer)
    return answers


def _module(answers: dict[str, Any]) -> bytes:
    text = json.dumps(answers, ensure_ascii=False, separators=(",", ":"))
    return f"// Made by the build, see wasm_build/known.py.\nexport default {text};\n".encode()


def unhurried(request: dict[str, Any]) -> dict[str, Any]:
    """With ten minutes instead of the seconds that a page would wait: the answer has settled, and
    does not depend on how busy the machine is that builds or tests."""
    options = request["options"]
    return {**request, "options": {**options, "seconds": 600}} if "seconds" in options else request


def _fits(answer: Answer) -> bool:
    """Small enough, and of types that are the same size on every machine."""
    size = sum(array.itemsize * len(array) for array in answer.arrays.values())
    return size <= LARGEST and all(a.typecode in PORTABLE for a in answer.arrays.values())


def signature(question: dict[str, Any]) -> str:
    """The question as the page's JSON.stringify writes it."""
    parts = [question["want"], question["position"], question["options"]]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _packed(answer: Answer) -> dict[str, Any]:
    arrays = {
        name: [array.typecode, base64.b64encode(array.tobytes()).decode()]
        for name, array in answer.arrays.items()
    }
    return {"result": answer.result, "arrays": arrays}
