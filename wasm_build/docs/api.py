"""API pages: every public function and class of the package with its signature and docstring.

They are read from the source without importing it, so that the pages are the same on every machine.
docs/pages.py puts them into the frame of the other pages.
"""

from __future__ import annotations

import ast
import html
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from wasm_build.stages import ROOT

PACKAGE = ROOT / "pysrc" / "cluewise"
# Rooms in reading order: a title and the folder below the package.
ROOMS = (
    ("The package", "."), ("arrays: exact results with numpy", "arrays"),
    ("core: what knows no game", "core"),
    ("parallel: tasks and cached results", "parallel"),
    ("pictures: lattices and cells of boards", "pictures"), ("The code desk", "desks/code"),
    ("The rack desk", "desks/rack"), ("The scan desk", "desks/scan"),
    ("The mines desk", "desks/mines"), ("The sudoku desk", "desks/sudoku"),
    ("kernel: its hosts and calls", "kernel"), ("browser: the page's Python side", "browser"),
    ("cli: the terminal and its toolkit", "cli"),
)  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef


def api(desk: str = "") -> str:
    """Return the rooms of a desk, or those that belong to none, as HTML with a list of contents."""
    rooms = [one for one in ROOMS if one[1] == f"desks/{desk}" or not (desk or "desks/" in one[1])]
    parts = [(f"room-{i}", title, list(modules(room))) for i, (title, room) in enumerate(rooms, 1)]
    contents = "".join(
        f'<li><a href="#{at}">{html.escape(title)}</a></li>' for at, title, _ in parts
    )
    text = [f'<nav aria-label="Rooms"><ul class="contents">\n{contents}</ul></nav>\n']
    for at, title, found in parts:
        text.append(f'<h2 id="{at}">{html.escape(title)}</h2>\n')
        text += [module(path) for path in found]
    return "".join(text)


def modules(folder: str) -> Iterator[Path]:
    """Yield the public modules of a room by folder; "." is the package without its rooms."""
    root = PACKAGE / folder
    desks = PACKAGE / "desks" / "__init__.py"
    every = [*root.glob("*.py"), desks] if folder == "." else root.rglob("*.py")
    for path in sorted(every, key=lambda path: (path.parent, path.name)):
        if not path.name.startswith("_") or path.name == "__init__.py":
            yield path


def module(path: Path) -> str:
    """Return a module's section: its docstring, then its classes and functions in order."""
    name = module_name(path)
    tree = ast.parse(path.read_text())
    stub = path.with_suffix(".pyi")  # for modules that create their functions on import
    entries = "".join(_entries(ast.parse(stub.read_text()) if stub.exists() else tree, name))
    if not entries and path.name == "__init__.py" and name != "cluewise":
        return ""
    list_ = f'<dl class="api">\n{entries}</dl>\n' if entries else ""
    return (
        f'<h3 id="{name}"><code>{name}</code></h3>\n{prose(ast.get_docstring(tree) or "")}{list_}'
    )


def module_name(path: Path) -> str:
    """Return `cluewise.core.seal` for `…/cluewise/core/seal.py`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def public(tree: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | Function]:
    """Yield the classes and functions without a leading underscore."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield node


def _entries(tree: ast.Module, name: str) -> Iterator[str]:
    for node in public(tree):
        yield _entry(node, f"{name}.{node.name}", signature(node))
        if isinstance(node, ast.ClassDef):
            for method in public(node):
                if ast.get_docstring(method):
                    title = f"{node.name}.{signature(method)}"
                    yield _entry(method, f"{name}.{node.name}.{method.name}", title)


def _entry(node: ast.ClassDef | Function, at: str, title: str) -> str:
    text = prose(ast.get_docstring(node) or "")
    return f'<dt id="{at}"><code>{html.escape(title)}</code></dt>\n<dd>{text}</dd>\n'


def signature(node: ast.ClassDef | Function) -> str:
    """Return `seal(secret: str, purpose: str) -> str`, or a class's name and bases."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}" + (f"({bases})" if bases else "")
    parameters = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({parameters}){result}"


def prose(text: str) -> str:
    """Return a docstring as HTML: paragraphs, with samples and indented blocks as code."""
    parts = []
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if not part.strip():
            continue
        if part.lstrip().startswith(">>>") or all(
            line.startswith("    ") for line in part.split("\n")
        ):
            parts.append(
                f"<pre><code>{html.escape(inspect.cleandoc(part), quote=False)}</code></pre>\n"
            )
        else:
            parts.append(f"<p>{inline_html(part)}</p>\n")
    return "".join(parts)


def inline_html(text: str) -> str:
    """Return a paragraph as HTML: `x` becomes code, *x* emphasis."""
    safe = html.escape(" ".join(text.split()), quote=False)
    safe = re.sub(r"``?([^`]+)``?", r"<code>\1</code>", safe)
    return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", safe)
