"""Build the page: `python -m wasm_build.site.build` writes dist/, a folder for any static host.

    dist/  index.html app.js …   web/ as it is, except that the page loads bundles: one file for its
                                 own modules, one for each desk, shared code in parts/
                                 (site/bundle.mjs); the unbundled modules are there too
           vendor/               lit-html and idb-keyval as published on npm
           engine/known/         answers to the desks' first questions (site/precomputed.py)
           kernel.wasm           the same file as in the Python package
           pyodide/              Pyodide's runtime; as .pyc zips the standard library, numpy,
                                 msgspec and cluewise, for the console also micropip and the rest
                                 of the library; a lock file with relative names; a snapshot of
                                 Python's memory after its start (site/snapshot.mjs)
           _headers .htaccess …  response headers for the usual hosts (site/http_headers.py)
           sw.js                 the service worker, with the names and hashes of these files

Each stage is cached in .cache/ by the hash of its inputs. Independent stages run in parallel, one
process per core. The same commit gives the same bytes: archives are sorted and dated 2020-02-02,
and each is marshalled by a fresh interpreter.
"""

from __future__ import annotations

import argparse
import fcntl
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import deflate

from cluewise import __version__, desks
from cluewise.core.version import package_files, short_hash
from wasm_build import stages
from wasm_build.docs import pages as build_docs
from wasm_build.site import files as site_files
from wasm_build.site import http_headers, precomputed, wheels
from wasm_build.site.python_archives import (
    FAST,
    FOR_THE_CONSOLE,
    our_wheel,
    python_files,
    python_parts,
    runtime_name,
)

UNIMPORTED = ("console/page.js", "console/worker.js")  # no script of the page imports them
WORKER = "engine/worker.js"


@contextmanager
def _node_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write the files to a temporary folder in which Node reads every script as a module."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site_files.write({**files, "package.json": b'{"type": "module"}'}, folder)
        yield folder


