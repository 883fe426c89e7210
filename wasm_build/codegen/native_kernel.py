"""Build the kernel as a native library, under sanitizers: `codegen/native_kernel.py FOLDER`.

The same C files with the machine's own compiler and -fsanitize=undefined,address: every overflow,
bad shift, unaligned access and byte read outside of a buffer is reported with its line. Vectors are
done byte by byte (native/wasm_simd128.h). Addresses have 64 bits here, so the tables of buffers and
layouts are written anew next to the library. tests/reference/native_kernel.py loads all three.

With FAST instead: no sanitizers, all that this machine can do, and the same numbers to the last
bit. So many whole games are played (bench/rack.py).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from wasm_build.codegen import kernel_headers
from wasm_build.codegen.kernel import HERE, SOURCES

FLAGS = [
    "-std=gnu11", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden",
    "-fsanitize=undefined,address", "-fno-omit-frame-pointer",
    "-w",
]  # fmt: skip
FAST = [
    "-std=gnu11", "-O3", "-march=native", "-ffp-contract=off", "-fPIC", "-shared",
    "-fvisibility=hidden", "-w",
]  # fmt: skip


def compiler() -> str | None:
    """The machine's C compiler, if it has one."""
    return shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")


def reading(cc: str) -> list[str]:
    """The compiler as it reads the kernel's files, in SOURCES."""
    return [cc, "-std=gnu11", "-w", "-I.", f"-I{HERE / 'native'}"]


def build(folder: Path, cc: str, flags: Sequence[str] = FLAGS, sources: Path = SOURCES) -> Path:
    """The library and its tables in a folder: kernel.so, functions.py, layouts.py."""
    files = sorted(str(p.relative_to(sources)) for p in sources.rglob("*.c"))
    target = folder / "kernel.so"
    command = [cc, *flags, "-I.", f"-I{HERE / 'native'}", "-o", str(target), *files]
    subprocess.run(command, cwd=sources, check=True)
    facts = kernel_headers.facts(sources, reading(cc))
    (folder / "functions.py").write_text(kernel_headers.functions_text(sources, facts))
    (folder / "layouts.py").write_text(kernel_headers.layouts_text(sources, facts))
    return target


def main() -> int:
    """Build into the folder named."""
    cc = compiler()
    if cc is None:
        print("There is no C compiler here.")
        return 1
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print(build(folder, cc))
    return 0


if __name__ == "__main__":
    sys.exit(main())
