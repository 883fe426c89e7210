"""Compiled archives for the page's worker: the standard library, our package and other wheels.

Pyodide in Node compiles each archive (site/freeze.mjs), one process per archive and core.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import deflate

from wasm_build import stages
from wasm_build.site import files as site_files
from wasm_build.site import wheels

BEST, FAST = 10, 8  # levels of libdeflate: for files of every first visit, and for the rest
FOR_THE_CONSOLE = re.compile(r"cluewise/(arrays/|batch\.|core/svg\.|desks/\w+/drawing\.)")
DATE = "1580601600"  # 2020-02-02, the date of every member of every archive
Archive = dict[str, Any]  # a job of site/freeze.mjs

# Modules that the page never imports. A module left out by mistake is an error in the first test
# that needs it, so the list may be generous.
STDLIB_WITHOUT = [
    "^(_pyrepl|asyncio/__main__|compression|ctypes|email|html|http|idlelib|importlib/metadata"
    "|multiprocessing|pydoc_data|pyodide/http|urllib"
    "|sqlite3|tkinter|turtledemo|unittest|wsgiref|xml|xmlrpc|zoneinfo|site-packages|__phello__"
    "|dbm|curses|ensurepip|lib2to3|venv|tomllib"
    "|concurrent/interpreters|concurrent/futures/interpreter)(/|\\.)",
    "^(_ast_unparse|_markupbase|_pydatetime|_pyio|_pydecimal|_threading_local|antigravity|argparse"
    "|bdb|calendar|cgi|cmd|code|configparser|csv|gzip|hmac|queue|quopri|secrets|tarfile|tty"
    "|difflib|doctest|fileinput|_compat_pickle|pickle|_strptime"
    "|ftplib|getpass|imaplib|ipaddress|mailbox|modulefinder|nturl2path|optparse|pdb|pickletools"
    "|plistlib|poplib|profile|pstats|pty|pyclbr|pydoc|rlcompleter|sched|shelve|smtplib|gettext"
    "|mimetypes|platform|_sysconfigdata[\\w-]*|pprint|runpy|shlex|colorsys|graphlib|py_compile|getopt|stringprep"
    "|socketserver|tabnanny|this|timeit|trace|tracemalloc|turtle|wave|webbrowser|zipapp"
    "|sre_compile|sre_constants|sre_parse)\\.py$",
    "^(asyncio/(proactor_events|tools|windows_events|windows_utils)|compileall|concurrent"
    "/futures/(process|thread)|cProfile|filecmp|importlib/(resources/)?simple|json/(tool|__main__)"
    "|logging/(config|handlers)|netrc|pathlib/types|symtable|sysconfig/__(main|init)__"
    "|pyodide/(_nodesock_transport|console|ffi/wrappers)|zipfile/__main__)\\.py$",
    # zipfile decodes names in cp437. No other code page of old systems is used, and those of East
    # Asia need tables that the page's runtime does not have.
    "^encodings/(base64_codec|big5\\w*|bz2_codec|euc_\\w+|gb\\w+|hex_codec|hz|idna|iso2022_\\w+"
    "|johab|mbcs|oem|punycode|quopri_codec|rot_13|shift_\\w+|undefined|utf_(32|7)\\w*|uu_codec"
    "|zlib_codec|cp(?!437)\\w+|mac_\\w+|iso8859_(?!1\\.)\\w+|koi8_\\w|hp_roman8|kz1048|palmos"
    "|ptcp154|tis_620)\\.py$",
]
NUMPY_WITHOUT = [
    "/tests/",
    "numpy/testing/",
    "numpy/_pyinstaller/",
    "\\.(pyi|h|c|a|ini|txt|md)$",
    "numpy/f2py/",
    "/licenses/",
    "/RECORD$",
]
NUMPY_NEEDS = ("_compat_pickle", "hmac", "pickle", "platform", "secrets")  # of STDLIB_WITHOUT
# Modules that the console lacks too, since they cannot work in a browser.
STDLIB_NEVER = [
    "^(_pyrepl|ctypes/macholib|idlelib|multiprocessing|sqlite3|tkinter|turtledemo|wsgiref"
    "|site-packages|__phello__|dbm|curses|ensurepip|lib2to3|venv)(/|\\.)",
    "^(antigravity|ftplib|imaplib|poplib|smtplib|socketserver|turtle|webbrowser)\\.py$",
]
PURE_WITHOUT = ["py\\.typed$", "\\.pyi$", "/tests/", "/licenses/", "/RECORD$"]
MSGSPEC_WITHOUT = ["\\.pyi$", "py\\.typed$", "/licenses/", "/RECORD$"]
# Docstrings are a third of the package, and the page shows none.
OURS_LEVEL = 2
OURS_WITHOUT = [
    "kernel\\.wasm$", "kernel/native\\.py$", "py\\.typed$", "/licenses/", "/RECORD$",
    "\\.pyi$", "cluewise/cli/", "/core/version\\.py$", "/parallel/cache\\.py$",
    "sudoku/lists/output\\.py$",
    "entry_points\\.txt$", "/(numbers|digits|glyphs)\\.bin$", "scan/formats/walls_image\\.py$",
]  # fmt: skip


def our_wheel() -> Path:
    """Return the package as a wheel, built by hatchling."""
    others = ("pyproject.toml", "README.md", "LICENSE")
    inputs = [*stages.package_sources(), *(stages.ROOT / name for name in others)]

    def make(folder: Path) -> None:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=stages.ROOT, check=True, capture_output=True, timeout=300,
            env={**os.environ, "SOURCE_DATE_EPOCH": DATE},
        )  # fmt: skip

    return next(stages.cached_folder("wheel", stages.files_digest(inputs), make).glob("*.whl"))


def compiled(name: str, archives: list[Archive], stdlib: Path | None = None) -> Path:
    """Return a folder with the compiled archives; a compiled `stdlib` makes that faster."""
    rules = json.dumps([{**job, "from": Path(job["from"]).name} for job in archives])
    key = stages.digest([
        rules.encode(), *(Path(job["from"]).read_bytes() for job in archives),
        (stages.HERE / "site/freeze.mjs").read_bytes(), wheels.pyodide_version().encode(),
    ])  # fmt: skip

    def make(target: Path) -> None:
        jobs = [{**job, "to": str(target / Path(job["from"]).name)} for job in archives]
        library = str(stdlib) if stdlib else None
        stages.node("site/freeze.mjs", job={"stdlib": library, "archives": jobs})

    return stages.cached_folder(name, key, make)


def solid(archive: Path) -> bytes:
    """Return an archive that every start needs, repacked by `site_files.solid`."""
    data = archive.read_bytes()
    key = stages.digest([data, (stages.HERE / "site/files.py").read_bytes()])
    return stages.cached_bytes("solid", key, lambda: site_files.solid(data))


def runtime_name() -> str:
    """Return the name of Pyodide's module that a start fetches.

    By default it lacks the functions that no recorded run has called (site/thin.mjs). With
    CLUEWISE_RUNTIME=whole in the environment it is the whole module, and there is no other.
    """
    return "pyodide.asm.bin" if os.environ.get("CLUEWISE_RUNTIME") == "whole" else "runtime.bin"


def thin_runtime() -> bytes:
    """Return Pyodide's module without the functions that no recorded run has called."""
    whole, profile = wheels.PYODIDE / "pyodide.asm.wasm", stages.HERE / "site/runtime-profile.txt"
    scripts = [stages.HERE / "site/thin.mjs", stages.HERE / "site/wasm.mjs"]

    def make(target: Path) -> None:
        stages.node("site/thin.mjs", "thin", whole, profile, target / "thin")

    key = stages.digest(path.read_bytes() for path in (whole, profile, *scripts))
    return stages.cached_files("thin", key, make)["thin"]


