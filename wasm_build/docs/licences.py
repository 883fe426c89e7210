"""The page of licences: `text()` lists the third-party components of the site.

Versions, licences and texts are read from the npm packages and wheels that are shipped. Libraries
linked into Pyodide's WebAssembly file come without texts; linked-licences.txt has them.
`third_party_files` maps the files of dist/ to their components and fails for a file without one.
"""

from __future__ import annotations

import email
import html
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cluewise.core.version import version_string
from wasm_build.site import wheels
from wasm_build.stages import ROOT

TEXTS = Path(__file__).with_name("linked-licences.txt")
MODULES = ROOT / "node_modules"
OURS = re.compile(r"pyodide/cluewise-[\w.-]+\.bin|pyodide/pyodide-lock\.json")


class Component(NamedTuple):
    """A third-party component: `Component("uqr", "0.1.3", "MIT", …)`."""

    name: str
    version: str
    licence: str  # an SPDX expression
    home: str
    use: str  # its use in Cluewise
    files: str  # a regular expression for the names of its files in dist/
    texts: tuple[tuple[str, str], ...]  # a title and the licence's text, each


# Linked into pyodide.asm.wasm: name, licence, home, and the heading of its text in TEXTS, if any.
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


def components() -> list[Component]:
    """Return all components with files in dist/, the largest first."""
    folder = wheels.fetch_all()
    found = {path.name.partition("-")[0]: path for path in sorted(folder.glob("*.whl"))}
    mozilla = _texts_of_wheel(found["micropip"])[0][1]
    return [
        _npm(
            "pyodide",
            "Python in the browser: its module unmodified, and once more with functions replaced by"
            " traps that the start does not use; a snapshot of its memory after the start (with"
            " msgspec)",
            r"pyodide/(pyodide\.|runtime\.|python_|snapshot-)",
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


def third_party_files(names: Iterable[str]) -> dict[str, str]:
    """Return the component of every third-party file: `{"vendor/uqr/index.js": "uqr"}`.

    Raises LookupError for a file under vendor/ or pyodide/ without exactly one component.
    """
    found, known = {}, components()
    for name in names:
        if not name.startswith(("vendor/", "pyodide/")) or OURS.fullmatch(name):
            continue
        owners = [one.name for one in known if re.match(one.files, name)]
        if len(owners) != 1:
            raise LookupError(f"{name} is of {owners or 'no component'} in docs/licences.py")
        found[name] = owners[0]
    return found


def text() -> str:
    """Return the components as HTML, with the licences' texts in collapsed sections."""
    texts = dict(re.findall(r"(?ms)^=== (\S+)\n(.*?)(?=^=== |\Z)", TEXTS.read_text()))
    return (
        f"<p>This is Cluewise {version_string()}.</p>\n"
        + "".join(map(_section, [*components(), _landings()]))
        + '<h2 id="linked">Linked into Pyodide’s WebAssembly file</h2>\n<ul>\n'
        + "".join(_linked(*one[:3], texts[one[3]] if one[3] else "") for one in LINKED)
        + "</ul>\n"
    )


def _npm(name: str, use: str, files: str, licence: str = "") -> Component:
    base = MODULES / name
    package = json.loads((base / "package.json").read_text())
    home = package["homepage"].partition("#")[0]
    texts = [(p.name, p.read_text()) for p in sorted(base.glob("LICEN[CS]E*"))]
    shown = tuple(texts or [(package["license"], licence)])
    return Component(name, package["version"], package["license"], home, use, files, shown)


def _landings() -> Component:
    """Return the table of teleports, which is in the package itself."""
    text = (ROOT / "pysrc/cluewise/desks/scan/teleports.LICENSE.md").read_text()
    use = "where teleports land in scan regions, cut down and reshaped; the game is Jagex Ltd.’s"
    home = "https://github.com/Leridon/cluetrainer"
    return Component("cluetrainer", "2026-07-12", "MIT", home, use, "(?!)", (("LICENSE", text),))


def _wheel(path: Path, use: str) -> Component:
    with zipfile.ZipFile(path) as archive:
        member = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(member))
    urls = [url.split(", ") for url in metadata.get_all("Project-URL", [])]
    home = next((url for label, url in urls if label.lower() in ("homepage", "source")), "")
    assert home, path
    licence = metadata["License-Expression"] or metadata["License"].splitlines()[0]
    return Component(
        metadata["Name"], metadata["Version"], licence, home, use, f"pyodide/{path.stem}",
        tuple(_texts_of_wheel(path)),
    )  # fmt: skip


def _texts_of_wheel(path: Path) -> list[tuple[str, str]]:
    with zipfile.ZipFile(path) as archive:
        names = [n for n in sorted(archive.namelist()) if ".dist-info/licenses/" in n]
        return [(n.partition("licenses/")[2], archive.read(n).decode()) for n in names]


def _section(part: Component) -> str:
    return (
        f'<h2 id="{part.name}">{part.name} {part.version}</h2>\n'
        f"<p>{part.use}. <strong>{html.escape(part.licence)}</strong>. "
        f'<a href="{part.home}">{html.escape(part.home.partition("//")[2])}</a></p>\n'
        + "".join(_collapsed(*one) for one in part.texts)
    )


def _linked(name: str, licence: str, home: str, text: str) -> str:
    shown = _collapsed(name, text) if text else ""
    return f'<li><a href="{home}">{name}</a>: <strong>{licence}</strong>{shown}</li>\n'


def _collapsed(title: str, body: str) -> str:
    return (
        f'<details class="licence"><summary>Licence: {html.escape(title)}</summary>\n'
        f"<pre>{html.escape(body.strip(), quote=False)}</pre>\n</details>\n"
    )


def inputs() -> Iterator[Path]:
    """Yield the files that the page depends on, besides the package."""
    yield from (TEXTS, ROOT / "package-lock.json", Path(__file__), Path(wheels.__file__))
