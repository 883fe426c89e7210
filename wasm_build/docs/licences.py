"""What the site ships that others wrote, as the page of licences: `text()` is its part of the page.

Versions, licences and texts come from what is really packed: the npm packages and the wheels. What
is linked into Pyodide's WebAssembly file has no text next to it there: linked-licences.txt has it.
`strangers` names the part that each file of dist/ is of, and fails for one that is of none.
"""

from __future__ import annotations

import html
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cluewise.core.version import version_string
from wasm_build.site import wheels

TEXTS = Path(__file__).with_name("linked-licences.txt")
MODULES = wheels.ROOT / "node_modules"
OURS = re.compile(r"pyodide/cluewise-[\w.-]+\.bin|pyodide/pyodide-lock\.json")


class Part(NamedTuple):
    """Something that others wrote: `Part("uqr", "0.1.3", "MIT", …)`."""

    name: str
    version: str
    licence: str  # an SPDX expression
    home: str
    what: str  # what it does here
    files: str  # a regular expression of its files' names in dist/
    texts: tuple[tuple[str, str], ...]  # a title and the licence's text, each


# Linked into pyodide.asm.wasm: name, licence, home, and its head in TEXTS where a text is due.
LINKED = [
    ("CPython 3.14", "PSF-2.0", "https://www.python.org", "python"),
    (
        "third-party code in CPython", "BSD-3-Clause, HPND, MIT and Zlib",
        "https://docs.python.org/3/license.html", "python-parts",
    ),
    ("Emscripten’s runtime", "MIT", "https://emscripten.org", "emscripten"),
    ("musl", "MIT", "https://musl.libc.org", "musl"),
    ("libffi", "MIT", "https://sourceware.org/libffi/", "libffi"),
    ("Expat", "MIT", "https://libexpat.github.io", "expat"),
    ("libmpdec", "BSD-2-Clause", "https://www.bytereef.org/mpdecimal/", "mpdecimal"),
    ("HACL*", "MIT", "https://github.com/hacl-star/hacl-star", "hacl"),
    ("Zstandard", "BSD-3-Clause", "https://facebook.github.io/zstd/", "zstd"),
    ("zlib", "Zlib", "https://zlib.net", ""),
    ("bzip2", "bzip2-1.0.6", "https://sourceware.org/bzip2/", ""),
    ("liblzma (XZ Utils)", "0BSD", "https://tukaani.org/xz/", ""),
    ("SQLite", "public domain", "https://sqlite.org", ""),
]  # fmt: skip


def parts() -> list[Part]:
    """Every part, the largest first."""
    folder = wheels.fetch_all()
    found = {path.name.partition("-")[0]: path for path in sorted(folder.glob("*.whl"))}
    mozilla = _texts_of_wheel(found["micropip"])[0][1]
    return [
        _npm(
            "pyodide",
            "Python in the browser: its module unmodified, and once more with functions replaced by"
            " traps that the start does not use; a snapshot of its memory after the start (with"
            " msgspec)",
            r"pyodide/(pyodide\.|runtime\.|python_|image-)",
            mozilla,
        ),
        _wheel(found["numpy"], "arrays for your own code in the console"),
        _wheel(found["msgspec"], "encodes and decodes the messages of page and worker"),
        _wheel(found["micropip"], "installs packages in the console"),
        _wheel(found["packaging"], "reads version numbers for micropip"),
        _npm("lit-html", "renders the page", "vendor/lit-html/"),
        _npm("idb-keyval", "stores games in the browser", "vendor/idb-keyval/"),
        _npm("uqr", "draws a link as a QR code", "vendor/uqr/"),
    ]


