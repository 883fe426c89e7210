"""What a first visit by a link transfers before Python answers, by part; and its round trips."""

import gzip
import json
import os
import posixpath
import re
from pathlib import Path

import pytest

from cluewise import desks

DIST = Path(__file__).resolve().parents[2] / "dist"
pytestmark = [
    pytest.mark.skipif(not DIST.exists(), reason="the page is not built: make dist"),
    pytest.mark.skipif(
        os.environ.get("CLUEWISE_RUNTIME") == "whole", reason="the budgets are of the thin module"
    ),
]

# Thousands of bytes as a host sends them, gzipped where that helps; a desk's part is the largest of
# all desks. The limits leave some 5 % for growth.
BUDGETS = {
    "page": 160,
    "worker": 6.5,
    "runtime": 2000,
    "scripts": 275,
    "library": 950,
    "msgspec": 145,
    "core": 90,
    "desk": 300,
    "kernel": 320,
}
WHOLE = 4_200  # thousands of bytes, any desk
IMPORT = re.compile(r'(?:from|import)\s*"(\.[^"]+\.js)"')


def packed(*names: str) -> float:
    """Thousands of bytes on the line; archives are compressed already."""
    sizes = {name: (DIST / name).read_bytes() for name in names}
    plain = (".bin", ".whl")
    return (
        sum(len(d if n.endswith(plain) else gzip.compress(d, 6)) for n, d in sizes.items()) / 1000
    )


def first_files() -> list[str]:
    text = (DIST / "engine" / "download-sizes.js").read_text()
    listed = json.loads(text.partition("FIRST = ")[2].partition(";")[0])
    assert all((DIST / name).stat().st_size == size for name, size in listed.items())
    return list(listed)


def early() -> list[str]:
    """The files that index.html names: they are asked for together, after one round trip."""
    index = (DIST / "index.html").read_text()
    names = re.findall(
        r'<(?:link rel="(?:stylesheet|modulepreload)" href|script src)="(.+?)"', index
    )
    assert "app.js" in names
    return names


def imports(name: str) -> list[str]:
    folder = posixpath.dirname(name)
    found = IMPORT.findall((DIST / name).read_text())
    return [posixpath.normpath(posixpath.join(folder, one)) for one in found]


def parts(desk: str) -> dict[str, float]:
    """Thousands of bytes of each part of a visit to that desk."""
    (wheel,) = (name for name in first_files() if "msgspec" in name)
    page = {"index.html", *early(), f"desks/{desk}/page.js", *imports(f"desks/{desk}/page.js")}
    return {
        "page": packed(*page, f"engine/known/{desk}.js"),
        "worker": packed("engine/worker.js"),
        "runtime": packed("pyodide/runtime.bin"),
        "scripts": packed("pyodide/pyodide.js", "pyodide/pyodide.asm.js"),
        "library": packed("pyodide/python_stdlib.bin"),
        "msgspec": packed(wheel),
        "core": packed("pyodide/cluewise-core.bin"),
        "desk": packed(f"pyodide/cluewise-{desk}.bin"),
        "kernel": packed("kernel.wasm"),
    }


@pytest.mark.parametrize("desk", desks.available())
def test_first_visit_stays_within_its_budgets(desk: str) -> None:
    found = parts(desk)
    assert {name: size for name, size in found.items() if size > BUDGETS[name]} == {}
    assert sum(found.values()) <= WHOLE
    assert f"{WHOLE / 1000:g} MB before Python answers" in (DIST.parent / "README.md").read_text()
    named = {"pyodide/runtime.bin", "pyodide/python_stdlib.bin", "pyodide/cluewise-core.bin"}
    assert {*named, "kernel.wasm"} <= set(first_files())
    assert len(first_files()) == 5, "a new file of the start needs a budget"


def round_trips() -> dict[str, int]:
    """How many answers must have arrived before each file of a start can be asked for."""
    found = {"index.html": 0, **dict.fromkeys(early(), 1)}
    queue = [name for name in found if name.endswith(".js")]
    expected = ["engine/worker.js", "pyodide/pyodide.asm.js", *first_files()]
    while queue:
        name = queue.pop(0)
        text = (DIST / name).read_text()
        asked = [one for one in expected if re.search(rf'["/]{re.escape(Path(one).name)}"', text)]
        for one in [*imports(name), *asked]:
            if one not in found:
                found[one] = found[name] + 1
                queue += [one] if one.endswith(".js") and not one.startswith("pyodide/") else []
    return found


def test_python_files_are_requested_within_three_round_trips() -> None:
    found = round_trips()
    assert found["pyodide/runtime.bin"] <= 2
    assert found["engine/worker.js"] <= 2
    assert imports("engine/worker.js") == []
    late = {name: n for name, n in found.items() if n > 3}
    assert late == {}
    assert {*first_files(), "pyodide/pyodide.asm.js"} <= set(found)
