"""The page's own files: web/ as it stands, npm packages beside it, and the precache list."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"

# What the page takes from npm, copied as published; web/vendor.js names what it uses of it.
VENDOR = {
    "lit-html": ("*.js", "directives/*.js", "LICENSE"),
    "uqr": ("dist/index.mjs", "LICENSE"),
    "idb-keyval": ("dist/index.js", "LICENCE", "LICENSE"),
}
# What build_docs.py makes pages of.
TEXTS = ("docs/pages/", "docs/contract/", "docs/samples/", "docs/frame.html")
_PRECACHE, _VERSION = "/* PRECACHE */ {}", "/* VERSION */"


def web_files(web: Path) -> dict[str, bytes]:
    """web/ and vendor/ by relative name, without what only a compiler reads."""
    files: dict[str, bytes] = {}
    for path in sorted(p for p in web.rglob("*") if p.is_file()):
        name = path.relative_to(web).as_posix()
        if name.endswith((".d.ts", ".md")) or "/." in f"/{name}" or name.startswith(TEXTS):
            continue
        files[name] = path.read_bytes()
    for package, patterns in VENDOR.items():
        base = MODULES / package
        if not base.exists():
            raise FileNotFoundError(f"node_modules has no {package}: run npm ci")
        for path in sorted(p for pattern in patterns for p in base.glob(pattern)):
            files[f"vendor/{package}/{path.relative_to(base).as_posix()}"] = path.read_bytes()
    return files


def with_precache(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with the list of all of them, name to hash, written into sw.js."""
    if "sw.js" not in files:
        return files
    hashes = {
        name: hashlib.sha256(data).hexdigest()[:16]
        for name, data in sorted(files.items())
        if name != "sw.js" and not name.endswith(("LICENSE", "LICENCE"))
    }
    listing = json.dumps(hashes, indent=1, sort_keys=True)
    worker = files["sw.js"].decode()
    version = hashlib.sha256((worker + listing).encode()).hexdigest()[:16]
    for place, text in ((_PRECACHE, listing), (_VERSION, version)):
        if worker.count(place) != 1:
            raise ValueError(f"web/sw.js must contain {place} exactly once")
        worker = worker.replace(place, text)
    return {**files, "sw.js": worker.encode()}


def write(files: dict[str, bytes], folder: Path) -> int:
    """Make the folder hold exactly these files; returns how many were written or removed."""
    changed = 0
    for name, data in files.items():
        path = folder / name
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(data)
        os.replace(part, path)
        changed += 1
    return changed + _remove_strays(files, folder)


def _remove_strays(files: dict[str, bytes], folder: Path) -> int:
    strays = [
        p
        for p in folder.rglob("*")
        if p.is_file() and p.relative_to(folder).as_posix() not in files
    ]
    for path in strays:
        path.unlink()
    for path in sorted((p for p in folder.rglob("*") if p.is_dir()), reverse=True):
        if not any(path.iterdir()):
            shutil.rmtree(path)
    return len(strays)
