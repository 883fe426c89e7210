"""Build stages: results are cached in .cache/ by the hash of their inputs."""

from __future__ import annotations

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

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CACHE = Path(os.environ.get("CLUEWISE_STAGES", ROOT / ".cache" / "site"))
KEEP = 8  # results of a stage that stay in the cache


def digest(parts: Iterable[bytes]) -> str:
    """Return a hash of byte strings in order."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()[:20]


def files_digest(paths: Iterable[Path]) -> str:
    """Return a hash of the files' names and contents."""
    return digest(
        x for p in sorted(paths) for x in (str(p.relative_to(ROOT)).encode(), p.read_bytes())
    )


def cached_folder(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder that `make` filled for this key, now or in an earlier build."""
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
    results = sorted(CACHE.glob(f"{name}-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in results[KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def cached_files(name: str, key: str, make: Callable[[Path], None]) -> dict[str, bytes]:
    """Return the files of a stage by their names relative to its folder."""
    folder = cached_folder(name, key, make)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def cached_bytes(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Return the bytes that `make` returned for this key, now or in an earlier build."""

    def write(folder: Path) -> None:
        (folder / name).write_bytes(make())

    return cached_files(name, key, write)[name]


def node(script: str, *arguments: object, job: dict[str, Any] | None = None) -> str:
    """Run a script of this folder in Node, with `job` as JSON on its standard input.

    Returns its standard output; if it fails, ends the build with all of its output.
    """
    done = subprocess.run(
        ["node", str(HERE / script), *map(str, arguments)],
        input=json.dumps(job), capture_output=True, text=True, cwd=ROOT, timeout=600,
    )  # fmt: skip
    if done.returncode:
        # Node quotes the line that failed, which in Pyodide's own script is a megabyte long.
        lines = [line[:300] for line in (done.stdout + done.stderr).splitlines()]
        sys.exit(f"{script} failed in Node:\n" + "\n".join(lines))
    return done.stdout


def package_sources() -> list[Path]:
    """Return every file of the Python package that is not a cache of Python's."""
    return [
        path
        for path in (ROOT / "pysrc").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]