def packed(data: bytes, level: int) -> bytes:
    """Return bytes as gzip, since few hosts compress WebAssembly."""
    key = stages.digest([data, bytes([level])])
    return stages.cached_bytes("packed", key, lambda: bytes(deflate.gzip_compress(data, level)))


def package_parts(package: Path, library: Path) -> dict[str, bytes]:
    """Return the compiled package in parts: `{"core.bin": …, "code.bin": …}`, one for each desk.

    The core has every desk's `__init__`, which `desks.available()` needs. The page fetches the core
    and the part of the open desk first, the others on demand. The part "pictures" is fetched with
    numpy and contains the modules of `library`, the rest of the standard library, that numpy
    imports. Modules for the console alone are in no part: it loads the whole package.
    """
    sources = (stages.HERE / "site/files.py", Path(__file__))
    key = stages.digest(path.read_bytes() for path in (package, library, *sources))

    def make(target: Path) -> None:
        with zipfile.ZipFile(package) as whole, zipfile.ZipFile(library) as rest:
            of_numpy = {f"{name}.pyc": rest.read(f"{name}.pyc") for name in NUMPY_NEEDS}
            members: dict[str, list[str]] = {}
            for name in whole.namelist():
                if not FOR_THE_CONSOLE.match(name):
                    members.setdefault(_part_of(name), []).append(name)
            for part, names in members.items():
                more = of_numpy if part == "pictures" else {}
                data = site_files.solid(package.read_bytes(), names, more)
                (target / f"{part}.bin").write_bytes(data)

    return stages.cached_files("parts", key, make)


