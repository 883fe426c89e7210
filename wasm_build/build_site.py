"""Build the page: `python wasm_build/build_site.py` makes dist/, a folder for any static host.

    dist/  index.html app.js …   web/ as it stands, but for what the page loads: its own modules
                                 and each desk's come as one file each, parts/ is what several
                                 share (bundle.mjs); the modules they are of lie beside them
           vendor/               lit-html and idb-keyval as published on npm
           engine/known/         what the desks ask first, answered, see known.py
           kernel.wasm           the same file as in the Python package
           pyodide/              Pyodide's runtime, and as .pyc zips: the standard library,
                                 numpy, msgspec and cluewise, for the console also micropip and
                                 the rest of the library; a lock file with relative names;
                                 an image of Python's memory after its start (image.mjs)
           _headers .htaccess …  what the usual hosts should say with every file, see headers.py
           sw.js                 the service worker with the list of all of these and their hashes

Each stage is kept in .cache/ under the hash of what went into it, so that unchanged inputs cost
nothing. The same commit gives the same bytes: archives are sorted and dated 2020-02-02, and each
is marshalled by a fresh interpreter.
"""

from __future__ import annotations

import argparse
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import build_docs
import headers
import known
import site_files
import wheels
from cluewise import __version__, desks
from cluewise.core.edition import mark, package_files

ROOT = wheels.ROOT
HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("CLUEWISE_STAGES", ROOT / ".cache" / "site"))
DATE = "1580601600"  # 2020-02-02, the date of every member of every archive
OTHERS = ("console.js", "console/worker.js", "engine/worker.js")  # that no page's script imports
KEEP = 8  # outcomes of a stage that stay in the cache

