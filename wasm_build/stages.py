"""Stages of the build, each kept in .cache/ under the hash of what went into it."""

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
KEEP = 8  # outcomes of a stage that stay in the cache


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


def node(job: dict[str, Any], script: str = "site/freeze.mjs") -> None:
    """Run one job of a script, which describes them; its output is shown only if it fails."""
    done = subprocess.run(
        ["node", str(HERE / script)],
        input=json.dumps(job), capture_output=True, text=True, cwd=ROOT, timeout=600,
    )  # fmt: skip
    if done.returncode:
        # Node quotes the line that failed, which in Pyodide's own script is a megabyte long.
        lines = [line[:300] for line in (done.stdout + done.stderr).splitlines()]
        sys.exit(f"{script} failed in Node:\n" + "\n".join(lines))


def package_sources() -> list[Path]:
    """Every file of the Python package that git would know."""
    return [
        path
        for path in (ROOT / "pysrc").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]
