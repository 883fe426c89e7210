"""Requests to a desk and their answers: `ask_rack("posterior", position, rank="safe")`."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from cluewise import service
from cluewise.core.work import Job


def vectors(name: str) -> Any:
    """Return the content of a file in tests/vectors: `vectors("sudoku")["puzzles"]`."""
    return json.loads((Path(__file__).parent / "vectors" / f"{name}.json").read_text("utf-8"))


def ask(desk: str, want: str, position: Any = None, **options: Any) -> Any:
    """Return a desk's answer to a verb."""
    request = {"desk": desk, "want": want, "position": position or {}, "options": options}
    return service.run(request)


ask_code, ask_rack, ask_scan, ask_mines, ask_sudoku = (
    partial(ask, desk) for desk in ("code", "rack", "scan", "mines", "sudoku")
)


def ask_grids(want: str, *grids: str, box: tuple[int, int] = (3, 3), **options: Any) -> Any:
    """Return the sudoku desk's answer to a verb about grids of a size."""
    return ask_sudoku(want, {"box": list(box), "grids": list(grids)}, **options)


def steps_of(job: Job[Any]) -> tuple[list[Any], Any]:
    """Return the intermediate best results of a job, and its result."""
    steps = []
    while True:
        try:
            steps.append(next(job))
        except StopIteration as stop:
            return [step.best for step in steps if step.best is not None], stop.value


def wires_of(text: str) -> list[dict[str, str]]:
    """Return the slots of a rack stand from text: `"1 2 YELLOW"`."""
    return [{"wire": wire} for wire in text.split()]
