"""The page's wheels: downloaded once, verified by sha256, cached in .cache/.

numpy, micropip and packaging are Pyodide's own builds, with hashes in npm's pyodide-lock.json.
They come from Pyodide's CDN or, if that cannot be reached, from a PyPI wheel that contains the
same files. msgspec publishes a wheel for this platform itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from remotezip import RemoteZip  # type: ignore[import-untyped]  # it ships no types

from wasm_build.stages import ROOT

CACHE = ROOT / ".cache" / "wheels"
PYODIDE = ROOT / "node_modules" / "pyodide"

CDN = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
CDN_SECONDS = 20
CARRIER = "open-webui==0.12.4"  # its wheel contains Pyodide's folder with the three wheels
CARRIER_FOLDER = "open_webui/frontend/pyodide/"

MSGSPEC = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
MSGSPEC_SHA256 = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"

_FETCHING = Lock()  # two threads of a build fetch at once; the second finds the files


class CannotFetch(Exception):
    """No source has the wheel, or its hash is wrong."""


def pyodide_version() -> str:
    """Return the version of the npm package: `314.0.4`."""
    version = json.loads((PYODIDE / "package.json").read_text())["version"]
    assert isinstance(version, str)
    return version


def fetch_all() -> Path:
    """Return the folder with the four wheels after downloading the missing ones."""
    CACHE.mkdir(parents=True, exist_ok=True)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())["packages"]
    hashes = {lock[n]["file_name"]: lock[n]["sha256"] for n in ("numpy", "micropip", "packaging")}
    with _FETCHING, ThreadPoolExecutor(1) as pool:
        missing = {name: digest for name, digest in hashes.items() if not _good(name, digest)}
        msgspec = None if _good(MSGSPEC, MSGSPEC_SHA256) else pool.submit(_msgspec)
        if missing and not _from_cdn(missing):
            _from_carrier(missing)
        if msgspec is not None:
            msgspec.result()
    return CACHE


def numpy_wheel() -> Path:
    """Return the path of numpy's wheel after `fetch_all`."""
    return next(CACHE.glob("numpy-*.whl"))


def console_wheels() -> list[Path]:
    """Return the paths of micropip and packaging, which install wheels in the console."""
    return [next(CACHE.glob(f"{name}-*.whl")) for name in ("micropip", "packaging")]


def _good(name: str, digest: str) -> bool:
    path = CACHE / name
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == digest


def _keep(name: str, data: bytes, digest: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise CannotFetch(f"{name} has sha256 {found}, expected {digest}.")
    part = CACHE / f"{name}.{os.getpid()}.part"  # another process may fetch it too
    part.write_bytes(data)
    part.replace(CACHE / name)


def _from_cdn(missing: dict[str, str]) -> bool:
    base = CDN.format(version=pyodide_version())
    try:
        for name, digest in missing.items():
            with urllib.request.urlopen(base + name, timeout=CDN_SECONDS) as answer:
                _keep(name, answer.read(), digest)
    except (OSError, CannotFetch) as problem:
        print(f"Pyodide's CDN did not help ({problem}); taking {CARRIER} instead", file=sys.stderr)
        return False
    return True


def _from_carrier(missing: dict[str, str]) -> None:
    """Read members of the carrier's wheel by range requests; pip resolves its address."""
    with tempfile.TemporaryDirectory() as folder:
        report = _pip(
            "install", "--dry-run", "--ignore-installed", "--no-deps", "--only-binary=:all:",
            "--python-version", "3.11", "--target", folder, "--report", "-", CARRIER,
        )  # fmt: skip
    address = json.loads(report)["install"][0]["download_info"]["url"]
    with RemoteZip(address) as carrier:
        for name, digest in missing.items():
            _keep(name, carrier.read(CARRIER_FOLDER + name), digest)


def _msgspec() -> None:
    version = MSGSPEC.split("-")[1]
    with tempfile.TemporaryDirectory() as folder:
        _pip(
            "download", "--no-deps", "--only-binary=:all:", "--dest", folder,
            "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314",
            "--abi", "cp314", "--implementation", "cp", f"msgspec=={version}",
        )  # fmt: skip
        _keep(MSGSPEC, (Path(folder) / MSGSPEC).read_bytes(), MSGSPEC_SHA256)


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise CannotFetch(f"pip {arguments[0]} failed:\n{done.stderr}")
    return done.stdout
