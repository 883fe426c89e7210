"""Who may know whom, and that none do so in a ring: Python, the page, the kernel's C files."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
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
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imports(path: Path, *, at_once: bool = False) -> list[str]:
    """Every module that a file imports, as dotted names; `at_once`: while it is imported."""
    found = []
    for node in tree(path).body if at_once else ast.walk(tree(path)):
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


def page_imports(path: Path, *, at_once: bool = False) -> list[Path]:
    ignored = re.compile(r"/\*.*?\*/|^(im|ex)port type .*?;", re.DOTALL | re.MULTILINE)
    text = ignored.sub("", path.read_text())
    begins = r"from\s*" if at_once else r"(?:from|import)\s*\(?\s*"
    found = re.findall(begins + r"""["'](\.[^"']+)["']""", text)
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


def includes(path: Path) -> Iterator[Path]:
    """The kernel's headers that a C file includes."""
    for name in re.findall(r'#include\s+["<]([^">]+)[">]', path.read_text()):
        for target in ((path.parent / name).resolve(), (KERNEL / name).resolve()):
            if target.is_relative_to(KERNEL) and target.exists():
                yield target


def test_a_c_file_includes_its_own_desk_and_what_is_shared_only() -> None:
    for path in sorted(KERNEL.rglob("*.[ch]")):
        own = path.relative_to(KERNEL).parts
        known = {own[0], "shared"} if len(own) > 1 else set()  # kernel.h includes no other
        for target in includes(path):
            inside = target.relative_to(KERNEL).parts
            assert len(inside) == 1 or inside[0] in known, f"{path} includes {target}"


def test_no_registry_address_stands_in_the_tree() -> None:
    for name in ("package-lock.json", "package.json", "pyproject.toml"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://[\w.]*(npmjs|pypi|pythonhosted|registry)", text), name
        assert '"resolved"' not in text, name


def ring(knows: Mapping[str, set[str]]) -> list[str]:
    """Return modules of which each knows the next and the last is the first; [] if none do."""
    try:
        TopologicalSorter(knows).prepare()
    except CycleError as problem:
        return list(problem.args[1])
    return []


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_python_modules_import_in_no_ring() -> None:
    names = {
        path: ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in modules()
    }
    names = {path: name.removesuffix(".__init__") for path, name in names.items()}
    known = set(names.values())
    knows = {
        own: {n if n in known else n.rpartition(".")[0] for n in imports(path, at_once=True)}
        & known
        for path, own in names.items()
    }
    assert ring(knows) == []


def test_the_pages_modules_import_in_no_ring() -> None:
    sources = {path.with_suffix(".js"): name_of(path) for path in PAGE}
    knows = {
        name_of(path): {sources[t] for t in page_imports(path, at_once=True) if t in sources}
        for path in PAGE
    }
    assert ring(knows) == []


def test_the_kernels_headers_include_in_no_ring() -> None:
    headers = KERNEL.rglob("*.[ch]")
    assert ring({name_of(path): set(map(name_of, includes(path))) for path in headers}) == []


def called_across() -> dict[str, set[str]]:
    """Which C file calls functions of which other one."""
    texts = {
        path: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for path in KERNEL.rglob("*.c")
    }
    defined = re.compile(
        r"^(?:EXPORT\(\w+, (\w+)\)|(?!static|typedef)[a-zA-Z][\w *]*?\b(\w+)\()", re.MULTILINE
    )
    home = {
        one or other: path
        for path, text in texts.items()
        for one, other in defined.findall(text)
        if (one or other) not in {"EXPORT", "_Static_assert", "__attribute__"}
    }
    assert home["code_look"].name == "root_guesses.c"
    assert home["mines_plan"].name == "elimination_order.c"
    return {
        name_of(path): {
            name_of(home[word])
            for word in set(re.findall(r"\b(\w+)\s*\(", text)) & set(home)
            if home[word] != path
        }
        for path, text in texts.items()
    }


def test_the_kernels_files_call_each_other_in_no_ring() -> None:
    calls = called_across()
    kernel = name_of(KERNEL)
    assert f"{kernel}/mines/elimination_order.c" in calls[f"{kernel}/mines/count.c"]
    assert ring(calls) == []
