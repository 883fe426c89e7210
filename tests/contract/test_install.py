"""The wheel as people install it: in a clean environment, with the oldest parts it allows.

Also in a notebook, whose cells are run from the first to the last, and by micropip in a Pyodide
that is not ours.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tarfile
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from cluewise import __version__, desks, run
from cluewise.browser.console import InteractiveConsole
from wasm_build.site import wheels
from wasm_build.site.python_archives import our_wheel
from wasm_build.site.serve import Server

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
QUIET = ["--quiet", "--disable-pip-version-check", "--no-input"]


def minimum_versions(requirements: list[str]) -> list[str]:
    """The lowest version that each requirement allows: `["msgspec==0.19"]`."""
    found = []
    for text in requirements:
        match = re.match(r"([\w.-]+)>=([\w.]+)", text)
        assert match, f"{text} names no lowest version"
        found.append(f"{match[1]}=={match[2]}")
    return found


def run_command(*command: str | Path, status: int = 0) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True, text=True, timeout=300, check=False, cwd=Path(command[0]).parent,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel() -> Path:
    return our_wheel()


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel and the oldest libraries, without the terminal's."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=120)
    found = folder / "bin" / "python"
    run_command(
        found, "-m", "pip", "install", *QUIET, wheel, *minimum_versions(PROJECT["dependencies"])
    )
    return found


ASK = """
import cluewise
for desk, want in [("code", "advise"), ("rack", "mission"), ("scan", "regions"),
                   ("mines", "examples"), ("sudoku", "generate")]:
    assert cluewise.run({"desk": desk, "want": want}), desk
from cluewise import arrays
assert arrays.canon([[0] * 80 + [1]]).shape == (1, 81)
assert cluewise.study("code", "remaining", [{}], jobs=1)["count"].tolist() == [1296]
print(cluewise.run({"desk": "code", "want": "advise"})["options"][0]["guess"])
"""


def test_wheel_from_the_sdist_equals_the_wheel(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build"]
    subprocess.run([*build, "-t", "sdist", "-d", tmp_path], cwd=ROOT, check=True, timeout=120)
    source = next(tmp_path.glob("*.tar.gz"))
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / source.name.removesuffix(".tar.gz")
    subprocess.run([*build, "-t", "wheel", "-d", tmp_path], cwd=folder, check=True, timeout=120)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as made, zipfile.ZipFile(wheel) as ours:
        assert {f.filename: f.CRC for f in made.infolist()} == {
            f.filename: f.CRC for f in ours.infolist()
        }
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", source, wheel],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


@pytest.mark.long
def test_oldest_allowed_libraries_work_on_every_desk_and_in_the_terminal(
    python: Path, wheel: Path
) -> None:
    assert run_command(python, "-c", ASK).split() == ["0123"]
    said = run_command(python, "-m", "cluewise", "code", "advise", status=2)
    assert "cluewise[terminal]" in said
    assert "Traceback" not in said
    extras = PROJECT["optional-dependencies"]
    extra = minimum_versions(extras["terminal"] + extras["pictures"])
    run_command(python, "-m", "pip", "install", *QUIET, f"{wheel}[terminal,pictures]", *extra)
    for command in ([python, "-m", "cluewise"], [python.parent / "cluewise"]):
        assert "0123" in run_command(*command, "code", "advise")
        assert "the best next move" in run_command(*command, "--help")
    walls = python.parent / "walls.png"
    run_command(
        python, "-c", f"from PIL import Image; Image.new('L', (3, 2), 0).save({str(walls)!r})"
    )
    asked = ("scan", "import", "--region", "364", "--walls", str(walls))
    assert '"size": [3, 2]' in run_command(python, "-m", "cluewise", *asked)


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


def test_notebook_is_committed_without_outputs() -> None:
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.sampled(2, of="installed")
def test_cells_of_the_notebook_run_with_the_expected_output(
    outputs: list[list[dict[str, Any]]],
) -> None:
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
def test_notebook_of_a_desk_reproduces_the_published_table(desk: str) -> None:
    """Run as the page's console runs it; the last cells compare with the published figures."""
    path = NOTEBOOK.parent / "notebooks" / f"{desk}.ipynb"
    assert f"/wheel/cluewise-{__version__}-py3-none-any.whl" in path.read_text()
    cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    console = InteractiveConsole()
    for cell in cells:
        asyncio.run(console.run("".join(cell["source"])))
    assert console.names["table"]


HERE = Path(__file__).resolve().parent
POSITIONS = json.loads((HERE.parent / "vectors" / "positions.json").read_text())
REQUESTS = [
    {"desk": "code", "want": "advise", "position": {"clues": [{"guess": "0011", "exact": 1}]}},
    *({"desk": name, "want": "doubt", "position": POSITIONS[name][0]} for name in ("rack", "scan")),
    {"desk": "mines", "want": "solve", "position": POSITIONS["mines"][0]},
    {"desk": "sudoku", "want": "solve", "position": POSITIONS["sudoku"][0]},
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A package index with our wheel and msgspec's, as any would list them."""
    folder = tmp_path_factory.mktemp("index")
    for wheel in (our_wheel(), wheels.fetch_all() / wheels.MSGSPEC):
        home = folder / wheel.name.partition("-")[0]
        home.mkdir()
        copy(wheel, home)
        page = f'<!doctype html><html><body><a href="{wheel.name}">{wheel.name}</a></body></html>'
        (home / "index.html").write_text(page)
    server = Server(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.mark.sampled(2, of="installed")
def test_micropip_installs_the_wheel_and_the_first_run_answers(index: str) -> None:
    assert {request["desk"] for request in REQUESTS} == set(desks.available())
    done = subprocess.run(
        ["node", str(HERE / "stock_pyodide.mjs"), str(wheels.CACHE), index],
        input=json.dumps(REQUESTS), capture_output=True, text=True, timeout=120,
        cwd=ROOT,
    )  # fmt: skip
    if done.returncode:
        pytest.fail(done.stderr[-2000:])
    assert json.loads(done.stdout.splitlines()[-1]) == [run(request) for request in REQUESTS]
