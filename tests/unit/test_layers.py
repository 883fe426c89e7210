"""Who may know whom: the imports of Python, of the page and of the kernel's C files."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pysrc" / "cluewise"
WEB = ROOT / "web"
PAGE = [*WEB.rglob("*.js"), *(p for p in WEB.rglob("*.ts") if not p.name.endswith(".d.ts"))]
KERNEL = ROOT / "wasm_build" / "kernel"

# A room and the rooms of the package that it may import; its own is always allowed.
ALLOWED = {
    "errors": set(),
    "core": {"errors"},
    "kernel": {"errors"},
    "parallel": {"core", "errors"},
    "pictures": {"core", "errors"},
    "desks": {"core", "kernel", "parallel", "pictures", "errors"},
    "service": {"core", "desks", "errors", "parallel"},
    "links": {"desks", "service", "errors"},
    "functions": {"core", "desks", "errors", "links", "service"},
    **{desk: {"functions"} for desk in ("code", "rack", "scan", "mines", "sudoku")},
    "arrays": {"core", "desks", "errors", "kernel", "links", "service"},
    "batch": {"core", "errors", "parallel", "service"},
    "bench": {"core", "desks", "errors", "service"},
    "browser": {"bench", "core", "desks", "errors", "parallel", "service"},
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def imports(path: Path) -> list[str]:
    """Every module that a file imports, at any depth, as dotted names."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def is_allowed(path: Path, name: str) -> bool:
    """Return whether a file of the package may import the module of that name."""
    parts, words = path.relative_to(PACKAGE).with_suffix("").parts, name.split(".")
    room, target = parts[0], words[1] if len(words) > 1 else ""
    if words[0] != "cluewise" or room in ("cli", "__init__", "__main__"):
        return True
    if room == target == "desks" and len(words) > 2 and len(parts) > 2:
        return words[2] == parts[1]
    ours = (PACKAGE / target).exists() or (PACKAGE / f"{target}.py").exists()
    return target == room or not ours or target in ALLOWED[room]


def test_a_room_imports_only_what_it_may_know() -> None:
    pairs = [(path, name) for path in modules() for name in imports(path)]
    assert len(pairs) > 2000
    assert [f"{path} imports {name}" for path, name in pairs if not is_allowed(path, name)] == []


def test_javascript_the_terminals_libraries_and_numpy_are_known_where_they_belong() -> None:
    for path in modules():
        roots = {name.split(".")[0] for name in imports(path)}
        if path.name not in ("browser.py", "worker.py"):
            assert not roots & {"js", "pyodide", "pyodide_js", "cluewise_kernel"}, path
        if path.name != "bench.py" and "cli" not in path.parts:
            assert not roots & {"typer", "rich"}, path
        inside = path.relative_to(PACKAGE).parts
        reads_pictures = {"pictures", "ocr", "photo.py"} & set(inside)
        if not reads_pictures and inside[0] not in ("arrays", "batch.py"):
            assert "numpy" not in roots, path


def test_the_terminal_asks_through_the_service() -> None:
    for path in modules():
        if path.is_relative_to(PACKAGE / "cli" / "desks"):
            for name in imports(path):
                words = name.split(".")
                assert not {"verbs", "engine", "kernel", "work", "parallel"} & set(words), (
                    path,
                    name,
                )


def page_imports(path: Path) -> list[Path]:
    ignored = re.compile(r"/\*.*?\*/|^(im|ex)port type .*?;", re.DOTALL | re.MULTILINE)
    text = ignored.sub("", path.read_text())
    found = re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", text)
    return [(path.parent / name).resolve() for name in found]


def test_page_rooms_import_only_what_they_may_know() -> None:
    forbidden = {
        "widgets": ("desks", "session", "engine"),
        "desks": ("session", "engine"),
        "engine": ("desks", "session", "widgets"),
    }
    for path in sorted(PAGE):
        room = path.relative_to(WEB).parts[0]
        for target in page_imports(path):
            if not target.is_relative_to(WEB):
                continue
            parts = target.relative_to(WEB).parts
            assert parts[0] not in forbidden.get(room, ()), f"{path} imports {target}"
            if room == "desks" and parts[0] == "desks" and len(parts) > 2:
                own = path.relative_to(WEB).parts[1]
                assert own in (parts[1], "index.js"), f"{path} knows another desk"


def test_only_their_keepers_touch_the_address_and_storage() -> None:
    for path in sorted(PAGE):
        name = str(path.relative_to(WEB).with_suffix(".js"))
        text = path.read_text()
        if name not in ("session/link.js", "sw.js") and not name.startswith("engine/"):
            assert not re.search(r"\b(?<!\.)(location|history)\.(hash|replaceState|href)", text), (
                name
            )
        if name not in ("session/store.js", "sw.js"):
            assert not re.search(r"\b(localStorage|indexedDB|sessionStorage)\b", text), name


def test_a_c_file_includes_its_own_desk_and_what_is_shared_only() -> None:
    for path in sorted(KERNEL.rglob("*.[ch]")):
        for name in re.findall(r'#include\s+["<]([^">]+)[">]', path.read_text()):
            for target in ((path.parent / name).resolve(), (KERNEL / name).resolve()):
                if not target.is_relative_to(KERNEL) or not target.exists():
                    continue
                inside = target.relative_to(KERNEL).parts
                own = path.relative_to(KERNEL).parts
                known = {own[0], "shared"} if len(own) > 1 else set()  # kernel.h includes no other
                assert len(inside) == 1 or inside[0] in known, f"{path} includes {name}"


def test_no_registry_address_stands_in_the_tree() -> None:
    for name in ("package-lock.json", "package.json", "pyproject.toml"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://[\w.]*(npmjs|pypi|pythonhosted|registry)", text), name
        assert '"resolved"' not in text, name
