"""The page's own files: web/, npm packages, and generated values such as the precache list."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePath

import deflate

from wasm_build.stages import HERE, ROOT, cached_files, files_digest, node

MODULES = ROOT / "node_modules"

# Packages of npm that the page uses, copied as published; web/vendor.ts exports what it uses.
VENDOR = {
    "lit-html": ("*.js", "directives/*.js", "LICENSE"),
    "uqr": ("dist/index.mjs", "LICENSE"),  # as index.js, see `as_script`
    "idb-keyval": ("dist/index.js", "LICENCE", "LICENSE"),
}
# Sources of the pages that docs/pages.py writes.
TEXTS = (
    "docs/pages/",
    "docs/samples/",
    "docs/frame.html",
    "docs/everywhere.html",
    "docs/positions.html",
)
_PRECACHE, _VERSION = "/* PRECACHE */ {}", "/* VERSION */"
_PARTS = "engine/download-sizes.js"
_EDITION = "session/version.js"
_PICTURE = '<meta property="og:image" content="icons/cluewise-512.png">'
_EARLY = '<link rel="modulepreload" href="app.js">'
_FETCHED = (".wasm", ".whl", ".zip", ".bin", "-lock.json")


def web_files(web: Path) -> dict[str, bytes]:
    """Return web/ and vendor/ by relative name, without sources of the build."""
    files: dict[str, bytes] = {}
    for path in sorted(p for p in web.rglob("*") if p.is_file()):
        name = path.relative_to(web).as_posix()
        if name.endswith((".ts", ".md")) or "/." in f"/{name}" or name.startswith(TEXTS):
            continue
        files[name] = path.read_bytes()
    files |= _scripts(web)
    for package, patterns in VENDOR.items():
        base = MODULES / package
        if not base.exists():
            raise FileNotFoundError(f"node_modules has no {package}: run npm ci")
        for path in sorted(p for pattern in patterns for p in base.glob(pattern)):
            files[as_script(f"vendor/{package}/{path.relative_to(base).as_posix()}")] = (
                path.read_bytes()
            )
    return files


def _scripts(web: Path) -> dict[str, bytes]:
    """Return the TypeScript modules as JavaScript: `{"app.js": b"…"}`."""
    sources = [path for path in web.rglob("*.ts") if not path.name.endswith(".d.ts")]
    names = sorted(path.relative_to(web).as_posix() for path in sources)
    maker = HERE / "site" / "strip_types.mjs"

    def make(folder: Path) -> None:
        job = {"from": str(web), "names": names, "to": str(folder)}
        node("site/strip_types.mjs", job=job)

    return cached_files("scripts", files_digest([*sources, maker]), make)


def as_script(name: str) -> str:
    """Return `pyodide.js` for `pyodide.mjs`: web servers often send .mjs with a wrong type."""
    return name.removesuffix(".mjs") + ".js" if name.endswith(".mjs") else name


def solid(
    archive: bytes,
    names: Collection[str] | None = None,
    more: Mapping[str, bytes] | None = None,
    level: int = 10,
) -> bytes:
    """Repack a zip (or its members `names`, and `more`) as one gzip stream over stored members.

    The result is a sixth smaller than a zip of compressed members. Members are sorted by suffix;
    the page decompresses the stream (engine/download.ts). libdeflate's level 10 comes within 0.6 %
    of zopfli in a fifteenth of its time, and levels 11 and 12 are no smaller here.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        kept = {name: old.read(name) for name in (old.namelist() if names is None else names)}
        kept |= more or {}
        for name in sorted(kept, key=lambda name: (PurePath(name).suffix, name)):
            new.writestr(_dated(name), kept[name])
    return bytes(deflate.gzip_compress(out.getvalue(), level))


