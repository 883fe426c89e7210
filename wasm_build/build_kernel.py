"""Build kernel.wasm from the C files beside this script: `python wasm_build/build_kernel.py`.

Beside it the table of its functions is written, cluewise/kernel/functions.py, from the same files.
Both are committed, so only who changes the C needs the compiler. They are byte-identical on every
run with the pinned ziglang; `--check` compares instead of writing.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "kernel"
TARGET = HERE.parent / "pysrc" / "cluewise" / "kernel" / "kernel.wasm"
TABLE = TARGET.with_name("functions.py")
TABLE_HEAD = '''"""What the kernel's functions take; written by build_kernel.py, never edited.

A letter an argument: p the address of a buffer, i an integer of 32 bits, d a double. What the
arguments mean stands in the C headers.
"""

TAKES: dict[str, str] = {
'''
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_EXPORT = re.compile(r"EXPORT\(\w+, (\w+)\)\s*\(([^)]*)\)")

STACK = 1 << 20  # bytes
MEMORY = 72 << 20  # bytes, all of it from the start: a growing memory would detach every view
FLAGS = [
    "-target", "wasm32-freestanding",
    "-mcpu=generic+simd128+bulk_memory+sign_ext+nontrapping_fptoint",
    "-std=c11", "-O3", "-ffreestanding", "-nostdlib", "-fno-stack-protector", "-g0",
    "-fno-sanitize=all",
    "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wno-unused-parameter",
    "-ffile-prefix-map=" + str(SOURCES) + "=.",
    "-Wl,--no-entry", "-Wl,--strip-all", f"-Wl,-z,stack-size={STACK}",
    f"-Wl,--initial-memory={MEMORY}", f"-Wl,--max-memory={MEMORY}",
]  # fmt: skip


def build(target: Path) -> None:
    """Compile every C file under kernel/ into one module at `target`."""
    files = sorted(str(p.relative_to(SOURCES)) for p in SOURCES.rglob("*.c"))
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-I.", "-o", str(target), *files]
    subprocess.run(command, cwd=SOURCES, check=True)


def takes(sources: Path = SOURCES) -> dict[str, str]:
    """What each exported function takes: `{"arena_base": "", "code_top": "pppiip", …}`, sorted."""
    found = {}
    for path in sources.rglob("*.c"):
        text = _COMMENT.sub("", path.read_text())
        for name, arguments in _EXPORT.findall(text):
            found[name] = "".join(_letter(one.strip()) for one in arguments.split(","))
    return dict(sorted(found.items()))


def _letter(argument: str) -> str:
    if argument == "void":
        return ""
    if "*" in argument:
        return "p"
    kind = argument.removeprefix("const ").split()[0]
    letters = {"double": "d", "i32": "i", "u32": "i"}
    if kind not in letters:
        raise ValueError(f"{argument}: an exported function takes i32, u32, double or a pointer")
    return letters[kind]


def table() -> str:
    """The text of functions.py."""
    lines = [f'    "{name}": "{letters}",\n' for name, letters in takes().items()]
    return TABLE_HEAD + "".join(lines) + "}\n"


def main() -> int:
    """Write the kernel, or with --check say whether the committed one is the built one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed file")
    if not parser.parse_args().check:
        build(TARGET)
        TABLE.write_text(table())
        print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "kernel.wasm"
        build(fresh)
        if fresh.read_bytes() == TARGET.read_bytes() and TABLE.read_text() == table():
            return 0
    print("kernel.wasm is not what the C files give: run python wasm_build/build_kernel.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