def _named(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield names and contents in order, for a digest."""
    for name, data in sorted(files.items()):
        yield from (name.encode(), data)


def docs() -> dict[str, bytes]:
    """Return the pages of docs/ by their names in dist/."""
    modules = (
        "docs/pages",
        "docs/api",
        "docs/scaling_plots",
        "codegen/stubs",
        "codegen/typescript",
    )
    makers = [stages.HERE / f"{name}.py" for name in modules]

    def make(folder: Path) -> None:
        for name, text in build_docs.pages().items():
            (folder / name).write_text(text)

    key = stages.files_digest([*stages.package_sources(), *build_docs.stale_inputs(), *makers])
    return {f"docs/{name}": data for name, data in stages.cached_files("docs", key, make).items()}


def snapshot(files: dict[str, bytes], ours: Path) -> tuple[str, bytes]:
    """Return the snapshot of Python's memory after its start: its name with a hash, its bytes."""
    parts = [
        "pyodide/pyodide-lock.json",
        "engine/snapshot.js",
        f"pyodide/{wheels.MSGSPEC}",
        "zip.js",
    ]
    packed = [f"pyodide/{name}.bin" for name in ("python_stdlib", ours.stem)]
    runtime = [wheels.PYODIDE / f"pyodide.asm.{kind}" for kind in ("mjs", "wasm")]
    inputs = [*(path.read_bytes() for path in runtime), *(files[n] for n in (*parts, *packed))]

    def make() -> bytes:
        unpacked = {Path(name).name: gzip.decompress(files[name]) for name in packed}
        with _node_folder({name: files[name] for name in parts} | unpacked) as folder:
            lock, reader, library, _ = (str(folder / name) for name in parts)
            stdlib, package = (str(folder / name) for name in unpacked)
            raw = folder / "snapshot"
            stages.node("site/snapshot.mjs", job={
                "lock": lock, "reader": reader, "stdlib": stdlib,
                "library": library, "packages": [library, package],
                "to": str(raw), "without": FOR_THE_CONSOLE.pattern,
            })  # fmt: skip
            return bytes(deflate.gzip_compress(raw.read_bytes(), FAST))

    rules = [FOR_THE_CONSOLE.pattern.encode(), bytes([FAST])]
    key = stages.digest([*inputs, (stages.HERE / "site/snapshot.mjs").read_bytes(), *rules])
    data = stages.cached_bytes("snapshot", key, make)
    return f"pyodide/snapshot-{stages.digest([data])[:8]}.bin", data


def first_answers(files: dict[str, bytes], wheel: Path) -> dict[str, bytes]:
    """Return the modules with answers to the desks' first questions (site/precomputed.py)."""
    scripts = {name: data for name, data in files.items() if name.endswith(".js")}
    makers = [stages.HERE / name for name in ("site/precomputed.py", "site/first_questions.mjs")]

    def make(target: Path) -> None:
        with _node_folder(scripts) as folder:
            site_files.write(precomputed.modules(folder), target)

    inputs = [wheel.read_bytes(), *(path.read_bytes() for path in makers), *_named(scripts)]
    return stages.cached_files("known", stages.digest(inputs), make)


def bundled(files: dict[str, bytes]) -> tuple[dict[str, bytes], set[str]]:
    """Return the files with the page's modules bundled, and the names of modules not loaded now."""
    scripts = {n: data for n, data in files.items() if n.endswith(".js") and _is_module(n)}
    pages = [f"desks/{desk}/page.js" for desk in desks.available()]
    entries = ["app.js", "shell/picture.js", *pages]
    others = [n for n in scripts if n in UNIMPORTED or n.startswith(("engine/known/", "docs/"))]
    version = (stages.ROOT / "node_modules" / "esbuild" / "package.json").read_bytes()

    def make(target: Path) -> None:
        with _node_folder(scripts) as folder:
            job = {"site": str(folder), "entries": entries, "worker": WORKER, "others": others}
            stages.node("site/bundle.mjs", job={**job, "to": str(target)})

    key = stages.digest([(stages.HERE / "site/bundle.mjs").read_bytes(), version, *_named(scripts)])
    made = stages.cached_files("bundle", key, make)
    manifest = json.loads(made.pop("made.json"))
    whole = site_files.with_early({**files, **made}, manifest["early"])
    return whole, set(scripts) - set(made) - set(manifest["alone"])


def _is_module(name: str) -> bool:
    return not name.startswith("pyodide/") and name not in ("sw.js", "startup-error.js")


def site(address: str | None = None) -> dict[str, bytes]:
    """Return every file of dist/ by its relative name; `address`: where they will be served."""
    wheel = our_wheel()
    with ThreadPoolExecutor(2 + max(2, os.cpu_count() or 1)) as pool:
        parts = pool.submit(python_parts, wheel, pool)
        texts = docs()
        python = parts.result()
        files = {**site_files.web_files(stages.ROOT / "web"), **python_files(python)}
        snapshot_job = pool.submit(snapshot, files, python.ours)
        files |= first_answers(files, wheel)
        files = site_files.with_address({**files, **texts}, address)
        snapshot_name, snapshot_data = snapshot_job.result()
    kernel = stages.ROOT / "pysrc" / "cluewise" / "kernel" / "kernel.wasm"
    files["kernel.wasm"] = kernel.read_bytes()
    # Fetched when a grid is first numbered or a picture read (kernel/files.py).
    for name in ("sudoku/numbers.bin", "sudoku/digits.bin", "mines/glyphs.bin"):
        data = stages.ROOT / "pysrc/cluewise/desks" / name
        files[f"data/{data.name}"] = data.read_bytes()
    names = (runtime_name(), "python_stdlib.bin", wheels.MSGSPEC, "cluewise-core.bin")
    first = [*(f"pyodide/{name}" for name in names), "kernel.wasm"]
    sized = site_files.with_sizes({**files, snapshot_name: snapshot_data}, first, snapshot_name)
    dated = site_files.with_edition(sized, __version__, short_hash(package_files()))
    page = site_files.with_precache(*bundled(dated))
    # Next to the page, for notebooks in a browser: micropip.install takes its address.
    return {**page, **http_headers.host_files(), f"wheel/{wheel.name}": wheel.read_bytes()}


def main() -> int:
    """Write dist/ and print its size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=stages.ROOT / "dist", help="the folder to fill")
    parser.add_argument(
        "--address", type=site_files.address, help="where it will be served, for previews in chats"
    )
    parser.add_argument("--zip", type=Path, help="also write all files as one zip to upload")
    parser.add_argument("--sizes", action="store_true", help="list what a visit transfers")
    options = parser.parse_args()
    stages.CACHE.mkdir(parents=True, exist_ok=True)
    with (stages.CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds would prune each other's stages
        files = site(options.address)
        changed = site_files.write(files, options.to)
    print(f"{options.to.name}/: {len(files)} files, {changed} changed")
    if options.zip:
        site_files.write_zip(files, options.zip)
        print(f"{options.zip}: {options.zip.stat().st_size:,} bytes")
    if options.sizes:
        _sizes(files)
    return 0


def _sizes(files: dict[str, bytes]) -> None:
    packed = {name: len(gzip.compress(data, 9, mtime=0)) for name, data in files.items()}
    for name in sorted(packed, key=lambda n: -packed[n])[:15]:
        print(f"{packed[name]:>10,}  {name}")
    print(f"{sum(packed.values()):>10,}  all files, gzipped")


if __name__ == "__main__":
    sys.exit(main())