def with_sizes(files: dict[str, bytes], first: list[str], snapshot: str) -> dict[str, bytes]:
    """Return the files with download sizes and the snapshot's name in download-sizes.js.

    `first`: files that every start fetches, in their order.
    """
    sizes = {n: len(d) for n, d in sorted(files.items()) if n.endswith(_FETCHED)}
    parts = {
        "/* FIRST */ {}": {n: sizes[n] for n in first},
        "/* LATER */ {}": {n: size for n, size in sizes.items() if n not in first},
        '/* SNAPSHOT */ ""': snapshot,
    }
    text = files[_PARTS].decode()
    for place, filling in parts.items():
        text = _put(text, place, json.dumps(filling, indent=1), _PARTS)
    return {**files, _PARTS: text.encode()}


def with_edition(files: dict[str, bytes], version: str, package: str) -> dict[str, bytes]:
    """Return the files with the version and the hashes of package and page in version.js.

    The page's hash covers all files but version.js and sw.js.
    """
    others = sorted(n for n in files if n not in (_EDITION, "sw.js"))
    page = hashlib.sha256("".join(hashlib.sha256(files[n]).hexdigest() for n in others).encode())
    edition = {"version": version, "package": package, "page": page.hexdigest()[:8]}
    text = _put(files[_EDITION].decode(), "/* EDITION */ {}", json.dumps(edition), _EDITION)
    return {**files, _EDITION: text.encode()}


def address(text: str) -> str:
    """Return an absolute address with a slash at its end: "https://example.org/cluewise/".

    Raises ValueError for any other text.
    """
    if not re.fullmatch(r"https?://[^\s\"<>?#]+", text):
        raise ValueError(f"{text!r} is no address that a page could stand at")
    return text.rstrip("/") + "/"


def with_address(files: dict[str, bytes], place: str | None) -> dict[str, bytes]:
    """Return the files; index.html has the absolute address of its picture, as chats require."""
    if not place:
        return files
    picture = _PICTURE.replace("icons/", place + "icons/")
    tags = f'<meta property="og:url" content="{place}">\n{picture}'
    text = _put(files["index.html"].decode(), _PICTURE, tags, "index.html")
    return {**files, "index.html": text.encode()}


def with_early(files: dict[str, bytes], early: list[str]) -> dict[str, bytes]:
    """Return the files; index.html preloads the scripts `early` in parallel."""
    links = "\n".join(f'<link rel="modulepreload" href="{name}">' for name in early)
    text = _put(files["index.html"].decode(), _EARLY, links, "index.html")
    return {**files, "index.html": text.encode()}


def with_precache(files: dict[str, bytes], apart: Collection[str] = ()) -> dict[str, bytes]:
    """Return the files; sw.js has the name and hash of each file, without those in `apart`."""
    if "sw.js" not in files:
        return files
    hashes = {
        name: hashlib.sha256(data).hexdigest()[:16]
        for name, data in sorted(files.items())
        if name != "sw.js" and name not in apart and not name.endswith(("LICENSE", "LICENCE"))
    }
    listing = json.dumps(hashes, indent=1, sort_keys=True)
    worker = files["sw.js"].decode()
    version = hashlib.sha256((worker + listing).encode()).hexdigest()[:16]
    for place, text in ((_PRECACHE, listing), (_VERSION, version)):
        worker = _put(worker, place, text, "sw.js")
    return {**files, "sw.js": worker.encode()}


def listed(worker: bytes) -> dict[str, str]:
    """Return the list in a built sw.js: `{"app.js": "0123456789abcdef", …}`."""
    text = worker.decode().partition("const FILES = ")[2]
    found: dict[str, str] = json.JSONDecoder().raw_decode(text)[0]
    return found


def _put(text: str, place: str, filling: str, name: str) -> str:
    if text.count(place) != 1:
        raise ValueError(f"web/{name} must contain {place} exactly once")
    return text.replace(place, filling)


def write(files: dict[str, bytes], folder: Path) -> int:
    """Make the folder hold exactly these files; return how many were written or removed."""
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


def write_zip(files: Mapping[str, bytes], target: Path) -> None:
    """Write the files as a zip; the same files give the same bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(_dated(name), data, zipfile.ZIP_DEFLATED)


def _dated(name: str) -> zipfile.ZipInfo:
    """Return a member's header with a constant date."""
    info = zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0))
    info.external_attr = 0o644 << 16
    return info


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
