"""The wheel in a Pyodide that is not ours: installed by micropip, it brings its own kernel."""

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from cluewise import desks, run
from wasm_build.site import wheels
from wasm_build.site.python_archives import our_wheel
from wasm_build.site.serve import Server

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
        cwd=wheels.ROOT,
    )  # fmt: skip
    if done.returncode:
        pytest.fail(done.stderr[-2000:])
    assert json.loads(done.stdout.splitlines()[-1]) == [run(request) for request in REQUESTS]
