"""The notebooks of the docs, run from the first cell to the last: one by a real kernel."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cluewise import __version__, desks
from cluewise.browser.console import InteractiveConsole

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "web" / "docs" / "cluewise.ipynb"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[dict[str, Any]]]:
    """What every cell with code put out; a cell that fails fails the run."""
    target = tmp_path_factory.mktemp("notebook") / "run.ipynb"
    command = [sys.executable, "-m", "jupyter", "execute", "--timeout=120", "--kernel_name=python3"]
    ran = subprocess.run(
        [*command, f"--output={target}", str(NOTEBOOK)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    cells = json.loads(target.read_text())["cells"]
    return [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]


def shown(cell: list[dict[str, Any]], kind: str) -> str:
    values = [out for out in cell if out["output_type"] == "execute_result"]
    texts = [out["data"][kind] for out in values if kind in out["data"]]
    return "".join("".join(text) for text in texts)


def test_the_notebook_is_kept_without_outputs() -> None:
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.sampled(2, of="installed")
def test_every_cell_runs_and_says_what_it_should(outputs: list[list[dict[str, Any]]]) -> None:
    board, advice, left, link, puzzle, safe, same, bits, mistake = outputs
    assert shown(board, "image/svg+xml").startswith("<svg")
    assert shown(advice, "text/plain").startswith("[('")
    assert "count=" in shown(left, "text/plain")
    assert "#/code/1/" in shown(link, "text/plain")
    assert shown(puzzle, "image/svg+xml").count("<polygon") > 20
    assert shown(safe, "text/plain").startswith("[")
    assert shown(same, "text/plain").strip("'\"")
    assert float(shown(bits, "text/plain")) > 1
    said = "".join("".join(out.get("text", "")) for out in mistake)
    assert "clues[0]" in said


@pytest.mark.parametrize("desk", desks.available())
def test_a_desks_notebook_reproduces_the_published_table(desk: str) -> None:
    """Run as the page's console runs it; the last cells compare with the published figures."""
    path = NOTEBOOK.parent / "notebooks" / f"{desk}.ipynb"
    assert f"/wheel/cluewise-{__version__}-py3-none-any.whl" in path.read_text()
    cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    console = InteractiveConsole()
    for cell in cells:
        asyncio.run(console.run("".join(cell["source"])))
    assert console.names["table"]