def _part_of(name: str) -> str:
    """Return the part of a member of the package: "core", "pictures" or a desk's name."""
    if re.match(r"cluewise/(pictures|desks/\w+/ocr)/", name):
        return "pictures"
    inside = re.fullmatch(r"cluewise/desks/(\w+)/(?!__init__\.pyc$).+", name)
    return inside[1] if inside else "core"


@dataclass(frozen=True)
class Python:
    """The compiled archives."""

    stdlib: Path
    ours: Path
    others: tuple[Path, ...]  # numpy, msgspec, micropip, packaging
    rest: Path  # the rest of the standard library, with docstrings: for the console


def python_parts(wheel: Path, pool: ThreadPoolExecutor) -> Python:
    """Compile all archives; the library first, since the others start sooner with it.

    Only `packages` waits for downloads. The function blocks until its own tasks in `pool` are done,
    so the pool needs one more thread than these.
    """
    source = wheels.PYODIDE / "python_stdlib.zip"
    fetched = pool.submit(wheels.fetch_all)
    # Without docstrings and asserts, except numpy, whose C code needs its docstrings.
    library = pool.submit(compiled, "stdlib", [_archive(source, STDLIB_WITHOUT, 2, "stored")])
    stdlib = library.result() / source.name
    ours = pool.submit(
        compiled, "package", [_archive(wheel, OURS_WITHOUT, OURS_LEVEL, "stored")], stdlib
    )
    folder = fetched.result()
    numpy, msgspec = wheels.numpy_wheel(), folder / wheels.MSGSPEC
    small = [_archive(path, PURE_WITHOUT, 0) for path in wheels.console_wheels()]
    # For the console, with docstrings: the modules that the page's library lacks.
    rest = _archive(source, STDLIB_NEVER, 0, only=STDLIB_WITHOUT)
    several = [_archive(numpy, NUMPY_WITHOUT, 0), _archive(msgspec, MSGSPEC_WITHOUT, 0), *small]
    others = compiled("packages", [*several, rest], stdlib)
    return Python(
        stdlib,
        ours.result() / wheel.name,
        tuple(sorted(others.glob("*.whl"))),
        others / source.name,
    )


def python_files(python: Python) -> dict[str, bytes]:
    """Return Pyodide's runtime and the archives, by their names in dist/."""
    files = {
        f"pyodide/{site_files.as_script(name)}": (wheels.PYODIDE / name).read_bytes()
        for name in ("pyodide.mjs", "pyodide.asm.mjs")
    }
    thin = runtime_name() == "runtime.bin"
    whole = (wheels.PYODIDE / "pyodide.asm.wasm").read_bytes()
    files["pyodide/pyodide.asm.bin"] = packed(whole, FAST if thin else BEST)
    if thin:
        files["pyodide/runtime.bin"] = packed(thin_runtime(), BEST)
    files |= {f"pyodide/{path.name}": path.read_bytes() for path in python.others}
    files["pyodide/python_console.bin"] = whole_library(python)
    for path in (python.stdlib, python.ours):
        files[f"pyodide/{path.stem}.bin"] = solid(path)
    parts = package_parts(python.ours, python.rest)
    files |= {f"pyodide/cluewise-{name}": data for name, data in parts.items()}
    files["pyodide/pyodide-lock.json"] = lock_file(python)
    return files


def whole_library(python: Python) -> bytes:
    """Return the console's standard library: the page's and the rest."""
    with zipfile.ZipFile(python.rest) as rest:
        more = {name: rest.read(name) for name in rest.namelist()}
    return site_files.solid(python.stdlib.read_bytes(), more=more, level=FAST)


def lock_file(python: Python) -> bytes:
    """Return Pyodide's lock file with the page's packages only, by names relative to it."""
    pyodide = json.loads((wheels.PYODIDE / "pyodide-lock.json").read_text())
    depends = {"cluewise": ["msgspec"], "micropip": ["packaging"]}
    packages = {}
    for path in (python.ours, *python.others):
        name, version = path.name.split("-")[:2]
        # Pyodide loads the package unpacked.
        data = gzip.decompress(solid(path)) if path == python.ours else path.read_bytes()
        packages[name] = {
            "name": name,
            "version": version,
            "file_name": path.name,
            "sha256": hashlib.sha256(data).hexdigest(),
            "depends": depends.get(name, []),
            "imports": [name],
            "install_dir": "site",
            "package_type": "package",
            "unvendored_tests": False,
        }
    lock = {"info": pyodide["info"], "packages": packages}
    return json.dumps(lock, sort_keys=True, separators=(",", ":")).encode()


def _archive(
    source: Path,
    without: list[str],
    optimize: int,
    members: str = "deflated",
    only: Iterable[str] = (),
) -> Archive:
    return {
        "from": str(source), "prefix": "", "leave_out": without, "only": list(only),
        "optimize": optimize, "members": members,
    }  # fmt: skip