# What the page never imports. A module that is missing here would be a visible error in the
# first test that needs it, so the list may be generous.
STDLIB_WITHOUT = [
    "^(_pyrepl|asyncio/__main__|compression/zstd|ctypes/macholib|idlelib|multiprocessing|pydoc_data"
    "|sqlite3|tkinter|turtledemo|unittest|wsgiref|xml|xmlrpc|zoneinfo|site-packages|__phello__"
    "|email/_header_value_parser|html|dbm|curses|ensurepip|lib2to3|venv|ctypes|tomllib"
    "|concurrent/interpreters|concurrent/futures/interpreter)(/|\\.)",
    "^(_ast_unparse|_pydatetime|_pyio|_pydecimal|antigravity|argparse|bdb|cgi|cmd|code|configparser"
    "|difflib|doctest|fileinput"
    "|ftplib|getpass|imaplib|ipaddress|mailbox|modulefinder|nturl2path|optparse|pdb|pickletools"
    "|plistlib|poplib|profile|pstats|pty|pyclbr|pydoc|rlcompleter|sched|shelve|smtplib|gettext"
    "|mimetypes|platform|_sysconfigdata[\\w-]*|pprint|runpy|shlex|colorsys|graphlib|py_compile|getopt|stringprep"
    "|socketserver|tabnanny|this|timeit|trace|tracemalloc|turtle|wave|webbrowser|zipapp"
    "|sre_compile|sre_constants|sre_parse)\\.py$",
    "^(asyncio/(proactor_events|tools|windows_events|windows_utils)|compileall|concurrent"
    "/futures/process|cProfile|filecmp|json/tool|http/(client|cookiejar|cookies|server)"
    "|logging/(config|handlers)|netrc|symtable|sysconfig/__(main|init)__"
    "|urllib/(request|robotparser))\\.py$",
    # zipfile reads names in cp437; the other code pages of old systems name nothing of ours.
    "^encodings/(cp(?!437)\\w+|mac_\\w+|iso8859_(?!1\\.)\\w+|koi8_\\w|hp_roman8|kz1048|palmos"
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
# What of that the console adds for people's own code; the rest is for machines that are not this.
STDLIB_NEVER = [
    "^(_pyrepl|ctypes/macholib|idlelib|multiprocessing|sqlite3|tkinter|turtledemo|wsgiref"
    "|site-packages|__phello__|dbm|curses|ensurepip|lib2to3|venv)(/|\\.)",
    "^(antigravity|ftplib|imaplib|poplib|smtplib|socketserver|turtle|webbrowser)\\.py$",
]
PURE_WITHOUT = ["py\\.typed$", "\\.pyi$", "/tests/", "/licenses/", "/RECORD$"]
MSGSPEC_WITHOUT = ["\\.pyi$", "py\\.typed$", "/licenses/", "/RECORD$"]
# Docstrings are a third of the package, and the page never shows one.
OURS_LEVEL = 2
OURS_WITHOUT = [
    "kernel\\.wasm$", "kernel/native\\.py$", "py\\.typed$", "/licenses/", "/RECORD$",
    "\\.pyi$", "cluewise/cli/", "/terminal\\.py$", "/core/(edition|shelf|svg)\\.py$",
    "desks/\\w+/drawing\\.py$", "sudoku/(finding|index|pipe)\\.py$", "entry_points\\.txt$",
    "/(numbers|digits)\\.bin$", "scan/formats/picture\\.py$",
]  # fmt: skip


def digest(parts: Iterable[bytes]) -> str:
    """A hash of byte strings in order."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()[:20]


def files_digest(paths: Iterable[Path]) -> str:
    """A hash of the files' names and contents."""
    return digest(
        x for p in sorted(paths) for x in (str(p.relative_to(ROOT)).encode(), p.read_bytes())
    )


def stage(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` filled for this key, now or in an earlier build."""
    folder = CACHE / f"{name}-{key}"
    if folder.exists():
        os.utime(folder)
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f"part-{name}-", dir=CACHE))
    try:
        make(part)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    outcomes = sorted(CACHE.glob(f"{name}-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in outcomes[KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def node(job: dict[str, Any], script: str = "freeze.mjs") -> None:
    """Run one job of a script, which describes them; its output is shown only if it fails."""
    done = subprocess.run(
        ["node", str(HERE / script)],
        input=json.dumps(job), capture_output=True, text=True, cwd=ROOT, timeout=600,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{script} failed in Node:\n{done.stdout}{done.stderr}")


def our_wheel() -> Path:
    """The package as a wheel, built by hatchling."""
    sources = [p for p in (ROOT / "pysrc").rglob("*") if _is_source(p)]
    inputs = [*sources, *(ROOT / n for n in ("pyproject.toml", "README.md", "LICENSE"))]

    def make(folder: Path) -> None:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=ROOT, check=True, capture_output=True, timeout=300,
            env={**os.environ, "SOURCE_DATE_EPOCH": DATE},
        )  # fmt: skip

    return next(stage("wheel", files_digest(inputs), make).glob("*.whl"))


def runtime(wheel: Path) -> Path:
    """The standard library, numpy and msgspec compiled, and the lock file that micropip froze."""
    folder = wheels.fetch_all()
    versions = wheels.pyodide_version() + wheels.MSGSPEC_SHA256 + wheels.numpy_wheel().name
    rules = json.dumps([STDLIB_WITHOUT, STDLIB_NEVER, PURE_WITHOUT, NUMPY_WITHOUT, MSGSPEC_WITHOUT])
    key = digest([
        versions.encode(), rules.encode(), (HERE / "freeze.mjs").read_bytes(),
        (ROOT / "pyproject.toml").read_bytes(),
    ])  # fmt: skip

    def make(target: Path) -> None:
        stdlib = wheels.PYODIDE / "python_stdlib.zip"
        numpy, msgspec = wheels.numpy_wheel(), folder / wheels.MSGSPEC
        archives = [
            # Docstrings and asserts go; numpy's own C code insists on numpy's docstrings.
            _archive(stdlib, target / "python_stdlib.zip", STDLIB_WITHOUT, 2),
            _archive(numpy, target / numpy.name, NUMPY_WITHOUT, 0),
            _archive(msgspec, target / msgspec.name, MSGSPEC_WITHOUT, 0),
            # For the console: micropip, and with their docstrings the modules left out above.
            _archive(stdlib, target / "python_more.zip", STDLIB_NEVER, 0, only=STDLIB_WITHOUT),
            *(_archive(p, target / p.name, PURE_WITHOUT, 0) for p in wheels.console_wheels()),
        ]
        node({"task": "compile", "stdlib": None, "archives": archives})
        shutil.copy(wheel, folder / wheel.name)
        names = [wheels.MSGSPEC, wheel.name]
        lock = str(target / "frozen.json")
        node({"task": "freeze", "folder": str(folder), "wheels": names, "to": lock})

    return stage("runtime", key, make)


def package(wheel: Path, base: Path) -> Path:
    """Our wheel compiled, without what only a terminal needs."""
    key = digest([
        wheel.read_bytes(), json.dumps([OURS_WITHOUT, OURS_LEVEL]).encode(),
        (HERE / "freeze.mjs").read_bytes(),
        wheels.pyodide_version().encode(),
    ])  # fmt: skip

    def make(target: Path) -> None:
        archive = _archive(wheel, target / wheel.name, OURS_WITHOUT, OURS_LEVEL)
        stdlib = str(base / "python_stdlib.zip")
        node({"task": "compile", "stdlib": stdlib, "archives": [archive]})

    return stage("package", key, make) / wheel.name


def solid(archive: Path) -> Path:
    """An archive that every start needs, packed as one."""
    key = digest([archive.read_bytes(), (HERE / "site_files.py").read_bytes()])

    def make(target: Path) -> None:
        (target / archive.name).write_bytes(site_files.solid(archive.read_bytes()))

    return stage("solid", key, make) / archive.name


def docs() -> dict[str, bytes]:
    """The pages to read, by their names in dist/."""
    sources = [p for p in (ROOT / "pysrc").rglob("*") if _is_source(p)]
    makers = [
        HERE / f"{name}.py"
        for name in ("build_docs", "build_api", "draw_curves", "stubs", "typescript")
    ]
    inputs = [*sources, *build_docs.stale_inputs(), *makers]

    def make(folder: Path) -> None:
        for name, text in build_docs.pages().items():
            (folder / name).write_text(text)

    made = stage("docs", files_digest(inputs), make)
    return {f"docs/{path.name}": path.read_bytes() for path in sorted(made.iterdir())}


def lock_file(base: Path, ours: Path) -> bytes:
    """The frozen lock file cut down to what the page loads, with names beside itself."""
    frozen = json.loads((base / "frozen.json").read_text())
    packages = {}
    for name in ("cluewise", "msgspec", "numpy", "micropip", "packaging"):
        entry = frozen["packages"][name]
        path = ours if name == "cluewise" else base / entry["file_name"].rpartition("/")[2]
        packages[name] = {
            **entry,
            "file_name": path.name,
            "sha256": hashlib.sha256(_as_unpacked(path, ours)).hexdigest(),
            "package_type": "package",
            "unvendored_tests": False,
            "imports": [name],
            "depends": ["packaging"] if name == "micropip" else entry["depends"],
        }
    frozen["packages"] = packages
    return json.dumps(frozen, sort_keys=True, separators=(",", ":")).encode()


def _as_unpacked(path: Path, ours: Path) -> bytes:
    """The bytes that Pyodide is given."""
    return gzip.decompress(solid(path).read_bytes()) if path == ours else path.read_bytes()


def image(files: dict[str, bytes], ours: Path) -> tuple[str, bytes]:
    """Python's memory after its start, and its name, which tells builds apart."""
    parts = ["pyodide/pyodide-lock.json", "engine/image.js", f"pyodide/{wheels.MSGSPEC}", "zip.js"]
    packed = [f"pyodide/{name}.bin" for name in ("python_stdlib", ours.stem)]
    runtime = [wheels.PYODIDE / f"pyodide.asm.{kind}" for kind in ("mjs", "wasm")]
    inputs = [*(path.read_bytes() for path in runtime), *(files[n] for n in (*parts, *packed))]

    def make(target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site_files.write({name: files[name] for name in parts}, Path(folder))
            (Path(folder) / "package.json").write_text('{"type": "module"}')
            zips = [Path(folder) / Path(name).name for name in packed]
            for path, name in zip(zips, packed, strict=True):
                path.write_bytes(gzip.decompress(files[name]))
            lock, reader, library, _ = (str(Path(folder) / name) for name in parts)
            node({
                "lock": lock, "reader": reader, "stdlib": str(zips[0]),
                "library": library, "packages": [library, str(zips[1])],
                "to": str(target / "image.bin"),
            }, "image.mjs")  # fmt: skip

    key = digest([*inputs, (HERE / "image.mjs").read_bytes()])
    data = (stage("image", key, make) / "image.bin").read_bytes()
    return f"pyodide/image-{digest([data])[:8]}.bin", data


def first_answers(files: dict[str, bytes], wheel: Path) -> dict[str, bytes]:
    """What the desks ask first, answered: see known.py."""
    scripts = {name: data for name, data in files.items() if name.endswith(".js")}
    parts = [x for name, data in sorted(scripts.items()) for x in (name.encode(), data)]
    makers = [(HERE / name).read_bytes() for name in ("known.py", "questions.mjs")]

    def make(target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site_files.write(scripts, Path(folder))
            (Path(folder) / "package.json").write_text('{"type": "module"}')
            site_files.write(known.modules(Path(folder)), target)

    folder = stage("known", digest([wheel.read_bytes(), *makers, *parts]), make)
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.js")}


def bundled(files: dict[str, bytes]) -> tuple[dict[str, bytes], set[str]]:
    """The files with the page's modules as few, and the names of those that nothing loads now."""
    scripts = {n: data for n, data in files.items() if n.endswith(".js") and _is_module(n)}
    pages = [f"desks/{desk}/page.js" for desk in desks.available()]
    entries = ["app.js", "shell/picture.js", *pages]
    others = [n for n in scripts if n in OTHERS or n.startswith(("engine/known/", "docs/"))]
    version = (ROOT / "node_modules" / "esbuild" / "package.json").read_bytes()
    parts = [x for name, data in sorted(scripts.items()) for x in (name.encode(), data)]

    def make(target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site_files.write(scripts, Path(folder))
            job = {"site": folder, "entries": entries, "others": others, "to": str(target)}
            node(job, "bundle.mjs")

    folder = stage("bundle", digest([(HERE / "bundle.mjs").read_bytes(), version, *parts]), make)
    made = {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*.js"))}
    told = json.loads((folder / "made.json").read_text())
    whole = site_files.with_early({**files, **made}, told["early"])
    return whole, set(scripts) - set(made) - set(told["alone"])


def _is_module(name: str) -> bool:
    return not name.startswith("pyodide/") and name not in ("sw.js", "why.js")


def site(address: str | None = None) -> dict[str, bytes]:
    """Every file of dist/ by its relative name; `address` is where they will stand, if known."""
    wheel = our_wheel()
    base = runtime(wheel)
    ours = package(wheel, base)
    files = site_files.with_address({**site_files.web_files(ROOT / "web"), **docs()}, address)
    files |= first_answers(files, wheel)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        files[f"pyodide/{site_files.as_script(name)}"] = (wheels.PYODIDE / name).read_bytes()
    for path in (*base.glob("*.whl"), *base.glob("*.zip")):
        files[f"pyodide/{path.name}"] = path.read_bytes()
    stdlib = base / "python_stdlib.zip"
    del files[f"pyodide/{stdlib.name}"]
    for path in (stdlib, ours):
        files[f"pyodide/{path.stem}.bin"] = solid(path).read_bytes()
    files["pyodide/pyodide-lock.json"] = lock_file(base, ours)
    kernel = ROOT / "pysrc" / "cluewise" / "kernel" / "kernel.wasm"
    files["kernel.wasm"] = kernel.read_bytes()
    # Fetched when a grid's number is first asked for, or a picture read (kernel/files.py).
    for name in ("numbers.bin", "digits.bin"):
        files[f"data/{name}"] = (ROOT / "pysrc/cluewise/desks/sudoku" / name).read_bytes()
    image_name, image_data = image(files, ours)
    runtime_names = ("pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.bin")
    first = {f"pyodide/{name}" for name in (*runtime_names, wheels.MSGSPEC, f"{ours.stem}.bin")}
    first.add("kernel.wasm")
    sized = site_files.with_sizes({**files, image_name: image_data}, first, image_name)
    told = site_files.with_edition(sized, __version__, mark(package_files()))
    page = site_files.with_precache(*bundled(told))
    # Beside the page, for notebooks in a browser: micropip.install takes its address.
    return {**page, **headers.host_files(), f"wheel/{wheel.name}": wheel.read_bytes()}


def main() -> int:
    """Make or refresh dist/ and say what it weighs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="the folder to fill")
    parser.add_argument("--address", type=site_files.address, help="where it will stand, for chats")
    parser.add_argument("--sizes", action="store_true", help="list what a visit transfers")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once would prune each other's stages
        files = site(options.address)
        changed = site_files.write(files, options.to)
    print(f"{options.to.name}/: {len(files)} files, {changed} changed")
    if options.sizes:
        _sizes(files)
    return 0


def _sizes(files: dict[str, bytes]) -> None:
    packed = {name: len(gzip.compress(data, 9, mtime=0)) for name, data in files.items()}
    for name in sorted(packed, key=lambda n: -packed[n])[:15]:
        print(f"{packed[name]:>10,}  {name}")
    print(f"{sum(packed.values()):>10,}  all files, gzipped")


def _archive(
    source: Path, target: Path, without: list[str], optimize: int, only: Iterable[str] = ()
) -> dict[str, Any]:
    return {
        "from": str(source), "to": str(target), "prefix": "", "leave_out": without,
        "only": list(only), "optimize": optimize,
    }  # fmt: skip


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"


if __name__ == "__main__":
    sys.exit(main())
