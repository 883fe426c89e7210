"""Build the kernel as a native library with sanitizers: `native_kernel.py FOLDER`.

The machine's C compiler and -fsanitize=undefined,address report every overflow, bad shift,
unaligned access and access outside a buffer with its line. Vector operations are emulated lane by
lane (native/wasm_simd128.h). Pointers have 64 bits here, so functions.py and layouts.py are
generated next to the library. tests/reference/native_kernel.py loads all three.

With FAST: without sanitizers, optimised for this machine, results equal to the last bit; for the
many games of bench/rack.py.
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
    """Return the machine's C compiler, or None."""
    return shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")


def base_command(cc: str) -> list[str]:
    """Return the command that compiles files of SOURCES, to be run there."""
    return [cc, "-std=gnu11", "-w", "-I.", f"-I{HERE / 'native'}"]


def build(folder: Path, cc: str, flags: Sequence[str] = FLAGS, sources: Path = SOURCES) -> Path:
    """Write kernel.so, functions.py and layouts.py to a folder; return the library's path."""
    files = sorted(str(p.relative_to(sources)) for p in sources.rglob("*.c"))
    target = folder / "kernel.so"
    command = [cc, *flags, "-I.", f"-I{HERE / 'native'}", "-o", str(target), *files]
    subprocess.run(command, cwd=sources, check=True)
    facts = kernel_headers.read_headers(sources, base_command(cc))
    (folder / "functions.py").write_text(kernel_headers.functions_text(sources, facts))
    (folder / "layouts.py").write_text(kernel_headers.layouts_text(sources, facts))
    return target


def main() -> int:
    """Build into a folder."""
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