def strangers(names: Iterable[str]) -> dict[str, str]:
    """The part of every file that others wrote: `{"vendor/uqr/index.js": "uqr"}`.

    LookupError names a file under vendor/ or pyodide/ that is of no part.
    """
    found, known = {}, parts()
    for name in names:
        if not name.startswith(("vendor/", "pyodide/")) or OURS.fullmatch(name):
            continue
        of = [part.name for part in known if re.match(part.files, name)]
        if len(of) != 1:
            raise LookupError(f"{name} is of {of or 'no part'} in docs/licences.py")
        found[name] = of[0]
    return found


def text() -> str:
    """The parts as HTML: a list, and the licences' texts in parts that open."""
    texts = dict(re.findall(r"(?ms)^=== (\S+)\n(.*?)(?=^=== |\Z)", TEXTS.read_text()))
    return (
        f"<p>This is Cluewise {version_string()}.</p>\n"
        + "".join(_shown(part) for part in [*parts(), _landings()])
        + '<h2 id="linked">Linked into Pyodide’s WebAssembly file</h2>\n<ul>\n'
        + "".join(_linked(*one[:3], texts[one[3]] if one[3] else "") for one in LINKED)
        + "</ul>\n"
    )


def _npm(name: str, what: str, files: str, licence: str = "") -> Part:
    base = MODULES / name
    package = json.loads((base / "package.json").read_text())
    home = package["homepage"].partition("#")[0]
    texts = [(p.name, p.read_text()) for p in sorted(base.glob("LICEN[CS]E*"))]
    shown = tuple(texts or [(package["license"], licence)])
    return Part(name, package["version"], package["license"], home, what, files, shown)


def _landings() -> Part:
    """The table of teleports, in the package itself."""
    text = (wheels.ROOT / "pysrc/cluewise/desks/scan/teleports.LICENSE.md").read_text()
    what = "where teleports land in scan regions, cut down and reshaped; the game is Jagex Ltd.’s"
    home = "https://github.com/Leridon/cluetrainer"
    return Part("cluetrainer", "2026-07-12", "MIT", home, what, "(?!)", (("LICENSE", text),))


def _wheel(path: Path, what: str) -> Part:
    with zipfile.ZipFile(path) as archive:
        member = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = archive.read(member).decode()
    name, version = _field(metadata, "Name"), _field(metadata, "Version")
    licence = _field(metadata, "License-Expression") or _field(metadata, "License")
    home = re.search(r"(?m)^Project-URL: (?:homepage|source), (\S+)$", metadata, re.IGNORECASE)
    assert home, path
    texts = tuple(_texts_of_wheel(path))
    return Part(name, version, licence, home[1], what, f"pyodide/{path.stem}", texts)


def _field(metadata: str, name: str) -> str:
    found = re.search(rf"(?m)^{name}: (.+)$", metadata)
    return found[1].strip() if found else ""


def _texts_of_wheel(path: Path) -> list[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        names = [n for n in sorted(archive.namelist()) if ".dist-info/licenses/" in n]
        return [(n.partition("licenses/")[2], archive.read(n).decode()) for n in names]


def _shown(part: Part) -> str:
    return (
        f'<h2 id="{part.name}">{part.name} {part.version}</h2>\n'
        f"<p>{part.what}. <strong>{html.escape(part.licence)}</strong>. "
        f'<a href="{part.home}">{html.escape(part.home.partition("//")[2])}</a></p>\n'
        + "".join(_opening(*one) for one in part.texts)
    )


def _linked(name: str, licence: str, home: str, text: str) -> str:
    said = _opening(name, text) if text else ""
    return f'<li><a href="{home}">{name}</a>: <strong>{licence}</strong>{said}</li>\n'


def _opening(title: str, body: str) -> str:
    return (
        f'<details class="licence"><summary>Licence: {html.escape(title)}</summary>\n'
        f"<pre>{html.escape(body.strip(), quote=False)}</pre>\n</details>\n"
    )


def inputs() -> Iterator[Path]:
    """The files that the page changes with, next to the package itself."""
    yield from (TEXTS, wheels.ROOT / "package-lock.json", Path(__file__), Path(wheels.__file__))
