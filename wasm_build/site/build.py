"""Build the page: `python -m wasm_build.site.build` makes dist/, a folder for any static host.

    dist/  index.html app.js …   web/ as it stands, but for what the page loads: its own modules
                                 and each desk's come as one file each, parts/ is what several
                                 share (site/bundle.mjs); the modules they are of lie next to them
           vendor/               lit-html and idb-keyval as published on npm
           engine/known/         what the desks ask first, answered, see site/precomputed.py
           kernel.wasm           the same file as in the Python package
           pyodide/              Pyodide's runtime, and as .pyc zips: the standard library,
                                 numpy, msgspec and cluewise, for the console also micropip and
                                 the rest of the library; a lock file with relative names;
                                 an image of Python's memory after its start (site/snapshot.mjs)
           _headers .htaccess …  what the usual hosts should say with every file, see
           site/http_headers.py sw.js                 the service worker with the list of all of
           these and their hashes

Each stage is kept in .cache/ under the hash of what went into it, so that unchanged inputs cost
nothing; stages that do not need each other run side by side, one process a core. The same commit
gives the same bytes: archives are sorted and dated 2020-02-02, and each is marshalled by a fresh
interpreter.
"""

from __future__ import annotations

import argparse
import fcntl
import gzip
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import deflate

from cluewise import __version__, desks
from cluewise.core.version import package_files, short_hash
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
from wasm_build.stages import CACHE, HERE, ROOT, digest, files_digest, node, package_sources, stage

OTHERS = (
    "console/page.js",
    "console/worker.js",
)  # that no page's script imports
WORKER = "engine/worker.js"


def docs() -> dict[str, bytes]:
    """The pages to read, by their names in dist/."""
    makers = [
        HERE / f"{name}.py"
        for name in (
            "docs/pages",
            "docs/api",
            "docs/scaling_plots",
            "codegen/stubs",
            "codegen/typescript",
        )
    ]
    inputs = [*package_sources(), *build_docs.stale_inputs(), *makers]

    def make(folder: Path) -> None:
        for name, text in build_docs.pages().items():
            (folder / name).write_text(text)

    made = stage("docs", files_digest(inputs), make)
    return {f"docs/{path.name}": path.read_bytes() for path in sorted(made.iterdir())}


def image(files: dict[str, bytes], ours: Path) -> tuple[str, bytes]:
    """Python's memory after its start, and its name, which distinguishes builds."""
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
            raw = Path(folder) / "image"
            node({
                "lock": lock, "reader": reader, "stdlib": str(zips[0]),
                "library": library, "packages": [library, str(zips[1])],
                "to": str(raw), "without": FOR_THE_CONSOLE.pattern,
            }, "site/snapshot.mjs")  # fmt: skip
            (target / "image.bin").write_bytes(deflate.gzip_compress(raw.read_bytes(), FAST))

    rules = [FOR_THE_CONSOLE.pattern.encode(), bytes([FAST])]
    key = digest([*inputs, (HERE / "site/snapshot.mjs").read_bytes(), *rules])
    data = (stage("image", key, make) / "image.bin").read_bytes()
    return f"pyodide/image-{digest([data])[:8]}.bin", data


def first_answers(files: dict[str, bytes], wheel: Path) -> dict[str, bytes]:
    """What the desks ask first, answered: see site/precomputed.py."""
    scripts = {name: data for name, data in files.items() if name.endswith(".js")}
    parts = [x for name, data in sorted(scripts.items()) for x in (name.encode(), data)]
    makers = [
        (HERE / name).read_bytes() for name in ("site/precomputed.py", "site/first_questions.mjs")
    ]

    def make(target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site_files.write(scripts, Path(folder))
            (Path(folder) / "package.json").write_text('{"type": "module"}')
            site_files.write(precomputed.modules(Path(folder)), target)

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
            job = {"site": folder, "entries": entries, "worker": WORKER, "others": others}
            job["to"] = str(target)
            node(job, "site/bundle.mjs")

    folder = stage(
        "bundle", digest([(HERE / "site/bundle.mjs").read_bytes(), version, *parts]), make
    )
    made = {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*.js"))}
    manifest = json.loads((folder / "made.json").read_text())
    whole = site_files.with_early({**files, **made}, manifest["early"])
    return whole, set(scripts) - set(made) - set(manifest["alone"])


def _is_module(name: str) -> bool:
    return not name.startswith("pyodide/") and name not in ("sw.js", "startup-error.js")


def site(address: str | None = None) -> dict[str, bytes]:
    """Every file of dist/ by its relative name; `address` is where they will stand, if known."""
    wheel = our_wheel()
    with ThreadPoolExecutor(2 + max(2, os.cpu_count() or 1)) as pool:
        parts = pool.submit(python_parts, wheel, pool)
        texts = docs()
        python = parts.result()
        files = {**site_files.web_files(ROOT / "web"), **python_files(python)}
        snapshot = pool.submit(image, files, python.ours)
        files |= first_answers(files, wheel)
        files = site_files.with_address({**files, **texts}, address)
        image_name, image_data = snapshot.result()
    kernel = ROOT / "pysrc" / "cluewise" / "kernel" / "kernel.wasm"
    files["kernel.wasm"] = kernel.read_bytes()
    # Fetched when a grid's number is first asked for, or a picture read (kernel/files.py).
    for name in ("sudoku/numbers.bin", "sudoku/digits.bin", "mines/glyphs.bin"):
        data = ROOT / "pysrc/cluewise/desks" / name
        files[f"data/{data.name}"] = data.read_bytes()
    names = (runtime_name(), "python_stdlib.bin", wheels.MSGSPEC, "cluewise-core.bin")
    first = [*(f"pyodide/{name}" for name in names), "kernel.wasm"]
    sized = site_files.with_sizes({**files, image_name: image_data}, first, image_name)
    dated = site_files.with_edition(sized, __version__, short_hash(package_files()))
    page = site_files.with_precache(*bundled(dated))
    # Next to the page, for notebooks in a browser: micropip.install takes its address.
    return {**page, **http_headers.host_files(), f"wheel/{wheel.name}": wheel.read_bytes()}


def main() -> int:
    """Make or refresh dist/ and say what it weighs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="the folder to fill")
    parser.add_argument("--address", type=site_files.address, help="where it will stand, for chats")
    parser.add_argument("--zip", type=Path, help="also write all files as one zip to upload")
    parser.add_argument("--sizes", action="store_true", help="list what a visit transfers")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once would prune each other's stages
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
